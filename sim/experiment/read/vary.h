/* What is varied: the axes of the grid of cells, and which of the combinations are cells.
 *
 *     vary:
 *       stores.profiles.tier: [azure-files/premium, azure-files/transaction-optimized]
 *       workloads.logons.users: [500, 1000]           # a grid: 2 x 2 cells, the first key changes slowest
 *       lockstep: {KEY: [...], KEY: [...]}            # keys that change together; or a list of such maps
 *       table: morning.csv                            # an axis of its own: a row an item, its header the keys
 *       sample: {points: 50, inputs: {...}}           # a design of many inputs: a point an item
 *       where: users <= 500 or tier = premium         # leaves combinations out; see condition.h
 *
 * An empty field of a table leaves the key as the file has it. Only settings of what the file names can be
 * varied, not whole sections, and of the run only its length.
 */
#ifndef VDISIM_VARY_H
#define VDISIM_VARY_H

#include "sim/experiment/read/arena.h"
#include "sim/experiment/read/catalogue.h"
#include "sim/experiment/read/node.h"
#include "sim/experiment/read/problem.h"
#include "sim/experiment/read/vocabulary.h"

#include <stdbool.h>
#include <stddef.h>

#define VARY_MAX_CELLS        10000
#define VARY_MAX_COMBINATIONS 1000000 /* looked at when `where` leaves some out */

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
    const struct entry *where; /* as written, NULL without */
    bool narrowed;             /* --set, or a problem, took values away */
    bool broken;               /* an axis could not be read */
    size_t *cells;             /* the combinations that are cells, ascending; the last axis counts fastest */
    size_t cell_count;         /* 1 without axes */
};

/* What `vary` belongs to. */
struct varying {
    struct arena *arena;
    const struct vocabulary *vocabulary;
    const struct catalogue *catalogue;
    const struct node *root; /* of the experiment */
    const char *path;        /* of its file: tables are relative to it */
    struct problems *problems;
};

/* Reads the value of the key `vary` (may be NULL or empty). The cells are not chosen yet. */
struct vary *vary_read(const struct varying *varying, const struct node *node);

/* Reads "KEY=VALUE" of --set: returns the root with the value in place, or the root unchanged with the
 * problem added. A value is YAML in one line. When the key is varied, its axis shrinks to that one value. */
const struct node *vary_set(struct arena *arena, struct vary *vary, const struct node *root, const char *set,
                            struct problems *problems);

/* Fills `cells` with the combinations for which `where` holds. With a problem (too many, none, a condition
 * that cannot be read) some are left that can be checked further. */
void vary_choose_cells(const struct varying *varying, struct vary *vary);

/* Whether a dotted key may be varied or set; false with the problem added at `at`. */
bool vary_key_is_allowed(const struct node *root, const char *key, struct position at,
                         struct problems *problems);

/* The row that a dotted key sets, by the kinds that the root names; NULL when it is none: the name of a
 * catalogue entry (`tier`, `rules`), a kind, or no setting at all. */
const struct parameter *vary_parameter(const struct varying *varying, const char *key);

/* `path` relative to the folder of the file `base`; an absolute one as it is. */
const char *path_beside(struct arena *arena, const char *base, const char *path);

#endif
