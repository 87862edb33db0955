/* What happens to a profile between logon and logoff: files are streamed when opened, changed, and written
 * back. */
#include "models/profile/cpm_files.h"
#include "models/world/world_state.h"

#include <math.h>

/* With streaming for folders nothing was looked at during the logon: the folder is, now, with a placeholder for each of
 * its files. */
static void open_folder(struct cpm_profile *profile, int64_t file)
{
    const struct profile_settings *settings = profile->environment->profile;
    const struct profile_part_settings *part = &settings->parts[PART_PROFILE];
    if ((profile->files[file] & CPM_PLACEHOLDER) != 0)
        return;
    if (file >= part->files) {
        cpm_make_placeholder(profile, file);
        return;
    }
    const int64_t folder = file % part->folders;
    smb_list(&profile->caller, cpm_path(profile, PATH_FOLDER, folder), part->files / part->folders);
    for (int64_t sibling = folder; sibling < part->files; sibling += part->folders)
        cpm_make_placeholder(profile, sibling);
}

void cpm_open_large_file(struct cpm_profile *profile)
{
    if (profile->environment->links_large_files || profile->large_file_fetched)
        return;
    smb_caller_use(&profile->caller, profile->user_store);
    cpm_fetch(profile, &profile->caller, &profile->large_file,
              profile->environment->profile->large_file_bytes);
    profile->large_file_fetched = true;
}

void cpm_change_local_file(struct cpm_profile *profile, int64_t file)
{
    const int64_t bytes = cpm_file_size(profile, file);
    smb_caller_use(&profile->caller, profile->user_store);
    open_folder(profile, file);
    if ((profile->files[file] & CPM_FETCHED) == 0) {
        cpm_fetch(profile, &profile->caller, NULL, bytes);
        profile->files[file] |= CPM_FETCHED;
        if (profile->conflicts != NULL)
            last_writer_read(profile->conflicts, profile->device, (size_t)file);
    }
    cpm_local_disk(profile, &profile->caller, bytes);
    if ((profile->files[file] & CPM_CHANGED) == 0)
        profile->changed++;
    profile->files[file] |= CPM_CHANGED;
    if (profile->conflicts != NULL)
        last_writer_change(profile->conflicts, profile->device, (size_t)file,
                           sim_now_ns(profile->host->world->sim));
}

bool cpm_open_mailbox(struct cpm_profile *profile)
{
    if (profile->environment->links_large_files)
        return true;
    cpm_open_large_file(profile);
    profile->large_file_changed = profile->environment->mailbox_changes;
    return false;
}

void cpm_change_redirected_file(struct cpm_profile *profile, int64_t file, double rewritten)
{
    const struct profile_part_settings *part = &profile->environment->profile->parts[PART_REDIRECTED];
    const int64_t bytes = cpm_file_size(profile, file);
    struct smb_caller *caller = &profile->caller;
    smb_caller_use(caller, profile->redirection);
    smb_list(caller, cpm_path(profile, PATH_REDIRECTED, 0x10000 + file % part->folders),
             part->files / part->folders);
    /* Is someone else at it? An application looks for the lock file that he would have left beside it. */
    smb_look_up(caller, cpm_path(profile, PATH_REDIRECTED, 0x20000 + file), NULL, false);
    if (smb_open(caller, NULL) != REQUEST_OK)
        return;
    smb_call(caller, OPERATION_QUERY_INFO, NULL, 0, 0);
    smb_read(caller, NULL, bytes);
    smb_write(caller, NULL, (int64_t)((double)bytes * rewritten));
    smb_call(caller, OPERATION_SET_INFO, NULL, 0, 0);
    smb_close(caller, NULL);
}

void cpm_write_back(struct cpm_profile *profile, struct smb_caller *caller)
{
    cpm_save_changes(profile, caller, profile->environment->settings->active_write_back_registry);
}
