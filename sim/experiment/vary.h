/* What is varied: the axes of the grid of cells.
 *
 *     vary:
 *       stores.profiles.tier: [azure-files/premium, azure-files/transaction-optimized]
 *       workloads.logons.users: [500, 1000]           # a grid: 2 x 2 cells, the first key changes slowest
 *       table: morning.csv                            # an axis of its own: a row an item, its header the
 * keys
 *
 * An empty field of a table leaves the key as the file has it. Only settings of what the file names can be
 * varied, not whole sections, and of the run only its length.
 */
#ifndef VDISIM_VARY_H
#define VDISIM_VARY_H

#include "sim/experiment/arena.h"
#include "sim/experiment/node.h"
#include "sim/experiment/problem.h"

#include <stdbool.h>
#include <stddef.h>

#define VARY_MAX_CELLS 10000

/* Keys that change together, and their values item by item. */
struct axis {
    size_t key_count, item_count;
    const char **keys;
    const char **labels;        /* the shortest tail of each key that no other varied key has */
    struct position *key_at;    /* of the keys */
    const struct node **values; /* [item * key_count + key]; NULL: as in the file */
};

struct vary {
    struct axis *axes;
    size_t count;
    size_t cell_count; /* the product; 1 without axes */
};

/* Reads the key `vary` (may be NULL or empty). `root` is the experiment, `path` its file: tables are relative
 * to it. */
struct vary *vary_read(struct arena *arena, const struct node *vary, const struct node *root,
                       const char *path, struct problems *problems);

/* Reads "KEY=VALUE" of --set: returns the root with the value in place, or the root unchanged with the
 * problem added. A value is YAML in one line. When the key is varied, its axis shrinks to that one value. */
const struct node *vary_set(struct arena *arena, struct vary *vary, const struct node *root, const char *set,
                            struct problems *problems);

/* Whether a dotted key may be varied or set; false with the problem added at `at`. */
bool vary_key_is_allowed(const struct node *root, const char *key, struct position at,
                         struct problems *problems);

/* Brings cell_count up to date with the axes; anything above VARY_MAX_CELLS when there are more. */
void vary_count_cells(struct vary *vary);

/* `path` relative to the folder of the file `base`; an absolute one as it is. */
const char *path_beside(struct arena *arena, const char *base, const char *path);

#endif
