#include "sim/experiment/result/result_csv.h"

#include <csv.h>
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { COLUMNS_MOST = 4096 };

struct reading {
    result_csv_take *take;
    void *context;
    char **heading;
    size_t column_count;
    char *text; /* the fields of the row so far, one after the other */
    size_t text_size, text_capacity;
    size_t *offsets; /* of each field in `text`; as many as columns, or as many as there are yet */
    const char **fields;
    size_t field_count, field_capacity;
    size_t line;
    const char *why; /* NULL while all is well */
};

static bool grow_fields(struct reading *reading)
{
    if (reading->field_count < reading->field_capacity)
        return true;
    size_t capacity = reading->field_capacity == 0 ? 32 : 2 * reading->field_capacity;
    size_t *offsets = realloc(reading->offsets, capacity * sizeof *offsets);
    if (offsets != NULL)
        reading->offsets = offsets;
    const char **fields = realloc(reading->fields, capacity * sizeof *fields);
    if (fields != NULL)
        reading->fields = fields;
    if (offsets == NULL || fields == NULL)
        return false;
    reading->field_capacity = capacity;
    return true;
}

static bool grow_text(struct reading *reading, size_t more)
{
    if (reading->text_size + more <= reading->text_capacity)
        return true;
    size_t capacity = 2 * (reading->text_size + more);
    char *text = realloc(reading->text, capacity);
    if (text == NULL)
        return false;
    reading->text = text;
    reading->text_capacity = capacity;
    return true;
}

/* Counts the line ends inside a quoted field, too. */
static void take_field(void *field, size_t length, void *context)
{
    struct reading *reading = context;
    if (reading->why != NULL)
        return;
    if (reading->field_count == COLUMNS_MOST) {
        reading->why = "too many columns";
        return;
    }
    if (!grow_fields(reading) || !grow_text(reading, length + 1)) {
        reading->why = "out of memory";
        return;
    }
    const char *bytes = field;
    if (length > 0 && memchr(bytes, '\0', length) != NULL) {
        reading->why = "a NUL byte, so this is no text";
        return;
    }
    reading->offsets[reading->field_count++] = reading->text_size;
    if (length > 0)
        memcpy(reading->text + reading->text_size, bytes, length);
    reading->text[reading->text_size + length] = '\0';
    reading->text_size += length + 1;
}

static void keep_heading(struct reading *reading)
{
    static const char mark[] = "\xef\xbb\xbf";
    reading->heading = calloc(reading->field_count + 1, sizeof *reading->heading);
    if (reading->heading == NULL) {
        reading->why = "out of memory";
        return;
    }
    for (size_t i = 0; i < reading->field_count; i++) {
        const char *name = reading->text + reading->offsets[i];
        if (i == 0 && strncmp(name, mark, strlen(mark)) == 0)
            name += strlen(mark);
        reading->heading[i] = strdup(name);
        if (reading->heading[i] == NULL)
            reading->why = "out of memory";
        reading->column_count++;
    }
}

static void hand_over(struct reading *reading)
{
    if (reading->field_count != reading->column_count) {
        reading->why = "the row has more or fewer fields than the heading";
        return;
    }
    for (size_t i = 0; i < reading->field_count; i++)
        reading->fields[i] = reading->text + reading->offsets[i];
    struct result_csv_row row = {(const char *const *)reading->heading, reading->fields, reading->field_count,
                                 reading->line};
    if (!reading->take(reading->context, &row, &reading->why) && reading->why == NULL)
        reading->why = "not understood";
}

static void take_row(int terminator, void *context)
{
    struct reading *reading = context;
    (void)terminator;
    if (reading->why != NULL)
        return;
    if (reading->heading == NULL)
        keep_heading(reading);
    else
        hand_over(reading);
    reading->field_count = 0;
    reading->text_size = 0;
    if (reading->why == NULL)
        reading->line++;
}

static void parse_all(struct csv_parser *parser, FILE *in, struct reading *reading)
{
    char buffer[65536];
    size_t length;
    while (reading->why == NULL && (length = fread(buffer, 1, sizeof buffer, in)) > 0)
        if (csv_parse(parser, buffer, length, take_field, take_row, reading) != length &&
            reading->why == NULL)
            reading->why = csv_strerror(csv_error(parser));
    if (reading->why == NULL && ferror(in))
        reading->why = strerror(errno);
    if (reading->why == NULL && csv_fini(parser, take_field, take_row, reading) != 0 && reading->why == NULL)
        reading->why = "a quote is not closed";
    if (reading->why == NULL && reading->heading == NULL)
        reading->why = "the file is empty";
}

bool result_csv_read(FILE *in, const char *name, result_csv_take *take, void *context, char *message,
                     size_t message_size)
{
    struct reading reading = {.take = take, .context = context, .line = 1};
    struct csv_parser parser;
    if (csv_init(&parser, CSV_STRICT | CSV_STRICT_FINI) != 0) {
        snprintf(message, message_size, "out of memory");
        return false;
    }
    parse_all(&parser, in, &reading);
    csv_free(&parser);
    if (reading.why != NULL)
        snprintf(message, message_size, "%s:%zu: %s", name, reading.line, reading.why);

    for (size_t i = 0; i < reading.column_count; i++)
        free(reading.heading[i]);
    free(reading.heading);
    free(reading.text);
    free(reading.offsets);
    free(reading.fields);
    return reading.why == NULL;
}

const char *result_csv_field(const struct result_csv_row *row, const char *column)
{
    for (size_t i = 0; i < row->count; i++)
        if (strcmp(row->heading[i], column) == 0)
            return row->fields[i];
    return NULL;
}

double result_csv_number(const struct result_csv_row *row, const char *column)
{
    const char *field = result_csv_field(row, column);
    if (field == NULL || field[0] == '\0')
        return NAN;
    char *end;
    double value = strtod(field, &end);
    return *end == '\0' && isfinite(value) ? value : NAN;
}

size_t result_csv_ordinal(const struct result_csv_row *row, const char *column)
{
    const char *field = result_csv_field(row, column);
    if (field == NULL || field[0] < '0' || field[0] > '9')
        return 0;
    char *end;
    errno = 0;
    unsigned long long value = strtoull(field, &end, 10);
    return *end == '\0' && errno == 0 && value <= 1000000000 ? (size_t)value : 0;
}
