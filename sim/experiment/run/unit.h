/* A unit: one cell for one replication, a world of its own, and what is left of it when it has run.
 *
 * Units are independent and deterministic: an outcome depends on nothing but the experiment, the cell and the
 * replication. So it makes no difference which thread or machine ran it, or when; it can be kept in an archive
 * and taken from there instead of being run again.
 */
#ifndef VDISIM_UNIT_H
#define VDISIM_UNIT_H

#include "sim/experiment/read/experiment.h"

#include <stdatomic.h>
#include <stdbool.h>

struct unit {
    size_t cell, replication; /* from 0 */
};

struct metric_name {
    char *name;
    char *unit;
};

/* Owns all that it points to. Zeroed it is an outcome that is not there yet. */
struct unit_outcome {
    bool done;
    struct metric_name *names;
    double *values; /* [metric], NaN where there is none */
    size_t metric_count;
    double *part_values; /* [part * metric_count + metric]: the batches of one long run, else NULL */
    size_t part_count;
    double run_effect;    /* multiplier of this run, 1 without */
    double run_effect_cv; /* of its law, 0 without */
    struct sim_account account;
    struct logon_record *logons;
    size_t logon_count;
    char **store_names;
    struct minute_record **minutes;            /* [store][minute] */
    size_t *minute_counts;                     /* [store] */
    size_t workload_count;                     /* told apart in the minutes, 0: none */
    struct workload_minute **workload_minutes; /* [store][minute * workload_count + workload] */
    size_t store_count;
    char **warnings;
    size_t warning_count;
};

void unit_release(struct unit_outcome *outcome);

/* The value of a metric, NaN when there is none of that name. */
double unit_metric(const struct unit_outcome *outcome, const char *name);

/* The result is UNIT_STOPPED when *stop became true in the middle. */
enum unit_end { UNIT_DONE, UNIT_STOPPED, UNIT_FAILED };

enum { UNIT_MESSAGE_SIZE = 1024 };

/* Someone who looks on while units run. */
struct unit_watch {
    /* Called by the thread that runs the unit, after each minute of the clock; it may read the world, not change it. */
    void (*look)(void *context, struct unit unit, struct world *world);
    void *context;
};

struct unit_run {
    const struct experiment *experiment;
    bool keep_records; /* logons and minutes */
    bool (*stop)(void *context);
    void *context;
    const struct unit_watch *watch; /* may be NULL */
};

/* Runs one. UNIT_FAILED leaves the reason, with cell and replication, in `message`; the outcome is empty then,
 * as it is when stopped. */
enum unit_end unit_execute(const struct unit_run *run, struct unit unit, struct unit_outcome *outcome,
                           char message[UNIT_MESSAGE_SIZE]);

#endif
