#include "models/smb/smb_client.h"

#include "models/smb/lease_gate.h"
#include "models/smb/smb_file_cache.h"
#include "models/world/world_state.h"
#include "vdisim/time.h"

#include <assert.h>
#include <math.h>
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
    {.name = "channels",
     .type = PARAMETER_COUNT,
     .offset = SMB(channels),
     .minimum = 1,
     .maximum = SMB_CHANNELS_MAX,
     .help = "Connections to a store that offers as many (SMB Multichannel), a core each"},
    {.name = "channel_overhead",
     .type = PARAMETER_FRACTION,
     .offset = SMB(channel_overhead),
     .maximum = 10,
     .help = "More processor time of a request when there are several"},
    {.name = "client_rate",
     .type = PARAMETER_THROUGHPUT,
     .offset = SMB(client_bytes_per_s),
     .minimum = 1,
     .maximum = 1e15,
     .may_be_unlimited = true,
     .help = "What a client's channels to a store move together, both directions added"},
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
    {.name = "data_cache",
     .type = PARAMETER_GROUP,
     .offset = SMB(data_cache),
     .group = &smb_cache_parameters,
     .help = "What it keeps in RAM of files that stay open"},
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
    client->channel_count = (uint8_t)(settings->channels > 1 ? settings->channels : 1);
    if (store->channels > 0 && store->channels < client->channel_count)
        client->channel_count = (uint8_t)store->channels;
    const double cost = client->channel_count > 1 ? 1.0 + settings->channel_overhead : 1.0;
    client->read_cost_ns = (int64_t)((double)settings->read_cost_ns * cost);
    client->write_cost_ns = (int64_t)((double)settings->write_cost_ns * cost);
    client->receive_ns_per_byte = cost * sim_ns_per_unit(settings->receive_bytes_per_s);
    client->send_ns_per_byte = cost * sim_ns_per_unit(settings->send_bytes_per_s);
    wire_init(&client->all_channels,
              settings->client_bytes_per_s > 0.0 ? settings->client_bytes_per_s : INFINITY);
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
    smb_file_cache_destroy(client->file_cache);
    name_cache_release(&client->file_info);
    name_cache_release(&client->directory);
    name_cache_release(&client->not_found);
    free(client);
}

/* What is not told apart by threads and files goes to the channel whose core is free first. */
static uint8_t idlest_channel(const struct smb_client *client)
{
    uint8_t idlest = 0;
    for (uint8_t i = 1; i < client->channel_count; i++)
        if (client->channels[i].processor_free_ns < client->channels[idlest].processor_free_ns)
            idlest = i;
    return idlest;
}

struct request *smb_request_new(struct smb_client *client, uint8_t workload)
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
    request->page = REQUEST_ANYWHERE;
    request->workload = workload;
    request->channel = idlest_channel(client);
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
    request->done_ns = client->active_ns = now_ns;
    client->account.answered++;
    client->account.in_flight--;
    struct smb_channel *channel = &client->channels[request->channel];
    channel->credits_used -= request->credits;
    store_settle(request);
    while (channel->waiting_first != NULL &&
           channel->credits_used + channel->waiting_first->credits <= client->settings->credits) {
        struct request *next = channel->waiting_first;
        channel->waiting_first = next->next;
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
void smb_answer_goes(struct request *request)
{
    struct smb_client *client = request->carrier;
    const struct network *network = &client->host->world->network;
    const double bytes = (double)request->egress_bytes;
    int64_t unloaded_ns = (int64_t)(bytes * network->from_stores.ns_per_byte) +
                          (int64_t)(bytes * client->host->nic_in.ns_per_byte);
    if (client->all_channels.ns_per_byte <= 0.0) /* else all is reckoned when it is there */
        unloaded_ns += (int64_t)(bytes * client->receive_ns_per_byte);
    sim_event_init(&request->event, smb_answer_arrives, SIM_EVENT_LABEL('s', 'm', 'b', 'a'));
    sim_schedule_at(client->sim, &request->event, request->served_ns + network->one_way_ns + unloaded_ns);
}

static void smb_answer_leaves(struct request *request)
{
    if (request->file == NULL || request->file->leases == NULL || lease_gate_passes(request))
        smb_answer_goes(request);
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
    through_ns =
        wire_carry(&client->all_channels, through_ns, request->ingress_bytes + request->egress_bytes);
    int64_t *processor_free_ns = &client->channels[request->channel].processor_free_ns;
    if (*processor_free_ns > through_ns)
        through_ns = *processor_free_ns;
    through_ns += (int64_t)((double)request->egress_bytes * client->receive_ns_per_byte);
    *processor_free_ns = through_ns;
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

/* Nobody else can be on the way out when the host has one sender with one core and the network has no limit. */
static bool is_alone_on_wire(const struct smb_client *client)
{
    return client->host->senders == 1 && client->channel_count == 1 &&
           client->host->world->network.to_stores.ns_per_byte <= 0.0;
}

static int64_t cost_of(const struct smb_client *client, const struct request *request)
{
    return request->operation == OPERATION_WRITE ? client->write_cost_ns : client->read_cost_ns;
}

/* Credits are granted: the connection's core, then the wire; alone on it, the event of being ready is spared. */
static void smb_transmit(struct smb_client *client, struct request *request)
{
    const int64_t now_ns = sim_now_ns(client->sim);
    struct smb_channel *channel = &client->channels[request->channel];
    channel->credits_used += request->credits;
    client->account.in_flight++;
    request->granted_ns = now_ns;
    int64_t ready_ns = channel->processor_free_ns > now_ns ? channel->processor_free_ns : now_ns;
    ready_ns += cost_of(client, request);
    ready_ns += (int64_t)((double)request->ingress_bytes * client->send_ns_per_byte);
    channel->processor_free_ns = request->sent_ns = ready_ns;
    if (is_alone_on_wire(client)) {
        smb_put_on_wire(client, request);
        return;
    }
    sim_event_init(&request->event, smb_request_ready, SIM_EVENT_LABEL('s', 'm', 'b', 's'));
    sim_schedule_at(client->sim, &request->event, ready_ns);
}

/* Takes the credits, or waits for them. */
static void smb_ask_for_credits(struct smb_client *client, struct request *request)
{
    struct smb_channel *channel = &client->channels[request->channel];
    if (channel->waiting_first == NULL &&
        channel->credits_used + request->credits <= client->settings->credits) {
        smb_transmit(client, request);
        return;
    }
    request->next = NULL;
    if (channel->waiting_first == NULL)
        channel->waiting_first = request;
    else
        channel->waiting_last->next = request;
    channel->waiting_last = request;
    client->account.waiting++;
}

static void smb_prepare(struct smb_client *client, struct request *request)
{
    request->store = client->store;
    request->carrier = client;
    request->leave = smb_answer_leaves;
    request->issued_ns = client->active_ns = sim_now_ns(client->sim);
    request->credits = (uint16_t)credit_charge(request, client->settings->header_bytes);
    client->account.sent++;
}

void smb_issue(struct smb_client *client, struct request *request)
{
    smb_prepare(client, request);
    smb_ask_for_credits(client, request);
}

void smb_stream_init(struct smb_stream *stream, const struct smb_client *client, size_t number,
                     int64_t *thread_free_ns, int64_t *file_free_ns)
{
    *stream = (struct smb_stream){thread_free_ns, file_free_ns, (uint8_t)(number % client->channel_count)};
}

/* One passes at a time, and the next one when its cost has passed: when this one does. */
static int64_t pass(int64_t *free_ns, int64_t now_ns, int64_t cost_ns)
{
    const int64_t turn_ns = *free_ns > now_ns ? *free_ns : now_ns;
    *free_ns = turn_ns + cost_ns;
    return turn_ns;
}

/* Goes on at turn_ns, which may be now. */
static void smb_go_on_at(struct smb_client *client, struct request *request, int64_t turn_ns,
                         sim_event_fire *next)
{
    if (turn_ns == sim_now_ns(client->sim)) {
        next(client->sim, &request->event);
        return;
    }
    sim_event_init(&request->event, next, SIM_EVENT_LABEL('s', 'm', 'b', 't'));
    sim_schedule_at(client->sim, &request->event, turn_ns);
}

static void smb_file_turn_comes(struct sim *sim, struct sim_event *event)
{
    (void)sim;
    struct request *request = SIM_CONTAINER_OF(event, struct request, event);
    struct smb_client *client = request->carrier;
    client->account.waiting--;
    smb_ask_for_credits(client, request);
}

static void smb_thread_turn_comes(struct sim *sim, struct sim_event *event)
{
    struct request *request = SIM_CONTAINER_OF(event, struct request, event);
    struct smb_client *client = request->carrier;
    const int64_t turn_ns = pass(request->stream->file_free_ns, sim_now_ns(sim), cost_of(client, request));
    smb_go_on_at(client, request, turn_ns, smb_file_turn_comes);
}

void smb_issue_on(struct smb_client *client, const struct smb_stream *stream, struct request *request)
{
    request->channel = stream->channel;
    smb_prepare(client, request);
    if (client->channel_count == 1) {
        smb_ask_for_credits(client, request);
        return;
    }
    request->stream = stream;
    client->account.waiting++;
    const int64_t turn_ns = pass(stream->thread_free_ns, request->issued_ns, cost_of(client, request));
    smb_go_on_at(client, request, turn_ns, smb_thread_turn_comes);
}

struct store_file *smb_root(struct smb_client *client)
{
    return &client->store->root;
}

struct smb_account smb_account(const struct smb_client *client)
{
    return client->account;
}
