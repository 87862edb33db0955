#include "sim/experiment/size/size_print.h"

#include "sim/experiment/result/label.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#define GIB 1073741824.0

/* A fraction as percent, all else in its unit. */
static void value_text(char label[LABEL_SIZE], const struct target *target, double value)
{
    const bool is_share =
        strstr(target->metric, "fraction") != NULL || strstr(target->metric, "over_30s") != NULL;
    const double shown = is_share ? 100.0 * value : value;
    char number[LABEL_SIZE];
    number_label(number, shown, fabs(shown) >= 1000.0 ? 0 : 2);
    if (isnan(value) || isinf(value))
        snprintf(label, LABEL_SIZE, "not reached");
    else
        snprintf(label, LABEL_SIZE, "%.80s%s%s", number,
                 is_share                  ? " %"
                 : target->unit[0] != '\0' ? " "
                                           : "",
                 is_share ? "" : target->unit);
}

static void number_cell(struct text_table *table, double value, int decimals)
{
    char label[LABEL_SIZE];
    number_label(label, value, decimals);
    text_table_cell(table, label);
}

static void cost_text(char label[LABEL_SIZE], const struct size_option *option)
{
    char number[LABEL_SIZE];
    number_label(number, option->cost, 0);
    if (isnan(option->cost))
        snprintf(label, LABEL_SIZE, "price not known");
    else
        snprintf(label, LABEL_SIZE, "%.80s %s", number, option->currency);
}

static void add_headings(struct text_table *table, const struct size_answer *answer)
{
    static const char *const left[][HEADING_LINES] = {{"", "", "tier"}};
    static const char *const before[][HEADING_LINES] = {
        {"", "", "shares"}, {"", "each,", "GiB"}, {"", "cost", "a month"}};
    static const char *const after[][HEADING_LINES] = {
        {"", "margin", "%"}, {"", "", "tightest limit"}, {"", "used", "%"}, {"", "20 % more", "users"}};
    text_table_column(table, left[0], false);
    for (size_t i = 0; i < sizeof before / sizeof before[0]; i++)
        text_table_column(table, before[i], true);
    for (size_t i = 0; i < answer->target_count; i++) {
        const char *const mean[HEADING_LINES] = {answer->targets[i].metric, "", "mean"};
        const char *const bound[HEADING_LINES] = {answer->targets[i].metric, "", "bound"};
        text_table_column(table, mean, true);
        text_table_column(table, bound, true);
    }
    for (size_t i = 0; i < sizeof after / sizeof after[0]; i++)
        text_table_column(table, after[i], i == 0 || i == 2);
}

static void add_option(struct text_table *table, const struct size_answer *answer,
                       const struct size_option *option)
{
    char label[LABEL_SIZE];
    text_table_cell(table, option->tier);
    number_cell(table, (double)option->shares, 0);
    number_cell(table, (double)option->bytes / GIB, 0);
    cost_text(label, option);
    text_table_cell(table, label);
    for (size_t i = 0; i < answer->target_count; i++) {
        value_text(label, &answer->targets[i], option->standings[i].mean);
        text_table_cell(table, label);
        value_text(label, &answer->targets[i], option->standings[i].bound);
        text_table_cell(table, label);
    }
    number_cell(table, 100.0 * option->margin, 0);
    text_table_cell(table, option->binds);
    number_cell(table, 100.0 * option->binds_used, 0);
    text_table_cell(table, option->more_meets ? "still fine" : "no longer");
}

static bool print_options(const struct size_answer *answer, struct writer *writer,
                          const struct text_style *style)
{
    struct text_table *table = text_table_create();
    if (table == NULL)
        return false;
    add_headings(table, answer);
    for (size_t i = 0; i < answer->option_count; i++) {
        const struct size_option *option = &answer->options[answer->order[i]];
        if (option->fate == SIZE_MET)
            add_option(table, answer, option);
    }
    const bool fine = text_table_print(table, writer, style);
    text_table_destroy(table);
    return fine;
}

static void print_first(const struct size_answer *answer, struct writer *writer)
{
    const struct size_option *best = &answer->options[answer->order[0]];
    char size[LABEL_SIZE], cost[LABEL_SIZE];
    number_label(size, (double)best->bytes / GIB, 0);
    cost_text(cost, best);
    if (isnan(best->cost) || answer->currencies_differ)
        write_text(writer, "The smallest, as %s: ",
                   answer->currencies_differ ? "prices are in several currencies" : "no price is known");
    else
        write_text(writer, "The cheapest at %s a month: ", cost);
    write_text(writer, "%s, %zu share%s of %s GiB", best->tier, best->shares, best->shares == 1 ? "" : "s",
               size);
    for (size_t i = 0; i < answer->target_count; i++) {
        char label[LABEL_SIZE];
        value_text(label, &answer->targets[i], best->standings[i].bound);
        write_text(writer, "%s %s at %s %s", i == 0 ? ":" : ",", answer->targets[i].metric,
                   answer->targets[i].at_most ? "most" : "least", label);
    }
    write_text(writer, ".\n");
    for (size_t i = 0; i < answer->target_count; i++) {
        char label[LABEL_SIZE], more[LABEL_SIZE];
        value_text(label, &answer->targets[i], best->standings[i].one_run);
        value_text(more, &answer->targets[i], best->more[i]);
        if (!isnan(best->standings[i].one_run))
            write_text(writer, "A single morning may have a %s of %s. ", answer->targets[i].metric, label);
        write_text(writer, "With 20 %% more users it is %s%s.\n", more,
                   target_holds(&answer->targets[i], best->more[i]) ? "" : ", beyond the target");
    }
}

static void print_nearest(const struct size_answer *answer, struct writer *writer)
{
    const struct size_option *nearest = &answer->options[answer->order[0]];
    if (nearest->fate != SIZE_MISSED || nearest->bytes == 0)
        return;
    char size[LABEL_SIZE];
    number_label(size, (double)nearest->bytes / GIB, 0);
    write_text(writer, "%s. The nearest: %s, %zu share%s of %s GiB%s",
               nearest->is_unconfirmed ? "Nothing was confirmed to meet the targets"
                                       : "Nothing meets the targets",
               nearest->tier, nearest->shares, nearest->shares == 1 ? "" : "s", size,
               nearest->is_estimate ? ", by the estimate" : "");
    for (size_t i = 0; i < answer->target_count; i++) {
        char label[LABEL_SIZE];
        value_text(label, &answer->targets[i], nearest->standings[i].mean);
        write_text(writer, "%s %s %s", i == 0 ? ":" : ",", answer->targets[i].metric, label);
    }
    if (nearest->binds_used > 0.0)
        write_text(writer, "; what binds is %s, asked for %.0f %%", nearest->binds,
                   100.0 * nearest->binds_used);
    write_text(writer, ".\n");
}

static void print_prices(const struct size_answer *answer, struct writer *writer)
{
    bool first = true;
    for (size_t i = 0; i < answer->option_count; i++) {
        const struct size_option *option = &answer->options[answer->order[i]];
        if (option->fate != SIZE_MET || isnan(option->cost) || option->price_list == NULL)
            continue;
        write_text(writer, "%s%s", first ? "prices: " : ", ", option->price_list);
        first = false;
    }
    write_text(writer, first ? "" : "\n");
}

static void print_others(const struct size_answer *answer, struct writer *writer)
{
    for (size_t i = 0, first = 1; i < answer->option_count; i++) {
        const struct size_option *option = &answer->options[answer->order[i]];
        if (option->fate == SIZE_MET)
            continue;
        write_text(writer, "%s  %s: ", first ? "\nNot among them:\n" : "", option->tier);
        first = 0;
        if (option->fate == SIZE_MISSED && option->is_unconfirmed)
            write_text(
                writer,
                "some size may be enough, but the runs were too few to say so; more --replications may\n");
        else if (option->fate == SIZE_MISSED)
            write_text(writer, "no size that is sold is enough; what binds is %s, asked for %.0f %%\n",
                       option->binds, 100.0 * option->binds_used);
        else
            write_text(writer, "%s\n", option->why);
    }
}

bool size_print(const struct size_answer *answer, struct writer *writer, const struct text_style *style)
{
    char users[LABEL_SIZE], data[LABEL_SIZE];
    number_label(users, answer->users, 0);
    number_label(data, answer->data_bytes / GIB, 0);
    write_user_text(writer, experiment_title(answer->experiment), style);
    write_text(writer, "\n%s users, %s GiB of data; %zu runs, seed %" PRId64 "\n", users, data, answer->runs,
               experiment_run(answer->experiment)->seed);
    for (size_t i = 0; i < answer->target_count; i++)
        write_text(writer, "  %s\n", answer->targets[i].text);
    write_text(writer, "\n");
    if (!size_is_met(answer)) {
        print_nearest(answer, writer);
    } else {
        print_first(answer, writer);
        write_text(writer, "\n");
        if (!print_options(answer, writer, style))
            return false;
        write_text(writer, "\nbound: of the mean over mornings, one-sided; the margin is that of the worst "
                           "target.\n");
        print_prices(answer, writer);
    }
    print_others(answer, writer);
    return true;
}

/* -- for programs -- */

static const char *fate_name(enum size_fate fate)
{
    static const char *const names[] = {"met", "missed", "impossible", "not sold"};
    return names[fate];
}

static void write_member(struct writer *writer, const char *name, double value)
{
    write_text(writer, ", \"%s\": ", name);
    write_json_number(writer, value);
}

static void write_standings(struct writer *writer, const struct size_answer *answer,
                            const struct size_option *option)
{
    write_text(writer, ", \"targets\": [");
    for (size_t i = 0; i < answer->target_count; i++) {
        const struct standing *standing = &option->standings[i];
        const bool is_known = option->bytes > 0;
        write_text(writer, "%s{\"metric\": ", i == 0 ? "" : ", ");
        write_json_text(writer, answer->targets[i].metric);
        write_member(writer, "mean", is_known ? standing->mean : (double)NAN);
        write_member(writer, "bound", is_known ? standing->bound : (double)NAN);
        write_member(writer, "one_run", is_known ? standing->one_run : (double)NAN);
        write_member(writer, "with_20_percent_more",
                     option->fate == SIZE_MET ? option->more[i] : (double)NAN);
        write_text(writer, "}");
    }
    write_text(writer, "]");
}

static void write_option(struct writer *writer, const struct size_answer *answer, size_t place)
{
    const struct size_option *option = &answer->options[answer->order[place]];
    write_text(writer, "{\"rank\": %zu, \"tier\": ", place + 1);
    write_json_text(writer, option->tier);
    write_text(writer, ", \"fate\": \"%s\", \"why\": ", fate_name(option->fate));
    write_json_text(writer, option->why);
    write_text(writer, ", \"unconfirmed\": %s", option->is_unconfirmed ? "true" : "false");
    write_member(writer, "size_gib", option->bytes > 0 ? (double)option->bytes / GIB : (double)NAN);
    write_member(writer, "shares", option->shares > 0 ? (double)option->shares : (double)NAN);
    write_member(writer, "cost_month", option->cost);
    write_text(writer, ", \"currency\": ");
    write_json_text(writer, isnan(option->cost) ? "" : option->currency);
    write_text(writer, ", \"price_list\": ");
    write_json_text(writer, option->price_list != NULL ? option->price_list : "");
    write_member(writer, "margin", option->margin);
    write_text(writer, ", \"estimated\": %s, \"binds\": ", option->is_estimate ? "true" : "false");
    write_json_text(writer, option->binds);
    write_member(writer, "binds_used", option->binds_used);
    write_standings(writer, answer, option);
    write_text(writer, ", \"meets_with_20_percent_more\": %s, \"runs\": %zu}",
               option->more_meets ? "true" : "false", option->runs);
}

void size_print_json(const struct size_answer *answer, struct writer *writer)
{
    write_text(writer, "{\"experiment\": ");
    write_json_text(writer, experiment_name(answer->experiment));
    write_text(writer, ", \"version\": \"" VDISIM_VERSION "\", \"seed\": %" PRId64 ", \"met\": %s",
               experiment_run(answer->experiment)->seed, size_is_met(answer) ? "true" : "false");
    write_member(writer, "users", answer->users);
    write_member(writer, "data_gib", answer->data_bytes / GIB);
    write_text(writer, ", \"runs\": %zu, \"targets\": [", answer->runs);
    for (size_t i = 0; i < answer->target_count; i++) {
        const struct target *target = &answer->targets[i];
        write_text(writer, "%s{\"metric\": ", i == 0 ? "" : ", ");
        write_json_text(writer, target->metric);
        write_text(writer, ", \"unit\": ");
        write_json_text(writer, target->unit);
        write_member(writer, target->at_most ? "at_most" : "at_least", target->limit);
        write_text(writer, "}");
    }
    write_text(writer, "],\n \"options\": [");
    for (size_t i = 0; i < answer->option_count; i++) {
        write_text(writer, i == 0 ? "" : ",\n  ");
        write_option(writer, answer, i);
    }
    write_text(writer, "]}\n");
}
