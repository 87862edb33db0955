#include "models/block/disk_server.h"

#include "models/world/world_state.h"
#include "vdisim/entitlement.h"
#include "vdisim/time.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define MIB 1048576.0

struct burst_rate burst_rate_for(double base, double burst, int64_t time_ns)
{
    const double peak = fmax(base, burst);
    return (struct burst_rate){base, peak, peak > base ? (peak - base) * (double)time_ns / 1e9 : 0.0};
}

double burst_rate_peak(const struct burst_rate *rate)
{
    return rate->credits > 0.0 ? rate->burst : rate->base;
}

static struct disk_server *server_of(struct store *store)
{
    return (struct disk_server *)store;
}

static void answer_is_ready(struct sim *sim, struct sim_event *event)
{
    struct request *request = SIM_CONTAINER_OF(event, struct request, event);
    struct disk_server *server = server_of(request->store);
    if (server->plan.cache_bytes > 0 && request->operation == OPERATION_READ &&
        !file_cache_keep(&server->cache, request, request->egress_bytes))
        sim_out_of_memory(sim);
    request->served_ns = wire_carry(&server->nic_out, sim_now_ns(sim), request->egress_bytes);
    request->leave(request);
}

static void answer_at(struct sim *sim, struct request *request, int64_t ready_ns)
{
    sim_event_init(&request->event, answer_is_ready, SIM_EVENT_LABEL('m', 'd', 'o', 'u'));
    sim_schedule_at(sim, &request->event, ready_ns);
}

static void serve_from_disk(struct sim *sim, struct sim_event *event)
{
    struct request *request = SIM_CONTAINER_OF(event, struct request, event);
    service_serve(&server_of(request->store)->service, request);
    answer_at(sim, request, request->served_ns);
}

static void serve_from_memory(struct sim *sim, struct sim_event *event)
{
    struct request *request = SIM_CONTAINER_OF(event, struct request, event);
    request->started_ns = request->admitted_ns;
    answer_at(sim, request, request->started_ns + server_of(request->store)->plan.hit_ns);
}

/* Goes on at admitted_ns. */
static void pass(struct sim *sim, struct request *request, sim_event_fire *next, uint32_t label)
{
    if (request->admitted_ns <= sim_now_ns(sim)) {
        next(sim, &request->event);
        return;
    }
    sim_event_init(&request->event, next, label);
    if (request->admitted_ns < SIM_NEVER_NS)
        sim_schedule_at(sim, &request->event, request->admitted_ns);
}

/* Through both doors; the longer wait is the one that is charged. */
static int64_t admit_to_disks(struct disk_server *server, struct request *request, int64_t now_ns)
{
    const int64_t by_disks_ns = door_admit(&server->disk_door, request, now_ns);
    if (server->cache_door.limit_count == 0)
        return by_disks_ns;
    const enum wait_cause limit = request->limit;
    const enum response_type response = request->response;
    const int64_t by_cache_ns = door_admit(&server->cache_door, request, now_ns);
    if (by_cache_ns > by_disks_ns)
        return by_cache_ns;
    request->limit = limit;
    request->response = response;
    return by_disks_ns;
}

/* Through the card, whole: the limits. */
static void ask_limits(struct sim *sim, struct sim_event *event)
{
    struct request *request = SIM_CONTAINER_OF(event, struct request, event);
    struct disk_server *server = server_of(request->store);
    const int64_t now_ns = sim_now_ns(sim);
    const bool reads = request->operation == OPERATION_READ, writes = request->operation == OPERATION_WRITE;
    const bool caches = server->plan.cache_bytes > 0;
    if (caches && writes && !file_cache_keep(&server->cache, request, request->ingress_bytes))
        sim_out_of_memory(sim);
    if (caches && reads && file_cache_holds(&server->cache, request, request->egress_bytes)) {
        request->admitted_ns = door_admit(&server->cache_door, request, now_ns);
        pass(sim, request, serve_from_memory, SIM_EVENT_LABEL('m', 'd', 'h', 't'));
        return;
    }
    request->admitted_ns = reads || writes ? admit_to_disks(server, request, now_ns) : now_ns;
    pass(sim, request, serve_from_disk, SIM_EVENT_LABEL('m', 'd', 'g', 't'));
}

/* Into the card. */
static void arrive(struct sim *sim, struct sim_event *event)
{
    struct request *request = SIM_CONTAINER_OF(event, struct request, event);
    const int64_t now_ns = sim_now_ns(sim);
    const int64_t in_ns = wire_carry(&server_of(request->store)->nic_in, now_ns, request->ingress_bytes);
    sim_event_init(&request->event, ask_limits, SIM_EVENT_LABEL('m', 'd', 'i', 'n'));
    if (in_ns > now_ns)
        sim_schedule_at(sim, &request->event, in_ns);
    else
        ask_limits(sim, &request->event);
}

void disk_server_submit(struct store *store, struct request *request)
{
    struct disk_server *server = server_of(store);
    request->admitted_ns = server->network_door.limit_count > 0
                               ? door_admit(&server->network_door, request, request->arrived_ns)
                               : request->arrived_ns;
    pass(store->sim, request, arrive, SIM_EVENT_LABEL('m', 'd', 'n', 'w'));
}

double disk_server_burst_credits(struct store *store, int64_t at_ns)
{
    const struct disk_server *server = server_of(store);
    const struct sim_bucket *credits = server->plan.storage_iops.credits > 0.0 ? &server->storage_iops.credits
                                       : server->plan.machine_iops.credits > 0.0
                                           ? &server->machine_iops.credits
                                           : NULL;
    if (credits == NULL)
        return NAN;
    return fmax(0.0, sim_bucket_level(credits, at_ns > credits->level_ns ? at_ns : credits->level_ns));
}

double disk_server_iops(const struct disk_server_plan *plan)
{
    return fmin(plan->storage_iops.base, plan->machine_iops.base);
}

double disk_server_bytes_per_s(const struct disk_server_plan *plan)
{
    return fmin(fmin(plan->storage_bytes.base, plan->machine_bytes.base), plan->network.base);
}

void disk_server_report(struct store *store, struct metric_sink *sink)
{
    const struct disk_server_plan *plan = &server_of(store)->plan;
    metric_report(sink, "iops.limit", "IOPS", disk_server_iops(plan));
    metric_report(sink, "iops.burst_limit", "IOPS",
                  fmin(burst_rate_peak(&plan->storage_iops), burst_rate_peak(&plan->machine_iops)));
    const double base = disk_server_bytes_per_s(plan);
    metric_report(sink, "egress.limit", "MiB/s", base / MIB);
    metric_report(sink, "ingress.limit", "MiB/s", base / MIB);
}

void disk_server_destroy(struct store *store)
{
    struct disk_server *server = server_of(store);
    service_release(&server->service);
    file_cache_release(&server->cache);
    store_release(store);
    free(server);
}

static void add(struct door *door, struct sim_bucket *bucket, enum door_measure measure, bool shared)
{
    door_add(door, bucket, measure, measure == DOOR_BOTH ? CAUSE_EGRESS_LIMIT : CAUSE_IOPS_LIMIT,
             RESPONSE_THROTTLING, shared);
}

static void add_peak(struct disk_server *server, struct door *door, struct sim_bucket *bucket, double per_s,
                     enum door_measure measure)
{
    const double window_s = (double)server->plan.limit_window_ns / 1e9;
    sim_bucket_init(bucket, 0, per_s, isinf(per_s) ? 0.0 : fmax(1.0, per_s * window_s));
    add(door, bucket, measure, false);
}

static void add_credits(struct disk_server *server, struct door *door, struct sim_bucket *bucket,
                        const struct burst_rate *rate, enum door_measure measure)
{
    if (rate->credits <= 0.0)
        return;
    sim_bucket_init(bucket, 0, rate->base, rate->credits);
    sim_bucket_set_level(bucket, 0, rate->credits * server->plan.initial_credits);
    add(door, bucket, measure, true);
}

static void open_doors(struct disk_server *server)
{
    const struct disk_server_plan *plan = &server->plan;
    struct door *disks = &server->disk_door;
    door_init(&server->network_door);
    door_init(&server->cache_door);
    door_init(disks);
    if (plan->network.base < INFINITY) {
        add_peak(server, &server->network_door, &server->network.peak, burst_rate_peak(&plan->network),
                 DOOR_BOTH);
        add_credits(server, &server->network_door, &server->network.credits, &plan->network, DOOR_BOTH);
    }
    if (plan->cache_bytes > 0) {
        add_peak(server, &server->cache_door, &server->cached_iops, plan->cached_iops, DOOR_REQUESTS);
        add_peak(server, &server->cache_door, &server->cached_bytes, plan->cached_bytes_per_s, DOOR_BOTH);
    }
    add_peak(server, disks, &server->machine_iops.peak, burst_rate_peak(&plan->machine_iops), DOOR_REQUESTS);
    add_peak(server, disks, &server->machine_bytes.peak, burst_rate_peak(&plan->machine_bytes), DOOR_BOTH);
    add_peak(server, disks, &server->storage_iops.peak, burst_rate_peak(&plan->storage_iops), DOOR_REQUESTS);
    add_peak(server, disks, &server->storage_bytes.peak, burst_rate_peak(&plan->storage_bytes), DOOR_BOTH);
    add_credits(server, disks, &server->storage_iops.credits, &plan->storage_iops, DOOR_REQUESTS);
    add_credits(server, disks, &server->storage_bytes.credits, &plan->storage_bytes, DOOR_BOTH);
    add_credits(server, disks, &server->machine_iops.credits, &plan->machine_iops, DOOR_REQUESTS);
    add_credits(server, disks, &server->machine_bytes.credits, &plan->machine_bytes, DOOR_BOTH);
}

bool disk_server_init(struct disk_server *server, const struct store_operations *operations,
                      const struct disk_server_plan *plan, struct world *world, const char *name)
{
    store_init(&server->store, operations, name, world->sim);
    server->plan = *plan;
    wire_init(&server->nic_in, plan->nic_bytes_per_s);
    wire_init(&server->nic_out, plan->nic_bytes_per_s);
    file_cache_init(&server->cache, plan->cache_bytes, plan->cache_block_bytes);
    open_doors(server);
    return service_init(&server->service, plan->service, world->seed, world->replication, name);
}

static void add_row(struct entitlement *entitlement, const struct burst_words *words, const char *name,
                    const char *label, const char *unit, double value, const char *formula)
{
    char full_name[48], full_label[64];
    snprintf(full_name, sizeof full_name, "%s%s", words->name, name);
    snprintf(full_label, sizeof full_label, "%s%s", words->label, label);
    entitlement_add(entitlement, full_name, full_label, unit, value, "%s", formula);
}

void burst_rate_entitle(const struct burst_rate *rate, const struct burst_words *words, const char *formula,
                        struct entitlement *entitlement)
{
    const double full = rate->credits / words->scale, base = rate->base / words->scale,
                 burst = rate->burst / words->scale;
    add_row(entitlement, words, "", "", words->unit, base, formula);
    if (rate->credits <= 0.0)
        return;
    char number[3][32], working[128];
    entitlement_number(full, number[0]);
    entitlement_number(burst, number[1]);
    entitlement_number(base, number[2]);
    add_row(entitlement, words, ".burst", ", while credits last", words->unit, burst, "");
    add_row(entitlement, words, ".credits", ", full bucket", words->credit_unit, full, "");
    snprintf(working, sizeof working, "%s / (%s - %s)", number[0], number[1], number[2]);
    add_row(entitlement, words, ".drain", ", lasts at that", "s", full / (burst - base), working);
    snprintf(working, sizeof working, "%s / %s", number[0], number[2]);
    add_row(entitlement, words, ".refill", ", fills while idle", "s", full / base, working);
}
