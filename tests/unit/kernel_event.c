/* Events and the calendar: order, ties, cancelling and rescheduling, the run's limits and account. */
#include "tests/support/check.h"

#include "vdisim/event.h"
#include "vdisim/sim.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#define LABEL SIM_EVENT_LABEL('t', 'e', 's', 't')

struct xorshift {
    uint64_t state;
};

static uint64_t draw(struct xorshift *random)
{
    random->state ^= random->state << 13;
    random->state ^= random->state >> 7;
    random->state ^= random->state << 17;
    return random->state * UINT64_C(0x2545F4914F6CDD1D);
}

struct noted {
    struct sim_event event;
    char letter;
    char *log;
    int64_t fired_ns;
};

static void note(struct sim *sim, struct sim_event *event)
{
    struct noted *noted = SIM_CONTAINER_OF(event, struct noted, event);
    noted->fired_ns = sim_now_ns(sim);
    size_t length = strlen(noted->log);
    noted->log[length] = noted->letter;
    noted->log[length + 1] = '\0';
}

static void note_init(struct noted *noted, char letter, char *log)
{
    *noted = (struct noted){.letter = letter, .log = log, .fired_ns = -1};
    sim_event_init(&noted->event, note, LABEL);
}

static void first_scheduled_fires_first(void **state)
{
    (void)state;
    struct sim *sim = sim_create();
    char log[8] = "";
    struct noted a, b, c;
    note_init(&a, 'a', log);
    note_init(&b, 'b', log);
    note_init(&c, 'c', log);
    sim_schedule_at(sim, &b.event, 5);
    sim_schedule_at(sim, &c.event, 5);
    sim_schedule_at(sim, &a.event, 4);
    assert_int_equal(sim_run_until(sim, SIM_NEVER_NS), SIM_END_EMPTY);
    assert_string_equal(log, "abc");
    struct sim_account account = sim_account(sim);
    assert_int_equal(account.events, 3);
    assert_int_equal(account.ties, 1);
    assert_int_equal(account.pending_events, 0);
    assert_int_equal(account.now_ns, 5);
    sim_destroy(sim);
}

static void reschedule_goes_behind(void **state)
{
    (void)state;
    struct sim *sim = sim_create();
    char log[8] = "";
    struct noted a, b;
    note_init(&a, 'a', log);
    note_init(&b, 'b', log);
    sim_schedule_at(sim, &a.event, 5);
    sim_schedule_at(sim, &b.event, 5);
    sim_reschedule_at(sim, &a.event, 5);
    assert_int_equal(sim_event_time_ns(sim, &a.event), 5);
    sim_run_until(sim, SIM_NEVER_NS);
    assert_string_equal(log, "ba");
    sim_destroy(sim);
}

static void cancel_takes_that_one_out(void **state)
{
    (void)state;
    struct sim *sim = sim_create();
    char log[8] = "";
    struct noted a, b, c;
    note_init(&a, 'a', log);
    note_init(&b, 'b', log);
    note_init(&c, 'c', log);
    sim_schedule_at(sim, &a.event, 5);
    sim_schedule_at(sim, &b.event, 5);
    sim_schedule_at(sim, &c.event, 5);
    assert_true(sim_cancel(sim, &b.event));
    assert_false(sim_cancel(sim, &b.event));
    assert_false(sim_event_pending(&b.event));
    sim_run_until(sim, SIM_NEVER_NS);
    assert_string_equal(log, "ac");
    assert_false(sim_cancel(sim, &a.event));
    sim_destroy(sim);
}

static void run_until_includes_its_limit(void **state)
{
    (void)state;
    struct sim *sim = sim_create();
    char log[8] = "";
    struct noted a, b, c;
    note_init(&a, 'a', log);
    note_init(&b, 'b', log);
    note_init(&c, 'c', log);
    sim_schedule_at(sim, &a.event, 9);
    sim_schedule_at(sim, &b.event, 10);
    sim_schedule_at(sim, &c.event, 11);
    assert_int_equal(sim_run_until(sim, 10), SIM_END_TIME);
    assert_string_equal(log, "ab");
    assert_int_equal(sim_now_ns(sim), 10);
    assert_int_equal(sim_account(sim).pending_events, 1);
    assert_int_equal(sim_run_until(sim, 11), SIM_END_EMPTY);
    assert_string_equal(log, "abc");
    assert_int_equal(sim_run_until(sim, 20), SIM_END_EMPTY);
    assert_int_equal(sim_now_ns(sim), 20);
    assert_int_equal(sim_run_until(sim, SIM_NEVER_NS), SIM_END_EMPTY);
    assert_int_equal(sim_now_ns(sim), 20);
    sim_destroy(sim);
}

static void stop_here(struct sim *sim, struct sim_event *event)
{
    (void)event;
    sim_stop(sim);
}

static void stop_ends_after_the_event(void **state)
{
    (void)state;
    struct sim *sim = sim_create();
    char log[8] = "";
    struct noted a;
    note_init(&a, 'a', log);
    struct sim_event stop;
    sim_event_init(&stop, stop_here, LABEL);
    sim_schedule_at(sim, &stop, 5);
    sim_schedule_at(sim, &a.event, 5);
    assert_int_equal(sim_run_until(sim, SIM_NEVER_NS), SIM_END_STOPPED);
    assert_string_equal(log, "");
    assert_string_equal(sim_end_name(sim_account(sim).end), "stopped");
    assert_int_equal(sim_run_until(sim, SIM_NEVER_NS), SIM_END_EMPTY);
    assert_string_equal(log, "a");
    sim_destroy(sim);
}

static void again_now(struct sim *sim, struct sim_event *event)
{
    sim_schedule_after(sim, event, 0);
}

static void standing_clock_ends_the_run(void **state)
{
    (void)state;
    struct sim *sim = sim_create();
    struct sim_event event;
    sim_event_init(&event, again_now, LABEL);
    sim_schedule_at(sim, &event, 3);
    assert_int_equal(sim_run_until(sim, 10), SIM_END_STALLED);
    assert_int_equal(sim_now_ns(sim), 3);
    sim_destroy(sim);
}

static void now_is_not_the_past(void **state)
{
    (void)state;
    struct sim *sim = sim_create();
    char log[8] = "";
    struct noted a;
    note_init(&a, 'a', log);
    sim_run_until(sim, 100);
    sim_schedule_at(sim, &a.event, 100);
    assert_int_equal(sim_run_until(sim, 100), SIM_END_EMPTY);
    assert_string_equal(log, "a");
    sim_destroy(sim);
}

/* A long random life of many events against a plain model of the rule: of all pending, (time, order of scheduling). */

enum shape {
    UNIFORM,
    SKEWED,   /* most soon, some very late */
    CLUSTERS, /* many at the same few instants */
    DECADES,  /* from nanoseconds to years */
    SHAPES,
};

#define ACTORS 6000
#define STEPS 120000

struct actor {
    struct sim_event event;
    struct life *life;
    bool pending;
    int64_t due_ns;
    uint64_t order;
};

struct life {
    struct sim *sim;
    struct xorshift random;
    enum shape shape;
    struct actor *actors;
    uint64_t order;
    uint64_t fired, steps, pending;
    int64_t last_ns;
    uint64_t last_order;
};

static int64_t draw_delay(struct life *life)
{
    uint64_t bits = draw(&life->random);
    switch (life->shape) {
    case UNIFORM:
        return (int64_t)(bits % 1000000);
    case SKEWED:
        return (int64_t)(bits % 100 < 97 ? (bits >> 8) % 5000 : (bits >> 8) % (UINT64_C(1) << 45));
    case CLUSTERS:
        return (int64_t)((bits % 7) * 1000000) - sim_now_ns(life->sim) % 1000000 + 1000000;
    case DECADES:
    case SHAPES:
        break;
    }
    return (int64_t)(draw(&life->random) % (UINT64_C(1) << bits % 56));
}

static void model_schedule(struct life *life, struct actor *actor)
{
    actor->due_ns = sim_now_ns(life->sim) + draw_delay(life);
    actor->order = life->order++;
    if (actor->pending) {
        sim_reschedule_at(life->sim, &actor->event, actor->due_ns);
    } else {
        sim_schedule_at(life->sim, &actor->event, actor->due_ns);
        actor->pending = true;
        life->pending++;
    }
    assert_true(sim_event_pending(&actor->event));
    assert_int_equal(sim_event_time_ns(life->sim, &actor->event), actor->due_ns);
}

static void actor_fires(struct sim *sim, struct sim_event *event)
{
    struct actor *actor = SIM_CONTAINER_OF(event, struct actor, event);
    struct life *life = actor->life;
    assert_true(actor->pending);
    assert_int_equal(sim_now_ns(sim), actor->due_ns);
    /* In order: nothing fires before what fired last. That nothing earlier was left behind follows, as all fire in the end. */
    assert_true(actor->due_ns > life->last_ns || (actor->due_ns == life->last_ns && actor->order > life->last_order));
    life->last_ns = actor->due_ns;
    life->last_order = actor->order;
    actor->pending = false;
    life->pending--;
    life->fired++;
    for (int i = 0; i < 3 && life->steps > 0; i++, life->steps--) {
        struct actor *other = &life->actors[draw(&life->random) % ACTORS];
        switch (draw(&life->random) % 4) {
        case 0:
            assert_int_equal(sim_cancel(sim, &other->event), other->pending);
            life->pending -= other->pending;
            other->pending = false;
            break;
        default:
            model_schedule(life, other);
        }
    }
    assert_int_equal(sim_account(sim).pending_events, life->pending);
}

static void random_life(enum shape shape)
{
    struct sim *sim = sim_create();
    struct life life = {.sim = sim, .random = {88172645463325252u + shape}, .shape = shape, .steps = STEPS, .last_ns = -1};
    life.actors = calloc(ACTORS, sizeof *life.actors);
    for (int i = 0; i < ACTORS; i++) {
        life.actors[i].life = &life;
        sim_event_init(&life.actors[i].event, actor_fires, LABEL);
        model_schedule(&life, &life.actors[i]);
    }
    while (sim_run_until(sim, sim_now_ns(sim) + draw_delay(&life)) == SIM_END_TIME)
        ;
    assert_int_equal(life.pending, 0);
    for (int i = 0; i < ACTORS; i++)
        assert_false(sim_event_pending(&life.actors[i].event));
    assert_int_equal(sim_account(sim).events, life.fired);
    assert_true(life.fired > STEPS / 8);
    free(life.actors);
    sim_destroy(sim);
}

static void random_life_uniform(void **state)
{
    (void)state;
    random_life(UNIFORM);
}

static void random_life_skewed(void **state)
{
    (void)state;
    random_life(SKEWED);
}

static void random_life_clusters(void **state)
{
    (void)state;
    random_life(CLUSTERS);
}

static void random_life_decades(void **state)
{
    (void)state;
    random_life(DECADES);
}

static void fingerprint_tells_runs_apart(void **state)
{
    (void)state;
    uint64_t fingerprints[4];
    for (int i = 0; i < 4; i++) {
        struct sim *sim = sim_create();
        char log[8] = "";
        struct noted a, b;
        note_init(&a, 'a', log);
        note_init(&b, 'b', log);
        if (i == 3)
            b.event.label++;
        sim_schedule_at(sim, &a.event, 5);
        sim_schedule_at(sim, &b.event, i == 2 ? 7 : 6);
        sim_run_until(sim, SIM_NEVER_NS);
        fingerprints[i] = sim_account(sim).fingerprint;
        sim_destroy(sim);
    }
    assert_true(fingerprints[0] == fingerprints[1]);
    assert_true(fingerprints[0] != fingerprints[2]);
    assert_true(fingerprints[0] != fingerprints[3]);
    assert_true(fingerprints[2] != fingerprints[3]);
}

static void seconds_round_half_to_even(void **state)
{
    (void)state;
    assert_int_equal(sim_ns_round(0.5), 0);
    assert_int_equal(sim_ns_round(1.5), 2);
    assert_int_equal(sim_ns_round(2.5), 2);
    assert_int_equal(sim_ns_round(2.500001), 3);
    assert_int_equal(sim_ns_from_s(3.6), 3600000000);
    assert_int_equal(sim_ns_from_s(1e-9), 1);
    assert_int_equal(sim_ns_from_s(-2.0), -2000000000);
    assert_int_equal(sim_ns_from_s(1e10), SIM_NEVER_NS);
    assert_near(sim_s_from_ns(3600000000), 3.6, 1e-15);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(first_scheduled_fires_first),
        cmocka_unit_test(reschedule_goes_behind),
        cmocka_unit_test(cancel_takes_that_one_out),
        cmocka_unit_test(run_until_includes_its_limit),
        cmocka_unit_test(stop_ends_after_the_event),
        cmocka_unit_test(standing_clock_ends_the_run),
        cmocka_unit_test(now_is_not_the_past),
        cmocka_unit_test(random_life_uniform),
        cmocka_unit_test(random_life_skewed),
        cmocka_unit_test(random_life_clusters),
        cmocka_unit_test(random_life_decades),
        cmocka_unit_test(fingerprint_tells_runs_apart),
        cmocka_unit_test(seconds_round_half_to_even),
    };
    return RUN_TESTS(tests);
}
