/* Intervals: worked examples, and coverage - of 95 % intervals about 95 % must contain the truth. */
#include "tests/support/check.h"
#include "vdisim/interval.h"
#include "vdisim/random.h"

#include <gsl/gsl_cdf.h>

/* Ten observations of a textbook (Law and Kelton, Simulation Modeling and Analysis, example 4.26): 1.34 +-
 * .24 at 90 %. */
static void mean_of_ten(void **state)
{
    (void)state;
    const double x[] = {1.20, 1.50, 1.68, 1.89, 0.95, 1.49, 1.58, 1.55, 0.50, 1.09};
    const struct sim_interval i = sim_interval_mean(x, 10, .90);
    assert_near(i.estimate, 1.343, 1e-9);
    assert_near(i.high - i.estimate, .24, .005);
    assert_near(i.estimate - i.low, i.high - i.estimate, 1e-12);
    const struct sim_interval p = sim_interval_prediction(x, 10, .90);
    assert_near_relative(p.high - p.estimate, (i.high - i.estimate) * sqrt(11.0), 1e-12);
}

/* t quantiles of the standard tables. */
static void students_t(void **state)
{
    (void)state;
    const struct {
        size_t count;
        double confidence, t;
    } cases[] = {{2, .95, 12.7062047},  {5, .95, 2.7764451},  {10, .95, 2.2621572}, {10, .90, 1.8331129},
                 {20, .999, 3.8834059}, {31, .99, 2.7499957}, {121, .95, 1.9799304}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const double sd = sqrt((double)cases[i].count);
        const struct sim_interval t =
            sim_interval_mean_of_moments(0.0, sd, cases[i].count, cases[i].confidence);
        assert_near(t.high, cases[i].t, 1e-7);
    }
}

/* Ranks of the confidence interval of the median in the tables of nonparametric statistics: n = 10: 2 and 9
 * (97.9 %), 20: 6 and 15 (95.9 %), 5: none at 95 %. */
static void quantile_ranks(void **state)
{
    (void)state;
    double x[20];
    for (int i = 0; i < 20; i++)
        x[i] = (i * 7) % 20 + 1;
    struct sim_interval i = sim_interval_quantile(x, 20, .5, .95);
    assert_true(i.low == 6.0 && i.high == 15.0 && i.estimate == 10.5);
    for (int k = 0; k < 10; k++)
        x[k] = 10 - k;
    i = sim_interval_quantile(x, 10, .5, .95);
    assert_true(i.low == 2.0 && i.high == 9.0);
    i = sim_interval_quantile(x, 5, .5, .95);
    assert_true(isinf(i.low) && isinf(i.high));
    i = sim_interval_quantile(x, 10, .9, .95);
    assert_true(isfinite(i.low) && isinf(i.high));
}

/* y = 3 + 2 (x - 5) exactly: the control explains all. */
static void perfect_control(void **state)
{
    (void)state;
    const double x[] = {4, 5, 7, 8, 9}, y[] = {1, 3, 7, 9, 11};
    const struct sim_controlled_mean c = sim_interval_controlled(y, x, 5, 5.0, .95);
    assert_near(c.slope, 2.0, 1e-12);
    assert_near(c.mean.estimate, 3.0, 1e-12);
    assert_near(c.mean.high - c.mean.low, 0.0, 1e-9);
    assert_near(c.residual_sd, 0.0, 1e-12);
}

/* Linear regression by hand: x 1..4, y 2, 3, 5, 4: slope .8, residual sd sqrt(1.8 / 2), at x = 3: 3.5 + .8 *
 * .5. */
static void control_by_hand(void **state)
{
    (void)state;
    const double x[] = {1, 2, 3, 4}, y[] = {2, 3, 5, 4};
    const struct sim_controlled_mean c = sim_interval_controlled(y, x, 4, 3.0, .95);
    assert_near(c.slope, .8, 1e-12);
    assert_near(c.residual_sd, sqrt(.9), 1e-12);
    assert_near(c.mean.estimate, 3.9, 1e-12);
    assert_near(c.mean.high - c.mean.estimate, 4.3026527 * sqrt(.9) * sqrt(.25 + .25 / 5.0), 1e-6);
}

enum { SAMPLES = 20000, SIZE = 12 };

static int contains(struct sim_interval i, double value)
{
    return i.low <= value && value <= i.high;
}

/* 20,000 samples of 12: the share of intervals that contain the truth is within 4.5 standard errors of 95 %,
 * but for the quantile, whose interval is conservative: binomial coverage of the ranks taken, 96.1 % here. */
static void coverage(void **state)
{
    (void)state;
    struct sim_random r;
    sim_random_init(&r, 31, 0, "coverage");
    int mean = 0, prediction = 0, median = 0, paired = 0, controlled = 0;
    double narrower = 0.0;
    for (int k = 0; k < SAMPLES; k++) {
        double x[SIZE], y[SIZE], z[SIZE];
        for (int i = 0; i < SIZE; i++) {
            x[i] = sim_random_normal(&r);
            y[i] = 10.0 + 3.0 * x[i] + sim_random_normal(&r);
            z[i] = y[i] + 0.5 + 0.1 * sim_random_normal(&r);
        }
        mean += contains(sim_interval_mean(y, SIZE, .95), 10.0);
        prediction += contains(sim_interval_prediction(x, SIZE, .95), sim_random_normal(&r));
        median += contains(sim_interval_quantile(y, SIZE, .5, .95), 10.0);
        paired += contains(sim_interval_paired_difference(z, y, SIZE, .95), 0.5);
        const struct sim_controlled_mean c = sim_interval_controlled(y, x, SIZE, 0.0, .95);
        controlled += contains(c.mean, 10.0);
        const struct sim_interval plain = sim_interval_mean(y, SIZE, .95);
        narrower += (c.mean.high - c.mean.low) / (plain.high - plain.low);
    }
    const double allowed = 4.5 * sqrt(.95 * .05 / SAMPLES);
    assert_near((double)mean / SAMPLES, .95, allowed);
    assert_near((double)prediction / SAMPLES, .95, allowed);
    assert_near((double)paired / SAMPLES, .95, allowed);
    assert_near((double)controlled / SAMPLES, .95, allowed);
    assert_near((double)median / SAMPLES, 1.0 - 2.0 * gsl_cdf_binomial_P(2, .5, SIZE), allowed);
    assert_between(narrower / SAMPLES, .25,
                   .45); /* without the control 3.16 times as wide, but for its degree of freedom */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(mean_of_ten),     cmocka_unit_test(students_t),
        cmocka_unit_test(quantile_ranks),  cmocka_unit_test(perfect_control),
        cmocka_unit_test(control_by_hand), cmocka_unit_test(coverage),
    };
    return RUN_TESTS(tests);
}
