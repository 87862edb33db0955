/* A result folder as a sample: what was run from manifest.json, the values from runs.csv. */
#include "sim/experiment/compare/sample.h"
#include "sim/experiment/result/json_read.h"
#include "sim/experiment/result/manifest_read.h"
#include "sim/experiment/result/result_csv.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char *text_of(const struct node *root, const char *key)
{
    const struct node *node = node_get(root, key);
    return node != NULL && node->kind == NODE_SCALAR ? node->text : "";
}

static void take_cells(struct sample *sample, const struct node *cells)
{
    sample->cell_count = cells->count;
    sample->cells = ARENA_ARRAY(sample->arena, struct sample_cell, cells->count);
    for (size_t i = 0; i < cells->count; i++) {
        const struct node *map = cells->entries[i].value;
        struct sample_cell *cell = &sample->cells[i];
        if (map->kind != NODE_MAP)
            continue;
        cell->assignments = ARENA_ARRAY(sample->arena, struct assignment, map->count);
        for (size_t k = 0; k < map->count; k++)
            if (map->entries[k].value->kind == NODE_SCALAR)
                cell->assignments[cell->assignment_count++] =
                    (struct assignment){.key = map->entries[k].key, .value = map->entries[k].value->text};
    }
    sample_label(sample);
}

static bool take_manifest(struct sample *sample, const struct node *root, const char *path, char *message)
{
    if (strcmp(text_of(root, "schema"), "vdisim.result/1") != 0) {
        snprintf(message, SAMPLE_MESSAGE_SIZE, "%s: is no manifest of a result (schema vdisim.result/1)",
                 path);
        return false;
    }
    const struct node *cells = node_get(root, "cells");
    char *end;
    errno = 0;
    sample->seed = strtoll(text_of(root, "seed"), &end, 10);
    bool seed_is_fine = errno == 0 && *end == '\0' && text_of(root, "seed")[0] != '\0';
    unsigned long replications = strtoul(text_of(root, "replications"), &end, 10);
    if (!seed_is_fine || *end != '\0' || replications == 0 || replications > 1000000 || cells == NULL ||
        cells->kind != NODE_LIST || cells->count == 0) {
        snprintf(message, SAMPLE_MESSAGE_SIZE, "%s: seed, replications or cells are missing or wrong", path);
        return false;
    }
    sample->replications = replications;
    sample->experiment = text_of(root, "experiment");
    sample->version = text_of(root, "version");
    sample->commit = text_of(root, "commit");
    sample->hash = text_of(root, "hash");
    sample->generator = text_of(root, "random_generator");
    sample->is_unfinished = strcmp(text_of(root, "interrupted"), "true") == 0;
    take_cells(sample, cells);
    return true;
}

static bool read_manifest(struct sample *sample, const char *folder, char *message)
{
    const char *path = arena_format(sample->arena, "%s/manifest.json", folder);
    struct problems *problems = problems_create();
    if (problems == NULL) {
        snprintf(message, SAMPLE_MESSAGE_SIZE, "out of memory");
        return false;
    }
    arena_defer(sample->arena, (void (*)(void *))problems_destroy, problems);
    size_t length = 0;
    const char *text = text_file_read(sample->arena, path, MANIFEST_MAX_BYTES, &length, problems);
    if (text == NULL) {
        snprintf(message, SAMPLE_MESSAGE_SIZE, "'%s' is not a result folder: cannot read %s: %s", folder,
                 path, strerror(errno));
        return false;
    }
    const struct node *root = json_read(sample->arena, path, text, length, problems);
    if (root == NULL || problems_errors(problems) > 0) {
        snprintf(message, SAMPLE_MESSAGE_SIZE, "%s: is damaged; it is not the JSON that was written", path);
        return false;
    }
    return take_manifest(sample, root, path, message);
}

struct runs_reading {
    struct sample *sample;
    size_t first; /* column of the first metric; 0 before the heading was seen */
};

/* "profile_load.mean [s]" */
static struct sample_metric metric_of_heading(struct arena *arena, const char *heading)
{
    size_t length = strlen(heading);
    const char *bracket = strrchr(heading, '[');
    if (bracket == NULL || bracket - heading < 2 || heading[length - 1] != ']' || bracket[-1] != ' ')
        return (struct sample_metric){arena_text(arena, heading), ""};
    return (struct sample_metric){
        arena_text_n(arena, heading, (size_t)(bracket - heading) - 1),
        arena_text_n(arena, bracket + 1, length - (size_t)(bracket - heading) - 2),
    };
}

/* Through the reader of the rows nothing may jump: false when memory is short. */
static bool take_metrics(struct sample *sample, const struct result_csv_row *row, size_t first)
{
    jmp_buf landing;
    jmp_buf *before = arena_set_landing(sample->arena, &landing);
    if (setjmp(landing) != 0) {
        arena_set_landing(sample->arena, before);
        return false;
    }
    sample->metric_count = row->count - first;
    sample->metrics = ARENA_ARRAY(sample->arena, struct sample_metric, sample->metric_count);
    for (size_t i = 0; i < sample->metric_count; i++)
        sample->metrics[i] = metric_of_heading(sample->arena, row->heading[first + i]);
    sample_shape(sample);
    arena_set_landing(sample->arena, before);
    return true;
}

static bool take_heading(struct runs_reading *reading, const struct result_csv_row *row, const char **why)
{
    size_t first = 1;
    while (first < row->count && strcmp(row->heading[first - 1], "run_effect") != 0)
        first++;
    if (first >= row->count || first < 3 || strcmp(row->heading[0], "cell") != 0 ||
        strcmp(row->heading[first - 2], "replication") != 0) {
        *why = "the columns are not those of runs.csv";
        return false;
    }
    if (!take_metrics(reading->sample, row, first)) {
        *why = "out of memory";
        return false;
    }
    reading->first = first;
    return true;
}

static bool take_run(void *context, const struct result_csv_row *row, const char **why)
{
    struct runs_reading *reading = context;
    struct sample *sample = reading->sample;
    if (reading->first == 0 && !take_heading(reading, row, why))
        return false;
    size_t cell = result_csv_ordinal(row, "cell"), replication = result_csv_ordinal(row, "replication");
    if (cell == 0 || cell > sample->cell_count || replication == 0 || replication > sample->replications) {
        *why = "there is no such cell or replication in manifest.json";
        return false;
    }
    size_t unit = (cell - 1) * sample->replications + replication - 1;
    sample->done[unit] = true;
    double effect = strtod(row->fields[reading->first - 1], NULL);
    sample->run_effects[unit] = effect > 0 ? effect : 1;
    for (size_t i = 0; i < sample->metric_count; i++) {
        const char *field = row->fields[reading->first + i];
        char *end;
        double value = field[0] == '\0' ? NAN : strtod(field, &end);
        if (field[0] != '\0' && (*end != '\0' || !isfinite(value))) {
            *why = "a value is not a number";
            return false;
        }
        sample->values[unit * sample->metric_count + i] = value;
    }
    return true;
}

static bool read_runs(struct sample *sample, const char *folder, char *message)
{
    const char *path = arena_format(sample->arena, "%s/runs.csv", folder);
    struct runs_reading reading = {.sample = sample};
    FILE *file = fopen(path, "re");
    if (file == NULL) {
        snprintf(message, SAMPLE_MESSAGE_SIZE, "cannot read '%s': %s", path, strerror(errno));
        return false;
    }
    bool read = result_csv_read(file, path, take_run, &reading, message, SAMPLE_MESSAGE_SIZE);
    fclose(file);
    if (read && reading.first == 0) {
        snprintf(message, SAMPLE_MESSAGE_SIZE, "'%s' holds no finished run", folder);
        return false;
    }
    return read;
}

/* How long a run was is not in the manifest, but in the experiment's text that it holds; NaN where it does not. */
static double length_of_run(struct arena *arena, const char *folder, struct problems *problems)
{
    double length_s = NAN;
    const struct manifest *manifest =
        manifest_read(arena, arena_format(arena, "%s/manifest.json", folder), problems);
    struct experiment *experiment =
        manifest == NULL ? NULL : experiment_open(manifest->file, &manifest->options, problems);
    if (experiment != NULL)
        length_s = (double)experiment_run(experiment)->length_ns / 1e9;
    experiment_close(experiment);
    return length_s;
}

static void mark_lower_bounds(struct sample *sample, const char *folder)
{
    struct problems *problems = sample_has_unfinished(sample) ? problems_create() : NULL;
    if (problems != NULL) {
        arena_defer(sample->arena, (void (*)(void *))problems_destroy, problems);
        sample->length_s = length_of_run(sample->arena, folder, problems);
    }
    sample_mark_lower_bounds(sample);
}

struct sample *sample_of_folder(const char *folder, char message[SAMPLE_MESSAGE_SIZE])
{
    jmp_buf landing;
    struct sample *sample = sample_create(folder);
    if (sample == NULL || setjmp(landing) != 0) {
        snprintf(message, SAMPLE_MESSAGE_SIZE, "out of memory");
        sample_destroy(sample);
        return NULL;
    }
    arena_set_landing(sample->arena, &landing);
    if (!read_manifest(sample, folder, message) || !read_runs(sample, folder, message)) {
        sample_destroy(sample);
        return NULL;
    }
    mark_lower_bounds(sample, folder);
    arena_set_landing(sample->arena, NULL);
    return sample;
}
