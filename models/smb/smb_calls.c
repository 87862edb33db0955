#include "models/smb/smb_client.h"

#include <assert.h>

void smb_caller_init(struct smb_caller *caller, struct sim_process *process, struct smb_client *client,
                     uint8_t workload)
{
    *caller = (struct smb_caller){.process = process, .client = client, .workload = workload};
}

void smb_caller_use(struct smb_caller *caller, struct smb_client *client)
{
    assert(caller->in_flight == 0);
    caller->client = client;
}

void smb_trace(struct smb_caller *caller, struct logon_record *trace, enum logon_phase phase)
{
    if (trace != NULL && caller->trace == NULL)
        caller->accounted_ns = sim_now_ns(caller->client->sim);
    caller->trace = trace;
    caller->phase = phase;
}

static void charge_until(struct smb_caller *caller, enum wait_cause cause, int64_t until_ns)
{
    if (until_ns <= caller->accounted_ns)
        return;
    caller->trace->phase_cause_ns[caller->phase][cause] += until_ns - caller->accounted_ns;
    caller->accounted_ns = until_ns;
}

void smb_charge(struct smb_caller *caller, enum wait_cause cause)
{
    if (caller->trace != NULL)
        charge_until(caller, cause, sim_now_ns(caller->client->sim));
}

void smb_spend(struct smb_caller *caller, int64_t ns, enum wait_cause cause)
{
    sim_hold(caller->process, ns);
    smb_charge(caller, cause);
}

/* Of several requests in flight, each is charged for what it adds to the waiting of those answered before it. */
static void charge_request(struct smb_caller *caller, const struct request *request)
{
    struct logon_record *trace = caller->trace;
    trace->requests++;
    if (request->operation == OPERATION_READ)
        trace->bytes_read += request->egress_bytes;
    if (request->operation == OPERATION_WRITE)
        trace->bytes_written += request->ingress_bytes;
    trace->refused += request->status == REQUEST_OUT_OF_HANDLES;
    charge_until(caller, CAUSE_WINDOW, request->granted_ns);
    charge_until(caller, CAUSE_CLIENT, request->sent_ns);
    charge_until(caller, CAUSE_NETWORK, request->arrived_ns);
    charge_until(caller, request->limit, request->admitted_ns);
    charge_until(caller, CAUSE_SERVER_QUEUE, request->started_ns);
    charge_until(caller, CAUSE_SERVER_LATENCY, request->served_ns);
    charge_until(caller, CAUSE_NETWORK, request->done_ns);
}

static void issue_next(struct smb_caller *caller);

static void caller_answered(struct request *request)
{
    struct smb_caller *caller = request->owner;
    if (caller->trace != NULL)
        charge_request(caller, request);
    caller->status = request->status;
    smb_request_free(request->carrier, request);
    caller->in_flight--;
    if (caller->remaining_bytes > 0)
        issue_next(caller);
    else if (caller->in_flight == 0)
        sim_process_resume(caller->process);
}

static struct request *caller_request(struct smb_caller *caller, enum operation operation,
                                      struct store_file *file, int64_t payload_out_bytes,
                                      int64_t payload_in_bytes)
{
    struct request *request = smb_request_new(caller->client, caller->workload);
    if (request == NULL)
        return NULL;
    const int64_t header_bytes = caller->client->settings->header_bytes;
    request->operation = operation;
    request->file = file;
    request->ingress_bytes = header_bytes + payload_out_bytes;
    request->egress_bytes = header_bytes + payload_in_bytes;
    request->done = caller_answered;
    request->owner = caller;
    return request;
}

enum request_status smb_call(struct smb_caller *caller, enum operation operation, struct store_file *file,
                             int64_t payload_out_bytes, int64_t payload_in_bytes)
{
    struct request *request = caller_request(caller, operation, file, payload_out_bytes, payload_in_bytes);
    if (request == NULL) {
        sim_out_of_memory(caller->client->sim);
        return REQUEST_OK;
    }
    caller->remaining_bytes = 0;
    caller->in_flight = 1;
    smb_issue(caller->client, request);
    sim_suspend(caller->process, SIM_NEVER_NS);
    return caller->status;
}

static struct request *request_for(struct smb_client *client, uint8_t workload, enum operation operation,
                                   struct store_file *file, int64_t payload_out_bytes,
                                   int64_t payload_in_bytes, void (*done)(struct request *), void *owner)
{
    struct request *request = smb_request_new(client, workload);
    if (request == NULL) {
        sim_out_of_memory(client->sim);
        return NULL;
    }
    request->operation = operation;
    request->file = file;
    request->ingress_bytes = client->settings->header_bytes + payload_out_bytes;
    request->egress_bytes = client->settings->header_bytes + payload_in_bytes;
    request->done = done;
    request->owner = owner;
    return request;
}

void smb_send(struct smb_client *client, uint8_t workload, enum operation operation, struct store_file *file,
              int64_t payload_out_bytes, int64_t payload_in_bytes, void (*done)(struct request *),
              void *owner)
{
    struct request *request =
        request_for(client, workload, operation, file, payload_out_bytes, payload_in_bytes, done, owner);
    if (request != NULL)
        smb_issue(client, request);
}

void smb_send_on(struct smb_client *client, const struct smb_stream *stream, uint8_t workload,
                 enum operation operation, struct store_file *file, uint32_t page, int64_t payload_out_bytes,
                 int64_t payload_in_bytes, void (*done)(struct request *), void *owner)
{
    struct request *request =
        request_for(client, workload, operation, file, payload_out_bytes, payload_in_bytes, done, owner);
    if (request == NULL)
        return;
    request->page = page;
    smb_issue_on(client, stream, request);
}

void smb_connect(struct smb_caller *caller)
{
    if (!caller->client->connected) {
        caller->client->connected = true;
        smb_call(caller, OPERATION_NEGOTIATE, NULL, 0, 0);
    }
    smb_call(caller, OPERATION_SESSION_SETUP, NULL, 0, 0);
    smb_call(caller, OPERATION_SESSION_SETUP, NULL, 0, 0);
    smb_call(caller, OPERATION_TREE_CONNECT, NULL, 0, 0);
}

void smb_disconnect(struct smb_caller *caller)
{
    smb_call(caller, OPERATION_LOGOFF, NULL, 0, 0);
}

enum request_status smb_open(struct smb_caller *caller, struct store_file *file)
{
    return smb_call(caller, OPERATION_CREATE, file, 0, 0);
}

void smb_close(struct smb_caller *caller, struct store_file *file)
{
    smb_call(caller, OPERATION_CLOSE, file, 0, 0);
}

static void issue_next(struct smb_caller *caller)
{
    const int64_t size_bytes = caller->client->settings->io_size_bytes;
    const int64_t bytes = caller->remaining_bytes < size_bytes ? caller->remaining_bytes : size_bytes;
    const bool reads = caller->operation == OPERATION_READ;
    struct request *request =
        caller_request(caller, caller->operation, caller->file, reads ? 0 : bytes, reads ? bytes : 0);
    if (request == NULL) {
        sim_out_of_memory(caller->client->sim);
        return;
    }
    caller->remaining_bytes -= bytes;
    caller->in_flight++;
    smb_issue(caller->client, request);
}

static void copy(struct smb_caller *caller, enum operation operation, struct store_file *file, int64_t bytes)
{
    assert(bytes >= 0);
    if (bytes == 0)
        return;
    caller->operation = operation;
    caller->one_of_many = (struct store_file){0};
    caller->file = file != NULL ? file : &caller->one_of_many;
    caller->remaining_bytes = bytes;
    caller->in_flight = 0;
    while (caller->remaining_bytes > 0 && caller->in_flight < (uint32_t)caller->client->settings->copy_depth)
        issue_next(caller);
    sim_suspend(caller->process, SIM_NEVER_NS);
}

void smb_read(struct smb_caller *caller, struct store_file *file, int64_t bytes)
{
    copy(caller, OPERATION_READ, file, bytes);
}

void smb_write(struct smb_caller *caller, struct store_file *file, int64_t bytes)
{
    copy(caller, OPERATION_WRITE, file, bytes);
}

enum request_status smb_look_up(struct smb_caller *caller, uint64_t path, struct store_file *file,
                                bool exists)
{
    struct smb_client *client = caller->client;
    struct name_cache *cache = exists ? &client->file_info : &client->not_found;
    if (name_cache_knows(cache, path, sim_now_ns(client->sim))) {
        client->account.name_cache_hits++;
        return exists ? REQUEST_OK : REQUEST_NOT_FOUND;
    }
    client->account.name_cache_misses++;
    const enum request_status opened = smb_call(caller, OPERATION_CREATE, file, 0, 0);
    if (opened != REQUEST_OK)
        return opened;
    if (exists) {
        smb_call(caller, OPERATION_QUERY_INFO, file, 0, 0);
        smb_call(caller, OPERATION_CLOSE, file, 0, 0);
    }
    name_cache_put(cache, path, sim_now_ns(client->sim));
    return exists ? REQUEST_OK : REQUEST_NOT_FOUND;
}

void smb_list(struct smb_caller *caller, uint64_t path, int64_t entries)
{
    struct smb_client *client = caller->client;
    const struct smb_settings *settings = client->settings;
    if (name_cache_knows(&client->directory, path, sim_now_ns(client->sim))) {
        client->account.name_cache_hits++;
        return;
    }
    client->account.name_cache_misses++;
    const int64_t listing_bytes = entries * settings->directory_entry_bytes;
    smb_call(caller, OPERATION_CREATE, NULL, 0, 0);
    for (int64_t left_bytes = listing_bytes; left_bytes > 0; left_bytes -= settings->directory_reply_bytes)
        smb_call(caller, OPERATION_QUERY_DIRECTORY, NULL, 0,
                 left_bytes < settings->directory_reply_bytes ? left_bytes : settings->directory_reply_bytes);
    smb_call(caller, OPERATION_QUERY_DIRECTORY, NULL, 0, 0); /* nothing more */
    smb_call(caller, OPERATION_CLOSE, NULL, 0, 0);
    if (listing_bytes <= settings->directory_cache_entry_bytes)
        name_cache_put(&client->directory, path, sim_now_ns(client->sim));
}
