#include "sim/experiment/result.h"

#include "sim/experiment/unfinished.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static void release_unit(struct unit_result *unit, size_t store_count)
{
    free(unit->metrics);
    free(unit->logons);
    if (unit->minutes != NULL)
        for (size_t store = 0; store < store_count; store++)
            free(unit->minutes[store]);
    free(unit->minutes);
    free(unit->minute_counts);
}

void result_destroy(struct result *result)
{
    if (result == NULL)
        return;
    if (result->units != NULL)
        for (size_t i = 0; i < result->cell_count * result->replications; i++)
            release_unit(&result->units[i], result->store_count);
    for (size_t i = 0; i < result->metric_count; i++) {
        free(result->metrics[i].name);
        free(result->metrics[i].unit);
    }
    if (result->store_names != NULL)
        for (size_t i = 0; i < result->store_count; i++)
            free(result->store_names[i]);
    for (size_t i = 0; i < result->warning_count; i++)
        free(result->warnings[i]);
    free(result->units);
    free(result->metrics);
    free(result->store_names);
    free(result->warnings);
    free(result->estimates);
    free(result->run_effect_cv);
    free(result);
}

static const struct unit_result *cell_units(const struct result *result, size_t cell)
{
    assert(cell < result->cell_count);
    return &result->units[cell * result->replications];
}

size_t result_cell_done(const struct result *result, size_t cell)
{
    size_t done = 0;
    for (size_t i = 0; i < result->replications; i++)
        done += cell_units(result, cell)[i].done;
    return done;
}

size_t result_done(const struct result *result)
{
    size_t done = 0;
    for (size_t cell = 0; cell < result->cell_count; cell++)
        done += result_cell_done(result, cell);
    return done;
}

bool result_summarize(struct result *result)
{
    size_t estimate_count = result->cell_count * result->metric_count;
    struct estimate *estimates = calloc(estimate_count + 1, sizeof *estimates);
    double *values = calloc(result->replications + 1, sizeof *values);
    double *run_effects = calloc(result->replications + 1, sizeof *run_effects);
    bool complete = estimates != NULL && values != NULL && run_effects != NULL;

    for (size_t cell = 0; complete && cell < result->cell_count; cell++) {
        const struct unit_result *units = cell_units(result, cell);
        for (size_t metric = 0; metric < result->metric_count; metric++) {
            size_t count = 0;
            for (size_t i = 0; i < result->replications; i++) {
                if (!units[i].done || isnan(units[i].metrics[metric]))
                    continue;
                values[count] = units[i].metrics[metric];
                run_effects[count] = units[i].run_effect;
                count++;
            }
            estimates[cell * result->metric_count + metric] =
                estimate_of(values, run_effects, count, result->run_effect_cv[cell]);
        }
    }
    free(values);
    free(run_effects);
    if (!complete) {
        free(estimates);
        return false;
    }
    free(result->estimates);
    result->estimates = estimates;
    return true;
}

ptrdiff_t result_metric(const struct result *result, const char *name)
{
    for (size_t i = 0; i < result->metric_count; i++)
        if (strcmp(result->metrics[i].name, name) == 0)
            return (ptrdiff_t)i;
    return -1;
}

const struct estimate *result_estimate(const struct result *result, size_t cell, size_t metric)
{
    assert(cell < result->cell_count && metric < result->metric_count);
    return &result->estimates[cell * result->metric_count + metric];
}

const char *verdict_name(enum verdict verdict)
{
    static const char *const names[] = {"met", "missed", "no value", "unfinished"};
    return names[verdict];
}

enum verdict result_verdict(const struct result *result, size_t cell, const struct expectation *expectation,
                            double *predicted)
{
    *predicted = NAN;
    ptrdiff_t metric = result_metric(result, expectation->metric);
    if (metric < 0)
        return VERDICT_NO_VALUE;
    const struct estimate *estimate = result_estimate(result, cell, (size_t)metric);
    *predicted = estimate->mean;
    if (metric_is_of_the_fastest(result, cell, expectation->metric))
        return VERDICT_UNFINISHED;
    if (isnan(estimate->mean))
        return VERDICT_NO_VALUE;

    double published = expectation->published;
    bool met = false;
    switch (expectation->rule) {
    case EXPECT_ONE_RUN:
        if (isnan(estimate->pi95_low) || isnan(published))
            return VERDICT_NO_VALUE;
        met = estimate->pi95_low <= published && published <= estimate->pi95_high;
        break;
    case EXPECT_TOLERANCE:
        met = fabs(estimate->mean - published) <= expectation->tolerance * fabs(published);
        break;
    case EXPECT_BETWEEN:
        met = expectation->low <= estimate->mean && estimate->mean <= expectation->high;
        break;
    }
    return met ? VERDICT_MET : VERDICT_MISSED;
}
