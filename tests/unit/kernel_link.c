/* The bandwidth link: corner cases, processes that transfer, and random histories held against brute-force
 * water filling. */
#include "tests/support/check.h"
#include "vdisim/link.h"
#include "vdisim/random.h"
#include "vdisim/sim.h"

#include <stdlib.h>

struct transfer {
    struct sim_link_flow flow;
    struct sim_event start;
    struct sim_event cancel;
    struct sim_link *link;
    double bytes;
    int64_t start_ns;
    int64_t cancel_ns; /* SIM_NEVER_NS: not */
    int64_t done_ns;   /* -1: not */
    double left;       /* when cancelled */
};

static void transfer_done(struct sim_link_flow *flow)
{
    struct transfer *t = SIM_CONTAINER_OF(flow, struct transfer, flow);
    assert_int_equal(flow->state, SIM_FLOW_IDLE);
    t->done_ns = sim_now_ns(t->link->sim);
}

static void transfer_starts(struct sim *sim, struct sim_event *event)
{
    (void)sim;
    struct transfer *t = SIM_CONTAINER_OF(event, struct transfer, start);
    sim_link_start(t->link, &t->flow, t->bytes);
}

static void transfer_is_cancelled(struct sim *sim, struct sim_event *event)
{
    (void)sim;
    struct transfer *t = SIM_CONTAINER_OF(event, struct transfer, cancel);
    if (t->flow.state != SIM_FLOW_IDLE)
        t->left = sim_link_cancel(&t->flow);
}

static void plan(struct sim *sim, struct sim_link *link, struct transfer *t, int64_t start_ns, double bytes)
{
    t->link = link;
    t->start_ns = start_ns;
    t->bytes = bytes;
    t->cancel_ns = SIM_NEVER_NS;
    t->done_ns = -1;
    t->left = 0.0;
    sim_link_flow_init(&t->flow, transfer_done);
    sim_event_init(&t->start, transfer_starts, 1);
    sim_event_init(&t->cancel, transfer_is_cancelled, 2);
    sim_schedule_at(sim, &t->start, start_ns);
}

static void empty_and_infinite(void **state)
{
    (void)state;
    struct sim *sim = sim_create();
    struct sim_link link;
    struct transfer t[4];
    sim_link_init(&link, sim, 10.0);
    plan(sim, &link, &t[0], 5, 0.0);
    assert_int_equal(sim_run_until(sim, SIM_NEVER_NS), SIM_END_EMPTY);
    assert_int_equal(t[0].done_ns, 5);
    sim_link_set_rate(&link, INFINITY);
    plan(sim, &link, &t[1], 7, 1e12);
    plan(sim, &link, &t[2], 7, 100.0);
    t[2].flow.cap_bytes_per_s = 50.0;
    sim_run_until(sim, SIM_NEVER_NS);
    assert_int_equal(t[1].done_ns, 7);
    assert_int_equal(t[2].done_ns, 7 + 2 * SIM_NS_PER_S);
    assert_near_relative(sim_link_carried_bytes(&link), 1e12 + 100.0, 1e-12);
    assert_int_equal(link.finished, 3);
    sim_link_check(&link);
    sim_destroy(sim);
}

static void link_goes_down_and_up(void **state)
{
    (void)state;
    const int64_t s = SIM_NS_PER_S;
    struct sim *sim = sim_create();
    struct sim_link link;
    struct transfer t[2];
    sim_link_init(&link, sim, 10.0);
    plan(sim, &link, &t[0], 0, 20.0);
    plan(sim, &link, &t[1], 0, 30.0);
    t[1].flow.cap_bytes_per_s = 4.0;
    sim_run_until(sim, s);
    assert_near(sim_link_flow_rate(&t[0].flow), 6.0, 1e-9);
    assert_near(sim_link_flow_remaining(&t[0].flow), 14.0, 1e-9);
    assert_near(sim_link_flow_remaining(&t[1].flow), 26.0, 1e-9);
    sim_link_set_rate(&link, 0.0);
    assert_int_equal(sim_run_until(sim, 3 * s), SIM_END_EMPTY);
    assert_near(sim_link_flow_rate(&t[1].flow), 0.0, 1e-9);
    assert_near(sim_link_carried_bytes(&link), 10.0, 1e-9);
    sim_link_set_rate(&link, 6.0);
    const int64_t again = sim_now_ns(sim);
    sim_run_until(sim, again + s);
    assert_near(sim_link_flow_remaining(&t[0].flow), 11.0, 1e-9);
    sim_link_set_cap(&t[1].flow, 1.0);
    assert_near(sim_link_flow_rate(&t[0].flow), 5.0, 1e-9);
    sim_link_set_rate(&link, INFINITY); /* the uncapped one is through at once */
    sim_run_until(sim, SIM_NEVER_NS);
    assert_int_equal(t[0].done_ns, again + s);
    assert_int_equal(t[1].done_ns, again + s + 23 * s);
    sim_link_check(&link);
    sim_destroy(sim);
}

/* A flow that is due, but whose callback has not come, is cancelled at that instant: no callback, nothing
 * left. */
static void cancelled_when_due(void **state)
{
    (void)state;
    struct sim *sim = sim_create();
    struct sim_link link;
    struct transfer t[2];
    sim_link_init(&link, sim, 1e9);
    plan(sim, &link, &t[0], 0, 100.0);
    sim_schedule_at(sim, &t[0].cancel, 100); /* scheduled before the link's own event */
    plan(sim, &link, &t[1], 200, 100.0);
    sim_schedule_at(sim, &t[1].cancel, 250);
    sim_run_until(sim, SIM_NEVER_NS);
    assert_int_equal(t[0].done_ns, -1);
    assert_near(t[0].left, 0.0, 1e-9);
    assert_int_equal(t[1].done_ns, -1);
    assert_near(t[1].left, 50.0, 1e-9);
    assert_int_equal(link.cancelled, 2);
    sim_link_check(&link);
    sim_destroy(sim);
}

struct chain {
    struct sim_link_flow flow;
    struct sim_link *link;
    int left;
};

static void chain_goes_on(struct sim_link_flow *flow)
{
    struct chain *chain = SIM_CONTAINER_OF(flow, struct chain, flow);
    if (chain->left-- > 0)
        sim_link_start(chain->link, flow, chain->left % 2 ? 8.0 : 0.0);
}

/* A callback may start its own flow again, also an empty one at once. */
static void started_from_the_callback(void **state)
{
    (void)state;
    struct sim *sim = sim_create();
    struct sim_link link;
    struct chain chain = {.link = &link, .left = 10};
    sim_link_init(&link, sim, 1e9);
    sim_link_flow_init(&chain.flow, chain_goes_on);
    sim_link_start(&link, &chain.flow, 8.0);
    assert_int_equal(sim_run_until(sim, SIM_NEVER_NS), SIM_END_EMPTY);
    assert_int_equal(sim_now_ns(sim), 8 + 5 * 8);
    assert_int_equal(link.finished, 11);
    sim_link_check(&link);
    sim_destroy(sim);
}

struct copier {
    struct sim_process process;
    struct sim_link *link;
    double bytes;
    int64_t timeout_ns;
    enum sim_wake wake;
    int64_t at_ns;
};

static void copier_lives(struct sim_process *self)
{
    struct copier *copier = SIM_CONTAINER_OF(self, struct copier, process);
    struct sim_link_flow flow;
    sim_link_flow_init(&flow, NULL);
    copier->wake = copier->timeout_ns == SIM_NEVER_NS
                       ? sim_link_transfer(self, copier->link, copier->bytes)
                       : sim_link_transfer_by(self, copier->link, &flow, copier->bytes, copier->timeout_ns);
    copier->at_ns = sim_now_ns(self->sim);
}

struct disturbance {
    struct sim_event event;
    struct copier *copier;
    bool stop;
};

static void disturb(struct sim *sim, struct sim_event *event)
{
    (void)sim;
    struct disturbance *d = SIM_CONTAINER_OF(event, struct disturbance, event);
    if (d->stop)
        sim_process_stop(&d->copier->process);
    else
        sim_process_interrupt(&d->copier->process, 7);
}

/* Four processes share; one is interrupted at 1 s, one is stopped, one times out at 2 s: the last has the
 * link alone. */
static void processes_transfer(void **state)
{
    (void)state;
    const int64_t s = SIM_NS_PER_S;
    struct sim *sim = sim_create();
    struct sim_link link;
    sim_link_init(&link, sim, 8.0);
    struct copier c[4] = {{.timeout_ns = SIM_NEVER_NS},
                          {.timeout_ns = SIM_NEVER_NS},
                          {.timeout_ns = 2 * SIM_NS_PER_S},
                          {.timeout_ns = SIM_NEVER_NS}};
    for (int i = 0; i < 4; i++) {
        c[i].link = &link;
        c[i].bytes = 100.0;
        c[i].at_ns = -1;
        sim_process_init(&c[i].process, "copier", copier_lives);
        sim_process_start_after(sim, &c[i].process, 0);
    }
    struct disturbance d[2] = {{.copier = &c[0]}, {.copier = &c[1], .stop = true}};
    for (int i = 0; i < 2; i++) {
        sim_event_init(&d[i].event, disturb, 3);
        sim_schedule_at(sim, &d[i].event, s);
    }
    sim_run_until(sim, 20 * s);
    assert_int_equal(c[0].wake, SIM_INTERRUPTED);
    assert_int_equal(c[0].at_ns, s);
    assert_int_equal(c[1].at_ns, -1);
    assert_int_equal(c[2].wake, SIM_TIMEOUT);
    assert_int_equal(c[2].at_ns, 2 * s);
    assert_int_equal(c[3].wake, SIM_DONE);
    assert_near((double)c[3].at_ns, (2.0 + (100.0 - 2.0 - 4.0) / 8.0) * 1e9, 1.0);
    assert_int_equal(link.cancelled, 3);
    assert_near(sim_link_carried_bytes(&link), 8.0 + 8.0 + 94.0, 1e-6);
    sim_link_check(&link);
    sim_destroy(sim);
}

enum { FLOWS = 40 };

/* What should happen: between changes all flows progress at their max-min shares. Times in ns as doubles. */
static void reference(const struct transfer *t, double rate, double *done_ns, double *left)
{
    double now = 0.0;
    bool in[FLOWS] = {false}, over[FLOWS] = {false};
    for (;;) {
        double cap[FLOWS], weight[FLOWS], share[FLOWS];
        int who[FLOWS], n = 0;
        for (int i = 0; i < FLOWS; i++)
            if (in[i]) {
                cap[n] = t[i].flow.cap_bytes_per_s;
                weight[n] = t[i].flow.weight;
                who[n++] = i;
            }
        sim_max_min_share(rate, (size_t)n, cap, weight, share);
        double next = INFINITY;
        for (int i = 0; i < FLOWS; i++) {
            if (!in[i] && !over[i])
                next = fmin(next, (double)t[i].start_ns);
            if (in[i] && t[i].cancel_ns != SIM_NEVER_NS)
                next = fmin(next, (double)t[i].cancel_ns);
        }
        int finisher = -1;
        for (int k = 0; k < n; k++)
            if (share[k] > 0.0 && now + left[who[k]] / share[k] * 1e9 < next) {
                next = now + left[who[k]] / share[k] * 1e9;
                finisher = who[k];
            }
        if (isinf(next))
            return;
        for (int k = 0; k < n; k++)
            left[who[k]] = fmax(0.0, left[who[k]] - share[k] * (next - now) * 1e-9);
        now = next;
        if (finisher >= 0) {
            in[finisher] = false;
            over[finisher] = true;
            left[finisher] = 0.0;
            done_ns[finisher] = now;
            continue;
        }
        for (int i = 0; i < FLOWS; i++) {
            if (in[i] && (double)t[i].cancel_ns == now) {
                in[i] = false;
                over[i] = true;
            } else if (!in[i] && !over[i] && (double)t[i].start_ns == now) {
                in[i] = true;
            }
        }
    }
}

static void random_history(uint64_t seed)
{
    struct sim_random r;
    sim_random_init(&r, seed, 0, "flows");
    struct sim *sim = sim_create();
    struct sim_link link;
    struct transfer *t = calloc(FLOWS, sizeof *t);
    double done_ns[FLOWS], left[FLOWS];
    const double rate = 1000.0 * (1.0 + (double)sim_random_below(&r, 50));
    const double common_cap = rate / (double)(1 + sim_random_below(&r, 8));
    const uint64_t kind = sim_random_below(&r, 4); /* no caps, equal caps, any caps, any caps and weights */
    sim_link_init(&link, sim, rate);
    for (int i = 0; i < FLOWS; i++) {
        const int64_t start_ns = 1000 * (int64_t)sim_random_below(&r, 4000000);
        plan(sim, &link, &t[i], start_ns, (double)(1 + sim_random_below(&r, 5000)));
        if (kind == 1)
            t[i].flow.cap_bytes_per_s = common_cap;
        else if (kind > 1 && sim_random_chance(&r, 0.7))
            t[i].flow.cap_bytes_per_s = rate * sim_random_uniform(&r);
        if (kind == 3)
            t[i].flow.weight = 0.25 * (double)(1 + sim_random_below(&r, 12));
        if (sim_random_chance(&r, 0.2)) {
            t[i].cancel_ns = start_ns + 500 + 1000 * (int64_t)sim_random_below(&r, 3000000);
            sim_schedule_at(sim, &t[i].cancel, t[i].cancel_ns);
        }
        done_ns[i] = -1.0;
        left[i] = t[i].bytes;
    }
    reference(t, rate, done_ns, left);
    assert_int_equal(sim_run_until(sim, SIM_NEVER_NS), SIM_END_EMPTY);
    double carried = 0.0;
    for (int i = 0; i < FLOWS; i++) {
        carried += t[i].bytes - left[i];
        if ((done_ns[i] < 0.0) != (t[i].done_ns < 0) || fabs(done_ns[i] - (double)t[i].done_ns) > 1.5 ||
            fabs(left[i] - t[i].left) > 1e-3) {
            print_error("seed %llu flow %d: done %lld, should be %.3f; left %g, should be %g\n",
                        (unsigned long long)seed, i, (long long)t[i].done_ns, done_ns[i], t[i].left, left[i]);
            fail();
        }
    }
    assert_near_relative(sim_link_carried_bytes(&link), carried, 1e-9);
    assert_int_equal(link.started, FLOWS);
    assert_int_equal(link.finished + link.cancelled, FLOWS);
    sim_link_check(&link);
    free(t);
    sim_destroy(sim);
}

static void random_histories(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 400; seed++)
        random_history(seed);
}

/* Water filling by its defining property: nobody below its demand has less, per weight, than anybody else. */
static void shares_are_max_min(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 500; seed++) {
        struct sim_random r;
        sim_random_init(&r, seed, 0, "shares");
        enum { MOST = 30 };
        double demand[MOST], weight[MOST], share[MOST], sum = 0.0, wanted = 0.0, level = 0.0;
        const size_t n = 1 + (size_t)sim_random_below(&r, MOST);
        const double capacity = 100.0 * sim_random_uniform(&r);
        for (size_t i = 0; i < n; i++) {
            demand[i] = sim_random_chance(&r, 0.1) ? 0.0 : 20.0 * sim_random_uniform(&r);
            weight[i] = 0.1 + sim_random_uniform(&r);
        }
        sim_max_min_share(capacity, n, demand, weight, share);
        for (size_t i = 0; i < n; i++) {
            assert_true(share[i] >= 0.0 && share[i] <= demand[i] * (1.0 + 1e-12));
            sum += share[i];
            wanted += demand[i];
            level = fmax(level, share[i] / weight[i]);
        }
        assert_near_relative(sum, fmin(capacity, wanted), 1e-9);
        for (size_t i = 0; i < n; i++)
            if (share[i] < demand[i] * (1.0 - 1e-12))
                assert_near_relative(share[i] / weight[i], level, 1e-9);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(empty_and_infinite), cmocka_unit_test(link_goes_down_and_up),
        cmocka_unit_test(cancelled_when_due), cmocka_unit_test(started_from_the_callback),
        cmocka_unit_test(processes_transfer), cmocka_unit_test(random_histories),
        cmocka_unit_test(shares_are_max_min),
    };
    return RUN_TESTS(tests);
}
