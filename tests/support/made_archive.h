/* Archives for tests: in a folder of their own, with runs of a small experiment that is read from a text. */
#ifndef VDISIM_TESTS_MADE_ARCHIVE_H
#define VDISIM_TESTS_MADE_ARCHIVE_H

#include "sim/experiment/archive/archive.h"
#include "tests/support/check.h"
#include "tests/support/made_outcome.h"
#include "tests/support/problems.h"

#include <dirent.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#define SMALL_STORES "stores: {p: {tier: azure-files/premium, size: 1 TiB}}\n"
#define SMALL_LOGONS "workloads: {logons: {users: 12, arrivals: {window: 2 min, pattern: poisson}}}\n"
#define SMALL_VARY   "vary: {stores.p.size: [1 TiB, 5 TiB, 10 TiB]}\n"
#define SMALL                                                                                                \
    "experiment: small\n" SMALL_STORES SMALL_LOGONS SMALL_VARY "run: {length: 5 min, replications: 4}\n"

static inline struct experiment *open_small(const char *text, const struct experiment_options *more)
{
    const struct text_file file = {"small.yaml", text, strlen(text)};
    struct experiment_options options = {.seed = -1};
    if (more != NULL)
        options = *more;
    options.files = &file;
    options.file_count = 1;
    struct problems *problems = problems_create();
    struct experiment *experiment = experiment_open("small.yaml", &options, problems);
    assert_no_errors(problems);
    problems_destroy(problems);
    assert_non_null(experiment);
    return experiment;
}

/* A new folder, and a path in it. */
static inline void make_place(char folder[64], char path[96])
{
    snprintf(folder, 64, "/tmp/vdisim-archive-XXXXXX");
    assert_non_null(mkdtemp(folder));
    snprintf(path, 96, "%s/a.sqlite", folder);
}

/* The folder and the files in it. */
static inline void remove_place(const char *folder)
{
    DIR *directory = opendir(folder);
    struct dirent *entry;
    while (directory != NULL && (entry = readdir(directory)) != NULL)
        unlinkat(dirfd(directory), entry->d_name, 0);
    if (directory != NULL)
        closedir(directory);
    rmdir(folder);
}

static inline struct archive *open_fine(const char *path, enum archive_access access)
{
    char message[UNIT_MESSAGE_SIZE] = "";
    struct archive *archive;
    if (archive_open(path, access, &archive, message) != ARCHIVE_FINE)
        fail_msg("%s", message);
    return archive;
}

static inline struct archive_run *begin_fine(struct archive *archive, const struct archive_request *request)
{
    char message[UNIT_MESSAGE_SIZE] = "";
    struct archive_run *run;
    if (archive_run_begin(archive, request, &run, message) != ARCHIVE_FINE)
        fail_msg("%s", message);
    return run;
}

static inline void save_fine(struct archive_run *run, struct unit unit, const struct unit_outcome *outcome)
{
    char message[UNIT_MESSAGE_SIZE] = "";
    struct keeper *keeper = archive_run_keeper(run);
    if (!keeper->operations->save(keeper, unit, outcome, message))
        fail_msg("%s", message);
}

/* The first column of the first row by SQLite itself, without the archive's own code. */
static inline int64_t sql_number(const char *path, const char *sql)
{
    sqlite3 *database;
    sqlite3_stmt *statement = NULL;
    assert_int_equal(sqlite3_open_v2(path, &database, SQLITE_OPEN_READWRITE, NULL), SQLITE_OK);
    sqlite3_busy_timeout(database, 60000);
    int64_t number = INT64_MIN;
    if (sqlite3_prepare_v2(database, sql, -1, &statement, NULL) == SQLITE_OK &&
        sqlite3_step(statement) == SQLITE_ROW)
        number = sqlite3_column_int64(statement, 0);
    else
        print_error("%s: %s\n", sql, sqlite3_errmsg(database));
    sqlite3_finalize(statement);
    sqlite3_close(database);
    return number;
}

static inline void sql_do(const char *path, const char *sql)
{
    sqlite3 *database;
    assert_int_equal(sqlite3_open_v2(path, &database, SQLITE_OPEN_READWRITE, NULL), SQLITE_OK);
    if (sqlite3_exec(database, sql, NULL, NULL, NULL) != SQLITE_OK)
        fail_msg("%s: %s", sql, sqlite3_errmsg(database));
    sqlite3_close(database);
}

/* What PRAGMA integrity_check says of it is "ok". */
static inline bool is_sound(const char *path)
{
    return sql_number(path,
                      "SELECT count(*) = 1 AND min(integrity_check) = 'ok' FROM pragma_integrity_check") == 1;
}

#endif
