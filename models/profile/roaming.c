/* Windows roaming profiles: everything is copied at logon, and what has changed is copied back at logoff, the registry as
 * one file. Nothing is streamed, nothing is saved in between. */
#include "models/profile/cpm_files.h"
#include "models/profile/profile_engine.h"

static void copy_large_files(struct cpm_profile *profile)
{
    for (int64_t i = 0; i < profile->environment->profile->large_files; i++)
        cpm_open_large_file(profile);
}

static void copy_files(struct cpm_profile *profile)
{
    const struct cpm_environment *environment = profile->environment;
    int64_t file = 0;
    for (int part = 0; part < PART_COUNT; part++)
        for (int64_t i = 0; i < environment->profile->parts[part].files; i++, file++)
            if (environment->part_roams[part] &&
                ((profile->files[file] & CPM_FETCHED) == 0 || cpm_is_stale(profile, file)))
                cpm_copy_file(profile, file);
    copy_large_files(profile);
}

static void roaming_log_on(struct profile_session *session, struct logon_record *record)
{
    static void (*const parts[])(struct cpm_profile *) = {cpm_connect, cpm_load_registry, cpm_enumerate,
                                                          copy_files, cpm_look_up_redirected};
    static const enum logon_phase phases[] = {PHASE_CONNECT, PHASE_REGISTRY, PHASE_ENUMERATE, PHASE_FILES,
                                              PHASE_LINKS};
    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++) {
        smb_trace(&session->files.caller, record, phases[i]);
        parts[i](&session->files);
    }
    smb_trace(&session->files.caller, NULL, PHASE_LINKS);
}

static bool roaming_open_mailbox(struct profile_session *session)
{
    session->files.large_file_changed =
        session->files.large_file_fetched && session->files.environment->mailbox_changes;
    return false;
}

static void roaming_change_file(struct profile_session *session, int64_t file)
{
    cpm_change_local_file(&session->files, file);
}

static void save_registry(struct cpm_profile *profile)
{
    struct smb_caller *caller = &profile->caller;
    const int64_t bytes = profile->environment->profile->registry_bytes;
    cpm_save(profile, caller, NULL, bytes);
    if (profile->conflicts == NULL)
        return;
    for (size_t item = profile->conflicts->files; item < profile->conflicts->items; item++)
        last_writer_replace(profile->conflicts, profile->device, profile->session, item);
}

static void roaming_log_off(struct profile_session *session)
{
    struct cpm_profile *profile = &session->files;
    smb_caller_use(&profile->caller, profile->user_store);
    cpm_save_changes(profile, &profile->caller, false);
    if (profile->large_file_changed) {
        profile->large_file_changed = false;
        cpm_save(profile, &profile->caller, &profile->large_file,
                 profile->environment->profile->large_file_bytes);
    }
    save_registry(profile);
    cpm_disconnect(profile);
    if (profile->environment->settings->delete_cached_profiles)
        cpm_delete_local_copy(profile);
}

const struct profile_engine roaming_engine = {
    .log_on = roaming_log_on,
    .open_mailbox = roaming_open_mailbox,
    .change_file = roaming_change_file,
    .log_off = roaming_log_off,
};
