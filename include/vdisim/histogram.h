/* A histogram with buckets of bounded relative width: quantiles of any number of values in constant memory.
 *
 * Each factor of two is cut into 128 buckets of equal width, so that a quantile is off by less than 1/256 of
 * itself. The resolved range is 1 to 2^44 in the caller's unit (for nanoseconds: 1 ns to 4.9 hours); smaller
 * values share the first bucket and larger ones the last, and smallest, largest and sum are exact in any
 * case. A histogram is 44 KiB, owns nothing else, and may be embedded; adding costs a few nanoseconds;
 * histograms of equal unit can be merged.
 */
#ifndef VDISIM_HISTOGRAM_H
#define VDISIM_HISTOGRAM_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#define SIM_HISTOGRAM_SPLIT_BITS 7
#define SIM_HISTOGRAM_OCTAVES    44
#define SIM_HISTOGRAM_BUCKETS    (SIM_HISTOGRAM_OCTAVES << SIM_HISTOGRAM_SPLIT_BITS)

struct sim_histogram {
    uint64_t count;
    double sum;
    double min; /* INFINITY when empty */
    double max; /* -INFINITY when empty */
    uint64_t buckets[SIM_HISTOGRAM_BUCKETS];
};

/* An empty histogram; also empties one (end of warm-up). */
void sim_histogram_init(struct sim_histogram *histogram);

/* The bucket of a value >= 0: the exponent and the first bits of the fraction of the double, read as one
 * integer. */
static inline size_t sim_histogram_bucket(double value)
{
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    const int64_t bucket =
        (int64_t)(bits >> (52 - SIM_HISTOGRAM_SPLIT_BITS)) - (INT64_C(1023) << SIM_HISTOGRAM_SPLIT_BITS);
    if (bucket < 0)
        return 0;
    return bucket < SIM_HISTOGRAM_BUCKETS ? (size_t)bucket : SIM_HISTOGRAM_BUCKETS - 1;
}

/* Adds one value >= 0. */
static inline void sim_histogram_add(struct sim_histogram *histogram, double value)
{
    histogram->count++;
    histogram->sum += value;
    if (value < histogram->min)
        histogram->min = value;
    if (value > histogram->max)
        histogram->max = value;
    histogram->buckets[sim_histogram_bucket(value)]++;
}

/* Adds all of `other`. */
void sim_histogram_merge(struct sim_histogram *histogram, const struct sim_histogram *other);

/* NaN when empty. */
double sim_histogram_mean(const struct sim_histogram *histogram);

/* The value of rank ceil(p count), 0 <= p <= 1, as the middle of its bucket, within [min, max]. NaN when
 * empty. */
double sim_histogram_quantile(const struct sim_histogram *histogram, double p);

/* The share of values in buckets wholly at or above `value`: P(X >= value) within one bucket. NaN when empty. */
double sim_histogram_fraction_from(const struct sim_histogram *histogram, double value);

/* The lower bound of a bucket; that of SIM_HISTOGRAM_BUCKETS is the end of the range. */
double sim_histogram_bucket_low(size_t bucket);

#endif
