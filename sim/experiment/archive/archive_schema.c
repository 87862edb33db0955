/* The tables of an archive. Cells, replications and shards are numbered from 1, as everywhere where people look;
 * ordinals, users, hosts, stores and minutes from 0. Columns of doubles have no declared type: SQLite keeps them
 * bit by bit then, -0 and infinities too, and NaN as NULL.
 */
#include "sim/experiment/archive/archive_inside.h"

#include <stdio.h>

static const char tables[] =
    "CREATE TABLE run ("
    " id INTEGER PRIMARY KEY, experiment TEXT NOT NULL, title TEXT NOT NULL, file TEXT NOT NULL,"
    " hash TEXT NOT NULL, seed INTEGER NOT NULL, version TEXT NOT NULL, source_commit TEXT NOT NULL,"
    " gsl_version TEXT NOT NULL, random_generator TEXT NOT NULL,"
    " replications INTEGER NOT NULL," /* of each cell; 0: the plan decides */
    " asked_replications INTEGER NOT NULL, asked_seed INTEGER NOT NULL," /* 0, -1: as the file says */
    " select_metric TEXT, select_indifference, select_confidence, select_at_most INTEGER,"
    " shard INTEGER NOT NULL, shards INTEGER NOT NULL," /* 0 of 0: the whole */
    " cells INTEGER NOT NULL, wanted INTEGER NOT NULL," /* units; 0: not known yet */
    " status TEXT NOT NULL CHECK (status IN ('running', 'finished', 'interrupted')),"
    " started TEXT NOT NULL, finished TEXT);"

    /* The experiment itself: files with their texts, which runs share, and what was given on the command line. */
    "CREATE TABLE text (sha256 TEXT NOT NULL UNIQUE, text TEXT NOT NULL);"
    "CREATE TABLE input (run INTEGER NOT NULL, ordinal INTEGER NOT NULL, path TEXT NOT NULL,"
    " sha256 TEXT NOT NULL, PRIMARY KEY (run, ordinal)) WITHOUT ROWID;"
    "CREATE TABLE option (run INTEGER NOT NULL, kind TEXT NOT NULL CHECK (kind IN ('catalogue', 'set')),"
    " ordinal INTEGER NOT NULL, value TEXT NOT NULL, PRIMARY KEY (run, kind, ordinal)) WITHOUT ROWID;"
    "CREATE TABLE cell (run INTEGER NOT NULL, cell INTEGER NOT NULL, ordinal INTEGER NOT NULL,"
    " key TEXT NOT NULL, label TEXT NOT NULL, value TEXT NOT NULL,"
    " PRIMARY KEY (run, cell, ordinal)) WITHOUT ROWID;"

    /* A finished unit, how many rows it has in the other tables, and checksums over them. */
    "CREATE TABLE unit (id INTEGER PRIMARY KEY, run INTEGER NOT NULL, cell INTEGER NOT NULL,"
    " replication INTEGER NOT NULL, has_records INTEGER NOT NULL, run_effect, run_effect_cv,"
    " end INTEGER NOT NULL, now_ns INTEGER NOT NULL, events INTEGER NOT NULL, ties INTEGER NOT NULL,"
    " pending_events INTEGER NOT NULL, live_processes INTEGER NOT NULL, blocked_processes INTEGER NOT NULL,"
    " fingerprint INTEGER NOT NULL, metrics INTEGER NOT NULL, parts INTEGER NOT NULL,"
    " stores INTEGER NOT NULL, warnings INTEGER NOT NULL, logons INTEGER NOT NULL,"
    " figures_check INTEGER NOT NULL, records_check INTEGER NOT NULL, UNIQUE (run, cell, replication));"
    "CREATE TABLE metric_name (id INTEGER PRIMARY KEY, name TEXT NOT NULL, unit TEXT NOT NULL,"
    " UNIQUE (name, unit));"
    "CREATE TABLE metric (unit INTEGER NOT NULL, ordinal INTEGER NOT NULL, name INTEGER NOT NULL, value,"
    " PRIMARY KEY (unit, ordinal)) WITHOUT ROWID;"
    "CREATE TABLE part (unit INTEGER NOT NULL, part INTEGER NOT NULL, ordinal INTEGER NOT NULL, value,"
    " PRIMARY KEY (unit, part, ordinal)) WITHOUT ROWID;"
    "CREATE TABLE warning (unit INTEGER NOT NULL, ordinal INTEGER NOT NULL, text TEXT NOT NULL,"
    " PRIMARY KEY (unit, ordinal)) WITHOUT ROWID;"
    "CREATE TABLE store (unit INTEGER NOT NULL, store INTEGER NOT NULL, name TEXT NOT NULL,"
    " minutes INTEGER, PRIMARY KEY (unit, store)) WITHOUT ROWID;" /* NULL: none were kept */

    "CREATE TABLE minute (unit INTEGER NOT NULL, store INTEGER NOT NULL, minute INTEGER NOT NULL,"
    " success INTEGER NOT NULL, share_iops_throttling INTEGER NOT NULL,"
    " share_egress_throttling INTEGER NOT NULL, share_ingress_throttling INTEGER NOT NULL,"
    " metadata_throttling INTEGER NOT NULL, throttling INTEGER NOT NULL, client_error INTEGER NOT NULL,"
    " create_count INTEGER NOT NULL, query_count INTEGER NOT NULL, read_count INTEGER NOT NULL,"
    " write_count INTEGER NOT NULL, close_count INTEGER NOT NULL, other_count INTEGER NOT NULL,"
    " ingress_bytes INTEGER NOT NULL, egress_bytes INTEGER NOT NULL,"
    " server_latency_sum_ms, server_latency_max_ms, e2e_latency_sum_ms, e2e_latency_max_ms,"
    " max_used_iops, max_used_bytes_per_s, burst_credits_min,"
    " PRIMARY KEY (unit, store, minute)) WITHOUT ROWID;"
    /* The causes are sums over the phases; phase_cause holds both (docs/archive.md). */
    "CREATE TABLE logon (unit INTEGER NOT NULL, ordinal INTEGER NOT NULL, user INTEGER NOT NULL,"
    " host INTEGER NOT NULL, start_ns INTEGER NOT NULL, load_ns INTEGER NOT NULL,"
    " finished INTEGER NOT NULL, requests INTEGER NOT NULL, bytes_read INTEGER NOT NULL,"
    " bytes_written INTEGER NOT NULL, client_ns INTEGER NOT NULL, local_disk_ns INTEGER NOT NULL,"
    " window_ns INTEGER NOT NULL, network_ns INTEGER NOT NULL, iops_limit_ns INTEGER NOT NULL,"
    " ingress_limit_ns INTEGER NOT NULL, egress_limit_ns INTEGER NOT NULL,"
    " metadata_limit_ns INTEGER NOT NULL, account_limit_ns INTEGER NOT NULL,"
    " server_queue_ns INTEGER NOT NULL, server_latency_ns INTEGER NOT NULL, phase_cause BLOB NOT NULL,"
    " PRIMARY KEY (unit, ordinal)) WITHOUT ROWID;";

/* Schema 2. What of a minute is due to a workload, by its place in the experiment from 0; no rows where there is but one. */
static const char workload_minute[] =
    "CREATE TABLE workload_minute (unit INTEGER NOT NULL, store INTEGER NOT NULL, minute INTEGER NOT NULL,"
    " workload INTEGER NOT NULL, transactions INTEGER NOT NULL, ingress_bytes INTEGER NOT NULL,"
    " egress_bytes INTEGER NOT NULL, e2e_ns INTEGER NOT NULL,"
    " PRIMARY KEY (unit, store, minute, workload)) WITHOUT ROWID;";

static const char views[] =
    "CREATE VIEW runs AS SELECT run.id AS run, experiment, title, status, cells, wanted,"
    " " ARCHIVE_KEPT_UNITS(
        "count(*)") " AS kept, seed,"
                    " CASE WHEN shards > 0 THEN shard || '/' || shards END AS shard, version, source_commit, "
                    "hash,"
                    " started, finished FROM run;"

                    "CREATE VIEW metrics AS SELECT unit.run, unit.cell, unit.replication, metric_name.name "
                    "AS metric,"
                    " metric.value, metric_name.unit FROM unit JOIN metric ON metric.unit = unit.id"
                    " JOIN metric_name ON metric_name.id = metric.name;"

                    "CREATE VIEW parts AS SELECT unit.run, unit.cell, unit.replication, part.part,"
                    " metric_name.name AS metric, part.value, metric_name.unit FROM unit JOIN part ON "
                    "part.unit = unit.id"
                    " JOIN metric ON metric.unit = part.unit AND metric.ordinal = part.ordinal"
                    " JOIN metric_name ON metric_name.id = metric.name;"

                    "CREATE VIEW logons AS SELECT unit.run, unit.cell, unit.replication, user, host,"
                    " start_ns / 1e9 AS start_s, load_ns / 1e9 AS load_s, finished, requests, bytes_read, "
                    "bytes_written,"
                    " client_ns / 1e9 AS client_s, local_disk_ns / 1e9 AS local_disk_s, window_ns / 1e9 AS "
                    "window_s,"
                    " network_ns / 1e9 AS network_s, iops_limit_ns / 1e9 AS iops_limit_s,"
                    " ingress_limit_ns / 1e9 AS ingress_limit_s, egress_limit_ns / 1e9 AS egress_limit_s,"
                    " metadata_limit_ns / 1e9 AS metadata_limit_s, account_limit_ns / 1e9 AS account_limit_s,"
                    " server_queue_ns / 1e9 AS server_queue_s, server_latency_ns / 1e9 AS server_latency_s"
                    " FROM unit JOIN logon ON logon.unit = unit.id;"

                    "CREATE VIEW minutes AS SELECT unit.run, unit.cell, unit.replication, store.name AS "
                    "store, minute,"
                    " success + share_iops_throttling + share_egress_throttling + share_ingress_throttling"
                    " + metadata_throttling + throttling + client_error AS transactions,"
                    " success, share_iops_throttling, share_egress_throttling, share_ingress_throttling,"
                    " metadata_throttling, throttling, client_error, ingress_bytes, egress_bytes, "
                    "max_used_iops,"
                    " max_used_bytes_per_s, burst_credits_min"
                    " FROM unit JOIN store ON store.unit = unit.id"
                    " JOIN minute ON minute.unit = store.unit AND minute.store = store.store;";

bool archive_upgrade(struct archive *archive)
{
    char mark[64];
    snprintf(mark, sizeof mark, "PRAGMA user_version = %d;", ARCHIVE_SCHEMA);
    return sqlite3_exec(archive->database, workload_minute, NULL, NULL, NULL) == SQLITE_OK &&
           sqlite3_exec(archive->database, mark, NULL, NULL, NULL) == SQLITE_OK;
}

bool archive_create_tables(struct archive *archive)
{
    char marks[128];
    snprintf(marks, sizeof marks, "PRAGMA application_id = %d; PRAGMA user_version = %d;",
             ARCHIVE_APPLICATION_ID, ARCHIVE_SCHEMA);
    return sqlite3_exec(archive->database, tables, NULL, NULL, NULL) == SQLITE_OK &&
           sqlite3_exec(archive->database, workload_minute, NULL, NULL, NULL) == SQLITE_OK &&
           sqlite3_exec(archive->database, views, NULL, NULL, NULL) == SQLITE_OK &&
           sqlite3_exec(archive->database, marks, NULL, NULL, NULL) == SQLITE_OK;
}
