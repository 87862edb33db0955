/* A bandwidth link: flows of bytes that share its rate fairly, and finish at exact times.
 *
 * The rate is shared max-min fairly: in proportion to the flows' weights, except that no flow gets more than
 * its cap and what capped flows leave is shared among the others. (Egalitarian processor sharing, when
 * weights are equal and no cap binds.) A flow is embedded in what transfers; a plain record is called back
 * when its bytes are through:
 *
 *     sim_link_flow_init(&request->flow, reply_is_through);
 *     request->flow.cap_bytes_per_s = host_bytes_per_s;              (optional)
 *     sim_link_start(&link, &request->flow, reply_bytes);
 *
 * and a process blocks: sim_link_transfer(self, &link, bytes).
 *
 * Method: flows below their cap all progress in one virtual time whose rate is the water level lambda, the
 * bytes per second and unit of weight; each finishes at a virtual time fixed when it starts (Parekh and
 * Gallager, 1993). Flows at their cap finish at a fixed real time. A start or finish that takes no flow
 * across its cap costs O(log n); each flow that does cross adds O(log n), so that n equal caps that the level
 * moves across cost O(n log n). Nothing is allocated.
 *
 * Internal times are real numbers, free of the rounding to nanoseconds: the callback comes at the first whole
 * nanosecond at which the flow has finished, but others get its share from the exact instant on.
 *
 * A rate of INFINITY is no limit (only caps hold); at rate 0 nothing moves. A callback always comes by an
 * event, never inside sim_link_start().
 */
#ifndef VDISIM_LINK_H
#define VDISIM_LINK_H

#include "vdisim/event.h"
#include "vdisim/level.h"
#include "vdisim/line.h"
#include "vdisim/process.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct sim;
struct sim_link;
struct sim_link_flow;

/* The flow's bytes are through. The flow is idle again and may be started anew, or its owner freed. */
typedef void sim_link_done(struct sim_link_flow *flow);

enum sim_link_flow_state {
    SIM_FLOW_IDLE,
    SIM_FLOW_SHARING,  /* gets lambda times its weight */
    SIM_FLOW_CAPPED,   /* gets its cap */
    SIM_FLOW_FINISHED, /* its callback is about to come */
};

struct sim_link_flow {
    sim_link_done *done;
    double weight;          /* > 0; 1 after init. Set while idle. */
    double cap_bytes_per_s; /* > 0; INFINITY after init. Set while idle, else by sim_link_set_cap(). */
    double bytes;           /* read-only: of this transfer */
    struct sim_link *link;  /* read-only: NULL when idle */
    enum sim_link_flow_state state; /* read-only */
    int64_t started_ns;             /* read-only */

    /* Private. */
    double finish;                   /* virtual time when sharing, clock when capped */
    struct sim_line_place finishing; /* by finish; among the finished, by order */
    struct sim_line_place crossing;  /* by cap / weight, where the flow changes between sharing and capped */
    struct sim_process *process;     /* that waits for it, and its wait */
    struct sim_wait wait;
};

struct sim_link {
    struct sim *sim; /* read-only, and so are those below */
    double rate_bytes_per_s;
    uint64_t started, finished, cancelled;
    struct sim_level active; /* flows present, from start to callback */

    /* Private. */
    struct sim_event event;
    int64_t epoch_ns;      /* when the link was last idle: clock 0 and virtual time 0 */
    double clock_ns;       /* until here, after the epoch, everything is accounted for */
    double virtual_bytes;  /* virtual time */
    double water_per_s;    /* lambda */
    double sharing_weight; /* sums over the flows of either kind */
    double capped_per_s;
    double carried_bytes;
    double residence_sum_ns; /* of flows that have left */
    double started_sum_ns;   /* of flows present */
    struct sim_line sharing; /* first to finish first */
    struct sim_line rising;  /* sharing flows with a cap, the first to reach it first */
    struct sim_line capped;  /* first to finish first */
    struct sim_line falling; /* capped flows, the first to leave the cap first */
    struct sim_line through; /* finished, callback due */
    bool delivering;
};

/* A link of this rate >= 0. */
void sim_link_init(struct sim_link *link, struct sim *sim, double rate_bytes_per_s);

/* An idle flow of weight 1 without a cap. */
void sim_link_flow_init(struct sim_link_flow *flow, sim_link_done *done);

/* Starts an idle flow of this many bytes >= 0. */
void sim_link_start(struct sim_link *link, struct sim_link_flow *flow, double bytes);

/* Takes a flow off its link: no callback comes, even if it was due. Returns the bytes not yet carried. */
double sim_link_cancel(struct sim_link_flow *flow);

/* Transfers `bytes` for a process, alone or by a flow of its own (which then carries cap and weight; its
 * callback is not used). Unless SIM_DONE, the flow was cancelled. */
enum sim_wake sim_link_transfer(struct sim_process *self, struct sim_link *link, double bytes);
enum sim_wake sim_link_transfer_by(struct sim_process *self, struct sim_link *link,
                                   struct sim_link_flow *flow, double bytes, int64_t timeout_ns);

/* Changes the rate from now on, >= 0. */
void sim_link_set_rate(struct sim_link *link, double rate_bytes_per_s);

/* Changes the cap of a flow, > 0, idle or not. */
void sim_link_set_cap(struct sim_link_flow *flow, double cap_bytes_per_s);

/* What an active flow gets now, in bytes per second, and how many bytes it has yet to go. */
double sim_link_flow_rate(const struct sim_link_flow *flow);
double sim_link_flow_remaining(const struct sim_link_flow *flow);

/* All bytes carried until now. */
double sim_link_carried_bytes(const struct sim_link *link);

/* Asserts: started = finished + cancelled + active, and the time integral of the number of flows = the sum of
 * their residence times, those still present counted up to now (Little's law, exactly). */
void sim_link_check(const struct sim_link *link);

/* Max-min fair shares, as a pure function (water filling): share[i] = min(demand[i], lambda weight[i]), with
 * lambda such that the shares use up the capacity, or all demands are met. demand may be INFINITY; weight
 * NULL means all 1. O(count) for each time the water level settles, at most count times. (Bertsekas and
 * Gallager, Data Networks, 6.5.2) */
void sim_max_min_share(double capacity, size_t count, const double *demand, const double *weight,
                       double *share);

#endif
