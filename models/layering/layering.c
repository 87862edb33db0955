#include "vdisim/layering.h"

#include "models/layering/layer_cache.h"
#include "models/layering/layering_copy.h"
#include "models/layering/layering_plan.h"
#include "models/layering/layering_report.h"
#include "models/world/world_state.h"
#include "vdisim/block.h"
#include "vdisim/queue.h"
#include "vdisim/time.h"

#include <assert.h>
#include <stdlib.h>

struct layering;

struct job {
    struct sim_process process;
    struct layering *layering;
    const struct layering_job *plan;
    struct layering_record *record;
    struct layer_chunk *chunks; /* while it runs */
};

/* Where a layer is now, and how often it has been made anew. */
struct layer_state {
    struct disk_place place;
    uint32_t version;
};

struct layering {
    struct workload workload;
    struct world *world;
    const struct layering_settings *settings;
    struct layering_plan plan;
    struct appliance appliance;
    struct layer_cache cache;
    struct sim_queue turns;
    struct layering_volume *volumes; /* one a store that is used */
    size_t volume_count;
    struct layering_volume *source, *repository, *machines, *images;
    struct layer_state *layers;
    struct job *jobs;
    struct layering_record *records;
};

/* --- Copies. --- */

static void copy(struct job *job, enum layering_step step, struct layer_copy what)
{
    const struct sim *sim = job->layering->world->sim;
    const int64_t began_ns = sim_now_ns(sim);
    what.appliance = &job->layering->appliance;
    what.chunks = job->chunks;
    layer_copy_run(&what, &job->process);
    job->record->step_ns[step] += sim_now_ns(sim) - began_ns;
    job->record->read_bytes += what.read_bytes;
    job->record->written_bytes += what.written_bytes;
}

/* Layers in the repository become one disk there, which goes to `volume`. */
static struct disk_place compose_and_send(struct job *job, struct layering_volume *volume)
{
    struct layering *layering = job->layering;
    const int64_t bytes = job->plan->below_bytes;
    /* A page more, as each layer ends within one. */
    const struct disk_place composed = layering_place(layering->repository, bytes + REQUEST_PAGE_BYTES);
    int64_t written_bytes = 0;
    for (size_t i = 0; i < job->plan->below_count; i++) {
        const size_t layer = job->plan->below[i];
        struct disk_place to = composed;
        if (to.page != REQUEST_ANYWHERE)
            to.page += (uint32_t)(written_bytes / REQUEST_PAGE_BYTES);
        const int64_t used_bytes = layering->plan.layers[layer].used_bytes;
        copy(job, STEP_COMPOSE,
             (struct layer_copy){.from = layering->layers[layer].place, .to = to, .bytes = used_bytes});
        written_bytes += used_bytes;
    }
    const struct disk_place sent = layering_place(volume, bytes);
    copy(job, STEP_SEND, (struct layer_copy){.from = composed, .to = sent, .bytes = bytes});
    return sent;
}

/* --- The layer disk cache. --- */

/* Of the layers below in their versions (FNV-1a). */
static uint64_t boot_disk_key(const struct job *job)
{
    uint64_t key = UINT64_C(14695981039346656037);
    for (size_t i = 0; i < job->plan->below_count; i++) {
        const size_t layer = job->plan->below[i];
        key = (key ^ layer) * UINT64_C(1099511628211);
        key = (key ^ job->layering->layers[layer].version) * UINT64_C(1099511628211);
    }
    return key;
}

static void keep_in_cache(struct job *job, uint64_t key, struct disk_place boot_disk)
{
    struct layering *layering = job->layering;
    const int64_t bytes = job->plan->below_bytes;
    if (bytes > layering->cache.capacity_bytes) {
        world_warn(layering->world,
                   "%s: the layer disk cache is smaller than a boot disk of %.3g GB, which it never keeps",
                   layering->workload.name, (double)bytes * 1e-9);
        return;
    }
    const struct disk_place kept = layering_place(layering->machines, bytes);
    copy(job, STEP_TO_CACHE,
         (struct layer_copy){.by_hypervisor = true, .from = boot_disk, .to = kept, .bytes = bytes});
    const uint64_t evictions = layering->cache.evictions;
    if (layer_cache_keep(&layering->cache, &(struct layer_cache_disk){key, bytes, kept.page}) ==
        LAYER_CACHE_NO_MEMORY)
        sim_out_of_memory(layering->world->sim);
    job->record->evictions += (uint32_t)(layering->cache.evictions - evictions);
}

static void make_boot_disk(struct job *job)
{
    struct layering *layering = job->layering;
    if (layering->cache.capacity_bytes == 0) {
        compose_and_send(job, layering->machines);
        return;
    }
    const uint64_t key = boot_disk_key(job);
    const struct layer_cache_disk *kept = layer_cache_find(&layering->cache, key);
    if (kept == NULL) {
        job->record->misses++;
        keep_in_cache(job, key, compose_and_send(job, layering->machines));
        return;
    }
    job->record->hits++;
    const struct disk_place from = {layering->machines, kept->page};
    copy(job, STEP_FROM_CACHE,
         (struct layer_copy){.by_hypervisor = true,
                             .from = from,
                             .to = layering_place(layering->machines, kept->bytes),
                             .bytes = kept->bytes});
}

/* --- Jobs. --- */

static struct layer *layer_of(const struct job *job)
{
    return &job->layering->plan.layers[job->plan->layer];
}

/* The whole disk or what is used of it, as the hypervisor hands it out. */
static void fetch(struct job *job, struct disk_place from)
{
    struct layering *layering = job->layering;
    struct layer_state *state = &layering->layers[job->plan->layer];
    const struct layer *layer = layer_of(job);
    const int64_t bytes = layering->settings->appliance.whole_disks ? layer->size_bytes : layer->used_bytes;
    const struct disk_place to = layering_place(layering->repository, bytes);
    copy(job, STEP_FETCH, (struct layer_copy){.from = from, .to = to, .bytes = bytes});
    state->place = to;
    state->version++;
}

static void package(struct job *job)
{
    struct layering *layering = job->layering;
    const struct layer *layer = layer_of(job);
    make_boot_disk(job);
    const struct disk_place disk = layering_place(layering->machines, layer->size_bytes);
    if (layering->settings->appliance.zeroed_disks)
        copy(job, STEP_LAYER_DISK,
             (struct layer_copy){
                 .by_hypervisor = true, .only_writes = true, .to = disk, .bytes = layer->size_bytes});
    if (job->plan->action == LAYERING_VERSION)
        copy(job, STEP_LAYER_DISK,
             (struct layer_copy){
                 .from = layering->layers[job->plan->layer].place, .to = disk, .bytes = layer->used_bytes});
    fetch(job, disk);
}

static void work(struct job *job)
{
    switch (job->plan->action) {
    case LAYERING_IMPORT:
        fetch(job, layering_place(job->layering->source, layer_of(job)->size_bytes));
        break;
    case LAYERING_PUBLISH:
        compose_and_send(job, job->layering->images);
        break;
    default:
        package(job);
    }
}

/* Waits for the jobs before it that make one of the layers which it needs. */
static void wait_for_layers(struct job *job)
{
    for (struct job *earlier = job->layering->jobs; earlier < job; earlier++) {
        bool needed = earlier->plan->layer != SIZE_MAX && earlier->plan->layer == job->plan->layer;
        for (size_t i = 0; i < job->plan->below_count; i++)
            needed = needed || earlier->plan->layer == job->plan->below[i];
        if (needed)
            sim_process_join(&job->process, &earlier->process, SIM_NEVER_NS);
    }
}

static void job_runs(struct sim_process *self)
{
    struct job *job = SIM_CONTAINER_OF(self, struct job, process);
    struct layering *layering = job->layering;
    struct layering_record *record = job->record;
    wait_for_layers(job);
    sim_queue_seize(self, &layering->turns, 0, SIM_NEVER_NS);
    job->chunks = calloc((size_t)layering->settings->appliance.depth, sizeof *job->chunks);
    if (job->chunks == NULL) {
        sim_out_of_memory(self->sim);
        return;
    }
    record->start_ns = sim_now_ns(self->sim);
    sim_hold(self, layering->settings->appliance.job_overhead_ns);
    record->step_ns[STEP_OVERHEAD] = sim_now_ns(self->sim) - record->start_ns;
    work(job);
    record->end_ns = sim_now_ns(self->sim);
    record->finished = true;
    free(job->chunks);
    job->chunks = NULL;
    sim_queue_release(&layering->turns);
    int64_t steps_ns = 0;
    for (int step = 0; step < STEP_COUNT; step++)
        steps_ns += record->step_ns[step];
    assert(steps_ns == record->end_ns - record->start_ns);
}

/* --- The workload. --- */

static void layering_report(struct workload *workload, int64_t from_ns, int64_t to_ns,
                            struct metric_sink *sink)
{
    const struct layering *layering = (const struct layering *)workload;
    layering_records_report(&layering->plan, layering->records, from_ns, to_ns, sink);
}

static void layering_destroy(struct workload *workload)
{
    struct layering *layering = (struct layering *)workload;
    for (size_t i = 0; i < layering->volume_count; i++)
        guest_disk_release(&layering->volumes[i].disk);
    layer_cache_release(&layering->cache);
    for (size_t i = 0; layering->jobs != NULL && i < layering->plan.job_count; i++)
        free(layering->jobs[i].chunks);
    layering_plan_release(&layering->plan);
    free(layering->volumes);
    free(layering->layers);
    free(layering->jobs);
    free(layering->records);
    free(layering);
}

static const struct workload_operations layering_operations = {.report = layering_report,
                                                               .destroy = layering_destroy};

/* That of the store, one for all who name it. */
static struct layering_volume *volume_of(struct layering *layering, const char *name)
{
    struct store *store = world_store(layering->world, name);
    for (size_t i = 0; i < layering->volume_count; i++)
        if (layering->volumes[i].disk.store == store)
            return &layering->volumes[i];
    struct layering_volume *volume = &layering->volumes[layering->volume_count++];
    guest_disk_init(&volume->disk, layering->world->sim, &layering->settings->guest, store,
                    layering->workload.number);
    volume->pages = block_store_pages(store);
    return volume;
}

static bool layering_init(struct layering *layering)
{
    const struct layering_settings *settings = layering->settings;
    struct sim *sim = layering->world->sim;
    struct parameter_problem problem;
    if (layering_plan_make(&layering->plan, &settings->layers, &settings->jobs, &problem) != LAYERING_PLAN_OK)
        return false;
    appliance_init(&layering->appliance, sim, &settings->appliance);
    layer_cache_init(&layering->cache, settings->cache_bytes);
    sim_queue_init(&layering->turns, sim, layering->workload.name, (size_t)settings->appliance.at_a_time,
                   SIM_QUEUE_FIFO);
    layering->volumes = calloc(4, sizeof *layering->volumes);
    layering->layers = calloc(layering->plan.layer_count + 1, sizeof *layering->layers);
    layering->jobs = calloc(layering->plan.job_count, sizeof *layering->jobs);
    layering->records = calloc(layering->plan.job_count, sizeof *layering->records);
    if (layering->volumes == NULL || layering->layers == NULL || layering->jobs == NULL ||
        layering->records == NULL)
        return false;
    layering->source = volume_of(layering, settings->source);
    layering->repository = volume_of(layering, settings->repository);
    layering->machines = volume_of(layering, settings->machines);
    layering->images = volume_of(layering, settings->images);
    for (size_t i = 0; i < settings->layers.count; i++)
        layering->layers[i].place = layering_place(layering->repository, layering->plan.layers[i].used_bytes);
    return true;
}

static struct workload *layering_create(struct world *world, const char *name, const void *settings)
{
    struct layering *layering = calloc(1, sizeof *layering);
    if (layering == NULL)
        return NULL;
    workload_init(&layering->workload, world, &layering_operations, name);
    layering->world = world;
    layering->settings = settings;
    if (!layering_init(layering)) {
        layering_destroy(&layering->workload);
        return NULL;
    }
    for (size_t i = 0; i < layering->plan.job_count; i++) {
        struct job *job = &layering->jobs[i];
        *job = (struct job){
            .layering = layering, .plan = &layering->plan.jobs[i], .record = &layering->records[i]};
        job->record->start_ns = SIM_NEVER_NS;
        sim_process_init(&job->process, "layering job", job_runs);
        sim_process_start_at(world->sim, &job->process, layering->settings->start_ns);
    }
    return &layering->workload;
}

const struct workload_kind layering_kind = {
    .name = "layering",
    .help = "The appliance of App Layering imports, packages and publishes, one job after the other",
    .parameters = &layering_parameters,
    .create = layering_create,
    .check = layering_fits,
};
