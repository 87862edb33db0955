/* Quantities as people write them: a number and a unit, `10 TiB`, `40 MiB/s`, `60 min`, `87.5 %`, `20,000
 * /h`.
 *
 * Which units are allowed follows from the type of the parameter. A unit is required, except for a bare 0,
 * which is the same in all of them, and for counts and numbers, which have none. Numbers may have a decimal
 * point, an exponent and commas between thousands (in groups of three, and nothing else); they are read the
 * same in every locale. Infinite, undefined and negative quantities are refused (a plain number may be
 * negative), and so is what does not fit. KiB ... PiB are binary, kB ... PB decimal; KB, which people use for
 * both, is refused.
 */
#ifndef VDISIM_QUANTITY_H
#define VDISIM_QUANTITY_H

#include "vdisim/parameter.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct quantity {
    double number;      /* in the unit of the field (bytes/s, /s, 1), for all types */
    int64_t integer;    /* exact, for sizes (bytes), durations (ns) and counts */
    bool unlimited;     /* written `unlimited`: INFINITY and INT64_MAX */
    bool decimal_bytes; /* written in kB ... PB */
    const char *binary; /* then: the binary unit of the same letter, "TiB" or "TiB/s" */
};

/* Reads `text` as a quantity of the type, which is one of SIZE ... NUMBER. False: `message` says what is
 * wrong and what was expected (one sentence or two, no full stop at the end). */
bool quantity_parse(enum parameter_type type, const char *text, struct quantity *quantity, char *message,
                    size_t message_size);

/* The length of the number `text` begins with, blanks before it included, and its value; 0 if it begins with
 * none. */
size_t quantity_number(const char *text, double *value);

/* Writes a value for people in the shortest unit that keeps it exactly: 5497558138880 bytes is "5 TiB".
 * `integer` is used for sizes, durations and counts, `number` for the others; INFINITY and INT64_MAX are
 * "unlimited". What is written reads back to the same value (a double that no short decimal gives: to 17
 * digits). */
void quantity_format(enum parameter_type type, double number, int64_t integer, char *text, size_t size);

/* "12,345": a whole number with commas between thousands. */
void quantity_format_integer(int64_t integer, char *text, size_t size);

bool quantity_is_integer(enum parameter_type type);

/* "a size", "a duration", ... */
const char *quantity_noun(enum parameter_type type);

/* A regular expression (ECMA-262, unanchored ends excluded) that every quantity of the type matches; for the
 * schema. */
const char *quantity_pattern(enum parameter_type type);

/* "10 TiB", "60 min", ... */
const char *quantity_example(enum parameter_type type);

/* "KiB, MiB, ...": the units of a type, "" where there are none. */
const char *quantity_units(enum parameter_type type);

#endif
