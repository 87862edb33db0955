#include "models/profile/cpm_files.h"

#include "vdisim/link.h"

#include <math.h>

uint64_t cpm_path(const struct cpm_profile *profile, enum path_kind kind, int64_t index)
{
    return profile->number << 32 | (uint64_t)kind << 24 | (uint64_t)index;
}

int64_t cpm_file_size(const struct cpm_profile *profile, int64_t file)
{
    uint64_t state = profile->size_seed + (uint64_t)file * UINT64_C(0x9e3779b97f4a7c15);
    return file_size_at(&profile->environment->sizes, sim_random_uniform_of_bits(sim_splitmix64(&state)));
}

void cpm_round_trips(struct cpm_profile *profile, struct smb_caller *caller, enum operation operation)
{
    const double wanted = profile->environment->run_effect;
    const double whole = floor(wanted);
    int repeats = (int)whole + (sim_random_chance(&profile->round_trips, wanted - whole) ? 1 : 0);
    while (repeats-- > 0)
        smb_call(caller, operation, NULL, 0, 0);
}

void cpm_local_disk(struct cpm_profile *profile, struct smb_caller *caller, int64_t bytes)
{
    sim_link_transfer(caller->process, &profile->host->disk, (double)bytes);
    smb_charge(caller, CAUSE_LOCAL_DISK);
}

void cpm_fetch(struct cpm_profile *profile, struct smb_caller *caller, struct store_file *file, int64_t bytes)
{
    if (smb_open(caller, file) != REQUEST_OK)
        return;
    for (int64_t i = 0; i < profile->environment->settings->copy_queries; i++)
        smb_call(caller, OPERATION_QUERY_INFO, file, 0, 0);
    smb_read(caller, file, bytes);
    smb_close(caller, file);
    cpm_local_disk(profile, caller, bytes);
}

void cpm_save(struct cpm_profile *profile, struct smb_caller *caller, struct store_file *file, int64_t bytes)
{
    cpm_local_disk(profile, caller, bytes);
    if (smb_open(caller, file) != REQUEST_OK)
        return;
    smb_write(caller, file, bytes);
    smb_call(caller, OPERATION_SET_INFO, file, 0, 0);
    smb_close(caller, file);
}

bool cpm_is_stale(const struct cpm_profile *profile, int64_t file)
{
    return profile->conflicts != NULL &&
           last_writer_is_stale(profile->conflicts, profile->device, (size_t)file);
}

void cpm_merge_registry(struct cpm_profile *profile)
{
    struct last_writer *conflicts = profile->conflicts;
    if (conflicts == NULL)
        return;
    for (size_t item = conflicts->files; item < conflicts->items; item++)
        last_writer_save(conflicts, profile->device, profile->session, item, LATEST_SAVE_WINS);
}

/* The store's file turns out to be newer: its time is all that was asked for. */
static void ask_its_time(struct smb_caller *caller)
{
    if (smb_open(caller, NULL) != REQUEST_OK)
        return;
    smb_call(caller, OPERATION_QUERY_INFO, NULL, 0, 0);
    smb_close(caller, NULL);
}

void cpm_save_changes(struct cpm_profile *profile, struct smb_caller *caller, bool registry)
{
    const int64_t files = profile_files(profile->environment->profile);
    for (int64_t file = 0; file < files && profile->changed > 0; file++) {
        if ((profile->files[file] & CPM_CHANGED) == 0)
            continue;
        profile->files[file] &= (uint8_t)~CPM_CHANGED;
        profile->changed--;
        if (profile->conflicts != NULL &&
            !last_writer_save(profile->conflicts, profile->device, profile->session, (size_t)file,
                              profile->environment->rule)) {
            ask_its_time(caller);
            continue;
        }
        cpm_save(profile, caller, NULL, cpm_file_size(profile, file));
    }
    if (!registry || !profile->registry_changed)
        return;
    profile->registry_changed = false;
    smb_open(caller, NULL);
    smb_call(caller, OPERATION_QUERY_INFO, NULL, 0, 0);
    smb_write(caller, NULL, profile->environment->profile->registry_dirty_bytes);
    smb_close(caller, NULL);
    cpm_merge_registry(profile);
}
