#include "vdisim/link.h"

#include "vdisim/sim.h"

#include <assert.h>
#include <float.h>
#include <math.h>
#include <string.h>

/* A flow leaves its cap only when the level is below it by more than this: rounding must not make it cross
 * for ever. */
#define CROSSING_SLACK 1e-12

/* Non-negative doubles are ordered as the integers of the same bits. */
static int64_t order_of(double value)
{
    int64_t bits;
    assert(value >= 0.0);
    value += 0.0; /* no negative zero */
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

static struct sim_link_flow *flow_finishing(struct sim_line_place *place)
{
    return SIM_CONTAINER_OF(place, struct sim_link_flow, finishing);
}

static struct sim_link_flow *flow_crossing(struct sim_line_place *place)
{
    return SIM_CONTAINER_OF(place, struct sim_link_flow, crossing);
}

static double threshold(const struct sim_link_flow *flow)
{
    return flow->cap_bytes_per_s / flow->weight;
}

/* The bytes to go at the link's clock, which may be behind the simulation's. */
static double remaining(const struct sim_link_flow *flow)
{
    double bytes = 0.0;
    if (flow->state == SIM_FLOW_SHARING)
        bytes = (flow->finish - flow->link->virtual_bytes) * flow->weight;
    else if (flow->state == SIM_FLOW_CAPPED)
        bytes = (flow->finish - flow->link->clock_ns) * 1e-9 * flow->cap_bytes_per_s;
    return bytes > 0.0 ? bytes : 0.0;
}

static void join_sharing(struct sim_link *link, struct sim_link_flow *flow, double bytes)
{
    flow->state = SIM_FLOW_SHARING;
    flow->finish = link->virtual_bytes + bytes / flow->weight;
    sim_line_join(&link->sharing, &flow->finishing, -order_of(flow->finish));
    if (isfinite(flow->cap_bytes_per_s))
        sim_line_join(&link->rising, &flow->crossing, -order_of(threshold(flow)));
    link->sharing_weight += flow->weight;
}

static void join_capped(struct sim_link *link, struct sim_link_flow *flow, double bytes)
{
    flow->state = SIM_FLOW_CAPPED;
    flow->finish = link->clock_ns + bytes / flow->cap_bytes_per_s * 1e9;
    sim_line_join(&link->capped, &flow->finishing, -order_of(flow->finish));
    sim_line_join(&link->falling, &flow->crossing, order_of(threshold(flow)));
    link->capped_per_s += flow->cap_bytes_per_s;
}

static void join_through(struct sim_link *link, struct sim_link_flow *flow)
{
    flow->state = SIM_FLOW_FINISHED;
    sim_line_join(&link->through, &flow->finishing, 0);
}

/* Takes a flow out of its lines; sums that should be empty are made so, which ends the drift of rounding. */
static void leave(struct sim_link *link, struct sim_link_flow *flow)
{
    if (flow->state == SIM_FLOW_SHARING) {
        sim_line_leave(&link->sharing, &flow->finishing);
        if (isfinite(flow->cap_bytes_per_s))
            sim_line_leave(&link->rising, &flow->crossing);
        link->sharing_weight = link->sharing.length == 0 ? 0.0 : link->sharing_weight - flow->weight;
    } else if (flow->state == SIM_FLOW_CAPPED) {
        sim_line_leave(&link->capped, &flow->finishing);
        sim_line_leave(&link->falling, &flow->crossing);
        link->capped_per_s = link->capped.length == 0 ? 0.0 : link->capped_per_s - flow->cap_bytes_per_s;
    } else {
        sim_line_leave(&link->through, &flow->finishing);
    }
}

static double water_level(const struct sim_link *link)
{
    const double left = link->rate_bytes_per_s - link->capped_per_s;
    if (link->sharing.length > 0)
        return left > 0.0 ? left / link->sharing_weight : 0.0;
    return left >= -CROSSING_SLACK * link->capped_per_s ? INFINITY : 0.0;
}

/* Moves flows across their caps until each is on the right side of the water level: first those that the
 * level has fallen below, then those that it has risen to. */
static void rebalance(struct sim_link *link)
{
    for (;;) {
        const double water = link->water_per_s = water_level(link);
        struct sim_link_flow *falling =
            link->falling.first == NULL ? NULL : flow_crossing(link->falling.first);
        struct sim_link_flow *rising = link->rising.first == NULL ? NULL : flow_crossing(link->rising.first);
        if (falling != NULL && threshold(falling) * (1.0 - CROSSING_SLACK) > water) {
            const double bytes = remaining(falling);
            leave(link, falling);
            join_sharing(link, falling, bytes);
        } else if (rising != NULL && threshold(rising) <= water) {
            const double bytes = remaining(rising);
            leave(link, rising);
            join_capped(link, rising, bytes);
        } else {
            return;
        }
    }
}

static void advance(struct sim_link *link, double clock_ns)
{
    const double elapsed_s = (clock_ns - link->clock_ns) * 1e-9;
    if (!(elapsed_s > 0.0))
        return;
    if (link->sharing.length > 0) {
        link->virtual_bytes += link->water_per_s * elapsed_s;
        link->carried_bytes += link->water_per_s * link->sharing_weight * elapsed_s;
    }
    link->carried_bytes += link->capped_per_s * elapsed_s;
    link->clock_ns = clock_ns;
}

/* The flow that finishes next, and when; NULL when none will. */
static struct sim_link_flow *next_to_finish(const struct sim_link *link, double *clock_ns)
{
    struct sim_link_flow *next = NULL;
    *clock_ns = INFINITY;
    if (link->sharing.first != NULL && link->water_per_s > 0.0) {
        next = flow_finishing(link->sharing.first);
        const double ahead = next->finish - link->virtual_bytes;
        *clock_ns = link->clock_ns + (ahead > 0.0 ? ahead / link->water_per_s * 1e9 : 0.0);
    }
    if (link->capped.first != NULL && flow_finishing(link->capped.first)->finish < *clock_ns) {
        next = flow_finishing(link->capped.first);
        *clock_ns = fmax(next->finish, link->clock_ns);
    }
    return next;
}

/* The first whole nanosecond at or, but for rounding, after this. */
static double whole_ns(double clock_ns)
{
    return ceil(clock_ns - (4.0 * DBL_EPSILON * clock_ns + 1e-3));
}

/* Lets all flows that finish until now do so, each at its own exact time. */
static void settle(struct sim_link *link)
{
    const int64_t now_ns = sim_now_ns(link->sim);
    const double now_clock_ns = (double)(now_ns - link->epoch_ns);
    double finish_ns;
    struct sim_link_flow *flow;
    while ((flow = next_to_finish(link, &finish_ns)) != NULL && whole_ns(finish_ns) <= now_clock_ns) {
        advance(link, finish_ns);
        leave(link, flow);
        join_through(link, flow);
        rebalance(link);
    }
    advance(link, now_clock_ns);
    if (link->sharing.length + link->capped.length == 0) {
        link->epoch_ns = now_ns;
        link->clock_ns = 0.0;
        link->virtual_bytes = 0.0;
    }
}

static void schedule_next(struct sim_link *link)
{
    if (link->delivering)
        return;
    int64_t at_ns = SIM_NEVER_NS;
    double finish_ns;
    if (link->through.length > 0)
        at_ns = sim_now_ns(link->sim);
    else if (next_to_finish(link, &finish_ns) != NULL &&
             whole_ns(finish_ns) < 9.2e18 - (double)link->epoch_ns)
        at_ns = link->epoch_ns + (int64_t)whole_ns(finish_ns);
    if (at_ns == SIM_NEVER_NS)
        sim_cancel(link->sim, &link->event);
    else if (!sim_event_pending(&link->event) || sim_event_time_ns(link->sim, &link->event) != at_ns)
        sim_reschedule_at(link->sim, &link->event, at_ns);
}

static void part(struct sim_link *link, struct sim_link_flow *flow)
{
    const int64_t now_ns = sim_now_ns(link->sim);
    link->residence_sum_ns += (double)(now_ns - flow->started_ns);
    link->started_sum_ns -= (double)(flow->started_ns - link->active.began_ns);
    sim_level_add(&link->active, now_ns, -1.0);
    flow->state = SIM_FLOW_IDLE;
    flow->link = NULL;
}

/* Only those through by now: what the callbacks start and is through at once waits for the next event. */
static void deliver(struct sim *sim, struct sim_event *event)
{
    (void)sim;
    struct sim_link *link = SIM_CONTAINER_OF(event, struct sim_link, event);
    settle(link);
    link->delivering = true;
    for (size_t due = link->through.length; due > 0 && link->through.first != NULL; due--) {
        struct sim_link_flow *flow = flow_finishing(link->through.first);
        leave(link, flow);
        part(link, flow);
        link->finished++;
        flow->done(flow);
    }
    link->delivering = false;
    schedule_next(link);
}

void sim_link_init(struct sim_link *link, struct sim *sim, double rate_bytes_per_s)
{
    assert(rate_bytes_per_s >= 0.0);
    *link = (struct sim_link){.sim = sim,
                              .rate_bytes_per_s = rate_bytes_per_s,
                              .epoch_ns = sim_now_ns(sim),
                              .water_per_s = INFINITY};
    sim_level_init(&link->active, sim_now_ns(sim), 0.0);
    sim_event_init(&link->event, deliver, SIM_EVENT_LABEL('l', 'i', 'n', 'k'));
    sim_line_init(&link->sharing, true);
    sim_line_init(&link->rising, true);
    sim_line_init(&link->capped, true);
    sim_line_init(&link->falling, true);
    sim_line_init(&link->through, false);
}

void sim_link_flow_init(struct sim_link_flow *flow, sim_link_done *done)
{
    *flow = (struct sim_link_flow){.done = done, .weight = 1.0, .cap_bytes_per_s = INFINITY};
}

static void enter(struct sim_link *link, struct sim_link_flow *flow, double bytes)
{
    if (bytes <= 0.0) {
        join_through(link, flow);
    } else if (isinf(link->rate_bytes_per_s) && isinf(flow->cap_bytes_per_s)) {
        link->carried_bytes += bytes;
        join_through(link, flow);
    } else {
        join_sharing(link, flow, bytes);
    }
}

void sim_link_start(struct sim_link *link, struct sim_link_flow *flow, double bytes)
{
    assert(flow->state == SIM_FLOW_IDLE && bytes >= 0.0 && isfinite(bytes));
    assert(flow->weight > 0.0 && isfinite(flow->weight) && flow->cap_bytes_per_s > 0.0);
    settle(link);
    flow->link = link;
    flow->bytes = bytes;
    flow->started_ns = sim_now_ns(link->sim);
    link->started++;
    link->started_sum_ns += (double)(flow->started_ns - link->active.began_ns);
    sim_level_add(&link->active, flow->started_ns, 1.0);
    enter(link, flow, bytes);
    rebalance(link);
    schedule_next(link);
}

double sim_link_cancel(struct sim_link_flow *flow)
{
    struct sim_link *link = flow->link;
    assert(flow->state != SIM_FLOW_IDLE);
    settle(link);
    const double bytes = remaining(flow);
    leave(link, flow);
    part(link, flow);
    link->cancelled++;
    rebalance(link);
    schedule_next(link);
    return bytes;
}

void sim_link_set_rate(struct sim_link *link, double rate_bytes_per_s)
{
    assert(rate_bytes_per_s >= 0.0);
    settle(link);
    link->rate_bytes_per_s = rate_bytes_per_s;
    rebalance(link);
    while (isinf(rate_bytes_per_s) && link->sharing.first != NULL) {
        struct sim_link_flow *flow = flow_finishing(link->sharing.first);
        link->carried_bytes += remaining(flow);
        leave(link, flow);
        join_through(link, flow);
    }
    rebalance(link);
    schedule_next(link);
}

void sim_link_set_cap(struct sim_link_flow *flow, double cap_bytes_per_s)
{
    struct sim_link *link = flow->link;
    assert(cap_bytes_per_s > 0.0);
    if (link != NULL)
        settle(link);
    if (link == NULL || flow->state == SIM_FLOW_FINISHED) {
        flow->cap_bytes_per_s = cap_bytes_per_s;
        return;
    }
    const double bytes = remaining(flow);
    leave(link, flow);
    flow->cap_bytes_per_s = cap_bytes_per_s;
    enter(link, flow, bytes);
    rebalance(link);
    schedule_next(link);
}

double sim_link_flow_rate(const struct sim_link_flow *flow)
{
    if (flow->state == SIM_FLOW_SHARING)
        return flow->link->water_per_s * flow->weight;
    return flow->state == SIM_FLOW_CAPPED ? flow->cap_bytes_per_s : 0.0;
}

/* No flow finishes between the link's clock and now, or its event would have come; only the progress is to be
 * added. */
double sim_link_flow_remaining(const struct sim_link_flow *flow)
{
    if (flow->state == SIM_FLOW_IDLE)
        return 0.0;
    const struct sim_link *link = flow->link;
    const double behind_ns = (double)(sim_now_ns(link->sim) - link->epoch_ns) - link->clock_ns;
    return fmax(0.0, remaining(flow) - sim_link_flow_rate(flow) * behind_ns * 1e-9);
}

double sim_link_carried_bytes(const struct sim_link *link)
{
    const double behind_ns = (double)(sim_now_ns(link->sim) - link->epoch_ns) - link->clock_ns;
    const double sharing_per_s = link->sharing.length > 0 ? link->water_per_s * link->sharing_weight : 0.0;
    return link->carried_bytes + (sharing_per_s + link->capped_per_s) * behind_ns * 1e-9;
}

void sim_link_check(const struct sim_link *link)
{
    const int64_t now_ns = sim_now_ns(link->sim);
    const size_t active = link->sharing.length + link->capped.length + link->through.length;
    assert((double)active == link->active.value);
    assert(link->started == link->finished + link->cancelled + active);
    const double area_ns = sim_level_area(&link->active, now_ns);
    const double residence_ns = link->residence_sum_ns +
                                (double)active * (double)(now_ns - link->active.began_ns) -
                                link->started_sum_ns;
    assert(fabs(area_ns - residence_ns) <= 1e-9 * area_ns + 1.0);
    (void)active;
    (void)area_ns;
    (void)residence_ns;
}

static void transfer_done(struct sim_link_flow *flow)
{
    sim_process_grant(flow->process);
}

static void transfer_abandoned(struct sim_wait *wait)
{
    struct sim_link_flow *flow = SIM_CONTAINER_OF(wait, struct sim_link_flow, wait);
    if (flow->state != SIM_FLOW_IDLE)
        sim_link_cancel(flow);
}

enum sim_wake sim_link_transfer_by(struct sim_process *self, struct sim_link *link,
                                   struct sim_link_flow *flow, double bytes, int64_t timeout_ns)
{
    if (sim_process_take_interrupt(self))
        return SIM_INTERRUPTED;
    flow->done = transfer_done;
    flow->process = self;
    flow->wait.leave = transfer_abandoned;
    sim_link_start(link, flow, bytes);
    return sim_process_block(self, &flow->wait, timeout_ns);
}

enum sim_wake sim_link_transfer(struct sim_process *self, struct sim_link *link, double bytes)
{
    struct sim_link_flow flow;
    sim_link_flow_init(&flow, NULL);
    return sim_link_transfer_by(self, link, &flow, bytes, SIM_NEVER_NS);
}
