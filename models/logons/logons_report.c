#include "models/logons/logons_report.h"

#include "vdisim/time.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* "Above 30 s the user experience is usually poor": the Citrix article. */
#define POOR_LOAD_NS (30 * SIM_NS_PER_S)

static int compare_doubles(const void *left, const void *right)
{
    const double a = *(const double *)left, b = *(const double *)right;
    return (a > b) - (a < b);
}

/* Mean load of the finished ones among records [from, to), NaN when there are none. */
static double mean_load(const struct logon_record *records, size_t from, size_t to)
{
    double sum = 0.0;
    size_t finished = 0;
    for (size_t i = from; i < to; i++) {
        if (records[i].finished) {
            sum += (double)records[i].load_ns * 1e-9;
            finished++;
        }
    }
    return finished == 0 ? NAN : sum / (double)finished;
}

/* The smallest value with at least p of all logons at or below it; NaN when that one has not finished. */
static double quantile(const double *sorted, size_t finished, size_t count, double p)
{
    size_t rank = (size_t)ceil(p * (double)count);
    rank = rank < 1 ? 1 : rank;
    return rank <= finished ? sorted[rank - 1] : NAN;
}

static void report_distribution(const struct logon_record *records, size_t count, struct metric_sink *sink)
{
    double *loads = malloc((count + 1) * sizeof *loads);
    if (loads == NULL)
        return;
    size_t finished = 0, poor = 0, refused = 0;
    double squares = 0.0;
    const double mean = mean_load(records, 0, count);
    for (size_t i = 0; i < count; i++) {
        poor += records[i].load_ns > POOR_LOAD_NS;
        refused += records[i].refused > 0;
        if (!records[i].finished)
            continue;
        loads[finished] = (double)records[i].load_ns * 1e-9;
        squares += (loads[finished] - mean) * (loads[finished] - mean);
        finished++;
    }
    qsort(loads, finished, sizeof *loads, compare_doubles);
    metric_report(sink, "profile_load.mean", "s", mean);
    metric_report(sink, "profile_load.sd", "s", finished < 2 ? NAN : sqrt(squares / (double)(finished - 1)));
    metric_report(sink, "profile_load.p50", "s", quantile(loads, finished, count, 0.50));
    metric_report(sink, "profile_load.p95", "s", quantile(loads, finished, count, 0.95));
    metric_report(sink, "profile_load.p99", "s", quantile(loads, finished, count, 0.99));
    metric_report(sink, "profile_load.max", "s", finished == 0 ? NAN : loads[finished - 1]);
    metric_report(sink, "profile_load.over_30s", "", count == 0 ? NAN : (double)poor / (double)count);
    metric_report(sink, "logons.finished", "", (double)finished);
    metric_report(sink, "logons.unfinished", "", (double)(count - finished));
    metric_report(sink, "logons.refused", "", (double)refused);
    free(loads);
}

static void report_causes(const struct logon_record *records, size_t count, bool locks,
                          struct metric_sink *sink)
{
    double cause_s[CAUSE_COUNT] = {0}, requests = 0.0;
    size_t finished = 0;
    for (size_t i = 0; i < count; i++) {
        if (!records[i].finished)
            continue;
        finished++;
        requests += records[i].requests;
        for (int phase = 0; phase < PHASE_COUNT; phase++)
            for (int cause = 0; cause < CAUSE_COUNT; cause++)
                cause_s[cause] += (double)records[i].phase_cause_ns[phase][cause] * 1e-9;
    }
    const double logons = finished == 0 ? NAN : (double)finished;
    metric_report(sink, "profile_load.requests", "", requests / logons);
    for (int cause = 0; cause < CAUSE_COUNT; cause++) {
        if (cause == CAUSE_LOCK_RETRY && !locks)
            continue;
        char name[64];
        snprintf(name, sizeof name, "profile_load.by.%s", wait_cause_name((enum wait_cause)cause));
        for (char *space = name; (space = strchr(space, ' ')) != NULL;)
            *space = '_';
        metric_report(sink, name, "s", cause_s[cause] / logons);
    }
}

void logon_records_report(const struct logon_record *records, size_t count, bool locks,
                          struct metric_sink *sink)
{
    report_distribution(records, count, sink);
    const size_t quarter = count / 4;
    metric_report(sink, "profile_load.first_quarter", "s", mean_load(records, 0, quarter));
    metric_report(sink, "profile_load.last_quarter", "s", mean_load(records, count - quarter, count));
    report_causes(records, count, locks, sink);
}
