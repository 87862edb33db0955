#include "sim/experiment/read/schema.h"

#include "sim/experiment/read/quantity.h"
#include "sim/experiment/read/setting.h"

#include <string.h>

struct schema {
    const struct vocabulary *vocabulary;
    const struct catalogue *catalogue;
    FILE *out;
};

static void print_text(FILE *out, const char *text)
{
    fputc('"', out);
    for (const char *c = text; *c != '\0'; c++) {
        if (*c == '"' || *c == '\\')
            fputc('\\', out);
        if ((unsigned char)*c < 0x20)
            fprintf(out, "\\u%04x", (unsigned)(unsigned char)*c);
        else
            fputc(*c, out);
    }
    fputc('"', out);
}

static void print_member(const struct schema *schema, const char *name, const char *text)
{
    print_text(schema->out, name);
    fputs(": ", schema->out);
    print_text(schema->out, text);
}

static void print_quantity(const struct schema *schema, const struct parameter *row)
{
    FILE *out = schema->out;
    fprintf(out, ", \"examples\": [");
    print_text(out, quantity_example(row->type));
    fprintf(out, "], \"anyOf\": [{\"type\": \"string\", ");
    print_member(schema, "pattern", quantity_pattern(row->type));
    fprintf(out, "}");
    if (row->type == PARAMETER_COUNT)
        fprintf(out, ", {\"type\": \"integer\"}");
    else if (row->type == PARAMETER_NUMBER)
        fprintf(out, ", {\"type\": \"number\"}");
    else
        fprintf(out, ", {\"const\": 0}");
    if (row->may_be_unlimited)
        fprintf(out, ", {\"const\": \"unlimited\"}");
    fprintf(out, "]");
}

static void print_choices(const struct schema *schema, const struct parameter *row)
{
    fprintf(schema->out, ", \"enum\": [");
    for (size_t i = 0; row->choices[i] != NULL; i++) {
        fputs(i > 0 ? ", " : "", schema->out);
        print_text(schema->out, row->choices[i]);
    }
    fputc(']', schema->out);
}

static void print_leaf(const struct schema *schema, const struct parameter *row)
{
    fputc('{', schema->out);
    print_member(schema, "description", row->help != NULL ? row->help : "");
    if (row->type <= PARAMETER_NUMBER)
        print_quantity(schema, row);
    else if (row->type == PARAMETER_BOOLEAN)
        fputs(", \"enum\": [true, false, \"on\", \"off\", \"yes\", \"no\"]", schema->out);
    else if (row->type == PARAMETER_CHOICE)
        print_choices(schema, row);
    else if (row->type == PARAMETER_TEXTS)
        fputs(", \"type\": [\"array\", \"string\", \"number\", \"boolean\"]", schema->out);
    else
        fputs(", \"type\": [\"string\", \"number\", \"boolean\"]", schema->out);
    fputc('}', schema->out);
}

/* The names of a section's entries that fill this table. */
static void print_entries(const struct schema *schema, const struct parameter_table *table)
{
    const struct catalogue_section *section = catalogue_section(schema->catalogue, table->section);
    fputs("{\"type\": \"string\", \"examples\": [", schema->out);
    size_t printed = 0;
    for (size_t i = 0; section != NULL && i < section->count; i++) {
        if (section->entries[i]->table != table)
            continue;
        fputs(printed++ > 0 ? ", " : "", schema->out);
        print_text(schema->out, section->entries[i]->name);
    }
    fputs("]}", schema->out);
}

static void print_table(const struct schema *schema, const struct parameter_table *table,
                        const char *kind_key);

static void print_rows(const struct schema *schema, const struct parameter_table *table,
                       const char *separator)
{
    for (size_t i = 0; i < table->row_count; i++) {
        const struct parameter *row = &table->rows[i];
        fputs(separator, schema->out);
        separator = ", ";
        print_text(schema->out, row->name);
        fputs(": ", schema->out);
        if (row->type == PARAMETER_GROUP)
            print_table(schema, row->group, NULL);
        else
            print_leaf(schema, row);
    }
}

/* A map of the table's rows, or the bare name of an entry. `kind_key` is a further key, or NULL. */
static void print_table(const struct schema *schema, const struct parameter_table *table,
                        const char *kind_key)
{
    FILE *out = schema->out;
    bool has_entries = table->section != NULL && table->selector != NULL;
    fputc('{', out);
    print_member(schema, "description", table->help != NULL ? table->help : "");
    fprintf(out, ", \"anyOf\": [{\"type\": \"null\"}, ");
    if (has_entries) {
        print_entries(schema, table);
        fputs(", ", out);
    }
    fputs("{\"type\": \"object\", \"additionalProperties\": false, \"properties\": {", out);
    const char *separator = "";
    if (kind_key != NULL) {
        print_text(out, kind_key);
        fputs(": {\"type\": \"string\"}", out);
        separator = ", ";
    }
    if (has_entries) {
        fputs(separator, out);
        print_text(out, table->selector);
        fputs(": ", out);
        print_entries(schema, table);
        fputs(", \"rules\": {\"type\": \"string\", \"description\": \"A date, 2021-01, or the name of dated "
              "rules\"}",
              out);
        separator = ", ";
    }
    print_rows(schema, table, separator);
    fprintf(out, "}}]}\n");
}

/* Any of the kinds' tables. */
static void print_stores(const struct schema *schema)
{
    fputs("{\"type\": \"object\", \"additionalProperties\": {\"anyOf\": [", schema->out);
    for (size_t i = 0; schema->vocabulary->stores[i] != NULL; i++) {
        fputs(i > 0 ? ", " : "", schema->out);
        print_table(schema, schema->vocabulary->stores[i]->parameters, "kind");
    }
    fputs("]}}", schema->out);
}

/* A workload named as its kind has that kind's table; others say their kind. */
static void print_workloads(const struct schema *schema)
{
    fputs("{\"type\": \"object\", \"properties\": {", schema->out);
    for (size_t i = 0; schema->vocabulary->workloads[i] != NULL; i++) {
        fputs(i > 0 ? ", " : "", schema->out);
        print_text(schema->out, schema->vocabulary->workloads[i]->name);
        fputs(": {\"anyOf\": [{\"type\": \"object\", \"required\": [\"kind\"]}, ", schema->out);
        print_table(schema, schema->vocabulary->workloads[i]->parameters, "kind");
        fputs("]}", schema->out);
    }
    fputs("}, \"additionalProperties\": {\"anyOf\": [", schema->out);
    for (size_t i = 0; schema->vocabulary->workloads[i] != NULL; i++) {
        fputs(i > 0 ? ", " : "", schema->out);
        print_table(schema, schema->vocabulary->workloads[i]->parameters, "kind");
    }
    fputs("]}}", schema->out);
}

/* Lists by setting; beside them what makes axes of several settings, and what leaves cells out. */
static void print_vary(FILE *out)
{
    static const char lists[] = "{\"type\": \"object\", \"minProperties\": 1, \"additionalProperties\": "
                                "{\"type\": \"array\", \"minItems\": 1}}";
    fputs("{\"type\": [\"object\", \"null\"], \"properties\": {", out);
    fputs(
        "\"table\": {\"description\": \"A CSV file: its header names settings, a row is an item\", \"type\": "
        "\"string\"},\n",
        out);
    fprintf(out,
            "\"lockstep\": {\"description\": \"Settings that change together: lists of the same length\", "
            "\"anyOf\": [%s, {\"type\": \"array\", \"minItems\": 1, \"items\": %s}]},\n",
            lists, lists);
    fputs(
        "\"where\": {\"description\": \"Leaves combinations out, e.g. users <= 1000 or tier = premium; of a "
        "list all must hold\", \"anyOf\": [{\"type\": \"string\"}, {\"type\": \"array\", \"items\": "
        "{\"type\": \"string\"}}]},\n",
        out);
    fputs(
        "\"sample\": {\"description\": \"A design for many inputs: a point an item\", \"type\": \"object\", "
        "\"additionalProperties\": false, \"required\": [\"points\", \"inputs\"], \"properties\": {"
        "\"design\": {\"enum\": [\"latin-hypercube\", \"random\"]}, \"points\": {\"type\": [\"integer\", "
        "\"string\"]}, \"seed\": {\"type\": [\"integer\", \"string\"]}, ",
        out);
    fputs("\"inputs\": {\"type\": \"object\", \"minProperties\": 1, \"additionalProperties\": {\"anyOf\": ["
          "{\"type\": \"array\", \"minItems\": 1}, {\"type\": \"object\", \"required\": [\"from\", \"to\"], "
          "\"additionalProperties\": false, \"properties\": {\"from\": {}, \"to\": {}, \"step\": {}, "
          "\"scale\": {\"enum\": [\"linear\", \"log\"]}}}]}}}}",
          out);
    fputs("}, \"additionalProperties\": {\"type\": \"array\", \"minItems\": 1}}", out);
}

static void print_expect(const struct schema *schema)
{
    static const char *const keys[] = {"metric", "where", "published", "within", "between", "below",
                                       "above",  "table", "value",     "match",  "rows",    "source"};
    fputs("{\"type\": \"array\", \"items\": {\"type\": \"object\", \"required\": [\"metric\"], "
          "\"additionalProperties\": false, \"properties\": {",
          schema->out);
    for (size_t i = 0; i < sizeof keys / sizeof keys[0]; i++)
        fprintf(schema->out, "%s\"%s\": {}", i > 0 ? ", " : "", keys[i]);
    fputs("}}}", schema->out);
}

void schema_print(const struct vocabulary *vocabulary, const struct catalogue *catalogue, FILE *out)
{
    const struct schema schema = {vocabulary, catalogue, out};
    fputs("{\n\"$schema\": \"http://json-schema.org/draft-07/schema#\",\n\"title\": \"vdisim experiment\",\n"
          "\"type\": \"object\",\n\"additionalProperties\": false,\n\"required\": [\"experiment\", "
          "\"workloads\"],\n"
          "\"properties\": {\n\"experiment\": {\"description\": \"The name of the experiment\", \"type\": "
          "\"string\", "
          "\"pattern\": \"^[a-z0-9-]+$\"},\n"
          "\"title\": {\"type\": \"string\"},\n\"question\": {\"type\": \"string\"},\n\"answer\": {\"type\": "
          "\"string\"},\n"
          "\"prices\": {\"description\": \"Price lists, CSV files beside the experiment\", \"oneOf\": "
          "[{\"type\": \"string\"}, {\"type\": \"array\", \"items\": {\"type\": \"string\"}}]},\n"
          "\"stores\": ",
          out);
    print_stores(&schema);
    fputs(",\n\"hosts\": {\"type\": \"object\", \"additionalProperties\": ", out);
    print_table(&schema, vocabulary->hosts, NULL);
    fputs("},\n\"network\": ", out);
    print_table(&schema, vocabulary->network, NULL);
    fputs(",\n\"workloads\": ", out);
    print_workloads(&schema);
    fputs(",\n\"vary\": ", out);
    print_vary(out);
    fputs(",\n\"run\": ", out);
    print_table(&schema, vocabulary->run, NULL);
    fputs(",\n\"expect\": ", out);
    print_expect(&schema);
    fputs("\n}\n}\n", out);
}
