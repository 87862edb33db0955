#include "sim/experiment/read/problem.h"

#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { MESSAGE_BYTES = 512, SHOWN_OF_A_FILE = 20, KEPT = 1000, EXCERPT_COLUMNS = 160 };

struct problem {
    struct position at; /* file: owned by problems->files */
    size_t file;        /* index in problems->files */
    size_t number;
    enum problem_level level;
    char message[MESSAGE_BYTES];
};

struct file {
    char *name;
    char *text; /* NULL: not to be shown */
    size_t length;
};

struct problems {
    struct problem *list;
    size_t count;
    struct file *files;
    size_t file_count;
    size_t errors, warnings; /* also those that were not kept */
    size_t reported;         /* errors with their repetitions */
};

struct problems *problems_create(void)
{
    return calloc(1, sizeof(struct problems));
}

void problems_destroy(struct problems *problems)
{
    if (problems == NULL)
        return;
    for (size_t i = 0; i < problems->file_count; i++) {
        free(problems->files[i].name);
        free(problems->files[i].text);
    }
    free(problems->files);
    free(problems->list);
    free(problems);
}

static struct file *file_of(struct problems *problems, const char *name)
{
    for (size_t i = 0; i < problems->file_count; i++)
        if (strcmp(problems->files[i].name, name) == 0)
            return &problems->files[i];
    struct file *files = realloc(problems->files, (problems->file_count + 1) * sizeof *files);
    if (files == NULL)
        return NULL;
    problems->files = files;
    char *copy = strdup(name);
    if (copy == NULL)
        return NULL;
    files[problems->file_count] = (struct file){.name = copy};
    return &files[problems->file_count++];
}

void problems_show_source(struct problems *problems, const char *name, const char *text, size_t length)
{
    struct file *file = file_of(problems, name);
    if (file == NULL)
        return;
    free(file->text);
    file->text = malloc(length + 1);
    if (file->text == NULL)
        return;
    memcpy(file->text, text, length);
    file->text[length] = '\0';
    file->length = length;
}

static bool already_known(const struct problems *problems, const struct problem *problem)
{
    for (size_t i = 0; i < problems->count; i++) {
        const struct problem *other = &problems->list[i];
        if (other->file == problem->file && other->at.line == problem->at.line &&
            other->at.column == problem->at.column && other->level == problem->level &&
            strcmp(other->message, problem->message) == 0)
            return true;
    }
    return false;
}

void problem_add(struct problems *problems, enum problem_level level, struct position at, const char *format,
                 ...)
{
    struct problem problem = {.at = at, .level = level, .number = problems->count};
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(problem.message, sizeof problem.message, format, arguments);
    va_end(arguments);
    for (char *c = problem.message; *c != '\0'; c++) /* a terminal must not be steered by a quoted text */
        if ((unsigned char)*c < 0x20 || *c == 0x7F)
            *c = '?';

    problems->reported += level == PROBLEM_ERROR;
    struct file *file = file_of(problems, at.file != NULL ? at.file : "");
    if (file != NULL) {
        problem.file = (size_t)(file - problems->files);
        if (already_known(problems, &problem))
            return;
    }
    if (level == PROBLEM_ERROR)
        problems->errors++;
    else
        problems->warnings++;
    if (file == NULL || problems->count == KEPT)
        return;
    if ((problems->count & (problems->count - 1)) == 0) {
        size_t room = problems->count == 0 ? 1 : 2 * problems->count;
        struct problem *list = realloc(problems->list, room * sizeof *list);
        if (list == NULL)
            return;
        problems->list = list;
    }
    problems->list[problems->count++] = problem;
}

size_t problems_errors(const struct problems *problems)
{
    return problems->errors;
}

size_t problems_reported(const struct problems *problems)
{
    return problems->reported;
}

size_t problems_warnings(const struct problems *problems)
{
    return problems->warnings;
}

static int compare(const void *left, const void *right)
{
    const struct problem *a = left, *b = right;
    if (a->file != b->file)
        return a->file < b->file ? -1 : 1;
    if (a->at.line != b->at.line)
        return a->at.line < b->at.line ? -1 : 1;
    if (a->at.column != b->at.column)
        return a->at.column < b->at.column ? -1 : 1;
    return a->number < b->number ? -1 : a->number > b->number;
}

/* A sorted copy, or NULL when there is nothing or no memory. */
static struct problem *sorted(const struct problems *problems)
{
    if (problems->count == 0)
        return NULL;
    struct problem *list = malloc(problems->count * sizeof *list);
    if (list == NULL)
        return NULL;
    memcpy(list, problems->list, problems->count * sizeof *list);
    qsort(list, problems->count, sizeof *list, compare);
    return list;
}

/* One code point of UTF-8; bytes that are none count as one each. */
static size_t code_point(const char *text, const char *end, uint32_t *code)
{
    unsigned char first = (unsigned char)*text;
    size_t length = first < 0x80 ? 1 : first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : first >= 0xC0 ? 2 : 1;
    if (length > (size_t)(end - text))
        length = 1;
    *code = length == 1 ? first : first & (0x7FU >> length);
    for (size_t i = 1; i < length; i++) {
        if (((unsigned char)text[i] & 0xC0) != 0x80) {
            *code = first;
            return 1;
        }
        *code = *code << 6 | ((unsigned char)text[i] & 0x3FU);
    }
    return length;
}

/* Columns of a terminal: East Asian wide characters and emoji take two, combining marks none. */
static size_t display_width(uint32_t code)
{
    static const struct {
        uint32_t first, last;
    } wide[] = {{0x1100, 0x115F}, {0x2E80, 0xA4CF}, {0xAC00, 0xD7A3},   {0xF900, 0xFAFF},  {0xFE30, 0xFE6F},
                {0xFF00, 0xFF60}, {0xFFE0, 0xFFE6}, {0x1F300, 0x1FAFF}, {0x20000, 0x3FFFD}};
    if (code >= 0x300 && code <= 0x36F)
        return 0;
    for (size_t i = 0; i < sizeof wide / sizeof wide[0]; i++)
        if (code >= wide[i].first && code <= wide[i].last)
            return 2;
    return 1;
}

static const char *find_line(const struct file *file, size_t line, const char **end)
{
    const char *text = file->text, *stop = file->text + file->length;
    for (size_t i = 1; i < line; i++) {
        text = memchr(text, '\n', (size_t)(stop - text));
        if (text == NULL)
            return NULL;
        text++;
    }
    const char *newline = memchr(text, '\n', (size_t)(stop - text));
    *end = newline != NULL ? newline : stop;
    if (*end > text && (*end)[-1] == '\r')
        (*end)--;
    return text;
}

/* The line of the file and a mark below the place. A long line is shown from a little before the place. */
static void print_excerpt(const struct file *file, struct position at, FILE *out, bool colour)
{
    const char *end = NULL, *text = file->text == NULL ? NULL : find_line(file, at.line, &end);
    if (text == NULL || at.column == 0)
        return;
    size_t first_column = at.column > 100 ? at.column - 60 : 1;
    size_t column = 1, width = 0, mark_start = 0, mark_width = 0;
    fprintf(out, "%5zu | ", at.line);
    while (text < end && column < first_column + EXCERPT_COLUMNS) {
        uint32_t code;
        size_t length = code_point(text, end, &code);
        if (column >= first_column) {
            if (column == at.column)
                mark_start = width;
            bool printable = code >= 0x20 && code != 0x7F && !(code >= 0x80 && length == 1) &&
                             !(code >= 0x80 && code < 0xA0);
            size_t columns = printable ? display_width(code) : 1;
            if (printable)
                fwrite(text, 1, length, out);
            else
                fputc(code == '\t' ? ' ' : '?', out);
            width += columns;
            if (column >= at.column && column < at.end_column)
                mark_width += columns;
        }
        text += length;
        column++;
    }
    if (column <= at.column)
        mark_start = width;
    fprintf(out, "\n      | %*s%s^", (int)mark_start, "", colour ? "\033[1;32m" : "");
    for (size_t i = 1; i < mark_width; i++)
        fputc('~', out);
    fprintf(out, "%s\n", colour ? "\033[0m" : "");
}

static void print_problem(const struct problems *problems, const struct problem *problem, FILE *out,
                          bool colour)
{
    const struct file *file = &problems->files[problem->file];
    bool error = problem->level == PROBLEM_ERROR;
    const char *start = !colour ? "" : error ? "\033[1;31m" : "\033[1;35m";
    fprintf(out, "%s", file->name);
    if (problem->at.line > 0)
        fprintf(out, ":%zu:%zu", problem->at.line, problem->at.column);
    fprintf(out, "%s%s%s%s: %s\n", file->name[0] != '\0' ? ": " : "", start, error ? "error" : "warning",
            colour ? "\033[0m" : "", problem->message);
    if (problem->at.line > 0)
        print_excerpt(file, problem->at, out, colour);
}

void problems_print(const struct problems *problems, FILE *out, bool colour)
{
    struct problem *list = sorted(problems);
    for (size_t i = 0; list != NULL && i < problems->count;) {
        size_t end = i;
        while (end < problems->count && list[end].file == list[i].file)
            end++;
        for (size_t j = i; j < end && j < i + SHOWN_OF_A_FILE; j++)
            print_problem(problems, &list[j], out, colour);
        if (end - i > SHOWN_OF_A_FILE)
            fprintf(out, "%s: and %zu more\n", problems->files[list[i].file].name, end - i - SHOWN_OF_A_FILE);
        i = end;
    }
    free(list);
    if (problems->errors + problems->warnings > problems->count)
        fprintf(out, "and %zu more that were not kept\n",
                problems->errors + problems->warnings - problems->count);
}

static void print_json_text(const char *text, FILE *out)
{
    fputc('"', out);
    const char *end = text + strlen(text);
    while (text < end) {
        uint32_t code;
        size_t length = code_point(text, end, &code);
        if (code == '"' || code == '\\')
            fprintf(out, "\\%c", (char)code);
        else if (code < 0x20 || code == 0x7F || (length == 1 && code >= 0x80))
            fprintf(out, "\\u%04x", (unsigned)code);
        else
            fwrite(text, 1, length, out);
        text += length;
    }
    fputc('"', out);
}

void problems_print_json(const struct problems *problems, FILE *out)
{
    struct problem *list = sorted(problems);
    fputc('[', out);
    for (size_t i = 0; list != NULL && i < problems->count; i++) {
        const struct problem *problem = &list[i];
        fprintf(out, "%s\n  {\"file\": ", i > 0 ? "," : "");
        print_json_text(problems->files[problem->file].name, out);
        fprintf(out, ", \"line\": %zu, \"column\": %zu, \"level\": \"%s\", \"message\": ", problem->at.line,
                problem->at.column, problem->level == PROBLEM_ERROR ? "error" : "warning");
        print_json_text(problem->message, out);
        fputc('}', out);
    }
    fputs(list != NULL ? "\n]" : "]", out);
    free(list);
}
