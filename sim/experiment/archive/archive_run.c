/* A run in the archive: begun, taken up again, opened to be read, finished. */
#include "sim/experiment/archive/archive_inside.h"
#include "sim/experiment/read/sha256.h"
#include "vdisim/random.h"
#include "vdisim/version.h"

#include <gsl/gsl_version.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct keeper_operations read_and_write = {archive_load, archive_save};
static const struct keeper_operations only_read = {archive_load, NULL};

static struct archive_run *run_create(struct archive *archive, int64_t id,
                                      const struct keeper_operations *operations,
                                      char message[UNIT_MESSAGE_SIZE])
{
    struct archive_run *run = calloc(1, sizeof *run);
    if (run == NULL) {
        snprintf(message, UNIT_MESSAGE_SIZE, "out of memory");
        return NULL;
    }
    run->keeper.operations = operations;
    run->archive = archive;
    run->id = id;
    return run;
}

/* Of each cell; 0 where the plan decides on the way. */
static size_t fixed_replications(const struct archive_request *request)
{
    bool is_fixed = experiment_precision(request->experiment) == NULL && request->selection == NULL;
    return is_fixed ? (size_t)experiment_run(request->experiment)->replications : 0;
}

/* Those known from the beginning. */
static size_t wanted_units(const struct archive_request *request)
{
    size_t units = experiment_cell_count(request->experiment) * fixed_replications(request);
    const struct shard *shard = &request->shard;
    return shard->count == 0 ? units : units / shard->count + (shard->index < units % shard->count);
}

static bool write_inputs(struct archive *archive, int64_t run, const struct experiment *experiment)
{
    size_t count;
    const struct text_file *files = experiment_files(experiment, &count);
    for (size_t i = 0; i < count; i++) {
        char digest[SHA256_HEX_SIZE];
        struct sha256 hash;
        sha256_init(&hash);
        sha256_add(&hash, files[i].text, files[i].length);
        sha256_finish(&hash, digest);
        if (!archive_do(archive, "INSERT OR IGNORE INTO text (sha256, text) VALUES (?, ?)", "tb", digest,
                        files[i].text, files[i].length) ||
            !archive_do(archive, "INSERT INTO input (run, ordinal, path, sha256) VALUES (?, ?, ?, ?)", "iztt",
                        run, i, files[i].path, digest))
            return false;
    }
    return true;
}

static bool write_options(struct archive *archive, int64_t run, const struct experiment_options *options)
{
    static const char sql[] = "INSERT INTO option (run, kind, ordinal, value) VALUES (?, ?, ?, ?)";
    bool fine = true;
    for (size_t i = 0; fine && i < options->catalogue_count; i++)
        fine = archive_do(archive, sql, "itzt", run, "catalogue", i, options->catalogues[i]);
    for (size_t i = 0; fine && i < options->set_count; i++)
        fine = archive_do(archive, sql, "itzt", run, "set", i, options->sets[i]);
    return fine;
}

static bool write_cells(struct archive *archive, int64_t run, const struct experiment *experiment)
{
    sqlite3_stmt *statement = archive_query(
        archive, "INSERT INTO cell (run, cell, ordinal, key, label, value) VALUES (?, ?, ?, ?, ?, ?)", "i",
        run);
    bool fine = statement != NULL;
    for (size_t i = 0; fine && i < experiment_cell_count(experiment); i++) {
        const struct cell *cell = experiment_cell(experiment, i);
        for (size_t key = 0; fine && key < cell->assignment_count; key++) {
            const struct assignment *assignment = &cell->assignments[key];
            sqlite3_bind_int64(statement, 2, (int64_t)i + 1);
            sqlite3_bind_int64(statement, 3, (int64_t)key);
            sqlite3_bind_text(statement, 4, assignment->key, -1, SQLITE_STATIC);
            sqlite3_bind_text(statement, 5, assignment->label, -1, SQLITE_STATIC);
            sqlite3_bind_text(statement, 6, assignment->value, -1, SQLITE_STATIC);
            fine = sqlite3_step(statement) == SQLITE_DONE && sqlite3_reset(statement) == SQLITE_OK;
        }
    }
    sqlite3_finalize(statement);
    return fine;
}

/* What is the same in every run that could be taken up. */
static bool insert_run(struct archive *archive, const struct archive_request *request, int64_t *id)
{
    const struct experiment *experiment = request->experiment;
    const struct shard *shard = &request->shard;
    bool fine = archive_do(archive,
                           "INSERT INTO run (experiment, title, file, hash, seed, version, source_commit,"
                           " gsl_version, random_generator, shard, shards, cells, replications,"
                           " asked_replications, asked_seed, wanted, status, started)"
                           " VALUES (?, '', '', ?, ?, ?, ?, ?, ?, ?, ?, 0, 0, 0, 0, 0,"
                           " 'running', strftime('%Y-%m-%dT%H:%M:%SZ', 'now'))",
                           "ttittttzz", experiment_name(experiment), experiment_hash(experiment),
                           experiment_run(experiment)->seed, VDISIM_VERSION, VDISIM_COMMIT, gsl_version,
                           sim_random_gsl_type()->name, shard->count == 0 ? (size_t)0 : shard->index + 1,
                           shard->count);
    *id = sqlite3_last_insert_rowid(archive->database);
    return fine;
}

/* And what may be another when it is taken up: more replications, other words in the file. */
static bool describe_run(struct archive *archive, const struct archive_request *request, int64_t id)
{
    const struct experiment *experiment = request->experiment;
    const struct experiment_options *options = experiment_options(experiment);
    const struct selection_request *selection = request->selection;
    struct selection_request none = {0};
    bool fine =
        archive_do(archive,
                   "UPDATE run SET title = ?, file = ?, cells = ?, replications = ?, asked_replications = ?,"
                   " asked_seed = ?, wanted = ?, status = 'running', finished = NULL WHERE id = ?",
                   "ttzziizi", experiment_title(experiment), experiment_path(experiment),
                   experiment_cell_count(experiment), fixed_replications(request), options->replications,
                   options->seed, wanted_units(request), id);
    if (selection == NULL)
        selection = &none;
    fine =
        fine && archive_do(archive,
                           "UPDATE run SET select_metric = ?, select_indifference = ?, select_confidence = ?,"
                           " select_at_most = ? WHERE id = ?",
                           "tddzi", selection->metric, selection->indifference, selection->confidence,
                           selection->at_most, id);
    return fine && archive_do(archive, "DELETE FROM input WHERE run = ?", "i", id) &&
           archive_do(archive, "DELETE FROM option WHERE run = ?", "i", id) &&
           archive_do(archive, "DELETE FROM cell WHERE run = ?", "i", id) &&
           write_inputs(archive, id, experiment) && write_options(archive, id, options) &&
           write_cells(archive, id, experiment);
}

/* The newest run that may be taken up, 0 without one. */
static bool find_run(struct archive *archive, const struct archive_request *request, int64_t *id)
{
    const struct shard *shard = &request->shard;
    sqlite3_stmt *statement = archive_query(
        archive,
        "SELECT id FROM run WHERE experiment = ? AND hash = ? AND version = ? AND source_commit = ?"
        " AND gsl_version = ? AND shard = ? AND shards = ? ORDER BY id DESC LIMIT 1",
        "tttttzz", experiment_name(request->experiment), experiment_hash(request->experiment), VDISIM_VERSION,
        VDISIM_COMMIT, gsl_version, shard->count == 0 ? (size_t)0 : shard->index + 1, shard->count);
    if (statement == NULL)
        return false;
    *id = sqlite3_step(statement) == SQLITE_ROW ? sqlite3_column_int64(statement, 0) : 0;
    return sqlite3_finalize(statement) == SQLITE_OK;
}

static void add_reason(char *reasons, size_t size, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
static void add_reason(char *reasons, size_t size, const char *format, ...)
{
    size_t length = strlen(reasons);
    if (length > 0 && length < size)
        length += (size_t)snprintf(reasons + length, size - length, ", ");
    va_list arguments;
    va_start(arguments, format);
    if (length < size)
        vsnprintf(reasons + length, size - length, format, arguments);
    va_end(arguments);
}

/* Columns: id, hash, seed, version, source_commit, gsl_version, shard, shards. */
static void list_reasons(sqlite3_stmt *statement, const struct archive_request *request, char *reasons,
                         size_t size)
{
    const char *hash = (const char *)sqlite3_column_text(statement, 1);
    const char *version = (const char *)sqlite3_column_text(statement, 3);
    const char *commit = (const char *)sqlite3_column_text(statement, 4);
    const char *gsl = (const char *)sqlite3_column_text(statement, 5);
    long long seed = sqlite3_column_int64(statement, 2);
    long long shard = sqlite3_column_int64(statement, 6), shards = sqlite3_column_int64(statement, 7);
    long long seed_now = experiment_run(request->experiment)->seed;
    if (seed != seed_now)
        add_reason(reasons, size, "the seed is another (%lld, now %lld)", seed, seed_now);
    else if (hash == NULL || strcmp(hash, experiment_hash(request->experiment)) != 0)
        add_reason(reasons, size, "the experiment has changed");
    if (version == NULL || commit == NULL || strcmp(version, VDISIM_VERSION) != 0 ||
        strcmp(commit, VDISIM_COMMIT) != 0)
        add_reason(reasons, size, "the program is another (%.40s %.60s, now %s %s)",
                   version == NULL ? "" : version, commit == NULL ? "" : commit, VDISIM_VERSION,
                   VDISIM_COMMIT);
    if (gsl == NULL || strcmp(gsl, gsl_version) != 0)
        add_reason(reasons, size, "GSL is another (%.40s, now %s)", gsl == NULL ? "" : gsl, gsl_version);
    if (shards != (long long)request->shard.count ||
        (shards > 0 && shard != (long long)request->shard.index + 1)) {
        if (shards == 0)
            add_reason(reasons, size, "it was the whole and no shard");
        else
            add_reason(reasons, size, "it was shard %lld of %lld", shard, shards);
    }
}

/* Why none of the runs that are there can be taken up: by the newest of this experiment. */
static enum archive_status nothing_to_take_up(struct archive *archive, const struct archive_request *request,
                                              char message[UNIT_MESSAGE_SIZE])
{
    const char *name = experiment_name(request->experiment);
    sqlite3_stmt *statement =
        archive_query(archive,
                      "SELECT id, hash, seed, version, source_commit, gsl_version, shard, shards FROM run"
                      " WHERE experiment = ? ORDER BY id DESC LIMIT 1",
                      "t", name);
    if (statement == NULL)
        return archive_explain(archive, message, "read");
    char reasons[512] = "";
    if (sqlite3_step(statement) == SQLITE_ROW) {
        list_reasons(statement, request, reasons, sizeof reasons);
        snprintf(
            message, UNIT_MESSAGE_SIZE,
            "nothing to resume in '%.200s': since run %lld of '%.60s' %s; leave out --resume to begin anew",
            archive->path, (long long)sqlite3_column_int64(statement, 0), name, reasons);
    } else {
        snprintf(message, UNIT_MESSAGE_SIZE,
                 "nothing to resume in '%.200s': it has no run of '%.60s'; leave out --resume to begin one",
                 archive->path, name);
    }
    sqlite3_finalize(statement);
    return ARCHIVE_REFUSED;
}

/* Inside the transaction. */
static enum archive_status begin_run(struct archive *archive, const struct archive_request *request,
                                     int64_t *id, bool *resumes, char message[UNIT_MESSAGE_SIZE])
{
    int64_t runs, units;
    char sql[96];
    *id = 0;
    if (request->resume) {
        if (!archive_number(archive, "SELECT count(*) FROM run", 0, &runs) || !find_run(archive, request, id))
            return archive_explain(archive, message, "read");
        if (*id == 0 && runs > 0)
            return nothing_to_take_up(archive, request, message);
    }
    *resumes = *id != 0;
    if ((!*resumes && !insert_run(archive, request, id)) || !describe_run(archive, request, *id))
        return archive_explain(archive, message, "begin a run in");
    snprintf(sql, sizeof sql, "SELECT kept FROM runs WHERE run = %lld", (long long)*id);
    if (*resumes && archive_number(archive, sql, 0, &units))
        snprintf(message, UNIT_MESSAGE_SIZE, "resuming run %lld: %lld units of it are finished",
                 (long long)*id, (long long)units);
    return ARCHIVE_FINE;
}

enum archive_status archive_run_begin(struct archive *archive, const struct archive_request *request,
                                      struct archive_run **run, char message[UNIT_MESSAGE_SIZE])
{
    int64_t id;
    bool resumes = false;
    *run = NULL;
    message[0] = '\0';
    if (!archive_begin(archive))
        return archive_explain(archive, message, "begin a run in");
    enum archive_status status = begin_run(archive, request, &id, &resumes, message);
    if (status == ARCHIVE_FINE) {
        *run = run_create(archive, id, &read_and_write, message);
        if (*run == NULL)
            status = ARCHIVE_FAILED;
    }
    if (status == ARCHIVE_FINE) {
        (*run)->shard = request->shard;
        (*run)->is_empty = !resumes;
    }
    if (status == ARCHIVE_FINE && !archive_commit(archive))
        status = archive_explain(archive, message, "begin a run in");
    if (status != ARCHIVE_FINE) {
        archive_rollback(archive);
        archive_run_release(*run);
        *run = NULL;
    }
    return status;
}

enum archive_status archive_run_open(struct archive *archive, int64_t id, struct archive_run **run,
                                     char message[UNIT_MESSAGE_SIZE])
{
    *run = NULL;
    sqlite3_stmt *statement = archive_query(archive,
                                            "SELECT id, shard, shards FROM run WHERE id = ?1 OR ?1 = 0"
                                            " ORDER BY status = 'finished' DESC, id DESC LIMIT 1",
                                            "i", id);
    if (statement == NULL)
        return archive_explain(archive, message, "read");
    bool found = sqlite3_step(statement) == SQLITE_ROW;
    int64_t found_id = sqlite3_column_int64(statement, 0);
    int64_t shard = sqlite3_column_int64(statement, 1), shards = sqlite3_column_int64(statement, 2);
    if (sqlite3_finalize(statement) != SQLITE_OK)
        return archive_explain(archive, message, "read");
    if (!found) {
        if (id == 0)
            snprintf(message, UNIT_MESSAGE_SIZE, "archive '%.300s' has no run yet", archive->path);
        else
            snprintf(message, UNIT_MESSAGE_SIZE, "archive '%.300s' has no run %lld", archive->path,
                     (long long)id);
        return ARCHIVE_REFUSED;
    }
    *run = run_create(archive, found_id, &only_read, message);
    if (*run == NULL)
        return ARCHIVE_FAILED;
    if (shards > 0 && shard > 0)
        (*run)->shard = (struct shard){(size_t)shard - 1, (size_t)shards};
    return ARCHIVE_FINE;
}

struct keeper *archive_run_keeper(struct archive_run *run)
{
    return &run->keeper;
}

int64_t archive_run_id(const struct archive_run *run)
{
    return run->id;
}

/* A shard knows by what was kept whether it is whole: its result lacks the units of the others. */
enum archive_status archive_run_finish(struct archive_run *run, const struct result *result,
                                       char message[UNIT_MESSAGE_SIZE])
{
    size_t wanted = result == NULL || run->shard.count > 0 ? 0 : result_wanted(result);
    bool interrupted = result == NULL || (run->shard.count == 0 && result->interrupted);
    if (archive_do(
            run->archive,
            "UPDATE run SET wanted = CASE WHEN ?1 > 0 THEN ?1 ELSE wanted END,"
            " finished = strftime('%Y-%m-%dT%H:%M:%SZ', 'now'), status = CASE WHEN ?2 OR (shards > 0 AND"
            " wanted > " ARCHIVE_KEPT_UNITS(
                "count(*)") ") THEN 'interrupted' ELSE 'finished' END WHERE id = ?3",
            "zii", wanted, (int64_t)interrupted, run->id))
        return ARCHIVE_FINE;
    return archive_explain(run->archive, message, "finish run %lld in", (long long)run->id);
}

void archive_run_release(struct archive_run *run)
{
    if (run == NULL)
        return;
    for (int i = 0; i < ARCHIVE_STATEMENT_COUNT; i++)
        sqlite3_finalize(run->statements[i]);
    archive_forget_names(run);
    free(run);
}
