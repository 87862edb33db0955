#include "models/profile/container_session.h"
#include "models/profile/cpm_files.h"

#define HEADER_BYTES 4096

/* --- The lock. --- */

static void hold(struct container_attachment *attachment, enum container_access access)
{
    struct container_holders *holders = &attachment->container->holders;
    attachment->access = access;
    attachment->counted = access != CONTAINER_LOCKED;
    holders->writers += access == CONTAINER_WRITES_FILE;
    holders->on_store += access == CONTAINER_DIFF_ON_STORE;
    holders->on_host += access == CONTAINER_DIFF_ON_HOST;
}

static void let_go(struct container_attachment *attachment)
{
    struct container_holders *holders = &attachment->container->holders;
    if (!attachment->counted)
        return;
    attachment->counted = false;
    holders->writers -= attachment->access == CONTAINER_WRITES_FILE;
    holders->on_store -= attachment->access == CONTAINER_DIFF_ON_STORE;
    holders->on_host -= attachment->access == CONTAINER_DIFF_ON_HOST;
}

/* Opens the file, and again after a while when it is locked. */
static bool open_and_lock(struct container_attachment *attachment)
{
    struct container_session *session = attachment->session;
    struct smb_caller *caller = &session->session->files.caller;
    struct container *container = attachment->container;
    const struct container_settings *settings = session->settings;
    for (int64_t retry = 0;; retry++) {
        const size_t provider = settings->cloud_cache ? cloud_cache_reads_from(session) : 0;
        if (provider != SIZE_MAX) {
            smb_caller_use(caller, session->providers[provider]);
            hold(attachment, container_grant(container->mode, &container->holders));
            struct store_file *file = attachment->counted ? &container->files[provider] : NULL;
            if (!attachment->counted) /* the answer is a sharing violation, which leaves nothing open */
                smb_call(caller, OPERATION_CREATE, NULL, 0, 0);
            else if ((attachment->opened[provider] = smb_open(caller, file) == REQUEST_OK))
                return true;
            let_go(attachment);
        }
        attachment->access = CONTAINER_LOCKED;
        if (retry == settings->lock_retries)
            return false;
        session->session->outcome->lock_retries++;
        smb_spend(caller, settings->lock_retry_interval_ns, CAUSE_LOCK_RETRY);
    }
}

/* --- Merging. --- */

static void merge(struct container_attachment *attachment, int64_t bytes, bool from_host)
{
    struct container_session *session = attachment->session;
    struct cpm_profile *profile = &session->session->files;
    smb_caller_use(&profile->caller, session->providers[0]);
    if (from_host)
        cpm_local_disk(profile, &profile->caller, bytes);
    else
        smb_read(&profile->caller, attachment->diff, bytes);
    smb_write(&profile->caller, &attachment->container->files[0], bytes);
    if (!container_write(attachment->container, bytes))
        session->session->outcome->full = true;
    session->session->outcome->merges++;
    session->session->outcome->merged_bytes += bytes;
}

/* RW.VHDX of a session that could not merge it, or was cut off. */
static void take_up_diff(struct container_attachment *attachment)
{
    struct container *container = attachment->container;
    const struct container_holders *holders = &container->holders;
    const bool each = container->mode == CONTAINER_NETWORK_DIFF;
    attachment->diff = each ? &attachment->own_diff : &container->diff;
    smb_open(&attachment->session->session->files.caller, attachment->diff);
    if (container->unmerged_bytes > 0 && holders->writers + holders->on_store + holders->on_host == 1) {
        merge(attachment, container->unmerged_bytes, false);
        container->unmerged_bytes = 0;
    }
}

/* --- Attaching. --- */

static void read_tables(struct container_attachment *attachment)
{
    const struct container_settings *settings = attachment->session->settings;
    struct smb_caller *caller = &attachment->session->session->files.caller;
    const size_t provider = settings->cloud_cache ? cloud_cache_reads_from(attachment->session) : 0;
    struct store_file *file = &attachment->container->files[provider == SIZE_MAX ? 0 : provider];
    smb_call(caller, OPERATION_QUERY_INFO, file, 0, 0);
    for (int64_t i = 0; i < settings->attach_reads; i++)
        smb_call(caller, OPERATION_READ, file, 0, settings->attach_read_bytes);
}

/* Marks the virtual disk as open, or as closed in good order. */
static void write_headers(struct container_attachment *attachment)
{
    const struct container_settings *settings = attachment->session->settings;
    struct smb_caller *caller = &attachment->session->session->files.caller;
    struct store_file *file =
        attachment->access == CONTAINER_WRITES_FILE ? &attachment->container->files[0] : attachment->diff;
    for (int64_t i = 0; i < settings->attach_writes; i++) {
        if (settings->cloud_cache || attachment->access == CONTAINER_DIFF_ON_HOST)
            container_block_io(attachment, OPERATION_WRITE, HEADER_BYTES);
        else
            smb_call(caller, OPERATION_WRITE, file, HEADER_BYTES, 0);
    }
}

static void open_other_providers(struct container_attachment *attachment)
{
    struct container_session *session = attachment->session;
    struct smb_caller *caller = &session->session->files.caller;
    const size_t first = cloud_cache_reads_from(session);
    for (size_t provider = 0; provider < session->provider_count; provider++) {
        if (provider == first || !cloud_cache_reaches(session, provider))
            continue;
        smb_caller_use(caller, session->providers[provider]);
        attachment->opened[provider] =
            smb_open(caller, &attachment->container->files[provider]) == REQUEST_OK;
    }
    cloud_cache_catch_up(attachment);
}

static void mount(struct container_attachment *attachment)
{
    const struct container_settings *settings = attachment->session->settings;
    for (int64_t i = 0; i < settings->mount_reads; i++)
        container_block_io(attachment, OPERATION_READ, 0);
    for (int64_t i = 0; i < settings->mount_writes; i++)
        container_block_io(attachment, OPERATION_WRITE, HEADER_BYTES);
}

static void begin(struct container_attachment *attachment)
{
    attachment->access = CONTAINER_LOCKED;
    attachment->written_bytes = attachment->sent_bytes = attachment->diff_bytes = 0;
    attachment->cached_bytes = attachment->discarded_bytes = 0;
    if (!attachment->session->settings->keep_local_cache)
        attachment->hydrated_bytes = 0;
    for (size_t provider = 0; provider < CONTAINER_PROVIDERS; provider++)
        attachment->flushes[provider].flushed_bytes = 0;
}

bool container_attach(struct container_attachment *attachment, bool has_path, struct logon_record *record)
{
    struct smb_caller *caller = &attachment->session->session->files.caller;
    begin(attachment);
    smb_trace(caller, record, PHASE_ATTACH);
    if (!has_path || !open_and_lock(attachment))
        return false;
    read_tables(attachment);
    if (attachment->access == CONTAINER_DIFF_ON_STORE)
        take_up_diff(attachment);
    if (attachment->session->settings->cloud_cache)
        open_other_providers(attachment);
    write_headers(attachment);
    if (container_expand(attachment->container))
        write_headers(attachment);
    smb_trace(caller, record, PHASE_MOUNT);
    mount(attachment);
    return true;
}

/* --- Detaching. --- */

static void compact(struct container_attachment *attachment)
{
    struct container_session *session = attachment->session;
    struct container *container = attachment->container;
    struct smb_caller *caller = &session->session->files.caller;
    const int64_t bytes = container_compaction_bytes(container);
    smb_caller_use(caller, session->providers[0]);
    smb_read(caller, &container->files[0], bytes);
    smb_write(caller, &container->files[0], bytes);
    smb_call(caller, OPERATION_SET_INFO, &container->files[0], 0, 0); /* its new end */
    container_compact(container);
    session->session->outcome->compactions++;
    session->session->outcome->compacted_bytes += bytes;
}

/* The newer of each file that was changed, into the container. */
static void merge_files(struct container_attachment *attachment)
{
    struct container_session *session = attachment->session;
    struct cpm_profile *profile = &session->session->files;
    smb_caller_use(&profile->caller, session->providers[0]);
    const int64_t files = profile_files(profile->environment->profile);
    for (int64_t file = 0; profile->conflicts != NULL && file < files; file++) {
        if (!last_writer_save(profile->conflicts, profile->device, profile->session, (size_t)file,
                              LATEST_CHANGE_WINS))
            continue;
        const int64_t bytes = cpm_file_size(profile, file);
        cpm_local_disk(profile, &profile->caller, bytes);
        smb_write(&profile->caller, &attachment->container->files[0], bytes);
        session->session->outcome->merged_bytes += bytes;
    }
    cpm_merge_registry(profile);
    session->session->outcome->merges++;
}

/* Whose updates are lost. What a writer of the file or a merge saves is in no conflict with anybody. */
static void settle(struct container_attachment *attachment, enum container_fate fate)
{
    struct profile_session *session = attachment->session->session;
    struct cpm_profile *profile = &session->files;
    session->outcome->thrown_away |= fate == CONTAINER_CHANGES_LOST && !session->outcome->refused;
    if (profile->conflicts == NULL)
        return;
    const enum last_writer_rule rule =
        attachment->container->mode == CONTAINER_ALL_MERGED ? LATEST_CHANGE_WINS : LATEST_SAVE_WINS;
    if (fate == CONTAINER_CHANGES_LOST)
        last_writer_discard(profile->conflicts, profile->device, profile->session);
    for (size_t item = 0; item < profile->conflicts->items; item++)
        last_writer_save(profile->conflicts, profile->device, profile->session, item, rule);
}

static void merge_blocks(struct container_attachment *attachment)
{
    const bool from_host = attachment->access == CONTAINER_DIFF_ON_HOST;
    int64_t bytes = attachment->diff_bytes;
    if (!from_host) {
        bytes += attachment->container->unmerged_bytes;
        attachment->container->unmerged_bytes = 0;
    }
    merge(attachment, bytes, from_host);
}

static void write_back_cache(struct container_attachment *attachment)
{
    struct container_session *session = attachment->session;
    struct cpm_profile *profile = &session->session->files;
    const int64_t bytes = attachment->cached_bytes;
    cpm_local_disk(profile, &profile->caller, bytes);
    smb_caller_use(&profile->caller, session->providers[0]);
    smb_write(&profile->caller, &attachment->container->files[0], bytes);
    attachment->sent_bytes += bytes;
    attachment->cached_bytes = 0;
}

static void save_changes(struct container_attachment *attachment)
{
    struct container_session *session = attachment->session;
    struct container *container = attachment->container;
    struct container_holders others = container->holders;
    others.writers -= attachment->counted && attachment->access == CONTAINER_WRITES_FILE;
    others.on_store -= attachment->counted && attachment->access == CONTAINER_DIFF_ON_STORE;
    others.on_host -= attachment->counted && attachment->access == CONTAINER_DIFF_ON_HOST;
    const enum container_fate fate = container_fate(container->mode, attachment->access, &others);
    if (session->settings->cloud_cache)
        cloud_cache_drain(attachment);
    if (attachment->cached_bytes > 0)
        write_back_cache(attachment);
    if (fate == CONTAINER_CHANGES_LOST)
        let_go(attachment); /* whoever is left may merge */
    if (fate == CONTAINER_CHANGES_MERGED)
        merge_blocks(attachment);
    else if (fate == CONTAINER_CHANGES_KEPT && attachment->access == CONTAINER_DIFF_ON_STORE)
        container->unmerged_bytes += attachment->diff_bytes;
    else if (fate == CONTAINER_CHANGES_FILE_BY_FILE)
        merge_files(attachment);
    if (attachment == &session->profile)
        settle(attachment, fate);
}

void container_detach(struct container_attachment *attachment)
{
    struct container_session *session = attachment->session;
    struct smb_caller *caller = &session->session->files.caller;
    struct container *container = attachment->container;
    save_changes(attachment);
    if (attachment->access == CONTAINER_LOCKED)
        return;
    smb_caller_use(caller, session->providers[0]);
    write_headers(attachment);
    if (attachment->diff != NULL)
        smb_close(caller, attachment->diff);
    attachment->diff = NULL;
    if (session->settings->cloud_cache)
        cloud_cache_drain(attachment);
    container->logoffs++;
    if (session->settings->compaction_after_sign_out && attachment == &session->profile)
        session->session->outcome->signed_out_ns = container_now_ns(session);
    if (attachment->access == CONTAINER_WRITES_FILE && !session->settings->cloud_cache &&
        container_wants_compaction(container))
        compact(attachment);
    for (size_t provider = 0; provider < session->provider_count; provider++) {
        if (!attachment->opened[provider])
            continue;
        attachment->opened[provider] = false;
        smb_caller_use(caller, session->providers[provider]);
        smb_close(caller, &container->files[provider]);
    }
    let_go(attachment);
}
