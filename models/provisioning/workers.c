/* XenApp workers boot from a read-only vDisk; what their users write goes into the write cache (write_cache.h), and
 * from there, or past it, to the cache disk. The pagefile is on the same disk and never in the cache.
 *
 * What the cache takes into memory costs no request. Everything else is a request of the worker's disk, answered by the
 * store in its time; sessions do not wait for it. */
#include "models/provisioning/workers.h"

#include "models/world/slab.h"
#include "models/world/world_state.h"
#include "vdisim/block.h"
#include "vdisim/random.h"
#include "vdisim/time.h"

#include <stdlib.h>

/* Of a worker's disk: the part that the pagefile has. */
#define PAGEFILE_PART 3

struct workers;

struct worker_user {
    struct sim_event due; /* logon, then the next read or write */
    struct worker *worker;
    struct sim_random choices;
    bool logged_on;
    int64_t logoff_ns;
    uint32_t file_page, file_left_pages; /* of the file that is being written */
    uint32_t file_first_page, file_pages;
};

/* A file that will be deleted. */
struct worker_file {
    struct sim_event deleted;
    struct worker *worker;
    uint32_t page, pages;
};

struct worker {
    struct workers *workers;
    struct guest_disk disk;
    struct guest_disk server_disk;
    struct write_cache cache;
    struct pagefile pagefile;
    struct sim_event fault;
    struct sim_random faults;
    int64_t users;
    int64_t noted_memory_bytes, noted_file_bytes, noted_pagefile_bytes;
    uint32_t first_page, server_first_page; /* of its disk on the volumes */
    uint32_t next_page;                     /* of the vDisk, for new files */
};

struct workers {
    struct workload workload;
    struct world *world;
    const struct workers_settings *settings;
    struct workers_record record;
    struct worker *workers;
    struct worker_user *users;
    size_t worker_count;
    struct slab_pool files;
    uint32_t hot_pages, vdisk_pages, disk_pages;
    int64_t file_bytes, pagefile_bytes; /* of all workers */
    int64_t users_now, users_counted_ns;
    int64_t stopped;
};

static struct sim *sim_of(const struct worker *worker)
{
    return worker->workers->world->sim;
}

static uint32_t pages_in(int64_t bytes)
{
    return (uint32_t)((bytes + REQUEST_PAGE_BYTES - 1) / REQUEST_PAGE_BYTES);
}

static void count(struct workers *workers, enum workers_count what, double amount)
{
    struct workers_interval *interval = workers_record_at(&workers->record, sim_now_ns(workers->world->sim));
    if (interval == NULL)
        sim_out_of_memory(workers->world->sim);
    else
        interval->counts[what] += amount;
}

/* --- To the disks. --- */

static void disk_answered(struct request *request)
{
    guest_disk_free(request);
}

/* A place on the volume: a worker's disk lies at its place, wrapped around if the volume is too small for all. */
static uint32_t place_on(const struct guest_disk *disk, uint32_t first_page, uint32_t page, uint32_t pages)
{
    if (disk->pages == 0)
        return REQUEST_ANYWHERE;
    return (uint32_t)(((uint64_t)first_page + page) % (disk->pages - pages));
}

static void to_disk(struct worker *worker, enum operation operation, uint32_t page, uint32_t pages)
{
    const int64_t bytes = (int64_t)pages * REQUEST_PAGE_BYTES;
    if (operation == OPERATION_READ) {
        count(worker->workers, COUNT_HOST_READS, 1.0);
    } else {
        count(worker->workers, COUNT_HOST_WRITES, 1.0);
        count(worker->workers, COUNT_HOST_BYTES_WRITTEN, (double)bytes);
    }
    guest_disk_send(&worker->disk, operation, place_on(&worker->disk, worker->first_page, page, pages), bytes,
                    disk_answered, worker);
}

/* Of the cache file, behind the pagefile. */
static uint32_t cache_file_place(const struct worker *worker, uint32_t page, uint32_t pages)
{
    const uint32_t begin = worker->workers->disk_pages / PAGEFILE_PART;
    const uint32_t room = worker->workers->disk_pages - begin;
    if ((uint64_t)page + pages <= room)
        return begin + page;
    world_warn(worker->workers->world, "the cache file has outgrown the cache disk of a worker");
    return begin + page % (room > pages ? room - pages : 1);
}

static void cache_writes(void *context, uint32_t page, uint32_t pages)
{
    struct worker *worker = context;
    const int64_t bytes = (int64_t)pages * REQUEST_PAGE_BYTES;
    count(worker->workers, COUNT_CACHE_WRITES, 1.0);
    count(worker->workers, COUNT_CACHE_BYTES, (double)bytes);
    if (worker->cache.kind != WRITE_CACHE_SERVER) {
        to_disk(worker, OPERATION_WRITE, cache_file_place(worker, page, pages), pages);
        return;
    }
    count(worker->workers, COUNT_HOST_WRITES, 1.0);
    count(worker->workers, COUNT_HOST_BYTES_WRITTEN, (double)bytes);
    guest_disk_send(&worker->server_disk, OPERATION_WRITE,
                    place_on(&worker->server_disk, worker->server_first_page, page, pages), bytes,
                    disk_answered, worker);
}

static void pagefile_io(struct worker *worker, enum operation operation)
{
    const struct pagefile_settings *settings = &worker->workers->settings->memory;
    const uint32_t pages = pages_in(settings->cluster_bytes);
    const uint32_t begin_pages = worker->workers->disk_pages / PAGEFILE_PART;
    const bool fits = worker->pagefile.size_bytes <= (int64_t)begin_pages * REQUEST_PAGE_BYTES;
    if (!fits)
        world_warn(worker->workers->world,
                   "the pagefile has outgrown the third of the cache disk that it has");
    const uint32_t size_pages = fits ? pages_in(worker->pagefile.size_bytes) : begin_pages;
    const uint32_t clusters = size_pages > pages ? size_pages / pages : 1;
    count(worker->workers, COUNT_PAGEFILE_IOS, 1.0);
    count(worker->workers, COUNT_PAGEFILE_BYTES, (double)settings->cluster_bytes);
    to_disk(worker, operation, (uint32_t)sim_random_below(&worker->faults, clusters) * pages, pages);
}

/* --- Memory. --- */

/* The next fault: the rate is what it is now until something changes. */
static void await_fault(struct worker *worker)
{
    sim_cancel(sim_of(worker), &worker->fault);
    const double rate = (double)worker->users * worker->workers->settings->memory.touches_per_s *
                        worker->pagefile.fault_probability;
    if (rate > 0.0)
        sim_schedule_after(sim_of(worker), &worker->fault,
                           sim_ns_round(1e9 * sim_random_exponential(&worker->faults) / rate));
}

static void fault(struct sim *sim, struct sim_event *event)
{
    (void)sim;
    struct worker *worker = SIM_CONTAINER_OF(event, struct worker, fault);
    pagefile_io(worker, OPERATION_READ);
    pagefile_io(worker, OPERATION_WRITE);
    await_fault(worker);
}

/* Users or the cache's memory have changed. */
static void memory_changes(struct worker *worker)
{
    const int64_t cluster = worker->workers->settings->memory.cluster_bytes;
    int64_t out = pagefile_update(&worker->pagefile, worker->users, worker->cache.account.memory_bytes);
    for (; out > 0; out -= cluster)
        pagefile_io(worker, OPERATION_WRITE);
    await_fault(worker);
}

/* After whatever may have changed the sizes that are reported. */
static void note_sizes(struct worker *worker)
{
    struct workers *workers = worker->workers;
    const int64_t memory = worker->cache.account.memory_bytes;
    if (memory != worker->noted_memory_bytes) {
        worker->noted_memory_bytes = memory;
        memory_changes(worker);
    }
    workers->file_bytes += worker->cache.account.file_bytes - worker->noted_file_bytes;
    worker->noted_file_bytes = worker->cache.account.file_bytes;
    workers->pagefile_bytes += worker->pagefile.size_bytes - worker->noted_pagefile_bytes;
    worker->noted_pagefile_bytes = worker->pagefile.size_bytes;
    struct workers_interval *interval = workers_record_at(&workers->record, sim_now_ns(sim_of(worker)));
    if (interval == NULL)
        return;
    if (memory > interval->memory_peak_bytes)
        interval->memory_peak_bytes = memory;
    if (workers->file_bytes > interval->file_peak_bytes)
        interval->file_peak_bytes = workers->file_bytes;
    if (workers->pagefile_bytes > interval->pagefile_peak_bytes)
        interval->pagefile_peak_bytes = workers->pagefile_bytes;
}

/* --- What users do. --- */

static void guest_writes(struct worker *worker, uint32_t page, uint32_t pages)
{
    if (worker->cache.stopped)
        return;
    count(worker->workers, COUNT_GUEST_WRITES, 1.0);
    count(worker->workers, COUNT_GUEST_BYTES, (double)pages * REQUEST_PAGE_BYTES);
    write_cache_write(&worker->cache, page, pages);
    if (worker->cache.stopped) {
        worker->workers->stopped++;
        world_warn(worker->workers->world, "a RAM cache without overflow was full: its worker stopped");
    }
}

/* New space for a file; when the vDisk has been gone through, from its beginning behind the hot places. */
static uint32_t new_space(struct worker *worker, uint32_t pages)
{
    const struct workers *workers = worker->workers;
    if ((uint64_t)worker->next_page + pages > workers->vdisk_pages)
        worker->next_page = workers->hot_pages;
    const uint32_t page = worker->next_page;
    worker->next_page += pages;
    return page;
}

static void file_is_deleted(struct sim *sim, struct sim_event *event)
{
    (void)sim;
    struct worker_file *file = SIM_CONTAINER_OF(event, struct worker_file, deleted);
    struct worker *worker = file->worker;
    write_cache_delete(&worker->cache, file->page, file->pages);
    slab_give(&worker->workers->files, file);
    note_sizes(worker);
}

/* A whole file is there; perhaps it will be deleted. */
static void file_ends(struct worker_user *user)
{
    struct workers *workers = user->worker->workers;
    const struct worker_io_settings *io = &workers->settings->io;
    const bool is_deleted = sim_random_chance(&user->choices, io->deleted_share);
    const double life_ns = (double)io->file_life_ns * sim_random_exponential(&user->choices);
    if (!is_deleted || life_ns > 1e18)
        return;
    struct worker_file *file = slab_take(&workers->files);
    if (file == NULL) {
        sim_out_of_memory(workers->world->sim);
        return;
    }
    *file = (struct worker_file){
        .worker = user->worker, .page = user->file_first_page, .pages = user->file_pages};
    sim_event_init(&file->deleted, file_is_deleted, SIM_EVENT_LABEL('w', 'k', 'd', 'l'));
    sim_schedule_after(workers->world->sim, &file->deleted, (int64_t)life_ns);
}

static void write_file(struct worker_user *user)
{
    struct worker *worker = user->worker;
    const struct workers *workers = worker->workers;
    const struct worker_io_settings *io = &workers->settings->io;
    if (user->file_left_pages == 0) {
        const double bytes = (double)io->file_bytes * sim_random_exponential(&user->choices);
        const uint32_t most = (workers->vdisk_pages - workers->hot_pages) / 2;
        user->file_pages = bytes < (double)most * REQUEST_PAGE_BYTES ? pages_in((int64_t)bytes + 1) : most;
        user->file_first_page = user->file_page = new_space(worker, user->file_pages);
        user->file_left_pages = user->file_pages;
    }
    uint32_t pages = pages_in(io->io_size_bytes);
    if (pages > user->file_left_pages)
        pages = user->file_left_pages;
    guest_writes(worker, user->file_page, pages);
    user->file_page += pages;
    user->file_left_pages -= pages;
    if (user->file_left_pages == 0)
        file_ends(user);
}

static void write_hot_place(struct worker_user *user)
{
    struct worker *worker = user->worker;
    guest_writes(worker, (uint32_t)sim_random_below(&user->choices, worker->workers->hot_pages), 1);
}

/* Reads of the image itself are streamed and are no business of the write cache. */
static void read_back(struct worker_user *user)
{
    struct worker *worker = user->worker;
    const struct workers *workers = worker->workers;
    const bool hot = sim_random_chance(&user->choices, workers->settings->io.hot_share);
    const uint32_t written = worker->next_page - workers->hot_pages;
    const uint32_t page = hot || written == 0
                              ? (uint32_t)sim_random_below(&user->choices, workers->hot_pages)
                              : workers->hot_pages + (uint32_t)sim_random_below(&user->choices, written);
    uint32_t file_page;
    if (!write_cache_on_disk(&worker->cache, page, &file_page))
        return;
    if (worker->cache.kind != WRITE_CACHE_SERVER) {
        to_disk(worker, OPERATION_READ, cache_file_place(worker, file_page, 1), 1);
        return;
    }
    count(worker->workers, COUNT_HOST_READS, 1.0);
    guest_disk_send(&worker->server_disk, OPERATION_READ,
                    place_on(&worker->server_disk, worker->server_first_page, file_page, 1),
                    REQUEST_PAGE_BYTES, disk_answered, worker);
}

static void count_users(struct workers *workers, int64_t change)
{
    const int64_t now_ns = sim_now_ns(workers->world->sim);
    while (workers->users_counted_ns < now_ns) {
        const int64_t from_ns = workers->users_counted_ns;
        const int64_t end_ns = (from_ns / workers->record.interval_ns + 1) * workers->record.interval_ns;
        const int64_t to_ns = end_ns < now_ns ? end_ns : now_ns;
        struct workers_interval *interval = workers_record_at(&workers->record, from_ns);
        if (interval == NULL)
            break;
        interval->counts[COUNT_USER_SECONDS] += (double)workers->users_now * sim_s_from_ns(to_ns - from_ns);
        workers->users_counted_ns = to_ns;
    }
    workers->users_now += change;
}

static void log_on(struct worker_user *user)
{
    struct worker *worker = user->worker;
    const struct workers_settings *settings = worker->workers->settings;
    const uint32_t chunk = pages_in(65536);
    user->logged_on = true;
    user->logoff_ns = sim_now_ns(sim_of(worker)) + settings->session_length_ns;
    worker->users++;
    count_users(worker->workers, 1);
    memory_changes(worker);
    for (uint32_t left = pages_in(settings->io.logon_bytes); left > 0;) {
        const uint32_t pages = left < chunk ? left : chunk;
        guest_writes(worker, new_space(worker, pages), pages);
        left -= pages;
    }
}

static void log_off(struct worker_user *user)
{
    struct worker *worker = user->worker;
    user->logged_on = false;
    worker->users--;
    count_users(worker->workers, -1);
    memory_changes(worker);
    note_sizes(worker);
}

static void user_acts(struct sim *sim, struct sim_event *event)
{
    struct worker_user *user = SIM_CONTAINER_OF(event, struct worker_user, due);
    const struct worker_io_settings *io = &user->worker->workers->settings->io;
    if (!user->logged_on) {
        log_on(user);
    } else if (sim_now_ns(sim) >= user->logoff_ns) {
        log_off(user);
        return;
    } else if (sim_random_chance(&user->choices, io->read_share)) {
        read_back(user);
    } else if (sim_random_chance(&user->choices, io->hot_share)) {
        write_hot_place(user);
    } else {
        write_file(user);
    }
    note_sizes(user->worker);
    const double pause_ns =
        io->io_per_s > 0.0 ? 1e9 * sim_random_exponential(&user->choices) / io->io_per_s : 1e18;
    const int64_t left_ns = user->logoff_ns - sim_now_ns(sim);
    sim_schedule_after(sim, event, pause_ns < (double)left_ns ? (int64_t)pause_ns : left_ns);
}

/* --- The workload. --- */

static void workers_report(struct workload *workload, int64_t from_ns, int64_t to_ns,
                           struct metric_sink *sink)
{
    struct workers *workers = (struct workers *)workload;
    count_users(workers, 0);
    workers_record_report(&workers->record, from_ns, to_ns, sim_now_ns(workers->world->sim), sink);
    metric_report(sink, "workers.stopped", "", (double)workers->stopped);
}

static void workers_destroy(struct workload *workload)
{
    struct workers *workers = (struct workers *)workload;
    for (size_t i = 0; i < workers->worker_count; i++) {
        guest_disk_release(&workers->workers[i].disk);
        guest_disk_release(&workers->workers[i].server_disk);
        write_cache_release(&workers->workers[i].cache);
    }
    free(workers->workers);
    free(workers->users);
    workers_record_release(&workers->record);
    slab_pool_release(&workers->files);
    free(workers);
}

static const struct workload_operations workers_operations = {.report = workers_report,
                                                              .destroy = workers_destroy};

static bool worker_init(struct workers *workers, uint32_t number)
{
    struct world *world = workers->world;
    const struct workers_settings *settings = workers->settings;
    struct worker *worker = &workers->workers[number];
    struct store *store = world_store(world, settings->store);
    struct store *server = world_store(world, settings->server_store);
    worker->workers = workers;
    worker->next_page = workers->hot_pages;
    worker->first_page = worker->server_first_page = number * workers->disk_pages;
    guest_disk_init(&worker->disk, world->sim, &settings->guest, store, workers->workload.number);
    guest_disk_init(&worker->server_disk, world->sim, &settings->guest, server == NULL ? store : server,
                    workers->workload.number);
    pagefile_init(&worker->pagefile, &settings->memory);
    sim_random_init_named(&worker->faults, world->seed, world->replication, "%s/worker %u/faults",
                          workers->workload.name, number);
    sim_event_init(&worker->fault, fault, SIM_EVENT_LABEL('w', 'k', 'f', 'l'));
    workers->worker_count++;
    return write_cache_init(&worker->cache, (enum write_cache_kind)settings->cache, settings->ram_cache_bytes,
                            settings->vdisk_bytes, cache_writes, worker);
}

static void user_init(struct workers *workers, uint32_t number)
{
    struct world *world = workers->world;
    const struct workers_settings *settings = workers->settings;
    struct worker_user *user = &workers->users[number];
    user->worker = &workers->workers[number % (uint32_t)settings->workers];
    sim_random_init_named(&user->choices, world->seed, world->replication, "%s/user %u/choices",
                          workers->workload.name, number);
    sim_event_init(&user->due, user_acts, SIM_EVENT_LABEL('w', 'k', 'u', 's'));
    sim_schedule_at(world->sim, &user->due,
                    arrival_time_ns(&settings->arrivals, number,
                                    settings->workers * settings->users_per_worker,
                                    sim_random_uniform(&user->choices)));
}

static void warn_of_a_small_volume(const struct workers *workers)
{
    const struct store *store = world_store(workers->world, workers->settings->store);
    const uint64_t needed = (uint64_t)workers->disk_pages * (uint64_t)workers->settings->workers;
    const uint32_t there = block_store_pages(store);
    if (there > 0 && needed > there)
        world_warn(workers->world,
                   "the workers' cache disks need %.0f GiB, the volume has %.0f GiB: they overlap",
                   (double)needed / 262144.0, (double)there / 262144.0);
}

static struct workload *workers_create(struct world *world, const char *name, const void *settings_of)
{
    const struct workers_settings *settings = settings_of;
    struct workers *workers = calloc(1, sizeof *workers);
    if (workers == NULL)
        return NULL;
    workload_init(&workers->workload, world, &workers_operations, name);
    workers->world = world;
    workers->settings = settings;
    workers->hot_pages = pages_in(settings->io.hot_bytes);
    workers->vdisk_pages = (uint32_t)(settings->vdisk_bytes / REQUEST_PAGE_BYTES);
    workers->disk_pages = (uint32_t)(settings->cache_disk_bytes / REQUEST_PAGE_BYTES);
    workers_record_init(&workers->record, world->scenario->run.length_ns);
    slab_pool_init(&workers->files, sizeof(struct worker_file));
    const uint32_t users = (uint32_t)(settings->workers * settings->users_per_worker);
    workers->workers = calloc((size_t)settings->workers, sizeof *workers->workers);
    workers->users = calloc(users, sizeof *workers->users);
    bool made = workers->workers != NULL && workers->users != NULL;
    for (uint32_t number = 0; made && number < (uint32_t)settings->workers; number++)
        made = worker_init(workers, number);
    if (!made) {
        workers_destroy(&workers->workload);
        return NULL;
    }
    for (uint32_t number = 0; number < users; number++)
        user_init(workers, number);
    warn_of_a_small_volume(workers);
    return &workers->workload;
}

extern const struct workload_kind write_cache_kind;
const struct workload_kind write_cache_kind = {
    .name = "write-cache",
    .help = "XenApp workers on a read-only vDisk: where they write, and their pagefile",
    .parameters = &workers_parameters,
    .create = workers_create,
    .check = workers_fit,
};
