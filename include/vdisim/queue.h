/* A queue: a station of one or more equal servers and the line before them.
 *
 * Whoever comes takes a free server or waits; a release hands the server to the next in line inside the release itself,
 * so that no newcomer of the same instant can overtake. There are two ways to use it. A process blocks:
 *
 *     if (sim_queue_seize(self, &queue, priority, SIM_NEVER_NS) == SIM_DONE) {
 *         sim_hold(self, service_ns);
 *         sim_queue_release(&queue);
 *     }
 *
 * A plain record embeds a struct sim_queue_waiter and is called back:
 *
 *     sim_queue_waiter_init(&request->waiter, request_is_served);
 *     if (sim_queue_request(&queue, &request->waiter, priority) == SIM_QUEUE_GRANTED)
 *         request_is_served(&request->waiter);
 *     ...
 *     sim_queue_release_by(&queue, &request->waiter);
 *
 * Disciplines: in order of arrival; by priority (the larger first, equals by arrival; nobody is interrupted); preemptive
 * (by priority, and a newcomer takes the server of the lowest priority below its own, of equals the one granted last).
 * Who is to be preempted must be known: it holds by a waiter with a `preempted` callback, or is a process that seized by
 * sim_queue_seize_as(). Others are never preempted. The preempted has lost its server and may ask again; by the same
 * waiter it then stands where its first arrival puts it, ahead of later ones of its priority (preemptive-resume; how much
 * work remains is its own business). A preempted process is interrupted with SIM_REASON_PREEMPTED.
 *
 * Capacity: more servers serve those waiting at once. Fewer servers evict nobody, except in the preemptive discipline,
 * where the lowest priorities, of equals those granted last, are preempted; else servers in excess vanish as released.
 */
#ifndef VDISIM_QUEUE_H
#define VDISIM_QUEUE_H

#include "vdisim/line.h"
#include "vdisim/process.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum sim_queue_discipline {
    SIM_QUEUE_FIFO,
    SIM_QUEUE_PRIORITY,
    SIM_QUEUE_PREEMPTIVE,
};

enum sim_queue_entry {
    SIM_QUEUE_GRANTED, /* holds a server now; the callback is not called */
    SIM_QUEUE_WAITING, /* in line; the callback comes when a server is handed over */
    SIM_QUEUE_BALKED,  /* the waiting room is full; nothing was changed but the count */
};

#define SIM_QUEUE_UNLIMITED SIZE_MAX

struct sim_queue;
struct sim_queue_waiter;

/* Called inside the operation that hands over, or takes away, the server, on whatever stack that runs. It may use the
 * queue, schedule events and wake processes; it must not block. */
typedef void sim_queue_callback(struct sim_queue_waiter *waiter);

enum sim_queue_waiter_state {
    SIM_WAITER_OUT,
    SIM_WAITER_IN_LINE,
    SIM_WAITER_HOLDS,
    SIM_WAITER_PREEMPTED, /* out, after its server was taken away */
};

struct sim_queue_waiter {
    sim_queue_callback *granted;        /* NULL only in the process form */
    sim_queue_callback *preempted;      /* NULL: never preempted; else set after init */
    enum sim_queue_waiter_state state;  /* read-only */
    int64_t since_ns;                   /* read-only: when it joined the line, or took its server */
    struct sim_process *process;        /* private, and so are those below */
    struct sim_line_place place;        /* in the line, or among the holders that can be preempted */
    int64_t priority;
    uint64_t arrival;
};

/* What the queue counted, all since sim_queue_init(). Areas are integrals over time: divided by the elapsed seconds they
 * are means. Identities that hold at every instant and that sim_queue_check() checks:
 *     arrivals = balked + departures + gave_up + preempted + waiting + busy      (a return after preemption arrives anew)
 *     busy_area_s <= capacity * elapsed, when the capacity was constant
 *     waiting_area_s = sum of all waiting times, of those still waiting up to now (Little's law, exactly) */
struct sim_queue_account {
    size_t capacity;
    size_t busy;    /* servers held now */
    size_t waiting; /* in line now */
    size_t longest; /* the longest the line ever was */
    uint64_t arrivals;
    uint64_t balked;     /* turned away for want of waiting room */
    uint64_t gave_up;    /* left the line: time-out, interrupt, stop or sim_queue_give_up() */
    uint64_t preempted;  /* lost their server */
    uint64_t departures; /* released */
    uint64_t waited;     /* joined the line before they were served */
    double elapsed_s;
    double waiting_area_s; /* integral of the number in line, server-seconds */
    double busy_area_s;    /* integral of the number of servers held */
    double wait_sum_s;     /* sum of the waits that have ended, however they ended */
};

struct sim_queue {
    struct sim *sim;                       /* read-only, and so are those below */
    const char *name;                      /* not copied */
    enum sim_queue_discipline discipline;
    size_t capacity;
    size_t busy;
    size_t room;                           /* how many may wait; SIM_QUEUE_UNLIMITED. May be set at any time. */

    /* Private. */
    struct sim_line line;
    struct sim_line holders; /* those that can be preempted, the first victim first */
    bool handing_over;
    size_t longest;
    uint64_t arrivals, balked, gave_up, preempted, departures, waited, grants;
    int64_t began_ns;
    int64_t changed_ns;
    double waiting_area_ns, busy_area_ns, wait_sum_ns;
    uint64_t balance_ns;   /* waiting area less the waits that have ended, modulo 2^64 and so exact */
    uint64_t since_sum_ns; /* sum of since_ns of those in line, likewise */
};

/* A queue of `capacity` servers (0 is allowed) with unlimited waiting room. */
void sim_queue_init(struct sim_queue *queue, struct sim *sim, const char *name, size_t capacity,
                    enum sim_queue_discipline discipline);

/* Asks for a server and waits at most timeout_ns. SIM_DONE: holds one, to be given back by sim_queue_release(). Any other
 * answer: holds none. */
enum sim_wake sim_queue_seize(struct sim_process *self, struct sim_queue *queue, int64_t priority, int64_t timeout_ns);

/* The same by a waiter of one's own, made by sim_queue_waiter_init(waiter, NULL), which must last as long as the server is held: needed to be preempted, or to have
 * one's priority changed. Give back by sim_queue_release_by() unless preempted. */
enum sim_wake sim_queue_seize_as(struct sim_process *self, struct sim_queue *queue, struct sim_queue_waiter *waiter,
                                 int64_t priority, int64_t timeout_ns);

void sim_queue_waiter_init(struct sim_queue_waiter *waiter, sim_queue_callback *granted);

/* Asks for a server for a plain record. */
enum sim_queue_entry sim_queue_request(struct sim_queue *queue, struct sim_queue_waiter *waiter, int64_t priority);

/* Takes a waiter out of the line; false when it was not in it. */
bool sim_queue_give_up(struct sim_queue *queue, struct sim_queue_waiter *waiter);

/* Gives back a server held without a waiter that lasts. Releasing what is not held asserts. */
void sim_queue_release(struct sim_queue *queue);

/* Gives back the server that this waiter holds. */
void sim_queue_release_by(struct sim_queue *queue, struct sim_queue_waiter *waiter);

/* Changes the priority of one in line (it stands by its arrival among its new equals) or of a holder. */
void sim_queue_set_priority(struct sim_queue *queue, struct sim_queue_waiter *waiter, int64_t priority);

/* Changes the number of servers. */
void sim_queue_set_capacity(struct sim_queue *queue, size_t capacity);

static inline size_t sim_queue_waiting(const struct sim_queue *queue)
{
    return queue->line.length;
}

struct sim_queue_account sim_queue_account(const struct sim_queue *queue);

/* Whether the identities above hold (to the nanosecond), and nobody waits at a free server (asserted, and told where assertions are off). */
bool sim_queue_check(const struct sim_queue *queue);

#endif
