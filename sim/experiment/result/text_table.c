#include "sim/experiment/result/text_table_inside.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

enum { GAP = 2 };

struct text_table *text_table_create(void)
{
    return calloc(1, sizeof(struct text_table));
}

void text_table_destroy(struct text_table *table)
{
    if (table == NULL)
        return;
    for (size_t i = 0; i < table->column_count; i++)
        for (size_t line = 0; line < HEADING_LINES; line++)
            free(table->columns[i].headings[line]);
    for (size_t i = 0; i < table->cell_count; i++)
        free(table->cells[i]);
    free(table->columns);
    free(table->cells);
    free(table);
}

bool text_table_is_empty(const struct text_table *table)
{
    return table->column_count == 0;
}

void text_table_column(struct text_table *table, const char *const headings[HEADING_LINES], bool to_the_right)
{
    assert(table->cell_count == 0);
    struct column *columns = realloc(table->columns, (table->column_count + 1) * sizeof *columns);
    if (columns == NULL) {
        table->incomplete = true;
        return;
    }
    table->columns = columns;
    struct column *column = &columns[table->column_count++];
    column->to_the_right = to_the_right;
    for (size_t line = 0; line < HEADING_LINES; line++) {
        column->headings[line] = strdup(headings[line]);
        if (column->headings[line] == NULL)
            table->incomplete = true;
    }
}

void text_table_cell(struct text_table *table, const char *text)
{
    if (table->cell_count == table->cell_capacity) {
        size_t capacity = table->cell_capacity == 0 ? 64 : 2 * table->cell_capacity;
        char **cells = realloc(table->cells, capacity * sizeof *cells);
        if (cells == NULL) {
            table->incomplete = true;
            return;
        }
        table->cells = cells;
        table->cell_capacity = capacity;
    }
    char *copy = strdup(text);
    if (copy == NULL)
        table->incomplete = true;
    else
        table->cells[table->cell_count++] = copy;
}

/* Characters shown, counting a code point as one. */
static size_t width_of(const char *text)
{
    size_t width = 0;
    for (; *text != '\0'; text++)
        width += ((unsigned char)*text & 0xc0) != 0x80;
    return width;
}

static size_t larger(size_t a, size_t b)
{
    return a > b ? a : b;
}

size_t text_table_span(const struct text_table *table, size_t first, size_t line)
{
    const char *heading = table->columns[first].headings[line];
    size_t span = 1;
    if (line + 1 < HEADING_LINES && heading[0] != '\0')
        while (first + span < table->column_count &&
               strcmp(table->columns[first + span].headings[line], heading) == 0)
            span++;
    return span;
}

static size_t span_width(const size_t *widths, size_t first, size_t span)
{
    size_t width = GAP * (span - 1);
    for (size_t i = first; i < first + span; i++)
        width += widths[i];
    return width;
}

static void measure(const struct text_table *table, size_t *widths)
{
    size_t columns = table->column_count;
    for (size_t i = 0; i < columns; i++)
        widths[i] = width_of(table->columns[i].headings[HEADING_LINES - 1]);
    for (size_t i = 0; i < table->cell_count; i++)
        widths[i % columns] = larger(widths[i % columns], width_of(table->cells[i]));
    for (size_t line = HEADING_LINES - 1; line-- > 0;)
        for (size_t first = 0; first < columns;) {
            size_t span = text_table_span(table, first, line);
            size_t needed = width_of(table->columns[first].headings[line]);
            size_t there = span_width(widths, first, span);
            if (needed > there)
                widths[first + span - 1] += needed - there;
            first += span;
        }
}

static void write_repeated(struct writer *writer, const char *text, size_t times)
{
    for (size_t i = 0; i < times; i++)
        write_text(writer, "%s", text);
}

void write_user_text(struct writer *writer, const char *text, const struct text_style *style)
{
    for (; *text != '\0'; text++) {
        unsigned char c = (unsigned char)*text;
        bool shown = c >= 0x20 && c != 0x7f && (c < 0x80 || style->utf8);
        if (shown)
            write_text(writer, "%c", c);
        else if ((c & 0xc0) != 0x80)
            write_text(writer, "?");
    }
}

/* `*pending` blanks are owed before the next text, so that no line ends in blanks. */
static void write_field(struct writer *writer, const char *text, size_t width, bool to_the_right,
                        size_t *pending, const struct text_style *style)
{
    size_t blanks = width - width_of(text);
    if (to_the_right)
        *pending += blanks;
    if (text[0] != '\0') {
        write_repeated(writer, " ", *pending);
        *pending = 0;
        write_user_text(writer, text, style);
    }
    if (!to_the_right)
        *pending += blanks;
    *pending += GAP;
}

static bool heading_line_is_empty(const struct text_table *table, size_t line)
{
    for (size_t i = 0; i < table->column_count; i++)
        if (table->columns[i].headings[line][0] != '\0')
            return false;
    return true;
}

static void print_headings(const struct text_table *table, const size_t *widths, struct writer *writer,
                           const struct text_style *style)
{
    for (size_t line = 0; line < HEADING_LINES; line++) {
        if (heading_line_is_empty(table, line))
            continue;
        size_t pending = 0;
        if (style->colour)
            write_text(writer, "\033[1m");
        for (size_t first = 0; first < table->column_count;) {
            size_t span = text_table_span(table, first, line);
            const struct column *column = &table->columns[first];
            write_field(writer, column->headings[line], span_width(widths, first, span),
                        column->to_the_right && span == 1, &pending, style);
            first += span;
        }
        write_text(writer, style->colour ? "\033[0m\n" : "\n");
    }
    write_repeated(writer, style->utf8 ? "\xe2\x94\x80" : "-", span_width(widths, 0, table->column_count));
    write_text(writer, "\n");
}

bool text_table_print(const struct text_table *table, struct writer *writer, const struct text_style *style)
{
    size_t columns = table->column_count;
    size_t *widths = calloc(columns + 1, sizeof *widths);
    if (table->incomplete || widths == NULL) {
        free(widths);
        return false;
    }
    measure(table, widths);
    if (columns > 0)
        print_headings(table, widths, writer, style);
    for (size_t i = 0, pending = 0; i < table->cell_count; i++) {
        write_field(writer, table->cells[i], widths[i % columns], table->columns[i % columns].to_the_right,
                    &pending, style);
        if (i % columns == columns - 1) {
            write_text(writer, "\n");
            pending = 0;
        }
    }
    free(widths);
    return true;
}
