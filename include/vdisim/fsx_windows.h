/* Amazon FSx for Windows File Server: a Windows server of a throughput capacity, with volumes of a size behind it.
 *
 * Data that the server's memory holds go to the client through the network's limit alone. All else passes the disk limits of the
 * server and those of the volumes, so that the lower counts. Each limit has a baseline and most a burst, for as long as credits
 * last that accrue below the baseline:
 *
 *     credits = burst_time x (burst - baseline)
 *     volumes, SSD:  throughput = 750 MB/s x TiB, IOPS = 3 x GiB or what was bought
 *     volumes, HDD:  12 MB/s and 12 IOPS a TiB, 80 while credits last, of which there is 1 TiB a TiB
 *
 * The network's limit is taken to hold for both directions added. What a deployment in two zones costs a write is a latency of its
 * tier. Sources: Amazon, FSx for Windows user guide, performance, 4 Oct 2022 and 19 Dec 2018.
 */
#ifndef VDISIM_FSX_WINDOWS_H
#define VDISIM_FSX_WINDOWS_H

#include "vdisim/parameter.h"
#include "vdisim/price.h"
#include "vdisim/service.h"
#include "vdisim/world.h"

/* A throughput capacity, of the catalogue's fsx_servers. */
struct fsx_server_settings {
    double network_bytes_per_s, network_burst_bytes_per_s;
    double disk_bytes_per_s, disk_burst_bytes_per_s;
    double disk_iops, disk_burst_iops;
    int64_t network_burst_time_ns, disk_burst_time_ns;
    int64_t memory_bytes;
};

struct fsx_windows_settings {
    int64_t size_bytes, size_min_bytes, size_max_bytes;
    struct fsx_server_settings server;
    double provisioned_iops; /* of the volumes; 0: by the size */
    double iops_per_gib, burst_iops_per_gib;
    double bytes_per_s_per_gib, burst_bytes_per_s_per_gib, bytes_per_s_max;
    int64_t volume_burst_time_ns;
    double initial_credits; /* share of full buckets */
    double cache_share;     /* of the memory, for files */
    int64_t cache_block_bytes, cache_time_ns;
    int64_t limit_window_ns;
    int64_t channels;
    struct price price;
    struct service_settings service;
};

extern const struct parameter_table fsx_windows_parameters;
extern const struct store_kind fsx_windows_kind;

#endif
