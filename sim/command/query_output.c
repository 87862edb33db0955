#include "sim/command/query_output.h"

#include "sim/command/terminal.h"
#include "sim/experiment/result/text_table.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct output {
    struct archive_rows rows; /* first, so that rows are an output */
    enum output_format format;
    struct writer *writer;
    char **names;
    size_t name_count;
    size_t row_count;
    struct text_table *table;
    bool short_of_memory;
};

/* A value as text, to be freed; NULL when memory is short. */
static char *text_of(const struct archive_value *value)
{
    char number[NUMBER_SIZE];
    switch (value->kind) {
    case VALUE_INTEGER:
        snprintf(number, sizeof number, "%" PRId64, value->integer);
        return strdup(number);
    case VALUE_REAL:
        number_text(number, value->real);
        return strdup(number[0] != '\0' ? number : value->real > 0 ? "inf" : "-inf");
    case VALUE_TEXT:
        return strndup((const char *)value->bytes, value->length);
    case VALUE_BLOB:
        break;
    case VALUE_NULL:
        return strdup("");
    }
    char *hex = malloc(2 * value->length + 1);
    if (hex != NULL)
        hex[0] = '\0';
    for (size_t i = 0; hex != NULL && i < value->length; i++)
        snprintf(hex + 2 * i, 3, "%02x", value->bytes[i]);
    return hex;
}

static bool take_columns(struct archive_rows *rows, const char *const *names, size_t count)
{
    struct output *output = (struct output *)rows;
    output->names = calloc(count + 1, sizeof *output->names);
    output->short_of_memory = output->names == NULL;
    for (size_t i = 0; !output->short_of_memory && i < count; i++) {
        output->names[output->name_count++] = strdup(names[i] == NULL ? "" : names[i]);
        output->short_of_memory = output->names[i] == NULL;
    }
    if (output->short_of_memory)
        return false;
    for (size_t i = 0; output->format == FORMAT_CSV && i < count; i++) {
        write_text(output->writer, i == 0 ? "" : ",");
        write_csv_text(output->writer, output->names[i]);
    }
    if (output->format == FORMAT_CSV && count > 0)
        write_text(output->writer, "\n");
    if (output->format == FORMAT_JSON)
        write_text(output->writer, "[");
    return true;
}

/* The columns of a table are known with the first row: numbers stand to the right. */
static void add_columns(struct output *output, const struct archive_value *values)
{
    for (size_t i = 0; i < output->name_count; i++) {
        bool is_number = values != NULL && (values[i].kind == VALUE_INTEGER || values[i].kind == VALUE_REAL);
        text_table_column(output->table, (const char *[]){"", "", output->names[i]}, is_number);
    }
}

static bool add_cells(struct output *output, const struct archive_value *values, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        char *text = text_of(&values[i]);
        if (text == NULL)
            return false;
        for (char *at = text; *at != '\0'; at++)
            if ((unsigned char)*at < 0x20 || *at == 0x7f)
                *at = ' ';
        text_table_cell(output->table, text);
        free(text);
    }
    return true;
}

static bool write_csv_row(const struct output *output, const struct archive_value *values, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        char *text = text_of(&values[i]);
        if (text == NULL)
            return false;
        write_text(output->writer, i == 0 ? "" : ",");
        write_csv_text(output->writer, text);
        free(text);
    }
    write_text(output->writer, "\n");
    return true;
}

static bool write_json_row(const struct output *output, const struct archive_value *values, size_t count)
{
    write_text(output->writer, output->row_count == 0 ? "\n  {" : ",\n  {");
    for (size_t i = 0; i < count; i++) {
        write_text(output->writer, i == 0 ? "" : ", ");
        write_json_text(output->writer, output->names[i]);
        write_text(output->writer, ": ");
        if (values[i].kind == VALUE_NULL) {
            write_text(output->writer, "null");
        } else if (values[i].kind == VALUE_INTEGER) {
            write_text(output->writer, "%" PRId64, values[i].integer);
        } else if (values[i].kind == VALUE_REAL) {
            write_json_number(output->writer, values[i].real);
        } else {
            char *text = text_of(&values[i]);
            if (text == NULL)
                return false;
            write_json_text(output->writer, text);
            free(text);
        }
    }
    write_text(output->writer, "}");
    return true;
}

static bool take_row(struct archive_rows *rows, const struct archive_value *values, size_t count)
{
    struct output *output = (struct output *)rows;
    bool fine = true;
    if (output->format == FORMAT_CSV) {
        fine = write_csv_row(output, values, count);
    } else if (output->format == FORMAT_JSON) {
        fine = write_json_row(output, values, count);
    } else {
        if (output->row_count == 0)
            add_columns(output, values);
        fine = add_cells(output, values, count);
    }
    output->row_count++;
    output->short_of_memory = !fine;
    return fine && output->writer->error == 0;
}

static void finish(struct output *output)
{
    struct text_style style = {.utf8 = terminal_utf8(), .colour = terminal_colour(stdout)};
    if (output->format == FORMAT_JSON)
        write_text(output->writer, output->row_count == 0 ? "]\n" : "\n]\n");
    if (output->format != FORMAT_TABLE || output->name_count == 0)
        return;
    if (output->row_count == 0)
        add_columns(output, NULL);
    output->short_of_memory = !text_table_print(output->table, output->writer, &style);
}

enum archive_status query_print(struct archive *archive, const char *sql, enum output_format format,
                                struct writer *writer, char message[UNIT_MESSAGE_SIZE])
{
    struct output output = {
        .rows = {take_columns, take_row}, .format = format, .writer = writer, .table = text_table_create()};
    message[0] = '\0';
    output.short_of_memory = output.table == NULL;
    enum archive_status status = ARCHIVE_FAILED;
    if (!output.short_of_memory)
        status = archive_ask(archive, sql, &output.rows, message);
    if (status == ARCHIVE_FINE)
        finish(&output);
    if (output.short_of_memory) {
        snprintf(message, UNIT_MESSAGE_SIZE, "out of memory");
        status = ARCHIVE_FAILED;
    }
    for (size_t i = 0; i < output.name_count; i++)
        free(output.names[i]);
    free(output.names);
    text_table_destroy(output.table);
    return status;
}
