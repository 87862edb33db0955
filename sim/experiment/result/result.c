#include "sim/experiment/result/result.h"

#include "sim/experiment/result/unfinished.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static void release_unit(struct unit_result *unit, size_t store_count)
{
    free(unit->metrics);
    free(unit->parts);
    free(unit->logons);
    if (unit->minutes != NULL)
        for (size_t store = 0; store < store_count; store++)
            free(unit->minutes[store]);
    free(unit->minutes);
    free(unit->minute_counts);
    if (unit->workload_minutes != NULL)
        for (size_t store = 0; store < store_count; store++)
            free(unit->workload_minutes[store]);
    free(unit->workload_minutes);
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
    free(result->plans);
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

size_t result_wanted(const struct result *result)
{
    size_t wanted = 0;
    for (size_t cell = 0; cell < result->cell_count; cell++)
        wanted += result->plans[cell].wanted;
    return wanted;
}

/* The values of one metric in one cell: a row each of the replications that have one, or of the batches. */
struct values {
    double *list, *run_effects;
    size_t count, pilot;
};

static void gather(const struct result *result, size_t cell, size_t metric, struct values *values)
{
    const struct unit_result *units = cell_units(result, cell);
    values->count = values->pilot = 0;
    for (size_t i = 0; i < result->plans[cell].wanted; i++) {
        if (!units[i].done)
            continue;
        const double *rows = units[i].part_count > 0 ? units[i].parts : units[i].metrics;
        size_t row_count = units[i].part_count > 0 ? units[i].part_count : 1;
        for (size_t row = 0; row < row_count; row++) {
            double value = rows[row * result->metric_count + metric];
            if (isnan(value))
                continue;
            values->list[values->count] = value;
            values->run_effects[values->count++] = units[i].run_effect;
            values->pilot += i < result->pilot;
        }
    }
}

static size_t most_values(const struct result *result)
{
    size_t most = 0;
    for (size_t cell = 0; cell < result->cell_count; cell++) {
        size_t count = 0;
        for (size_t i = 0; i < result->replications; i++) {
            size_t parts = cell_units(result, cell)[i].part_count;
            count += parts > 0 ? parts : 1;
        }
        most = count > most ? count : most;
    }
    return most;
}

bool result_summarize(struct result *result)
{
    size_t estimate_count = result->cell_count * result->metric_count;
    size_t room = most_values(result) + 1;
    struct estimate *estimates = calloc(estimate_count + 1, sizeof *estimates);
    struct values values = {.list = calloc(room, sizeof *values.list),
                            .run_effects = calloc(room, sizeof *values.run_effects)};
    bool complete = estimates != NULL && values.list != NULL && values.run_effects != NULL;
    for (size_t cell = 0; complete && cell < result->cell_count; cell++) {
        /* The batches of one run share its multiplier, which so explains nothing. */
        bool has_parts = result->replications > 0 && cell_units(result, cell)[0].part_count > 0;
        for (size_t metric = 0; metric < result->metric_count; metric++) {
            gather(result, cell, metric, &values);
            struct estimate *estimate = &estimates[cell * result->metric_count + metric];
            *estimate = estimate_of_two_stages(values.list, values.run_effects, values.count,
                                               has_parts ? 0 : result->run_effect_cv[cell], values.pilot);
            if (has_parts && result->run_effect_cv[cell] > 0)
                estimate->pi95_low = estimate->pi95_high =
                    NAN; /* one run more would have another multiplier */
        }
    }
    free(values.list);
    free(values.run_effects);
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

void expectation_title(char title[EXPECTATION_TITLE_SIZE], const struct expectation *expectation)
{
    snprintf(title, EXPECTATION_TITLE_SIZE, "%.150s%s%.200s", expectation->metric,
             expectation->over != NULL ? " over " : "", expectation->over != NULL ? expectation->over : "");
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
    if (expectation->over != NULL) {
        if (metric_is_of_the_fastest(result, expectation->over_cell, expectation->metric))
            return VERDICT_UNFINISHED;
        *predicted /= result_estimate(result, expectation->over_cell, (size_t)metric)->mean;
    }
    const double mean = *predicted;
    if (!isfinite(mean))
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
        met = fabs(mean - published) <= expectation->tolerance * fabs(published);
        break;
    case EXPECT_BETWEEN:
        met = expectation->low <= mean && mean <= expectation->high;
        break;
    }
    return met ? VERDICT_MET : VERDICT_MISSED;
}
