/* Local profiles: the profile is on the host's own disk and stays there. Only redirected folders are on a share. What a
 * session changes is not lost, but it does not follow the user to another host. */
#include "models/profile/cpm_files.h"
#include "models/profile/profile_engine.h"

static void local_log_on(struct profile_session *session, struct logon_record *record)
{
    struct cpm_profile *profile = &session->files;
    struct smb_caller *caller = &profile->caller;
    if (profile->environment->settings->folder_redirection) {
        smb_trace(caller, record, PHASE_CONNECT);
        smb_caller_use(caller, profile->redirection);
        smb_connect(caller);
    }
    smb_trace(caller, record, PHASE_REGISTRY);
    cpm_local_disk(profile, caller, profile->environment->profile->registry_bytes);
    smb_trace(caller, record, PHASE_LINKS);
    cpm_look_up_redirected(profile);
    smb_trace(caller, NULL, PHASE_LINKS);
}

static bool local_open_mailbox(struct profile_session *session)
{
    (void)session;
    return false;
}

static void local_change_file(struct profile_session *session, int64_t file)
{
    cpm_local_disk(&session->files, &session->files.caller, cpm_file_size(&session->files, file));
}

static void local_log_off(struct profile_session *session)
{
    struct cpm_profile *profile = &session->files;
    cpm_local_disk(profile, &profile->caller, profile->environment->profile->registry_dirty_bytes);
    if (!profile->environment->settings->folder_redirection)
        return;
    smb_caller_use(&profile->caller, profile->redirection);
    smb_disconnect(&profile->caller);
}

const struct profile_engine local_engine = {
    .log_on = local_log_on,
    .open_mailbox = local_open_mailbox,
    .change_file = local_change_file,
    .log_off = local_log_off,
};
