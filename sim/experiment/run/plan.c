#include "sim/experiment/run/plan.h"

#include "sim/experiment/result/estimate.h"
#include "sim/experiment/result/label.h"
#include "sim/experiment/result/unfinished.h"
#include "vdisim/selection.h"
#include "vdisim/two_stage.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum plan_kind { PLAN_FIXED, PLAN_PRECISION, PLAN_SELECTION };

struct plan {
    enum plan_kind kind;
    const struct precision_target *target;
    const struct selection_request *request;
    size_t cell_count, pilot;
    double length_s; /* of a run */
    struct cell_plan *cells;
    /* The values of one metric in one cell, as they are looked at. */
    double *values, *controls;
    size_t room;
    /* The selection is among the cells that have a value: system i is cell systems[i]. */
    struct sim_selection selection;
    size_t *systems;
    double **system_values;
    size_t screened; /* replications */
};

struct plan *plan_create(const struct experiment *experiment, const struct selection_request *request)
{
    struct plan *plan = calloc(1, sizeof *plan);
    if (plan == NULL)
        return NULL;
    const struct run_settings *run = experiment_run(experiment);
    plan->cell_count = experiment_cell_count(experiment);
    plan->length_s = (double)run->length_ns / 1e9;
    plan->request = request;
    plan->target = experiment_precision(experiment);
    plan->kind = request != NULL ? PLAN_SELECTION : plan->target != NULL ? PLAN_PRECISION : PLAN_FIXED;
    plan->pilot = plan->kind == PLAN_SELECTION   ? (size_t)run->at_least
                  : plan->kind == PLAN_PRECISION ? plan->target->at_least
                                                 : 0;
    plan->cells = calloc(plan->cell_count + 1, sizeof *plan->cells);
    plan->systems = calloc(plan->cell_count + 1, sizeof *plan->systems);
    plan->system_values = calloc(plan->cell_count + 1, sizeof *plan->system_values);
    if (plan->cells == NULL || plan->systems == NULL || plan->system_values == NULL) {
        plan_destroy(plan);
        return NULL;
    }
    for (size_t cell = 0; cell < plan->cell_count; cell++) {
        size_t wanted = plan->kind == PLAN_FIXED ? (size_t)run->replications : plan->pilot;
        plan->cells[cell] = (struct cell_plan){wanted, CELL_PLAIN, NAN};
    }
    return plan;
}

void plan_destroy(struct plan *plan)
{
    if (plan == NULL)
        return;
    if (plan->screened > 0)
        sim_selection_release(&plan->selection);
    for (size_t i = 0; plan->system_values != NULL && i < plan->cell_count; i++)
        free(plan->system_values[i]);
    free(plan->system_values);
    free(plan->systems);
    free(plan->values);
    free(plan->controls);
    free(plan->cells);
    free(plan);
}

const struct cell_plan *plan_cells(const struct plan *plan)
{
    return plan->cells;
}

size_t plan_pilot(const struct plan *plan)
{
    return plan->kind == PLAN_PRECISION ? plan->pilot : 0;
}

bool plan_is_open(const struct plan *plan)
{
    return plan->kind != PLAN_FIXED;
}

double plan_worst_half_width(const struct plan *plan)
{
    double worst = NAN;
    for (size_t cell = 0; cell < plan->cell_count; cell++)
        if (plan->cells[cell].fate == CELL_PLAIN)
            worst = fmax(worst, plan->cells[cell].half_width);
    return worst;
}

static bool make_room(struct plan *plan, size_t count)
{
    if (count <= plan->room)
        return true;
    double *values = realloc(plan->values, count * sizeof *values);
    if (values != NULL)
        plan->values = values;
    double *controls = realloc(plan->controls, count * sizeof *controls);
    if (controls != NULL)
        plan->controls = controls;
    if (values == NULL || controls == NULL)
        return false;
    plan->room = count;
    return true;
}

/* What the replications of one cell say of the metric aimed at; those without a value are left out. */
struct cell_sample {
    size_t count, pilot;
    const double *controls; /* NULL without a run effect */
};

static struct cell_sample sample_cell(struct plan *plan, const struct unit_outcome *outcomes, size_t wanted)
{
    struct cell_sample sample = {0};
    for (size_t i = 0; i < wanted; i++) {
        double value = unit_metric(&outcomes[i], plan->target->metric);
        if (isnan(value))
            continue;
        plan->values[sample.count] = value;
        plan->controls[sample.count++] = outcomes[i].run_effect;
        sample.pilot += i < plan->pilot;
    }
    if (outcomes[0].run_effect_cv > 0)
        sample.controls = plan->controls;
    return sample;
}

/* The sum of a count of logons over the replications, of the workload that the metric is about. */
static double sum_of(const struct unit_outcome *outcomes, size_t count, const char *metric, size_t prefix,
                     const char *name)
{
    char full[512];
    double sum = 0;
    snprintf(full, sizeof full, "%.*s%s", (int)prefix, metric, name);
    for (size_t i = 0; i < count; i++) {
        double value = unit_metric(&outcomes[i], full);
        sum += isnan(value) ? 0 : value;
    }
    return sum;
}

/* Whether the loads are those of the fastest logons, by the rule of unfinished.h: no cell is held to be precise, or
 * the best, by a lower bound. */
static bool is_lower_bound(const struct plan *plan, const struct unit_outcome *outcomes, size_t count,
                           const char *metric)
{
    size_t prefix = workload_prefix(metric);
    if (strncmp(metric + prefix, "profile_load.", strlen("profile_load.")) != 0)
        return false;
    double unfinished = sum_of(outcomes, count, metric, prefix, "logons.unfinished");
    double all = unfinished + sum_of(outcomes, count, metric, prefix, "logons.finished");
    double load_s = sum_of(outcomes, count, metric, prefix, "profile_load.mean") / (double)count;
    return unfinished_are_too_many(unfinished, all, load_s, plan->length_s);
}

/* The next number of replications of a cell; its fate when there are to be no more. */
static void aim(struct plan *plan, struct cell_plan *cell, const struct unit_outcome *outcomes)
{
    const struct precision_target *target = plan->target;
    struct cell_sample sample = sample_cell(plan, outcomes, cell->wanted);
    if (is_lower_bound(plan, outcomes, cell->wanted, target->metric)) {
        cell->fate = CELL_LOWER_BOUND;
        return;
    }
    if (sample.pilot < ESTIMATE_REGRESSION_LEAST) {
        cell->fate = CELL_NO_VALUE;
        return;
    }
    struct sim_interval interval = sim_two_stage_interval(plan->values, sample.controls, 1, sample.count,
                                                          sample.pilot, target->confidence);
    double half_width = (interval.high - interval.low) / 2;
    cell->half_width = target->is_relative ? half_width / fabs(interval.estimate) : half_width;

    size_t needed = sim_two_stage_count(plan->values, sample.controls, 1, sample.count, sample.pilot,
                                        target->half_width, target->is_relative, target->confidence);
    if (needed <= sample.count) {
        cell->fate = CELL_REACHED;
        return;
    }
    if (cell->wanted >= target->at_most) {
        cell->fate = CELL_NOT_REACHED;
        return;
    }
    size_t more = needed - sample.count;
    cell->wanted = more < target->at_most - cell->wanted ? cell->wanted + more : target->at_most;
}

static bool next_of_precision(struct plan *plan, struct unit_outcome *const *outcomes, bool *failed)
{
    bool any = false;
    for (size_t cell = 0; cell < plan->cell_count; cell++) {
        struct cell_plan *it = &plan->cells[cell];
        if (it->fate != CELL_PLAIN)
            continue;
        if (!make_room(plan, it->wanted)) {
            *failed = true;
            return false;
        }
        aim(plan, it, outcomes[cell]);
        any = any || it->fate == CELL_PLAIN;
    }
    return any;
}

/* More is better of what is carried, less of what is waited for or paid. */
static bool smallest_is_best(const char *metric)
{
    return strstr(metric, "throughput") == NULL && strstr(metric, "iops") == NULL &&
           strstr(metric, "burst_credits") == NULL && strstr(metric, "logons.finished") == NULL;
}

/* The cells with a value, and no mere lower bound, in every replication of the first stage take part. */
static bool begin_selection(struct plan *plan, struct unit_outcome *const *outcomes)
{
    size_t count = 0;
    for (size_t cell = 0; cell < plan->cell_count; cell++) {
        bool has_values = true;
        for (size_t i = 0; i < plan->pilot && has_values; i++)
            has_values = isfinite(unit_metric(&outcomes[cell][i], plan->request->metric));
        if (!has_values)
            plan->cells[cell].fate = CELL_NO_VALUE;
        else if (is_lower_bound(plan, outcomes[cell], plan->pilot, plan->request->metric))
            plan->cells[cell].fate = CELL_LOWER_BOUND;
        else
            plan->systems[count++] = cell;
    }
    plan->screened = plan->pilot;
    if (count == 0)
        return true;
    return sim_selection_init(&plan->selection, count, plan->pilot, plan->request->confidence,
                              plan->request->indifference, smallest_is_best(plan->request->metric));
}

/* Brings the values up to `replications`. A cell that has none there drops out. */
static bool extend_values(struct plan *plan, struct unit_outcome *const *outcomes, size_t replications)
{
    for (size_t i = 0; i < plan->selection.systems; i++) {
        if (!plan->selection.alive[i])
            continue;
        double *values = realloc(plan->system_values[i], replications * sizeof *values);
        if (values == NULL)
            return false;
        plan->system_values[i] = values;
        for (size_t r = 0; r < replications; r++) {
            values[r] = unit_metric(&outcomes[plan->systems[i]][r], plan->request->metric);
            if (isfinite(values[r]))
                continue;
            plan->selection.alive[i] = false;
            plan->selection.alive_count--;
            plan->cells[plan->systems[i]].fate = CELL_NO_VALUE;
            break;
        }
    }
    return true;
}

/* When to look again must not depend on the means: a tenth more each time. */
static size_t next_look(const struct plan *plan, size_t replications)
{
    size_t next = replications + (replications + 9) / 10;
    return next < plan->request->at_most ? next : plan->request->at_most;
}

static void record_fates(struct plan *plan, bool is_over)
{
    const struct sim_selection *selection = &plan->selection;
    for (size_t i = 0; i < selection->systems; i++) {
        struct cell_plan *cell = &plan->cells[plan->systems[i]];
        if (cell->fate != CELL_PLAIN)
            continue;
        if (!selection->alive[i])
            cell->fate = CELL_NOT_BEST;
        else if (selection->alive_count == 1 && selection->systems > 1)
            cell->fate = CELL_BEST;
        else if (is_over && selection->systems > 1)
            cell->fate = CELL_UNDECIDED;
    }
}

static bool next_of_selection(struct plan *plan, struct unit_outcome *const *outcomes, bool *failed)
{
    size_t replications = plan->screened == 0 ? plan->pilot : next_look(plan, plan->screened);
    *failed = (plan->screened == 0 && !begin_selection(plan, outcomes)) ||
              !extend_values(plan, outcomes, replications);
    if (*failed || plan->selection.alive_count == 0)
        return false;
    plan->screened = replications;
    if (plan->selection.alive_count > 1)
        sim_selection_screen(&plan->selection, (const double *const *)plan->system_values, replications);
    bool is_over = plan->selection.alive_count == 1 || replications >= plan->request->at_most;
    record_fates(plan, is_over);
    for (size_t cell = 0; cell < plan->cell_count && !is_over; cell++)
        if (plan->cells[cell].fate == CELL_PLAIN)
            plan->cells[cell].wanted = next_look(plan, replications);
    return !is_over;
}

bool plan_next(struct plan *plan, struct unit_outcome *const *outcomes, bool *failed)
{
    *failed = false;
    if (plan->kind == PLAN_PRECISION)
        return next_of_precision(plan, outcomes, failed);
    if (plan->kind == PLAN_SELECTION)
        return next_of_selection(plan, outcomes, failed);
    return false;
}
