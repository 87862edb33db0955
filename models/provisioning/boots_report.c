#include "models/provisioning/boots_report.h"

#include "vdisim/store.h"
#include "vdisim/time.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define FIRST_MINUTES 3
#define MB            1e6

static int compare_doubles(const void *left, const void *right)
{
    const double a = *(const double *)left, b = *(const double *)right;
    return (a > b) - (a < b);
}

/* The smallest value with at least p of all boots at or below it; NaN when that one has not finished. */
static double quantile(const double *sorted, size_t finished, size_t count, double p)
{
    const size_t rank = (size_t)fmax(1.0, ceil(p * (double)count));
    return rank <= finished ? sorted[rank - 1] : NAN;
}

static void report_times(const struct boot_record *records, size_t count, struct metric_sink *sink)
{
    double *times = malloc((count + 1) * sizeof *times);
    if (times == NULL)
        return;
    size_t finished = 0;
    double sum = 0.0;
    for (size_t i = 0; i < count; i++) {
        if (!records[i].finished)
            continue;
        times[finished] = sim_s_from_ns(records[i].end_ns - records[i].start_ns);
        sum += times[finished++];
    }
    qsort(times, finished, sizeof *times, compare_doubles);
    metric_report(sink, "boot_time.mean", "s", finished == 0 ? NAN : sum / (double)finished);
    metric_report(sink, "boot_time.p50", "s", quantile(times, finished, count, 0.50));
    metric_report(sink, "boot_time.p95", "s", quantile(times, finished, count, 0.95));
    metric_report(sink, "boot_time.max", "s", finished == 0 ? NAN : times[finished - 1]);
    metric_report(sink, "boots.finished", "", (double)finished);
    metric_report(sink, "boots.unfinished", "", (double)(count - finished));
    free(times);
}

void boot_records_report(const struct boot_record *records, size_t count, struct metric_sink *sink)
{
    static const char *const names[BOOT_PART_COUNT] = {"target", "stream_line", "store", "stream"};
    report_times(records, count, sink);
    double part_s[BOOT_PART_COUNT] = {0}, finished = 0.0, reads = 0.0, missed = 0.0, bytes = 0.0;
    for (size_t i = 0; i < count; i++) {
        reads += records[i].reads;
        missed += records[i].missed;
        if (!records[i].finished)
            continue;
        finished++;
        bytes += (double)records[i].read_bytes;
        for (int part = 0; part < BOOT_PART_COUNT; part++)
            part_s[part] += sim_s_from_ns(records[i].part_ns[part]);
    }
    for (int part = 0; part < BOOT_PART_COUNT; part++) {
        char name[64];
        snprintf(name, sizeof name, "boot_time.by.%s", names[part]);
        metric_report(sink, name, "s", finished > 0.0 ? part_s[part] / finished : NAN);
    }
    metric_report(sink, "boots.read", "MB", finished > 0.0 ? bytes / finished / MB : NAN);
    metric_report(sink, "cache_hits.fraction", "", reads > 0.0 ? 1.0 - missed / reads : NAN);
}

void bytes_sent_report(struct store *store, int64_t from_ns, int64_t to_ns, struct metric_sink *sink)
{
    double first = 0.0, later = 0.0;
    store_close_minutes(store);
    for (size_t minute = 0; minute < store->meter.minute_count; minute++) {
        const int64_t begins_ns = (int64_t)minute * SIM_NS_PER_MIN;
        if (begins_ns < from_ns || begins_ns >= to_ns)
            continue;
        *(minute < FIRST_MINUTES ? &first : &later) += (double)store->meter.minutes[minute].egress_bytes / MB;
    }
    metric_report(sink, "bytes_sent.first_3_min", "MB", first);
    metric_report(sink, "bytes_sent.after_3_min", "MB", later);
    metric_report(sink, "bytes_sent.total", "MB", first + later);
}
