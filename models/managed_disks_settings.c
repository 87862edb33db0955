#include "vdisim/managed_disks.h"

#include <stdio.h>

#define DISKS(field) offsetof(struct managed_disks_settings, field)

#define RATE_ROW(key, field, text)                                                                           \
    {                                                                                                        \
        .name = key, .type = PARAMETER_RATE, .offset = DISKS(field), .minimum = 1, .maximum = 1e9,           \
        .may_be_unlimited = true, .help = text                                                               \
    }
#define THROUGHPUT_ROW(key, field, text)                                                                     \
    {                                                                                                        \
        .name = key, .type = PARAMETER_THROUGHPUT, .offset = DISKS(field), .minimum = 1, .maximum = 1e15,    \
        .may_be_unlimited = true, .help = text                                                               \
    }

static const struct parameter managed_disks_rows[] = {
    {.name = "disks",
     .type = PARAMETER_COUNT,
     .offset = DISKS(disks),
     .minimum = 1,
     .maximum = 1024,
     .help = "Equal disks over which the data are striped"},
    {.name = "disk_size",
     .type = PARAMETER_SIZE,
     .offset = DISKS(disk_size_bytes),
     .minimum = 1073741824,
     .maximum = 7.2e13,
     .help = "Size of a disk"},
    RATE_ROW("disk_iops", disk_iops, "Baseline IOPS of a disk"),
    RATE_ROW("disk_burst_iops", disk_burst_iops,
             "IOPS of a disk while it has credits; the baseline for none"),
    THROUGHPUT_ROW("disk_throughput", disk_bytes_per_s,
                   "Baseline throughput of a disk, reads and writes added"),
    THROUGHPUT_ROW("disk_burst_throughput", disk_burst_bytes_per_s,
                   "Throughput of a disk while it has credits; the baseline for none"),
    {.name = "burst_time",
     .type = PARAMETER_DURATION,
     .offset = DISKS(burst_time_ns),
     .maximum = 1e15,
     .help = "How long a full bucket lasts at the burst limit"},
    {.name = "initial_credits",
     .type = PARAMETER_FRACTION,
     .offset = DISKS(initial_credits),
     .maximum = 1,
     .help = "How full the buckets are at the start"},
    {.name = "machine_disks",
     .type = PARAMETER_COUNT,
     .offset = DISKS(machine_disks),
     .minimum = 1,
     .maximum = 1024,
     .help = "Most disks that the machine takes"},
    RATE_ROW("machine_iops", machine_iops, "Uncached disk IOPS of the machine"),
    THROUGHPUT_ROW("machine_throughput", machine_bytes_per_s, "Uncached disk throughput of the machine"),
    THROUGHPUT_ROW("nic", nic_bytes_per_s, "Network card of the machine, each direction"),
    {.name = "limit_window",
     .type = PARAMETER_DURATION,
     .offset = DISKS(limit_window_ns),
     .minimum = 1,
     .maximum = 3.6e12,
     .help = "Time over which a limit is enforced"},
    {.name = "price",
     .type = PARAMETER_GROUP,
     .offset = DISKS(price),
     .group = &price_parameters,
     .help = "What it costs"},
    {.name = "service",
     .type = PARAMETER_GROUP,
     .offset = DISKS(service),
     .group = &service_parameters,
     .help = "Latency once admitted"},
};

static bool managed_disks_check(const void *settings_of, struct parameter_problem *problem)
{
    const struct managed_disks_settings *settings = settings_of;
    if (settings->disks > settings->machine_disks) {
        problem->parameter = "disks";
        snprintf(problem->message, sizeof problem->message, "the machine takes %lld disks",
                 (long long)settings->machine_disks);
        return false;
    }
    if (settings->disk_burst_iops < settings->disk_iops ||
        settings->disk_burst_bytes_per_s < settings->disk_bytes_per_s) {
        const bool iops = settings->disk_burst_iops < settings->disk_iops;
        problem->parameter = iops ? "disk_burst_iops" : "disk_burst_throughput";
        snprintf(problem->message, sizeof problem->message, "a burst limit is below its baseline");
        return false;
    }
    return true;
}

const struct parameter_table managed_disks_parameters = {
    .name = "managed_disks",
    .help = "A file server, a virtual machine on managed disks",
    .size = sizeof(struct managed_disks_settings),
    .section = "tiers",
    .selector = "tier",
    PARAMETER_ROWS(managed_disks_rows),
    .check = managed_disks_check,
};
