/* A session with containers: attaching them, the block I/O in them, detaching them.
 *
 *     container_attach.c   opening, locking and retrying, header and tables, mounting; merging, compacting, detaching
 *     container_io.c       where a read or write of the guest goes, and the load of a session as plain requests
 *     cloud_cache.c        what is written to the local cache and later to each provider
 *     container_engine.c   logon, session and logoff, as they read
 *
 * Reads and writes take the road of all requests, on the container's file, so that the limits of one file apply.
 */
#ifndef VDISIM_MODELS_CONTAINER_SESSION_H
#define VDISIM_MODELS_CONTAINER_SESSION_H

#include "models/profile/profile_engine.h"

struct mailbox_settings;
struct container_attachment;

/* What one provider of Cloud Cache has yet to get of one container, and the process that brings it. */
struct cloud_flush {
    struct sim_process process;
    struct smb_caller caller;
    struct container_attachment *attachment;
    size_t provider;
    int64_t dirty_bytes, flushed_bytes;
    bool waits_for_provider;
};

/* A container as one session has it. */
struct container_attachment {
    struct container_session *session;
    struct container *container; /* NULL: none */
    struct container own;        /* of a session that has one of its own */
    struct store_file own_diff;
    struct store_file *diff; /* that it writes, when it writes one */
    enum container_access access;
    bool counted; /* among the container's holders */
    bool opened[CONTAINER_PROVIDERS];
    int64_t written_bytes;   /* by the guest */
    int64_t sent_bytes;      /* of them to a file on the store */
    int64_t diff_bytes;      /* to a differencing disk, wherever it is */
    int64_t cached_bytes;    /* to the local cache, not yet written back */
    int64_t discarded_bytes; /* to a temporary profile */
    int64_t hydrated_bytes;  /* read into Cloud Cache */
    struct cloud_flush flushes[CONTAINER_PROVIDERS];
};

/* What the guest does to a container by itself: one request after the other, exponential pauses between them. */
struct guest_load {
    struct sim_event due;
    struct container_session *session;
    struct container_attachment *attachment;
    struct sim_random random;
    const struct mailbox_settings *mailbox; /* NULL: the rates of the container's settings */
    int64_t sign_in_end_ns;
    bool on, in_flight;
};

struct container_session {
    struct profile_session *session;
    const struct container_settings *settings;
    struct smb_client *providers[CONTAINER_PROVIDERS]; /* the first is the workload's store */
    size_t provider_count;
    bool root_open[CONTAINER_PROVIDERS]; /* a handle on the topmost folder, from the logon to the sign-out */
    struct container_attachment profile, office;
    struct guest_load load, mailbox;
    struct sim_random random; /* of block I/O during the logon */
};

/* Prepares the session of one device; its process and its profile are made. `name` is of the workload. */
void container_session_init(struct container_session *session, struct profile_session *of,
                            const struct container_settings *settings, const struct mailbox_settings *mailbox,
                            const char *name, uint32_t user);

/* Opens and mounts a container, waiting for its lock as long as the settings say; charged to `record`. False: it did not
 * get in, or not to its folder (`has_path` false), which is not tried again. */
bool container_attach(struct container_attachment *attachment, bool has_path, struct logon_record *record);

/* Merges or saves what the session has changed, writes the header, closes. The lock goes with it. */
void container_detach(struct container_attachment *attachment);

/* A block read or written by the guest: waits for it. `bytes` 0: of a size drawn between the settings' two. */
void container_block_io(struct container_attachment *attachment, enum operation operation, int64_t bytes);

/* A file read or written by the guest, in requests as large as they may be. */
void container_file_io(struct container_attachment *attachment, enum operation operation, int64_t bytes,
                       bool cached);

/* Its random stream is the caller's to set. */
void guest_load_init(struct guest_load *load, struct container_session *session,
                     struct container_attachment *attachment, const struct mailbox_settings *mailbox);
void guest_load_start(struct guest_load *load, int64_t sign_in_time_ns);
void guest_load_stop(struct guest_load *load); /* waits for the request that is on its way */

/* Cloud Cache: bytes were written to the local cache; what a provider that was gone has yet to get; before detaching. */
void cloud_cache_wrote(struct container_attachment *attachment, int64_t bytes);
void cloud_cache_catch_up(struct container_attachment *attachment);
void cloud_cache_drain(struct container_attachment *attachment);

/* The first provider that can be reached now; SIZE_MAX: none. */
size_t cloud_cache_reads_from(const struct container_session *session);
bool cloud_cache_reaches(const struct container_session *session, size_t provider);

static inline int64_t container_now_ns(const struct container_session *session)
{
    return sim_now_ns(session->session->files.caller.process->sim);
}

#endif
