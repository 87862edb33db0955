/* A signal: processes wait until someone says that something has changed.
 *
 * A signal has no memory: a notification that finds nobody waiting is lost. Whoever waits for a condition therefore tests
 * it in a loop: while (!condition) sim_signal_wait(...).
 *
 * Rules at one instant: waiters are woken in the order in which they began to wait. Who begins to wait after a
 * notification of that instant waits for the next one. A waiter that notify_one() chose and that is stopped before it
 * has woken passes the notification on to the next.
 */
#ifndef VDISIM_SIGNAL_H
#define VDISIM_SIGNAL_H

#include "vdisim/line.h"
#include "vdisim/process.h"

struct sim_signal {
    const char *name;     /* read-only */
    struct sim_line line; /* private */
};

void sim_signal_init(struct sim_signal *signal, const char *name);

/* Waits for a notification, at most timeout_ns. */
enum sim_wake sim_signal_wait(struct sim_process *self, struct sim_signal *signal, int64_t timeout_ns);

/* Wakes the one that has waited longest; false when nobody waits. */
bool sim_signal_notify_one(struct sim_signal *signal);

/* Wakes all that wait now; returns how many. */
size_t sim_signal_notify_all(struct sim_signal *signal);

/* How many wait. */
static inline size_t sim_signal_waiting(const struct sim_signal *signal)
{
    return signal->line.length;
}

#endif
