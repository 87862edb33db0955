#include "models/profile/cpm_files.h"

#include <string.h>

/* Two I/Os a file: find it and remove it. */
void cpm_delete_local_copy(struct cpm_profile *profile)
{
    const struct cpm_environment *environment = profile->environment;
    const int64_t files = profile_files(environment->profile);
    sim_hold(profile->caller.process, environment->settings->delete_delay_ns);
    int64_t present = 0;
    for (int64_t file = 0; file < files; file++)
        present += (profile->files[file] & CPM_PLACEHOLDER) != 0;
    smb_spend(&profile->caller, 2 * present * profile->host->settings->disk_latency_ns, CAUSE_LOCAL_DISK);
    memset(profile->files, 0, (size_t)files);
    profile->large_file_fetched = false;
}

void cpm_disconnect(struct cpm_profile *profile)
{
    smb_disconnect(&profile->caller);
    if (profile->redirection == profile->user_store || !profile->environment->settings->folder_redirection)
        return;
    smb_caller_use(&profile->caller, profile->redirection);
    smb_disconnect(&profile->caller);
}

void cpm_logoff(struct cpm_profile *profile)
{
    const struct cpm_environment *environment = profile->environment;
    struct smb_caller *caller = &profile->caller;
    smb_caller_use(caller, profile->user_store);
    cpm_save_changes(profile, caller, false);
    if (profile->large_file_changed) {
        profile->large_file_changed = false;
        cpm_save(profile, caller, &profile->large_file, environment->profile->large_file_bytes);
    }
    /* The store's registry is loaded and the changed values are merged into it. */
    smb_open(caller, NULL);
    smb_call(caller, OPERATION_QUERY_INFO, NULL, 0, 0);
    smb_read(caller, NULL, environment->profile->registry_bytes);
    smb_write(caller, NULL, environment->profile->registry_dirty_bytes);
    smb_close(caller, NULL);
    profile->registry_changed = false;
    cpm_merge_registry(profile);
    cpm_disconnect(profile);
    if (environment->settings->delete_cached_profiles)
        cpm_delete_local_copy(profile);
}
