/* From the outcomes of all units to a result: one list of metrics for all, the records moved, the estimates made. */
#ifndef VDISIM_ASSEMBLE_H
#define VDISIM_ASSEMBLE_H

#include "sim/experiment/result/result.h"

/* Moves the records out of outcomes[cell][replication], as many as the plan wanted. NULL when memory is short. */
struct result *result_assemble(const struct experiment *experiment, const struct plan *plan,
                               struct unit_outcome *const *outcomes);

#endif
