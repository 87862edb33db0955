/* What came of a case: metrics, the limits, and why to doubt it. */
#include "sim/experiment/size/fluid_solver.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MIB 1048576.0

static void add_metric(struct fluid_answer *answer, const char *prefix, const char *name, const char *unit,
                       double value)
{
    if (answer->metric_count == FLUID_METRICS_MAX)
        return;
    struct fluid_metric *metric = &answer->metrics[answer->metric_count++];
    snprintf(metric->name, sizeof metric->name, "%s%s%s", prefix, prefix[0] != '\0' ? "." : "", name);
    metric->unit = unit;
    metric->value = isfinite(value) ? value : (double)NAN;
}

static int by_load(const void *a, const void *b)
{
    const double first = ((const struct loaded *)a)->load_s, second = ((const struct loaded *)b)->load_s;
    return (first > second) - (first < second);
}

/* Of all logons, the unfinished longer than any; NaN among them. */
static double load_quantile(const struct stream *stream, double all, double p)
{
    double sum = 0.0;
    for (size_t i = 0; i < stream->load_count; i++) {
        sum += stream->loads[i].logons;
        if (sum >= p * all * (1.0 - 1e-9))
            return stream->loads[i].load_s;
    }
    return NAN;
}

static void report_loads(struct solver *solver, struct stream *stream, const char *prefix)
{
    struct fluid_answer *answer = solver->answer;
    double sum = 0.0, loaded = 0.0, slow = 0.0;
    qsort(stream->loads, stream->load_count, sizeof *stream->loads, by_load);
    for (size_t i = 0; i < stream->load_count; i++) {
        sum += stream->loads[i].load_s * stream->loads[i].logons;
        loaded += stream->loads[i].logons;
        slow += stream->loads[i].load_s > 30.0 ? stream->loads[i].logons : 0.0;
    }
    const double all = loaded + stream->under_way;
    answer->unfinished += stream->under_way;
    answer->users += all;
    add_metric(answer, prefix, "profile_load.mean", "s", sum / loaded);
    add_metric(answer, prefix, "profile_load.p50", "s", load_quantile(stream, all, 0.5));
    add_metric(answer, prefix, "profile_load.p95", "s", load_quantile(stream, all, 0.95));
    add_metric(answer, prefix, "profile_load.p99", "s", load_quantile(stream, all, 0.99));
    add_metric(answer, prefix, "profile_load.max", "s", load_quantile(stream, all, 1.0));
    add_metric(answer, prefix, "profile_load.over_30s", "1", slow / loaded);
}

void fluid_report(struct solver *solver)
{
    struct fluid_answer *answer = solver->answer;
    const double length_s = solver->of->length_s;
    for (size_t i = 0; i < solver->of->demand_count; i++)
        report_loads(solver, &solver->streams[i],
                     solver->of->demand_count > 1 ? solver->streams[i].demand->name : "");
    add_metric(answer, "", "iops.mean", "IOPS", solver->served / length_s);
    add_metric(answer, "", "iops.peak", "IOPS", solver->busiest_minute);
    add_metric(answer, "", "egress.mean", "MiB/s", solver->egress / length_s / MIB);
    add_metric(answer, "", "egress.peak", "MiB/s", solver->peak_egress / MIB);
    add_metric(answer, "", "ingress.mean", "MiB/s", solver->ingress / length_s / MIB);
    add_metric(answer, "", "ingress.peak", "MiB/s", solver->peak_ingress / MIB);
    add_metric(answer, "", "throttled.fraction", "1",
               solver->served > 0.0 ? solver->held / solver->served : 0.0);
    add_metric(answer, "", "burst_credits.min", "credits", answer->credits_min);
    add_metric(answer, "", "transactions.total", "1", solver->served);
    for (int kind = 0; kind < FLUID_LIMIT_COUNT; kind++)
        if (strcmp(answer->limits[kind].unit, "MiB/s") == 0) {
            answer->limits[kind].rate /= MIB;
            answer->limits[kind].mean /= MIB;
            answer->limits[kind].peak /= MIB;
        }
}

void fluid_report_doubts(const struct solver *solver)
{
    struct fluid_answer *answer = solver->answer;
    const struct share_settings *share = solver->of->share;
    if (share == NULL)
        fluid_doubt(answer, "the limits of this kind of store are not known here: only latency counts");
    const struct fluid_limit *tightest = fluid_tightest(answer);
    const double utilisation = fluid_utilisation(tightest);
    if (utilisation > 0.8)
        fluid_doubt(answer,
                    "%s is used to %.0f %% in its busiest minute: above 80 %% bursts within a minute wait, "
                    "which this does not see",
                    tightest->name, 100.0 * utilisation);
    if (share != NULL && share->service.known_iops > 0.0 &&
        answer->limits[FLUID_IOPS].peak > share->service.known_iops)
        fluid_doubt(answer, "latencies were observed up to %.0f IOPS only", share->service.known_iops);
    if (share != NULL && share->spread_start > 0.0 && share->spread_start < 1.0)
        fluid_doubt(answer, "an idle share that spreads over its back ends first is taken as spread");
    for (size_t i = 0; i < solver->of->demand_count; i++) {
        const struct logons_settings *settings = solver->streams[i].demand->settings;
        if (settings->devices.count > 1)
            fluid_doubt(answer, "several devices of a user count as one");
        if (settings->arrivals.pattern == ARRIVALS_POISSON &&
            solver->streams[i].users * 60e9 / (double)settings->arrivals.window_ns < 20.0)
            fluid_doubt(answer, "few logons a minute at random times: chance bunches them, this does not");
        if (settings->redirection_store != NULL && strcmp(settings->redirection_store, settings->store) != 0)
            fluid_doubt(answer, "the limits of the store of redirected folders do not count");
        if (settings->run_effect_cv > 0.0 && i == 0)
            fluid_doubt(answer, "one morning differs from the next by %.0f %% (run effect); this is the mean",
                        100.0 * settings->run_effect_cv);
    }
}

double fluid_metric(const struct fluid_answer *answer, const char *name)
{
    for (size_t i = 0; i < answer->metric_count; i++)
        if (strcmp(answer->metrics[i].name, name) == 0)
            return answer->metrics[i].value;
    return NAN;
}

double fluid_utilisation(const struct fluid_limit *limit)
{
    return isinf(limit->rate) ? 0.0 : limit->peak / limit->rate;
}

const struct fluid_limit *fluid_tightest(const struct fluid_answer *answer)
{
    const struct fluid_limit *tightest = &answer->limits[0];
    for (int kind = 1; kind < FLUID_LIMIT_COUNT; kind++)
        if (fluid_utilisation(&answer->limits[kind]) > fluid_utilisation(tightest))
            tightest = &answer->limits[kind];
    return tightest;
}

void fluid_doubt(struct fluid_answer *answer, const char *format, ...)
{
    if (answer->doubt_count == FLUID_DOUBTS_MAX)
        return;
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(answer->doubts[answer->doubt_count++], FLUID_TEXT_SIZE, format, arguments);
    va_end(arguments);
}
