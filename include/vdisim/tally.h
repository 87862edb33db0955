/* A tally: count, mean, variance, smallest and largest of a sample, and, if the values are kept, its exact
 * quantiles.
 *
 *     struct sim_tally tally;
 *     sim_tally_init(&tally, true);       (true: keep the values)
 *     sim_tally_add(&tally, seconds);
 *     double p95 = sim_tally_quantile(&tally, 0.95);
 *     sim_tally_release(&tally);
 *
 * Mean and variance by Welford's updates (Technometrics 4, 1962), which lose nothing to cancellation. For
 * quantiles of samples too large to keep see histogram.h; for values held over time see level.h.
 */
#ifndef VDISIM_TALLY_H
#define VDISIM_TALLY_H

#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct sim_tally {
    uint64_t count;
    double mean;    /* 0 when empty */
    double squares; /* sum of squared deviations from the mean */
    double min;     /* INFINITY when empty */
    double max;     /* -INFINITY when empty */

    /* Private: the kept values. */
    double *values;
    size_t capacity;
    bool keep;
    bool sorted;
    bool lost; /* memory ran out: values are no longer kept */
};

/* An empty tally. One that does not keep its values owns no memory. */
void sim_tally_init(struct sim_tally *tally, bool keep_values);

/* Frees the kept values. */
void sim_tally_release(struct sim_tally *tally);

/* Empty again (end of warm-up); memory is kept for reuse. */
void sim_tally_clear(struct sim_tally *tally);

/* Private: keeps the value counted last. */
void sim_tally_keep_(struct sim_tally *tally, double value);

/* Adds one finite value. */
static inline void sim_tally_add(struct sim_tally *tally, double value)
{
    tally->count++;
    const double delta = value - tally->mean;
    tally->mean += delta / (double)tally->count;
    tally->squares += delta * (value - tally->mean);
    if (value < tally->min)
        tally->min = value;
    if (value > tally->max)
        tally->max = value;
    if (tally->keep)
        sim_tally_keep_(tally, value);
}

/* Adds all of `other` (Chan, Golub and LeVeque, 1979); its kept values too, if both keep. Where one of the
 * two keeps none, the sum keeps none. */
void sim_tally_merge(struct sim_tally *tally, const struct sim_tally *other);

/* Sample variance with divisor count - 1; NaN below two values. */
double sim_tally_variance(const struct sim_tally *tally);

static inline double sim_tally_sd(const struct sim_tally *tally)
{
    return sqrt(sim_tally_variance(tally));
}

static inline double sim_tally_sum(const struct sim_tally *tally)
{
    return tally->mean * (double)tally->count;
}

/* The exact quantile of the kept values, 0 <= p <= 1, linear between order statistics (the rule of GSL, and
 * type 7 of Hyndman and Fan, 1996). Sorts them in place at the first call. NaN when empty, not kept, or
 * memory ran out. */
double sim_tally_quantile(struct sim_tally *tally, double p);

/* The kept values, count of them, in no stated order; NULL when not kept or memory ran out. */
const double *sim_tally_values(const struct sim_tally *tally);

#endif
