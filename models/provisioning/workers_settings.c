#include "models/provisioning/workers.h"

#include "vdisim/world.h"

#include <stddef.h>
#include <stdio.h>

#define WORKERS(field) offsetof(struct workers_settings, field)
#define IO(field)      offsetof(struct worker_io_settings, field)

static const struct parameter io_rows[] = {
    {.name = "rate",
     .type = PARAMETER_RATE,
     .offset = IO(io_per_s),
     .maximum = 1e5,
     .help = "Reads and writes of a user on the cache"},
    {.name = "read_share",
     .type = PARAMETER_FRACTION,
     .offset = IO(read_share),
     .maximum = 1,
     .help = "Share of reads, of what the user has written"},
    {.name = "io_size",
     .type = PARAMETER_SIZE,
     .offset = IO(io_size_bytes),
     .minimum = 4096,
     .maximum = 1048576,
     .help = "Bytes of a write of a file; hot places are written by 4 KiB"},
    {.name = "hot_share",
     .type = PARAMETER_FRACTION,
     .offset = IO(hot_share),
     .maximum = 1,
     .help = "Share of writes to places that are written again and again: logs, registry, directories"},
    {.name = "hot_size",
     .type = PARAMETER_SIZE,
     .offset = IO(hot_bytes),
     .minimum = 4096,
     .maximum = 1e12,
     .help = "How large these places are on a machine"},
    {.name = "logon",
     .type = PARAMETER_SIZE,
     .offset = IO(logon_bytes),
     .maximum = 1e12,
     .help = "Written when a user logs on, and kept"},
    {.name = "file_size",
     .type = PARAMETER_SIZE,
     .offset = IO(file_bytes),
     .minimum = 4096,
     .maximum = 1e10,
     .help = "Mean size of a file that is written (exponential)"},
    {.name = "deleted_share",
     .type = PARAMETER_FRACTION,
     .offset = IO(deleted_share),
     .maximum = 1,
     .help = "Share of files that are deleted again"},
    {.name = "file_life",
     .type = PARAMETER_DURATION,
     .offset = IO(file_life_ns),
     .maximum = 6.048e14,
     .help = "Mean time until then (exponential)"},
};

static const struct parameter_table io_parameters = {
    .name = "worker_io",
    .help = "What a session reads and writes on the system disk",
    .size = sizeof(struct worker_io_settings),
    PARAMETER_ROWS(io_rows),
};

static const char *const cache_choices[] = {"server", "disk", "ram", "ram-with-overflow", NULL};

static const struct parameter workers_rows[] = {
    {.name = "store",
     .type = PARAMETER_STORE,
     .offset = WORKERS(store),
     .help = "Volume with the cache disks of all workers"},
    {.name = "server_store",
     .type = PARAMETER_STORE,
     .offset = WORKERS(server_store),
     .optional = true,
     .help = "Volume of the PVS server, for a write cache on the server"},
    {.name = "guest",
     .type = PARAMETER_GROUP,
     .offset = WORKERS(guest),
     .group = &guest_disk_parameters,
     .help = "How workers see their disks"},
    {.name = "workers",
     .type = PARAMETER_COUNT,
     .offset = WORKERS(workers),
     .minimum = 1,
     .maximum = 10000,
     .help = "Targets"},
    {.name = "users_per_worker",
     .type = PARAMETER_COUNT,
     .offset = WORKERS(users_per_worker),
     .minimum = 1,
     .maximum = 1000,
     .help = "Users on each"},
    {.name = "arrivals",
     .type = PARAMETER_GROUP,
     .offset = WORKERS(arrivals),
     .group = &arrival_parameters,
     .help = "When they log on"},
    {.name = "session_length",
     .type = PARAMETER_DURATION,
     .offset = WORKERS(session_length_ns),
     .minimum = 1,
     .maximum = 6.048e14,
     .help = "How long they stay"},
    {.name = "cache",
     .type = PARAMETER_CHOICE,
     .offset = WORKERS(cache),
     .choices = cache_choices,
     .help = "Where the write cache is"},
    {.name = "ram_cache",
     .type = PARAMETER_SIZE,
     .offset = WORKERS(ram_cache_bytes),
     .maximum = 1e13,
     .help = "Most memory that the write cache takes of a worker"},
    {.name = "vdisk",
     .type = PARAMETER_SIZE,
     .offset = WORKERS(vdisk_bytes),
     .minimum = 1048576,
     .maximum = 1e13,
     .help = "Size of the vDisk"},
    {.name = "cache_disk",
     .type = PARAMETER_SIZE,
     .offset = WORKERS(cache_disk_bytes),
     .minimum = 4194304,
     .maximum = 1e13,
     .help = "Size of a worker's own disk, with cache file and pagefile"},
    {.name = "memory",
     .type = PARAMETER_GROUP,
     .offset = WORKERS(memory),
     .group = &pagefile_parameters,
     .help = "Memory and pagefile of a worker"},
    {.name = "io",
     .type = PARAMETER_GROUP,
     .offset = WORKERS(io),
     .group = &io_parameters,
     .help = "What a session reads and writes"},
};

static bool workers_check(const void *settings_of, struct parameter_problem *problem)
{
    const struct workers_settings *settings = settings_of;
    if (settings->cache == WRITE_CACHE_SERVER && settings->server_store == NULL) {
        problem->parameter = "server_store";
        snprintf(problem->message, sizeof problem->message,
                 "a write cache on the server needs server_store, the name of a store");
        return false;
    }
    const bool in_memory =
        settings->cache == WRITE_CACHE_RAM || settings->cache == WRITE_CACHE_RAM_WITH_OVERFLOW;
    problem->parameter = "ram_cache";
    if (in_memory &&
        settings->ram_cache_bytes > settings->memory.memory_bytes - settings->memory.system_bytes) {
        snprintf(problem->message, sizeof problem->message,
                 "the RAM cache is larger than the %.0f MiB of memory that the system leaves",
                 (double)(settings->memory.memory_bytes - settings->memory.system_bytes) / 1048576.0);
        return false;
    }
    if (settings->cache == WRITE_CACHE_RAM && settings->ram_cache_bytes == 0) {
        snprintf(problem->message, sizeof problem->message,
                 "a cache in RAM without overflow needs some: the first write would stop the worker");
        return false;
    }
    problem->parameter = "io.hot_size";
    if (settings->io.hot_bytes > settings->vdisk_bytes / 2) {
        snprintf(problem->message, sizeof problem->message,
                 "more than half of the vDisk is written again and again");
        return false;
    }
    return true;
}

bool workers_fit(const struct scenario *scenario, const void *settings_of, struct parameter_problem *problem)
{
    const struct workers_settings *settings = settings_of;
    const bool on_server = settings->cache == WRITE_CACHE_SERVER;
    const char *const stores[] = {settings->store, on_server ? settings->server_store : settings->store};
    for (int i = 0; i < 2; i++) {
        const int64_t room_bytes = scenario_room_bytes(scenario, stores[i]);
        if (settings->cache_disk_bytes <= room_bytes)
            continue;
        problem->parameter = "cache_disk";
        snprintf(problem->message, sizeof problem->message,
                 "the cache disk of one worker, %.6g GiB, is larger than its store %.60s, %.6g GiB",
                 (double)settings->cache_disk_bytes / 1073741824.0, stores[i],
                 (double)room_bytes / 1073741824.0);
        return false;
    }
    return true;
}

const struct parameter_table workers_parameters = {
    .name = "write_cache",
    .help = "Workers that boot from a read-only vDisk, and where they write",
    .size = sizeof(struct workers_settings),
    PARAMETER_ROWS(workers_rows),
    .check = workers_check,
};
