#include "sim/experiment/archive/archive_query.h"

#include "sim/experiment/archive/archive_inside.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Of the pragmas those that only tell. */
static bool pragma_tells(const char *name)
{
    static const char *const names[] = {"integrity_check", "quick_check",  "table_info",     "table_list",
                                        "table_xinfo",     "index_list",   "index_info",     "user_version",
                                        "application_id",  "journal_mode", "page_count",     "page_size",
                                        "freelist_count",  "encoding",     "compile_options"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        if (strcmp(name, names[i]) == 0)
            return true;
    return false;
}

static int permit(void *context, int action, const char *first, const char *second, const char *database,
                  const char *trigger)
{
    (void)context, (void)database, (void)trigger;
    static const char *const with_argument[] = {"integrity_check", "quick_check", "table_info",
                                                "table_xinfo",     "index_list",  "index_info"};
    switch (action) {
    case SQLITE_SELECT:
    case SQLITE_READ:
    case SQLITE_FUNCTION:
    case SQLITE_RECURSIVE:
        return SQLITE_OK;
    case SQLITE_PRAGMA:
        if (second == NULL)
            return pragma_tells(first) ? SQLITE_OK : SQLITE_DENY;
        for (size_t i = 0; i < sizeof with_argument / sizeof with_argument[0]; i++)
            if (strcmp(first, with_argument[i]) == 0)
                return SQLITE_OK;
        return SQLITE_DENY;
    default:
        return SQLITE_DENY;
    }
}

static struct archive_value value_of(sqlite3_stmt *statement, int column)
{
    struct archive_value value = {.kind = VALUE_NULL};
    switch (sqlite3_column_type(statement, column)) {
    case SQLITE_INTEGER:
        value.kind = VALUE_INTEGER;
        value.integer = sqlite3_column_int64(statement, column);
        break;
    case SQLITE_FLOAT:
        value.kind = VALUE_REAL;
        value.real = sqlite3_column_double(statement, column);
        break;
    case SQLITE_TEXT:
        value.kind = VALUE_TEXT;
        value.bytes = sqlite3_column_text(statement, column);
        value.length = (size_t)sqlite3_column_bytes(statement, column);
        break;
    case SQLITE_BLOB:
        value.kind = VALUE_BLOB;
        value.bytes = sqlite3_column_blob(statement, column);
        value.length = (size_t)sqlite3_column_bytes(statement, column);
        break;
    default:
        break;
    }
    return value;
}

static bool hand_out(sqlite3_stmt *statement, struct archive_rows *rows, int *code)
{
    size_t count = (size_t)sqlite3_column_count(statement);
    const char **names = calloc(count + 1, sizeof *names);
    struct archive_value *values = calloc(count + 1, sizeof *values);
    bool going = names != NULL && values != NULL;
    *code = going ? SQLITE_ROW : SQLITE_NOMEM;
    for (size_t i = 0; going && i < count; i++)
        names[i] = sqlite3_column_name(statement, (int)i);
    going = going && rows->columns(rows, names, count);
    while (going && (*code = sqlite3_step(statement)) == SQLITE_ROW) {
        for (size_t i = 0; i < count; i++)
            values[i] = value_of(statement, (int)i);
        going = rows->row(rows, values, count);
    }
    free(names);
    free(values);
    return going && *code == SQLITE_DONE;
}

static enum archive_status complain(struct archive *archive, int code, char message[UNIT_MESSAGE_SIZE])
{
    switch (code & 0xff) {
    case SQLITE_AUTH:
        snprintf(message, UNIT_MESSAGE_SIZE,
                 "a query can only read: SELECT, or a PRAGMA that tells something");
        return ARCHIVE_REFUSED;
    case SQLITE_ERROR:
        snprintf(message, UNIT_MESSAGE_SIZE, "%.800s", sqlite3_errmsg(archive->database));
        return ARCHIVE_REFUSED;
    case SQLITE_NOMEM:
        snprintf(message, UNIT_MESSAGE_SIZE, "out of memory");
        return ARCHIVE_FAILED;
    case SQLITE_ROW: /* ended by the receiver, who knows why */
        message[0] = '\0';
        return ARCHIVE_FAILED;
    default:
        return archive_explain(archive, message, "query");
    }
}

static bool is_blank(const char *text)
{
    return text[strspn(text, " \t\r\n;")] == '\0';
}

enum archive_status archive_ask(struct archive *archive, const char *sql, struct archive_rows *rows,
                                char message[UNIT_MESSAGE_SIZE])
{
    sqlite3_stmt *statement = NULL;
    const char *rest = "";
    sqlite3_set_authorizer(archive->database, permit, NULL);
    int code = sqlite3_prepare_v2(archive->database, sql, -1, &statement, &rest);
    sqlite3_set_authorizer(archive->database, NULL, NULL);
    enum archive_status status = ARCHIVE_REFUSED;
    if (code != SQLITE_OK)
        status = complain(archive, code, message);
    else if (statement == NULL)
        snprintf(message, UNIT_MESSAGE_SIZE, "the query is empty");
    else if (!is_blank(rest))
        snprintf(message, UNIT_MESSAGE_SIZE, "one statement at a time");
    else if (!sqlite3_stmt_readonly(statement))
        status = complain(archive, SQLITE_AUTH, message);
    else if (hand_out(statement, rows, &code))
        status = ARCHIVE_FINE;
    else
        status = complain(archive, code, message);
    sqlite3_finalize(statement);
    return status;
}
