#include "models/provisioning/workers.h"

#include "vdisim/time.h"

#include <math.h>
#include <stdlib.h>

#define INTERVALS_MOST 3600
#define MIB            1048576.0

void workers_record_init(struct workers_record *record, int64_t run_length_ns)
{
    *record = (struct workers_record){.interval_ns = SIM_NS_PER_S};
    while (record->interval_ns < run_length_ns / INTERVALS_MOST)
        record->interval_ns += SIM_NS_PER_S;
}

void workers_record_release(struct workers_record *record)
{
    free(record->intervals);
}

struct workers_interval *workers_record_at(struct workers_record *record, int64_t at_ns)
{
    const size_t index = (size_t)(at_ns / record->interval_ns);
    if (index >= record->capacity) {
        size_t capacity = record->capacity == 0 ? 64 : 2 * record->capacity;
        while (capacity <= index)
            capacity *= 2;
        struct workers_interval *intervals = realloc(record->intervals, capacity * sizeof *intervals);
        if (intervals == NULL)
            return NULL;
        record->intervals = intervals;
        record->capacity = capacity;
    }
    for (; record->count <= index; record->count++)
        record->intervals[record->count] = (struct workers_interval){0};
    return &record->intervals[index];
}

static int64_t larger(int64_t a, int64_t b)
{
    return a > b ? a : b;
}

static void add_interval(struct workers_interval *sum, const struct workers_interval *interval)
{
    for (int count = 0; count < WORKERS_COUNTS; count++)
        sum->counts[count] += interval->counts[count];
    sum->memory_peak_bytes = larger(sum->memory_peak_bytes, interval->memory_peak_bytes);
    sum->pagefile_peak_bytes = larger(sum->pagefile_peak_bytes, interval->pagefile_peak_bytes);
    sum->file_peak_bytes = larger(sum->file_peak_bytes, interval->file_peak_bytes);
}

void workers_record_report(const struct workers_record *record, int64_t from_ns, int64_t to_ns,
                           int64_t now_ns, struct metric_sink *sink)
{
    struct workers_interval sum = {0};
    double seconds = 0.0;
    for (size_t i = 0; i < record->count; i++) {
        const int64_t begin_ns = (int64_t)i * record->interval_ns;
        if (begin_ns < from_ns || begin_ns >= to_ns)
            continue;
        add_interval(&sum, &record->intervals[i]);
        const int64_t left_ns = now_ns - begin_ns;
        seconds += sim_s_from_ns(left_ns < record->interval_ns ? left_ns : record->interval_ns);
    }
    const double per_s = seconds > 0.0 ? 1.0 / seconds : NAN, *counts = sum.counts;
    const double users = counts[COUNT_USER_SECONDS] > 0.0 ? counts[COUNT_USER_SECONDS] : NAN;
    metric_report(sink, "host_writes.iops", "IOPS", counts[COUNT_HOST_WRITES] * per_s);
    metric_report(sink, "guest_writes.iops", "IOPS", counts[COUNT_GUEST_WRITES] * per_s);
    metric_report(sink, "host_writes.throughput", "MiB/s", counts[COUNT_HOST_BYTES_WRITTEN] * per_s / MIB);
    metric_report(sink, "guest_writes.throughput", "MiB/s", counts[COUNT_GUEST_BYTES] * per_s / MIB);
    metric_report(sink, "host_ios.per_user", "IOPS",
                  (counts[COUNT_HOST_READS] + counts[COUNT_HOST_WRITES]) / users);
    metric_report(sink, "overflow.iops", "IOPS", counts[COUNT_CACHE_WRITES] * per_s);
    metric_report(sink, "overflow.written", "MiB", counts[COUNT_CACHE_BYTES] / MIB);
    metric_report(sink, "overflow.size", "MiB", (double)sum.file_peak_bytes / MIB);
    metric_report(sink, "ram_cache.peak", "MiB", (double)sum.memory_peak_bytes / MIB);
    metric_report(sink, "pagefile.iops", "IOPS", counts[COUNT_PAGEFILE_IOS] * per_s);
    metric_report(sink, "pagefile.moved", "MiB", counts[COUNT_PAGEFILE_BYTES] / MIB);
    metric_report(sink, "pagefile.size", "MiB", (double)sum.pagefile_peak_bytes / MIB);
}
