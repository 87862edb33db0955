/* What runs there are. */
#include "sim/experiment/archive/archive_inside.h"

#include <stdio.h>
#include <stdlib.h>

static const char query[] =
    "SELECT id, experiment, title, file, hash, version, source_commit, gsl_version, random_generator, status,"
    " started, finished, seed, cells, replications, wanted, shard, shards,"
    " " ARCHIVE_KEPT_UNITS("count(*)") ", " ARCHIVE_KEPT_UNITS("total(has_records)") " FROM run ORDER BY id";

static size_t column_count(sqlite3_stmt *statement, int index)
{
    int64_t value = sqlite3_column_int64(statement, index);
    return value < 0 ? 0 : (size_t)value;
}

static bool read_info(sqlite3_stmt *statement, struct archive_run_info *info)
{
    char **const texts[] = {&info->experiment, &info->title,   &info->file,        &info->hash,
                            &info->version,    &info->commit,  &info->gsl_version, &info->random_generator,
                            &info->status,     &info->started, &info->finished};
    *info = (struct archive_run_info){.id = sqlite3_column_int64(statement, 0)};
    bool fine = true;
    int index = 1;
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        *texts[i] = archive_column_text(statement, index++);
        fine = fine && *texts[i] != NULL;
    }
    info->seed = sqlite3_column_int64(statement, index++);
    info->cells = column_count(statement, index++);
    info->replications = column_count(statement, index++);
    info->wanted = column_count(statement, index++);
    size_t shard = column_count(statement, index++);
    info->shard.count = column_count(statement, index++);
    info->shard.index = shard > 0 ? shard - 1 : 0;
    info->kept = column_count(statement, index++);
    info->with_records = column_count(statement, index);
    return fine;
}

void archive_info_release(struct archive_run_info *info)
{
    char *const texts[] = {info->experiment, info->title,   info->file,        info->hash,
                           info->version,    info->commit,  info->gsl_version, info->random_generator,
                           info->status,     info->started, info->finished};
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++)
        free(texts[i]);
}

enum archive_status archive_runs(struct archive *archive, struct archive_run_info **runs, size_t *count,
                                 char message[UNIT_MESSAGE_SIZE])
{
    *runs = NULL;
    *count = 0;
    int code;
    bool fine = true;
    sqlite3_stmt *statement = archive_query(archive, query, "");
    if (statement == NULL)
        return archive_explain(archive, message, "read");
    while (fine && (code = sqlite3_step(statement)) == SQLITE_ROW) {
        fine = archive_grow((void **)runs, *count, sizeof **runs);
        if (fine)
            fine = read_info(statement, &(*runs)[(*count)++]);
    }
    enum archive_status status = ARCHIVE_FINE;
    if (!fine) {
        snprintf(message, UNIT_MESSAGE_SIZE, "out of memory");
        status = ARCHIVE_FAILED;
    } else if (code != SQLITE_DONE) {
        status = archive_explain(archive, message, "read");
    }
    sqlite3_finalize(statement);
    if (status != ARCHIVE_FINE) {
        archive_runs_free(*runs, *count);
        *runs = NULL;
        *count = 0;
    }
    return status;
}

void archive_runs_free(struct archive_run_info *runs, size_t count)
{
    for (size_t i = 0; i < count; i++)
        archive_info_release(&runs[i]);
    free(runs);
}
