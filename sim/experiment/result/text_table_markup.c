/* A table as HTML and as Markdown. */
#include "sim/experiment/result/text_table_inside.h"

#include <string.h>

static bool line_is_empty(const struct text_table *table, size_t line)
{
    for (size_t i = 0; i < table->column_count; i++)
        if (table->columns[i].headings[line][0] != '\0')
            return false;
    return true;
}

static void print_html_headings(const struct text_table *table, struct writer *writer)
{
    write_text(writer, "<thead>\n");
    for (size_t line = 0; line < HEADING_LINES; line++) {
        if (line_is_empty(table, line))
            continue;
        write_text(writer, "<tr>");
        for (size_t first = 0; first < table->column_count;) {
            const size_t span = text_table_span(table, first, line);
            const char *heading = table->columns[first].headings[line];
            if (heading[0] == '\0') {
                write_text(writer, "<td></td>");
                first++;
                continue;
            }
            write_text(writer, "<th scope=\"%s\"", span > 1 ? "colgroup" : "col");
            if (span > 1)
                write_text(writer, " colspan=\"%zu\"", span);
            write_text(writer, "%s>", table->columns[first].to_the_right && span == 1 ? " class=\"n\"" : "");
            write_html_text(writer, heading);
            write_text(writer, "</th>");
            first += span;
        }
        write_text(writer, "</tr>\n");
    }
    write_text(writer, "</thead>\n");
}

bool text_table_print_html(const struct text_table *table, const char *caption, struct writer *writer)
{
    const size_t columns = table->column_count;
    if (table->incomplete)
        return false;
    if (columns == 0)
        return true;
    write_text(writer, "<div class=\"wide\" tabindex=\"0\" role=\"region\" aria-label=\"");
    write_html_text(writer, caption);
    write_text(writer, "\"><table>\n<caption>");
    write_html_text(writer, caption);
    write_text(writer, "</caption>\n");
    print_html_headings(table, writer);
    write_text(writer, "<tbody>\n");
    for (size_t i = 0; i < table->cell_count; i++) {
        const size_t column = i % columns;
        write_text(writer, "%s<td%s>", column == 0 ? "<tr>" : "",
                   table->columns[column].to_the_right ? " class=\"n\"" : "");
        write_html_text(writer, table->cells[i]);
        write_text(writer, "</td>%s", column == columns - 1 ? "</tr>\n" : "");
    }
    write_text(writer, "</tbody></table></div>\n");
    return true;
}

/* The lines of a heading in one. */
static void write_markdown_heading(const struct column *column, struct writer *writer)
{
    const char *before = "";
    for (size_t line = 0; line < HEADING_LINES; line++)
        if (column->headings[line][0] != '\0') {
            write_text(writer, "%s", before);
            write_markdown_text(writer, column->headings[line]);
            before = " ";
        }
}

bool text_table_print_markdown(const struct text_table *table, struct writer *writer)
{
    const size_t columns = table->column_count;
    if (table->incomplete)
        return false;
    if (columns == 0)
        return true;
    for (size_t i = 0; i < columns; i++) {
        write_text(writer, "| ");
        write_markdown_heading(&table->columns[i], writer);
        write_text(writer, " ");
    }
    write_text(writer, "|\n");
    for (size_t i = 0; i < columns; i++)
        write_text(writer, "%s", table->columns[i].to_the_right ? "|--:" : "|---");
    write_text(writer, "|\n");
    for (size_t i = 0; i < table->cell_count; i++) {
        write_text(writer, "| ");
        write_markdown_text(writer, table->cells[i]);
        write_text(writer, " %s", i % columns == columns - 1 ? "|\n" : "");
    }
    return true;
}
