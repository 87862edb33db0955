/* Processes: actors whose life reads top to bottom.
 *
 * A process is a stackful coroutine: it runs until it waits for something, and goes on there when the wait is over. It is
 * for actors (users, machines, jobs); a request in flight is better a plain record with an event.
 *
 *     struct user { struct sim_process process; ... };
 *
 *     static void user_lives(struct sim_process *self)
 *     {
 *         struct user *user = SIM_CONTAINER_OF(self, struct user, process);
 *         sim_hold(self, user->arrival_ns);
 *         ...
 *     }
 *
 *     sim_process_init(&user->process, "user", user_lives);
 *     sim_process_start_after(sim, &user->process, 0);
 *
 * Rules at one instant:
 * - A wait ends once, by the first cause that acts: done, time-out, interrupt or stop. The process goes on by an event at
 *   that instant, behind those already scheduled for it.
 * - An interrupt that finds the process running, or its wait already over, is kept and ends the next wait that the
 *   process enters, at once and without an event (what can be had without waiting is had). Of several kept interrupts the last one's reason is delivered, once.
 * - A process that is stopped gives up its place in line. What was handed to it and it has not yet woken up to receive goes
 *   to the next in line; what it has received stays held, and giving it back is the business of its on_end.
 *
 * A process body must not be left by longjmp; what it allocates is not freed when it is stopped or when the run is
 * abandoned: what must survive belongs in the owner's struct. The stack is small (see sim_process_stack_bytes()).
 */
#ifndef VDISIM_PROCESS_H
#define VDISIM_PROCESS_H

#include "vdisim/event.h"
#include "vdisim/line.h"
#include "vdisim/time.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct sim;
struct sim_process;
struct sim_wait;
struct sim_stack;

/* How a wait ended. */
enum sim_wake {
    SIM_DONE,
    SIM_TIMEOUT,
    SIM_INTERRUPTED, /* self->interrupt_reason says why */
    SIM_BALKED,      /* no room to wait: only where waiting room is limited */
};

/* The reason of the interrupt with which a queue takes a unit away (see queue.h). */
#define SIM_REASON_PREEMPTED INT32_MIN

typedef void sim_process_body(struct sim_process *self);

enum sim_process_state {
    SIM_PROCESS_IDLE,     /* never started, or ended */
    SIM_PROCESS_STARTING, /* its start is scheduled */
    SIM_PROCESS_RUNNING,
    SIM_PROCESS_HOLDING, /* waits for time to pass */
    SIM_PROCESS_WAITING, /* waits for something else, perhaps with a time-out */
    SIM_PROCESS_WAKING,  /* its wait is over, its wake-up is scheduled for this instant */
};

struct sim_process {
    struct sim *sim;              /* read-only: the run, from the start on */
    const char *name;             /* not copied */
    int interrupt_reason;         /* read-only: of the last SIM_INTERRUPTED */
    enum sim_process_state state; /* read-only */

    /* Called last, when the body has returned or the process was stopped: it may free the owner. On the main stack, or
     * on that of the process which called sim_process_stop(). Set after sim_process_init(); NULL: none. */
    sim_process_body *on_end;

    /* Private. */
    enum sim_wake wake;
    bool interrupt_kept;
    int kept_reason;
    struct sim_event event;
    sim_process_body *body;
    void *context;
    struct sim_stack *stack;
    struct sim_wait *wait;
    struct sim_line joiners;
    struct sim_process *next_alive;
    struct sim_process *previous_alive;
};

/* Makes an idle process; also makes an ended one ready to start again. */
void sim_process_init(struct sim_process *process, const char *name, sim_process_body *body);

/* Schedules the start of an idle process. */
void sim_process_start_at(struct sim *sim, struct sim_process *process, int64_t at_ns);
void sim_process_start_after(struct sim *sim, struct sim_process *process, int64_t delay_ns);

/* Started and not ended. */
static inline bool sim_process_alive(const struct sim_process *process)
{
    return process->state != SIM_PROCESS_IDLE;
}

/* The process that is running, NULL on the main stack (in an event's callback). */
struct sim_process *sim_current_process(const struct sim *sim);

/* Lets ns >= 0 pass. SIM_DONE or SIM_INTERRUPTED. A hold of 0 lets everything else happen that is scheduled for now. */
enum sim_wake sim_hold(struct sim_process *self, int64_t ns);

/* Waits for sim_process_wake() or sim_process_resume(), at most timeout_ns (SIM_NEVER_NS: without limit). */
enum sim_wake sim_suspend(struct sim_process *self, int64_t timeout_ns);

/* Ends the suspension of a process: it goes on by an event at this instant. From anywhere. False, and nothing happens,
 * when it is not suspended (any more). */
bool sim_process_wake(struct sim_process *process);

/* Ends the suspension of a process and switches into it at once, without an event; returns when it waits again or ends.
 * Only on the main stack, that is from an event's callback. False, and nothing happens, when it is not suspended. */
bool sim_process_resume(struct sim_process *process);

/* Ends the wait of a process with SIM_INTERRUPTED, or is kept for its next wait (see above). False when the process is
 * idle or has yet to start. */
bool sim_process_interrupt(struct sim_process *process, int reason);

/* Ends a process where it is; its own too (then it does not return). False when it is idle. */
bool sim_process_stop(struct sim_process *process);

/* Waits until another process has ended, at most timeout_ns; SIM_DONE at once when it is idle. */
enum sim_wake sim_process_join(struct sim_process *self, struct sim_process *other, int64_t timeout_ns);

/* How much stack a process has. */
size_t sim_process_stack_bytes(void);

/* For the makers of resources: a wait that a process can be taken out of.
 *
 * The resource keeps a struct sim_wait in a record on the stack of the waiting process, puts the record in line and calls
 * sim_process_block(). When it grants, it takes the record out of the line, notes that it was granted, and calls
 * sim_process_grant(). `leave` is called when the wait ends otherwise: by time-out or interrupt (then nothing was granted)
 * or by stop (then perhaps something was granted, which leave gives back). */
struct sim_wait {
    void (*leave)(struct sim_wait *wait);
};

/* Takes a kept interrupt: true means return SIM_INTERRUPTED instead of waiting. To be asked before joining a line. */
bool sim_process_take_interrupt(struct sim_process *self);

/* Blocks until granted, at most timeout_ns. */
enum sim_wake sim_process_block(struct sim_process *self, struct sim_wait *wait, int64_t timeout_ns);

/* Ends the wait of a process that is blocked: it wakes with SIM_DONE by an event at this instant. */
void sim_process_grant(struct sim_process *process);

#endif
