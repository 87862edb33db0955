#include "models/provisioning/pvs_server.h"

#include "models/world/world_state.h"

#include <assert.h>
#include <stdlib.h>

int64_t pvs_wire_bytes(const struct pvs_settings *settings, int64_t bytes)
{
    const int64_t packets = (bytes + settings->packet_payload_bytes - 1) / settings->packet_payload_bytes;
    return bytes + packets * settings->packet_header_bytes;
}

static void slot_is_free(struct sim *sim, struct sim_event *event);
static void vdisk_idles(struct sim *sim, struct sim_event *event);

bool pvs_server_init(struct pvs_server *server, struct host *host, const struct pvs_settings *settings,
                     struct smb_client *client, uint8_t workload, struct store_file *vdisk,
                     const struct vdisk_settings *vdisk_settings)
{
    *server = (struct pvs_server){.sim = host->world->sim, .host = host, .settings = settings};
    server->slots = settings->ports * settings->threads;
    server->leaving_ns = calloc((size_t)server->slots, sizeof *server->leaving_ns);
    sim_event_init(&server->slot_is_free, slot_is_free, SIM_EVENT_LABEL('p', 'v', 's', 's'));
    sim_event_init(&server->idle, vdisk_idles, SIM_EVENT_LABEL('p', 'v', 's', 'i'));
    host->senders++;
    return server->leaving_ns != NULL && client != NULL &&
           smb_file_init(&server->vdisk, client, workload, vdisk, vdisk_settings->size_bytes, 0);
}

void pvs_server_release(struct pvs_server *server)
{
    free(server->leaving_ns);
}

void pvs_server_connect(struct pvs_server *server)
{
    server->targets++;
}

void pvs_server_disconnect(struct pvs_server *server)
{
    assert(server->targets > 0);
    if (--server->targets == 0)
        smb_file_close(&server->vdisk);
}

static void vdisk_idles(struct sim *sim, struct sim_event *event)
{
    struct pvs_server *server = SIM_CONTAINER_OF(event, struct pvs_server, idle);
    const int64_t due_ns = server->last_read_ns + server->settings->idle_close_ns;
    if (due_ns > sim_now_ns(sim))
        sim_schedule_at(sim, event, due_ns);
    else
        smb_file_close(&server->vdisk);
}

static void free_slots(struct pvs_server *server, int64_t now_ns)
{
    while (server->leaving > 0 && server->leaving_ns[server->leaving_first] <= now_ns) {
        server->leaving_first = (server->leaving_first + 1) % server->slots;
        server->leaving--;
    }
}

static void watch_slots(struct pvs_server *server)
{
    if (server->line_first != NULL && server->leaving > 0 && !sim_event_pending(&server->slot_is_free))
        sim_schedule_at(server->sim, &server->slot_is_free, server->leaving_ns[server->leaving_first]);
}

/* The card carries one answer after the other, so that slots become free in the order in which data were there. */
static void stream(struct pvs_server *server, struct pvs_read *read)
{
    const int64_t now_ns = sim_now_ns(server->sim);
    read->fetched_ns = now_ns;
    read->sent_ns =
        wire_carry(&server->host->nic_out, now_ns, pvs_wire_bytes(server->settings, read->read.bytes));
    server->fetching--;
    server->leaving_ns[(server->leaving_first + server->leaving++) % server->slots] = read->sent_ns;
    watch_slots(server);
    read->sent(read);
    if (server->targets == 0)
        smb_file_close(&server->vdisk);
}

static void data_are_there(struct smb_read *smb_read)
{
    struct pvs_read *read = SIM_CONTAINER_OF(smb_read, struct pvs_read, read);
    stream(read->server, read);
}

static void take_up(struct pvs_server *server, struct pvs_read *read)
{
    read->started_ns = sim_now_ns(server->sim);
    server->fetching++;
    read->read.file = &server->vdisk;
    read->read.done = data_are_there;
    read->missed = !smb_file_read(&read->read);
    if (!read->missed)
        stream(server, read);
}

static void slot_is_free(struct sim *sim, struct sim_event *event)
{
    struct pvs_server *server = SIM_CONTAINER_OF(event, struct pvs_server, slot_is_free);
    free_slots(server, sim_now_ns(sim));
    while (server->line_first != NULL && server->fetching + server->leaving < server->slots) {
        struct pvs_read *read = server->line_first;
        server->line_first = read->next;
        take_up(server, read);
        free_slots(server, sim_now_ns(sim));
    }
    watch_slots(server);
}

void pvs_server_read(struct pvs_server *server, struct pvs_read *read)
{
    const int64_t now_ns = sim_now_ns(server->sim);
    read->server = server;
    read->arrived_ns = server->last_read_ns = now_ns;
    if (server->settings->idle_close_ns != INT64_MAX && !sim_event_pending(&server->idle))
        sim_schedule_after(server->sim, &server->idle, server->settings->idle_close_ns);
    free_slots(server, now_ns);
    if (server->line_first == NULL && server->fetching + server->leaving < server->slots) {
        take_up(server, read);
        return;
    }
    read->next = NULL;
    if (server->line_first == NULL)
        server->line_first = read;
    else
        server->line_last->next = read;
    server->line_last = read;
    watch_slots(server);
}
