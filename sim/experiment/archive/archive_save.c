/* A finished unit into the archive, in one transaction. */
#include "sim/experiment/archive/archive_check.h"
#include "sim/experiment/archive/archive_inside.h"
#include "sim/experiment/archive/archive_phases.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool run_to_end(sqlite3_stmt *statement)
{
    bool done = sqlite3_step(statement) == SQLITE_DONE;
    return sqlite3_reset(statement) == SQLITE_OK && done;
}

static void bind_number(sqlite3_stmt *statement, int index, uint64_t value)
{
    sqlite3_bind_int64(statement, index, (int64_t)value);
}

static void bind_text(sqlite3_stmt *statement, int index, const char *text)
{
    sqlite3_bind_text(statement, index, text, -1, SQLITE_STATIC);
}

void archive_forget_names(struct archive_run *run)
{
    for (size_t i = 0; i < run->name_count; i++) {
        free(run->names[i].name);
        free(run->names[i].unit);
    }
    free(run->names);
    run->names = NULL;
    run->name_count = 0;
}

/* The id of a metric's name in the archive. False when the database failed or memory is short. */
static bool find_name(struct archive_run *run, size_t ordinal, const struct metric_name *metric, int64_t *id)
{
    if (ordinal < run->name_count && strcmp(run->names[ordinal].name, metric->name) == 0 &&
        strcmp(run->names[ordinal].unit, metric->unit) == 0) {
        *id = run->names[ordinal].id;
        return true;
    }
    sqlite3_stmt *statement = archive_statement(run, INSERT_NAME);
    if (statement == NULL)
        return false;
    bind_text(statement, 1, metric->name);
    bind_text(statement, 2, metric->unit);
    if (!run_to_end(statement) || (statement = archive_statement(run, FIND_NAME)) == NULL)
        return false;
    bind_text(statement, 1, metric->name);
    bind_text(statement, 2, metric->unit);
    if (sqlite3_step(statement) != SQLITE_ROW)
        return false;
    *id = sqlite3_column_int64(statement, 0);
    sqlite3_reset(statement);
    if (ordinal != run->name_count ||
        !archive_grow((void **)&run->names, run->name_count, sizeof *run->names))
        return true; /* not remembered, and looked up again for the next unit */
    struct archive_name *name = &run->names[run->name_count];
    *name = (struct archive_name){strdup(metric->name), strdup(metric->unit), *id};
    if (name->name != NULL && name->unit != NULL) {
        run->name_count++;
    } else {
        free(name->name);
        free(name->unit);
    }
    return true;
}

static bool save_metrics(struct archive_run *run, int64_t id, const struct unit_outcome *outcome)
{
    for (size_t i = 0; i < outcome->metric_count; i++) {
        int64_t name;
        if (!find_name(run, i, &outcome->names[i], &name))
            return false;
        sqlite3_stmt *statement = archive_statement(run, INSERT_METRIC);
        if (statement == NULL)
            return false;
        sqlite3_bind_int64(statement, 1, id);
        bind_number(statement, 2, i);
        sqlite3_bind_int64(statement, 3, name);
        archive_bind_double(statement, 4, outcome->values[i]);
        if (!run_to_end(statement))
            return false;
    }
    return true;
}

static bool save_parts(struct archive_run *run, int64_t id, const struct unit_outcome *outcome)
{
    for (size_t part = 0; part < outcome->part_count; part++)
        for (size_t i = 0; i < outcome->metric_count; i++) {
            sqlite3_stmt *statement = archive_statement(run, INSERT_PART);
            if (statement == NULL)
                return false;
            sqlite3_bind_int64(statement, 1, id);
            bind_number(statement, 2, part + 1);
            bind_number(statement, 3, i);
            archive_bind_double(statement, 4, outcome->part_values[part * outcome->metric_count + i]);
            if (!run_to_end(statement))
                return false;
        }
    return true;
}

static bool save_warnings(struct archive_run *run, int64_t id, const struct unit_outcome *outcome)
{
    for (size_t i = 0; i < outcome->warning_count; i++) {
        sqlite3_stmt *statement = archive_statement(run, INSERT_WARNING);
        if (statement == NULL)
            return false;
        sqlite3_bind_int64(statement, 1, id);
        bind_number(statement, 2, i);
        bind_text(statement, 3, outcome->warnings[i]);
        if (!run_to_end(statement))
            return false;
    }
    return true;
}

static bool save_minute(sqlite3_stmt *statement, int64_t id, size_t store, size_t ordinal,
                        const struct minute_record *minute)
{
    int index = 1;
    sqlite3_bind_int64(statement, index++, id);
    bind_number(statement, index++, store);
    bind_number(statement, index++, ordinal);
    for (int type = 0; type < RESPONSE_TYPE_COUNT; type++)
        bind_number(statement, index++, minute->transactions[type]);
    for (int class = 0; class < OPERATION_CLASS_COUNT; class ++)
        bind_number(statement, index++, minute->operations[class]);
    sqlite3_bind_int64(statement, index++, minute->ingress_bytes);
    sqlite3_bind_int64(statement, index++, minute->egress_bytes);
    archive_bind_double(statement, index++, minute->server_latency_sum_ms);
    archive_bind_double(statement, index++, minute->server_latency_max_ms);
    archive_bind_double(statement, index++, minute->e2e_latency_sum_ms);
    archive_bind_double(statement, index++, minute->e2e_latency_max_ms);
    archive_bind_double(statement, index++, minute->max_used_iops);
    archive_bind_double(statement, index++, minute->max_used_bytes_per_s);
    archive_bind_double(statement, index, minute->burst_credits_min);
    assert(index == sqlite3_bind_parameter_count(statement));
    return run_to_end(statement);
}

static bool save_workload_minutes(struct archive_run *run, int64_t id, size_t store,
                                  const struct unit_outcome *outcome)
{
    const size_t workloads = outcome->workload_count;
    for (size_t i = 0; i < outcome->minute_counts[store] * workloads; i++) {
        const struct workload_minute *part = &outcome->workload_minutes[store][i];
        sqlite3_stmt *statement = archive_statement(run, INSERT_WORKLOAD_MINUTE);
        if (statement == NULL)
            return false;
        sqlite3_bind_int64(statement, 1, id);
        bind_number(statement, 2, store);
        bind_number(statement, 3, i / workloads);
        bind_number(statement, 4, i % workloads);
        bind_number(statement, 5, part->transactions);
        sqlite3_bind_int64(statement, 6, part->ingress_bytes);
        sqlite3_bind_int64(statement, 7, part->egress_bytes);
        sqlite3_bind_int64(statement, 8, part->e2e_ns);
        if (!run_to_end(statement))
            return false;
    }
    return true;
}

static bool save_stores(struct archive_run *run, int64_t id, const struct unit_outcome *outcome)
{
    for (size_t store = 0; store < outcome->store_count; store++) {
        sqlite3_stmt *statement = archive_statement(run, INSERT_STORE);
        const struct minute_record *minutes = outcome->minutes == NULL ? NULL : outcome->minutes[store];
        if (statement == NULL)
            return false;
        sqlite3_bind_int64(statement, 1, id);
        bind_number(statement, 2, store);
        bind_text(statement, 3, outcome->store_names[store]);
        if (minutes == NULL)
            sqlite3_bind_null(statement, 4);
        else
            bind_number(statement, 4, outcome->minute_counts[store]);
        if (!run_to_end(statement))
            return false;
        for (size_t i = 0; minutes != NULL && i < outcome->minute_counts[store]; i++) {
            statement = archive_statement(run, INSERT_MINUTE);
            if (statement == NULL || !save_minute(statement, id, store, i, &minutes[i]))
                return false;
        }
        if (minutes != NULL && !save_workload_minutes(run, id, store, outcome))
            return false;
    }
    return true;
}

static bool save_logon(sqlite3_stmt *statement, int64_t id, size_t ordinal, const struct logon_record *logon)
{
    unsigned char phases[ARCHIVE_PHASES_SIZE];
    int index = 1;
    sqlite3_bind_int64(statement, index++, id);
    bind_number(statement, index++, ordinal);
    bind_number(statement, index++, logon->user);
    bind_number(statement, index++, logon->host);
    sqlite3_bind_int64(statement, index++, logon->start_ns);
    sqlite3_bind_int64(statement, index++, logon->load_ns);
    sqlite3_bind_int64(statement, index++, logon->finished);
    bind_number(statement, index++, logon->requests);
    sqlite3_bind_int64(statement, index++, logon->bytes_read);
    sqlite3_bind_int64(statement, index++, logon->bytes_written);
    sqlite3_bind_blob(statement, index++, phases, (int)archive_phases_pack(logon, phases), SQLITE_STATIC);
    for (int cause = 0; cause < ARCHIVE_FIRST_CAUSES; cause++) {
        uint64_t sum_ns = 0;
        for (int phase = 0; phase < PHASE_COUNT; phase++)
            sum_ns += (uint64_t)logon->phase_cause_ns[phase][cause];
        bind_number(statement, index++, sum_ns);
    }
    assert(index == sqlite3_bind_parameter_count(statement) + 1);
    return run_to_end(statement);
}

static bool save_logons(struct archive_run *run, int64_t id, const struct unit_outcome *outcome)
{
    for (size_t i = 0; i < outcome->logon_count; i++) {
        sqlite3_stmt *statement = archive_statement(run, INSERT_LOGON);
        if (statement == NULL || !save_logon(statement, id, i, &outcome->logons[i]))
            return false;
    }
    return true;
}

static bool has_records(const struct unit_outcome *outcome)
{
    return outcome->logons != NULL ||
           (outcome->store_count > 0 && outcome->minutes != NULL && outcome->minutes[0] != NULL);
}

static bool save_unit(struct archive_run *run, struct unit unit, const struct unit_outcome *outcome,
                      int64_t *id)
{
    const struct sim_account *account = &outcome->account;
    sqlite3_stmt *statement = archive_statement(run, INSERT_UNIT);
    if (statement == NULL)
        return false;
    int index = 1;
    sqlite3_bind_int64(statement, index++, run->id);
    bind_number(statement, index++, unit.cell + 1);
    bind_number(statement, index++, unit.replication + 1);
    sqlite3_bind_int64(statement, index++, has_records(outcome));
    archive_bind_double(statement, index++, outcome->run_effect);
    archive_bind_double(statement, index++, outcome->run_effect_cv);
    sqlite3_bind_int64(statement, index++, account->end);
    sqlite3_bind_int64(statement, index++, account->now_ns);
    bind_number(statement, index++, account->events);
    bind_number(statement, index++, account->ties);
    bind_number(statement, index++, account->pending_events);
    bind_number(statement, index++, account->live_processes);
    bind_number(statement, index++, account->blocked_processes);
    bind_number(statement, index++, account->fingerprint);
    bind_number(statement, index++, outcome->metric_count);
    bind_number(statement, index++, outcome->part_count);
    bind_number(statement, index++, outcome->store_count);
    bind_number(statement, index++, outcome->warning_count);
    bind_number(statement, index++, outcome->logon_count);
    bind_number(statement, index++, archive_check_figures(unit, outcome));
    bind_number(statement, index, archive_check_records(outcome));
    assert(index == sqlite3_bind_parameter_count(statement));
    if (!run_to_end(statement))
        return false;
    *id = sqlite3_last_insert_rowid(run->archive->database);
    return true;
}

/* Whether the unit is there already, with all that is to be kept of it; one that was kept without records makes
 * room for one with them. False when the database failed. */
static bool make_room(struct archive_run *run, struct unit unit, bool records, bool *is_there)
{
    static const char *const tables[] = {"metric",          "part",  "store",  "minute",
                                         "workload_minute", "logon", "warning"};
    *is_there = false;
    sqlite3_stmt *statement = archive_statement(run, FIND_UNIT);
    if (statement == NULL)
        return false;
    sqlite3_bind_int64(statement, 1, run->id);
    bind_number(statement, 2, unit.cell + 1);
    bind_number(statement, 3, unit.replication + 1);
    int code = sqlite3_step(statement);
    int64_t id = sqlite3_column_int64(statement, 0);
    bool has_them = sqlite3_column_int(statement, 1) != 0;
    sqlite3_reset(statement);
    if (code != SQLITE_ROW)
        return code == SQLITE_DONE;
    *is_there = has_them || !records;
    if (*is_there)
        return true;
    for (size_t i = 0; i < sizeof tables / sizeof tables[0]; i++) {
        char sql[64];
        snprintf(sql, sizeof sql, "DELETE FROM %s WHERE unit = ?", tables[i]);
        if (!archive_do(run->archive, sql, "i", id))
            return false;
    }
    statement = archive_statement(run, REMOVE_UNIT);
    if (statement == NULL)
        return false;
    sqlite3_bind_int64(statement, 1, id);
    return run_to_end(statement);
}

static bool save_whole(struct archive_run *run, struct unit unit, const struct unit_outcome *outcome)
{
    bool is_there;
    int64_t id;
    if (!make_room(run, unit, has_records(outcome), &is_there))
        return false;
    return is_there || (save_unit(run, unit, outcome, &id) && save_metrics(run, id, outcome) &&
                        save_parts(run, id, outcome) && save_stores(run, id, outcome) &&
                        save_logons(run, id, outcome) && save_warnings(run, id, outcome));
}

bool archive_save(struct keeper *keeper, struct unit unit, const struct unit_outcome *outcome,
                  char message[UNIT_MESSAGE_SIZE])
{
    struct archive_run *run = (struct archive_run *)keeper;
    run->is_empty = false;
    if (archive_begin(run->archive)) {
        if (save_whole(run, unit, outcome) && archive_commit(run->archive))
            return true;
    }
    archive_explain(run->archive, message, "keep cell %zu, replication %zu in", unit.cell + 1,
                    unit.replication + 1);
    archive_rollback(run->archive);
    archive_forget_names(run);
    return false;
}
