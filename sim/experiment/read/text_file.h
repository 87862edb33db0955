/* The text files an experiment is made of: its own, the catalogues added to it, its tables.
 *
 * What is read into an arena is remembered there by path, so that it can be told afterwards which files, with
 * which text, an experiment was read from: `files_read`. Texts can also be given beforehand: a file of that
 * path is then not looked for on the disk, which is how a result is run again from its own manifest.
 */
#ifndef VDISIM_TEXT_FILE_H
#define VDISIM_TEXT_FILE_H

#include "sim/experiment/read/arena.h"
#include "sim/experiment/read/problem.h"

#include <stdbool.h>
#include <stddef.h>

struct text_file {
    const char *path; /* as it was asked for */
    const char *text; /* NUL-terminated, without a byte order mark */
    size_t length;
};

/* A file of at most max_bytes, NUL-terminated, without a byte order mark, owned by the arena; its text is
 * shown with later problems. NULL with the problem added when it cannot be read or is too large. */
const char *text_file_read(struct arena *arena, const char *path, size_t max_bytes, size_t *length,
                           struct problems *problems);

/* Texts to take in place of the files of these paths. When any are given no file is read from the disk. They
 * must outlive the arena. */
void text_files_give(struct arena *arena, const struct text_file *files, size_t count);

/* Remembers a text that came from elsewhere as a file read. */
void text_file_note(struct arena *arena, const char *path, const char *text, size_t length);

/* The files read so far, each once, in the order of their first reading. Owned by the arena. */
const struct text_file *text_files_read(const struct arena *arena, size_t *count);

/* Checks that a text is UTF-8 without control characters other than tab and line ends. False with the problem
 * added. */
bool text_is_clean(const char *name, const char *text, size_t length, struct problems *problems);

#endif
