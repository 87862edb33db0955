/* The inside of a sensitivity study: choosing its inputs, and its points as an experiment. */
#ifndef VDISIM_SENSITIVITY_INSIDE_H
#define VDISIM_SENSITIVITY_INSIDE_H

#include "sim/experiment/compare/sensitivity.h"

#include "sim/experiment/read/opening.h"

#define RUN_EFFECT "run_effect" /* the setting of a workload that spreads its runs */

/* Fills inputs, unvaried and silenced. What is wrong is added to `problems`. */
void sensitivity_choose_inputs(struct sensitivity *sensitivity, struct problems *problems);

/* The value of an input at a place in [0, 1], as a file would have it. */
const char *sensitivity_value_text(struct arena *arena, const struct sensitivity_input *input, double place);

/* An experiment with a cell for each point whose values do not contradict each other. cells[point] is its cell or
 * -1; *contradiction is what was said of the first that has none, or NULL (owned by the
 * experiment). To be closed by
 * experiment_close(), before the experiment of the study. NULL when memory is short. */
struct experiment *sensitivity_open_points(const struct sensitivity *sensitivity, const double *points,
                                           size_t count, ptrdiff_t *cells, const char **contradiction);

#endif
