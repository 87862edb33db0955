/* The units of each dimension: data for quantity.c and quantity_format.c. */
#ifndef VDISIM_QUANTITY_UNIT_H
#define VDISIM_QUANTITY_UNIT_H

#include "vdisim/parameter.h"

/* value in the unit of the field = number * factor / divisor; one of the two is 1. */
struct unit {
    const char *name;
    double factor, divisor;
    const char *binary; /* of a decimal unit of bytes: the binary one it is mistaken for */
};

/* What people write and what they mean by it, where case alone does not tell. */
struct unit_hint {
    const char *written, *meant;
};

struct dimension {
    const char *noun;              /* "a size" */
    const char *example;           /* "10 TiB" */
    const char *listing;           /* the units, for a message */
    const struct unit *units;      /* closed by a NULL name; in the order in which formatting prefers them */
    const struct unit_hint *hints; /* closed by NULL */
};

/* Of SIZE ... NUMBER; asserts otherwise. Counts and numbers have no units. */
const struct dimension *dimension_of(enum parameter_type type);

#endif
