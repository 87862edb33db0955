/* Citrix Profile Management, file-based: how a profile is loaded, kept and saved.
 *
 * Logon, streaming, write-back and logoff are procedures of a process that send SMB requests one after the
 * other; no load time is computed anywhere. With streaming a logon still looks at every file of the store
 * (open, attributes, security, close) to make a placeholder; the content comes when the file is first opened.
 * About four sequential round trips a file make the load time.
 *
 * Several sessions of one user at once save file by file, the newest time stamp wins, and value by value of the registry,
 * where the last save wins; last_writer.h counts what that loses. Containers: container.h.
 *
 * Left out: always cache, folder mirroring, streaming exclusions, replication; the way of a concurrent session's files
 * through the pending area.
 */
#ifndef VDISIM_CPM_H
#define VDISIM_CPM_H

#include "vdisim/host.h"
#include "vdisim/last_writer.h"
#include "vdisim/parameter.h"
#include "vdisim/process.h"
#include "vdisim/profile.h"
#include "vdisim/random.h"
#include "vdisim/smb.h"
#include "vdisim/store.h"

struct cpm_settings {
    bool streaming;         /* files are fetched when first opened */
    bool streaming_folders; /* folders, too: nothing of a folder is looked at before it is opened */
    bool streaming_pending; /* and the pending area */
    bool active_write_back, active_write_back_registry;
    int64_t write_back_interval_ns;
    bool large_file_handling;
    struct parameter_texts large_file_patterns;
    bool folder_redirection;
    bool exclusions;
    struct parameter_texts exclusion_patterns;
    bool delete_cached_profiles;
    int64_t delete_delay_ns;

    int64_t store_path_depth;   /* folders of the path to the user store, looked up at logon */
    int64_t attribute_queries;  /* QUERY_INFO a file for its placeholder */
    int64_t copy_queries;       /* QUERY_INFO a file when it is copied */
    int64_t local_ios_per_file; /* on the host's disk for a placeholder */
};

extern const struct parameter_table cpm_parameters;

/* `pattern` with * and ? against a path, case ignored, `\` as the separator. */
bool cpm_pattern_matches(const char *pattern, const char *path);

/* Which parts roam (are in the user store and looked at by a logon), and whether large files are linked. */
bool cpm_part_roams(const struct cpm_settings *settings, const struct profile_settings *profile,
                    enum profile_part part);
bool cpm_links_large_files(const struct cpm_settings *settings, const struct profile_settings *profile);

/* State of a file on the host. */
#define CPM_PLACEHOLDER 1 /* known here */
#define CPM_FETCHED     2 /* its content is here */
#define CPM_CHANGED     4 /* and differs from the store */

/* What all users of a workload have in common. */
struct cpm_environment {
    const struct cpm_settings *settings;
    const struct profile_settings *profile;
    struct file_size_law sizes;
    double run_effect; /* round trips of a logon, as a multiple of the usual */
    bool links_large_files;
    bool mailbox_changes;       /* an application that has it open writes to it */
    enum last_writer_rule rule; /* of files that several sessions have changed */
    bool part_roams[PART_COUNT];
};

/* One user's profile on one host. */
struct cpm_profile {
    struct smb_client *user_store;  /* the host's client for it */
    struct smb_client *redirection; /* and for the redirected folders, may be the same one */
    struct store_file large_file;   /* on the store, shared by all that open it */
    struct smb_caller caller;       /* of the user's own process */
    const struct cpm_environment *environment;
    struct host *host;
    uint64_t number;               /* of the user, makes paths unique */
    struct sim_random round_trips; /* repeats, see run_effect */
    uint64_t size_seed;
    uint8_t *files;   /* [profile_files()] CPM_ flags */
    uint32_t changed; /* files with CPM_CHANGED */
    bool registry_changed;
    bool large_file_fetched, large_file_changed; /* only when it is not a link */

    /* Several sessions of the user at once; NULL: one after the other. */
    struct last_writer *conflicts;
    size_t device, session;
};

int64_t cpm_file_size(const struct cpm_profile *profile, int64_t file);

/* The load of a profile, as Citrix Director measures it. */
void cpm_logon(struct cpm_profile *profile, struct logon_record *record);

/* An application opens the large file for the session, which fetches it first if it is not a link. */
void cpm_open_large_file(struct cpm_profile *profile);

/* The same for the mailbox of a session; true when it is used in place, through a link. */
bool cpm_open_mailbox(struct cpm_profile *profile);

/* An application opens a local file (fetching it first if need be), changes it and saves it. */
void cpm_change_local_file(struct cpm_profile *profile, int64_t file);

/* An application opens a redirected file on its share, reads it, and writes `rewritten` of it back. */
void cpm_change_redirected_file(struct cpm_profile *profile, int64_t file, double rewritten);

/* One active write-back by a process of its own: changed files, then the registry. */
void cpm_write_back(struct cpm_profile *profile, struct smb_caller *caller);

/* Saves what is changed and removes the local copy. */
void cpm_logoff(struct cpm_profile *profile);

#endif
