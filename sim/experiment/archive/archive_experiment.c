#include "sim/experiment/archive/archive_experiment.h"

#include "sim/experiment/archive/archive_inside.h"
#include "sim/experiment/read/sha256.h"
#include "vdisim/version.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct archive_experiment {
    struct arena *arena;   /* of what the options point to */
    struct arena *reading; /* of the statements */
    struct experiment_options options;
    const char *file, *hash, *version, *commit;
    struct selection_request selection;
    struct experiment *experiment;
};

/* Statements end with the reading, whatever happens before. */
static void finalize(void *statement)
{
    sqlite3_finalize(statement);
}

static const char *column(struct arena *arena, sqlite3_stmt *statement, int index)
{
    const char *text = (const char *)sqlite3_column_text(statement, index);
    return arena_text(arena, text == NULL ? "" : text);
}

static sqlite3_stmt *rows_of_run(struct archive_experiment *it, struct archive *archive, const char *sql,
                                 int64_t run)
{
    sqlite3_stmt *statement = archive_query(archive, sql, "i", run);
    if (statement != NULL)
        arena_defer(it->reading, finalize, statement);
    return statement;
}

static enum archive_status read_run(struct archive_experiment *it, struct archive *archive, int64_t run,
                                    char message[UNIT_MESSAGE_SIZE])
{
    sqlite3_stmt *statement = rows_of_run(
        it, archive,
        "SELECT file, hash, version, source_commit, asked_replications, asked_seed, select_metric,"
        " select_indifference, select_confidence, select_at_most FROM run WHERE id = ?",
        run);
    int code = statement == NULL ? SQLITE_ERROR : sqlite3_step(statement);
    if (code == SQLITE_DONE)
        return archive_damaged(archive, message, "it has no run %lld", (long long)run);
    if (code != SQLITE_ROW)
        return archive_explain(archive, message, "read run %lld of", (long long)run);
    it->file = column(it->arena, statement, 0);
    it->hash = column(it->arena, statement, 1);
    it->version = column(it->arena, statement, 2);
    it->commit = column(it->arena, statement, 3);
    it->options.replications = sqlite3_column_int64(statement, 4);
    it->options.seed = sqlite3_column_int64(statement, 5);
    if (sqlite3_column_type(statement, 6) != SQLITE_NULL)
        it->selection = (struct selection_request){
            .metric = column(it->arena, statement, 6),
            .indifference = sqlite3_column_double(statement, 7),
            .confidence = sqlite3_column_double(statement, 8),
            .at_most = (size_t)sqlite3_column_int64(statement, 9),
        };
    sqlite3_reset(statement);
    return ARCHIVE_FINE;
}

static bool matches(const struct text_file *file, const char *digest)
{
    char own[SHA256_HEX_SIZE];
    struct sha256 hash;
    sha256_init(&hash);
    sha256_add(&hash, file->text, file->length);
    sha256_finish(&hash, own);
    return strcmp(own, digest) == 0;
}

static enum archive_status read_inputs(struct archive_experiment *it, struct archive *archive, int64_t run,
                                       char message[UNIT_MESSAGE_SIZE])
{
    struct text_file *files = NULL;
    size_t count = 0;
    int code;
    sqlite3_stmt *statement = rows_of_run(it, archive,
                                          "SELECT path, text, input.sha256 FROM input LEFT JOIN text"
                                          " ON text.sha256 = input.sha256 WHERE run = ? ORDER BY ordinal",
                                          run);
    if (statement == NULL)
        return archive_explain(archive, message, "read run %lld of", (long long)run);
    while ((code = sqlite3_step(statement)) == SQLITE_ROW) {
        ARENA_GROW(it->arena, files, count);
        const char *text = (const char *)sqlite3_column_text(statement, 1);
        size_t length = (size_t)sqlite3_column_bytes(statement, 1);
        struct text_file *file = &files[count++];
        *file = (struct text_file){column(it->arena, statement, 0),
                                   arena_text_n(it->arena, text == NULL ? "" : text, length), length};
        if (!matches(file, column(it->arena, statement, 2)))
            return archive_damaged(archive, message, "the text of '%.200s' is not what was kept", file->path);
    }
    if (code != SQLITE_DONE)
        return archive_explain(archive, message, "read run %lld of", (long long)run);
    if (count == 0)
        return archive_damaged(archive, message, "run %lld has no experiment file", (long long)run);
    it->options.files = files;
    it->options.file_count = count;
    return ARCHIVE_FINE;
}

static enum archive_status read_options(struct archive_experiment *it, struct archive *archive, int64_t run,
                                        char message[UNIT_MESSAGE_SIZE])
{
    const char **catalogues = NULL, **sets = NULL;
    int code;
    sqlite3_stmt *statement =
        rows_of_run(it, archive, "SELECT kind, value FROM option WHERE run = ? ORDER BY kind, ordinal", run);
    if (statement == NULL)
        return archive_explain(archive, message, "read run %lld of", (long long)run);
    while ((code = sqlite3_step(statement)) == SQLITE_ROW) {
        const char *value = column(it->arena, statement, 1);
        if (strcmp(column(it->arena, statement, 0), "set") == 0) {
            ARENA_GROW(it->arena, sets, it->options.set_count);
            sets[it->options.set_count++] = value;
        } else {
            ARENA_GROW(it->arena, catalogues, it->options.catalogue_count);
            catalogues[it->options.catalogue_count++] = value;
        }
    }
    it->options.sets = sets;
    it->options.catalogues = catalogues;
    return code == SQLITE_DONE ? ARCHIVE_FINE
                               : archive_explain(archive, message, "read run %lld of", (long long)run);
}

static enum archive_status open_it(struct archive_experiment *it, const struct archive *archive, int64_t run,
                                   struct problems *problems, char message[UNIT_MESSAGE_SIZE])
{
    bool same = strcmp(it->version, VDISIM_VERSION) == 0 && strcmp(it->commit, VDISIM_COMMIT) == 0;
    char program[256];
    snprintf(program, sizeof program, "; it was written by vdisim %.60s %.60s, this is %s %s", it->version,
             it->commit, VDISIM_VERSION, VDISIM_COMMIT);
    it->experiment = experiment_open(it->file, &it->options, problems);
    if (it->experiment != NULL && strcmp(experiment_hash(it->experiment), it->hash) == 0)
        return ARCHIVE_FINE;
    snprintf(message, UNIT_MESSAGE_SIZE, "run %lld of archive '%.300s' %s%s", (long long)run, archive->path,
             it->experiment == NULL ? "cannot be read again as an experiment"
                                    : "is read as another experiment today",
             same ? "" : program);
    return ARCHIVE_REFUSED;
}

enum archive_status archive_experiment_open(struct archive *archive, int64_t run, struct problems *problems,
                                            struct archive_experiment **experiment,
                                            char message[UNIT_MESSAGE_SIZE])
{
    *experiment = NULL;
    struct archive_experiment *it = calloc(1, sizeof *it);
    jmp_buf landing;
    if (it == NULL) {
        snprintf(message, UNIT_MESSAGE_SIZE, "out of memory");
        return ARCHIVE_FAILED;
    }
    it->arena = arena_create();
    it->reading = arena_create();
    if (it->arena == NULL || it->reading == NULL || setjmp(landing) != 0) {
        archive_experiment_close(it);
        snprintf(message, UNIT_MESSAGE_SIZE, "out of memory");
        return ARCHIVE_FAILED;
    }
    arena_set_landing(it->arena, &landing);
    arena_set_landing(it->reading, &landing);
    enum archive_status status = read_run(it, archive, run, message);
    if (status == ARCHIVE_FINE)
        status = read_inputs(it, archive, run, message);
    if (status == ARCHIVE_FINE)
        status = read_options(it, archive, run, message);
    arena_set_landing(it->arena, NULL);
    arena_destroy(it->reading);
    it->reading = NULL;
    if (status == ARCHIVE_FINE)
        status = open_it(it, archive, run, problems, message);
    if (status == ARCHIVE_FINE)
        *experiment = it;
    else
        archive_experiment_close(it);
    return status;
}

void archive_experiment_close(struct archive_experiment *experiment)
{
    if (experiment == NULL)
        return;
    experiment_close(experiment->experiment);
    arena_destroy(experiment->reading);
    arena_destroy(experiment->arena);
    free(experiment);
}

const struct experiment *archive_experiment_of(const struct archive_experiment *experiment)
{
    return experiment->experiment;
}

const struct selection_request *archive_experiment_selection(const struct archive_experiment *experiment)
{
    return experiment->selection.metric == NULL ? NULL : &experiment->selection;
}
