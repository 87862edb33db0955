/* Explaining a cell of an experiment: where the time goes, which limit binds when, and what would help.
 *
 * The cell is run once, with its run effect taken out, so that it is a run of the usual kind. Each instant of a logon is
 * charged to one phase and one cause (outcome.h), so the parts add up to the load time to the nanosecond. Then the
 * cell is run again with one thing changed at a time, a limit lifted, a feature turned on, users spread over longer; what
 * is tried is what a good part of the time was charged to. All runs draw the same random numbers, so that a difference is
 * that of the change. What is tried counts no more than twice as many runs as running the experiment does.
 *
 * Of several cells each is run once, and the slowest is explained in full.
 *
 *     struct explanation *it = explanation_create(experiment, &request, problems);
 *     if (explanation_run(it, &run, message, size) == EXPLAIN_DONE &&        a run for each cell
 *         explanation_try(it, &run, message, size) == EXPLAIN_DONE)          and one for each change
 *         explanation_print(it, &writer, &style);
 *     explanation_destroy(it);
 */
#ifndef VDISIM_EXPLAIN_H
#define VDISIM_EXPLAIN_H

#include "sim/experiment/read/variants.h"
#include "sim/experiment/result/result.h"
#include "sim/experiment/result/text_table.h"
#include "vdisim/entitlement.h"

enum { EXPLAIN_TEXT = 64 };

struct explain_request {
    size_t cell; /* from 1; 0: not said */
    const char *const *
        only; /* "KEY=VALUE" each: of the cells that have these values; KEY as under vary or its short name */
    size_t only_count;
    ptrdiff_t tries; /* changes to try at most; -1: as many as keep within twice the run */
};

/* What takes the time of a cell's workload. */
enum explain_subject {
    SUBJECT_LOGON,
    SUBJECT_BOOT,
    SUBJECT_JOB,
    SUBJECT_THROUGHPUT, /* load that is told in bytes a second */
    SUBJECT_REQUESTS,   /* none of these: the stores are looked at */
};

/* How long a logon, a boot or a job takes, over all of a run. */
struct explain_time {
    double median, p95, mean; /* s; of throughput the mean is in MiB/s; NaN when not known */
    size_t count, unfinished;
    bool median_is_bound, p95_is_bound; /* longer: that one had not finished when the run ended */
    double over_30_s;                   /* share of the logons */
};

/* A row of where the time goes: s is the mean per logon, and all rows add up to the mean. */
struct explain_part {
    const char *name;      /* "egress limit", for programs */
    const char *words;     /* "waiting for egress: profiles sends at most 675 MiB/s" */
    enum wait_cause cause; /* CAUSE_COUNT: none, such as what was still under way */
    double s, share;
    int64_t ns; /* of all logons together */
    int64_t phase_ns[PHASE_COUNT];
};

/* Minutes in which a store answered in one way. */
struct explain_spell {
    size_t store;
    size_t from_minute, to_minute; /* from 0, the last one included */
    enum response_type bound;      /* RESPONSE_SUCCESS: nothing throttled */
    double throttled;              /* share of the requests */
    double iops, egress, ingress;  /* means; MiB/s */
    double server_ms, e2e_ms;
    double credits_least; /* NaN where there are none */
};

/* Burst credits of a store. */
struct explain_credits {
    size_t store;
    double full, base_iops, burst_iops;
    double least, last;       /* in the run; in its last minute */
    ptrdiff_t ran_out_minute; /* from 0; -1: they did not */
    double present_iops;      /* of the last minutes */
    double empty_after_s;     /* at the present load, from the end of the run; INFINITY: never */
    double full_after_s;      /* the same */
    double full_after_idle_s; /* without any load */
};

/* Something changed, and what that gives. */
struct explain_change {
    const char *name;  /* "egress" */
    const char *words; /* "profiles sent as much as asked for" */
    const struct variant_value *values;
    size_t value_count;
    double expected;     /* share of the time that it might save */
    double order;        /* in which it is tried, the largest first */
    const char *why_not; /* it could not be run; NULL */
    struct explain_time time;
    const char *then; /* what then takes the most of it; "" when not known */
    double carried;   /* of a limit that was lifted: what the store did in its busiest minute; NaN */
    const char *carried_unit, *carried_by;
    double
        saved; /* share of the mean; of throughput, what is gained; NaN: too many had not finished to tell */
    bool saved_is_bound; /* more: too many had not finished without the change */
};

/* A threshold that somebody published, and how the cell stands to it. */
struct explain_threshold {
    const char *words, *source;
    double value, measured;
    const char *unit;
    bool exceeded;
};

struct explain_cell {
    size_t number; /* of the experiment, from 0 */
    enum explain_subject subject;
    char prefix[64]; /* of its metrics: "morning." */
    struct explain_time time;
    const char *sentence;
    struct explain_part *parts; /* the largest first */
    size_t part_count;
    double requests;  /* per logon */
    int64_t total_ns; /* of all logons: the sum of all parts */
    struct explain_spell *spells;
    size_t spell_count;
    struct explain_credits *credits;
    size_t credits_count;
    struct explain_threshold *thresholds;
    size_t threshold_count;
};

struct explanation {
    struct arena *arena;                 /* owns all else */
    const struct experiment *experiment; /* outlives it */
    struct explain_request request;
    size_t *numbers; /* of the cells looked at */
    size_t cell_count;
    struct explain_cell *cells;
    size_t chosen;                                /* index in cells: the one explained in full */
    size_t budget;                                /* changes that may be tried */
    struct experiment *base, *varied, *described; /* the cells; the changes; the one explained, by itself */
    struct result *result, *tried;                /* of base, of varied */
    struct explain_change *changes;               /* the most helpful first */
    size_t change_count;
    size_t left_out; /* changes that might help and were not tried */
};

/* NULL with problems added: no such cell, or memory is short. */
struct explanation *explanation_create(const struct experiment *experiment,
                                       const struct explain_request *request, struct problems *problems);
void explanation_destroy(struct explanation *explanation);

enum explain_end { EXPLAIN_DONE, EXPLAIN_INTERRUPTED, EXPLAIN_FAILED };

/* Runs each cell once and accounts for its time; then what may help. `run` as for experiment_execute(). But for DONE
 * `message` says why not. */
enum explain_end explanation_run(struct explanation *explanation, const struct run_options *run,
                                 char *message, size_t message_size);
enum explain_end explanation_try(struct explanation *explanation, const struct run_options *run,
                                 char *message, size_t message_size);

/* Sentences and tables for people. False when memory was short. */
bool explanation_print(const struct explanation *explanation, struct writer *writer,
                       const struct text_style *style);

/* JSON, one document; its shape is in docs/explain.md. */
void explanation_print_json(const struct explanation *explanation, struct writer *writer);

/* "11 min 20 s", "7.3 s", "2 h 5 min" of seconds. */
void explain_duration(char text[EXPLAIN_TEXT], double s);

#endif
