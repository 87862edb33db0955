/* Profile containers as a profile engine: how a logon, a session and a logoff with them read. */
#include "models/profile/container_session.h"
#include "models/profile/cpm_files.h"
#include "models/smb/smb_client.h"
#include "models/world/world_state.h"
#include "vdisim/logons.h"

static void flushes_init(struct container_attachment *attachment, struct container_session *session)
{
    attachment->session = session;
    for (size_t provider = 0; provider < CONTAINER_PROVIDERS; provider++)
        attachment->flushes[provider] = (struct cloud_flush){.attachment = attachment, .provider = provider};
}

static void stream_init(struct sim_random *stream, const struct container_session *session, const char *name,
                        uint32_t user, const char *purpose)
{
    const struct world *world = session->session->files.host->world;
    sim_random_init_named(stream, world->seed, world->replication, "%s/user %u/device %zu/%s", name, user,
                          session->session->files.device, purpose);
}

/* Which of the user's containers this device attaches. */
static struct container *container_for(struct container_attachment *attachment, struct container *shared)
{
    if (shared->mode != CONTAINER_PER_SESSION || attachment->session->session->files.device == 0)
        return shared;
    container_init(&attachment->own, shared->settings, shared->mode, 0, 0.0);
    return &attachment->own;
}

void container_session_init(struct container_session *session, struct profile_session *of,
                            const struct container_settings *settings, const struct mailbox_settings *mailbox,
                            const char *name, uint32_t user)
{
    session->session = of;
    session->settings = settings;
    flushes_init(&session->profile, session);
    flushes_init(&session->office, session);
    session->profile.container = container_for(&session->profile, &of->owner->profile);
    if (settings->office_container)
        session->office.container = container_for(&session->office, &of->owner->office);
    struct container_attachment *mailbox_in =
        settings->office_container ? &session->office : &session->profile;
    guest_load_init(&session->load, session, &session->profile, NULL);
    guest_load_init(&session->mailbox, session, mailbox_in, mailbox);
    stream_init(&session->load.random, session, name, user, "container");
    stream_init(&session->mailbox.random, session, name, user, "mailbox in container");
    stream_init(&session->random, session, name, user, "blocks");
}

static void connect(struct container_session *session, struct logon_record *record)
{
    struct cpm_profile *profile = &session->session->files;
    smb_trace(&profile->caller, record, PHASE_CONNECT);
    if (cloud_cache_reaches(session, 0))
        cpm_connect(profile);
    for (size_t provider = 1; provider < session->provider_count; provider++) {
        if (!cloud_cache_reaches(session, provider))
            continue;
        smb_caller_use(&profile->caller, session->providers[provider]);
        smb_connect(&profile->caller);
    }
}

/* The handle that the product keeps on the topmost folder of each provider. What has refused the look-up of the path refuses it,
 * too. False: there are too many where the container would be opened. */
static bool keep_roots_open(struct container_session *session, struct logon_record *record)
{
    const bool path_was_refused = record->refused > 0;
    const size_t reads_from = session->settings->cloud_cache ? cloud_cache_reads_from(session) : 0;
    for (size_t provider = 0; provider < session->provider_count; provider++)
        session->root_open[provider] = cloud_cache_reaches(session, provider) && !path_was_refused &&
                                       store_keep_root_open(session->providers[provider]->store);
    const bool refused = reads_from != SIZE_MAX && !session->root_open[reads_from];
    record->refused += refused && !path_was_refused;
    return !refused;
}

static void close_roots(struct container_session *session)
{
    for (size_t provider = 0; provider < session->provider_count; provider++) {
        if (session->root_open[provider])
            store_close_root(session->providers[provider]->store);
        session->root_open[provider] = false;
    }
}

/* NTUSER.DAT, as Windows loads a hive: from its beginning to its end. */
static void load_hive(struct container_session *session)
{
    const struct profile_settings *profile = session->session->files.environment->profile;
    const int64_t block_bytes = session->settings->io_max_bytes;
    for (int64_t left = profile->registry_bytes; left > 0; left -= block_bytes)
        container_block_io(&session->profile, OPERATION_READ, left < block_bytes ? left : block_bytes);
}

static void copy_to_local_cache(struct container_session *session)
{
    struct cpm_profile *profile = &session->session->files;
    const struct cpm_environment *environment = profile->environment;
    int64_t file = 0;
    for (int part = 0; part < PART_COUNT; part++)
        for (int64_t i = 0; i < environment->profile->parts[part].files; i++, file++) {
            if (!environment->part_roams[part])
                continue;
            container_file_io(&session->profile, OPERATION_READ, cpm_file_size(profile, file), false);
            cpm_local_disk(profile, &profile->caller, cpm_file_size(profile, file));
            profile->files[file] |= CPM_FETCHED;
        }
}

static void load_files(struct container_session *session)
{
    for (int64_t i = 0; i < session->settings->logon_reads; i++)
        container_block_io(&session->profile, OPERATION_READ, 0);
    if (session->settings->local_cache == CONTAINER_COPIED && session->profile.access != CONTAINER_LOCKED)
        copy_to_local_cache(session);
}

static void take_copies(struct cpm_profile *profile)
{
    for (size_t item = 0; profile->conflicts != NULL && item < profile->conflicts->items; item++)
        last_writer_read(profile->conflicts, profile->device, item);
}

static void container_log_on(struct profile_session *of, struct logon_record *record)
{
    struct container_session *session = of->container;
    struct smb_caller *caller = &of->files.caller;
    connect(session, record);
    const bool has_path = keep_roots_open(session, record);
    of->outcome->refused = !container_attach(&session->profile, has_path, record);
    take_copies(&of->files);
    if (session->office.container != NULL)
        of->outcome->office_refused = !container_attach(&session->office, has_path, record);
    smb_trace(caller, record, PHASE_REGISTRY);
    load_hive(session);
    smb_trace(caller, record, PHASE_FILES);
    load_files(session);
    smb_trace(caller, record, PHASE_LINKS);
    cpm_look_up_redirected(&of->files);
    smb_trace(caller, NULL, PHASE_LINKS);
    guest_load_start(&session->load, session->settings->sign_in_time_ns);
}

static bool container_open_mailbox(struct profile_session *of)
{
    if (of->files.environment->profile->large_files > 0)
        guest_load_start(&of->container->mailbox, 0);
    return false;
}

static void container_change_file(struct profile_session *of, int64_t file)
{
    struct container_session *session = of->container;
    struct cpm_profile *profile = &of->files;
    const int64_t bytes = cpm_file_size(profile, file);
    const bool caches = session->settings->local_cache != CONTAINER_NOT_CACHED;
    container_file_io(&session->profile, OPERATION_READ, bytes,
                      caches && (profile->files[file] & CPM_FETCHED) != 0);
    profile->files[file] |= CPM_FETCHED;
    container_file_io(&session->profile, OPERATION_WRITE, bytes, false);
    if (profile->conflicts != NULL)
        last_writer_change(profile->conflicts, profile->device, (size_t)file, container_now_ns(session));
}

static void container_log_off(struct profile_session *of)
{
    struct container_session *session = of->container;
    struct cpm_profile *profile = &of->files;
    guest_load_stop(&session->load);
    guest_load_stop(&session->mailbox);
    if (session->office.container != NULL)
        container_detach(&session->office);
    container_detach(&session->profile);
    close_roots(session);
    for (size_t provider = 1; provider < session->provider_count; provider++) {
        if (!cloud_cache_reaches(session, provider))
            continue;
        smb_caller_use(&profile->caller, session->providers[provider]);
        smb_disconnect(&profile->caller);
    }
    smb_caller_use(&profile->caller, profile->user_store);
    if (cloud_cache_reaches(session, 0))
        cpm_disconnect(profile);
    for (int64_t file = 0; file < profile_files(profile->environment->profile); file++)
        profile->files[file] = 0;
}

const struct profile_engine container_engine = {
    .log_on = container_log_on,
    .open_mailbox = container_open_mailbox,
    .change_file = container_change_file,
    .log_off = container_log_off,
};
