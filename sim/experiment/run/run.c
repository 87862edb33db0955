/* Runs an experiment: asks the plan for units, takes from the keeper those that are there, has an engine run the
 * others, and when the plan wants no more brings all outcomes under one list of metrics.
 *
 * An outcome is stored once, at its unit's own place, and outcomes are merged in the order of the units; so
 * nothing in a result can depend on the number of threads or machines, or on which was faster.
 */
#include "sim/experiment/run/round.h"

#include "sim/experiment/run/assemble.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct execution {
    const struct experiment *experiment;
    const struct run_options *options;
    struct plan *plan;
    size_t cell_count;
    struct unit_outcome **outcomes; /* [cell][replication] */
    size_t *room;                   /* [cell]: replications there is room for, and kept or tried */
    /* The units of the round. */
    struct unit *units;
    struct unit_outcome **places;
    size_t unit_count;
    size_t done;
    char message[UNIT_MESSAGE_SIZE];
};

static bool is_of_shard(const struct execution *execution, struct unit unit)
{
    return shard_has(&execution->options->shard, unit, plan_cells(execution->plan)[0].wanted);
}

static size_t wanted_units(const struct execution *execution)
{
    size_t wanted = 0;
    for (size_t cell = 0; cell < execution->cell_count; cell++)
        for (size_t i = 0; i < plan_cells(execution->plan)[cell].wanted; i++)
            wanted += is_of_shard(execution, (struct unit){cell, i});
    return wanted;
}

static void report_progress(const struct execution *execution)
{
    if (execution->options->progress == NULL)
        return;
    const struct precision_target *target = experiment_precision(execution->experiment);
    struct run_progress progress = {
        .done = execution->done,
        .wanted = wanted_units(execution),
        .may_want_more = plan_is_open(execution->plan),
        .half_width = NAN,
        .half_width_wanted = NAN,
    };
    if (target != NULL && execution->options->selection == NULL) {
        progress.half_width = plan_worst_half_width(execution->plan);
        progress.half_width_wanted = target->half_width;
    }
    execution->options->progress(execution->options->progress_context, &progress);
}

static bool take_finished(void *context, size_t index, char message[UNIT_MESSAGE_SIZE])
{
    struct execution *execution = context;
    struct keeper *keeper = execution->options->keeper;
    execution->done++;
    report_progress(execution);
    return keeper == NULL || keeper->operations->save == NULL ||
           keeper->operations->save(keeper, execution->units[index], execution->places[index], message);
}

/* Takes a unit from the keeper. False when the keeper failed; otherwise `place` holds what it had. */
static bool take_kept(struct execution *execution, struct unit unit, struct unit_outcome *place)
{
    struct keeper *keeper = execution->options->keeper;
    if (keeper == NULL || keeper->operations->load == NULL)
        return true;
    switch (
        keeper->operations->load(keeper, unit, execution->options->keep_records, place, execution->message)) {
    case KEEPER_HAS_IT:
        execution->done++;
        return true;
    case KEEPER_HAS_NOT:
        return true;
    case KEEPER_FAILED:
        break;
    }
    return false;
}

static bool make_room(struct execution *execution, size_t cell, size_t wanted)
{
    if (wanted <= execution->room[cell])
        return true;
    struct unit_outcome *list = realloc(execution->outcomes[cell], wanted * sizeof *list);
    if (list == NULL)
        return false;
    memset(list + execution->room[cell], 0, (wanted - execution->room[cell]) * sizeof *list);
    execution->outcomes[cell] = list;
    execution->room[cell] = wanted;
    return true;
}

/* Lists the units that are wanted and neither there nor kept. */
static bool prepare_round(struct execution *execution)
{
    const struct cell_plan *cells = plan_cells(execution->plan);
    size_t most = 0;
    for (size_t cell = 0; cell < execution->cell_count; cell++)
        most += cells[cell].wanted;
    free(execution->units);
    free(execution->places);
    execution->units = calloc(most + 1, sizeof *execution->units);
    execution->places = calloc(most + 1, sizeof *execution->places);
    execution->unit_count = 0;
    if (execution->units == NULL || execution->places == NULL)
        return false;
    for (size_t cell = 0; cell < execution->cell_count; cell++) {
        if (!make_room(execution, cell, cells[cell].wanted))
            return false;
        for (size_t i = 0; i < cells[cell].wanted; i++) {
            struct unit unit = {cell, i};
            struct unit_outcome *place = &execution->outcomes[cell][i];
            if (place->done || !is_of_shard(execution, unit))
                continue;
            if (!take_kept(execution, unit, place))
                return false;
            if (place->done || execution->options->only_kept)
                continue;
            execution->units[execution->unit_count] = unit;
            execution->places[execution->unit_count++] = place;
        }
    }
    return true;
}

static bool run_round(struct execution *execution)
{
    struct round round = {
        .experiment = execution->experiment,
        .units = execution->units,
        .outcomes = execution->places,
        .count = execution->unit_count,
        .keep_records = execution->options->keep_records,
        .cancel = execution->options->cancel,
        .watch = execution->options->watch,
        .finished = take_finished,
        .context = execution,
    };
    if (round.count == 0)
        return true;
    return execution->options->by_mpi
               ? round_by_mpi(&round, execution->message)
               : round_by_threads(&round, execution->options->jobs, execution->message);
}

static bool is_round_whole(const struct execution *execution)
{
    const struct cell_plan *cells = plan_cells(execution->plan);
    for (size_t cell = 0; cell < execution->cell_count; cell++)
        for (size_t i = 0; i < cells[cell].wanted; i++)
            if (!execution->outcomes[cell][i].done)
                return false;
    return true;
}

static bool run_all_rounds(struct execution *execution)
{
    bool short_of_memory = false;
    do {
        if (!prepare_round(execution))
            return false;
        report_progress(execution);
        if (!run_round(execution))
            return false;
    } while (is_round_whole(execution) && plan_next(execution->plan, execution->outcomes, &short_of_memory));
    return !short_of_memory;
}

static void release(struct execution *execution)
{
    for (size_t cell = 0; execution->outcomes != NULL && cell < execution->cell_count; cell++) {
        for (size_t i = 0; i < execution->room[cell]; i++)
            unit_release(&execution->outcomes[cell][i]);
        free(execution->outcomes[cell]);
    }
    free(execution->outcomes);
    free(execution->room);
    free(execution->units);
    free(execution->places);
    plan_destroy(execution->plan);
}

struct result *experiment_execute(const struct experiment *experiment, const struct run_options *options,
                                  char *message, size_t message_size)
{
    struct execution execution = {
        .experiment = experiment,
        .options = options,
        .plan = plan_create(experiment, options->selection),
        .cell_count = experiment_cell_count(experiment),
        .message = "out of memory",
    };
    execution.room = calloc(execution.cell_count + 1, sizeof *execution.room);
    if (execution.room != NULL)
        execution.outcomes = calloc(execution.cell_count + 1, sizeof *execution.outcomes);
    struct result *result = NULL;
    if (execution.plan != NULL && execution.outcomes != NULL && run_all_rounds(&execution))
        result = result_assemble(experiment, execution.plan, execution.outcomes);
    if (result != NULL)
        result->selection = options->selection;
    else
        snprintf(message, message_size, "%s", execution.message);
    release(&execution);
    return result;
}
