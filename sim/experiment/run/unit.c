#include "sim/experiment/run/unit.h"

#include "vdisim/steady.h"
#include "vdisim/time.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void unit_release(struct unit_outcome *outcome)
{
    for (size_t i = 0; i < outcome->metric_count; i++) {
        free(outcome->names[i].name);
        free(outcome->names[i].unit);
    }
    for (size_t i = 0; i < outcome->store_count; i++) {
        if (outcome->store_names != NULL)
            free(outcome->store_names[i]);
        if (outcome->minutes != NULL)
            free(outcome->minutes[i]);
        if (outcome->workload_minutes != NULL)
            free(outcome->workload_minutes[i]);
    }
    for (size_t i = 0; i < outcome->warning_count; i++)
        free(outcome->warnings[i]);
    free(outcome->names);
    free(outcome->values);
    free(outcome->part_values);
    free(outcome->logons);
    free(outcome->store_names);
    free(outcome->minutes);
    free(outcome->minute_counts);
    free(outcome->workload_minutes);
    free(outcome->warnings);
    memset(outcome, 0, sizeof *outcome);
}

double unit_metric(const struct unit_outcome *outcome, const char *name)
{
    for (size_t i = 0; i < outcome->metric_count; i++)
        if (strcmp(outcome->names[i].name, name) == 0)
            return outcome->values[i];
    return NAN;
}

/* Collects the metrics of a report into an outcome. */
struct collector {
    struct metric_sink sink; /* first, so that a sink is a collector */
    struct unit_outcome *outcome;
    size_t capacity;
    bool short_of_memory;
};

static bool make_room(struct collector *collector)
{
    struct unit_outcome *outcome = collector->outcome;
    if (outcome->metric_count < collector->capacity)
        return true;
    size_t capacity = collector->capacity == 0 ? 64 : 2 * collector->capacity;
    struct metric_name *names = realloc(outcome->names, capacity * sizeof *names);
    if (names != NULL)
        outcome->names = names;
    double *values = realloc(outcome->values, capacity * sizeof *values);
    if (values != NULL)
        outcome->values = values;
    if (names == NULL || values == NULL)
        return false;
    collector->capacity = capacity;
    return true;
}

static void collect_metric(struct metric_sink *sink, const char *name, const char *unit, double value)
{
    struct collector *collector = (struct collector *)sink;
    struct unit_outcome *outcome = collector->outcome;
    if (collector->short_of_memory || !make_room(collector)) {
        collector->short_of_memory = true;
        return;
    }
    struct metric_name *slot = &outcome->names[outcome->metric_count];
    *slot = (struct metric_name){strdup(name), strdup(unit)};
    outcome->values[outcome->metric_count] = isfinite(value) ? value : NAN;
    outcome->metric_count++;
    collector->short_of_memory = slot->name == NULL || slot->unit == NULL;
}

static void *copy_of(const void *source, size_t count, size_t size)
{
    void *copy = malloc(count * size + 1);
    if (copy != NULL && count > 0)
        memcpy(copy, source, count * size);
    return copy;
}

static bool keep_minutes(struct unit_outcome *outcome, struct world *world, size_t store)
{
    size_t count;
    const struct minute_record *minutes = world_minutes(world, store, &count);
    outcome->minutes[store] = copy_of(minutes, count, sizeof *minutes);
    if (outcome->minutes[store] == NULL)
        return false;
    outcome->minute_counts[store] = count;
    const struct workload_minute *parts = world_workload_minutes(world, store, &outcome->workload_count);
    if (outcome->workload_count == 0)
        return true;
    outcome->workload_minutes[store] = copy_of(parts, count * outcome->workload_count, sizeof *parts);
    return outcome->workload_minutes[store] != NULL;
}

static bool keep_stores(struct unit_outcome *outcome, struct world *world, bool keep_records)
{
    size_t count = world_store_count(world);
    outcome->store_names = calloc(count + 1, sizeof *outcome->store_names);
    outcome->minutes = calloc(count + 1, sizeof *outcome->minutes);
    outcome->minute_counts = calloc(count + 1, sizeof *outcome->minute_counts);
    outcome->workload_minutes = calloc(count + 1, sizeof *outcome->workload_minutes);
    if (outcome->store_names == NULL || outcome->minutes == NULL || outcome->minute_counts == NULL ||
        outcome->workload_minutes == NULL)
        return false;
    outcome->store_count = count;
    for (size_t store = 0; store < count; store++) {
        outcome->store_names[store] = strdup(world_store_name(world, store));
        if (outcome->store_names[store] == NULL)
            return false;
        if (keep_records && !keep_minutes(outcome, world, store))
            return false;
    }
    return true;
}

/* What of a run is measured. */
struct measured {
    const struct run_settings *settings;
    int64_t warm_up_ns;
    bool found; /* the warm-up, by MSER-5; false also when it was not looked for */
};

static void report_warm_up(const struct measured *measured, struct metric_sink *sink)
{
    if (measured->settings->steady_state)
        metric_report(sink, "run.warm_up", "s", measured->found ? (double)measured->warm_up_ns / 1e9 : NAN);
}

static bool add_warning(struct unit_outcome *outcome, const char *text)
{
    outcome->warnings[outcome->warning_count] = strdup(text);
    return outcome->warnings[outcome->warning_count++] != NULL;
}

static bool keep_warnings(struct unit_outcome *outcome, const struct world *world,
                          const struct measured *measured)
{
    size_t count = world_warning_count(world);
    outcome->warnings = calloc(count + 1, sizeof *outcome->warnings);
    if (outcome->warnings == NULL)
        return false;
    for (size_t i = 0; i < count; i++)
        if (!add_warning(outcome, world_warning(world, i)))
            return false;
    return !measured->settings->steady_state || measured->found ||
           add_warning(outcome,
                       "no steady state was found: load times still change in the second half of a run, "
                       "or the logons are too few; nothing was left out, and a longer run.length may "
                       "show one");
}

/* The parts report the same metrics in the same order as the whole. */
struct part_collector {
    struct metric_sink sink;
    double *next, *end;
};

static void collect_part_value(struct metric_sink *sink, const char *name, const char *unit, double value)
{
    struct part_collector *collector = (struct part_collector *)sink;
    (void)name;
    (void)unit;
    assert(collector->next < collector->end);
    *collector->next++ = isfinite(value) ? value : NAN;
}

static bool keep_batches(struct unit_outcome *outcome, struct world *world, const struct measured *measured)
{
    size_t batches = (size_t)measured->settings->batches;
    if (batches == 0)
        return true;
    assert(world_part_count(world) == batches);
    size_t count = batches * outcome->metric_count;
    outcome->part_values = calloc(count + 1, sizeof *outcome->part_values);
    if (outcome->part_values == NULL)
        return false;
    struct part_collector collector = {
        {collect_part_value}, outcome->part_values, outcome->part_values + count};
    for (size_t part = 0; part < batches; part++) {
        world_report_part(world, part, &collector.sink);
        report_warm_up(measured, &collector.sink);
    }
    assert(collector.next == collector.end);
    outcome->part_count = batches;
    return true;
}

/* Copies out of a world that has come to its end all that is reported. False when memory is short. */
static bool keep_world(struct unit_outcome *outcome, struct world *world, bool keep_records,
                       const struct measured *measured)
{
    struct collector collector = {.sink = {collect_metric}, .outcome = outcome};
    world_report(world, &collector.sink);
    report_warm_up(measured, &collector.sink);
    if (collector.short_of_memory || !keep_batches(outcome, world, measured))
        return false;
    outcome->account = world_account(world);
    if (!world_run_effect(world, &outcome->run_effect, &outcome->run_effect_cv))
        outcome->run_effect_cv = 0;
    if (outcome->run_effect_cv <= 0)
        outcome->run_effect = 1;
    if (keep_records) {
        size_t count;
        const struct logon_record *logons = world_logons(world, &count);
        outcome->logons = copy_of(logons, count, sizeof *logons);
        if (outcome->logons == NULL)
            return false;
        outcome->logon_count = count;
    }
    return keep_stores(outcome, world, keep_records) && keep_warnings(outcome, world, measured);
}

static bool is_stopped(const struct unit_run *run)
{
    return run->stop != NULL && run->stop(run->context);
}

/* Runs the world to an instant in slices of a minute, so that a cancellation waits no longer than one. */
static enum sim_end run_until(const struct unit_run *run, struct unit unit, struct world *world,
                              int64_t until_ns)
{
    enum sim_end end = SIM_END_TIME;
    /* When nothing is left to happen the clock still goes on to the end: rates are over the whole run. */
    while ((end == SIM_END_TIME || end == SIM_END_EMPTY) && world_now_ns(world) < until_ns &&
           !is_stopped(run)) {
        int64_t left_ns = until_ns - world_now_ns(world);
        int64_t slice_ns = left_ns < SIM_NS_PER_MIN ? left_ns : SIM_NS_PER_MIN;
        end = world_run_until(world, world_now_ns(world) + slice_ns);
        if (run->watch != NULL)
            run->watch->look(run->watch->context, unit, world);
    }
    return end;
}

/* Runs it to its end with a mark where the warm-up ends and where each batch begins. */
static enum sim_end run_marked(const struct unit_run *run, struct unit unit, struct world *world,
                               const struct run_settings *settings, int64_t warm_up_ns)
{
    int64_t parts = settings->batches > 0 ? settings->batches : warm_up_ns > 0 ? 1 : 0;
    enum sim_end end = SIM_END_TIME;
    for (int64_t part = 0; part < parts && (end == SIM_END_TIME || end == SIM_END_EMPTY); part++) {
        double share = (double)part / (double)parts;
        end = run_until(run, unit, world,
                        warm_up_ns + (int64_t)(share * (double)(settings->length_ns - warm_up_ns)));
        if (!is_stopped(run))
            world_mark(world);
    }
    if (end == SIM_END_TIME || end == SIM_END_EMPTY)
        end = run_until(run, unit, world, settings->length_ns);
    return end;
}

/* One run of a world, from its making to its end. */
struct pass {
    struct world *world;
    enum sim_end end;
    char why[512];
};

static void begin_pass(struct pass *pass, const struct unit_run *run, struct unit unit)
{
    const struct scenario *scenario = experiment_cell(run->experiment, unit.cell)->scenario;
    uint64_t seed = (uint64_t)experiment_run(run->experiment)->seed;
    snprintf(pass->why, sizeof pass->why, "out of memory");
    pass->world = world_create(scenario, seed, unit.replication, pass->why, sizeof pass->why);
}

/* Whether the world came to its end. If not: UNIT_FAILED with why, or UNIT_STOPPED. */
static enum unit_end end_of(struct pass *pass, int64_t length_ns)
{
    if (pass->world == NULL)
        return UNIT_FAILED;
    if (pass->end == SIM_END_MEMORY || pass->end == SIM_END_STALLED) {
        snprintf(pass->why, sizeof pass->why, "%s",
                 pass->end == SIM_END_MEMORY
                     ? "out of memory"
                     : "the clock stands still: events follow each other without time passing");
        return UNIT_FAILED;
    }
    return world_now_ns(pass->world) < length_ns ? UNIT_STOPPED : UNIT_DONE;
}

/* The start of the first logon after the warm-up of the loads, by MSER-5; false when there is no steady state. */
static bool find_warm_up(struct world *world, int64_t *warm_up_ns, bool *found)
{
    size_t count, finished = 0;
    const struct logon_record *logons = world_logons(world, &count);
    double *loads = malloc((count + 1) * sizeof *loads);
    int64_t *starts = malloc((count + 1) * sizeof *starts);
    bool fine = loads != NULL && starts != NULL && (logons != NULL || count == 0);
    for (size_t i = 0; fine && i < count; i++) {
        if (!logons[i].finished)
            continue;
        loads[finished] = (double)logons[i].load_ns;
        starts[finished++] = logons[i].start_ns;
    }
    *found = false;
    *warm_up_ns = 0;
    if (fine) {
        size_t left_out = sim_mser5(loads, finished, found);
        *warm_up_ns = *found && left_out > 0 ? starts[left_out] : 0;
    }
    free(loads);
    free(starts);
    return fine;
}

enum unit_end unit_execute(const struct unit_run *run, struct unit unit, struct unit_outcome *outcome,
                           char message[UNIT_MESSAGE_SIZE])
{
    const struct run_settings *settings = &experiment_cell(run->experiment, unit.cell)->scenario->run;
    struct pass pass;
    struct measured measured = {.settings = settings, .warm_up_ns = settings->warm_up_ns};
    enum unit_end end = UNIT_DONE;

    memset(outcome, 0, sizeof *outcome);
    if (settings->steady_state) { /* a pass to find the warm-up; the next repeats it with the mark in place */
        struct unit_run unwatched = *run;
        unwatched.watch = NULL;
        begin_pass(&pass, run, unit);
        if (pass.world != NULL)
            pass.end = run_until(&unwatched, unit, pass.world, settings->length_ns);
        end = end_of(&pass, settings->length_ns);
        if (end == UNIT_DONE && !find_warm_up(pass.world, &measured.warm_up_ns, &measured.found)) {
            snprintf(pass.why, sizeof pass.why, "out of memory");
            end = UNIT_FAILED;
        }
        world_destroy(pass.world);
    }
    if (end == UNIT_DONE) {
        begin_pass(&pass, run, unit);
        if (pass.world != NULL)
            pass.end = run_marked(run, unit, pass.world, settings, measured.warm_up_ns);
        end = end_of(&pass, settings->length_ns);
        if (end == UNIT_DONE && !keep_world(outcome, pass.world, run->keep_records, &measured)) {
            snprintf(pass.why, sizeof pass.why, "out of memory");
            end = UNIT_FAILED;
        }
        world_destroy(pass.world);
    }
    if (end == UNIT_FAILED)
        snprintf(message, UNIT_MESSAGE_SIZE, "cell %zu, replication %zu: %s", unit.cell + 1,
                 unit.replication + 1, pass.why);
    if (end != UNIT_DONE)
        unit_release(outcome);
    outcome->done = end == UNIT_DONE;
    return end;
}
