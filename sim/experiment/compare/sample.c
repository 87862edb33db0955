#include "sim/experiment/compare/sample.h"

#include "sim/experiment/read/node.h"

#include "sim/experiment/result/label.h"
#include "sim/experiment/result/unfinished.h"
#include "vdisim/random.h"
#include "vdisim/version.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct sample *sample_create(const char *origin)
{
    jmp_buf landing;
    struct arena *arena = arena_create();
    if (arena == NULL)
        return NULL;
    if (setjmp(landing) != 0) {
        arena_destroy(arena);
        return NULL;
    }
    arena_set_landing(arena, &landing);
    struct sample *sample = ARENA_NEW(arena, struct sample);
    *sample = (struct sample){
        .arena = arena,
        .origin = arena_text(arena, origin),
        .experiment = "",
        .version = "",
        .commit = "",
        .hash = "",
        .generator = "",
        .length_s = NAN,
    };
    arena_set_landing(arena, NULL);
    return sample;
}

void sample_destroy(struct sample *sample)
{
    if (sample != NULL)
        arena_destroy(sample->arena);
}

void sample_shape(struct sample *sample)
{
    struct arena *arena = sample->arena;
    size_t units = sample->cell_count * sample->replications;
    size_t value_count = units * sample->metric_count;
    sample->done = ARENA_ARRAY(arena, bool, units);
    sample->run_effects = ARENA_ARRAY(arena, double, units);
    sample->fingerprints = ARENA_ARRAY(arena, uint64_t, units);
    sample->events = ARENA_ARRAY(arena, uint64_t, units);
    sample->values = ARENA_ARRAY(arena, double, value_count);
    sample->lower_bounds = ARENA_ARRAY(arena, bool, sample->cell_count * sample->metric_count);
    for (size_t i = 0; i < units; i++)
        sample->run_effects[i] = 1;
    for (size_t i = 0; i < value_count; i++)
        sample->values[i] = NAN;
}

bool sample_is_done(const struct sample *sample, size_t cell, size_t replication)
{
    assert(cell < sample->cell_count);
    return replication < sample->replications && sample->done[cell * sample->replications + replication];
}

double sample_value(const struct sample *sample, size_t cell, size_t replication, size_t metric)
{
    assert(metric < sample->metric_count);
    if (!sample_is_done(sample, cell, replication))
        return NAN;
    return sample->values[(cell * sample->replications + replication) * sample->metric_count + metric];
}

size_t sample_cell_done(const struct sample *sample, size_t cell)
{
    size_t count = 0;
    for (size_t i = 0; i < sample->replications; i++)
        count += sample_is_done(sample, cell, i);
    return count;
}

ptrdiff_t sample_metric(const struct sample *sample, const char *name)
{
    for (size_t i = 0; i < sample->metric_count; i++)
        if (strcmp(sample->metrics[i].name, name) == 0)
            return (ptrdiff_t)i;
    return -1;
}

static const char *assigned(const struct sample_cell *cell, const char *key)
{
    for (size_t i = 0; i < cell->assignment_count; i++)
        if (strcmp(cell->assignments[i].key, key) == 0)
            return cell->assignments[i].value;
    return NULL;
}

bool sample_cells_match(const struct sample_cell *a, const struct sample_cell *b)
{
    if (a->assignment_count != b->assignment_count)
        return false;
    for (size_t i = 0; i < a->assignment_count; i++) {
        const char *value = assigned(b, a->assignments[i].key);
        if (value == NULL || strcmp(value, a->assignments[i].value) != 0)
            return false;
    }
    return true;
}

ptrdiff_t sample_find_cell(const struct sample *sample, const struct sample_cell *like)
{
    for (size_t i = 0; i < sample->cell_count; i++)
        if (sample_cells_match(&sample->cells[i], like))
            return (ptrdiff_t)i;
    return -1;
}

bool sample_value_is(const char *value, const char *meant)
{
    char label[LABEL_SIZE];
    value_label(label, value);
    const char *slash = strrchr(value, '/');
    return strcmp(value, meant) == 0 || strcmp(label, meant) == 0 ||
           (slash != NULL && strcmp(slash + 1, meant) == 0);
}

void sample_cell_label(char *label, size_t size, const struct sample_cell *cell)
{
    size_t length = 0;
    snprintf(label, size, "all");
    for (size_t i = 0; i < cell->assignment_count && length + 1 < size; i++) {
        char value[LABEL_SIZE];
        value_label(value, cell->assignments[i].value);
        bool bare = strcmp(value, "on") == 0 || strcmp(value, "off") == 0;
        int written = snprintf(label + length, size - length, "%s%s%s%s", length > 0 ? ", " : "",
                               bare ? cell->assignments[i].label : "", bare ? " " : "", value);
        length += written > 0 ? (size_t)written : 0;
    }
}

static bool is_unique_tail(const struct sample_cell *cell, size_t index, const char *tail, size_t words)
{
    for (size_t i = 0; i < cell->assignment_count; i++)
        if (i != index && strcmp(path_tail(cell->assignments[i].key, words), tail) == 0)
            return false;
    return true;
}

void sample_label(struct sample *sample)
{
    for (size_t i = 0; i < sample->cell_count; i++) {
        const struct sample_cell *cell = &sample->cells[i];
        for (size_t k = 0; k < cell->assignment_count; k++) {
            const char *key = cell->assignments[k].key, *tail = key;
            for (size_t words = 1; words <= strlen(key); words++) {
                tail = path_tail(key, words);
                if (tail == key || is_unique_tail(cell, k, tail, words))
                    break;
            }
            cell->assignments[k].label = tail;
        }
    }
}

/* The mean over the runs of a cell of the metric that has this name behind a workload's prefix; 0: none. */
static double mean_count(const struct sample *sample, size_t cell, const char *metric, const char *name)
{
    char full[512];
    snprintf(full, sizeof full, "%.*s%s", (int)workload_prefix(metric), metric, name);
    ptrdiff_t index = sample_metric(sample, full);
    double sum = 0;
    size_t count = 0;
    for (size_t i = 0; index >= 0 && i < sample->replications; i++) {
        double value = sample_value(sample, cell, i, (size_t)index);
        if (!isnan(value)) {
            sum += value;
            count++;
        }
    }
    return count > 0 ? sum / (double)count : 0;
}

/* The logons of a cell that a load is about, as unfinished.h counts them. */
static struct logon_count count_logons(const struct sample *sample, size_t cell, const char *metric)
{
    if (strncmp(metric + workload_prefix(metric), "profile_load.", strlen("profile_load.")) != 0)
        return (struct logon_count){0};
    struct logon_count count = {.unfinished = mean_count(sample, cell, metric, "logons.unfinished")};
    count.all = count.unfinished + mean_count(sample, cell, metric, "logons.finished");
    return count;
}

/* As metric_is_of_the_fastest() of a result. Where the length of a run is not known, a tenth unfinished tells. */
static bool is_of_the_fastest(const struct sample *sample, size_t cell, const char *metric)
{
    struct logon_count count = count_logons(sample, cell, metric);
    if (count.unfinished <= UNFINISHED_TOLERATED * count.all)
        return false;
    if (isnan(sample->length_s))
        return count.unfinished > 0.1 * count.all;
    double under_way = mean_count(sample, cell, metric, "profile_load.mean") / sample->length_s;
    return under_way > 0.1 || count.unfinished > 2.0 * under_way * count.all;
}

bool sample_has_unfinished(const struct sample *sample)
{
    for (size_t cell = 0; cell < sample->cell_count; cell++)
        for (size_t i = 0; i < sample->metric_count; i++) {
            const char *name = sample->metrics[i].name;
            if (strcmp(name + workload_prefix(name), "profile_load.mean") != 0)
                continue;
            struct logon_count count = count_logons(sample, cell, name);
            if (count.unfinished > UNFINISHED_TOLERATED * count.all)
                return true;
        }
    return false;
}

void sample_mark_lower_bounds(struct sample *sample)
{
    for (size_t cell = 0; cell < sample->cell_count; cell++)
        for (size_t i = 0; i < sample->metric_count; i++)
            sample->lower_bounds[cell * sample->metric_count + i] =
                is_of_the_fastest(sample, cell, sample->metrics[i].name);
}

static void copy_units(struct sample *sample, const struct result *result)
{
    for (size_t i = 0; i < sample->cell_count * sample->replications; i++) {
        const struct unit_result *unit = &result->units[i];
        sample->done[i] = unit->done;
        if (!unit->done)
            continue;
        sample->run_effects[i] = unit->run_effect;
        sample->fingerprints[i] = unit->account.fingerprint;
        sample->events[i] = unit->account.events;
        if (sample->metric_count > 0)
            memcpy(&sample->values[i * sample->metric_count], unit->metrics,
                   sample->metric_count * sizeof *unit->metrics);
    }
}

static void copy_cells(struct sample *sample, const struct experiment *experiment)
{
    struct arena *arena = sample->arena;
    sample->cells = ARENA_ARRAY(arena, struct sample_cell, sample->cell_count);
    for (size_t i = 0; i < sample->cell_count; i++) {
        const struct cell *cell = experiment_cell(experiment, i);
        struct sample_cell *copy = &sample->cells[i];
        copy->assignment_count = cell->assignment_count;
        copy->assignments = ARENA_ARRAY(arena, struct assignment, cell->assignment_count);
        for (size_t k = 0; k < cell->assignment_count; k++)
            copy->assignments[k] = (struct assignment){
                .key = arena_text(arena, cell->assignments[k].key),
                .label = arena_text(arena, cell->assignments[k].label),
                .value = arena_text(arena, cell->assignments[k].value),
            };
    }
}

static void fill_from_result(struct sample *sample, const struct result *result)
{
    struct arena *arena = sample->arena;
    sample->experiment = arena_text(arena, experiment_name(result->experiment));
    sample->version = VDISIM_VERSION;
    sample->commit = VDISIM_COMMIT;
    sample->hash = arena_text(arena, experiment_hash(result->experiment));
    sample->generator = arena_text(arena, sim_random_gsl_type()->name);
    sample->seed = experiment_run(result->experiment)->seed;
    sample->length_s = (double)experiment_run(result->experiment)->length_ns / 1e9;
    sample->is_unfinished = result->interrupted;
    sample->cell_count = result->cell_count;
    sample->metric_count = result->metric_count;
    sample->replications = result->replications;
    copy_cells(sample, result->experiment);
    sample->metrics = ARENA_ARRAY(arena, struct sample_metric, sample->metric_count);
    for (size_t i = 0; i < sample->metric_count; i++)
        sample->metrics[i] = (struct sample_metric){arena_text(arena, result->metrics[i].name),
                                                    arena_text(arena, result->metrics[i].unit)};
    sample_shape(sample);
    copy_units(sample, result);
    sample_mark_lower_bounds(sample);
}

struct sample *sample_of_result(const struct result *result, const char *origin)
{
    jmp_buf landing;
    struct sample *sample = sample_create(origin);
    if (sample == NULL)
        return NULL;
    if (setjmp(landing) != 0) {
        sample_destroy(sample);
        return NULL;
    }
    arena_set_landing(sample->arena, &landing);
    fill_from_result(sample, result);
    arena_set_landing(sample->arena, NULL);
    return sample;
}
