#include "sim/experiment/size/fluid_print.h"

#include "sim/experiment/result/label.h"

#include <math.h>
#include <stdio.h>

static void number_cell(struct text_table *table, double value, int decimals)
{
    char label[LABEL_SIZE];
    number_label(label, value, decimals);
    text_table_cell(table, label);
}

static int decimals_of(double value)
{
    return fabs(value) >= 100.0 ? 0 : fabs(value) >= 10.0 ? 1 : 2;
}

static void add_limit(struct text_table *table, const struct fluid_limit *limit)
{
    text_table_cell(table, limit->name);
    number_cell(table, limit->mean, decimals_of(limit->mean));
    number_cell(table, limit->peak, decimals_of(limit->peak));
    number_cell(table, limit->rate, 0);
    text_table_cell(table, limit->unit);
    number_cell(table, 100.0 * fluid_utilisation(limit), 1);
    number_cell(table, limit->held_s / 60.0, 1);
}

static bool print_limits(const struct fluid_answer *answer, struct writer *writer,
                         const struct text_style *style)
{
    struct text_table *table = text_table_create();
    if (table == NULL)
        return false;
    static const char *const headings[][HEADING_LINES] = {
        {"", "", "limit"},
        {"", "asked for", "mean"},
        {"", "asked for", "busiest minute"},
        {"", "", "lets through"},
        {"", "", ""},
        {"", "", "used, %"},
        {"", "binds for", "minutes"},
    };
    for (size_t i = 0; i < sizeof headings / sizeof headings[0]; i++)
        text_table_column(table, headings[i], i != 0 && i != 4);
    for (int kind = 0; kind < FLUID_LIMIT_COUNT; kind++)
        if (isfinite(answer->limits[kind].rate))
            add_limit(table, &answer->limits[kind]);
    const bool fine = text_table_print(table, writer, style);
    text_table_destroy(table);
    return fine;
}

static void print_alone(const struct logon_demand *demand, struct writer *writer)
{
    write_text(writer, "One user of %s alone: %.2f s, %.0f requests, %.2f MiB read and %.2f MiB written;",
               demand->name, demand->load_s, demand->requests, demand->load.egress_bytes / 1048576.0,
               demand->load.ingress_bytes / 1048576.0);
    for (int cause = 0, first = 1; cause < CAUSE_COUNT; cause++)
        if (demand->causes_s[cause] >= 0.02 * demand->load_s) {
            write_text(writer, "%s %s %.0f %%", first ? "" : ",", wait_cause_name((enum wait_cause)cause),
                       100.0 * demand->causes_s[cause] / demand->load_s);
            first = 0;
        }
    write_text(writer, ".\n");
}

static void print_credits(const struct fluid_answer *answer, struct writer *writer)
{
    if (answer->credits <= 0.0)
        return;
    char all[LABEL_SIZE], least[LABEL_SIZE], base[LABEL_SIZE];
    number_label(all, answer->credits, 0);
    number_label(least, answer->credits_min, 0);
    number_label(base, answer->base_iops, 0);
    write_text(writer, "Burst credits: %s at most, %s at the least", all, least);
    if (!isnan(answer->credits_gone_s))
        write_text(writer, ", gone after %.0f minutes, then %s IOPS", answer->credits_gone_s / 60.0, base);
    write_text(writer, ".\n");
}

static void print_loads(const struct fluid_answer *answer, struct writer *writer)
{
    for (size_t i = 0; i < answer->metric_count; i++) {
        const char *name = answer->metrics[i].name;
        const size_t prefix = workload_prefix(name);
        if (!is_headline(name))
            continue;
        char p95[128], most[128];
        snprintf(p95, sizeof p95, "%.*sprofile_load.p95", (int)prefix, name);
        snprintf(most, sizeof most, "%.*sprofile_load.max", (int)prefix, name);
        const double at_95 = fluid_metric(answer, p95), at_most = fluid_metric(answer, most);
        write_text(writer, "A logon%s%.*s takes about %.1f s in the mean", prefix > 0 ? " of " : "",
                   prefix > 0 ? (int)prefix - 1 : 0, name, answer->metrics[i].value);
        if (!isnan(at_95))
            write_text(writer, ", %.1f s for the slowest 5 %%", at_95);
        if (!isnan(at_most))
            write_text(writer, ", %.1f s at most", at_most);
        write_text(writer, ".\n");
    }
    if (answer->unfinished > 0.01 * answer->users)
        write_text(writer, "%.0f of %.0f logons are not done when the run ends.\n", answer->unfinished,
                   answer->users);
}

static void print_binding(const struct fluid_answer *answer, struct writer *writer)
{
    const struct fluid_limit *most = NULL, *tightest = fluid_tightest(answer);
    for (int kind = 0; kind < FLUID_LIMIT_COUNT; kind++)
        if (answer->limits[kind].held_s > 0.0 && (most == NULL || answer->limits[kind].held_s > most->held_s))
            most = &answer->limits[kind];
    if (most != NULL)
        write_text(writer, "What binds: %s, for %.0f minutes, first after %.0f.\n", most->name,
                   most->held_s / 60.0, most->first_held_s / 60.0);
    else if (fluid_utilisation(tightest) > 0.0)
        write_text(writer, "Nothing binds; the nearest is %s, used to %.0f %% in its busiest minute.\n",
                   tightest->name, 100.0 * fluid_utilisation(tightest));
    else
        write_text(writer, "Nothing binds that this knows of.\n");
}

bool fluid_print(const struct logons_of_store *logons, const struct fluid_answer *answer, const char *cell,
                 struct writer *writer, const struct text_style *style)
{
    if (cell[0] != '\0') {
        write_user_text(writer, cell, style);
        write_text(writer, "\n");
    }
    print_loads(answer, writer);
    print_binding(answer, writer);
    print_credits(answer, writer);
    for (size_t i = 0; i < logons->count; i++)
        print_alone(&logons->demands[i], writer);
    write_text(writer, "\n");
    if (!print_limits(answer, writer, style))
        return false;
    for (size_t i = 0; i < answer->doubt_count; i++)
        write_text(writer, "%s%s.\n", i == 0 ? "\nBelieve it less because\n  " : "  ", answer->doubts[i]);
    return true;
}

/* -- for programs -- */

static void write_member(struct writer *writer, const char *name, double value)
{
    write_text(writer, ", \"%s\": ", name);
    write_json_number(writer, value);
}

static void write_demand(struct writer *writer, const struct logon_demand *demand)
{
    write_text(writer, "{\"workload\": ");
    write_json_text(writer, demand->name);
    write_member(writer, "load", demand->load_s);
    write_member(writer, "requests", demand->requests);
    write_member(writer, "operations", demand_operations(&demand->load));
    write_member(writer, "egress", demand->load.egress_bytes / 1048576.0);
    write_member(writer, "ingress", demand->load.ingress_bytes / 1048576.0);
    write_text(writer, ", \"causes\": {");
    for (int cause = 0; cause < CAUSE_COUNT; cause++) {
        write_text(writer, "%s\"%s\": ", cause == 0 ? "" : ", ", wait_cause_name((enum wait_cause)cause));
        write_json_number(writer, demand->causes_s[cause]);
    }
    write_text(writer, "}}");
}

static void write_limit(struct writer *writer, const struct fluid_limit *limit)
{
    write_text(writer, "{\"limit\": ");
    write_json_text(writer, limit->name);
    write_text(writer, ", \"unit\": ");
    write_json_text(writer, limit->unit);
    write_member(writer, "rate", limit->rate);
    write_member(writer, "mean", limit->mean);
    write_member(writer, "peak", limit->peak);
    write_member(writer, "utilisation", fluid_utilisation(limit));
    write_member(writer, "peak_minute", limit->peak_minute);
    write_member(writer, "held", limit->held_s);
    write_member(writer, "first_held", limit->first_held_s);
    write_text(writer, "}");
}

static void write_metrics(struct writer *writer, const struct fluid_answer *answer)
{
    write_text(writer, ",\n \"metrics\": {");
    for (size_t i = 0; i < answer->metric_count; i++) {
        write_text(writer, i == 0 ? "" : ", ");
        write_json_text(writer, answer->metrics[i].name);
        write_text(writer, ": {\"unit\": ");
        write_json_text(writer, answer->metrics[i].unit);
        write_member(writer, "value", answer->metrics[i].value);
        write_text(writer, "}");
    }
    write_text(writer, "}");
}

void fluid_print_json(const struct logons_of_store *logons, const struct fluid_answer *answer,
                      struct writer *writer)
{
    const struct cell *cell = experiment_cell(logons->experiment, logons->cell);
    write_text(writer, "{\"cell\": {");
    for (size_t i = 0; i < cell->assignment_count; i++) {
        write_text(writer, i == 0 ? "" : ", ");
        write_json_text(writer, cell->assignments[i].key);
        write_text(writer, ": ");
        write_json_text(writer, cell->assignments[i].value);
    }
    write_text(writer, "}, \"store\": ");
    write_json_text(writer, logons->store);
    write_metrics(writer, answer);
    write_text(writer, ",\n \"demand\": [");
    for (size_t i = 0; i < logons->count; i++) {
        write_text(writer, i == 0 ? "" : ", ");
        write_demand(writer, &logons->demands[i]);
    }
    write_text(writer, "],\n \"limits\": [");
    for (int kind = 0; kind < FLUID_LIMIT_COUNT; kind++) {
        write_text(writer, kind == 0 ? "" : ",\n  ");
        write_limit(writer, &answer->limits[kind]);
    }
    write_text(writer, "],\n \"credits\": {\"all\": ");
    write_json_number(writer, answer->credits);
    write_member(writer, "least", answer->credits_min);
    write_member(writer, "gone", answer->credits_gone_s);
    write_text(writer, "}, \"unfinished\": ");
    write_json_number(writer, answer->unfinished);
    write_text(writer, ", \"binds\": ");
    write_json_text(writer, fluid_tightest(answer)->name);
    write_text(writer, ", \"doubts\": [");
    for (size_t i = 0; i < answer->doubt_count; i++) {
        write_text(writer, i == 0 ? "" : ", ");
        write_json_text(writer, answer->doubts[i]);
    }
    write_text(writer, "]}");
}
