/* Runs the units of an experiment: one unit is one cell for one replication, a world of its own.
 *
 * A pool of threads takes units from a counter. Everything else is private to a unit until it is finished and
 * is then stored, once, at the unit's own place; names of metrics are merged after all threads have ended, in
 * the order of the units. So nothing in a result can depend on the number of threads or on which was faster.
 */
#include "sim/experiment/result.h"

#include <assert.h>
#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MESSAGE_SIZE = 512 };

/* What came out of one unit, before the metrics of all units are brought under the same names. */
struct unit_outcome {
    struct metric_sink sink; /* first, so that a sink is an outcome */
    struct metric_name *names;
    double *values;
    size_t metric_count, metric_capacity;
    double run_effect, run_effect_cv;
    struct sim_account account;
    struct logon_record *logons;
    size_t logon_count;
    char **store_names;
    struct minute_record **minutes;
    size_t *minute_counts;
    size_t store_count;
    char **warnings;
    size_t warning_count;
    bool short_of_memory;
    bool done;
    char *message; /* why it failed */
};

struct pool {
    const struct experiment *experiment;
    const struct run_options *options;
    size_t replications, unit_count;
    struct unit_outcome *outcomes; /* [unit], written once by whoever has taken the unit */
    atomic_size_t next_unit;
    atomic_bool failed;
    pthread_mutex_t progress_lock;
    size_t finished; /* under the lock */
};

static void keep_metric(struct metric_sink *sink, const char *name, const char *unit, double value)
{
    struct unit_outcome *outcome = (struct unit_outcome *)sink;
    if (outcome->metric_count == outcome->metric_capacity) {
        size_t capacity = outcome->metric_capacity == 0 ? 32 : 2 * outcome->metric_capacity;
        struct metric_name *names = realloc(outcome->names, capacity * sizeof *names);
        if (names != NULL)
            outcome->names = names;
        double *values = realloc(outcome->values, capacity * sizeof *values);
        if (values != NULL)
            outcome->values = values;
        if (names == NULL || values == NULL) {
            outcome->short_of_memory = true;
            return;
        }
        outcome->metric_capacity = capacity;
    }
    struct metric_name *slot = &outcome->names[outcome->metric_count];
    *slot = (struct metric_name){strdup(name), strdup(unit)};
    outcome->values[outcome->metric_count] = isfinite(value) ? value : NAN;
    outcome->metric_count++;
    if (slot->name == NULL || slot->unit == NULL)
        outcome->short_of_memory = true;
}

static void release_outcome(struct unit_outcome *outcome)
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
    }
    for (size_t i = 0; i < outcome->warning_count; i++)
        free(outcome->warnings[i]);
    free(outcome->names);
    free(outcome->values);
    free(outcome->logons);
    free(outcome->store_names);
    free(outcome->minutes);
    free(outcome->minute_counts);
    free(outcome->warnings);
    free(outcome->message);
    memset(outcome, 0, sizeof *outcome);
}

static void *copy_of(const void *source, size_t count, size_t size)
{
    void *copy = malloc(count * size + 1);
    if (copy != NULL && count > 0)
        memcpy(copy, source, count * size);
    return copy;
}

static bool keep_stores(struct unit_outcome *outcome, struct world *world, bool keep_minutes)
{
    size_t count = world_store_count(world);
    outcome->store_names = calloc(count + 1, sizeof *outcome->store_names);
    outcome->minutes = calloc(count + 1, sizeof *outcome->minutes);
    outcome->minute_counts = calloc(count + 1, sizeof *outcome->minute_counts);
    if (outcome->store_names == NULL || outcome->minutes == NULL || outcome->minute_counts == NULL)
        return false;
    outcome->store_count = count;
    for (size_t store = 0; store < count; store++) {
        outcome->store_names[store] = strdup(world_store_name(world, store));
        if (outcome->store_names[store] == NULL)
            return false;
        if (!keep_minutes)
            continue;
        size_t minute_count;
        const struct minute_record *minutes = world_minutes(world, store, &minute_count);
        outcome->minutes[store] = copy_of(minutes, minute_count, sizeof *minutes);
        if (outcome->minutes[store] == NULL)
            return false;
        outcome->minute_counts[store] = minute_count;
    }
    return true;
}

static bool keep_warnings(struct unit_outcome *outcome, const struct world *world)
{
    size_t count = world_warning_count(world);
    outcome->warnings = calloc(count + 1, sizeof *outcome->warnings);
    if (outcome->warnings == NULL)
        return false;
    for (; outcome->warning_count < count; outcome->warning_count++) {
        char *copy = strdup(world_warning(world, outcome->warning_count));
        if (copy == NULL)
            return false;
        outcome->warnings[outcome->warning_count] = copy;
    }
    return true;
}

/* Copies out of a world that has come to its end all that is reported. False when memory is short. */
static bool keep_world(struct unit_outcome *outcome, struct world *world, bool keep_records)
{
    outcome->sink.metric = keep_metric;
    world_report(world, &outcome->sink);
    if (outcome->short_of_memory)
        return false;
    outcome->account = world_account(world);
    if (!world_run_effect(world, &outcome->run_effect, &outcome->run_effect_cv))
        outcome->run_effect_cv = 0;
    if (keep_records) {
        size_t count;
        const struct logon_record *logons = world_logons(world, &count);
        outcome->logons = copy_of(logons, count, sizeof *logons);
        if (outcome->logons == NULL)
            return false;
        outcome->logon_count = count;
    }
    return keep_stores(outcome, world, keep_records) && keep_warnings(outcome, world);
}

static bool cancelled(const struct pool *pool)
{
    return pool->options->cancel != NULL && atomic_load_explicit(pool->options->cancel, memory_order_relaxed);
}

static bool stopping(struct pool *pool)
{
    return cancelled(pool) || atomic_load_explicit(&pool->failed, memory_order_relaxed);
}

static void fail(struct pool *pool, struct unit_outcome *outcome, size_t unit, const char *why)
{
    char message[2 * MESSAGE_SIZE];
    snprintf(message, sizeof message, "cell %zu, replication %zu: %s", unit / pool->replications + 1,
             unit % pool->replications + 1, why);
    release_outcome(outcome);
    outcome->message = strdup(message);
    atomic_store(&pool->failed, true);
}

/* Runs the world to its end in slices of a minute, so that a cancellation waits no longer than one. */
static enum sim_end run_world(struct pool *pool, struct world *world, int64_t length_ns)
{
    enum sim_end end = SIM_END_TIME;
    /* When nothing is left to happen the clock still goes on to the end: rates are over the whole run. */
    while ((end == SIM_END_TIME || end == SIM_END_EMPTY) && world_now_ns(world) < length_ns &&
           !stopping(pool)) {
        int64_t left_ns = length_ns - world_now_ns(world);
        int64_t slice_ns = left_ns < SIM_NS_PER_MIN ? left_ns : SIM_NS_PER_MIN;
        end = world_run_until(world, world_now_ns(world) + slice_ns);
    }
    return end;
}

static void run_unit(struct pool *pool, size_t unit)
{
    struct unit_outcome *outcome = &pool->outcomes[unit];
    const struct scenario *scenario = experiment_cell(pool->experiment, unit / pool->replications)->scenario;
    const struct run_settings *run = experiment_run(pool->experiment);
    char why[MESSAGE_SIZE] = "out of memory";

    struct world *world =
        world_create(scenario, (uint64_t)run->seed, (uint64_t)(unit % pool->replications), why, sizeof why);
    if (world == NULL) {
        fail(pool, outcome, unit, why);
        return;
    }
    enum sim_end end = run_world(pool, world, scenario->run.length_ns);
    if (end == SIM_END_MEMORY)
        fail(pool, outcome, unit, "out of memory");
    else if (end == SIM_END_STALLED)
        fail(pool, outcome, unit, "the clock stands still: events follow each other without time passing");
    else if ((end == SIM_END_TIME || end == SIM_END_EMPTY) && world_now_ns(world) < scenario->run.length_ns)
        ; /* cancelled in the middle */
    else if (keep_world(outcome, world, pool->options->keep_records))
        outcome->done = true;
    else
        fail(pool, outcome, unit, "out of memory");
    world_destroy(world);
}

static void report_progress(struct pool *pool)
{
    if (pool->options->progress == NULL)
        return;
    pthread_mutex_lock(&pool->progress_lock);
    pool->finished++;
    pool->options->progress(pool->options->progress_context, pool->finished, pool->unit_count);
    pthread_mutex_unlock(&pool->progress_lock);
}

static void *work(void *context)
{
    struct pool *pool = context;
    while (!stopping(pool)) {
        size_t unit = atomic_fetch_add(&pool->next_unit, 1);
        if (unit >= pool->unit_count)
            break;
        run_unit(pool, unit);
        if (pool->outcomes[unit].done)
            report_progress(pool);
    }
    return NULL;
}

static size_t job_count(const struct run_options *options, size_t unit_count)
{
    size_t jobs = options->jobs;
    if (jobs == 0) {
        long processors = sysconf(_SC_NPROCESSORS_ONLN);
        jobs = processors > 0 ? (size_t)processors : 1;
    }
    return jobs < unit_count ? jobs : unit_count;
}

/* Works in this thread and in as many more as can be had. */
static void run_pool(struct pool *pool)
{
    size_t jobs = job_count(pool->options, pool->unit_count);
    pthread_t *threads = calloc(jobs + 1, sizeof *threads);
    size_t started = 0;
    while (threads != NULL && started + 1 < jobs && pthread_create(&threads[started], NULL, work, pool) == 0)
        started++;
    work(pool);
    for (size_t i = 0; i < started; i++)
        pthread_join(threads[i], NULL);
    free(threads);
}

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

static bool merge_values(struct result *result, struct unit_result *unit, const struct unit_outcome *outcome)
{
    unit->metrics = malloc((result->metric_count + 1) * sizeof *unit->metrics);
    if (unit->metrics == NULL)
        return false;
    for (size_t i = 0; i < result->metric_count; i++)
        unit->metrics[i] = NAN;
    for (size_t i = 0; i < outcome->metric_count; i++) {
        ptrdiff_t metric = merge_metric(result, &outcome->names[i], i);
        assert(metric >= 0); /* all names were merged before */
        unit->metrics[metric] = outcome->values[i];
    }
    return true;
}

/* Moves the records of a finished unit into the result. */
static bool merge_unit(struct result *result, size_t index, struct unit_outcome *outcome)
{
    struct unit_result *unit = &result->units[index];
    unit->run_effect = outcome->run_effect_cv > 0 ? outcome->run_effect : 1;
    unit->account = outcome->account;
    result->run_effect_cv[index / result->replications] = outcome->run_effect_cv;
    if (!merge_values(result, unit, outcome) || !merge_warnings(result, outcome))
        return false;
    unit->logons = outcome->logons;
    unit->logon_count = outcome->logon_count;
    outcome->logons = NULL;
    if (outcome->store_count == result->store_count) {
        unit->minutes = outcome->minutes;
        unit->minute_counts = outcome->minute_counts;
        outcome->minutes = NULL;
        outcome->minute_counts = NULL;
    }
    unit->done = true;
    return true;
}

static bool merge_all(struct result *result, struct unit_outcome *outcomes, size_t unit_count)
{
    for (size_t i = 0; i < unit_count; i++) {
        struct unit_outcome *outcome = &outcomes[i];
        if (!outcome->done)
            continue;
        for (size_t j = 0; j < outcome->metric_count; j++)
            if (merge_metric(result, &outcome->names[j], j) < 0)
                return false;
        if (result->store_names == NULL) { /* the stores of an experiment are the same in all cells */
            result->store_names = outcome->store_names;
            result->store_count = outcome->store_count;
            outcome->store_names = NULL;
        }
    }
    for (size_t i = 0; i < unit_count; i++)
        if (outcomes[i].done && !merge_unit(result, i, &outcomes[i]))
            return false;
    return true;
}

static struct result *result_create(const struct experiment *experiment)
{
    struct result *result = calloc(1, sizeof *result);
    if (result == NULL)
        return NULL;
    result->experiment = experiment;
    result->cell_count = experiment_cell_count(experiment);
    result->replications = (size_t)experiment_run(experiment)->replications;
    result->units = calloc(result->cell_count * result->replications + 1, sizeof *result->units);
    result->run_effect_cv = calloc(result->cell_count + 1, sizeof *result->run_effect_cv);
    if (result->units == NULL || result->run_effect_cv == NULL) {
        result_destroy(result);
        return NULL;
    }
    return result;
}

/* The result of a pool that has stopped; NULL with the message of the first unit that failed. */
static struct result *collect(struct pool *pool, char *message, size_t message_size)
{
    for (size_t i = 0; i < pool->unit_count; i++)
        if (pool->outcomes[i].message != NULL) {
            snprintf(message, message_size, "%s", pool->outcomes[i].message);
            return NULL;
        }
    if (atomic_load(&pool->failed))
        return NULL;
    struct result *result = result_create(pool->experiment);
    if (result == NULL || !merge_all(result, pool->outcomes, pool->unit_count) || !result_summarize(result)) {
        result_destroy(result);
        return NULL;
    }
    result->interrupted = result_done(result) < pool->unit_count;
    return result;
}

struct result *experiment_execute(const struct experiment *experiment, const struct run_options *options,
                                  char *message, size_t message_size)
{
    size_t replications = (size_t)experiment_run(experiment)->replications;
    struct pool pool = {
        .experiment = experiment,
        .options = options,
        .replications = replications,
        .unit_count = experiment_cell_count(experiment) * replications,
        .progress_lock = PTHREAD_MUTEX_INITIALIZER,
    };
    snprintf(message, message_size, "out of memory");
    pool.outcomes = calloc(pool.unit_count + 1, sizeof *pool.outcomes);
    if (pool.outcomes == NULL)
        return NULL;
    run_pool(&pool);
    struct result *result = collect(&pool, message, message_size);
    for (size_t i = 0; i < pool.unit_count; i++)
        release_outcome(&pool.outcomes[i]);
    free(pool.outcomes);
    pthread_mutex_destroy(&pool.progress_lock);
    return result;
}
