#include "vdisim/event.h"

#include "sim/kernel/run.h"

#include <assert.h>

void sim_event_init(struct sim_event *event, sim_event_fire *fire, uint32_t label)
{
    *event = (struct sim_event){.fire = fire, .label = label, .slot = SIM_EVENT_IDLE};
}

void sim_schedule_at(struct sim *sim, struct sim_event *event, int64_t at_ns)
{
    assert(!sim_event_pending(event));
    assert(at_ns >= sim->now_ns && at_ns < SIM_NEVER_NS);
    if (!calendar_insert(&sim->calendar, event, at_ns))
        sim->out_of_memory = true;
}

void sim_schedule_after(struct sim *sim, struct sim_event *event, int64_t delay_ns)
{
    assert(delay_ns >= 0 && delay_ns < SIM_NEVER_NS - sim->now_ns);
    sim_schedule_at(sim, event, sim->now_ns + delay_ns);
}

void sim_reschedule_at(struct sim *sim, struct sim_event *event, int64_t at_ns)
{
    if (sim_event_pending(event))
        calendar_remove(&sim->calendar, event);
    sim_schedule_at(sim, event, at_ns);
}

bool sim_cancel(struct sim *sim, struct sim_event *event)
{
    if (!sim_event_pending(event))
        return false;
    calendar_remove(&sim->calendar, event);
    return true;
}

int64_t sim_event_time_ns(const struct sim *sim, const struct sim_event *event)
{
    assert(sim_event_pending(event));
    (void)sim;
    return event->time_ns;
}
