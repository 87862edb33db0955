/* Stein's rule by hand: the counts, the interval, and what cannot be reached. Its coverage: tests/theory/coverage.c. */
#include "tests/support/check.h"
#include "vdisim/two_stage.h"

/* The first four: mean 3, variance 8 / 3. */
static const double values[] = {1, 3, 5, 3, 2, 7, 4, 3};
static const double controls[] = {0, 1, 3, 2, 2, 5, 3, 0};
static const double t_of_3 = 3.1824463, t_of_2 = 4.3026527;

static void plain_by_hand(void **state)
{
    (void)state;
    const double s0 = sqrt(8.0 / 3.0);
    const struct sim_interval i = sim_two_stage_interval(values, NULL, 0, 8, 4, .95);
    assert_near(i.estimate, 3.5, 1e-12);
    assert_near(i.high - i.estimate, t_of_3 * s0 / sqrt(8.0), 1e-6);
    assert_near(i.estimate - i.low, i.high - i.estimate, 1e-12);
    /* (t s0 / d)^2 = 27.008 for d = 1, 6.752 for d = 2, 3.0 for d = 3 */
    assert_int_equal(sim_two_stage_count(values, NULL, 0, 4, 4, 1.0, false, .95), 28);
    assert_int_equal(sim_two_stage_count(values, NULL, 0, 4, 4, 2.0, false, .95), 7);
    assert_int_equal(sim_two_stage_count(values, NULL, 0, 4, 4, 3.0, false, .95), 4);
    /* later values change nothing, the level does */
    assert_int_equal(sim_two_stage_count(values, NULL, 0, 8, 4, 1.0, false, .95), 28);
    assert_int_equal(sim_two_stage_count(values, NULL, 0, 8, 4, 2.0, false, .95), 7);
    assert_true(sim_two_stage_count(values, NULL, 0, 4, 4, 1.0, false, .99) > 80);
}

/* A third of the mean of 3 is 1, of the mean of all 3.5 / 3. */
static void relative_by_hand(void **state)
{
    (void)state;
    double negative[8];
    for (int i = 0; i < 8; i++)
        negative[i] = -values[i];
    const double third = 1.0 / 3.0;
    assert_int_equal(sim_two_stage_count(values, NULL, 0, 4, 4, third, true, .95), 28);
    assert_int_equal(sim_two_stage_count(negative, NULL, 0, 4, 4, third, true, .95), 28);
    assert_int_equal(sim_two_stage_count(values, NULL, 0, 8, 4, third, true, .95),
                     (size_t)ceil(t_of_3 * t_of_3 * 8.0 / 3.0 / (3.5 * 3.5 / 9.0)));
}

/* The line through the pilot: slope 1.2, residual squares 0.8, xbar 1.5, Sxx 5; through all: xbar 2, Sxx 20. */
static void controlled_by_hand(void **state)
{
    (void)state;
    const double se0 = sqrt(0.8 / 2.0);
    const struct sim_interval i = sim_two_stage_interval(values, controls, 1.0, 8, 4, .95);
    const struct sim_interval all = sim_interval_controlled(values, controls, 8, 1.0, .95).mean;
    assert_near(i.estimate, all.estimate, 1e-12);
    assert_near(i.high - i.estimate, t_of_2 * se0 * sqrt(1.0 / 8.0 + 1.0 / 20.0), 1e-6);
    /* (t se0 / d)^2 = 7.405 for d = 1: 8, and with what the controls are off, times 1 + 8 / 20: 10.4; once
     * their mean is as expected, 8 do. Seen from the pilot, only the least is asked for. */
    assert_int_equal(sim_two_stage_count(values, controls, 1.0, 4, 4, 1.0, false, .95), 8);
    assert_int_equal(sim_two_stage_count(values, controls, 1.0, 8, 4, 1.0, false, .95), 11);
    assert_int_equal(sim_two_stage_count(values, controls, 2.0, 8, 4, 1.0, false, .95), 8);
}

/* Reached means that the interval is narrow enough, and one replication less was not. */
static void count_and_interval_agree(void **state)
{
    (void)state;
    double y[200], x[200];
    for (int i = 0; i < 200; i++) {
        x[i] = (i * 37) % 101;
        y[i] = x[i] + (i * 53) % 89;
    }
    for (int controlled = 0; controlled < 2; controlled++)
        for (size_t count = 10; count <= 200; count++)
            for (double d = 4.0; d < 40.0; d *= 1.37) {
                const double *control = controlled ? x : NULL;
                const struct sim_interval i = sim_two_stage_interval(y, control, 52.0, count, 10, .95);
                const size_t needed = sim_two_stage_count(y, control, 52.0, count, 10, d, false, .95);
                assert_true(needed >= 10);
                assert_true((i.high - i.estimate <= d) == (needed <= count));
            }
}

static void pilot_alone_is_ordinary(void **state)
{
    (void)state;
    const struct sim_interval plain = sim_interval_mean(values, 8, .9);
    struct sim_interval i = sim_two_stage_interval(values, NULL, 0, 8, 8, .9);
    assert_near(i.low, plain.low, 1e-14);
    assert_near(i.high, plain.high, 1e-14);
    const struct sim_interval controlled = sim_interval_controlled(values, controls, 8, 1.7, .9).mean;
    i = sim_two_stage_interval(values, controls, 1.7, 8, 8, .9);
    assert_near(i.low, controlled.low, 1e-14);
    assert_near(i.high, controlled.high, 1e-14);
}

/* A control that does not vary, or a pilot too small for a line. */
static void controls_of_no_use(void **state)
{
    (void)state;
    const double still[] = {2, 2, 2, 2, 2, 2, 2, 2};
    struct sim_interval plain = sim_two_stage_interval(values, NULL, 0, 8, 4, .95);
    struct sim_interval i = sim_two_stage_interval(values, still, 1.0, 8, 4, .95);
    assert_true(i.low == plain.low && i.high == plain.high);
    plain = sim_two_stage_interval(values, NULL, 0, 8, 2, .95);
    i = sim_two_stage_interval(values, controls, 1.0, 8, 2, .95);
    assert_true(i.low == plain.low && i.high == plain.high);
}

static void out_of_reach(void **state)
{
    (void)state;
    const double level[] = {-1, 1, -1, 1}, still[] = {0, 0, 0, 5}, bad[] = {1, NAN, 2, 3};
    assert_true(sim_two_stage_count(level, NULL, 0, 4, 4, 0.5, true, .95) == SIZE_MAX);
    assert_true(sim_two_stage_count(level, NULL, 0, 4, 4, 1e-9, false, .95) == SIZE_MAX);
    assert_true(sim_two_stage_count(bad, NULL, 0, 4, 4, 0.5, false, .95) == SIZE_MAX);
    assert_true(sim_two_stage_count(bad, NULL, 0, 4, 4, 0.5, true, .95) == SIZE_MAX);
    /* no variance in the pilot: it is enough, whatever comes later */
    assert_int_equal(sim_two_stage_count(still, NULL, 0, 3, 3, 0.5, true, .95), 3);
    assert_int_equal(sim_two_stage_count(still, NULL, 0, 4, 3, 0.5, false, .95), 3);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(plain_by_hand),
        cmocka_unit_test(relative_by_hand),
        cmocka_unit_test(controlled_by_hand),
        cmocka_unit_test(count_and_interval_agree),
        cmocka_unit_test(pilot_alone_is_ordinary),
        cmocka_unit_test(controls_of_no_use),
        cmocka_unit_test(out_of_reach),
    };
    return RUN_TESTS(tests);
}
