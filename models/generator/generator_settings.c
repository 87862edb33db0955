#include "vdisim/generator.h"

#include "vdisim/block.h"
#include "vdisim/host.h"
#include "vdisim/request.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define GENERATOR(field) offsetof(struct generator_settings, field)
#define PATTERN(field)   offsetof(struct generator_pattern, field)

/* Threads and files are told apart by one stream each pair. */
#define STREAMS_MOST 1000000

static const struct parameter pattern_rows[] = {
    {.name = "block_size",
     .type = PARAMETER_SIZE,
     .offset = PATTERN(block_bytes),
     .minimum = 512,
     .maximum = 67108864,
     .help = "Bytes of an I/O"},
    {.name = "read_share",
     .type = PARAMETER_FRACTION,
     .offset = PATTERN(read_share),
     .maximum = 1,
     .help = "Share of reads; the others write"},
    {.name = "random_share",
     .type = PARAMETER_FRACTION,
     .offset = PATTERN(random_share),
     .maximum = 1,
     .help = "Share of I/O at a random place of its file; the others follow on the last"},
};

static const struct parameter_table pattern_parameters = {
    .name = "generator_pattern",
    .help = "What the I/O of a generator is like",
    .size = sizeof(struct generator_pattern),
    .section = "generator_patterns",
    .selector = "like",
    PARAMETER_ROWS(pattern_rows),
};

static const struct parameter generator_rows[] = {
    {.name = "hosts",
     .type = PARAMETER_HOSTS,
     .offset = GENERATOR(hosts),
     .help = "The clients: each host of the group is one"},
    {.name = "store", .type = PARAMETER_STORE, .offset = GENERATOR(store), .help = "Where the files are"},
    {.name = "pattern",
     .type = PARAMETER_GROUP,
     .offset = GENERATOR(pattern),
     .group = &pattern_parameters,
     .help = "What the I/O is like"},
    {.name = "threads",
     .type = PARAMETER_COUNT,
     .offset = GENERATOR(threads),
     .minimum = 1,
     .maximum = 4096,
     .help = "Threads of a client"},
    {.name = "outstanding",
     .type = PARAMETER_COUNT,
     .offset = GENERATOR(outstanding),
     .minimum = 1,
     .maximum = 4096,
     .help = "I/Os that each thread keeps outstanding"},
    {.name = "rate",
     .type = PARAMETER_THROUGHPUT,
     .offset = GENERATOR(client_bytes_per_s),
     .minimum = 1,
     .maximum = 1e15,
     .may_be_unlimited = true,
     .help = "What a client asks for at most"},
    {.name = "files",
     .type = PARAMETER_COUNT,
     .offset = GENERATOR(files),
     .minimum = 1,
     .maximum = 65536,
     .help = "Files of a client, which its threads go round"},
    {.name = "file_size",
     .type = PARAMETER_SIZE,
     .offset = GENERATOR(file_bytes),
     .minimum = REQUEST_PAGE_BYTES,
     .maximum = 8796093022208,
     .help = "Size of each file"},
    {.name = "start",
     .type = PARAMETER_DURATION,
     .offset = GENERATOR(start_ns),
     .maximum = 6.048e14,
     .help = "When the clients begin"},
    {.name = "duration",
     .type = PARAMETER_DURATION,
     .offset = GENERATOR(duration_ns),
     .minimum = 1,
     .maximum = 6.048e14,
     .may_be_unlimited = true,
     .help = "How long they go on"},
};

static bool generator_check(const void *settings_of, struct parameter_problem *problem)
{
    const struct generator_settings *settings = settings_of;
    if (settings->pattern.block_bytes > settings->file_bytes) {
        problem->parameter = "pattern.block_size";
        snprintf(problem->message, sizeof problem->message, "a block is larger than a file, %.6g MiB",
                 (double)settings->file_bytes / 1048576.0);
        return false;
    }
    if (settings->threads * settings->files > STREAMS_MOST) {
        problem->parameter = "threads";
        snprintf(problem->message, sizeof problem->message,
                 "more than a million pairs of a thread and a file");
        return false;
    }
    return true;
}

static int64_t clients_of(const struct scenario *scenario, const char *hosts)
{
    for (size_t i = 0; i < scenario->hosts_count; i++)
        if (strcmp(scenario->hosts[i].name, hosts) == 0)
            return ((const struct host_group_settings *)scenario->hosts[i].settings)->count;
    return 0;
}

static double room_of(const struct store_part *store)
{
    return store->kind->capacity_bytes == NULL ? INFINITY
                                               : (double)store->kind->capacity_bytes(store->settings);
}

bool generator_fits(const struct scenario *scenario, const void *settings_of,
                    struct parameter_problem *problem)
{
    const struct generator_settings *settings = settings_of;
    const double files = (double)clients_of(scenario, settings->hosts) * (double)settings->files;
    for (size_t i = 0; i < scenario->store_count; i++) {
        const struct store_part *store = &scenario->stores[i];
        if (strcmp(store->name, settings->store) != 0)
            continue;
        const double room_bytes = room_of(store);
        if (files * (double)settings->file_bytes <= room_bytes)
            continue;
        problem->parameter = "file_size";
        snprintf(problem->message, sizeof problem->message,
                 "%.0f files of %.6g GiB do not fit in their store %.60s, %.6g GiB", files,
                 (double)settings->file_bytes / 1073741824.0, store->name, room_bytes / 1073741824.0);
        return false;
    }
    return true;
}

const struct parameter_table generator_parameters = {
    .name = "generator",
    .help = "Clients that keep I/O outstanding on files of a share, as diskspd does",
    .size = sizeof(struct generator_settings),
    PARAMETER_ROWS(generator_rows),
    .check = generator_check,
};
