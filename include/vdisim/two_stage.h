/* As many replications as a mean needs to be known to a target precision, by Stein's two-stage rule (Annals of
 * Mathematical Statistics 16, 1945): a pilot of n0 replications tells the variance s0^2, this tells how many
 * replications N are needed, and the interval of the mean of all N uses the variance of the pilot again,
 *
 *     m_N +- t(n0 - 1) s0 / sqrt(N).
 *
 * For normal values this has exactly the stated coverage: N depends on s0 alone, and s0 is independent of every
 * mean. The rule that looks handier, to replicate until the ordinary interval is narrow enough, has not: it
 * stops where the sample happens to vary little, and covers less than it says. Its price here is that what the
 * later replications tell of the variance is not used, so the pilot should not be tiny: with 10 the t value is
 * 15 % above the normal one, with 20 7 %.
 *
 * With a control of known mean (see sim_interval_controlled) the same holds: the line is fitted over all N, s_e0
 * is the residual standard deviation of the line through the pilot, and the interval is
 *
 *     a_N +- t(n0 - 2) s_e0 sqrt(1 / N + (xbar_N - mean of x)^2 / Sxx_N).
 *
 * Given the controls this is exact too. a_N is a linear form of the y whose weights lie in the span of (1, x);
 * their part in the pilot lies in the span of (1, x) over the pilot, to which the residuals of the pilot are
 * orthogonal: a_N is independent of s_e0, whatever N, and N may depend on s_e0 and on all controls.
 *
 * A relative target, half_width times the estimate, makes N depend a little on the mean: the coverage is then
 * that of an absolute target but for terms of the order of the precision asked for.
 *
 *     size_t count = pilot, needed;
 *     run(0, pilot);
 *     while ((needed = sim_two_stage_count(y, NULL, 0, count, pilot, 0.02, true, 0.95)) > count) {
 *         needed = min(needed, at_most), and leave when that is count;
 *         run(count, needed);
 *         count = needed;
 *     }
 *     interval = sim_two_stage_interval(y, NULL, 0, count, pilot, 0.95);
 *
 * Stopping short at a limit fixed beforehand leaves the coverage as it is; only the interval is wider.
 */
#ifndef VDISIM_TWO_STAGE_H
#define VDISIM_TWO_STAGE_H

#include "vdisim/interval.h"

#include <stdbool.h>
#include <stddef.h>

/* The interval of the mean from `count` values of which the first `pilot` are the pilot, 2 <= pilot <= count.
 * `controls` has `count` values of known mean `control_mean`, or is NULL; controls that do not vary in the
 * pilot, or a pilot of 2, leave the plain mean. With count == pilot it is the ordinary interval. */
struct sim_interval sim_two_stage_interval(const double *values, const double *controls, double control_mean,
                                           size_t count, size_t pilot, double confidence);

/* The replications needed for a half-width of at most `half_width`, or of `half_width` times |estimate| if
 * `relative`, as far as `count` values tell; at least `pilot`. At most `count`: the target is reached. Else run
 * so many and ask again: with a control or a relative target the answer may change with the values. SIZE_MAX:
 * cannot be reached, for a relative target of an estimate of 0, for values that are not finite, or for a
 * count beyond 2^53. Arguments as above, half_width > 0. */
size_t sim_two_stage_count(const double *values, const double *controls, double control_mean, size_t count,
                           size_t pilot, double half_width, bool relative, double confidence);

#endif
