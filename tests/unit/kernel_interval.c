/* Proportions, Welch's difference and p-values against published examples, and what they say of little or of
 * nothing. */
#include "tests/support/check.h"
#include "vdisim/interval.h"

/* Newcombe, Statistics in Medicine 17, 1998, table I, method 3. */
static void wilson_of_the_tables(void **state)
{
    (void)state;
    const struct {
        size_t successes, trials;
        double low, high;
    } cases[] = {{81, 263, .2553, .3662}, {15, 148, .0624, .1605}, {0, 20, .0, .1611}, {1, 29, .0061, .1718}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const size_t n = cases[i].trials, x = cases[i].successes;
        const struct sim_interval direct = sim_interval_proportion(x, n, .95);
        assert_near(direct.low, cases[i].low, 5.1e-5);
        assert_near(direct.high, cases[i].high, 5.1e-5);
        assert_near(direct.estimate, (double)x / (double)n, 1e-15);
        const struct sim_interval mirrored = sim_interval_proportion(n - x, n, .95);
        assert_near(mirrored.low, 1.0 - direct.high, 1e-12);
        assert_near(mirrored.high, 1.0 - direct.low, 1e-12);
    }
    assert_true(sim_interval_proportion(0, 20, .95).low == 0.0);
    assert_true(sim_interval_proportion(20, 20, .95).high == 1.0);
    const struct sim_interval nothing = sim_interval_proportion(0, 0, .95);
    assert_true(isnan(nothing.estimate) && nothing.low == 0.0 && nothing.high == 1.0);
}

/* Extra hours of sleep of ten patients by two drugs (Student, Biometrika 6, 1908), as R's t.test gives them. */
static const double sleep_first[] = {.7, -1.6, -.2, -1.2, -.1, 3.4, 3.7, .8, 0., 2.};
static const double sleep_second[] = {1.9, .8, 1.1, .1, -.1, 4.4, 5.5, 1.6, 4.6, 3.4};

static void sleep_of_students(void **state)
{
    (void)state;
    const struct sim_interval paired = sim_interval_paired_difference(sleep_first, sleep_second, 10, .95);
    assert_near(paired.estimate, -1.58, 1e-12);
    assert_near(paired.low, -2.4598858, 1e-7);
    assert_near(paired.high, -0.7001142, 1e-7);
    assert_near(sim_paired_p_value(sleep_first, sleep_second, 10), 0.002833, 5e-7);
    assert_near(sim_paired_p_value(sleep_second, sleep_first, 10), 0.002833, 5e-7);
    const struct sim_interval welch = sim_interval_welch_difference(sleep_first, 10, sleep_second, 10, .95);
    assert_near(welch.low, -3.3654832, 1e-7);
    assert_near(welch.high, 0.2054832, 1e-7);
    assert_near(sim_welch_p_value(sleep_first, 10, sleep_second, 10), 0.07939, 5e-6);
}

/* Two samples of unequal size and variance: t = -2.22, 24.5 degrees of freedom, p = 0.036. */
static void welch_of_unequal_samples(void **state)
{
    (void)state;
    const double few[] = {19.8, 20.4, 19.6, 17.8, 18.5, 18.9, 18.3, 18.9, 19.5, 22.0};
    const double many[] = {28.2, 26.6, 20.1, 23.3, 25.2, 22.1, 17.7, 27.6, 20.6, 13.7,
                           23.2, 17.5, 20.6, 18.0, 23.9, 21.6, 24.3, 20.4, 24.0, 13.2};
    assert_near(sim_welch_p_value(few, 10, many, 20), 0.036, 5e-4);
    assert_near(sim_welch_p_value(many, 20, few, 10), 0.036, 5e-4);
    const struct sim_interval i = sim_interval_welch_difference(few, 10, many, 20, .95);
    /* half-width = t(24.5) / 2.22 of the difference, t(24.5) = 2.0616 */
    assert_near_relative(i.high - i.estimate, -i.estimate * 2.0616 / 2.22, 3e-3);
}

/* The p-value is 1 - confidence where the interval just touches 0. */
static void p_values_and_intervals_agree(void **state)
{
    (void)state;
    const double paired = sim_paired_p_value(sleep_first, sleep_second, 10);
    const double welch = sim_welch_p_value(sleep_first, 10, sleep_second, 10);
    assert_near(sim_interval_paired_difference(sleep_first, sleep_second, 10, 1.0 - paired).high, 0.0, 1e-9);
    assert_near(sim_interval_welch_difference(sleep_first, 10, sleep_second, 10, 1.0 - welch).high, 0.0,
                1e-9);
}

static void no_variation(void **state)
{
    (void)state;
    const double ones[] = {1, 1, 1}, twos[] = {2, 2, 2}, rising[] = {1, 2, 3}, risen[] = {2, 3, 4};
    assert_true(sim_paired_p_value(ones, ones, 3) == 1.0);
    assert_true(sim_paired_p_value(rising, rising, 3) == 1.0);
    assert_true(sim_paired_p_value(rising, risen, 3) == 0.0);
    assert_true(sim_welch_p_value(ones, 3, ones, 3) == 1.0);
    assert_true(sim_welch_p_value(ones, 3, twos, 3) == 0.0);
    const struct sim_interval i = sim_interval_welch_difference(ones, 3, twos, 3, .95);
    assert_true(i.estimate == -1.0 && i.low == -1.0 && i.high == -1.0);
    /* one of the two varies: as a t interval of that one */
    const struct sim_interval half = sim_interval_welch_difference(rising, 3, twos, 3, .95);
    assert_near(half.high, sim_interval_mean(rising, 3, .95).high - 2.0, 1e-12);
}

static void too_few(void **state)
{
    (void)state;
    const double values[] = {1, 2, 4}, bad[] = {1, NAN, 4}, huge[] = {1e300, 2e300, 1e300};
    assert_true(isnan(sim_paired_p_value(values, values, 0)));
    assert_true(isnan(sim_paired_p_value(values, values, 1)));
    assert_true(isnan(sim_paired_p_value(values, bad, 3)));
    assert_true(isnan(sim_welch_p_value(values, 1, values, 3)));
    assert_true(isnan(sim_welch_p_value(values, 3, values, 1)));
    assert_true(isnan(sim_welch_p_value(values, 3, bad, 3)));
    const struct sim_interval i = sim_interval_welch_difference(values, 1, values, 3, .95);
    assert_true(isinf(i.low) && isinf(i.high));
    assert_true(isnan(sim_interval_welch_difference(values, 0, values, 3, .95).estimate));
    assert_true(!(sim_paired_p_value(huge, values, 3) < 0.0));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(wilson_of_the_tables),
        cmocka_unit_test(sleep_of_students),
        cmocka_unit_test(welch_of_unequal_samples),
        cmocka_unit_test(p_values_and_intervals_agree),
        cmocka_unit_test(no_variation),
        cmocka_unit_test(too_few),
    };
    return RUN_TESTS(tests);
}
