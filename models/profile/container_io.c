#include "models/profile/container_session.h"
#include "models/profile/cpm_files.h"
#include "models/world/world_state.h"
#include "vdisim/logons.h"

#include <math.h>

/* Beyond the end of every run: what would happen then does not. */
#define PAUSE_LONGEST_NS (INT64_C(1) << 60)

/* Where a request goes; no client: to the host. */
struct route {
    struct smb_client *client;
    struct store_file *file;
};

static struct route store_route(const struct container_attachment *attachment, struct store_file *file)
{
    return (struct route){attachment->session->providers[0], file};
}

static struct route read_route(struct container_attachment *attachment, struct sim_random *random,
                               int64_t bytes, bool cached)
{
    const struct container_session *session = attachment->session;
    struct container *container = attachment->container;
    if (attachment->access == CONTAINER_LOCKED || cached)
        return (struct route){0};
    if (!session->settings->cloud_cache)
        return store_route(attachment, &container->files[0]);
    /* What has been read once is here; where a read falls is not known, so it is here with that probability. */
    const double used = (double)(container->used_bytes > 0 ? container->used_bytes : 1);
    if (sim_random_chance(random, fmin(1.0, (double)attachment->hydrated_bytes / used)))
        return (struct route){0};
    const size_t provider = cloud_cache_reads_from(session);
    if (provider == SIZE_MAX)
        return (struct route){0};
    attachment->hydrated_bytes += bytes;
    return (struct route){session->providers[provider], &container->files[provider]};
}

static struct route write_route(struct container_attachment *attachment, int64_t bytes)
{
    const struct container_settings *settings = attachment->session->settings;
    attachment->written_bytes += bytes;
    if (attachment->access == CONTAINER_LOCKED) {
        attachment->discarded_bytes += bytes;
        return (struct route){0};
    }
    if (settings->cloud_cache) {
        cloud_cache_wrote(attachment, bytes);
        return (struct route){0};
    }
    if (settings->local_cache != CONTAINER_NOT_CACHED && attachment->access == CONTAINER_WRITES_FILE) {
        attachment->cached_bytes += bytes;
        return (struct route){0};
    }
    if (attachment->access == CONTAINER_WRITES_FILE) {
        attachment->sent_bytes += bytes;
        return store_route(attachment, &attachment->container->files[0]);
    }
    attachment->diff_bytes += bytes;
    if (attachment->access == CONTAINER_DIFF_ON_HOST)
        return (struct route){0};
    return store_route(attachment, attachment->diff);
}

/* A power of two between the smallest and the largest, each as likely. */
static int64_t draw_size(const struct container_settings *settings, struct sim_random *random)
{
    uint64_t sizes = 1;
    for (int64_t bytes = settings->io_min_bytes; bytes * 2 <= settings->io_max_bytes; bytes *= 2)
        sizes++;
    return settings->io_min_bytes << sim_random_below(random, sizes);
}

static struct route route_of(struct container_attachment *attachment, struct sim_random *random,
                             enum operation operation, int64_t bytes, bool cached)
{
    if (operation == OPERATION_READ)
        return read_route(attachment, random, bytes, cached);
    if (attachment->access == CONTAINER_WRITES_FILE && !container_write(attachment->container, bytes))
        attachment->session->session->outcome->full = true;
    return write_route(attachment, bytes);
}

void container_block_io(struct container_attachment *attachment, enum operation operation, int64_t bytes)
{
    struct container_session *session = attachment->session;
    struct cpm_profile *profile = &session->session->files;
    if (bytes == 0)
        bytes = draw_size(session->settings, &session->random);
    const struct route route = route_of(attachment, &session->random, operation, bytes, false);
    if (route.client == NULL) {
        smb_spend(&profile->caller, profile->host->settings->disk_latency_ns, CAUSE_LOCAL_DISK);
        return;
    }
    const bool reads = operation == OPERATION_READ;
    smb_caller_use(&profile->caller, route.client);
    smb_call(&profile->caller, operation, route.file, reads ? 0 : bytes, reads ? bytes : 0);
}

void container_file_io(struct container_attachment *attachment, enum operation operation, int64_t bytes,
                       bool cached)
{
    struct container_session *session = attachment->session;
    struct cpm_profile *profile = &session->session->files;
    const struct route route = route_of(attachment, &session->random, operation, bytes, cached);
    if (route.client == NULL) {
        cpm_local_disk(profile, &profile->caller, bytes);
        return;
    }
    smb_caller_use(&profile->caller, route.client);
    if (operation == OPERATION_READ)
        smb_read(&profile->caller, route.file, bytes);
    else
        smb_write(&profile->caller, route.file, bytes);
}

static void wait(struct guest_load *load)
{
    const struct container_settings *settings = load->session->settings;
    double rate = load->mailbox != NULL ? load->mailbox->io_per_s : settings->session_io_per_s;
    if (load->mailbox == NULL && container_now_ns(load->session) < load->sign_in_end_ns)
        rate = settings->sign_in_io_per_s;
    if (rate <= 0.0)
        return;
    const double pause_ns = 1e9 * sim_random_exponential(&load->random) / rate;
    if (pause_ns < (double)PAUSE_LONGEST_NS)
        sim_schedule_after(load->session->session->files.host->world->sim, &load->due, (int64_t)pause_ns);
}

static void answered(struct request *request)
{
    struct guest_load *load = request->owner;
    smb_request_free(request->carrier, request);
    load->in_flight = false;
    if (load->on)
        wait(load);
    else
        sim_process_resume(load->session->session->files.caller.process); /* guest_load_stop() waits for it */
}

static void is_due(struct sim *sim, struct sim_event *event)
{
    (void)sim;
    struct guest_load *load = SIM_CONTAINER_OF(event, struct guest_load, due);
    const struct container_settings *settings = load->session->settings;
    const bool reads = sim_random_chance(&load->random, load->mailbox != NULL ? load->mailbox->read_share
                                                                              : settings->read_share);
    const int64_t bytes =
        load->mailbox != NULL ? load->mailbox->io_size_bytes : draw_size(settings, &load->random);
    const bool cached = settings->local_cache != CONTAINER_NOT_CACHED;
    const enum operation operation = reads ? OPERATION_READ : OPERATION_WRITE;
    const struct route route = route_of(load->attachment, &load->random, operation, bytes, cached);
    if (route.client == NULL) {
        wait(load);
        return;
    }
    load->in_flight = true;
    smb_send(route.client, load->session->session->files.caller.workload, operation, route.file,
             reads ? 0 : bytes, reads ? bytes : 0, answered, load);
}

void guest_load_init(struct guest_load *load, struct container_session *session,
                     struct container_attachment *attachment, const struct mailbox_settings *mailbox)
{
    load->session = session;
    load->attachment = attachment;
    load->mailbox = mailbox;
    sim_event_init(&load->due, is_due, SIM_EVENT_LABEL('u', 'v', 'h', 'd'));
}

void guest_load_start(struct guest_load *load, int64_t sign_in_time_ns)
{
    load->on = true;
    load->sign_in_end_ns = container_now_ns(load->session) + sign_in_time_ns;
    wait(load);
}

void guest_load_stop(struct guest_load *load)
{
    struct sim_process *process = load->session->session->files.caller.process;
    load->on = false;
    sim_cancel(process->sim, &load->due);
    if (load->in_flight)
        sim_suspend(process, SIM_NEVER_NS);
}
