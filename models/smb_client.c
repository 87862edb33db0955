#include "models/smb_client.h"

#include "models/world_state.h"
#include "vdisim/time.h"

#include <assert.h>
#include <stdlib.h>

#define SMB(field) offsetof(struct smb_settings, field)

static const struct parameter smb_rows[] = {
    {.name = "credits",
     .type = PARAMETER_COUNT,
     .offset = SMB(credits),
     .minimum = 16,
     .maximum = 65535,
     .help = "Credits of a connection: one a request, one a 64 KiB of payload"},
    {.name = "io_size",
     .type = PARAMETER_SIZE,
     .offset = SMB(io_size_bytes),
     .minimum = 4096,
     .maximum = 8388608,
     .help = "Largest payload of one READ or WRITE"},
    {.name = "copy_depth",
     .type = PARAMETER_COUNT,
     .offset = SMB(copy_depth),
     .minimum = 1,
     .maximum = 512,
     .help = "Requests of one file copy in flight"},
    {.name = "read_cost",
     .type = PARAMETER_DURATION,
     .offset = SMB(read_cost_ns),
     .maximum = 1e9,
     .help = "Processor time of a request on the connection's core"},
    {.name = "write_cost",
     .type = PARAMETER_DURATION,
     .offset = SMB(write_cost_ns),
     .maximum = 1e9,
     .help = "The same for a WRITE"},
    {.name = "receive_rate",
     .type = PARAMETER_THROUGHPUT,
     .offset = SMB(receive_bytes_per_s),
     .minimum = 1,
     .maximum = 1e15,
     .may_be_unlimited = true,
     .help = "What the connection's core can receive"},
    {.name = "send_rate",
     .type = PARAMETER_THROUGHPUT,
     .offset = SMB(send_bytes_per_s),
     .minimum = 1,
     .maximum = 1e15,
     .may_be_unlimited = true,
     .help = "What the connection's core can send"},
    {.name = "header",
     .type = PARAMETER_SIZE,
     .offset = SMB(header_bytes),
     .minimum = 64,
     .maximum = 4096,
     .help = "Bytes of a request and of a reply on the wire beyond the payload"},
    {.name = "directory_reply",
     .type = PARAMETER_SIZE,
     .offset = SMB(directory_reply_bytes),
     .minimum = 1024,
     .maximum = 8388608,
     .help = "Most that one QUERY_DIRECTORY answers"},
    {.name = "directory_entry",
     .type = PARAMETER_SIZE,
     .offset = SMB(directory_entry_bytes),
     .minimum = 64,
     .maximum = 1024,
     .help = "A file in a listing, with its name"},
    {.name = "file_info_cache",
     .type = PARAMETER_GROUP,
     .offset = SMB(file_info),
     .group = &name_cache_parameters,
     .help = "Attributes of names that exist"},
    {.name = "directory_cache",
     .type = PARAMETER_GROUP,
     .offset = SMB(directory),
     .group = &name_cache_parameters,
     .help = "Listings of directories"},
    {.name = "not_found_cache",
     .type = PARAMETER_GROUP,
     .offset = SMB(not_found),
     .group = &name_cache_parameters,
     .help = "Names that do not exist"},
    {.name = "directory_cache_entry",
     .type = PARAMETER_SIZE,
     .offset = SMB(directory_cache_entry_bytes),
     .maximum = 8388608,
     .help = "Listings larger than this are not cached"},
};

static bool smb_check(const void *settings_of, struct parameter_problem *problem)
{
    const struct smb_settings *settings = settings_of;
    if (settings->credits >= (settings->io_size_bytes + 65535) / 65536)
        return true;
    problem->parameter = "credits";
    const char message[] = "one request of the I/O size needs more credits than the connection has";
    static_assert(sizeof message <= sizeof problem->message, "fits");
    for (size_t i = 0; i < sizeof message; i++)
        problem->message[i] = message[i];
    return false;
}

const struct parameter_table smb_parameters = {
    .name = "smb",
    .help = "The SMB client of a host",
    .size = sizeof(struct smb_settings),
    .section = "smb_clients",
    .selector = "client",
    PARAMETER_ROWS(smb_rows),
    .check = smb_check,
};

struct smb_client *smb_client_create(struct host *host, struct store *store)
{
    struct smb_client *client = calloc(1, sizeof *client);
    if (client == NULL)
        return NULL;
    const struct smb_settings *settings = &host->settings->smb;
    client->host = host;
    client->store = store;
    client->sim = host->world->sim;
    client->settings = settings;
    client->receive_ns_per_byte = sim_ns_per_unit(settings->receive_bytes_per_s);
    client->send_ns_per_byte = sim_ns_per_unit(settings->send_bytes_per_s);
    if (!name_cache_init(&client->file_info, &settings->file_info) ||
        !name_cache_init(&client->directory, &settings->directory) ||
        !name_cache_init(&client->not_found, &settings->not_found)) {
        smb_client_destroy(client);
        return NULL;
    }
    return client;
}

void smb_client_destroy(struct smb_client *client)
{
    if (client == NULL)
        return;
    while (client->slabs != NULL) {
        struct smb_slab *slab = client->slabs;
        client->slabs = slab->next;
        free(slab);
    }
    name_cache_release(&client->file_info);
    name_cache_release(&client->directory);
    name_cache_release(&client->not_found);
    free(client);
}

struct request *smb_request_new(struct smb_client *client)
{
    if (client->free_requests == NULL) {
        struct smb_slab *slab = aligned_alloc(_Alignof(struct smb_slab), sizeof *slab);
        if (slab == NULL)
            return NULL;
        slab->next = client->slabs;
        client->slabs = slab;
        for (size_t i = SMB_SLAB_REQUESTS; i-- > 0;) {
            slab->requests[i].next = client->free_requests;
            client->free_requests = &slab->requests[i];
        }
    }
    struct request *request = client->free_requests;
    client->free_requests = request->next;
    return request;
}

void smb_request_free(struct smb_client *client, struct request *request)
{
    request->next = client->free_requests;
    client->free_requests = request;
}

/* MS-SMB2 3.1.5.2: one credit, and for READ, WRITE and QUERY_DIRECTORY one a started 64 KiB of payload. */
static int64_t credit_charge(const struct request *request, int64_t header_bytes)
{
    const int64_t bytes =
        request->ingress_bytes > request->egress_bytes ? request->ingress_bytes : request->egress_bytes;
    const int64_t payload_bytes = bytes - header_bytes;
    return payload_bytes <= 65536 ? 1 : 1 + (payload_bytes - 1) / 65536;
}

static void smb_answer_arrives(struct sim *sim, struct sim_event *event);
static void smb_transmit(struct smb_client *client, struct request *request);

static void smb_deliver(struct smb_client *client, struct request *request, int64_t now_ns)
{
    request->done_ns = now_ns;
    client->account.answered++;
    client->account.in_flight--;
    client->credits_used -= request->credits;
    store_settle(request);
    while (client->waiting_first != NULL &&
           client->credits_used + client->waiting_first->credits <= client->settings->credits) {
        struct request *next = client->waiting_first;
        client->waiting_first = next->next;
        client->account.waiting--;
        smb_transmit(client, next);
    }
    request->done(request);
}

static void smb_delivered(struct sim *sim, struct sim_event *event)
{
    struct request *request = SIM_CONTAINER_OF(event, struct request, event);
    smb_deliver(request->carrier, request, sim_now_ns(sim));
}

/* The answer is on its way: the network's shared line, the host's card, the connection's core. The event
 * comes when it would be through if nothing else were on the way; what is then found in front of it makes it
 * later. */
static void smb_answer_leaves(struct request *request)
{
    struct smb_client *client = request->carrier;
    const struct network *network = &client->host->world->network;
    const double bytes = (double)request->egress_bytes;
    const int64_t unloaded_ns = (int64_t)(bytes * network->from_stores.ns_per_byte) +
                                (int64_t)(bytes * client->host->nic_in.ns_per_byte) +
                                (int64_t)(bytes * client->receive_ns_per_byte);
    sim_event_init(&request->event, smb_answer_arrives, SIM_EVENT_LABEL('s', 'm', 'b', 'a'));
    sim_schedule_at(client->sim, &request->event, request->served_ns + network->one_way_ns + unloaded_ns);
}

static void smb_answer_arrives(struct sim *sim, struct sim_event *event)
{
    struct request *request = SIM_CONTAINER_OF(event, struct request, event);
    struct smb_client *client = request->carrier;
    struct network *network = &client->host->world->network;
    const int64_t now_ns = sim_now_ns(sim);
    int64_t through_ns =
        wire_carry(&network->from_stores, request->served_ns + network->one_way_ns, request->egress_bytes);
    through_ns = wire_carry(&client->host->nic_in, through_ns, request->egress_bytes);
    if (client->processor_free_ns > through_ns)
        through_ns = client->processor_free_ns;
    through_ns += (int64_t)((double)request->egress_bytes * client->receive_ns_per_byte);
    client->processor_free_ns = through_ns;
    if (through_ns <= now_ns) {
        smb_deliver(client, request, now_ns);
        return;
    }
    sim_event_init(&request->event, smb_delivered, SIM_EVENT_LABEL('s', 'm', 'b', 'd'));
    sim_schedule_at(sim, &request->event, through_ns);
}

static void smb_request_arrives(struct sim *sim, struct sim_event *event)
{
    (void)sim;
    struct request *request = SIM_CONTAINER_OF(event, struct request, event);
    store_submit(request->store, request);
}

/* The host's card, the network: the request is ready at sent_ns. */
static void smb_put_on_wire(struct smb_client *client, struct request *request)
{
    struct network *network = &client->host->world->network;
    int64_t out_ns = wire_carry(&client->host->nic_out, request->sent_ns, request->ingress_bytes);
    out_ns = wire_carry(&network->to_stores, out_ns, request->ingress_bytes);
    request->arrived_ns = out_ns + network->one_way_ns;
    sim_event_init(&request->event, smb_request_arrives, SIM_EVENT_LABEL('s', 'm', 'b', 'r'));
    sim_schedule_at(client->sim, &request->event, request->arrived_ns);
}

static void smb_request_ready(struct sim *sim, struct sim_event *event)
{
    (void)sim;
    struct request *request = SIM_CONTAINER_OF(event, struct request, event);
    smb_put_on_wire(request->carrier, request);
}

/* Credits are granted: the connection's core, then the wire. Nobody else can be on the wire when the host has one client
 * and the network has no limit; then the event of being ready is spared. */
static void smb_transmit(struct smb_client *client, struct request *request)
{
    const int64_t now_ns = sim_now_ns(client->sim);
    const struct smb_settings *settings = client->settings;
    client->credits_used += request->credits;
    client->account.in_flight++;
    request->granted_ns = now_ns;
    int64_t ready_ns = client->processor_free_ns > now_ns ? client->processor_free_ns : now_ns;
    ready_ns += request->operation == OPERATION_WRITE ? settings->write_cost_ns : settings->read_cost_ns;
    ready_ns += (int64_t)((double)request->ingress_bytes * client->send_ns_per_byte);
    client->processor_free_ns = request->sent_ns = ready_ns;
    if (client->host->client_count == 1 && client->host->world->network.to_stores.ns_per_byte <= 0.0) {
        smb_put_on_wire(client, request);
        return;
    }
    sim_event_init(&request->event, smb_request_ready, SIM_EVENT_LABEL('s', 'm', 'b', 's'));
    sim_schedule_at(client->sim, &request->event, ready_ns);
}

void smb_issue(struct smb_client *client, struct request *request)
{
    request->store = client->store;
    request->carrier = client;
    request->leave = smb_answer_leaves;
    request->issued_ns = sim_now_ns(client->sim);
    request->credits = (uint32_t)credit_charge(request, client->settings->header_bytes);
    client->account.sent++;
    if (client->waiting_first == NULL &&
        client->credits_used + request->credits <= client->settings->credits) {
        smb_transmit(client, request);
        return;
    }
    request->next = NULL;
    if (client->waiting_first == NULL)
        client->waiting_first = request;
    else
        client->waiting_last->next = request;
    client->waiting_last = request;
    client->account.waiting++;
}

struct store_file *smb_root(struct smb_client *client)
{
    return &client->store->root;
}

struct smb_account smb_account(const struct smb_client *client)
{
    return client->account;
}
