#include "vdisim/logons.h"

#include "models/logons_report.h"
#include "models/world_state.h"
#include "vdisim/time.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>

/* Beyond the end of every run: what would happen then does not. */
#define PAUSE_LONGEST_NS (INT64_C(1) << 60)

struct logons;

struct user {
    /* The mailbox comes first: it makes most of the requests. */
    struct sim_event mailbox_due;
    struct logons *logons;
    uint32_t number;
    uint32_t sessions_left;
    bool mailbox_open; /* in use on its store */
    bool mailbox_in_flight;
    struct sim_random mailbox;
    struct cpm_profile profile;

    struct sim_process process;
    struct sim_random arrival, work;

    struct sim_event write_back_due;
    struct sim_process write_back;
    struct smb_caller write_back_caller;
};

struct logons {
    struct workload workload;
    struct world *world;
    const struct logons_settings *settings;
    struct cpm_environment environment;
    struct user *users;
    uint8_t *file_states; /* of all users */
    struct logon_record *records;
    size_t record_count;
};

static struct sim *sim_of(const struct user *user)
{
    return user->logons->world->sim;
}

/* --- The mailbox: one request after the other, exponential pauses between them. --- */

static void mailbox_wait(struct user *user)
{
    const double rate = user->logons->settings->mailbox.io_per_s;
    if (rate <= 0.0)
        return;
    const double pause_ns = 1e9 * sim_random_exponential(&user->mailbox) / rate;
    if (pause_ns < (double)PAUSE_LONGEST_NS)
        sim_schedule_after(sim_of(user), &user->mailbox_due, (int64_t)pause_ns);
}

static void mailbox_answered(struct request *request)
{
    struct user *user = request->owner;
    smb_request_free(request->carrier, request);
    user->mailbox_in_flight = false;
    if (user->mailbox_open)
        mailbox_wait(user);
    else
        sim_process_resume(&user->process); /* mailbox_stop() waits for it */
}

static void mailbox_io(struct sim *sim, struct sim_event *event)
{
    (void)sim;
    struct user *user = SIM_CONTAINER_OF(event, struct user, mailbox_due);
    const struct mailbox_settings *settings = &user->logons->settings->mailbox;
    const bool reads = sim_random_chance(&user->mailbox, settings->read_share);
    user->mailbox_in_flight = true;
    smb_send(user->profile.user_store, reads ? OPERATION_READ : OPERATION_WRITE, &user->profile.large_file,
             reads ? 0 : settings->io_size_bytes, reads ? settings->io_size_bytes : 0, mailbox_answered,
             user);
}

static void mailbox_start(struct user *user)
{
    if (user->logons->settings->profile.large_files == 0)
        return;
    if (!user->logons->environment.links_large_files) {
        cpm_open_large_file(&user->profile);
        user->profile.large_file_changed = user->logons->settings->mailbox.io_per_s > 0.0;
        return; /* it is on the host's own disk */
    }
    smb_caller_use(&user->profile.caller, user->profile.user_store);
    if (smb_open(&user->profile.caller, &user->profile.large_file) != REQUEST_OK)
        return;
    user->mailbox_open = true;
    mailbox_wait(user);
}

static void mailbox_stop(struct user *user)
{
    if (!user->mailbox_open)
        return;
    user->mailbox_open = false;
    sim_cancel(sim_of(user), &user->mailbox_due);
    if (user->mailbox_in_flight)
        sim_suspend(&user->process, SIM_NEVER_NS);
    smb_caller_use(&user->profile.caller, user->profile.user_store);
    smb_close(&user->profile.caller, &user->profile.large_file);
}

/* --- Active write-back: every few minutes, by a process that lives while it writes. --- */

static void write_back_lives(struct sim_process *self)
{
    struct user *user = SIM_CONTAINER_OF(self, struct user, write_back);
    user->profile.registry_changed = true;
    cpm_write_back(&user->profile, &user->write_back_caller);
}

static void write_back_tick(struct sim *sim, struct sim_event *event)
{
    struct user *user = SIM_CONTAINER_OF(event, struct user, write_back_due);
    const struct cpm_settings *settings = &user->logons->settings->profile_management;
    if (!sim_process_alive(&user->write_back)) {
        sim_process_init(&user->write_back, "write-back", write_back_lives);
        smb_caller_init(&user->write_back_caller, &user->write_back, user->profile.user_store);
        sim_process_start_after(sim, &user->write_back, 0);
    }
    sim_schedule_after(sim, event, settings->write_back_interval_ns);
}

static void write_back_start(struct user *user)
{
    const struct cpm_settings *settings = &user->logons->settings->profile_management;
    if (settings->active_write_back)
        sim_schedule_after(sim_of(user), &user->write_back_due, settings->write_back_interval_ns);
}

static void write_back_stop(struct user *user)
{
    sim_cancel(sim_of(user), &user->write_back_due);
    if (sim_process_alive(&user->write_back))
        sim_process_join(&user->process, &user->write_back, SIM_NEVER_NS);
}

/* --- A session. --- */

static void change_a_file(struct user *user)
{
    const struct logons_settings *settings = user->logons->settings;
    const struct profile_settings *profile = &settings->profile;
    const int64_t local = profile->parts[PART_PROFILE].files;
    const bool redirected = sim_random_chance(&user->work, settings->updates.redirected_share);
    const int64_t files = redirected ? profile->parts[PART_REDIRECTED].files : local;
    const int64_t file = (redirected ? local : 0) + (int64_t)sim_random_below(&user->work, (uint64_t)files);
    if (redirected && settings->profile_management.folder_redirection)
        cpm_change_redirected_file(&user->profile, file, settings->updates.rewritten_share);
    else
        cpm_change_local_file(&user->profile, file);
}

static void work(struct user *user)
{
    const struct logons_settings *settings = user->logons->settings;
    const int64_t end_ns = sim_now_ns(sim_of(user)) + settings->session_length_ns;
    const double files_per_s = settings->updates.files_per_s / (double)settings->users;
    while (files_per_s > 0.0) {
        const double pause_ns = 1e9 * sim_random_exponential(&user->work) / files_per_s;
        const int64_t left_ns = end_ns - sim_now_ns(sim_of(user));
        if (left_ns <= 0 || pause_ns >= (double)left_ns)
            break;
        sim_hold(&user->process, (int64_t)pause_ns);
        change_a_file(user);
    }
    const int64_t left_ns = end_ns - sim_now_ns(sim_of(user));
    if (left_ns > 0)
        sim_hold(&user->process, left_ns);
}

static void log_on(struct user *user)
{
    struct logons *logons = user->logons;
    struct logon_record *record = &logons->records[logons->record_count++];
    *record = (struct logon_record){
        .user = user->number, .host = user->profile.host->number, .start_ns = sim_now_ns(sim_of(user))};
    cpm_logon(&user->profile, record);
    record->load_ns = sim_now_ns(sim_of(user)) - record->start_ns;
    record->finished = true;
    int64_t sum_ns = 0;
    for (int phase = 0; phase < PHASE_COUNT; phase++)
        for (int cause = 0; cause < CAUSE_COUNT; cause++)
            sum_ns += record->phase_cause_ns[phase][cause];
    assert(sum_ns == record->load_ns);
}

static void user_lives(struct sim_process *self)
{
    struct user *user = SIM_CONTAINER_OF(self, struct user, process);
    const struct logons_settings *settings = user->logons->settings;
    while (user->sessions_left-- > 0) {
        log_on(user);
        mailbox_start(user);
        write_back_start(user);
        work(user);
        mailbox_stop(user);
        write_back_stop(user);
        cpm_logoff(&user->profile);
        sim_hold(self, settings->time_between_sessions_ns);
    }
}

/* --- The workload. --- */

static bool user_init(struct logons *logons, struct user *user, uint32_t number, struct host *host)
{
    struct world *world = logons->world;
    const struct logons_settings *settings = logons->settings;
    const char *name = logons->workload.name;
    user->logons = logons;
    user->number = number;
    user->sessions_left = (uint32_t)settings->sessions_per_user;
    sim_random_init_named(&user->arrival, world->seed, world->replication, "%s/user %u/arrival", name,
                          number);
    sim_random_init_named(&user->work, world->seed, world->replication, "%s/user %u/work", name, number);
    sim_random_init_named(&user->mailbox, world->seed, world->replication, "%s/user %u/mailbox", name,
                          number);
    struct cpm_profile *profile = &user->profile;
    sim_random_init_named(&profile->round_trips, world->seed, world->replication, "%s/user %u/round trips",
                          name, number);
    struct sim_random sizes;
    sim_random_init_named(&sizes, world->seed, world->replication, "%s/user %u/file sizes", name, number);
    profile->size_seed = sim_random_u64(&sizes);
    profile->environment = &logons->environment;
    profile->host = host;
    profile->number = world->users++;
    profile->files = &logons->file_states[number * (size_t)profile_files(&settings->profile)];
    profile->user_store = host_client(host, world_store(world, settings->store));
    profile->redirection = settings->redirection_store == NULL
                               ? profile->user_store
                               : host_client(host, world_store(world, settings->redirection_store));
    if (profile->user_store == NULL || profile->redirection == NULL)
        return false;
    sim_event_init(&user->write_back_due, write_back_tick, SIM_EVENT_LABEL('u', 'w', 'b', 'k'));
    sim_event_init(&user->mailbox_due, mailbox_io, SIM_EVENT_LABEL('u', 'm', 'b', 'x'));
    sim_process_init(&user->write_back, "write-back", write_back_lives);
    sim_process_init(&user->process, "user", user_lives);
    smb_caller_init(&profile->caller, &user->process, profile->user_store);
    sim_process_start_at(
        world->sim, &user->process,
        arrival_time_ns(&settings->arrivals, number, settings->users, sim_random_uniform(&user->arrival)));
    return true;
}

static double draw_run_effect(const struct logons *logons)
{
    struct sim_random stream;
    sim_random_init_named(&stream, logons->world->seed, logons->world->replication, "%s/run effect",
                          logons->workload.name);
    const struct sim_lognormal law = sim_lognormal_from_mean_cv(1.0, logons->settings->run_effect_cv);
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
    environment->run_effect = draw_run_effect(logons);
    environment->links_large_files = cpm_links_large_files(settings, profile);
    for (int part = 0; part < PART_COUNT; part++)
        environment->part_roams[part] = cpm_part_roams(settings, profile, (enum profile_part)part);
}

static void logons_destroy(struct workload *workload)
{
    struct logons *logons = (struct logons *)workload;
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

static void logons_report(struct workload *workload, int64_t from_ns, int64_t to_ns, struct metric_sink *sink)
{
    size_t count = 0;
    const struct logon_record *records = logons_records(workload, &count);
    size_t first = 0;
    while (first < count && records[first].start_ns < from_ns)
        first++;
    size_t end = first;
    while (end < count && records[end].start_ns < to_ns)
        end++;
    logon_records_report(records + first, end - first, false, sink);
}

static bool logons_run_effect(const struct workload *workload, double *value, double *cv)
{
    const struct logons *logons = (const struct logons *)workload;
    *value = logons->environment.run_effect;
    *cv = logons->settings->run_effect_cv;
    return *cv > 0.0;
}

static const struct workload_operations logons_operations = {
    .report = logons_report,
    .destroy = logons_destroy,
    .logons = logons_records,
    .run_effect = logons_run_effect,
};

static struct workload *logons_create(struct world *world, const char *name, const void *settings_of)
{
    struct logons *logons = calloc(1, sizeof *logons);
    if (logons == NULL)
        return NULL;
    const struct logons_settings *settings = settings_of;
    logons->workload = (struct workload){&logons_operations, name};
    logons->world = world;
    logons->settings = settings;
    environment_init(logons);
    const size_t users = (size_t)settings->users;
    logons->users = calloc(users, sizeof *logons->users);
    logons->file_states = calloc(users, (size_t)profile_files(&settings->profile) + 1);
    logons->records = calloc(users * (size_t)settings->sessions_per_user, sizeof *logons->records);
    bool made = logons->users != NULL && logons->file_states != NULL && logons->records != NULL;
    struct host_group *group = world_hosts(world, settings->hosts);
    for (uint32_t number = 0; made && number < users; number++)
        made = user_init(logons, &logons->users[number], number, &group->hosts[number % group->count]);
    if (!made) {
        logons_destroy(&logons->workload);
        return NULL;
    }
    return &logons->workload;
}

const struct workload_kind logons_kind = {
    .name = "logons",
    .help = "Users log on, work and log off, their profiles on a share",
    .parameters = &logons_parameters,
    .create = logons_create,
};
