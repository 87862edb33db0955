/* A file server on managed disks: a virtual machine whose data lie striped over equal network disks with provisioned limits.
 *
 * Limits in a row, each of which a request must pass: the disks' IOPS and throughput, all disks added, and the machine's own for
 * disks ("uncached"). A disk that has credits may go beyond its baseline, up to its burst limit: the limit is a bucket that
 * fills at the baseline and holds what burst_time at the burst limit takes beyond it, full at first, and served from at no
 * more than the burst limit. IOPS and throughput have a bucket each and are earned apart; so do machines that burst.
 *
 *     time at demand d > baseline:  initial x burst_time x (burst - baseline) / (min(d, burst) - baseline)
 *
 * With on-demand bursting, which is paid for, larger disks have their burst limit all the time. With host caching, reads of what the
 * machine's cache holds pass only its "cached" limits; what goes to the disks passes both.
 *
 * Source: Microsoft, managed-disks-bursting, 12 Feb 2021. Then the service (service.h), and the machine's network card on the
 * way in and out. The server's own memory is left out, as data are larger than it.
 */
#ifndef VDISIM_MANAGED_DISKS_H
#define VDISIM_MANAGED_DISKS_H

#include "vdisim/parameter.h"
#include "vdisim/price.h"
#include "vdisim/service.h"
#include "vdisim/world.h"

/* One disk, of the catalogue's managed_disks. */
struct managed_disk_settings {
    int64_t size_bytes;
    double iops, burst_iops; /* burst by credits; the baseline for none */
    double bytes_per_s, burst_bytes_per_s;
    double on_demand_iops, on_demand_bytes_per_s; /* 0: not sold for this disk */
};

/* The virtual machine, of the catalogue's server_machines. */
struct server_machine_settings {
    int64_t disks;                        /* most that can be attached */
    double iops, bytes_per_s;             /* to disks, uncached */
    double burst_iops, burst_bytes_per_s; /* by credits; 0 for none */
    double cached_iops, cached_bytes_per_s;
    int64_t cache_bytes; /* of the host, for cached disks */
    double nic_bytes_per_s;
};

enum host_caching { HOST_CACHING_NONE, HOST_CACHING_READ_ONLY };

struct managed_disks_settings {
    int64_t disks;
    struct managed_disk_settings disk;
    struct server_machine_settings machine;
    int64_t burst_time_ns;
    double initial_credits; /* share of a full bucket */
    bool on_demand_bursting;
    int host_caching; /* enum host_caching */
    int64_t cache_block_bytes, cache_time_ns;
    int64_t limit_window_ns;
    struct price price;
    struct service_settings service;
};

extern const struct parameter_table managed_disks_parameters;
extern const struct store_kind managed_disks_kind;

#endif
