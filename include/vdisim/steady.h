/* The steady state of one series in the order of time: where the warm-up ends, and how well one long run knows
 * its mean.
 *
 * The warm-up is found by MSER-5 (White, Simulation 69, 1997; White, Cobb and Spratt, Winter Simulation
 * Conference 2000): over means of 5 observations each, leave out as many at the front as make the standard
 * error of the mean of the rest smallest. A series whose smallest lies in its second half is too short, or has
 * no steady state: nothing is found.
 *
 * Give it the average of several replications, observation by observation (Hoad, Robinson and Davies, Journal
 * of the Operational Research Society 61, 2010): the noise of one run can hide the warm-up, and a rule that
 * likes what varies little prefers the quiet part of one run. On an M/M/1 queue at rho = 0.8 with ten times the
 * usual work at the start, 5,000 customers, the mean wait is 15 % high with the warm-up, 6 % low after it was
 * removed run by run, and right to 1 % after it was removed from averages of ten.
 *
 * The observations of one run depend on each other, so the mean of the rest is judged by batch means: the
 * series is cut into equal batches, so long that their means are almost independent, and these are treated as
 * replications are. Whether they are long enough is asked of sim_batches_look_independent: 20 to 40 batches
 * do; if they look dependent, the run is too short for its interval to be believed.
 */
#ifndef VDISIM_STEADY_H
#define VDISIM_STEADY_H

#include "vdisim/interval.h"

#include <stdbool.h>
#include <stddef.h>

#define SIM_MSER_BATCH    5
#define SIM_MSER_AT_LEAST 50 /* observations; of fewer nothing is found */

/* The observations to leave out at the front, a multiple of 5 below half of count; 0 when *found is false. The
 * last batches are not tried as the whole rest: 5 at least remain (Hoad et al.). */
size_t sim_mser5(const double *values, size_t count, bool *found);

/* The correlation of neighbours, sum (x_i - m) (x_i+1 - m) / sum (x_i - m)^2. 0 where nothing varies and for
 * fewer than 2 values. */
double sim_lag1_correlation(const double *values, size_t count);

/* The ratio test of von Neumann (Annals of Mathematical Statistics 12, 1941) against positive correlation, as
 * Fishman (Management Science 24, 1978) has it for batch means: C = 1 - sum (x_i+1 - x_i)^2 / (2 sum (x_i -
 * m)^2) is compared with a normal of mean 0 and variance (n - 2) / (n^2 - 1). Independent values fail it with
 * probability `significance`. Values that do not vary pass; fewer than 8 cannot show it and fail. */
bool sim_batches_look_independent(const double *values, size_t count, double significance);

/* The means of `batches` equal batches of the series, into means[batches]; the remainder is left out at the
 * front, where it is nearest to the warm-up. Returns the length of a batch; 0, and no means, when there are
 * fewer values than batches. */
size_t sim_batch_means(const double *values, size_t count, size_t batches, double *means);

/* The mean of the series by these batch means and Student's t, batches - 1 degrees of freedom. Needs batches >=
 * 2; of fewer values than batches nothing is known. */
struct sim_interval sim_interval_batch_means(const double *values, size_t count, size_t batches,
                                             double confidence);

#endif
