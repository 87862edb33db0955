/* What the files archive*.c share: the connection, statements and how SQLite's failures are told. */
#ifndef VDISIM_ARCHIVE_INSIDE_H
#define VDISIM_ARCHIVE_INSIDE_H

#include "sim/experiment/archive/archive.h"

#include <sqlite3.h>

/* "VDIS", in the header of the file, where file(1) looks for it. */
#define ARCHIVE_APPLICATION_ID 0x56444953
/* Raised with every change of the tables. */
#define ARCHIVE_SCHEMA 2

/* How many units of a row of table run are there: of those that it wants, since it may have been taken up with
 * another number of replications, and a shard's part of the units (shard.h) is another then. */
#define ARCHIVE_KEPT_UNITS(what)                                                                             \
    "(SELECT " what " FROM unit WHERE unit.run = run.id AND (replications = 0 OR (unit.replication <="       \
    " replications AND (shards = 0 OR ((unit.cell - 1) * replications + unit.replication - 1) % shards ="    \
    " shard - 1))))"

enum { ARCHIVE_PATIENCE_MS = 60000 }; /* with another writer */

struct archive {
    sqlite3 *database;
    char *path;
    enum archive_access access;
    int64_t schema;
    bool is_whole; /* inside archive_transaction_begin() */
};

/* Statements of a run, prepared when first used. */
enum archive_statement {
    FIND_UNIT,
    /* save */
    REMOVE_UNIT,
    INSERT_UNIT,
    INSERT_NAME,
    FIND_NAME,
    INSERT_METRIC,
    INSERT_PART,
    INSERT_STORE,
    INSERT_MINUTE,
    INSERT_WORKLOAD_MINUTE,
    INSERT_LOGON,
    INSERT_WARNING,
    /* load */
    SELECT_METRICS,
    SELECT_PARTS,
    SELECT_STORES,
    SELECT_MINUTES,
    SELECT_WORKLOAD_MINUTES,
    SELECT_LOGONS,
    SELECT_WARNINGS,
    ARCHIVE_STATEMENT_COUNT
};

struct archive_run {
    struct keeper keeper; /* first, so that a keeper is a run */
    struct archive *archive;
    int64_t id;
    struct shard shard;
    bool is_empty; /* begun just now, and nothing was saved yet: nothing needs to be looked for */
    sqlite3_stmt *statements[ARCHIVE_STATEMENT_COUNT];
    /* Ids of the names of metrics as last seen at each ordinal; what a name's id is never changes. */
    struct archive_name *names;
    size_t name_count;
};

struct archive_name {
    char *name, *unit;
    int64_t id;
};

/* archive_schema.c: makes the tables of a new archive, inside a transaction. */
bool archive_create_tables(struct archive *archive);
/* Gives an archive of schema 1 what has been added since. */
bool archive_upgrade(struct archive *archive);

/* archive_save.c, archive_load.c */
bool archive_save(struct keeper *keeper, struct unit unit, const struct unit_outcome *outcome,
                  char message[UNIT_MESSAGE_SIZE]);
enum keeper_answer archive_load(struct keeper *keeper, struct unit unit, bool records,
                                struct unit_outcome *outcome, char message[UNIT_MESSAGE_SIZE]);
void archive_forget_names(struct archive_run *run);

/* archive_list.c: frees what it points to. */
void archive_info_release(struct archive_run_info *info);

/* archive_database.c. Says what the last failure of the database was: "cannot DO in 'PATH': why". */
enum archive_status archive_explain(const struct archive *archive, char message[UNIT_MESSAGE_SIZE],
                                    const char *format, ...) __attribute__((format(printf, 3, 4)));

/* "archive 'PATH' is damaged: what". */
enum archive_status archive_damaged(const struct archive *archive, char message[UNIT_MESSAGE_SIZE],
                                    const char *format, ...) __attribute__((format(printf, 3, 4)));

/* Prepares, binds in order and leaves the first row to be stepped to. Types: i int64_t, z size_t, d double, t text
 * (NULL as null), b text and its length (two arguments). NULL when it could not be. */
sqlite3_stmt *archive_query(struct archive *archive, const char *sql, const char *types, ...);
/* The same for a statement without rows, run to its end. */
bool archive_do(struct archive *archive, const char *sql, const char *types, ...);
/* The first column of the first row, `otherwise` without one. */
bool archive_number(struct archive *archive, const char *sql, int64_t otherwise, int64_t *number);

/* A statement of a run, reset; NULL when it cannot be prepared. */
sqlite3_stmt *archive_statement(struct archive_run *run, enum archive_statement which);
void archive_bind_double(sqlite3_stmt *statement, int index, double value);
double archive_column_double(sqlite3_stmt *statement, int index); /* NaN for null */
char *archive_column_text(sqlite3_stmt *statement, int index);    /* "" for null; NULL: out of memory */
/* Room for one more of `size` bytes; false when memory is short. */
bool archive_grow(void **items, size_t count, size_t size);

/* A transaction, or inside of one a savepoint, that only other readers may run beside. */
bool archive_begin(struct archive *archive);
bool archive_commit(struct archive *archive);
void archive_rollback(struct archive *archive);

#endif
