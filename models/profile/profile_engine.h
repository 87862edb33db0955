/* The profile engine: how a user's profile comes to a session and how what the session changes gets back.
 *
 * A workload has one engine. It is called by the process of a session, whose waiting is charged to the logon's record by
 * smb_trace(); engine_of.c names them: Citrix Profile Management file by file (cpm.h), profile containers
 * (container_session.h), Windows roaming profiles and local profiles.
 */
#ifndef VDISIM_MODELS_PROFILE_ENGINE_H
#define VDISIM_MODELS_PROFILE_ENGINE_H

#include "vdisim/container.h"
#include "vdisim/cpm.h"
#include "vdisim/last_writer.h"

struct container_session;
struct profile_session;

struct profile_engine {
    void (*log_on)(struct profile_session *session, struct logon_record *record);
    /* An application opens the mailbox. True: it is used in place, by requests to session->files.large_file. */
    bool (*open_mailbox)(struct profile_session *session);
    void (*change_file)(struct profile_session *session, int64_t file); /* one that is not redirected */
    void (*write_back)(struct profile_session *session,
                       struct smb_caller *caller); /* NULL: none in a session */
    void (*log_off)(struct profile_session *session);
};

extern const struct profile_engine cpm_engine, container_engine, roaming_engine, local_engine;

/* How a session went, beside its logon's record. */
struct session_outcome {
    bool refused;        /* it got no container: a temporary profile, nothing is kept */
    bool office_refused; /* its Office container stayed locked: no mailbox */
    bool thrown_away;    /* it had one, but its changes were lost with it */
    bool full;           /* the container had no room for what was written */
    uint32_t lock_retries, compactions, merges;
    int64_t compacted_bytes, merged_bytes;
    int64_t logoff_began_ns, signed_out_ns; /* 0: not yet */
};

/* What all sessions of one user have in common; only when there is something. */
struct profile_owner {
    struct last_writer writer; /* only with several devices */
    struct container profile, office;
};

/* One session's profile. A session belongs to a device, which has one after the other. */
struct profile_session {
    struct cpm_profile files;
    struct profile_owner *owner;         /* NULL: alone and without container */
    struct container_session *container; /* NULL: other engines */
    struct session_outcome *outcome;     /* of the session that goes on */
};

#endif
