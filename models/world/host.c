#include "vdisim/host.h"

#include "models/world/world_state.h"
#include "vdisim/time.h"

#include <stdio.h>
#include <stdlib.h>

#define HOST(field) offsetof(struct host_group_settings, field)

static const struct parameter host_group_rows[] = {
    {.name = "count",
     .type = PARAMETER_COUNT,
     .offset = HOST(count),
     .minimum = 1,
     .maximum = 100000,
     .help = "Session hosts in the group"},
    {.name = "nic",
     .type = PARAMETER_THROUGHPUT,
     .offset = HOST(nic_bytes_per_s),
     .minimum = 1,
     .maximum = 1e15,
     .may_be_unlimited = true,
     .help = "Network card of a host, each direction"},
    {.name = "disk",
     .type = PARAMETER_THROUGHPUT,
     .offset = HOST(disk_bytes_per_s),
     .minimum = 1,
     .maximum = 1e15,
     .may_be_unlimited = true,
     .help = "Throughput of a host's local disk, shared by its users"},
    {.name = "disk_latency",
     .type = PARAMETER_DURATION,
     .offset = HOST(disk_latency_ns),
     .maximum = 60e9,
     .help = "One small I/O on the local disk as a program sees it"},
    {.name = "memory",
     .type = PARAMETER_SIZE,
     .offset = HOST(memory_bytes),
     .minimum = 1048576,
     .maximum = 1.126e15,
     .may_be_unlimited = true,
     .help = "RAM of a host"},
    {.name = "smb",
     .type = PARAMETER_GROUP,
     .offset = HOST(smb),
     .group = &smb_parameters,
     .help = "The SMB client of a host"},
};

static bool host_group_check(const void *settings_of, struct parameter_problem *problem)
{
    const struct host_group_settings *settings = settings_of;
    const struct smb_cache_settings *cache = &settings->smb.data_cache;
    if (cache->grants == SMB_CACHES_NOTHING || cache->size_bytes <= settings->memory_bytes)
        return true;
    problem->parameter = "smb.data_cache.size";
    snprintf(problem->message, sizeof problem->message, "the cache is larger than the memory of a host, %.6g GiB",
             (double)settings->memory_bytes / 1073741824.0);
    return false;
}

const struct parameter_table host_group_parameters = {
    .name = "hosts",
    .help = "A group of equal session hosts",
    .size = sizeof(struct host_group_settings),
    .section = "machines",
    .selector = "machine",
    PARAMETER_ROWS(host_group_rows),
    .check = host_group_check,
};

static const struct parameter network_rows[] = {
    {.name = "round_trip",
     .type = PARAMETER_DURATION,
     .offset = offsetof(struct network_settings, round_trip_ns),
     .maximum = 60e9,
     .help = "Time for an empty message from a host to a store and back"},
    {.name = "bandwidth",
     .type = PARAMETER_THROUGHPUT,
     .offset = offsetof(struct network_settings, bytes_per_s),
     .minimum = 1,
     .maximum = 1e15,
     .may_be_unlimited = true,
     .help = "What all hosts share between them and the stores, each direction"},
};

const struct parameter_table network_parameters = {
    .name = "network",
    .help = "The network between hosts and stores",
    .size = sizeof(struct network_settings),
    PARAMETER_ROWS(network_rows),
};

void wire_init(struct wire *wire, double bytes_per_s)
{
    *wire = (struct wire){.ns_per_byte = sim_ns_per_unit(bytes_per_s)};
}

int64_t wire_carry(struct wire *wire, int64_t ready_ns, int64_t bytes)
{
    if (wire->ns_per_byte <= 0.0)
        return ready_ns;
    const int64_t start_ns = wire->free_ns > ready_ns ? wire->free_ns : ready_ns;
    return wire->free_ns = start_ns + (int64_t)((double)bytes * wire->ns_per_byte);
}

void network_init(struct network *network, const struct network_settings *settings)
{
    network->one_way_ns = settings->round_trip_ns / 2;
    wire_init(&network->to_stores, settings->bytes_per_s);
    wire_init(&network->from_stores, settings->bytes_per_s);
}

bool host_group_init(struct host_group *group, struct world *world, const char *name,
                     const struct host_group_settings *settings, uint32_t first_number)
{
    *group = (struct host_group){.name = name, .settings = settings};
    group->hosts = calloc((size_t)settings->count, sizeof *group->hosts);
    if (group->hosts == NULL)
        return false;
    group->count = (size_t)settings->count;
    for (size_t i = 0; i < group->count; i++) {
        struct host *host = &group->hosts[i];
        host->world = world;
        host->number = first_number + (uint32_t)i;
        host->settings = settings;
        wire_init(&host->nic_out, settings->nic_bytes_per_s);
        wire_init(&host->nic_in, settings->nic_bytes_per_s);
        sim_link_init(&host->disk, world->sim, settings->disk_bytes_per_s);
        host->clients = calloc(world->store_count, sizeof(struct smb_client *));
        if (host->clients == NULL)
            return false;
    }
    return true;
}

void host_group_release(struct host_group *group)
{
    for (size_t i = 0; i < group->count; i++) {
        struct host *host = &group->hosts[i];
        if (host->clients == NULL)
            continue;
        for (size_t store = 0; store < host->world->store_count; store++)
            smb_client_destroy(host->clients[store]);
        free(host->clients);
    }
    free(group->hosts);
}

struct smb_client *host_client(struct host *host, struct store *store)
{
    struct world *world = host->world;
    for (size_t i = 0; i < world->store_count; i++) {
        if (world->stores[i] != store)
            continue;
        if (host->clients[i] == NULL)
            if ((host->clients[i] = smb_client_create(host, store)) != NULL)
                host->senders++;
        return host->clients[i];
    }
    return NULL;
}
