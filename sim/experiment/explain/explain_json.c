/* An explanation for programs. */
#include "sim/experiment/explain/explain.h"

#include <inttypes.h>
#include <math.h>

static void print_number(struct writer *writer, const char *name, double value)
{
    write_text(writer, ", \"%s\": ", name);
    write_json_number(writer, value);
}

static void print_text(struct writer *writer, const char *name, const char *text)
{
    write_text(writer, ", \"%s\": ", name);
    write_json_text(writer, text);
}

static void print_values(const struct explanation *it, const struct explain_cell *cell, struct writer *writer)
{
    const struct cell *of = experiment_cell(it->experiment, cell->number);
    write_text(writer, "{\"number\": %zu, \"cell\": {", cell->number + 1);
    for (size_t i = 0; i < of->assignment_count; i++) {
        write_text(writer, i == 0 ? "" : ", ");
        write_json_text(writer, of->assignments[i].key);
        write_text(writer, ": ");
        write_json_text(writer, of->assignments[i].value);
    }
    write_text(writer, "}");
}

static void print_time(const struct explain_time *time, struct writer *writer)
{
    write_text(writer, ", \"time\": {\"mean\": ");
    write_json_number(writer, time->mean);
    print_number(writer, "median", time->median);
    print_number(writer, "p95", time->p95);
    print_number(writer, "over_30_s", time->over_30_s);
    write_text(writer,
               ", \"count\": %zu, \"unfinished\": %zu, \"median_is_bound\": %s, \"p95_is_bound\": %s}",
               time->count, time->unfinished, time->median_is_bound ? "true" : "false",
               time->p95_is_bound ? "true" : "false");
}

static void print_part(const struct explain_part *part, bool first, struct writer *writer)
{
    write_text(writer, "%s\n  {\"cause\": ", first ? "" : ",");
    write_json_text(writer, part->name);
    print_text(writer, "words", part->words);
    print_number(writer, "s", part->s);
    print_number(writer, "share", part->share);
    write_text(writer, ", \"ns\": %" PRId64 ", \"phases_ns\": {", part->ns);
    const char *separator = "";
    for (size_t phase = 0; phase < PHASE_COUNT; phase++) {
        if (part->phase_ns[phase] == 0)
            continue;
        write_text(writer, "%s\"%s\": %" PRId64, separator, logon_phase_name((enum logon_phase)phase),
                   part->phase_ns[phase]);
        separator = ", ";
    }
    write_text(writer, "}}");
}

static void print_spells(const struct explanation *it, const struct explain_cell *cell, struct writer *writer)
{
    write_text(writer, ",\n \"time_line\": [");
    for (size_t i = 0; i < cell->spell_count; i++) {
        const struct explain_spell *spell = &cell->spells[i];
        write_text(writer, "%s\n  {\"store\": ", i == 0 ? "" : ",");
        write_json_text(writer, it->result->store_names[spell->store]);
        write_text(writer, ", \"from_minute\": %zu, \"to_minute\": %zu", spell->from_minute + 1,
                   spell->to_minute + 1);
        print_text(writer, "bound", response_type_name(spell->bound));
        print_number(writer, "throttled", spell->throttled);
        print_number(writer, "iops", spell->iops);
        print_number(writer, "egress", spell->egress);
        print_number(writer, "ingress", spell->ingress);
        print_number(writer, "server_latency", spell->server_ms);
        print_number(writer, "e2e_latency", spell->e2e_ms);
        print_number(writer, "burst_credits_min", spell->credits_least);
        write_text(writer, "}");
    }
    write_text(writer, "]");
}

static void print_credits(const struct explanation *it, const struct explain_cell *cell,
                          struct writer *writer)
{
    write_text(writer, ",\n \"burst_credits\": [");
    for (size_t i = 0; i < cell->credits_count; i++) {
        const struct explain_credits *credits = &cell->credits[i];
        write_text(writer, "%s\n  {\"store\": ", i == 0 ? "" : ",");
        write_json_text(writer, it->result->store_names[credits->store]);
        print_number(writer, "full", credits->full);
        print_number(writer, "base_iops", credits->base_iops);
        print_number(writer, "burst_iops", credits->burst_iops);
        print_number(writer, "min", credits->least);
        print_number(writer, "last", credits->last);
        print_number(writer, "present_iops", credits->present_iops);
        print_number(writer, "ran_out_minute",
                     credits->ran_out_minute < 0 ? (double)NAN : (double)credits->ran_out_minute + 1);
        print_number(writer, "empty_after_s", credits->empty_after_s);
        print_number(writer, "full_after_s", credits->full_after_s);
        print_number(writer, "full_after_idle_s", credits->full_after_idle_s);
        write_text(writer, "}");
    }
    write_text(writer, "]");
}

static void print_changes(const struct explanation *it, struct writer *writer)
{
    write_text(writer, ",\n \"instead\": [");
    for (size_t i = 0; i < it->change_count; i++) {
        const struct explain_change *change = &it->changes[i];
        write_text(writer, "%s\n  {\"name\": ", i == 0 ? "" : ",");
        write_json_text(writer, change->name);
        print_text(writer, "words", change->words);
        write_text(writer, ", \"set\": {");
        for (size_t k = 0; k < change->value_count; k++) {
            write_text(writer, k == 0 ? "" : ", ");
            write_json_text(writer, change->values[k].key);
            write_text(writer, ": ");
            write_json_text(writer, change->values[k].value);
        }
        write_text(writer, "}");
        print_number(writer, "charged", change->expected);
        print_number(writer, "saved", change->saved);
        write_text(writer, ", \"saved_is_bound\": %s", change->saved_is_bound ? "true" : "false");
        print_number(writer, "carried", change->carried);
        print_text(writer, "then", change->then);
        if (change->why_not != NULL)
            print_text(writer, "why_not", change->why_not);
        else
            print_time(&change->time, writer);
        write_text(writer, "}");
    }
    write_text(writer, "],\n \"not_tried\": %zu", it->left_out);
}

static void print_thresholds(const struct explain_cell *cell, struct writer *writer)
{
    write_text(writer, ",\n \"thresholds\": [");
    for (size_t i = 0; i < cell->threshold_count; i++) {
        const struct explain_threshold *threshold = &cell->thresholds[i];
        write_text(writer, "%s\n  {\"words\": ", i == 0 ? "" : ",");
        write_json_text(writer, threshold->words);
        print_number(writer, "value", threshold->value);
        print_number(writer, "measured", threshold->measured);
        print_text(writer, "unit", threshold->unit);
        write_text(writer, ", \"exceeded\": %s", threshold->exceeded ? "true" : "false");
        print_text(writer, "source", threshold->source);
        write_text(writer, "}");
    }
    write_text(writer, "]");
}

static void print_assumptions(const struct explanation *it, struct writer *writer)
{
    size_t count;
    const struct assumption *assumptions = experiment_assumptions(it->described, &count);
    write_text(writer, ",\n \"assumptions\": [");
    for (size_t i = 0; i < count; i++) {
        write_text(writer, "%s\n  {\"parameter\": ", i == 0 ? "" : ",");
        write_json_text(writer, assumptions[i].parameter);
        print_text(writer, "value", assumptions[i].value);
        print_text(writer, "status", assumptions[i].status);
        print_text(writer, "source", assumptions[i].source);
        write_text(writer, "}");
    }
    write_text(writer, "]");
}

void explanation_print_json(const struct explanation *it, struct writer *writer)
{
    static const char *const subjects[] = {"logon", "boot", "job", "throughput", "requests"};
    const struct explain_cell *chosen = &it->cells[it->chosen];
    write_text(writer, "{\"experiment\": ");
    write_json_text(writer, experiment_name(it->experiment));
    print_text(writer, "version", VDISIM_VERSION);
    write_text(writer, ", \"seed\": %" PRId64 ",\n \"cells\": [", experiment_run(it->experiment)->seed);
    for (size_t i = 0; i < it->cell_count; i++) {
        write_text(writer, i == 0 ? "\n  " : ",\n  ");
        print_values(it, &it->cells[i], writer);
        print_text(writer, "sentence", it->cells[i].sentence);
        print_time(&it->cells[i].time, writer);
        write_text(writer, "}");
    }
    write_text(writer, "],\n \"explained\": %zu", chosen->number + 1);
    print_text(writer, "subject", subjects[chosen->subject]);
    print_text(writer, "unit", chosen->subject == SUBJECT_THROUGHPUT ? "MiB/s" : "s");
    print_text(writer, "sentence", chosen->sentence);
    print_time(&chosen->time, writer);
    print_number(writer, "requests", chosen->requests);
    write_text(writer, ", \"total_ns\": %" PRId64 ",\n \"parts\": [", chosen->total_ns);
    for (size_t i = 0; i < chosen->part_count; i++)
        print_part(&chosen->parts[i], i == 0, writer);
    write_text(writer, "]");
    print_spells(it, chosen, writer);
    print_credits(it, chosen, writer);
    print_changes(it, writer);
    print_thresholds(chosen, writer);
    print_assumptions(it, writer);
    write_text(writer, "}\n");
}
