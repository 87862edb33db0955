/* A regression test of an experiment: what its predictions are now, against a baseline of what they were.
 *
 * First exactly: when every run has the fingerprint and the values it had, nothing has changed, whatever was done
 * to the program. Otherwise what moved, metric by metric: the paired difference, as both drew the same random
 * numbers, the largest first. A change of a model also changes which random number meets which request; so a small
 * movement may be that and nothing else, and says nothing when it is not beyond what the runs differ by anyway.
 */
#ifndef VDISIM_REGRESS_H
#define VDISIM_REGRESS_H

#include "sim/experiment/compare/baseline.h"
#include "sim/experiment/compare/difference.h"
#include "sim/experiment/result/text_table.h"

enum regress_outcome {
    REGRESS_IDENTICAL,
    REGRESS_MOVED,
    REGRESS_NO_BASELINE,
};

/* Whether a movement is more than noise. */
enum regress_noise {
    NOISE_BEYOND,  /* by its p-value, adjusted for all that moved */
    NOISE_LIKELY,  /* by its own p-value, and in the same direction in every run */
    NOISE_UNCLEAR, /* it may be noise */
    NOISE_UNKNOWN, /* one run, or no value on one side: nothing to tell by */
};

/* One metric that moved, in the cell where it moved most. */
struct regress_mover {
    const char *metric, *unit;
    const char *cell;             /* "" when there is one */
    size_t cells_moved;           /* in how many */
    struct difference difference; /* a: then, b: now */
    double p_adjusted;
    double size; /* |now - then| over the larger of both */
    enum regress_noise noise;
};

/* An expectation that was met and now is missed. */
struct regress_missed {
    const char *cell, *metric;
    double then, now;
};

struct regression {
    struct arena *arena;
    const char *experiment;
    enum regress_outcome outcome;
    size_t replications; /* compared */
    size_t cells, runs;  /* compared */
    size_t metrics;
    size_t runs_differing;        /* in the fingerprint */
    struct regress_mover *movers; /* the largest first */
    size_t mover_count;
    size_t values_moved; /* cells x metrics */
    const char **cells_added, **cells_removed, **metrics_added, **metrics_removed;
    size_t cells_added_count, cells_removed_count, metrics_added_count, metrics_removed_count;
    bool hash_differs; /* the experiment itself has changed */
    bool seed_differs; /* so nothing is paired */
    struct {
        size_t total, met, missed, not_judged;
    } expectations;
    struct regress_missed *newly_missed;
    size_t newly_missed_count;
    const char *moved; /* in one line, for the history */
};

/* `now` is the sample of `result`. `baseline` may be NULL. NULL when memory is short. */
struct regression *regress_create(const struct result *result, const struct sample *now,
                                  const struct baseline *baseline);
void regress_destroy(struct regression *regression);

/* At most about ten lines, and one document of an experiment without the line end. `file` is the experiment's,
 * `baseline_path` where its baseline is or would be. */
void regress_print(const struct regression *regression, const char *file, const char *baseline_path,
                   struct writer *writer, const struct text_style *style);
void regress_print_json(const struct regression *regression, const char *file, const char *baseline_path,
                        struct writer *writer);

#endif
