#include "sim/experiment/read/node.h"

#include "sim/experiment/read/builder.h"

#include <string.h>

struct node *node_scalar(struct arena *arena, const char *text, struct position at)
{
    struct node *node = ARENA_NEW(arena, struct node);
    node->kind = NODE_SCALAR;
    node->at = at;
    node->text = text;
    return node;
}

static const struct entry *entry_n(const struct node *map, const char *key, size_t length)
{
    if (map == NULL || map->kind != NODE_MAP)
        return NULL;
    for (size_t i = 0; i < map->count; i++)
        if (strncmp(map->entries[i].key, key, length) == 0 && map->entries[i].key[length] == '\0')
            return &map->entries[i];
    return NULL;
}

const struct entry *node_entry(const struct node *map, const char *key)
{
    return entry_n(map, key, strlen(key));
}

const struct node *node_get(const struct node *map, const char *key)
{
    const struct entry *entry = node_entry(map, key);
    return entry != NULL ? entry->value : NULL;
}

const struct node *node_at_path(const struct node *root, const char *path)
{
    const struct node *node = root;
    while (node != NULL && *path != '\0') {
        size_t length = strcspn(path, ".");
        const struct entry *entry = entry_n(node, path, length);
        node = entry != NULL ? entry->value : NULL;
        path += length + (path[length] == '.');
    }
    return node;
}

bool node_is_empty(const struct node *node)
{
    return node == NULL ||
           (node->kind == NODE_SCALAR && !node->quoted &&
            (node->text[0] == '\0' || strcmp(node->text, "~") == 0 || strcmp(node->text, "null") == 0));
}

static struct node *copy_as_map(struct arena *arena, const struct node *node, struct position key_at,
                                size_t spare)
{
    struct node *copy = ARENA_NEW(arena, struct node);
    *copy = (struct node){.kind = NODE_MAP, .at = node != NULL ? node->at : key_at};
    bool is_map = node != NULL && node->kind == NODE_MAP;
    bool is_bare = !is_map && !node_is_empty(node);
    copy->count = is_map ? node->count : is_bare;
    struct entry *entries = ARENA_ARRAY(arena, struct entry, copy->count + spare);
    if (is_map && node->count > 0)
        memcpy(entries, node->entries, node->count * sizeof *entries);
    else if (is_bare)
        entries[0] = (struct entry){.key = NODE_BARE, .key_at = node->at, .value = node};
    copy->entries = entries;
    return copy;
}

const struct node *node_with(struct arena *arena, const struct node *root, const char *path,
                             struct position key_at, const struct node *value)
{
    if (*path == '\0')
        return value;
    size_t length = strcspn(path, ".");
    const char *rest = path + length + (path[length] == '.');
    struct node *copy = copy_as_map(arena, root, key_at, 1);
    struct entry *entries = (struct entry *)copy->entries,
                 *entry = (struct entry *)entry_n(copy, path, length);
    if (entry == NULL) {
        entry = &entries[copy->count++];
        *entry = (struct entry){.key = arena_text_n(arena, path, length), .key_at = key_at};
    } else if (*rest == '\0') {
        entry->key_at = key_at;
    }
    entry->value = node_with(arena, entry->value, rest, key_at, value);
    return copy;
}

static void add_text(struct builder *builder, const struct node *node)
{
    if (node->kind == NODE_SCALAR) {
        builder_add(builder, node->text);
        return;
    }
    builder_add(builder, node->kind == NODE_LIST ? "[" : "{");
    for (size_t i = 0; i < node->count; i++) {
        const struct entry *entry = &node->entries[i];
        builder_add(builder, i > 0 ? ", " : "");
        if (node->kind == NODE_MAP && strcmp(entry->key, NODE_BARE) != 0)
            builder_format(builder, "%s: ", entry->key);
        add_text(builder, entry->value);
    }
    builder_add(builder, node->kind == NODE_LIST ? "]" : "}");
}

const char *node_text(struct arena *arena, const struct node *node)
{
    if (node->kind == NODE_SCALAR)
        return node->text;
    struct builder builder = {.arena = arena};
    add_text(&builder, node);
    return builder_text(&builder);
}

const char *path_tail(const char *path, size_t words)
{
    const char *start = path + strlen(path);
    while (start > path && (start[-1] != '.' || --words > 0))
        start--;
    return start;
}

bool path_ends_with(const char *path, const char *tail)
{
    size_t path_length = strlen(path), length = strlen(tail);
    return length > 0 && length <= path_length && strcmp(path + path_length - length, tail) == 0 &&
           (length == path_length || path[path_length - length - 1] == '.');
}
