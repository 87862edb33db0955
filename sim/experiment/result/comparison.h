/* How the cells differ in what answers the question, in one sentence.
 *
 * By the values of the one key that varies, or that matters when the only other one does not (it moves the metric by
 * no more than 5 % at any of its values):
 *
 *     tier: premium 7.2 s, transaction-optimized 15.7 s (2.2 times as long).
 *
 * Otherwise by the best and the worst cell. Means of unlike cells are never averaged.
 */
#ifndef VDISIM_COMPARISON_H
#define VDISIM_COMPARISON_H

#include "sim/experiment/result/result.h"
#include "sim/experiment/result/text_table.h"

/* Nothing when there is one cell, or a value is missing. `metric` is a headline's. */
void comparison_print(const struct result *result, size_t metric, struct writer *writer,
                      const struct text_style *style);

#endif
