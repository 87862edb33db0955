/* Opening: what may be there instead of an archive, and what a new one is. */
#include "sim/experiment/archive/archive_inside.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

static const char sqlite_magic[16] = "SQLite format 3";

static enum archive_status cannot_open(const char *path, enum archive_access access,
                                       char message[UNIT_MESSAGE_SIZE])
{
    snprintf(message, UNIT_MESSAGE_SIZE, "cannot %s archive '%.300s': %s",
             access == ARCHIVE_READ ? "read" : "open", path, strerror(errno));
    return ARCHIVE_FAILED;
}

static enum archive_status no_archive(const char *path, const char *what, char message[UNIT_MESSAGE_SIZE])
{
    snprintf(message, UNIT_MESSAGE_SIZE, "'%.300s' is no archive of vdisim: %s", path, what);
    return ARCHIVE_REFUSED;
}

/* Looks at a file before SQLite does, which would write a header into any empty file and names the rest only "not a
 * database". *is_new: it is not there, or empty. */
static enum archive_status look_at(const char *path, enum archive_access access, bool *is_new,
                                   char message[UNIT_MESSAGE_SIZE])
{
    struct stat status;
    *is_new = false;
    if (stat(path, &status) != 0) {
        *is_new = errno == ENOENT;
        return *is_new && access == ARCHIVE_WRITE ? ARCHIVE_FINE : cannot_open(path, access, message);
    }
    if (S_ISDIR(status.st_mode))
        return no_archive(path, "it is a folder", message);
    if (!S_ISREG(status.st_mode))
        return no_archive(path, "it is no regular file", message);
    int descriptor = open(path, O_RDONLY | O_CLOEXEC);
    char head[sizeof sqlite_magic];
    ssize_t length = descriptor < 0 ? -1 : read(descriptor, head, sizeof head);
    int error = errno;
    if (descriptor >= 0)
        close(descriptor);
    errno = error;
    if (length < 0)
        return cannot_open(path, access, message);
    *is_new = length == 0;
    if (length == 0)
        return access == ARCHIVE_WRITE ? ARCHIVE_FINE : no_archive(path, "it is empty", message);
    if (length < (ssize_t)sizeof head || memcmp(head, sqlite_magic, sizeof head) != 0)
        return no_archive(path, "it is no SQLite file", message);
    return ARCHIVE_FINE;
}

/* The path so that SQLite takes it for nothing else: neither ":memory:" nor "file:...". To be freed. */
static char *plain_path(const char *path)
{
    size_t size = strlen(path) + 3;
    char *plain = malloc(size);
    if (plain != NULL)
        snprintf(plain, size, "%s%s", path[0] == '/' ? "" : "./", path);
    return plain;
}

/* For a file in a folder that cannot be written to, where SQLite finds no room for its lock: as a file that nobody
 * changes. To be freed. */
static char *immutable_path(const char *path)
{
    static const char before[] = "file:", after[] = "?immutable=1";
    char *uri = malloc(sizeof before + 3 * strlen(path) + sizeof after);
    if (uri == NULL)
        return NULL;
    size_t length = (size_t)snprintf(uri, sizeof before, "%s", before);
    for (; *path != '\0'; path++)
        if (*path == '%' || *path == '?' || *path == '#')
            length += (size_t)snprintf(uri + length, 4, "%%%02X", (unsigned)*path);
        else
            uri[length++] = *path;
    snprintf(uri + length, sizeof after, "%s", after);
    return uri;
}

/* What was written last may be in the log beside the file. */
static bool has_log(const char *path)
{
    size_t size = strlen(path) + sizeof "-wal";
    char *log = malloc(size);
    struct stat status;
    if (log == NULL)
        return true;
    snprintf(log, size, "%s-wal", path);
    bool found = stat(log, &status) == 0 && status.st_size > 0;
    free(log);
    return found;
}

static void set_up(sqlite3 *database)
{
    sqlite3_busy_timeout(database, ARCHIVE_PATIENCE_MS);
    sqlite3_extended_result_codes(database, 1);
    /* A file may come from anyone. */
    sqlite3_db_config(database, SQLITE_DBCONFIG_DEFENSIVE, 1, NULL);
    sqlite3_db_config(database, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, NULL);
    sqlite3_limit(database, SQLITE_LIMIT_ATTACHED, 0);
    sqlite3_exec(database, "PRAGMA cell_size_check = ON", NULL, NULL, NULL);
}

static int connect_to(struct archive *archive, const char *path, int flags)
{
    sqlite3_close(archive->database);
    archive->database = NULL;
    int code = sqlite3_open_v2(path, &archive->database, flags | SQLITE_OPEN_FULLMUTEX, NULL);
    if (code != SQLITE_OK)
        return code;
    set_up(archive->database);
    int64_t tables;
    archive_number(archive, "SELECT count(*) FROM sqlite_schema", 0, &tables); /* the first look inside */
    return sqlite3_errcode(archive->database);
}

static bool connect_any(struct archive *archive)
{
    char *path = plain_path(archive->path);
    if (path == NULL)
        return false;
    bool writing = archive->access == ARCHIVE_WRITE;
    /* A reader that may write tidies up the log when it closes, and SQLite makes it one that may not where it must. */
    int code = connect_to(archive, path,
                          writing ? SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE : SQLITE_OPEN_READWRITE);
    int primary = code & 0xff;
    if (!writing && (primary == SQLITE_CANTOPEN || primary == SQLITE_READONLY) && !has_log(path)) {
        char *uri = immutable_path(path);
        if (uri != NULL)
            code = connect_to(archive, uri, SQLITE_OPEN_READONLY | SQLITE_OPEN_URI);
        free(uri);
    }
    free(path);
    if (code == SQLITE_OK && !writing)
        code = sqlite3_exec(archive->database, "PRAGMA query_only = ON", NULL, NULL, NULL);
    return code == SQLITE_OK;
}

/* A file whose making was cut short holds nothing and is as good as none. */
static enum archive_status identify(struct archive *archive, bool *is_blank, char message[UNIT_MESSAGE_SIZE])
{
    int64_t application, schema, tables;
    *is_blank = false;
    if (!archive_number(archive, "PRAGMA application_id", 0, &application) ||
        !archive_number(archive, "PRAGMA user_version", 0, &schema) ||
        !archive_number(archive, "SELECT count(*) FROM sqlite_schema", 0, &tables))
        return archive_explain(archive, message, "read");
    *is_blank = application == 0 && schema == 0 && tables == 0;
    if (*is_blank)
        return archive->access == ARCHIVE_WRITE ? ARCHIVE_FINE
                                                : no_archive(archive->path, "it is empty", message);
    if (application != ARCHIVE_APPLICATION_ID)
        return no_archive(archive->path, "it is an SQLite file of another program", message);
    if (schema > ARCHIVE_SCHEMA) {
        snprintf(message, UNIT_MESSAGE_SIZE,
                 "archive '%.300s' has schema %lld and this vdisim knows %d; use a newer vdisim",
                 archive->path, (long long)schema, ARCHIVE_SCHEMA);
        return ARCHIVE_REFUSED;
    }
    if (schema < 1)
        return archive_damaged(archive, message, "it has schema %lld", (long long)schema);
    archive->schema = schema;
    return ARCHIVE_FINE;
}

/* A change of the kind of log does not wait for others by itself. */
static bool use_log(struct archive *archive)
{
    for (int waited_ms = 0;; waited_ms += 10) {
        int code = sqlite3_exec(archive->database, "PRAGMA journal_mode = WAL", NULL, NULL, NULL);
        if ((code & 0xff) != SQLITE_BUSY || waited_ms >= ARCHIVE_PATIENCE_MS)
            return code == SQLITE_OK;
        nanosleep(&(struct timespec){.tv_nsec = 10000000}, NULL);
    }
}

static enum archive_status only_read(const struct archive *archive, char message[UNIT_MESSAGE_SIZE])
{
    snprintf(message, UNIT_MESSAGE_SIZE, "cannot write to archive '%.300s': it may only be read",
             archive->path);
    return ARCHIVE_FAILED;
}

static bool is_writable(const char *path)
{
    return access(path, W_OK) == 0;
}

static enum archive_status prepare_to_write(struct archive *archive, char message[UNIT_MESSAGE_SIZE])
{
    bool is_blank;
    enum archive_status status = identify(archive, &is_blank, message);
    if (status != ARCHIVE_FINE)
        return status;
    if (sqlite3_db_readonly(archive->database, "main") == 1)
        return only_read(archive, message);
    /* NORMAL: the log is not synchronised at every commit, so that a unit costs no wait for the disk. A killed
     * process loses nothing by it; a loss of power may cost the last units, which a resumed run does again. */
    if (!use_log(archive) ||
        sqlite3_exec(archive->database, "PRAGMA synchronous = NORMAL", NULL, NULL, NULL) != 0)
        return archive_explain(archive, message, "open");
    if (!is_blank && archive->schema == ARCHIVE_SCHEMA)
        return ARCHIVE_FINE;
    if (!archive_begin(archive))
        return archive_explain(archive, message, "lock");
    status = identify(archive, &is_blank, message); /* another may have been faster */
    if (status == ARCHIVE_FINE && is_blank && !archive_create_tables(archive))
        status = archive_explain(archive, message, "make");
    if (status == ARCHIVE_FINE && !is_blank && archive->schema < ARCHIVE_SCHEMA && !archive_upgrade(archive))
        status = archive_explain(archive, message, "bring up to date");
    archive->schema = ARCHIVE_SCHEMA;
    if (status == ARCHIVE_FINE && !archive_commit(archive))
        status = archive_explain(archive, message, "make");
    if (status != ARCHIVE_FINE)
        archive_rollback(archive);
    return status;
}

enum archive_status archive_open(const char *path, enum archive_access access, struct archive **archive,
                                 char message[UNIT_MESSAGE_SIZE])
{
    bool is_new;
    *archive = NULL;
    enum archive_status status = look_at(path, access, &is_new, message);
    if (status != ARCHIVE_FINE)
        return status;
    struct archive *it = calloc(1, sizeof *it);
    if (it != NULL)
        it->path = strdup(path);
    if (it == NULL || it->path == NULL) {
        free(it);
        snprintf(message, UNIT_MESSAGE_SIZE, "out of memory");
        return ARCHIVE_FAILED;
    }
    it->access = access;
    bool is_blank;
    bool may_write = access == ARCHIVE_READ || is_new || is_writable(path);
    if (!may_write)
        status = only_read(it, message);
    else if (!connect_any(it))
        status = archive_explain(it, message, access == ARCHIVE_READ ? "read" : "open");
    else if (access == ARCHIVE_WRITE)
        status = prepare_to_write(it, message);
    else
        status = identify(it, &is_blank, message);
    if (status == ARCHIVE_FINE)
        *archive = it;
    else
        archive_close(it);
    return status;
}

void archive_close(struct archive *archive)
{
    if (archive == NULL)
        return;
    sqlite3_close(archive->database);
    free(archive->path);
    free(archive);
}

const char *archive_path(const struct archive *archive)
{
    return archive->path;
}

enum archive_status archive_transaction_begin(struct archive *archive, char message[UNIT_MESSAGE_SIZE])
{
    if (!archive_begin(archive))
        return archive_explain(archive, message, "lock");
    archive->is_whole = true;
    return ARCHIVE_FINE;
}

enum archive_status archive_transaction_end(struct archive *archive, bool keep,
                                            char message[UNIT_MESSAGE_SIZE])
{
    archive->is_whole = false;
    if (keep && archive_commit(archive))
        return ARCHIVE_FINE;
    enum archive_status status = keep ? archive_explain(archive, message, "write to") : ARCHIVE_FINE;
    archive_rollback(archive);
    return status;
}
