/* A file server on managed disks: a virtual machine whose data lie striped over equal network disks with provisioned limits.
 *
 * Four limits in a row, each of which a request must pass: the disks' IOPS and throughput, all disks added, and the
 * machine's own for disks ("uncached"). A disk that has credits may go beyond its baseline, up to its burst limit: the limit is
 * a bucket that fills at the baseline and holds what burst_time at the burst limit takes beyond it, full at first, and
 * served from at no more than the burst limit. IOPS and throughput have a bucket each and are earned apart.
 *
 *     time at demand d > baseline:  initial x burst_time x (burst - baseline) / (min(d, burst) - baseline)
 *
 * Source: Microsoft, managed-disks-bursting, 12 Feb 2021. Then the service (service.h), and the machine's network card on the
 * way in and out. All reads and writes go to the disks: the server's memory is left out, as data are larger than it.
 */
#ifndef VDISIM_MANAGED_DISKS_H
#define VDISIM_MANAGED_DISKS_H

#include "vdisim/parameter.h"
#include "vdisim/price.h"
#include "vdisim/service.h"
#include "vdisim/world.h"

struct managed_disks_settings {
    int64_t disks;
    int64_t disk_size_bytes;
    double disk_iops, disk_burst_iops;
    double disk_bytes_per_s, disk_burst_bytes_per_s;
    int64_t burst_time_ns;
    double initial_credits; /* share of a full bucket */
    int64_t machine_disks;  /* most that can be attached */
    double machine_iops, machine_bytes_per_s;
    double nic_bytes_per_s;
    int64_t limit_window_ns;
    struct price price;
    struct service_settings service;
};

extern const struct parameter_table managed_disks_parameters;
extern const struct store_kind managed_disks_kind;

#endif
