/* Benchmarks of the kernel alone. */
#include "tests/bench/bench.h"

#include "vdisim/item_store.h"
#include "vdisim/process.h"
#include "vdisim/queue.h"
#include "vdisim/random.h"
#include "vdisim/sim.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#define CUSTOMERS UINT64_C(1000000)
#define MEAN_BETWEEN_ARRIVALS_NS (1e9 / 0.9)
#define MEAN_SERVICE_NS 1e9
#define RING 1024u /* never as many wait at once: the chance is below 1e-40 */

static volatile double keep; /* so that no result can be optimised away */

static int64_t draw_ns(struct sim_random *stream, double mean_ns)
{
    return sim_ns_round(mean_ns * sim_random_exponential(stream));
}

/* M/M/1 by hand: a general binary heap of events with function pointers, and a ring of arrival times. */

struct hand_event {
    int64_t time_ns;
    uint64_t sequence;
    void (*fire)(struct hand_event event);
    void *argument;
};

static struct {
    struct hand_event *heap;
    size_t count, space;
    uint64_t sequence;
    int64_t now_ns;
    int64_t *ring;
    size_t first, waiting, mask;
    bool busy;
    uint64_t arrived, served;
    double sum_ns;
    struct sim_random arrivals, services;
} hand;

static bool hand_before(const struct hand_event *a, const struct hand_event *b)
{
    return a->time_ns != b->time_ns ? a->time_ns < b->time_ns : a->sequence < b->sequence;
}

static void hand_schedule(int64_t delay_ns, void (*fire)(struct hand_event), void *argument)
{
    if (hand.count == hand.space) {
        hand.space = hand.space ? 2 * hand.space : 16;
        hand.heap = realloc(hand.heap, hand.space * sizeof *hand.heap);
    }
    struct hand_event event = {hand.now_ns + delay_ns, hand.sequence++, fire, argument};
    size_t i = hand.count++;
    for (; i > 0 && hand_before(&event, &hand.heap[(i - 1) / 2]); i = (i - 1) / 2)
        hand.heap[i] = hand.heap[(i - 1) / 2];
    hand.heap[i] = event;
}

static struct hand_event hand_take(void)
{
    struct hand_event top = hand.heap[0];
    struct hand_event last = hand.heap[--hand.count];
    size_t i = 0;
    for (;;) {
        size_t child = 2 * i + 1;
        if (child >= hand.count)
            break;
        if (child + 1 < hand.count && hand_before(&hand.heap[child + 1], &hand.heap[child]))
            child++;
        if (!hand_before(&hand.heap[child], &last))
            break;
        hand.heap[i] = hand.heap[child];
        i = child;
    }
    hand.heap[i] = last;
    return top;
}

static void hand_departs(struct hand_event event)
{
    (void)event;
    hand.sum_ns += (double)(hand.now_ns - hand.ring[hand.first & hand.mask]);
    hand.first++;
    hand.waiting--;
    hand.served++;
    if (hand.waiting > 0)
        hand_schedule(draw_ns(&hand.services, MEAN_SERVICE_NS), hand_departs, NULL);
    else
        hand.busy = false;
}

static void hand_arrives(struct hand_event event)
{
    hand.ring[(hand.first + hand.waiting++) & hand.mask] = hand.now_ns;
    if (!hand.busy) {
        hand.busy = true;
        hand_schedule(draw_ns(&hand.services, MEAN_SERVICE_NS), hand_departs, NULL);
    }
    if (++hand.arrived < CUSTOMERS)
        hand_schedule(draw_ns(&hand.arrivals, MEAN_BETWEEN_ARRIVALS_NS), hand_arrives, event.argument);
}

static double mm1_by_hand(void)
{
    hand.mask = RING - 1;
    hand.ring = calloc(hand.mask + 1, sizeof *hand.ring);
    hand.now_ns = 0;
    hand.arrived = hand.served = 0;
    hand.sum_ns = 0;
    sim_random_init(&hand.arrivals, 1, 0, "arrivals");
    sim_random_init(&hand.services, 1, 0, "services");
    double start_ns = bench_cpu_ns();
    hand_schedule(draw_ns(&hand.arrivals, MEAN_BETWEEN_ARRIVALS_NS), hand_arrives, NULL);
    while (hand.count > 0) {
        struct hand_event event = hand_take();
        hand.now_ns = event.time_ns;
        event.fire(event);
    }
    double took_ns = bench_cpu_ns() - start_ns;
    keep = hand.sum_ns;
    free(hand.ring);
    return took_ns / (double)CUSTOMERS;
}

/* M/M/1 as people write it: one process makes customers, another serves them, a store in between. */

struct customer {
    struct sim_item item;
    int64_t arrived_ns;
};

struct station {
    struct sim_process source, server;
    struct sim_item_store store;
    struct sim_random arrivals, services;
    struct customer *customers;
    size_t mask;
    double sum_ns;
};

static void source_lives(struct sim_process *self)
{
    struct station *station = SIM_CONTAINER_OF(self, struct station, source);
    for (uint64_t i = 0; i < CUSTOMERS; i++) {
        sim_hold(self, draw_ns(&station->arrivals, MEAN_BETWEEN_ARRIVALS_NS));
        struct customer *customer = &station->customers[i & station->mask];
        customer->arrived_ns = sim_now_ns(self->sim);
        sim_item_store_put(self, &station->store, &customer->item, SIM_NEVER_NS);
    }
}

static void server_lives(struct sim_process *self)
{
    struct station *station = SIM_CONTAINER_OF(self, struct station, server);
    for (;;) {
        struct sim_item *item;
        sim_item_store_get(self, &station->store, &item, SIM_NEVER_NS);
        sim_hold(self, draw_ns(&station->services, MEAN_SERVICE_NS));
        struct customer *customer = SIM_CONTAINER_OF(item, struct customer, item);
        station->sum_ns += (double)(sim_now_ns(self->sim) - customer->arrived_ns);
    }
}

static double mm1_by_processes(void)
{
    struct sim *sim = sim_create();
    struct station station = {.mask = RING - 1};
    station.customers = calloc(station.mask + 1, sizeof *station.customers);
    sim_random_init(&station.arrivals, 1, 0, "arrivals");
    sim_random_init(&station.services, 1, 0, "services");
    double start_ns = bench_cpu_ns();
    sim_item_store_init(&station.store, sim, "line", SIM_ITEM_STORE_UNLIMITED);
    sim_process_init(&station.source, "source", source_lives);
    sim_process_init(&station.server, "server", server_lives);
    sim_process_start_after(sim, &station.source, 0);
    sim_process_start_after(sim, &station.server, 0);
    sim_run_until(sim, SIM_NEVER_NS);
    double took_ns = bench_cpu_ns() - start_ns;
    bool same = station.sum_ns == hand.sum_ns;
    sim_destroy(sim);
    free(station.customers);
    return same ? took_ns / (double)CUSTOMERS : -1;
}

/* M/M/1 of plain records before a queue. */

struct arriving {
    struct sim_event event;
    struct sim_queue queue;
    struct sim *sim;
    struct sim_random arrivals, services;
    struct record *records;
    size_t mask;
    uint64_t arrived;
    double sum_ns;
};

struct record {
    struct sim_queue_waiter waiter;
    struct sim_event event;
    struct arriving *station;
    int64_t arrived_ns;
};

static void record_departs(struct sim *sim, struct sim_event *event)
{
    struct record *record = SIM_CONTAINER_OF(event, struct record, event);
    record->station->sum_ns += (double)(sim_now_ns(sim) - record->arrived_ns);
    sim_queue_release_by(&record->station->queue, &record->waiter);
}

static void record_is_served(struct sim_queue_waiter *waiter)
{
    struct record *record = SIM_CONTAINER_OF(waiter, struct record, waiter);
    sim_schedule_after(record->station->sim, &record->event, draw_ns(&record->station->services, MEAN_SERVICE_NS));
}

static void record_arrives(struct sim *sim, struct sim_event *event)
{
    struct arriving *station = SIM_CONTAINER_OF(event, struct arriving, event);
    struct record *record = &station->records[station->arrived & station->mask];
    record->station = station;
    record->arrived_ns = sim_now_ns(sim);
    sim_event_init(&record->event, record_departs, SIM_EVENT_LABEL('d', 'e', 'p', 't'));
    sim_queue_waiter_init(&record->waiter, record_is_served);
    if (sim_queue_request(&station->queue, &record->waiter, 0) == SIM_QUEUE_GRANTED)
        record_is_served(&record->waiter);
    if (++station->arrived < CUSTOMERS)
        sim_schedule_after(sim, event, draw_ns(&station->arrivals, MEAN_BETWEEN_ARRIVALS_NS));
}

static double mm1_by_records(void)
{
    struct sim *sim = sim_create();
    struct arriving station = {.sim = sim, .mask = RING - 1};
    station.records = calloc(station.mask + 1, sizeof *station.records);
    sim_random_init(&station.arrivals, 1, 0, "arrivals");
    sim_random_init(&station.services, 1, 0, "services");
    double start_ns = bench_cpu_ns();
    sim_queue_init(&station.queue, sim, "line", 1, SIM_QUEUE_FIFO);
    sim_event_init(&station.event, record_arrives, SIM_EVENT_LABEL('a', 'r', 'r', 'v'));
    sim_schedule_after(sim, &station.event, draw_ns(&station.arrivals, MEAN_BETWEEN_ARRIVALS_NS));
    sim_run_until(sim, SIM_NEVER_NS);
    double took_ns = bench_cpu_ns() - start_ns;
    bool same = station.sum_ns == hand.sum_ns;
    sim_destroy(sim);
    free(station.records);
    return same ? took_ns / (double)CUSTOMERS : -1;
}

/* The hold model: N pending events, each of which schedules itself again after an exponential time. */

struct holder {
    struct sim_event event;
};

struct holding {
    struct sim_random delays;
    uint64_t left;
};

static struct holding holding;

static void holder_fires(struct sim *sim, struct sim_event *event)
{
    sim_schedule_after(sim, event, draw_ns(&holding.delays, 1e9));
    if (--holding.left == 0)
        sim_stop(sim);
}

static double hold(size_t pending)
{
    struct sim *sim = sim_create();
    struct holder *holders = calloc(pending, sizeof *holders);
    sim_random_init(&holding.delays, 1, 0, "delays");
    for (size_t i = 0; i < pending; i++) {
        sim_event_init(&holders[i].event, holder_fires, SIM_EVENT_LABEL('h', 'o', 'l', 'd'));
        sim_schedule_after(sim, &holders[i].event, draw_ns(&holding.delays, 1e9));
    }
    holding.left = 2 * pending; /* past the start */
    sim_run_until(sim, SIM_NEVER_NS);
    uint64_t holds = pending > 400000 ? 4 * pending : 2000000;
    holding.left = holds;
    double start_ns = bench_cpu_ns();
    sim_run_until(sim, SIM_NEVER_NS);
    double took_ns = bench_cpu_ns() - start_ns;
    sim_destroy(sim);
    free(holders);
    return took_ns / (double)holds;
}

static double hold_1e2(void)
{
    return hold(100);
}

static double hold_1e3(void)
{
    return hold(1000);
}

static double hold_1e4(void)
{
    return hold(10000);
}

static double hold_1e5(void)
{
    return hold(100000);
}

static double hold_1e6(void)
{
    return hold(1000000);
}

/* One process, resumed over and over from one event: two switches a round. */

#define ROUNDS 5000000

static void switcher_lives(struct sim_process *self)
{
    for (;;)
        sim_suspend(self, SIM_NEVER_NS);
}

struct switcher {
    struct sim_process process;
    struct sim_event event;
};

static void switches(struct sim *sim, struct sim_event *event)
{
    (void)sim;
    struct switcher *switcher = SIM_CONTAINER_OF(event, struct switcher, event);
    for (int i = 0; i < ROUNDS; i++)
        sim_process_resume(&switcher->process);
}

static double context_switch(void)
{
    struct sim *sim = sim_create();
    struct switcher switcher;
    sim_process_init(&switcher.process, "switcher", switcher_lives);
    sim_event_init(&switcher.event, switches, 0);
    sim_process_start_after(sim, &switcher.process, 0);
    sim_schedule_after(sim, &switcher.event, 1);
    double start_ns = bench_cpu_ns();
    sim_run_until(sim, SIM_NEVER_NS);
    double took_ns = bench_cpu_ns() - start_ns;
    sim_destroy(sim);
    return took_ns / (2.0 * ROUNDS);
}

/* What a process costs in memory: stack, record, event and place in the calendar. */

#define PROCESSES 100000

struct sleeper {
    struct sim_process process;
    uint64_t state;
};

static void sleeper_lives(struct sim_process *self)
{
    struct sleeper *sleeper = SIM_CONTAINER_OF(self, struct sleeper, process);
    for (;;) {
        sleeper->state = sleeper->state * UINT64_C(6364136223846793005) + 1;
        sim_hold(self, 1 + (int64_t)(sleeper->state >> 34));
    }
}

static double resident_bytes(void)
{
    unsigned long pages = 0, resident = 0;
    FILE *file = fopen("/proc/self/statm", "r");
    if (!file)
        return -1;
    int fields = fscanf(file, "%lu %lu", &pages, &resident);
    fclose(file);
    return fields == 2 ? (double)resident * (double)sysconf(_SC_PAGESIZE) : -1;
}

static double process_bytes(void)
{
    double before = resident_bytes();
    struct sim *sim = sim_create();
    struct sleeper *sleepers = calloc(PROCESSES, sizeof *sleepers);
    for (size_t i = 0; i < PROCESSES; i++) {
        sleepers[i].state = i;
        sim_process_init(&sleepers[i].process, "sleeper", sleeper_lives);
        sim_process_start_after(sim, &sleepers[i].process, 0);
    }
    enum sim_end end = sim_run_until(sim, 5 * SIM_NS_PER_S);
    bool all = end == SIM_END_TIME && sim_account(sim).live_processes == PROCESSES;
    double after = resident_bytes();
    sim_destroy(sim);
    free(sleepers);
    return all && before > 0 ? (after - before) / PROCESSES : -1;
}

const struct bench bench_kernel[] = {
    {"process.bytes", "bytes", process_bytes, NULL, 10240, 1},
    {"mm1.by_hand", "ns", mm1_by_hand, NULL, 0, 0},
    {"mm1.by_processes", "ns", mm1_by_processes, "mm1.by_hand", 1.7, 0},
    {"mm1.by_records", "ns", mm1_by_records, "mm1.by_hand", 1.7, 0},
    {"hold.1e2", "ns", hold_1e2, NULL, 0, 0},
    {"hold.1e3", "ns", hold_1e3, "hold.1e2", 0, 0},
    {"hold.1e4", "ns", hold_1e4, "hold.1e2", 0, 0},
    {"hold.1e5", "ns", hold_1e5, "hold.1e2", 2.5, 0},
    {"hold.1e6", "ns", hold_1e6, "hold.1e2", 0, 3},
    {"context.switch", "ns", context_switch, NULL, 0, 0},
    {0},
};
