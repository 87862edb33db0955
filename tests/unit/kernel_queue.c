/* Queues: who is served when, by each discipline, in both forms; and that nothing is lost or counted twice. */
#include "tests/support/actors.h"

#include "vdisim/queue.h"

#include <stdlib.h>

static struct journal journal;
static struct sim *sim;
static struct sim_queue queue;

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
    int fine = sim_queue_check(&queue);
    sim_destroy(sim);
    return fine ? 0 : -1;
}

/* Seizes with priority `other`, holds for `number`, releases. */
static void is_served(struct actor *actor)
{
    enum sim_wake wake = sim_queue_seize(&actor->process, &queue, actor->other, SIM_NEVER_NS);
    actor_says(actor, "%s", wake_name(wake));
    if (wake != SIM_DONE)
        return;
    sim_hold(&actor->process, actor->number);
    sim_queue_release(&queue);
}

static void served_in_order_of_arrival(void **state)
{
    (void)state;
    sim_queue_init(&queue, sim, "queue", 2, SIM_QUEUE_FIFO);
    struct actor actors[5];
    for (int i = 0; i < 5; i++) {
        actors[i] = (struct actor){.number = 10, .other = i};
        actor_start(sim, &actors[i], (char)('a' + i), is_served, &journal, NULL, i);
    }
    sim_run_until(sim, SIM_NEVER_NS);
    assert_string_equal(journal.text, "0a:done 1b:done 10c:done 11d:done 20e:done ");
    struct sim_queue_account account = sim_queue_account(&queue);
    assert_int_equal(account.arrivals, 5);
    assert_int_equal(account.departures, 5);
    assert_int_equal(account.waited, 3);
    assert_int_equal(account.longest, 3);
    assert_near(account.busy_area_s, 50e-9, 1e-18);
    assert_near(account.waiting_area_s, (8 + 8 + 16) * 1e-9, 1e-18);
    assert_near(account.wait_sum_s, (8 + 8 + 16) * 1e-9, 1e-18);
}

static void served_by_priority(void **state)
{
    (void)state;
    sim_queue_init(&queue, sim, "queue", 1, SIM_QUEUE_PRIORITY);
    const int64_t priorities[6] = {0, 1, 5, 1, 5, 3};
    struct actor actors[6];
    for (int i = 0; i < 6; i++) {
        actors[i] = (struct actor){.number = 10, .other = priorities[i]};
        actor_start(sim, &actors[i], (char)('a' + i), is_served, &journal, NULL, i);
    }
    sim_run_until(sim, SIM_NEVER_NS);
    assert_string_equal(journal.text, "0a:done 10c:done 20e:done 30f:done 40b:done 50d:done ");
}

static void waits_at_most(struct actor *actor)
{
    enum sim_wake wake = sim_queue_seize(&actor->process, &queue, 0, actor->number);
    actor_says(actor, "%s", wake_name(wake));
    if (wake == SIM_DONE)
        sim_queue_release(&queue);
}

static void time_out_gives_up_the_place(void **state)
{
    (void)state;
    sim_queue_init(&queue, sim, "queue", 1, SIM_QUEUE_FIFO);
    struct actor a = {.number = 10}, b = {.number = 5}, c = {.number = 100};
    actor_start(sim, &a, 'a', is_served, &journal, NULL, 0);
    actor_start(sim, &b, 'b', waits_at_most, &journal, NULL, 1);
    actor_start(sim, &c, 'c', waits_at_most, &journal, NULL, 2);
    sim_run_until(sim, SIM_NEVER_NS);
    assert_string_equal(journal.text, "0a:done 6b:timeout 10c:done ");
    assert_int_equal(sim_queue_account(&queue).gave_up, 1);
}

static void full_waiting_room_turns_away(void **state)
{
    (void)state;
    sim_queue_init(&queue, sim, "queue", 1, SIM_QUEUE_FIFO);
    queue.room = 1;
    struct actor actors[3];
    for (int i = 0; i < 3; i++) {
        actors[i] = (struct actor){.number = 10};
        actor_start(sim, &actors[i], (char)('a' + i), is_served, &journal, NULL, i);
    }
    sim_run_until(sim, SIM_NEVER_NS);
    assert_string_equal(journal.text, "0a:done 2c:balked 10b:done ");
    assert_int_equal(sim_queue_account(&queue).balked, 1);
}

/* Preemptive-resume: what is left of the work is held again after each preemption. */
static void works_through_preemption(struct actor *actor)
{
    struct sim_queue_waiter waiter;
    sim_queue_waiter_init(&waiter, NULL);
    int64_t left_ns = actor->number;
    for (;;) {
        enum sim_wake wake = sim_queue_seize_as(&actor->process, &queue, &waiter, actor->other, SIM_NEVER_NS);
        assert_int_equal(wake, SIM_DONE);
        actor_says(actor, "in");
        int64_t start_ns = sim_now_ns(sim);
        if (sim_hold(&actor->process, left_ns) == SIM_DONE)
            break;
        assert_int_equal(actor->process.interrupt_reason, SIM_REASON_PREEMPTED);
        left_ns -= sim_now_ns(sim) - start_ns;
        actor_says(actor, "out");
    }
    sim_queue_release_by(&queue, &waiter);
    actor_says(actor, "served");
}

static void preempted_resumes_before_its_equals(void **state)
{
    (void)state;
    sim_queue_init(&queue, sim, "queue", 1, SIM_QUEUE_PREEMPTIVE);
    struct actor a = {.number = 10, .other = 1}, b = {.number = 10, .other = 1}, c = {.number = 5, .other = 2},
                 d = {.number = 3, .other = 3};
    actor_start(sim, &a, 'a', works_through_preemption, &journal, NULL, 0);
    actor_start(sim, &b, 'b', works_through_preemption, &journal, NULL, 1);
    actor_start(sim, &c, 'c', works_through_preemption, &journal, NULL, 4);
    actor_start(sim, &d, 'd', works_through_preemption, &journal, NULL, 6);
    sim_run_until(sim, SIM_NEVER_NS);
    assert_string_equal(journal.text, "0a:in 4c:in 4a:out 6d:in 6c:out 9d:served 9c:in 12c:served 12a:in "
                                      "18a:served 18b:in 28b:served ");
    struct sim_queue_account account = sim_queue_account(&queue);
    assert_int_equal(account.preempted, 2);
    assert_near(account.busy_area_s, 28e-9, 1e-18);
}

static void lost_capacity_preempts_the_least(void **state)
{
    (void)state;
    sim_queue_init(&queue, sim, "queue", 3, SIM_QUEUE_PREEMPTIVE);
    struct actor actors[3];
    for (int i = 0; i < 3; i++) {
        actors[i] = (struct actor){.number = 10, .other = 1 + (i == 0)};
        actor_start(sim, &actors[i], (char)('a' + i), works_through_preemption, &journal, NULL, i);
    }
    sim_run_until(sim, 5);
    sim_queue_set_capacity(&queue, 1);
    assert_int_equal(queue.busy, 1);
    sim_run_until(sim, 7);
    assert_string_equal(journal.text, "0a:in 1b:in 2c:in 5c:out 5b:out ");
    sim_queue_set_capacity(&queue, 2);
    sim_run_until(sim, SIM_NEVER_NS);
    assert_string_equal(journal.text, "0a:in 1b:in 2c:in 5c:out 5b:out 7b:in 10a:served 10c:in 13b:served 17c:served ");
}

static void sets_capacity(struct actor *actor)
{
    sim_queue_set_capacity(&queue, (size_t)actor->number);
}

static void capacity_may_change_and_be_zero(void **state)
{
    (void)state;
    sim_queue_init(&queue, sim, "queue", 0, SIM_QUEUE_FIFO);
    struct actor actors[4], raise = {.number = 3}, lower = {.number = 1};
    for (int i = 0; i < 4; i++) {
        actors[i] = (struct actor){.number = 10};
        actor_start(sim, &actors[i], (char)('a' + i), is_served, &journal, NULL, i);
    }
    actor_start(sim, &raise, 'r', sets_capacity, &journal, NULL, 5);
    actor_start(sim, &lower, 'l', sets_capacity, &journal, NULL, 7);
    sim_run_until(sim, 8);
    assert_int_equal(queue.busy, 3); /* nobody was evicted */
    sim_run_until(sim, SIM_NEVER_NS);
    assert_string_equal(journal.text, "5a:done 5b:done 5c:done 15d:done ");
}

struct record {
    struct sim_queue_waiter waiter;
    struct sim_event event;
    int64_t served_ns;
    int64_t service_ns;
    int64_t priority;
    int preemptions;
};

static void record_served(struct sim_queue_waiter *waiter)
{
    struct record *record = SIM_CONTAINER_OF(waiter, struct record, waiter);
    record->served_ns = sim_now_ns(sim);
    if (record->service_ns == 0)
        sim_queue_release_by(&queue, waiter);
    else
        sim_schedule_after(sim, &record->event, record->service_ns);
}

static void record_done(struct sim *run, struct sim_event *event)
{
    (void)run;
    sim_queue_release_by(&queue, &SIM_CONTAINER_OF(event, struct record, event)->waiter);
}

static void record_init(struct record *record, int64_t service_ns, int64_t priority)
{
    *record = (struct record){.service_ns = service_ns, .priority = priority, .served_ns = -1};
    sim_queue_waiter_init(&record->waiter, record_served);
    sim_event_init(&record->event, record_done, 0);
}

static enum sim_queue_entry record_asks(struct record *record)
{
    enum sim_queue_entry entry = sim_queue_request(&queue, &record->waiter, record->priority);
    if (entry == SIM_QUEUE_GRANTED)
        record_served(&record->waiter);
    return entry;
}

static void records_are_called_back(void **state)
{
    (void)state;
    sim_queue_init(&queue, sim, "queue", 1, SIM_QUEUE_FIFO);
    struct record records[3];
    for (int i = 0; i < 3; i++) {
        record_init(&records[i], 10, 0);
        assert_int_equal(record_asks(&records[i]), i == 0 ? SIM_QUEUE_GRANTED : SIM_QUEUE_WAITING);
    }
    assert_true(sim_queue_give_up(&queue, &records[1].waiter));
    assert_false(sim_queue_give_up(&queue, &records[1].waiter));
    assert_false(sim_queue_give_up(&queue, &records[0].waiter));
    sim_run_until(sim, SIM_NEVER_NS);
    assert_int_equal(records[1].served_ns, -1);
    assert_int_equal(records[2].served_ns, 10);
}

/* A hundred thousand services of no length follow from one release: by a loop, not by recursion. */
static void services_of_no_length_do_not_recurse(void **state)
{
    (void)state;
    sim_queue_init(&queue, sim, "queue", 1, SIM_QUEUE_FIFO);
    size_t count = 100000;
    struct record *records = calloc(count, sizeof *records);
    for (size_t i = 0; i < count; i++) {
        record_init(&records[i], i == 0, 0);
        record_asks(&records[i]);
    }
    sim_run_until(sim, SIM_NEVER_NS);
    assert_int_equal(records[count - 1].served_ns, 1);
    assert_int_equal(sim_queue_account(&queue).departures, count);
    free(records);
}

static struct record newcomer;

static void asks_for_another(struct sim_queue_waiter *waiter)
{
    record_served(waiter);
    assert_int_equal(record_asks(&newcomer), SIM_QUEUE_WAITING);
}

/* Two servers come at once, two wait: what the first one's callback asks for goes behind the second. */
static void asking_inside_a_callback_goes_behind(void **state)
{
    (void)state;
    sim_queue_init(&queue, sim, "queue", 0, SIM_QUEUE_FIFO);
    struct record first, second;
    record_init(&first, 10, 0);
    record_init(&second, 10, 0);
    record_init(&newcomer, 10, 0);
    first.waiter.granted = asks_for_another;
    record_asks(&first);
    record_asks(&second);
    sim_queue_set_capacity(&queue, 2);
    sim_run_until(sim, SIM_NEVER_NS);
    assert_int_equal(first.served_ns, 0);
    assert_int_equal(second.served_ns, 0);
    assert_int_equal(newcomer.served_ns, 10);
}

/* A random life of records against the identities, and the line's order against a search of all that wait. */
#define LIVES 300

static uint64_t random_state;

static uint64_t draw(void)
{
    random_state ^= random_state << 13;
    random_state ^= random_state >> 7;
    random_state ^= random_state << 17;
    return random_state * UINT64_C(0x2545F4914F6CDD1D);
}

static struct record lives[LIVES];
static uint64_t arrival_numbers[LIVES], arrivals;

static const struct record *who_is_next(void)
{
    const struct record *best = NULL;
    for (int i = 0; i < LIVES; i++) {
        const struct record *record = &lives[i];
        if (record->waiter.state != SIM_WAITER_IN_LINE)
            continue;
        if (!best) {
            best = record;
            continue;
        }
        int64_t ours = queue.discipline == SIM_QUEUE_FIFO ? 0 : record->priority;
        int64_t theirs = queue.discipline == SIM_QUEUE_FIFO ? 0 : best->priority;
        if (ours > theirs || (ours == theirs && arrival_numbers[record - lives] < arrival_numbers[best - lives]))
            best = record;
    }
    return best;
}

static void life_served(struct sim_queue_waiter *waiter)
{
    struct record *record = SIM_CONTAINER_OF(waiter, struct record, waiter);
    sim_schedule_after(sim, &record->event, record->service_ns);
}

static void life_preempted(struct sim_queue_waiter *waiter)
{
    struct record *record = SIM_CONTAINER_OF(waiter, struct record, waiter);
    record->service_ns = sim_event_time_ns(sim, &record->event) - sim_now_ns(sim);
    assert_true(sim_cancel(sim, &record->event));
    assert_int_equal(sim_queue_request(&queue, waiter, record->priority), SIM_QUEUE_WAITING);
}

static void life_steps(struct sim *run, struct sim_event *event)
{
    int which = (int)(draw() % LIVES);
    struct record *record = &lives[which];
    switch (draw() % 8) {
    case 0:
        sim_queue_give_up(&queue, &record->waiter);
        break;
    case 1:
        if (record->waiter.state == SIM_WAITER_IN_LINE && queue.discipline != SIM_QUEUE_FIFO) {
            record->priority = (int64_t)(draw() % 4);
            sim_queue_set_priority(&queue, &record->waiter, record->priority);
        }
        break;
    case 2:
        sim_queue_set_capacity(&queue, draw() % 6);
        break;
    default:
        if (record->waiter.state == SIM_WAITER_OUT) {
            record->service_ns = (int64_t)(draw() % 50);
            record->priority = (int64_t)(draw() % 4);
            arrival_numbers[which] = arrivals++;
            if (sim_queue_request(&queue, &record->waiter, record->priority) == SIM_QUEUE_GRANTED)
                life_served(&record->waiter);
        }
    }
    assert_true(sim_queue_check(&queue));
    const struct record *next = who_is_next();
    assert_ptr_equal(queue.line.first, next ? &next->waiter.place : NULL);
    if (sim_account(run).events < 60000)
        sim_schedule_after(run, event, (int64_t)(draw() % 8));
}

static void random_life(enum sim_queue_discipline discipline)
{
    random_state = 88172645463325252u;
    arrivals = 0;
    sim_queue_init(&queue, sim, "queue", 3, discipline);
    for (int i = 0; i < LIVES; i++) {
        record_init(&lives[i], 0, 0);
        lives[i].waiter.granted = life_served;
        if (discipline == SIM_QUEUE_PREEMPTIVE)
            lives[i].waiter.preempted = life_preempted;
    }
    struct sim_event step;
    sim_event_init(&step, life_steps, 0);
    sim_schedule_after(sim, &step, 1);
    sim_run_until(sim, SIM_NEVER_NS);
    sim_queue_set_capacity(&queue, 2);
    sim_run_until(sim, SIM_NEVER_NS);
    struct sim_queue_account account = sim_queue_account(&queue);
    assert_int_equal(account.busy + account.waiting, 0);
    assert_true(account.arrivals > 1000);
    /* All have left: the area of the line is the sum of the waits. */
    assert_near_relative(account.waiting_area_s, account.wait_sum_s, 1e-12);
    assert_int_equal(account.preempted > 0, discipline == SIM_QUEUE_PREEMPTIVE);
}

static void random_life_fifo(void **state)
{
    (void)state;
    random_life(SIM_QUEUE_FIFO);
}

static void random_life_priority(void **state)
{
    (void)state;
    random_life(SIM_QUEUE_PRIORITY);
}

static void random_life_preemptive(void **state)
{
    (void)state;
    random_life(SIM_QUEUE_PREEMPTIVE);
}

#define TEST(function) cmocka_unit_test_setup_teardown(function, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(served_in_order_of_arrival),
        TEST(served_by_priority),
        TEST(time_out_gives_up_the_place),
        TEST(full_waiting_room_turns_away),
        TEST(preempted_resumes_before_its_equals),
        TEST(lost_capacity_preempts_the_least),
        TEST(capacity_may_change_and_be_zero),
        TEST(records_are_called_back),
        TEST(services_of_no_length_do_not_recurse),
        TEST(asking_inside_a_callback_goes_behind),
        TEST(random_life_fifo),
        TEST(random_life_priority),
        TEST(random_life_preemptive),
    };
    return RUN_TESTS(tests);
}
