/* Short names for people: of a cell, of the values it varies, of numbers.
 *
 * Files and JSON carry full keys and values; tables, sentences and pictures carry these.
 */
#ifndef VDISIM_LABEL_H
#define VDISIM_LABEL_H

#include "sim/experiment/result/result.h"

enum { LABEL_SIZE = 128 };

/* `azure-files/premium` -> `premium`, `20000 /h` -> `20,000 /h`, `true` -> `on`, anything else as it is. */
void value_label(char label[LABEL_SIZE], const char *value);

/* Whether a value starts as a number does, with or without a unit. */
bool is_quantity(const char *text);

/* The number with thousands separators and `decimals` digits after the point; "-" for NaN and infinities. */
void number_label(char label[LABEL_SIZE], double value, int decimals);

/* Digits after the point that suit a column of numbers whose smallest non-zero magnitude is this. */
int decimals_for(double smallest);

/* The values that tell this cell from the others, "premium, 20,000"; "all" in an experiment of one cell. */
void cell_label(char label[LABEL_SIZE], const struct experiment *experiment, size_t cell);

/* The unit, with the blank before it (" /h"), that the quantities of a key have in all cells, which then need not
 * stand behind each; "" when they differ, or some are no quantities. */
const char *shared_unit(const struct experiment *experiment, size_t key);

/* The unit of a quantity as written, from the blank before it; "" without one. */
const char *unit_of_value(const char *value);

/* Whether the values of this key differ between cells. `key` indexes the assignments of the first cell. */
bool key_varies(const struct experiment *experiment, size_t key);

/* How well a metric answers the question of an experiment: 0 for profile_load.mean, with or without the name of
 * a workload before it, the same highest rank for all that are not known to. */
size_t headline_rank(const char *metric);
bool is_headline(const char *metric); /* one that is known to */

/* "profile load" for profile_load.mean; a metric without a title is its own. */
const char *headline_title(const char *metric);

/* The length of a workload's name and its dot before the metrics of logons, boots, ...: 8 of
 * "morning.profile_load.mean", 0 of "profile_load.mean" and of other metrics. */
size_t workload_prefix(const char *metric);

#endif
