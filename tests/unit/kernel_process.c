/* Processes: holding, suspending, interrupting, stopping, joining; and what the run says about them. */
#include "tests/support/actors.h"

#include <stdlib.h>

static struct journal journal;
static struct sim *sim;

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
    sim_destroy(sim);
    return 0;
}

static void holds_thrice(struct actor *actor)
{
    for (int i = 0; i < 3; i++)
        actor_says(actor, "%s", wake_name(sim_hold(&actor->process, actor->number)));
}

static void holds_interleave_in_order(void **state)
{
    (void)state;
    struct actor a = {.number = 10}, b = {.number = 15};
    actor_start(sim, &a, 'a', holds_thrice, &journal, NULL, 0);
    actor_start(sim, &b, 'b', holds_thrice, &journal, NULL, 0);
    assert_int_equal(sim_account(sim).live_processes, 2);
    assert_int_equal(sim_run_until(sim, SIM_NEVER_NS), SIM_END_EMPTY);
    /* At 30 b's hold was scheduled at 15, a's at 20. */
    assert_string_equal(journal.text, "10a:done 15b:done 20a:done 30b:done 30a:done 45b:done ");
    assert_true(a.ended && b.ended);
    assert_int_equal(sim_account(sim).live_processes, 0);
    assert_int_equal(sim_account(sim).events, 8);
}

/* A hold that nothing comes before is passed in place: clock, account and fingerprint must be as if it had not been. */
static void bystander(struct sim *run, struct sim_event *event)
{
    (void)run;
    (void)event;
}

static void passing_in_place_is_not_seen(void **state)
{
    (void)state;
    uint64_t ties[2], events[2];
    for (int with = 0; with < 2; with++) {
        struct sim *run = sim_create();
        struct actor a = {.number = 10};
        journal.text[0] = '\0';
        actor_start(run, &a, 'a', holds_thrice, &journal, NULL, 0);
        struct sim_event others[3];
        for (int i = 0; i < 3 && with; i++) {
            sim_event_init(&others[i], bystander, 0);
            sim_schedule_at(run, &others[i], 10 * (i + 1));
        }
        assert_int_equal(sim_run_until(run, 20), SIM_END_TIME);
        assert_string_equal(journal.text, "10a:done 20a:done ");
        assert_int_equal(sim_now_ns(run), 20);
        sim_run_until(run, 35);
        assert_string_equal(journal.text, "10a:done 20a:done 30a:done ");
        assert_int_equal(sim_now_ns(run), 35);
        events[with] = sim_account(run).events;
        ties[with] = sim_account(run).ties;
        sim_destroy(run);
    }
    assert_int_equal(events[0], 4);
    assert_int_equal(events[1], 7);
    assert_int_equal(ties[0], 0);
    assert_int_equal(ties[1], 3);
}

static void tells_letter(struct sim *run, struct sim_event *event)
{
    (void)event;
    size_t length = strlen(journal.text);
    snprintf(journal.text + length, sizeof journal.text - length, "%lldevent ", (long long)sim_now_ns(run));
}

static void schedules_and_holds(struct actor *actor)
{
    struct sim_event *event = actor->world;
    for (int i = 0; i < 2; i++) {
        sim_schedule_after(sim, event, 10);
        actor_says(actor, "%s", wake_name(sim_hold(&actor->process, 10)));
    }
}

/* An event for the very moment at which a hold ends, scheduled before it, fires before it. */
static void hold_does_not_pass_an_equal_event(void **state)
{
    (void)state;
    struct sim_event event;
    sim_event_init(&event, tells_letter, 0);
    struct actor a = {0};
    actor_start(sim, &a, 'a', schedules_and_holds, &journal, &event, 0);
    sim_run_until(sim, SIM_NEVER_NS);
    assert_string_equal(journal.text, "10event 10a:done 20event 20a:done ");
}

static void suspends(struct actor *actor)
{
    enum sim_wake wake = sim_suspend(&actor->process, actor->number);
    actor_says(actor, "%s", wake_name(wake));
}

struct poke {
    struct sim_event event;
    struct actor *actor;
    bool answer;
};

static void wakes(struct sim *run, struct sim_event *event)
{
    (void)run;
    struct poke *poke = SIM_CONTAINER_OF(event, struct poke, event);
    poke->answer = sim_process_wake(&poke->actor->process);
    actor_says(poke->actor, "woken");
}

static void resumes(struct sim *run, struct sim_event *event)
{
    (void)run;
    struct poke *poke = SIM_CONTAINER_OF(event, struct poke, event);
    poke->answer = sim_process_resume(&poke->actor->process);
    actor_says(poke->actor, "resumed");
}

static void poke_at(struct poke *poke, struct actor *actor, sim_event_fire *fire, int64_t at_ns)
{
    poke->actor = actor;
    sim_event_init(&poke->event, fire, 0);
    sim_schedule_at(sim, &poke->event, at_ns);
}

static void suspension_ends_by_wake_resume_or_timeout(void **state)
{
    (void)state;
    struct actor a = {.number = SIM_NEVER_NS}, b = {.number = 100}, c = {.number = 7};
    actor_start(sim, &a, 'a', suspends, &journal, NULL, 0);
    actor_start(sim, &b, 'b', suspends, &journal, NULL, 0);
    actor_start(sim, &c, 'c', suspends, &journal, NULL, 0);
    sim_run_until(sim, 0);
    assert_int_equal(sim_account(sim).blocked_processes, 3);
    struct poke wake, resume, late;
    poke_at(&wake, &a, wakes, 5);
    poke_at(&resume, &b, resumes, 6);
    poke_at(&late, &c, resumes, 8);
    sim_run_until(sim, SIM_NEVER_NS);
    /* A wake is an event later at that instant, a resumption comes before the call returns. */
    assert_string_equal(journal.text, "5a:woken 5a:done 6b:done 6b:resumed 7c:timeout 8c:resumed ");
    assert_true(wake.answer && resume.answer);
    assert_false(late.answer);
}

static void resumed_process_may_not_move_the_clock(struct actor *actor)
{
    sim_suspend(&actor->process, SIM_NEVER_NS);
    sim_hold(&actor->process, 3);
    actor_says(actor, "held");
}

static void resumption_leaves_the_instant_to_its_event(void **state)
{
    (void)state;
    struct actor a = {0};
    actor_start(sim, &a, 'a', resumed_process_may_not_move_the_clock, &journal, NULL, 0);
    struct poke resume;
    poke_at(&resume, &a, resumes, 6);
    sim_run_until(sim, SIM_NEVER_NS);
    assert_string_equal(journal.text, "6a:resumed 9a:held ");
}

static void holds_and_tells_reason(struct actor *actor)
{
    for (int i = 0; i < 3; i++) {
        enum sim_wake wake = sim_hold(&actor->process, 10);
        actor_says(actor, "%s%d", wake_name(wake), wake == SIM_INTERRUPTED ? actor->process.interrupt_reason : 0);
    }
}

static void interrupts_other(struct actor *actor)
{
    struct actor *other = actor->world;
    sim_hold(&actor->process, actor->number);
    actor_says(actor, "%d", sim_process_interrupt(&other->process, 42));
}

static void interrupt_ends_a_hold(void **state)
{
    (void)state;
    struct actor a = {0}, b = {.number = 14};
    actor_start(sim, &a, 'a', holds_and_tells_reason, &journal, NULL, 0);
    actor_start(sim, &b, 'b', interrupts_other, &journal, &a, 0);
    sim_run_until(sim, SIM_NEVER_NS);
    assert_string_equal(journal.text, "10a:done0 14b:1 14a:interrupted42 24a:done0 ");
}

static void kept_interrupt_ends_the_next_wait(void **state)
{
    (void)state;
    /* At 10 a's hold is over and its event scheduled first: it has run into its next hold when b interrupts. At 5, b
     * interrupts twice: the second is kept, and ends the next hold at once. */
    struct actor a = {0}, b = {.number = 5}, c = {.number = 5};
    actor_start(sim, &a, 'a', holds_and_tells_reason, &journal, NULL, 0);
    actor_start(sim, &b, 'b', interrupts_other, &journal, &a, 0);
    actor_start(sim, &c, 'c', interrupts_other, &journal, &a, 0);
    sim_run_until(sim, SIM_NEVER_NS);
    assert_string_equal(journal.text, "5b:1 5c:1 5a:interrupted42 5a:interrupted42 15a:done0 ");
}

static void stops_other(struct actor *actor)
{
    struct actor *other = actor->world;
    sim_hold(&actor->process, actor->number);
    actor_says(actor, "%d", sim_process_stop(&other->process));
    actor_says(actor, "%d", sim_process_stop(&other->process));
}

static void joins(struct actor *actor)
{
    struct actor *other = actor->world;
    enum sim_wake wake = sim_process_join(&actor->process, &other->process, actor->number);
    actor_says(actor, "%s", wake_name(wake));
}

static void stop_ends_it_and_wakes_joiners(void **state)
{
    (void)state;
    struct actor a = {0}, b = {.number = 14}, c = {.number = SIM_NEVER_NS}, d = {.number = 3}, e = {.number = 3};
    actor_start(sim, &a, 'a', holds_and_tells_reason, &journal, NULL, 0);
    actor_start(sim, &b, 'b', stops_other, &journal, &a, 0);
    actor_start(sim, &c, 'c', joins, &journal, &a, 0);
    actor_start(sim, &d, 'd', joins, &journal, &a, 0);
    actor_start(sim, &e, 'e', joins, &journal, &a, 20);
    sim_run_until(sim, SIM_NEVER_NS);
    assert_string_equal(journal.text, "3d:timeout 10a:done0 14b:1 14b:0 14c:done 20e:done ");
    assert_true(a.ended);
}

static void stops_itself(struct actor *actor)
{
    sim_hold(&actor->process, 1);
    sim_process_stop(&actor->process);
    actor_says(actor, "still here");
}

static void process_may_stop_itself_and_start_again(void **state)
{
    (void)state;
    struct actor a = {0};
    for (int i = 0; i < 3; i++) {
        actor_start(sim, &a, 'a', stops_itself, &journal, NULL, sim_now_ns(sim));
        sim_run_until(sim, SIM_NEVER_NS);
        assert_true(a.ended);
        assert_false(sim_process_alive(&a.process));
    }
    assert_string_equal(journal.text, "");
    assert_int_equal(sim_now_ns(sim), 3);
}

static void stop_before_the_start(void **state)
{
    (void)state;
    struct actor a = {0};
    actor_start(sim, &a, 'a', holds_thrice, &journal, NULL, 5);
    assert_false(sim_process_interrupt(&a.process, 1));
    assert_true(sim_process_stop(&a.process));
    assert_true(a.ended);
    assert_int_equal(sim_run_until(sim, SIM_NEVER_NS), SIM_END_EMPTY);
    assert_int_equal(sim_account(sim).events, 0);
}

static void frees_itself(struct sim_process *self)
{
    free(SIM_CONTAINER_OF(self, struct actor, process));
}

static void owner_may_be_freed_at_the_end(void **state)
{
    (void)state;
    for (int i = 0; i < 100; i++) {
        struct actor *actor = calloc(1, sizeof *actor);
        actor->number = 1 + i % 3;
        actor_start(sim, actor, 'a', holds_thrice, &journal, NULL, i % 7);
        actor->process.on_end = frees_itself;
    }
    sim_run_until(sim, SIM_NEVER_NS);
    assert_int_equal(sim_account(sim).live_processes, 0);
}

/* Deep use of the stack, and values that must survive the switches. */
static double dig(struct sim_process *self, int depth)
{
    volatile double here[16];
    for (int i = 0; i < 16; i++)
        here[i] = depth + i;
    if (depth > 0)
        here[0] += dig(self, depth - 1);
    sim_hold(self, 1);
    double sum = 0;
    for (int i = 0; i < 16; i++)
        sum += here[i];
    return sum;
}

static void digs(struct actor *actor)
{
    actor_says(actor, "%.0f", dig(&actor->process, (int)actor->number));
}

static void stacks_keep_their_values(void **state)
{
    (void)state;
    static struct actor actors[200];
    for (int i = 0; i < 200; i++) {
        actors[i] = (struct actor){.number = 20 + i % 40};
        actor_start(sim, &actors[i], 'a', digs, &journal, NULL, i % 13);
    }
    sim_run_until(sim, SIM_NEVER_NS);
    double expected = 0;
    for (int depth = 0; depth <= 20; depth++)
        expected += 16.0 * depth + 120;
    char first[64];
    snprintf(first, sizeof first, "21a:%.0f ", expected);
    assert_true(strncmp(journal.text, first, strlen(first)) == 0);
}

static void abandoned_run_leaks_nothing(void **state)
{
    (void)state;
    static struct actor actors[1000];
    for (int i = 0; i < 1000; i++) {
        actors[i] = (struct actor){.number = 1000 + i};
        actor_start(sim, &actors[i], 'a', i % 2 ? suspends : holds_thrice, &journal, NULL, i % 50);
    }
    assert_int_equal(sim_run_until(sim, 500), SIM_END_TIME);
    struct sim_account account = sim_account(sim);
    assert_int_equal(account.live_processes, 1000);
    assert_int_equal(account.blocked_processes, 500);
}

static void yields_for_ever(struct actor *actor)
{
    for (;;)
        sim_hold(&actor->process, 0);
}

static void zero_holds_for_ever_end_the_run(void **state)
{
    (void)state;
    struct actor a = {0};
    actor_start(sim, &a, 'a', yields_for_ever, &journal, NULL, 5);
    assert_int_equal(sim_run_until(sim, 10), SIM_END_STALLED);
    assert_int_equal(sim_now_ns(sim), 5);
}

#define TEST(function) cmocka_unit_test_setup_teardown(function, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(holds_interleave_in_order),
        TEST(passing_in_place_is_not_seen),
        TEST(hold_does_not_pass_an_equal_event),
        TEST(suspension_ends_by_wake_resume_or_timeout),
        TEST(resumption_leaves_the_instant_to_its_event),
        TEST(interrupt_ends_a_hold),
        TEST(kept_interrupt_ends_the_next_wait),
        TEST(stop_ends_it_and_wakes_joiners),
        TEST(process_may_stop_itself_and_start_again),
        TEST(stop_before_the_start),
        TEST(owner_may_be_freed_at_the_end),
        TEST(stacks_keep_their_values),
        TEST(abandoned_run_leaks_nothing),
        TEST(zero_holds_for_ever_end_the_run),
    };
    return RUN_TESTS(tests);
}
