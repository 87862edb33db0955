#include "sim/experiment/result/unfinished.h"

#include "sim/experiment/result/label.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const char load[] = "profile_load.";

/* The mean over the finished runs, a run without a value counting as none; 0 without the metric. */
static double mean_count(const struct result *result, size_t cell, const char *metric, size_t prefix,
                         const char *name)
{
    char full[512];
    snprintf(full, sizeof full, "%.*s%s", (int)prefix, metric, name);
    ptrdiff_t index = result_metric(result, full);
    double mean = index < 0 ? NAN : result_estimate(result, cell, (size_t)index)->mean;
    return isnan(mean) ? 0 : mean;
}

struct logon_count logon_count_of(const struct result *result, size_t cell, const char *metric)
{
    size_t prefix = workload_prefix(metric);
    if (strncmp(metric + prefix, load, strlen(load)) != 0)
        return (struct logon_count){0};
    struct logon_count count = {.unfinished = mean_count(result, cell, metric, prefix, "logons.unfinished")};
    count.all = count.unfinished + mean_count(result, cell, metric, prefix, "logons.finished");
    return count;
}

bool unfinished_are_too_many(double unfinished, double all, double load_s, double run_s)
{
    if (unfinished <= UNFINISHED_TOLERATED * all)
        return false;
    double under_way = load_s / run_s; /* share of the logons, in the usual course */
    return under_way > 0.1 || unfinished > 2.0 * under_way * all;
}

bool metric_is_of_the_fastest(const struct result *result, size_t cell, const char *metric)
{
    struct logon_count count = logon_count_of(result, cell, metric);
    if (count.unfinished == 0)
        return false;
    double load_s = mean_count(result, cell, metric, workload_prefix(metric), "profile_load.mean");
    double run_s = (double)experiment_run(result->experiment)->length_ns / 1e9;
    return unfinished_are_too_many(count.unfinished, count.all, load_s, run_s);
}

bool any_load_is_of_the_fastest(const struct result *result)
{
    for (size_t i = 0; i < result->metric_count; i++) {
        const char *name = result->metrics[i].name;
        if (strcmp(name + workload_prefix(name), "profile_load.mean") != 0)
            continue;
        for (size_t cell = 0; cell < result->cell_count; cell++)
            if (metric_is_of_the_fastest(result, cell, name))
                return true;
    }
    return false;
}
