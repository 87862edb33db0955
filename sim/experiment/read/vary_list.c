/* Lists of values: one setting an axis, or several in lockstep. */
#include "sim/experiment/read/vary_inside.h"

#include "sim/experiment/read/builder.h"

#include <stdlib.h>
#include <string.h>

/* An item as text, for finding those that stand in the list already. */
struct item_text {
    const char *text;
    size_t index;
};

static int compare_items(const void *first, const void *second)
{
    const struct item_text *a = first, *b = second;
    int order = strcmp(a->text, b->text);
    return order != 0 ? order : (a->index > b->index) - (a->index < b->index);
}

static const char *text_of_item(struct arena *arena, const struct axis *axis, size_t item)
{
    if (axis->key_count == 1)
        return node_text(arena, axis->values[item]);
    struct builder text = {.arena = arena};
    for (size_t k = 0; k < axis->key_count; k++)
        builder_format(&text, "%s%s", k > 0 ? ", " : "",
                       node_text(arena, axis->values[item * axis->key_count + k]));
    return builder_text(&text);
}

static void refuse_repeated(const struct vary_reading *reading, const struct axis *axis)
{
    struct arena *arena = reading->varying->arena;
    struct item_text *items = ARENA_ARRAY(arena, struct item_text, axis->item_count);
    for (size_t i = 0; i < axis->item_count; i++)
        items[i] = (struct item_text){text_of_item(arena, axis, i), i};
    qsort(items, axis->item_count, sizeof *items, compare_items);
    for (size_t i = 1; i < axis->item_count; i++)
        if (strcmp(items[i].text, items[i - 1].text) == 0)
            vary_refuse(reading, axis->values[items[i].index * axis->key_count]->at,
                        "'%.60s' stands in this list already", items[i].text);
}

/* The list of an entry, or NULL with the problem added. */
static const struct node *list_of(const struct vary_reading *reading, const struct entry *entry)
{
    if (!vary_check_key(reading, entry->key, entry->key_at))
        return NULL;
    if (entry->value->kind == NODE_LIST && entry->value->count > 0)
        return entry->value;
    vary_refuse(reading, entry->value->at, "list the values to vary, %s: [one, two]", entry->key);
    return NULL;
}

static void fill_key(struct axis *axis, size_t key, const struct entry *entry)
{
    axis->keys[key] = entry->key;
    axis->key_at[key] = entry->key_at;
    for (size_t i = 0; i < axis->item_count; i++)
        axis->values[i * axis->key_count + key] = entry->value->entries[i].value;
}

void vary_read_list(struct vary_reading *reading, const struct entry *entry)
{
    const struct node *list = list_of(reading, entry);
    if (list == NULL)
        return;
    struct axis axis = vary_axis(reading, 1, list->count);
    fill_key(&axis, 0, entry);
    refuse_repeated(reading, &axis);
    vary_add_axis(reading, axis);
}

static void read_group(struct vary_reading *reading, const struct node *map)
{
    if (map->kind != NODE_MAP || map->count == 0) {
        vary_refuse(reading, map->at,
                    "lockstep is a map of settings that change together, {KEY: [one, two], KEY: [one, two]}, "
                    "or a list of such maps");
        return;
    }
    bool fine = true;
    const struct entry *first = NULL;
    for (size_t k = 0; k < map->count; k++) {
        const struct entry *entry = &map->entries[k];
        const struct node *list = list_of(reading, entry);
        fine = fine && list != NULL;
        if (list == NULL)
            continue;
        if (first == NULL)
            first = entry;
        if (list->count == first->value->count)
            continue;
        vary_refuse(reading, entry->key_at,
                    "%s has %zu value%s, %s has %zu: lists in lockstep are of the same length", entry->key,
                    list->count, list->count == 1 ? "" : "s", first->key, first->value->count);
        fine = false;
    }
    if (!fine)
        return;
    struct axis axis = vary_axis(reading, map->count, first->value->count);
    for (size_t k = 0; k < map->count; k++)
        fill_key(&axis, k, &map->entries[k]);
    refuse_repeated(reading, &axis);
    vary_add_axis(reading, axis);
}

void vary_read_lockstep(struct vary_reading *reading, const struct node *node)
{
    if (node->kind != NODE_LIST || node->count == 0) {
        read_group(reading, node);
        return;
    }
    for (size_t i = 0; i < node->count; i++)
        read_group(reading, node->entries[i].value);
}
