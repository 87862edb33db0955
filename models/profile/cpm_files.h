/* What logon, session and logoff of Citrix Profile Management share: paths, fetching and saving one file. */
#ifndef VDISIM_MODELS_CPM_FILES_H
#define VDISIM_MODELS_CPM_FILES_H

#include "vdisim/cpm.h"

/* Names on a store, unique over users. */
enum path_kind { PATH_STORE, PATH_FOLDER, PATH_PENDING, PATH_LARGE_FILE, PATH_REDIRECTED };
#define CPM_PATH_ROOT UINT64_MAX /* the topmost directory, the same for all */
uint64_t cpm_path(const struct cpm_profile *profile, enum path_kind kind, int64_t index);

/* A round trip of which a logon needs run_effect on average: the random number of repeats has that mean. */
void cpm_round_trips(struct cpm_profile *profile, struct smb_caller *caller, enum operation operation);

/* The parts of a logon that other engines have, too: the session with the store and the path to the profile; NTUSER.DAT;
 * the folder tree; the redirected folders. */
void cpm_connect(struct cpm_profile *profile);
void cpm_load_registry(struct cpm_profile *profile);
void cpm_enumerate(struct cpm_profile *profile);
void cpm_look_up_redirected(struct cpm_profile *profile);

/* And of a logoff: the end of the sessions with the stores; the removal of the local copy. */
void cpm_disconnect(struct cpm_profile *profile);
void cpm_delete_local_copy(struct cpm_profile *profile);

/* The same questions as for a placeholder and a few more, then the content. */
void cpm_copy_file(struct cpm_profile *profile, int64_t file);

/* Whether another session has saved a newer one than this copy. */
bool cpm_is_stale(const struct cpm_profile *profile, int64_t file);

/* The changed values of the registry have been saved: whom they replace is counted. */
void cpm_merge_registry(struct cpm_profile *profile);

/* Open, attributes and security, close: what a placeholder is made of. */
void cpm_make_placeholder(struct cpm_profile *profile, int64_t file);

/* Copies a file from the store to the host's disk. */
void cpm_fetch(struct cpm_profile *profile, struct smb_caller *caller, struct store_file *file,
               int64_t bytes);

/* Copies a file from the host's disk to the store. */
void cpm_save(struct cpm_profile *profile, struct smb_caller *caller, struct store_file *file, int64_t bytes);

/* The bytes pass the host's disk. */
void cpm_local_disk(struct cpm_profile *profile, struct smb_caller *caller, int64_t bytes);

/* Saves all changed files; the registry when it has changed and `registry` is true. */
void cpm_save_changes(struct cpm_profile *profile, struct smb_caller *caller, bool registry);

#endif
