/* One run of a simulation: its clock, its calendar, its processes, and the account it gives of itself.
 *
 * There is no global state: one struct sim is one run, and any number run side by side in threads.
 *
 *     struct sim *sim = sim_create();
 *     ...build the model, schedule its first events...
 *     enum sim_end end = sim_run_until(sim, SIM_NS_PER_HOUR);
 *     struct sim_account account = sim_account(sim);
 *     sim_destroy(sim);
 *
 * Running until T executes the events at T and leaves the clock at T; events after T stay pending and a later call goes
 * on with them.
 */
#ifndef VDISIM_SIM_H
#define VDISIM_SIM_H

#include "vdisim/event.h"
#include "vdisim/time.h"

#include <stddef.h>
#include <stdint.h>

struct sim;

/* Why a run ended. */
enum sim_end {
    SIM_END_NOT_RUN,
    SIM_END_TIME,    /* the time limit was reached */
    SIM_END_EMPTY,   /* nothing was left to happen */
    SIM_END_STOPPED, /* the model called sim_stop() */
    SIM_END_STALLED, /* the clock stood still for more events than SIM_STALL_EVENTS: a loop of zero holds */
    SIM_END_MEMORY,  /* the calendar or a stack could not be allocated */
};

#define SIM_STALL_EVENTS UINT64_C(10000000)

struct sim_account {
    enum sim_end end;
    int64_t now_ns;
    uint64_t events;          /* fired */
    uint64_t ties;            /* fired at the same instant as the event before, so that the sequence number decided */
    size_t pending_events;    /* still in the calendar */
    size_t live_processes;    /* started and not ended: what was still inside */
    size_t blocked_processes; /* of those, the ones that wait for something other than time */
    uint64_t fingerprint;     /* hash of (time, label) of every event fired, in order */
};

/* NULL when memory is short. */
struct sim *sim_create(void);

/* Frees the run and the stacks of processes still alive; the owners of pending events and live processes need not be
 * told. NULL is allowed. */
void sim_destroy(struct sim *sim);

/* Runs until the clock shows until_ns, nothing is left, or a stop. SIM_NEVER_NS: no time limit. */
enum sim_end sim_run_until(struct sim *sim, int64_t until_ns);

/* Ends the run after the event that is firing. */
void sim_stop(struct sim *sim);

/* The same for a model that could not get memory: the run ends as SIM_END_MEMORY, and so does any that follows. */
void sim_out_of_memory(struct sim *sim);

struct sim_account sim_account(const struct sim *sim);

/* A short lower-case name: "time", "empty", ... */
const char *sim_end_name(enum sim_end end);

int64_t sim_now_ns(const struct sim *sim);

#endif
