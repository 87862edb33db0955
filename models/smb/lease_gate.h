/* The server's side of leases, for one file: it lets requests for the file through, or holds them until those whose
 * rights they break have acknowledged or their time is over.
 *
 * A request passes the gate when the store has served it and before its answer leaves: the wait for others counts as
 * server latency. Being told of a break, and acknowledging it, are requests on the road like any other; one that tells
 * begins at the store, with all its times up to `served` at that instant. */
#ifndef VDISIM_MODELS_LEASE_GATE_H
#define VDISIM_MODELS_LEASE_GATE_H

#include "vdisim/lease.h"
#include "vdisim/request.h"
#include "vdisim/sim.h"

struct lease_gate {
    struct lease_file leases; /* first */
    struct sim *sim;
    struct store_file *file;
    struct request *held_first, *held_last;
    uint64_t held; /* how many were held so far */
    struct sim_event expiry;
};

/* Makes `file` one whose clients are granted leases. The gate outlives it. */
void lease_gate_init(struct lease_gate *gate, struct sim *sim, struct store_file *file);

/* For a served request of a file with a gate. False: it is held, and its answer goes when it is let through. */
bool lease_gate_passes(struct request *request);

/* A client's session has ended: the server closes its handle. */
void lease_gate_close(struct lease_gate *gate, struct lease_holder *holder);

#endif
