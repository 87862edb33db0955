#include "models/logons/logons_user.h"

#include "models/world/world_state.h"

#include <assert.h>

/* Beyond the end of every run: what would happen then does not. */
#define PAUSE_LONGEST_NS (INT64_C(1) << 60)

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
    smb_send(user->session.files.user_store, user->logons->workload.number,
             reads ? OPERATION_READ : OPERATION_WRITE, &user->session.files.large_file,
             reads ? 0 : settings->io_size_bytes, reads ? settings->io_size_bytes : 0, mailbox_answered,
             user);
}

static void mailbox_start(struct user *user)
{
    struct cpm_profile *profile = &user->session.files;
    if (user->logons->settings->profile.large_files == 0 ||
        !user->logons->engine->open_mailbox(&user->session))
        return;
    smb_caller_use(&profile->caller, profile->user_store);
    if (smb_open(&profile->caller, &profile->large_file) != REQUEST_OK) {
        user->logons->mailboxes_refused++;
        return;
    }
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
    smb_caller_use(&user->session.files.caller, user->session.files.user_store);
    smb_close(&user->session.files.caller, &user->session.files.large_file);
}

/* --- The registry, where several sessions change it. --- */

static void registry_wait(struct user *user)
{
    const double rate = user->logons->settings->devices.registry_changes_per_s;
    const double pause_ns = 1e9 * sim_random_exponential(&user->registry) / rate;
    user->registry_change_ns += pause_ns < (double)PAUSE_LONGEST_NS ? (int64_t)pause_ns : PAUSE_LONGEST_NS;
}

static void registry_begin(struct user *user)
{
    user->registry_change_ns = sim_now_ns(sim_of(user));
    if (user->logons->settings->devices.registry_changes_per_s > 0.0)
        registry_wait(user);
    else
        user->registry_change_ns = INT64_MAX;
}

/* Changes of single values cost nothing until they are saved: they are made up for then. */
static void registry_catch_up(struct user *user)
{
    struct last_writer *conflicts = user->session.files.conflicts;
    if (conflicts == NULL || conflicts->items == conflicts->files)
        return;
    while (user->registry_change_ns <= sim_now_ns(sim_of(user))) {
        const size_t value =
            (size_t)sim_random_below(&user->registry, (uint64_t)(conflicts->items - conflicts->files));
        last_writer_change(conflicts, user->session.files.device, conflicts->files + value,
                           user->registry_change_ns);
        registry_wait(user);
    }
}

/* --- Active write-back: every few minutes, by a process that lives while it writes. --- */

static void write_back_lives(struct sim_process *self)
{
    struct user *user = SIM_CONTAINER_OF(self, struct user, write_back);
    user->session.files.registry_changed = true;
    registry_catch_up(user);
    user->logons->engine->write_back(&user->session, &user->write_back_caller);
}

static void write_back_tick(struct sim *sim, struct sim_event *event)
{
    struct user *user = SIM_CONTAINER_OF(event, struct user, write_back_due);
    const struct cpm_settings *settings = &user->logons->settings->profile_management;
    if (!sim_process_alive(&user->write_back)) {
        sim_process_init(&user->write_back, "write-back", write_back_lives);
        smb_caller_init(&user->write_back_caller, &user->write_back, user->session.files.user_store,
                        user->logons->workload.number);
        sim_process_start_after(sim, &user->write_back, 0);
    }
    sim_schedule_after(sim, event, settings->write_back_interval_ns);
}

static void write_back_start(struct user *user)
{
    const struct cpm_settings *settings = &user->logons->settings->profile_management;
    if (settings->active_write_back && user->logons->engine->write_back != NULL)
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
        cpm_change_redirected_file(&user->session.files, file, settings->updates.rewritten_share);
    else
        user->logons->engine->change_file(&user->session, file);
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

/* The user turns to his next device, too. */
static void begin_next_device(struct user *user, enum device_after after)
{
    const struct device_settings *devices = &user->logons->settings->devices;
    if (user->next_device == NULL || (int)after != devices->after ||
        user->next_device->process.state != SIM_PROCESS_IDLE || user->next_device->sessions_left == 0)
        return;
    sim_process_start_after(sim_of(user), &user->next_device->process, devices->after_ns);
}

static void log_on(struct user *user)
{
    struct logons *logons = user->logons;
    struct cpm_profile *profile = &user->session.files;
    user->session.outcome = &logons->outcomes[logons->record_count];
    struct logon_record *record = &logons->records[logons->record_count++];
    *record = (struct logon_record){
        .user = user->number, .host = profile->host->number, .start_ns = sim_now_ns(sim_of(user))};
    registry_begin(user);
    logons->engine->log_on(&user->session, record);
    record->load_ns = sim_now_ns(sim_of(user)) - record->start_ns;
    record->finished = true;
    int64_t sum_ns = 0;
    for (int phase = 0; phase < PHASE_COUNT; phase++)
        for (int cause = 0; cause < CAUSE_COUNT; cause++)
            sum_ns += record->phase_cause_ns[phase][cause];
    assert(sum_ns == record->load_ns);
}

static void log_off(struct user *user)
{
    struct session_outcome *outcome = user->session.outcome;
    outcome->logoff_began_ns = sim_now_ns(sim_of(user));
    mailbox_stop(user);
    write_back_stop(user);
    registry_catch_up(user);
    user->logons->engine->log_off(&user->session);
    if (outcome->signed_out_ns == 0)
        outcome->signed_out_ns = sim_now_ns(sim_of(user));
    user->session.files.session++;
}

void user_lives(struct sim_process *self)
{
    struct user *user = SIM_CONTAINER_OF(self, struct user, process);
    const struct logons_settings *settings = user->logons->settings;
    while (user->sessions_left-- > 0) {
        begin_next_device(user, AFTER_LOGON);
        log_on(user);
        mailbox_start(user);
        write_back_start(user);
        work(user);
        begin_next_device(user, AFTER_LOGOFF);
        log_off(user);
        sim_hold(self, settings->time_between_sessions_ns);
    }
}

void user_events_init(struct user *user)
{
    sim_event_init(&user->write_back_due, write_back_tick, SIM_EVENT_LABEL('u', 'w', 'b', 'k'));
    sim_event_init(&user->mailbox_due, mailbox_io, SIM_EVENT_LABEL('u', 'm', 'b', 'x'));
    sim_process_init(&user->write_back, "write-back", write_back_lives);
    sim_process_init(&user->process, "user", user_lives);
    smb_caller_init(&user->session.files.caller, &user->process, user->session.files.user_store,
                    user->logons->workload.number);
}
