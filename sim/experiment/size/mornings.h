/* Mornings that stand for all: replications whose run effects are spread evenly over the law of the run effect.
 *
 * Near saturation a load rises much faster than the run effect does, and the mean over mornings is made by the few on which
 * the effect is large. A handful of replications as they come often has none of these, and neither its mean nor its spread
 * tells of them. So the law is cut into m parts, each as likely, the last of them (the largest effects) into halves three
 * times more, and each morning is the first replication whose effect falls into its part. With w the parts' chances and y
 * the values in the order of the parts (stratified sampling, one draw a stratum),
 *
 *     mean = sum w y,     var = sum w^2 d^2 / 2     with d(i) = y(i + 1) - y(i - 1), at the ends the one step there is,
 *
 * and Student's t with (sum g)^2 / sum g^2 degrees of freedom, g the terms of var (Satterthwaite). The differences are
 * those of noise where the effect changes nothing, and more than what a part varies by in itself where it does: the interval
 * is as wide as Student's in the one case, wider than needed in the other.
 *
 * m is 5, 10, 20, ...: parts are cut in two and the halves that are empty filled, so that no run is lost. Without a run
 * effect mornings are replications as they come, and the interval is Student's.
 */
#ifndef VDISIM_MORNINGS_H
#define VDISIM_MORNINGS_H

#include "vdisim/interval.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { MORNINGS_FIRST = 8, MORNINGS_MOST = 643 }; /* m + 3: 8, 13, 23, 43, 83, 163, 323, 643 */

struct logons_settings;

struct mornings {
    double effect_cv;
    const char *workload; /* that draws the effect */
    uint64_t seed;
    size_t next; /* replication to look at */
    size_t replications[MORNINGS_MOST];
    size_t parts[MORNINGS_MOST]; /* in which each is, 0 .. count - 1 */
    size_t count;
};

/* None yet; they will be replications from `first` on. The name of the workload must outlive them. */
void mornings_init(struct mornings *mornings, double effect_cv, const char *workload, uint64_t seed, size_t first);

/* How many there are after the next mornings_add(). */
size_t mornings_next_count(const struct mornings *mornings);

/* Takes on the next; mornings_next_count() must not be beyond MORNINGS_MOST. */
void mornings_add(struct mornings *mornings);

/* Of the mean over all mornings: values[i] is that of replications[i]. */
struct mornings_mean {
    double mean, standard_error;
    double degrees_of_freedom;
};
struct mornings_mean mornings_mean(const struct mornings *mornings, const double *values);

/* Student's interval of it that leaves `error` on either side. */
struct sim_interval mornings_interval(const struct mornings_mean *mean, double error);

#endif
