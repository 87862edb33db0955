#include "vdisim/fsx_windows.h"

#include <stdio.h>

#define SERVER(field) offsetof(struct fsx_server_settings, field)
#define FSX(field)    offsetof(struct fsx_windows_settings, field)

#define SIZE_ROW(key, at, text, ...)                                                                         \
    {                                                                                                        \
        .name = key, .type = PARAMETER_SIZE, .offset = at, .maximum = 1e18, .help = text, __VA_ARGS__        \
    }
#define RATE_ROW(key, at, text, ...)                                                                         \
    {                                                                                                        \
        .name = key, .type = PARAMETER_RATE, .offset = at, .maximum = 1e9, .help = text, __VA_ARGS__         \
    }
#define THROUGHPUT_ROW(key, at, text, ...)                                                                   \
    {                                                                                                        \
        .name = key, .type = PARAMETER_THROUGHPUT, .offset = at, .maximum = 1e15, .help = text, __VA_ARGS__  \
    }
#define TIME_ROW(key, at, text)                                                                              \
    {                                                                                                        \
        .name = key, .type = PARAMETER_DURATION, .offset = at, .maximum = 1e15, .help = text                 \
    }

static const struct parameter server_rows[] = {
    THROUGHPUT_ROW("network", SERVER(network_bytes_per_s), "Baseline of the network, both directions added",
                   .minimum = 1),
    THROUGHPUT_ROW("network_burst", SERVER(network_burst_bytes_per_s),
                   "The network while it has credits; the baseline for none", .minimum = 1),
    TIME_ROW("network_burst_time", SERVER(network_burst_time_ns),
             "How long full credits of the network last at its burst"),
    THROUGHPUT_ROW("disk", SERVER(disk_bytes_per_s), "Baseline throughput of the server to its disks",
                   .minimum = 1),
    THROUGHPUT_ROW("disk_burst", SERVER(disk_burst_bytes_per_s),
                   "Throughput to its disks while it has credits; the baseline for none", .minimum = 1),
    RATE_ROW("disk_iops", SERVER(disk_iops), "Baseline IOPS of the server to its disks", .minimum = 1),
    RATE_ROW("disk_burst_iops", SERVER(disk_burst_iops),
             "IOPS to its disks while it has credits; the baseline for none", .minimum = 1),
    TIME_ROW("disk_burst_time", SERVER(disk_burst_time_ns),
             "How long full credits of the disks last at their burst"),
    SIZE_ROW("memory", SERVER(memory_bytes), "RAM of the server", .minimum = 1048576),
};

static const struct parameter_table server_parameters = {
    .name = "fsx_server",
    .help = "What a throughput capacity of Amazon FSx stands for",
    .size = sizeof(struct fsx_server_settings),
    .section = "fsx_servers",
    .selector = "capacity",
    PARAMETER_ROWS(server_rows),
};

static const struct parameter fsx_windows_rows[] = {
    SIZE_ROW("size", FSX(size_bytes), "Storage capacity", .minimum = 1),
    SIZE_ROW("size_min", FSX(size_min_bytes), "Smallest size sold", .minimum = 1),
    SIZE_ROW("size_max", FSX(size_max_bytes), "Largest size sold", .minimum = 1),
    {.name = "server",
     .type = PARAMETER_GROUP,
     .offset = FSX(server),
     .group = &server_parameters,
     .help = "The throughput capacity"},
    RATE_ROW("iops", FSX(provisioned_iops), "IOPS of the volumes that are bought; left out, by the size",
             .minimum = 1, .optional = true),
    RATE_ROW("iops_per_gib", FSX(iops_per_gib), "Baseline IOPS of the volumes for each GiB", .minimum = 1e-6),
    RATE_ROW("burst_iops_per_gib", FSX(burst_iops_per_gib), "IOPS for each GiB while there are credits",
             .minimum = 1e-6),
    THROUGHPUT_ROW("throughput_per_gib", FSX(bytes_per_s_per_gib),
                   "Baseline throughput of the volumes for each GiB", .minimum = 1),
    THROUGHPUT_ROW("burst_throughput_per_gib", FSX(burst_bytes_per_s_per_gib),
                   "Throughput for each GiB while there are credits", .minimum = 1),
    THROUGHPUT_ROW("throughput_max", FSX(bytes_per_s_max), "Most throughput of the volumes", .minimum = 1,
                   .may_be_unlimited = true),
    TIME_ROW("volume_burst_time", FSX(volume_burst_time_ns),
             "How long full credits of the volumes last at their burst"),
    {.name = "initial_credits",
     .type = PARAMETER_FRACTION,
     .offset = FSX(initial_credits),
     .maximum = 1,
     .help = "How full the buckets are at the start"},
    {.name = "cache_share",
     .type = PARAMETER_FRACTION,
     .offset = FSX(cache_share),
     .maximum = 1,
     .help = "What of the memory caches files"},
    {.name = "cache_block",
     .type = PARAMETER_SIZE,
     .offset = FSX(cache_block_bytes),
     .minimum = 4096,
     .maximum = 8388608,
     .help = "Unit in which files are cached"},
    TIME_ROW("cache_time", FSX(cache_time_ns), "Time of a read from memory"),
    {.name = "limit_window",
     .type = PARAMETER_DURATION,
     .offset = FSX(limit_window_ns),
     .minimum = 1,
     .maximum = 3.6e12,
     .help = "Time over which a limit is enforced"},
    {.name = "channels",
     .type = PARAMETER_COUNT,
     .offset = FSX(channels),
     .minimum = 1,
     .maximum = 32,
     .help = "Connections that it offers to one client (SMB Multichannel)"},
    {.name = "price",
     .type = PARAMETER_GROUP,
     .offset = FSX(price),
     .group = &price_parameters,
     .help = "What it costs"},
    {.name = "service",
     .type = PARAMETER_GROUP,
     .offset = FSX(service),
     .group = &service_parameters,
     .help = "Latency once admitted"},
};

static bool fsx_windows_check(const void *settings_of, struct parameter_problem *problem)
{
    const struct fsx_windows_settings *settings = settings_of;
    if (settings->size_bytes >= settings->size_min_bytes && settings->size_bytes <= settings->size_max_bytes)
        return true;
    problem->parameter = "size";
    snprintf(problem->message, sizeof problem->message, "this tier is sold from %.0f to %.0f GiB",
             (double)settings->size_min_bytes / 1073741824.0,
             (double)settings->size_max_bytes / 1073741824.0);
    return false;
}

const struct parameter_table fsx_windows_parameters = {
    .name = "fsx_windows",
    .help = "Amazon FSx for Windows File Server",
    .size = sizeof(struct fsx_windows_settings),
    .section = "tiers",
    .selector = "tier",
    PARAMETER_ROWS(fsx_windows_rows),
    .check = fsx_windows_check,
};
