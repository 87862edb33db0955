#include "vdisim/histogram.h"

#include <assert.h>
#include <math.h>

void sim_histogram_init(struct sim_histogram *histogram)
{
    memset(histogram, 0, sizeof *histogram);
    histogram->min = INFINITY;
    histogram->max = -INFINITY;
}

void sim_histogram_merge(struct sim_histogram *histogram, const struct sim_histogram *other)
{
    histogram->count += other->count;
    histogram->sum += other->sum;
    histogram->min = fmin(histogram->min, other->min);
    histogram->max = fmax(histogram->max, other->max);
    for (size_t i = 0; i < SIM_HISTOGRAM_BUCKETS; i++)
        histogram->buckets[i] += other->buckets[i];
}

double sim_histogram_mean(const struct sim_histogram *histogram)
{
    return histogram->count == 0 ? NAN : histogram->sum / (double)histogram->count;
}

double sim_histogram_bucket_low(size_t bucket)
{
    const size_t parts = (size_t)1 << SIM_HISTOGRAM_SPLIT_BITS;
    return ldexp(1.0 + (double)(bucket % parts) / (double)parts, (int)(bucket / parts));
}

double sim_histogram_quantile(const struct sim_histogram *histogram, double p)
{
    assert(p >= 0.0 && p <= 1.0);
    if (histogram->count == 0)
        return NAN;
    const double rank = ceil(p * (double)histogram->count);
    if (rank <= 1.0)
        return histogram->min;
    if (rank >= (double)histogram->count)
        return histogram->max;
    uint64_t below = 0;
    size_t bucket = 0;
    while (bucket < SIM_HISTOGRAM_BUCKETS - 1 && (double)(below + histogram->buckets[bucket]) < rank)
        below += histogram->buckets[bucket++];
    const double middle = 0.5 * (sim_histogram_bucket_low(bucket) + sim_histogram_bucket_low(bucket + 1));
    return fmin(fmax(middle, histogram->min), histogram->max);
}

double sim_histogram_fraction_from(const struct sim_histogram *histogram, double value)
{
    if (histogram->count == 0)
        return NAN;
    if (value <= histogram->min)
        return 1.0;
    uint64_t from = 0;
    for (size_t i = sim_histogram_bucket(value); i < SIM_HISTOGRAM_BUCKETS; i++)
        if (sim_histogram_bucket_low(i) >= value)
            from += histogram->buckets[i];
    return (double)from / (double)histogram->count;
}
