/* Intervals: what a sample of independent values (one per replication) says about its mean, about one more
 * value, about a quantile, and about the difference of two configurations.
 *
 * All are two-sided and take a confidence such as 0.95. Values are taken as independent and identically
 * distributed, and but for the quantile as normal. With fewer values than a formula needs, low and high are
 * infinite: nothing is known.
 */
#ifndef VDISIM_INTERVAL_H
#define VDISIM_INTERVAL_H

#include <stddef.h>

struct sim_interval {
    double estimate; /* NaN without values */
    double low;
    double high;
};

/* The mean, with Student's t: m +- t s / sqrt(n), n - 1 degrees of freedom. Needs n >= 2. */
struct sim_interval sim_interval_mean(const double *values, size_t count, double confidence);

/* The same from the moments of the sample. */
struct sim_interval sim_interval_mean_of_moments(double mean, double sd, size_t count, double confidence);

/* One more value from the same source: m +- t s sqrt(1 + 1 / n). Needs n >= 2. */
struct sim_interval sim_interval_prediction(const double *values, size_t count, double confidence);

/* The p-quantile, by order statistics and the binomial law, for any continuous law: the narrowest ranks l < u
 * around the estimate with P(X(l) < q < X(u)) >= confidence, taking at most half of the error on either side.
 * A side the sample is too small for is infinite. Sorts a copy; when memory is short all is NaN. Estimate as
 * in sim_tally_quantile. */
struct sim_interval sim_interval_quantile(const double *values, size_t count, double p, double confidence);

/* The mean of first[i] - second[i]: paired by common random numbers. Needs count >= 2. */
struct sim_interval sim_interval_paired_difference(const double *first, const double *second, size_t count,
                                                   double confidence);

/* The result of a regression of y on a control x whose true mean is known. */
struct sim_controlled_mean {
    struct sim_interval mean; /* of y, had x had its true mean: ybar - slope (xbar - mean of x) */
    double slope;
    double residual_sd; /* about the line, n - 2 degrees of freedom */
};

/* A control variate: the mean of y adjusted by least squares for what the control x is off its known mean,
 * with the t interval of n - 2 degrees of freedom and half-width t s sqrt(1 / n + (xbar - mean_x)^2 / Sxx)
 * (Lavenberg and Welch, Management Science 27, 1981). Needs count >= 3; a control that does not vary leaves
 * the plain mean, slope 0. */
struct sim_controlled_mean sim_interval_controlled(const double *y, const double *x, size_t count,
                                                   double mean_x, double confidence);

#endif
