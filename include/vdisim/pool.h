/* A pool of counted units: memory, credits, licences. Each request takes some number of units at once.
 *
 * Strictly first come, first served: a small request never overtakes a large one that waits, even when the units free
 * would suffice for it. Units that are given back go to those waiting inside the release. A request larger than the
 * capacity waits until the capacity is raised.
 *
 * Process form: sim_pool_seize() blocks. Record form: sim_pool_request() with an embedded waiter and a callback, as in
 * queue.h. When the capacity is lowered below what is in use nobody loses units: those in excess vanish as they are
 * given back.
 */
#ifndef VDISIM_POOL_H
#define VDISIM_POOL_H

#include "vdisim/line.h"
#include "vdisim/process.h"

#include <stdbool.h>
#include <stdint.h>

struct sim_pool_waiter;

/* Called inside the operation that hands over the units, on whatever stack that runs; must not block. */
typedef void sim_pool_callback(struct sim_pool_waiter *waiter);

struct sim_pool_waiter {
    sim_pool_callback *granted;
    uint64_t units;              /* read-only: how many it asked for */
    bool waiting;                /* read-only: in line */
    struct sim_process *process; /* private */
    struct sim_line_place place; /* private */
};

struct sim_pool {
    struct sim *sim;   /* read-only, and so are those below */
    const char *name;  /* not copied */
    uint64_t capacity;
    uint64_t in_use;

    /* Private. */
    struct sim_line line;
    bool handing_over;
    uint64_t granted_units, released_units;
    int64_t began_ns;
    int64_t changed_ns;
    double in_use_area_ns, waiting_area_ns;
};

/* Identity: granted_units = released_units + in_use. */
struct sim_pool_account {
    uint64_t capacity;
    uint64_t in_use;
    size_t waiting; /* requests in line */
    uint64_t granted_units;
    uint64_t released_units;
    double elapsed_s;
    double in_use_area_s;  /* integral of the units in use */
    double waiting_area_s; /* integral of the requests in line */
};

void sim_pool_init(struct sim_pool *pool, struct sim *sim, const char *name, uint64_t capacity);

/* Asks for units > 0 and waits at most timeout_ns. SIM_DONE: holds them; any other answer: holds none. */
enum sim_wake sim_pool_seize(struct sim_process *self, struct sim_pool *pool, uint64_t units, int64_t timeout_ns);

void sim_pool_waiter_init(struct sim_pool_waiter *waiter, sim_pool_callback *granted);

/* Asks for units > 0 for a plain record: true when it holds them now, false when it waits for its callback. */
bool sim_pool_request(struct sim_pool *pool, struct sim_pool_waiter *waiter, uint64_t units);

/* Takes a waiter out of the line; false when it was not in it. Those behind it may be served by this. */
bool sim_pool_give_up(struct sim_pool *pool, struct sim_pool_waiter *waiter);

/* Gives units back; more than are in use asserts. */
void sim_pool_release(struct sim_pool *pool, uint64_t units);

void sim_pool_set_capacity(struct sim_pool *pool, uint64_t capacity);

static inline size_t sim_pool_waiting(const struct sim_pool *pool)
{
    return pool->line.length;
}

/* Units that can be had now; 0 when more are in use than the capacity. */
static inline uint64_t sim_pool_free(const struct sim_pool *pool)
{
    return pool->in_use < pool->capacity ? pool->capacity - pool->in_use : 0;
}

struct sim_pool_account sim_pool_account(const struct sim_pool *pool);

/* Whether the identity holds and the first in line does not fit (asserted, and told where assertions are off). */
bool sim_pool_check(const struct sim_pool *pool);

#endif
