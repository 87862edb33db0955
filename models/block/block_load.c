/* A load of small I/O on a block store, as IOMeter makes it: each guest keeps a number of requests outstanding, and
 * sends the next when one is answered. A request goes to a random place of the guest's part of the volume, or on behind
 * the guest's last one. It belongs to the measured part in which it is answered, as at the store: a request is short, and
 * a rate is of what was done. */
#include "models/store/io_record.h"
#include "models/world/world_state.h"
#include "vdisim/block.h"
#include "vdisim/guest_disk.h"
#include "vdisim/random.h"
#include "vdisim/time.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

struct block_load_pattern {
    int64_t io_size_bytes;
    double write_share, random_share;
};

struct block_load_settings {
    const char *store;
    struct guest_disk_settings guest;
    struct block_load_pattern pattern;
    int64_t guests, outstanding;
    int64_t start_ns, duration_ns;
};

struct load_guest {
    struct guest_disk disk;
    struct block_load *load;
    struct sim_event start;
    struct sim_random choices;
    uint32_t first_page, pages, next_page; /* its part of the volume */
    int64_t processor_noted_ns;
};

struct block_load {
    struct workload workload;
    struct world *world;
    const struct block_load_settings *settings;
    int64_t end_ns;
    struct io_record record;
    struct load_guest *guests;
    size_t guest_count;
};

static void answered(struct request *request);

static void send_next(struct load_guest *guest)
{
    const struct block_load_pattern *pattern = &guest->load->settings->pattern;
    const uint32_t pages = (uint32_t)((pattern->io_size_bytes + REQUEST_PAGE_BYTES - 1) / REQUEST_PAGE_BYTES);
    const uint32_t places = guest->pages / pages;
    const bool writes = sim_random_chance(&guest->choices, pattern->write_share);
    if (sim_random_chance(&guest->choices, pattern->random_share) || guest->next_page + pages > guest->pages)
        guest->next_page = (uint32_t)sim_random_below(&guest->choices, places) * pages;
    const uint32_t page = guest->first_page + guest->next_page;
    guest->next_page += pages;
    guest_disk_send(&guest->disk, writes ? OPERATION_WRITE : OPERATION_READ, page, pattern->io_size_bytes,
                    answered, guest);
}

static void note_processor(struct load_guest *guest, int64_t now_ns)
{
    struct io_interval *interval = io_record_at(&guest->load->record, now_ns);
    if (interval != NULL)
        interval->processor_ns += guest->disk.processor_ns - guest->processor_noted_ns;
    guest->processor_noted_ns = guest->disk.processor_ns;
}

static void answered(struct request *request)
{
    struct load_guest *guest = request->owner;
    struct block_load *load = guest->load;
    const int64_t now_ns = request->done_ns;
    if (!io_record_add(&load->record, now_ns, now_ns - request->issued_ns,
                       request->operation == OPERATION_WRITE, load->settings->pattern.io_size_bytes))
        sim_out_of_memory(load->world->sim);
    note_processor(guest, now_ns);
    guest_disk_free(request);
    if (now_ns < load->end_ns)
        send_next(guest);
}

static void guest_starts(struct sim *sim, struct sim_event *event)
{
    (void)sim;
    struct load_guest *guest = SIM_CONTAINER_OF(event, struct load_guest, start);
    for (int64_t i = 0; i < guest->load->settings->outstanding; i++)
        send_next(guest);
}

static void block_load_report(struct workload *workload, int64_t from_ns, int64_t to_ns,
                              struct metric_sink *sink)
{
    const struct block_load *load = (const struct block_load *)workload;
    const int64_t now_ns = sim_now_ns(load->world->sim);
    struct io_sum sum;
    io_record_sum(&load->record, from_ns, to_ns, load->settings->start_ns,
                  now_ns < load->end_ns ? now_ns : load->end_ns, &sum);
    const double ios = (double)(sum.all.reads + sum.all.writes);
    const double some = ios > 0.0 ? ios : NAN, seconds = sum.seconds > 0.0 ? sum.seconds : NAN;
    const double mib = 1048576.0;
    metric_report(sink, "throughput.mean", "MiB/s",
                  (double)(sum.all.read_bytes + sum.all.written_bytes) / seconds / mib);
    metric_report(sink, "throughput.read", "MiB/s", (double)sum.all.read_bytes / seconds / mib);
    metric_report(sink, "throughput.write", "MiB/s", (double)sum.all.written_bytes / seconds / mib);
    metric_report(sink, "io_latency.mean", "ms", sum.all.latency_sum_ns / some * 1e-6);
    metric_report(sink, "io_latency.p95", "ms", io_sum_quantile_ns(&sum, 0.95) * 1e-6);
    metric_report(sink, "io_latency.max", "ms", ios > 0.0 ? sum.all.latency_max_ns * 1e-6 : NAN);
    metric_report(sink, "cpu.fraction", "",
                  (double)sum.all.processor_ns * 1e-9 / seconds / (double)load->guest_count);
    metric_report(sink, "cpu.per_io", "us", (double)sum.all.processor_ns / some * 1e-3);
}

static void block_load_destroy(struct workload *workload)
{
    struct block_load *load = (struct block_load *)workload;
    for (size_t i = 0; i < load->guest_count; i++)
        guest_disk_release(&load->guests[i].disk);
    free(load->guests);
    io_record_release(&load->record);
    free(load);
}

static const struct workload_operations block_load_operations = {.report = block_load_report,
                                                                 .destroy = block_load_destroy};

/* Guests share the volume evenly; a store that is no volume is shared as one of 1 TiB. */
static void guest_init(struct block_load *load, struct store *store, uint32_t number)
{
    struct world *world = load->world;
    struct load_guest *guest = &load->guests[number];
    const uint32_t volume_pages = block_store_pages(store) > 0 ? block_store_pages(store) : UINT32_C(1) << 28;
    guest->load = load;
    guest->pages = volume_pages / (uint32_t)load->settings->guests;
    guest->first_page = number * guest->pages;
    guest_disk_init(&guest->disk, world->sim, &load->settings->guest, store, load->workload.number);
    sim_random_init_named(&guest->choices, world->seed, world->replication, "%s/guest %u/choices",
                          load->workload.name, number);
    sim_event_init(&guest->start, guest_starts, SIM_EVENT_LABEL('b', 'l', 'd', 's'));
    sim_schedule_at(world->sim, &guest->start, load->settings->start_ns);
}

static struct workload *block_load_create(struct world *world, const char *name, const void *settings_of)
{
    const struct block_load_settings *settings = settings_of;
    struct block_load *load = calloc(1, sizeof *load);
    if (load == NULL)
        return NULL;
    workload_init(&load->workload, world, &block_load_operations, name);
    load->world = world;
    load->settings = settings;
    load->end_ns = settings->duration_ns < SIM_NEVER_NS - settings->start_ns
                       ? settings->start_ns + settings->duration_ns
                       : SIM_NEVER_NS;
    io_record_init(&load->record, world->scenario->run.length_ns);
    load->guests = calloc((size_t)settings->guests, sizeof *load->guests);
    if (load->guests == NULL) {
        block_load_destroy(&load->workload);
        return NULL;
    }
    for (uint32_t number = 0; number < (uint32_t)settings->guests; number++, load->guest_count++)
        guest_init(load, world_store(world, settings->store), number);
    return &load->workload;
}

#define LOAD(field)    offsetof(struct block_load_settings, field)
#define PATTERN(field) offsetof(struct block_load_pattern, field)

static const struct parameter pattern_rows[] = {
    {.name = "io_size",
     .type = PARAMETER_SIZE,
     .offset = PATTERN(io_size_bytes),
     .minimum = 512,
     .maximum = 16777216,
     .help = "Bytes of a request"},
    {.name = "write_share",
     .type = PARAMETER_FRACTION,
     .offset = PATTERN(write_share),
     .maximum = 1,
     .help = "Share of writes"},
    {.name = "random_share",
     .type = PARAMETER_FRACTION,
     .offset = PATTERN(random_share),
     .maximum = 1,
     .help = "Share of requests that go to a random place; the others follow on the last"},
};

static const struct parameter_table pattern_parameters = {
    .name = "io_pattern",
    .help = "What the requests of a load are like",
    .size = sizeof(struct block_load_pattern),
    .section = "io_patterns",
    .selector = "like",
    PARAMETER_ROWS(pattern_rows),
};

static const struct parameter block_load_rows[] = {
    {.name = "store", .type = PARAMETER_STORE, .offset = LOAD(store), .help = "The volume"},
    {.name = "guest",
     .type = PARAMETER_GROUP,
     .offset = LOAD(guest),
     .group = &guest_disk_parameters,
     .help = "How the guests see it"},
    {.name = "pattern",
     .type = PARAMETER_GROUP,
     .offset = LOAD(pattern),
     .group = &pattern_parameters,
     .help = "What the requests are like"},
    {.name = "guests",
     .type = PARAMETER_COUNT,
     .offset = LOAD(guests),
     .minimum = 1,
     .maximum = 10000,
     .help = "Machines, each with its part of the volume"},
    {.name = "outstanding",
     .type = PARAMETER_COUNT,
     .offset = LOAD(outstanding),
     .minimum = 1,
     .maximum = 65536,
     .help = "Requests that each keeps outstanding"},
    {.name = "start",
     .type = PARAMETER_DURATION,
     .offset = LOAD(start_ns),
     .maximum = 6.048e14,
     .help = "When they begin"},
    {.name = "duration",
     .type = PARAMETER_DURATION,
     .offset = LOAD(duration_ns),
     .maximum = 6.048e14,
     .may_be_unlimited = true,
     .help = "How long they go on"},
};

static const struct parameter_table block_load_parameters = {
    .name = "block_load",
    .help = "A load of I/O on a volume, as IOMeter makes it",
    .size = sizeof(struct block_load_settings),
    PARAMETER_ROWS(block_load_rows),
};

extern const struct workload_kind block_load_kind;
const struct workload_kind block_load_kind = {
    .name = "block-load",
    .help = "Guests that keep I/O outstanding on a volume, as IOMeter does",
    .parameters = &block_load_parameters,
    .create = block_load_create,
};
