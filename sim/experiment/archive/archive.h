/* An archive: one SQLite file that keeps runs of experiments, unit by unit.
 *
 * A run is begun (or taken up again), its finished units are kept through its keeper (keeper.h), each in one
 * transaction, and at last it is finished:
 *
 *     struct archive *archive = NULL;
 *     struct archive_run *kept = NULL;
 *     if (archive_open("runs.sqlite", ARCHIVE_WRITE, &archive, message) != ARCHIVE_FINE) ...
 *     struct archive_request request = {.experiment = experiment, .resume = true};
 *     if (archive_run_begin(archive, &request, &kept, message) != ARCHIVE_FINE) ...
 *     run_options.keeper = archive_run_keeper(kept);
 *     struct result *result = experiment_execute(experiment, &run_options, ...);
 *     archive_run_finish(kept, result, message);     result may be NULL: the run broke down
 *     archive_run_release(kept);
 *     archive_close(archive);
 *
 * Any number of processes may write to one archive at once. A process that is killed loses the units it had not
 * finished, and no more; a machine that loses power may lose the units of the last moments as well, and the file
 * stays sound (write-ahead log, synchronous NORMAL). What is kept is the experiment itself - the texts of its
 * files and the options it was opened with - and so every result can be made again from the archive alone:
 * archive_experiment.h. The wall clock is in the archive only, never in a result.
 *
 * Tables and views are described in docs/archive.md. Messages are one clear line without a full stop.
 */
#ifndef VDISIM_ARCHIVE_H
#define VDISIM_ARCHIVE_H

#include "sim/experiment/result/result.h"
#include "sim/experiment/run/keeper.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct archive;
struct archive_run;

enum archive_status {
    ARCHIVE_FINE,
    ARCHIVE_REFUSED, /* what was asked for cannot be: no archive, a newer schema, damaged, no such run */
    ARCHIVE_FAILED,  /* the system's: cannot open, no permission, disk full, locked, out of memory */
};

enum archive_access {
    ARCHIVE_READ,  /* what is there already */
    ARCHIVE_WRITE, /* made when it is not there, or empty */
};

enum archive_status archive_open(const char *path, enum archive_access access, struct archive **archive,
                                 char message[UNIT_MESSAGE_SIZE]);

/* After the runs taken from it were released. NULL is allowed. */
void archive_close(struct archive *archive);

const char *archive_path(const struct archive *archive);

/* What is to be run. */
struct archive_request {
    const struct experiment *experiment;
    const struct selection_request *selection; /* may be NULL */
    struct shard shard;                        /* count 0: the whole */
    /* Take up the newest run of the same experiment (by its hash), program version and shard. In an archive
     * without any run a new one is begun; when there are runs but none to take up it is refused with the
     * reason. */
    bool resume;
};

/* When a run was taken up `message` says which and how much it holds, else it is "". */
enum archive_status archive_run_begin(struct archive *archive, const struct archive_request *request,
                                      struct archive_run **run, char message[UNIT_MESSAGE_SIZE]);

/* A run that is there, to be read: its keeper saves nothing. 0: the newest that is finished, or else the newest. */
enum archive_status archive_run_open(struct archive *archive, int64_t id, struct archive_run **run,
                                     char message[UNIT_MESSAGE_SIZE]);

/* Valid until the run is released. */
struct keeper *archive_run_keeper(struct archive_run *run);

/* From 1, as `vdisim archive list` shows it. */
int64_t archive_run_id(const struct archive_run *run);

/* Notes that it is finished, or interrupted: as the result says, or when there is none (NULL). */
enum archive_status archive_run_finish(struct archive_run *run, const struct result *result,
                                       char message[UNIT_MESSAGE_SIZE]);

/* NULL is allowed. */
void archive_run_release(struct archive_run *run);

/* What is known of a run without reading its units. */
struct archive_run_info {
    int64_t id;
    char *experiment, *title, *file;
    char *hash, *version, *commit, *gsl_version, *random_generator;
    char *status;             /* "running" (or killed), "finished", "interrupted" */
    char *started, *finished; /* UTC, as 2026-01-31T12:00:00Z; finished is "" before */
    int64_t seed;
    size_t cells;
    size_t replications; /* of each cell; 0: as the plan decides */
    size_t wanted;       /* units; 0: not known before the plan has ended */
    size_t kept;
    size_t with_records; /* of those kept, with logons and minutes */
    struct shard shard;
};

/* The runs in the order of their ids, `archive_runs_free`d by the caller. */
enum archive_status archive_runs(struct archive *archive, struct archive_run_info **runs, size_t *count,
                                 char message[UNIT_MESSAGE_SIZE]);
void archive_runs_free(struct archive_run_info *runs, size_t count);

/* One transaction around all that is kept until it is ended: all of it is there then, or nothing. */
enum archive_status archive_transaction_begin(struct archive *archive, char message[UNIT_MESSAGE_SIZE]);
enum archive_status archive_transaction_end(struct archive *archive, bool keep,
                                            char message[UNIT_MESSAGE_SIZE]);

#endif
