/* Token buckets with known piecewise-linear outcomes, fluid storms of logons, and a bucket as the server of
 * M/D/1. */
#include "vdisim/bucket.h"
#include "tests/support/replications.h"
#include "vdisim/process.h"
#include "vdisim/random.h"
#include "vdisim/sim.h"
#include "vdisim/tally.h"

static int64_t ns(double seconds)
{
    return sim_ns_from_s(seconds);
}

static double s(int64_t at_ns)
{
    return sim_s_from_ns(at_ns);
}

/* r = 100/s, b = 500 full; demand 300/s for 5 s, then 50/s. */
static void token_bucket(void **state)
{
    (void)state;
    struct sim_bucket b;
    sim_bucket_init(&b, 0, 100.0, 500.0);
    sim_bucket_set_drain(&b, 0, 300.0);
    assert_near_relative(s(sim_bucket_empty_at_ns(&b, 0)), 2.5, 1e-9);
    sim_bucket_set_drain(&b, ns(5), 50.0);
    assert_near_relative(sim_bucket_backlog(&b, ns(5)), 500.0, 1e-9);
    assert_near_relative(s(sim_bucket_clear_at_ns(&b, ns(5))), 15.0, 1e-9);
    assert_near_relative(s(sim_bucket_full_at_ns(&b, ns(5))), 25.0, 1e-9);
    assert_near_relative(sim_bucket_served(&b, ns(25)), 2500.0, 1e-9);
    assert_near_relative(sim_bucket_level(&b, ns(25)), 500.0, 1e-9);
}

/* Azure Files premium v1, 1024 GiB: base 4024, burst 10000, credits 21513600; 12000/s for 30 min, then
 * 1000/s. */
static void burst_credits(void **state)
{
    (void)state;
    struct sim_bucket b;
    sim_bucket_init(&b, 0, 4024.0, 21513600.0);
    sim_bucket_set_peak(&b, 0, 10000.0);
    sim_bucket_set_drain(&b, 0, 12000.0);
    sim_bucket_set_drain(&b, ns(1800), 1000.0);
    assert_near_relative(sim_bucket_level(&b, ns(1800)), 10756800.0, 1e-9);
    assert_near_relative(sim_bucket_backlog(&b, ns(1800)), 3.6e6, 1e-9);
    assert_near_relative(s(sim_bucket_clear_at_ns(&b, ns(1800))), 2200.0, 1e-9);
    assert_near_relative(s(sim_bucket_full_at_ns(&b, ns(1800))), 6547.0 + 13.0 / 21.0, 1e-9);
    assert_near_relative(sim_bucket_level(&b, ns(2200)), 10756800.0 - 5976.0 * 400.0, 1e-9);
}

/* N logons spread evenly over T, k operations each, served at mu, background b: a bucket without credit. */
static void logon_storms(void **state)
{
    (void)state;
    const struct {
        double logons, spread_s, operations, rate, background, backlog, delay_s, clear_s;
    } cases[] = {
        {1000, 900, 4000, 4000, 500, 850000, 212.5, 1142.857142857143},
        {500, 600, 3000, 2000, 0, 300000, 150, 750},
        {1000, 3600, 12000, 3500, 300, 480000, 137.142857142857, 3750},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct sim_bucket b;
        const int64_t end = ns(cases[i].spread_s);
        sim_bucket_init(&b, 0, cases[i].rate, 0.0);
        sim_bucket_set_drain(&b, 0,
                             cases[i].logons * cases[i].operations / cases[i].spread_s + cases[i].background);
        sim_bucket_set_drain(&b, end, cases[i].background);
        assert_near_relative(sim_bucket_backlog(&b, end), cases[i].backlog, 1e-9);
        assert_near_relative(sim_bucket_backlog(&b, end) / b.rate_per_s, cases[i].delay_s, 1e-9);
        assert_near_relative(s(sim_bucket_clear_at_ns(&b, end)), cases[i].clear_s, 1e-9);
    }
}

/* Arrivals that rise to 6000/s and fall again over 1200 s, served at 4000/s; the triangle in steps of 10 ms,
 * whose middle values integrate a line exactly from corner to corner. */
static void triangular_storm(void **state)
{
    (void)state;
    const double peak = 6000.0, spread = 1200.0, step = 0.01;
    struct sim_bucket b;
    sim_bucket_init(&b, 0, 4000.0, 0.0);
    for (int i = 0; i < 120000; i++) {
        const double middle = (i + 0.5) * step;
        sim_bucket_set_drain(&b, ns(i * step),
                             peak * (middle < spread / 2 ? middle : spread - middle) / (spread / 2));
        if (i == 40000)
            assert_near(b.backlog, 0.0, 1e-6);
        if (i == 40001)
            assert_true(b.backlog > 0.0);
        if (i == 80000)
            assert_near_relative(b.backlog, 400000.0, 1e-9);
        if (i == 108284)
            assert_near_relative(s(sim_bucket_clear_at_ns(&b, ns(i * step))), 1082.842712474619, 1e-9);
    }
}

/* The discrete form told the same story one operation at a time: grants lag the fluid by at most one
 * operation. */
static void discrete_follows_fluid(void **state)
{
    (void)state;
    struct sim_bucket b;
    sim_bucket_init(&b, 0, 100.0, 500.0);
    int64_t last = 0;
    for (int i = 0; i < 1500; i++)
        last = sim_bucket_take(&b, (int64_t)((double)i / 300.0 * 1e9), 1.0);
    for (int i = 0; i < 500; i++)
        last = sim_bucket_take(&b, ns(5.0) + (int64_t)((double)i / 50.0 * 1e9), 1.0);
    assert_near(s(last), 15.0, 0.025);
    assert_near(sim_bucket_level(&b, ns(15.0)), 0.0, 1.01);
}

struct gate {
    struct sim_process source;
    struct sim_bucket bucket;
    struct sim_random stream;
    struct sim_tally wait;
    uint64_t customers;
};

static void gate_source(struct sim_process *self)
{
    struct gate *g = SIM_CONTAINER_OF(self, struct gate, source);
    for (uint64_t i = 0; i < g->customers + 1000; i++) {
        sim_hold(self, sim_ns_round(1.25e9 * sim_random_exponential(&g->stream)));
        const int64_t now_ns = sim_now_ns(self->sim);
        const int64_t granted_ns = sim_bucket_take(&g->bucket, now_ns, 1.0);
        if (i >= 1000)
            sim_tally_add(&g->wait, s(granted_ns - now_ns));
    }
}

/* Without credit every taker waits as in M/D/1, its own service included: rho = .8, W = 2 + 1. */
static void bucket_is_md1(void **state)
{
    (void)state;
    double wait[REPLICATIONS];
    for (uint64_t i = 0; i < REPLICATIONS; i++) {
        struct gate g = {.customers = per_replication(1e7)};
        struct sim *sim = sim_create();
        sim_bucket_init(&g.bucket, 0, 1.0, 0.0);
        sim_random_init(&g.stream, TEST_SEED, i, "gate");
        sim_tally_init(&g.wait, false);
        sim_process_init(&g.source, "source", gate_source);
        sim_process_start_after(sim, &g.source, 0);
        assert_int_equal(sim_run_until(sim, SIM_NEVER_NS), SIM_END_EMPTY);
        wait[i] = g.wait.mean;
        sim_destroy(sim);
    }
    assert_reference("wait at the bucket", wait, REPLICATIONS, 3.0, .01);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(token_bucket),           cmocka_unit_test(burst_credits),
        cmocka_unit_test(logon_storms),           cmocka_unit_test(triangular_storm),
        cmocka_unit_test(discrete_follows_fluid), cmocka_unit_test(bucket_is_md1),
    };
    return RUN_TESTS(tests);
}
