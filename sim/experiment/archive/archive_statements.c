#include "sim/experiment/archive/archive_inside.h"

#define UNIT_COLUMNS                                                                                         \
    "has_records, run_effect, run_effect_cv, end, now_ns, events, ties, pending_events, live_processes, "    \
    "blocked_processes, fingerprint, metrics, parts, stores, warnings, logons, figures_check, records_check"

#define MINUTE_COLUMNS                                                                                       \
    "success, share_iops_throttling, share_egress_throttling, share_ingress_throttling, "                    \
    "metadata_throttling, throttling, client_error, create_count, query_count, read_count, write_count, "    \
    "close_count, other_count, ingress_bytes, egress_bytes, server_latency_sum_ms, server_latency_max_ms, "  \
    "e2e_latency_sum_ms, e2e_latency_max_ms, max_used_iops, max_used_bytes_per_s, burst_credits_min"

#define LOGON_COLUMNS                                                                                        \
    "user, host, start_ns, load_ns, finished, requests, bytes_read, bytes_written, phase_cause"

#define CAUSE_COLUMNS                                                                                        \
    "client_ns, local_disk_ns, window_ns, network_ns, iops_limit_ns, ingress_limit_ns, egress_limit_ns, "    \
    "metadata_limit_ns, account_limit_ns, server_queue_ns, server_latency_ns"

#define WORKLOAD_MINUTE_COLUMNS "transactions, ingress_bytes, egress_bytes, e2e_ns"

static const char *const texts[ARCHIVE_STATEMENT_COUNT] = {
    [FIND_UNIT] = "SELECT id, " UNIT_COLUMNS " FROM unit WHERE run = ? AND cell = ? AND replication = ?",
    [REMOVE_UNIT] = "DELETE FROM unit WHERE id = ?",
    [INSERT_UNIT] = "INSERT INTO unit (run, cell, replication, " UNIT_COLUMNS
                    ") VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
    [INSERT_NAME] = "INSERT OR IGNORE INTO metric_name (name, unit) VALUES (?, ?)",
    [FIND_NAME] = "SELECT id FROM metric_name WHERE name = ? AND unit = ?",
    [INSERT_METRIC] = "INSERT INTO metric (unit, ordinal, name, value) VALUES (?, ?, ?, ?)",
    [INSERT_PART] = "INSERT INTO part (unit, part, ordinal, value) VALUES (?, ?, ?, ?)",
    [INSERT_STORE] = "INSERT INTO store (unit, store, name, minutes) VALUES (?, ?, ?, ?)",
    [INSERT_MINUTE] = "INSERT INTO minute (unit, store, minute, " MINUTE_COLUMNS
                      ") VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
    [INSERT_WORKLOAD_MINUTE] =
        "INSERT INTO workload_minute (unit, store, minute, workload, " WORKLOAD_MINUTE_COLUMNS
        ") VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
    [INSERT_LOGON] = "INSERT INTO logon (unit, ordinal, " LOGON_COLUMNS ", " CAUSE_COLUMNS
                     ") VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
    [INSERT_WARNING] = "INSERT INTO warning (unit, ordinal, text) VALUES (?, ?, ?)",
    [SELECT_METRICS] = "SELECT metric_name.name, metric_name.unit, value FROM metric JOIN metric_name"
                       " ON metric_name.id = metric.name WHERE metric.unit = ? ORDER BY ordinal",
    [SELECT_PARTS] = "SELECT value FROM part WHERE unit = ? ORDER BY part, ordinal",
    [SELECT_STORES] = "SELECT name, minutes FROM store WHERE unit = ? ORDER BY store",
    [SELECT_MINUTES] = "SELECT store, " MINUTE_COLUMNS " FROM minute WHERE unit = ? ORDER BY store, minute",
    [SELECT_WORKLOAD_MINUTES] = "SELECT store, workload, " WORKLOAD_MINUTE_COLUMNS
                                " FROM workload_minute WHERE unit = ? ORDER BY store, minute, workload",
    [SELECT_LOGONS] = "SELECT " LOGON_COLUMNS " FROM logon WHERE unit = ? ORDER BY ordinal",
    [SELECT_WARNINGS] = "SELECT text FROM warning WHERE unit = ? ORDER BY ordinal",
};

sqlite3_stmt *archive_statement(struct archive_run *run, enum archive_statement which)
{
    sqlite3_stmt **statement = &run->statements[which];
    if (*statement == NULL && sqlite3_prepare_v3(run->archive->database, texts[which], -1,
                                                 SQLITE_PREPARE_PERSISTENT, statement, NULL) != SQLITE_OK)
        return NULL;
    sqlite3_reset(*statement);
    return *statement;
}
