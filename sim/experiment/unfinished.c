#include "sim/experiment/unfinished.h"

#include "sim/experiment/label.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const char load[] = "profile_load.", unfinished[] = "logons.unfinished";

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
    struct logon_count count = {.unfinished = mean_count(result, cell, metric, prefix, unfinished)};
    count.all = count.unfinished + mean_count(result, cell, metric, prefix, "logons.finished");
    return count;
}

bool metric_is_of_the_fastest(const struct result *result, size_t cell, const char *metric)
{
    struct logon_count count = logon_count_of(result, cell, metric);
    return count.unfinished > UNFINISHED_TOLERATED * count.all;
}

bool any_logon_unfinished(const struct result *result)
{
    for (size_t i = 0; i < result->metric_count; i++) {
        const char *name = result->metrics[i].name;
        size_t length = strlen(name), tail = strlen(unfinished);
        if (length < tail || strcmp(name + length - tail, unfinished) != 0 ||
            (length > tail && name[length - tail - 1] != '.'))
            continue;
        for (size_t cell = 0; cell < result->cell_count; cell++)
            if (result_estimate(result, cell, i)->mean > 0)
                return true;
    }
    return false;
}
