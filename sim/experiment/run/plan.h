/* A plan: how many replications each cell gets.
 *
 * Three kinds, each asking for units in rounds and deciding by nothing but the outcomes of finished rounds:
 *   a fixed count, in one round;
 *   a target precision: Stein's two-stage rule (two_stage.h), each cell on its own;
 *   a selection of the best cell: the procedure of Kim and Nelson (selection.h), which ends a cell's replications
 *   as soon as it is known not to be the best.
 */
#ifndef VDISIM_PLAN_H
#define VDISIM_PLAN_H

#include "sim/experiment/run/unit.h"

/* Which cell is best. */
struct selection_request {
    const char *metric;  /* the smallest is best, except of throughput and IOPS */
    double indifference; /* in the metric's unit: a smaller difference does not matter */
    double confidence;
    size_t at_most; /* replications */
};

/* What came of the plan in one cell. */
enum cell_fate {
    CELL_PLAIN,       /* a fixed count */
    CELL_REACHED,     /* the precision */
    CELL_NOT_REACHED, /* at_most came first */
    CELL_NO_VALUE,    /* the metric has no value there */
    CELL_LOWER_BOUND, /* too many logons are unfinished: the value is that of the fastest */
    CELL_BEST,
    CELL_NOT_BEST,
    CELL_UNDECIDED, /* at_most came first: the best is among these */
};

struct cell_plan {
    size_t wanted; /* replications: they are 0 .. wanted - 1 */
    enum cell_fate fate;
    double half_width; /* of the metric aimed at, reached so far; NaN */
};

struct plan;

/* `request` NULL: as the experiment says. NULL when memory is short. */
struct plan *plan_create(const struct experiment *experiment, const struct selection_request *request);
void plan_destroy(struct plan *plan);

/* [cell]; valid until the plan ends. Those of the first round from the beginning. */
const struct cell_plan *plan_cells(const struct plan *plan);

/* Looks at the outcomes of all units wanted so far, outcomes[cell][replication]. True: some cell wants more.
 * False: it is complete, or memory is short (*failed). */
bool plan_next(struct plan *plan, struct unit_outcome *const *outcomes, bool *failed);

/* The widest half-width of the cells that go on, as the target is meant (relative or not); NaN when not known. */
double plan_worst_half_width(const struct plan *plan);

/* Replications of the first stage of a target precision, whose variance the intervals rest on; 0 without. */
size_t plan_pilot(const struct plan *plan);

/* Whether a round that is over may be followed by another. */
bool plan_is_open(const struct plan *plan);

#endif
