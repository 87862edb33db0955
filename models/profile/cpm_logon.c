#include "models/profile/cpm_files.h"

#include <assert.h>

void cpm_connect(struct cpm_profile *profile)
{
    if (profile->redirection != profile->user_store && profile->environment->settings->folder_redirection) {
        smb_caller_use(&profile->caller, profile->redirection);
        smb_connect(&profile->caller);
    }
    smb_caller_use(&profile->caller, profile->user_store);
    smb_connect(&profile->caller);
    for (int64_t i = 0; i < profile->environment->settings->store_path_depth; i++)
        smb_look_up(&profile->caller, i == 0 ? CPM_PATH_ROOT : cpm_path(profile, PATH_STORE, i),
                    i == 0 ? smb_root(profile->user_store) : NULL, true);
}

void cpm_load_registry(struct cpm_profile *profile)
{
    struct smb_caller *caller = &profile->caller;
    smb_open(caller, NULL);
    smb_call(caller, OPERATION_QUERY_INFO, NULL, 0, 0);
    smb_read(caller, NULL, profile->environment->profile->registry_bytes);
    smb_close(caller, NULL);
    cpm_local_disk(profile, caller, profile->environment->profile->registry_bytes);
    if (profile->conflicts == NULL)
        return;
    for (size_t item = profile->conflicts->files; item < profile->conflicts->items; item++)
        last_writer_read(profile->conflicts, profile->device, item);
}

void cpm_enumerate(struct cpm_profile *profile)
{
    const struct profile_settings *settings = profile->environment->profile;
    int64_t folder = 0;
    for (int part = 0; part < PART_COUNT; part++) {
        if (!profile->environment->part_roams[part])
            continue;
        const struct profile_part_settings *counts = &settings->parts[part];
        for (int64_t i = 0; i < counts->folders; i++) {
            const int64_t entries =
                counts->files / counts->folders + (i < counts->files % counts->folders ? 1 : 0);
            smb_list(&profile->caller, cpm_path(profile, PATH_FOLDER, folder++), entries);
        }
    }
}

void cpm_make_placeholder(struct cpm_profile *profile, int64_t file)
{
    const struct cpm_settings *settings = profile->environment->settings;
    struct smb_caller *caller = &profile->caller;
    cpm_round_trips(profile, caller, OPERATION_CREATE);
    for (int64_t i = 0; i < settings->attribute_queries; i++)
        cpm_round_trips(profile, caller, OPERATION_QUERY_INFO);
    cpm_round_trips(profile, caller, OPERATION_CLOSE);
    smb_spend(caller, settings->local_ios_per_file * profile->host->settings->disk_latency_ns,
              CAUSE_LOCAL_DISK);
    profile->files[file] |= CPM_PLACEHOLDER;
}

void cpm_copy_file(struct cpm_profile *profile, int64_t file)
{
    const struct cpm_settings *settings = profile->environment->settings;
    struct smb_caller *caller = &profile->caller;
    const int64_t bytes = cpm_file_size(profile, file);
    cpm_round_trips(profile, caller, OPERATION_CREATE);
    for (int64_t i = 0; i < settings->copy_queries; i++)
        cpm_round_trips(profile, caller, OPERATION_QUERY_INFO);
    smb_read(caller, NULL, bytes);
    cpm_round_trips(profile, caller, OPERATION_CLOSE);
    cpm_local_disk(profile, caller, bytes);
    smb_spend(caller, settings->local_ios_per_file * profile->host->settings->disk_latency_ns,
              CAUSE_LOCAL_DISK);
    profile->files[file] |= CPM_PLACEHOLDER | CPM_FETCHED;
    if (profile->conflicts != NULL)
        last_writer_read(profile->conflicts, profile->device, (size_t)file);
}

/* A copy that an earlier session has left here is fetched anew when the listing's time stamp is newer. */
static void keep_or_forget(struct cpm_profile *profile, int64_t file)
{
    if (cpm_is_stale(profile, file))
        profile->files[file] &= (uint8_t)~CPM_FETCHED;
}

static void load_files(struct cpm_profile *profile)
{
    const struct cpm_environment *environment = profile->environment;
    int64_t file = 0;
    for (int part = 0; part < PART_COUNT; part++) {
        for (int64_t i = 0; i < environment->profile->parts[part].files; i++, file++) {
            if (!environment->part_roams[part])
                continue;
            if ((profile->files[file] & CPM_PLACEHOLDER) != 0)
                keep_or_forget(profile, file);
            else if (environment->settings->streaming)
                cpm_make_placeholder(profile, file);
            else
                cpm_copy_file(profile, file);
        }
    }
}

static void load_pending(struct cpm_profile *profile)
{
    const struct cpm_environment *environment = profile->environment;
    smb_list(&profile->caller, cpm_path(profile, PATH_PENDING, 0), environment->profile->pending_files);
    if (environment->settings->streaming_pending)
        return;
    const int64_t files = profile_files(environment->profile);
    for (int64_t i = 0; i < environment->profile->pending_files; i++)
        cpm_fetch(profile, &profile->caller, NULL, cpm_file_size(profile, files + i));
}

void cpm_look_up_redirected(struct cpm_profile *profile)
{
    if (!profile->environment->settings->folder_redirection)
        return;
    smb_caller_use(&profile->caller, profile->redirection);
    for (int64_t i = 0; i < profile->environment->profile->parts[PART_REDIRECTED].folders; i++)
        smb_look_up(&profile->caller, cpm_path(profile, PATH_REDIRECTED, i), NULL, true);
    smb_caller_use(&profile->caller, profile->user_store);
}

static void link_large_files(struct cpm_profile *profile)
{
    const struct cpm_environment *environment = profile->environment;
    const struct profile_settings *settings = environment->profile;
    const bool copied_now = !environment->settings->streaming || settings->large_file_opened_at_logon;
    for (int64_t i = 0; i < settings->large_files; i++) {
        smb_look_up(&profile->caller, cpm_path(profile, PATH_LARGE_FILE, i), &profile->large_file, true);
        if (environment->links_large_files)
            smb_spend(&profile->caller, profile->host->settings->disk_latency_ns, CAUSE_LOCAL_DISK);
        else if (copied_now)
            cpm_open_large_file(profile);
    }
    cpm_look_up_redirected(profile);
}

void cpm_logon(struct cpm_profile *profile, struct logon_record *record)
{
    static void (*const parts[PHASE_LINKS + 1])(struct cpm_profile *) = {
        [PHASE_CONNECT] = cpm_connect,     [PHASE_REGISTRY] = cpm_load_registry,
        [PHASE_ENUMERATE] = cpm_enumerate, [PHASE_FILES] = load_files,
        [PHASE_PENDING] = load_pending,    [PHASE_LINKS] = link_large_files,
    };
    const struct cpm_settings *settings = profile->environment->settings;
    for (enum logon_phase phase = 0; phase <= PHASE_LINKS; phase++) {
        if (phase == PHASE_ENUMERATE && settings->streaming_folders)
            continue;
        if (phase == PHASE_FILES && settings->streaming && settings->streaming_folders)
            continue;
        smb_trace(&profile->caller, record, phase);
        parts[phase](profile);
    }
    smb_trace(&profile->caller, NULL, PHASE_LINKS);
}
