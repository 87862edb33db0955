#include "vdisim/item_store.h"

#include "vdisim/sim.h"

#include <assert.h>

/* One that waits to take or to put. */
struct store_waiter {
    struct sim_wait wait;
    struct sim_line_place place;
    struct sim_item_store *store;
    struct sim_process *process;
    struct sim_item *item; /* to be put, or handed over */
    bool served;
};

void sim_item_store_init(struct sim_item_store *store, struct sim *sim, const char *name, size_t capacity)
{
    *store = (struct sim_item_store){
        .sim = sim,
        .name = name,
        .capacity = capacity,
        .began_ns = sim_now_ns(sim),
        .changed_ns = sim_now_ns(sim),
    };
    sim_line_init(&store->takers, false);
    sim_line_init(&store->putters, false);
}

static struct store_waiter *first_in(const struct sim_line *line)
{
    return line->first ? SIM_CONTAINER_OF(line->first, struct store_waiter, place) : NULL;
}

static void serve(struct sim_line *line, struct store_waiter *waiter)
{
    sim_line_leave(line, &waiter->place);
    waiter->served = true;
    sim_process_grant(waiter->process);
}

/* Brings the area up to date; to be called before the count changes. */
static void integrate(struct sim_item_store *store)
{
    int64_t now_ns = sim_now_ns(store->sim);
    store->count_area_ns += (double)store->count * (double)(now_ns - store->changed_ns);
    store->changed_ns = now_ns;
}

static void count_one_more(struct sim_item_store *store)
{
    if (++store->count > store->most)
        store->most = store->count;
}

static void append(struct sim_item_store *store, struct sim_item *item)
{
    integrate(store);
    item->next = NULL;
    if (store->last)
        store->last->next = item;
    else
        store->first = item;
    store->last = item;
    count_one_more(store);
}

static void admit_putters(struct sim_item_store *store)
{
    struct store_waiter *putter;
    while (store->count < store->capacity && (putter = first_in(&store->putters))) {
        append(store, putter->item);
        store->puts++;
        serve(&store->putters, putter);
    }
}

bool sim_item_store_try_put(struct sim_item_store *store, struct sim_item *item)
{
    struct store_waiter *taker = first_in(&store->takers);
    if (taker) {
        taker->item = item;
        store->puts++;
        store->takes++;
        serve(&store->takers, taker);
        return true;
    }
    if (store->putters.first || store->count >= store->capacity)
        return false;
    append(store, item);
    store->puts++;
    return true;
}

struct sim_item *sim_item_store_try_get(struct sim_item_store *store)
{
    struct sim_item *item = store->first;
    if (item) {
        integrate(store);
        store->first = item->next;
        if (!store->first)
            store->last = NULL;
        store->count--;
        store->takes++;
        if (store->putters.first)
            admit_putters(store);
        return item;
    }
    /* Without capacity, items pass from hand to hand. */
    struct store_waiter *putter = first_in(&store->putters);
    if (!putter)
        return NULL;
    store->puts++;
    store->takes++;
    serve(&store->putters, putter);
    return putter->item;
}

static void putter_leaves(struct sim_wait *wait)
{
    struct store_waiter *putter = SIM_CONTAINER_OF(wait, struct store_waiter, wait);
    if (!putter->served)
        sim_line_leave(&putter->store->putters, &putter->place);
}

/* Gives what was handed over, but never received, to the next taker, or puts it back at the head. */
static void taker_leaves(struct sim_wait *wait)
{
    struct store_waiter *leaver = SIM_CONTAINER_OF(wait, struct store_waiter, wait);
    struct sim_item_store *store = leaver->store;
    if (!leaver->served) {
        sim_line_leave(&store->takers, &leaver->place);
        return;
    }
    struct store_waiter *taker = first_in(&store->takers);
    if (taker) {
        taker->item = leaver->item;
        serve(&store->takers, taker);
        return;
    }
    integrate(store);
    leaver->item->next = store->first;
    store->first = leaver->item;
    if (!store->last)
        store->last = leaver->item;
    store->takes--;
    count_one_more(store);
}

enum sim_wake sim_item_store_put(struct sim_process *self, struct sim_item_store *store, struct sim_item *item,
                                 int64_t timeout_ns)
{
    if (sim_item_store_try_put(store, item))
        return SIM_DONE;
    if (sim_process_take_interrupt(self))
        return SIM_INTERRUPTED;
    struct store_waiter putter = {.wait = {putter_leaves}, .store = store, .process = self, .item = item};
    sim_line_join(&store->putters, &putter.place, 0);
    return sim_process_block(self, &putter.wait, timeout_ns);
}

enum sim_wake sim_item_store_get(struct sim_process *self, struct sim_item_store *store, struct sim_item **item,
                                 int64_t timeout_ns)
{
    *item = sim_item_store_try_get(store);
    if (*item)
        return SIM_DONE;
    if (sim_process_take_interrupt(self))
        return SIM_INTERRUPTED;
    struct store_waiter taker = {.wait = {taker_leaves}, .store = store, .process = self};
    sim_line_join(&store->takers, &taker.place, 0);
    enum sim_wake wake = sim_process_block(self, &taker.wait, timeout_ns);
    *item = taker.served ? taker.item : NULL;
    return wake;
}

void sim_item_store_set_capacity(struct sim_item_store *store, size_t capacity)
{
    store->capacity = capacity;
    admit_putters(store);
}

struct sim_item_store_account sim_item_store_account(const struct sim_item_store *store)
{
    int64_t now_ns = sim_now_ns(store->sim);
    return (struct sim_item_store_account){
        .count = store->count,
        .most = store->most,
        .takers_waiting = store->takers.length,
        .putters_waiting = store->putters.length,
        .puts = store->puts,
        .takes = store->takes,
        .elapsed_s = sim_s_from_ns(now_ns - store->began_ns),
        .count_area_s = (store->count_area_ns + (double)store->count * (double)(now_ns - store->changed_ns)) / 1e9,
    };
}

static bool holds(const struct sim_item_store *store)
{
    return store->puts == store->takes + store->count && (!store->takers.first || store->count == 0) &&
           (!store->putters.first || store->count >= store->capacity) && (!store->takers.first || !store->putters.first);
}

bool sim_item_store_check(const struct sim_item_store *store)
{
    bool fine = holds(store);
    assert(fine);
    return fine;
}
