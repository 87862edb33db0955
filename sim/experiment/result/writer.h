/* A writer: a stdio stream that remembers its first failure, so that whoever prints a whole document checks
 * once.
 *
 *     struct writer writer = {.file = file};
 *     write_text(&writer, "cell,%zu\n", cell);
 *     if (!writer_close(&writer)) report strerror(writer.error);
 *
 * The functions below it write the exchange formats the same way everywhere: numbers with the fewest
 * digits that read back as the same double, whatever the locale; JSON text escaped; CSV fields quoted as RFC
 * 4180 when they need it.
 */
#ifndef VDISIM_WRITER_H
#define VDISIM_WRITER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

struct writer {
    FILE *file;
    int error; /* errno of the first failure, 0 while all is well */
};

void write_text(struct writer *writer, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Pushes out what is buffered. False when anything failed so far. */
bool writer_flush(struct writer *writer);

/* fsync and fclose. False when anything failed so far; the file is closed in any case. */
bool writer_close(struct writer *writer);

enum { NUMBER_SIZE = 40 };

/* The shortest decimal text of a finite double that reads back the same; "" for NaN and infinities. */
void number_text(char text[NUMBER_SIZE], double value);

/* A number, or null for NaN and infinities. */
void write_json_number(struct writer *writer, double value);
void write_json_text(struct writer *writer, const char *text);

/* A number, or nothing for NaN and infinities. */
void write_csv_number(struct writer *writer, double value);
void write_csv_text(struct writer *writer, const char *text);

/* A text as the content of an HTML or SVG element, or of an attribute in double quotes. Control characters become
 * blanks. */
void write_html_text(struct writer *writer, const char *text);

/* A text in a line of Markdown, shown as it is. */
void write_markdown_text(struct writer *writer, const char *text);

#endif
