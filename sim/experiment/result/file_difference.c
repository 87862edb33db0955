#define _GNU_SOURCE /* fopencookie */

#include "sim/experiment/result/file_difference.h"

#include "sim/experiment/result/result_csv.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum { LINE_MOST = 1 << 20 };

struct comparing {
    struct file_difference difference; /* first, so that one is the other */
    struct writer writer;
    FILE *old;
    struct sha256 hash;
    bool differs, line_is_whole;
    off_t offset, line_start; /* where the two are still the same */
    char *line;               /* the line now being written; after a difference the one it is in */
    size_t line_length, line_room;
    bool short_of_memory;
};

static void keep(struct comparing *it, char c)
{
    if (it->line_length == it->line_room && it->line_room < LINE_MOST) {
        size_t room = it->line_room == 0 ? 4096 : 2 * it->line_room;
        char *line = realloc(it->line, room);
        if (line == NULL) {
            it->short_of_memory = true;
            return;
        }
        it->line = line;
        it->line_room = room;
    }
    if (it->line_length < it->line_room)
        it->line[it->line_length++] = c;
}

static void compare_byte(struct comparing *it, char c)
{
    if (!it->differs) {
        int old = it->old == NULL ? EOF : getc(it->old);
        it->differs = old == EOF || (char)old != c;
    }
    if (it->line_is_whole)
        return;
    if (c != '\n') {
        keep(it, c);
    } else if (it->differs) {
        it->line_is_whole = true;
    } else {
        it->line_length = 0;
        it->difference.line++;
        it->line_start = it->offset + 1;
    }
    it->offset++;
}

static ssize_t take_bytes(void *cookie, const char *bytes, size_t count)
{
    struct comparing *it = cookie;
    sha256_add(&it->hash, bytes, count);
    for (size_t i = 0; i < count && !it->line_is_whole; i++)
        compare_byte(it, bytes[i]);
    return (ssize_t)count;
}

struct file_difference *file_difference_create(const char *path)
{
    struct comparing *it = calloc(1, sizeof *it);
    if (it == NULL)
        return NULL;
    sha256_init(&it->hash);
    it->difference.line = 1;
    it->old = fopen(path, "r");
    it->difference.is_there = it->old != NULL;
    it->writer.file = fopencookie(it, "w", (cookie_io_functions_t){.write = take_bytes});
    if (it->writer.file != NULL)
        return &it->difference;
    file_difference_destroy(&it->difference);
    return NULL;
}

struct writer *file_difference_writer(struct file_difference *difference)
{
    return &((struct comparing *)difference)->writer;
}

/* The fields of one row, copied. */
struct row {
    char **heading, **fields;
    size_t count;
};

static char **copy_texts(const char *const *texts, size_t count)
{
    char **copy = calloc(count + 1, sizeof *copy);
    for (size_t i = 0; copy != NULL && i < count; i++)
        copy[i] = strdup(texts[i]);
    return copy;
}

static bool take_row(void *context, const struct result_csv_row *row, const char **why)
{
    struct row *copy = context;
    (void)why;
    if (copy->count > 0)
        return false;
    copy->heading = copy_texts(row->heading, row->count);
    copy->fields = copy_texts(row->fields, row->count);
    copy->count = row->count;
    return true;
}

static void release_texts(char **texts, size_t count)
{
    for (size_t i = 0; texts != NULL && i < count; i++)
        free(texts[i]);
    free(texts);
}

static void release_row(struct row *row)
{
    release_texts(row->heading, row->count);
    release_texts(row->fields, row->count);
}

/* Reads a line below a heading; nothing in `row` when they do not fit together. */
static void parse_row(const char *heading, const char *line, size_t length, struct row *row)
{
    char *text = NULL, message[256];
    size_t size = 0;
    FILE *file = open_memstream(&text, &size);
    if (file == NULL)
        return;
    fprintf(file, "%s\n%.*s\n", heading, (int)length, line);
    fclose(file);
    file = text == NULL ? NULL : fmemopen(text, size, "r");
    if (file != NULL && !result_csv_read(file, "", take_row, row, message, sizeof message)) {
        release_row(row);
        *row = (struct row){0};
    }
    if (file != NULL)
        fclose(file);
    free(text);
}

static const char *field_of(const struct row *row, const char *column)
{
    for (size_t i = 0; i < row->count; i++)
        if (row->heading[i] != NULL && strcmp(row->heading[i], column) == 0)
            return row->fields[i];
    return NULL;
}

static void append(char text[DIFFERENCE_TEXT_SIZE], const char *format, const char *value)
{
    size_t length = strlen(text);
    if (value != NULL)
        snprintf(text + length, DIFFERENCE_TEXT_SIZE - length, format, value);
}

/* "mean of profile_load.mean in cell 2", "iops.mean [IOPS] in cell 2, replication 1" */
static void tell_field(struct file_difference *difference, const struct row *was, const struct row *is,
                       size_t column)
{
    append(difference->where, "%s", is->heading[column]);
    append(difference->where, " of %s", field_of(is, "metric"));
    append(difference->where, " in cell %s", field_of(is, "cell"));
    append(difference->where, ", replication %s", field_of(is, "replication"));
    append(difference->where, ", %s", field_of(is, "UserName"));
    append(difference->was, "%s", was->fields[column]);
    append(difference->is, "%s", is->fields[column]);
}

static size_t first_other_field(const struct row *was, const struct row *is)
{
    size_t column = 0;
    while (column < is->count && was->fields[column] != NULL && is->fields[column] != NULL &&
           strcmp(was->fields[column], is->fields[column]) == 0)
        column++;
    return column;
}

static void tell_line(struct comparing *it, const char *heading, const char *old_line)
{
    struct row was = {0}, is = {0};
    if (heading != NULL && old_line != NULL && it->difference.line > 1) {
        parse_row(heading, old_line, strlen(old_line), &was);
        parse_row(heading, it->line, it->line_length, &is);
    }
    size_t column = was.count == is.count && was.count > 0 ? first_other_field(&was, &is) : is.count;
    if (column < is.count && was.fields[column] != NULL && is.fields[column] != NULL) {
        tell_field(&it->difference, &was, &is, column);
    } else {
        append(it->difference.was, "%s", old_line);
        snprintf(it->difference.is, DIFFERENCE_TEXT_SIZE, "%.*s", (int)it->line_length,
                 it->line == NULL ? "" : it->line);
    }
    release_row(&was);
    release_row(&is);
}

/* One line of the old file from where it stands, without its end; NULL when there is none. */
static char *read_line(FILE *file, off_t offset)
{
    char *line = NULL;
    size_t room = 0;
    if (fseeko(file, offset, SEEK_SET) != 0)
        return NULL;
    ssize_t length = getline(&line, &room, file);
    if (length < 0) {
        free(line);
        return NULL;
    }
    if (length > 0 && line[length - 1] == '\n')
        line[length - 1] = '\0';
    return line;
}

bool file_difference_finish(struct file_difference *difference)
{
    struct comparing *it = (struct comparing *)difference;
    int error = it->writer.error;
    errno = 0;
    if (fclose(it->writer.file) != 0 && error == 0)
        error = errno != 0 ? errno : EIO;
    it->writer.file = NULL;
    sha256_finish(&it->hash, difference->sha256);
    if (it->old != NULL && !it->differs)
        it->differs = getc(it->old) != EOF;
    if (it->old != NULL && ferror(it->old))
        error = errno != 0 ? errno : EIO;
    difference->is_same = it->old != NULL && !it->differs;
    if (it->old != NULL && it->differs) {
        char *heading = read_line(it->old, 0), *old_line = read_line(it->old, it->line_start);
        tell_line(it, heading, old_line);
        free(heading);
        free(old_line);
    }
    if (it->short_of_memory)
        error = ENOMEM;
    errno = error;
    return error == 0;
}

void file_difference_destroy(struct file_difference *difference)
{
    struct comparing *it = (struct comparing *)difference;
    if (it == NULL)
        return;
    if (it->writer.file != NULL)
        fclose(it->writer.file);
    if (it->old != NULL)
        fclose(it->old);
    free(it->line);
    free(it);
}
