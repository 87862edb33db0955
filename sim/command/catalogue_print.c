/* Sections and entries of the catalogue as text and as JSON. */
#include "sim/command/catalogue_print.h"

void print_padded(struct writer *writer, const char *text, int width)
{
    int used = 0;
    for (const char *c = text; *c != '\0'; c++)
        used += ((unsigned char)*c & 0xC0) != 0x80;
    write_text(writer, "%s%*s", text, used < width ? width - used : 0, "");
}

void print_values(struct arena *arena, const struct catalogue_values *values, const char *indent,
                  struct writer *writer)
{
    for (size_t i = 0; i < values->count; i++) {
        const struct catalogue_value *value = &values->list[i];
        write_text(writer, "%s", indent);
        print_padded(writer, value->key, 28);
        write_text(writer, " ");
        print_padded(writer, node_text(arena, value->value), 18);
        write_text(writer, " %-10s %s%s%s\n", value_status_name(value->status), value->source,
                   value->source[0] != '\0' && value->note[0] != '\0' ? "; " : "", value->note);
    }
}

static void print_contradictions(const struct catalogue_contradictions *contradictions, const char *indent,
                                 struct writer *writer)
{
    for (size_t i = 0; i < contradictions->count; i++) {
        const struct catalogue_contradiction *one = &contradictions->list[i];
        write_text(writer, "%s%s: %s says %s; used here: %s\n", indent, one->about, one->source, one->says,
                   one->used);
    }
}

static void print_entry_text(struct arena *arena, const struct catalogue_entry *entry, struct writer *writer)
{
    write_text(writer, "%s", entry->name);
    if (entry->title[0] != '\0')
        write_text(writer, ": %s", entry->title);
    if (entry->kind != NULL)
        write_text(writer, "\nkind %s", entry->kind);
    write_text(writer, "\n\n");
    print_values(arena, &entry->values, "  ", writer);
    if (entry->contradictions.count > 0)
        write_text(writer, "\nsources disagree\n");
    print_contradictions(&entry->contradictions, "  ", writer);
    for (size_t i = 0; i < entry->rules_count; i++) {
        const struct catalogue_rules *rules = &entry->rules[i];
        write_text(writer, "\nrules %s, from %s%s%s%s\n", rules->name, rules->from,
                   rules->title[0] != '\0' ? ": " : "", rules->title,
                   i + 1 == entry->rules_count ? " (these hold unless an experiment says rules: ...)" : "");
        print_values(arena, &rules->values, "  ", writer);
        if (rules->contradictions.count > 0)
            write_text(writer, "  sources disagree\n");
        print_contradictions(&rules->contradictions, "    ", writer);
    }
}

static void json_pair(struct writer *writer, const char *before, const char *key, const char *text)
{
    write_text(writer, "%s\"%s\": ", before, key);
    if (text != NULL)
        write_json_text(writer, text);
    else
        write_text(writer, "null");
}

static void json_values(struct arena *arena, const struct catalogue_values *values, struct writer *writer)
{
    write_text(writer, "[");
    for (size_t i = 0; i < values->count; i++) {
        const struct catalogue_value *value = &values->list[i];
        json_pair(writer, i > 0 ? ",\n  {" : "\n  {", "key", value->key);
        json_pair(writer, ", ", "value", node_text(arena, value->value));
        json_pair(writer, ", ", "status", value_status_name(value->status));
        json_pair(writer, ", ", "source", value->source);
        json_pair(writer, ", ", "note", value->note);
        write_text(writer, "}");
    }
    write_text(writer, "]");
}

static void json_contradictions(const struct catalogue_contradictions *contradictions, struct writer *writer)
{
    write_text(writer, "[");
    for (size_t i = 0; i < contradictions->count; i++) {
        const struct catalogue_contradiction *one = &contradictions->list[i];
        json_pair(writer, i > 0 ? ", {" : "{", "about", one->about);
        json_pair(writer, ", ", "says", one->says);
        json_pair(writer, ", ", "source", one->source);
        json_pair(writer, ", ", "used", one->used);
        write_text(writer, "}");
    }
    write_text(writer, "]");
}

static void print_entry_json(struct arena *arena, const struct catalogue_entry *entry, struct writer *writer)
{
    json_pair(writer, "{", "entry", entry->name);
    json_pair(writer, ", ", "title", entry->title);
    json_pair(writer, ", ", "kind", entry->kind);
    write_text(writer, ",\n \"values\": ");
    json_values(arena, &entry->values, writer);
    write_text(writer, ",\n \"contradictions\": ");
    json_contradictions(&entry->contradictions, writer);
    write_text(writer, ",\n \"rules\": [");
    for (size_t i = 0; i < entry->rules_count; i++) {
        const struct catalogue_rules *rules = &entry->rules[i];
        json_pair(writer, i > 0 ? ",\n {" : "\n {", "name", rules->name);
        json_pair(writer, ", ", "from", rules->from);
        json_pair(writer, ", ", "title", rules->title);
        write_text(writer, ", \"values\": ");
        json_values(arena, &rules->values, writer);
        write_text(writer, ", \"contradictions\": ");
        json_contradictions(&rules->contradictions, writer);
        write_text(writer, "}");
    }
    write_text(writer, "]}\n");
}

void print_entry(struct arena *arena, const struct catalogue_entry *entry, struct writer *writer, bool json)
{
    if (json)
        print_entry_json(arena, entry, writer);
    else
        print_entry_text(arena, entry, writer);
}

static void print_section_json(const struct catalogue_section *section, struct writer *writer)
{
    write_text(writer, "[");
    for (size_t i = 0; i < section->count; i++) {
        json_pair(writer, i > 0 ? ",\n {" : "{", "name", section->entries[i]->name);
        json_pair(writer, ", ", "title", section->entries[i]->title);
        json_pair(writer, ", ", "kind", section->entries[i]->kind);
        write_text(writer, "}");
    }
    write_text(writer, "]\n");
}

void print_section(const struct catalogue_section *section, struct writer *writer, bool json)
{
    if (json) {
        print_section_json(section, writer);
        return;
    }
    for (size_t i = 0; i < section->count; i++) {
        write_text(writer, "  ");
        print_padded(writer, section->entries[i]->name, 36);
        write_text(writer, " %s\n", section->entries[i]->title);
    }
}
