/* A unit out of the archive, as it was when it was finished: nothing is believed that does not fit its counts and
 * checksums. */
#include "sim/experiment/archive/archive_check.h"
#include "sim/experiment/archive/archive_inside.h"
#include "sim/experiment/archive/archive_phases.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What the row of a unit says of the others. */
struct stored {
    int64_t id;
    struct unit unit;
    bool has_records;
    size_t metrics, parts, stores, warnings, logons;
    uint64_t figures_check, records_check;
};

/* How a part of the loading ended. */
enum loading { LOADED, MISFIT, SHORT_OF_MEMORY, DATABASE_FAILED };

static size_t column_count(sqlite3_stmt *statement, int index)
{
    int64_t value = sqlite3_column_int64(statement, index);
    return value < 0 ? 0 : (size_t)value;
}

static uint64_t column_bits(sqlite3_stmt *statement, int index)
{
    return (uint64_t)sqlite3_column_int64(statement, index);
}

/* After the last step: what its code says. */
static enum loading ended(sqlite3_stmt *statement, int code)
{
    sqlite3_reset(statement);
    return code == SQLITE_DONE ? LOADED : DATABASE_FAILED;
}

static sqlite3_stmt *rows_of(struct archive_run *run, enum archive_statement which, int64_t id)
{
    sqlite3_stmt *statement = archive_statement(run, which);
    if (statement != NULL)
        sqlite3_bind_int64(statement, 1, id);
    return statement;
}

static enum loading load_metrics(struct archive_run *run, int64_t id, struct unit_outcome *outcome)
{
    int code;
    sqlite3_stmt *statement = rows_of(run, SELECT_METRICS, id);
    if (statement == NULL)
        return DATABASE_FAILED;
    while ((code = sqlite3_step(statement)) == SQLITE_ROW) {
        size_t count = outcome->metric_count;
        if (!archive_grow((void **)&outcome->names, count, sizeof *outcome->names) ||
            !archive_grow((void **)&outcome->values, count, sizeof *outcome->values))
            return SHORT_OF_MEMORY;
        struct metric_name *name = &outcome->names[count];
        *name = (struct metric_name){archive_column_text(statement, 0), archive_column_text(statement, 1)};
        outcome->values[count] = archive_column_double(statement, 2);
        outcome->metric_count++;
        if (name->name == NULL || name->unit == NULL)
            return SHORT_OF_MEMORY;
    }
    return ended(statement, code);
}

static enum loading load_parts(struct archive_run *run, const struct stored *stored,
                               struct unit_outcome *outcome)
{
    int code;
    size_t count = 0;
    sqlite3_stmt *statement = rows_of(run, SELECT_PARTS, stored->id);
    if (statement == NULL)
        return DATABASE_FAILED;
    while ((code = sqlite3_step(statement)) == SQLITE_ROW) {
        if (!archive_grow((void **)&outcome->part_values, count, sizeof *outcome->part_values))
            return SHORT_OF_MEMORY;
        outcome->part_values[count++] = archive_column_double(statement, 0);
    }
    if (outcome->metric_count > 0)
        outcome->part_count = count / outcome->metric_count;
    if (code == SQLITE_DONE && outcome->part_count * outcome->metric_count != count)
        return MISFIT;
    return ended(statement, code);
}

static enum loading load_warnings(struct archive_run *run, int64_t id, struct unit_outcome *outcome)
{
    int code;
    sqlite3_stmt *statement = rows_of(run, SELECT_WARNINGS, id);
    if (statement == NULL)
        return DATABASE_FAILED;
    while ((code = sqlite3_step(statement)) == SQLITE_ROW) {
        if (!archive_grow((void **)&outcome->warnings, outcome->warning_count, sizeof *outcome->warnings))
            return SHORT_OF_MEMORY;
        char *text = archive_column_text(statement, 0);
        if (text == NULL)
            return SHORT_OF_MEMORY;
        outcome->warnings[outcome->warning_count++] = text;
    }
    return ended(statement, code);
}

static enum loading load_stores(struct archive_run *run, const struct stored *stored, bool records,
                                struct unit_outcome *outcome)
{
    int code;
    sqlite3_stmt *statement = rows_of(run, SELECT_STORES, stored->id);
    if (statement == NULL)
        return DATABASE_FAILED;
    while ((code = sqlite3_step(statement)) == SQLITE_ROW) {
        size_t count = outcome->store_count;
        if (!archive_grow((void **)&outcome->store_names, count, sizeof *outcome->store_names) ||
            !archive_grow((void **)&outcome->minutes, count, sizeof *outcome->minutes) ||
            !archive_grow((void **)&outcome->minute_counts, count, sizeof *outcome->minute_counts) ||
            !archive_grow((void **)&outcome->workload_minutes, count, sizeof *outcome->workload_minutes))
            return SHORT_OF_MEMORY;
        outcome->store_names[count] = archive_column_text(statement, 0);
        outcome->minutes[count] = NULL;
        outcome->minute_counts[count] = 0;
        outcome->workload_minutes[count] = NULL;
        outcome->store_count++;
        if (outcome->store_names[count] == NULL)
            return SHORT_OF_MEMORY;
        if (!records || sqlite3_column_type(statement, 1) == SQLITE_NULL)
            continue;
        outcome->minutes[count] = calloc(1, sizeof *outcome->minutes[count]); /* no minutes, but kept */
        if (outcome->minutes[count] == NULL)
            return SHORT_OF_MEMORY;
    }
    return ended(statement, code);
}

static void load_minute(sqlite3_stmt *statement, struct minute_record *minute)
{
    int index = 1;
    for (int type = 0; type < RESPONSE_TYPE_COUNT; type++)
        minute->transactions[type] = column_bits(statement, index++);
    for (int class = 0; class < OPERATION_CLASS_COUNT; class ++)
        minute->operations[class] = column_bits(statement, index++);
    minute->ingress_bytes = sqlite3_column_int64(statement, index++);
    minute->egress_bytes = sqlite3_column_int64(statement, index++);
    minute->server_latency_sum_ms = archive_column_double(statement, index++);
    minute->server_latency_max_ms = archive_column_double(statement, index++);
    minute->e2e_latency_sum_ms = archive_column_double(statement, index++);
    minute->e2e_latency_max_ms = archive_column_double(statement, index++);
    minute->max_used_iops = archive_column_double(statement, index++);
    minute->max_used_bytes_per_s = archive_column_double(statement, index++);
    minute->burst_credits_min = archive_column_double(statement, index);
}

static enum loading load_minutes(struct archive_run *run, int64_t id, struct unit_outcome *outcome)
{
    int code;
    sqlite3_stmt *statement = rows_of(run, SELECT_MINUTES, id);
    if (statement == NULL)
        return DATABASE_FAILED;
    while ((code = sqlite3_step(statement)) == SQLITE_ROW) {
        int64_t store = sqlite3_column_int64(statement, 0);
        if (store < 0 || (size_t)store >= outcome->store_count || outcome->minutes[store] == NULL)
            return MISFIT;
        size_t *count = &outcome->minute_counts[store];
        if (!archive_grow((void **)&outcome->minutes[store], *count, sizeof *outcome->minutes[store]))
            return SHORT_OF_MEMORY;
        load_minute(statement, &outcome->minutes[store][(*count)++]);
    }
    return ended(statement, code);
}

static void load_workload_minute(sqlite3_stmt *statement, struct workload_minute *part)
{
    part->transactions = column_bits(statement, 2);
    part->ingress_bytes = sqlite3_column_int64(statement, 3);
    part->egress_bytes = sqlite3_column_int64(statement, 4);
    part->e2e_ns = sqlite3_column_int64(statement, 5);
}

/* Each minute has a row for each workload, or none has. */
static enum loading load_workload_minutes(struct archive_run *run, int64_t id, struct unit_outcome *outcome)
{
    int code;
    sqlite3_stmt *statement = rows_of(run, SELECT_WORKLOAD_MINUTES, id);
    size_t *counts = calloc(outcome->store_count + 1, sizeof *counts);
    enum loading loading = counts == NULL ? SHORT_OF_MEMORY : statement == NULL ? DATABASE_FAILED : LOADED;
    while (loading == LOADED && (code = sqlite3_step(statement)) == SQLITE_ROW) {
        const int64_t store = sqlite3_column_int64(statement, 0);
        const size_t workload = column_count(statement, 1);
        if (store < 0 || (size_t)store >= outcome->store_count || workload >= WORKLOADS_TOLD_APART)
            loading = MISFIT;
        else if (!archive_grow((void **)&outcome->workload_minutes[store], counts[store],
                               sizeof *outcome->workload_minutes[store]))
            loading = SHORT_OF_MEMORY;
        else
            load_workload_minute(statement, &outcome->workload_minutes[store][counts[store]++]);
        if (loading == LOADED && workload >= outcome->workload_count)
            outcome->workload_count = workload + 1;
    }
    for (size_t store = 0; loading == LOADED && store < outcome->store_count; store++)
        if (counts[store] != outcome->minute_counts[store] * outcome->workload_count)
            loading = MISFIT;
    free(counts);
    return loading == LOADED ? ended(statement, code) : loading;
}

static bool load_logon(sqlite3_stmt *statement, struct logon_record *logon)
{
    memset(logon, 0, sizeof *logon);
    logon->user = (uint32_t)sqlite3_column_int64(statement, 0);
    logon->host = (uint32_t)sqlite3_column_int64(statement, 1);
    logon->start_ns = sqlite3_column_int64(statement, 2);
    logon->load_ns = sqlite3_column_int64(statement, 3);
    logon->finished = sqlite3_column_int(statement, 4) != 0;
    logon->requests = (uint32_t)sqlite3_column_int64(statement, 5);
    logon->bytes_read = sqlite3_column_int64(statement, 6);
    logon->bytes_written = sqlite3_column_int64(statement, 7);
    const unsigned char *phases = sqlite3_column_blob(statement, 8);
    return phases != NULL && archive_phases_unpack(phases, (size_t)sqlite3_column_bytes(statement, 8), logon);
}

static enum loading load_logons(struct archive_run *run, int64_t id, struct unit_outcome *outcome)
{
    int code;
    sqlite3_stmt *statement = rows_of(run, SELECT_LOGONS, id);
    outcome->logons = malloc(sizeof *outcome->logons); /* none, but kept */
    if (outcome->logons == NULL)
        return SHORT_OF_MEMORY;
    if (statement == NULL)
        return DATABASE_FAILED;
    while ((code = sqlite3_step(statement)) == SQLITE_ROW) {
        if (!archive_grow((void **)&outcome->logons, outcome->logon_count, sizeof *outcome->logons))
            return SHORT_OF_MEMORY;
        if (!load_logon(statement, &outcome->logons[outcome->logon_count++]))
            return MISFIT;
    }
    return ended(statement, code);
}

static void load_unit(sqlite3_stmt *statement, struct stored *stored, struct unit_outcome *outcome)
{
    int index = 0;
    struct sim_account *account = &outcome->account;
    stored->id = sqlite3_column_int64(statement, index++);
    stored->has_records = sqlite3_column_int(statement, index++) != 0;
    outcome->run_effect = archive_column_double(statement, index++);
    outcome->run_effect_cv = archive_column_double(statement, index++);
    int end = sqlite3_column_int(statement, index++);
    account->end = end >= SIM_END_NOT_RUN && end <= SIM_END_MEMORY ? (enum sim_end)end : SIM_END_NOT_RUN;
    account->now_ns = sqlite3_column_int64(statement, index++);
    account->events = column_bits(statement, index++);
    account->ties = column_bits(statement, index++);
    account->pending_events = column_count(statement, index++);
    account->live_processes = column_count(statement, index++);
    account->blocked_processes = column_count(statement, index++);
    account->fingerprint = column_bits(statement, index++);
    stored->metrics = column_count(statement, index++);
    stored->parts = column_count(statement, index++);
    stored->stores = column_count(statement, index++);
    stored->warnings = column_count(statement, index++);
    stored->logons = column_count(statement, index++);
    stored->figures_check = column_bits(statement, index++);
    stored->records_check = column_bits(statement, index);
}

static enum loading load_rest(struct archive_run *run, const struct stored *stored, bool records,
                              struct unit_outcome *outcome)
{
    enum loading loading = load_metrics(run, stored->id, outcome);
    if (loading == LOADED)
        loading = load_parts(run, stored, outcome);
    if (loading == LOADED)
        loading = load_warnings(run, stored->id, outcome);
    if (loading == LOADED)
        loading = load_stores(run, stored, records, outcome);
    if (loading == LOADED && records)
        loading = load_minutes(run, stored->id, outcome);
    if (loading == LOADED && records && run->archive->schema >= 2)
        loading = load_workload_minutes(run, stored->id, outcome);
    if (loading == LOADED && records)
        loading = load_logons(run, stored->id, outcome);
    if (loading != LOADED)
        return loading;
    bool fits = outcome->metric_count == stored->metrics && outcome->part_count == stored->parts &&
                outcome->store_count == stored->stores && outcome->warning_count == stored->warnings &&
                archive_check_figures(stored->unit, outcome) == stored->figures_check;
    if (fits && records)
        fits =
            outcome->logon_count == stored->logons && archive_check_records(outcome) == stored->records_check;
    return fits ? LOADED : MISFIT;
}

/* In one transaction, so that all rows are of the same moment. */
static enum loading load_whole(struct archive_run *run, struct unit unit, bool records, bool *is_there,
                               struct unit_outcome *outcome)
{
    struct stored stored = {.unit = unit};
    *is_there = false;
    sqlite3_stmt *statement = archive_statement(run, FIND_UNIT);
    if (statement == NULL)
        return DATABASE_FAILED;
    sqlite3_bind_int64(statement, 1, run->id);
    sqlite3_bind_int64(statement, 2, (int64_t)unit.cell + 1);
    sqlite3_bind_int64(statement, 3, (int64_t)unit.replication + 1);
    int code = sqlite3_step(statement);
    if (code != SQLITE_ROW)
        return ended(statement, code);
    load_unit(statement, &stored, outcome);
    enum loading loading = LOADED;
    *is_there = stored.has_records || !records;
    if (*is_there)
        loading = load_rest(run, &stored, records, outcome);
    sqlite3_reset(statement); /* held open until here: it keeps the view of the file the same */
    return loading;
}

enum keeper_answer archive_load(struct keeper *keeper, struct unit unit, bool records,
                                struct unit_outcome *outcome, char message[UNIT_MESSAGE_SIZE])
{
    struct archive_run *run = (struct archive_run *)keeper;
    bool is_there;
    memset(outcome, 0, sizeof *outcome);
    if (run->is_empty)
        return KEEPER_HAS_NOT;
    enum loading loading = load_whole(run, unit, records, &is_there, outcome);
    if (loading == LOADED && is_there) {
        outcome->done = true;
        return KEEPER_HAS_IT;
    }
    if (loading == MISFIT)
        archive_damaged(run->archive, message, "run %lld, cell %zu, replication %zu is not what was kept",
                        (long long)run->id, unit.cell + 1, unit.replication + 1);
    else if (loading == SHORT_OF_MEMORY)
        snprintf(message, UNIT_MESSAGE_SIZE, "out of memory");
    else if (loading == DATABASE_FAILED)
        archive_explain(run->archive, message, "read cell %zu, replication %zu of", unit.cell + 1,
                        unit.replication + 1);
    for (int i = 0; i < ARCHIVE_STATEMENT_COUNT; i++)
        sqlite3_reset(run->statements[i]);
    unit_release(outcome);
    return loading == LOADED ? KEEPER_HAS_NOT : KEEPER_FAILED;
}
