#include "vdisim/managed_disks.h"

#include "models/world_state.h"
#include "vdisim/door.h"
#include "vdisim/store.h"
#include "vdisim/time.h"

#include <math.h>
#include <stdlib.h>

#define GIB 1073741824.0
#define MIB 1048576.0

struct managed_disks {
    struct store store; /* first */
    const struct managed_disks_settings *settings;
    struct door door;
    struct sim_bucket machine_iops, machine_bytes;
    struct sim_bucket burst_iops, burst_bytes;   /* no faster than this */
    struct sim_bucket credit_iops, credit_bytes; /* and no longer than this lasts */
    struct wire nic_in, nic_out;
    struct service service;
};

static struct managed_disks *disks_of(struct store *store)
{
    return (struct managed_disks *)store;
}

static void answer_is_ready(struct sim *sim, struct sim_event *event)
{
    struct request *request = SIM_CONTAINER_OF(event, struct request, event);
    struct managed_disks *server = disks_of(request->store);
    request->served_ns = wire_carry(&server->nic_out, sim_now_ns(sim), request->egress_bytes);
    request->leave(request);
}

static void serve(struct sim *sim, struct sim_event *event)
{
    struct request *request = SIM_CONTAINER_OF(event, struct request, event);
    struct managed_disks *server = disks_of(request->store);
    service_serve(&server->service, request);
    sim_event_init(&request->event, answer_is_ready, SIM_EVENT_LABEL('m', 'd', 'o', 'u'));
    sim_schedule_at(sim, &request->event, request->served_ns);
}

/* Through the card, whole: the limits. Opens and closes are the machine's own business and pass them. */
static void ask_limits(struct sim *sim, struct sim_event *event)
{
    struct request *request = SIM_CONTAINER_OF(event, struct request, event);
    struct managed_disks *server = disks_of(request->store);
    const int64_t now_ns = sim_now_ns(sim);
    const bool moves_data = request->operation == OPERATION_READ || request->operation == OPERATION_WRITE;
    request->admitted_ns = moves_data ? door_admit(&server->door, request, now_ns) : now_ns;
    if (request->admitted_ns <= now_ns) {
        serve(sim, event);
        return;
    }
    sim_event_init(&request->event, serve, SIM_EVENT_LABEL('m', 'd', 'g', 't'));
    if (request->admitted_ns < SIM_NEVER_NS)
        sim_schedule_at(sim, &request->event, request->admitted_ns);
}

static void managed_disks_submit(struct store *store, struct request *request)
{
    struct managed_disks *server = disks_of(store);
    const int64_t in_ns = wire_carry(&server->nic_in, request->arrived_ns, request->ingress_bytes);
    sim_event_init(&request->event, ask_limits, SIM_EVENT_LABEL('m', 'd', 'i', 'n'));
    if (in_ns > request->arrived_ns)
        sim_schedule_at(store->sim, &request->event, in_ns);
    else
        ask_limits(store->sim, &request->event);
}

/* Disks that do not burst have no credits, and NaN. */
static double managed_disks_burst_credits(struct store *store, int64_t at_ns)
{
    const struct managed_disks *server = disks_of(store);
    if (server->settings->disk_burst_iops <= server->settings->disk_iops)
        return NAN;
    const struct sim_bucket *credits = &server->credit_iops;
    return fmax(0.0, sim_bucket_level(credits, at_ns > credits->level_ns ? at_ns : credits->level_ns));
}

static void managed_disks_report(struct store *store, struct metric_sink *sink)
{
    const struct managed_disks_settings *settings = disks_of(store)->settings;
    const double disks = (double)settings->disks;
    metric_report(sink, "iops.limit", "IOPS", fmin(disks * settings->disk_iops, settings->machine_iops));
    metric_report(sink, "iops.burst_limit", "IOPS",
                  fmin(disks * settings->disk_burst_iops, settings->machine_iops));
    const double base = fmin(disks * settings->disk_bytes_per_s, settings->machine_bytes_per_s);
    metric_report(sink, "egress.limit", "MiB/s", base / MIB);
    metric_report(sink, "ingress.limit", "MiB/s", base / MIB);
}

static void managed_disks_destroy(struct store *store)
{
    struct managed_disks *server = disks_of(store);
    service_release(&server->service);
    store_release(store);
    free(server);
}

static const struct store_operations managed_disks_operations = {
    .submit = managed_disks_submit,
    .burst_credits = managed_disks_burst_credits,
    .report = managed_disks_report,
    .destroy = managed_disks_destroy,
};

static void add_limit(struct managed_disks *server, struct sim_bucket *bucket, double per_s,
                      enum door_measure measure)
{
    const double window_s = (double)server->settings->limit_window_ns / 1e9;
    sim_bucket_init(bucket, 0, per_s, isinf(per_s) ? 0.0 : fmax(1.0, per_s * window_s));
    door_add(&server->door, bucket, measure, measure == DOOR_BOTH ? CAUSE_EGRESS_LIMIT : CAUSE_IOPS_LIMIT,
             RESPONSE_THROTTLING, false);
}

static void add_credits(struct managed_disks *server, struct sim_bucket *bucket, double base, double burst,
                        enum door_measure measure)
{
    if (!(burst > base))
        return;
    const double credits = (burst - base) * (double)server->settings->burst_time_ns / 1e9;
    sim_bucket_init(bucket, 0, base, credits);
    sim_bucket_set_level(bucket, 0, credits * server->settings->initial_credits);
    door_add(&server->door, bucket, measure, measure == DOOR_BOTH ? CAUSE_EGRESS_LIMIT : CAUSE_IOPS_LIMIT,
             RESPONSE_THROTTLING, true);
}

static void open_door(struct managed_disks *server)
{
    const struct managed_disks_settings *settings = server->settings;
    const double disks = (double)settings->disks;
    door_init(&server->door);
    add_limit(server, &server->machine_iops, settings->machine_iops, DOOR_REQUESTS);
    add_limit(server, &server->machine_bytes, settings->machine_bytes_per_s, DOOR_BOTH);
    add_limit(server, &server->burst_iops, disks * fmax(settings->disk_iops, settings->disk_burst_iops),
              DOOR_REQUESTS);
    add_limit(server, &server->burst_bytes,
              disks * fmax(settings->disk_bytes_per_s, settings->disk_burst_bytes_per_s), DOOR_BOTH);
    add_credits(server, &server->credit_iops, disks * settings->disk_iops, disks * settings->disk_burst_iops,
                DOOR_REQUESTS);
    add_credits(server, &server->credit_bytes, disks * settings->disk_bytes_per_s,
                disks * settings->disk_burst_bytes_per_s, DOOR_BOTH);
}

static int64_t managed_disks_capacity(const void *settings_of)
{
    const struct managed_disks_settings *settings = settings_of;
    return settings->disks * settings->disk_size_bytes;
}

static struct store *managed_disks_create(struct world *world, const char *name, const void *settings_of)
{
    const struct managed_disks_settings *settings = settings_of;
    struct managed_disks *server = calloc(1, sizeof *server);
    if (server == NULL)
        return NULL;
    store_init(&server->store, &managed_disks_operations, name, world->sim);
    server->settings = settings;
    server->store.price = price_is_known(&settings->price) ? &settings->price : NULL;
    server->store.price_gib = (double)managed_disks_capacity(settings) / GIB;
    wire_init(&server->nic_in, settings->nic_bytes_per_s);
    wire_init(&server->nic_out, settings->nic_bytes_per_s);
    open_door(server);
    if (!service_init(&server->service, &settings->service, world->seed, world->replication, name)) {
        managed_disks_destroy(&server->store);
        return NULL;
    }
    return &server->store;
}

const struct store_kind managed_disks_kind = {
    .name = "managed-disks",
    .help = "A file server on managed disks with burst buckets",
    .parameters = &managed_disks_parameters,
    .create = managed_disks_create,
    .capacity_bytes = managed_disks_capacity,
};
