/* A document as a tree: maps, lists and scalars, each with the place where it was written.
 *
 * A node is never changed once made; setting a value gives a new tree that shares all untouched branches with
 * the old one. So many variants of one experiment cost little, and two variants have a branch in common
 * exactly when the two pointers are equal. Nodes live in an arena.
 *
 * A dotted path, `stores.profiles.size`, names a node by the keys that lead to it.
 */
#ifndef VDISIM_NODE_H
#define VDISIM_NODE_H

#include "sim/experiment/read/arena.h"
#include "sim/experiment/read/problem.h"

#include <stdbool.h>
#include <stddef.h>

enum node_kind { NODE_SCALAR, NODE_LIST, NODE_MAP };

struct entry {
    const char *key;        /* NULL in a list */
    struct position key_at; /* in a list: the position of the value */
    const struct node *value;
};

struct node {
    enum node_kind kind;
    struct position at;
    const char *text;            /* NODE_SCALAR: as written, without quotes */
    bool quoted;                 /* NODE_SCALAR */
    const struct entry *entries; /* NODE_LIST, NODE_MAP */
    size_t count;
};

struct node *node_scalar(struct arena *arena, const char *text, struct position at);

/* The entry of a map, or NULL; `map` may be NULL or not a map. */
const struct entry *node_entry(const struct node *map, const char *key);

/* The value of that entry, or NULL. */
const struct node *node_get(const struct node *map, const char *key);

/* The node at a dotted path, or NULL. */
const struct node *node_at_path(const struct node *root, const char *path);

/* True for nothing, an empty scalar that was not quoted, `~` and `null`. */
bool node_is_empty(const struct node *node);

/* The last `words` words of a dotted path, all of it when it has no more: the short name of a setting. */
const char *path_tail(const char *path, size_t words);

/* Whether a dotted path ends with these words, as whole words. */
bool path_ends_with(const char *path, const char *tail);

/* A tree in which the node at a dotted path is `value`, written at key_at; maps that are missing on the way
 * are made. A scalar on the way (a bare catalogue entry in place of a map) becomes a map that holds it under
 * the key NODE_BARE. */
const struct node *node_with(struct arena *arena, const struct node *root, const char *path,
                             struct position key_at, const struct node *value);

#define NODE_BARE "" /* no key of a document is empty */

/* The node on one line as YAML would have it in flow style, scalars as written. */
const char *node_text(struct arena *arena, const struct node *node);

#endif
