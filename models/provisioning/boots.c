#include "vdisim/boots.h"

#include "models/provisioning/boot_picture.h"
#include "models/provisioning/boot_schedule.h"
#include "models/provisioning/boots_report.h"
#include "models/provisioning/pvs_server.h"
#include "models/smb/lease_gate.h"
#include "models/world/world_state.h"
#include "vdisim/random.h"
#include "vdisim/time.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>

/* Beyond the end of every run: what would happen then does not. */
#define PAUSE_LONGEST_NS (INT64_C(1) << 60)

struct boots;

enum target_state {
    TARGET_OFF,
    TARGET_BOOTING,
    TARGET_BOOTED,
};

struct target {
    struct sim_event next_step; /* its next read arrives at the server, or its boot has ended */
    struct pvs_read read;
    struct boots *boots;
    struct pvs_server *server;
    struct boot_record *record;
    enum target_state state;
    bool reading;   /* a read is with the server */
    bool abandoned; /* and nobody waits for it any more */
    bool ended;     /* all of the boot is read */
    int64_t answered_ns;
    struct sim_random random;
    struct boot_course course;
};

struct boots {
    struct workload workload; /* first */
    struct world *world;
    const struct boots_settings *settings;
    struct store *store;
    struct store_file vdisk;
    struct lease_gate leases;
    struct boot_picture picture;
    struct boot_schedule schedule;
    size_t next_event;
    struct sim_event due;
    struct pvs_server *servers;
    size_t server_count;
    struct target *targets;
    struct boot_record *records;
    size_t record_count;
    double think_ns; /* mean */
    double target_ns_per_byte;
};

/* --- A target. --- */

static int64_t pause_ns(struct target *target, double mean_ns)
{
    return (int64_t)fmin(mean_ns * sim_random_exponential(&target->random), (double)PAUSE_LONGEST_NS);
}

/* After an answer, or at the beginning: when its next read arrives at the server. */
static void target_reads_on(struct target *target, int64_t from_ns)
{
    struct boots *boots = target->boots;
    const double idle_reads_per_s = boots->settings->vdisk.idle_reads_per_s;
    const int64_t one_way_ns = boots->settings->pvs.round_trip_ns / 2;
    if (target->state == TARGET_BOOTED && idle_reads_per_s <= 0.0)
        return;
    const double mean_ns = target->state == TARGET_BOOTED ? 1e9 / idle_reads_per_s : boots->think_ns;
    const int64_t think_ns = pause_ns(target, mean_ns);
    if (target->state == TARGET_BOOTING) {
        target->record->part_ns[BOOT_TARGET] += think_ns;
        target->record->part_ns[BOOT_STREAM] += one_way_ns;
    }
    sim_schedule_at(boots->world->sim, &target->next_step, from_ns + think_ns + one_way_ns);
}

static void account_read(struct target *target, int64_t answered_ns)
{
    struct boot_record *record = target->record;
    const struct pvs_read *read = &target->read;
    record->reads++;
    record->missed += read->missed;
    record->read_bytes += read->read.bytes;
    record->part_ns[BOOT_STREAM_LINE] += read->started_ns - read->arrived_ns;
    record->part_ns[BOOT_STORE] += read->fetched_ns - read->started_ns;
    record->part_ns[BOOT_STREAM] += answered_ns - read->fetched_ns;
}

static void target_begins(struct target *target)
{
    const struct boots *boots = target->boots;
    const int64_t now_ns = sim_now_ns(boots->world->sim);
    target->record->part_ns[BOOT_STORE] += now_ns - target->record->start_ns; /* for the last read before */
    target->ended = false;
    boot_course_begin(&target->course, &boots->picture, boots->settings->vdisk.reorder);
    target_reads_on(target, now_ns);
}

static void target_answered(struct pvs_read *read)
{
    struct target *target = SIM_CONTAINER_OF(read, struct target, read);
    struct boots *boots = target->boots;
    const struct pvs_settings *pvs = &boots->settings->pvs;
    target->reading = false;
    if (target->abandoned) {
        target->abandoned = false;
        if (target->state == TARGET_BOOTING)
            target_begins(target);
        return;
    }
    const double receive_ns = (double)pvs_wire_bytes(pvs, read->read.bytes) * boots->target_ns_per_byte;
    const int64_t answered_ns = read->sent_ns + pvs->round_trip_ns / 2 + (int64_t)receive_ns;
    if (target->state == TARGET_BOOTING) {
        account_read(target, answered_ns);
        target->ended = target->course.in_window == 0;
    }
    if (target->ended)
        sim_schedule_at(boots->world->sim, &target->next_step, answered_ns);
    else
        target_reads_on(target, answered_ns);
}

static void target_booted(struct target *target)
{
    struct boot_record *record = target->record;
    record->end_ns = sim_now_ns(target->boots->world->sim);
    record->finished = true;
    int64_t sum_ns = 0;
    for (int part = 0; part < BOOT_PART_COUNT; part++)
        sum_ns += record->part_ns[part];
    assert(sum_ns == record->end_ns - record->start_ns);
    target->state = TARGET_BOOTED;
    target->ended = false;
    target_reads_on(target, record->end_ns);
}

static void target_steps(struct sim *sim, struct sim_event *event)
{
    (void)sim;
    struct target *target = SIM_CONTAINER_OF(event, struct target, next_step);
    const struct boot_picture *picture = &target->boots->picture;
    if (target->ended) {
        target_booted(target);
        return;
    }
    struct boot_piece piece;
    if (target->state == TARGET_BOOTED)
        piece = picture->pieces[sim_random_below(&target->random, picture->count)];
    else
        boot_course_next(&target->course, picture, &target->random, &piece);
    if (sim_random_chance(&target->random, target->boots->settings->vdisk.elsewhere))
        piece = boot_piece_anywhere(picture, &target->random);
    target->read.read.offset_bytes = (int64_t)piece.page * REQUEST_PAGE_BYTES;
    target->read.read.bytes = (int64_t)piece.pages * REQUEST_PAGE_BYTES;
    target->reading = true;
    pvs_server_read(target->server, &target->read);
}

/* --- The schedule. --- */

static struct pvs_server *least_loaded(struct boots *boots)
{
    struct pvs_server *least = &boots->servers[0];
    for (size_t i = 1; i < boots->server_count; i++)
        if (boots->servers[i].targets < least->targets)
            least = &boots->servers[i];
    return least;
}

static void shut_down(struct target *target)
{
    assert(target->state != TARGET_OFF);
    sim_cancel(target->boots->world->sim, &target->next_step);
    target->abandoned = target->reading;
    target->state = TARGET_OFF;
    pvs_server_disconnect(target->server);
}

static void boot(struct target *target)
{
    struct boots *boots = target->boots;
    assert(target->state == TARGET_OFF);
    target->server = least_loaded(boots);
    pvs_server_connect(target->server);
    target->record = &boots->records[boots->record_count++];
    target->record->start_ns = sim_now_ns(boots->world->sim);
    target->state = TARGET_BOOTING;
    if (!target->reading)
        target_begins(target);
}

static void wait_for_event(struct boots *boots)
{
    if (boots->next_event < boots->schedule.count)
        sim_schedule_at(boots->world->sim, &boots->due, boots->schedule.events[boots->next_event].at_ns);
}

static void schedule_acts(struct sim *sim, struct sim_event *event)
{
    (void)sim;
    struct boots *boots = SIM_CONTAINER_OF(event, struct boots, due);
    const struct boot_event *act = &boots->schedule.events[boots->next_event++];
    struct target *target = &boots->targets[act->target];
    if (act->action != ACTION_BOOT)
        shut_down(target);
    if (act->action != ACTION_SHUT_DOWN)
        boot(target);
    wait_for_event(boots);
}

/* --- The workload. --- */

static void boots_report(struct workload *workload, int64_t from_ns, int64_t to_ns, struct metric_sink *sink)
{
    const struct boots *boots = (const struct boots *)workload;
    size_t first = 0;
    while (first < boots->record_count && boots->records[first].start_ns < from_ns)
        first++;
    size_t end = first;
    while (end < boots->record_count && boots->records[end].start_ns < to_ns)
        end++;
    boot_records_report(boots->records + first, end - first, sink);
    bytes_sent_report(boots->store, from_ns, to_ns, sink);
}

static void boots_destroy(struct workload *workload)
{
    struct boots *boots = (struct boots *)workload;
    for (size_t i = 0; boots->servers != NULL && i < boots->server_count; i++)
        pvs_server_release(&boots->servers[i]);
    boot_picture_release(&boots->picture);
    boot_schedule_release(&boots->schedule);
    free(boots->servers);
    free(boots->targets);
    free(boots->records);
    free(boots);
}

static const struct workload_operations boots_operations = {.report = boots_report, .destroy = boots_destroy};

static bool servers_init(struct boots *boots, struct host_group *group, struct host_group *others)
{
    const size_t count = group->count + (others == NULL ? 0 : others->count);
    boots->servers = calloc(count, sizeof *boots->servers);
    if (boots->servers == NULL)
        return false;
    for (size_t i = 0; i < count; i++) {
        struct host *host = i < group->count ? &group->hosts[i] : &others->hosts[i - group->count];
        boots->server_count++;
        if (!pvs_server_init(&boots->servers[i], host, &boots->settings->pvs, host_client(host, boots->store),
                             boots->workload.number, &boots->vdisk, &boots->settings->vdisk))
            return false;
    }
    return true;
}

static bool targets_init(struct boots *boots)
{
    const struct world *world = boots->world;
    const size_t count = (size_t)boots->settings->targets;
    boots->targets = calloc(count, sizeof *boots->targets);
    boots->records = calloc(boots->schedule.boots + 1, sizeof *boots->records);
    if (boots->targets == NULL || boots->records == NULL)
        return false;
    for (size_t i = 0; i < count; i++) {
        struct target *target = &boots->targets[i];
        target->boots = boots;
        target->read.sent = target_answered;
        sim_event_init(&target->next_step, target_steps, SIM_EVENT_LABEL('p', 'v', 's', 't'));
        sim_random_init_named(&target->random, world->seed, world->replication, "%s/target %zu",
                              boots->workload.name, i);
    }
    return true;
}

static bool boots_init(struct boots *boots)
{
    struct world *world = boots->world;
    const struct boots_settings *settings = boots->settings;
    struct parameter_problem none; /* boots_settings.c has checked the schedule */
    struct sim_random picture;
    sim_random_init_named(&picture, world->seed, world->replication, "%s/vdisk", boots->workload.name);
    if (boot_schedule_make(&boots->schedule, &settings->schedule, settings->targets, &none) !=
            BOOT_SCHEDULE_OK ||
        !boot_picture_init(&boots->picture, &settings->vdisk, &picture))
        return false;
    boots->think_ns = (double)settings->vdisk.boot_duration_ns / (double)boots->picture.count;
    boots->target_ns_per_byte = sim_ns_per_unit(settings->pvs.target_bytes_per_s);
    lease_gate_init(&boots->leases, world->sim, &boots->vdisk);
    sim_event_init(&boots->due, schedule_acts, SIM_EVENT_LABEL('p', 'v', 's', 'c'));
    struct host_group *others = world_hosts(world, settings->other_hosts);
    return servers_init(boots, world_hosts(world, settings->hosts), others) && targets_init(boots);
}

static struct workload *boots_create(struct world *world, const char *name, const void *settings)
{
    struct boots *boots = calloc(1, sizeof *boots);
    if (boots == NULL)
        return NULL;
    workload_init(&boots->workload, world, &boots_operations, name);
    boots->world = world;
    boots->settings = settings;
    boots->store = world_store(world, boots->settings->store);
    if (!boots_init(boots)) {
        boots_destroy(&boots->workload);
        return NULL;
    }
    wait_for_event(boots);
    return &boots->workload;
}

const struct workload_kind boots_kind = {
    .name = "boots",
    .help = "Targets boot from a vDisk that PVS servers stream from a store",
    .parameters = &boots_parameters,
    .create = boots_create,
    .check = boots_fit,
};
