/* Statements, transactions and messages: the part that talks SQLite's language. */
#include "sim/experiment/archive/archive_inside.h"

#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static enum archive_status explain_code(const struct archive *archive, int code, int system_error,
                                        const char *what, char message[UNIT_MESSAGE_SIZE])
{
    enum archive_status status = ARCHIVE_FAILED;
    char why[256];
    switch (code & 0xff) {
    case SQLITE_CORRUPT:
    case SQLITE_NOTADB:
        snprintf(why, sizeof why, "it is damaged");
        status = ARCHIVE_REFUSED;
        break;
    case SQLITE_FULL:
        snprintf(why, sizeof why, "the disk is full");
        break;
    case SQLITE_BUSY:
    case SQLITE_LOCKED:
        snprintf(why, sizeof why, "another program has locked it for %d s", ARCHIVE_PATIENCE_MS / 1000);
        break;
    case SQLITE_READONLY:
    case SQLITE_PERM:
        snprintf(why, sizeof why, "it may only be read");
        break;
    case SQLITE_NOMEM:
        snprintf(why, sizeof why, "out of memory");
        break;
    case SQLITE_TOOBIG:
        snprintf(why, sizeof why, "too large for SQLite");
        break;
    case SQLITE_IOERR:
    case SQLITE_CANTOPEN:
        if (system_error != 0) {
            snprintf(why, sizeof why, "%s", strerror(system_error));
            break;
        } /* fall through */
    default:
        snprintf(why, sizeof why, "%.200s", sqlite3_errmsg(archive->database));
        break;
    }
    snprintf(message, UNIT_MESSAGE_SIZE, "cannot %s archive '%.300s': %s", what, archive->path, why);
    return status;
}

enum archive_status archive_explain(const struct archive *archive, char message[UNIT_MESSAGE_SIZE],
                                    const char *format, ...)
{
    char what[256];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(what, sizeof what, format, arguments);
    va_end(arguments);
    return explain_code(archive, sqlite3_extended_errcode(archive->database),
                        sqlite3_system_errno(archive->database), what, message);
}

enum archive_status archive_damaged(const struct archive *archive, char message[UNIT_MESSAGE_SIZE],
                                    const char *format, ...)
{
    char what[512];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(what, sizeof what, format, arguments);
    va_end(arguments);
    snprintf(message, UNIT_MESSAGE_SIZE, "archive '%.300s' is damaged: %s", archive->path, what);
    return ARCHIVE_REFUSED;
}

static int bind_bytes(sqlite3_stmt *statement, int index, const char *text, size_t length)
{
    return sqlite3_bind_text64(statement, index, text, length, SQLITE_TRANSIENT, SQLITE_UTF8);
}

static int bind_all(sqlite3_stmt *statement, const char *types, va_list arguments)
{
    int result = SQLITE_OK;
    const char *text;
    for (int i = 0; types[i] != '\0' && result == SQLITE_OK; i++)
        switch (types[i]) {
        case 'i':
            result = sqlite3_bind_int64(statement, i + 1, va_arg(arguments, int64_t));
            break;
        case 'z':
            result = sqlite3_bind_int64(statement, i + 1, (int64_t)va_arg(arguments, size_t));
            break;
        case 'd':
            result = sqlite3_bind_double(statement, i + 1, va_arg(arguments, double));
            break;
        case 't':
            result =
                sqlite3_bind_text(statement, i + 1, va_arg(arguments, const char *), -1, SQLITE_TRANSIENT);
            break;
        case 'b':
            text = va_arg(arguments, const char *);
            result = bind_bytes(statement, i + 1, text, va_arg(arguments, size_t));
            break;
        default:
            result = SQLITE_MISUSE;
            break;
        }
    return result;
}

static sqlite3_stmt *query(struct archive *archive, const char *sql, const char *types, va_list arguments)
{
    sqlite3_stmt *statement = NULL;
    if (sqlite3_prepare_v2(archive->database, sql, -1, &statement, NULL) == SQLITE_OK &&
        bind_all(statement, types, arguments) == SQLITE_OK)
        return statement;
    sqlite3_finalize(statement);
    return NULL;
}

sqlite3_stmt *archive_query(struct archive *archive, const char *sql, const char *types, ...)
{
    va_list arguments;
    va_start(arguments, types);
    sqlite3_stmt *statement = query(archive, sql, types, arguments);
    va_end(arguments);
    return statement;
}

bool archive_do(struct archive *archive, const char *sql, const char *types, ...)
{
    va_list arguments;
    va_start(arguments, types);
    sqlite3_stmt *statement = query(archive, sql, types, arguments);
    va_end(arguments);
    if (statement == NULL)
        return false;
    sqlite3_step(statement);
    return sqlite3_finalize(statement) == SQLITE_OK;
}

bool archive_number(struct archive *archive, const char *sql, int64_t otherwise, int64_t *number)
{
    *number = otherwise;
    sqlite3_stmt *statement = archive_query(archive, sql, "");
    if (statement == NULL)
        return false;
    if (sqlite3_step(statement) == SQLITE_ROW)
        *number = sqlite3_column_int64(statement, 0);
    return sqlite3_finalize(statement) == SQLITE_OK;
}

void archive_bind_double(sqlite3_stmt *statement, int index, double value)
{
    sqlite3_bind_double(statement, index, value); /* NaN becomes NULL */
}

double archive_column_double(sqlite3_stmt *statement, int index)
{
    return sqlite3_column_type(statement, index) == SQLITE_NULL ? NAN
                                                                : sqlite3_column_double(statement, index);
}

char *archive_column_text(sqlite3_stmt *statement, int index)
{
    const char *text = (const char *)sqlite3_column_text(statement, index);
    return strdup(text == NULL ? "" : text);
}

bool archive_grow(void **items, size_t count, size_t size)
{
    if ((count & (count - 1)) != 0) /* only at powers of two, and at the first, there is no room left */
        return true;
    void *moved = realloc(*items, (count == 0 ? 1 : 2 * count) * size);
    if (moved == NULL)
        return false;
    *items = moved;
    return true;
}

bool archive_begin(struct archive *archive)
{
    const char *sql = archive->is_whole ? "SAVEPOINT inner" : "BEGIN IMMEDIATE";
    return sqlite3_exec(archive->database, sql, NULL, NULL, NULL) == SQLITE_OK;
}

bool archive_commit(struct archive *archive)
{
    if (archive->is_whole)
        return sqlite3_exec(archive->database, "RELEASE inner", NULL, NULL, NULL) == SQLITE_OK;
    return sqlite3_exec(archive->database, "COMMIT", NULL, NULL, NULL) == SQLITE_OK;
}

void archive_rollback(struct archive *archive)
{
    if (archive->is_whole)
        sqlite3_exec(archive->database, "ROLLBACK TO inner; RELEASE inner", NULL, NULL, NULL);
    else if (!sqlite3_get_autocommit(archive->database))
        sqlite3_exec(archive->database, "ROLLBACK", NULL, NULL, NULL);
}
