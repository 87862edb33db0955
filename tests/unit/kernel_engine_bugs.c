/* What went wrong in other simulation engines, tried on this one; one test each, named by what went wrong there. */
#include "tests/support/actors.h"

#include "vdisim/item_store.h"
#include "vdisim/pool.h"
#include "vdisim/queue.h"
#include "vdisim/signal.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

static struct journal journal;
static struct sim *sim;
static struct sim_queue queue;
static struct sim_pool pool;

static int set_up(void **state)
{
    (void)state;
    journal.text[0] = '\0';
    sim = sim_create();
    sim_queue_init(&queue, sim, "queue", 1, SIM_QUEUE_FIFO);
    sim_pool_init(&pool, sim, "pool", 10);
    return sim ? 0 : -1;
}

static int tear_down(void **state)
{
    (void)state;
    int fine = sim_queue_check(&queue) && sim_pool_check(&pool);
    sim_destroy(sim);
    return fine ? 0 : -1;
}

struct mark {
    struct sim_event event;
    char letter;
    struct mark *target; /* what its own test needs */
    int64_t moment_ns;
};

static void marks(struct sim *run, struct sim_event *event)
{
    size_t length = strlen(journal.text);
    snprintf(journal.text + length, sizeof journal.text - length, "%lld%c ", (long long)sim_now_ns(run),
             SIM_CONTAINER_OF(event, struct mark, event)->letter);
}

static void mark_at(struct mark *mark, char letter, int64_t at_ns)
{
    *mark = (struct mark){.letter = letter};
    sim_event_init(&mark->event, marks, 0);
    sim_schedule_at(sim, &mark->event, at_ns);
}

/* Runs a programming error in a child process: it must abort. Without assertions there is nothing to see. */
static void assert_dies(void (*error)(void))
{
#ifdef NDEBUG
    (void)error;
    skip();
#else
    fflush(NULL);
    pid_t child = fork();
    if (child == 0) {
        signal(SIGABRT, SIG_DFL);
        if (!freopen("/dev/null", "w", stderr))
            _exit(2);
        error();
        _exit(0);
    }
    int status = 0;
    waitpid(child, &status, 0);
    assert_false(WIFEXITED(status) && WEXITSTATUS(status) == 0);
#endif
}

/* Time and the calendar. */

static void only_the_first_event_at_the_limit_ran(void **state)
{
    (void)state;
    struct mark a, b, c;
    mark_at(&a, 'a', 10);
    mark_at(&b, 'b', 10);
    mark_at(&c, 'c', 10);
    sim_run_until(sim, 10);
    assert_string_equal(journal.text, "10a 10b 10c ");
}

static void clock_passed_the_limit_and_left_overs_were_lost(void **state)
{
    (void)state;
    struct mark a, b;
    mark_at(&a, 'a', 9);
    mark_at(&b, 'b', 11);
    assert_int_equal(sim_run_until(sim, 10), SIM_END_TIME);
    assert_int_equal(sim_now_ns(sim), 10);
    assert_true(sim_event_pending(&b.event));
    sim_run_until(sim, 11);
    assert_string_equal(journal.text, "9a 11b ");
}

static void waiting_for_what_never_comes_was_success(void **state)
{
    (void)state;
    assert_int_equal(sim_run_until(sim, SIM_NEVER_NS), SIM_END_EMPTY);
    struct mark a;
    mark_at(&a, 'a', 5);
    assert_int_equal(sim_run_until(sim, 4), SIM_END_TIME);
}

static void additional_event_changed_the_order_of_others(void **state)
{
    (void)state;
    for (int extra = 0; extra <= 40; extra++) {
        struct mark a, b, c, others[40];
        journal.text[0] = '\0';
        int64_t at_ns = sim_now_ns(sim) + 5;
        for (int i = 0; i < extra; i++) {
            mark_at(&others[i], 'x', at_ns);
            if (i == extra / 3)
                mark_at(&a, 'a', at_ns);
            if (i == extra / 2)
                mark_at(&b, 'b', at_ns);
        }
        if (extra == 0) {
            mark_at(&a, 'a', at_ns);
            mark_at(&b, 'b', at_ns);
        }
        mark_at(&c, 'c', at_ns);
        sim_run_until(sim, SIM_NEVER_NS);
        const char *pa = strchr(journal.text, 'a'), *pb = strchr(journal.text, 'b'), *pc = strchr(journal.text, 'c');
        assert_true(pa && pb && pc && pa < pb && pb < pc);
    }
}

static void cancel_removed_another_event_of_equal_time(void **state)
{
    (void)state;
    struct mark a, b;
    mark_at(&a, 'a', 5);
    mark_at(&b, 'b', 5);
    sim_cancel(sim, &b.event);
    sim_run_until(sim, SIM_NEVER_NS);
    assert_string_equal(journal.text, "5a ");
}

static void rescheduled_event_kept_its_old_place(void **state)
{
    (void)state;
    struct mark a, b;
    mark_at(&a, 'a', 3);
    mark_at(&b, 'b', 5);
    sim_reschedule_at(sim, &a.event, 5);
    sim_run_until(sim, SIM_NEVER_NS);
    assert_string_equal(journal.text, "5b 5a ");
}

static void cancels_and_sends_again(struct sim *run, struct sim_event *event)
{
    struct mark *mark = SIM_CONTAINER_OF(event, struct mark, event);
    assert_true(sim_cancel(run, &mark->target->event));
    sim_schedule_at(run, &mark->target->event, mark->moment_ns);
}

static void new_event_overtook_a_pending_cancel(void **state)
{
    (void)state;
    struct mark a, canceller;
    mark_at(&a, 'a', 5);
    mark_at(&canceller, 'c', 3);
    canceller.event.fire = cancels_and_sends_again;
    canceller.target = &a;
    canceller.moment_ns = 5;
    sim_run_until(sim, SIM_NEVER_NS);
    assert_string_equal(journal.text, "5a ");
}

static void times_were_compared_through_32_bits(void **state)
{
    (void)state;
    struct mark a, b, c, d, e;
    mark_at(&a, 'a', (INT64_C(1) << 40) + 1);
    mark_at(&b, 'b', (INT64_C(1) << 32) + 1);
    mark_at(&c, 'c', (INT64_C(1) << 31) + 1);
    mark_at(&d, 'd', INT64_C(1) << 31);
    mark_at(&e, 'e', 2);
    sim_run_until(sim, SIM_NEVER_NS);
    assert_string_equal(journal.text, "2e 2147483648d 2147483649c 4294967297b 1099511627777a ");
}

static void holds_many(struct actor *actor)
{
    for (int64_t i = 0; i < actor->number; i++)
        sim_hold(&actor->process, sim_ns_from_s(1.0 / (double)actor->number));
    actor_says(actor, "there");
}

static void ten_tenths_came_before_one(void **state)
{
    (void)state;
    struct actor one = {.number = 1}, ten = {.number = 10};
    actor_start(sim, &one, 'o', holds_many, &journal, NULL, 0);
    actor_start(sim, &ten, 't', holds_many, &journal, NULL, 0);
    sim_run_until(sim, SIM_NEVER_NS);
    assert_string_equal(journal.text, "1000000000o:there 1000000000t:there ");
    assert_int_equal(sim_now_ns(sim), SIM_NS_PER_S);
}

static void now_converted_and_back_lay_in_the_past(void **state)
{
    (void)state;
    const int64_t moments[] = {1, 3, 999999999, 1234567890123, INT64_C(1) << 52, 86400 * SIM_NS_PER_S * 60};
    for (size_t i = 0; i < sizeof moments / sizeof *moments; i++) {
        assert_int_equal(sim_ns_from_s(sim_s_from_ns(moments[i])), moments[i]);
    }
}

static void yields_for_ever(struct actor *actor)
{
    for (;;)
        sim_hold(&actor->process, 0);
}

static void standing_clock_was_not_noticed(void **state)
{
    (void)state;
    struct actor a = {0}, b = {0};
    actor_start(sim, &a, 'a', yields_for_ever, &journal, NULL, 5);
    actor_start(sim, &b, 'b', yields_for_ever, &journal, NULL, 5);
    assert_int_equal(sim_run_until(sim, 10), SIM_END_STALLED);
}

static void cancel_after_the_last_event_aborted(void **state)
{
    (void)state;
    struct mark a;
    mark_at(&a, 'a', 5);
    sim_run_until(sim, SIM_NEVER_NS);
    assert_false(sim_cancel(sim, &a.event));
}

static void schedule_into_the_past(void)
{
    sim_run_until(sim, 100);
    struct mark a;
    mark_at(&a, 'a', 99);
}

static void schedule_twice(void)
{
    struct mark a;
    mark_at(&a, 'a', 5);
    sim_schedule_at(sim, &a.event, 6);
}

static void past_was_accepted(void **state)
{
    (void)state;
    assert_dies(schedule_into_the_past);
    assert_dies(schedule_twice);
}

/* Processes. */

static void is_interrupted_in_hold(struct actor *actor)
{
    for (int i = 0; i < 3; i++)
        actor_says(actor, "%s", wake_name(sim_hold(&actor->process, 10)));
    actor_says(actor, "%s", wake_name(sim_suspend(&actor->process, SIM_NEVER_NS)));
}

static void holding_an_interrupted_one_kept_its_flag(void **state)
{
    (void)state;
    struct actor a = {0};
    actor_start(sim, &a, 'a', is_interrupted_in_hold, &journal, NULL, 0);
    sim_run_until(sim, 5);
    assert_true(sim_process_interrupt(&a.process, 1));
    sim_run_until(sim, 50);
    assert_true(sim_process_wake(&a.process));
    sim_run_until(sim, SIM_NEVER_NS);
    assert_string_equal(journal.text, "5a:interrupted 15a:done 25a:done 50a:done ");
}

static void suspends_twice(struct actor *actor)
{
    for (int i = 0; i < 2; i++)
        actor_says(actor, "%s", wake_name(sim_suspend(&actor->process, SIM_NEVER_NS)));
}

static void second_suspend_had_no_effect(void **state)
{
    (void)state;
    struct actor a = {0};
    actor_start(sim, &a, 'a', suspends_twice, &journal, NULL, 0);
    sim_run_until(sim, 5);
    assert_true(sim_process_wake(&a.process));
    assert_false(sim_process_wake(&a.process)); /* not suspended any more: nothing to save up */
    sim_run_until(sim, 10);
    assert_string_equal(journal.text, "5a:done ");
    assert_int_equal(a.process.state, SIM_PROCESS_WAITING);
    assert_true(sim_process_wake(&a.process));
    sim_run_until(sim, 11);
    assert_string_equal(journal.text, "5a:done 10a:done ");
}

static void holds_long(struct actor *actor)
{
    sim_hold(&actor->process, 100);
    actor_says(actor, "woke");
}

static void event_was_delivered_to_a_dead_process(void **state)
{
    (void)state;
    struct actor *a = calloc(1, sizeof *a);
    actor_start(sim, a, 'a', holds_long, &journal, NULL, 0);
    sim_run_until(sim, 5);
    sim_process_stop(&a->process);
    free(a);
    assert_int_equal(sim_run_until(sim, SIM_NEVER_NS), SIM_END_EMPTY);
    assert_string_equal(journal.text, "");
}

/* Resources. */

static void is_served(struct actor *actor)
{
    enum sim_wake wake = sim_queue_seize(&actor->process, &queue, actor->other, SIM_NEVER_NS);
    actor_says(actor, "%s", wake_name(wake));
    if (wake != SIM_DONE)
        return;
    sim_hold(&actor->process, actor->number);
    sim_queue_release(&queue);
}

static void newcomer_of_the_same_instant_overtook_the_waiter(void **state)
{
    (void)state;
    struct actor holder = {.number = 10}, waiter = {.number = 1}, newcomer = {.number = 1};
    actor_start(sim, &holder, 'h', is_served, &journal, NULL, 0);
    actor_start(sim, &waiter, 'w', is_served, &journal, NULL, 5);
    sim_run_until(sim, 9);
    /* Scheduled after the release and so firing between it and the waiter's wake-up. */
    actor_start(sim, &newcomer, 'n', is_served, &journal, NULL, 10);
    sim_run_until(sim, SIM_NEVER_NS);
    assert_string_equal(journal.text, "0h:done 10w:done 11n:done ");
}

static void acquiring_at_the_release_gave_two_holders(void **state)
{
    (void)state;
    struct actor actors[20];
    for (int i = 0; i < 20; i++) {
        actors[i] = (struct actor){.number = 10};
        actor_start(sim, &actors[i], (char)('a' + i), is_served, &journal, NULL, 10 * (i % 10));
    }
    while (sim_run_until(sim, sim_now_ns(sim) + 1) == SIM_END_TIME)
        assert_true(queue.busy <= 1);
    assert_int_equal(sim_now_ns(sim), 200);
}

static void stopped_waiter_kept_its_place_and_the_next_starved(void **state)
{
    (void)state;
    struct actor holder = {.number = 10}, first = {.number = 1}, second = {.number = 1};
    actor_start(sim, &holder, 'h', is_served, &journal, NULL, 0);
    actor_start(sim, &first, 'a', is_served, &journal, NULL, 1);
    actor_start(sim, &second, 'b', is_served, &journal, NULL, 2);
    sim_run_until(sim, 5);
    sim_process_stop(&first.process);
    sim_run_until(sim, SIM_NEVER_NS);
    assert_string_equal(journal.text, "0h:done 10b:done ");
}

static void cancelled_request_received_a_unit(void **state)
{
    (void)state;
    struct actor holder = {.number = 10}, first = {.number = 1}, second = {.number = 1};
    actor_start(sim, &holder, 'h', is_served, &journal, NULL, 0);
    actor_start(sim, &first, 'a', is_served, &journal, NULL, 1);
    actor_start(sim, &second, 'b', is_served, &journal, NULL, 2);
    sim_run_until(sim, 5);
    sim_process_interrupt(&first.process, 1);
    sim_run_until(sim, SIM_NEVER_NS);
    assert_string_equal(journal.text, "0h:done 5a:interrupted 10b:done ");
    assert_int_equal(sim_queue_account(&queue).gave_up, 1);
}

static void seizes_units(struct actor *actor)
{
    enum sim_wake wake = sim_pool_seize(&actor->process, &pool, (uint64_t)actor->number, SIM_NEVER_NS);
    actor_says(actor, "%s", wake_name(wake));
    sim_hold(&actor->process, 10);
    sim_pool_release(&pool, (uint64_t)actor->number);
}

static void small_request_overtook_a_large_one(void **state)
{
    (void)state;
    struct actor a = {.number = 7}, b = {.number = 7}, c = {.number = 1};
    actor_start(sim, &a, 'a', seizes_units, &journal, NULL, 0);
    actor_start(sim, &b, 'b', seizes_units, &journal, NULL, 1);
    actor_start(sim, &c, 'c', seizes_units, &journal, NULL, 2);
    sim_run_until(sim, SIM_NEVER_NS);
    assert_string_equal(journal.text, "0a:done 10b:done 10c:done ");
}

static void release_what_was_not_held(void)
{
    sim_queue_release(&queue);
}

static void release_more_units_than_held(void)
{
    struct sim_pool_waiter waiter;
    sim_pool_waiter_init(&waiter, NULL);
    sim_pool_request(&pool, &waiter, 1);
    sim_pool_release(&pool, 2);
}

static void release_twice(void)
{
    struct sim_queue_waiter waiter;
    sim_queue_waiter_init(&waiter, NULL);
    sim_queue_request(&queue, &waiter, 0);
    sim_queue_release_by(&queue, &waiter);
    sim_queue_release_by(&queue, &waiter);
}

static void releasing_more_than_held_was_accepted(void **state)
{
    (void)state;
    assert_dies(release_what_was_not_held);
    assert_dies(release_more_units_than_held);
    assert_dies(release_twice);
}

static void lowers_its_own_capacity(struct actor *actor)
{
    struct sim_queue_waiter waiter;
    sim_queue_waiter_init(&waiter, NULL);
    sim_queue_seize_as(&actor->process, &queue, &waiter, 0, SIM_NEVER_NS);
    sim_queue_set_capacity(&queue, 0);
    assert_int_equal(waiter.state, SIM_WAITER_PREEMPTED);
    actor_says(actor, "%s", wake_name(sim_hold(&actor->process, 10)));
}

static void lowering_capacity_spared_oneself(void **state)
{
    (void)state;
    sim_queue_init(&queue, sim, "queue", 1, SIM_QUEUE_PREEMPTIVE);
    struct actor a = {0};
    actor_start(sim, &a, 'a', lowers_its_own_capacity, &journal, NULL, 0);
    sim_run_until(sim, SIM_NEVER_NS);
    assert_string_equal(journal.text, "0a:interrupted ");
    assert_int_equal(queue.busy, 0);
}

static void seizes_and_ends(struct actor *actor)
{
    sim_queue_seize(&actor->process, &queue, 0, SIM_NEVER_NS);
}

static void capacity_to_zero_crashed_when_a_user_had_left(void **state)
{
    (void)state;
    struct actor a = {0}, b = {.number = 1};
    actor_start(sim, &a, 'a', seizes_and_ends, &journal, NULL, 0);
    sim_run_until(sim, 5);
    sim_queue_set_capacity(&queue, 0);
    assert_int_equal(queue.busy, 1); /* what it held stays held: its owner may still give it back */
    actor_start(sim, &b, 'b', is_served, &journal, NULL, 6);
    sim_run_until(sim, 10);
    sim_queue_release(&queue);
    assert_int_equal(queue.busy, 0);
    sim_queue_set_capacity(&queue, 1);
    sim_run_until(sim, SIM_NEVER_NS);
    assert_string_equal(journal.text, "10b:done ");
}

static void no_servers_on_duty_crashed(void **state)
{
    (void)state;
    sim_queue_init(&queue, sim, "queue", 0, SIM_QUEUE_PREEMPTIVE);
    struct actor a = {.number = 5, .other = 1}, b = {.number = 5, .other = 2};
    actor_start(sim, &a, 'a', is_served, &journal, NULL, 0);
    actor_start(sim, &b, 'b', is_served, &journal, NULL, 1);
    sim_run_until(sim, 3);
    assert_int_equal(sim_queue_waiting(&queue), 2);
    sim_queue_set_capacity(&queue, 1);
    sim_run_until(sim, SIM_NEVER_NS);
    assert_string_equal(journal.text, "3b:done 8a:done ");
}

static struct sim_signal bell;

static void is_preempted_and_signalled(struct actor *actor)
{
    struct sim_queue_waiter waiter;
    sim_queue_waiter_init(&waiter, NULL);
    sim_queue_seize_as(&actor->process, &queue, &waiter, 0, SIM_NEVER_NS);
    actor_says(actor, "%s", wake_name(sim_signal_wait(&actor->process, &bell, SIM_NEVER_NS)));
    actor_says(actor, "%s", wake_name(sim_hold(&actor->process, 2)));
}

static void signal_during_preemption_turned_time_back(void **state)
{
    (void)state;
    for (int signal_first = 0; signal_first < 2; signal_first++) {
        journal.text[0] = '\0';
        sim_queue_init(&queue, sim, "queue", 1, SIM_QUEUE_PREEMPTIVE);
        sim_signal_init(&bell, "bell");
        struct actor a = {0};
        actor_start(sim, &a, 'a', is_preempted_and_signalled, &journal, NULL, 40 * signal_first);
        sim_run_until(sim, 40 * signal_first + 20);
        if (signal_first)
            sim_signal_notify_all(&bell);
        struct sim_queue_waiter stronger;
        sim_queue_waiter_init(&stronger, NULL);
        assert_int_equal(sim_queue_request(&queue, &stronger, 1), SIM_QUEUE_GRANTED);
        if (!signal_first)
            sim_signal_notify_all(&bell);
        sim_run_until(sim, sim_now_ns(sim) + 20);
        assert_string_equal(journal.text, signal_first ? "60a:done 60a:interrupted " : "20a:interrupted 22a:done ");
        sim_queue_release_by(&queue, &stronger);
    }
}

static struct sim_queue second_queue;

static void loses_one_while_waiting_for_another(struct actor *actor)
{
    struct sim_queue_waiter waiter;
    sim_queue_waiter_init(&waiter, NULL);
    sim_queue_seize_as(&actor->process, &queue, &waiter, 0, SIM_NEVER_NS);
    actor_says(actor, "%s", wake_name(sim_queue_seize(&actor->process, &second_queue, 0, SIM_NEVER_NS)));
    assert_int_equal(waiter.state, SIM_WAITER_PREEMPTED);
    assert_int_equal(sim_queue_waiting(&second_queue), 0);
}

static void preempted_while_queueing_for_another_left_wrong_lines(void **state)
{
    (void)state;
    sim_queue_init(&queue, sim, "queue", 1, SIM_QUEUE_PREEMPTIVE);
    sim_queue_init(&second_queue, sim, "second", 0, SIM_QUEUE_FIFO);
    struct actor a = {0}, b = {.number = 5, .other = 1};
    actor_start(sim, &a, 'a', loses_one_while_waiting_for_another, &journal, NULL, 0);
    actor_start(sim, &b, 'b', is_served, &journal, NULL, 3);
    sim_run_until(sim, SIM_NEVER_NS);
    assert_string_equal(journal.text, "3b:done 3a:interrupted ");
    assert_true(sim_queue_check(&second_queue));
}

static void visits_twice(struct actor *actor)
{
    int64_t start_ns = sim_now_ns(sim), held_ns = 0;
    for (int i = 0; i < 2; i++) {
        sim_queue_seize(&actor->process, &queue, 0, SIM_NEVER_NS);
        int64_t seized_ns = sim_now_ns(sim);
        sim_hold(&actor->process, 3);
        held_ns += sim_now_ns(sim) - seized_ns;
        sim_queue_release(&queue);
    }
    assert_true(held_ns <= sim_now_ns(sim) - start_ns);
    actor->other = held_ns;
}

static void busy_time_exceeded_residence_and_utilisation_one(void **state)
{
    (void)state;
    struct actor a = {0}, b = {0};
    actor_start(sim, &a, 'a', visits_twice, &journal, NULL, 0);
    actor_start(sim, &b, 'b', visits_twice, &journal, NULL, 0);
    sim_run_until(sim, SIM_NEVER_NS);
    struct sim_queue_account account = sim_queue_account(&queue);
    assert_int_equal(a.other + b.other, 12);
    assert_near(account.busy_area_s, 12e-9, 1e-18);
    assert_true(account.busy_area_s <= account.elapsed_s * (double)account.capacity * (1 + 1e-12));
}

static void has_a_deadline_and_preempts(struct actor *actor)
{
    struct sim_queue_waiter waiter;
    sim_queue_waiter_init(&waiter, NULL);
    struct mark *deadline = actor->world;
    mark_at(deadline, 'd', sim_now_ns(sim) + 4);
    sim_queue_seize_as(&actor->process, &queue, &waiter, 5, SIM_NEVER_NS);
    actor_says(actor, "has");
    sim_hold(&actor->process, 10);
    sim_queue_release_by(&queue, &waiter);
}

static void seized_and_held(struct actor *actor)
{
    struct sim_queue_waiter waiter;
    sim_queue_waiter_init(&waiter, NULL);
    sim_queue_seize_as(&actor->process, &queue, &waiter, 0, SIM_NEVER_NS);
    actor_says(actor, "%s", wake_name(sim_hold(&actor->process, 50)));
}

static void preempting_cancelled_the_timers_of_the_preemptor(void **state)
{
    (void)state;
    sim_queue_init(&queue, sim, "queue", 1, SIM_QUEUE_PREEMPTIVE);
    struct actor victim = {0}, preemptor = {0};
    struct mark deadline;
    actor_start(sim, &victim, 'v', seized_and_held, &journal, NULL, 0);
    actor_start(sim, &preemptor, 'p', has_a_deadline_and_preempts, &journal, &deadline, 3);
    sim_run_until(sim, SIM_NEVER_NS);
    assert_string_equal(journal.text, "3p:has 3v:interrupted 7d ");
}

static void wrong_victims_were_chosen(void **state)
{
    (void)state;
    sim_queue_init(&queue, sim, "queue", 3, SIM_QUEUE_PREEMPTIVE);
    struct actor a = {0}, b = {0}, c = {0};
    actor_start(sim, &a, 'a', seized_and_held, &journal, NULL, 0);
    actor_start(sim, &b, 'b', seized_and_held, &journal, NULL, 1);
    actor_start(sim, &c, 'c', seized_and_held, &journal, NULL, 2);
    sim_run_until(sim, 5);
    sim_queue_set_capacity(&queue, 1); /* of equal priority the last granted go first */
    sim_run_until(sim, 6);
    assert_string_equal(journal.text, "5c:interrupted 5b:interrupted ");
}

#define TEST(function) cmocka_unit_test_setup_teardown(function, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(only_the_first_event_at_the_limit_ran),
        TEST(clock_passed_the_limit_and_left_overs_were_lost),
        TEST(waiting_for_what_never_comes_was_success),
        TEST(additional_event_changed_the_order_of_others),
        TEST(cancel_removed_another_event_of_equal_time),
        TEST(rescheduled_event_kept_its_old_place),
        TEST(new_event_overtook_a_pending_cancel),
        TEST(times_were_compared_through_32_bits),
        TEST(ten_tenths_came_before_one),
        TEST(now_converted_and_back_lay_in_the_past),
        TEST(standing_clock_was_not_noticed),
        TEST(cancel_after_the_last_event_aborted),
        TEST(past_was_accepted),
        TEST(holding_an_interrupted_one_kept_its_flag),
        TEST(second_suspend_had_no_effect),
        TEST(event_was_delivered_to_a_dead_process),
        TEST(newcomer_of_the_same_instant_overtook_the_waiter),
        TEST(acquiring_at_the_release_gave_two_holders),
        TEST(stopped_waiter_kept_its_place_and_the_next_starved),
        TEST(cancelled_request_received_a_unit),
        TEST(small_request_overtook_a_large_one),
        TEST(releasing_more_than_held_was_accepted),
        TEST(lowering_capacity_spared_oneself),
        TEST(capacity_to_zero_crashed_when_a_user_had_left),
        TEST(no_servers_on_duty_crashed),
        TEST(signal_during_preemption_turned_time_back),
        TEST(preempted_while_queueing_for_another_left_wrong_lines),
        TEST(busy_time_exceeded_residence_and_utilisation_one),
        TEST(preempting_cancelled_the_timers_of_the_preemptor),
        TEST(wrong_victims_were_chosen),
    };
    return RUN_TESTS(tests);
}
