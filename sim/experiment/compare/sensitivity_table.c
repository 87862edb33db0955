/* A sensitivity study for people: a table by rank, and what it says in sentences. */
#include "sim/experiment/compare/sensitivity.h"

#include "sim/experiment/result/label.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { TEXT_SIZE = 256, BAR_WIDTH = 12, NAMES_SHOWN = 12 };

/* A move of less than this share of the metric hardly matters. */
#define HARDLY 0.01

struct page {
    const struct sensitivity *of;
    struct writer *writer;
    const struct text_style *style;
    int decimals; /* of the metric */
};

static const struct sensitivity_input *ranked(const struct sensitivity *sensitivity, size_t rank)
{
    return &sensitivity->inputs[sensitivity->order[rank]];
}

static double largest_mu_star(const struct sensitivity *sensitivity)
{
    double mu_star = ranked(sensitivity, 0)->effect.mu_star;
    return isnan(mu_star) ? 0 : mu_star;
}

/* Four digits of the largest number there is. */
static int decimals_of(const struct sensitivity *sensitivity)
{
    double largest = fmax(fabs(sensitivity->base_value), largest_mu_star(sensitivity));
    int decimals = largest > 0 ? 3 - (int)floor(log10(largest)) : 0;
    return decimals < 0 ? 0 : decimals > 9 ? 9 : decimals;
}

/* "6.05", "<0.001" for what is not 0 but looks so, ">6.05" for a bound. */
static void figure(const struct page *page, char text[TEXT_SIZE], double value, bool is_bound)
{
    char number[LABEL_SIZE];
    double unit = pow(10, -page->decimals);
    if (value != 0 && fabs(value) < unit / 2) {
        snprintf(text, TEXT_SIZE, "<%.*f", page->decimals, unit);
        return;
    }
    number_label(number, value, value == 0 ? 0 : page->decimals);
    snprintf(text, TEXT_SIZE, "%s%s", is_bound && !isnan(value) ? ">" : "", number);
}

static void figure_cell(const struct page *page, struct text_table *table, double value, bool is_bound)
{
    char text[TEXT_SIZE];
    figure(page, text, value, is_bound);
    text_table_cell(table, text);
}

static void interval_cell(const struct page *page, struct text_table *table, const struct sim_effect *effect)
{
    char low[TEXT_SIZE], high[TEXT_SIZE], text[2 * TEXT_SIZE + 8];
    if (!isfinite(effect->interval.high)) {
        text_table_cell(table, "-");
        return;
    }
    figure(page, low, effect->interval.low, false);
    figure(page, high, effect->interval.high, false);
    snprintf(text, sizeof text, "%s .. %s", low, high);
    text_table_cell(table, text);
}

static void share_text(char text[TEXT_SIZE], double share)
{
    char number[LABEL_SIZE];
    double percent = 100 * share;
    if (percent > 0 && percent < 0.05) {
        snprintf(text, TEXT_SIZE, "<0.1");
        return;
    }
    number_label(number, percent, percent == 0 || percent >= 9.95 ? 0 : 1);
    snprintf(text, TEXT_SIZE, "%s", number);
}

/* As long as mu* is large beside the largest, and at least one sign for what is not 0. */
static void draw_bar(const struct sensitivity *sensitivity, double mu_star, char bar[BAR_WIDTH + 1])
{
    double largest = largest_mu_star(sensitivity);
    size_t length =
        largest > 0 && mu_star > 0 ? (size_t)fmin(ceil(BAR_WIDTH * (mu_star / largest)), BAR_WIDTH) : 0;
    memset(bar, '#', length);
    bar[length] = '\0';
}

static void add_row(const struct page *page, struct text_table *table, const struct sensitivity_input *input)
{
    const struct sim_effect *effect = &input->effect;
    char text[TEXT_SIZE], bar[BAR_WIDTH + 1];
    draw_bar(page->of, effect->mu_star, bar);
    if (input->key_count > 1)
        snprintf(text, sizeof text, "%.160s +%zu", input->name, input->key_count - 1);
    else
        snprintf(text, sizeof text, "%.200s", input->name);
    text_table_cell(table, text);
    text_table_cell(table, input->status);
    text_table_cell(table, input->value);
    text_table_cell(table, input->low_text);
    text_table_cell(table, input->high_text);
    figure_cell(page, table, input->at_low, input->low_is_bound);
    figure_cell(page, table, input->at_high, input->high_is_bound);
    figure_cell(page, table, effect->mu, false);
    figure_cell(page, table, effect->mu_star, input->bound_effects > 0);
    interval_cell(page, table, effect);
    share_text(text, sensitivity_share(page->of, input));
    text_table_cell(table, text);
    text_table_cell(table, sensitivity_response(effect));
    text_table_cell(table, bar);
}

static bool table_of_inputs(const struct page *page)
{
    const struct sensitivity *sensitivity = page->of;
    char metric[TEXT_SIZE], interval[TEXT_SIZE];
    struct text_table *table = text_table_create();
    if (table == NULL)
        return false;
    snprintf(metric, sizeof metric, "%.160s%s%.40s", sensitivity->metric,
             sensitivity->unit[0] != '\0' ? ", " : "", sensitivity->unit);
    snprintf(interval, sizeof interval, "%g %% CI", 100 * sensitivity->request.confidence);
    static const char over_range[] = "effect of the whole range";
    text_table_column(table, (const char *[]){"", "", "input"}, false);
    text_table_column(table, (const char *[]){"", "", "status"}, false);
    text_table_column(table, (const char *[]){"", "", "value"}, true);
    text_table_column(table, (const char *[]){"", "range", "low"}, true);
    text_table_column(table, (const char *[]){"", "range", "high"}, true);
    text_table_column(table, (const char *[]){metric, "alone at", "low"}, true);
    text_table_column(table, (const char *[]){metric, "alone at", "high"}, true);
    text_table_column(table, (const char *[]){metric, over_range, "mu"}, true);
    text_table_column(table, (const char *[]){metric, over_range, "mu*"}, true);
    text_table_column(table, (const char *[]){metric, over_range, interval}, true);
    text_table_column(table, (const char *[]){metric, over_range, "%"}, true);
    text_table_column(table, (const char *[]){"", "", "response"}, false);
    text_table_column(table, (const char *[]){"", "", "mu*"}, false);
    for (size_t i = 0; i < sensitivity->input_count; i++)
        if (ranked(sensitivity, i)->effect.mu_star != 0)
            add_row(page, table, ranked(sensitivity, i));
    bool complete = text_table_print(table, page->writer, page->style);
    text_table_destroy(table);
    return complete;
}

static void heading(const struct page *page)
{
    const struct sensitivity *sensitivity = page->of;
    const struct cell *cell = experiment_cell(sensitivity->experiment, sensitivity->request.cell);
    char base[TEXT_SIZE];
    write_user_text(page->writer, experiment_title(sensitivity->experiment), page->style);
    for (size_t i = 0; i < cell->assignment_count; i++) {
        write_text(page->writer, i == 0 ? ": " : ", ");
        write_user_text(page->writer, cell->assignments[i].label, page->style);
        write_text(page->writer, " = ");
        write_user_text(page->writer, cell->assignments[i].value, page->style);
    }
    figure(page, base, sensitivity->base_value, sensitivity->base_is_bound);
    write_text(page->writer,
               "\n%s is %s %s; what moves it, by %zu trajectories of %zu inputs, %zu runs, seed %" PRId64
               "\n\n",
               sensitivity->metric, base, sensitivity->unit, sensitivity->design.trajectories,
               sensitivity->input_count, sensitivity_run_count(sensitivity),
               experiment_run(sensitivity->experiment)->seed);
}

/* "The answer rests most on io_rate (assumed; requests on the file): from 2.5 /s to 10 /s it moves ..." */
static void leader_sentence(const struct page *page, const char *before,
                            const struct sensitivity_input *input)
{
    struct writer *writer = page->writer;
    char low[TEXT_SIZE], high[TEXT_SIZE], percent[TEXT_SIZE];
    figure(page, low, input->at_low, input->low_is_bound);
    figure(page, high, input->at_high, input->high_is_bound);
    share_text(percent, sensitivity_share(page->of, input));
    write_text(writer, "%s %s (%s: %s): ", before, input->keys[0], input->status, input->row->help);
    if (isnan(input->at_low) || isnan(input->at_high))
        write_text(writer, "from %s to %s it moves %s by %s %%.\n", input->low_text, input->high_text,
                   page->of->metric, percent);
    else
        write_text(writer,
                   "from %s to %s it alone moves %s from %s to %s %s, and by %s %% as the others vary.\n",
                   input->low_text, input->high_text, page->of->metric, low, high, page->of->unit, percent);
}

static bool hardly_matters(const struct sensitivity *sensitivity, const struct sensitivity_input *input)
{
    return input->effect.mu_star < HARDLY * fabs(sensitivity->base_value);
}

static void leaders(const struct page *page)
{
    const struct sensitivity *sensitivity = page->of;
    const struct sensitivity_input *assumed = NULL, *first = ranked(sensitivity, 0);
    for (size_t i = 0; assumed == NULL && i < sensitivity->input_count; i++)
        if (sensitivity_is_assumption(ranked(sensitivity, i)))
            assumed = ranked(sensitivity, i);
    if (isnan(first->effect.mu_star))
        return;
    if (assumed != NULL && !isnan(assumed->effect.mu_star) && !hardly_matters(sensitivity, assumed))
        leader_sentence(page, "The answer rests most on", assumed);
    else if (assumed != NULL)
        write_text(page->writer, "No assumed or calibrated input moves %s by 1 %% over its range.\n",
                   sensitivity->metric);
    if (first != assumed && !hardly_matters(sensitivity, first))
        leader_sentence(page, "Of all inputs it is moved most by", first);
}

/* "3 inputs move it by less than 1 %: a, b, c." */
static void list_inputs(const struct page *page, bool want_none)
{
    const struct sensitivity *sensitivity = page->of;
    size_t count = 0, written = 0;
    for (size_t pass = 0; pass < 2; pass++) {
        for (size_t i = 0; i < sensitivity->input_count; i++) {
            const struct sensitivity_input *input = ranked(sensitivity, i);
            bool is_none = input->effect.mu_star == 0;
            if (isnan(input->effect.mu_star) || is_none != want_none ||
                (!is_none && !hardly_matters(sensitivity, input)))
                continue;
            if (pass == 0)
                count++;
            else if (written++ < NAMES_SHOWN)
                write_text(page->writer, "%s %s", written == 1 ? "" : ",", input->name);
        }
        if (pass == 0 && count > 0)
            write_text(page->writer, "%zu input%s %s:", count, count == 1 ? "" : "s",
                       want_none ? (count == 1 ? "does not move it at all" : "do not move it at all")
                                 : (count == 1 ? "moves it by less than 1 %" : "move it by less than 1 %"));
    }
    if (count > NAMES_SHOWN)
        write_text(page->writer, " and %zu more", count - NAMES_SHOWN);
    if (count > 0)
        write_text(page->writer, ".\n");
}

static void list_unvaried(const struct page *page)
{
    const struct sensitivity *sensitivity = page->of;
    if (sensitivity->unvaried_count == 0)
        return;
    write_text(page->writer, "\nAssumed or calibrated, but not varied:\n");
    for (size_t i = 0; i < sensitivity->unvaried_count; i++) {
        const struct sensitivity_unvaried *unvaried = &sensitivity->unvaried[i];
        write_text(page->writer, "  %s: %s (%s)\n", unvaried->key, unvaried->value, unvaried->reason);
    }
}

static void list_shared(const struct page *page)
{
    const struct sensitivity *sensitivity = page->of;
    for (size_t i = 0; i < sensitivity->input_count; i++) {
        const struct sensitivity_input *input = &sensitivity->inputs[i];
        if (input->key_count < 2)
            continue;
        write_text(page->writer, "Moved together, as one unknown:");
        for (size_t k = 0; k < input->key_count; k++)
            write_text(page->writer, "%s %s", k == 0 ? "" : ",", input->keys[k]);
        write_text(page->writer, ".\n");
    }
}

static void caveats(const struct page *page)
{
    const struct sensitivity *sensitivity = page->of;
    struct writer *writer = page->writer;
    if (sensitivity->contradictions > 0) {
        write_text(writer,
                   "%zu of %zu points contradict themselves and were not run: ", sensitivity->contradictions,
                   sensitivity->point_count);
        write_user_text(writer, sensitivity->contradiction, page->style);
        write_text(writer, ".\n");
    }
    if (sensitivity->missing_count > 0)
        write_text(writer, "%zu of %zu points gave no %s and are left out.\n", sensitivity->missing_count,
                   sensitivity->point_count, sensitivity->metric);
    if (sensitivity->bound_count > 0)
        write_text(writer,
                   "At %zu of %zu points logons had not finished when the run ended: what rests on these is "
                   "a bound, "
                   "printed with >.\n",
                   sensitivity->bound_count, sensitivity->point_count);
    write_text(
        writer,
        "mu*: the mean size of the effects found from different places, mu: their mean; the response is by "
        "their spread.\n"
        "A range that was not given is value / %g to value * %g, which does not say how uncertain the value "
        "is.\n",
        sensitivity->request.factor, sensitivity->request.factor);
}

bool sensitivity_print(const struct sensitivity *sensitivity, struct writer *writer,
                       const struct text_style *style)
{
    struct page page = {
        .of = sensitivity, .writer = writer, .style = style, .decimals = decimals_of(sensitivity)};
    heading(&page);
    if (!table_of_inputs(&page))
        return false;
    write_text(writer, "\n");
    leaders(&page);
    list_inputs(&page, false);
    list_inputs(&page, true);
    list_shared(&page);
    caveats(&page);
    list_unvaried(&page);
    return true;
}
