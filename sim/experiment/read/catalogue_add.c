#include "sim/experiment/read/catalogue.h"

#include "sim/experiment/read/date.h"
#include "sim/experiment/read/setting.h"
#include "sim/experiment/read/suggest.h"

#include <string.h>

struct loader {
    struct catalogue *catalogue;
    struct problems *problems;
};

static void __attribute__((format(printf, 3, 0)))
complain(const struct loader *loader, struct position at, const char *text, const char *about)
{
    problem_add(loader->problems, PROBLEM_ERROR, at, text, about);
}

/* The text of a scalar, or `otherwise` (with a problem when there is something else than a scalar). */
static const char *text_of(const struct loader *loader, const struct node *map, const char *key,
                           const char *otherwise)
{
    const struct node *node = node_get(map, key);
    if (node == NULL)
        return otherwise;
    if (node->kind != NODE_SCALAR) {
        problem_add(loader->problems, PROBLEM_ERROR, node->at, "%s is a text", key);
        return otherwise;
    }
    return node->text;
}

static void check_keys(const struct loader *loader, const struct node *map, const char *const *known,
                       const char *where)
{
    for (size_t i = 0; i < map->count; i++) {
        struct suggestion suggestion = {.written = map->entries[i].key};
        bool is_known = false;
        for (size_t j = 0; known[j] != NULL; j++) {
            is_known = is_known || strcmp(known[j], map->entries[i].key) == 0;
            suggestion_offer(&suggestion, known[j]);
        }
        if (!is_known && node_is_empty(map->entries[i].value))
            problem_add(loader->problems, PROBLEM_ERROR, map->entries[i].key_at,
                        "'%.60s' is taken for a key of %s; put a text that holds a comma in quotes",
                        map->entries[i].key, where);
        else if (!is_known)
            problem_add(loader->problems, PROBLEM_ERROR, map->entries[i].key_at,
                        "unknown key '%.60s' in %s%s%s%s", map->entries[i].key, where,
                        suggestion.best != NULL ? ". Did you mean " : "",
                        suggestion.best != NULL ? suggestion.best : "", suggestion.best != NULL ? "?" : "");
    }
}

static bool is_map(const struct loader *loader, const struct node *node, const char *what)
{
    if (node->kind == NODE_MAP)
        return true;
    complain(loader, node->at, "%s is a map, key: value", what);
    return false;
}

static bool read_status(const struct loader *loader, const struct node *map, enum value_status *status)
{
    const struct node *node = node_get(map, "status");
    for (int i = 0; node != NULL && node->kind == NODE_SCALAR && i < STATUS_COUNT; i++) {
        if (strcmp(node->text, value_status_name((enum value_status)i)) == 0) {
            *status = (enum value_status)i;
            return true;
        }
    }
    problem_add(loader->problems, PROBLEM_ERROR, node != NULL ? node->at : map->at,
                "a value has a status: published, derived, calibrated or assumed");
    return false;
}

static const char *source_text(const struct catalogue *catalogue, const char *written)
{
    for (size_t i = 0; i < catalogue->source_count; i++)
        if (strcmp(catalogue->sources[i].name, written) == 0)
            return catalogue->sources[i].text;
    return written;
}

static void suggest_rows(struct suggestion *suggestion, struct arena *arena,
                         const struct parameter_table *table, const char *prefix)
{
    for (size_t i = 0; i < table->row_count; i++) {
        const char *path = arena_format(arena, "%s%s", prefix, table->rows[i].name);
        if (table->rows[i].type == PARAMETER_GROUP)
            suggest_rows(suggestion, arena, table->rows[i].group, arena_format(arena, "%s.", path));
        else
            suggestion_offer(suggestion, path);
    }
}

/* `key` may also be the selector of the table, or of a group in it. */
static bool is_selector(const struct parameter_table *table, const char *key)
{
    const char *dot = strrchr(key, '.');
    if (dot == NULL)
        return table->selector != NULL && strcmp(table->selector, key) == 0;
    char path[128];
    if ((size_t)(dot - key) >= sizeof path)
        return false;
    memcpy(path, key, (size_t)(dot - key));
    path[dot - key] = '\0';
    const struct parameter *row = parameter_at_path(table, path);
    return row != NULL && row->type == PARAMETER_GROUP && row->group->selector != NULL &&
           strcmp(row->group->selector, dot + 1) == 0;
}

static bool check_value(const struct loader *loader, const struct parameter_table *table,
                        const struct entry *entry, const struct node *value)
{
    const struct parameter *row = parameter_at_path(table, entry->key);
    bool selects = is_selector(table, entry->key) ||
                   (row != NULL && row->type == PARAMETER_GROUP && row->group->selector != NULL);
    if (selects && value->kind == NODE_SCALAR && !node_is_empty(value))
        return true;
    if (row == NULL || row->type == PARAMETER_GROUP) {
        struct suggestion suggestion = {.written = entry->key};
        suggest_rows(&suggestion, loader->catalogue->arena, table, "");
        problem_add(loader->problems, PROBLEM_ERROR, entry->key_at, "%s has no parameter '%.80s'%s%s%s",
                    table->name, entry->key, suggestion.best != NULL ? ". Did you mean " : "",
                    suggestion.best != NULL ? suggestion.best : "", suggestion.best != NULL ? "?" : "");
        return false;
    }
    union field field;
    return setting_read(loader->catalogue->arena, loader->problems, row, value, &field);
}

static bool read_value(const struct loader *loader, const struct parameter_table *table,
                       const struct entry *entry, struct catalogue_value *value)
{
    static const char *const known[] = {"value", "status", "source", "note", NULL};
    const struct node *map = entry->value;
    const struct node *written = node_get(map, "value");
    if (map->kind != NODE_MAP || written == NULL) {
        complain(loader, map->at, "%s is written {value: ..., status: ..., source: ...}", entry->key);
        return false;
    }
    check_keys(loader, map, known, entry->key);
    *value = (struct catalogue_value){.key = entry->key, .key_at = entry->key_at, .value = written};
    value->note = text_of(loader, map, "note", "");
    value->source = source_text(loader->catalogue, text_of(loader, map, "source", ""));
    bool fine = read_status(loader, map, &value->status);
    bool explained = value->source[0] != '\0' || (value->status == STATUS_ASSUMED && value->note[0] != '\0');
    if (fine && !explained) {
        complain(loader, map->at, "%s needs a source (an assumed value at least a note)", entry->key);
        fine = false;
    }
    return check_value(loader, table, entry, written) && fine;
}

/* Adds to `values`, over what is there under the same key. */
static void read_values(const struct loader *loader, const struct parameter_table *table,
                        const struct node *map, struct catalogue_values *values)
{
    if (node_is_empty(map) || !is_map(loader, map, "values"))
        return;
    for (size_t i = 0; i < map->count; i++) {
        struct catalogue_value value;
        if (!read_value(loader, table, &map->entries[i], &value))
            continue;
        struct catalogue_value *same = (struct catalogue_value *)catalogue_value(values, value.key);
        if (same != NULL) {
            *same = value;
        } else {
            ARENA_GROW(loader->catalogue->arena, values->list, values->count);
            values->list[values->count++] = value;
        }
    }
}

/* False with the problem added. */
static bool read_contradiction(const struct loader *loader, const struct parameter_table *table,
                               const struct node *map, struct catalogue_contradiction *contradiction)
{
    static const char *const known[] = {"about", "size", "says", "source", "used", NULL};
    if (!is_map(loader, map, "an item of contradictions"))
        return false;
    check_keys(loader, map, known, "contradictions");
    *contradiction = (struct catalogue_contradiction){
        .about = text_of(loader, map, "about", ""),
        .says = text_of(loader, map, "says", ""),
        .source = source_text(loader->catalogue, text_of(loader, map, "source", "")),
        .used = text_of(loader, map, "used", ""),
    };
    if (contradiction->says[0] == '\0' || contradiction->source[0] == '\0' ||
        contradiction->used[0] == '\0') {
        complain(loader, map->at, "%s has an about, a source, what it says, and what is used",
                 "a contradiction");
        return false;
    }
    if (parameter_at_path(table, contradiction->about) == NULL) {
        problem_add(loader->problems, PROBLEM_ERROR, map->at,
                    "a contradiction is about a parameter; %s has no '%.80s'", table->name,
                    contradiction->about);
        return false;
    }
    const struct node *size = node_get(map, "size");
    const struct parameter *row = parameter_at_path(table, "size");
    union field field = {0};
    if (size != NULL &&
        (row == NULL || !setting_read(loader->catalogue->arena, loader->problems, row, size, &field)))
        return false;
    contradiction->size_bytes = field.integer;
    return true;
}

static void read_contradictions(const struct loader *loader, const struct parameter_table *table,
                                const struct node *list, struct catalogue_contradictions *contradictions)
{
    if (node_is_empty(list))
        return;
    if (list->kind != NODE_LIST) {
        complain(loader, list->at, "%s are a list of {about, says, source, used}", "contradictions");
        return;
    }
    for (size_t i = 0; i < list->count; i++) {
        struct catalogue_contradiction contradiction;
        if (!read_contradiction(loader, table, list->entries[i].value, &contradiction))
            continue;
        ARENA_GROW(loader->catalogue->arena, contradictions->list, contradictions->count);
        contradictions->list[contradictions->count++] = contradiction;
    }
}

static void read_rules(const struct loader *loader, struct catalogue_entry *entry, const struct node *list)
{
    static const char *const known[] = {"name", "from", "title", "values", "contradictions", NULL};
    if (list->kind != NODE_LIST) {
        complain(loader, list->at, "rules of %s are a list of {name, from, title, values}", entry->name);
        return;
    }
    entry->rules = ARENA_ARRAY(loader->catalogue->arena, struct catalogue_rules, list->count);
    entry->rules_count = 0;
    for (size_t i = 0; i < list->count; i++) {
        const struct node *map = list->entries[i].value;
        if (!is_map(loader, map, "an item of rules"))
            continue;
        check_keys(loader, map, known, "rules");
        struct catalogue_rules *rules = &entry->rules[entry->rules_count];
        rules->name = text_of(loader, map, "name", "");
        rules->from = text_of(loader, map, "from", "");
        rules->title = text_of(loader, map, "title", "");
        read_values(loader, entry->table, node_get(map, "values"), &rules->values);
        read_contradictions(loader, entry->table, node_get(map, "contradictions"), &rules->contradictions);
        if (rules->name[0] == '\0' || !is_month_or_day(rules->from))
            complain(loader, map->at, "rules of %s need a name and a date, from: YYYY-MM", entry->name);
        else if (entry->rules_count > 0 && strcmp(rules[-1].from, rules->from) >= 0)
            complain(loader, map->at, "rules of %s are listed oldest first", entry->name);
        else
            entry->rules_count++;
    }
}

/* What the entry fills, or NULL with the problem added. */
static const struct parameter_table *entry_table(const struct loader *loader, const char *section,
                                                 bool of_stores, const struct entry *written,
                                                 const char *kind)
{
    const struct vocabulary *vocabulary = loader->catalogue->vocabulary;
    if (of_stores && kind == NULL) {
        complain(loader, written->key_at, "%s needs a kind: the kind of store it is", written->key);
        return NULL;
    }
    const struct parameter_table *table = vocabulary_section(vocabulary, section, of_stores ? kind : NULL);
    if (table == NULL || (!of_stores && kind != NULL)) {
        const struct node *node = node_get(written->value, "kind");
        complain(loader, node != NULL ? node->at : written->key_at,
                 "'%.60s' is not a kind of store of this section", kind != NULL ? kind : "");
    }
    return table;
}

static void put_entry(struct arena *arena, struct catalogue_section *section, struct catalogue_entry *entry)
{
    for (size_t i = 0; i < section->count; i++) {
        if (strcmp(section->entries[i]->name, entry->name) == 0) {
            section->entries[i] = entry;
            return;
        }
    }
    ARENA_GROW(arena, section->entries, section->count);
    section->entries[section->count++] = entry;
}

/* The entry that `like` names, NULL with the problem added if there is no such entry. */
static const struct catalogue_entry *
model_of(const struct loader *loader, const struct catalogue_section *section, const struct node *like)
{
    struct suggestion suggestion = {.written = like->kind == NODE_SCALAR ? like->text : ""};
    for (size_t i = 0; i < section->count; i++) {
        if (strcmp(section->entries[i]->name, suggestion.written) == 0)
            return section->entries[i];
        suggestion_offer(&suggestion, section->entries[i]->name);
    }
    problem_add(loader->problems, PROBLEM_ERROR, like->at,
                "'%.60s' is no entry of %s so far to be like%s%s%s", suggestion.written, section->name,
                suggestion.best != NULL ? ". Did you mean " : "",
                suggestion.best != NULL ? suggestion.best : "", suggestion.best != NULL ? "?" : "");
    return NULL;
}

/* Whether the list of texts `without` names the key. */
static bool is_left_out(const struct node *without, const char *key)
{
    for (size_t i = 0; without != NULL && i < without->count; i++)
        if (without->entries[i].value->kind == NODE_SCALAR &&
            strcmp(without->entries[i].value->text, key) == 0)
            return true;
    return false;
}

/* Complains of keys to leave out that the model does not have. */
static void check_without(const struct loader *loader, const struct catalogue_entry *model,
                          const struct node *without)
{
    if (without != NULL && without->kind != NODE_LIST) {
        complain(loader, without->at, "without is a list of keys of %s", model->name);
        return;
    }
    for (size_t i = 0; without != NULL && i < without->count; i++) {
        const struct node *key = without->entries[i].value;
        if (key->kind != NODE_SCALAR || catalogue_value(&model->values, key->text) == NULL)
            problem_add(loader->problems, PROBLEM_ERROR, key->at, "%s has no value '%.60s' to be without",
                        model->name, key->kind == NODE_SCALAR ? key->text : "");
    }
}

static void take_over(const struct loader *loader, const struct catalogue_entry *model,
                      const struct node *written, struct catalogue_entry *entry)
{
    const struct node *without = node_get(written, "without");
    check_without(loader, model, without);
    for (size_t i = 0; i < model->values.count; i++) {
        if (is_left_out(without, model->values.list[i].key))
            continue;
        ARENA_GROW(loader->catalogue->arena, entry->values.list, entry->values.count);
        entry->values.list[entry->values.count++] = model->values.list[i];
    }
    if (node_get(written, "contradictions") == NULL)
        entry->contradictions = model->contradictions;
    entry->rules = model->rules;
    entry->rules_count = model->rules_count;
}

static void read_entry(const struct loader *loader, struct catalogue_section *section, bool of_stores,
                       const struct entry *written)
{
    static const char *const known[] = {"like",   "without", "kind",           "title",
                                        "values", "rules",   "contradictions", NULL};
    if (!is_map(loader, written->value, written->key))
        return;
    check_keys(loader, written->value, known, written->key);
    struct catalogue_entry *entry = ARENA_NEW(loader->catalogue->arena, struct catalogue_entry);
    entry->name = written->key;
    entry->at = written->key_at;
    const struct node *like = node_get(written->value, "like");
    const struct catalogue_entry *model = like != NULL ? model_of(loader, section, like) : NULL;
    if (like != NULL && model == NULL)
        return;
    if (like == NULL && node_get(written->value, "without") != NULL)
        complain(loader, node_get(written->value, "without")->at,
                 "%s is like nothing that it could be without", entry->name);
    entry->kind = text_of(loader, written->value, "kind", model != NULL ? model->kind : NULL);
    entry->title = text_of(loader, written->value, "title", "");
    entry->table = entry_table(loader, section->name, of_stores, written, entry->kind);
    if (entry->table == NULL)
        return;
    if (model != NULL && model->table != entry->table) {
        complain(loader, like->at, "%s is of another kind", model->name);
        return;
    }
    if (model != NULL)
        take_over(loader, model, written->value, entry);
    read_values(loader, entry->table, node_get(written->value, "values"), &entry->values);
    read_contradictions(loader, entry->table, node_get(written->value, "contradictions"),
                        &entry->contradictions);
    const struct node *rules = node_get(written->value, "rules");
    if (!node_is_empty(rules))
        read_rules(loader, entry, rules);
    put_entry(loader->catalogue->arena, section, entry);
}

static void read_section(const struct loader *loader, const struct entry *written)
{
    struct catalogue *catalogue = loader->catalogue;
    bool of_stores;
    if (!vocabulary_has_section(catalogue->vocabulary, written->key, &of_stores)) {
        complain(loader, written->key_at,
                 "'%.60s' is not a section of a catalogue: nothing can be filled from it", written->key);
        return;
    }
    if (node_is_empty(written->value) || !is_map(loader, written->value, written->key))
        return;
    struct catalogue_section *section =
        (struct catalogue_section *)catalogue_section(catalogue, written->key);
    if (section == NULL) {
        ARENA_GROW(catalogue->arena, catalogue->sections, catalogue->section_count);
        section = &catalogue->sections[catalogue->section_count++];
        *section = (struct catalogue_section){.name = written->key};
    }
    for (size_t i = 0; i < written->value->count; i++)
        read_entry(loader, section, of_stores, &written->value->entries[i]);
}

static void read_defaults(const struct loader *loader, const struct node *map)
{
    struct catalogue *catalogue = loader->catalogue;
    if (node_is_empty(map) || !is_map(loader, map, "defaults"))
        return;
    for (size_t i = 0; i < map->count; i++) {
        const struct entry *written = &map->entries[i];
        const struct parameter_table *table = vocabulary_table(catalogue->vocabulary, written->key);
        if (table == NULL) {
            complain(loader, written->key_at, "there is no parameter table '%.60s'", written->key);
            continue;
        }
        struct catalogue_values *values =
            (struct catalogue_values *)catalogue_defaults(catalogue, written->key);
        if (values == NULL) {
            ARENA_GROW(catalogue->arena, catalogue->defaults, catalogue->defaults_count);
            struct catalogue_defaults *block = &catalogue->defaults[catalogue->defaults_count++];
            *block = (struct catalogue_defaults){.table = written->key};
            values = &block->values;
        }
        read_values(loader, table, written->value, values);
    }
}

static void read_sources(const struct loader *loader, const struct node *map)
{
    struct catalogue *catalogue = loader->catalogue;
    if (node_is_empty(map) || !is_map(loader, map, "sources"))
        return;
    for (size_t i = 0; i < map->count; i++) {
        const char *name = map->entries[i].key;
        size_t place = 0;
        while (place < catalogue->source_count && strcmp(catalogue->sources[place].name, name) != 0)
            place++;
        if (place == catalogue->source_count) {
            ARENA_GROW(catalogue->arena, catalogue->sources, catalogue->source_count);
            catalogue->source_count++;
        }
        catalogue->sources[place] =
            (struct catalogue_source){.name = name, .text = text_of(loader, map, name, "")};
    }
}

void catalogue_add_sources(struct catalogue *catalogue, const struct node *root, struct problems *problems)
{
    struct loader loader = {.catalogue = catalogue, .problems = problems};
    const struct node *sources = node_get(root, "sources");
    if (sources != NULL)
        read_sources(&loader, sources);
}

void catalogue_add(struct catalogue *catalogue, const struct node *root, struct problems *problems)
{
    struct loader loader = {.catalogue = catalogue, .problems = problems};
    if (!is_map(&loader, root, "a catalogue"))
        return;
    catalogue_add_sources(catalogue, root, problems);
    for (size_t i = 0; i < root->count; i++) {
        const struct entry *entry = &root->entries[i];
        if (strcmp(entry->key, "defaults") == 0)
            read_defaults(&loader, entry->value);
        else if (strcmp(entry->key, "sources") != 0)
            read_section(&loader, entry);
    }
}
