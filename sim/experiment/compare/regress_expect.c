#include "sim/experiment/compare/regress_expect.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static bool copy_metrics(struct result *result, const struct sample *sample)
{
    result->metrics = calloc(sample->metric_count + 1, sizeof *result->metrics);
    if (result->metrics == NULL)
        return false;
    for (; result->metric_count < sample->metric_count; result->metric_count++) {
        const struct sample_metric *metric = &sample->metrics[result->metric_count];
        struct metric_name *copy = &result->metrics[result->metric_count];
        *copy = (struct metric_name){strdup(metric->name), strdup(metric->unit)};
        if (copy->name == NULL || copy->unit == NULL) {
            result->metric_count++;
            return false;
        }
    }
    return true;
}

static bool copy_unit(struct unit_result *unit, const struct sample *sample, size_t cell, size_t replication)
{
    if (!sample_is_done(sample, cell, replication))
        return true;
    unit->metrics = calloc(sample->metric_count + 1, sizeof *unit->metrics);
    if (unit->metrics == NULL)
        return false;
    for (size_t metric = 0; metric < sample->metric_count; metric++)
        unit->metrics[metric] = sample_value(sample, cell, replication, metric);
    unit->run_effect = sample->run_effects[cell * sample->replications + replication];
    unit->done = true;
    return true;
}

/* The result that the baseline is of, as far as expectations go: its values in the cells of `now`, in as many
 * replications as `now` has. To be destroyed; NULL when memory is short. */
static struct result *result_then(const struct result *now, const struct sample *now_sample,
                                  const struct sample *then)
{
    struct result *result = calloc(1, sizeof *result);
    if (result == NULL)
        return NULL;
    result->experiment = now->experiment;
    result->cell_count = now->cell_count;
    result->replications = now->replications;
    result->plans = calloc(now->cell_count + 1, sizeof *result->plans);
    result->run_effect_cv = calloc(now->cell_count + 1, sizeof *result->run_effect_cv);
    result->units = calloc(now->cell_count * now->replications + 1, sizeof *result->units);
    bool complete = result->plans != NULL && result->run_effect_cv != NULL && result->units != NULL &&
                    copy_metrics(result, then);
    for (size_t cell = 0; complete && cell < now->cell_count; cell++) {
        ptrdiff_t old = sample_find_cell(then, &now_sample->cells[cell]);
        result->plans[cell].wanted = now->replications;
        result->run_effect_cv[cell] = now->run_effect_cv[cell];
        for (size_t i = 0; complete && old >= 0 && i < now->replications; i++)
            complete = copy_unit(&result->units[cell * now->replications + i], then, (size_t)old, i);
    }
    if (complete && result_summarize(result))
        return result;
    result_destroy(result);
    return NULL;
}

static void count(struct regression *regression, enum verdict verdict)
{
    regression->expectations.total++;
    regression->expectations.met += verdict == VERDICT_MET;
    regression->expectations.missed += verdict == VERDICT_MISSED;
    regression->expectations.not_judged += verdict == VERDICT_NO_VALUE || verdict == VERDICT_UNFINISHED;
}

static void hold(struct regression *regression, const struct result *now, const struct result *then,
                 size_t cell, const char *label)
{
    const struct cell *it = experiment_cell(now->experiment, cell);
    for (size_t i = 0; i < it->expectation_count; i++) {
        double predicted, before = NAN;
        enum verdict verdict = result_verdict(now, cell, &it->expectations[i], &predicted);
        count(regression, verdict);
        if (verdict != VERDICT_MISSED || then == NULL ||
            result_verdict(then, cell, &it->expectations[i], &before) != VERDICT_MET)
            continue;
        /* Room for all was taken beforehand. */
        regression->newly_missed[regression->newly_missed_count++] =
            (struct regress_missed){label, it->expectations[i].metric, before, predicted};
    }
}

bool regress_expect(struct regression *regression, const struct result *result, const struct sample *now,
                    const struct baseline *baseline)
{
    size_t total = 0;
    for (size_t cell = 0; cell < result->cell_count; cell++)
        total += experiment_cell(result->experiment, cell)->expectation_count;
    if (total == 0)
        return true;
    regression->newly_missed = ARENA_ARRAY(regression->arena, struct regress_missed, total);
    const char **labels = ARENA_ARRAY(regression->arena, const char *, result->cell_count);
    for (size_t cell = 0; cell < result->cell_count; cell++) {
        char label[512];
        sample_cell_label(label, sizeof label, &now->cells[cell]);
        labels[cell] = arena_text(regression->arena, label);
    }
    struct result *then = NULL;
    if (baseline != NULL && (then = result_then(result, now, baseline->sample)) == NULL)
        return false;
    for (size_t cell = 0; cell < result->cell_count; cell++)
        hold(regression, result, then, cell, labels[cell]);
    result_destroy(then);
    for (size_t i = 0; i < regression->newly_missed_count; i++)
        regression->newly_missed[i].metric =
            arena_text(regression->arena, regression->newly_missed[i].metric);
    return true;
}
