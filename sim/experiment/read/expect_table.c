#include "sim/experiment/read/expect_inside.h"

#include "sim/experiment/read/builder.h"
#include "sim/experiment/read/csv.h"
#include "sim/experiment/read/suggest.h"
#include "sim/experiment/read/vary.h"

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
        expect_refuse(expecting, at, "%s has no column '%.60s'. Did you mean %s?", table->name, name,
                      suggestion.best);
    else
        expect_refuse(expecting, at, "%s has no column '%.60s'; its columns are %.200s", table->name, name,
                      builder_text(&list));
    return false;
}

static bool read_columns(const struct expecting *expecting, const struct csv_table *table,
                         const struct node *map, size_t **columns)
{
    bool fine = true;
    *columns = ARENA_ARRAY(expecting->arena, size_t, map->count);
    for (size_t i = 0; i < map->count; i++) {
        fine = find_column(expecting, table, map->entries[i].key, map->entries[i].key_at, &(*columns)[i]) &&
               fine;
        if (map->entries[i].value->kind != NODE_SCALAR) {
            expect_refuse(expecting, map->entries[i].value->at, "%.60s is one value here",
                          map->entries[i].key);
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
        expect_refuse(expecting, from->map->at,
                      "a table needs the column of its value, or between: [column, column]");
        return false;
    }
    if (value != NULL) {
        const char *name = expect_scalar_text(expecting, from->map, "value", true);
        return name != NULL && find_column(expecting, from->table, name, value->at, &from->value_column);
    }
    if (between->kind != NODE_LIST || between->count != 2 || between->entries[0].value->kind != NODE_SCALAR ||
        between->entries[1].value->kind != NODE_SCALAR) {
        expect_refuse(expecting, between->at, "between names two columns of the table, [low, high]");
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
        const char *value = expect_value_in(expecting, cell, from->match->entries[i].value->text);
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
               expect_read_number(expecting, expectation->metric, value->text, value->at,
                                  &expectation->published) &&
               expect_read_within(expecting, from->map, expectation);
    const struct csv_field *low = csv_table_field(from->table, row, from->low_column),
                           *high = csv_table_field(from->table, row, from->high_column);
    expectation->rule = EXPECT_BETWEEN;
    if (low->text[0] == '\0' && high->text[0] == '\0')
        return false;
    return (low->text[0] == '\0' ||
            expect_read_number(expecting, expectation->metric, low->text, low->at, &expectation->low)) &&
           (high->text[0] == '\0' ||
            expect_read_number(expecting, expectation->metric, high->text, high->at, &expectation->high));
}

static void attach_rows(const struct expecting *expecting, const struct table_expectation *from,
                        const bool *applies, const struct expectation *common)
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
                expect_attach(expecting, &expecting->cells[i], &expectation);
        }
        used += row_used;
    }
    struct position at = from->match->at;
    if (meant == 0)
        expect_refuse(expecting, from->rows != NULL ? from->rows->at : at, "%s has no such row",
                      from->table->name);
    else if (used == 0 && !expecting->narrowed)
        expect_refuse(expecting, at, "no row of %s matches a cell", from->table->name);
    else if (used < meant && !expecting->narrowed && node_get(from->map, "where") == NULL)
        problem_add(expecting->problems, PROBLEM_WARNING, at, "%zu of %zu rows of %s match no cell",
                    meant - used, meant, from->table->name);
}

void expect_from_table(const struct expecting *expecting, const struct node *map, const bool *applies,
                       const struct expectation *common)
{
    struct table_expectation from = {
        .map = map, .match = node_get(map, "match"), .rows = node_get(map, "rows")};
    const char *name = expect_scalar_text(expecting, map, "table", true);
    if (name == NULL)
        return;
    if (from.match == NULL || from.match->kind != NODE_MAP || from.match->count == 0) {
        expect_refuse(expecting, from.match != NULL ? from.match->at : map->at,
                      "a table needs match: {column: setting}, which says what cell a row belongs to");
        return;
    }
    if (from.rows != NULL && from.rows->kind != NODE_MAP) {
        expect_refuse(expecting, from.rows->at, "rows is a map, {column: value}");
        return;
    }
    from.table = csv_table_read(expecting->arena, path_beside(expecting->arena, expecting->path, name),
                                expecting->problems);
    if (from.table == NULL) {
        expect_refuse(expecting, node_get(map, "table")->at, "this table cannot be used");
        return;
    }
    bool fine = read_columns(expecting, from.table, from.match, &from.match_columns);
    if (from.rows != NULL)
        fine = read_columns(expecting, from.table, from.rows, &from.row_columns) && fine;
    fine = read_value_columns(expecting, &from) && fine;
    for (size_t i = 0; fine && i < from.match->count; i++) {
        const struct node *key = from.match->entries[i].value;
        fine = expect_key_exists(expecting, key->text, key->at);
    }
    if (fine)
        attach_rows(expecting, &from, applies, common);
}
