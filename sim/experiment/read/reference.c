#include "sim/experiment/read/schema.h"

#include "sim/experiment/read/quantity.h"
#include "sim/experiment/read/setting.h"

#include <string.h>

struct reference {
    const struct catalogue *catalogue;
    struct arena *arena;
    FILE *out;
};

/* A text in a cell of a Markdown table. */
static void print_cell(FILE *out, const char *text)
{
    for (const char *c = text; *c != '\0'; c++)
        fprintf(out, *c == '|' ? "\\%c" : "%c", *c == '\n' ? ' ' : *c);
}

static void print_type(const struct reference *reference, const struct parameter *row)
{
    FILE *out = reference->out;
    if (row->type <= PARAMETER_NUMBER) {
        const char *range = setting_range(reference->arena, row);
        fprintf(out, "%s, e.g. `%s`%s%s%s", quantity_noun(row->type) + 2, quantity_example(row->type),
                range[0] != '\0' ? "; " : "", range, row->may_be_unlimited ? "; or `unlimited`" : "");
    } else if (row->type == PARAMETER_CHOICE) {
        for (size_t i = 0; row->choices[i] != NULL; i++)
            fprintf(out, "%s`%s`", i > 0 ? ", " : "", row->choices[i]);
    } else {
        static const char *const names[] = {[PARAMETER_BOOLEAN] = "`true` or `false`",
                                            [PARAMETER_TEXT] = "text",
                                            [PARAMETER_TEXTS] = "list of texts",
                                            [PARAMETER_STORE] = "name of a store",
                                            [PARAMETER_HOSTS] = "name of a group of hosts"};
        fputs(names[row->type], out);
    }
}

static const struct catalogue_value *default_of(const struct reference *reference,
                                                const struct parameter_table *table,
                                                const struct parameter_table *top, const char *path,
                                                const char *name)
{
    const struct catalogue_value *value =
        catalogue_value(catalogue_defaults(reference->catalogue, top->name), path);
    return value != NULL ? value
                         : catalogue_value(catalogue_defaults(reference->catalogue, table->name), name);
}

static void print_rows(const struct reference *reference, const struct parameter_table *table,
                       const struct parameter_table *top, const char *prefix)
{
    FILE *out = reference->out;
    for (size_t i = 0; i < table->row_count; i++) {
        const struct parameter *row = &table->rows[i];
        const char *path = arena_format(reference->arena, "%s%s", prefix, row->name);
        if (row->type == PARAMETER_GROUP) {
            print_rows(reference, row->group, top, arena_format(reference->arena, "%s.", path));
            continue;
        }
        const struct catalogue_value *value = default_of(reference, table, top, path, row->name);
        fprintf(out, "| `%s` | ", path);
        print_cell(out, row->help != NULL ? row->help : "");
        fputs(" | ", out);
        print_type(reference, row);
        fputs(" | ", out);
        if (value != NULL) {
            print_cell(out, node_text(reference->arena, value->value));
            fprintf(out, " (%s)", value_status_name(value->status));
        } else {
            fputs(row->optional ? "not set" : "", out);
        }
        fputs(" |\n", out);
    }
}

static void print_table(const struct reference *reference, const char *heading,
                        const struct parameter_table *table)
{
    FILE *out = reference->out;
    fprintf(out, "\n## %s\n\n%s.\n", heading, table->help != NULL ? table->help : "");
    if (table->section != NULL)
        fprintf(
            out,
            "\n`%s: NAME` fills it from an entry of the catalogue's section `%s` (`vdisim catalogue %s`).\n",
            table->selector, table->section, table->section);
    fprintf(out, "\n| key | meaning | value | default |\n|---|---|---|---|\n");
    print_rows(reference, table, table, "");
}

void reference_print(const struct vocabulary *vocabulary, const struct catalogue *catalogue, FILE *out)
{
    const struct reference reference = {catalogue, catalogue->arena, out};
    fputs("# Experiment files: the keys\n\nMade from the parameter tables by `vdisim check --reference`. A "
          "key without a "
          "default is needed, unless a catalogue entry gives it.\n",
          out);
    for (size_t i = 0; vocabulary->stores[i] != NULL; i++)
        print_table(&reference,
                    arena_format(reference.arena, "stores.NAME, kind `%s`", vocabulary->stores[i]->name),
                    vocabulary->stores[i]->parameters);
    print_table(&reference, "hosts.NAME", vocabulary->hosts);
    print_table(&reference, "network", vocabulary->network);
    for (size_t i = 0; vocabulary->workloads[i] != NULL; i++)
        print_table(
            &reference,
            arena_format(reference.arena, "workloads.NAME, kind `%s`", vocabulary->workloads[i]->name),
            vocabulary->workloads[i]->parameters);
    print_table(&reference, "run", vocabulary->run);
}
