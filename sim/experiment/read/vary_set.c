#include "sim/experiment/read/vary.h"

#include "sim/experiment/read/document.h"

#include <string.h>

/* The axis shrinks to one item when it is of this key alone; in a table the column becomes constant. */
static bool fix_axis(struct arena *arena, struct vary *vary, const char *key, struct position at,
                     const struct node *value)
{
    for (size_t i = 0; i < vary->count; i++) {
        struct axis *axis = &vary->axes[i];
        for (size_t k = 0; k < axis->key_count; k++) {
            if (strcmp(axis->keys[k], key) != 0)
                continue;
            if (axis->key_count == 1)
                axis->item_count = 1;
            axis->key_at[k] = at;
            const struct node **values =
                ARENA_ARRAY(arena, const struct node *, axis->item_count * axis->key_count);
            memcpy(values, axis->values, axis->item_count * axis->key_count * sizeof *values);
            for (size_t item = 0; item < axis->item_count; item++)
                values[item * axis->key_count + k] = value;
            axis->values = values;
            vary->narrowed = true;
            return true;
        }
    }
    return false;
}

const struct node *vary_set(struct arena *arena, struct vary *vary, const struct node *root, const char *set,
                            struct problems *problems)
{
    const char *name = arena_format(arena, "--set %s", set);
    struct position at = {.file = name};
    const char *equals = strchr(set, '=');
    if (equals == NULL || equals == set || equals[1] == '\0') {
        problem_add(problems, PROBLEM_ERROR, at, "is written KEY=VALUE, e.g. stores.profiles.size=5 TiB");
        return root;
    }
    const char *key = arena_text_n(arena, set, (size_t)(equals - set));
    if (!vary_key_is_allowed(root, key, at, problems))
        return root;
    const struct node *value = document_parse(arena, name, equals + 1, strlen(equals + 1), problems);
    if (value == NULL)
        return root;
    if (value->kind == NODE_SCALAR) {
        struct node *scalar = node_scalar(arena, value->text, at);
        scalar->quoted = value->quoted;
        value = scalar;
    }
    if (fix_axis(arena, vary, key, at, value))
        return root;
    return node_with(arena, root, key, at, value);
}
