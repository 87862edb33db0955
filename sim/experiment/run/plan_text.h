/* How a plan is told: which cell got how many replications and why, in JSON and in sentences.
 *
 *     Replications by cell: 12 to 48, until the 95 % interval of profile_load.mean is within 2 % of the mean; at most 200.
 *       premium, 5 TiB ended at 200 replications within 2.6 %: the target was not reached
 *     Best: 10 TiB (profile_load.p95 7.9 s), with 95 % confidence unless another is within 0.5 s.
 *     Warm-up: found by MSER-5 in each run, 4 to 9 min, and left out.
 *     20 batches of one run: the intervals do not include what differs between runs.
 */
#ifndef VDISIM_PLAN_TEXT_H
#define VDISIM_PLAN_TEXT_H

#include "sim/experiment/result/result.h"
#include "sim/experiment/result/text_table.h"
#include "sim/experiment/result/writer.h"

/* "fixed", "reached", "not reached", "no value", "best", "not best", "undecided" */
const char *cell_fate_name(enum cell_fate fate);

/* An object of what was asked for, or null. */
void write_json_precision(struct writer *writer, const struct precision_target *precision);
void write_json_selection(struct writer *writer, const struct selection_request *selection);

/* The least and the most replications that a cell was given; the same with a fixed count. */
void replications_by_cell(const struct result *result, size_t *least, size_t *most);

/* The sentences; none for a plain run of a fixed count. */
void plan_print(const struct result *result, struct writer *writer, const struct text_style *style);

#endif
