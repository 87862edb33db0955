/* Which combinations of the axes are cells. */
#include "sim/experiment/read/vary_inside.h"

#include "sim/experiment/read/builder.h"
#include "sim/experiment/read/condition.h"
#include "sim/experiment/read/quantity.h"

#include <string.h>

enum { MOST_CONDITIONS = 100 };

/* The product of the axes, VARY_MAX_COMBINATIONS + 1 when it is more. */
static size_t count_combinations(const struct vary *vary)
{
    size_t combinations = 1;
    for (size_t i = 0; i < vary->count; i++)
        if (__builtin_mul_overflow(combinations, vary->axes[i].item_count, &combinations) ||
            combinations > VARY_MAX_COMBINATIONS)
            return VARY_MAX_COMBINATIONS + 1;
    return combinations;
}

/* "100 x 20 x 6" */
static const char *product_text(struct arena *arena, const struct vary *vary)
{
    struct builder text = {.arena = arena};
    for (size_t i = 0; i < vary->count; i++)
        builder_format(&text, "%s%zu", i > 0 ? " x " : "", vary->axes[i].item_count);
    return builder_text(&text);
}

static void take_all(struct arena *arena, struct vary *vary, size_t combinations)
{
    vary->cells = ARENA_ARRAY(arena, size_t, combinations);
    vary->cell_count = combinations;
    for (size_t i = 0; i < combinations; i++)
        vary->cells[i] = i;
}

/* The file as it stands is still checked, and the first item of each axis. */
static void take_first(struct arena *arena, struct vary *vary)
{
    take_all(arena, vary, 1);
    vary->narrowed = true;
    for (size_t i = 0; i < vary->count; i++)
        vary->axes[i].item_count = 1;
}

/* The values of a key, item by item; what a table leaves empty is what the file has. */
static struct condition_subject subject_of(const struct varying *varying, const struct vary *vary,
                                           size_t axis_index, size_t key)
{
    const struct axis *axis = &vary->axes[axis_index];
    struct condition_subject subject = {.key = axis->keys[key],
                                        .row = vary_parameter(varying, axis->keys[key]),
                                        .axis = axis_index,
                                        .item_count = axis->item_count};
    subject.values = ARENA_ARRAY(varying->arena, const struct node *, axis->item_count);
    for (size_t i = 0; i < axis->item_count; i++) {
        subject.values[i] = axis->values[i * axis->key_count + key];
        if (subject.values[i] == NULL)
            subject.values[i] = node_at_path(varying->root, axis->keys[key]);
    }
    return subject;
}

static struct condition_scope scope_of(const struct varying *varying, const struct vary *vary)
{
    struct condition_scope scope = {
        .arena = varying->arena, .problems = varying->problems, .narrowed = vary->narrowed};
    size_t keys = 0;
    for (size_t i = 0; i < vary->count; i++)
        keys += vary->axes[i].key_count;
    scope.subjects = ARENA_ARRAY(varying->arena, struct condition_subject, keys);
    for (size_t i = 0; i < vary->count; i++)
        for (size_t k = 0; k < vary->axes[i].key_count; k++)
            scope.subjects[scope.count++] = subject_of(varying, vary, i, k);
    return scope;
}

struct choosing {
    const struct varying *varying;
    struct vary *vary;
    const struct node *const *texts; /* of the conditions */
    const struct condition **conditions;
    size_t *held; /* for how many combinations each holds */
    size_t count;
};

/* False with the problem added. */
static bool read_conditions(struct choosing *choosing)
{
    const struct node *where = choosing->vary->where->value;
    struct arena *arena = choosing->varying->arena;
    bool is_list = where->kind == NODE_LIST;
    size_t count = is_list ? where->count : 1;
    if (count > MOST_CONDITIONS) {
        problem_add(choosing->varying->problems, PROBLEM_ERROR, where->at, "more than %d conditions",
                    MOST_CONDITIONS);
        return false;
    }
    const struct condition_scope scope = scope_of(choosing->varying, choosing->vary);
    const struct node **texts = ARENA_ARRAY(arena, const struct node *, count);
    choosing->texts = texts;
    choosing->conditions = ARENA_ARRAY(arena, const struct condition *, count);
    choosing->held = ARENA_ARRAY(arena, size_t, count);
    bool fine = true;
    for (size_t i = 0; i < count; i++) {
        texts[i] = is_list ? where->entries[i].value : where;
        choosing->conditions[i] = condition_parse(&scope, texts[i]);
        fine = fine && choosing->conditions[i] != NULL;
    }
    choosing->count = count;
    return fine;
}

static void select_cells(struct choosing *choosing, size_t combinations)
{
    struct arena *arena = choosing->varying->arena;
    struct vary *vary = choosing->vary;
    size_t *items = ARENA_ARRAY(arena, size_t, vary->count);
    vary->cell_count = 0;
    for (size_t cell = 0; cell < combinations; cell++) {
        size_t held = 0;
        for (size_t i = 0; i < choosing->count; i++) {
            bool holds = condition_holds(choosing->conditions[i], items);
            choosing->held[i] += holds;
            held += holds;
        }
        if (held == choosing->count && ++vary->cell_count <= VARY_MAX_CELLS) {
            size_t kept = vary->cell_count - 1;
            ARENA_GROW(arena, vary->cells, kept);
            vary->cells[kept] = cell;
        }
        for (size_t axis = vary->count; axis-- > 0;) {
            if (++items[axis] < vary->axes[axis].item_count)
                break;
            items[axis] = 0;
        }
    }
}

static void refuse_empty(const struct choosing *choosing, size_t combinations)
{
    struct problems *problems = choosing->varying->problems;
    const char *product = product_text(choosing->varying->arena, choosing->vary);
    bool is_told = false;
    for (size_t i = 0; i < choosing->count; i++) {
        if (choosing->held[i] > 0)
            continue;
        problem_add(problems, PROBLEM_ERROR, choosing->texts[i]->at,
                    "no cell is left: none of the %s = %zu combinations meets this condition", product,
                    combinations);
        is_told = true;
    }
    if (!is_told)
        problem_add(problems, PROBLEM_ERROR, choosing->vary->where->key_at,
                    "no cell is left: none of the %s = %zu combinations meets all conditions", product,
                    combinations);
}

static bool refuse_absurd(const struct varying *varying, const struct vary *vary, struct position at,
                          size_t combinations)
{
    char most[32];
    if (combinations <= VARY_MAX_COMBINATIONS)
        return false;
    quantity_format_integer(VARY_MAX_COMBINATIONS, most, sizeof most);
    problem_add(varying->problems, PROBLEM_ERROR, at,
                "%.120s values make more than %s combinations, too many to look through; make the lists "
                "shorter, or use a sample",
                product_text(varying->arena, vary), most);
    return true;
}

/* Without `where` every combination is a cell. */
static void choose_all(const struct varying *varying, struct vary *vary, size_t combinations)
{
    const struct entry *written = node_entry(varying->root, "vary");
    if (combinations <= VARY_MAX_CELLS) {
        take_all(varying->arena, vary, combinations);
        return;
    }
    if (!refuse_absurd(varying, vary, written->key_at, combinations)) {
        char number[32];
        quantity_format_integer((int64_t)combinations, number, sizeof number);
        problem_add(varying->problems, PROBLEM_ERROR, written->key_at,
                    "this makes more than %d cells: %.120s = %s; leave some out with where, or use a sample",
                    VARY_MAX_CELLS, product_text(varying->arena, vary), number);
    }
    take_first(varying->arena, vary);
}

static void choose_where(const struct varying *varying, struct vary *vary, size_t combinations)
{
    struct choosing choosing = {.varying = varying, .vary = vary};
    struct position at = vary->where->key_at;
    if (refuse_absurd(varying, vary, at, combinations)) {
        take_first(varying->arena, vary);
        return;
    }
    if (!read_conditions(&choosing)) {
        if (combinations <= VARY_MAX_CELLS)
            take_all(varying->arena, vary, combinations);
        else
            take_first(varying->arena, vary);
        return;
    }
    select_cells(&choosing, combinations);
    size_t count = vary->cell_count;
    if (count > 0 && count <= VARY_MAX_CELLS)
        return;
    if (count == 0) {
        refuse_empty(&choosing, combinations);
    } else {
        char number[32];
        quantity_format_integer((int64_t)count, number, sizeof number);
        problem_add(varying->problems, PROBLEM_ERROR, at, "this leaves %s cells, more than %d", number,
                    VARY_MAX_CELLS);
    }
    take_first(varying->arena, vary);
}

void vary_choose_cells(const struct varying *varying, struct vary *vary)
{
    size_t combinations = count_combinations(vary);
    if (vary->broken && combinations > VARY_MAX_CELLS) {
        take_first(varying->arena, vary);
    } else if (vary->where == NULL || node_is_empty(vary->where->value) || vary->broken) {
        choose_all(varying, vary, combinations);
    } else if (vary->count == 0) {
        problem_add(varying->problems, PROBLEM_ERROR, vary->where->key_at,
                    "where leaves out combinations of what is varied, and nothing is");
        take_all(varying->arena, vary, 1);
    } else {
        choose_where(varying, vary, combinations);
    }
}
