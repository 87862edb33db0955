#include "sim/experiment/result/writer.h"

#include <csv.h>
#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void remember(struct writer *writer)
{
    if (writer->error == 0)
        writer->error = errno != 0 ? errno : EIO;
}

void write_text(struct writer *writer, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    errno = 0;
    if (vfprintf(writer->file, format, arguments) < 0)
        remember(writer);
    va_end(arguments);
}

bool writer_flush(struct writer *writer)
{
    errno = 0;
    if (fflush(writer->file) != 0 || ferror(writer->file))
        remember(writer);
    return writer->error == 0;
}

bool writer_close(struct writer *writer)
{
    writer_flush(writer);
    errno = 0;
    if (fsync(fileno(writer->file)) != 0 && errno != EINVAL && errno != EROFS)
        remember(writer);
    errno = 0;
    if (fclose(writer->file) != 0)
        remember(writer);
    writer->file = NULL;
    return writer->error == 0;
}

void number_text(char text[NUMBER_SIZE], double value)
{
    text[0] = '\0';
    if (!isfinite(value))
        return;
    if (value == 0)
        value = 0; /* no "-0" */
    for (int digits = 15; digits <= 17; digits++) {
        snprintf(text, NUMBER_SIZE, "%.*g", digits, value);
        if (strtod(text, NULL) == value)
            return;
    }
}

void write_json_number(struct writer *writer, double value)
{
    char text[NUMBER_SIZE];
    number_text(text, value);
    write_text(writer, "%s", text[0] == '\0' ? "null" : text);
}

static void write_bytes(struct writer *writer, const char *bytes, size_t length)
{
    errno = 0;
    if (fwrite(bytes, 1, length, writer->file) != length)
        remember(writer);
}

static void write_json_escape(struct writer *writer, unsigned char c)
{
    if (c == '"' || c == '\\')
        write_text(writer, "\\%c", c);
    else if (c == '\n')
        write_text(writer, "\\n");
    else
        write_text(writer, "\\u%04x", c);
}

static bool needs_json_escape(unsigned char c)
{
    return c < 0x20 || c == '"' || c == '\\' || c == 0x7f;
}

void write_json_text(struct writer *writer, const char *text)
{
    write_text(writer, "\"");
    while (*text != '\0') {
        size_t plain = 0;
        while (text[plain] != '\0' && !needs_json_escape((unsigned char)text[plain]))
            plain++;
        write_bytes(writer, text, plain);
        text += plain;
        if (*text != '\0')
            write_json_escape(writer, (unsigned char)*text++);
    }
    write_text(writer, "\"");
}

void write_csv_number(struct writer *writer, double value)
{
    char text[NUMBER_SIZE];
    number_text(text, value);
    write_text(writer, "%s", text);
}

void write_csv_text(struct writer *writer, const char *text)
{
    size_t length = strlen(text);
    bool plain = strpbrk(text, ",;\"\r\n\t") == NULL;
    if (length > 0 && (text[0] == ' ' || text[length - 1] == ' '))
        plain = false;
    if (plain) {
        write_text(writer, "%s", text);
        return;
    }
    errno = 0;
    if (csv_fwrite(writer->file, text, length) != 0)
        remember(writer);
}

void write_html_text(struct writer *writer, const char *text)
{
    for (; *text != '\0'; text++) {
        const unsigned char c = (unsigned char)*text;
        if (c == '&' || c == '<' || c == '>' || c == '"' || c == '\'')
            write_text(writer, "&#%d;", c);
        else
            write_text(writer, "%c", c < 0x20 || c == 0x7f ? ' ' : c);
    }
}

void write_markdown_text(struct writer *writer, const char *text)
{
    for (; *text != '\0'; text++) {
        const unsigned char c = (unsigned char)*text;
        if (c == '&' || c == '<' || c == '>')
            write_text(writer, c == '&' ? "&amp;" : c == '<' ? "&lt;" : "&gt;");
        else if (strchr("\\`*_[]|~#@", c) != NULL)
            write_text(writer, "\\%c", c);
        else
            write_text(writer, "%c", c < 0x20 || c == 0x7f ? ' ' : c);
    }
}
