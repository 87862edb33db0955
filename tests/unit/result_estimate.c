/* Estimates across replications: the plain intervals by hand, the regression on the run effect exactly and by
 * coverage. */
#include "sim/experiment/estimate.h"
#include "tests/support/check.h"
#include "vdisim/random.h"

#include <stdbool.h>

static const double five_effects[] = {0.8, 0.9, 1.0, 1.15, 1.3};

static void test_plain_intervals(void **state)
{
    (void)state;
    const double values[] = {1, 2, 3, 4, 5};
    const double t_of_4 = 2.7764451051977987, sd = 1.5811388300841898;
    struct estimate estimate = estimate_of(values, NULL, 5, 0);
    assert_int_equal(estimate.count, 5);
    assert_near_relative(estimate.mean, 3.0, 1e-12);
    assert_near_relative(estimate.ci95_high - 3, t_of_4 * sd / sqrt(5), 1e-9);
    assert_near_relative(3 - estimate.ci95_low, t_of_4 * sd / sqrt(5), 1e-9);
    assert_near_relative(estimate.pi95_high - 3, t_of_4 * sd * sqrt(1.2), 1e-9);
}

static void test_too_few_values(void **state)
{
    (void)state;
    const double one[] = {7};
    assert_true(isnan(estimate_of(one, NULL, 0, 0).mean));
    struct estimate estimate = estimate_of(one, five_effects, 1, 0.2);
    assert_near(estimate.mean, 7.0, 0);
    assert_true(isnan(estimate.ci95_low) && isnan(estimate.pi95_high));
}

/* Values that the run effect explains wholly: the mean is known exactly and one run follows the known law
 * alone. */
static void test_wholly_explained(void **state)
{
    (void)state;
    const double cv = 0.25, slopes[] = {6.5, -6.5};
    const double log_variance = log(1 + cv * cv);
    const double q025 = exp(-log_variance / 2 - 1.959963984540054 * sqrt(log_variance));
    const double q975 = exp(-log_variance / 2 + 1.959963984540054 * sqrt(log_variance));
    for (int i = 0; i < 2; i++) {
        double values[5];
        for (int j = 0; j < 5; j++)
            values[j] = 7 + slopes[i] * (five_effects[j] - 1);
        struct estimate estimate = estimate_of(values, five_effects, 5, cv);
        assert_near_relative(estimate.mean, 7.0, 1e-12);
        assert_near(estimate.ci95_high - estimate.ci95_low, 0, 1e-9);
        assert_near_relative(estimate.pi95_low, 7 - 6.5 * (i == 0 ? 1 - q025 : q975 - 1), 1e-9);
        assert_near_relative(estimate.pi95_high, 7 + 6.5 * (i == 0 ? q975 - 1 : 1 - q025), 1e-9);
    }
}

/* With four values, with equal effects, or with a value that does not vary, the plain estimate is given. */
static void test_where_there_is_no_regression(void **state)
{
    (void)state;
    const double values[] = {6, 7, 8, 9, 11}, equal[] = {1, 1, 1, 1, 1};
    struct estimate plain = estimate_of(values, NULL, 4, 0);
    struct estimate four = estimate_of(values, five_effects, 4, 0.2);
    assert_near(four.mean, plain.mean, 0);
    assert_near(four.pi95_low, plain.pi95_low, 0);
    plain = estimate_of(values, NULL, 5, 0);
    assert_near(estimate_of(values, equal, 5, 0.2).pi95_low, plain.pi95_low, 0);
    assert_near(estimate_of(values, five_effects, 5, 0).pi95_low, plain.pi95_low, 0);
    struct estimate constant = estimate_of(equal, five_effects, 5, 0.2);
    assert_near(constant.pi95_high - constant.pi95_low, 0, 1e-12);
}

/* 4000 experiments of 20 runs: how often each interval holds what it is for, and how much the regression
 * steadies the mean. The law is that of the models: a lognormal multiplier of known cv, and a residual. */
static void test_coverage(void **state)
{
    (void)state;
    enum { EXPERIMENTS = 4000, RUNS = 20 };
    const double mean = 7, slope = 6.5, residual_sd = 0.4, cv = 0.22;
    const struct sim_lognormal law = sim_lognormal_from_mean_cv(1, cv);
    struct sim_random stream;
    sim_random_init(&stream, 1, 0, "coverage");
    double mean_held = 0, run_held = 0, adjusted_squares = 0, plain_squares = 0;
    for (int i = 0; i < EXPERIMENTS; i++) {
        double values[RUNS + 1], effects[RUNS + 1];
        for (int j = 0; j <= RUNS; j++) {
            effects[j] = sim_random_lognormal(&stream, &law);
            values[j] = mean + slope * (effects[j] - 1) + residual_sd * sim_random_normal(&stream);
        }
        struct estimate estimate = estimate_of(values, effects, RUNS, cv);
        mean_held += estimate.ci95_low <= mean && mean <= estimate.ci95_high;
        run_held += estimate.pi95_low <= values[RUNS] && values[RUNS] <= estimate.pi95_high;
        adjusted_squares += pow(estimate.mean - mean, 2);
        plain_squares += pow(estimate_of(values, NULL, RUNS, 0).mean - mean, 2);
    }
    assert_between(mean_held / EXPERIMENTS, 0.94, 0.96);
    assert_between(run_held / EXPERIMENTS, 0.94, 0.965);
    assert_true(sqrt(plain_squares / adjusted_squares) > 3);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_plain_intervals),  cmocka_unit_test(test_too_few_values),
        cmocka_unit_test(test_wholly_explained), cmocka_unit_test(test_where_there_is_no_regression),
        cmocka_unit_test(test_coverage),
    };
    return RUN_TESTS(tests);
}
