#include "vdisim/signal.h"

struct signal_waiter {
    struct sim_wait wait;
    struct sim_line_place place;
    struct sim_process *process;
    struct sim_signal *signal;
    bool chosen;   /* out of the line, about to wake */
    bool alone;    /* chosen by notify_one() */
};

void sim_signal_init(struct sim_signal *signal, const char *name)
{
    signal->name = name;
    sim_line_init(&signal->line, false);
}

static void choose_first(struct sim_signal *signal, bool alone)
{
    struct signal_waiter *waiter = SIM_CONTAINER_OF(signal->line.first, struct signal_waiter, place);
    sim_line_leave(&signal->line, &waiter->place);
    waiter->chosen = true;
    waiter->alone = alone;
    sim_process_grant(waiter->process);
}

static void signal_leave(struct sim_wait *wait)
{
    struct signal_waiter *waiter = SIM_CONTAINER_OF(wait, struct signal_waiter, wait);
    if (!waiter->chosen)
        sim_line_leave(&waiter->signal->line, &waiter->place);
    else if (waiter->alone)
        sim_signal_notify_one(waiter->signal);
}

enum sim_wake sim_signal_wait(struct sim_process *self, struct sim_signal *signal, int64_t timeout_ns)
{
    if (sim_process_take_interrupt(self))
        return SIM_INTERRUPTED;
    struct signal_waiter waiter = {.wait = {signal_leave}, .process = self, .signal = signal};
    sim_line_join(&signal->line, &waiter.place, 0);
    return sim_process_block(self, &waiter.wait, timeout_ns);
}

bool sim_signal_notify_one(struct sim_signal *signal)
{
    if (!signal->line.first)
        return false;
    choose_first(signal, true);
    return true;
}

size_t sim_signal_notify_all(struct sim_signal *signal)
{
    size_t count = signal->line.length;
    while (signal->line.first)
        choose_first(signal, false);
    return count;
}
