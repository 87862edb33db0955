/* The logon workload: users arrive, log on, work and log off on session hosts, with their profiles on a
 * share.
 *
 * A user is a process that reads like the day it describes: arrive, log on, work, log off. Beside
 * it run the five-minute write-back, as a process while it writes, and the mailbox, as plain requests. How the profile
 * comes and goes is the business of the profile engine. A user with several devices has a session on each at once, a
 * process a device.
 *
 * The run effect: published runs differ by more than their load explains. A run draws one multiplier for the
 * round trips that its logons need (mean 1); see the model book.
 */
#ifndef VDISIM_LOGONS_H
#define VDISIM_LOGONS_H

#include "vdisim/arrivals.h"
#include "vdisim/container.h"
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

/* How profiles are kept. */
enum profile_engine_kind {
    ENGINE_CPM,       /* Citrix Profile Management, file by file */
    ENGINE_CONTAINER, /* in a virtual disk on the share */
    ENGINE_ROAMING,   /* Windows roaming profiles */
    ENGINE_LOCAL,     /* on the host's disk, for good */
};

/* Several sessions of one user at once. */
struct device_settings {
    int64_t count;                 /* 0 is 1 */
    int64_t after_ns;              /* from one device's logon or logoff to the logon on the next */
    int after;                     /* enum device_after */
    int64_t registry_values;       /* that sessions of the user change, of all that a profile has */
    double registry_changes_per_s; /* of one session, each of one of them */
};
enum device_after { AFTER_LOGON, AFTER_LOGOFF };
#define DEVICES_MAX 16

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
    int engine; /* enum profile_engine_kind */
    struct cpm_settings profile_management;
    struct container_settings container;
    struct device_settings devices;
    struct update_settings updates;
    struct mailbox_settings mailbox;
    double run_effect_cv;
};

/* What a user's container holds at first, and its mailboxes alone. */
int64_t container_content_bytes(const struct logons_settings *settings);
int64_t mailbox_content_bytes(const struct logons_settings *settings);

/* The multiplier of round trips that a workload of logons of that name draws in one run: lognormal, mean 1. */
double logons_run_effect_of(double cv, const char *workload, uint64_t seed, uint64_t replication);

extern const struct parameter_table logons_parameters;
extern const struct workload_kind logons_kind;

#endif
