/* Going on with a process. Inlined into the loop of events: a function between the loop and the switch would end in a
 * return that the processor predicts wrong, because the process has called and not returned meanwhile. */
#ifndef VDISIM_KERNEL_DISPATCH_H
#define VDISIM_KERNEL_DISPATCH_H

#include "sim/kernel/context.h"
#include "sim/kernel/run.h"

#include <assert.h>

/* What the event of a process does when it fires. */
void sim_process_fires(struct sim *sim, struct sim_event *event);

/* Takes back the stack of a process that has ended. */
void sim_process_bury(struct sim *sim, struct sim_process *process);

/* fired: by its event. Returns when the process waits or has ended. */
static inline void sim_process_switch_into(struct sim *sim, struct sim_process *process, bool fired)
{
    assert(!sim->current);
    sim->current_fired = fired;
    sim->current = process;
    process->state = SIM_PROCESS_RUNNING;
    process->wait = NULL;
    fiber_main(&sim->main_fiber);
    fiber_leave(&sim->main_fiber, &process->stack->fiber, 0);
    sim_context_switch(&sim->main_context, process->context, (int)process->wake);
    fiber_arrive(&sim->main_fiber, NULL);
    sim->current = NULL;
    if (sim->ended) {
        struct sim_process *ended = sim->ended;
        sim->ended = NULL;
        sim_process_bury(sim, ended);
    }
}

static inline void sim_fire(struct sim *sim, struct sim_event *event)
{
    if (event->fire == sim_process_fires) {
        struct sim_process *process = SIM_CONTAINER_OF(event, struct sim_process, event);
        if (process->state == SIM_PROCESS_HOLDING || process->state == SIM_PROCESS_WAKING) {
            sim_process_switch_into(sim, process, true);
            return;
        }
    }
    event->fire(sim, event);
}

#endif
