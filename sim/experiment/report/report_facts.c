#include "sim/experiment/report/report_facts.h"

#include "sim/experiment/result/label.h"
#include "sim/experiment/result/table.h"
#include "sim/experiment/result/unfinished.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define MARK_GOOD_S 10.0
#define MARK_POOR_S 30.0

static void heading(struct text_table *table, const char *text, bool to_the_right)
{
    text_table_column(table, (const char *const[HEADING_LINES]){"", "", text}, to_the_right);
}

static void number_cell(struct text_table *table, double value, int decimals)
{
    char label[LABEL_SIZE];
    number_label(label, value, decimals);
    text_table_cell(table, label);
}

static bool starts_with(const char *text, const char *beginning)
{
    return strncmp(text, beginning, strlen(beginning)) == 0;
}

/* The loads of all cells against the marks that people judge a logon by; of one run where its interval is known. */
static void print_marks(const struct result *result, struct writer *writer)
{
    const ptrdiff_t headline = headline_metric(result);
    if (headline < 0 || strstr(result->metrics[headline].name, "profile_load") == NULL)
        return;
    size_t good = 0, poor = 0, known = 0, with_interval = 0;
    for (size_t cell = 0; cell < result->cell_count; cell++) {
        const struct estimate *estimate = result_estimate(result, cell, (size_t)headline);
        const bool is_bound = metric_is_of_the_fastest(result, cell, result->metrics[headline].name);
        const double high = isnan(estimate->pi95_high) ? estimate->mean : estimate->pi95_high;
        known += isnan(estimate->mean) ? 0 : 1;
        with_interval += isnan(estimate->pi95_high) ? 0 : 1;
        good += !is_bound && high < MARK_GOOD_S;
        poor += !isnan(estimate->mean) && (is_bound || high > MARK_POOR_S);
    }
    if (known > 0)
        write_text(writer,
                   "%s load time is below 10 s in %zu of %zu cell%s, and above 30 s, which users call slow, "
                   "in %zu.\n",
                   with_interval == known ? "Even in an unlucky run (95 %) the mean" : "The mean", good,
                   known, known == 1 ? "" : "s", poor);
}

/* The file's own answer stands apart. */
static void drop_line(char *text, const char *beginning)
{
    for (char *line = text; *line != '\0';) {
        char *next = line + strcspn(line, "\n");
        next += *next == '\n';
        if (starts_with(line, beginning))
            memmove(line, next, strlen(next) + 1);
        else
            line = next;
    }
}

char *report_sentences(const struct result *result)
{
    char *text = NULL;
    size_t length = 0;
    struct writer writer = {.file = open_memstream(&text, &length)};
    const struct text_style style = {.utf8 = true};
    if (writer.file == NULL)
        return NULL;
    print_marks(result, &writer);
    summary_print(result, NULL, &writer, &style);
    if (fclose(writer.file) == 0 && writer.error == 0) {
        drop_line(text, "The file's answer: ");
        return text;
    }
    free(text);
    return NULL;
}

struct text_table *report_expectations(const struct result *result)
{
    struct text_table *table = text_table_create();
    if (table == NULL || count_verdicts(result).total == 0)
        return table;
    heading(table, "cell", false);
    heading(table, "metric", false);
    heading(table, "published", true);
    heading(table, "accepted", false);
    heading(table, "predicted", true);
    heading(table, "verdict", false);
    heading(table, "source", false);
    for (size_t cell = 0; cell < result->cell_count; cell++) {
        const struct cell *of = experiment_cell(result->experiment, cell);
        for (size_t i = 0; i < of->expectation_count; i++) {
            const struct expectation *expectation = &of->expectations[i];
            char label[LABEL_SIZE], range[2 * LABEL_SIZE + 16], title[EXPECTATION_TITLE_SIZE];
            double predicted = NAN;
            const enum verdict verdict = result_verdict(result, cell, expectation, &predicted);
            cell_label(label, result->experiment, cell);
            text_table_cell(table, label);
            expectation_title(title, expectation);
            text_table_cell(table, title);
            number_cell(table, expectation->published, 2);
            if (expectation->rule == EXPECT_ONE_RUN)
                snprintf(range, sizeof range, "where one run would lie");
            else if (expectation->rule == EXPECT_TOLERANCE)
                snprintf(range, sizeof range, "within %.3g %%", 100 * expectation->tolerance);
            else if (isinf(expectation->low))
                snprintf(range, sizeof range, "up to %.6g", expectation->high);
            else if (isinf(expectation->high))
                snprintf(range, sizeof range, "from %.6g", expectation->low);
            else
                snprintf(range, sizeof range, "%.6g to %.6g", expectation->low, expectation->high);
            text_table_cell(table, range);
            number_cell(table, predicted, 2);
            text_table_cell(table, verdict_name(verdict));
            text_table_cell(table, expectation->source);
        }
    }
    return table;
}

/* "profile_load.by.server_latency" -> "server latency"; NULL for another metric. */
static const char *cause_of(const char *metric)
{
    const char *by = strstr(metric, "profile_load.by.");
    return by == NULL ? NULL : by + strlen("profile_load.by.");
}

static bool matters(const struct result *result, size_t metric)
{
    for (size_t cell = 0; cell < result->cell_count; cell++)
        if (result_estimate(result, cell, metric)->mean > 0.0005)
            return true;
    return false;
}

struct text_table *report_causes(const struct result *result)
{
    struct text_table *table = text_table_create();
    bool any = false;
    for (size_t metric = 0; table != NULL && metric < result->metric_count; metric++) {
        const char *cause = cause_of(result->metrics[metric].name);
        if (cause == NULL || !matters(result, metric))
            continue;
        if (!any)
            heading(table, "cell", false);
        any = true;
        char name[2 * LABEL_SIZE];
        snprintf(name, sizeof name, "%.*s%s, s", (int)workload_prefix(result->metrics[metric].name),
                 result->metrics[metric].name, cause);
        for (char *at = name; *at != '\0'; at++)
            if (*at == '_')
                *at = ' ';
        heading(table, name, true);
    }
    for (size_t cell = 0; any && cell < result->cell_count; cell++) {
        char label[LABEL_SIZE];
        cell_label(label, result->experiment, cell);
        text_table_cell(table, label);
        for (size_t metric = 0; metric < result->metric_count; metric++)
            if (cause_of(result->metrics[metric].name) != NULL && matters(result, metric))
                number_cell(table, result_estimate(result, cell, metric)->mean, 2);
    }
    return table;
}

static bool is_cost(const char *metric)
{
    const char *cost = strstr(metric, "cost.");
    return cost != NULL && (cost == metric || cost[-1] == '.');
}

static bool is_known(const struct result *result, size_t metric)
{
    for (size_t cell = 0; cell < result->cell_count; cell++)
        if (!isnan(result_estimate(result, cell, metric)->mean))
            return true;
    return false;
}

/* The metrics that `wanted` chooses and that have a value, side by side, a row a cell. */
static struct text_table *table_of_metrics(const struct result *result, bool (*wanted)(const char *metric))
{
    struct text_table *table = text_table_create();
    bool any = false;
    for (size_t metric = 0; table != NULL && metric < result->metric_count; metric++) {
        const struct metric_name *name = &result->metrics[metric];
        if (!wanted(name->name) || !is_known(result, metric))
            continue;
        if (!any)
            heading(table, "cell", false);
        any = true;
        char text[2 * LABEL_SIZE];
        snprintf(text, sizeof text, "%.100s%s%.40s", name->name, name->unit[0] == '\0' ? "" : ", ",
                 name->unit);
        heading(table, text, true);
    }
    for (size_t cell = 0; any && cell < result->cell_count; cell++) {
        char label[LABEL_SIZE];
        cell_label(label, result->experiment, cell);
        text_table_cell(table, label);
        for (size_t metric = 0; metric < result->metric_count; metric++)
            if (wanted(result->metrics[metric].name) && is_known(result, metric))
                number_cell(table, result_estimate(result, cell, metric)->mean, 2);
    }
    return table;
}

struct text_table *report_costs(const struct result *result)
{
    return table_of_metrics(result, is_cost);
}

struct text_table *report_metrics(const struct result *result)
{
    struct text_table *table = text_table_create();
    if (table == NULL || result->metric_count == 0)
        return table;
    heading(table, "cell", false);
    heading(table, "metric", false);
    heading(table, "unit", false);
    heading(table, "mean", true);
    heading(table, "95 % interval of the mean", true);
    heading(table, "one run, 95 %", true);
    for (size_t cell = 0; cell < result->cell_count; cell++)
        for (size_t metric = 0; metric < result->metric_count; metric++) {
            const struct estimate *estimate = result_estimate(result, cell, metric);
            if (isnan(estimate->mean))
                continue;
            char label[LABEL_SIZE], range[64];
            cell_label(label, result->experiment, cell);
            text_table_cell(table, label);
            text_table_cell(table, result->metrics[metric].name);
            text_table_cell(table, result->metrics[metric].unit);
            snprintf(range, sizeof range, "%.6g", estimate->mean);
            text_table_cell(table, range);
            snprintf(range, sizeof range, isnan(estimate->ci95_low) ? "-" : "%.6g to %.6g",
                     estimate->ci95_low, estimate->ci95_high);
            text_table_cell(table, range);
            snprintf(range, sizeof range, isnan(estimate->pi95_low) ? "-" : "%.6g to %.6g",
                     estimate->pi95_low, estimate->pi95_high);
            text_table_cell(table, range);
        }
    return table;
}

struct text_table *report_assumptions(const struct experiment *experiment)
{
    static const char *const order[] = {"assumed", "calibrated"};
    size_t count;
    const struct assumption *list = experiment_assumptions(experiment, &count);
    struct text_table *table = text_table_create();
    if (table == NULL || count == 0)
        return table;
    heading(table, "status", false);
    heading(table, "parameter", false);
    heading(table, "value", false);
    heading(table, "source, or why", false);
    for (size_t status = 0; status < sizeof order / sizeof order[0]; status++)
        for (size_t i = 0; i < count; i++)
            if (starts_with(list[i].status, order[status])) {
                text_table_cell(table, list[i].status);
                text_table_cell(table, list[i].parameter);
                text_table_cell(table, list[i].value);
                text_table_cell(table, list[i].source);
            }
    return table;
}
