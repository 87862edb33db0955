#include "vdisim/block.h"

#include "models/block/controller_cache.h"
#include "models/world/slab.h"
#include "models/world/world_state.h"
#include "vdisim/raid.h"
#include "vdisim/store.h"
#include "vdisim/time.h"

#include <assert.h>
#include <stdlib.h>

/* Beyond whole pages, what a request carries is headers up to this. */
#define HEADERS_MOST_BYTES 512

struct block_store;

/* A request, or a row of the cache on its way to the disks. */
struct block_job {
    struct sim_event event;
    struct block_store *block;
    struct request *request; /* NULL: a row is destaged */
    struct cache_row *row;
    uint32_t page, pages;
    uint32_t pending; /* operations of hard disks */
    bool writes, second;
    int64_t started_ns, ended_ns; /* of the operations so far: the first start, the last end */
    struct block_job *next;
};

struct member_operation {
    struct disk_operation operation;
    struct block_job *job;
};

struct block_store {
    struct store store;
    const struct block_settings *settings;
    struct raid raid;
    uint32_t volume_pages;
    struct disk *disks;
    size_t disk_count;
    struct wire link_out, link_back;
    int64_t link_one_way_ns;
    bool has_link;
    bool is_plain; /* flash with nothing before it: when its operations end is known at once */
    int64_t controller_free_ns;

    struct controller_cache cache;
    bool has_cache;
    int64_t destaging;                              /* rows */
    struct block_job *waiting_first, *waiting_last; /* for room in the cache */

    struct raid_steps steps; /* of the job that is being begun */
    struct slab_pool jobs, operations;
    struct sim_random places;
    const struct store_file *last_file;
    uint32_t behind_last_page;
};

static struct block_store *block_of(const struct store *store)
{
    return (struct block_store *)(void *)(uintptr_t)store;
}

static struct block_job *job_new(struct block_store *block)
{
    struct block_job *job = slab_take(&block->jobs);
    if (job == NULL) {
        sim_out_of_memory(block->store.sim);
        return NULL;
    }
    *job = (struct block_job){.block = block, .started_ns = SIM_NEVER_NS};
    return job;
}

/* --- The way back. --- */

static void answer(struct block_job *job)
{
    struct block_store *block = job->block;
    struct request *request = job->request;
    int64_t served_ns = job->ended_ns;
    if (block->has_link) {
        served_ns = wire_carry(&block->link_back, served_ns,
                               request->egress_bytes + block->settings->link.header_bytes);
        served_ns += block->link_one_way_ns;
    }
    request->started_ns = job->started_ns < job->ended_ns ? job->started_ns : job->ended_ns;
    request->served_ns = served_ns;
    slab_give(&block->jobs, job);
    request->leave(request);
}

static void answer_is_ready(struct sim *sim, struct sim_event *event)
{
    (void)sim;
    struct block_job *job = SIM_CONTAINER_OF(event, struct block_job, event);
    struct block_store *block = job->block;
    if (block->has_cache && !job->writes)
        controller_cache_keep(&block->cache, job->page, job->pages);
    answer(job);
}

static void destage_next_run(struct block_job *job);

/* All operations of the job have ended, or will have at job->ended_ns. The wire back and the cache must not know before. */
static void job_ends(struct block_job *job)
{
    struct block_store *block = job->block;
    struct sim *sim = block->store.sim;
    if (job->request == NULL) {
        destage_next_run(job);
        return;
    }
    if (!block->has_cache && (!block->has_link || block->link_back.ns_per_byte <= 0.0)) {
        answer(job);
        return;
    }
    sim_event_init(&job->event, answer_is_ready, SIM_EVENT_LABEL('b', 'l', 'k', 'a'));
    sim_schedule_at(sim, &job->event, job->ended_ns);
}

/* --- Operations of members. --- */

static void begin_steps(struct block_job *job, bool second);

static void begin_second(struct sim *sim, struct sim_event *event)
{
    (void)sim;
    begin_steps(SIM_CONTAINER_OF(event, struct block_job, event), true);
}

static void steps_end(struct block_job *job)
{
    if (job->second) {
        sim_event_init(&job->event, begin_second, SIM_EVENT_LABEL('b', 'l', 'k', '2'));
        sim_schedule_at(job->block->store.sim, &job->event, job->ended_ns);
        return;
    }
    job_ends(job);
}

static void note_operation(struct block_job *job, const struct disk_operation *operation)
{
    if (operation->started_ns < job->started_ns)
        job->started_ns = operation->started_ns;
    if (operation->ended_ns > job->ended_ns)
        job->ended_ns = operation->ended_ns;
}

static void member_done(struct disk_operation *operation)
{
    struct member_operation *member = operation->owner;
    struct block_job *job = member->job;
    note_operation(job, operation);
    slab_give(&job->block->operations, member);
    if (--job->pending == 0)
        steps_end(job);
}

/* The copy that has least to do; of equal ones by turns, as places differ. */
static struct disk *disk_of_step(struct block_store *block, const struct raid_step *step)
{
    struct disk *best = &block->disks[step->member + step->page / block->raid.unit_pages % step->copies];
    for (uint32_t copy = 0; copy < step->copies; copy++)
        if (block->disks[step->member + copy].inside < best->inside)
            best = &block->disks[step->member + copy];
    return best;
}

static void begin_step(struct block_job *job, const struct raid_step *step)
{
    struct block_store *block = job->block;
    struct disk *disk = disk_of_step(block, step);
    if (disk->settings->medium == DISK_FLASH) {
        struct disk_operation operation = {.page = step->page, .pages = step->pages, .writes = step->writes};
        disk_submit(disk, &operation);
        note_operation(job, &operation);
        return;
    }
    struct member_operation *member = slab_take(&block->operations);
    if (member == NULL) {
        sim_out_of_memory(block->store.sim);
        return;
    }
    member->job = job;
    member->operation = (struct disk_operation){.page = step->page,
                                                .pages = step->pages,
                                                .writes = step->writes,
                                                .done = member_done,
                                                .owner = member};
    job->pending++;
    disk_submit(disk, &member->operation);
}

/* Begins the steps that may begin now. */
static void begin_steps(struct block_job *job, bool second)
{
    struct block_store *block = job->block;
    if (!raid_plan(&block->raid, job->writes, job->page, job->pages, &block->steps)) {
        sim_out_of_memory(block->store.sim);
        return;
    }
    job->second = !second && block->steps.has_second;
    for (size_t i = 0; i < block->steps.count; i++)
        if (block->steps.list[i].second == second)
            begin_step(job, &block->steps.list[i]);
    if (job->pending == 0)
        steps_end(job);
}

/* --- The cache. --- */

static void answer_from_cache(struct block_job *job)
{
    const int64_t now_ns = sim_now_ns(job->block->store.sim);
    job->started_ns = now_ns;
    job->ended_ns = now_ns + job->block->settings->controller.cache_time_ns;
    job_ends(job);
}

static void destage(struct block_store *block)
{
    while (block->destaging < block->settings->controller.destage_depth) {
        struct cache_row *row = controller_cache_next(&block->cache, block->waiting_first != NULL);
        if (row == NULL)
            return;
        struct block_job *job = job_new(block);
        if (job == NULL)
            return;
        job->row = row;
        job->writes = true;
        block->destaging++;
        destage_next_run(job);
    }
}

/* Takes the writes that wait, as far as there is room now. */
static void admit_waiting(struct block_store *block)
{
    while (block->waiting_first != NULL) {
        struct block_job *job = block->waiting_first;
        if (controller_cache_write(&block->cache, job->page, job->pages) != CACHE_TAKEN)
            return;
        block->waiting_first = job->next;
        answer_from_cache(job);
    }
}

static void destaged(struct sim *sim, struct sim_event *event)
{
    (void)sim;
    struct block_job *job = SIM_CONTAINER_OF(event, struct block_job, event);
    struct block_store *block = job->block;
    if (controller_cache_next_run(&block->cache, job->row, &job->page, &job->pages)) {
        begin_steps(job, false);
        return;
    }
    controller_cache_destaged(&block->cache, job->row);
    block->destaging--;
    slab_give(&block->jobs, job);
    admit_waiting(block);
    destage(block);
}

/* Each run of the row's pages after the other, each when the one before has ended. */
static void destage_next_run(struct block_job *job)
{
    struct sim *sim = job->block->store.sim;
    const int64_t now_ns = sim_now_ns(sim);
    sim_event_init(&job->event, destaged, SIM_EVENT_LABEL('b', 'l', 'k', 'd'));
    sim_schedule_at(sim, &job->event, job->ended_ns > now_ns ? job->ended_ns : now_ns);
}

static void wait_for_room(struct block_store *block, struct block_job *job)
{
    job->next = NULL;
    if (block->waiting_first == NULL)
        block->waiting_first = job;
    else
        block->waiting_last->next = job;
    block->waiting_last = job;
}

static void pass_cache(struct block_store *block, struct block_job *job)
{
    if (!job->writes) {
        if (controller_cache_has(&block->cache, job->page, job->pages))
            answer_from_cache(job);
        else
            begin_steps(job, false);
        return;
    }
    enum cache_answer taken = CACHE_FULL;
    if (block->waiting_first == NULL)
        taken = controller_cache_write(&block->cache, job->page, job->pages);
    if (taken == CACHE_NO_MEMORY)
        sim_out_of_memory(block->store.sim);
    else if (taken == CACHE_TAKEN)
        answer_from_cache(job);
    else
        wait_for_room(block, job);
    destage(block);
}

/* --- The way in. --- */

static void run_job(struct block_job *job)
{
    struct block_store *block = job->block;
    if (job->pages == 0) {
        job->started_ns = job->ended_ns = sim_now_ns(block->store.sim);
        job_ends(job);
    } else if (block->has_cache && job->pages <= block->cache.capacity_pages) {
        pass_cache(block, job);
    } else {
        begin_steps(job, false);
    }
}

static void controller_is_done(struct sim *sim, struct sim_event *event)
{
    (void)sim;
    run_job(SIM_CONTAINER_OF(event, struct block_job, event));
}

static void enter_controller(struct block_job *job)
{
    struct block_store *block = job->block;
    const int64_t overhead_ns = block->settings->controller.overhead_ns;
    if (overhead_ns == 0) {
        run_job(job);
        return;
    }
    const int64_t now_ns = sim_now_ns(block->store.sim);
    block->controller_free_ns =
        (block->controller_free_ns > now_ns ? block->controller_free_ns : now_ns) + overhead_ns;
    sim_event_init(&job->event, controller_is_done, SIM_EVENT_LABEL('b', 'l', 'k', 'c'));
    sim_schedule_at(block->store.sim, &job->event, block->controller_free_ns);
}

static void link_is_passed(struct sim *sim, struct sim_event *event)
{
    (void)sim;
    enter_controller(SIM_CONTAINER_OF(event, struct block_job, event));
}

static uint32_t pages_of(const struct request *request)
{
    if (request->operation != OPERATION_READ && request->operation != OPERATION_WRITE)
        return 0;
    const int64_t bytes =
        request->operation == OPERATION_WRITE ? request->ingress_bytes : request->egress_bytes;
    const int64_t pages = (bytes + REQUEST_PAGE_BYTES - 1 - HEADERS_MOST_BYTES) / REQUEST_PAGE_BYTES;
    return pages < 1 ? 1 : (uint32_t)pages;
}

static uint32_t place_of(struct block_store *block, const struct request *request, uint32_t pages)
{
    const uint32_t room = block->volume_pages - pages;
    if (request->page != REQUEST_ANYWHERE)
        return request->page;
    if (request->file != NULL && request->file == block->last_file && block->behind_last_page <= room)
        return block->behind_last_page;
    return (uint32_t)sim_random_below(&block->places, (uint64_t)room + 1);
}

/* What the volume begins now in one phase needs no job. */
static void answer_plainly(struct block_store *block, struct request *request, uint32_t page, uint32_t pages)
{
    struct block_job job = {.block = block, .started_ns = SIM_NEVER_NS};
    if (!raid_plan(&block->raid, request->operation == OPERATION_WRITE, page, pages, &block->steps)) {
        sim_out_of_memory(block->store.sim);
        return;
    }
    for (size_t i = 0; i < block->steps.count; i++)
        begin_step(&job, &block->steps.list[i]);
    request->started_ns = job.started_ns;
    request->served_ns = job.ended_ns;
    request->leave(request);
}

static void block_submit(struct store *store, struct request *request)
{
    struct block_store *block = block_of(store);
    const uint32_t pages = pages_of(request);
    uint32_t page = 0;
    request->admitted_ns = request->arrived_ns;
    if (pages > 0) {
        page = place_of(block, request, pages);
        assert((uint64_t)page + pages <= block->volume_pages);
        block->last_file = request->file;
        block->behind_last_page = page + pages;
    }
    const bool writes = request->operation == OPERATION_WRITE;
    if (block->is_plain && pages > 0 && !(writes && raid_parity_units(&block->raid) > 0)) {
        answer_plainly(block, request, page, pages);
        return;
    }
    struct block_job *job = job_new(block);
    if (job == NULL)
        return;
    job->request = request;
    job->writes = writes;
    job->page = page;
    job->pages = pages;
    if (!block->has_link) {
        enter_controller(job);
        return;
    }
    request->admitted_ns = wire_carry(&block->link_out, request->arrived_ns,
                                      request->ingress_bytes + block->settings->link.header_bytes) +
                           block->link_one_way_ns;
    sim_event_init(&job->event, link_is_passed, SIM_EVENT_LABEL('b', 'l', 'k', 'l'));
    sim_schedule_at(store->sim, &job->event, request->admitted_ns);
}

/* --- The store. --- */

static void block_report(struct store *store, struct metric_sink *sink)
{
    const struct disk_account account = block_store_account(store);
    const uint64_t operations = account.reads + account.writes, requests = store->meter.arrived;
    metric_report(sink, "disk_operations.per_request", "",
                  requests == 0 ? 0.0 : (double)operations / (double)requests);
}

static void block_destroy(struct store *store)
{
    struct block_store *block = block_of(store);
    for (size_t i = 0; i < block->disk_count; i++)
        disk_release(&block->disks[i]);
    free(block->disks);
    if (block->has_cache)
        controller_cache_release(&block->cache);
    raid_steps_release(&block->steps);
    slab_pool_release(&block->jobs);
    slab_pool_release(&block->operations);
    store_release(store);
    free(block);
}

static const struct store_operations block_operations = {
    .submit = block_submit,
    .report = block_report,
    .destroy = block_destroy,
};

static bool create_disks(struct block_store *block, const struct world *world)
{
    const struct block_settings *settings = block->settings;
    block->disks = calloc((size_t)settings->members, sizeof *block->disks);
    if (block->disks == NULL)
        return false;
    for (uint32_t i = 0; i < (uint32_t)settings->members; i++) {
        block->disk_count++;
        if (!disk_init(&block->disks[i], world->sim, &settings->disk, world->seed, world->replication,
                       block->store.name, i))
            return false;
    }
    return true;
}

static bool create_cache(struct block_store *block)
{
    const int64_t pages = block->settings->controller.cache_bytes / REQUEST_PAGE_BYTES;
    if (pages == 0)
        return true;
    block->has_cache = true;
    return controller_cache_init(&block->cache, pages,
                                 block->raid.unit_pages * raid_data_units(&block->raid));
}

static struct store *block_create(struct world *world, const char *name, const void *settings_of)
{
    const struct block_settings *settings = settings_of;
    struct block_store *block = calloc(1, sizeof *block);
    if (block == NULL)
        return NULL;
    store_init(&block->store, &block_operations, name, world->sim);
    block->settings = settings;
    block->raid = (struct raid){.level = (enum raid_level)settings->level,
                                .members = (uint32_t)settings->members,
                                .unit_pages = (uint32_t)(settings->stripe_unit_bytes / REQUEST_PAGE_BYTES)};
    block->volume_pages = (uint32_t)(block_volume_bytes(settings) / REQUEST_PAGE_BYTES);
    wire_init(&block->link_out, settings->link.bytes_per_s);
    wire_init(&block->link_back, settings->link.bytes_per_s);
    block->link_one_way_ns = settings->link.round_trip_ns / 2;
    block->has_link = block->link_one_way_ns > 0 || block->link_out.ns_per_byte > 0.0;
    slab_pool_init(&block->jobs, sizeof(struct block_job));
    slab_pool_init(&block->operations, sizeof(struct member_operation));
    sim_random_init_named(&block->places, world->seed, world->replication, "%s/places", name);
    block->is_plain = settings->disk.medium == DISK_FLASH && !block->has_link &&
                      settings->controller.overhead_ns == 0 && settings->controller.cache_bytes == 0;
    if (create_disks(block, world) && create_cache(block))
        return &block->store;
    block_destroy(&block->store);
    return NULL;
}

uint32_t block_store_pages(const struct store *store)
{
    return store->operations == &block_operations ? block_of(store)->volume_pages : 0;
}

size_t block_store_disk_count(const struct store *store)
{
    return block_of(store)->disk_count;
}

struct disk_account block_store_disk_account(const struct store *store, size_t disk)
{
    return block_of(store)->disks[disk].account;
}

struct disk_account block_store_account(const struct store *store)
{
    struct disk_account sum = {0};
    for (size_t i = 0; i < block_store_disk_count(store); i++) {
        const struct disk_account one = block_store_disk_account(store, i);
        sum.reads += one.reads;
        sum.writes += one.writes;
        sum.pages_read += one.pages_read;
        sum.pages_written += one.pages_written;
        sum.busy_ns += one.busy_ns;
    }
    return sum;
}

static int64_t block_capacity(const void *settings)
{
    return block_volume_bytes(settings);
}

const struct store_kind block_kind = {
    .name = "block",
    .help = "A volume on hard disks or flash, alone or as RAID, local or behind a link",
    .parameters = &block_parameters,
    .create = block_create,
    .capacity_bytes = block_capacity,
    .entitle = block_entitlement,
};
