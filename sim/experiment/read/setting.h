/* One setting: a node read into the field that a row of a parameter table describes. */
#ifndef VDISIM_SETTING_H
#define VDISIM_SETTING_H

#include "sim/experiment/read/arena.h"
#include "sim/experiment/read/node.h"
#include "sim/experiment/read/problem.h"
#include "vdisim/parameter.h"

#include <stdbool.h>
#include <stddef.h>

/* What can receive the value of any row that is not a group. */
union field {
    int64_t integer;
    double number;
    bool boolean;
    int choice;
    const char *text;
    struct parameter_texts texts;
};

/* Reads a value of any type but PARAMETER_GROUP, with its range. `field` points to the member itself. Texts
 * go to the arena. False with the problem added at the node. */
bool setting_read(struct arena *arena, struct problems *problems, const struct parameter *row,
                  const struct node *node, void *field);

/* The value as an experiment file would have it; for PARAMETER_FRACTION "87.5 %", for a list "[a, b]". */
const char *setting_text(struct arena *arena, const struct parameter *row, const void *field);

/* The same for machines: exact, independent of units and of the order of choices. For hashing. */
const char *setting_exact(struct arena *arena, const struct parameter *row, const void *field);

/* "10 TiB", "true", "even": something a file could say for the row. */
const char *setting_example(const struct parameter *row);

/* "between 1 and 100,000", "at least 1 ms"; "" where there is no bound but 0. */
const char *setting_range(struct arena *arena, const struct parameter *row);

/* The bounds of a row with the defaults that parameter.h states. */
void setting_bounds(const struct parameter *row, double *minimum, double *maximum);

#endif
