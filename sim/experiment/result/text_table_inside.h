/* What the ways to print a table share. */
#ifndef VDISIM_TEXT_TABLE_INSIDE_H
#define VDISIM_TEXT_TABLE_INSIDE_H

#include "sim/experiment/result/text_table.h"

struct column {
    char *headings[HEADING_LINES];
    bool to_the_right;
};

struct text_table {
    struct column *columns;
    size_t column_count;
    char **cells;
    size_t cell_count, cell_capacity;
    bool incomplete;
};

/* How many columns from `first` on share its heading in this line. */
size_t text_table_span(const struct text_table *table, size_t first, size_t line);

#endif
