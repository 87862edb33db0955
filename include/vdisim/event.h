/* Events and the calendar that holds the pending ones.
 *
 * An event is a member of the object that waits for it: scheduling, cancelling and rescheduling allocate nothing per
 * event and are O(log n) or better. Events fire in the order (time, sequence number): of two events at one instant the
 * one scheduled first fires first, always. Rescheduling an event gives it a new sequence number: it goes behind those
 * already scheduled for that instant. Scheduling into the past is a programming error and asserts.
 *
 *     struct request { struct sim_event event; ... };
 *     sim_event_init(&request->event, request_arrives, SIM_EVENT_LABEL('r', 'q', 'a', 'r'));
 *     sim_schedule_after(sim, &request->event, delay_ns);
 */
#ifndef VDISIM_EVENT_H
#define VDISIM_EVENT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct sim;
struct sim_event;

/* What happens when an event fires. The event is no longer pending and may be scheduled again, or its owner freed. */
typedef void sim_event_fire(struct sim *sim, struct sim_event *event);

struct sim_event {
    sim_event_fire *fire; /* read-only after init */
    uint32_t label;       /* which kind of event, for the fingerprint of the run */
    uint32_t slot;        /* private: place in the calendar, SIM_EVENT_IDLE when not pending */
    int64_t time_ns;      /* private: when it is due, while pending */
    uint64_t sequence;    /* private: number of its scheduling, while pending */
};

#define SIM_EVENT_IDLE UINT32_MAX
#define SIM_EVENT_LABEL(a, b, c, d)                                                                                  \
    ((uint32_t)(a) | (uint32_t)(b) << 8 | (uint32_t)(c) << 16 | (uint32_t)(d) << 24)

/* The object of type `type` whose member `member` is at `pointer`. */
#define SIM_CONTAINER_OF(pointer, type, member) ((type *)(void *)((char *)(pointer) - offsetof(type, member)))

void sim_event_init(struct sim_event *event, sim_event_fire *fire, uint32_t label);

static inline bool sim_event_pending(const struct sim_event *event)
{
    return event->slot != SIM_EVENT_IDLE;
}

/* Schedules an idle event; at_ns >= now. */
void sim_schedule_at(struct sim *sim, struct sim_event *event, int64_t at_ns);

/* Schedules an idle event delay_ns >= 0 from now. */
void sim_schedule_after(struct sim *sim, struct sim_event *event, int64_t delay_ns);

/* Moves a pending event, or schedules an idle one, behind all others of that instant. */
void sim_reschedule_at(struct sim *sim, struct sim_event *event, int64_t at_ns);

/* Takes a pending event out of the calendar; false if it was not pending. */
bool sim_cancel(struct sim *sim, struct sim_event *event);

/* The time of a pending event. */
int64_t sim_event_time_ns(const struct sim *sim, const struct sim_event *event);

#endif
