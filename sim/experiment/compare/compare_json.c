/* A comparison for programs: one JSON document, or CSV of a row a pair of cells and metric.
 *
 * JSON: {"a": {"origin", "experiment", "seed", "version", "commit", "replications"}, "b": {...}, "paired",
 * "confidence", "comparisons", "pairs": [{"a": {KEY: VALUE}, "b": {KEY: VALUE}, "metrics": {NAME: {"unit", "a",
 * "b", "a_count", "b_count", "difference", "ci": [lo, hi], "relative", "p", "p_adjusted", "smallest", "verdict",
 * "words", "needed", "saving", "independent_reach"}}}], "only_a": [...], "only_b": [...], "metrics_only_a": [...], "metrics_only_b":
 * [...]}. Keys are only ever added; what does not exist is null.
 */
#include "sim/experiment/compare/compare.h"

#include <inttypes.h>
#include <math.h>

static void print_side(const char *name, const struct sample *sample, struct writer *writer)
{
    write_text(writer, "  \"%s\": {\"origin\": ", name);
    write_json_text(writer, sample->origin);
    write_text(writer, ", \"experiment\": ");
    write_json_text(writer, sample->experiment);
    write_text(writer, ", \"seed\": %" PRId64 ", \"version\": ", sample->seed);
    write_json_text(writer, sample->version);
    write_text(writer, ", \"commit\": ");
    write_json_text(writer, sample->commit);
    write_text(writer, ", \"replications\": %zu},\n", sample->replications);
}

static void print_cell(const char *name, const struct sample_cell *cell, struct writer *writer)
{
    write_text(writer, "\"%s\": {", name);
    for (size_t i = 0; i < cell->assignment_count; i++) {
        write_text(writer, i == 0 ? "" : ", ");
        write_json_text(writer, cell->assignments[i].key);
        write_text(writer, ": ");
        write_json_text(writer, cell->assignments[i].value);
    }
    write_text(writer, "}, ");
}

static void print_number(const char *name, double value, struct writer *writer)
{
    write_text(writer, ", \"%s\": ", name);
    write_json_number(writer, value);
}

static void print_row(const struct compare *compare, const struct compare_row *row, struct writer *writer)
{
    const struct difference *difference = &row->difference;
    const struct sample_metric *metric = &compare->a->metrics[row->a_metric];
    write_json_text(writer, metric->name);
    write_text(writer, ": {\"unit\": ");
    write_json_text(writer, metric->unit);
    print_number("a", difference->a, writer);
    print_number("b", difference->b, writer);
    write_text(writer, ", \"a_count\": %zu, \"b_count\": %zu", difference->a_count, difference->b_count);
    print_number("difference", difference->value, writer);
    if (isnan(difference->low)) {
        write_text(writer, ", \"ci\": null");
    } else {
        write_text(writer, ", \"ci\": [");
        write_json_number(writer, difference->low);
        write_text(writer, ", ");
        write_json_number(writer, difference->high);
        write_text(writer, "]");
    }
    print_number("relative", difference_relative(difference), writer);
    print_number("p", difference->p, writer);
    print_number("p_adjusted", row->p_adjusted, writer);
    print_number("smallest", row->smallest, writer);
    write_text(writer, ", \"verdict\": \"%s\", \"words\": ", difference_verdict_name(row->verdict));
    write_json_text(writer, row->words);
    print_number("needed", row->needed > 0 ? (double)row->needed : NAN, writer);
    print_number("saving", difference->saving, writer);
    print_number("independent_reach", difference->independent_reach, writer);
    if (row->a_is_bound)
        write_text(writer, ", \"a_is_lower_bound\": true");
    if (row->b_is_bound)
        write_text(writer, ", \"b_is_lower_bound\": true");
    write_text(writer, "}");
}

static void print_names(const char *name, const char *const *names, size_t count, struct writer *writer)
{
    write_text(writer, ",\n  \"%s\": [", name);
    for (size_t i = 0; i < count; i++) {
        write_text(writer, i == 0 ? "" : ", ");
        write_json_text(writer, names[i]);
    }
    write_text(writer, "]");
}

void compare_print_json(const struct compare *compare, struct writer *writer)
{
    write_text(writer, "{\n");
    print_side("a", compare->a, writer);
    print_side("b", compare->b, writer);
    write_text(writer, "  \"paired\": %s, \"confidence\": ", compare->paired ? "true" : "false");
    write_json_number(writer, compare->confidence);
    write_text(writer, ", \"comparisons\": %zu,\n  \"pairs\": [", compare->tested);
    for (size_t pair = 0, row = 0; pair < compare->pair_count; pair++) {
        write_text(writer, "%s\n    {", pair == 0 ? "" : ",");
        print_cell("a", &compare->a->cells[compare->pairs[pair].a_cell], writer);
        print_cell("b", &compare->b->cells[compare->pairs[pair].b_cell], writer);
        write_text(writer, "\"metrics\": {");
        for (bool first = true; row < compare->row_count && compare->rows[row].pair == pair;
             row++, first = false) {
            write_text(writer, first ? "\n      " : ",\n      ");
            print_row(compare, &compare->rows[row], writer);
        }
        write_text(writer, "}}");
    }
    write_text(writer, "]");
    print_names("only_a", compare->a_alone, compare->a_alone_count, writer);
    print_names("only_b", compare->b_alone, compare->b_alone_count, writer);
    print_names("metrics_only_a", compare->a_metrics, compare->a_metric_count, writer);
    print_names("metrics_only_b", compare->b_metrics, compare->b_metric_count, writer);
    write_text(writer, "\n}\n");
}

void compare_print_csv(const struct compare *compare, struct writer *writer)
{
    write_text(
        writer,
        "cell,metric,unit,a,b,a_count,b_count,difference,ci_low,ci_high,relative,p,p_adjusted,smallest,"
        "verdict,words\n");
    for (size_t i = 0; i < compare->row_count; i++) {
        const struct compare_row *row = &compare->rows[i];
        const struct difference *it = &row->difference;
        write_csv_text(writer, compare->pairs[row->pair].label);
        write_text(writer, ",");
        write_csv_text(writer, compare->a->metrics[row->a_metric].name);
        write_text(writer, ",");
        write_csv_text(writer, compare->a->metrics[row->a_metric].unit);
        const double values[] = {it->a,
                                 it->b,
                                 (double)it->a_count,
                                 (double)it->b_count,
                                 it->value,
                                 it->low,
                                 it->high,
                                 difference_relative(it),
                                 it->p,
                                 row->p_adjusted,
                                 row->smallest};
        for (size_t k = 0; k < sizeof values / sizeof values[0]; k++) {
            write_text(writer, ",");
            write_csv_number(writer, values[k]);
        }
        write_text(writer, ",%s,", difference_verdict_name(row->verdict));
        write_csv_text(writer, row->words);
        write_text(writer, "\n");
    }
}
