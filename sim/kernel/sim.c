#include "vdisim/sim.h"

#include "sim/kernel/dispatch.h"

#include <assert.h>
#include <stdlib.h>

struct sim *sim_create(void)
{
    struct sim *sim = calloc(1, sizeof *sim);
    if (!sim)
        return NULL;
    if (!calendar_init(&sim->calendar)) {
        free(sim);
        return NULL;
    }
    stack_pool_init(&sim->stacks);
    sim->last_event_ns = -1;
    sim->fingerprint = UINT64_C(0xcbf29ce484222325);
    return sim;
}

void sim_destroy(struct sim *sim)
{
    if (!sim)
        return;
    assert(!sim->running);
    stack_pool_release(&sim->stacks);
    calendar_release(&sim->calendar);
    free(sim);
}

static uint64_t mix(uint64_t hash, uint64_t value)
{
    hash = (hash ^ value) * UINT64_C(0x9e3779b97f4a7c15);
    return hash ^ hash >> 32;
}

static void count_event(struct sim *sim, int64_t due_ns, uint32_t label)
{
    sim->events++;
    bool tie = due_ns == sim->last_event_ns;
    sim->ties += tie;
    sim->still = (sim->still + 1) & -(uint64_t)tie; /* without a branch: ties are hard to predict */
    sim->last_event_ns = due_ns;
    sim->fingerprint = mix(sim->fingerprint, (uint64_t)due_ns ^ (uint64_t)label << 32);
}

bool sim_pass_in_place(struct sim *sim, int64_t at_ns, uint32_t label)
{
    if (at_ns > sim->until_ns || sim->stopped || sim->out_of_memory || sim->still > SIM_STALL_EVENTS ||
        !calendar_quiet_until(&sim->calendar, at_ns))
        return false;
    sim->calendar.sequence++;
    sim->now_ns = at_ns;
    count_event(sim, at_ns, label);
    return true;
}

/* Fires events until sim->until_ns and leaves in sim->end how that ended. */
static void fire_events(void *argument)
{
    struct sim *sim = argument;
    for (;;) {
        if (sim->out_of_memory || sim->calendar.failed) {
            sim->end = SIM_END_MEMORY;
            break;
        }
        if (sim->stopped) {
            sim->end = SIM_END_STOPPED;
            break;
        }
        if (sim->still > SIM_STALL_EVENTS) {
            sim->end = SIM_END_STALLED;
            break;
        }
        int64_t due_ns;
        struct sim_event *event = calendar_take(&sim->calendar, sim->until_ns, &due_ns);
        if (!event) {
            if (sim->calendar.failed)
                continue;
            sim->end = calendar_pending(&sim->calendar) > 0 ? SIM_END_TIME : SIM_END_EMPTY;
            if (sim->until_ns != SIM_NEVER_NS)
                sim->now_ns = sim->until_ns;
            break;
        }
        sim->now_ns = due_ns;
        count_event(sim, due_ns, event->label);
        sim_fire(sim, event);
    }
}

enum sim_end sim_run_until(struct sim *sim, int64_t until_ns)
{
    assert(!sim->running && until_ns >= sim->now_ns);
    sim->running = true;
    sim->stopped = false;
    sim->until_ns = until_ns;
    sim->still = 0;
    sim_context_run(fire_events, sim);
    sim->running = false;
    return sim->end;
}

void sim_stop(struct sim *sim)
{
    sim->stopped = true;
}

void sim_out_of_memory(struct sim *sim)
{
    sim->out_of_memory = true;
}

struct sim_account sim_account(const struct sim *sim)
{
    struct sim_account account = {
        .end = sim->end,
        .now_ns = sim->now_ns,
        .events = sim->events,
        .ties = sim->ties,
        .pending_events = calendar_pending(&sim->calendar),
        .fingerprint = sim->fingerprint,
    };
    for (const struct sim_process *process = sim->alive; process; process = process->next_alive) {
        account.live_processes++;
        account.blocked_processes += process->state == SIM_PROCESS_WAITING;
    }
    return account;
}

const char *sim_end_name(enum sim_end end)
{
    switch (end) {
    case SIM_END_NOT_RUN:
        return "not run";
    case SIM_END_TIME:
        return "time";
    case SIM_END_EMPTY:
        return "empty";
    case SIM_END_STOPPED:
        return "stopped";
    case SIM_END_STALLED:
        return "stalled";
    case SIM_END_MEMORY:
        return "memory";
    }
    return "unknown";
}

int64_t sim_now_ns(const struct sim *sim)
{
    return sim->now_ns;
}

struct sim_process *sim_current_process(const struct sim *sim)
{
    return sim->current;
}
