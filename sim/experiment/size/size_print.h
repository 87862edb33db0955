/* The answer of a search for a size, for people and for programs. */
#ifndef VDISIM_SIZE_PRINT_H
#define VDISIM_SIZE_PRINT_H

#include "sim/experiment/result/text_table.h"
#include "sim/experiment/size/size.h"

/* False when memory was short. */
bool size_print(const struct size_answer *answer, struct writer *writer, const struct text_style *style);

/* {"experiment", "version", "seed", "users", "data_gib", "runs", "met", "targets": [{"metric", "unit", "at_most" or
 * "at_least"}], "options": [{"rank", "tier", "fate": "met" | "missed" | "impossible" | "not sold", "why", "size_gib",
 * "shares", "cost_month", "currency", "price_list", "margin", "estimated", "binds", "binds_used", "targets": [{"metric", "mean", "bound",
 * "one_run", "with_20_percent_more"}], "meets_with_20_percent_more", "runs"}]} */
void size_print_json(const struct size_answer *answer, struct writer *writer);

#endif
