/* A sample: what a comparison needs of a result, wherever that is - run just now, in a result folder, in an
 * archive, in a baseline: the values of the metrics, run by run, and how they came about.
 *
 *     struct sample *sample = sample_of_result(result, "premium.yaml");
 *     double load_s = sample_value(sample, cell, replication, metric);
 *     sample_destroy(sample);
 *
 * Whoever makes one fills it in the arena it owns: sample_create(), then sample_shape() once the numbers of
 * cells, metrics and replications are known.
 */
#ifndef VDISIM_SAMPLE_H
#define VDISIM_SAMPLE_H

#include "sim/experiment/read/arena.h"
#include "sim/experiment/result/result.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct sample_cell {
    struct assignment *assignments;
    size_t assignment_count;
};

struct sample_metric {
    const char *name, *unit;
};

struct sample {
    struct arena *arena;
    const char *origin; /* what a person calls it: the path of a file, a folder */
    const char *experiment, *version, *commit, *hash, *generator;
    int64_t seed;
    double length_s;    /* of a run; NaN when it is not known */
    bool is_unfinished; /* interrupted: units are missing */
    struct sample_cell *cells;
    size_t cell_count;
    struct sample_metric *metrics;
    size_t metric_count;
    size_t replications; /* the most that any cell has */
    /* [cell * replications + replication] */
    bool *done;
    double *run_effects; /* 1 without */
    uint64_t *fingerprints;
    uint64_t *events;
    double *values;     /* [(cell * replications + replication) * metric_count + metric], NaN: none */
    bool *lower_bounds; /* [cell * metric_count + metric]: a load of the fastest alone, unfinished.h */
};

enum { SAMPLE_MESSAGE_SIZE = 1024 };

/* An empty one. NULL when memory is short; later shortage is the arena's to tell. */
struct sample *sample_create(const char *origin);
void sample_destroy(struct sample *sample);

/* Room for all that is counted in cell_count, metric_count and replications: nothing done, values NaN. The
 * cells and metrics themselves are kept when they are there. */
void sample_shape(struct sample *sample);

/* Gives the assignments of all cells their labels: the shortest tail of a key that no other key has. */
void sample_label(struct sample *sample);

/* Whether more logons are unfinished anywhere than a run can leave alone: the loads may be lower bounds, which the
 * length of a run tells. */
bool sample_has_unfinished(const struct sample *sample);

/* Marks the loads that are lower bounds. */
void sample_mark_lower_bounds(struct sample *sample);

/* Of a result. NULL when memory is short. */
struct sample *sample_of_result(const struct result *result, const char *origin);

/* Of the folder that `vdisim run` wrote: manifest.json and runs.csv. NULL with a message. */
struct sample *sample_of_folder(const char *folder, char message[SAMPLE_MESSAGE_SIZE]);

/* Of a run in an archive; id 0: the newest that was finished, else the newest. NULL with a message. */
struct sample *sample_of_archive(const char *path, int64_t id, char message[SAMPLE_MESSAGE_SIZE]);

/* What a name given by a user stands for. */
enum sample_source {
    SAMPLE_FOLDER,
    SAMPLE_ARCHIVE,    /* FILE or FILE:ID, the file beginning as those of SQLite do */
    SAMPLE_EXPERIMENT, /* any other file: to be run */
    SAMPLE_UNREADABLE, /* errno says why */
};

/* *path, to be freed, and *id are set for an archive. */
enum sample_source sample_source_of(const char *name, char **path, int64_t *id);

bool sample_is_done(const struct sample *sample, size_t cell, size_t replication);
double sample_value(const struct sample *sample, size_t cell, size_t replication, size_t metric);
size_t sample_cell_done(const struct sample *sample, size_t cell);

/* -1 when there is none of that name. */
ptrdiff_t sample_metric(const struct sample *sample, const char *name);

/* Whether two cells have the same keys with the same values, in any order. */
bool sample_cells_match(const struct sample_cell *a, const struct sample_cell *b);

/* The cell with those assignments, or -1. */
ptrdiff_t sample_find_cell(const struct sample *sample, const struct sample_cell *like);

/* Whether a user means this value: as it is written, as tables show it, or by what follows its last slash. */
bool sample_value_is(const char *value, const char *meant);

/* "5 TiB, premium": the values of the assignments; "all" without any. */
void sample_cell_label(char *label, size_t size, const struct sample_cell *cell);

#endif
