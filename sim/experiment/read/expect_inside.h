/* What expect.c and expect_table.c share: single expectations and those that come from tables. */
#ifndef VDISIM_EXPECT_INSIDE_H
#define VDISIM_EXPECT_INSIDE_H

#include "sim/experiment/read/expect.h"

struct expecting {
    struct arena *arena;
    struct problems *problems;
    const char *path;
    struct expect_cell *cells;
    size_t cell_count;
    bool narrowed;
};

void expect_refuse(const struct expecting *expecting, struct position at, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* The value of a setting in a cell: of a varied key, whole or by its tail, or of the file. NULL: not there. */
const char *expect_value_in(const struct expecting *expecting, const struct expect_cell *cell,
                            const char *key);

/* Whether some cell has the key; false with the problem added. */
bool expect_key_exists(const struct expecting *expecting, const char *key, struct position at);

void expect_attach(const struct expecting *expecting, struct expect_cell *cell,
                   const struct expectation *expectation);

/* A value of the metric; false with the problem added. */
bool expect_read_number(const struct expecting *expecting, const char *metric, const char *text,
                        struct position at, double *value);

/* The text of a scalar under `key`. NULL when it is missing (a problem if needed) or is no scalar (a
 * problem). */
const char *expect_scalar_text(const struct expecting *expecting, const struct node *map, const char *key,
                               bool needed);

/* The rule that `within` sets for the published value. False with the problem added. */
bool expect_read_within(const struct expecting *expecting, const struct node *map,
                        struct expectation *expectation);

/* An item with the key `table`: attaches an expectation a row to the cells among those that apply. */
void expect_from_table(const struct expecting *expecting, const struct node *map, const bool *applies,
                       const struct expectation *common);

#endif
