/* Intervals: what a sample of independent values (one per replication) says about its mean, about one more
 * value, about a quantile or a proportion, and about the difference of two configurations.
 *
 * All are two-sided and take a confidence such as 0.95. Values are taken as independent and identically
 * distributed, and but for the quantile and the proportion as normal. With fewer values than a formula needs,
 * low and high are infinite: nothing is known.
 *
 * A difference also has a p-value: how often a difference at least this large would come from two
 * configurations of the same mean. It is below 1 - confidence exactly when the interval leaves out 0. To judge
 * many at a time see holm.h.
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

/* A proportion, of `successes` in `trials` independent ones: Wilson's score interval (Journal of the American
 * Statistical Association 22, 1927), which keeps its coverage, on average over p, for small samples too and
 * stays within 0 and 1. The estimate is successes / trials and not the middle. Without trials 0 to 1. */
struct sim_interval sim_interval_proportion(size_t successes, size_t trials, double confidence);

/* The mean of first[i] - second[i]: paired by common random numbers. Needs count >= 2. */
struct sim_interval sim_interval_paired_difference(const double *first, const double *second, size_t count,
                                                   double confidence);

/* The two-sided p-value of that difference by Student's t: 1 if all differences are 0, 0 if they are all equal
 * and not 0. NaN with fewer than 2 pairs. */
double sim_paired_p_value(const double *first, const double *second, size_t count);

/* The difference of the means of two independent samples of unequal variances: by Welch's t with the degrees
 * of freedom of Satterthwaite (Welch, Biometrika 34, 1947). Needs two values of each. */
struct sim_interval sim_interval_welch_difference(const double *first, size_t first_count,
                                                  const double *second, size_t second_count,
                                                  double confidence);

/* The two-sided p-value of that difference. Samples that do not vary: 1 if their means are equal, else 0. NaN
 * with fewer than two values of either. */
double sim_welch_p_value(const double *first, size_t first_count, const double *second, size_t second_count);

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
