#include "sim/experiment/run/assemble.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The index of a metric, added at the end when new; -1 when memory is short. */
static ptrdiff_t merge_metric(struct result *result, const struct metric_name *metric, size_t expected_index)
{
    if (expected_index < result->metric_count &&
        strcmp(result->metrics[expected_index].name, metric->name) == 0)
        return (ptrdiff_t)expected_index;
    ptrdiff_t known = result_metric(result, metric->name);
    if (known >= 0)
        return known;
    struct metric_name *metrics = realloc(result->metrics, (result->metric_count + 1) * sizeof *metrics);
    if (metrics == NULL)
        return -1;
    result->metrics = metrics;
    metrics[result->metric_count] = (struct metric_name){strdup(metric->name), strdup(metric->unit)};
    result->metric_count++;
    const struct metric_name *added = &metrics[result->metric_count - 1];
    return added->name == NULL || added->unit == NULL ? -1 : (ptrdiff_t)result->metric_count - 1;
}

static bool merge_warnings(struct result *result, struct unit_outcome *outcome)
{
    for (size_t i = 0; i < outcome->warning_count; i++) {
        bool known = false;
        for (size_t j = 0; j < result->warning_count && !known; j++)
            known = strcmp(result->warnings[j], outcome->warnings[i]) == 0;
        if (known)
            continue;
        char **warnings = realloc(result->warnings, (result->warning_count + 1) * sizeof *warnings);
        if (warnings == NULL)
            return false;
        result->warnings = warnings;
        warnings[result->warning_count++] = outcome->warnings[i];
        outcome->warnings[i] = NULL;
    }
    return true;
}

/* `count` rows of values, each in the outcome's order of metrics, to as many in the result's. */
static double *merge_values(struct result *result, const struct unit_outcome *outcome, const double *values,
                            size_t count)
{
    double *merged = malloc((count * result->metric_count + 1) * sizeof *merged);
    for (size_t i = 0; merged != NULL && i < count * result->metric_count; i++)
        merged[i] = NAN;
    for (size_t i = 0; merged != NULL && i < outcome->metric_count; i++) {
        ptrdiff_t metric = merge_metric(result, &outcome->names[i], i);
        assert(metric >= 0); /* all names were merged before */
        for (size_t row = 0; row < count; row++)
            merged[row * result->metric_count + (size_t)metric] = values[row * outcome->metric_count + i];
    }
    return merged;
}

/* Moves the records of a finished unit into the result. */
static bool merge_unit(struct result *result, size_t cell, struct unit_result *unit,
                       struct unit_outcome *outcome)
{
    unit->run_effect = outcome->run_effect;
    unit->account = outcome->account;
    result->run_effect_cv[cell] = outcome->run_effect_cv;
    unit->metrics = merge_values(result, outcome, outcome->values, 1);
    if (outcome->part_count > 0)
        unit->parts = merge_values(result, outcome, outcome->part_values, outcome->part_count);
    unit->part_count = outcome->part_count;
    if (unit->metrics == NULL || (unit->part_count > 0 && unit->parts == NULL) ||
        !merge_warnings(result, outcome))
        return false;
    unit->logons = outcome->logons;
    unit->logon_count = outcome->logon_count;
    outcome->logons = NULL;
    if (outcome->store_count == result->store_count) {
        unit->minutes = outcome->minutes;
        unit->minute_counts = outcome->minute_counts;
        outcome->minutes = NULL;
        outcome->minute_counts = NULL;
        unit->workload_count = outcome->workload_count;
        unit->workload_minutes = outcome->workload_minutes;
        outcome->workload_minutes = NULL;
    }
    unit->done = true;
    return true;
}

static bool merge_names(struct result *result, struct unit_outcome *outcome)
{
    for (size_t i = 0; i < outcome->metric_count; i++)
        if (merge_metric(result, &outcome->names[i], i) < 0)
            return false;
    if (result->store_names == NULL) { /* the stores of an experiment are the same in all cells */
        result->store_names = outcome->store_names;
        result->store_count = outcome->store_count;
        outcome->store_names = NULL;
    }
    return true;
}

static bool merge_all(struct result *result, struct unit_outcome *const *outcomes)
{
    for (size_t cell = 0; cell < result->cell_count; cell++)
        for (size_t i = 0; i < result->plans[cell].wanted; i++)
            if (outcomes[cell][i].done && !merge_names(result, &outcomes[cell][i]))
                return false;
    for (size_t cell = 0; cell < result->cell_count; cell++)
        for (size_t i = 0; i < result->plans[cell].wanted; i++)
            if (outcomes[cell][i].done &&
                !merge_unit(result, cell, &result->units[cell * result->replications + i],
                            &outcomes[cell][i]))
                return false;
    return true;
}

static struct result *result_create(const struct experiment *experiment, const struct plan *plan)
{
    struct result *result = calloc(1, sizeof *result);
    if (result == NULL)
        return NULL;
    result->experiment = experiment;
    result->cell_count = experiment_cell_count(experiment);
    result->pilot = plan_pilot(plan);
    result->plans = calloc(result->cell_count + 1, sizeof *result->plans);
    if (result->plans != NULL)
        memcpy(result->plans, plan_cells(plan), result->cell_count * sizeof *result->plans);
    for (size_t cell = 0; result->plans != NULL && cell < result->cell_count; cell++)
        if (result->plans[cell].wanted > result->replications)
            result->replications = result->plans[cell].wanted;
    result->units = calloc(result->cell_count * result->replications + 1, sizeof *result->units);
    result->run_effect_cv = calloc(result->cell_count + 1, sizeof *result->run_effect_cv);
    if (result->plans != NULL && result->units != NULL && result->run_effect_cv != NULL)
        return result;
    result_destroy(result);
    return NULL;
}

struct result *result_assemble(const struct experiment *experiment, const struct plan *plan,
                               struct unit_outcome *const *outcomes)
{
    struct result *result = result_create(experiment, plan);
    if (result == NULL || !merge_all(result, outcomes) || !result_summarize(result)) {
        result_destroy(result);
        return NULL;
    }
    result->interrupted = result_done(result) < result_wanted(result);
    return result;
}
