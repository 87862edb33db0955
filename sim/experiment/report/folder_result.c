#include "sim/experiment/report/folder_result.h"

#include "sim/experiment/compare/sample.h"
#include "sim/experiment/run/keeper.h"
#include "vdisim/world.h"

#include <assert.h>
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

struct folder_result {
    struct arena *arena; /* owns the manifest */
    const struct manifest *manifest;
    struct experiment *experiment;
    struct result *result;
};

static void refuse(struct problems *problems, const char *folder, const char *why)
{
    problem_add(problems, PROBLEM_ERROR, (struct position){.file = folder}, "%s", why);
}

/* --- The folder is whole, and as it was written. --- */

static bool files_are_as_written(const struct manifest *manifest, const char *folder,
                                 struct problems *problems)
{
    bool fine = true;
    for (size_t i = 0; i < manifest->output_count; i++) {
        const struct output_file *output = &manifest->outputs[i];
        char path[4200], sha256[SHA256_HEX_SIZE], why[256] = "";
        snprintf(path, sizeof path, "%.4000s/%.100s", folder, output->name);
        if (!sha256_file(path, sha256))
            snprintf(why, sizeof why, "the result is incomplete: cannot read %.100s: %s", output->name,
                     strerror(errno));
        else if (strcmp(sha256, output->sha256) != 0)
            snprintf(why, sizeof why,
                     "%.100s was changed after it was written (its checksum is not the one in "
                     "manifest.json); run the "
                     "experiment again",
                     output->name);
        if (why[0] != '\0') {
            refuse(problems, folder, why);
            fine = false;
        }
    }
    return fine;
}

static bool read_manifest(struct folder_result *kept, const char *folder, struct problems *problems)
{
    jmp_buf landing;
    if (setjmp(landing) != 0) {
        refuse(problems, folder, "out of memory while reading");
        return false;
    }
    arena_set_landing(kept->arena, &landing);
    kept->manifest =
        manifest_read(kept->arena, arena_format(kept->arena, "%s/manifest.json", folder), problems);
    arena_set_landing(kept->arena, NULL);
    return kept->manifest != NULL && files_are_as_written(kept->manifest, folder, problems);
}

/* --- The runs, handed to the experiment as units that were kept. --- */

struct sample_keeper {
    struct keeper keeper; /* first */
    const struct sample *sample;
    const struct experiment *experiment;
    const struct node *warnings;
    double run_effect_cv; /* of the cell below */
    size_t cell;          /* from 1; 0: none yet */
};

/* Every cell has a law of its own, which its world knows. */
static bool find_law(struct sample_keeper *keeper, size_t cell, char message[UNIT_MESSAGE_SIZE])
{
    if (keeper->cell == cell + 1)
        return true;
    const struct scenario *scenario = experiment_cell(keeper->experiment, cell)->scenario;
    struct world *world = world_create(scenario, (uint64_t)scenario->run.seed, 0, message, UNIT_MESSAGE_SIZE);
    double value, cv = 0;
    if (world == NULL)
        return false;
    keeper->run_effect_cv = world_run_effect(world, &value, &cv) ? cv : 0;
    keeper->cell = cell + 1;
    world_destroy(world);
    return true;
}

static bool copy_names(const struct sample_keeper *keeper, size_t cell, struct unit_outcome *outcome)
{
    const struct sample *sample = keeper->sample;
    const struct scenario *scenario = experiment_cell(keeper->experiment, cell)->scenario;
    outcome->names = calloc(sample->metric_count + 1, sizeof *outcome->names);
    outcome->store_names = calloc(scenario->store_count + 1, sizeof *outcome->store_names);
    outcome->minutes = calloc(scenario->store_count + 1, sizeof(struct minute_record *));
    outcome->minute_counts = calloc(scenario->store_count + 1, sizeof *outcome->minute_counts);
    if (outcome->names == NULL || outcome->store_names == NULL || outcome->minutes == NULL ||
        outcome->minute_counts == NULL)
        return false;
    bool copied = true;
    for (; outcome->metric_count < sample->metric_count; outcome->metric_count++) {
        struct metric_name *name = &outcome->names[outcome->metric_count];
        name->name = strdup(sample->metrics[outcome->metric_count].name);
        name->unit = strdup(sample->metrics[outcome->metric_count].unit);
        copied = copied && name->name != NULL && name->unit != NULL;
    }
    for (; outcome->store_count < scenario->store_count; outcome->store_count++) {
        outcome->store_names[outcome->store_count] = strdup(scenario->stores[outcome->store_count].name);
        copied = copied && outcome->store_names[outcome->store_count] != NULL;
    }
    return copied;
}

static bool copy_warnings(const struct node *list, struct unit_outcome *outcome)
{
    if (list == NULL || list->kind != NODE_LIST || list->count == 0)
        return true;
    outcome->warnings = calloc(list->count, sizeof *outcome->warnings);
    if (outcome->warnings == NULL)
        return false;
    for (size_t i = 0; i < list->count; i++) {
        const struct node *text = list->entries[i].value;
        char *copy = strdup(text->kind == NODE_SCALAR ? text->text : "");
        if (copy == NULL)
            return false;
        outcome->warnings[outcome->warning_count++] = copy;
    }
    return true;
}

static enum keeper_answer load(struct keeper *base, struct unit unit, bool records,
                               struct unit_outcome *outcome, char message[UNIT_MESSAGE_SIZE])
{
    (void)records;
    struct sample_keeper *keeper = (struct sample_keeper *)base;
    const struct sample *sample = keeper->sample;
    if (unit.replication >= sample->replications || !sample_is_done(sample, unit.cell, unit.replication))
        return KEEPER_HAS_NOT;
    if (!find_law(keeper, unit.cell, message))
        return KEEPER_FAILED;
    outcome->values = calloc(sample->metric_count + 1, sizeof *outcome->values);
    bool copied = outcome->values != NULL && copy_names(keeper, unit.cell, outcome);
    if (copied && unit.cell == 0 && unit.replication == 0)
        copied = copy_warnings(keeper->warnings, outcome);
    if (!copied) {
        snprintf(message, UNIT_MESSAGE_SIZE, "out of memory");
        return KEEPER_FAILED;
    }
    for (size_t i = 0; i < sample->metric_count; i++)
        outcome->values[i] = sample_value(sample, unit.cell, unit.replication, i);
    outcome->run_effect = sample->run_effects[unit.cell * sample->replications + unit.replication];
    outcome->run_effect_cv = keeper->run_effect_cv;
    outcome->done = true;
    return KEEPER_HAS_IT;
}

static bool make_result(struct folder_result *kept, const char *folder, struct problems *problems)
{
    static const struct keeper_operations operations = {.load = load};
    char message[UNIT_MESSAGE_SIZE] = "";
    static_assert((int)UNIT_MESSAGE_SIZE >= (int)SAMPLE_MESSAGE_SIZE, "both write into the message");
    struct sample *sample = sample_of_folder(folder, message);
    if (sample != NULL && sample->cell_count != experiment_cell_count(kept->experiment)) {
        snprintf(message, sizeof message,
                 "the cells in manifest.json are not those of its experiment: it was edited");
    } else if (sample != NULL) {
        struct sample_keeper keeper = {.keeper = {&operations},
                                       .sample = sample,
                                       .experiment = kept->experiment,
                                       .warnings = node_get(kept->manifest->root, "warnings")};
        const struct run_options options = {
            .jobs = 1,
            .keeper = &keeper.keeper,
            .only_kept = true,
            .selection = kept->manifest->has_selection ? &kept->manifest->selection : NULL,
        };
        kept->result = experiment_execute(kept->experiment, &options, message, sizeof message);
    }
    sample_destroy(sample);
    if (kept->result == NULL)
        refuse(problems, folder, message);
    return kept->result != NULL;
}

static bool open_experiment(struct folder_result *kept, const char *folder, struct problems *problems)
{
    const struct manifest *manifest = kept->manifest;
    kept->experiment = experiment_open(manifest->file, &manifest->options, problems);
    if (kept->experiment == NULL)
        problem_add(problems, PROBLEM_ERROR, (struct position){.file = folder},
                    "this program does not accept the experiment that vdisim %.40s ran",
                    manifest_text(manifest, "version"));
    return kept->experiment != NULL;
}

struct folder_result *folder_result_open(const char *folder, struct problems *problems)
{
    struct folder_result *kept = calloc(1, sizeof *kept);
    if (kept != NULL)
        kept->arena = arena_create();
    if (kept == NULL || kept->arena == NULL) {
        refuse(problems, folder, "out of memory");
        free(kept);
        return NULL;
    }
    if (read_manifest(kept, folder, problems) && open_experiment(kept, folder, problems) &&
        make_result(kept, folder, problems))
        return kept;
    folder_result_close(kept);
    return NULL;
}

void folder_result_close(struct folder_result *kept)
{
    if (kept == NULL)
        return;
    result_destroy(kept->result);
    experiment_close(kept->experiment);
    arena_destroy(kept->arena);
    free(kept);
}

const struct result *folder_result(const struct folder_result *kept)
{
    return kept->result;
}

const struct manifest *folder_result_manifest(const struct folder_result *kept)
{
    return kept->manifest;
}
