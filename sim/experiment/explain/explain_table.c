/* An explanation for people. */
#include "sim/experiment/explain/explain.h"

#include "sim/experiment/result/label.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

struct page {
    const struct explanation *of;
    const struct explain_cell *cell;
    struct writer *writer;
    const struct text_style *style;
};

static const char *store_name(const struct page *page, size_t store)
{
    return page->of->result->store_names[store];
}

static bool print_and_destroy(const struct page *page, struct text_table *table)
{
    const bool fine = table != NULL && text_table_print(table, page->writer, page->style);
    text_table_destroy(table);
    return fine;
}

static void number_cell(struct text_table *table, double value, int decimals)
{
    char label[LABEL_SIZE];
    number_label(label, value, decimals);
    text_table_cell(table, label);
}

static void column(struct text_table *table, const char *heading, bool to_the_right)
{
    text_table_column(table, (const char *[]){"", "", heading}, to_the_right);
}

/* "7.3 s", ">42 min" */
static void duration_cell(struct text_table *table, double s, bool is_bound)
{
    char text[EXPLAIN_TEXT], bound[EXPLAIN_TEXT + 1];
    explain_duration(text, s);
    snprintf(bound, sizeof bound, "%s%s", is_bound ? ">" : "", text);
    text_table_cell(table, bound);
}

/* Of several cells: which was chosen, and the others in a line each. */
static bool print_cells(const struct page *page)
{
    const struct explanation *it = page->of;
    char label[LABEL_SIZE];
    if (it->cell_count == 1)
        return true;
    struct text_table *table = text_table_create();
    if (table == NULL)
        return false;
    const bool is_rate = page->cell->subject == SUBJECT_THROUGHPUT;
    const bool has_time = page->cell->subject != SUBJECT_REQUESTS;
    column(table, "cell", true);
    column(table, "", false);
    if (has_time && !is_rate)
        column(table, "mean", true);
    if (has_time)
        column(table, is_rate ? "MiB/s" : "median", true);
    column(table, page->cell->part_count > 0 ? "most of it" : "", false);
    for (size_t i = 0; i < it->cell_count; i++) {
        const struct explain_cell *cell = &it->cells[i];
        number_cell(table, (double)cell->number + 1, 0);
        cell_label(label, it->experiment, cell->number);
        text_table_cell(table, label);
        if (is_rate)
            number_cell(table, cell->time.mean, 1);
        else if (has_time) {
            duration_cell(table, cell->time.mean, cell->time.p95_is_bound);
            duration_cell(table, cell->time.median, cell->time.median_is_bound);
        }
        text_table_cell(table, cell->part_count > 0 ? cell->parts[0].words : cell->sentence);
    }
    if (!print_and_destroy(page, table))
        return false;
    cell_label(label, it->experiment, page->cell->number);
    write_text(page->writer, "\nExplained: cell %zu, ", page->cell->number + 1);
    write_user_text(page->writer, label, page->style);
    write_text(page->writer, ", the %s; --cell chooses another.\n\n",
               !has_time ? "first"
               : is_rate ? "one with the least"
                         : "slowest");
    return true;
}

static bool print_parts(const struct page *page)
{
    const struct explain_cell *cell = page->cell;
    if (cell->part_count == 0)
        return true;
    const double smallest = fmax(cell->time.mean / 1000, 1e-6);
    const int decimals = smallest >= 1 ? 0 : smallest >= 0.1 ? 1 : smallest >= 0.01 ? 2 : 3;
    struct text_table *table = text_table_create();
    if (table == NULL)
        return false;
    double sum = 0;
    column(table, "where the time goes (mean)", false);
    column(table, "s", true);
    column(table, "%", true);
    for (size_t i = 0; i < cell->part_count; i++) {
        text_table_cell(table, cell->parts[i].words);
        number_cell(table, cell->parts[i].s, decimals);
        number_cell(table, 100 * cell->parts[i].share, 1);
        sum += cell->parts[i].s;
    }
    text_table_cell(table, "all");
    number_cell(table, sum, decimals);
    number_cell(table, 100 * sum / cell->time.mean, 1);
    write_text(page->writer, "\n");
    return print_and_destroy(page, table);
}

static int64_t phase_sum(const struct explain_cell *cell, size_t phase)
{
    int64_t sum_ns = 0;
    for (size_t i = 0; i < cell->part_count; i++)
        sum_ns += cell->parts[i].phase_ns[phase];
    return sum_ns;
}

/* Phases x causes, the four largest causes. */
static bool print_phases(const struct page *page)
{
    enum { CAUSES_SHOWN = 5 };
    const struct explain_cell *cell = page->cell;
    if (cell->subject != SUBJECT_LOGON || cell->part_count == 0)
        return true;
    struct text_table *table = text_table_create();
    if (table == NULL)
        return false;
    const size_t shown = cell->part_count < CAUSES_SHOWN ? cell->part_count : CAUSES_SHOWN;
    column(table, "% of the time, by phase", false);
    for (size_t i = 0; i < shown; i++)
        column(table, cell->parts[i].name, true);
    column(table, "all", true);
    for (size_t phase = 0; phase < PHASE_COUNT; phase++) {
        const int64_t sum_ns = phase_sum(cell, phase);
        if (sum_ns == 0)
            continue;
        text_table_cell(table, logon_phase_name((enum logon_phase)phase));
        for (size_t i = 0; i < shown; i++)
            number_cell(table, 100 * (double)cell->parts[i].phase_ns[phase] / (double)cell->total_ns, 1);
        number_cell(table, 100 * (double)sum_ns / (double)cell->total_ns, 1);
    }
    write_text(page->writer, "\n");
    return print_and_destroy(page, table);
}

/* The limit, and what the service's metrics call its answers. */
static const char *bound_words(enum response_type type)
{
    switch (type) {
    case RESPONSE_SUCCESS:
        return "nothing";
    case RESPONSE_SHARE_IOPS_THROTTLING:
        return "IOPS (SuccessWithShareIopsThrottling)";
    case RESPONSE_SHARE_EGRESS_THROTTLING:
        return "egress (SuccessWithShareEgressThrottling)";
    case RESPONSE_SHARE_INGRESS_THROTTLING:
        return "ingress (SuccessWithShareIngressThrottling)";
    case RESPONSE_METADATA_THROTTLING:
        return "opens and closes (SuccessWithMetadataThrottling)";
    case RESPONSE_THROTTLING:
        return "account, file or disks (SuccessWithThrottling)";
    default:
        return response_type_name(type);
    }
}

static bool print_spells(const struct page *page)
{
    const struct explain_cell *cell = page->cell;
    bool credits = false;
    for (size_t i = 0; i < cell->spell_count; i++)
        credits = credits || !isnan(cell->spells[i].credits_least);
    struct text_table *table = text_table_create();
    if (table == NULL)
        return false;
    column(table, "store", false);
    column(table, "minutes", true);
    column(table, "what bound", false);
    text_table_column(table, (const char *[]){"", "throttled", "%"}, true);
    column(table, "IOPS", true);
    text_table_column(table, (const char *[]){"", "out", "MiB/s"}, true);
    text_table_column(table, (const char *[]){"", "in", "MiB/s"}, true);
    text_table_column(table, (const char *[]){"", "server", "ms"}, true);
    if (credits)
        text_table_column(table, (const char *[]){"", "credits", "least"}, true);
    for (size_t i = 0; i < cell->spell_count; i++) {
        const struct explain_spell *spell = &cell->spells[i];
        char minutes[EXPLAIN_TEXT];
        snprintf(minutes, sizeof minutes, spell->from_minute == spell->to_minute ? "%zu" : "%zu-%zu",
                 spell->from_minute + 1, spell->to_minute + 1);
        text_table_cell(table, store_name(page, spell->store));
        text_table_cell(table, minutes);
        text_table_cell(table, bound_words(spell->bound));
        number_cell(table, 100 * spell->throttled, 1);
        number_cell(table, spell->iops, 0);
        number_cell(table, spell->egress, 1);
        number_cell(table, spell->ingress, 1);
        number_cell(table, spell->server_ms, 1);
        if (credits)
            number_cell(table, spell->credits_least, 0);
    }
    write_text(page->writer, "\n");
    return print_and_destroy(page, table);
}

static void print_credits(const struct page *page)
{
    for (size_t i = 0; i < page->cell->credits_count; i++) {
        const struct explain_credits *credits = &page->cell->credits[i];
        char full[LABEL_SIZE], least[LABEL_SIZE], present[LABEL_SIZE], base[LABEL_SIZE], time[EXPLAIN_TEXT];
        struct writer *writer = page->writer;
        number_label(full, credits->full, 0);
        number_label(least, credits->least, 0);
        number_label(present, credits->present_iops, 0);
        number_label(base, credits->base_iops, 0);
        write_text(writer, "%s", i == 0 ? "\n" : "");
        write_user_text(writer, store_name(page, credits->store), page->style);
        if (credits->ran_out_minute >= 0)
            write_text(writer, ": burst credits (%s when full) ran out in minute %td", full,
                       credits->ran_out_minute + 1);
        else
            write_text(writer, ": burst credits never fell below %s of %s", least, full);
        write_text(writer, ". At the load of the last minutes, %s IOPS against a baseline of %s, ", present,
                   base);
        if (credits->last < 1) {
            write_text(writer, "they stay empty");
        } else if (isfinite(credits->empty_after_s)) {
            explain_duration(time, credits->empty_after_s);
            write_text(writer, "they are gone %s after the run", time);
        } else if (isfinite(credits->full_after_s) && credits->full_after_s > 0) {
            explain_duration(time, credits->full_after_s);
            write_text(writer, "they are back in full after %s", time);
        } else {
            write_text(writer, credits->full_after_s <= 0 ? "they stay full" : "they stay where they are");
        }
        if (credits->full_after_idle_s > 0) {
            explain_duration(time, credits->full_after_idle_s);
            write_text(writer, "; without load, after %s", time);
        }
        write_text(writer, ".\n");
    }
}

static void saved_cell(struct text_table *table, const struct explain_change *change)
{
    char text[LABEL_SIZE];
    const double percent = 100 * change->saved;
    if (isnan(percent))
        snprintf(text, sizeof text, "-");
    else if (fabs(percent) < 0.5)
        snprintf(text, sizeof text, "0");
    else
        snprintf(text, sizeof text, "%s%.0f", change->saved_is_bound && percent > 0 ? ">" : "", percent);
    text_table_cell(table, text);
}

/* "Without its limit of egress profiles would carry 1,060 MiB/s in the busiest minute." */
static void print_carried(const struct page *page)
{
    for (size_t i = 0; i < page->of->change_count; i++) {
        const struct explain_change *change = &page->of->changes[i];
        char number[LABEL_SIZE];
        if (isnan(change->carried))
            continue;
        number_label(number, change->carried, 0);
        write_text(page->writer, "Without its limit of %s, ",
                   strcmp(change->name, "iops") == 0 ? "IOPS" : change->name);
        write_user_text(page->writer, change->carried_by, page->style);
        write_text(page->writer, " is asked for %s %s in the busiest minute.\n", number,
                   change->carried_unit);
    }
}

static bool print_changes(const struct page *page)
{
    const struct explanation *it = page->of;
    const enum explain_subject subject = page->cell->subject;
    const bool is_rate = subject == SUBJECT_THROUGHPUT;
    if (it->change_count == 0 || subject == SUBJECT_REQUESTS)
        return true;
    static const char *const takes[] = {"a logon takes", "a boot takes", "a job takes", "the load moves"};
    struct text_table *table = text_table_create();
    if (table == NULL)
        return false;
    column(table, "if instead", false);
    if (is_rate) {
        text_table_column(table, (const char *[]){"", takes[subject], "MiB/s"}, true);
        text_table_column(table, (const char *[]){"", "more", "%"}, true);
    } else {
        text_table_column(table, (const char *[]){"", takes[subject], "mean"}, true);
        text_table_column(table, (const char *[]){"", takes[subject], "median"}, true);
        text_table_column(table, (const char *[]){"", takes[subject], "1 in 20 more than"}, true);
        text_table_column(table, (const char *[]){"", "saved", "%"}, true);
    }
    const bool has_parts = page->cell->part_count > 0;
    if (has_parts)
        column(table, "then most of it", false);
    for (size_t i = 0; i < it->change_count; i++) {
        const struct explain_change *change = &it->changes[i];
        text_table_cell(table, change->words);
        if (change->why_not != NULL) {
            text_table_cell(table, "not possible");
            for (int blank = 0; !is_rate && blank < 2; blank++)
                text_table_cell(table, "");
        } else if (is_rate) {
            number_cell(table, change->time.mean, 1);
        } else {
            duration_cell(table, change->time.mean, change->time.p95_is_bound);
            duration_cell(table, change->time.median, change->time.median_is_bound);
            duration_cell(table, change->time.p95, change->time.p95_is_bound);
        }
        saved_cell(table, change);
        if (has_parts)
            text_table_cell(table, change->then);
    }
    write_text(page->writer, "\n");
    if (!print_and_destroy(page, table))
        return false;
    print_carried(page);
    if (it->left_out > 0)
        write_text(page->writer, "%zu more might help and %s not tried%s; --tries N tries more.\n",
                   it->left_out, it->left_out == 1 ? "was" : "were",
                   it->request.tries < 0 ? ", so as to cost no more than twice the run" : "");
    return true;
}

static void print_thresholds(const struct page *page)
{
    const struct explain_cell *cell = page->cell;
    write_text(page->writer, "\nThresholds that others have published:\n");
    for (size_t i = 0; i < cell->threshold_count; i++) {
        const struct explain_threshold *threshold = &cell->thresholds[i];
        char measured[LABEL_SIZE], value[LABEL_SIZE];
        number_label(measured, threshold->measured, threshold->measured < 100);
        number_label(value, threshold->value, threshold->value < 100 && fmod(threshold->value, 1) != 0);
        write_text(page->writer, "  %s  ", threshold->exceeded ? "exceeded" : "kept    ");
        write_user_text(page->writer, threshold->words, page->style);
        write_text(page->writer, ": %s %s against %s (%s)\n", measured, threshold->unit, value,
                   threshold->source);
    }
}

static void print_assumptions(const struct page *page)
{
    size_t count;
    const struct assumption *assumptions = experiment_assumptions(page->of->described, &count);
    if (count == 0)
        return;
    write_text(
        page->writer,
        "\nNot published, but calibrated or assumed (vdisim sensitivity says which of them matter):\n");
    for (size_t i = 0; i < count; i++)
        write_text(page->writer, "  %s %s, %s%s%s\n", assumptions[i].parameter, assumptions[i].value,
                   assumptions[i].status, assumptions[i].source[0] != '\0' ? ": " : "",
                   assumptions[i].source);
}

bool explanation_print(const struct explanation *it, struct writer *writer, const struct text_style *style)
{
    const struct page page = {it, &it->cells[it->chosen], writer, style};
    if (!print_cells(&page))
        return false;
    write_user_text(writer, page.cell->sentence, style);
    write_text(writer, "\n");
    if (!print_parts(&page) || !print_phases(&page) || !print_changes(&page) || !print_spells(&page))
        return false;
    print_credits(&page);
    print_thresholds(&page);
    print_assumptions(&page);
    return true;
}
