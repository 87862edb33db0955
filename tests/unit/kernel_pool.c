/* Pools of counted units: strict order, both forms, capacity, conservation. */
#include "tests/support/actors.h"

#include "vdisim/pool.h"

static struct journal journal;
static struct sim *sim;
static struct sim_pool pool;

static int set_up(void **state)
{
    (void)state;
    journal.text[0] = '\0';
    sim = sim_create();
    return sim ? 0 : -1;
}

static int tear_down(void **state)
{
    (void)state;
    int fine = sim_pool_check(&pool);
    sim_destroy(sim);
    return fine ? 0 : -1;
}

/* Seizes `number` units for 10, waiting at most `other` (0: for ever). */
static void uses(struct actor *actor)
{
    int64_t timeout_ns = actor->other ? actor->other : SIM_NEVER_NS;
    enum sim_wake wake = sim_pool_seize(&actor->process, &pool, (uint64_t)actor->number, timeout_ns);
    actor_says(actor, "%s", wake_name(wake));
    if (wake != SIM_DONE)
        return;
    sim_hold(&actor->process, 10);
    sim_pool_release(&pool, (uint64_t)actor->number);
}

static void small_never_overtakes_large(void **state)
{
    (void)state;
    sim_pool_init(&pool, sim, "pool", 10);
    struct actor a = {.number = 7}, b = {.number = 7}, c = {.number = 1}, d = {.number = 2};
    actor_start(sim, &a, 'a', uses, &journal, NULL, 0);
    actor_start(sim, &b, 'b', uses, &journal, NULL, 1);
    actor_start(sim, &c, 'c', uses, &journal, NULL, 2);
    actor_start(sim, &d, 'd', uses, &journal, NULL, 3);
    sim_run_until(sim, 5);
    assert_int_equal(pool.in_use, 7);
    sim_run_until(sim, SIM_NEVER_NS);
    assert_string_equal(journal.text, "0a:done 10b:done 10c:done 10d:done ");
    struct sim_pool_account account = sim_pool_account(&pool);
    assert_int_equal(account.granted_units, 17);
    assert_int_equal(account.in_use, 0);
    assert_near(account.in_use_area_s, 170e-9, 1e-18);
    assert_near(account.waiting_area_s, (9 + 8 + 7) * 1e-9, 1e-18);
}

static void leaving_head_lets_the_next_in(void **state)
{
    (void)state;
    sim_pool_init(&pool, sim, "pool", 10);
    struct actor a = {.number = 7}, b = {.number = 7, .other = 3}, c = {.number = 1};
    actor_start(sim, &a, 'a', uses, &journal, NULL, 0);
    actor_start(sim, &b, 'b', uses, &journal, NULL, 1);
    actor_start(sim, &c, 'c', uses, &journal, NULL, 2);
    sim_run_until(sim, SIM_NEVER_NS);
    assert_string_equal(journal.text, "0a:done 4b:timeout 4c:done ");
}

static void capacity_may_change(void **state)
{
    (void)state;
    sim_pool_init(&pool, sim, "pool", 4);
    struct actor a = {.number = 3}, b = {.number = 6}, c = {.number = 1};
    actor_start(sim, &a, 'a', uses, &journal, NULL, 0);
    actor_start(sim, &b, 'b', uses, &journal, NULL, 1);
    actor_start(sim, &c, 'c', uses, &journal, NULL, 2);
    sim_run_until(sim, 3);
    sim_pool_set_capacity(&pool, 2);
    assert_int_equal(sim_pool_free(&pool), 0);
    sim_run_until(sim, 12);
    assert_string_equal(journal.text, "0a:done ");
    assert_int_equal(sim_pool_waiting(&pool), 2);
    sim_pool_set_capacity(&pool, 7);
    sim_run_until(sim, SIM_NEVER_NS);
    assert_string_equal(journal.text, "0a:done 12b:done 12c:done ");
}

static int calls;

static void gives_back_at_once(struct sim_pool_waiter *waiter)
{
    calls++;
    sim_pool_release(&pool, waiter->units);
}

static void records_are_served_without_recursion(void **state)
{
    (void)state;
    static struct sim_pool_waiter waiters[50000];
    sim_pool_init(&pool, sim, "pool", 3);
    struct sim_pool_waiter holder;
    sim_pool_waiter_init(&holder, gives_back_at_once);
    assert_true(sim_pool_request(&pool, &holder, 2));
    for (int i = 0; i < 50000; i++) {
        sim_pool_waiter_init(&waiters[i], gives_back_at_once);
        assert_false(sim_pool_request(&pool, &waiters[i], 2 + (uint64_t)i % 2));
    }
    assert_true(sim_pool_give_up(&pool, &waiters[17]));
    assert_false(sim_pool_give_up(&pool, &waiters[17]));
    calls = 0;
    sim_pool_release(&pool, 2);
    assert_int_equal(calls, 49999);
    assert_int_equal(pool.in_use, 0);
}

#define TEST(function) cmocka_unit_test_setup_teardown(function, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(small_never_overtakes_large),
        TEST(leaving_head_lets_the_next_in),
        TEST(capacity_may_change),
        TEST(records_are_served_without_recursion),
    };
    return RUN_TESTS(tests);
}
