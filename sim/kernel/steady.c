#include "vdisim/steady.h"

#include <assert.h>
#include <gsl/gsl_cdf.h>
#include <gsl/gsl_statistics_double.h>
#include <math.h>

size_t sim_mser5(const double *values, size_t count, bool *found)
{
    const size_t batches = count / SIM_MSER_BATCH;
    *found = false;
    if (count < SIM_MSER_AT_LEAST)
        return 0;
    /* From the end to the front, so that one pass has the moments of every rest. */
    size_t best = batches;
    double least = INFINITY, mean = 0.0, squares = 0.0;
    for (size_t first = batches; first-- > 0;) {
        const double rest = (double)(batches - first);
        const double delta = gsl_stats_mean(values + first * SIM_MSER_BATCH, 1, SIM_MSER_BATCH) - mean;
        mean += delta / rest;
        squares += delta * delta * (1.0 - 1.0 / rest);
        const double error = squares / (rest * rest);
        if (batches - first >= 5 && error <= least) {
            least = error;
            best = first;
        }
    }
    *found = best * 2 < batches;
    return *found ? best * SIM_MSER_BATCH : 0;
}

double sim_lag1_correlation(const double *values, size_t count)
{
    if (count < 2)
        return 0.0;
    const double mean = gsl_stats_mean(values, 1, count);
    double products = 0.0, squares = 0.0;
    for (size_t i = 0; i < count; i++) {
        squares += (values[i] - mean) * (values[i] - mean);
        if (i > 0)
            products += (values[i - 1] - mean) * (values[i] - mean);
    }
    return squares > 0.0 ? products / squares : 0.0;
}

bool sim_batches_look_independent(const double *values, size_t count, double significance)
{
    assert(significance > 0.0 && significance < 1.0);
    if (count < 8)
        return false;
    const double mean = gsl_stats_mean(values, 1, count);
    double steps = 0.0, squares = 0.0;
    for (size_t i = 0; i < count; i++) {
        squares += (values[i] - mean) * (values[i] - mean);
        if (i > 0)
            steps += (values[i] - values[i - 1]) * (values[i] - values[i - 1]);
    }
    if (squares == 0.0)
        return true;
    const double n = (double)count;
    const double z = (1.0 - steps / (2.0 * squares)) / sqrt((n - 2.0) / (n * n - 1.0));
    return z <= gsl_cdf_ugaussian_Qinv(significance);
}

size_t sim_batch_means(const double *values, size_t count, size_t batches, double *means)
{
    assert(batches > 0);
    const size_t length = count / batches;
    if (length == 0)
        return 0;
    const double *first = values + (count - length * batches);
    for (size_t i = 0; i < batches; i++)
        means[i] = gsl_stats_mean(first + i * length, 1, length);
    return length;
}

struct sim_interval sim_interval_batch_means(const double *values, size_t count, size_t batches,
                                             double confidence)
{
    assert(batches > 0);
    const size_t length = count / batches;
    if (length == 0)
        return sim_interval_mean(NULL, 0, confidence);
    const double *first = values + (count - length * batches);
    double mean = 0.0, squares = 0.0;
    for (size_t i = 0; i < batches; i++) {
        const double batch = gsl_stats_mean(first + i * length, 1, length);
        const double delta = batch - mean;
        mean += delta / (double)(i + 1);
        squares += delta * (batch - mean);
    }
    return sim_interval_mean_of_moments(mean, sqrt(squares / ((double)batches - 1.0)), batches, confidence);
}
