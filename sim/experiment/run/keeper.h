/* A keeper holds finished units beyond the life of a run: an archive, or several shards of one experiment.
 *
 * A run asks it for a unit before running that unit, and hands it every unit that it has finished.
 */
#ifndef VDISIM_KEEPER_H
#define VDISIM_KEEPER_H

#include "sim/experiment/run/unit.h"

struct keeper;

enum keeper_answer { KEEPER_HAS_IT, KEEPER_HAS_NOT, KEEPER_FAILED };

struct keeper_operations {
    /* Fills the outcome; without logons and minutes unless `records`. A unit that was kept without records is
     * not there when they are wanted. Called by one thread. */
    enum keeper_answer (*load)(struct keeper *keeper, struct unit unit, bool records,
                               struct unit_outcome *outcome, char message[UNIT_MESSAGE_SIZE]);
    /* Keeps it for good before it returns. Called by any thread, one at a time. NULL: nothing can be kept. */
    bool (*save)(struct keeper *keeper, struct unit unit, const struct unit_outcome *outcome,
                 char message[UNIT_MESSAGE_SIZE]);
};

/* Embedded first in what implements it. */
struct keeper {
    const struct keeper_operations *operations;
};

#endif
