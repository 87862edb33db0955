/* Reads the CSV files of a result folder row by row; they can be larger than memory would like.
 *
 * The first row is the heading. Every row has as many fields as it; quotes are balanced; a byte order mark is
 * skipped. Anything else is refused with the line it stands in.
 */
#ifndef VDISIM_RESULT_CSV_H
#define VDISIM_RESULT_CSV_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

struct result_csv_row {
    const char *const *heading; /* the names of the columns */
    const char *const *fields;  /* empty text where there is no value */
    size_t count;
    size_t line; /* of the file, from 1 */
};

/* Takes a row; false ends the reading, with *why set to a fixed text. */
typedef bool result_csv_take(void *context, const struct result_csv_row *row, const char **why);

/* Reads to the end. False with a message (`name` and line in it) when the file is not as described, cannot be
 * read, has no heading, or a row was not taken. */
bool result_csv_read(FILE *in, const char *name, result_csv_take *take, void *context, char *message,
                     size_t message_size);

/* The field of the named column, NULL when there is no such column. */
const char *result_csv_field(const struct result_csv_row *row, const char *column);

/* The field as a number, NaN when it is empty or there is no such column or it is no finite number. */
double result_csv_number(const struct result_csv_row *row, const char *column);

/* The field as a count from 1 on, 0 when it is none. */
size_t result_csv_ordinal(const struct result_csv_row *row, const char *column);

#endif
