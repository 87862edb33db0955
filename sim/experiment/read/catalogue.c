#include "sim/experiment/read/catalogue.h"

#include "sim/experiment/read/date.h"
#include "sim/experiment/read/document.h"
#include "sim/experiment/read/suggest.h"

#include <stdio.h>
#include <string.h>

const char *value_status_name(enum value_status status)
{
    static const char *const names[] = {"published", "derived", "calibrated", "assumed"};
    return names[status];
}

struct catalogue *catalogue_create(struct arena *arena, const struct vocabulary *vocabulary)
{
    struct catalogue *catalogue = ARENA_NEW(arena, struct catalogue);
    catalogue->arena = arena;
    catalogue->vocabulary = vocabulary;
    return catalogue;
}

void catalogue_add_embedded(struct catalogue *catalogue, const struct embedded_file *files,
                            struct problems *problems)
{
    size_t count = 0;
    while (files[count].name != NULL)
        count++;
    const struct node **roots = ARENA_ARRAY(catalogue->arena, const struct node *, count);
    for (size_t i = 0; i < count; i++) {
        const struct embedded_file *file = &files[i];
        const char *name = arena_format(catalogue->arena, "built-in %s", file->name);
        problems_show_source(problems, name, file->text, file->length);
        roots[i] = document_parse(catalogue->arena, name, file->text, file->length, problems);
        if (roots[i] != NULL)
            catalogue_add_sources(catalogue, roots[i], problems);
    }
    for (size_t i = 0; i < count; i++)
        if (roots[i] != NULL)
            catalogue_add(catalogue, roots[i], problems);
}

const struct catalogue_section *catalogue_section(const struct catalogue *catalogue, const char *name)
{
    for (size_t i = 0; i < catalogue->section_count; i++)
        if (strcmp(catalogue->sections[i].name, name) == 0)
            return &catalogue->sections[i];
    return NULL;
}

const struct catalogue_entry *catalogue_entry(const struct catalogue *catalogue, const char *section,
                                              const char *name)
{
    const struct catalogue_section *found = catalogue_section(catalogue, section);
    for (size_t i = 0; found != NULL && i < found->count; i++)
        if (strcmp(found->entries[i]->name, name) == 0)
            return found->entries[i];
    return NULL;
}

const struct catalogue_values *catalogue_defaults(const struct catalogue *catalogue, const char *table)
{
    for (size_t i = 0; i < catalogue->defaults_count; i++)
        if (strcmp(catalogue->defaults[i].table, table) == 0)
            return &catalogue->defaults[i].values;
    return NULL;
}

const struct catalogue_value *catalogue_value(const struct catalogue_values *values, const char *key)
{
    for (size_t i = 0; values != NULL && i < values->count; i++)
        if (strcmp(values->list[i].key, key) == 0)
            return &values->list[i];
    return NULL;
}

/* "2020-07" begins on the first day as `from` and ends on the last as what is asked for; text order is date
 * order. */
static bool is_not_later(const char *from, const char *asked)
{
    char padded[16];
    snprintf(padded, sizeof padded, "%.10s%s", asked, strlen(asked) == 7 ? "-99" : "");
    return strcmp(from, padded) <= 0;
}

const struct catalogue_rules *catalogue_rules(const struct catalogue_entry *entry, const char *asked,
                                              char *message, size_t message_size)
{
    const struct catalogue_rules *found = NULL;
    message[0] = '\0';
    if (asked == NULL)
        return entry->rules_count > 0 ? &entry->rules[entry->rules_count - 1] : NULL;
    if (entry->rules_count == 0) {
        snprintf(message, message_size, "%s has no dated rules", entry->name);
        return NULL;
    }
    struct suggestion suggestion = {.written = asked};
    for (size_t i = 0; i < entry->rules_count; i++) {
        const struct catalogue_rules *rules = &entry->rules[i];
        if (strcmp(rules->name, asked) == 0)
            return rules;
        suggestion_offer(&suggestion, rules->name);
        if (is_month_or_day(asked) && is_not_later(rules->from, asked))
            found = rules;
    }
    if (found != NULL)
        return found;
    if (is_month_or_day(asked))
        snprintf(message, message_size, "the rules of %s begin with %s", entry->name, entry->rules[0].from);
    else
        snprintf(message, message_size,
                 "'%.60s' is neither a date (2021-01 or 2021-01-27) nor the name of rules of %s (%s from %s "
                 "... %s from %s)",
                 asked, entry->name, entry->rules[0].name, entry->rules[0].from,
                 entry->rules[entry->rules_count - 1].name, entry->rules[entry->rules_count - 1].from);
    return NULL;
}
