/* Questions to an archive in SQL, that can only read. */
#ifndef VDISIM_ARCHIVE_QUERY_H
#define VDISIM_ARCHIVE_QUERY_H

#include "sim/experiment/archive/archive.h"

enum archive_value_kind { VALUE_NULL, VALUE_INTEGER, VALUE_REAL, VALUE_TEXT, VALUE_BLOB };

struct archive_value {
    enum archive_value_kind kind;
    int64_t integer;
    double real;
    const unsigned char *bytes; /* of a text, NUL-terminated, or a blob */
    size_t length;
};

/* Receives the rows; the names and values are valid during the call. False ends the query. */
struct archive_rows {
    bool (*columns)(struct archive_rows *rows, const char *const *names, size_t count);
    bool (*row)(struct archive_rows *rows, const struct archive_value *values, size_t count);
};

/* Refused: what is no statement, more than one, or one that would change something. */
enum archive_status archive_ask(struct archive *archive, const char *sql, struct archive_rows *rows,
                                char message[UNIT_MESSAGE_SIZE]);

#endif
