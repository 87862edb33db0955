/* A comparison for people: a row a metric with its verdict, and then how it was come by. */
#include "sim/experiment/compare/compare.h"
#include "sim/experiment/result/label.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { TEXT_SIZE = 2 * LABEL_SIZE + 16, NAMES_SHOWN = 6 };

static void side_line(const char *name, const struct sample *sample, const char *choice,
                      struct writer *writer, const struct text_style *style)
{
    write_text(writer, "%s: ", name);
    write_user_text(writer, sample->origin, style);
    write_user_text(writer, choice, style);
    write_text(writer, " (");
    write_user_text(writer, sample->experiment, style);
    write_text(writer, ", seed %" PRId64 ", %zu replication%s, vdisim ", sample->seed, sample->replications,
               sample->replications == 1 ? "" : "s");
    write_user_text(writer, sample->version, style);
    write_text(writer, "%s", sample->commit[0] != '\0' ? " " : "");
    write_user_text(writer, sample->commit, style);
    write_text(writer, ")%s\n", sample->is_unfinished ? ", interrupted" : "");
}

/* Decimals that show a difference of the size of the interval's reach, or of the difference itself. */
static int decimals_of(const struct compare_row *row)
{
    const struct difference *it = &row->difference;
    double reach = isnan(it->low) ? 0 : (it->high - it->low) / 2;
    double precision = fmax(fabs(it->value), reach);
    double size = fmin(fabs(it->a), fabs(it->b));
    int decimals = difference_decimals(precision);
    int suited =
        size > 0 || precision > 0 ? decimals_for(size > 0 ? size : fmax(fabs(it->a), fabs(it->b))) : 0;
    return decimals > suited ? decimals : suited;
}

static void mean_cell(struct text_table *table, double mean, bool is_bound, int decimals)
{
    char number[LABEL_SIZE], text[TEXT_SIZE];
    number_label(number, mean, mean == 0 ? 0 : decimals);
    snprintf(text, sizeof text, "%s%s", is_bound && !isnan(mean) ? ">" : "", number);
    text_table_cell(table, text);
}

static void interval_cell(struct text_table *table, const struct difference *difference, int decimals)
{
    char low[LABEL_SIZE], high[LABEL_SIZE], text[TEXT_SIZE];
    number_label(low, difference->low, decimals);
    number_label(high, difference->high, decimals);
    bool is_known = !isnan(difference->low) && !difference->same;
    snprintf(text, sizeof text, is_known ? "[%s, %s]" : "-", low, high);
    text_table_cell(table, text);
}

static void share_cell(struct text_table *table, double relative)
{
    char number[LABEL_SIZE], text[TEXT_SIZE];
    double percent = 100 * relative;
    number_label(number, percent, fabs(percent) >= 9.95 || percent == 0 ? 0 : fabs(percent) >= 0.95 ? 1 : 2);
    snprintf(text, sizeof text, "%s%s", percent > 0 ? "+" : "", number);
    text_table_cell(table, text);
}

static void p_cell(struct text_table *table, double p)
{
    char text[TEXT_SIZE];
    snprintf(text, sizeof text, isnan(p) ? "-" : p < 0.0005 ? "<0.001" : "%.3f", p);
    text_table_cell(table, text);
}

static void add_row(const struct compare *compare, const struct compare_row *row, struct text_table *table)
{
    const struct sample_metric *metric = &compare->a->metrics[row->a_metric];
    bool judged = row->verdict != DIFFERENCE_NOT_JUDGED;
    int decimals = decimals_of(row);
    struct difference nothing = {.low = NAN, .high = NAN};
    char name[TEXT_SIZE];
    snprintf(name, sizeof name, "%.200s%s%.24s", metric->name, metric->unit[0] != '\0' ? ", " : "",
             metric->unit);
    if (compare->pair_count > 1)
        text_table_cell(table, compare->pairs[row->pair].label);
    text_table_cell(table, name);
    mean_cell(table, row->difference.a, row->a_is_bound, decimals);
    mean_cell(table, row->difference.b, row->b_is_bound, decimals);
    mean_cell(table, judged ? row->difference.value : NAN, false, decimals);
    interval_cell(table, judged ? &row->difference : &nothing, decimals);
    share_cell(table, judged ? difference_relative(&row->difference) : NAN);
    p_cell(table, row->p_adjusted);
    text_table_cell(table, row->words);
}

static bool rows_print(const struct compare *compare, struct writer *writer, const struct text_style *style)
{
    char interval[TEXT_SIZE], percent[NUMBER_SIZE];
    struct text_table *table = text_table_create();
    if (table == NULL)
        return false;
    snprintf(percent, sizeof percent, "%g %%", 100 * compare->confidence);
    snprintf(interval, sizeof interval, "%s CI", percent);
    if (compare->pair_count > 1)
        text_table_column(table, (const char *[]){"", "", "cell"}, false);
    text_table_column(table, (const char *[]){"", "", "metric"}, false);
    text_table_column(table, (const char *[]){"", "mean", "A"}, true);
    text_table_column(table, (const char *[]){"", "mean", "B"}, true);
    text_table_column(table, (const char *[]){"", "difference", "B - A"}, true);
    text_table_column(table, (const char *[]){"", "difference", interval}, true);
    text_table_column(table, (const char *[]){"", "difference", "%"}, true);
    text_table_column(table, (const char *[]){"", "p", "(Holm)"}, true);
    text_table_column(table, (const char *[]){"", "", "verdict"}, false);
    for (size_t i = 0; i < compare->row_count; i++)
        add_row(compare, &compare->rows[i], table);
    bool complete = text_table_print(table, writer, style);
    text_table_destroy(table);
    return complete;
}

static void pairing_line(const struct compare *compare, struct writer *writer, const struct text_style *style)
{
    const struct sample *a = compare->a, *b = compare->b;
    if (compare->paired) {
        write_text(writer,
                   "Runs are paired by replication: both drew the same random numbers (seed %" PRId64 ").\n",
                   a->seed);
        return;
    }
    if (a->seed != b->seed)
        write_text(
            writer,
            "Different seeds (%" PRId64 " and %" PRId64
            "), so the runs are not paired but taken as independent (Welch); with one\nseed for both the "
            "intervals would most likely be narrower.\n",
            a->seed, b->seed);
    else {
        write_text(writer, "Different random generators (");
        write_user_text(writer, a->generator, style);
        write_text(writer, " and ");
        write_user_text(writer, b->generator, style);
        write_text(writer, "), so the runs are not paired but taken as independent (Welch).\n");
    }
}

/* "Pairing saved 124 times the replications: profile_load.mean would need 620 independent ones for the interval of these
 * 5." Where every pair differs by the same there is no number of them. */
static void saving_line(const struct compare *compare, const struct compare_row *row, struct writer *writer,
                        const struct text_style *style)
{
    char times[LABEL_SIZE], runs[LABEL_SIZE], reach[LABEL_SIZE];
    const struct difference *it = &row->difference;
    const struct sample_metric *metric = &compare->a->metrics[row->a_metric];
    number_label(times, it->saving, it->saving < 9.95 ? 1 : 0);
    number_label(runs, ceil(it->saving * (double)it->a_count), 0);
    number_label(reach, it->independent_reach, difference_decimals(it->independent_reach));
    write_text(writer, isinf(it->saving) ? "Pairing: " : "Pairing saved %s times the replications: ", times);
    write_user_text(writer, metric->name, style);
    if (compare->pair_count > 1) {
        write_text(writer, " of ");
        write_user_text(writer, compare->pairs[row->pair].label, style);
    }
    if (isinf(it->saving))
        write_text(writer, " differs by the same in every pair; %zu independent runs would leave +-%s %s.\n",
                   it->a_count, reach, metric->unit);
    else
        write_text(writer, " would need %s independent ones for the interval of these %zu.\n", runs,
                   it->a_count);
}

static void saving_lines(const struct compare *compare, struct writer *writer, const struct text_style *style)
{
    for (size_t i = 0; i < compare->row_count; i++) {
        const struct compare_row *row = &compare->rows[i];
        if (is_headline(compare->a->metrics[row->a_metric].name) && !isnan(row->difference.saving) &&
            row->verdict != DIFFERENCE_NOT_JUDGED && row->difference.a_count >= 3)
            saving_line(compare, row, writer, style);
    }
}

static void names_line(const char *before, const char *const *names, size_t count, struct writer *writer,
                       const struct text_style *style)
{
    if (count == 0)
        return;
    write_text(writer, "%s", before);
    for (size_t i = 0; i < count && i < NAMES_SHOWN; i++) {
        write_text(writer, i == 0 ? " " : "; ");
        write_user_text(writer, names[i], style);
    }
    if (count > NAMES_SHOWN)
        write_text(writer, " and %zu more", count - NAMES_SHOWN);
    write_text(writer, ".\n");
}

/* The largest number of pairs below the replications of either, where units are missing. */
static void counts_line(const struct compare *compare, struct writer *writer)
{
    size_t a = compare->a->replications, b = compare->b->replications;
    if (compare->paired && a != b)
        write_text(writer, "A has %zu replications and B %zu; compared are the first %zu.\n", a, b,
                   a < b ? a : b);
}

bool compare_print(const struct compare *compare, struct writer *writer, const struct text_style *style)
{
    side_line("A", compare->a, compare->a_choice, writer, style);
    side_line("B", compare->b, compare->b_choice, writer, style);
    write_text(writer, "\n");
    if (!rows_print(compare, writer, style))
        return false;
    write_text(writer, "\n");
    pairing_line(compare, writer, style);
    counts_line(compare, writer);
    saving_lines(compare, writer, style);
    write_text(writer,
               "Each interval is that of its difference alone; p is adjusted for the %zu comparison%s made "
               "here (Holm).\n",
               compare->tested, compare->tested == 1 ? "" : "s");
    if (strcmp(compare->a->version, compare->b->version) != 0 ||
        strcmp(compare->a->commit, compare->b->commit) != 0)
        write_text(writer, "A and B were run by different versions of the program.\n");
    names_line("Only in A, not compared:", compare->a_alone, compare->a_alone_count, writer, style);
    names_line("Only in B, not compared:", compare->b_alone, compare->b_alone_count, writer, style);
    names_line("Metrics that only A has:", compare->a_metrics, compare->a_metric_count, writer, style);
    names_line("Metrics that only B has:", compare->b_metrics, compare->b_metric_count, writer, style);
    return true;
}
