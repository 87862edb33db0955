#include "vdisim/interval.h"

#include <assert.h>
#include <gsl/gsl_cdf.h>
#include <gsl/gsl_sort.h>
#include <gsl/gsl_statistics_double.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static struct sim_interval around(double estimate, double half_width)
{
    return (struct sim_interval){estimate, estimate - half_width, estimate + half_width};
}

/* The t value that leaves half of 1 - confidence on either side. */
static double t_value(double confidence, double degrees)
{
    assert(confidence > 0.0 && confidence < 1.0);
    return gsl_cdf_tdist_Qinv(0.5 * (1.0 - confidence), degrees);
}

static struct sim_interval student(double mean, double sd, size_t count, double confidence, double sd_factor)
{
    if (count == 0)
        return (struct sim_interval){NAN, -INFINITY, INFINITY};
    if (count == 1)
        return around(mean, INFINITY);
    return around(mean, t_value(confidence, (double)(count - 1)) * sd * sd_factor);
}

static double mean_of(const double *values, size_t count)
{
    return count == 0 ? NAN : gsl_stats_mean(values, 1, count);
}

static double sd_of(const double *values, size_t count)
{
    return count < 2 ? NAN : gsl_stats_sd(values, 1, count);
}

struct sim_interval sim_interval_mean_of_moments(double mean, double sd, size_t count, double confidence)
{
    return student(mean, sd, count, confidence, 1.0 / sqrt((double)count));
}

struct sim_interval sim_interval_mean(const double *values, size_t count, double confidence)
{
    return sim_interval_mean_of_moments(mean_of(values, count), sd_of(values, count), count, confidence);
}

struct sim_interval sim_interval_prediction(const double *values, size_t count, double confidence)
{
    return student(mean_of(values, count), sd_of(values, count), count, confidence,
                   sqrt(1.0 + 1.0 / (double)count));
}

/* The largest rank l (from 1) with P(X(l) > q) = P(fewer than l values below q) <= error; 0 if none. */
static size_t rank_below(size_t count, double p, double error)
{
    size_t rank = 0;
    while (rank < count && gsl_cdf_binomial_P((unsigned)rank, p, (unsigned)count) <= error)
        rank++;
    return rank;
}

struct sim_interval sim_interval_quantile(const double *values, size_t count, double p, double confidence)
{
    assert(p > 0.0 && p < 1.0 && confidence > 0.0 && confidence < 1.0 && count <= 0x7fffffff);
    if (count == 0)
        return (struct sim_interval){NAN, -INFINITY, INFINITY};
    double *sorted = malloc(count * sizeof *sorted);
    if (sorted == NULL)
        return (struct sim_interval){NAN, NAN, NAN};
    memcpy(sorted, values, count * sizeof *sorted);
    gsl_sort(sorted, 1, count);
    const double error = 0.5 * (1.0 - confidence);
    const size_t low = rank_below(count, p, error);
    const size_t high = rank_below(count, 1.0 - p, error); /* counted from the top */
    const struct sim_interval interval = {
        .estimate = gsl_stats_quantile_from_sorted_data(sorted, 1, count, p),
        .low = low == 0 ? -INFINITY : sorted[low - 1],
        .high = high == 0 ? INFINITY : sorted[count - high],
    };
    free(sorted);
    return interval;
}

struct sim_interval sim_interval_proportion(size_t successes, size_t trials, double confidence)
{
    assert(successes <= trials && confidence > 0.0 && confidence < 1.0);
    if (trials == 0)
        return (struct sim_interval){NAN, 0.0, 1.0};
    const double z = gsl_cdf_ugaussian_Qinv(0.5 * (1.0 - confidence)), n = (double)trials;
    const double p = (double)successes / n;
    const double shrink = 1.0 / (1.0 + z * z / n);
    const double middle = shrink * (p + z * z / (2.0 * n));
    const double half_width = shrink * z * sqrt(p * (1.0 - p) / n + z * z / (4.0 * n * n));
    return (struct sim_interval){
        .estimate = p,
        .low = successes == 0 ? 0.0 : middle - half_width,
        .high = successes == trials ? 1.0 : middle + half_width,
    };
}

/* Of a difference of means with this standard error. */
static double p_value(double mean, double error, double degrees)
{
    if (isnan(mean) || isnan(error))
        return NAN;
    if (!(error > 0.0))
        return mean == 0.0 ? 1.0 : 0.0;
    const double t = fabs(mean) / error;
    return isfinite(t) ? fmin(1.0, 2.0 * gsl_cdf_tdist_Q(t, degrees)) : 0.0;
}

struct moments {
    double mean;
    double sd; /* NaN of fewer than 2 */
};

static struct moments paired(const double *first, const double *second, size_t count)
{
    double mean = 0.0, squares = 0.0;
    for (size_t i = 0; i < count; i++) {
        const double difference = first[i] - second[i];
        const double delta = difference - mean;
        mean += delta / (double)(i + 1);
        squares += delta * (difference - mean);
    }
    return (struct moments){mean, count < 2 ? NAN : sqrt(squares / ((double)count - 1.0))};
}

struct sim_interval sim_interval_paired_difference(const double *first, const double *second, size_t count,
                                                   double confidence)
{
    const struct moments difference = paired(first, second, count);
    return sim_interval_mean_of_moments(difference.mean, difference.sd, count, confidence);
}

double sim_paired_p_value(const double *first, const double *second, size_t count)
{
    const struct moments difference = paired(first, second, count);
    return p_value(difference.mean, difference.sd / sqrt((double)count), (double)count - 1.0);
}

struct welch {
    double mean;
    double error;
    double degrees;
};

/* Where neither varies, the degrees of freedom do not matter. */
static struct welch welch(const double *first, size_t first_count, const double *second, size_t second_count)
{
    const double sds[] = {sd_of(first, first_count), sd_of(second, second_count)};
    const double counts[] = {(double)first_count, (double)second_count};
    double variance = 0.0, divisor = 0.0;
    for (int i = 0; i < 2; i++) {
        const double part = sds[i] * sds[i] / counts[i];
        variance += part;
        divisor += part * part / (counts[i] - 1.0);
    }
    return (struct welch){
        .mean = mean_of(first, first_count) - mean_of(second, second_count),
        .error = sqrt(variance),
        .degrees = divisor > 0.0 ? variance * variance / divisor : counts[0] + counts[1] - 2.0,
    };
}

struct sim_interval sim_interval_welch_difference(const double *first, size_t first_count,
                                                  const double *second, size_t second_count,
                                                  double confidence)
{
    const struct welch difference = welch(first, first_count, second, second_count);
    if (first_count < 2 || second_count < 2)
        return (struct sim_interval){difference.mean, -INFINITY, INFINITY};
    return around(difference.mean, t_value(confidence, difference.degrees) * difference.error);
}

double sim_welch_p_value(const double *first, size_t first_count, const double *second, size_t second_count)
{
    const struct welch difference = welch(first, first_count, second, second_count);
    return p_value(difference.mean, difference.error, difference.degrees);
}

struct sim_controlled_mean sim_interval_controlled(const double *y, const double *x, size_t count,
                                                   double mean_x, double confidence)
{
    const double x_bar = mean_of(x, count), y_bar = mean_of(y, count);
    double sxx = 0.0, sxy = 0.0;
    for (size_t i = 0; i < count; i++) {
        sxx += (x[i] - x_bar) * (x[i] - x_bar);
        sxy += (x[i] - x_bar) * (y[i] - y_bar);
    }
    if (count < 3 || !(sxx > 0.0)) {
        const struct sim_interval plain = sim_interval_mean(y, count, confidence);
        return (struct sim_controlled_mean){plain, 0.0, sd_of(y, count)};
    }
    const double slope = sxy / sxx;
    double residual_squares = 0.0;
    for (size_t i = 0; i < count; i++) {
        const double residual = y[i] - y_bar - slope * (x[i] - x_bar);
        residual_squares += residual * residual;
    }
    const double degrees = (double)count - 2.0;
    const double off = x_bar - mean_x;
    const double residual_sd = sqrt(residual_squares / degrees);
    const double half_width =
        t_value(confidence, degrees) * residual_sd * sqrt(1.0 / (double)count + off * off / sxx);
    return (struct sim_controlled_mean){around(y_bar - slope * off, half_width), slope, residual_sd};
}
