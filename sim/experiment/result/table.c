#include "sim/experiment/result/table.h"

#include "sim/experiment/result/label.h"
#include "sim/experiment/result/unfinished.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* What a store did, in the order of the columns. */
struct store_column {
    const char *metric, *quantity, *unit;
    double scale;
    bool only_if_it_varies;
};

static const struct store_column store_columns[] = {
    {"server_latency.mean", "server", "ms", 1, false},
    {"iops.mean", "", "IOPS", 1, false},
    {"egress.mean", "egress", "MiB/s", 1, false},
    {"ingress.mean", "ingress", "MiB/s", 1, false},
    {"throttled.fraction", "throttled", "%", 100, false},
    {"burst_credits.min", "credits left", "million", 1e-6, true},
    {"cost.month", "cost", "a month", 1, false},
    {"cost.per_mib_s", "a MiB/s", "a month", 1, false},
    {"bytes_sent.first_3_min", "sent 3 min", "MB", 1, false},
    {"bytes_sent.after_3_min", "sent after", "MB", 1, false},
};

ptrdiff_t headline_metric(const struct result *result)
{
    ptrdiff_t best = -1;
    for (size_t i = 0; i < result->metric_count; i++)
        if (best < 0 || headline_rank(result->metrics[i].name) < headline_rank(result->metrics[best].name))
            best = (ptrdiff_t)i;
    return best;
}

ptrdiff_t store_metric(const struct result *result, size_t store, const char *name)
{
    if (result->store_count <= 1)
        return result_metric(result, name);
    char full[512];
    snprintf(full, sizeof full, "%s.%s", result->store_names[store], name);
    return result_metric(result, full);
}

static double smallest_magnitude(const struct result *result, size_t metric, double scale)
{
    double smallest = INFINITY;
    for (size_t cell = 0; cell < result->cell_count; cell++) {
        double value = fabs(result_estimate(result, cell, metric)->mean) * scale;
        if (value > 0 && value < smallest)
            smallest = value;
    }
    return isfinite(smallest) ? smallest : 100;
}

static bool metric_varies(const struct result *result, size_t metric)
{
    double first = result_estimate(result, 0, metric)->mean;
    for (size_t cell = 1; cell < result->cell_count; cell++)
        if (fabs(result_estimate(result, cell, metric)->mean - first) > 0.001 * fabs(first))
            return true;
    return false;
}

static bool metric_is_known(const struct result *result, size_t metric)
{
    for (size_t cell = 0; cell < result->cell_count; cell++)
        if (!isnan(result_estimate(result, cell, metric)->mean))
            return true;
    return false;
}

/* One column of the table: what it shows of which metric or key. */
struct column {
    enum { SHOW_KEY, SHOW_MEAN, SHOW_CI, SHOW_ONE_RUN, SHOW_UNFINISHED, SHOW_PUBLISHED, SHOW_VERDICT } show;
    size_t index; /* of the key or metric */
    double scale;
    int decimals;
};

struct columns {
    struct column *items;
    size_t count, capacity;
    struct text_table *table;
    bool incomplete;
};

static void add_column(struct columns *columns, struct column column, const char *store, const char *quantity,
                       const char *unit, bool to_the_right)
{
    if (columns->count == columns->capacity) {
        size_t capacity = columns->capacity == 0 ? 16 : 2 * columns->capacity;
        struct column *items = realloc(columns->items, capacity * sizeof *items);
        if (items == NULL) {
            columns->incomplete = true;
            return;
        }
        columns->items = items;
        columns->capacity = capacity;
    }
    columns->items[columns->count++] = column;
    text_table_column(columns->table, (const char *[HEADING_LINES]){store, quantity, unit}, to_the_right);
}

static void add_keys(struct columns *columns, const struct result *result)
{
    const struct cell *first = experiment_cell(result->experiment, 0);
    for (size_t key = 0; key < first->assignment_count; key++) {
        if (!key_varies(result->experiment, key))
            continue;
        bool numbers = true;
        for (size_t cell = 0; cell < result->cell_count; cell++)
            numbers =
                numbers && is_quantity(experiment_cell(result->experiment, cell)->assignments[key].value);
        char heading[LABEL_SIZE];
        const char *unit = shared_unit(result->experiment, key);
        snprintf(heading, sizeof heading, "%.80s%s%.40s", first->assignments[key].label,
                 unit[0] != '\0' ? "," : "", unit);
        for (char *at = heading; *at != '\0'; at++)
            if (*at == '_')
                *at = ' ';
        add_column(columns, (struct column){.show = SHOW_KEY, .index = key}, "", "", heading, numbers);
    }
}

static const struct expectation *published_expectation(const struct result *result, size_t cell,
                                                       size_t metric)
{
    const struct cell *it = experiment_cell(result->experiment, cell);
    for (size_t i = 0; i < it->expectation_count; i++)
        if (!isnan(it->expectations[i].published) && it->expectations[i].over == NULL &&
            strcmp(it->expectations[i].metric, result->metrics[metric].name) == 0)
            return &it->expectations[i];
    return NULL;
}

static void add_published(struct columns *columns, const struct result *result, struct column column)
{
    bool any = false, one_run = true;
    for (size_t cell = 0; cell < result->cell_count; cell++) {
        const struct expectation *expectation = published_expectation(result, cell, column.index);
        any = any || expectation != NULL;
        one_run = one_run && (expectation == NULL || expectation->rule == EXPECT_ONE_RUN);
    }
    if (!any)
        return;
    column.show = SHOW_PUBLISHED;
    add_column(columns, column, "", "published", "mean", true);
    column.show = SHOW_VERDICT;
    add_column(columns, column, "", "published", one_run ? "inside?" : "met?", false);
}

/* The share of the logons without a load time, where it makes a mean a lower bound in some cell. */
static void add_unfinished(struct columns *columns, const struct result *result, struct column column,
                           const char *workload)
{
    bool any = false;
    for (size_t cell = 0; cell < result->cell_count; cell++)
        any = any || metric_is_of_the_fastest(result, cell, result->metrics[column.index].name);
    column.show = SHOW_UNFINISHED;
    if (any)
        add_column(columns, column, workload, "unfinished", "%", true);
}

static void add_headline(struct columns *columns, const struct result *result, size_t metric)
{
    const struct metric_name *name = &result->metrics[metric];
    char title[LABEL_SIZE], workload[LABEL_SIZE];
    size_t prefix = workload_prefix(name->name);
    snprintf(title, sizeof title, "%s, %s", headline_title(name->name), name->unit);
    snprintf(workload, sizeof workload, "%.*s", prefix > 0 ? (int)prefix - 1 : 0, name->name);
    struct column column = {SHOW_MEAN, metric, 1, decimals_for(smallest_magnitude(result, metric, 1))};
    add_column(columns, column, workload, title, "mean", true);
    if (result->replications > 1 || experiment_run(result->experiment)->batches > 1) {
        column.show = SHOW_CI;
        add_column(columns, column, workload, title, "95 % CI", true);
    }
    if (result->replications > 1) {
        column.show = SHOW_ONE_RUN;
        add_column(columns, column, workload, title, "one run", true);
    }
    add_unfinished(columns, result, column, workload);
    add_published(columns, result, column);
}

/* What answers the question, of every workload that has it. */
static void add_headlines(struct columns *columns, const struct result *result, size_t headline)
{
    const char *best = result->metrics[headline].name;
    for (size_t i = 0; i < result->metric_count; i++) {
        const char *name = result->metrics[i].name;
        if (i == headline || (is_headline(name) && headline_rank(name) == headline_rank(best)))
            add_headline(columns, result, i);
    }
}

static void add_store(struct columns *columns, const struct result *result, size_t store)
{
    const char *store_name = result->store_count > 1 ? result->store_names[store] : "";
    for (size_t i = 0; i < sizeof store_columns / sizeof store_columns[0]; i++) {
        const struct store_column *it = &store_columns[i];
        ptrdiff_t metric = store_metric(result, store, it->metric);
        if (metric < 0 || !metric_is_known(result, (size_t)metric))
            continue;
        if (it->only_if_it_varies && !metric_varies(result, (size_t)metric))
            continue;
        struct column column = {SHOW_MEAN, (size_t)metric, it->scale,
                                decimals_for(smallest_magnitude(result, (size_t)metric, it->scale))};
        add_column(columns, column, store_name, it->quantity, it->unit, true);
    }
}

static void interval_label(char text[2 * LABEL_SIZE + 8], double low, double high, int decimals)
{
    char from[LABEL_SIZE], to[LABEL_SIZE];
    if (isnan(low) || isnan(high)) {
        snprintf(text, 2 * LABEL_SIZE + 8, "-");
        return;
    }
    number_label(from, low, decimals);
    number_label(to, high, decimals);
    snprintf(text, 2 * LABEL_SIZE + 8, "[%s, %s]", from, to);
}

static const char *verdict_word(const struct result *result, size_t cell,
                                const struct expectation *expectation)
{
    double predicted;
    switch (result_verdict(result, cell, expectation, &predicted)) {
    case VERDICT_MET:
        return "yes";
    case VERDICT_MISSED:
        return "NO";
    case VERDICT_NO_VALUE:
    case VERDICT_UNFINISHED:
        break;
    }
    return "-";
}

static void key_text(char text[LABEL_SIZE], const struct result *result, size_t cell, size_t key)
{
    const char *unit = shared_unit(result->experiment, key);
    value_label(text, experiment_cell(result->experiment, cell)->assignments[key].value);
    if (strlen(text) > strlen(unit)) /* or it was cut */
        text[strlen(text) - strlen(unit)] = '\0';
}

/* ">655" where it is the mean of the fastest alone. */
static void mean_text(char text[2 * LABEL_SIZE + 8], const struct result *result, size_t cell,
                      const struct column *column)
{
    char number[LABEL_SIZE];
    double mean = result_estimate(result, cell, column->index)->mean;
    bool is_bound = metric_is_of_the_fastest(result, cell, result->metrics[column->index].name);
    number_label(number, mean * column->scale, mean == 0 ? 0 : column->decimals);
    snprintf(text, 2 * LABEL_SIZE + 8, "%s%s", is_bound && !isnan(mean) ? ">" : "", number);
}

static void add_cell_text(struct text_table *table, const struct result *result, size_t cell,
                          const struct column *column)
{
    char text[2 * LABEL_SIZE + 8];
    if (column->show == SHOW_KEY) {
        key_text(text, result, cell, column->index);
        text_table_cell(table, text);
        return;
    }
    const char *metric = result->metrics[column->index].name;
    const struct estimate *estimate = result_estimate(result, cell, column->index);
    const struct expectation *expectation = published_expectation(result, cell, column->index);
    struct logon_count logons = logon_count_of(result, cell, metric);
    bool is_bound = metric_is_of_the_fastest(result, cell, metric);
    switch (column->show) {
    case SHOW_MEAN:
        mean_text(text, result, cell, column);
        break;
    case SHOW_CI:
        interval_label(text, is_bound ? NAN : estimate->ci95_low, estimate->ci95_high, column->decimals);
        break;
    case SHOW_ONE_RUN:
        interval_label(text, is_bound ? NAN : estimate->pi95_low, estimate->pi95_high, column->decimals);
        break;
    case SHOW_UNFINISHED:
        number_label(text, 100 * logons.unfinished / fmax(logons.all, 1), 1);
        break;
    case SHOW_PUBLISHED:
        number_label(text, expectation == NULL ? NAN : expectation->published, column->decimals + 1);
        break;
    default:
        snprintf(text, sizeof text, "%s",
                 expectation == NULL ? "-" : verdict_word(result, cell, expectation));
    }
    text_table_cell(table, text);
}

struct text_table *table_of(const struct result *result)
{
    ptrdiff_t headline = headline_metric(result);
    struct columns columns = {.table = text_table_create()};
    if (columns.table == NULL || headline < 0)
        return columns.table;
    add_keys(&columns, result);
    add_headlines(&columns, result, (size_t)headline);
    for (size_t store = 0; store < result->store_count; store++)
        add_store(&columns, result, store);
    for (size_t cell = 0; !columns.incomplete && cell < result->cell_count; cell++)
        for (size_t i = 0; i < columns.count; i++)
            add_cell_text(columns.table, result, cell, &columns.items[i]);
    free(columns.items);
    if (columns.incomplete) {
        text_table_destroy(columns.table);
        return NULL;
    }
    return columns.table;
}

bool table_print(const struct result *result, struct writer *writer, const struct text_style *style)
{
    if (headline_metric(result) < 0) {
        write_text(writer, "No metrics: no run was finished.\n");
        return true;
    }
    struct text_table *table = table_of(result);
    bool complete = table != NULL && text_table_print(table, writer, style);
    text_table_destroy(table);
    return complete;
}
