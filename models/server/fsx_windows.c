#include "vdisim/fsx_windows.h"

#include "models/block/disk_server.h"
#include "models/world/world_state.h"
#include "vdisim/entitlement.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define GIB 1073741824.0

static const struct store_operations fsx_windows_operations = {
    .submit = disk_server_submit,
    .burst_credits = disk_server_burst_credits,
    .report = disk_server_report,
    .destroy = disk_server_destroy,
};

static struct disk_server_plan plan_of(const struct fsx_windows_settings *settings)
{
    const struct fsx_server_settings *server = &settings->server;
    const double gib = (double)settings->size_bytes / GIB, most = settings->bytes_per_s_max;
    const int64_t volume_ns = settings->volume_burst_time_ns;
    const double bought = settings->provisioned_iops;
    return (struct disk_server_plan){
        .network = burst_rate_for(server->network_bytes_per_s, server->network_burst_bytes_per_s,
                                  server->network_burst_time_ns),
        .nic_bytes_per_s = INFINITY,
        .cached_iops = INFINITY,
        .cached_bytes_per_s = INFINITY,
        .machine_iops =
            burst_rate_for(server->disk_iops, server->disk_burst_iops, server->disk_burst_time_ns),
        .machine_bytes = burst_rate_for(server->disk_bytes_per_s, server->disk_burst_bytes_per_s,
                                        server->disk_burst_time_ns),
        .storage_iops = bought > 0.0 ? burst_rate_for(bought, bought, 0)
                                     : burst_rate_for(settings->iops_per_gib * gib,
                                                      settings->burst_iops_per_gib * gib, volume_ns),
        .storage_bytes = burst_rate_for(fmin(settings->bytes_per_s_per_gib * gib, most),
                                        fmin(settings->burst_bytes_per_s_per_gib * gib, most), volume_ns),
        .initial_credits = settings->initial_credits,
        .limit_window_ns = settings->limit_window_ns,
        .cache_bytes = (int64_t)((double)server->memory_bytes * settings->cache_share),
        .cache_block_bytes = settings->cache_block_bytes,
        .hit_ns = settings->cache_time_ns,
        .service = &settings->service,
    };
}

static int64_t fsx_windows_capacity(const void *settings)
{
    return ((const struct fsx_windows_settings *)settings)->size_bytes;
}

static struct store *fsx_windows_create(struct world *world, const char *name, const void *settings_of)
{
    const struct fsx_windows_settings *settings = settings_of;
    const struct disk_server_plan plan = plan_of(settings);
    struct disk_server *server = calloc(1, sizeof *server);
    if (server == NULL)
        return NULL;
    const bool fine = disk_server_init(server, &fsx_windows_operations, &plan, world, name);
    server->store.channels = settings->channels;
    server->store.price = price_is_known(&settings->price) ? &settings->price : NULL;
    server->store.price_gib = (double)settings->size_bytes / GIB;
    server->store.price_iops =
        fmax(0.0, settings->provisioned_iops - settings->iops_per_gib * server->store.price_gib);
    server->store.price_throughput = settings->server.disk_bytes_per_s / 1e6;
    if (fine)
        return &server->store;
    disk_server_destroy(&server->store);
    return NULL;
}

static void entitle_volumes(const struct fsx_windows_settings *settings, const struct disk_server_plan *plan,
                            struct entitlement *entitlement)
{
    char number[3][32], formula[128];
    entitlement_number((double)settings->size_bytes / GIB, number[0]);
    if (settings->provisioned_iops > 0.0)
        snprintf(formula, sizeof formula, "bought");
    else
        snprintf(formula, sizeof formula, "%s x %s GiB",
                 entitlement_number(settings->iops_per_gib, number[1]), number[0]);
    burst_rate_entitle(&plan->storage_iops,
                       &(struct burst_words){"volumes.iops", "volumes", "IOPS", "credits", 1.0}, formula,
                       entitlement);
    const bool has_most = !isinf(settings->bytes_per_s_max);
    snprintf(formula, sizeof formula, "%s a TiB x %s GiB%s%s",
             entitlement_number(settings->bytes_per_s_per_gib * 1024.0 / 1e6, number[1]), number[0],
             has_most ? ", at most " : "",
             has_most ? entitlement_number(settings->bytes_per_s_max / 1e6, number[2]) : "");
    burst_rate_entitle(&plan->storage_bytes,
                       &(struct burst_words){"volumes.throughput", "volumes, throughput", "MB/s", "MB", 1e6},
                       formula, entitlement);
}

/* The lower of server and volumes, at the baseline and at the burst. */
static void entitle_all(const struct disk_server_plan *plan, struct entitlement *entitlement)
{
    static const char lower[] = "the lower of server and volumes";
    const double base = fmin(plan->machine_bytes.base, plan->storage_bytes.base);
    const double burst = fmin(burst_rate_peak(&plan->machine_bytes), burst_rate_peak(&plan->storage_bytes));
    entitlement_add(entitlement, "disk.iops", "from disk", "IOPS", disk_server_iops(plan), "%s", lower);
    entitlement_add(entitlement, "disk.iops.burst", "from disk, while credits last", "IOPS",
                    fmin(burst_rate_peak(&plan->machine_iops), burst_rate_peak(&plan->storage_iops)), "%s",
                    lower);
    entitlement_add(entitlement, "disk.throughput", "from disk, throughput", "MB/s", base / 1e6, "%s", lower);
    entitlement_add(entitlement, "disk.throughput.burst", "from disk, throughput, while credits last", "MB/s",
                    burst / 1e6, "%s", lower);
}

static void fsx_windows_entitle(const void *settings_of, struct entitlement *entitlement)
{
    static const char by_capacity[] = "by the throughput capacity";
    const struct fsx_windows_settings *settings = settings_of;
    const struct disk_server_plan plan = plan_of(settings);
    burst_rate_entitle(&plan.network, &(struct burst_words){"network", "network", "MB/s", "MB", 1e6},
                       by_capacity, entitlement);
    entitlement_add(entitlement, "cache.size", "memory for files", "GiB", (double)plan.cache_bytes / GIB,
                    "reads from it pass the network alone");
    burst_rate_entitle(&plan.machine_iops,
                       &(struct burst_words){"server.iops", "server", "IOPS", "credits", 1.0}, by_capacity,
                       entitlement);
    burst_rate_entitle(&plan.machine_bytes,
                       &(struct burst_words){"server.throughput", "server, throughput", "MB/s", "MB", 1e6},
                       by_capacity, entitlement);
    entitle_volumes(settings, &plan, entitlement);
    entitle_all(&plan, entitlement);
    entitlement_add(entitlement, "latency.read", "latency of a read from disk, idle", "ms",
                    service_mean_latency_ns(&settings->service, CLASS_READ, 0.0) / 1e6, "%s", "");
    entitlement_add(entitlement, "latency.write", "latency of a write, idle", "ms",
                    service_mean_latency_ns(&settings->service, CLASS_WRITE, 0.0) / 1e6, "%s", "");
}

static const struct price *fsx_windows_price(const void *settings)
{
    return &((const struct fsx_windows_settings *)settings)->price;
}

const struct store_kind fsx_windows_kind = {
    .name = "fsx-windows",
    .help = "Amazon FSx for Windows File Server: network, disk and volume limits with credits",
    .parameters = &fsx_windows_parameters,
    .create = fsx_windows_create,
    .capacity_bytes = fsx_windows_capacity,
    .entitle = fsx_windows_entitle,
    .price = fsx_windows_price,
};
