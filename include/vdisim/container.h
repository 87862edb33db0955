/* Profile containers: a user's profile in a virtual disk (VHDX) on a share, attached at logon and used block by block.
 *
 * This header holds what a container is: who may attach it how (the modes of FSLogix and of Citrix Profile Management),
 * what a session's changes come to, how large its file is and what compaction moves. How a session attaches and uses it
 * over SMB is models/profile/container_session.h.
 *
 * Amounts of an attach are settings, mostly assumed: nobody has published a trace of one.
 */
#ifndef VDISIM_CONTAINER_H
#define VDISIM_CONTAINER_H

#include "vdisim/parameter.h"
#include "vdisim/store.h"

#include <stdbool.h>
#include <stdint.h>

/* How sessions of one user share a container. */
enum container_mode {
    CONTAINER_DIRECT,         /* ProfileType 0, VHDAccessMode 0: one session at a time */
    CONTAINER_READ_WRITE,     /* ProfileType 1: one writer, by a differencing disk on the share (RW.VHDX) */
    CONTAINER_READ_ONLY,      /* ProfileType 2: a differencing disk on the host, thrown away */
    CONTAINER_TRY_READ_WRITE, /* ProfileType 3: as 1, and as 2 when there is a writer */
    CONTAINER_NETWORK_DIFF,   /* VHDAccessMode 1: a differencing disk each on the share, merged at sign-out */
    CONTAINER_LOCAL_DIFF,     /* VHDAccessMode 2: a differencing disk each on the host, merged at sign-out */
    CONTAINER_PER_SESSION,    /* VHDAccessMode 3: a container each */
    CONTAINER_FIRST_WRITES,   /* Citrix: the first session reads and writes, the others' changes are lost */
    CONTAINER_ALL_MERGED,     /* Citrix, multi-session write-back: the others' files are merged at logoff */
    CONTAINER_MODE_COUNT
};

/* What a session has of a container. */
enum container_access {
    CONTAINER_LOCKED,        /* nothing: to be tried again */
    CONTAINER_WRITES_FILE,   /* it reads and writes the file itself, alone */
    CONTAINER_DIFF_ON_STORE, /* it reads the file and writes a differencing disk beside it */
    CONTAINER_DIFF_ON_HOST,  /* it reads the file and writes a differencing disk on its host */
};

/* What becomes of a session's changes at its end. */
enum container_fate {
    CONTAINER_CHANGES_KEPT,   /* they are in the file, or in a differencing disk that waits to be merged */
    CONTAINER_CHANGES_MERGED, /* block by block into the file */
    CONTAINER_CHANGES_FILE_BY_FILE, /* the newer of each file is kept */
    CONTAINER_CHANGES_LOST,
};

/* Sessions that have the file open now, by what they have of it. */
struct container_holders {
    uint32_t writers;  /* of the file itself */
    uint32_t on_store; /* of a differencing disk on the store */
    uint32_t on_host;
};

/* Whether and how one more session gets in. */
enum container_access container_grant(enum container_mode mode, const struct container_holders *holders);

/* What becomes of the changes of a session that leaves; `holders` are those left. A differencing disk is merged only when
 * nobody has the file open, and is void once its parent has changed. */
enum container_fate container_fate(enum container_mode mode, enum container_access access,
                                   const struct container_holders *holders);

#define CONTAINER_PROVIDERS 4 /* of Cloud Cache at most */

enum container_local_cache {
    CONTAINER_NOT_CACHED,
    CONTAINER_CACHED_ON_DEMAND, /* files are copied to the host when they are used */
    CONTAINER_COPIED,           /* all of them at logon */
};

struct container_settings {
    int mode; /* enum container_mode */
    bool office_container;
    int office_mode;
    int64_t lock_retries, lock_retry_interval_ns;

    int64_t capacity_bytes, block_bytes;
    bool auto_expansion;
    double expansion_threshold;
    int64_t expansion_step_bytes, expansion_limit_bytes;
    bool compaction;
    double compaction_threshold;
    int64_t compaction_logoffs; /* also after so many; 0: not */
    int64_t compaction_floor_bytes;
    bool compaction_after_sign_out; /* the session ends first; the container stays locked */
    double new_block_share;

    int local_cache; /* enum container_local_cache */
    bool cloud_cache;
    const char *providers[CONTAINER_PROVIDERS - 1]; /* beside the workload's store; NULL: none */
    int64_t flush_delay_ns, providers_needed;
    bool keep_local_cache;
    int64_t outage_provider, outage_start_ns, outage_length_ns; /* provider 0: none */

    int64_t attach_reads, attach_read_bytes, attach_writes;
    int64_t mount_reads, mount_writes, logon_reads;
    double sign_in_io_per_s, session_io_per_s, read_share;
    int64_t sign_in_time_ns, io_min_bytes, io_max_bytes;
};

extern const struct parameter_table container_parameters;

/* A container file, shared by all sessions of its user. */
struct container {
    const struct container_settings *settings;
    enum container_mode mode;
    struct store_file files[CONTAINER_PROVIDERS]; /* on its store, or on each provider of Cloud Cache */
    struct store_file diff;                       /* RW.VHDX */
    struct container_holders holders;
    int64_t capacity_bytes;
    int64_t file_bytes;                           /* on the store */
    int64_t used_bytes;                           /* of it that the file system in it uses */
    int64_t unmerged_bytes;                       /* in a differencing disk that was left on the store */
    int64_t unflushed_bytes[CONTAINER_PROVIDERS]; /* that a provider has yet to get */
    int64_t logoffs;                              /* since the last compaction */
    int64_t grown_bytes, released_bytes;          /* file_bytes = at first + grown - released */
};

/* A container with `used` bytes in it and a slack in its file of the share `slack` in [0, 1). */
void container_init(struct container *container, const struct container_settings *settings,
                    enum container_mode mode, int64_t used_bytes, double slack);

/* The guest has written `bytes`, part of them to blocks that were not there; it has deleted as much elsewhere, which
 * leaves the file as large as it is. False, and nothing grows, when the container is full. */
bool container_write(struct container *container, int64_t bytes);

/* Whether a session's end compacts it, and what of the file is then moved: live data lie evenly in the file, those beyond
 * its new end must move. */
bool container_wants_compaction(const struct container *container);
int64_t container_compaction_bytes(const struct container *container);
void container_compact(struct container *container);

/* Makes the virtual disk larger when it is filled beyond the threshold; false when it is not or cannot be. */
bool container_expand(struct container *container);

#endif
