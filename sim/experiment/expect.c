#include "sim/experiment/expect.h"

#include "sim/experiment/builder.h"
#include "sim/experiment/csv.h"
#include "sim/experiment/metric_value.h"
#include "sim/experiment/quantity.h"
#include "sim/experiment/suggest.h"
#include "sim/experiment/vary.h"

#include <math.h>
#include <string.h>
#include <strings.h>

struct expecting {
    struct arena *arena;
    struct problems *problems;
    const char *path;
    struct expect_cell *cells;
    size_t cell_count;
};

static void __attribute__((format(printf, 3, 4)))
refuse(const struct expecting *expecting, struct position at, const char *format, ...)
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
    const char *a_unit = a + a_length + strspn(a + a_length, " "), *b_unit = b + b_length + strspn(b + b_length, " ");
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

static bool is_tail(const char *key, const char *end)
{
    size_t key_length = strlen(key), length = strlen(end);
    return length > 0 && key_length >= length && strcmp(key + key_length - length, end) == 0 &&
           (key_length == length || key[key_length - length - 1] == '.');
}

/* The value of a setting in a cell: of a varied key, whole or by its tail, or of the file. NULL: not there. */
static const char *value_in(const struct expecting *expecting, const struct expect_cell *cell, const char *key)
{
    for (size_t i = 0; i < cell->assignment_count; i++)
        if (is_tail(cell->assignments[i].key, key))
            return cell->assignments[i].value;
    const struct node *node = node_at_path(cell->root, key);
    return node != NULL && node->kind == NODE_SCALAR ? node_text(expecting->arena, node) : NULL;
}

/* Some cell has the key; false with the problem added. */
static bool key_exists(const struct expecting *expecting, const char *key, struct position at)
{
    struct suggestion suggestion = {.written = key};
    struct builder list = {.arena = expecting->arena};
    for (size_t i = 0; i < expecting->cell_count; i++) {
        const struct expect_cell *cell = &expecting->cells[i];
        if (value_in(expecting, cell, key) != NULL)
            return true;
        for (size_t j = 0; i == 0 && j < cell->assignment_count; j++) {
            suggestion_offer(&suggestion, cell->assignments[j].key);
            suggestion_offer(&suggestion, cell->assignments[j].label);
            builder_format(&list, "%s%s", j > 0 ? ", " : "", cell->assignments[j].label);
        }
    }
    if (suggestion.best != NULL)
        refuse(expecting, at, "'%.80s' is not varied here. Did you mean %s?", key, suggestion.best);
    else
        refuse(expecting, at, "'%.80s' is not varied here; varied %s %.200s", key, list.length > 0 ? "are" : "is",
               list.length > 0 ? builder_text(&list) : "nothing");
    return false;
}

static void attach(const struct expecting *expecting, struct expect_cell *cell, const struct expectation *expectation)
{
    ARENA_GROW(expecting->arena, cell->list, cell->count);
    cell->list[cell->count++] = *expectation;
}

static bool read_number(const struct expecting *expecting, const char *metric, const char *text, struct position at,
                        double *value)
{
    char message[300];
    if (metric_value_parse(metric, text, value, message, sizeof message))
        return true;
    refuse(expecting, at, "%s", message);
    return false;
}

static const char *scalar_text(const struct expecting *expecting, const struct node *map, const char *key, bool needed)
{
    const struct node *node = node_get(map, key);
    if (node != NULL && node->kind == NODE_SCALAR && !node_is_empty(node))
        return node->text;
    if (node != NULL)
        refuse(expecting, node->at, "%s is one value", key);
    else if (needed)
        refuse(expecting, map->at, "an expectation needs the key %s", key);
    return NULL;
}

/* `within`, relative to the published value: a fraction, an amount, or one run. */
static bool read_within(const struct expecting *expecting, const struct node *map, struct expectation *expectation)
{
    const struct node *node = node_get(map, "within");
    expectation->rule = EXPECT_ONE_RUN;
    if (node == NULL)
        return true;
    const char *text = scalar_text(expecting, map, "within", true);
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
    refuse(expecting, node->at, "'%.60s' is not what within can be: a fraction (8 %%), an amount (0.4 s) or: one run", text);
    return false;
}

/* between, below, above. False when there is none of them or a problem. */
static bool read_bounds(const struct expecting *expecting, const struct node *map, struct expectation *expectation)
{
    const struct node *between = node_get(map, "between"), *below = node_get(map, "below"),
                      *above = node_get(map, "above");
    const char *metric = expectation->metric;
    expectation->rule = EXPECT_BETWEEN;
    if (between != NULL) {
        if (between->kind != NODE_LIST || between->count != 2 || between->entries[0].value->kind != NODE_SCALAR ||
            between->entries[1].value->kind != NODE_SCALAR) {
            refuse(expecting, between->at, "between is written [low, high]");
            return false;
        }
        const struct node *low = between->entries[0].value, *high = between->entries[1].value;
        if (!read_number(expecting, metric, low->text, low->at, &expectation->low) ||
            !read_number(expecting, metric, high->text, high->at, &expectation->high))
            return false;
    }
    const char *text = below != NULL ? scalar_text(expecting, map, "below", true) : NULL;
    if (below != NULL && (text == NULL || !read_number(expecting, metric, text, below->at, &expectation->high)))
        return false;
    text = above != NULL ? scalar_text(expecting, map, "above", true) : NULL;
    if (above != NULL && (text == NULL || !read_number(expecting, metric, text, above->at, &expectation->low)))
        return false;
    if (expectation->low > expectation->high) {
        refuse(expecting, map->at, "the lower bound is above the upper");
        return false;
    }
    return between != NULL || below != NULL || above != NULL;
}

static void read_single(const struct expecting *expecting, const struct node *map, const bool *applies,
                        struct expectation *expectation)
{
    const struct node *published = node_get(map, "published");
    bool has_bounds = node_get(map, "between") != NULL || node_get(map, "below") != NULL || node_get(map, "above") != NULL;
    if ((published != NULL) == has_bounds) {
        refuse(expecting, map->at, "an expectation has either published (and within), or between, below or above");
        return;
    }
    if (published != NULL) {
        const char *text = scalar_text(expecting, map, "published", true);
        if (text == NULL || !read_number(expecting, expectation->metric, text, published->at, &expectation->published) ||
            !read_within(expecting, map, expectation))
            return;
    } else if (!read_bounds(expecting, map, expectation)) {
        return;
    }
    for (size_t i = 0; i < expecting->cell_count; i++)
        if (applies[i])
            attach(expecting, &expecting->cells[i], expectation);
}

/* Which cells `where` means. False with the problem added when there are none. */
static bool read_where(const struct expecting *expecting, const struct node *map, bool *applies)
{
    const struct node *where = node_get(map, "where");
    for (size_t i = 0; i < expecting->cell_count; i++)
        applies[i] = true;
    if (node_is_empty(where))
        return true;
    if (where->kind != NODE_MAP) {
        refuse(expecting, where->at, "where is a map, {tier: premium}");
        return false;
    }
    bool fine = true;
    for (size_t k = 0; k < where->count; k++) {
        const struct entry *entry = &where->entries[k];
        if (entry->value->kind != NODE_SCALAR) {
            refuse(expecting, entry->value->at, "%.60s is one value here", entry->key);
            return false;
        }
        bool exists = key_exists(expecting, entry->key, entry->key_at), found = false;
        for (size_t i = 0; exists && i < expecting->cell_count; i++) {
            const char *value = value_in(expecting, &expecting->cells[i], entry->key);
            bool matches = value != NULL && expect_values_match(value, entry->value->text);
            found = found || matches;
            applies[i] = applies[i] && matches;
        }
        if (exists && !found)
            refuse(expecting, entry->value->at, "no cell has %.60s: %.60s", entry->key, entry->value->text);
        fine = fine && exists && found;
    }
    for (size_t i = 0; i < expecting->cell_count; i++)
        if (applies[i])
            return fine;
    if (fine)
        refuse(expecting, where->at, "no cell has all of this");
    return false;
}

/* An expectation that takes its values from a table. */
struct table_expectation {
    const struct csv_table *table;
    const struct node *map;
    const struct node *match, *rows; /* maps; rows may be NULL */
    size_t *match_columns, *row_columns;
    bool is_range;
    size_t value_column, low_column, high_column;
};

static bool find_column(const struct expecting *expecting, const struct csv_table *table, const char *name,
                        struct position at, size_t *column)
{
    if (csv_table_column(table, name, column))
        return true;
    struct suggestion suggestion = {.written = name};
    struct builder list = {.arena = expecting->arena};
    for (size_t i = 0; i < table->columns && i < 100; i++) {
        suggestion_offer(&suggestion, table->header[i].text);
        builder_format(&list, "%s%s", i > 0 ? ", " : "", table->header[i].text);
    }
    if (suggestion.best != NULL)
        refuse(expecting, at, "%s has no column '%.60s'. Did you mean %s?", table->name, name, suggestion.best);
    else
        refuse(expecting, at, "%s has no column '%.60s'; its columns are %.200s", table->name, name, builder_text(&list));
    return false;
}

static bool read_columns(const struct expecting *expecting, const struct csv_table *table, const struct node *map,
                         size_t **columns)
{
    bool fine = true;
    *columns = ARENA_ARRAY(expecting->arena, size_t, map->count);
    for (size_t i = 0; i < map->count; i++) {
        fine = find_column(expecting, table, map->entries[i].key, map->entries[i].key_at, &(*columns)[i]) && fine;
        if (map->entries[i].value->kind != NODE_SCALAR) {
            refuse(expecting, map->entries[i].value->at, "%.60s is one value here", map->entries[i].key);
            fine = false;
        }
    }
    return fine;
}

static bool read_value_columns(const struct expecting *expecting, struct table_expectation *from)
{
    const struct node *value = node_get(from->map, "value"), *between = node_get(from->map, "between");
    from->is_range = between != NULL;
    if ((value != NULL) == (between != NULL)) {
        refuse(expecting, from->map->at, "a table needs the column of its value, or between: [column, column]");
        return false;
    }
    if (value != NULL) {
        const char *name = scalar_text(expecting, from->map, "value", true);
        return name != NULL && find_column(expecting, from->table, name, value->at, &from->value_column);
    }
    if (between->kind != NODE_LIST || between->count != 2 || between->entries[0].value->kind != NODE_SCALAR ||
        between->entries[1].value->kind != NODE_SCALAR) {
        refuse(expecting, between->at, "between names two columns of the table, [low, high]");
        return false;
    }
    const struct node *low = between->entries[0].value, *high = between->entries[1].value;
    return find_column(expecting, from->table, low->text, low->at, &from->low_column) &&
           find_column(expecting, from->table, high->text, high->at, &from->high_column);
}

static bool row_is_meant(const struct table_expectation *from, size_t row)
{
    for (size_t i = 0; from->rows != NULL && i < from->rows->count; i++) {
        const char *text = csv_table_field(from->table, row, from->row_columns[i])->text;
        if (!expect_values_match(text, from->rows->entries[i].value->text))
            return false;
    }
    return true;
}

static bool row_matches(const struct expecting *expecting, const struct table_expectation *from, size_t row,
                        const struct expect_cell *cell)
{
    for (size_t i = 0; i < from->match->count; i++) {
        const char *wanted = csv_table_field(from->table, row, from->match_columns[i])->text;
        const char *value = value_in(expecting, cell, from->match->entries[i].value->text);
        if (value == NULL || !expect_values_match(value, wanted))
            return false;
    }
    return true;
}

/* The expectation of one row; false when it states nothing or there is a problem. */
static bool read_row(const struct expecting *expecting, const struct table_expectation *from, size_t row,
                     struct expectation *expectation)
{
    const struct csv_field *value = csv_table_field(from->table, row, from->value_column);
    if (!from->is_range)
        return value->text[0] != '\0' &&
               read_number(expecting, expectation->metric, value->text, value->at, &expectation->published) &&
               read_within(expecting, from->map, expectation);
    const struct csv_field *low = csv_table_field(from->table, row, from->low_column),
                           *high = csv_table_field(from->table, row, from->high_column);
    expectation->rule = EXPECT_BETWEEN;
    if (low->text[0] == '\0' && high->text[0] == '\0')
        return false;
    return (low->text[0] == '\0' || read_number(expecting, expectation->metric, low->text, low->at, &expectation->low)) &&
           (high->text[0] == '\0' || read_number(expecting, expectation->metric, high->text, high->at, &expectation->high));
}

static void attach_rows(const struct expecting *expecting, const struct table_expectation *from, const bool *applies,
                        const struct expectation *common)
{
    size_t meant = 0, used = 0;
    for (size_t row = 0; row < from->table->rows; row++) {
        if (!row_is_meant(from, row))
            continue;
        meant++;
        bool row_used = false;
        for (size_t i = 0; i < expecting->cell_count; i++) {
            if (!applies[i] || !row_matches(expecting, from, row, &expecting->cells[i]))
                continue;
            row_used = true;
            struct expectation expectation = *common;
            if (read_row(expecting, from, row, &expectation))
                attach(expecting, &expecting->cells[i], &expectation);
        }
        used += row_used;
    }
    struct position at = from->match->at;
    if (meant == 0)
        refuse(expecting, from->rows != NULL ? from->rows->at : at, "%s has no such row", from->table->name);
    else if (used == 0)
        refuse(expecting, at, "no row of %s matches a cell", from->table->name);
    else if (used < meant && node_get(from->map, "where") == NULL)
        problem_add(expecting->problems, PROBLEM_WARNING, at, "%zu of %zu rows of %s match no cell", meant - used, meant,
                    from->table->name);
}

static void read_from_table(const struct expecting *expecting, const struct node *map, const bool *applies,
                            const struct expectation *common)
{
    struct table_expectation from = {.map = map, .match = node_get(map, "match"), .rows = node_get(map, "rows")};
    const char *name = scalar_text(expecting, map, "table", true);
    if (name == NULL)
        return;
    if (from.match == NULL || from.match->kind != NODE_MAP || from.match->count == 0) {
        refuse(expecting, from.match != NULL ? from.match->at : map->at,
               "a table needs match: {column: setting}, which says what cell a row belongs to");
        return;
    }
    if (from.rows != NULL && from.rows->kind != NODE_MAP) {
        refuse(expecting, from.rows->at, "rows is a map, {column: value}");
        return;
    }
    from.table = csv_table_read(expecting->arena, path_beside(expecting->arena, expecting->path, name), expecting->problems);
    if (from.table == NULL) {
        refuse(expecting, node_get(map, "table")->at, "this table cannot be used");
        return;
    }
    bool fine = read_columns(expecting, from.table, from.match, &from.match_columns);
    if (from.rows != NULL)
        fine = read_columns(expecting, from.table, from.rows, &from.row_columns) && fine;
    fine = read_value_columns(expecting, &from) && fine;
    for (size_t i = 0; fine && i < from.match->count; i++) {
        const struct node *key = from.match->entries[i].value;
        fine = key_exists(expecting, key->text, key->at);
    }
    if (fine)
        attach_rows(expecting, &from, applies, common);
}

static void check_keys(const struct expecting *expecting, const struct node *map)
{
    static const char *const known[] = {"metric", "where", "published", "within", "between", "below",
                                        "above",  "table", "value",     "match",  "rows",    "source"};
    for (size_t i = 0; i < map->count; i++) {
        struct suggestion suggestion = {.written = map->entries[i].key};
        bool is_known = false;
        for (size_t j = 0; j < sizeof known / sizeof known[0]; j++) {
            is_known = is_known || strcmp(known[j], map->entries[i].key) == 0;
            suggestion_offer(&suggestion, known[j]);
        }
        if (!is_known)
            refuse(expecting, map->entries[i].key_at, "unknown key '%.60s' under expect%s%s%s", map->entries[i].key,
                   suggestion.best != NULL ? ". Did you mean " : "", suggestion.best != NULL ? suggestion.best : "",
                   suggestion.best != NULL ? "?" : "");
    }
}

static void read_item(const struct expecting *expecting, const struct node *map)
{
    if (map->kind != NODE_MAP) {
        refuse(expecting, map->at, "an expectation is a map, {metric: profile_load.mean, published: 7.24 s}");
        return;
    }
    check_keys(expecting, map);
    const char *source = scalar_text(expecting, map, "source", false);
    const char *metric = scalar_text(expecting, map, "metric", true);
    if (metric == NULL)
        return;
    if (!metric_name_is_valid(metric)) {
        refuse(expecting, node_get(map, "metric")->at, "'%.60s' is not the name of a metric, e.g. profile_load.mean", metric);
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
    if (node_get(map, "table") != NULL)
        read_from_table(expecting, map, applies, &expectation);
    else
        read_single(expecting, map, applies, &expectation);
}

void expect_read(struct arena *arena, const struct node *expect, const char *path, struct expect_cell *cells,
                 size_t cell_count, struct problems *problems)
{
    const struct expecting expecting = {arena, problems, path, cells, cell_count};
    if (node_is_empty(expect))
        return;
    if (expect->kind != NODE_LIST) {
        problem_add(problems, PROBLEM_ERROR, expect->at, "expect is a list: - {metric: ..., published: ...}");
        return;
    }
    for (size_t i = 0; i < expect->count; i++)
        read_item(&expecting, expect->entries[i].value);
}
