#include "sim/experiment/size/variant.h"

#include "sim/experiment/read/opening.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct position nowhere = {.file = "variant"};

/* The first complaint, without its place, which is none of the user's. */
static void take_first_message(const struct problems *problems, char *message, size_t size)
{
    char *text = NULL;
    size_t length = 0;
    FILE *stream = open_memstream(&text, &length);
    snprintf(message, size, "out of memory");
    if (stream == NULL)
        return;
    problems_print(problems, stream, false);
    fclose(stream);
    if (text == NULL)
        return;
    const char *start = strstr(text, "error: ");
    start = start != NULL ? start + strlen("error: ") : text;
    snprintf(message, size, "%.*s", (int)strcspn(start, "\n"), start);
    free(text);
}

static const struct node *store_node(const struct experiment *of, size_t cell, const char *store)
{
    return node_get(node_get(of->cells[cell].root, SECTION_STORES), store);
}

static const char *text_at(const struct node *map, const char *key)
{
    const struct node *node = node_get(map, key);
    return node != NULL && node->kind == NODE_SCALAR && !node_is_empty(node) ? node->text : NULL;
}

const char *variant_tier(const struct experiment *of, size_t cell, const char *store)
{
    const struct node *node = store_node(of, cell, store);
    if (node != NULL && node->kind == NODE_SCALAR)
        return node->text;
    const char *tier = text_at(node, "tier");
    return tier != NULL ? tier : text_at(node, NODE_BARE);
}

const char *variant_rules(const struct experiment *of, size_t cell, const char *store)
{
    return text_at(store_node(of, cell, store), "rules");
}

static bool is_exchanged(const char *key)
{
    return strcmp(key, "tier") == 0 || strcmp(key, "size") == 0 || strcmp(key, "rules") == 0 ||
           strcmp(key, NODE_BARE) == 0;
}

static void add_entry(struct arena *arena, struct node *map, const char *key, const char *text)
{
    struct node *scalar = node_scalar(arena, arena_text(arena, text), nowhere);
    scalar->quoted = true;
    ((struct entry *)map->entries)[map->count++] = (struct entry){key, nowhere, scalar};
}

/* The price list, with the share of the month that the file says is busy. */
static void add_price(struct arena *arena, struct node *map, const struct node *old, const char *list)
{
    const struct node *busy = node_get(node_get(old, "price"), "busy");
    struct node *price = ARENA_NEW(arena, struct node);
    *price = (struct node){.kind = NODE_MAP, .at = nowhere, .entries = ARENA_ARRAY(arena, struct entry, 2)};
    add_entry(arena, price, "list", list);
    if (busy != NULL)
        ((struct entry *)price->entries)[price->count++] = (struct entry){"busy", nowhere, busy};
    ((struct entry *)map->entries)[map->count++] = (struct entry){"price", nowhere, price};
}

static const struct node *exchanged_store(struct arena *arena, const struct experiment *of, size_t cell,
                                          const struct variant *variant)
{
    const struct node *old = store_node(of, cell, variant->store);
    const char *tier = variant_tier(of, cell, variant->store);
    bool keeps = tier != NULL && strcmp(tier, variant->tier) == 0 && old != NULL && old->kind == NODE_MAP;
    struct node *map = ARENA_NEW(arena, struct node);
    map->kind = NODE_MAP;
    map->at = nowhere;
    map->entries = ARENA_ARRAY(arena, struct entry, (keeps ? old->count : 0) + 4);
    add_entry(arena, map, "tier", variant->tier);
    if (variant->size != NULL)
        add_entry(arena, map, "size", variant->size);
    if (variant->rules != NULL)
        add_entry(arena, map, "rules", variant->rules);
    if (variant->price_list != NULL && !(keeps && node_get(old, "price") != NULL))
        add_price(arena, map, old, variant->price_list);
    for (size_t i = 0; keeps && i < old->count; i++)
        if (!is_exchanged(old->entries[i].key))
            ((struct entry *)map->entries)[map->count++] = old->entries[i];
    return map;
}

static const struct node *only_workload(struct arena *arena, const struct node *root, const char *name)
{
    struct node *map = ARENA_NEW(arena, struct node);
    struct entry *entry = ARENA_NEW(arena, struct entry);
    *entry = *node_entry(node_get(root, SECTION_WORKLOADS), name);
    *map = (struct node){.kind = NODE_MAP, .at = nowhere, .entries = entry, .count = 1};
    return node_with(arena, root, SECTION_WORKLOADS, nowhere, map);
}

static const struct node *root_of(struct arena *arena, const struct experiment *of, size_t cell,
                                  const struct variant *variant)
{
    const struct node *root = of->cells[cell].root;
    if (variant->only_workload != NULL)
        root = only_workload(arena, root, variant->only_workload);
    if (variant->store != NULL)
        root = node_with(arena, root, arena_format(arena, SECTION_STORES ".%s", variant->store), nowhere,
                         exchanged_store(arena, of, cell, variant));
    for (size_t i = 0; i < variant->change_count; i++)
        root = node_with(arena, root, arena_text(arena, variant->changes[i].key), nowhere,
                         node_scalar(arena, arena_text(arena, variant->changes[i].text), nowhere));
    return root;
}

/* False with the message. */
static bool fill(struct experiment *experiment, const struct experiment *of, size_t cell,
                 const struct variant *variant, struct problems *problems)
{
    struct arena *arena = experiment->arena;
    experiment->vocabulary = of->vocabulary;
    experiment->catalogue = of->catalogue;
    experiment->path = of->path;
    experiment->name = of->name;
    experiment->title = of->title;
    experiment->question = of->question;
    experiment->answer = "";
    experiment->options = of->options;
    experiment->vary = ARENA_NEW(arena, struct vary);
    experiment->cells = ARENA_NEW(arena, struct experiment_cell);
    experiment->cell_count = 1;
    struct reader reader = {.arena = arena, .catalogue = of->catalogue, .problems = problems};
    struct experiment_cell *only = experiment->cells;
    experiment->root = only->root = root_of(arena, of, cell, variant);
    scenario_names(&reader, only->root);
    only->resolution = scenario_resolve(&reader, &experiment->vocabulary, only->root);
    if (problems_errors(problems) > 0)
        return false;
    only->cell = (struct cell){.scenario = &only->resolution->scenario};
    experiment_compute_hash(experiment);
    return true;
}

struct experiment *variant_open(const struct experiment *of, size_t cell, const struct variant *variant,
                                char *message, size_t message_size)
{
    struct arena *arena = arena_create();
    struct problems *problems = problems_create();
    jmp_buf landing;
    if (arena == NULL || problems == NULL || setjmp(landing) != 0) {
        problems_destroy(problems);
        arena_destroy(arena);
        snprintf(message, message_size, "out of memory");
        return NULL;
    }
    arena_set_landing(arena, &landing);
    struct experiment *experiment = ARENA_NEW(arena, struct experiment);
    experiment->arena = arena;
    const bool fine = fill(experiment, of, cell, variant, problems);
    arena_set_landing(arena, NULL);
    if (!fine)
        take_first_message(problems, message, message_size);
    problems_destroy(problems);
    if (fine)
        return experiment;
    arena_destroy(arena);
    return NULL;
}
