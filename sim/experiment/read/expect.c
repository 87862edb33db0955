#include "sim/experiment/read/expect_inside.h"

#include "sim/experiment/read/builder.h"
#include "sim/experiment/read/metric_value.h"
#include "sim/experiment/read/quantity.h"
#include "sim/experiment/read/suggest.h"

#include <math.h>
#include <string.h>
#include <strings.h>

void expect_refuse(const struct expecting *expecting, struct position at, const char *format, ...)
{
    char message[400];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    problem_add(expecting->problems, PROBLEM_ERROR, at, "%s", message);
}

static const char *after_slash(const char *text)
{
    const char *slash = strrchr(text, '/');
    return slash != NULL ? slash + 1 : text;
}

/* -1: neither true nor false. */
static int truth(const char *text)
{
    static const char *const words[] = {"false", "off", "no", "true", "on", "yes"};
    for (int i = 0; i < 6; i++)
        if (strcasecmp(text, words[i]) == 0)
            return i >= 3;
    return -1;
}

/* The same number, in the same unit or one of them without. */
static bool same_number(const char *a, const char *b)
{
    double a_value, b_value;
    size_t a_length = quantity_number(a, &a_value), b_length = quantity_number(b, &b_value);
    if (a_length == 0 || b_length == 0 || a_value != b_value)
        return false;
    const char *a_unit = a + a_length + strspn(a + a_length, " "),
               *b_unit = b + b_length + strspn(b + b_length, " ");
    return *a_unit == '\0' || *b_unit == '\0' || strcmp(a_unit, b_unit) == 0;
}

bool expect_values_match(const char *of_cell, const char *wanted)
{
    if (strcmp(of_cell, wanted) == 0 || strcmp(after_slash(of_cell), wanted) == 0 ||
        strcmp(of_cell, after_slash(wanted)) == 0)
        return true;
    if (truth(of_cell) >= 0 && truth(of_cell) == truth(wanted))
        return true;
    return same_number(of_cell, wanted);
}

/* The value of a setting in a cell: of a varied key, whole or by its tail, or of the file. NULL: not there. */
const char *expect_value_in(const struct expecting *expecting, const struct expect_cell *cell,
                            const char *key)
{
    for (size_t i = 0; i < cell->assignment_count; i++)
        if (path_ends_with(cell->assignments[i].key, key))
            return cell->assignments[i].value;
    const struct node *node = node_at_path(cell->root, key);
    return node != NULL && node->kind == NODE_SCALAR ? node_text(expecting->arena, node) : NULL;
}

/* Some cell has the key; false with the problem added. */
bool expect_key_exists(const struct expecting *expecting, const char *key, struct position at)
{
    struct suggestion suggestion = {.written = key};
    struct builder list = {.arena = expecting->arena};
    for (size_t i = 0; i < expecting->cell_count; i++) {
        const struct expect_cell *cell = &expecting->cells[i];
        if (expect_value_in(expecting, cell, key) != NULL)
            return true;
        for (size_t j = 0; i == 0 && j < cell->assignment_count; j++) {
            suggestion_offer(&suggestion, cell->assignments[j].key);
            suggestion_offer(&suggestion, cell->assignments[j].label);
            builder_format(&list, "%s%s", j > 0 ? ", " : "", cell->assignments[j].label);
        }
    }
    if (expecting->narrowed)
        return false; /* perhaps it was varied */
    if (suggestion.best != NULL)
        expect_refuse(expecting, at, "'%.80s' is not varied here. Did you mean %s?", key, suggestion.best);
    else
        expect_refuse(expecting, at, "'%.80s' is not varied here; varied %s %.200s", key,
                      list.length > 0 ? "are" : "is", list.length > 0 ? builder_text(&list) : "nothing");
    return false;
}

void expect_attach(const struct expecting *expecting, struct expect_cell *cell,
                   const struct expectation *expectation)
{
    ARENA_GROW(expecting->arena, cell->list, cell->count);
    cell->list[cell->count++] = *expectation;
}

/* What the numbers of an expectation are in: the metric's unit, or none in a ratio. */
static const char *unit_metric(const struct node *map, const char *metric)
{
    return node_get(map, "over") != NULL ? "ratio.fraction" : metric;
}

bool expect_read_number(const struct expecting *expecting, const char *metric, const char *text,
                        struct position at, double *value)
{
    char message[300];
    if (metric_value_parse(metric, text, value, message, sizeof message))
        return true;
    expect_refuse(expecting, at, "%s", message);
    return false;
}

const char *expect_scalar_text(const struct expecting *expecting, const struct node *map, const char *key,
                               bool needed)
{
    const struct node *node = node_get(map, key);
    if (node != NULL && node->kind == NODE_SCALAR && !node_is_empty(node))
        return node->text;
    if (node != NULL)
        expect_refuse(expecting, node->at, "%s is one value", key);
    else if (needed)
        expect_refuse(expecting, map->at, "an expectation needs the key %s", key);
    return NULL;
}

/* `within`, relative to the published value: a fraction, an amount, or one run. */
bool expect_read_within(const struct expecting *expecting, const struct node *map,
                        struct expectation *expectation)
{
    const struct node *node = node_get(map, "within");
    expectation->rule = EXPECT_ONE_RUN;
    if (node == NULL)
        return true;
    const char *text = expect_scalar_text(expecting, map, "within", true);
    if (text == NULL)
        return false;
    if (strcmp(text, "one run") == 0)
        return true;
    expectation->rule = EXPECT_TOLERANCE;
    struct quantity quantity;
    char message[300];
    if (quantity_parse(PARAMETER_FRACTION, text, &quantity, message, sizeof message) && !quantity.unlimited) {
        expectation->tolerance = quantity.number;
        return true;
    }
    double amount;
    if (!isnan(expectation->published) && expectation->published != 0 &&
        metric_value_parse(expectation->metric, text, &amount, message, sizeof message) && amount >= 0) {
        expectation->tolerance = amount / fabs(expectation->published);
        return true;
    }
    expect_refuse(expecting, node->at,
                  "'%.60s' is not what within can be: a fraction (8 %%), an amount (0.4 s) or: one run",
                  text);
    return false;
}

/* between, below, above. False when there is none of them or a problem. */
static bool read_bounds(const struct expecting *expecting, const struct node *map,
                        struct expectation *expectation)
{
    const struct node *between = node_get(map, "between"), *below = node_get(map, "below"),
                      *above = node_get(map, "above");
    const char *metric = unit_metric(map, expectation->metric);
    expectation->rule = EXPECT_BETWEEN;
    if (between != NULL) {
        if (between->kind != NODE_LIST || between->count != 2 ||
            between->entries[0].value->kind != NODE_SCALAR ||
            between->entries[1].value->kind != NODE_SCALAR) {
            expect_refuse(expecting, between->at, "between is written [low, high]");
            return false;
        }
        const struct node *low = between->entries[0].value, *high = between->entries[1].value;
        if (!expect_read_number(expecting, metric, low->text, low->at, &expectation->low) ||
            !expect_read_number(expecting, metric, high->text, high->at, &expectation->high))
            return false;
    }
    const char *text = below != NULL ? expect_scalar_text(expecting, map, "below", true) : NULL;
    if (below != NULL &&
        (text == NULL || !expect_read_number(expecting, metric, text, below->at, &expectation->high)))
        return false;
    text = above != NULL ? expect_scalar_text(expecting, map, "above", true) : NULL;
    if (above != NULL &&
        (text == NULL || !expect_read_number(expecting, metric, text, above->at, &expectation->low)))
        return false;
    if (expectation->low > expectation->high) {
        expect_refuse(expecting, map->at, "the lower bound is above the upper");
        return false;
    }
    return between != NULL || below != NULL || above != NULL;
}

/* The cells that have all values of a map. False when a key or a value is in none, with the problem added. */
static bool find_cells(const struct expecting *expecting, const struct node *map, bool *applies)
{
    bool fine = true;
    for (size_t k = 0; k < map->count; k++) {
        const struct entry *entry = &map->entries[k];
        if (entry->value->kind != NODE_SCALAR) {
            expect_refuse(expecting, entry->value->at, "%.60s is one value here", entry->key);
            return false;
        }
        bool exists = expect_key_exists(expecting, entry->key, entry->key_at), found = false;
        for (size_t i = 0; exists && i < expecting->cell_count; i++) {
            const char *value = expect_value_in(expecting, &expecting->cells[i], entry->key);
            bool matches = value != NULL && expect_values_match(value, entry->value->text);
            found = found || matches;
            applies[i] = applies[i] && matches;
        }
        if (exists && !found && !expecting->narrowed)
            expect_refuse(expecting, entry->value->at, "no cell has %.60s: %.60s", entry->key,
                          entry->value->text);
        fine = fine && exists && found;
    }
    return fine;
}

/* Whether two cells agree in all that is varied but what `over` names. */
static bool are_alike(const struct expect_cell *cell, const struct expect_cell *other,
                      const struct node *over)
{
    for (size_t i = 0; i < cell->assignment_count; i++) {
        bool is_named = false;
        for (size_t k = 0; k < over->count; k++)
            is_named = is_named || path_ends_with(cell->assignments[i].key, over->entries[k].key);
        if (!is_named && strcmp(cell->assignments[i].value, other->assignments[i].value) != 0)
            return false;
    }
    return true;
}

/* The cell that a ratio is taken to. False with the problem added when there is none, or more than one. */
static bool find_over(const struct expecting *expecting, const struct node *over, const bool *candidates,
                      size_t cell, size_t *found)
{
    size_t alike = 0, all = 0, last = 0;
    for (size_t i = 0; i < expecting->cell_count; i++) {
        if (!candidates[i])
            continue;
        all++;
        last = i;
        if (are_alike(&expecting->cells[cell], &expecting->cells[i], over)) {
            alike++;
            *found = i;
        }
    }
    if (alike == 0 && all == 1)
        *found = last;
    if (alike != 1 && (alike > 0 || all != 1)) {
        if (!expecting->narrowed)
            expect_refuse(expecting, over->at, "over means %s cell; name more of what is varied",
                          all == 0 ? "no" : "more than one");
        return false;
    }
    return true;
}

/* Attaches the ratios of the cells to theirs. */
static void attach_ratios(const struct expecting *expecting, const struct node *over, const bool *applies,
                          struct expectation *expectation)
{
    bool *candidates = ARENA_ARRAY(expecting->arena, bool, expecting->cell_count);
    struct builder text = {.arena = expecting->arena};
    for (size_t i = 0; i < expecting->cell_count; i++)
        candidates[i] = true;
    if (!find_cells(expecting, over, candidates))
        return;
    for (size_t k = 0; k < over->count; k++)
        builder_format(&text, "%s%s: %s", k > 0 ? ", " : "", over->entries[k].key,
                       over->entries[k].value->text);
    expectation->over = builder_text(&text);
    for (size_t i = 0; i < expecting->cell_count; i++)
        if (applies[i] && find_over(expecting, over, candidates, i, &expectation->over_cell))
            expect_attach(expecting, &expecting->cells[i], expectation);
}

static void read_single(const struct expecting *expecting, const struct node *map, const bool *applies,
                        struct expectation *expectation)
{
    const struct node *over = node_get(map, "over");
    if (over != NULL && (over->kind != NODE_MAP || over->count == 0)) {
        expect_refuse(expecting, over->at, "over is a map, {tier: premium}");
        return;
    }
    const struct node *published = node_get(map, "published");
    bool has_bounds =
        node_get(map, "between") != NULL || node_get(map, "below") != NULL || node_get(map, "above") != NULL;
    if ((published != NULL) == has_bounds) {
        expect_refuse(expecting, map->at,
                      "an expectation has either published (and within), or between, below or above");
        return;
    }
    if (published != NULL) {
        const char *text = expect_scalar_text(expecting, map, "published", true);
        if (text == NULL ||
            !expect_read_number(expecting, unit_metric(map, expectation->metric), text, published->at,
                                &expectation->published) ||
            !expect_read_within(expecting, map, expectation))
            return;
    } else if (!read_bounds(expecting, map, expectation)) {
        return;
    }
    if (over != NULL && expectation->rule == EXPECT_ONE_RUN) {
        expect_refuse(expecting, over->at, "a published ratio needs a tolerance, within: 10 %%");
        return;
    }
    if (over != NULL) {
        attach_ratios(expecting, over, applies, expectation);
        return;
    }
    for (size_t i = 0; i < expecting->cell_count; i++)
        if (applies[i])
            expect_attach(expecting, &expecting->cells[i], expectation);
}

/* Which cells `where` means. False when there are none, with the problem added. */
static bool read_where(const struct expecting *expecting, const struct node *map, bool *applies)
{
    const struct node *where = node_get(map, "where");
    for (size_t i = 0; i < expecting->cell_count; i++)
        applies[i] = true;
    if (node_is_empty(where))
        return true;
    if (where->kind != NODE_MAP) {
        expect_refuse(expecting, where->at, "where is a map, {tier: premium}");
        return false;
    }
    bool fine = find_cells(expecting, where, applies);
    for (size_t i = 0; i < expecting->cell_count; i++)
        if (applies[i])
            return fine;
    if (fine && !expecting->narrowed)
        expect_refuse(expecting, where->at, "no cell has all of this");
    return false;
}

static void check_keys(const struct expecting *expecting, const struct node *map)
{
    static const char *const known[] = {"metric", "where", "published", "within", "between", "below", "above",
                                        "table",  "value", "match",     "rows",   "source",  "over"};
    for (size_t i = 0; i < map->count; i++) {
        struct suggestion suggestion = {.written = map->entries[i].key};
        bool is_known = false;
        for (size_t j = 0; j < sizeof known / sizeof known[0]; j++) {
            is_known = is_known || strcmp(known[j], map->entries[i].key) == 0;
            suggestion_offer(&suggestion, known[j]);
        }
        if (!is_known)
            expect_refuse(expecting, map->entries[i].key_at, "unknown key '%.60s' under expect%s%s%s",
                          map->entries[i].key, suggestion.best != NULL ? ". Did you mean " : "",
                          suggestion.best != NULL ? suggestion.best : "", suggestion.best != NULL ? "?" : "");
    }
}

static void read_item(const struct expecting *expecting, const struct node *map)
{
    if (map->kind != NODE_MAP) {
        expect_refuse(expecting, map->at,
                      "an expectation is a map, {metric: profile_load.mean, published: 7.24 s}");
        return;
    }
    check_keys(expecting, map);
    const char *source = expect_scalar_text(expecting, map, "source", false);
    const char *metric = expect_scalar_text(expecting, map, "metric", true);
    if (metric == NULL)
        return;
    if (!metric_name_is_valid(metric)) {
        expect_refuse(expecting, node_get(map, "metric")->at,
                      "'%.60s' is not the name of a metric, e.g. profile_load.mean", metric);
        return;
    }
    struct expectation expectation = {.metric = metric,
                                      .published = NAN,
                                      .low = -INFINITY,
                                      .high = INFINITY,
                                      .source = source != NULL ? source : ""};
    bool *applies = ARENA_ARRAY(expecting->arena, bool, expecting->cell_count);
    if (!read_where(expecting, map, applies))
        return;
    if (node_get(map, "table") != NULL && node_get(map, "over") != NULL)
        expect_refuse(expecting, node_get(map, "over")->at, "over does not go with a table");
    else if (node_get(map, "table") != NULL)
        expect_from_table(expecting, map, applies, &expectation);
    else
        read_single(expecting, map, applies, &expectation);
}

void expect_read(struct arena *arena, const struct node *expect, const char *path, struct expect_cell *cells,
                 size_t cell_count, bool narrowed, struct problems *problems)
{
    const struct expecting expecting = {arena, problems, path, cells, cell_count, narrowed};
    if (node_is_empty(expect))
        return;
    if (expect->kind != NODE_LIST) {
        problem_add(problems, PROBLEM_ERROR, expect->at, "expect is a list: - {metric: ..., published: ...}");
        return;
    }
    if (expect->count > EXPECT_MAX) {
        problem_add(problems, PROBLEM_ERROR, expect->at, "more than %d expectations; use a table",
                    EXPECT_MAX);
        return;
    }
    for (size_t i = 0; i < expect->count; i++)
        read_item(&expecting, expect->entries[i].value);
}
