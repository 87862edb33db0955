#include "sim/command/plot_result.h"

#include "sim/experiment/result/result_csv.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { CELLS_MOST = 100000, KEYS_MOST = 64 };

/* The values of the varied keys of all cells, as cells.csv has them, until it is known which of them differ. */
struct loading {
    struct plot_result *result;
    char *(*values)[KEYS_MOST];       /* [cell - 1][key] */
    char keys[KEYS_MOST][LABEL_SIZE]; /* the last part of each, '_' as blanks */
    size_t key_count, metric_capacity;
};

static FILE *open_in(const char *folder, const char *name, char *message, size_t message_size)
{
    char path[4096];
    if (snprintf(path, sizeof path, "%s/%s", folder, name) >= (int)sizeof path) {
        snprintf(message, message_size, "the name of the folder is too long");
        return NULL;
    }
    FILE *file = fopen(path, "r");
    if (file == NULL)
        snprintf(message, message_size, "cannot read '%s': %s", path, strerror(errno));
    return file;
}

static bool read_file(struct plot_result *result, const char *name, result_csv_take *take, void *context,
                      char *message, size_t message_size)
{
    FILE *file = open_in(result->folder, name, message, message_size);
    if (file == NULL)
        return false;
    bool fine = result_csv_read(file, name, take, context, message, message_size);
    fclose(file);
    return fine;
}

/* The text of a JSON string up to its closing quote, as manifest.c writes it; other escapes than its own are
 * dropped. */
static void copy_json_text(char *text, size_t size, const char *from)
{
    size_t length = 0;
    for (; *from != '\0' && *from != '"' && length + 1 < size; from++) {
        if (*from == '\\') {
            from++;
            if (*from != '"' && *from != '\\')
                continue;
        }
        text[length++] = *from;
    }
    text[length] = '\0';
}

static bool load_title(struct plot_result *result, char *message, size_t message_size)
{
    static const char member[] = "  \"title\": \"", schema[] = "\"schema\": \"vdisim.result/1\"";
    FILE *file = open_in(result->folder, "manifest.json", message, message_size);
    if (file == NULL)
        return false;
    char line[1024];
    bool is_result = false;
    while (result->title[0] == '\0' && fgets(line, sizeof line, file) != NULL) {
        is_result = is_result || strstr(line, schema) != NULL;
        if (strncmp(line, member, strlen(member)) == 0)
            copy_json_text(result->title, sizeof result->title, line + strlen(member));
    }
    fclose(file);
    if (!is_result)
        snprintf(message, message_size, "'%s' is not a result folder of this version (vdisim.result/1)",
                 result->folder);
    return is_result;
}

static bool reserve_cell(struct loading *loading, size_t cell)
{
    struct plot_result *result = loading->result;
    if (cell <= result->cell_count)
        return true;
    struct plot_cell *cells = realloc(result->cells, cell * sizeof *cells);
    if (cells != NULL)
        result->cells = cells;
    char *(*values)[KEYS_MOST] = realloc(loading->values, cell * sizeof *values);
    if (values != NULL)
        loading->values = values;
    if (cells == NULL || values == NULL)
        return false;
    for (; result->cell_count < cell; result->cell_count++) {
        cells[result->cell_count] = (struct plot_cell){.published = NAN};
        memset(values[result->cell_count], 0, sizeof values[result->cell_count]);
    }
    return true;
}

static void keep_keys(struct loading *loading, const struct result_csv_row *row, size_t count)
{
    loading->key_count = count;
    for (size_t key = 0; key < count; key++) {
        const char *name = row->heading[key + 1], *dot = strrchr(name, '.');
        snprintf(loading->keys[key], LABEL_SIZE, "%s", dot == NULL ? name : dot + 1);
        for (char *at = loading->keys[key]; *at != '\0'; at++)
            if (*at == '_')
                *at = ' ';
    }
}

/* The columns between "cell" and "replications" are the keys. */
static bool keep_values(struct loading *loading, const struct result_csv_row *row, size_t cell)
{
    size_t keys = 0;
    while (keys + 1 < row->count && strcmp(row->heading[keys + 1], "replications") != 0)
        keys++;
    if (loading->key_count == 0)
        keep_keys(loading, row, keys < KEYS_MOST ? keys : KEYS_MOST);
    for (size_t key = 0; key < loading->key_count; key++) {
        char **value = &loading->values[cell - 1][key];
        if (*value == NULL && (*value = strdup(row->fields[key + 1])) == NULL)
            return false;
    }
    return true;
}

static bool take_metric(void *context, const struct result_csv_row *row, const char **why)
{
    struct loading *loading = context;
    struct plot_result *result = loading->result;
    size_t cell = result_csv_ordinal(row, "cell");
    const char *name = result_csv_field(row, "metric"), *unit = result_csv_field(row, "unit");
    if (cell == 0 || cell > CELLS_MOST || cell > result->cell_count + 1 || name == NULL || unit == NULL) {
        *why = "no row of a result: cell, metric or unit is wrong";
        return false;
    }
    *why = "out of memory";
    if (!reserve_cell(loading, cell) || !keep_values(loading, row, cell))
        return false;
    if (result->metric_count == loading->metric_capacity) {
        size_t capacity = loading->metric_capacity == 0 ? 256 : 2 * loading->metric_capacity;
        struct plot_metric *metrics = realloc(result->metrics, capacity * sizeof *metrics);
        if (metrics == NULL)
            return false;
        result->metrics = metrics;
        loading->metric_capacity = capacity;
    }
    struct plot_metric *metric = &result->metrics[result->metric_count++];
    *metric = (struct plot_metric){
        .cell = cell,
        .mean = result_csv_number(row, "mean"),
        .ci95_low = result_csv_number(row, "ci95_low"),
        .ci95_high = result_csv_number(row, "ci95_high"),
        .pi95_low = result_csv_number(row, "pi95_low"),
        .pi95_high = result_csv_number(row, "pi95_high"),
    };
    snprintf(metric->name, sizeof metric->name, "%s", name);
    snprintf(metric->unit, sizeof metric->unit, "%s", unit);
    *why = NULL;
    return true;
}

static bool take_expectation(void *context, const struct result_csv_row *row, const char **why)
{
    struct plot_result *result = context;
    size_t cell = result_csv_ordinal(row, "cell");
    const char *metric = result_csv_field(row, "metric");
    if (cell == 0 || cell > result->cell_count || metric == NULL) {
        *why = "no row of a result: cell or metric is wrong";
        return false;
    }
    if (result->headline != NULL && strcmp(metric, result->headline->name) == 0 &&
        isnan(result->cells[cell - 1].published))
        result->cells[cell - 1].published = result_csv_number(row, "published");
    return true;
}

static bool value_varies(const struct loading *loading, size_t key)
{
    for (size_t i = 1; i < loading->result->cell_count; i++)
        if (loading->values[i][key] == NULL || loading->values[0][key] == NULL ||
            strcmp(loading->values[i][key], loading->values[0][key]) != 0)
            return true;
    return false;
}

static void append_text(char list[LABEL_SIZE], const char *text)
{
    size_t length = strlen(list);
    snprintf(list + length, LABEL_SIZE - length, "%s%s", length > 0 ? ", " : "", text);
}

/* A value that says nothing without its key. */
static bool is_switch(const char *value)
{
    return value != NULL && (strcmp(value, "true") == 0 || strcmp(value, "false") == 0);
}

/* Whether all values of a key are quantities in the same unit, which then need not stand behind each. */
static bool shares_unit(const struct loading *loading, size_t key)
{
    for (size_t i = 0; i < loading->result->cell_count; i++) {
        const char *value = loading->values[i][key];
        if (value == NULL || !is_quantity(value) ||
            strcmp(unit_of_value(value), unit_of_value(loading->values[0][key])) != 0)
            return false;
    }
    return true;
}

static void name_value(const struct loading *loading, size_t key, const char *value, char name[LABEL_SIZE])
{
    char label[LABEL_SIZE];
    value_label(label, value == NULL ? "" : value);
    if (is_switch(value))
        snprintf(name, LABEL_SIZE, "%.60s %.60s", loading->keys[key], label);
    else
        snprintf(name, LABEL_SIZE, "%.*s",
                 (int)(strlen(label) - (shares_unit(loading, key) ? strlen(unit_of_value(label)) : 0)),
                 label);
}

/* A quantity says nothing without its key: "size 1 TiB", "files per hour 20000 /h". */
static void title_value(const struct loading *loading, size_t key, const char *value, char name[LABEL_SIZE])
{
    char label[LABEL_SIZE];
    value_label(label, value == NULL ? "" : value);
    if (value != NULL && (is_switch(value) || is_quantity(value)))
        snprintf(name, LABEL_SIZE, "%.60s %.60s", loading->keys[key], label);
    else
        snprintf(name, LABEL_SIZE, "%s", label);
}

/* "files per hour, /h": what the labels under the axis are. */
static void name_places(struct loading *loading, size_t key)
{
    char name[LABEL_SIZE];
    const char *value = loading->values[0][key];
    if (is_switch(value))
        return;
    const char *unit = shares_unit(loading, key) ? unit_of_value(value) : "";
    snprintf(name, sizeof name, "%.60s%s%.40s", loading->keys[key], unit[0] == '\0' ? "" : ",", unit);
    append_text(loading->result->places, name);
}

static void label_cells(struct loading *loading)
{
    size_t varied[KEYS_MOST], count = 0;
    for (size_t key = 0; key < loading->key_count; key++)
        if (value_varies(loading, key))
            varied[count++] = key;
    for (size_t j = count > 1 ? 1 : 0; j < count; j++)
        name_places(loading, varied[j]);
    for (size_t i = 0; i < loading->result->cell_count; i++)
        for (size_t j = 0; j < count; j++) {
            struct plot_cell *cell = &loading->result->cells[i];
            char name[LABEL_SIZE], title[LABEL_SIZE];
            name_value(loading, varied[j], loading->values[i][varied[j]], name);
            title_value(loading, varied[j], loading->values[i][varied[j]], title);
            /* A block stands above its places and not on their axis, whose title says what they are. */
            if (j == 0 && count > 1)
                append_text(cell->block, title);
            else
                append_text(cell->label, name);
            size_t length = strlen(cell->title);
            snprintf(cell->title + length, sizeof cell->title - length, "%s%s", length > 0 ? ", " : "",
                     title);
        }
}

static void choose_headline(struct plot_result *result)
{
    for (size_t i = 0; i < result->metric_count; i++)
        if (result->headline == NULL ||
            headline_rank(result->metrics[i].name) < headline_rank(result->headline->name))
            result->headline = &result->metrics[i];
}

bool plot_result_load(struct plot_result *result, const char *folder, char *message, size_t message_size)
{
    *result = (struct plot_result){.folder = folder};
    snprintf(result->plots, sizeof result->plots, "%.4000s/plots", folder);
    struct loading loading = {.result = result};
    bool fine = load_title(result, message, message_size) &&
                read_file(result, "cells.csv", take_metric, &loading, message, message_size);
    if (fine) {
        choose_headline(result);
        label_cells(&loading);
        fine = read_file(result, "expectations.csv", take_expectation, result, message, message_size);
    }
    for (size_t i = 0; i < result->cell_count; i++)
        for (size_t key = 0; key < KEYS_MOST; key++)
            free(loading.values[i][key]);
    free(loading.values);
    return fine;
}

void plot_result_release(struct plot_result *result)
{
    free(result->cells);
    free(result->metrics);
    *result = (struct plot_result){0};
}

const struct plot_metric *plot_result_metric(const struct plot_result *result, size_t cell, const char *store,
                                             const char *name)
{
    char full[2 * LABEL_SIZE];
    snprintf(full, sizeof full, "%s.%s", store, name);
    for (size_t i = 0; i < result->metric_count; i++) {
        const struct plot_metric *metric = &result->metrics[i];
        if (metric->cell == cell && (strcmp(metric->name, name) == 0 || strcmp(metric->name, full) == 0))
            return metric;
    }
    return NULL;
}
