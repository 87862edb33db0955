#include "sim/experiment/run/plan_text.h"

#include "sim/experiment/result/label.h"

#include <math.h>
#include <string.h>

enum { CELLS_SHOWN = 5 };

const char *cell_fate_name(enum cell_fate fate)
{
    static const char *const names[] = {"fixed",       "reached", "not reached", "no value",
                                        "lower bound", "best",    "not best",    "undecided"};
    return names[fate];
}

static void print_member(struct writer *writer, const char *name, double value)
{
    write_text(writer, ", \"%s\": ", name);
    write_json_number(writer, value);
}

void write_json_precision(struct writer *writer, const struct precision_target *precision)
{
    if (precision == NULL) {
        write_text(writer, "null");
        return;
    }
    write_text(writer, "{\"metric\": ");
    write_json_text(writer, precision->metric);
    print_member(writer, "half_width", precision->half_width);
    write_text(writer, ", \"relative\": %s", precision->is_relative ? "true" : "false");
    print_member(writer, "confidence", precision->confidence);
    write_text(writer, ", \"at_least\": %zu, \"at_most\": %zu}", precision->at_least, precision->at_most);
}

void write_json_selection(struct writer *writer, const struct selection_request *selection)
{
    if (selection == NULL) {
        write_text(writer, "null");
        return;
    }
    write_text(writer, "{\"metric\": ");
    write_json_text(writer, selection->metric);
    print_member(writer, "indifference", selection->indifference);
    print_member(writer, "confidence", selection->confidence);
    write_text(writer, ", \"at_most\": %zu}", selection->at_most);
}

void replications_by_cell(const struct result *result, size_t *least, size_t *most)
{
    *least = *most = result->cell_count > 0 ? result->plans[0].wanted : 0;
    for (size_t cell = 1; cell < result->cell_count; cell++) {
        size_t wanted = result->plans[cell].wanted;
        *least = wanted < *least ? wanted : *least;
        *most = wanted > *most ? wanted : *most;
    }
}

static void print_count(const struct result *result, struct writer *writer)
{
    size_t least, most;
    replications_by_cell(result, &least, &most);
    if (result->cell_count == 1)
        write_text(writer, "Replications: %zu", most);
    else if (least == most)
        write_text(writer, "Replications: %zu in each cell", most);
    else
        write_text(writer, "Replications by cell: %zu to %zu", least, most);
}

static void print_cell(const struct result *result, size_t cell, struct writer *writer,
                       const struct text_style *style)
{
    char label[LABEL_SIZE];
    cell_label(label, result->experiment, cell);
    write_user_text(writer, result->cell_count > 1 ? label : "It", style);
}

/* "7.9 s" of the metric in a cell. */
static void print_value(const struct result *result, size_t cell, const char *metric, struct writer *writer)
{
    ptrdiff_t index = result_metric(result, metric);
    if (index < 0)
        return;
    char number[LABEL_SIZE];
    double mean = result_estimate(result, cell, (size_t)index)->mean;
    number_label(number, mean, mean == 0 ? 0 : decimals_for(fabs(mean)));
    write_text(writer, "%s%s%s", number, result->metrics[index].unit[0] != '\0' ? " " : "",
               result->metrics[index].unit);
}

static const char *unit_of(const struct result *result, const char *metric)
{
    ptrdiff_t index = result_metric(result, metric);
    return index < 0 ? "" : result->metrics[index].unit;
}

/* "2 %", "0.5 s" */
static void print_half_width(const struct result *result, const struct precision_target *precision,
                             double half_width, struct writer *writer)
{
    const char *unit = precision->is_relative ? "%" : unit_of(result, precision->metric);
    write_text(writer, "%.3g%s%s", precision->is_relative ? 100 * half_width : half_width,
               unit[0] != '\0' ? " " : "", unit);
}

static bool is_short_of_target(const struct cell_plan *plan)
{
    return plan->fate == CELL_NOT_REACHED || plan->fate == CELL_NO_VALUE || plan->fate == CELL_LOWER_BOUND;
}

static void print_short_cell(const struct result *result, size_t cell,
                             const struct precision_target *precision, struct writer *writer,
                             const struct text_style *style)
{
    const struct cell_plan *plan = &result->plans[cell];
    write_text(writer, "  ");
    print_cell(result, cell, writer, style);
    if (plan->fate == CELL_NO_VALUE) {
        write_text(writer, " has no value of ");
        write_user_text(writer, precision->metric, style);
        write_text(writer, " in most of the first %zu runs, so it ended there\n", result->pilot);
        return;
    }
    if (plan->fate == CELL_LOWER_BOUND) {
        write_text(writer,
                   " has too many unfinished logons: a lower bound has no precision, so it ended at %zu\n",
                   plan->wanted);
        return;
    }
    write_text(writer, " ended at %zu replications within ", plan->wanted);
    print_half_width(result, precision, plan->half_width, writer);
    write_text(writer, ": the target was not reached\n");
}

static void print_precision(const struct result *result, const struct precision_target *precision,
                            struct writer *writer, const struct text_style *style)
{
    print_count(result, writer);
    write_text(writer, ", until the %.3g %% interval of ", 100 * precision->confidence);
    write_user_text(writer, precision->metric, style);
    write_text(writer, " is within ");
    print_half_width(result, precision, precision->half_width, writer);
    write_text(writer, "%s; at most %zu.\n", precision->is_relative ? " of the mean" : " of its middle",
               precision->at_most);
    size_t shown = 0;
    for (size_t cell = 0; cell < result->cell_count; cell++)
        if (is_short_of_target(&result->plans[cell]) && shown++ < CELLS_SHOWN)
            print_short_cell(result, cell, precision, writer, style);
    if (shown > CELLS_SHOWN)
        write_text(writer, "  and %zu more\n", shown - CELLS_SHOWN);
}

static size_t cells_of_fate(const struct result *result, enum cell_fate fate)
{
    size_t count = 0;
    for (size_t cell = 0; cell < result->cell_count; cell++)
        count += result->plans[cell].fate == fate;
    return count;
}

/* "10 TiB (profile_load.p95 7.9 s)" for each cell of that fate. */
static void print_cells_of_fate(const struct result *result, enum cell_fate fate, struct writer *writer,
                                const struct text_style *style)
{
    size_t shown = 0;
    for (size_t cell = 0; cell < result->cell_count; cell++) {
        if (result->plans[cell].fate != fate || shown++ >= CELLS_SHOWN)
            continue;
        write_text(writer, shown > 1 ? ", " : "");
        print_cell(result, cell, writer, style);
        write_text(writer, " (");
        write_user_text(writer, result->selection->metric, style);
        write_text(writer, " ");
        print_value(result, cell, result->selection->metric, writer);
        write_text(writer, ")");
    }
    if (shown > CELLS_SHOWN)
        write_text(writer, " and %zu more", shown - CELLS_SHOWN);
}

/* Cells that were not compared. */
static void print_left_out(const struct result *result, enum cell_fate fate, const char *why,
                           struct writer *writer, const struct text_style *style)
{
    size_t shown = 0;
    for (size_t cell = 0; cell < result->cell_count; cell++) {
        if (result->plans[cell].fate != fate || shown++ >= CELLS_SHOWN)
            continue;
        if (shown == 1)
            write_text(writer, "  not compared, %s: ", why);
        else
            write_text(writer, ", ");
        print_cell(result, cell, writer, style);
    }
    if (shown > CELLS_SHOWN)
        write_text(writer, " and %zu more", shown - CELLS_SHOWN);
    if (shown > 0)
        write_text(writer, "\n");
}

static void print_selection(const struct result *result, struct writer *writer,
                            const struct text_style *style)
{
    const struct selection_request *selection = result->selection;
    const char *unit = unit_of(result, selection->metric);
    size_t undecided = cells_of_fate(result, CELL_UNDECIDED);
    size_t least, most;
    replications_by_cell(result, &least, &most);
    print_count(result, writer);
    write_text(writer, least < most ? ", fewer where a cell was soon seen not to be the best.\n" : ".\n");
    if (cells_of_fate(result, CELL_BEST) > 0) {
        write_text(writer, "Best: ");
        print_cells_of_fate(result, CELL_BEST, writer, style);
        write_text(writer, ", with %.3g %% confidence unless another is within %.3g%s%s.\n",
                   100 * selection->confidence, selection->indifference, unit[0] != '\0' ? " " : "", unit);
    } else if (undecided > 0) {
        write_text(writer, "The best is one of %zu, which %zu replications could not tell apart: ", undecided,
                   selection->at_most);
        print_cells_of_fate(result, CELL_UNDECIDED, writer, style);
        write_text(writer, ".\n");
    } else if (!result->interrupted) {
        bool has_one = cells_of_fate(result, CELL_PLAIN) > 0;
        write_text(writer, "No best cell: %s has a whole value of ", has_one ? "only one" : "none");
        write_user_text(writer, selection->metric, style);
        write_text(writer, " in its first runs.\n");
    }
    print_left_out(result, CELL_LOWER_BOUND, "too many logons unfinished", writer, style);
    print_left_out(result, CELL_NO_VALUE, "without a value", writer, style);
}

/* Two digits, and all before the point. */
static void short_number(char text[32], double value)
{
    snprintf(text, 32, value >= 9.95 ? "%.0f" : "%.2g", value);
}

/* "4 to 9 min" */
static void print_span(double least_s, double most_s, struct writer *writer)
{
    char from[32], to[32];
    double unit_s = most_s >= 120 ? 60 : 1;
    short_number(from, least_s / unit_s);
    short_number(to, most_s / unit_s);
    if (strcmp(from, to) != 0)
        write_text(writer, "%s to ", from);
    write_text(writer, "%s %s", to, unit_s > 1 ? "min" : "s");
}

static void print_found_warm_up(const struct result *result, struct writer *writer)
{
    ptrdiff_t metric = result_metric(result, "run.warm_up");
    size_t found = 0, done = 0;
    double least = INFINITY, most = 0;
    for (size_t i = 0; metric >= 0 && i < result->cell_count * result->replications; i++) {
        if (!result->units[i].done)
            continue;
        double warm_up = result->units[i].metrics[metric];
        done++;
        if (isnan(warm_up))
            continue;
        found++;
        least = fmin(least, warm_up);
        most = fmax(most, warm_up);
    }
    if (found == 0) {
        write_text(writer, "Warm-up: MSER-5 found no steady state in any run, so nothing was left out.\n");
        return;
    }
    write_text(writer, "Warm-up: found by MSER-5 in each run, ");
    print_span(least, most, writer);
    write_text(writer, ", and left out");
    if (found < done)
        write_text(writer, "; in %zu of %zu runs none was found", done - found, done);
    write_text(writer, ".\n");
}

static void print_method(const struct result *result, struct writer *writer)
{
    const struct run_settings *run = experiment_run(result->experiment);
    if (run->steady_state) {
        print_found_warm_up(result, writer);
    } else if (run->warm_up_ns > 0) {
        write_text(writer, "Warm-up: the first ");
        print_span((double)run->warm_up_ns / 1e9, (double)run->warm_up_ns / 1e9, writer);
        write_text(writer, " of each run are left out.\n");
    }
    if (run->batches > 0)
        write_text(writer,
                   "%lld batches of one run: the intervals do not include what differs between runs.\n",
                   (long long)run->batches);
}

void plan_print(const struct result *result, struct writer *writer, const struct text_style *style)
{
    const struct precision_target *precision = experiment_precision(result->experiment);
    if (result->selection != NULL)
        print_selection(result, writer, style);
    else if (precision != NULL)
        print_precision(result, precision, writer, style);
    print_method(result, writer);
}
