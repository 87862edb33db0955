#include "vdisim/managed_disks.h"

#include <stdio.h>

#define DISK(field)    offsetof(struct managed_disk_settings, field)
#define MACHINE(field) offsetof(struct server_machine_settings, field)
#define DISKS(field)   offsetof(struct managed_disks_settings, field)

#define RATE_ROW(key, at, text, ...)                                                                         \
    {                                                                                                        \
        .name = key, .type = PARAMETER_RATE, .offset = at, .minimum = 1, .maximum = 1e9, .help = text,       \
        __VA_ARGS__                                                                                          \
    }
#define THROUGHPUT_ROW(key, at, text, ...)                                                                   \
    {                                                                                                        \
        .name = key, .type = PARAMETER_THROUGHPUT, .offset = at, .minimum = 1, .maximum = 1e15,              \
        .help = text, __VA_ARGS__                                                                            \
    }
#define UNLIMITED .may_be_unlimited = true
#define OPTIONAL  .optional = true

static const struct parameter disk_rows[] = {
    {.name = "size",
     .type = PARAMETER_SIZE,
     .offset = DISK(size_bytes),
     .minimum = 1073741824,
     .maximum = 7.2e13,
     .help = "Size of a disk"},
    RATE_ROW("iops", DISK(iops), "Baseline IOPS of a disk", UNLIMITED),
    RATE_ROW("burst_iops", DISK(burst_iops), "IOPS of a disk while it has credits; the baseline for none",
             UNLIMITED),
    THROUGHPUT_ROW("throughput", DISK(bytes_per_s), "Baseline throughput of a disk, reads and writes added",
                   UNLIMITED),
    THROUGHPUT_ROW("burst_throughput", DISK(burst_bytes_per_s),
                   "Throughput of a disk while it has credits; the baseline for none", UNLIMITED),
    RATE_ROW("on_demand_iops", DISK(on_demand_iops),
             "IOPS of a disk with on-demand bursting, where it is sold", OPTIONAL),
    THROUGHPUT_ROW("on_demand_throughput", DISK(on_demand_bytes_per_s),
                   "Throughput of a disk with on-demand bursting, where it is sold", OPTIONAL),
};

static const struct parameter_table disk_parameters = {
    .name = "managed_disk",
    .help = "A managed disk",
    .size = sizeof(struct managed_disk_settings),
    .section = "managed_disks",
    .selector = "model",
    PARAMETER_ROWS(disk_rows),
};

static const struct parameter machine_rows[] = {
    {.name = "disks",
     .type = PARAMETER_COUNT,
     .offset = MACHINE(disks),
     .minimum = 1,
     .maximum = 1024,
     .help = "Most disks that the machine takes"},
    RATE_ROW("iops", MACHINE(iops), "Uncached disk IOPS of the machine", UNLIMITED),
    THROUGHPUT_ROW("throughput", MACHINE(bytes_per_s), "Uncached disk throughput of the machine", UNLIMITED),
    RATE_ROW("burst_iops", MACHINE(burst_iops), "Uncached disk IOPS while the machine has credits of its own",
             OPTIONAL),
    THROUGHPUT_ROW("burst_throughput", MACHINE(burst_bytes_per_s),
                   "Uncached disk throughput while the machine has credits of its own", OPTIONAL),
    RATE_ROW("cached_iops", MACHINE(cached_iops), "Disk IOPS of the machine with host caching", UNLIMITED),
    THROUGHPUT_ROW("cached_throughput", MACHINE(cached_bytes_per_s),
                   "Disk throughput of the machine with host caching", UNLIMITED),
    {.name = "cache",
     .type = PARAMETER_SIZE,
     .offset = MACHINE(cache_bytes),
     .maximum = 1e14,
     .help = "Host cache of the machine"},
    THROUGHPUT_ROW("nic", MACHINE(nic_bytes_per_s), "Network card of the machine, each direction", UNLIMITED),
};

static const struct parameter_table machine_parameters = {
    .name = "server_machine",
    .help = "A virtual machine that serves files",
    .size = sizeof(struct server_machine_settings),
    .section = "server_machines",
    .selector = "model",
    PARAMETER_ROWS(machine_rows),
};

static const char *const host_caching_choices[] = {"none", "read-only", NULL};

static const struct parameter managed_disks_rows[] = {
    {.name = "disks",
     .type = PARAMETER_COUNT,
     .offset = DISKS(disks),
     .minimum = 1,
     .maximum = 1024,
     .help = "Equal disks over which the data are striped"},
    {.name = "disk",
     .type = PARAMETER_GROUP,
     .offset = DISKS(disk),
     .group = &disk_parameters,
     .help = "Each of the disks"},
    {.name = "machine",
     .type = PARAMETER_GROUP,
     .offset = DISKS(machine),
     .group = &machine_parameters,
     .help = "The virtual machine"},
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
    {.name = "on_demand_bursting",
     .type = PARAMETER_BOOLEAN,
     .offset = DISKS(on_demand_bursting),
     .help = "Disks have their on-demand limits all the time, which is paid for"},
    {.name = "host_caching",
     .type = PARAMETER_CHOICE,
     .offset = DISKS(host_caching),
     .choices = host_caching_choices,
     .help = "What the host's cache is used for"},
    {.name = "cache_block",
     .type = PARAMETER_SIZE,
     .offset = DISKS(cache_block_bytes),
     .minimum = 4096,
     .maximum = 8388608,
     .help = "Unit in which the host caches"},
    {.name = "cache_time",
     .type = PARAMETER_DURATION,
     .offset = DISKS(cache_time_ns),
     .maximum = 60e9,
     .help = "Time of a read from the host's cache"},
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

static bool refuse(struct parameter_problem *problem, const char *parameter, const char *message)
{
    problem->parameter = parameter;
    snprintf(problem->message, sizeof problem->message, "%s", message);
    return false;
}

static bool managed_disks_check(const void *settings_of, struct parameter_problem *problem)
{
    const struct managed_disks_settings *settings = settings_of;
    const struct managed_disk_settings *disk = &settings->disk;
    if (settings->disks > settings->machine.disks) {
        problem->parameter = "disks";
        snprintf(problem->message, sizeof problem->message, "the machine takes %lld disks",
                 (long long)settings->machine.disks);
        return false;
    }
    if (disk->burst_iops < disk->iops)
        return refuse(problem, "disk.burst_iops", "a burst limit is below its baseline");
    if (disk->burst_bytes_per_s < disk->bytes_per_s)
        return refuse(problem, "disk.burst_throughput", "a burst limit is below its baseline");
    if (settings->on_demand_bursting &&
        (disk->on_demand_iops < disk->iops || disk->on_demand_bytes_per_s < disk->bytes_per_s))
        return refuse(problem, "on_demand_bursting",
                      "on-demand bursting is not sold for this disk; it is from P30 on");
    if (settings->host_caching != HOST_CACHING_NONE && settings->machine.cache_bytes == 0)
        return refuse(problem, "host_caching", "this machine has no host cache");
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
