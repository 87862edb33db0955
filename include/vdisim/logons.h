/* The logon workload: users arrive, log on, work and log off on session hosts, with their profiles on a
 * share.
 *
 * A user is a process that reads like the day it describes: arrive, cpm_logon(), work, cpm_logoff(). Beside
 * it run the five-minute write-back, as a process while it writes, and the mailbox, as plain requests.
 *
 * The run effect: published runs differ by more than their load explains. A run draws one multiplier for the
 * round trips that its logons need (mean 1); see the model book.
 */
#ifndef VDISIM_LOGONS_H
#define VDISIM_LOGONS_H

#include "vdisim/arrivals.h"
#include "vdisim/cpm.h"
#include "vdisim/profile.h"
#include "vdisim/world.h"

/* Files that each session changes, as a script or a person would. */
struct update_settings {
    double files_per_s; /* of all users together, while all are logged on */
    double redirected_share;
    double rewritten_share; /* of a redirected file's bytes that are written back */
};

/* The mailbox, a large file that is used in place. */
struct mailbox_settings {
    double io_per_s; /* of one session */
    double read_share;
    int64_t io_size_bytes;
};

struct logons_settings {
    int64_t users;
    const char *hosts;
    const char *store;
    const char *redirection_store; /* of redirected folders; NULL: the same */
    struct arrival_settings arrivals;
    int64_t session_length_ns;
    int64_t sessions_per_user;
    int64_t time_between_sessions_ns;
    struct profile_settings profile;
    struct cpm_settings profile_management;
    struct update_settings updates;
    struct mailbox_settings mailbox;
    double run_effect_cv;
};

extern const struct parameter_table logons_parameters;
extern const struct workload_kind logons_kind;

#endif
