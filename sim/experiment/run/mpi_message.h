/* What the ranks of a job say to each other; only for mpi.c and mpi_round.c.
 *
 * Rank 0 sends work, at most a stop for each piece of work, and in the end a dismissal. A rank answers every piece of
 * work with exactly one reply. Messages between two ranks come in the order they were sent: a stop that
 * finds its unit finished is met, and ignored, before any later work.
 */
#ifndef VDISIM_MPI_MESSAGE_H
#define VDISIM_MPI_MESSAGE_H

#include "sim/experiment/run/mpi.h"

enum mpi_tag { MPI_TAG_WORK = 1, MPI_TAG_STOP, MPI_TAG_DISMISS, MPI_TAG_REPLY };

/* Work: numbers. The index comes back in the reply. */
enum { WORK_EXPERIMENT, WORK_INDEX, WORK_CELL, WORK_REPLICATION, WORK_KEEP_RECORDS, WORK_NUMBERS };

/* A reply: index and enum unit_end, 8 bytes each, then the outcome (unit_bytes.h) or why it failed. */
enum { REPLY_FRONT_BYTES = 16 };

/* The first 64 bits of its hash name an experiment. */
uint64_t mpi_experiment_key(const struct experiment *experiment);

/* Ends the whole job, where a rank can neither go on nor tell rank 0. */
void mpi_abort(const char *why);

/* Rests before the next look for messages, twice as long each time. A wait inside MPI would keep a processor busy
 * that other ranks may need. */
void mpi_pause(int64_t *pause_ns, int64_t longest_ns);

enum { FIRST_PAUSE_NS = 5000, LONGEST_PAUSE_NS = 1000000 };

#endif
