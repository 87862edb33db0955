/* A store of items: some put things in, others take them out, in order, and whoever finds it full or empty waits.
 *
 * An item embeds a struct sim_item; the store owns nothing and allocates nothing. Items leave in the order in which they
 * were put; those waiting are served in the order in which they came, and an item is handed over inside the put: a
 * newcomer of the same instant cannot take it.
 *
 * A taker that is stopped between the hand-over and its waking up leaves its item to the next taker, or at the head of
 * the store (which may then hold one more than its capacity).
 */
#ifndef VDISIM_ITEM_STORE_H
#define VDISIM_ITEM_STORE_H

#include "vdisim/line.h"
#include "vdisim/process.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct sim_item {
    struct sim_item *next; /* private */
};

struct sim_item_store {
    struct sim *sim;  /* read-only, and so are those below */
    const char *name; /* not copied */
    size_t capacity;
    size_t count;     /* items inside */

    /* Private. */
    struct sim_item *first;
    struct sim_item *last;
    struct sim_line takers;
    struct sim_line putters;
    uint64_t puts, takes;
    size_t most;
    int64_t began_ns;
    int64_t changed_ns;
    double count_area_ns;
};

/* Identity: puts = takes + count. */
struct sim_item_store_account {
    size_t count;
    size_t most; /* the most items that were ever inside */
    size_t takers_waiting;
    size_t putters_waiting;
    uint64_t puts;
    uint64_t takes;
    double elapsed_s;
    double count_area_s; /* integral of the number of items inside */
};

#define SIM_ITEM_STORE_UNLIMITED SIZE_MAX

void sim_item_store_init(struct sim_item_store *store, struct sim *sim, const char *name, size_t capacity);

/* Puts an item, waiting for room at most timeout_ns. Any answer but SIM_DONE: the item is not in the store. */
enum sim_wake sim_item_store_put(struct sim_process *self, struct sim_item_store *store, struct sim_item *item,
                                 int64_t timeout_ns);

/* Takes the first item, waiting for one at most timeout_ns. *item is NULL unless the answer is SIM_DONE. */
enum sim_wake sim_item_store_get(struct sim_process *self, struct sim_item_store *store, struct sim_item **item,
                                 int64_t timeout_ns);

/* Without waiting, from anywhere. False: full, or others wait to put. */
bool sim_item_store_try_put(struct sim_item_store *store, struct sim_item *item);

/* Without waiting, from anywhere. NULL: empty. */
struct sim_item *sim_item_store_try_get(struct sim_item_store *store);

/* More room lets waiting putters in at once; less room evicts nothing. */
void sim_item_store_set_capacity(struct sim_item_store *store, size_t capacity);

struct sim_item_store_account sim_item_store_account(const struct sim_item_store *store);

/* Whether the identity holds and nobody waits for what is there (asserted, and told where assertions are off). */
bool sim_item_store_check(const struct sim_item_store *store);

#endif
