/* Stores of items: order of items and of those who wait for them, bounds, hand-over. */
#include "tests/support/actors.h"

#include "vdisim/item_store.h"

static struct journal journal;
static struct sim *sim;
static struct sim_item_store store;

struct parcel {
    struct sim_item item;
    int number;
};

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
    int fine = sim_item_store_check(&store);
    sim_destroy(sim);
    return fine ? 0 : -1;
}

static void puts_three(struct actor *actor)
{
    struct parcel *parcels = actor->world;
    for (int i = 0; i < 3; i++) {
        enum sim_wake wake = sim_item_store_put(&actor->process, &store, &parcels[i].item, SIM_NEVER_NS);
        actor_says(actor, "%s%d", wake_name(wake), parcels[i].number);
        sim_hold(&actor->process, actor->number);
    }
}

static void takes(struct actor *actor)
{
    struct sim_item *item;
    enum sim_wake wake = sim_item_store_get(&actor->process, &store, &item, actor->number);
    int number = item ? SIM_CONTAINER_OF(item, struct parcel, item)->number : 0;
    actor_says(actor, "%s%d", wake_name(wake), number);
}

static void items_leave_in_order_to_takers_in_order(void **state)
{
    (void)state;
    sim_item_store_init(&store, sim, "store", SIM_ITEM_STORE_UNLIMITED);
    struct parcel parcels[3] = {{.number = 1}, {.number = 2}, {.number = 3}};
    struct actor p = {.number = 5}, a = {.number = SIM_NEVER_NS}, b = {.number = 3}, c = a, d = a, e = {.number = 0};
    actor_start(sim, &a, 'a', takes, &journal, NULL, 0);
    actor_start(sim, &b, 'b', takes, &journal, NULL, 1);
    actor_start(sim, &c, 'c', takes, &journal, NULL, 2);
    actor_start(sim, &p, 'p', puts_three, &journal, parcels, 10);
    actor_start(sim, &d, 'd', takes, &journal, NULL, 30);
    actor_start(sim, &e, 'e', takes, &journal, NULL, 31);
    sim_run_until(sim, SIM_NEVER_NS);
    assert_string_equal(journal.text, "4b:timeout0 10p:done1 10a:done1 15p:done2 15c:done2 20p:done3 30d:done3 31e:timeout0 ");
    struct sim_item_store_account account = sim_item_store_account(&store);
    assert_int_equal(account.puts, 3);
    assert_int_equal(account.takes, 3);
    assert_int_equal(account.most, 1);
    assert_near(account.count_area_s, 10e-9, 1e-18);
}

static void full_store_makes_putters_wait(void **state)
{
    (void)state;
    sim_item_store_init(&store, sim, "store", 1);
    struct parcel first[3] = {{.number = 1}, {.number = 2}, {.number = 3}};
    struct parcel second[3] = {{.number = 11}, {.number = 12}, {.number = 13}};
    struct actor p = {.number = 0}, q = {.number = 0}, takers[6];
    actor_start(sim, &p, 'p', puts_three, &journal, first, 0);
    actor_start(sim, &q, 'q', puts_three, &journal, second, 1);
    for (int i = 0; i < 6; i++) {
        takers[i] = (struct actor){.number = SIM_NEVER_NS};
        actor_start(sim, &takers[i], (char)('a' + i), takes, &journal, NULL, 10 * (i + 1));
    }
    sim_run_until(sim, SIM_NEVER_NS);
    assert_string_equal(journal.text, "0p:done1 10a:done1 10p:done2 20b:done2 20q:done11 30c:done11 30p:done3 40d:done3 "
                                      "40q:done12 50e:done12 50q:done13 60f:done13 ");
    assert_int_equal(store.count, 0);
}

static void without_capacity_items_pass_from_hand_to_hand(void **state)
{
    (void)state;
    sim_item_store_init(&store, sim, "store", 0);
    struct parcel parcels[3] = {{.number = 1}, {.number = 2}, {.number = 3}};
    struct actor p = {.number = 0}, a = {.number = SIM_NEVER_NS}, b = a;
    actor_start(sim, &p, 'p', puts_three, &journal, parcels, 0);
    actor_start(sim, &a, 'a', takes, &journal, NULL, 5);
    actor_start(sim, &b, 'b', takes, &journal, NULL, 6);
    sim_run_until(sim, 7);
    assert_string_equal(journal.text, "5a:done1 5p:done1 6b:done2 6p:done2 ");
    struct parcel fourth = {.number = 4};
    assert_false(sim_item_store_try_put(&store, &fourth.item));
    sim_item_store_set_capacity(&store, 2);
    assert_int_equal(store.count, 1);
    assert_true(sim_item_store_try_put(&store, &fourth.item));
    assert_false(sim_item_store_try_put(&store, &fourth.item));
    assert_ptr_equal(sim_item_store_try_get(&store), &parcels[2].item);
    assert_ptr_equal(sim_item_store_try_get(&store), &fourth.item);
    assert_null(sim_item_store_try_get(&store));
}

#define TEST(function) cmocka_unit_test_setup_teardown(function, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(items_leave_in_order_to_takers_in_order),
        TEST(full_store_makes_putters_wait),
        TEST(without_capacity_items_pass_from_hand_to_hand),
    };
    return RUN_TESTS(tests);
}
