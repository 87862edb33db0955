/* What happens to a profile between logon and logoff: files are streamed when opened, changed, and written
 * back. */
#include "models/cpm_files.h"

#include <math.h>

/* With streaming for folders nothing was looked at during the logon: the folder is, now. */
static void open_folder(struct cpm_profile *profile, int64_t file)
{
    const struct profile_settings *settings = profile->environment->profile;
    const struct profile_part_settings *part = &settings->parts[PART_PROFILE];
    if (!profile->environment->settings->streaming_folders || (profile->files[file] & CPM_PLACEHOLDER) != 0)
        return;
    const int64_t folders = part->folders < 1 ? 1 : part->folders;
    smb_list(&profile->caller, cpm_path(profile, PATH_FOLDER, file % folders), part->files / folders);
    profile->files[file] |= CPM_PLACEHOLDER;
}

void cpm_change_local_file(struct cpm_profile *profile, int64_t file)
{
    const int64_t bytes = cpm_file_size(profile, file);
    smb_caller_use(&profile->caller, profile->user_store);
    open_folder(profile, file);
    if ((profile->files[file] & CPM_FETCHED) == 0) {
        cpm_fetch(profile, &profile->caller, NULL, bytes);
        profile->files[file] |= CPM_FETCHED;
    }
    cpm_local_disk(profile, &profile->caller, bytes);
    if ((profile->files[file] & CPM_CHANGED) == 0)
        profile->changed++;
    profile->files[file] |= CPM_CHANGED;
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
