/* A CSV file as a table: a header and rows of as many fields, each field with its place.
 *
 * As spreadsheets write it: fields separated by commas, semicolons or tabs (what Excel's first line sep=; says,
 * else whichever the header has most of), quoted where needed, any line ends, a byte order mark or none. Lines
 * that begin with # before the header are skipped, empty lines ignored, blanks around unquoted fields dropped.
 * Decimal commas become points, see csv_decimal.h. A quote that is not closed
 * or stands inside an unquoted field, a row with too few or too many fields, an empty or repeated name in the
 * header and text that is not UTF-8 are problems.
 */
#ifndef VDISIM_EXPERIMENT_CSV_H
#define VDISIM_EXPERIMENT_CSV_H

#include "sim/experiment/read/arena.h"
#include "sim/experiment/read/problem.h"

#include <stdbool.h>
#include <stddef.h>

#define CSV_MAX_BYTES (64 * 1024 * 1024)

struct csv_field {
    const char *text; /* NUL-terminated, never NULL */
    struct position at;
};

struct csv_table {
    const char *name; /* of the file */
    size_t columns, rows;
    const struct csv_field *header; /* [columns] */
    const struct csv_field *fields; /* [row * columns + column] */
};

/* NULL with the problems added. `name` and the table belong to the arena; `text` need not outlive the call. */
const struct csv_table *csv_table_parse(struct arena *arena, const char *name, const char *text,
                                        size_t length, struct problems *problems);

const struct csv_table *csv_table_read(struct arena *arena, const char *path, struct problems *problems);

const struct csv_field *csv_table_field(const struct csv_table *table, size_t row, size_t column);

/* False when there is no such column. */
bool csv_table_column(const struct csv_table *table, const char *name, size_t *column);

#endif
