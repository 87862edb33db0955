/* How far a run has come, on standard error: a bar for people, or a line of JSON for scripts.
 *
 *     struct progress progress;
 *     progress_start(&progress, "small", PROGRESS_BAR);
 *     progress_aim(&progress, experiment_precision(experiment));
 *     struct run_options run = {.progress = progress_update, .progress_context = &progress, ...};
 *     ... experiment_execute() ...
 *     progress_finish(&progress, done, wanted);
 *
 * The bar is there only on a terminal that is not dumb, and is redrawn at most four times a second:
 *
 *     small [#############.............] 50/100   12.3 /s   4.1 s left   half-width 2.6 % of 2 %
 *
 * "50/100+" says that the plan decides at 100 whether it wants more. NDJSON is one object a line, terminal or not, at
 * most ten a second and always the last; keys are only ever added, what is not known is null:
 *
 *     {"event":"start","what":"small"}
 *     {"event":"unit","done":50,"wanted":100,"may_want_more":true,"elapsed_s":4.1,"rate_per_s":12.3,"left_s":4.1,
 *      "half_width":0.026,"half_width_wanted":0.02,"half_width_is_relative":true}
 *     {"event":"end","status":"finished","done":100,"wanted":100,"elapsed_s":8.2}
 *
 * `left_s` is for the units wanted so far. The status is "finished", "interrupted" or "failed".
 */
#ifndef VDISIM_PROGRESS_H
#define VDISIM_PROGRESS_H

#include "sim/experiment/result/result.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/* In this order, so that a `quiet` of true is PROGRESS_NONE. */
enum progress_style { PROGRESS_BAR, PROGRESS_NONE, PROGRESS_NDJSON };

/* "bar", "none" or "ndjson"; false for anything else. */
bool progress_style_of(const char *text, enum progress_style *style);

struct progress {
    enum progress_style style;
    FILE *out;
    const char *what;
    const struct precision_target *precision; /* NULL: none is aimed at */
    double started_s, shown_s;                /* monotonic clock */
    struct run_progress last;
    size_t
        started_done; /* units that were there before the first was run: kept ones do not count for the rate */
    bool is_told;     /* `last` was shown */
    bool is_under_way; /* updated at least once */
};

/* `what` stands before the bar and outlives it. */
void progress_start(struct progress *progress, const char *what, enum progress_style style);

/* The precision that run_progress.half_width is to be read by; it outlives the progress. NULL: none. */
void progress_aim(struct progress *progress, const struct precision_target *precision);

/* Usable as run_options.progress with a struct progress as its context. */
void progress_update(void *progress, const struct run_progress *now);

/* Leaves the bar with the time taken. done < wanted: it was interrupted; wanted 0: it failed. */
void progress_finish(struct progress *progress, size_t done, size_t wanted);

#endif
