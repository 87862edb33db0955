/* Max-min fair shares: the cases of the textbooks, by the pure function and as the rates of flows on a link. */
#include "tests/support/check.h"
#include "vdisim/link.h"
#include "vdisim/sim.h"

enum { MOST = 8 };

struct sharing {
    double capacity;
    size_t count;
    double demand[MOST];
    double weight[MOST]; /* all 0: equal */
    double share[MOST];
};

static const struct sharing cases[] = {
    {10, 4, {2, 2.6, 4, 5}, {0}, {2, 2.6, 2.7, 2.7}},
    {16, 4, {4, 2, 10, 4}, {0}, {4, 2, 6, 4}},
    {16, 4, {4, 2, 10, 4}, {2.5, 4, .5, 1}, {4, 2, 6, 4}},
    {450, 5, {200, 150, 100, 50, 25}, {0}, {137.5, 137.5, 100, 50, 25}},
    {1000, 7, {1000, 1000, 1000, 100, 100, 100, 100}, {0}, {200, 200, 200, 100, 100, 100, 100}},
    {1000, 3, {900, 900, 50}, {1, 3, 1}, {237.5, 712.5, 50}},
    {300, 6, {60, 60, 60, 60, 60, 60}, {0}, {50, 50, 50, 50, 50, 50}},
    {100, 3, {10, 20, 30}, {0}, {10, 20, 30}},
};

static void by_function(void **state)
{
    (void)state;
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        const struct sharing *c = &cases[k];
        double share[MOST];
        sim_max_min_share(c->capacity, c->count, c->demand, c->weight[0] > 0.0 ? c->weight : NULL, share);
        for (size_t i = 0; i < c->count; i++)
            assert_near_relative(share[i], c->share[i], 1e-9);
    }
}

static void nobody_is_done(struct sim_link_flow *flow)
{
    (void)flow;
    fail();
}

/* The demands as caps; flows come in order and in reverse. */
static void by_link(void **state)
{
    (void)state;
    for (size_t k = 0; k < 2 * sizeof cases / sizeof *cases; k++) {
        const struct sharing *c = &cases[k / 2];
        struct sim *sim = sim_create();
        struct sim_link link;
        struct sim_link_flow flow[MOST];
        sim_link_init(&link, sim, c->capacity);
        for (size_t j = 0; j < c->count; j++) {
            const size_t i = k % 2 ? c->count - 1 - j : j;
            sim_link_flow_init(&flow[i], nobody_is_done);
            flow[i].cap_bytes_per_s = c->demand[i];
            if (c->weight[0] > 0.0)
                flow[i].weight = c->weight[i];
            sim_link_start(&link, &flow[i], 1e6);
        }
        for (size_t i = 0; i < c->count; i++)
            assert_near_relative(sim_link_flow_rate(&flow[i]), c->share[i], 1e-9);
        sim_run_until(sim, SIM_NS_PER_S);
        for (size_t i = 0; i < c->count; i++)
            assert_near_relative(1e6 - sim_link_flow_remaining(&flow[i]), c->share[i], 1e-9);
        sim_destroy(sim);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(by_function),
        cmocka_unit_test(by_link),
    };
    return RUN_TESTS(tests);
}
