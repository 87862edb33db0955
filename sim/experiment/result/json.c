#include "sim/experiment/result/json.h"

#include "sim/experiment/read/stated_prices.h"
#include "sim/experiment/result/unfinished.h"
#include "sim/experiment/run/plan_text.h"
#include "vdisim/interval.h"
#include "vdisim/price.h"
#include "vdisim/version.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

enum { MEDIAN_LEAST = 6 };

const char *expectation_rule_name(enum expectation_rule rule)
{
    static const char *const names[] = {"one-run", "tolerance", "between"};
    return names[rule];
}

static void print_interval(struct writer *writer, const char *name, double low, double high)
{
    write_text(writer, ", \"%s\": ", name);
    if (!isfinite(low) || !isfinite(high)) {
        write_text(writer, "null");
        return;
    }
    write_text(writer, "[");
    write_json_number(writer, low);
    write_text(writer, ", ");
    write_json_number(writer, high);
    write_text(writer, "]");
}

static void print_assignments(const struct cell *cell, struct writer *writer)
{
    write_text(writer, "{");
    for (size_t i = 0; i < cell->assignment_count; i++) {
        write_text(writer, i == 0 ? "" : ", ");
        write_json_text(writer, cell->assignments[i].key);
        write_text(writer, ": ");
        write_json_text(writer, cell->assignments[i].value);
    }
    write_text(writer, "}");
}

/* What a cell's replications, or the batches of its run, have of a metric. `values` has room for all. */
static size_t values_of(const struct result *result, size_t cell, size_t metric, double *values)
{
    size_t count = 0;
    for (size_t i = 0; i < result->plans[cell].wanted; i++) {
        const struct unit_result *unit = &result->units[cell * result->replications + i];
        const double *rows = unit->part_count > 0 ? unit->parts : unit->metrics;
        for (size_t row = 0; unit->done && row < (unit->part_count > 0 ? unit->part_count : 1); row++)
            if (!isnan(rows[row * result->metric_count + metric]))
                values[count++] = rows[row * result->metric_count + metric];
    }
    return count;
}

/* By order statistics, for any law of the values: from MEDIAN_LEAST values on, with fewer no two of them enclose the
 * median with 95 %. */
static void print_median(const struct result *result, size_t cell, size_t metric, struct writer *writer)
{
    size_t room = 0;
    for (size_t i = 0; i < result->plans[cell].wanted; i++) {
        size_t parts = result->units[cell * result->replications + i].part_count;
        room += parts > 0 ? parts : 1;
    }
    double *values = malloc((room + 1) * sizeof *values);
    size_t count = values == NULL ? 0 : values_of(result, cell, metric, values);
    if (count >= MEDIAN_LEAST) {
        struct sim_interval median = sim_interval_quantile(values, count, 0.5, 0.95);
        write_text(writer, ", \"median\": ");
        write_json_number(writer, median.estimate);
        print_interval(writer, "median_ci95", median.low, median.high);
    }
    free(values);
}

static void print_metrics(const struct result *result, size_t cell, struct writer *writer)
{
    write_text(writer, "{");
    for (size_t metric = 0; metric < result->metric_count; metric++) {
        const struct estimate *estimate = result_estimate(result, cell, metric);
        write_text(writer, metric == 0 ? "\n        " : ",\n        ");
        write_json_text(writer, result->metrics[metric].name);
        write_text(writer, ": {\"unit\": ");
        write_json_text(writer, result->metrics[metric].unit);
        write_text(writer, ", \"mean\": ");
        write_json_number(writer, estimate->mean);
        print_interval(writer, "ci95", estimate->ci95_low, estimate->ci95_high);
        print_interval(writer, "pi95", estimate->pi95_low, estimate->pi95_high);
        print_median(result, cell, metric, writer);
        if (metric_is_of_the_fastest(result, cell, result->metrics[metric].name))
            write_text(writer, ", \"lower_bound\": true");
        write_text(writer, "}");
    }
    write_text(writer, "}");
}

static void print_expectations(const struct result *result, size_t index, struct writer *writer)
{
    const struct cell *cell = experiment_cell(result->experiment, index);
    write_text(writer, "[");
    for (size_t i = 0; i < cell->expectation_count; i++) {
        const struct expectation *expectation = &cell->expectations[i];
        double predicted;
        enum verdict verdict = result_verdict(result, index, expectation, &predicted);
        write_text(writer, i == 0 ? "\n        " : ",\n        ");
        write_text(writer, "{\"metric\": ");
        write_json_text(writer, expectation->metric);
        if (expectation->over != NULL) {
            write_text(writer, ", \"over\": ");
            write_json_text(writer, expectation->over);
        }
        write_text(writer, ", \"published\": ");
        write_json_number(writer, expectation->published);
        write_text(writer, ", \"predicted\": ");
        write_json_number(writer, predicted);
        write_text(writer, ", \"verdict\": \"%s\", \"rule\": \"%s\"", verdict_name(verdict),
                   expectation_rule_name(expectation->rule));
        if (expectation->rule == EXPECT_TOLERANCE) {
            write_text(writer, ", \"tolerance\": ");
            write_json_number(writer, expectation->tolerance);
        }
        if (expectation->rule == EXPECT_BETWEEN) {
            write_text(writer, ", \"low\": ");
            write_json_number(writer, expectation->low);
            write_text(writer, ", \"high\": ");
            write_json_number(writer, expectation->high);
        }
        write_text(writer, ", \"source\": ");
        write_json_text(writer, expectation->source == NULL ? "" : expectation->source);
        write_text(writer, "}");
    }
    write_text(writer, "]");
}

/* What each store of a cell is priced by; nothing where none has a price. */
static void print_prices(const struct cell *cell, struct writer *writer)
{
    size_t printed = 0;
    for (size_t i = 0; i < cell->scenario->store_count; i++) {
        const struct store_part *store = &cell->scenario->stores[i];
        const struct price *price = store_part_price(store);
        if (price == NULL)
            continue;
        write_text(writer, printed++ == 0 ? ",\n      \"prices\": [{\"store\": " : ", {\"store\": ");
        write_json_text(writer, store->name);
        const char *const texts[] = {price->currency, price->date, price->region};
        static const char *const keys[] = {"currency", "date", "region"};
        for (size_t key = 0; key < 3; key++) {
            write_text(writer, ", \"%s\": ", keys[key]);
            if (texts[key] != NULL)
                write_json_text(writer, texts[key]);
            else
                write_text(writer, "null");
        }
        write_text(writer, "}");
    }
    write_text(writer, printed > 0 ? "]" : "");
}

static void print_plan(const struct cell_plan *plan, struct writer *writer)
{
    write_text(writer, "\"plan\": {\"fate\": \"%s\", \"replications\": %zu, \"half_width\": ",
               cell_fate_name(plan->fate), plan->wanted);
    write_json_number(writer, plan->half_width);
    write_text(writer, "}");
}

void result_print_json(const struct result *result, struct writer *writer)
{
    write_text(writer, "{\"experiment\": ");
    write_json_text(writer, experiment_name(result->experiment));
    write_text(
        writer, ", \"version\": \"%s\", \"seed\": %" PRId64 ", \"interrupted\": %s,\n  \"precision\": ",
        VDISIM_VERSION, experiment_run(result->experiment)->seed, result->interrupted ? "true" : "false");
    write_json_precision(writer, result->selection == NULL ? experiment_precision(result->experiment) : NULL);
    write_text(writer, ", \"selection\": ");
    write_json_selection(writer, result->selection);
    write_text(writer, ",\n  \"cells\": [");
    for (size_t cell = 0; cell < result->cell_count; cell++) {
        write_text(writer, "%s\n    {\"cell\": ", cell == 0 ? "" : ",");
        print_assignments(experiment_cell(result->experiment, cell), writer);
        write_text(writer, ", \"replications\": %zu,\n      ", result_cell_done(result, cell));
        print_plan(&result->plans[cell], writer);
        write_text(writer, ",\n      \"metrics\": ");
        print_metrics(result, cell, writer);
        write_text(writer, ",\n      \"expect\": ");
        print_expectations(result, cell, writer);
        print_prices(experiment_cell(result->experiment, cell), writer);
        write_text(writer, "}");
    }
    write_text(writer, "],\n  \"warnings\": [");
    for (size_t i = 0; i < result->warning_count; i++) {
        write_text(writer, i == 0 ? "" : ", ");
        write_json_text(writer, result->warnings[i]);
    }
    write_text(writer, "]}\n");
}

void result_print_csv(const struct result *result, struct writer *writer)
{
    const struct experiment *experiment = result->experiment;
    const struct cell *first = experiment_cell(experiment, 0);
    write_text(writer, "cell,");
    for (size_t key = 0; key < first->assignment_count; key++) {
        write_csv_text(writer, first->assignments[key].key);
        write_text(writer, ",");
    }
    write_text(writer, "replications,metric,unit,mean,ci95_low,ci95_high,pi95_low,pi95_high\n");
    for (size_t cell = 0; cell < result->cell_count; cell++)
        for (size_t metric = 0; metric < result->metric_count; metric++) {
            const struct estimate *estimate = result_estimate(result, cell, metric);
            const struct cell *it = experiment_cell(experiment, cell);
            write_text(writer, "%zu,", cell + 1);
            for (size_t key = 0; key < it->assignment_count; key++) {
                write_csv_text(writer, it->assignments[key].value);
                write_text(writer, ",");
            }
            write_text(writer, "%zu,", result_cell_done(result, cell));
            write_csv_text(writer, result->metrics[metric].name);
            write_text(writer, ",");
            write_csv_text(writer, result->metrics[metric].unit);
            const double values[] = {estimate->mean, estimate->ci95_low, estimate->ci95_high,
                                     estimate->pi95_low, estimate->pi95_high};
            for (size_t i = 0; i < sizeof values / sizeof values[0]; i++) {
                write_text(writer, ",");
                write_csv_number(writer, values[i]);
            }
            write_text(writer, "\n");
        }
}
