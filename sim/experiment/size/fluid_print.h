/* A fluid answer for people and for programs. */
#ifndef VDISIM_FLUID_PRINT_H
#define VDISIM_FLUID_PRINT_H

#include "sim/experiment/result/text_table.h"
#include "sim/experiment/size/logons_of_store.h"

/* What the cell is called: "premium, 5 TiB"; "" for the only one. False when memory was short. */
bool fluid_print(const struct logons_of_store *logons, const struct fluid_answer *answer, const char *cell,
                 struct writer *writer, const struct text_style *style);

/* {"cell": {KEY: VALUE}, "store", "metrics": {NAME: {"unit", "value"}}, "demand": [{"workload", "load", "requests",
 * "operations", "egress", "ingress", "causes": {NAME: s}}], "limits": [{"limit", "unit", "rate", "mean", "peak",
 * "utilisation", "peak_minute", "held", "first_held"}], "credits": {"all", "least", "gone"}, "binds", "doubts": [...]} */
void fluid_print_json(const struct logons_of_store *logons, const struct fluid_answer *answer,
                      struct writer *writer);

#endif
