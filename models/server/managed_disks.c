#include "vdisim/managed_disks.h"

#include "models/block/disk_server.h"
#include "models/world/world_state.h"
#include "vdisim/entitlement.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define GIB 1073741824.0

static const struct store_operations managed_disks_operations = {
    .submit = disk_server_submit,
    .burst_credits = disk_server_burst_credits,
    .report = disk_server_report,
    .destroy = disk_server_destroy,
};

static int64_t managed_disks_capacity(const void *settings_of)
{
    const struct managed_disks_settings *settings = settings_of;
    return settings->disks * settings->disk.size_bytes;
}

/* What all disks have together. */
static struct burst_rate of_disks(const struct managed_disks_settings *settings, double base, double burst,
                                  double on_demand)
{
    const double disks = (double)settings->disks;
    if (settings->on_demand_bursting)
        return burst_rate_for(disks * on_demand, disks * on_demand, 0);
    return burst_rate_for(disks * base, disks * burst, settings->burst_time_ns);
}

static struct disk_server_plan plan_of(const struct managed_disks_settings *settings)
{
    const struct managed_disk_settings *disk = &settings->disk;
    const struct server_machine_settings *machine = &settings->machine;
    return (struct disk_server_plan){
        .network = burst_rate_for(INFINITY, INFINITY, 0),
        .nic_bytes_per_s = machine->nic_bytes_per_s,
        .cached_iops = machine->cached_iops,
        .cached_bytes_per_s = machine->cached_bytes_per_s,
        .machine_iops = burst_rate_for(machine->iops, machine->burst_iops, settings->burst_time_ns),
        .machine_bytes =
            burst_rate_for(machine->bytes_per_s, machine->burst_bytes_per_s, settings->burst_time_ns),
        .storage_iops = of_disks(settings, disk->iops, disk->burst_iops, disk->on_demand_iops),
        .storage_bytes =
            of_disks(settings, disk->bytes_per_s, disk->burst_bytes_per_s, disk->on_demand_bytes_per_s),
        .initial_credits = settings->initial_credits,
        .limit_window_ns = settings->limit_window_ns,
        .cache_bytes = settings->host_caching == HOST_CACHING_READ_ONLY ? machine->cache_bytes : 0,
        .cache_block_bytes = settings->cache_block_bytes,
        .hit_ns = settings->cache_time_ns,
        .service = &settings->service,
    };
}

static struct store *managed_disks_create(struct world *world, const char *name, const void *settings_of)
{
    const struct managed_disks_settings *settings = settings_of;
    const struct disk_server_plan plan = plan_of(settings);
    struct disk_server *server = calloc(1, sizeof *server);
    if (server == NULL)
        return NULL;
    const bool fine = disk_server_init(server, &managed_disks_operations, &plan, world, name);
    server->store.price = price_is_known(&settings->price) ? &settings->price : NULL;
    server->store.price_gib = (double)managed_disks_capacity(settings) / GIB;
    if (fine)
        return &server->store;
    disk_server_destroy(&server->store);
    return NULL;
}

static void entitle_cache(const struct disk_server_plan *plan, struct entitlement *entitlement)
{
    static const char both[] = "hits, and what goes to the disks";
    if (plan->cache_bytes == 0)
        return;
    entitlement_add(entitlement, "cache.size", "host cache", "GiB", (double)plan->cache_bytes / GIB,
                    "reads only");
    entitlement_add(entitlement, "cache.iops", "machine, cached", "IOPS", plan->cached_iops, "%s", both);
    entitlement_add(entitlement, "cache.throughput", "machine, cached throughput", "MB/s",
                    plan->cached_bytes_per_s / 1e6, "%s", both);
}

static void managed_disks_entitle(const void *settings_of, struct entitlement *entitlement)
{
    static const struct burst_words words[] = {
        {"disks.iops", "disks", "IOPS", "credits", 1.0},
        {"disks.throughput", "disks, throughput", "MB/s", "MB", 1e6},
        {"machine.iops", "machine", "IOPS", "credits", 1.0},
        {"machine.throughput", "machine, throughput", "MB/s", "MB", 1e6},
    };
    const struct managed_disks_settings *settings = settings_of;
    const struct disk_server_plan plan = plan_of(settings);
    const double disks = (double)settings->disks;
    const char *how = settings->on_demand_bursting ? ", on demand" : "";
    char number[32], formula[64];
    snprintf(formula, sizeof formula, "%.0f x %s%s", disks,
             entitlement_number(plan.storage_iops.base / disks, number), how);
    burst_rate_entitle(&plan.storage_iops, &words[0], formula, entitlement);
    snprintf(formula, sizeof formula, "%.0f x %s%s", disks,
             entitlement_number(plan.storage_bytes.base / disks / 1e6, number), how);
    burst_rate_entitle(&plan.storage_bytes, &words[1], formula, entitlement);
    burst_rate_entitle(&plan.machine_iops, &words[2], "uncached", entitlement);
    burst_rate_entitle(&plan.machine_bytes, &words[3], "uncached", entitlement);
    entitle_cache(&plan, entitlement);
    entitlement_add(entitlement, "network", "network card, each direction", "MB/s",
                    plan.nic_bytes_per_s / 1e6, "%s", "");
    entitlement_add(entitlement, "iops", "in all, without credits", "IOPS", disk_server_iops(&plan),
                    "the lower of disks and machine");
    entitlement_add(entitlement, "throughput", "in all, without credits, throughput", "MB/s",
                    fmin(disk_server_bytes_per_s(&plan), plan.nic_bytes_per_s) / 1e6,
                    "the lowest of disks, machine and card");
    entitlement_add(entitlement, "latency.read", "latency of a read, idle", "ms",
                    service_mean_latency_ns(&settings->service, CLASS_READ, 0.0) / 1e6, "%s", "");
    entitlement_add(entitlement, "latency.write", "latency of a write, idle", "ms",
                    service_mean_latency_ns(&settings->service, CLASS_WRITE, 0.0) / 1e6, "%s", "");
}

static const struct price *managed_disks_price(const void *settings)
{
    return &((const struct managed_disks_settings *)settings)->price;
}

const struct store_kind managed_disks_kind = {
    .name = "managed-disks",
    .help = "A file server on managed disks with burst buckets",
    .parameters = &managed_disks_parameters,
    .create = managed_disks_create,
    .capacity_bytes = managed_disks_capacity,
    .entitle = managed_disks_entitle,
    .price = managed_disks_price,
};
