/* The inside of struct sim, for the kernel's own sources. */
#ifndef VDISIM_KERNEL_RUN_H
#define VDISIM_KERNEL_RUN_H

#include "vdisim/process.h"
#include "vdisim/sim.h"

#include "sim/kernel/calendar.h"
#include "sim/kernel/stack.h"

struct sim {
    int64_t now_ns;
    bool stopped;
    bool out_of_memory;
    bool running;
    enum sim_end end;
    int64_t last_event_ns; /* -1: none has fired */
    uint64_t still;        /* events since the clock last moved */
    uint64_t events;
    uint64_t ties;
    uint64_t fingerprint;

    int64_t until_ns;      /* of the run that is going on */

    struct sim_process *current; /* NULL: on the main stack */
    bool current_fired; /* by its event: nothing is left to do at this instant when it waits */
    void *main_context;
    struct sim_fiber main_fiber;
    struct sim_process *alive;     /* list of processes started and not ended */
    struct sim_stack *ended_stack; /* left by a process that has ended; recycled once off it */
    struct sim_process *ended;     /* its on_end is still to be called */
    struct sim_stack_pool stacks;

    struct sim_calendar calendar;
};

/* Lets time pass for an event that would be scheduled now for at_ns, with this label, and would fire next: as if it had
 * been scheduled and had fired. False, and nothing happens, when something else comes first. */
bool sim_pass_in_place(struct sim *sim, int64_t at_ns, uint32_t label);

#endif
