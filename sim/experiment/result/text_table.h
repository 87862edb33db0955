/* A table for people: text in columns, numbers to the right, headings in up to three lines.
 *
 * A heading that stands in the same line of neighbouring columns is written once over all of them.
 *
 *     struct text_table *table = text_table_create();
 *     text_table_column(table, (const char *[]){"", "profile load, s", "mean"}, true);
 *     text_table_cell(table, "7.2");     cell after cell, row after row
 *     text_table_print(table, &writer, &style);
 *     text_table_destroy(table);
 *
 * Lack of memory makes it incomplete; text_table_print() then writes nothing and says so.
 */
#ifndef VDISIM_TEXT_TABLE_H
#define VDISIM_TEXT_TABLE_H

#include "sim/experiment/result/writer.h"

enum { HEADING_LINES = 3 };

struct text_style {
    bool utf8;
    bool colour;
};

struct text_table;

struct text_table *text_table_create(void);
void text_table_destroy(struct text_table *table);

/* All columns come before the first cell. The texts are copied. */
void text_table_column(struct text_table *table, const char *const headings[HEADING_LINES],
                       bool to_the_right);
void text_table_cell(struct text_table *table, const char *text);

/* False when memory was short. Failures to write are the writer's. */
bool text_table_print(const struct text_table *table, struct writer *writer, const struct text_style *style);

/* Whether it has no columns. */
bool text_table_is_empty(const struct text_table *table);

/* The same for a page, with a caption, and for Markdown. Nothing in a text is taken as markup. */
bool text_table_print_html(const struct text_table *table, const char *caption, struct writer *writer);
bool text_table_print_markdown(const struct text_table *table, struct writer *writer);

/* A text of the user's: control characters, and without UTF-8 all but ASCII, become '?'. */
void write_user_text(struct writer *writer, const char *text, const struct text_style *style);

#endif
