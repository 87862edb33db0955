#include "models/store/io_record.h"

#include "vdisim/time.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define INTERVALS_MOST 3600

void io_record_init(struct io_record *record, int64_t run_length_ns)
{
    const int64_t shortest_ns = run_length_ns / INTERVALS_MOST;
    *record = (struct io_record){.interval_ns = SIM_NS_PER_S};
    while (record->interval_ns < shortest_ns)
        record->interval_ns += SIM_NS_PER_S;
}

void io_record_release(struct io_record *record)
{
    free(record->intervals);
}

struct io_interval *io_record_at(struct io_record *record, int64_t at_ns)
{
    const size_t index = (size_t)(at_ns / record->interval_ns);
    if (index >= record->capacity) {
        size_t capacity = record->capacity == 0 ? 64 : 2 * record->capacity;
        while (capacity <= index)
            capacity *= 2;
        struct io_interval *intervals = realloc(record->intervals, capacity * sizeof *intervals);
        if (intervals == NULL)
            return NULL;
        record->intervals = intervals;
        record->capacity = capacity;
    }
    if (index >= record->count) {
        memset(&record->intervals[record->count], 0, (index + 1 - record->count) * sizeof *record->intervals);
        record->count = index + 1;
    }
    return &record->intervals[index];
}

static size_t bucket_of(double latency_ns)
{
    const double us = latency_ns / 1000.0;
    if (us <= 1.0)
        return 0;
    const size_t bucket = (size_t)(log2(us) * IO_RECORD_SPLIT);
    return bucket < IO_RECORD_BUCKETS ? bucket : IO_RECORD_BUCKETS - 1;
}

bool io_record_add(struct io_record *record, int64_t answered_ns, int64_t latency_ns, bool writes,
                   int64_t bytes)
{
    struct io_interval *interval = io_record_at(record, answered_ns);
    if (interval == NULL)
        return false;
    if (writes) {
        interval->writes++;
        interval->written_bytes += bytes;
    } else {
        interval->reads++;
        interval->read_bytes += bytes;
    }
    interval->latency_sum_ns += (double)latency_ns;
    interval->latency_max_ns = fmax(interval->latency_max_ns, (double)latency_ns);
    interval->latencies[bucket_of((double)latency_ns)]++;
    return true;
}

static void add_interval(struct io_interval *sum, const struct io_interval *interval)
{
    sum->reads += interval->reads;
    sum->writes += interval->writes;
    sum->read_bytes += interval->read_bytes;
    sum->written_bytes += interval->written_bytes;
    sum->latency_sum_ns += interval->latency_sum_ns;
    sum->latency_max_ns = fmax(sum->latency_max_ns, interval->latency_max_ns);
    sum->processor_ns += interval->processor_ns;
    for (size_t bucket = 0; bucket < IO_RECORD_BUCKETS; bucket++)
        sum->latencies[bucket] += interval->latencies[bucket];
}

void io_record_sum(const struct io_record *record, int64_t from_ns, int64_t to_ns, int64_t began_ns,
                   int64_t ended_ns, struct io_sum *sum)
{
    memset(sum, 0, sizeof *sum);
    for (size_t i = 0; i < record->count; i++) {
        const int64_t begin_ns = (int64_t)i * record->interval_ns, end_ns = begin_ns + record->interval_ns;
        if (begin_ns < from_ns || begin_ns >= to_ns)
            continue;
        add_interval(&sum->all, &record->intervals[i]);
        const int64_t first_ns = begin_ns > began_ns ? begin_ns : began_ns;
        const int64_t last_ns = end_ns < ended_ns ? end_ns : ended_ns;
        if (last_ns > first_ns)
            sum->seconds += sim_s_from_ns(last_ns - first_ns);
    }
}

double io_sum_quantile_ns(const struct io_sum *sum, double p)
{
    const double wanted = p * (double)(sum->all.reads + sum->all.writes);
    double seen = 0.0;
    for (size_t bucket = 0; bucket < IO_RECORD_BUCKETS; bucket++) {
        seen += sum->all.latencies[bucket];
        if (seen > 0.0 && seen >= wanted) /* the middle of the bucket */
            return fmin(1000.0 * exp2(((double)bucket + 0.5) / IO_RECORD_SPLIT), sum->all.latency_max_ns);
    }
    return NAN;
}
