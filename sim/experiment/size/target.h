/* A target: a metric that is to stay below, or above, a value, and whether runs say that it does.
 *
 *     profile_load.p95 <= 15 s        throttled.fraction <= 0.1 %       iops.mean >= 2000
 *
 * It is met with a confidence when the one-sided bound of the metric's mean over mornings (mornings.h) is on the right
 * side of the limit.
 * Several targets need no correction: to call all met, each has to be (an intersection-union test).
 */
#ifndef VDISIM_TARGET_H
#define VDISIM_TARGET_H

#include "sim/experiment/result/estimate.h"
#include "sim/experiment/size/mornings.h"

#include <stdbool.h>
#include <stddef.h>

enum { TARGETS_MAX = 16, TARGET_NAME_SIZE = 96, TARGET_MESSAGE_SIZE = 300 };

struct target {
    char metric[TARGET_NAME_SIZE];
    char unit[16]; /* as the metric is reported; filled in by whoever knows it */
    bool at_most;  /* else at least */
    double limit;
    const char *text; /* as written */
};

/* False with one line of why. `text` outlives the target. */
bool target_parse(struct target *target, const char *text, char message[TARGET_MESSAGE_SIZE]);

/* Targets that no run can meet together, or at all. False with one line of why. */
bool targets_are_possible(const struct target *targets, size_t count, char message[TARGET_MESSAGE_SIZE]);

/* What the runs of one option say of one target. */
struct standing {
    double mean, bound; /* of the mean, on the side of the limit; NaN: not known */
    double one_run;     /* where one run may lie, 95 %, on that side */
    bool met, missed;   /* beyond doubt; neither: not known yet */
};

/* values[i], effects[i]: of mornings->replications[i]; NaN where a run had no value: then it is missed. `error`: the chance
 * of calling it met when it is not. */
struct standing target_judge(const struct target *target, const struct mornings *mornings, const double *values,
                             const double *effects, double error);

/* Whether so many mornings that are like these are likely to call it met. A guess, for a search to go by: the mean is that of
 * the line through effects and values at the effects' mean of 1, and its standard error falls with the 5/4th power of their number
 * (measured; with the root where there is no run effect). */
bool target_promises(const struct target *target, const struct mornings *mornings, const double *values,
                     const double *effects, size_t wanted, double error);

/* Whether a single value is on the right side; NaN is not. */
bool target_holds(const struct target *target, double value);

/* How far a value is within the limit, as a share of the limit: negative beyond it, -INFINITY for NaN. */
double target_margin(const struct target *target, double value);

#endif
