/* Unfinished logons: those that had begun but not finished when a run ended.
 *
 * They have no load time. Where they are more than a few, what is reported of profile_load is that of the
 * fastest logons and only a lower bound, so it is printed as such and no expectation is judged by it. With
 * several workloads each has metrics of its own, `NAME.profile_load.mean` and `NAME.logons.unfinished`.
 */
#ifndef VDISIM_UNFINISHED_H
#define VDISIM_UNFINISHED_H

#include "sim/experiment/result/result.h"

/* Some logons are always under way when a run ends: at an even rate of arrivals as many as come in the time of one load.
 * More than twice that, or a tenth, and more than this share of all, makes a load time a lower bound. */
#define UNFINISHED_TOLERATED 0.01

/* Logons of one workload in one cell, the mean of a run; 0 and 0 where they are not reported. */
struct logon_count {
    double unfinished, all;
};

/* Of the logons that the metric is about: one of `profile_load`, with or without a workload's name. */
struct logon_count logon_count_of(const struct result *result, size_t cell, const char *metric);

/* The rule, of counts over the same runs, the mean load and the length of a run. */
bool unfinished_are_too_many(double unfinished, double all, double load_s, double run_s);

/* Whether a metric is one of profile_load in a cell where more logons are unfinished than is tolerated. */
bool metric_is_of_the_fastest(const struct result *result, size_t cell, const char *metric);

/* Whether that is so in some cell for some workload. */
bool any_load_is_of_the_fastest(const struct result *result);

#endif
