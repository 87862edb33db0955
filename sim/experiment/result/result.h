/* What an experiment gave: for each cell and metric the replications' values and their statistics.
 *
 * Units (cell, replication) are independent and deterministic; whatever the number of threads, a result holds
 * the same bytes. Filled by run.c, printed by table.c and json.c, written by folder.c, and read by nobody but
 * these.
 */
#ifndef VDISIM_RESULT_H
#define VDISIM_RESULT_H

#include "sim/experiment/read/experiment.h"
#include "sim/experiment/result/estimate.h"
#include "sim/experiment/run/keeper.h"
#include "sim/experiment/run/plan.h"
#include "sim/experiment/run/shard.h"
#include "sim/experiment/run/unit.h"

#include <stdatomic.h>

struct unit_result {
    double *metrics; /* result.metric_count values, NaN where missing */
    double *parts;   /* [part * result.metric_count + metric], NULL without batches */
    size_t part_count;
    double run_effect; /* multiplier of this run, 1 without */
    struct sim_account account;
    struct logon_record *logons;
    size_t logon_count;
    struct minute_record **minutes; /* [store] */
    size_t *minute_counts;
    size_t workload_count;                     /* told apart in the minutes, 0: none */
    struct workload_minute **workload_minutes; /* [store][minute * workload_count + workload] */
    bool done; /* false only in an interrupted result: the unit was not finished and holds nothing */
};

struct result {
    const struct experiment *experiment;
    size_t cell_count;
    size_t replications;     /* the most that any cell has */
    struct cell_plan *plans; /* [cell]: how many this one has, and why */
    size_t pilot;            /* replications of the first stage of a plan, 0 without */
    const struct selection_request
        *selection;              /* what the best cell was sought by, or NULL; outlives the result */
    struct metric_name *metrics; /* in the order reported */
    size_t metric_count;
    size_t store_count;
    char **store_names;
    struct unit_result *units;  /* [cell * replications + replication]; those not wanted are not done */
    struct estimate *estimates; /* [cell * metric_count + metric] */
    double *run_effect_cv;      /* [cell], 0 without a run effect */
    char **warnings;
    size_t warning_count;
    bool interrupted;
};

/* How far a run has come. */
struct run_progress {
    size_t done, wanted; /* units */
    bool may_want_more;  /* the plan decides after this round */
    double half_width; /* the widest of the cells that go on, NaN unless a precision is aimed at and known */
    double half_width_wanted;
};

struct run_options {
    size_t jobs;                    /* 0: as many as processors */
    bool keep_records;              /* keep logons and minutes for the result folder */
    const atomic_bool *cancel;      /* set by a signal handler; may be NULL */
    const struct unit_watch *watch; /* looks on while units run, by threads only; may be NULL */
    struct keeper *keeper;          /* where finished units are kept and taken from; may be NULL */
    bool only_kept;                 /* run nothing: what the keeper has not stays undone */
    bool by_mpi;                    /* this is rank 0 of an MPI job */
    struct shard shard;
    const struct selection_request *selection; /* may be NULL */
    /* Called under a lock after each finished unit, and at the beginning of a round; may be NULL. */
    void (*progress)(void *context, const struct run_progress *progress);
    void *progress_context;
};

/* Runs all units, each on one thread and with nothing shared but the count of units handed out. NULL with a
 * message when a world cannot be built, a run breaks down or memory is short. An interrupted run gives a
 * result with `interrupted` set; estimates then cover the finished units. The experiment must outlive the
 * result. */
struct result *experiment_execute(const struct experiment *experiment, const struct run_options *options,
                                  char *message, size_t message_size);
void result_destroy(struct result *result);

/* Fills `estimates` anew from the finished units; run.c has done so already. False when memory is short. */
bool result_summarize(struct result *result);

/* Units that were finished, and that were wanted. */
size_t result_done(const struct result *result);
size_t result_wanted(const struct result *result);

/* The replications of a cell that were finished. */
size_t result_cell_done(const struct result *result, size_t cell);

/* The index of a metric, or -1. */
ptrdiff_t result_metric(const struct result *result, const char *name);
const struct estimate *result_estimate(const struct result *result, size_t cell, size_t metric);

/* NO_VALUE: there is nothing to judge by - no such metric, no value in any run, or too few runs for an
 * interval. UNFINISHED: more than 1 % of the logons had not finished, so the value is that of the fastest. */
enum verdict { VERDICT_MET, VERDICT_MISSED, VERDICT_NO_VALUE, VERDICT_UNFINISHED };

const char *verdict_name(enum verdict verdict); /* "met", "missed", "no value", "unfinished" */

/* What an expectation is about: "iops.mean", or "iops.mean over shown_as: hdd" of a ratio. */
enum { EXPECTATION_TITLE_SIZE = 400 };
void expectation_title(char title[EXPECTATION_TITLE_SIZE], const struct expectation *expectation);

/* Holds an expectation against the prediction. *predicted is the estimate's mean, of a ratio that of the
 * two means, NaN without one. */
enum verdict result_verdict(const struct result *result, size_t cell, const struct expectation *expectation,
                            double *predicted);

#endif
