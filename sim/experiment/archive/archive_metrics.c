#include "sim/experiment/archive/archive_metrics.h"

#include "sim/experiment/archive/archive_inside.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A value before it is known how many cells, replications and metrics there are. */
struct reading_value {
    size_t unit, column;
    double value;
};

struct reading_unit {
    size_t cell, replication; /* from 0 */
    double run_effect, run_effect_cv;
    uint64_t fingerprint;
};

struct reading {
    struct archive *archive;
    int64_t run;
    struct reading_unit *units;
    size_t unit_count;
    struct reading_value *values;
    size_t value_count;
    int64_t *columns; /* the id of the name of each metric */
    size_t column_count;
};

static enum archive_status out_of_memory(char message[UNIT_MESSAGE_SIZE])
{
    snprintf(message, UNIT_MESSAGE_SIZE, "out of memory");
    return ARCHIVE_FAILED;
}

/* Most runs report the same metrics in the same order. */
static bool find_column(struct reading *reading, size_t ordinal, int64_t name, size_t *column)
{
    *column = ordinal;
    if (ordinal < reading->column_count && reading->columns[ordinal] == name)
        return true;
    for (*column = 0; *column < reading->column_count; (*column)++)
        if (reading->columns[*column] == name)
            return true;
    if (!archive_grow((void **)&reading->columns, reading->column_count, sizeof *reading->columns))
        return false;
    reading->columns[reading->column_count++] = name;
    return true;
}

static bool take_unit(struct reading *reading, sqlite3_stmt *row, size_t cell, size_t replication)
{
    if (reading->unit_count > 0) {
        const struct reading_unit *last = &reading->units[reading->unit_count - 1];
        if (last->cell == cell && last->replication == replication)
            return true;
    }
    if (!archive_grow((void **)&reading->units, reading->unit_count, sizeof *reading->units))
        return false;
    reading->units[reading->unit_count++] = (struct reading_unit){
        cell,
        replication,
        archive_column_double(row, 2),
        archive_column_double(row, 3),
        (uint64_t)sqlite3_column_int64(row, 4),
    };
    return true;
}

static bool take_value(struct reading *reading, sqlite3_stmt *row)
{
    size_t column;
    if (sqlite3_column_type(row, 5) == SQLITE_NULL) /* a unit without metrics */
        return true;
    if (!find_column(reading, (size_t)sqlite3_column_int64(row, 5), sqlite3_column_int64(row, 6), &column) ||
        !archive_grow((void **)&reading->values, reading->value_count, sizeof *reading->values))
        return false;
    reading->values[reading->value_count++] =
        (struct reading_value){reading->unit_count - 1, column, archive_column_double(row, 7)};
    return true;
}

static enum archive_status read_rows(struct reading *reading, struct archive_metrics *metrics,
                                     sqlite3_stmt *row, char message[UNIT_MESSAGE_SIZE])
{
    int code;
    while ((code = sqlite3_step(row)) == SQLITE_ROW) {
        int64_t cell = sqlite3_column_int64(row, 0), replication = sqlite3_column_int64(row, 1);
        if (cell < 1 || (size_t)cell > metrics->cell_count || replication < 1 || replication > 100000000)
            return archive_damaged(reading->archive, message, "run %lld has a cell %lld, replication %lld",
                                   (long long)reading->run, (long long)cell, (long long)replication);
        if ((size_t)replication > metrics->replications)
            metrics->replications = (size_t)replication;
        if (!take_unit(reading, row, (size_t)cell - 1, (size_t)replication - 1) || !take_value(reading, row))
            return out_of_memory(message);
    }
    return code == SQLITE_DONE
               ? ARCHIVE_FINE
               : archive_explain(reading->archive, message, "read run %lld of", (long long)reading->run);
}

static enum archive_status read_values(struct reading *reading, struct archive_metrics *metrics,
                                       char message[UNIT_MESSAGE_SIZE])
{
    sqlite3_stmt *row = archive_query(
        reading->archive,
        "SELECT unit.cell, unit.replication, run_effect, run_effect_cv, fingerprint, ordinal, name, value"
        " FROM unit LEFT JOIN metric ON metric.unit = unit.id WHERE run = ?"
        " ORDER BY unit.cell, unit.replication, ordinal",
        "i", reading->run);
    if (row == NULL)
        return archive_explain(reading->archive, message, "read run %lld of", (long long)reading->run);
    enum archive_status status = read_rows(reading, metrics, row, message);
    sqlite3_finalize(row);
    return status;
}

static enum archive_status read_names(const struct reading *reading, struct archive_metrics *metrics,
                                      char message[UNIT_MESSAGE_SIZE])
{
    metrics->metrics = calloc(reading->column_count + 1, sizeof *metrics->metrics);
    if (metrics->metrics == NULL)
        return out_of_memory(message);
    for (size_t i = 0; i < reading->column_count; i++) {
        struct metric_name *name = &metrics->metrics[metrics->metric_count++];
        sqlite3_stmt *row = archive_query(reading->archive, "SELECT name, unit FROM metric_name WHERE id = ?",
                                          "i", reading->columns[i]);
        bool found = row != NULL && sqlite3_step(row) == SQLITE_ROW;
        if (found)
            *name = (struct metric_name){archive_column_text(row, 0), archive_column_text(row, 1)};
        sqlite3_finalize(row);
        if (!found)
            return archive_damaged(reading->archive, message, "a metric of run %lld has no name",
                                   (long long)reading->run);
        if (name->name == NULL || name->unit == NULL)
            return out_of_memory(message);
    }
    return ARCHIVE_FINE;
}

static enum archive_status read_cell_rows(struct archive *archive, struct archive_metrics *metrics,
                                          sqlite3_stmt *row, char message[UNIT_MESSAGE_SIZE])
{
    int code;
    while ((code = sqlite3_step(row)) == SQLITE_ROW) {
        int64_t cell = sqlite3_column_int64(row, 0) - 1;
        if (cell < 0 || (size_t)cell >= metrics->cell_count)
            return archive_damaged(archive, message, "run %lld has a cell %lld", (long long)metrics->run.id,
                                   (long long)cell + 1);
        size_t *count = &metrics->assignment_counts[cell];
        if (!archive_grow((void **)&metrics->assignments[cell], *count, sizeof **metrics->assignments))
            return out_of_memory(message);
        struct assignment *assignment = &metrics->assignments[cell][(*count)++];
        *assignment = (struct assignment){archive_column_text(row, 1), archive_column_text(row, 2),
                                          archive_column_text(row, 3)};
        if (assignment->key == NULL || assignment->label == NULL || assignment->value == NULL)
            return out_of_memory(message);
    }
    return code == SQLITE_DONE ? ARCHIVE_FINE : archive_explain(archive, message, "read the cells of");
}

static enum archive_status read_cells(struct archive *archive, struct archive_metrics *metrics,
                                      char message[UNIT_MESSAGE_SIZE])
{
    metrics->assignment_counts = calloc(metrics->cell_count + 1, sizeof *metrics->assignment_counts);
    metrics->assignments = calloc(metrics->cell_count + 1, sizeof *metrics->assignments);
    if (metrics->assignment_counts == NULL || metrics->assignments == NULL)
        return out_of_memory(message);
    sqlite3_stmt *row = archive_query(
        archive, "SELECT cell, key, label, value FROM cell WHERE run = ? ORDER BY cell, ordinal", "i",
        metrics->run.id);
    if (row == NULL)
        return archive_explain(archive, message, "read the cells of");
    enum archive_status status = read_cell_rows(archive, metrics, row, message);
    sqlite3_finalize(row);
    return status;
}

/* Into the table of units, once its size is known. False when memory is short. */
static bool arrange(const struct reading *reading, struct archive_metrics *metrics)
{
    size_t units, values;
    if (__builtin_mul_overflow(metrics->cell_count, metrics->replications, &units) ||
        __builtin_mul_overflow(units, metrics->metric_count, &values) || values > SIZE_MAX / 16)
        return false;
    metrics->done = calloc(units + 1, sizeof *metrics->done);
    metrics->run_effects = calloc(units + 1, sizeof *metrics->run_effects);
    metrics->run_effect_cvs = calloc(units + 1, sizeof *metrics->run_effect_cvs);
    metrics->fingerprints = calloc(units + 1, sizeof *metrics->fingerprints);
    metrics->values = malloc((values + 1) * sizeof *metrics->values);
    if (metrics->done == NULL || metrics->run_effects == NULL || metrics->run_effect_cvs == NULL ||
        metrics->fingerprints == NULL || metrics->values == NULL)
        return false;
    for (size_t i = 0; i < values; i++)
        metrics->values[i] = NAN;
    for (size_t i = 0; i < units; i++)
        metrics->run_effects[i] = 1;
    for (size_t i = 0; i < reading->unit_count; i++) {
        const struct reading_unit *unit = &reading->units[i];
        size_t place = unit->cell * metrics->replications + unit->replication;
        metrics->done[place] = true;
        metrics->run_effects[place] = unit->run_effect;
        metrics->run_effect_cvs[place] = unit->run_effect_cv;
        metrics->fingerprints[place] = unit->fingerprint;
    }
    for (size_t i = 0; i < reading->value_count; i++) {
        const struct reading_value *value = &reading->values[i];
        const struct reading_unit *unit = &reading->units[value->unit];
        size_t place = unit->cell * metrics->replications + unit->replication;
        metrics->values[place * metrics->metric_count + value->column] = value->value;
    }
    return true;
}

/* Takes the run's line out of the list. */
static enum archive_status read_run(struct archive *archive, int64_t id, struct archive_metrics *metrics,
                                    char message[UNIT_MESSAGE_SIZE])
{
    struct archive_run *run;
    struct archive_run_info *runs;
    size_t count;
    enum archive_status status = archive_run_open(archive, id, &run, message);
    if (status != ARCHIVE_FINE)
        return status;
    id = archive_run_id(run);
    archive_run_release(run);
    status = archive_runs(archive, &runs, &count, message);
    if (status != ARCHIVE_FINE)
        return status;
    for (size_t i = 0; i < count; i++)
        if (runs[i].id == id) {
            metrics->run = runs[i];
            memset(&runs[i], 0, sizeof runs[i]);
        }
    archive_runs_free(runs, count);
    metrics->cell_count = metrics->run.cells;
    return ARCHIVE_FINE;
}

static enum archive_status load(struct archive *archive, int64_t run, struct archive_metrics *metrics,
                                char message[UNIT_MESSAGE_SIZE])
{
    enum archive_status status = read_run(archive, run, metrics, message);
    if (status != ARCHIVE_FINE)
        return status;
    struct reading reading = {.archive = archive, .run = metrics->run.id};
    status = read_cells(archive, metrics, message);
    if (status == ARCHIVE_FINE)
        status = read_values(&reading, metrics, message);
    if (status == ARCHIVE_FINE)
        status = read_names(&reading, metrics, message);
    if (status == ARCHIVE_FINE && !arrange(&reading, metrics))
        status = out_of_memory(message);
    free(reading.units);
    free(reading.values);
    free(reading.columns);
    return status;
}

enum archive_status archive_metrics_load(struct archive *archive, int64_t run,
                                         struct archive_metrics **metrics, char message[UNIT_MESSAGE_SIZE])
{
    *metrics = calloc(1, sizeof **metrics);
    if (*metrics == NULL)
        return out_of_memory(message);
    enum archive_status status = load(archive, run, *metrics, message);
    if (status != ARCHIVE_FINE) {
        archive_metrics_free(*metrics);
        *metrics = NULL;
    }
    return status;
}

static void free_cells(struct archive_metrics *metrics)
{
    for (size_t cell = 0; metrics->assignments != NULL && cell < metrics->cell_count; cell++) {
        for (size_t i = 0; i < metrics->assignment_counts[cell]; i++) {
            free((char *)(uintptr_t)metrics->assignments[cell][i].key);
            free((char *)(uintptr_t)metrics->assignments[cell][i].label);
            free((char *)(uintptr_t)metrics->assignments[cell][i].value);
        }
        free(metrics->assignments[cell]);
    }
    free(metrics->assignments);
    free(metrics->assignment_counts);
}

void archive_metrics_free(struct archive_metrics *metrics)
{
    if (metrics == NULL)
        return;
    free_cells(metrics);
    for (size_t i = 0; i < metrics->metric_count; i++) {
        free(metrics->metrics[i].name);
        free(metrics->metrics[i].unit);
    }
    free(metrics->metrics);
    free(metrics->done);
    free(metrics->run_effects);
    free(metrics->run_effect_cvs);
    free(metrics->fingerprints);
    free(metrics->values);
    archive_info_release(&metrics->run);
    free(metrics);
}
