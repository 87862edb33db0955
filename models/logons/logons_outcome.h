/* What there is to say of sessions whose logon is not all: locks, containers, lost updates, sign-out. */
#ifndef VDISIM_MODELS_LOGONS_OUTCOME_H
#define VDISIM_MODELS_LOGONS_OUTCOME_H

#include "models/profile/profile_engine.h"

/* container.* and logoff.*, of `count` sessions. */
void session_outcomes_report(const struct session_outcome *outcomes, size_t count, struct metric_sink *sink);

/* Says of a run's sessions, `count` of the workload `name`, what a table of load times does not show: who has lost what. */
void session_outcomes_warn(struct world *world, const char *name, const struct session_outcome *outcomes,
                           size_t count);

/* lost_updates.*, of all users' sessions of the run, whenever they began: an update is lost later than it is made. */
struct lost_updates {
    uint64_t files, values, sessions;
};
void lost_updates_report(const struct lost_updates *lost, struct metric_sink *sink);

#endif
