/* Estimates across replications: the plain intervals by hand, the regression on the run effect exactly and by
 * coverage. */
#include "sim/experiment/result/estimate.h"
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

/* With equal effects, or with a value that does not vary, the plain estimate is given. */
static void test_where_there_is_no_regression(void **state)
{
    (void)state;
    const double values[] = {6, 7, 8, 9, 11}, equal[] = {1, 1, 1, 1, 1};
    struct estimate plain = estimate_of(values, NULL, 5, 0);
    assert_near(estimate_of(values, equal, 5, 0.2).pi95_low, plain.pi95_low, 0);
    assert_near(estimate_of(values, five_effects, 5, 0).pi95_low, plain.pi95_low, 0);
    struct estimate constant = estimate_of(equal, five_effects, 5, 0.2);
    assert_near(constant.pi95_high - constant.pi95_low, 0, 1e-12);
}

/* Fewer than five runs with a run effect give a mean and no interval; without one, two give both. */
static void test_too_few_runs_for_the_run_effect(void **state)
{
    (void)state;
    const double values[] = {6, 7, 8, 9};
    for (size_t count = 1; count < 5; count++) {
        struct estimate with = estimate_of(values, five_effects, count, 0.2);
        assert_near_relative(with.mean, 5.5 + 0.5 * (double)count, 1e-12);
        assert_int_equal(with.count, count);
        assert_true(isnan(with.ci95_low) && isnan(with.ci95_high) && isnan(with.pi95_low) &&
                    isnan(with.pi95_high));
        struct estimate without = estimate_of(values, five_effects, count, 0);
        assert_true(isnan(without.pi95_low) == (count < 2) && isnan(without.ci95_high) == (count < 2));
    }
}

/* One run more, by hand: the residual's limit widened by the uncertainty of the fitted line. */
static void test_prediction_has_the_uncertainty_of_the_line(void **state)
{
    (void)state;
    const double effects[] = {0.7, 0.85, 1, 1.15, 1.3}, errors[] = {1, -1, 0, -1, 1}; /* mbar 1, Smm 0.225 */
    const double t_of_3 = 3.182446305284263, cv = 0.2;
    double values[5];
    for (int i = 0; i < 5; i++)
        values[i] = 10 + 4 * (effects[i] - 1) + errors[i];
    struct estimate estimate = estimate_of(values, effects, 5, cv);
    const double log_variance = log(1 + cv * cv);
    const double effect = 4 * (1 - exp(-log_variance / 2 - 1.959963984540054 * sqrt(log_variance)));
    const double residual = t_of_3 * sqrt(4.0 / 3) * sqrt(1 + 0.2 + 0.04 / 0.225);
    assert_near_relative(estimate.mean, 10, 1e-12);
    assert_near_relative(10 - estimate.pi95_low, hypot(effect, residual), 1e-9);
}

/* 4000 experiments of 5, 8 and 20 runs: how often each interval holds what it is for, and how much the regression
 * steadies the mean. The law is that of the models: a lognormal multiplier of known cv, and a residual. */
static void test_coverage(void **state)
{
    (void)state;
    enum { EXPERIMENTS = 4000, MOST_RUNS = 20 };
    static const int run_counts[] = {5, 8, MOST_RUNS};
    const double mean = 7, slope = 6.5, residual_sd = 0.4, cv = 0.22;
    const struct sim_lognormal law = sim_lognormal_from_mean_cv(1, cv);
    struct sim_random stream;
    sim_random_init(&stream, 1, 0, "coverage");
    for (size_t k = 0; k < sizeof run_counts / sizeof run_counts[0]; k++) {
        const int runs = run_counts[k];
        double mean_held = 0, run_held = 0, adjusted_squares = 0, plain_squares = 0;
        for (int i = 0; i < EXPERIMENTS; i++) {
            double values[MOST_RUNS + 1], effects[MOST_RUNS + 1];
            for (int j = 0; j <= runs; j++) {
                effects[j] = sim_random_lognormal(&stream, &law);
                values[j] = mean + slope * (effects[j] - 1) + residual_sd * sim_random_normal(&stream);
            }
            struct estimate estimate = estimate_of(values, effects, (size_t)runs, cv);
            mean_held += estimate.ci95_low <= mean && mean <= estimate.ci95_high;
            run_held += estimate.pi95_low <= values[runs] && values[runs] <= estimate.pi95_high;
            adjusted_squares += pow(estimate.mean - mean, 2);
            plain_squares += pow(estimate_of(values, NULL, (size_t)runs, 0).mean - mean, 2);
        }
        assert_between(mean_held / EXPERIMENTS, 0.94, 0.96);
        assert_between(run_held / EXPERIMENTS, 0.94, 0.965);
        assert_true(sqrt(plain_squares / adjusted_squares) > (runs == MOST_RUNS ? 3 : 1.5));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_plain_intervals),
        cmocka_unit_test(test_too_few_values),
        cmocka_unit_test(test_wholly_explained),
        cmocka_unit_test(test_where_there_is_no_regression),
        cmocka_unit_test(test_too_few_runs_for_the_run_effect),
        cmocka_unit_test(test_prediction_has_the_uncertainty_of_the_line),
        cmocka_unit_test(test_coverage),
    };
    return RUN_TESTS(tests);
}
