#include "vdisim/queue.h"

#include "vdisim/sim.h"

#include <assert.h>

void sim_queue_init(struct sim_queue *queue, struct sim *sim, const char *name, size_t capacity,
                    enum sim_queue_discipline discipline)
{
    *queue = (struct sim_queue){
        .sim = sim,
        .name = name,
        .discipline = discipline,
        .capacity = capacity,
        .room = SIM_QUEUE_UNLIMITED,
        .began_ns = sim_now_ns(sim),
        .changed_ns = sim_now_ns(sim),
    };
    sim_line_init(&queue->line, discipline != SIM_QUEUE_FIFO);
    sim_line_init(&queue->holders, true);
}

void sim_queue_waiter_init(struct sim_queue_waiter *waiter, sim_queue_callback *granted)
{
    /* Only what is read before it is set: clearing the whole of it costs as much as serving it. */
    waiter->granted = granted;
    waiter->preempted = NULL;
    waiter->process = NULL;
    waiter->state = SIM_WAITER_OUT;
    waiter->arrival = 0;
}

static struct sim_queue_waiter *waiter_at(struct sim_line_place *place)
{
    return place ? SIM_CONTAINER_OF(place, struct sim_queue_waiter, place) : NULL;
}

/* Brings the areas up to date; to be called before the line or the servers change. */
static int64_t integrate(struct sim_queue *queue)
{
    int64_t now_ns = sim_now_ns(queue->sim);
    int64_t passed_ns = now_ns - queue->changed_ns;
    if (passed_ns > 0) {
        queue->waiting_area_ns += (double)(int64_t)queue->line.length * (double)passed_ns;
        queue->busy_area_ns += (double)(int64_t)queue->busy * (double)passed_ns;
        queue->balance_ns += (uint64_t)queue->line.length * (uint64_t)passed_ns;
        queue->changed_ns = now_ns;
    }
    return now_ns;
}

static void join_line(struct sim_queue *queue, struct sim_queue_waiter *waiter)
{
    if (waiter->state == SIM_WAITER_PREEMPTED) {
        waiter->place.arrival = waiter->arrival;
        sim_line_rejoin(&queue->line, &waiter->place, waiter->priority);
    } else {
        sim_line_join(&queue->line, &waiter->place, waiter->priority);
        waiter->arrival = waiter->place.arrival;
    }
    waiter->state = SIM_WAITER_IN_LINE;
    waiter->since_ns = queue->changed_ns;
    queue->since_sum_ns += (uint64_t)waiter->since_ns;
    queue->waited++;
    if (queue->line.length > queue->longest)
        queue->longest = queue->line.length;
}

static void leave_line(struct sim_queue *queue, struct sim_queue_waiter *waiter)
{
    sim_line_leave(&queue->line, &waiter->place);
    uint64_t wait_ns = (uint64_t)(queue->changed_ns - waiter->since_ns);
    queue->wait_sum_ns += (double)(int64_t)wait_ns;
    queue->balance_ns -= wait_ns;
    queue->since_sum_ns -= (uint64_t)waiter->since_ns;
}

/* Holders that can be preempted stand in a line of victims: the lowest priority first, of equals the last granted. */
static bool can_be_preempted(const struct sim_queue *queue, const struct sim_queue_waiter *waiter)
{
    return queue->discipline == SIM_QUEUE_PREEMPTIVE && waiter->preempted;
}

static void take_server(struct sim_queue *queue, struct sim_queue_waiter *waiter)
{
    queue->busy++;
    waiter->state = SIM_WAITER_HOLDS;
    waiter->since_ns = queue->changed_ns;
    if (can_be_preempted(queue, waiter)) {
        waiter->place.arrival = UINT64_MAX - queue->grants++;
        sim_line_rejoin(&queue->holders, &waiter->place, -waiter->priority);
    }
}

static void lose_server(struct sim_queue *queue, struct sim_queue_waiter *waiter)
{
    if (can_be_preempted(queue, waiter))
        sim_line_leave(&queue->holders, &waiter->place);
    queue->busy--;
}

static void preempt(struct sim_queue *queue, struct sim_queue_waiter *victim)
{
    lose_server(queue, victim);
    victim->state = SIM_WAITER_PREEMPTED;
    queue->preempted++;
}

static struct sim_queue_waiter *victim_of(const struct sim_queue *queue, int64_t priority)
{
    struct sim_queue_waiter *victim = waiter_at(queue->holders.first);
    return victim && victim->priority < priority ? victim : NULL;
}

/* Hands free servers to those in line, and in the preemptive discipline those of lower priorities. What the callbacks
 * release or raise meanwhile is handed over by this same loop: no recursion, and no overtaking. */
static void hand_over(struct sim_queue *queue)
{
    if (queue->handing_over)
        return;
    queue->handing_over = true;
    for (;;) {
        struct sim_queue_waiter *waiter = waiter_at(queue->line.first);
        if (!waiter)
            break;
        struct sim_queue_waiter *victim = NULL;
        if (queue->busy >= queue->capacity) {
            victim = queue->busy == queue->capacity ? victim_of(queue, waiter->priority) : NULL;
            if (!victim)
                break;
            preempt(queue, victim);
        }
        leave_line(queue, waiter);
        take_server(queue, waiter);
        waiter->granted(waiter);
        if (victim)
            victim->preempted(victim);
    }
    queue->handing_over = false;
}

enum sim_queue_entry sim_queue_request(struct sim_queue *queue, struct sim_queue_waiter *waiter, int64_t priority)
{
    assert(waiter->state == SIM_WAITER_OUT || waiter->state == SIM_WAITER_PREEMPTED);
    assert(priority > INT64_MIN);
    integrate(queue);
    queue->arrivals++;
    waiter->priority = priority;
    const struct sim_queue_waiter *ahead = waiter_at(queue->line.first);
    if (!ahead || ahead->priority < priority) {
        struct sim_queue_waiter *victim = NULL;
        if (queue->busy == queue->capacity)
            victim = victim_of(queue, priority);
        if (victim)
            preempt(queue, victim);
        if (queue->busy < queue->capacity && (!ahead || victim)) {
            if (waiter->state == SIM_WAITER_OUT)
                waiter->arrival = queue->line.arrivals++;
            take_server(queue, waiter);
            if (victim)
                victim->preempted(victim);
            return SIM_QUEUE_GRANTED;
        }
    }
    if (queue->line.length >= queue->room) {
        queue->balked++;
        return SIM_QUEUE_BALKED;
    }
    join_line(queue, waiter);
    return SIM_QUEUE_WAITING;
}

bool sim_queue_give_up(struct sim_queue *queue, struct sim_queue_waiter *waiter)
{
    if (waiter->state != SIM_WAITER_IN_LINE)
        return false;
    integrate(queue);
    leave_line(queue, waiter);
    waiter->state = SIM_WAITER_OUT;
    queue->gave_up++;
    return true;
}

void sim_queue_release(struct sim_queue *queue)
{
    assert(queue->busy > queue->holders.length);
    integrate(queue);
    queue->busy--;
    queue->departures++;
    hand_over(queue);
}

void sim_queue_release_by(struct sim_queue *queue, struct sim_queue_waiter *waiter)
{
    assert(waiter->state == SIM_WAITER_HOLDS && queue->busy > 0);
    integrate(queue);
    lose_server(queue, waiter);
    waiter->state = SIM_WAITER_OUT;
    queue->departures++;
    hand_over(queue);
}

void sim_queue_set_priority(struct sim_queue *queue, struct sim_queue_waiter *waiter, int64_t priority)
{
    assert(priority > INT64_MIN);
    integrate(queue);
    waiter->priority = priority;
    if (waiter->state == SIM_WAITER_IN_LINE)
        sim_line_set_priority(&queue->line, &waiter->place, priority);
    else if (waiter->state == SIM_WAITER_HOLDS && can_be_preempted(queue, waiter))
        sim_line_set_priority(&queue->holders, &waiter->place, -priority);
    hand_over(queue);
}

void sim_queue_set_capacity(struct sim_queue *queue, size_t capacity)
{
    integrate(queue);
    queue->capacity = capacity;
    while (queue->busy > queue->capacity && queue->holders.first) {
        struct sim_queue_waiter *victim = waiter_at(queue->holders.first);
        preempt(queue, victim);
        victim->preempted(victim);
    }
    hand_over(queue);
}

/* The process form. */

struct seizing {
    struct sim_wait wait;
    struct sim_queue *queue;
    struct sim_queue_waiter *waiter;
};

static void seizing_leave(struct sim_wait *wait)
{
    struct seizing *seizing = SIM_CONTAINER_OF(wait, struct seizing, wait);
    if (!sim_queue_give_up(seizing->queue, seizing->waiter) && seizing->waiter->state == SIM_WAITER_HOLDS)
        sim_queue_release_by(seizing->queue, seizing->waiter);
}

static void process_is_granted(struct sim_queue_waiter *waiter)
{
    sim_process_grant(waiter->process);
}

static void process_is_preempted(struct sim_queue_waiter *waiter)
{
    sim_process_interrupt(waiter->process, SIM_REASON_PREEMPTED);
}

static enum sim_wake seize(struct sim_process *self, struct sim_queue *queue, struct sim_queue_waiter *waiter,
                           int64_t priority, int64_t timeout_ns)
{
    waiter->process = self;
    waiter->granted = process_is_granted;
    switch (sim_queue_request(queue, waiter, priority)) {
    case SIM_QUEUE_GRANTED:
        return SIM_DONE;
    case SIM_QUEUE_BALKED:
        return SIM_BALKED;
    case SIM_QUEUE_WAITING:
        break;
    }
    if (sim_process_take_interrupt(self)) {
        sim_queue_give_up(queue, waiter);
        return SIM_INTERRUPTED;
    }
    struct seizing seizing = {.wait = {seizing_leave}, .queue = queue, .waiter = waiter};
    return sim_process_block(self, &seizing.wait, timeout_ns);
}

enum sim_wake sim_queue_seize(struct sim_process *self, struct sim_queue *queue, int64_t priority, int64_t timeout_ns)
{
    struct sim_queue_waiter waiter;
    sim_queue_waiter_init(&waiter, NULL);
    return seize(self, queue, &waiter, priority, timeout_ns);
}

enum sim_wake sim_queue_seize_as(struct sim_process *self, struct sim_queue *queue, struct sim_queue_waiter *waiter,
                                 int64_t priority, int64_t timeout_ns)
{
    waiter->preempted = process_is_preempted;
    return seize(self, queue, waiter, priority, timeout_ns);
}

struct sim_queue_account sim_queue_account(const struct sim_queue *queue)
{
    int64_t now_ns = sim_now_ns(queue->sim);
    double passed_ns = (double)(now_ns - queue->changed_ns);
    return (struct sim_queue_account){
        .capacity = queue->capacity,
        .busy = queue->busy,
        .waiting = queue->line.length,
        .longest = queue->longest,
        .arrivals = queue->arrivals,
        .balked = queue->balked,
        .gave_up = queue->gave_up,
        .preempted = queue->preempted,
        .departures = queue->departures,
        .waited = queue->waited,
        .elapsed_s = sim_s_from_ns(now_ns - queue->began_ns),
        .waiting_area_s = (queue->waiting_area_ns + (double)queue->line.length * passed_ns) / 1e9,
        .busy_area_s = (queue->busy_area_ns + (double)queue->busy * passed_ns) / 1e9,
        .wait_sum_s = queue->wait_sum_ns / 1e9,
    };
}

static bool holds(const struct sim_queue *queue)
{
    uint64_t length = queue->line.length;
    uint64_t out = queue->balked + queue->departures + queue->gave_up + queue->preempted;
    uint64_t now_ns = (uint64_t)sim_now_ns(queue->sim);
    uint64_t balance_ns = queue->balance_ns + length * (now_ns - (uint64_t)queue->changed_ns);
    return queue->arrivals == out + length + queue->busy && queue->holders.length <= queue->busy &&
           (queue->handing_over || length == 0 || queue->busy >= queue->capacity) &&
           balance_ns == length * now_ns - queue->since_sum_ns;
}

bool sim_queue_check(const struct sim_queue *queue)
{
    bool fine = holds(queue);
    assert(fine);
    return fine;
}
