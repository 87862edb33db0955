/* An estimate: what the replications of one cell say of one metric.
 *
 * Plainly, the mean of n independent runs with its 95 % Student-t interval, and the 95 % prediction interval
 * for one run more: mean +- t(n-1) s sqrt(1 + 1/n).
 *
 * Where every run drew a multiplier m of known law (the run effect: lognormal, mean 1, coefficient of
 * variation cv) the law is used instead of being estimated again from a few draws. m is a control variate:
 * the values are regressed on it, y = a + b (m - 1) + e, and a estimates the mean at the known mean of m,
 * freed from the accident of which multipliers were drawn. One run more then differs from a by the known law
 * of m and by the residual:
 *
 *     low  = a - sqrt((b (1 - q025))^2 + (t s_p)^2)
 *     high = a + sqrt((b (q975 - 1))^2 + (t s_p)^2)
 *     s_p  = s_e sqrt(1 + 1/n + ((mbar - 1)^2 + cv^2) / Smm)
 *
 * with q the quantiles of that lognormal law (swapped for b < 0), s_e the residual standard deviation, mbar and
 * Smm the mean and the sum of squares about it of the multipliers drawn, and t the 97.5 % quantile with n - 2
 * degrees of freedom. s_p is the error of prediction of a regression: the new run's own residual and the
 * uncertainty of the fitted height and slope, the slope's taken at the mean square of m - mbar. The two parts
 * are independent, so their distances to the 95 % limits add in squares (exact for normal parts).
 *
 * Five replications are the least for it. With fewer there is a mean but no interval: the plain one would rest
 * on two to four draws of a multiplier that varies by a fifth, and would say nothing. When all multipliers are
 * equal the plain estimate is given.
 *
 * Sources: Lavenberg, Welch: A perspective on the use of control variables (1981); the t interval of a
 * regression at a point is in every textbook, e.g. Montgomery, Runger: Applied Statistics and Probability for
 * Engineers, 11-5.
 */
#ifndef VDISIM_ESTIMATE_H
#define VDISIM_ESTIMATE_H

#include <stddef.h>

/* Too few values: fewer than two, and with a run effect fewer than this. */
enum { ESTIMATE_REGRESSION_LEAST = 5 };

struct estimate {
    size_t count;               /* replications that had a value */
    double mean;                /* adjusted by the run effect where there is one; NaN without a value */
    double ci95_low, ci95_high; /* of the mean; NaN with too few values */
    double pi95_low, pi95_high; /* for one run; NaN with too few values */
};

/* From `count` values that are no NaN. `run_effects` holds the multiplier of each run, or is NULL;
 * `run_effect_cv` is the coefficient of variation of their law. */
struct estimate estimate_of(const double *values, const double *run_effects, size_t count,
                            double run_effect_cv);

/* The same of values whose count followed from a target precision, the first `pilot` of them being its first stage:
 * the interval of the mean is then that of two_stage.h, which keeps its coverage. */
struct estimate estimate_of_two_stages(const double *values, const double *run_effects, size_t count,
                                       double run_effect_cv, size_t pilot);

#endif
