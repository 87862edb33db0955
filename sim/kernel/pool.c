#include "vdisim/pool.h"

#include "vdisim/sim.h"

#include <assert.h>

void sim_pool_init(struct sim_pool *pool, struct sim *sim, const char *name, uint64_t capacity)
{
    *pool = (struct sim_pool){
        .sim = sim,
        .name = name,
        .capacity = capacity,
        .began_ns = sim_now_ns(sim),
        .changed_ns = sim_now_ns(sim),
    };
    sim_line_init(&pool->line, false);
}

void sim_pool_waiter_init(struct sim_pool_waiter *waiter, sim_pool_callback *granted)
{
    *waiter = (struct sim_pool_waiter){.granted = granted};
}

static void integrate(struct sim_pool *pool)
{
    int64_t now_ns = sim_now_ns(pool->sim);
    double passed_ns = (double)(now_ns - pool->changed_ns);
    pool->in_use_area_ns += (double)pool->in_use * passed_ns;
    pool->waiting_area_ns += (double)pool->line.length * passed_ns;
    pool->changed_ns = now_ns;
}

static void take(struct sim_pool *pool, uint64_t units)
{
    pool->in_use += units;
    pool->granted_units += units;
}

/* Serves the line from its head as far as the units go. What a callback gives back is handed on by this same loop. */
static void hand_over(struct sim_pool *pool)
{
    if (pool->handing_over)
        return;
    pool->handing_over = true;
    while (pool->line.first) {
        struct sim_pool_waiter *waiter = SIM_CONTAINER_OF(pool->line.first, struct sim_pool_waiter, place);
        if (waiter->units > sim_pool_free(pool))
            break;
        sim_line_leave(&pool->line, &waiter->place);
        waiter->waiting = false;
        take(pool, waiter->units);
        waiter->granted(waiter);
    }
    pool->handing_over = false;
}

bool sim_pool_request(struct sim_pool *pool, struct sim_pool_waiter *waiter, uint64_t units)
{
    assert(units > 0 && !waiter->waiting);
    integrate(pool);
    waiter->units = units;
    if (!pool->line.first && units <= sim_pool_free(pool)) {
        take(pool, units);
        return true;
    }
    sim_line_join(&pool->line, &waiter->place, 0);
    waiter->waiting = true;
    return false;
}

bool sim_pool_give_up(struct sim_pool *pool, struct sim_pool_waiter *waiter)
{
    if (!waiter->waiting)
        return false;
    integrate(pool);
    sim_line_leave(&pool->line, &waiter->place);
    waiter->waiting = false;
    hand_over(pool);
    return true;
}

void sim_pool_release(struct sim_pool *pool, uint64_t units)
{
    assert(units <= pool->in_use);
    integrate(pool);
    pool->in_use -= units;
    pool->released_units += units;
    hand_over(pool);
}

void sim_pool_set_capacity(struct sim_pool *pool, uint64_t capacity)
{
    pool->capacity = capacity;
    integrate(pool);
    hand_over(pool);
}

struct seizing {
    struct sim_wait wait;
    struct sim_pool *pool;
    struct sim_pool_waiter waiter;
};

static void seizing_leave(struct sim_wait *wait)
{
    struct seizing *seizing = SIM_CONTAINER_OF(wait, struct seizing, wait);
    if (!sim_pool_give_up(seizing->pool, &seizing->waiter))
        sim_pool_release(seizing->pool, seizing->waiter.units);
}

static void process_is_granted(struct sim_pool_waiter *waiter)
{
    sim_process_grant(waiter->process);
}

enum sim_wake sim_pool_seize(struct sim_process *self, struct sim_pool *pool, uint64_t units, int64_t timeout_ns)
{
    bool must_wait = pool->line.first || units > sim_pool_free(pool);
    if (must_wait && sim_process_take_interrupt(self))
        return SIM_INTERRUPTED;
    struct seizing seizing = {.wait = {seizing_leave}, .pool = pool};
    sim_pool_waiter_init(&seizing.waiter, process_is_granted);
    seizing.waiter.process = self;
    if (sim_pool_request(pool, &seizing.waiter, units))
        return SIM_DONE;
    return sim_process_block(self, &seizing.wait, timeout_ns);
}

struct sim_pool_account sim_pool_account(const struct sim_pool *pool)
{
    int64_t now_ns = sim_now_ns(pool->sim);
    double passed_ns = (double)(now_ns - pool->changed_ns);
    return (struct sim_pool_account){
        .capacity = pool->capacity,
        .in_use = pool->in_use,
        .waiting = pool->line.length,
        .granted_units = pool->granted_units,
        .released_units = pool->released_units,
        .elapsed_s = sim_s_from_ns(now_ns - pool->began_ns),
        .in_use_area_s = (pool->in_use_area_ns + (double)pool->in_use * passed_ns) / 1e9,
        .waiting_area_s = (pool->waiting_area_ns + (double)pool->line.length * passed_ns) / 1e9,
    };
}

static bool holds(const struct sim_pool *pool)
{
    if (pool->granted_units != pool->released_units + pool->in_use)
        return false;
    if (!pool->line.first || pool->handing_over)
        return true;
    return SIM_CONTAINER_OF(pool->line.first, struct sim_pool_waiter, place)->units > sim_pool_free(pool);
}

bool sim_pool_check(const struct sim_pool *pool)
{
    bool fine = holds(pool);
    assert(fine);
    return fine;
}
