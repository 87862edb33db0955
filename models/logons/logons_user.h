/* A user of the logons workload: his day on one device, as a process. */
#ifndef VDISIM_MODELS_LOGONS_USER_H
#define VDISIM_MODELS_LOGONS_USER_H

#include "models/profile/profile_engine.h"
#include "vdisim/logons.h"
#include "vdisim/workload.h"

struct logons;

struct user {
    /* The mailbox comes first: it makes most of the requests. */
    struct sim_event mailbox_due;
    struct logons *logons;
    uint32_t number;
    uint32_t sessions_left;
    bool mailbox_open; /* in use on its store */
    bool mailbox_in_flight;
    struct sim_random mailbox;
    struct profile_session session;

    struct sim_process process;
    struct sim_random arrival, work;

    struct sim_event write_back_due;
    struct sim_process write_back;
    struct smb_caller write_back_caller;

    struct user *next_device; /* on which he begins later; NULL: none */
    struct sim_random registry;
    int64_t registry_change_ns; /* of the next value */
};

struct logons {
    struct workload workload;
    struct world *world;
    const struct logons_settings *settings;
    const struct profile_engine *engine;
    struct cpm_environment environment;
    size_t devices;                       /* of a user */
    struct user *users;                   /* [user * devices + device] */
    uint8_t *file_states;                 /* of all users */
    struct profile_owner *owners;         /* [user]; NULL: nothing in common */
    struct container_session *containers; /* [user * devices + device]; NULL: another engine */
    struct logon_record *records;
    struct session_outcome *outcomes; /* of each record */
    size_t record_count;
    uint64_t mailboxes_refused; /* opens of them */
};

/* Makes the processes and events of a user whose profile has its stores. */
void user_events_init(struct user *user);

/* His process, to be started when he arrives. */
void user_lives(struct sim_process *self);

#endif
