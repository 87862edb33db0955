/* A command as one rank of an MPI job: only the first rank speaks, and all end with its status.
 *
 *     struct ranks ranks;
 *     ranks_begin(&ranks, &argc, &argv)         at the very start: the others fall silent
 *     ...read arguments and experiments...
 *     status = ranks_meet(&ranks, status, ...)  all have read the same, or the job ends
 *     status = ranks_end(status)
 */
#ifndef VDISIM_RANKS_H
#define VDISIM_RANKS_H

#include "sim/command/command.h"
#include "sim/experiment/read/experiment.h"

#include <stdbool.h>

struct ranks {
    int standard_error; /* of a silenced rank; -1 */
};

/* False: MPI cannot be joined; it has been said why. */
bool ranks_begin(struct ranks *ranks, int *argc, char ***argv);

/* Refuses, in words, what would run everything several times over: ranks that do not know of each other. Shards may. */
bool ranks_know_each_other(bool is_shard);

/* The status is that of reading so far. Ends any rank's silence on standard error. */
enum exit_status ranks_meet(struct ranks *ranks, enum exit_status status,
                            const struct experiment *const *experiments, size_t count);

enum exit_status ranks_end(enum exit_status status);

#endif
