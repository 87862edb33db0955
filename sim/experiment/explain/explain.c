/* An explanation from its cells to what was tried. */
#include "sim/experiment/explain/explain_inside.h"

#include "sim/experiment/read/suggest.h"
#include "sim/experiment/result/label.h"
#include "sim/experiment/result/unfinished.h"

#include <assert.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { TRIES_MOST = 10 };

#define SETS_RUN_EFFECT "run_effect"

/* -- which cells -- */

static bool value_is(const struct assignment *assignment, const char *value)
{
    char label[LABEL_SIZE], other[LABEL_SIZE];
    value_label(label, assignment->value);
    value_label(other, value);
    return strcmp(assignment->value, value) == 0 || strcmp(label, value) == 0 || strcmp(label, other) == 0;
}

/* The varied key of that name or short name; NULL when there is none. */
static const struct assignment *assignment_of(const struct cell *cell, const char *key, size_t length)
{
    for (size_t i = 0; i < cell->assignment_count; i++) {
        const char *names[] = {cell->assignments[i].key, cell->assignments[i].label};
        for (size_t j = 0; j < 2; j++)
            if (strlen(names[j]) == length && strncmp(names[j], key, length) == 0)
                return &cell->assignments[i];
    }
    return NULL;
}

/* False with the problem added: nothing of that name is varied. */
static bool key_is_known(const struct experiment *experiment, const char *only, struct problems *problems)
{
    const struct position at = {.file = "--cell"};
    const char *equals = strchr(only, '=');
    struct suggestion suggestion = {.written = only};
    const struct cell *cell = experiment_cell(experiment, 0);
    if (equals == NULL) {
        problem_add(problems, PROBLEM_ERROR, at, "'%.80s' is neither the number of a cell nor KEY=VALUE",
                    only);
        return false;
    }
    if (assignment_of(cell, only, (size_t)(equals - only)) != NULL)
        return true;
    char key[LABEL_SIZE];
    snprintf(key, sizeof key, "%.*s", (int)(equals - only), only);
    suggestion.written = key;
    for (size_t i = 0; i < cell->assignment_count; i++) {
        suggestion_offer(&suggestion, cell->assignments[i].label);
        suggestion_offer(&suggestion, cell->assignments[i].key);
    }
    problem_add(problems, PROBLEM_ERROR, at, "'%s' is not varied here%s%s%s", key,
                suggestion.best != NULL ? ". Did you mean " : "",
                suggestion.best != NULL ? suggestion.best : "", suggestion.best != NULL ? "?" : "");
    return false;
}

static bool is_wanted(const struct explanation *it, size_t number)
{
    const struct explain_request *request = &it->request;
    if (request->cell > 0)
        return number + 1 == request->cell;
    for (size_t i = 0; i < request->only_count; i++) {
        const char *only = request->only[i], *equals = strchr(only, '=');
        const struct assignment *assignment =
            assignment_of(experiment_cell(it->experiment, number), only, (size_t)(equals - only));
        if (assignment == NULL || !value_is(assignment, equals + 1))
            return false;
    }
    return true;
}

static void choose_cells(struct explanation *it, struct problems *problems)
{
    const size_t count = experiment_cell_count(it->experiment);
    const struct position at = {.file = experiment_path(it->experiment)};
    bool known = true;
    for (size_t i = 0; i < it->request.only_count; i++)
        known = key_is_known(it->experiment, it->request.only[i], problems) && known;
    if (!known)
        return;
    it->numbers = ARENA_ARRAY(it->arena, size_t, count);
    for (size_t i = 0; i < count; i++)
        if (is_wanted(it, i))
            it->numbers[it->cell_count++] = i;
    if (it->cell_count > 0)
        return;
    if (it->request.cell > 0)
        problem_add(problems, PROBLEM_ERROR, at, "there is no cell %zu; the experiment has %zu",
                    it->request.cell, count);
    else
        problem_add(problems, PROBLEM_ERROR, at,
                    "no cell of the %zu has these values; vdisim check --full lists them", count);
}

/* -- opening -- */

/* Run effects, which spread single runs and move no mean, are taken out. */
static size_t silence(struct arena *arena, const struct resolution *resolution, struct variant_value **values)
{
    size_t count = 0;
    for (size_t i = 0; i < resolution->count; i++) {
        const struct part *part = &resolution->parts[i];
        const char *key = arena_format(arena, "%s.%s", part->path, SETS_RUN_EFFECT);
        if (strncmp(part->path, SECTION_WORKLOADS ".", strlen(SECTION_WORKLOADS) + 1) != 0 ||
            explain_setting(resolution, key) == NULL)
            continue;
        ARENA_GROW(arena, *values, count);
        (*values)[count++] = (struct variant_value){key, "0"};
    }
    return count;
}

static const struct resolution *resolution_of(const struct explanation *it, size_t number)
{
    return it->experiment->cells[number].resolution;
}

static void open_base(struct explanation *it, struct problems *problems)
{
    struct variant *variants = ARENA_ARRAY(it->arena, struct variant, it->cell_count);
    ptrdiff_t *cells = ARENA_ARRAY(it->arena, ptrdiff_t, it->cell_count);
    const char **why_not = ARENA_ARRAY(it->arena, const char *, it->cell_count);
    for (size_t i = 0; i < it->cell_count; i++) {
        struct variant_value *values = NULL;
        const size_t count = silence(it->arena, resolution_of(it, it->numbers[i]), &values);
        variants[i] = (struct variant){.cell = it->numbers[i], .values = values, .value_count = count};
    }
    it->base = experiment_variants(it->experiment, variants, it->cell_count, cells, why_not);
    const struct position at = {.file = experiment_path(it->experiment)};
    if (it->base == NULL)
        problem_add(problems, PROBLEM_ERROR, at, "out of memory");
    for (size_t i = 0; it->base != NULL && i < it->cell_count; i++)
        if (cells[i] < 0)
            problem_add(problems, PROBLEM_ERROR, at, "%.300s", why_not[i]);
    it->cells = ARENA_ARRAY(it->arena, struct explain_cell, it->cell_count);
}

/* Twice the runs that the cells would take, less those that are made in any case; one at least. */
static size_t budget_of(const struct explanation *it)
{
    if (it->request.tries >= 0)
        return (size_t)it->request.tries;
    const struct precision_target *precision = experiment_precision(it->experiment);
    const size_t of_a_cell =
        precision != NULL ? precision->at_least : (size_t)experiment_run(it->experiment)->replications;
    const size_t left = (2 * of_a_cell - 1) * it->cell_count;
    return left < TRIES_MOST ? left : TRIES_MOST;
}

struct explanation *explanation_create(const struct experiment *experiment,
                                       const struct explain_request *request, struct problems *problems)
{
    struct arena *arena = arena_create();
    const size_t reported_before = problems_reported(problems);
    jmp_buf landing;
    struct explanation *volatile it = NULL;
    if (arena == NULL || setjmp(landing) != 0) {
        problem_add(problems, PROBLEM_ERROR, (struct position){.file = experiment_path(experiment)},
                    "out of memory");
        if (it != NULL)
            explanation_destroy(it);
        else
            arena_destroy(arena);
        return NULL;
    }
    arena_set_landing(arena, &landing);
    it = ARENA_NEW(arena, struct explanation);
    it->arena = arena;
    it->experiment = experiment;
    it->request = *request;
    choose_cells(it, problems);
    if (problems_reported(problems) == reported_before)
        open_base(it, problems);
    arena_set_landing(arena, NULL);
    if (problems_reported(problems) == reported_before) {
        it->budget = budget_of(it);
        return it;
    }
    explanation_destroy(it);
    return NULL;
}

void explanation_destroy(struct explanation *it)
{
    if (it == NULL)
        return;
    result_destroy(it->tried);
    result_destroy(it->result);
    experiment_close(it->described);
    experiment_close(it->varied);
    experiment_close(it->base);
    arena_destroy(it->arena);
}

/* -- running -- */

static void look_at(struct explanation *it, size_t index)
{
    struct explain_cell *cell = &it->cells[index];
    const struct explain_run run = {
        .arena = it->arena,
        .resolution = it->base->cells[index].resolution,
        .result = it->result,
        .cell = index,
    };
    cell->number = it->numbers[index];
    explain_time_of(&run, cell);
    explain_parts_of(&run, cell);
    explain_spells_of(&run, cell);
    explain_credits_of(&run, cell);
    explain_thresholds_of(&run, cell);
    cell->sentence = explain_sentence(&run, cell);
}

/* Whether this cell is worse: slower on the mean, or with less throughput. */
static bool is_worse(const struct explain_cell *a, const struct explain_cell *b)
{
    if (a->subject != b->subject)
        return a->subject < b->subject;
    if (isnan(a->time.mean) || isnan(b->time.mean))
        return isnan(a->time.mean) && !isnan(b->time.mean) && a->time.unfinished > 0;
    return a->subject == SUBJECT_THROUGHPUT ? a->time.mean < b->time.mean : a->time.mean > b->time.mean;
}

static enum explain_end run_base(struct explanation *it, const struct run_options *run, char *message,
                                 size_t size)
{
    struct run_options options = *run;
    options.keep_records = true;
    it->result = experiment_execute(it->base, &options, message, size);
    if (it->result == NULL)
        return EXPLAIN_FAILED;
    if (it->result->interrupted) {
        snprintf(message, size, "interrupted; nothing was explained");
        return EXPLAIN_INTERRUPTED;
    }
    for (size_t i = 0; i < it->cell_count; i++) {
        look_at(it, i);
        if (is_worse(&it->cells[i], &it->cells[it->chosen]))
            it->chosen = i;
    }
    /* What it rests on is listed for this cell alone. */
    const struct variant chosen = {.cell = it->numbers[it->chosen]};
    ptrdiff_t cell;
    const char *why_not;
    it->described = experiment_variants(it->experiment, &chosen, 1, &cell, &why_not);
    if (it->described != NULL)
        return EXPLAIN_DONE;
    snprintf(message, size, "out of memory");
    return EXPLAIN_FAILED;
}

static bool too_many_unfinished(const struct explain_time *time, double run_s)
{
    return time->unfinished > 0 &&
           unfinished_are_too_many((double)time->unfinished, (double)time->count, time->mean, run_s);
}

/* What the store of a lifted limit then did in its busiest minute. */
static void take_carried(const struct explain_run *run, struct explain_change *change)
{
    static const struct {
        const char *name, *metric, *unit;
    } lifted[] = {{"egress", "egress.peak", "MiB/s"},
                  {"ingress", "ingress.peak", "MiB/s"},
                  {"iops", "iops.peak", "IOPS"}};
    change->carried = NAN;
    const char *key = change->values[0].key + strlen(SECTION_STORES ".");
    for (size_t i = 0; i < sizeof lifted / sizeof lifted[0]; i++)
        for (size_t store = 0; strcmp(change->name, lifted[i].name) == 0 && store < run->result->store_count;
             store++) {
            const char *name = run->result->store_names[store];
            if (strncmp(key, name, strlen(name)) != 0 || key[strlen(name)] != '.')
                continue;
            change->carried = explain_store_metric(run, store, lifted[i].metric);
            change->carried_unit = lifted[i].unit;
            change->carried_by = arena_text(run->arena, name);
        }
}

static void take_change(struct explanation *it, struct explain_change *change, size_t index)
{
    const struct explain_cell *chosen = &it->cells[it->chosen];
    struct explain_cell cell = {.number = chosen->number};
    const struct explain_run run = {
        .arena = it->arena,
        .resolution = it->varied->cells[index].resolution,
        .result = it->tried,
        .cell = index,
    };
    explain_time_of(&run, &cell);
    explain_parts_of(&run, &cell);
    change->time = cell.time;
    change->then = cell.part_count > 0 ? cell.parts[0].name : "";
    take_carried(&run, change);
    const double run_s = (double)run.resolution->scenario.run.length_ns / 1e9;
    const double base_run_s = (double)it->base->cells[it->chosen].resolution->scenario.run.length_ns / 1e9;
    change->saved_is_bound = too_many_unfinished(&chosen->time, base_run_s);
    if (too_many_unfinished(&change->time, run_s))
        return;
    change->saved = 1 - cell.time.mean / chosen->time.mean;
    if (chosen->subject == SUBJECT_THROUGHPUT)
        change->saved = -change->saved;
}

static void take_changes(struct explanation *it, const ptrdiff_t *cells)
{
    for (size_t i = 0; i < it->change_count; i++) {
        it->changes[i].saved = it->changes[i].carried = NAN;
        it->changes[i].then = "";
        if (cells[i] >= 0)
            take_change(it, &it->changes[i], (size_t)cells[i]);
    }
}

static bool is_before(const struct explain_change *a, const struct explain_change *b)
{
    if (isnan(a->saved) != isnan(b->saved))
        return isnan(b->saved);
    if (!isnan(a->saved))
        return a->saved > b->saved;
    if (a->time.median_is_bound != b->time.median_is_bound)
        return b->time.median_is_bound;
    return a->time.median < b->time.median;
}

static void rank_changes(struct explanation *it)
{
    for (size_t i = 1; i < it->change_count; i++) {
        const struct explain_change change = it->changes[i];
        size_t place = i;
        for (; place > 0 && is_before(&change, &it->changes[place - 1]); place--)
            it->changes[place] = it->changes[place - 1];
        it->changes[place] = change;
    }
}

static enum explain_end run_changes(struct explanation *it, const struct run_options *run, char *message,
                                    size_t size)
{
    const struct explain_run base = {
        .arena = it->arena,
        .resolution = it->base->cells[it->chosen].resolution,
        .result = it->result,
        .cell = it->chosen,
    };
    it->left_out =
        explain_choose_changes(&base, &it->cells[it->chosen], it->budget, &it->changes, &it->change_count);
    if (it->cells[it->chosen].subject == SUBJECT_REQUESTS) /* nothing to tell by whether a change helps */
        it->change_count = it->left_out = 0;
    if (it->change_count == 0)
        return EXPLAIN_DONE;
    struct variant *variants = ARENA_ARRAY(it->arena, struct variant, it->change_count);
    ptrdiff_t *cells = ARENA_ARRAY(it->arena, ptrdiff_t, it->change_count);
    const char **why_not = ARENA_ARRAY(it->arena, const char *, it->change_count);
    for (size_t i = 0; i < it->change_count; i++)
        variants[i] = (struct variant){it->chosen, it->changes[i].values, it->changes[i].value_count};
    it->varied = experiment_variants(it->base, variants, it->change_count, cells, why_not);
    if (it->varied == NULL) {
        snprintf(message, size, "out of memory");
        return EXPLAIN_FAILED;
    }
    for (size_t i = 0; i < it->change_count; i++)
        it->changes[i].why_not = why_not[i];
    struct run_options options = *run;
    options.keep_records = true;
    if (experiment_cell_count(it->varied) > 0) {
        it->tried = experiment_execute(it->varied, &options, message, size);
        if (it->tried == NULL)
            return EXPLAIN_FAILED;
        if (it->tried->interrupted) {
            snprintf(message, size, "interrupted; what would help was not found out");
            return EXPLAIN_INTERRUPTED;
        }
    }
    take_changes(it, cells);
    rank_changes(it);
    return EXPLAIN_DONE;
}

typedef enum explain_end explain_step(struct explanation *it, const struct run_options *run, char *message,
                                      size_t size);

static enum explain_end guarded(explain_step *step, struct explanation *it, const struct run_options *run,
                                char *message, size_t size)
{
    jmp_buf landing;
    if (setjmp(landing) != 0) {
        arena_set_landing(it->arena, NULL);
        snprintf(message, size, "out of memory");
        return EXPLAIN_FAILED;
    }
    arena_set_landing(it->arena, &landing);
    const enum explain_end end = step(it, run, message, size);
    arena_set_landing(it->arena, NULL);
    return end;
}

enum explain_end explanation_run(struct explanation *it, const struct run_options *run, char *message,
                                 size_t message_size)
{
    return guarded(run_base, it, run, message, message_size);
}

enum explain_end explanation_try(struct explanation *it, const struct run_options *run, char *message,
                                 size_t message_size)
{
    return guarded(run_changes, it, run, message, message_size);
}
