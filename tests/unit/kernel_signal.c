/* Signals: who is woken, in which order, and what is lost. */
#include "tests/support/actors.h"

#include "vdisim/signal.h"

static struct journal journal;
static struct sim *sim;
static struct sim_signal signal_;

static int set_up(void **state)
{
    (void)state;
    journal.text[0] = '\0';
    sim = sim_create();
    sim_signal_init(&signal_, "signal");
    return sim ? 0 : -1;
}

static int tear_down(void **state)
{
    (void)state;
    sim_destroy(sim);
    return 0;
}

static void waits(struct actor *actor)
{
    actor_says(actor, "%s", wake_name(sim_signal_wait(&actor->process, &signal_, actor->number)));
}

static void waits_twice(struct actor *actor)
{
    waits(actor);
    waits(actor);
}

static void notifies_one(struct actor *actor)
{
    actor_says(actor, "%d", sim_signal_notify_one(&signal_));
}

static void notifies_all(struct actor *actor)
{
    actor_says(actor, "%zu", sim_signal_notify_all(&signal_));
}

static void one_and_all_in_order(void **state)
{
    (void)state;
    struct actor actors[4], one = {0}, all = {0};
    for (int i = 0; i < 4; i++) {
        actors[i] = (struct actor){.number = i == 1 ? 3 : SIM_NEVER_NS};
        actor_start(sim, &actors[i], (char)('a' + i), waits, &journal, NULL, i);
    }
    actor_start(sim, &one, 'o', notifies_one, &journal, NULL, 10);
    actor_start(sim, &all, 'l', notifies_all, &journal, NULL, 20);
    sim_run_until(sim, SIM_NEVER_NS);
    assert_string_equal(journal.text, "4b:timeout 10o:1 10a:done 20l:2 20c:done 20d:done ");
    assert_int_equal(sim_signal_waiting(&signal_), 0);
}

static void notification_to_nobody_is_lost(void **state)
{
    (void)state;
    struct actor one = {0}, all = {0}, a = {.number = 5};
    actor_start(sim, &one, 'o', notifies_one, &journal, NULL, 0);
    actor_start(sim, &all, 'l', notifies_all, &journal, NULL, 0);
    actor_start(sim, &a, 'a', waits, &journal, NULL, 0);
    sim_run_until(sim, SIM_NEVER_NS);
    assert_string_equal(journal.text, "0o:0 0l:0 5a:timeout ");
}

static void who_waits_again_waits_for_the_next(void **state)
{
    (void)state;
    struct actor a = {.number = SIM_NEVER_NS}, all = {0}, again = {0};
    actor_start(sim, &a, 'a', waits_twice, &journal, NULL, 0);
    actor_start(sim, &all, 'l', notifies_all, &journal, NULL, 10);
    actor_start(sim, &again, 'm', notifies_all, &journal, NULL, 20);
    sim_run_until(sim, SIM_NEVER_NS);
    assert_string_equal(journal.text, "10l:1 10a:done 20m:1 20a:done ");
}

#define TEST(function) cmocka_unit_test_setup_teardown(function, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(one_and_all_in_order),
        TEST(notification_to_nobody_is_lost),
        TEST(who_waits_again_waits_for_the_next),
    };
    return RUN_TESTS(tests);
}
