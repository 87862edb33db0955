#include "sim/experiment/read/scenario.h"

#include "sim/experiment/read/builder.h"
#include "sim/experiment/read/suggest.h"

#include <assert.h>
#include <ctype.h>
#include <string.h>

struct resolver {
    struct reader *reader;
    const struct vocabulary *vocabulary;
    struct resolution *resolution;
};

static bool is_name(const char *text)
{
    if (!isalpha((unsigned char)text[0]) || strlen(text) > 60)
        return false;
    for (const char *c = text; *c != '\0'; c++)
        if (!isalnum((unsigned char)*c) && *c != '-' && *c != '_')
            return false;
    return true;
}

/* A section as a map of named parts, or NULL with the problem added where it is something else. */
static const struct node *named_parts(struct reader *reader, const struct node *root, const char *section)
{
    const struct node *node = node_get(root, section);
    if (node_is_empty(node))
        return NULL;
    if (node->kind == NODE_MAP)
        return node;
    problem_add(reader->problems, PROBLEM_ERROR, node->at,
                "%s is a map: a name each, with its settings below it", section);
    return NULL;
}

static struct names names_of(struct reader *reader, const struct node *root, const char *section)
{
    const struct node *map = named_parts(reader, root, section);
    size_t count = map != NULL ? map->count : 0;
    const char **list = ARENA_ARRAY(reader->arena, const char *, count);
    for (size_t i = 0; i < count; i++) {
        list[i] = map->entries[i].key;
        if (!is_name(list[i]))
            problem_add(reader->problems, PROBLEM_ERROR, map->entries[i].key_at,
                        "'%.60s' cannot be a name in %s: a letter, then letters, digits, - and _, at most 60",
                        list[i], section);
    }
    return (struct names){.list = list, .count = count};
}

void scenario_names(struct reader *reader, const struct node *root)
{
    static const char *const default_hosts[] = {DEFAULT_HOSTS};
    reader->stores = names_of(reader, root, SECTION_STORES);
    reader->hosts = names_of(reader, root, SECTION_HOSTS);
    names_of(reader, root, SECTION_WORKLOADS);
    if (reader->hosts.count == 0)
        reader->hosts = (struct names){.list = default_hosts, .count = 1};
}

static const struct block *add_part(struct resolver *resolver, const char *path, const char *kind,
                                    const struct block_request *request)
{
    struct resolution *resolution = resolver->resolution;
    const struct block *block = reader_read(resolver->reader, request);
    struct part *parts = (struct part *)resolution->parts;
    resolution->parts = ARENA_GROW(resolver->reader->arena, parts, resolution->count);
    parts[resolution->count++] = (struct part){.path = path, .kind = kind, .block = block};
    return block;
}

static const char *list_kinds(const struct resolver *resolver, bool of_stores, struct suggestion *suggestion)
{
    struct builder list = {.arena = resolver->reader->arena};
    const struct vocabulary *vocabulary = resolver->vocabulary;
    for (size_t i = 0; of_stores ? vocabulary->stores[i] != NULL : vocabulary->workloads[i] != NULL; i++) {
        const char *name = of_stores ? vocabulary->stores[i]->name : vocabulary->workloads[i]->name;
        suggestion_offer(suggestion, name);
        builder_format(&list, "%s%s", i > 0 ? ", " : "", name);
    }
    return builder_text(&list);
}

static void refuse_kind(const struct resolver *resolver, bool of_stores, struct position at,
                        const char *written)
{
    struct suggestion suggestion = {.written = written};
    const char *kinds = list_kinds(resolver, of_stores, &suggestion);
    const char *what = of_stores ? "store" : "workload";
    if (suggestion.best != NULL)
        problem_add(resolver->reader->problems, PROBLEM_ERROR, at,
                    "'%.60s' is not a kind of %s (%s). Did you mean %s?", written, what, kinds,
                    suggestion.best);
    else
        problem_add(resolver->reader->problems, PROBLEM_ERROR, at, "'%.60s' is not a kind of %s; there is %s",
                    written, what, kinds);
}

/* The entry a store's node selects and the section it is of, among the sections of all kinds of stores. */
static const struct catalogue_entry *selected_tier(const struct resolver *resolver, const struct node *node,
                                                   const struct node **chosen)
{
    *chosen = NULL;
    for (const struct store_kind *const *kind = resolver->vocabulary->stores; *kind != NULL; kind++) {
        const struct parameter_table *table = (*kind)->parameters;
        const struct node *candidate = table->section != NULL ? reader_selected(node, table->selector) : NULL;
        if (candidate == NULL || candidate->kind != NODE_SCALAR)
            continue;
        *chosen = candidate;
        const struct catalogue_entry *entry =
            catalogue_entry(resolver->reader->catalogue, table->section, candidate->text);
        if (entry != NULL)
            return entry;
    }
    return NULL;
}

static void refuse_tier(const struct resolver *resolver, const struct node *chosen)
{
    struct suggestion suggestion = {.written = chosen->text};
    struct builder list = {.arena = resolver->reader->arena};
    const struct catalogue *catalogue = resolver->reader->catalogue;
    for (size_t i = 0; i < catalogue->section_count; i++) {
        const struct catalogue_section *section = &catalogue->sections[i];
        for (size_t j = 0; j < section->count && section->entries[j]->kind != NULL; j++) {
            suggestion_offer(&suggestion, section->entries[j]->name);
            builder_format(&list, "%s%s", list.length > 0 ? ", " : "", section->entries[j]->name);
        }
    }
    if (suggestion.best != NULL)
        problem_add(resolver->reader->problems, PROBLEM_ERROR, chosen->at,
                    "'%.60s' is not a tier of the catalogue. Did you mean %s?", chosen->text,
                    suggestion.best);
    else
        problem_add(resolver->reader->problems, PROBLEM_ERROR, chosen->at,
                    "'%.60s' is not a tier of the catalogue; there is %.300s", chosen->text,
                    builder_text(&list));
}

/* NULL with the problem added. */
static const struct store_kind *store_kind_of(const struct resolver *resolver, const struct entry *entry,
                                              bool *from_tier)
{
    struct problems *problems = resolver->reader->problems;
    const struct node *chosen, *kind = node_get(entry->value, "kind");
    const struct catalogue_entry *tier = selected_tier(resolver, entry->value, &chosen);
    *from_tier = tier != NULL;
    if (tier == NULL && chosen != NULL) {
        refuse_tier(resolver, chosen);
        return NULL;
    }
    if (kind != NULL && kind->kind == NODE_SCALAR) {
        const struct store_kind *found = vocabulary_store(resolver->vocabulary, kind->text);
        if (found == NULL)
            refuse_kind(resolver, true, kind->at, kind->text);
        else if (tier != NULL && strcmp(tier->kind, found->name) != 0)
            problem_add(problems, PROBLEM_ERROR, kind->at, "%s is a %s, not a %s; leave kind out", tier->name,
                        tier->kind, found->name);
        else
            return found;
        return NULL;
    }
    if (tier != NULL)
        return vocabulary_store(resolver->vocabulary, tier->kind);
    struct suggestion suggestion = {.written = ""};
    problem_add(problems, PROBLEM_ERROR, entry->key_at,
                "store %s needs a tier of the catalogue, e.g. tier: azure-files/premium, or a kind (%s)",
                entry->key, list_kinds(resolver, true, &suggestion));
    return NULL;
}

static void resolve_stores(struct resolver *resolver, const struct node *root)
{
    struct arena *arena = resolver->reader->arena;
    const struct node *map = node_get(root, SECTION_STORES);
    if (map == NULL || map->kind != NODE_MAP)
        return;
    struct store_part *stores = ARENA_ARRAY(arena, struct store_part, map->count);
    size_t count = 0;
    for (size_t i = 0; i < map->count; i++) {
        const struct entry *entry = &map->entries[i];
        bool from_tier;
        const struct store_kind *kind = store_kind_of(resolver, entry, &from_tier);
        if (kind == NULL)
            continue;
        const struct block *block =
            add_part(resolver, arena_format(arena, "stores.%s", entry->key), kind->name,
                     &(struct block_request){.table = kind->parameters,
                                             .name = entry->key,
                                             .node = entry->value,
                                             .at = entry->key_at,
                                             .kind_key = "kind",
                                             .sold_in_binary = from_tier});
        stores[count++] = (struct store_part){.name = entry->key, .kind = kind, .settings = block->settings};
    }
    resolver->resolution->scenario.stores = stores;
    resolver->resolution->scenario.store_count = count;
}

/* `hosts: {count: 10}` forgets to name the group. */
static void hint_at_forgotten_name(const struct resolver *resolver, const struct entry *entry)
{
    if (parameter_at_path(resolver->vocabulary->hosts, entry->key) != NULL &&
        entry->value->kind == NODE_SCALAR)
        problem_add(
            resolver->reader->problems, PROBLEM_ERROR, entry->key_at,
            "'%s' is a setting of a group of hosts; name the group first, hosts: {desktops: {%s: ...}}",
            entry->key, entry->key);
}

static void resolve_hosts(struct resolver *resolver, const struct node *root)
{
    struct arena *arena = resolver->reader->arena;
    struct position nowhere = {.file = root->at.file};
    const struct entry unnamed = {.key = DEFAULT_HOSTS, .key_at = nowhere, .value = NULL};
    const struct node *map = node_get(root, SECTION_HOSTS);
    bool is_named = map != NULL && map->kind == NODE_MAP && map->count > 0;
    size_t count = is_named ? map->count : 1;
    struct hosts_part *hosts = ARENA_ARRAY(arena, struct hosts_part, count);
    for (size_t i = 0; i < count; i++) {
        const struct entry *entry = is_named ? &map->entries[i] : &unnamed;
        if (is_named)
            hint_at_forgotten_name(resolver, entry);
        const struct block *block = add_part(resolver, arena_format(arena, "hosts.%s", entry->key), NULL,
                                             &(struct block_request){.table = resolver->vocabulary->hosts,
                                                                     .name = entry->key,
                                                                     .node = entry->value,
                                                                     .at = entry->key_at});
        hosts[i] = (struct hosts_part){.name = entry->key, .settings = block->settings};
    }
    resolver->resolution->scenario.hosts = hosts;
    resolver->resolution->scenario.hosts_count = count;
}

/* A setting that slipped out of its workload, or a workload with a name of its own and no kind. */
static void refuse_workload(const struct resolver *resolver, const struct entry *entry, bool has_one_above)
{
    struct problems *problems = resolver->reader->problems;
    struct suggestion suggestion = {.written = entry->key};
    const char *kinds = list_kinds(resolver, false, &suggestion);
    const char *first = resolver->vocabulary->workloads[0]->name;
    if (entry->value->kind != NODE_MAP && !node_is_empty(entry->value))
        problem_add(
            problems, PROBLEM_ERROR, entry->key_at,
            has_one_above
                ? "'%.60s' is not a workload here; did you mean it to belong to the workload above "
                  "(indent it)?"
                : "'%.60s' is not a workload here; a workload is a map of its settings below its name",
            entry->key);
    else if (suggestion.best != NULL)
        problem_add(
            problems, PROBLEM_ERROR, entry->key_at,
            "'%.60s' is not a kind of workload (%s). Did you mean %s? With a name of its own it needs "
            "its kind, add `kind: %s`",
            entry->key, kinds, suggestion.best, suggestion.best);
    else
        problem_add(problems, PROBLEM_ERROR, entry->key_at,
                    "the workload '%.60s' does not say its kind: add `kind: %s`%s%s%s", entry->key, first,
                    strcmp(kinds, first) != 0 ? " (there is " : "", strcmp(kinds, first) != 0 ? kinds : "",
                    strcmp(kinds, first) != 0 ? ")" : "");
}

static void resolve_workloads(struct resolver *resolver, const struct node *root)
{
    struct arena *arena = resolver->reader->arena;
    const struct node *map = node_get(root, SECTION_WORKLOADS);
    if (node_is_empty(map)) {
        problem_add(resolver->reader->problems, PROBLEM_ERROR, (struct position){.file = root->at.file},
                    "there are no workloads: nothing would happen");
        return;
    }
    if (map->kind != NODE_MAP)
        return;
    struct workload_part *workloads = ARENA_ARRAY(arena, struct workload_part, map->count);
    size_t count = 0;
    for (size_t i = 0; i < map->count; i++) {
        const struct entry *entry = &map->entries[i];
        const struct node *written = node_get(entry->value, "kind");
        bool is_written = written != NULL && written->kind == NODE_SCALAR;
        const char *name = is_written ? written->text : entry->key;
        const struct workload_kind *kind = vocabulary_workload(resolver->vocabulary, name);
        if (kind == NULL) {
            if (is_written)
                refuse_kind(resolver, false, written->at, name);
            else
                refuse_workload(resolver, entry, i > 0);
            continue;
        }
        const struct block *block =
            add_part(resolver, arena_format(arena, "workloads.%s", entry->key), kind->name,
                     &(struct block_request){.table = kind->parameters,
                                             .name = entry->key,
                                             .node = entry->value,
                                             .at = entry->key_at,
                                             .kind_key = "kind"});
        workloads[count++] =
            (struct workload_part){.name = entry->key, .kind = kind, .settings = block->settings};
    }
    resolver->resolution->scenario.workloads = workloads;
    resolver->resolution->scenario.workload_count = count;
}

static const void *resolve_single(struct resolver *resolver, const struct node *root, const char *name,
                                  const struct parameter_table *table)
{
    const struct entry *entry = node_entry(root, name);
    struct block_request request = {.table = table,
                                    .name = name,
                                    .node = entry != NULL ? entry->value : NULL,
                                    .at = entry != NULL ? entry->key_at
                                                        : (struct position){.file = root->at.file}};
    return add_part(resolver, name, NULL, &request)->settings;
}

/* Where a setting of a part was written, or where the part begins. */
static struct position setting_at(const struct block *block, const char *path, struct position otherwise)
{
    for (size_t i = 0; path != NULL && i < block->count; i++)
        if (block->list[i].origin.kind == ORIGIN_FILE && strcmp(block->list[i].path, path) == 0)
            return block->list[i].origin.at;
    return otherwise;
}

static void refuse_part(const struct resolver *resolver, const struct node *root, const char *section,
                        const char *name, const void *settings, const struct parameter_problem *problem)
{
    struct position at = node_entry(node_get(root, section), name)->key_at;
    for (size_t part = 0; part < resolver->resolution->count; part++)
        if (resolver->resolution->parts[part].block->settings == settings)
            at = setting_at(resolver->resolution->parts[part].block, problem->parameter, at);
    problem_add(resolver->reader->problems, PROBLEM_ERROR, at, "%s", problem->message);
}

/* Stores and workloads against the rest, once every part is in order by itself. */
static void check_together(const struct resolver *resolver, const struct node *root)
{
    const struct scenario *scenario = &resolver->resolution->scenario;
    for (size_t i = 0; i < scenario->store_count; i++) {
        const struct store_part *store = &scenario->stores[i];
        struct parameter_problem problem = {0};
        if (store->kind->check != NULL && !store->kind->check(scenario, store->settings, &problem))
            refuse_part(resolver, root, SECTION_STORES, store->name, store->settings, &problem);
    }
    for (size_t i = 0; i < scenario->workload_count; i++) {
        const struct workload_part *workload = &scenario->workloads[i];
        struct parameter_problem problem = {0};
        if (workload->kind->check != NULL && !workload->kind->check(scenario, workload->settings, &problem))
            refuse_part(resolver, root, SECTION_WORKLOADS, workload->name, workload->settings, &problem);
    }
}

const struct resolution *scenario_resolve(struct reader *reader, const struct vocabulary *vocabulary,
                                          const struct node *root)
{
    assert(vocabulary->run->size == sizeof(struct run_settings));
    struct resolver resolver = {.reader = reader, .vocabulary = vocabulary};
    struct resolution *resolution = resolver.resolution = ARENA_NEW(reader->arena, struct resolution);
    const size_t reported_before = problems_reported(reader->problems);
    resolve_stores(&resolver, root);
    resolve_hosts(&resolver, root);
    resolution->scenario.network = resolve_single(&resolver, root, "network", vocabulary->network);
    resolve_workloads(&resolver, root);
    resolution->scenario.run =
        *(const struct run_settings *)resolve_single(&resolver, root, "run", vocabulary->run);
    if (problems_reported(reader->problems) == reported_before)
        check_together(&resolver, root);
    return resolution;
}
