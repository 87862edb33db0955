#include "models/layering/layering_report.h"

#include "vdisim/time.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define GB 1e9

struct span {
    const struct layering_plan *plan;
    const struct layering_record *records;
    int64_t from_ns, to_ns;
};

static bool is_in(const struct span *span, const struct layering_record *record)
{
    return record->start_ns >= span->from_ns && record->start_ns < span->to_ns;
}

static int compare_doubles(const void *left, const void *right)
{
    const double a = *(const double *)left, b = *(const double *)right;
    return (a > b) - (a < b);
}

/* The smallest value with at least p of all jobs at or below it; NaN when that one has not finished. */
static double quantile(const double *sorted, size_t finished, size_t count, double p)
{
    const size_t rank = (size_t)fmax(1.0, ceil(p * (double)count));
    return rank <= finished ? sorted[rank - 1] : NAN;
}

static void report_times(const struct span *span, struct metric_sink *sink)
{
    double *times = malloc((span->plan->job_count + 1) * sizeof *times);
    if (times == NULL)
        return;
    size_t finished = 0, count = 0;
    double sum = 0.0;
    for (size_t i = 0; i < span->plan->job_count; i++) {
        const struct layering_record *record = &span->records[i];
        /* Jobs that have not begun by the end belong to the last span. */
        count += is_in(span, record) || (record->start_ns == SIM_NEVER_NS && span->to_ns == SIM_NEVER_NS);
        if (!is_in(span, record) || !record->finished)
            continue;
        times[finished] = sim_s_from_ns(record->end_ns - record->start_ns);
        sum += times[finished++];
    }
    qsort(times, finished, sizeof *times, compare_doubles);
    metric_report(sink, "job_time.mean", "s", finished == 0 ? NAN : sum / (double)finished);
    metric_report(sink, "job_time.p50", "s", quantile(times, finished, count, 0.50));
    metric_report(sink, "job_time.p95", "s", quantile(times, finished, count, 0.95));
    metric_report(sink, "job_time.max", "s", finished == 0 ? NAN : times[finished - 1]);
    metric_report(sink, "jobs.finished", "", (double)finished);
    metric_report(sink, "jobs.unfinished", "", (double)(count - finished));
    free(times);
}

/* The mean of each job of its own; of those that are the same, of all. */
static void report_jobs(const struct span *span, struct metric_sink *sink)
{
    for (size_t first = 0; first < span->plan->job_count; first++) {
        const struct layering_job *job = &span->plan->jobs[first];
        if (job->same != first)
            continue;
        double sum_s = 0.0, finished = 0.0;
        for (size_t i = first; i < span->plan->job_count; i++) {
            const struct layering_record *record = &span->records[i];
            if (span->plan->jobs[i].same != first || !is_in(span, record) || !record->finished)
                continue;
            sum_s += sim_s_from_ns(record->end_ns - record->start_ns);
            finished++;
        }
        char name[64];
        snprintf(name, sizeof name, "job_time.%s.%s", layering_action_name(job->action), job->name);
        metric_report(sink, name, "s", finished > 0.0 ? sum_s / finished : NAN);
    }
}

static void report_steps(const struct span *span, struct metric_sink *sink)
{
    static const char *const names[STEP_COUNT] = {"overhead",   "compose",    "send", "to_cache",
                                                  "from_cache", "layer_disk", "fetch"};
    double step_s[STEP_COUNT] = {0}, finished = 0.0;
    for (size_t i = 0; i < span->plan->job_count; i++) {
        const struct layering_record *record = &span->records[i];
        if (!is_in(span, record) || !record->finished)
            continue;
        finished++;
        for (int step = 0; step < STEP_COUNT; step++)
            step_s[step] += sim_s_from_ns(record->step_ns[step]);
    }
    for (int step = 0; step < STEP_COUNT; step++) {
        char name[64];
        snprintf(name, sizeof name, "job_time.by.%s", names[step]);
        metric_report(sink, name, "s", finished > 0.0 ? step_s[step] / finished : NAN);
    }
}

static void report_counts(const struct span *span, struct metric_sink *sink)
{
    double read = 0.0, written = 0.0, hits = 0.0, misses = 0.0, evictions = 0.0;
    for (size_t i = 0; i < span->plan->job_count; i++) {
        const struct layering_record *record = &span->records[i];
        if (!is_in(span, record))
            continue;
        read += (double)record->read_bytes / GB;
        written += (double)record->written_bytes / GB;
        hits += record->hits;
        misses += record->misses;
        evictions += record->evictions;
    }
    metric_report(sink, "bytes_moved.read", "GB", read);
    metric_report(sink, "bytes_moved.written", "GB", written);
    metric_report(sink, "layer_cache.hits", "", hits);
    metric_report(sink, "layer_cache.misses", "", misses);
    metric_report(sink, "layer_cache.evictions", "", evictions);
}

void layering_records_report(const struct layering_plan *plan, const struct layering_record *records,
                             int64_t from_ns, int64_t to_ns, struct metric_sink *sink)
{
    const struct span span = {plan, records, from_ns, to_ns};
    report_times(&span, sink);
    report_jobs(&span, sink);
    report_steps(&span, sink);
    report_counts(&span, sink);
}
