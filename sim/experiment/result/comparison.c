#include "sim/experiment/result/comparison.h"

#include "sim/experiment/result/label.h"
#include "sim/experiment/result/unfinished.h"

#include <math.h>
#include <string.h>

enum { GROUPS_MOST = 6 };

/* More than this between cells that differ in one key alone, and the key matters. */
static const double does_not_matter = 0.05;

/* The cells that share one value of a key. */
struct group {
    const char *value;
    double sum, least, most;
    size_t count;
    bool is_bound; /* of the fastest logons alone */
};

static const char *value_of(const struct result *result, size_t cell, size_t key)
{
    return experiment_cell(result->experiment, cell)->assignments[key].value;
}

static void take_cell(struct group *group, const struct result *result, size_t cell, size_t metric)
{
    double mean = result_estimate(result, cell, metric)->mean;
    group->sum += mean;
    group->least = fmin(group->least, mean);
    group->most = fmax(group->most, mean);
    group->count++;
    group->is_bound = group->is_bound || metric_is_of_the_fastest(result, cell, result->metrics[metric].name);
}

/* Groups the cells by a key; 0 when there are more than GROUPS_MOST. */
static size_t group_cells(const struct result *result, size_t key, size_t metric,
                          struct group groups[GROUPS_MOST])
{
    size_t count = 0;
    for (size_t cell = 0; cell < result->cell_count; cell++) {
        const char *value = value_of(result, cell, key);
        size_t at = 0;
        while (at < count && strcmp(groups[at].value, value) != 0)
            at++;
        if (at == GROUPS_MOST)
            return 0;
        if (at == count)
            groups[count++] = (struct group){.value = value, .least = INFINITY, .most = -INFINITY};
        take_cell(&groups[at], result, cell, metric);
    }
    return count;
}

static bool is_uniform(const struct group *group)
{
    return group->most - group->least <= does_not_matter * fabs(group->least);
}

/* The key to compare by and the groups it makes; 0 when no key tells the cells apart as it must. */
static size_t choose_key(const struct result *result, size_t metric, struct group groups[GROUPS_MOST],
                         size_t *chosen)
{
    size_t keys = experiment_cell(result->experiment, 0)->assignment_count, varying = 0;
    for (size_t key = 0; key < keys; key++)
        varying += key_varies(result->experiment, key);
    for (size_t key = 0; key < keys && varying <= 2; key++) {
        if (!key_varies(result->experiment, key))
            continue;
        size_t count = group_cells(result, key, metric, groups);
        bool tells = count >= 2;
        for (size_t i = 0; i < count; i++) /* two keys that change together cannot be told apart */
            tells = tells && is_uniform(&groups[i]) && (varying == 1 || groups[i].count >= 2);
        *chosen = key;
        if (tells)
            return count;
    }
    return 0;
}

static bool is_time(const struct result *result, size_t metric)
{
    const char *unit = result->metrics[metric].unit;
    return strcmp(unit, "s") == 0 || strcmp(unit, "ms") == 0;
}

static void write_value(const struct result *result, size_t metric, double value, bool is_bound,
                        struct writer *writer)
{
    char number[LABEL_SIZE];
    number_label(number, value, decimals_for(fabs(value)));
    write_text(writer, "%s%s %s", is_bound ? "more than " : "", number, result->metrics[metric].unit);
}

static void write_ratio(const struct result *result, size_t metric, double ratio, bool is_bound,
                        struct writer *writer)
{
    write_text(writer, " (%s%.*f times as %s)", is_bound ? "more than " : "", ratio < 1 ? 2 : 1, ratio,
               is_time(result, metric) ? "long" : "much");
}

static void write_workload(const char *metric, struct writer *writer, const struct text_style *style)
{
    char workload[LABEL_SIZE];
    size_t prefix = workload_prefix(metric);
    snprintf(workload, sizeof workload, "%.*s: ", prefix > 0 ? (int)prefix - 1 : 0, metric);
    if (prefix > 0)
        write_user_text(writer, workload, style);
}

static void print_groups(const struct result *result, size_t metric, size_t key, const struct group *groups,
                         size_t count, struct writer *writer, const struct text_style *style)
{
    double reference = groups[0].sum / (double)groups[0].count;
    write_workload(result->metrics[metric].name, writer, style);
    write_user_text(writer, experiment_cell(result->experiment, 0)->assignments[key].label, style);
    write_text(writer, ":");
    for (size_t i = 0; i < count; i++) {
        char label[LABEL_SIZE];
        double mean = groups[i].sum / (double)groups[i].count;
        value_label(label, groups[i].value);
        write_text(writer, i == 0 ? " " : ", ");
        write_user_text(writer, label, style);
        write_text(writer, " ");
        write_value(result, metric, mean, groups[i].is_bound, writer);
        if (i > 0 && reference > 0 && mean > 0 && !groups[0].is_bound)
            write_ratio(result, metric, mean / reference, groups[i].is_bound, writer);
    }
    write_text(writer, ".\n");
}

/* The cells with the least and the most; a value that is a bound is never the least. False without a least. */
static bool find_extremes(const struct result *result, size_t metric, size_t cells[2])
{
    bool found = false;
    cells[1] = 0;
    for (size_t cell = 0; cell < result->cell_count; cell++) {
        double mean = result_estimate(result, cell, metric)->mean;
        bool is_bound = metric_is_of_the_fastest(result, cell, result->metrics[metric].name);
        if (!is_bound && (!found || mean < result_estimate(result, cells[0], metric)->mean)) {
            cells[0] = cell;
            found = true;
        }
        if (mean > result_estimate(result, cells[1], metric)->mean)
            cells[1] = cell;
    }
    return found && cells[0] != cells[1];
}

/* "Shortest profile load: premium, 100 GiB, 6.7 s; longest: hot, 1 TiB, 20.1 s (3.0 times as long)." */
static void print_extremes(const struct result *result, size_t metric, struct writer *writer,
                           const struct text_style *style)
{
    const char *name = result->metrics[metric].name;
    size_t cells[2];
    if (!find_extremes(result, metric, cells))
        return;
    double least = result_estimate(result, cells[0], metric)->mean;
    double most = result_estimate(result, cells[1], metric)->mean;
    bool most_is_bound = metric_is_of_the_fastest(result, cells[1], name);
    write_workload(name, writer, style);
    for (size_t i = 0; i < 2; i++) {
        char label[LABEL_SIZE];
        cell_label(label, result->experiment, cells[i]);
        if (i == 0)
            write_text(writer, "%s %s: ", is_time(result, metric) ? "Shortest" : "Least",
                       headline_title(name));
        else
            write_text(writer, "; %s: ", is_time(result, metric) ? "longest" : "most");
        write_user_text(writer, label, style);
        write_text(writer, ", ");
        write_value(result, metric, i == 0 ? least : most, i == 1 && most_is_bound, writer);
    }
    if (least > 0)
        write_ratio(result, metric, most / least, most_is_bound, writer);
    write_text(writer, ".\n");
}

void comparison_print(const struct result *result, size_t metric, struct writer *writer,
                      const struct text_style *style)
{
    for (size_t cell = 0; cell < result->cell_count; cell++)
        if (isnan(result_estimate(result, cell, metric)->mean))
            return;
    if (result->cell_count < 2)
        return;
    struct group groups[GROUPS_MOST];
    size_t key = 0, count = choose_key(result, metric, groups, &key);
    if (count > 0)
        print_groups(result, metric, key, groups, count, writer, style);
    else
        print_extremes(result, metric, writer, style);
}
