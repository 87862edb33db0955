/* Tally, histogram, level, series and intervals against direct computation and worked examples. */
#include "tests/support/check.h"
#include "vdisim/histogram.h"
#include "vdisim/interval.h"
#include "vdisim/level.h"
#include "vdisim/random.h"
#include "vdisim/series.h"
#include "vdisim/tally.h"

#include <gsl/gsl_statistics_double.h>
#include <stdlib.h>
#include <string.h>

static void tally_of_nothing_and_one(void **state)
{
    (void)state;
    struct sim_tally tally;
    sim_tally_init(&tally, true);
    assert_int_equal(tally.count, 0);
    assert_true(isnan(sim_tally_variance(&tally)) && isnan(sim_tally_quantile(&tally, 0.5)));
    sim_tally_add(&tally, 3.0);
    assert_true(tally.mean == 3.0 && tally.min == 3.0 && tally.max == 3.0);
    assert_true(isnan(sim_tally_variance(&tally)));
    assert_true(sim_tally_quantile(&tally, 0.0) == 3.0 && sim_tally_quantile(&tally, 1.0) == 3.0);
    sim_tally_release(&tally);
}

/* A small spread on a large offset, where sums of squares lose everything. */
static void tally_does_not_cancel(void **state)
{
    (void)state;
    struct sim_tally tally;
    sim_tally_init(&tally, false);
    for (int i = 0; i < 1000; i++)
        sim_tally_add(&tally, 1e9 + i % 2);
    assert_near_relative(tally.mean, 1e9 + 0.5, 1e-15);
    assert_near_relative(sim_tally_variance(&tally), 0.25 * 1000 / 999, 1e-6);
    assert_null(sim_tally_values(&tally));
    assert_true(isnan(sim_tally_quantile(&tally, 0.5)));
}

static void tally_quantiles_and_merge(void **state)
{
    (void)state;
    struct sim_random stream;
    sim_random_init(&stream, 1, 0, "tally");
    struct sim_tally all, parts[2];
    sim_tally_init(&all, true);
    sim_tally_init(&parts[0], true);
    sim_tally_init(&parts[1], true);
    for (int i = 0; i < 1001; i++) {
        const double x = sim_random_exponential(&stream);
        sim_tally_add(&all, x);
        sim_tally_add(&parts[i % 3 == 0], x);
    }
    sim_tally_merge(&parts[0], &parts[1]);
    assert_int_equal(parts[0].count, all.count);
    assert_near_relative(parts[0].mean, all.mean, 1e-13);
    assert_near_relative(sim_tally_variance(&parts[0]), sim_tally_variance(&all), 1e-12);
    assert_true(parts[0].min == all.min && parts[0].max == all.max);
    for (double p = 0.0; p <= 1.0; p += 0.125)
        assert_true(sim_tally_quantile(&parts[0], p) == sim_tally_quantile(&all, p));
    assert_near_relative(sim_tally_variance(&all), gsl_stats_variance(sim_tally_values(&all), 1, 1001),
                         1e-12);
    assert_near_relative(sim_tally_sum(&all), 1001 * gsl_stats_mean(sim_tally_values(&all), 1, 1001), 1e-12);
    sim_tally_clear(&all);
    assert_int_equal(all.count, 0);
    for (int i = 5; i > 0; i--)
        sim_tally_add(&all, i);
    assert_true(sim_tally_quantile(&all, 0.5) == 3.0);
    assert_true(sim_tally_quantile(&all, 0.125) == 1.5);
    struct sim_tally plain;
    sim_tally_init(&plain, false);
    sim_tally_add(&plain, 7.0);
    sim_tally_merge(&all, &plain);
    assert_true(all.count == 6 && all.max == 7.0 && sim_tally_values(&all) == NULL);
    sim_tally_release(&all);
    sim_tally_release(&parts[0]);
    sim_tally_release(&parts[1]);
}

static int compare_doubles(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static void histogram_error_is_bounded(void **state)
{
    (void)state;
    enum { N = 50000 };
    struct sim_random stream;
    sim_random_init(&stream, 2, 0, "histogram");
    struct sim_histogram *h = malloc(sizeof *h), *other = malloc(sizeof *other);
    double *values = malloc(N * sizeof *values);
    sim_histogram_init(h);
    sim_histogram_init(other);
    assert_true(isnan(sim_histogram_quantile(h, 0.5)) && isnan(sim_histogram_mean(h)));
    const struct sim_lognormal law = sim_lognormal_from_mean_cv(4e6, 3.0);
    for (int i = 0; i < N; i++) {
        values[i] = sim_random_lognormal(&stream, &law);
        sim_histogram_add(i % 2 ? h : other, values[i]);
    }
    sim_histogram_merge(h, other);
    qsort(values, N, sizeof *values, compare_doubles);
    for (double p = 0.0005; p < 1.0; p += 0.0113)
        assert_near_relative(sim_histogram_quantile(h, p), values[(size_t)ceil(p * N) - 1], 1.0 / 256);
    assert_true(sim_histogram_quantile(h, 0.0) == values[0] &&
                sim_histogram_quantile(h, 1.0) == values[N - 1]);
    assert_near_relative(sim_histogram_mean(h), gsl_stats_mean(values, 1, N), 1e-12);
    assert_true(sim_histogram_fraction_from(h, 0.0) == 1.0);
    const double high = sim_histogram_bucket_low(sim_histogram_bucket(values[N / 2]));
    size_t from = 0;
    for (int i = 0; i < N; i++)
        from += values[i] >= high;
    assert_near(sim_histogram_fraction_from(h, high), (double)from / N, 1e-12);
    free(values);
    free(other);
    free(h);
}

static void histogram_buckets(void **state)
{
    (void)state;
    for (size_t i = 0; i < SIM_HISTOGRAM_BUCKETS; i++) {
        const double low = sim_histogram_bucket_low(i);
        assert_int_equal(sim_histogram_bucket(low), i);
        assert_int_equal(sim_histogram_bucket(nextafter(low, 0.0)), i == 0 ? 0 : i - 1);
    }
    assert_int_equal(sim_histogram_bucket(0.0), 0);
    assert_int_equal(sim_histogram_bucket(1e300), SIM_HISTOGRAM_BUCKETS - 1);
    assert_int_equal(sim_histogram_bucket(INFINITY), SIM_HISTOGRAM_BUCKETS - 1);
}

static void level_is_weighted_by_time(void **state)
{
    (void)state;
    struct sim_level level;
    sim_level_init(&level, 100, 2.0);
    assert_true(sim_level_mean(&level, 100) == 2.0);
    sim_level_set(&level, 200, 5.0);
    sim_level_add(&level, 300, -4.0);
    assert_near(sim_level_mean(&level, 500), (2.0 * 100 + 5.0 * 100 + 1.0 * 200) / 400, 1e-15);
    assert_true(level.min == 1.0 && level.max == 5.0);
    sim_level_restart(&level, 500);
    assert_true(level.min == 1.0 && level.max == 1.0 && sim_level_mean(&level, 700) == 1.0);
}

static void series_by_interval(void **state)
{
    (void)state;
    struct sim_series series;
    sim_series_init(&series, 10);
    assert_int_equal(series.count, 0);
    sim_series_add(&series, 0, 1.0);
    sim_series_add(&series, 9, 2.0);
    sim_series_add(&series, 10, 4.0);
    sim_series_add(&series, 2345, 8.0);
    sim_series_add(&series, 5, 16.0);
    assert_int_equal(series.count, 235);
    assert_true(series.bins[0].sum == 19.0 && series.bins[0].count == 3 && series.bins[0].max == 16.0);
    assert_true(series.bins[1].sum == 4.0 && series.bins[2].count == 0 && series.bins[234].sum == 8.0);
    sim_series_release(&series);
    assert_int_equal(series.count, 0);

    sim_series_add_over(&series, 5, 35, 30.0);
    assert_int_equal(series.count, 4);
    assert_near(series.bins[0].sum, 5.0, 1e-12);
    assert_near(series.bins[1].sum, 10.0, 1e-12);
    assert_near(series.bins[3].sum, 5.0, 1e-12);
    assert_true(series.bins[0].count == 1 && series.bins[1].count == 0);
    sim_series_add_over(&series, 20, 30, 7.0);
    assert_near(series.bins[2].sum, 17.0, 1e-12);
    assert_int_equal(series.count, 4);
    sim_series_add_over(&series, 30, 30, 1.0);
    assert_near(series.bins[3].sum, 6.0, 1e-12);
    assert_true(sim_series_complete(&series));
    sim_series_release(&series);
}

/* Too few values say nothing. */
static void intervals_of_small_samples(void **state)
{
    (void)state;
    const double one = 4.0;
    struct sim_interval i = sim_interval_mean(NULL, 0, 0.95);
    assert_true(isnan(i.estimate) && isinf(i.low) && isinf(i.high));
    i = sim_interval_mean(&one, 1, 0.95);
    assert_true(i.estimate == 4.0 && isinf(i.low) && isinf(i.high));
    i = sim_interval_prediction(&one, 1, 0.95);
    assert_true(isinf(i.low) && isinf(i.high));
    i = sim_interval_quantile(&one, 1, 0.5, 0.95);
    assert_true(i.estimate == 4.0 && isinf(i.low) && isinf(i.high));
    i = sim_interval_paired_difference(&one, &one, 1, 0.95);
    assert_true(i.estimate == 0.0 && isinf(i.low));
    const double equal[] = {2.0, 2.0, 2.0};
    i = sim_interval_mean(equal, 3, 0.99);
    assert_true(i.low == 2.0 && i.high == 2.0);
    const struct sim_controlled_mean c = sim_interval_controlled(equal, equal, 3, 2.0, 0.95);
    assert_true(c.slope == 0.0 && c.mean.estimate == 2.0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tally_of_nothing_and_one),  cmocka_unit_test(tally_does_not_cancel),
        cmocka_unit_test(tally_quantiles_and_merge), cmocka_unit_test(histogram_error_is_bounded),
        cmocka_unit_test(histogram_buckets),         cmocka_unit_test(level_is_weighted_by_time),
        cmocka_unit_test(series_by_interval),        cmocka_unit_test(intervals_of_small_samples),
    };
    return RUN_TESTS(tests);
}
