#include "sim/experiment/read/experiment.h"

#include "sim/experiment/read/document.h"
#include "sim/experiment/read/expect.h"
#include "sim/experiment/read/opening.h"
#include "sim/experiment/read/price_list.h"
#include "sim/experiment/read/stated_prices.h"
#include "sim/experiment/read/suggest.h"

#include <assert.h>
#include <inttypes.h>
#include <string.h>

static const char *const top_level_keys[] = {"experiment", "title",  "question", "answer",
                                             "prices",     "stores", "hosts",    "network",
                                             "workloads",  "vary",   "run",      "expect"};

static void check_top_level(const struct node *root, struct problems *problems)
{
    for (size_t i = 0; i < root->count; i++) {
        struct suggestion suggestion = {.written = root->entries[i].key};
        bool is_known = false;
        for (size_t j = 0; j < sizeof top_level_keys / sizeof top_level_keys[0]; j++) {
            is_known = is_known || strcmp(top_level_keys[j], root->entries[i].key) == 0;
            suggestion_offer(&suggestion, top_level_keys[j]);
        }
        if (is_known)
            continue;
        if (suggestion.best != NULL)
            problem_add(problems, PROBLEM_ERROR, root->entries[i].key_at,
                        "unknown key '%.60s' of an experiment. Did you mean %s?", root->entries[i].key,
                        suggestion.best);
        else
            problem_add(problems, PROBLEM_ERROR, root->entries[i].key_at,
                        "unknown key '%.60s' of an experiment; there is experiment, title, question, answer, "
                        "prices, stores, hosts, network, workloads, vary, run, expect",
                        root->entries[i].key);
    }
}

static const char *text_of(const struct node *root, const char *key, const char *otherwise,
                           struct problems *problems)
{
    const struct node *node = node_get(root, key);
    if (node_is_empty(node))
        return otherwise;
    if (node->kind == NODE_SCALAR)
        return node->text;
    problem_add(problems, PROBLEM_ERROR, node->at, "%s is a text; put it in quotes when it holds a colon",
                key);
    return otherwise;
}

static void read_texts(struct experiment *experiment, struct problems *problems)
{
    const struct node *root = experiment->root;
    experiment->name = text_of(root, "experiment", "", problems);
    size_t length = strlen(experiment->name);
    if (length == 0 || length > 80 ||
        strspn(experiment->name, "abcdefghijklmnopqrstuvwxyz0123456789-") != length) {
        const struct node *node = node_get(root, "experiment");
        problem_add(problems, PROBLEM_ERROR,
                    node != NULL ? node->at : (struct position){.file = experiment->path},
                    "an experiment has a name of a-z, 0-9 and -, e.g. experiment: redirection-on-5tib");
    }
    experiment->title = text_of(root, "title", experiment->name, problems);
    experiment->question = text_of(root, "question", "", problems);
    experiment->answer = text_of(root, "answer", "", problems);
}

static struct varying varying_of(const struct experiment *experiment, struct problems *problems)
{
    return (struct varying){.arena = experiment->arena,
                            .vocabulary = &experiment->vocabulary,
                            .catalogue = experiment->catalogue,
                            .root = experiment->root,
                            .path = experiment->path,
                            .problems = problems};
}

/* --set, --replications and --seed over what the file says. */
static void apply_options(struct experiment *experiment, const struct experiment_options *options,
                          struct problems *problems)
{
    struct arena *arena = experiment->arena;
    for (size_t i = 0; i < options->set_count; i++)
        experiment->root = vary_set(arena, experiment->vary, experiment->root, options->sets[i], problems);
    struct position replications = {.file = "--replications"}, seed = {.file = "--seed"};
    if (options->replications > 0)
        experiment->root = node_with(
            arena, experiment->root, "run.replications", replications,
            node_scalar(arena, arena_format(arena, "%" PRId64, options->replications), replications));
    if (options->seed >= 0)
        experiment->root =
            node_with(arena, experiment->root, "run.seed", seed,
                      node_scalar(arena, arena_format(arena, "%" PRId64, options->seed), seed));
}

struct unfolding {
    struct experiment *experiment;
    struct reader *reader;
    size_t assignment_count;
};

static void finish_cell(const struct unfolding *unfolding, const struct node *root, const size_t *items)
{
    struct experiment *experiment = unfolding->experiment;
    struct arena *arena = experiment->arena;
    struct experiment_cell *cell = &experiment->cells[experiment->cell_count++];
    struct assignment *assignments = ARENA_ARRAY(arena, struct assignment, unfolding->assignment_count);
    size_t count = 0;
    for (size_t i = 0; i < experiment->vary->count; i++) {
        const struct axis *axis = &experiment->vary->axes[i];
        for (size_t k = 0; k < axis->key_count; k++) {
            const struct node *value = axis->values[items[i] * axis->key_count + k];
            if (value == NULL)
                value = node_at_path(root, axis->keys[k]);
            assignments[count++] = (struct assignment){axis->keys[k], axis->labels[k],
                                                       value != NULL ? node_text(arena, value) : "default"};
        }
    }
    cell->root = root;
    cell->resolution = scenario_resolve(unfolding->reader, &experiment->vocabulary, root);
    cell->cell.assignments = assignments;
    cell->cell.assignment_count = count;
    cell->cell.scenario = &cell->resolution->scenario;
}

/* Sets one axis after the other, so that cells share all branches that later axes leave alone. `cells` are combinations
 * that have the axes before `depth` in common; `rest` is the number of combinations these axes leave. */
static void unfold(const struct unfolding *unfolding, const struct node *root, size_t *items, size_t depth,
                   const size_t *cells, size_t count, size_t rest)
{
    struct experiment *experiment = unfolding->experiment;
    if (depth == experiment->vary->count) {
        finish_cell(unfolding, root, items);
        return;
    }
    const struct axis *axis = &experiment->vary->axes[depth];
    rest /= axis->item_count;
    for (size_t first = 0, next; first < count; first = next) {
        for (next = first + 1; next < count && cells[next] / rest == cells[first] / rest;)
            next++;
        items[depth] = cells[first] / rest % axis->item_count;
        const struct node *with = root;
        for (size_t k = 0; k < axis->key_count; k++) {
            const struct node *value = axis->values[items[depth] * axis->key_count + k];
            if (value != NULL)
                with = node_with(experiment->arena, with, axis->keys[k], axis->key_at[k], value);
        }
        unfold(unfolding, with, items, depth + 1, cells + first, next - first, rest);
    }
}

static void unfold_all(struct experiment *experiment, struct problems *problems)
{
    struct arena *arena = experiment->arena;
    struct vary *vary = experiment->vary;
    const struct varying varying = varying_of(experiment, problems);
    vary_choose_cells(&varying, vary);
    struct reader reader = {.arena = arena, .problems = problems, .catalogue = experiment->catalogue};
    scenario_names(&reader, experiment->root);
    struct unfolding unfolding = {.experiment = experiment, .reader = &reader};
    size_t combinations = 1;
    for (size_t i = 0; i < vary->count; i++) {
        unfolding.assignment_count += vary->axes[i].key_count;
        combinations *= vary->axes[i].item_count;
    }
    experiment->cells = ARENA_ARRAY(arena, struct experiment_cell, vary->cell_count);
    unfold(&unfolding, experiment->root, ARENA_ARRAY(arena, size_t, vary->count), 0, vary->cells,
           vary->cell_count, combinations);
    assert(experiment->cell_count == vary->cell_count);
}

static void attach_expectations(struct experiment *experiment, bool narrowed, struct problems *problems)
{
    struct expect_cell *cells = ARENA_ARRAY(experiment->arena, struct expect_cell, experiment->cell_count);
    for (size_t i = 0; i < experiment->cell_count; i++)
        cells[i] = (struct expect_cell){.root = experiment->cells[i].root,
                                        .assignments = experiment->cells[i].cell.assignments,
                                        .assignment_count = experiment->cells[i].cell.assignment_count};
    expect_read(experiment->arena, node_get(experiment->root, "expect"), experiment->path, cells,
                experiment->cell_count, narrowed, problems);
    for (size_t i = 0; i < experiment->cell_count; i++) {
        experiment->cells[i].cell.expectations = cells[i].list;
        experiment->cells[i].cell.expectation_count = cells[i].count;
    }
}

static void read_catalogues(struct experiment *experiment, const struct opening *opening,
                            struct problems *problems)
{
    experiment->catalogue = catalogue_create(experiment->arena, &experiment->vocabulary);
    catalogue_add_embedded(experiment->catalogue, opening->catalogue, problems);
    for (size_t i = 0; opening->options != NULL && i < opening->options->catalogue_count; i++)
        catalogue_add_file(experiment->catalogue, opening->options->catalogues[i], problems);
}

/* All of it; what is wrong is left to be found in `problems`. */
static void read_experiment(struct experiment *experiment, const struct opening *opening,
                            struct problems *problems)
{
    struct arena *arena = experiment->arena;
    size_t reported_before = problems_reported(problems);
    experiment->vocabulary = opening->vocabulary;
    experiment->options =
        opening->options != NULL ? *opening->options : (struct experiment_options){.seed = -1};
    if (experiment->options.files != NULL)
        text_files_give(arena, experiment->options.files, experiment->options.file_count);
    experiment->path = arena_text(arena, opening->path);
    read_catalogues(experiment, opening, problems);
    bool catalogue_is_broken = problems_reported(problems) > reported_before;
    if (opening->text != NULL) {
        problems_show_source(problems, opening->path, opening->text, opening->length);
        text_file_note(arena, experiment->path, arena_text_n(arena, opening->text, opening->length),
                       opening->length);
        experiment->root = document_parse(arena, experiment->path, opening->text, opening->length, problems);
    } else {
        experiment->root = document_read(arena, experiment->path, problems);
    }
    if (experiment->root == NULL)
        return;
    if (experiment->root->kind != NODE_MAP) {
        problem_add(problems, PROBLEM_ERROR, experiment->root->at,
                    "an experiment is a map of keys, e.g. experiment: NAME");
        return;
    }
    check_top_level(experiment->root, problems);
    read_texts(experiment, problems);
    if (node_get(experiment->root, "prices") != NULL)
        price_list_read(experiment->catalogue, node_get(experiment->root, "prices"), experiment->path,
                        problems);
    catalogue_is_broken |= problems_reported(problems) > reported_before;
    if (catalogue_is_broken)
        return; /* what is missing there would be missed here */
    const struct varying varying = varying_of(experiment, problems);
    experiment->vary = vary_read(&varying, node_get(experiment->root, "vary"));
    if (opening->options != NULL)
        apply_options(experiment, opening->options, problems);
    unfold_all(experiment, problems);
    if (problems_reported(problems) == reported_before) { /* the settings are whole */
        experiment_read_run_rules(experiment, problems);
        experiment_state_prices(experiment, problems);
    }
    attach_expectations(experiment,
                        experiment->vary->narrowed ||
                            (opening->options != NULL && opening->options->set_count > 0),
                        problems);
    if (problems_reported(problems) > reported_before)
        return;
    experiment_collect_assumptions(experiment);
    experiment_compute_hash(experiment);
}

struct experiment *experiment_open_with(const struct opening *opening, struct problems *problems)
{
    struct position at = {.file = opening->path};
    struct arena *arena = arena_create();
    size_t reported_before = problems_reported(problems);
    jmp_buf landing;
    if (arena == NULL || setjmp(landing) != 0) {
        problem_add(problems, PROBLEM_ERROR, at, "out of memory while reading");
        arena_destroy(arena);
        return NULL;
    }
    arena_set_landing(arena, &landing);
    struct experiment *experiment = ARENA_NEW(arena, struct experiment);
    experiment->arena = arena;
    read_experiment(experiment, opening, problems);
    arena_set_landing(arena, NULL);
    if (problems_reported(problems) == reported_before)
        return experiment;
    arena_destroy(arena);
    return NULL;
}

void experiment_close(struct experiment *experiment)
{
    if (experiment != NULL)
        arena_destroy(experiment->arena);
}

const char *experiment_name(const struct experiment *experiment)
{
    return experiment->name;
}

const char *experiment_title(const struct experiment *experiment)
{
    return experiment->title;
}

const char *experiment_question(const struct experiment *experiment)
{
    return experiment->question;
}

const char *experiment_answer(const struct experiment *experiment)
{
    return experiment->answer;
}

const char *experiment_path(const struct experiment *experiment)
{
    return experiment->path;
}

size_t experiment_cell_count(const struct experiment *experiment)
{
    return experiment->cell_count;
}

const struct cell *experiment_cell(const struct experiment *experiment, size_t index)
{
    assert(index < experiment->cell_count);
    return &experiment->cells[index].cell;
}

const struct run_settings *experiment_run(const struct experiment *experiment)
{
    return &experiment->cells[0].resolution->scenario.run;
}

const struct precision_target *experiment_precision(const struct experiment *experiment)
{
    return experiment->precision;
}

const struct experiment_options *experiment_options(const struct experiment *experiment)
{
    return &experiment->options;
}

const struct text_file *experiment_files(const struct experiment *experiment, size_t *count)
{
    return text_files_read(experiment->arena, count);
}

const struct assumption *experiment_assumptions(const struct experiment *experiment, size_t *count)
{
    *count = experiment->assumption_count;
    return experiment->assumptions;
}

const char *experiment_hash(const struct experiment *experiment)
{
    return experiment->hash;
}
