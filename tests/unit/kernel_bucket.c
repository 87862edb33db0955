/* The token bucket: corner cases, and random histories held against a reference that steps through time. */
#include "tests/support/check.h"
#include "vdisim/bucket.h"
#include "vdisim/random.h"

#include <math.h>

static void takes_and_debts(void **state)
{
    (void)state;
    struct sim_bucket b;
    sim_bucket_init(&b, 0, 100.0, 10.0);
    assert_int_equal(sim_bucket_take(&b, 0, 10.0), 0);
    assert_int_equal(sim_bucket_take(&b, 0, 1.0), 10 * SIM_NS_PER_MS);
    assert_int_equal(sim_bucket_take(&b, 0, 2.0), 30 * SIM_NS_PER_MS);
    assert_int_equal(sim_bucket_when(&b, 0, 1.0), 40 * SIM_NS_PER_MS);
    assert_int_equal(sim_bucket_take(&b, 0, 0.0), 30 * SIM_NS_PER_MS); /* nobody overtakes */
    assert_near(sim_bucket_level(&b, 30 * SIM_NS_PER_MS), 0.0, 1e-12);
    assert_int_equal(sim_bucket_take(&b, 30 * SIM_NS_PER_MS, 0.0), 30 * SIM_NS_PER_MS);
    assert_near(sim_bucket_level(&b, SIM_NS_PER_S), 10.0, 1e-12);
    /* More than the capacity is granted when it is paid off. */
    assert_int_equal(sim_bucket_take(&b, SIM_NS_PER_S, 30.0), SIM_NS_PER_S + 200 * SIM_NS_PER_MS);
}

static void without_limit(void **state)
{
    (void)state;
    struct sim_bucket b;
    sim_bucket_init(&b, 0, INFINITY, INFINITY);
    for (int i = 0; i < 10; i++)
        assert_int_equal(sim_bucket_take(&b, i, 1e18), i);
    assert_true(isinf(sim_bucket_level(&b, 20)));
    sim_bucket_set_drain(&b, 20, 1e6);
    assert_near_relative(sim_bucket_served(&b, 20 + SIM_NS_PER_S), 1e6, 1e-12);
    assert_true(sim_bucket_backlog(&b, 20 + SIM_NS_PER_S) == 0.0);
    assert_true(sim_bucket_empty_at_ns(&b, 20) == SIM_NEVER_NS);
    /* A limit from now on; the bucket is then full. */
    sim_bucket_init(&b, 0, INFINITY, 5.0);
    assert_int_equal(sim_bucket_take(&b, 0, 100.0), 0);
    sim_bucket_set_rate(&b, 10, 1.0);
    assert_true(sim_bucket_level(&b, 10) == 5.0);
    assert_int_equal(sim_bucket_take(&b, 10, 6.0), 10 + SIM_NS_PER_S);
    sim_bucket_set_rate(&b, 10, INFINITY);
    assert_int_equal(sim_bucket_take(&b, 10, 6.0), 10);
}

static void without_supply(void **state)
{
    (void)state;
    struct sim_bucket b;
    sim_bucket_init(&b, 0, 0.0, 5.0);
    assert_int_equal(sim_bucket_take(&b, 0, 5.0), 0);
    assert_true(sim_bucket_take(&b, 0, 1.0) == SIM_NEVER_NS);
    sim_bucket_init(&b, 0, 1e-12, 1.0);
    assert_true(sim_bucket_take(&b, 1, 1e9) == SIM_NEVER_NS);
    sim_bucket_init(&b, 0, 10.0, 0.0); /* no credit at all: a pure rate */
    assert_int_equal(sim_bucket_take(&b, 0, 1.0), 100 * SIM_NS_PER_MS);
    sim_bucket_init(&b, 0, 10.0, 0.0);
    sim_bucket_set_drain(&b, 0, 30.0);
    assert_near(sim_bucket_backlog(&b, SIM_NS_PER_S), 20.0, 1e-9);
    sim_bucket_set_drain(&b, SIM_NS_PER_S, 0.0);
    assert_int_equal(sim_bucket_clear_at_ns(&b, SIM_NS_PER_S), 3 * SIM_NS_PER_S);
    assert_true(sim_bucket_backlog(&b, 4 * SIM_NS_PER_S) == 0.0);
    assert_near(sim_bucket_served(&b, 4 * SIM_NS_PER_S), 30.0, 1e-9);
}

static void pauses(void **state)
{
    (void)state;
    const int64_t s = SIM_NS_PER_S;
    struct sim_bucket b;
    sim_bucket_init(&b, 0, 10.0, 100.0);
    sim_bucket_take(&b, 0, 50.0);
    sim_bucket_pause(&b, s);
    assert_near(sim_bucket_level(&b, 5 * s), 60.0, 1e-9); /* no accrual */
    sim_bucket_take(&b, 5 * s, 30.0);
    assert_near(sim_bucket_level(&b, 6 * s), 40.0, 1e-9);  /* recovers, */
    assert_near(sim_bucket_level(&b, 20 * s), 60.0, 1e-9); /* but no further */
    assert_int_equal(sim_bucket_full_at_ns(&b, 6 * s), 8 * s);
    sim_bucket_pause(&b, 20 * s);
    sim_bucket_resume(&b, 20 * s);
    sim_bucket_resume(&b, 21 * s);
    assert_near(sim_bucket_level(&b, 22 * s), 80.0, 1e-9);
    /* A debt is paid off even while paused. */
    sim_bucket_take(&b, 22 * s, 90.0);
    sim_bucket_pause(&b, 22 * s);
    assert_int_equal(sim_bucket_when(&b, 22 * s, 0.0), 23 * s);
    assert_near(sim_bucket_level(&b, 30 * s), 0.0, 1e-9);
    sim_bucket_resume(&b, 30 * s);
    assert_near(sim_bucket_level(&b, 31 * s), 10.0, 1e-9);
}

static void changes(void **state)
{
    (void)state;
    const int64_t s = SIM_NS_PER_S;
    struct sim_bucket b;
    sim_bucket_init(&b, 0, 10.0, 100.0);
    sim_bucket_set_level(&b, 0, 20.0);
    sim_bucket_set_rate(&b, s, 20.0);
    assert_near(sim_bucket_level(&b, 2 * s), 50.0, 1e-9);
    sim_bucket_set_capacity(&b, 2 * s, 40.0);
    assert_near(sim_bucket_level(&b, 2 * s), 40.0, 1e-9);
    sim_bucket_set_capacity(&b, 3 * s, 80.0);
    assert_near(sim_bucket_level(&b, 4 * s), 60.0, 1e-9);
    sim_bucket_set_peak(&b, 4 * s, 30.0);
    sim_bucket_set_drain(&b, 4 * s, 50.0);
    assert_near(sim_bucket_backlog(&b, 5 * s), 20.0, 1e-9);
    sim_bucket_set_peak(&b, 5 * s, INFINITY); /* 50 of credit: the backlog of 20 goes at once */
    assert_near(sim_bucket_backlog(&b, 5 * s), 0.0, 1e-9);
    assert_near(sim_bucket_level(&b, 5 * s), 30.0, 1e-9);
    assert_int_equal(sim_bucket_empty_at_ns(&b, 5 * s), 6 * s);
}

/* The discrete form against a reference that keeps every grant: level = what flowed in, capped, less what was
 * taken. */
static void random_takes(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 200; seed++) {
        struct sim_random r;
        sim_random_init(&r, seed, 0, "takes");
        const double rate = 1.0 + (double)sim_random_below(&r, 1000);
        const double capacity = (double)sim_random_below(&r, 50);
        struct sim_bucket b;
        sim_bucket_init(&b, 0, rate, capacity);
        double level = capacity;
        int64_t now = 0, last_grant = 0;
        for (int i = 0; i < 500; i++) {
            const int64_t step = (int64_t)(sim_random_exponential(&r) * 2e9 / rate);
            now += step;
            level = fmin(capacity, level + (double)step * rate / 1e9);
            const double amount = (double)sim_random_below(&r, 5);
            level -= amount;
            const int64_t granted = sim_bucket_take(&b, now, amount);
            const double wait_ns = level < 0.0 ? -level / rate * 1e9 : 0.0;
            if (fabs((double)(granted - now) - wait_ns) > 1.01 || granted < now || granted < last_grant) {
                print_error("seed %llu step %d\n", (unsigned long long)seed, i);
                fail();
            }
            last_grant = granted;
            assert_near(sim_bucket_level(&b, now), level, 1e-7);
        }
    }
}

/* One step of the fluid rule, as the header states it. */
static void step_reference(struct sim_bucket *x, double dt_s)
{
    double wanted = x->backlog > 0.0 ? x->backlog / dt_s + x->demand_per_s : x->demand_per_s;
    wanted = fmin(wanted, x->peak_per_s);
    const double served = fmin(wanted * dt_s, fmax(0.0, x->level) + x->rate_per_s * dt_s);
    x->level = fmin(x->ceiling, x->level + x->rate_per_s * dt_s - served);
    x->backlog += x->demand_per_s * dt_s - served;
    x->served += served;
    if (x->backlog < 1e-9)
        x->backlog = 0.0;
}

/* The fluid form under random changes of demand, rate, peak and pauses, against steps of 0.1 ms. */
static void random_fluids(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 60; seed++) {
        struct sim_random r;
        sim_random_init(&r, seed, 0, "fluid");
        struct sim_bucket b;
        sim_bucket_init(&b, 0, 100.0, 50.0);
        struct sim_bucket x = b;
        int64_t now = 0;
        for (int change = 0; change < 12; change++) {
            const double value = (double)sim_random_below(&r, 301);
            switch (sim_random_below(&r, 6)) {
            case 0:
                sim_bucket_set_rate(&b, now, value);
                x.rate_per_s = value;
                break;
            case 1:
                sim_bucket_set_peak(&b, now, value < 50.0 ? INFINITY : value);
                x.peak_per_s = b.peak_per_s;
                break;
            case 2:
                sim_bucket_pause(&b, now);
                x.ceiling = b.ceiling;
                break;
            case 3:
                sim_bucket_resume(&b, now);
                x.ceiling = b.ceiling;
                break;
            default:
                sim_bucket_set_drain(&b, now, value);
                x.demand_per_s = value;
            }
            const int64_t steps = 1 + (int64_t)sim_random_below(&r, 8000);
            for (int64_t i = 0; i < steps; i++)
                step_reference(&x, 1e-4);
            now += steps * 100000;
            if (fabs(sim_bucket_level(&b, now) - x.level) > 0.3 ||
                fabs(sim_bucket_backlog(&b, now) - x.backlog) > 0.3 ||
                fabs(sim_bucket_served(&b, now) - x.served) > 0.5) {
                print_error("seed %llu change %d: level %g/%g backlog %g/%g\n", (unsigned long long)seed,
                            change, sim_bucket_level(&b, now), x.level, sim_bucket_backlog(&b, now),
                            x.backlog);
                fail();
            }
        }
    }
}

/* Settling in many pieces, at any times, gives the same as settling once. */
static void pieces_add_up(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 100; seed++) {
        struct sim_random r;
        sim_random_init(&r, seed, 0, "pieces");
        struct sim_bucket once;
        sim_bucket_init(&once, 0, 1000.0, 800.0);
        sim_bucket_set_peak(&once, 0, 1800.0);
        sim_bucket_set_drain(&once, 0, 2500.0);
        sim_bucket_set_drain(&once, 2 * SIM_NS_PER_S, 200.0);
        struct sim_bucket pieces = once;
        int64_t now = 2 * SIM_NS_PER_S;
        for (int i = 0; i < 50; i++)
            sim_bucket_settle(&pieces, now += (int64_t)sim_random_below(&r, 200000000));
        assert_near(sim_bucket_level(&pieces, now), sim_bucket_level(&once, now), 1e-8);
        assert_near(sim_bucket_backlog(&pieces, now), sim_bucket_backlog(&once, now), 1e-8);
        assert_near(sim_bucket_served(&pieces, now), sim_bucket_served(&once, now), 1e-7);
        assert_near((double)sim_bucket_full_at_ns(&pieces, 2 * SIM_NS_PER_S > now ? 2 * SIM_NS_PER_S : now),
                    (double)sim_bucket_full_at_ns(&once, now), 2.0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(takes_and_debts), cmocka_unit_test(without_limit), cmocka_unit_test(without_supply),
        cmocka_unit_test(pauses),          cmocka_unit_test(changes),       cmocka_unit_test(random_takes),
        cmocka_unit_test(random_fluids),   cmocka_unit_test(pieces_add_up),
    };
    return RUN_TESTS(tests);
}
