#include "sim/experiment/read/text_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static struct position whole_file(const char *name)
{
    return (struct position){.file = name};
}

/* Reads up to max_bytes + 1 bytes. Returns a malloc'ed text, NULL with errno. */
static char *read_all(int descriptor, size_t max_bytes, size_t *length)
{
    size_t room = 16384;
    char *text = malloc(room + 1);
    *length = 0;
    while (text != NULL) {
        if (*length == room) {
            room *= 2;
            char *larger = realloc(text, room + 1);
            if (larger == NULL)
                break;
            text = larger;
        }
        ssize_t got = read(descriptor, text + *length, room - *length);
        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0)
            break;
        *length += (size_t)got;
        text[*length] = '\0';
        if (got == 0 || *length > max_bytes)
            return text;
    }
    int error = text == NULL ? ENOMEM : errno;
    free(text);
    errno = error;
    return NULL;
}

struct text_files {
    struct text_file *read;
    size_t count;
    const struct text_file *given;
    size_t given_count;
};

static struct text_files *files_of(struct arena *arena)
{
    void **companion = arena_companion(arena);
    if (*companion == NULL)
        *companion = ARENA_NEW(arena, struct text_files);
    return *companion;
}

void text_files_give(struct arena *arena, const struct text_file *files, size_t count)
{
    files_of(arena)->given = files;
    files_of(arena)->given_count = count;
}

void text_file_note(struct arena *arena, const char *path, const char *text, size_t length)
{
    struct text_files *files = files_of(arena);
    for (size_t i = 0; i < files->count; i++)
        if (strcmp(files->read[i].path, path) == 0)
            return;
    ARENA_GROW(arena, files->read, files->count);
    files->read[files->count++] = (struct text_file){arena_text(arena, path), text, length};
}

const struct text_file *text_files_read(const struct arena *arena, size_t *count)
{
    const struct text_files *files = *arena_companion((struct arena *)arena);
    *count = files == NULL ? 0 : files->count;
    return files == NULL ? NULL : files->read;
}

static const char *read_given(struct arena *arena, const char *path, size_t *length,
                              struct problems *problems)
{
    const struct text_files *files = files_of(arena);
    for (size_t i = 0; i < files->given_count; i++) {
        if (strcmp(files->given[i].path, path) != 0)
            continue;
        *length = files->given[i].length;
        problems_show_source(problems, path, files->given[i].text, *length);
        text_file_note(arena, path, files->given[i].text, *length);
        return files->given[i].text;
    }
    problem_add(problems, PROBLEM_ERROR, whole_file(path), "is not among the files that were given");
    return NULL;
}

const char *text_file_read(struct arena *arena, const char *path, size_t max_bytes, size_t *length,
                           struct problems *problems)
{
    if (files_of(arena)->given != NULL)
        return read_given(arena, path, length, problems);
    int descriptor = open(path, O_RDONLY | O_CLOEXEC);
    char *text = descriptor >= 0 ? read_all(descriptor, max_bytes, length) : NULL;
    int error = errno;
    if (descriptor >= 0)
        close(descriptor);
    if (text == NULL) {
        problem_add(problems, PROBLEM_ERROR, whole_file(path), "cannot be read: %s", strerror(error));
        return NULL;
    }
    arena_defer(arena, free, text);
    if (*length > max_bytes) {
        problem_add(problems, PROBLEM_ERROR, whole_file(path),
                    "is larger than %zu MiB; this is not such a file", max_bytes / 1024 / 1024);
        return NULL;
    }
    size_t mark = *length >= 3 && memcmp(text, "\xEF\xBB\xBF", 3) == 0 ? 3 : 0;
    *length -= mark;
    problems_show_source(problems, path, text + mark, *length);
    text_file_note(arena, path, text + mark, *length);
    return text + mark;
}

/* The length of the well-formed UTF-8 sequence at `text`, 0 if there is none. */
static size_t utf8_length(const unsigned char *text, size_t left)
{
    static const uint32_t smallest[] = {0, 0, 0x80, 0x800, 0x10000};
    size_t length = text[0] < 0x80    ? 1
                    : text[0] >= 0xF8 ? 0
                    : text[0] >= 0xF0 ? 4
                    : text[0] >= 0xE0 ? 3
                    : text[0] >= 0xC2 ? 2
                                      : 0;
    if (length <= 1)
        return length;
    if (length > left)
        return 0;
    uint32_t code = text[0] & (0x7FU >> length);
    for (size_t i = 1; i < length; i++) {
        if ((text[i] & 0xC0) != 0x80)
            return 0;
        code = code << 6 | (text[i] & 0x3FU);
    }
    if (code < smallest[length] || code > 0x10FFFF || (code >= 0xD800 && code <= 0xDFFF))
        return 0;
    return length;
}

bool text_is_clean(const char *name, const char *text, size_t length, struct problems *problems)
{
    const unsigned char *bytes = (const unsigned char *)text;
    if (length >= 2 && ((bytes[0] == 0xFF && bytes[1] == 0xFE) || (bytes[0] == 0xFE && bytes[1] == 0xFF))) {
        problem_add(problems, PROBLEM_ERROR, whole_file(name), "is UTF-16; save it as UTF-8");
        return false;
    }
    struct position at = {.file = name, .line = 1, .column = 1};
    for (size_t i = 0; i < length;) {
        size_t step = utf8_length(bytes + i, length - i);
        unsigned char c = bytes[i];
        at.end_column = at.column + 1;
        if (step == 0) {
            problem_add(problems, PROBLEM_ERROR, at, "byte 0x%02X is not UTF-8; save the file as UTF-8", c);
            return false;
        }
        bool control = (c < 0x20 && c != '\t' && c != '\n' && c != '\r') || c == 0x7F ||
                       (c == 0xC2 && bytes[i + 1] < 0xA0 && bytes[i + 1] != 0x85);
        if (control) {
            problem_add(problems, PROBLEM_ERROR, at, "control character 0x%02X: this is not a text file",
                        c == 0xC2 ? bytes[i + 1] : c);
            return false;
        }
        i += step;
        at.column++;
        if (c == '\n') {
            at.line++;
            at.column = 1;
        }
    }
    return true;
}
