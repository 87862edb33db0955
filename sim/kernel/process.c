#include "vdisim/process.h"

#include "sim/kernel/context.h"
#include "sim/kernel/dispatch.h"
#include "sim/kernel/fiber.h"
#include "sim/kernel/run.h"
#include "sim/kernel/stack.h"

#include <assert.h>

static uint32_t label_of_name(const char *name)
{
    uint32_t hash = UINT32_C(2166136261);
    for (; *name; name++)
        hash = (hash ^ (unsigned char)*name) * UINT32_C(16777619);
    return hash;
}

void sim_process_init(struct sim_process *process, const char *name, sim_process_body *body)
{
    *process = (struct sim_process){.name = name, .body = body, .state = SIM_PROCESS_IDLE};
    sim_event_init(&process->event, sim_process_fires, label_of_name(name));
    sim_line_init(&process->joiners, false);
}

void sim_process_start_at(struct sim *sim, struct sim_process *process, int64_t at_ns)
{
    assert(process->state == SIM_PROCESS_IDLE && process->body);
    process->sim = sim;
    process->state = SIM_PROCESS_STARTING;
    process->previous_alive = NULL;
    process->next_alive = sim->alive;
    if (sim->alive)
        sim->alive->previous_alive = process;
    sim->alive = process;
    sim_schedule_at(sim, &process->event, at_ns);
}

void sim_process_start_after(struct sim *sim, struct sim_process *process, int64_t delay_ns)
{
    assert(delay_ns >= 0);
    sim_process_start_at(sim, process, sim_now_ns(sim) + delay_ns);
}

struct joining {
    struct sim_wait wait;
    struct sim_line_place place;
    struct sim_process *joiner;
    struct sim_process *other; /* NULL once it has ended */
};

/* Everything that ends a life but the stack and on_end. */
static void end_life(struct sim_process *process)
{
    struct sim *sim = process->sim;
    process->state = SIM_PROCESS_IDLE;
    process->wait = NULL;
    process->interrupt_kept = false;
    sim_cancel(sim, &process->event);
    if (process->previous_alive)
        process->previous_alive->next_alive = process->next_alive;
    else
        sim->alive = process->next_alive;
    if (process->next_alive)
        process->next_alive->previous_alive = process->previous_alive;
    process->next_alive = process->previous_alive = NULL;
    while (process->joiners.first) {
        struct joining *joining = SIM_CONTAINER_OF(process->joiners.first, struct joining, place);
        sim_line_leave(&process->joiners, &joining->place);
        joining->other = NULL;
        sim_process_grant(joining->joiner);
    }
}

static enum sim_wake switch_out(struct sim_process *process, bool ends)
{
    struct sim *sim = process->sim;
    struct sim_stack *stack = process->stack;
    assert(stack_intact(stack));
    fiber_leave(&stack->fiber, &sim->main_fiber, ends);
    enum sim_wake wake = (enum sim_wake)sim_context_switch(&process->context, sim->main_context, 0);
    fiber_arrive(&stack->fiber, &sim->main_fiber);
    return wake;
}

static _Noreturn void end_current(struct sim_process *process)
{
    end_life(process);
    process->sim->ended = process;
    switch_out(process, true);
    __builtin_unreachable();
}

static void process_begins(void *argument)
{
    struct sim_process *process = argument;
    fiber_arrive(&process->stack->fiber, &process->sim->main_fiber);
    process->body(process);
    end_current(process);
}

void sim_process_bury(struct sim *sim, struct sim_process *process)
{
    struct sim_stack *stack = process->stack;
    process->stack = NULL;
    if (stack) {
        assert(stack_intact(stack));
        stack_give_back(&sim->stacks, stack);
    }
    if (process->on_end)
        process->on_end(process);
}

static void take_out_of_line(struct sim_process *process)
{
    struct sim_wait *wait = process->wait;
    process->wait = NULL;
    if (wait)
        wait->leave(wait);
}

void sim_process_fires(struct sim *sim, struct sim_event *event)
{
    struct sim_process *process = SIM_CONTAINER_OF(event, struct sim_process, event);
    if (process->state == SIM_PROCESS_STARTING) {
        process->stack = stack_take(&sim->stacks);
        if (!process->stack) {
            sim->out_of_memory = true;
            end_life(process);
            sim_process_bury(sim, process);
            return;
        }
        process->context = sim_context_make(process->stack->bottom, stack_top(process->stack), process_begins, process);
    } else if (process->state == SIM_PROCESS_WAITING) {
        take_out_of_line(process);
    }
    sim_process_switch_into(sim, process, true);
}

bool sim_process_take_interrupt(struct sim_process *self)
{
    if (!self->interrupt_kept)
        return false;
    self->interrupt_kept = false;
    self->interrupt_reason = self->kept_reason;
    return true;
}

enum sim_wake sim_hold(struct sim_process *self, int64_t ns)
{
    assert(self == self->sim->current && ns >= 0);
    if (sim_process_take_interrupt(self))
        return SIM_INTERRUPTED;
    struct sim *sim = self->sim;
    assert(ns < SIM_NEVER_NS - sim->now_ns);
    if (sim->current_fired && sim_pass_in_place(sim, sim->now_ns + ns, self->event.label))
        return SIM_DONE;
    self->state = SIM_PROCESS_HOLDING;
    self->wake = SIM_DONE;
    sim_schedule_at(sim, &self->event, sim->now_ns + ns);
    return switch_out(self, false);
}

enum sim_wake sim_process_block(struct sim_process *self, struct sim_wait *wait, int64_t timeout_ns)
{
    struct sim *sim = self->sim;
    assert(self == sim->current && timeout_ns >= 0);
    self->state = SIM_PROCESS_WAITING;
    self->wake = SIM_TIMEOUT;
    self->wait = wait;
    if (timeout_ns < SIM_NEVER_NS - sim->now_ns)
        sim_schedule_after(sim, &self->event, timeout_ns);
    return switch_out(self, false);
}

void sim_process_grant(struct sim_process *process)
{
    assert(process->state == SIM_PROCESS_WAITING);
    process->state = SIM_PROCESS_WAKING;
    process->wake = SIM_DONE;
    sim_reschedule_at(process->sim, &process->event, process->sim->now_ns);
}

enum sim_wake sim_suspend(struct sim_process *self, int64_t timeout_ns)
{
    if (sim_process_take_interrupt(self))
        return SIM_INTERRUPTED;
    return sim_process_block(self, NULL, timeout_ns);
}

static bool suspended(const struct sim_process *process)
{
    return process->state == SIM_PROCESS_WAITING && !process->wait;
}

bool sim_process_wake(struct sim_process *process)
{
    if (!suspended(process))
        return false;
    sim_process_grant(process);
    return true;
}

bool sim_process_resume(struct sim_process *process)
{
    if (!suspended(process))
        return false;
    sim_cancel(process->sim, &process->event);
    process->wake = SIM_DONE;
    sim_process_switch_into(process->sim, process, false);
    return true;
}

bool sim_process_interrupt(struct sim_process *process, int reason)
{
    switch (process->state) {
    case SIM_PROCESS_IDLE:
    case SIM_PROCESS_STARTING:
        return false;
    case SIM_PROCESS_RUNNING:
    case SIM_PROCESS_WAKING:
        process->interrupt_kept = true;
        process->kept_reason = reason;
        return true;
    case SIM_PROCESS_HOLDING:
    case SIM_PROCESS_WAITING:
        break;
    }
    process->state = SIM_PROCESS_WAKING;
    process->wake = SIM_INTERRUPTED;
    process->interrupt_reason = reason;
    take_out_of_line(process);
    sim_reschedule_at(process->sim, &process->event, process->sim->now_ns);
    return true;
}

bool sim_process_stop(struct sim_process *process)
{
    if (process->state == SIM_PROCESS_IDLE)
        return false;
    if (process->state == SIM_PROCESS_RUNNING) {
        assert(process == process->sim->current);
        end_current(process);
    }
    take_out_of_line(process);
    end_life(process);
    sim_process_bury(process->sim, process);
    return true;
}

static void join_leave(struct sim_wait *wait)
{
    struct joining *joining = SIM_CONTAINER_OF(wait, struct joining, wait);
    if (joining->other)
        sim_line_leave(&joining->other->joiners, &joining->place);
}

enum sim_wake sim_process_join(struct sim_process *self, struct sim_process *other, int64_t timeout_ns)
{
    assert(self != other);
    if (!sim_process_alive(other))
        return SIM_DONE;
    if (sim_process_take_interrupt(self))
        return SIM_INTERRUPTED;
    struct joining joining = {.wait = {join_leave}, .joiner = self, .other = other};
    sim_line_join(&other->joiners, &joining.place, 0);
    return sim_process_block(self, &joining.wait, timeout_ns);
}
