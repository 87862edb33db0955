#include "sim/experiment/compare/baseline.h"

#include "sim/experiment/read/document.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { FORMAT = 1, REPLICATIONS_MOST = 100000 };

char *baseline_path(const char *folder, const char *experiment)
{
    size_t size = strlen(folder) + strlen(experiment) + sizeof "/.yaml";
    char *path = malloc(size);
    if (path != NULL)
        snprintf(path, size, "%s/%s.yaml", folder, experiment);
    return path;
}

void baseline_destroy(struct baseline *baseline)
{
    if (baseline != NULL)
        sample_destroy(baseline->sample); /* whose arena it is in */
}

struct reading {
    struct arena *arena;
    struct sample *sample;
    struct problems *problems;
};

static void refuse(const struct reading *reading, struct position at, const char *what)
{
    problem_add(reading->problems, PROBLEM_ERROR, at, "%s", what);
}

/* The entry of a map, of that kind; else NULL and a problem. */
static const struct node *need(const struct reading *reading, const struct node *map, const char *key,
                               enum node_kind kind)
{
    static const char *const nouns[] = {"a value", "a list", "a map"};
    const struct node *node = node_get(map, key);
    if (node == NULL)
        problem_add(reading->problems, PROBLEM_ERROR, map->at, "%s is missing, so this is no whole baseline",
                    key);
    else if (node->kind != kind)
        problem_add(reading->problems, PROBLEM_ERROR, node->at, "%s must be %s", key, nouns[kind]);
    return node != NULL && node->kind == kind ? node : NULL;
}

static const char *need_text(const struct reading *reading, const struct node *map, const char *key)
{
    const struct node *node = need(reading, map, key, NODE_SCALAR);
    return node != NULL ? node->text : "";
}

static int64_t need_integer(const struct reading *reading, const struct node *map, const char *key,
                            int64_t least, int64_t most)
{
    const struct node *node = need(reading, map, key, NODE_SCALAR);
    if (node == NULL)
        return least;
    char *end;
    errno = 0;
    long long value = strtoll(node->text, &end, 10);
    if (end == node->text || *end != '\0' || errno != 0 || value < least || value > most) {
        problem_add(reading->problems, PROBLEM_ERROR, node->at,
                    "%s: '%.40s' is not a whole number from %" PRId64 " to %" PRId64, key, node->text, least,
                    most);
        return least;
    }
    return value;
}

/* A list of one item a replication. */
static const struct node *need_row(const struct reading *reading, const struct node *map, const char *key)
{
    const struct node *row = need(reading, map, key, NODE_LIST);
    if (row == NULL || row->count == reading->sample->replications)
        return row;
    problem_add(reading->problems, PROBLEM_ERROR, row->at,
                "%s has %zu values, not one for each of %zu replications", key, row->count,
                reading->sample->replications);
    return NULL;
}

/* `~` is NaN. */
static double number_of(const struct reading *reading, const struct node *node)
{
    if (node_is_empty(node))
        return NAN;
    char *end = NULL;
    double value = node->kind == NODE_SCALAR ? strtod(node->text, &end) : NAN;
    if (end == NULL || end == node->text || *end != '\0' || !isfinite(value))
        problem_add(reading->problems, PROBLEM_ERROR, node->at, "'%.40s' is not a number",
                    node->kind == NODE_SCALAR ? node->text : "a list");
    return value;
}

static uint64_t bits_of(const struct reading *reading, const struct node *node, int base)
{
    char *end = NULL;
    errno = 0;
    uint64_t value = node->kind == NODE_SCALAR ? strtoull(node->text, &end, base) : 0;
    if (end == NULL || end == node->text || *end != '\0' || errno != 0)
        refuse(reading, node->at, base == 16 ? "is no fingerprint" : "is no count");
    return value;
}

static void read_assignments(const struct reading *reading, const struct node *map, struct sample_cell *cell)
{
    cell->assignments = ARENA_ARRAY(reading->arena, struct assignment, map->count);
    for (size_t i = 0; i < map->count; i++) {
        const struct entry *entry = &map->entries[i];
        if (entry->value->kind != NODE_SCALAR)
            refuse(reading, entry->value->at, "the value of a varied key must be a text");
        else
            cell->assignments[cell->assignment_count++] =
                (struct assignment){.key = entry->key, .value = entry->value->text};
    }
}

static void read_values(const struct reading *reading, const struct node *map, size_t cell)
{
    struct sample *sample = reading->sample;
    for (size_t metric = 0; metric < sample->metric_count; metric++) {
        if (node_get(map, sample->metrics[metric].name) == NULL)
            continue; /* a metric that this cell does not have */
        const struct node *row = need_row(reading, map, sample->metrics[metric].name);
        for (size_t i = 0; row != NULL && i < row->count; i++)
            sample->values[(cell * sample->replications + i) * sample->metric_count + metric] =
                number_of(reading, row->entries[i].value);
    }
    for (size_t i = 0; i < map->count; i++)
        if (sample_metric(sample, map->entries[i].key) < 0)
            problem_add(reading->problems, PROBLEM_ERROR, map->entries[i].key_at,
                        "'%.80s' is not among the units", map->entries[i].key);
}

static void read_cell(const struct reading *reading, const struct node *node, size_t cell)
{
    struct sample *sample = reading->sample;
    if (node->kind != NODE_MAP) {
        refuse(reading, node->at, "a cell must be a map");
        return;
    }
    const struct node *assignments = need(reading, node, "cell", NODE_MAP);
    const struct node *fingerprints = need_row(reading, node, "fingerprints");
    const struct node *events = need_row(reading, node, "events");
    const struct node *effects = need_row(reading, node, "run_effects");
    const struct node *values = need(reading, node, "values", NODE_MAP);
    if (assignments == NULL || fingerprints == NULL || events == NULL || effects == NULL || values == NULL)
        return;
    read_assignments(reading, assignments, &sample->cells[cell]);
    for (size_t i = 0; i < sample->replications; i++) {
        size_t unit = cell * sample->replications + i;
        sample->done[unit] = !node_is_empty(fingerprints->entries[i].value);
        if (!sample->done[unit])
            continue;
        sample->fingerprints[unit] = bits_of(reading, fingerprints->entries[i].value, 16);
        sample->events[unit] = bits_of(reading, events->entries[i].value, 10);
        sample->run_effects[unit] = number_of(reading, effects->entries[i].value);
    }
    read_values(reading, values, cell);
}

static void read_cells(const struct reading *reading, const struct node *root)
{
    struct sample *sample = reading->sample;
    const struct node *units = need(reading, root, "units", NODE_MAP);
    const struct node *cells = need(reading, root, "cells", NODE_LIST);
    if (units == NULL || cells == NULL)
        return;
    sample->metric_count = units->count;
    sample->metrics = ARENA_ARRAY(reading->arena, struct sample_metric, units->count);
    for (size_t i = 0; i < units->count; i++)
        sample->metrics[i] = (struct sample_metric){
            units->entries[i].key,
            units->entries[i].value->kind == NODE_SCALAR ? units->entries[i].value->text : ""};
    sample->cell_count = cells->count;
    sample->cells = ARENA_ARRAY(reading->arena, struct sample_cell, cells->count);
    sample_shape(sample);
    for (size_t i = 0; i < cells->count; i++)
        read_cell(reading, cells->entries[i].value, i);
    sample_label(sample);
}

static void read_history(const struct reading *reading, const struct node *root, struct baseline *baseline)
{
    const struct node *history = need(reading, root, "history", NODE_LIST);
    if (history == NULL)
        return;
    baseline->history = ARENA_ARRAY(reading->arena, struct baseline_step, history->count);
    for (size_t i = 0; i < history->count; i++) {
        const struct node *step = history->entries[i].value;
        if (step->kind != NODE_MAP) {
            refuse(reading, step->at, "an item of the history must be a map");
            continue;
        }
        baseline->history[baseline->history_count++] = (struct baseline_step){
            .version = need_text(reading, step, "version"),
            .commit = need_text(reading, step, "commit"),
            .because = need_text(reading, step, "because"),
            .moved = need_text(reading, step, "moved"),
        };
    }
}

/* Whether it is a baseline at all, of a format known here, and of this experiment. */
static bool is_ours(const struct reading *reading, const struct node *root, const char *experiment)
{
    const struct node *format = node_get(root, "baseline");
    if (format == NULL || format->kind != NODE_SCALAR) {
        refuse(reading, root->at, "is no baseline of vdisim: it does not begin with `baseline: 1`");
        return false;
    }
    size_t before = problems_reported(reading->problems);
    if (need_integer(reading, root, "baseline", 1, INT32_MAX) > FORMAT)
        problem_add(reading->problems, PROBLEM_ERROR, format->at,
                    "is of format %s, which a newer program wrote; this one knows %d", format->text, FORMAT);
    const char *name = need_text(reading, root, "experiment");
    if (problems_reported(reading->problems) == before && strcmp(name, experiment) != 0)
        problem_add(reading->problems, PROBLEM_ERROR, node_get(root, "experiment")->at,
                    "is the baseline of '%.80s', not of '%.80s'", name, experiment);
    return problems_reported(reading->problems) == before;
}

static struct baseline *read_document(const struct reading *reading, const char *path, const char *experiment)
{
    struct sample *sample = reading->sample;
    const struct node *root = document_read(reading->arena, path, reading->problems);
    if (root == NULL || problems_errors(reading->problems) > 0)
        return NULL;
    if (root->kind != NODE_MAP || !is_ours(reading, root, experiment)) {
        if (root->kind != NODE_MAP)
            refuse(reading, root->at, "is no baseline of vdisim");
        return NULL;
    }
    struct baseline *baseline = ARENA_NEW(reading->arena, struct baseline);
    *baseline = (struct baseline){.sample = sample};
    sample->experiment = need_text(reading, root, "experiment");
    sample->hash = need_text(reading, root, "hash");
    sample->generator = need_text(reading, root, "generator");
    sample->seed = need_integer(reading, root, "seed", 0, INT64_MAX);
    sample->replications = (size_t)need_integer(reading, root, "replications", 1, REPLICATIONS_MOST);
    read_history(reading, root, baseline);
    read_cells(reading, root);
    if (baseline->history_count > 0) {
        sample->version = baseline->history[baseline->history_count - 1].version;
        sample->commit = baseline->history[baseline->history_count - 1].commit;
    }
    return problems_errors(reading->problems) == 0 ? baseline : NULL;
}

enum baseline_status baseline_read(const char *path, const char *experiment, struct baseline **baseline,
                                   struct problems *problems)
{
    jmp_buf landing;
    *baseline = NULL;
    if (access(path, F_OK) != 0 && errno == ENOENT)
        return BASELINE_MISSING;
    struct sample *sample = sample_create(path);
    if (sample == NULL || setjmp(landing) != 0) {
        problem_add(problems, PROBLEM_ERROR, (struct position){.file = path}, "out of memory");
        sample_destroy(sample);
        return BASELINE_REFUSED;
    }
    arena_set_landing(sample->arena, &landing);
    struct reading reading = {.arena = sample->arena, .sample = sample, .problems = problems};
    *baseline = read_document(&reading, path, experiment);
    arena_set_landing(sample->arena, NULL);
    if (*baseline == NULL) {
        sample_destroy(sample);
        return BASELINE_REFUSED;
    }
    return BASELINE_READ;
}
