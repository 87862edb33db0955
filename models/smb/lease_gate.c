#include "models/smb/lease_gate.h"

#include "models/smb/smb_client.h"
#include "models/smb/smb_file_cache.h"

#include <assert.h>

static struct smb_file *smb_file_of(struct lease_holder *holder)
{
    return SIM_CONTAINER_OF(holder, struct smb_file, lease);
}

static void told(struct request *request)
{
    struct smb_file *file = request->owner;
    /* Both are in the message; they cannot have changed since but to less. */
    const bool acknowledged = file->lease.breaking;
    const enum lease_state to = acknowledged ? file->lease.breaking_to : file->lease.state;
    smb_request_free(request->carrier, request);
    smb_file_told(file, to, acknowledged);
}

static void gate_tells(struct lease_file *leases, struct lease_holder *holder, enum lease_state to,
                       bool acknowledged)
{
    (void)to;
    (void)acknowledged;
    struct lease_gate *gate = (struct lease_gate *)leases;
    struct smb_client *client = smb_file_of(holder)->client;
    struct request *request = smb_request_new(client, smb_file_of(holder)->workload);
    if (request == NULL) {
        sim_out_of_memory(gate->sim);
        return;
    }
    const int64_t now_ns = sim_now_ns(gate->sim);
    request->store = client->store;
    request->file = NULL;
    request->carrier = client;
    request->done = told;
    request->owner = smb_file_of(holder);
    request->operation = OPERATION_OPLOCK_BREAK;
    request->status = REQUEST_OK;
    request->response = RESPONSE_SUCCESS;
    request->limit = CAUSE_IOPS_LIMIT;
    request->ingress_bytes = 0;
    request->egress_bytes = client->settings->header_bytes;
    request->credits = 0;
    request->issued_ns = request->granted_ns = request->sent_ns = request->arrived_ns = now_ns;
    request->admitted_ns = request->started_ns = request->served_ns = now_ns;
    client->account.sent++;
    client->account.in_flight++;
    client->store->meter.arrived++;
    smb_answer_goes(request);
}

/* The client's open of this file among the holders. */
static struct lease_holder *holder_of(const struct lease_gate *gate, const struct smb_client *client)
{
    for (struct lease_holder *holder = gate->leases.first; holder != NULL; holder = holder->next)
        if (smb_file_of(holder)->client == client)
            return holder;
    return NULL;
}

/* Whether a request may be answered; what it breaks, is broken. */
static bool gate_asks(struct lease_gate *gate, struct request *request)
{
    const int64_t now_ns = sim_now_ns(gate->sim);
    struct lease_holder *by = holder_of(gate, request->carrier);
    switch (request->operation) {
    case OPERATION_READ:
        return lease_file_event(&gate->leases, by, LEASE_READ, now_ns);
    case OPERATION_WRITE:
    case OPERATION_SET_INFO:
        return lease_file_event(&gate->leases, by, LEASE_WRITE, now_ns);
    case OPERATION_CREATE:
        if (!lease_file_event(&gate->leases, by, LEASE_OPEN, now_ns))
            return false;
        if (smb_file_is_opened_by(request)) {
            struct smb_file *file = request->owner;
            lease_file_open(&gate->leases, &file->lease, file->wanted);
            file->opens_at_server++;
        }
        return true;
    default:
        return true;
    }
}

static void gate_expires(struct sim *sim, struct sim_event *event);

static void gate_watch(struct lease_gate *gate)
{
    const int64_t next_ns = lease_file_next_expiry_ns(&gate->leases);
    if (next_ns == INT64_MAX)
        sim_cancel(gate->sim, &gate->expiry);
    else
        sim_reschedule_at(gate->sim, &gate->expiry, next_ns);
}

/* A right was given up: asks again for all that are held, in their order. */
static void gate_lets_through(struct lease_gate *gate)
{
    struct request *request = gate->held_first;
    gate->held_first = gate->held_last = NULL;
    while (request != NULL) {
        struct request *next = request->next;
        if (lease_gate_passes(request)) {
            if (request->served_ns < sim_now_ns(gate->sim))
                request->served_ns = sim_now_ns(gate->sim);
            smb_answer_goes(request);
        } else {
            gate->held--;
        }
        request = next;
    }
    gate_watch(gate);
}

static void gate_expires(struct sim *sim, struct sim_event *event)
{
    struct lease_gate *gate = SIM_CONTAINER_OF(event, struct lease_gate, expiry);
    lease_file_expire(&gate->leases, sim_now_ns(sim));
    gate_lets_through(gate);
}

void lease_gate_init(struct lease_gate *gate, struct sim *sim, struct store_file *file)
{
    *gate = (struct lease_gate){.sim = sim, .file = file};
    lease_file_init(&gate->leases, gate_tells);
    sim_event_init(&gate->expiry, gate_expires, SIM_EVENT_LABEL('l', 's', 'e', 'x'));
    file->leases = gate;
}

bool lease_gate_passes(struct request *request)
{
    struct lease_gate *gate = request->file->leases;
    if (request->operation == OPERATION_OPLOCK_BREAK || request->operation == OPERATION_CLOSE) {
        struct lease_holder *holder = holder_of(gate, request->carrier);
        if (holder != NULL && request->operation == OPERATION_OPLOCK_BREAK)
            lease_file_acknowledge(&gate->leases, holder, smb_file_of(holder)->granted);
        else if (holder != NULL && smb_file_is_closed_by(request) &&
                 --smb_file_of(holder)->opens_at_server == 0)
            lease_file_close(&gate->leases, holder);
        gate_lets_through(gate);
        return true;
    }
    if (gate_asks(gate, request))
        return true;
    request->next = NULL;
    if (gate->held_first == NULL)
        gate->held_first = request;
    else
        gate->held_last->next = request;
    gate->held_last = request;
    gate->held++;
    gate_watch(gate);
    return false;
}

void lease_gate_close(struct lease_gate *gate, struct lease_holder *holder)
{
    lease_file_close(&gate->leases, holder);
    gate_lets_through(gate);
}
