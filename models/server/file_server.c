#include "vdisim/file_server.h"

#include "models/smb/file_cache.h"
#include "models/world/world_state.h"
#include "vdisim/random.h"
#include "vdisim/store.h"
#include "vdisim/time.h"

#include <stdio.h>
#include <stdlib.h>

struct file_server {
    struct store store; /* first */
    const struct file_server_settings *settings;
    struct file_cache cache;
    struct wire nic_in, nic_out;
    int64_t *disk_free_ns;
    double disk_ns_per_byte;
    struct sim_random disk_time;
};

static void keep(struct file_server *server, struct request *request, int64_t bytes)
{
    if (!file_cache_keep(&server->cache, request, bytes))
        sim_out_of_memory(server->store.sim);
}

/* Takes the disk that is free first; when it begins and when it has ended. */
static int64_t use_disk(struct file_server *server, int64_t ready_ns, int64_t bytes, int64_t *begins_ns)
{
    int64_t *disk = &server->disk_free_ns[0];
    for (int64_t i = 1; i < server->settings->disks; i++)
        if (server->disk_free_ns[i] < *disk)
            disk = &server->disk_free_ns[i];
    *begins_ns = *disk > ready_ns ? *disk : ready_ns;
    const double time_ns =
        (double)server->settings->disk_time_ns * sim_random_exponential(&server->disk_time) +
        (double)bytes * server->disk_ns_per_byte;
    return *disk = *begins_ns + (int64_t)time_ns;
}

static void answer_is_ready(struct sim *sim, struct sim_event *event)
{
    struct request *request = SIM_CONTAINER_OF(event, struct request, event);
    struct file_server *server = (struct file_server *)request->store;
    if (request->operation == OPERATION_READ)
        keep(server, request, request->egress_bytes);
    request->served_ns = wire_carry(&server->nic_out, sim_now_ns(sim), request->egress_bytes);
    request->leave(request);
}

static void file_server_submit(struct store *store, struct request *request)
{
    struct file_server *server = (struct file_server *)store;
    request->admitted_ns = wire_carry(&server->nic_in, request->arrived_ns, request->ingress_bytes);
    request->started_ns = request->admitted_ns;
    int64_t ready_ns = request->admitted_ns + server->settings->latency_ns;
    if (request->operation == OPERATION_READ &&
        !file_cache_holds(&server->cache, request, request->egress_bytes)) {
        ready_ns = use_disk(server, ready_ns, request->egress_bytes, &request->started_ns);
    } else if (request->operation == OPERATION_WRITE) {
        int64_t begins_ns;
        keep(server, request, request->ingress_bytes);
        use_disk(server, ready_ns, request->ingress_bytes, &begins_ns);
    }
    sim_event_init(&request->event, answer_is_ready, SIM_EVENT_LABEL('f', 's', 'r', 'v'));
    sim_schedule_at(store->sim, &request->event, ready_ns);
}

static void file_server_destroy(struct store *store)
{
    struct file_server *server = (struct file_server *)store;
    file_cache_release(&server->cache);
    free(server->disk_free_ns);
    store_release(store);
    free(server);
}

static const struct store_operations file_server_operations = {
    .submit = file_server_submit,
    .destroy = file_server_destroy,
};

static struct store *file_server_create(struct world *world, const char *name, const void *settings_of)
{
    const struct file_server_settings *settings = settings_of;
    struct file_server *server = calloc(1, sizeof *server);
    if (server == NULL)
        return NULL;
    store_init(&server->store, &file_server_operations, name, world->sim);
    server->settings = settings;
    file_cache_init(&server->cache, settings->cache_bytes, settings->block_bytes);
    wire_init(&server->nic_in, settings->nic_bytes_per_s);
    wire_init(&server->nic_out, settings->nic_bytes_per_s);
    server->disk_ns_per_byte = sim_ns_per_unit(settings->disk_bytes_per_s);
    sim_random_init_named(&server->disk_time, world->seed, world->replication, "%s/disk time", name);
    server->disk_free_ns = calloc((size_t)settings->disks, sizeof *server->disk_free_ns);
    if (server->disk_free_ns == NULL) {
        file_server_destroy(&server->store);
        return NULL;
    }
    return &server->store;
}

#define SERVER(field) offsetof(struct file_server_settings, field)

static const struct parameter file_server_rows[] = {
    {.name = "size",
     .type = PARAMETER_SIZE,
     .offset = SERVER(size_bytes),
     .minimum = 65536,
     .maximum = 17592186044416,
     .help = "Room for files"},
    {.name = "memory",
     .type = PARAMETER_SIZE,
     .offset = SERVER(memory_bytes),
     .minimum = 1048576,
     .maximum = 1.126e15,
     .help = "RAM of the server"},
    {.name = "cache",
     .type = PARAMETER_SIZE,
     .offset = SERVER(cache_bytes),
     .maximum = 1.126e15,
     .help = "What of it caches files"},
    {.name = "block",
     .type = PARAMETER_SIZE,
     .offset = SERVER(block_bytes),
     .minimum = 4096,
     .maximum = 8388608,
     .help = "Unit in which files are cached"},
    {.name = "latency",
     .type = PARAMETER_DURATION,
     .offset = SERVER(latency_ns),
     .maximum = 60e9,
     .help = "The server's own time for a request"},
    {.name = "disks",
     .type = PARAMETER_COUNT,
     .offset = SERVER(disks),
     .minimum = 1,
     .maximum = 10000,
     .help = "Disks that serve one request at a time each"},
    {.name = "disk_time",
     .type = PARAMETER_DURATION,
     .offset = SERVER(disk_time_ns),
     .maximum = 60e9,
     .help = "Mean time of a disk for a request, beyond its bytes (exponential)"},
    {.name = "disk_rate",
     .type = PARAMETER_THROUGHPUT,
     .offset = SERVER(disk_bytes_per_s),
     .minimum = 1,
     .maximum = 1e15,
     .may_be_unlimited = true,
     .help = "Rate at which a disk reads and writes"},
    {.name = "nic",
     .type = PARAMETER_THROUGHPUT,
     .offset = SERVER(nic_bytes_per_s),
     .minimum = 1,
     .maximum = 1e15,
     .may_be_unlimited = true,
     .help = "Network card of the server, each direction"},
};

static bool file_server_check(const void *settings_of, struct parameter_problem *problem)
{
    const struct file_server_settings *settings = settings_of;
    if (settings->cache_bytes <= settings->memory_bytes)
        return true;
    problem->parameter = "cache";
    snprintf(problem->message, sizeof problem->message,
             "the cache is larger than the server's memory, %.6g GiB",
             (double)settings->memory_bytes / 1073741824.0);
    return false;
}

const struct parameter_table file_server_parameters = {
    .name = "file_server",
    .help = "A Windows file server on disks of its own",
    .size = sizeof(struct file_server_settings),
    .section = "tiers",
    .selector = "tier",
    PARAMETER_ROWS(file_server_rows),
    .check = file_server_check,
};

static int64_t file_server_capacity(const void *settings)
{
    return ((const struct file_server_settings *)settings)->size_bytes;
}

const struct store_kind file_server_kind = {
    .name = "file-server",
    .help = "A Windows file server: RAM, disks, a network card",
    .parameters = &file_server_parameters,
    .create = file_server_create,
    .capacity_bytes = file_server_capacity,
};
