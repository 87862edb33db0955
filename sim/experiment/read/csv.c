#include "sim/experiment/read/csv.h"

#include "sim/experiment/read/csv_decimal.h"
#include "sim/experiment/read/document.h"

#include <csv.h>
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

enum { BAD_ROWS_TOLD = 20 };

/* libcsv tells neither line nor column, so it is fed byte by byte and we count. */
struct csv_reading {
    struct arena *arena;
    const char *name;
    struct problems *problems;
    struct position at;    /* of the byte being fed */
    struct position start; /* of the field being read */
    struct csv_field *fields;
    size_t count;     /* fields in all */
    size_t row_start; /* first field of the row being read */
    size_t columns, rows;
    size_t bad_rows;
    char separator;
    bool failed;
};

static void end_field(void *text, size_t length, void *context)
{
    struct csv_reading *reading = context;
    ARENA_GROW(reading->arena, reading->fields, reading->count);
    struct position at = reading->start;
    at.end_column = reading->at.line == at.line ? reading->at.column : at.column + 1;
    reading->fields[reading->count++] = (struct csv_field){
        .text = text != NULL ? arena_text_n(reading->arena, text, length) : "",
        .at = at,
    };
}

/* Whether a row has too many fields by a comma between digits, as in 1,500. */
static bool has_split_number(const struct csv_reading *reading, size_t fields)
{
    for (size_t i = 1; i < fields && fields > reading->columns && reading->separator == ','; i++) {
        const struct csv_field *field = &reading->fields[reading->row_start + i];
        size_t length = strlen(field[-1].text);
        if (length > 0 && isdigit((unsigned char)field[-1].text[length - 1]) &&
            isdigit((unsigned char)field->text[0]))
            return true;
    }
    return false;
}

static void end_row(int terminator, void *context)
{
    (void)terminator;
    struct csv_reading *reading = context;
    size_t fields = reading->count - reading->row_start;
    if (reading->columns == 0) {
        reading->columns = fields;
    } else if (fields != reading->columns) {
        problem_add(
            reading->problems, PROBLEM_ERROR, reading->fields[reading->row_start].at,
            "this row has %zu field%s, the header %zu%s", fields, fields == 1 ? "" : "s", reading->columns,
            has_split_number(reading, fields)
                ? "; a number with commas stands in quotes, \"1,500\", and a fraction has a point, 1.5"
                : "");
        reading->bad_rows++;
        reading->failed = true;
    } else {
        reading->rows++;
    }
    reading->row_start = reading->count;
}

/* Past the comment lines at the top. */
static const char *skip_comments(const char *text, const char *end, size_t *line)
{
    while (text < end && *text == '#') {
        const char *newline = memchr(text, '\n', (size_t)(end - text));
        text = newline != NULL ? newline + 1 : end;
        ++*line;
    }
    return text;
}

/* Excel's first line sep=; tells the separator: returns it and moves past the line. '\0' without one. */
static char take_separator(const char **text, const char *end, size_t *line)
{
    const char *c = *text, *newline = memchr(c, '\n', (size_t)(end - c));
    bool quoted = c < end && *c == '"';
    size_t length = (size_t)((newline != NULL ? newline : end) - c);
    while (length > 0 && (c[length - 1] == '\r' || c[length - 1] == ' '))
        length--;
    if (length != 5 + 2 * (size_t)quoted || strncmp(c + quoted, "sep=", 4) != 0 ||
        strchr(",;\t", c[4 + quoted]) == NULL || (quoted && c[6] != '"'))
        return '\0';
    *text = newline != NULL ? newline + 1 : end;
    ++*line;
    return c[4 + quoted];
}

/* The separator the first line has most of, outside quotes. */
static char sniff(const char *text, const char *end)
{
    size_t commas = 0, semicolons = 0, tabs = 0;
    bool quoted = false;
    for (; text < end && (quoted || (*text != '\n' && *text != '\r')); text++) {
        if (*text == '"')
            quoted = !quoted;
        if (quoted)
            continue;
        commas += *text == ',';
        semicolons += *text == ';';
        tabs += *text == '\t';
    }
    if (semicolons > commas)
        return tabs > semicolons ? '\t' : ';';
    return tabs > commas ? '\t' : ',';
}

static void refuse_syntax(struct csv_reading *reading, struct position at, const char *what)
{
    at.end_column = at.column + 1;
    problem_add(reading->problems, PROBLEM_ERROR, at, "%s", what);
    reading->failed = true;
}

static void feed(struct csv_reading *reading, struct csv_parser *parser, const char *text, const char *end)
{
    bool between = true; /* before the first byte of a field */
    for (; text < end; text++) {
        if (reading->bad_rows == BAD_ROWS_TOLD)
            return;
        size_t before = reading->count;
        if (between)
            reading->start = reading->at;
        between = between && (*text == ' ' || *text == '\n' || *text == '\r');
        if (csv_parse(parser, text, 1, end_field, end_row, reading) != 1) {
            refuse_syntax(reading, reading->at,
                          "a quote (\") inside a field, or text after its closing quote: quote the "
                          "whole field and double the quotes inside it");
            return;
        }
        between = between || reading->count != before;
        if (((unsigned char)*text & 0xC0) != 0x80)
            reading->at.column++;
        if (*text == '\n') {
            reading->at.line++;
            reading->at.column = 1;
        }
    }
    if (csv_fini(parser, end_field, end_row, reading) != 0)
        refuse_syntax(reading, reading->start, "this field opens with a quote that is never closed");
}

static void check_header(struct csv_reading *reading)
{
    for (size_t i = 0; i < reading->columns; i++) {
        if (reading->fields[i].text[0] == '\0')
            refuse_syntax(reading, reading->fields[i].at, "a column without a name");
        for (size_t j = 0; j < i && reading->columns <= 1000; j++)
            if (strcmp(reading->fields[i].text, reading->fields[j].text) == 0)
                refuse_syntax(reading, reading->fields[i].at, "two columns have this name");
    }
}

/* Excel's "Unicode text", with or without a mark at its start. */
static bool is_utf16(const char *text, size_t length)
{
    const unsigned char *bytes = (const unsigned char *)text;
    if (length < 2)
        return false;
    if ((bytes[0] == 0xFF && bytes[1] == 0xFE) || (bytes[0] == 0xFE && bytes[1] == 0xFF))
        return true;
    return length >= 4 && bytes[0] + bytes[1] != 0 && bytes[2] + bytes[3] != 0 &&
           ((bytes[0] == 0 && bytes[2] == 0) || (bytes[1] == 0 && bytes[3] == 0));
}

static void release_parser(void *parser)
{
    csv_free(parser);
    free(parser);
}

const struct csv_table *csv_table_parse(struct arena *arena, const char *name, const char *text,
                                        size_t length, struct problems *problems)
{
    struct position whole = {.file = name};
    if (length >= 3 && memcmp(text, "\xEF\xBB\xBF", 3) == 0) {
        text += 3;
        length -= 3;
    }
    if (is_utf16(text, length)) {
        problem_add(problems, PROBLEM_ERROR, whole, "is UTF-16; save it as UTF-8 (in Excel: CSV UTF-8)");
        return NULL;
    }
    if (!text_is_clean(name, text, length, problems))
        return NULL;
    struct csv_parser *parser = calloc(1, sizeof *parser);
    if (parser == NULL || csv_init(parser, CSV_STRICT | CSV_STRICT_FINI | CSV_APPEND_NULL) != 0) {
        free(parser);
        problem_add(problems, PROBLEM_ERROR, whole, "out of memory");
        return NULL;
    }
    arena_defer(arena, release_parser, parser);

    struct csv_reading *reading = ARENA_NEW(arena, struct csv_reading);
    *reading = (struct csv_reading){.arena = arena, .name = name, .problems = problems};
    const char *end = text + length;
    size_t line = 1;
    reading->separator = take_separator(&text, end, &line);
    const char *start = skip_comments(text, end, &line);
    if (reading->separator == '\0')
        reading->separator = sniff(start, end);
    reading->at = reading->start = (struct position){.file = name, .line = line, .column = 1};
    csv_set_delim(parser, (unsigned char)reading->separator);
    feed(reading, parser, start, end);
    if (!reading->failed && reading->columns == 0) {
        problem_add(problems, PROBLEM_ERROR, whole, "is empty; a table begins with a line of column names");
        return NULL;
    }
    if (!reading->failed)
        check_header(reading);
    if (reading->failed ||
        !csv_use_decimal_points(arena, reading->separator, reading->fields + reading->columns,
                                reading->columns * reading->rows, problems))
        return NULL;
    struct csv_table *table = ARENA_NEW(arena, struct csv_table);
    *table = (struct csv_table){.name = name,
                                .columns = reading->columns,
                                .rows = reading->rows,
                                .header = reading->fields,
                                .fields = reading->fields + reading->columns};
    return table;
}

const struct csv_table *csv_table_read(struct arena *arena, const char *path, struct problems *problems)
{
    size_t length;
    const char *text = text_file_read(arena, path, CSV_MAX_BYTES, &length, problems);
    return text != NULL ? csv_table_parse(arena, path, text, length, problems) : NULL;
}

const struct csv_field *csv_table_field(const struct csv_table *table, size_t row, size_t column)
{
    return &table->fields[row * table->columns + column];
}

bool csv_table_column(const struct csv_table *table, const char *name, size_t *column)
{
    for (*column = 0; *column < table->columns; ++*column)
        if (strcmp(table->header[*column].text, name) == 0)
            return true;
    return false;
}
