#include "vdisim/logons.h"

#include "models/logons/logons_outcome.h"
#include "models/logons/logons_report.h"
#include "models/logons/logons_user.h"
#include "models/profile/container_session.h"
#include "models/world/world_state.h"

#include <stdlib.h>

static void stream_init(struct sim_random *stream, const struct user *user, const char *purpose)
{
    const struct world *world = user->logons->world;
    const char *name = user->logons->workload.name;
    const size_t device = user->session.files.device;
    if (device == 0)
        sim_random_init_named(stream, world->seed, world->replication, "%s/user %u/%s", name, user->number,
                              purpose);
    else
        sim_random_init_named(stream, world->seed, world->replication, "%s/user %u/device %zu/%s", name,
                              user->number, device, purpose);
}

static bool stores_init(struct user *user)
{
    struct world *world = user->logons->world;
    const struct logons_settings *settings = user->logons->settings;
    struct cpm_profile *profile = &user->session.files;
    struct host *host = profile->host;
    profile->user_store = host_client(host, world_store(world, settings->store));
    profile->redirection = settings->redirection_store == NULL
                               ? profile->user_store
                               : host_client(host, world_store(world, settings->redirection_store));
    return profile->user_store != NULL && profile->redirection != NULL;
}

static bool container_part_init(struct user *user)
{
    struct world *world = user->logons->world;
    const struct logons_settings *settings = user->logons->settings;
    struct container_session *container = user->session.container;
    container->providers[container->provider_count++] = user->session.files.user_store;
    for (int i = 0; settings->container.cloud_cache && i < CONTAINER_PROVIDERS - 1; i++) {
        if (settings->container.providers[i] == NULL)
            continue;
        struct smb_client *client =
            host_client(user->session.files.host, world_store(world, settings->container.providers[i]));
        if (client == NULL)
            return false;
        container->providers[container->provider_count++] = client;
    }
    container_session_init(container, &user->session, &settings->container, &settings->mailbox,
                           user->logons->workload.name, user->number);
    return true;
}

/* What a user's devices share is made with the first of them. */
static bool owner_init(struct logons *logons, struct profile_owner *owner, const struct user *user)
{
    const struct logons_settings *settings = logons->settings;
    if (settings->engine == ENGINE_CONTAINER) {
        const struct container_settings *container = &settings->container;
        struct sim_random slack;
        stream_init(&slack, user, "slack");
        container_init(&owner->profile, container, (enum container_mode)container->mode,
                       container_content_bytes(settings),
                       container->compaction_threshold * sim_random_uniform(&slack));
        container_init(&owner->office, container, (enum container_mode)container->office_mode,
                       mailbox_content_bytes(settings),
                       container->compaction_threshold * sim_random_uniform(&slack));
    }
    return logons->devices == 1 ||
           last_writer_init(&owner->writer, (size_t)profile_files(&settings->profile),
                            (size_t)settings->devices.registry_values, logons->devices,
                            logons->devices * (size_t)settings->sessions_per_user);
}

static bool user_init(struct logons *logons, struct user *user, uint32_t number, size_t device)
{
    struct world *world = logons->world;
    const struct logons_settings *settings = logons->settings;
    const struct host_group *group = world_hosts(world, settings->hosts);
    const size_t index = number * logons->devices + device;
    struct cpm_profile *profile = &user->session.files;
    user->logons = logons;
    user->number = number;
    user->sessions_left = (uint32_t)settings->sessions_per_user;
    profile->device = device;
    profile->session = device * (size_t)settings->sessions_per_user;
    stream_init(&user->arrival, user, "arrival");
    stream_init(&user->work, user, "work");
    stream_init(&user->mailbox, user, "mailbox");
    stream_init(&profile->round_trips, user, "round trips");
    stream_init(&user->registry, user, "registry");
    struct sim_random sizes;
    sim_random_init_named(&sizes, world->seed, world->replication, "%s/user %u/file sizes",
                          logons->workload.name, number);
    profile->size_seed = sim_random_u64(&sizes);
    profile->environment = &logons->environment;
    profile->host = &group->hosts[(number + device) % group->count];
    profile->number = device == 0 ? world->users++ : logons->users[index - device].session.files.number;
    profile->files = &logons->file_states[index * (size_t)profile_files(&settings->profile)];
    if (!stores_init(user))
        return false;
    if (logons->owners != NULL) {
        user->session.owner = &logons->owners[number];
        if (device == 0 && !owner_init(logons, user->session.owner, user))
            return false;
    }
    if (logons->devices > 1)
        profile->conflicts = &user->session.owner->writer;
    user_events_init(user);
    if (logons->containers != NULL) {
        user->session.container = &logons->containers[index];
        if (!container_part_init(user))
            return false;
    }
    if (device + 1 < logons->devices)
        user->next_device = user + 1;
    if (device == 0)
        sim_process_start_at(world->sim, &user->process,
                             arrival_time_ns(&settings->arrivals, number, settings->users,
                                             sim_random_uniform(&user->arrival)));
    return true;
}

double logons_run_effect_of(double cv, const char *workload, uint64_t seed, uint64_t replication)
{
    struct sim_random stream;
    sim_random_init_named(&stream, seed, replication, "%s/run effect", workload);
    const struct sim_lognormal law = sim_lognormal_from_mean_cv(1.0, cv);
    return sim_random_lognormal(&stream, &law);
}

static void environment_init(struct logons *logons)
{
    const struct cpm_settings *settings = &logons->settings->profile_management;
    const struct profile_settings *profile = &logons->settings->profile;
    struct cpm_environment *environment = &logons->environment;
    environment->settings = settings;
    environment->profile = profile;
    environment->sizes = file_size_law(profile);
    environment->run_effect = logons_run_effect_of(logons->settings->run_effect_cv, logons->workload.name,
                                                   logons->world->seed, logons->world->replication);
    environment->links_large_files = cpm_links_large_files(settings, profile);
    for (int part = 0; part < PART_COUNT; part++)
        environment->part_roams[part] = cpm_part_roams(settings, profile, (enum profile_part)part);
    environment->mailbox_changes = logons->settings->mailbox.io_per_s > 0.0;
    environment->rule = LATEST_CHANGE_WINS;
    if (logons->settings->engine == ENGINE_ROAMING) {
        /* Windows leaves AppData\\Local behind; it knows no links and no time but that of the copy. */
        environment->part_roams[PART_EXCLUDABLE] = false;
        environment->links_large_files = false;
        environment->rule = LATEST_SAVE_WINS;
    }
    if (logons->settings->engine == ENGINE_CONTAINER)
        environment->part_roams[PART_EXCLUDABLE] = true;
}

static void logons_destroy(struct workload *workload)
{
    struct logons *logons = (struct logons *)workload;
    for (size_t user = 0; logons->owners != NULL && user < (size_t)logons->settings->users; user++)
        last_writer_release(&logons->owners[user].writer);
    free(logons->owners);
    free(logons->containers);
    free(logons->outcomes);
    free(logons->users);
    free(logons->file_states);
    free(logons->records);
    free(logons);
}

static const struct logon_record *logons_records(struct workload *workload, size_t *count)
{
    struct logons *logons = (struct logons *)workload;
    const int64_t now_ns = sim_now_ns(logons->world->sim);
    for (size_t i = 0; i < logons->record_count; i++)
        if (!logons->records[i].finished)
            logons->records[i].load_ns = now_ns - logons->records[i].start_ns;
    *count = logons->record_count;
    return logons->records;
}

static void report_lost_updates(const struct logons *logons, struct metric_sink *sink)
{
    struct lost_updates lost = {0};
    const size_t sessions = logons->devices * (size_t)logons->settings->sessions_per_user;
    for (size_t user = 0; user < (size_t)logons->settings->users; user++) {
        const struct last_writer *writer = &logons->owners[user].writer;
        lost.files += writer->lost_files;
        lost.values += writer->lost_values;
        for (size_t session = 0; session < sessions; session++)
            lost.sessions += writer->lost[session];
    }
    lost_updates_report(&lost, sink);
}

static void logons_report(struct workload *workload, int64_t from_ns, int64_t to_ns, struct metric_sink *sink)
{
    const struct logons *logons = (const struct logons *)workload;
    size_t count = 0;
    const struct logon_record *records = logons_records(workload, &count);
    size_t first = 0;
    while (first < count && records[first].start_ns < from_ns)
        first++;
    size_t end = first;
    while (end < count && records[end].start_ns < to_ns)
        end++;
    const bool locks = logons->settings->engine == ENGINE_CONTAINER;
    logon_records_report(records + first, end - first, locks, sink);
    metric_report(sink, "mailboxes.refused", "", (double)logons->mailboxes_refused);
    if (locks) {
        session_outcomes_report(logons->outcomes + first, end - first, sink);
        session_outcomes_warn(logons->world, workload->name, logons->outcomes, count);
    }
    if (logons->devices > 1)
        report_lost_updates(logons, sink);
}

static bool logons_run_effect(const struct workload *workload, double *value, double *cv)
{
    const struct logons *logons = (const struct logons *)workload;
    *value = logons->environment.run_effect;
    *cv = logons->settings->run_effect_cv;
    return *cv > 0.0;
}

static int64_t logons_users(const struct workload *workload)
{
    return SIM_CONTAINER_OF(workload, struct logons, workload)->settings->users;
}

static const struct workload_operations logons_operations = {
    .report = logons_report,
    .destroy = logons_destroy,
    .logons = logons_records,
    .run_effect = logons_run_effect,
    .users = logons_users,
};

static bool rooms_init(struct logons *logons)
{
    const struct logons_settings *settings = logons->settings;
    const size_t users = (size_t)settings->users, everywhere = users * logons->devices;
    const bool contained = settings->engine == ENGINE_CONTAINER;
    logons->users = calloc(everywhere, sizeof *logons->users);
    logons->file_states = calloc(everywhere, (size_t)profile_files(&settings->profile) + 1);
    logons->records = calloc(everywhere * (size_t)settings->sessions_per_user, sizeof *logons->records);
    logons->outcomes = calloc(everywhere * (size_t)settings->sessions_per_user, sizeof *logons->outcomes);
    if (contained || logons->devices > 1)
        logons->owners = calloc(users, sizeof *logons->owners);
    if (contained)
        logons->containers = calloc(everywhere, sizeof *logons->containers);
    return logons->users != NULL && logons->file_states != NULL && logons->records != NULL &&
           logons->outcomes != NULL && (logons->owners != NULL || (!contained && logons->devices == 1)) &&
           (logons->containers != NULL || !contained);
}

/* Their room on the stores, by the mean of the law of file sizes. */
static void place_profiles(const struct logons *logons)
{
    const struct logons_settings *settings = logons->settings;
    const struct profile_settings *profile = &settings->profile;
    struct store *store = world_store(logons->world, settings->store);
    struct store *redirection =
        settings->redirection_store == NULL ? store : world_store(logons->world, settings->redirection_store);
    const double users = (double)settings->users;
    const double file_bytes = (double)profile->file_size_mean_bytes;
    const double redirected = users * (double)profile->parts[PART_REDIRECTED].files * file_bytes;
    if (settings->profile_management.folder_redirection)
        redirection->used_bytes += redirected;
    if (settings->engine == ENGINE_CONTAINER) {
        store->used_bytes += users * (double)container_content_bytes(settings);
        if (settings->container.office_container)
            store->used_bytes += users * (double)mailbox_content_bytes(settings);
    } else if (settings->engine != ENGINE_LOCAL) {
        for (int part = 0; part < PART_COUNT; part++)
            if (logons->environment.part_roams[part])
                store->used_bytes += users * (double)profile->parts[part].files * file_bytes;
        store->used_bytes += users * (double)(profile->registry_bytes + mailbox_content_bytes(settings));
    }
}

static struct workload *logons_create(struct world *world, const char *name, const void *settings_of)
{
    struct logons *logons = calloc(1, sizeof *logons);
    if (logons == NULL)
        return NULL;
    const struct logons_settings *settings = settings_of;
    workload_init(&logons->workload, world, &logons_operations, name);
    logons->world = world;
    logons->settings = settings;
    environment_init(logons);
    static const struct profile_engine *const engines[] = {
        [ENGINE_CPM] = &cpm_engine,
        [ENGINE_CONTAINER] = &container_engine,
        [ENGINE_ROAMING] = &roaming_engine,
        [ENGINE_LOCAL] = &local_engine,
    };
    logons->engine = engines[settings->engine];
    logons->devices = settings->devices.count < 1 ? 1 : (size_t)settings->devices.count;
    bool made = rooms_init(logons);
    for (uint32_t number = 0; made && number < (uint32_t)settings->users; number++)
        for (size_t device = 0; made && device < logons->devices; device++)
            made = user_init(logons, &logons->users[number * logons->devices + device], number, device);
    if (!made) {
        logons_destroy(&logons->workload);
        return NULL;
    }
    place_profiles(logons);
    return &logons->workload;
}

const struct workload_kind logons_kind = {
    .name = "logons",
    .help = "Users log on, work and log off, their profiles on a share",
    .parameters = &logons_parameters,
    .create = logons_create,
};
