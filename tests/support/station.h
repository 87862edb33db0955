/* An open station GI/G/c/K run on the kernel: a source, a sim_queue, and customers who are plain records with
 * an event, or processes. One call is one replication; every replication ends empty and asserts the
 * conservation laws. */
#ifndef VDISIM_TESTS_STATION_H
#define VDISIM_TESTS_STATION_H

#include "tests/support/law.h"
#include "tests/support/replications.h"
#include "vdisim/level.h"
#include "vdisim/process.h"
#include "vdisim/queue.h"
#include "vdisim/sim.h"
#include "vdisim/tally.h"

#include <stdlib.h>

#define STATION_THRESHOLDS 6

struct station_plan {
    struct law interarrival;
    struct law service;
    size_t servers;
    size_t room; /* to wait; 0 here means unlimited, STATION_NO_ROOM none */
    uint64_t warm_up;
    uint64_t customers; /* after the warm-up */
    double residence_over_s[STATION_THRESHOLDS];
    double wait_over_s[STATION_THRESHOLDS];
    bool by_process;
};

#define STATION_NO_ROOM SIZE_MAX

/* What one replication measured, of the customers after the warm-up; times in seconds. */
struct station_run {
    double wait, wait_variance, residence;
    double number, queue_length, utilisation; /* time means while the source was on */
    double waited, blocked;                   /* shares of the arrivals */
    double throughput;
    double residence_over[STATION_THRESHOLDS]; /* shares of those served */
    double wait_over[STATION_THRESHOLDS];
    double control; /* relative mean service less relative mean interarrival time: expected 0 */
};

struct station;

struct station_customer {
    struct sim_queue_waiter waiter;
    struct sim_event event;
    struct station *station;
    struct station_customer *next_free;
    int64_t arrived_ns;
    int64_t service_ns;
    bool counted;
    bool in_line;
    struct sim_process process; /* last: unused in the other form */
};

struct station {
    struct sim *sim;
    const struct station_plan *plan;
    struct sim_queue queue;
    struct sim_process source;
    struct sim_event source_event;
    int64_t interarrival_ns;
    uint64_t arrived;
    struct sim_random arrivals, services;
    struct station_customer *free;
    struct station_customer **blocks;
    size_t block_count;
    struct sim_level waiting, busy;
    struct sim_tally wait;
    uint64_t offered, blocked, waited, departed;
    double residence_sum_s;
    bool thresholds;
    uint64_t residence_over[STATION_THRESHOLDS], wait_over[STATION_THRESHOLDS];
    double service_sum_ns, interarrival_sum_ns;
    double all_residence_ns, all_busy_ns;
    bool counting;
    struct station_run run;
};

enum { STATION_BLOCK = 256 };

static inline void station_service_ends(struct sim *sim, struct sim_event *event);
static inline void station_granted(struct sim_queue_waiter *waiter);

static inline struct station_customer *station_customer(struct station *s)
{
    if (s->free == NULL) {
        struct station_customer *block = calloc(STATION_BLOCK, sizeof *block);
        s->blocks = realloc(s->blocks, (s->block_count + 1) * sizeof *s->blocks);
        assert_non_null(block);
        assert_non_null(s->blocks);
        s->blocks[s->block_count++] = block;
        for (int i = 0; i < STATION_BLOCK; i++) {
            sim_queue_waiter_init(&block[i].waiter, station_granted);
            sim_event_init(&block[i].event, station_service_ends, SIM_EVENT_LABEL('d', 'o', 'n', 'e'));
            block[i].station = s;
            block[i].next_free = s->free;
            s->free = &block[i];
        }
    }
    struct station_customer *customer = s->free;
    s->free = customer->next_free;
    return customer;
}

static inline void station_begins_service(struct station_customer *c, int64_t now_ns)
{
    struct station *s = c->station;
    const int64_t wait_ns = now_ns - c->arrived_ns;
    sim_level_add(&s->busy, now_ns, 1.0);
    if (c->in_line)
        sim_level_add(&s->waiting, now_ns, -1.0);
    if (!c->counted)
        return;
    s->waited += wait_ns > 0;
    sim_tally_add(&s->wait, (double)wait_ns * 1e-9);
    for (int i = 0; i < STATION_THRESHOLDS && s->thresholds; i++)
        s->wait_over[i] += (double)wait_ns > s->plan->wait_over_s[i] * 1e9;
}

static inline void station_waits(struct station_customer *c, int64_t now_ns)
{
    c->in_line = true;
    sim_level_add(&c->station->waiting, now_ns, 1.0);
}

static inline void station_departs(struct station_customer *c, int64_t now_ns)
{
    struct station *s = c->station;
    const int64_t residence_ns = now_ns - c->arrived_ns;
    sim_level_add(&s->busy, now_ns, -1.0);
    s->all_residence_ns += (double)residence_ns;
    s->all_busy_ns += (double)c->service_ns;
    if (c->counted) {
        s->departed++;
        s->residence_sum_s += (double)residence_ns * 1e-9;
        for (int i = 0; i < STATION_THRESHOLDS && s->thresholds; i++)
            s->residence_over[i] += (double)residence_ns > s->plan->residence_over_s[i] * 1e9;
    }
    c->next_free = s->free;
    s->free = c;
}

static inline void station_service_ends(struct sim *sim, struct sim_event *event)
{
    struct station_customer *c = SIM_CONTAINER_OF(event, struct station_customer, event);
    struct station *s = c->station;
    sim_queue_release_by(&s->queue, &c->waiter);
    station_departs(c, sim_now_ns(sim));
}

static inline void station_granted(struct sim_queue_waiter *waiter)
{
    struct station_customer *c = SIM_CONTAINER_OF(waiter, struct station_customer, waiter);
    struct sim *sim = c->station->sim;
    station_begins_service(c, sim_now_ns(sim));
    sim_schedule_after(sim, &c->event, c->service_ns);
}

static inline void station_customer_lives(struct sim_process *self)
{
    struct station_customer *c = SIM_CONTAINER_OF(self, struct station_customer, process);
    struct station *s = c->station;
    if (s->queue.busy == s->queue.capacity)
        station_waits(c, sim_now_ns(s->sim));
    if (sim_queue_seize(self, &s->queue, 0, SIM_NEVER_NS) != SIM_DONE)
        return;
    station_begins_service(c, sim_now_ns(s->sim));
    sim_hold(self, c->service_ns);
    sim_queue_release(&s->queue);
}

static inline void station_customer_ends(struct sim_process *self)
{
    struct station_customer *c = SIM_CONTAINER_OF(self, struct station_customer, process);
    station_departs(c, sim_now_ns(c->station->sim));
}

static inline void station_arrives(struct station *s, int64_t now_ns)
{
    struct station_customer *c = station_customer(s);
    c->arrived_ns = now_ns;
    c->service_ns = law_draw_ns(&s->plan->service, &s->services);
    c->counted = s->counting;
    c->in_line = false;
    s->offered += s->counting;
    if (s->counting)
        s->service_sum_ns += (double)c->service_ns;
    if (s->plan->by_process) {
        sim_process_init(&c->process, "customer", station_customer_lives);
        c->process.on_end = station_customer_ends;
        sim_process_start_after(s->sim, &c->process, 0);
        return;
    }
    switch (sim_queue_request(&s->queue, &c->waiter, 0)) {
    case SIM_QUEUE_GRANTED:
        station_granted(&c->waiter);
        break;
    case SIM_QUEUE_WAITING:
        station_waits(c, now_ns);
        break;
    default:
        s->blocked += s->counting;
        c->next_free = s->free;
        s->free = c;
    }
}

/* From the end of the warm-up to the last arrival. */
static inline void station_take_time_means(struct station *s, int64_t now_ns)
{
    const double busy = sim_level_mean(&s->busy, now_ns);
    s->run.queue_length = sim_level_mean(&s->waiting, now_ns);
    s->run.number = s->run.queue_length + busy;
    s->run.utilisation = busy / (double)s->plan->servers;
}

static inline int64_t station_next_arrival_ns(struct station *s)
{
    s->interarrival_ns = law_draw_ns(&s->plan->interarrival, &s->arrivals);
    return s->interarrival_ns;
}

/* One arrival; true when it was the last. */
static inline bool station_source_step(struct station *s)
{
    const int64_t now_ns = sim_now_ns(s->sim);
    if (s->arrived == s->plan->warm_up) {
        s->counting = true;
        sim_level_restart(&s->waiting, now_ns);
        sim_level_restart(&s->busy, now_ns);
    } else if (s->counting) {
        s->interarrival_sum_ns += (double)s->interarrival_ns;
    }
    station_arrives(s, now_ns);
    if (++s->arrived < s->plan->warm_up + s->plan->customers)
        return false;
    station_take_time_means(s, now_ns);
    return true;
}

/* The source, as an event for customers who are records, as a process for those who are processes. */
static inline void station_source_fires(struct sim *sim, struct sim_event *event)
{
    struct station *s = SIM_CONTAINER_OF(event, struct station, source_event);
    if (!station_source_step(s))
        sim_schedule_after(sim, event, station_next_arrival_ns(s));
}

static inline void station_source_lives(struct sim_process *self)
{
    struct station *s = SIM_CONTAINER_OF(self, struct station, source);
    do
        sim_hold(self, station_next_arrival_ns(s));
    while (!station_source_step(s));
}

static inline void station_start_source(struct station *s)
{
    if (s->plan->by_process) {
        sim_process_init(&s->source, "source", station_source_lives);
        sim_process_start_after(s->sim, &s->source, 0);
    } else {
        sim_event_init(&s->source_event, station_source_fires, SIM_EVENT_LABEL('c', 'o', 'm', 'e'));
        sim_schedule_after(s->sim, &s->source_event, station_next_arrival_ns(s));
    }
}

/* arrivals = departures + inside, busy <= residence, Little's law as an identity, nobody waits at a free
 * server. */
static inline void station_check_conservation(const struct station *s)
{
    const struct sim_queue_account a = sim_queue_account(&s->queue);
    assert_int_equal(a.arrivals, s->plan->warm_up + s->plan->customers);
    assert_int_equal(a.arrivals, a.balked + a.departures + a.gave_up + a.preempted + a.waiting + a.busy);
    assert_int_equal(a.waiting, 0);
    assert_int_equal(a.busy, 0);
    assert_near(a.waiting_area_s, a.wait_sum_s, 1e-9 * a.wait_sum_s);
    assert_near_relative(a.busy_area_s, s->all_busy_ns * 1e-9, 1e-9);
    assert_near_relative(a.busy_area_s + a.waiting_area_s, s->all_residence_ns * 1e-9, 1e-9);
    assert_true(a.busy_area_s <= (double)a.capacity * a.elapsed_s);
    assert_int_equal(s->wait.count, s->offered - s->blocked);
    assert_int_equal(s->departed, s->offered - s->blocked);
    assert_int_equal(sim_account(s->sim).live_processes, 0);
    assert_int_equal(sim_account(s->sim).pending_events, 0);
    sim_queue_check(&s->queue);
}

static inline void station_take_customer_means(struct station *s)
{
    struct station_run *run = &s->run;
    const double served = (double)s->departed, offered = (double)s->offered;
    run->wait = s->wait.mean;
    run->wait_variance = sim_tally_variance(&s->wait);
    run->residence = s->residence_sum_s / served;
    run->waited = (double)s->waited / served;
    run->blocked = (double)s->blocked / offered;
    run->throughput = served / (offered * s->plan->interarrival.mean);
    run->control = s->service_sum_ns / (offered * s->plan->service.mean * 1e9) -
                   s->interarrival_sum_ns / ((offered - 1.0) * s->plan->interarrival.mean * 1e9);
    for (int i = 0; i < STATION_THRESHOLDS; i++) {
        run->residence_over[i] = (double)s->residence_over[i] / served;
        run->wait_over[i] = (double)s->wait_over[i] / served;
    }
}

static inline struct station_run station_replication(const struct station_plan *plan, uint64_t replication)
{
    struct station *s = calloc(1, sizeof *s);
    assert_non_null(s);
    s->sim = sim_create();
    assert_non_null(s->sim);
    s->plan = plan;
    sim_random_init(&s->arrivals, TEST_SEED, replication, "arrivals");
    sim_random_init(&s->services, TEST_SEED, replication, "services");
    sim_queue_init(&s->queue, s->sim, "station", plan->servers, SIM_QUEUE_FIFO);
    if (plan->room != 0)
        s->queue.room = plan->room == STATION_NO_ROOM ? 0 : plan->room;
    sim_level_init(&s->waiting, 0, 0.0);
    sim_level_init(&s->busy, 0, 0.0);
    sim_tally_init(&s->wait, false);
    for (int i = 0; i < STATION_THRESHOLDS; i++)
        s->thresholds |= plan->wait_over_s[i] > 0.0 || plan->residence_over_s[i] > 0.0;
    station_start_source(s);
    assert_int_equal(sim_run_until(s->sim, SIM_NEVER_NS), SIM_END_EMPTY);
    station_check_conservation(s);
    station_take_customer_means(s);
    const struct station_run run = s->run;
    for (size_t i = 0; i < s->block_count; i++)
        free(s->blocks[i]);
    free(s->blocks);
    sim_destroy(s->sim);
    free(s);
    return run;
}

/* All replications of a plan whose `customers` is the total over them. */
static inline void station_replications(struct station_plan plan, struct station_run *runs)
{
    plan.customers = per_replication((double)plan.customers);
    for (uint64_t i = 0; i < REPLICATIONS; i++)
        runs[i] = station_replication(&plan, i);
}

/* Holds one measure of the replications against its reference. */
#define assert_station(runs, measure, reference, half_width)                                                 \
    do {                                                                                                     \
        double value_[REPLICATIONS], control_[REPLICATIONS];                                                 \
        for (int i_ = 0; i_ < REPLICATIONS; i_++) {                                                          \
            value_[i_] = (runs)[i_].measure;                                                                 \
            control_[i_] = (runs)[i_].control;                                                               \
        }                                                                                                    \
        assert_reference_controlled(#measure, value_, control_, REPLICATIONS, (reference), (half_width));    \
    } while (0)

/* The same without the control, for the utilisation, which follows the control so closely that what remains
 * is nothing but what happened to be in service at the ends. */
#define assert_utilisation(runs, reference, half_width)                                                      \
    do {                                                                                                     \
        double value_[REPLICATIONS];                                                                         \
        for (int i_ = 0; i_ < REPLICATIONS; i_++)                                                            \
            value_[i_] = (runs)[i_].utilisation;                                                             \
        assert_reference("utilisation", value_, REPLICATIONS, (reference), (half_width));                    \
    } while (0)

#endif
