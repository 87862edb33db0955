/* Everything at one instant: {queue, pool, item store, signal, join} x {grant, time-out, cancel, interrupt, stop, priority
 * change, capacity change}.
 *
 * In each cell A has waited since 0 and B since 1, and at 10 exactly one unit (item, notification, end) becomes free. At 10
 * also the act of the column happens, in one run before the grant and in one after it. The table states who gets what, as
 * the journal of the run: "10a:done" is the end of A's wait, and whoever is served then holds for 1, "11a:held". Two general
 * rules explain all cells: what happens first at an instant counts first, and what was handed over is never lost. */
#include "tests/support/actors.h"

#include "vdisim/item_store.h"
#include "vdisim/pool.h"
#include "vdisim/queue.h"
#include "vdisim/signal.h"

enum kind { QUEUE, POOL, STORE, SIGNAL, JOIN, KINDS };
enum act { NEWCOMER, TIME_OUT, CANCEL, INTERRUPT, STOP, PRIORITY, CAPACITY_DOWN, CAPACITY_UP, ACTS };

static const char *const kind_names[KINDS] = {"queue", "pool", "item store", "signal", "join"};
static const char *const act_names[ACTS] = {
    "grant beside a newcomer", "time-out",      "cancel",      "interrupt", "stop",
    "priority change",         "capacity down", "capacity up",
};

struct cell {
    const char *rule;       /* what is promised, or why the cell does not apply */
    const char *act_first;  /* journal when the act comes before the grant; NULL: does not apply */
    const char *grant_first;
};

#define A "10a:done 11a:held "
#define B "10b:done 11b:held "
#define AB "10a:done 10b:done 11a:held 11b:held "
#define KEPT "10a:done 10a:interrupted "

static const struct cell cells[KINDS][ACTS] = {
    [QUEUE] =
        {
            [NEWCOMER] = {"the newcomer goes behind, even if it asks right after the release", A, A},
            [TIME_OUT] = {"who has left gets nothing, the next does; who was granted is not timed out",
                          "10a:timeout " B, A},
            [CANCEL] = {"the same for a record that gives up", B, "10r:granted "},
            [INTERRUPT] = {"an interrupted waiter gets nothing; after the grant the interrupt is kept for the next wait",
                           "10a:interrupted " B, KEPT},
            [STOP] = {"a stopped waiter's server goes to the next, also when it was just granted", B, B},
            [PRIORITY] = {"B raised above A counts if it comes before the release", B, A},
            [CAPACITY_DOWN] = {"a server taken away before its release is not handed over", "", A},
            [CAPACITY_UP] = {"a new server serves at once; two servers serve two", AB, AB},
        },
    [POOL] =
        {
            [NEWCOMER] = {"as in a queue", A, A},
            [TIME_OUT] = {"as in a queue", "10a:timeout " B, A},
            [CANCEL] = {"as in a queue", B, "10r:granted "},
            [INTERRUPT] = {"as in a queue", "10a:interrupted " B, KEPT},
            [STOP] = {"as in a queue", B, B},
            [PRIORITY] = {"does not apply: a pool serves strictly by arrival", NULL, NULL},
            [CAPACITY_DOWN] = {"as in a queue", "", A},
            [CAPACITY_UP] = {"as in a queue", AB, AB},
        },
    [STORE] =
        {
            [NEWCOMER] = {"the item is handed over in the put: a newcomer cannot take it", A, A},
            [TIME_OUT] = {"as in a queue", "10a:timeout " B, A},
            [CANCEL] = {"does not apply: a store has no record form", NULL, NULL},
            [INTERRUPT] = {"as in a queue", "10a:interrupted " B, KEPT},
            [STOP] = {"the item goes to the next taker", B, B},
            [PRIORITY] = {"does not apply: a store serves by arrival", NULL, NULL},
            [CAPACITY_DOWN] = {"an item passes from hand to hand even where none can be kept", A, A},
            [CAPACITY_UP] = {"room makes no items", A, A},
        },
    [SIGNAL] =
        {
            [NEWCOMER] = {"the longest waiter is chosen", A, A},
            [TIME_OUT] = {"as in a queue", "10a:timeout " B, A},
            [CANCEL] = {"does not apply: a signal has no record form", NULL, NULL},
            [INTERRUPT] = {"as in a queue", "10a:interrupted " B, KEPT},
            [STOP] = {"a notification to a stopped waiter is passed on", B, B},
            [PRIORITY] = {"does not apply: a signal wakes by arrival", NULL, NULL},
            [CAPACITY_DOWN] = {"does not apply: a signal has no capacity", NULL, NULL},
            [CAPACITY_UP] = {"does not apply: a signal has no capacity", NULL, NULL},
        },
    [JOIN] =
        {
            [NEWCOMER] = {"all that joined are woken in order; to join the ended is no wait",
                          "10a:done 10b:done 10n:done 11a:held 11b:held 11n:held ",
                          "10n:done 10a:done 10b:done 11n:held 11a:held 11b:held "},
            [TIME_OUT] = {"the end after the time-out comes too late for A only", "10a:timeout " B, AB},
            [CANCEL] = {"does not apply: a join has no record form", NULL, NULL},
            [INTERRUPT] = {"as in a queue, but B is woken in any case", "10a:interrupted " B, KEPT B},
            [STOP] = {"a stopped joiner is forgotten", B, B},
            [PRIORITY] = {"does not apply: joiners have no priority", NULL, NULL},
            [CAPACITY_DOWN] = {"does not apply: a join has no capacity", NULL, NULL},
            [CAPACITY_UP] = {"does not apply: a join has no capacity", NULL, NULL},
        },
};

struct world {
    enum kind kind;
    enum act act;
    struct sim *sim;
    struct journal journal;
    struct sim_queue queue;
    struct sim_pool pool;
    struct sim_item_store store;
    struct sim_signal signal;
    struct sim_item items[8];
    size_t items_put;
    struct actor a, b, n, ending;
    struct sim_queue_waiter held, a_waiter, b_waiter, record;
    struct sim_pool_waiter pool_held, pool_record;
    struct sim_event grant_event, act_event;
};

static enum sim_wake wait_in(struct world *world, struct actor *actor)
{
    int64_t timeout_ns = actor->number;
    struct sim_item *item;
    switch (world->kind) {
    case QUEUE: {
        struct sim_queue_waiter *waiter = actor == &world->a ? &world->a_waiter : &world->b_waiter;
        if (actor == &world->n)
            return sim_queue_seize(&actor->process, &world->queue, 0, timeout_ns);
        sim_queue_waiter_init(waiter, NULL);
        return sim_queue_seize_as(&actor->process, &world->queue, waiter, 0, timeout_ns);
    }
    case POOL:
        return sim_pool_seize(&actor->process, &world->pool, 1, timeout_ns);
    case STORE:
        return sim_item_store_get(&actor->process, &world->store, &item, timeout_ns);
    case SIGNAL:
        return sim_signal_wait(&actor->process, &world->signal, timeout_ns);
    case JOIN:
    case KINDS:
        break;
    }
    return sim_process_join(&actor->process, &world->ending.process, timeout_ns);
}

/* What is got is kept, so that the journal shows who got the one unit. */
static void waits_and_holds(struct actor *actor)
{
    enum sim_wake wake = wait_in(actor->world, actor);
    actor_says(actor, "%s", wake_name(wake));
    if (wake == SIM_DONE)
        actor_says(actor, "%s", sim_hold(&actor->process, 1) == SIM_DONE ? "held" : "interrupted");
}

static void ends_when_stopped(struct actor *actor)
{
    sim_suspend(&actor->process, SIM_NEVER_NS);
}

static void record_is_granted(struct world *world)
{
    strcat(world->journal.text, "10r:granted ");
}

static void queue_record_granted(struct sim_queue_waiter *waiter)
{
    record_is_granted(SIM_CONTAINER_OF(waiter, struct world, record));
}

static void pool_record_granted(struct sim_pool_waiter *waiter)
{
    record_is_granted(SIM_CONTAINER_OF(waiter, struct world, pool_record));
}

static void grants(struct sim *sim, struct sim_event *event)
{
    (void)sim;
    struct world *world = SIM_CONTAINER_OF(event, struct world, grant_event);
    switch (world->kind) {
    case QUEUE:
        sim_queue_release_by(&world->queue, &world->held);
        break;
    case POOL:
        sim_pool_release(&world->pool, 1);
        break;
    case STORE:
        assert_true(sim_item_store_try_put(&world->store, &world->items[world->items_put++]));
        break;
    case SIGNAL:
        sim_signal_notify_one(&world->signal);
        break;
    case JOIN:
    case KINDS:
        sim_process_stop(&world->ending.process);
    }
}

static void set_capacity(struct world *world, size_t capacity)
{
    if (world->kind == QUEUE)
        sim_queue_set_capacity(&world->queue, capacity);
    else if (world->kind == POOL)
        sim_pool_set_capacity(&world->pool, capacity);
    else
        sim_item_store_set_capacity(&world->store, capacity);
}

static void acts(struct sim *sim, struct sim_event *event)
{
    (void)sim;
    struct world *world = SIM_CONTAINER_OF(event, struct world, act_event);
    switch (world->act) {
    case CANCEL:
        if (world->kind == QUEUE)
            sim_queue_give_up(&world->queue, &world->record);
        else
            sim_pool_give_up(&world->pool, &world->pool_record);
        break;
    case INTERRUPT:
        sim_process_interrupt(&world->a.process, 1);
        break;
    case STOP:
        sim_process_stop(&world->a.process);
        break;
    case PRIORITY:
        sim_queue_set_priority(&world->queue, &world->b_waiter, 5);
        break;
    case CAPACITY_DOWN:
        set_capacity(world, 0);
        break;
    case CAPACITY_UP:
        set_capacity(world, 2);
        break;
    case NEWCOMER:
    case TIME_OUT:
    case ACTS:
        break;
    }
}

static void world_checks(const struct world *world)
{
    assert_true(sim_queue_check(&world->queue));
    assert_true(sim_pool_check(&world->pool));
    assert_true(sim_item_store_check(&world->store));
    assert_int_equal(sim_pool_account(&world->pool).granted_units,
                     world->pool.in_use + sim_pool_account(&world->pool).released_units);
}

static void world_init(struct world *world, enum kind kind, enum act act)
{
    *world = (struct world){.kind = kind, .act = act, .sim = sim_create()};
    sim_queue_init(&world->queue, world->sim, "queue", 1, SIM_QUEUE_PRIORITY);
    sim_queue_waiter_init(&world->held, NULL);
    assert_int_equal(sim_queue_request(&world->queue, &world->held, 0), SIM_QUEUE_GRANTED);
    sim_pool_init(&world->pool, world->sim, "pool", 1);
    sim_pool_waiter_init(&world->pool_held, NULL);
    assert_true(sim_pool_request(&world->pool, &world->pool_held, 1));
    sim_item_store_init(&world->store, world->sim, "store", 1);
    sim_signal_init(&world->signal, "signal");
    sim_event_init(&world->grant_event, grants, 1);
    sim_event_init(&world->act_event, acts, 2);
    actor_start(world->sim, &world->ending, 'e', ends_when_stopped, &world->journal, world, 0);
}

/* One cell, with the act before or after the grant: their events are scheduled in that order, before all else. */
static void run_cell(struct world *world, bool act_first)
{
    struct sim *sim = world->sim;
    enum act act = world->act;
    bool event_acts = act != NEWCOMER && act != TIME_OUT;
    world->a.number = world->b.number = world->n.number = SIM_NEVER_NS;
    if (act == TIME_OUT)
        world->a.number = 10;

    if (act_first && event_acts)
        sim_schedule_at(sim, &world->act_event, 10);
    if (act_first && act == NEWCOMER)
        actor_start(sim, &world->n, 'n', waits_and_holds, &world->journal, world, 10);
    if (!(act_first && act == TIME_OUT))
        sim_schedule_at(sim, &world->grant_event, 10);
    if (!act_first && event_acts)
        sim_schedule_at(sim, &world->act_event, 10);
    if (!act_first && act == NEWCOMER)
        actor_start(sim, &world->n, 'n', waits_and_holds, &world->journal, world, 10);

    if (act == CANCEL) {
        sim_queue_waiter_init(&world->record, queue_record_granted);
        sim_pool_waiter_init(&world->pool_record, pool_record_granted);
        if (world->kind == QUEUE)
            assert_int_equal(sim_queue_request(&world->queue, &world->record, 0), SIM_QUEUE_WAITING);
        else
            assert_false(sim_pool_request(&world->pool, &world->pool_record, 1));
    } else {
        actor_start(sim, &world->a, 'a', waits_and_holds, &world->journal, world, 0);
    }
    actor_start(sim, &world->b, 'b', waits_and_holds, &world->journal, world, 1);
    sim_run_until(sim, 5);
    if (act_first && act == TIME_OUT)
        sim_schedule_at(sim, &world->grant_event, 10);
    sim_run_until(sim, SIM_NEVER_NS);
    world_checks(world);
}

static void each_cell_follows_its_rule(void **state)
{
    (void)state;
    for (int kind = 0; kind < KINDS; kind++) {
        for (int act = 0; act < ACTS; act++) {
            const struct cell *cell = &cells[kind][act];
            assert_non_null(cell->rule);
            assert_int_equal(strncmp(cell->rule, "does not apply", 14) == 0, cell->act_first == NULL);
            for (int act_first = 0; act_first < 2 && cell->act_first; act_first++) {
                struct world world;
                world_init(&world, kind, act);
                run_cell(&world, act_first);
                const char *expected = act_first ? cell->act_first : cell->grant_first;
                if (strcmp(world.journal.text, expected) != 0)
                    fail_msg("%s x %s, %s first (%s): \"%s\", expected \"%s\"", kind_names[kind], act_names[act],
                             act_first ? "act" : "grant", cell->rule, world.journal.text, expected);
                sim_destroy(world.sim);
            }
        }
    }
}

/* All acts at one instant in a random order, on a crowd in each resource: whatever the order, nothing is lost. */

#define CROWD 24

struct storm {
    struct world world;
    struct actor crowd[CROWD];
    struct sim_event events[4 * CROWD];
    struct sim_item items[4 * CROWD];
    uint64_t random;
};

static uint64_t draw(struct storm *storm)
{
    storm->random ^= storm->random << 13;
    storm->random ^= storm->random >> 7;
    storm->random ^= storm->random << 17;
    return storm->random * UINT64_C(0x2545F4914F6CDD1D) >> 16;
}

static void storm_actor(struct actor *actor)
{
    struct storm *storm = actor->world;
    struct world *world = &storm->world;
    for (int i = 0; i < 4; i++) {
        enum sim_wake wake = SIM_DONE;
        struct sim_item *item;
        struct sim_queue_waiter waiter;
        uint64_t units = 1 + draw(storm) % 2;
        int64_t timeout_ns = draw(storm) % 3 ? SIM_NEVER_NS : 10;
        actor->number = (int64_t)draw(storm) % 4;
        switch (actor->number) {
        case QUEUE:
            sim_queue_waiter_init(&waiter, NULL);
            wake = sim_queue_seize_as(&actor->process, &world->queue, &waiter, (int64_t)(draw(storm) % 3), timeout_ns);
            if (wake == SIM_DONE)
                sim_queue_release_by(&world->queue, &waiter);
            break;
        case POOL:
            wake = sim_pool_seize(&actor->process, &world->pool, units, timeout_ns);
            if (wake == SIM_DONE)
                sim_pool_release(&world->pool, units);
            break;
        case STORE:
            wake = sim_item_store_get(&actor->process, &world->store, &item, timeout_ns);
            assert_int_equal(item != NULL, wake == SIM_DONE);
            break;
        default:
            wake = sim_signal_wait(&actor->process, &world->signal, timeout_ns);
        }
        assert_int_not_equal(wake, SIM_BALKED);
    }
}

static void storm_acts(struct sim *sim, struct sim_event *event)
{
    struct storm *storm = SIM_CONTAINER_OF(event - event->label, struct storm, events[0]);
    struct world *world = &storm->world;
    struct actor *victim = &storm->crowd[draw(storm) % CROWD];
    (void)sim;
    switch (draw(storm) % 8) {
    case 0:
        sim_process_interrupt(&victim->process, 7);
        break;
    case 1:
        sim_process_stop(&victim->process);
        break;
    case 2:
        sim_item_store_try_put(&world->store, &storm->items[event->label]);
        break;
    case 3:
        sim_signal_notify_one(&world->signal);
        break;
    case 4:
        sim_queue_set_capacity(&world->queue, draw(storm) % 3);
        break;
    case 5:
        sim_pool_set_capacity(&world->pool, draw(storm) % 4);
        break;
    case 6:
        if (world->held.state == SIM_WAITER_HOLDS)
            sim_queue_release_by(&world->queue, &world->held);
        break;
    default:
        if (sim_pool_account(&world->pool).released_units == 0 && world->pool.in_use == 1)
            sim_pool_release(&world->pool, 1);
    }
    world_checks(world);
}

static void whatever_the_order_nothing_is_lost(void **state)
{
    (void)state;
    static struct storm storm;
    for (uint64_t seed = 1; seed <= 300; seed++) {
        memset(&storm, 0, sizeof storm);
        storm.random = seed * UINT64_C(0x9E3779B97F4A7C15);
        world_init(&storm.world, QUEUE, STOP);
        struct sim *sim = storm.world.sim;
        sim_item_store_set_capacity(&storm.world.store, CROWD);
        for (int i = 0; i < CROWD; i++)
            actor_start(sim, &storm.crowd[i], 'x', storm_actor, &storm.world.journal, &storm, (int64_t)(draw(&storm) % 2) * 10);
        for (uint32_t i = 0; i < 4 * CROWD; i++) {
            sim_event_init(&storm.events[i], storm_acts, i);
            sim_schedule_at(sim, &storm.events[i], 10);
        }
        sim_run_until(sim, 30);
        world_checks(&storm.world);
        /* Everything free again: with enough of all, everyone still there comes to an end. */
        if (storm.world.held.state == SIM_WAITER_HOLDS)
            sim_queue_release_by(&storm.world.queue, &storm.world.held);
        sim_queue_set_capacity(&storm.world.queue, 5);
        sim_pool_set_capacity(&storm.world.pool, 5);
        static struct sim_item more[4 * CROWD];
        for (int i = 0; i < 4 * CROWD; i++) {
            sim_item_store_try_put(&storm.world.store, &more[i]);
            sim_signal_notify_all(&storm.world.signal);
            sim_run_until(sim, sim_now_ns(sim) + 20);
            world_checks(&storm.world);
        }
        sim_process_stop(&storm.world.ending.process);
        sim_run_until(sim, SIM_NEVER_NS);
        assert_int_equal(sim_account(sim).live_processes, 0);
        assert_int_equal(storm.world.queue.busy, 0);
        sim_destroy(sim);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_cell_follows_its_rule),
        cmocka_unit_test(whatever_the_order_nothing_is_lost),
    };
    return RUN_TESTS(tests);
}
