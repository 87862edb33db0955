/* A store of some size and date: its limits, their formulas, and what to be warned of. */
#include "sim/command/catalogue_print.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* "10 h 31 min", "47 s": a time for people. */
static void duration_text(double seconds, char text[48])
{
    const long whole = lround(seconds), minutes = (whole + 30) / 60;
    if (whole < 120)
        snprintf(text, 48, "%.4g s", seconds);
    else if (whole < 7200 && whole % 60 == 0)
        snprintf(text, 48, "%ld min", whole / 60);
    else if (whole < 7200)
        snprintf(text, 48, "%ld min %ld s", whole / 60, whole % 60);
    else if (minutes % 60 == 0)
        snprintf(text, 48, "%ld h", minutes / 60);
    else
        snprintf(text, 48, "%ld h %ld min", minutes / 60, minutes % 60);
}

/* As many digits as people read: whole numbers from 1,000 on. */
static double for_people(double value)
{
    return fabs(value) >= 1000.0 ? round(value) : value;
}

static void print_limit(struct writer *writer, const struct entitlement_row *row)
{
    char value[48];
    if (strcmp(row->unit, "s") == 0 && !isinf(row->value))
        duration_text(row->value, value);
    else {
        char number[32];
        const char *unit = isinf(row->value) ? "" : row->unit;
        snprintf(value, sizeof value, "%s%s%s", entitlement_number(for_people(row->value), number),
                 unit[0] != '\0' ? " " : "", unit);
    }
    write_text(writer, "  ");
    print_padded(writer, row->label, 38);
    if (row->formula[0] != '\0')
        write_text(writer, " %20s   %s\n", value, row->formula);
    else
        write_text(writer, " %20s\n", value);
}

static void warn_of(void *context, const struct catalogue_contradiction *contradiction)
{
    write_text(context, "\nSources disagree about %s. %s says %s. Used here: %s.\n", contradiction->about,
               contradiction->source, contradiction->says, contradiction->used);
}

static bool is_uncertain(const struct setting *setting)
{
    const struct origin *origin = &setting->origin;
    return setting->row != NULL && (origin->kind == ORIGIN_ENTRY || origin->kind == ORIGIN_DEFAULT) &&
           (origin->status == STATUS_ASSUMED || origin->status == STATUS_CALIBRATED);
}

static void print_uncertain(const struct stated_store *stated, struct writer *writer)
{
    size_t count = 0;
    for (size_t i = 0; i < stated->block->count; i++)
        count += is_uncertain(&stated->block->list[i]);
    if (count > 0)
        write_text(writer,
                   "\n%zu of its %zu values are assumed or calibrated; vdisim catalogue tiers %s shows those "
                   "of the tier.\n",
                   count, stated->block->count, stated->entry->name);
}

static void print_text(const struct stated_store *stated, struct writer *writer)
{
    const struct catalogue_rules *rules = stated->rules;
    write_text(writer, "%s%s%s\n", stated->entry->name, stated->entry->title[0] != '\0' ? ": " : "",
               stated->entry->title);
    char gib[32];
    if (stated->size_bytes > 0)
        write_text(writer, "%s GiB%s", entitlement_number((double)stated->size_bytes / 1073741824.0, gib),
                   rules != NULL ? ", " : "\n");
    if (rules != NULL)
        write_text(writer, "rules %s, from %s%s%s\n", rules->name, rules->from,
                   rules->title[0] != '\0' ? ": " : "", rules->title);
    write_text(writer, "\n");
    for (size_t i = 0; i < stated->entitlement.count; i++)
        print_limit(writer, &stated->entitlement.rows[i]);
    if (stated->entitlement.count == 0)
        write_text(writer, "  Nothing limits a %s but its own speed.\n", stated->kind->name);
    stated_store_contradictions(stated, warn_of, writer);
    print_uncertain(stated, writer);
}

struct json_list {
    struct writer *writer;
    bool is_begun;
};

static void json_begin_item(struct json_list *list)
{
    write_text(list->writer, "%s", list->is_begun ? ",\n  {" : "\n  {");
    list->is_begun = true;
}

static void json_contradiction(void *context, const struct catalogue_contradiction *contradiction)
{
    struct json_list *list = context;
    json_begin_item(list);
    write_text(list->writer, "\"about\": ");
    write_json_text(list->writer, contradiction->about);
    write_text(list->writer, ", \"says\": ");
    write_json_text(list->writer, contradiction->says);
    write_text(list->writer, ", \"source\": ");
    write_json_text(list->writer, contradiction->source);
    write_text(list->writer, ", \"used\": ");
    write_json_text(list->writer, contradiction->used);
    write_text(list->writer, "}");
}

static void json_limits(const struct entitlement *entitlement, struct writer *writer)
{
    struct json_list list = {.writer = writer};
    for (size_t i = 0; i < entitlement->count; i++) {
        const struct entitlement_row *row = &entitlement->rows[i];
        json_begin_item(&list);
        write_text(writer, "\"name\": \"%s\", \"label\": \"%s\", \"unit\": \"%s\", \"value\": ", row->name,
                   row->label, row->unit);
        write_json_number(writer, row->value);
        write_text(writer, ", \"formula\": ");
        write_json_text(writer, row->formula);
        write_text(writer, "}");
    }
}

static void json_uncertain(const struct stated_store *stated, struct writer *writer)
{
    struct json_list list = {.writer = writer};
    for (size_t i = 0; i < stated->block->count; i++) {
        const struct setting *setting = &stated->block->list[i];
        if (!is_uncertain(setting))
            continue;
        json_begin_item(&list);
        write_text(writer, "\"key\": ");
        write_json_text(writer, setting->path);
        write_text(writer, ", \"value\": ");
        write_json_text(writer, setting->written);
        write_text(writer, ", \"status\": \"%s\"}", value_status_name(setting->origin.status));
    }
}

static void print_json(const struct stated_store *stated, struct writer *writer)
{
    const struct catalogue_rules *rules = stated->rules;
    write_text(writer, "{\"entry\": ");
    write_json_text(writer, stated->entry->name);
    write_text(writer, ", \"title\": ");
    write_json_text(writer, stated->entry->title);
    write_text(writer, ", \"kind\": \"%s\", \"size_bytes\": %lld,\n \"rules\": ", stated->kind->name,
               (long long)stated->size_bytes);
    if (rules != NULL) {
        write_text(writer, "{\"name\": ");
        write_json_text(writer, rules->name);
        write_text(writer, ", \"from\": ");
        write_json_text(writer, rules->from);
        write_text(writer, ", \"title\": ");
        write_json_text(writer, rules->title);
        write_text(writer, "}");
    } else {
        write_text(writer, "null");
    }
    write_text(writer, ",\n \"limits\": [");
    json_limits(&stated->entitlement, writer);
    write_text(writer, "],\n \"contradictions\": [");
    stated_store_contradictions(stated, json_contradiction, &(struct json_list){.writer = writer});
    write_text(writer, "],\n \"uncertain\": [");
    json_uncertain(stated, writer);
    write_text(writer, "]}\n");
}

void print_stated_store(const struct stated_store *stated, struct writer *writer, bool json)
{
    if (json)
        print_json(stated, writer);
    else
        print_text(stated, writer);
}
