/* MSER-5, correlation and batch means against their formulas written out. */
#include "tests/support/check.h"
#include "vdisim/random.h"
#include "vdisim/steady.h"

#include <stdlib.h>

/* The definition, in quadratic time. */
static size_t mser5_by_definition(const double *values, size_t count, bool *found)
{
    const size_t batches = count / 5;
    size_t best = 0;
    double least = INFINITY;
    for (size_t d = 0; d + 5 <= batches; d++) {
        double sum = 0.0, squares = 0.0;
        for (size_t i = d; i < batches; i++)
            for (size_t k = 0; k < 5; k++)
                sum += values[5 * i + k] / 5.0;
        const double rest = (double)(batches - d), mean = sum / rest;
        for (size_t i = d; i < batches; i++) {
            double batch = 0.0;
            for (size_t k = 0; k < 5; k++)
                batch += values[5 * i + k] / 5.0;
            squares += (batch - mean) * (batch - mean);
        }
        if (squares / (rest * rest) < least) {
            least = squares / (rest * rest);
            best = d;
        }
    }
    *found = 2 * best < batches;
    return *found ? 5 * best : 0;
}

static void mser5_is_as_defined(void **state)
{
    (void)state;
    enum { MOST = 400 };
    double values[MOST];
    size_t founds = 0;
    for (uint64_t series = 0; series < 300; series++) {
        struct sim_random r;
        sim_random_init(&r, 8, series, "mser");
        const size_t count = 50 + (size_t)sim_random_below(&r, MOST - 50 + 1);
        const double decay = 5.0 + 100.0 * sim_random_uniform(&r);
        double last = 0.0;
        for (size_t i = 0; i < count; i++) {
            last = 0.7 * last + sim_random_normal(&r);
            values[i] = 100.0 + last + 6.0 * exp(-(double)i / decay);
        }
        bool found, expected_found;
        const size_t expected = mser5_by_definition(values, count, &expected_found);
        assert_int_equal(sim_mser5(values, count, &found), expected);
        assert_int_equal(found, expected_found);
        founds += found;
    }
    assert_in_range(founds, 50, 299);
}

static void mser5_at_the_edges(void **state)
{
    (void)state;
    double values[60];
    bool found = true;
    assert_int_equal(sim_mser5(NULL, 0, &found), 0);
    assert_false(found);
    for (int i = 0; i < 60; i++)
        values[i] = 7.0;
    assert_int_equal(sim_mser5(values, 60, &found), 0);
    assert_true(found);
    for (int i = 0; i < 25; i++)
        values[i] = 9.0;
    assert_int_equal(sim_mser5(values, 60, &found), 25);
    assert_true(found);
    for (int i = 25; i < 30; i++)
        values[i] = 9.0;
    assert_int_equal(sim_mser5(values, 60, &found), 0); /* at the half */
    assert_false(found);
    values[40] = NAN;
    assert_int_equal(sim_mser5(values, 60, &found), 0);
}

static void correlation_by_hand(void **state)
{
    (void)state;
    const double rising[] = {1, 2, 3, 4, 5}, swinging[] = {1, -1, 1, -1}, still[] = {3, 3, 3};
    assert_near(sim_lag1_correlation(rising, 5), 0.4, 1e-15); /* (2 + 0 + 0 + 2) / 10 */
    assert_near(sim_lag1_correlation(swinging, 4), -0.75, 1e-15);
    assert_true(sim_lag1_correlation(still, 3) == 0.0 && sim_lag1_correlation(still, 1) == 0.0);
}

/* 1 ... 8: steps 7, squares 42, C = 11 / 12, over sqrt(6 / 63) = 2.970: above the normal's 99 % point 2.326 and its
 * 99.8 % point 2.878, below its 99.9 % point 3.090. */
static void ratio_by_hand(void **state)
{
    (void)state;
    const double rising[] = {1, 2, 3, 4, 5, 6, 7, 8}, swinging[] = {1, 8, 2, 7, 3, 6, 4, 5};
    const double still[] = {3, 3, 3, 3, 3, 3, 3, 3};
    assert_false(sim_batches_look_independent(rising, 8, .01));
    assert_false(sim_batches_look_independent(rising, 8, .002));
    assert_true(sim_batches_look_independent(rising, 8, .001));
    assert_true(sim_batches_look_independent(swinging, 8, .2)); /* one-sided */
    assert_true(sim_batches_look_independent(still, 8, .05));
    assert_false(sim_batches_look_independent(swinging, 7, .05));
}

static void batches_leave_out_the_front(void **state)
{
    (void)state;
    const double values[] = {100, 100, 1, 3, 4, 6, 9, 7};
    double means[3];
    assert_int_equal(sim_batch_means(values, 8, 3, means), 2);
    assert_true(means[0] == 2.0 && means[1] == 5.0 && means[2] == 8.0);
    const struct sim_interval expected = sim_interval_mean(means, 3, .9);
    const struct sim_interval i = sim_interval_batch_means(values, 8, 3, .9);
    assert_near(i.estimate, expected.estimate, 1e-12);
    assert_near(i.low, expected.low, 1e-12);
    assert_near(i.high, expected.high, 1e-12);
}

static void too_few_for_batches(void **state)
{
    (void)state;
    const double values[] = {1, 2};
    double means[3] = {-1, -1, -1};
    assert_int_equal(sim_batch_means(values, 2, 3, means), 0);
    assert_true(means[0] == -1.0);
    struct sim_interval i = sim_interval_batch_means(values, 2, 3, .95);
    assert_true(isnan(i.estimate) && isinf(i.low) && isinf(i.high));
    i = sim_interval_batch_means(values, 2, 1, .95);
    assert_true(i.estimate == 1.5 && isinf(i.low) && isinf(i.high));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(mser5_is_as_defined),         cmocka_unit_test(mser5_at_the_edges),
        cmocka_unit_test(correlation_by_hand),         cmocka_unit_test(ratio_by_hand),
        cmocka_unit_test(batches_leave_out_the_front), cmocka_unit_test(too_few_for_batches),
    };
    return RUN_TESTS(tests);
}
