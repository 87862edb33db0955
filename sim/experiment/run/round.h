/* A round: units that are run side by side, and the engines that do so.
 *
 * A plan (plan.h) asks for units in rounds. An engine runs those of a round in any order and puts each outcome
 * at its own place; so nothing in a result can depend on how many threads or machines there were. There are
 * two: threads of this process, and the ranks of an MPI job.
 */
#ifndef VDISIM_ROUND_H
#define VDISIM_ROUND_H

#include "sim/experiment/run/unit.h"

struct round {
    const struct experiment *experiment;
    const struct unit *units;       /* those to be run */
    struct unit_outcome **outcomes; /* where the outcome of each goes, zeroed */
    size_t count;
    bool keep_records;
    const atomic_bool *cancel;      /* may be NULL */
    const struct unit_watch *watch; /* of units run in this process; may be NULL */
    /* Told of each finished unit, one call at a time. False ends the round: it has left a message. */
    bool (*finished)(void *context, size_t index, char message[UNIT_MESSAGE_SIZE]);
    void *context;
};

/* Both return when the round is over. False when a unit failed, or `finished` returned false: the message is
 * that of the first unit, in the order of the round, that did. A cancelled round ends true with units left. */
bool round_by_threads(const struct round *round, size_t jobs, char message[UNIT_MESSAGE_SIZE]);

/* Rank 0 hands out and collects, the other ranks are in mpi_serve(). mpi.h. */
bool round_by_mpi(const struct round *round, char message[UNIT_MESSAGE_SIZE]);

#endif
