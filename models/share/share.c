#include "vdisim/share.h"

#include "models/world/world_state.h"
#include "vdisim/door.h"
#include "vdisim/entitlement.h"
#include "vdisim/share_resize.h"
#include "vdisim/store.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define GIB 1073741824.0

struct share {
    struct store store;
    struct world *world;
    const struct share_settings *settings;
    struct share_limits limits;
    struct account *account;
    struct door door;
    bool door_open;
    uint64_t handles_refused;
    struct sim_bucket iops, credits, ingress, egress, metadata;
    bool spreading;
    int64_t spread_from_ns, spread_next_ns; /* the first request; when the limits rise next */
    struct share_resize resizes[SHARE_RESIZES_MAX];
    size_t resize_count, resized;
    struct sim_event resize_due;
    struct service service;
};

static struct share *share_of(struct store *store)
{
    return (struct share *)store;
}

/* A bucket that enforces a rate over the window. */
static void window_bucket(struct sim_bucket *bucket, double per_s, int64_t window_ns)
{
    sim_bucket_init(bucket, 0, per_s, isinf(per_s) ? 0.0 : fmax(1.0, per_s * (double)window_ns / 1e9));
}

/* At the first request, when it is known with whom the account is shared. */
static void share_open_door(struct share *share)
{
    const struct share_settings *settings = share->settings;
    const struct share_limits *limits = &share->limits;
    const int64_t window_ns = settings->limit_window_ns;
    struct door *door = &share->door;
    door_init(door);
    share->door_open = true;
    window_bucket(&share->metadata, share_metadata_iops(settings), window_ns);
    door_add(door, &share->metadata, DOOR_METADATA, CAUSE_METADATA_LIMIT, RESPONSE_METADATA_THROTTLING,
             false);
    window_bucket(&share->iops, limits->burst_iops, window_ns);
    door_add(door, &share->iops, DOOR_REQUESTS, CAUSE_IOPS_LIMIT, RESPONSE_SHARE_IOPS_THROTTLING, false);
    if (limits->burst_credits > 0.0)
        door->credits = &share->credits;
    window_bucket(&share->egress, limits->egress_bytes_per_s, window_ns);
    door_add(door, &share->egress, settings->pooled_throughput ? DOOR_BOTH : DOOR_EGRESS, CAUSE_EGRESS_LIMIT,
             RESPONSE_SHARE_EGRESS_THROTTLING, false);
    if (!settings->pooled_throughput) {
        window_bucket(&share->ingress, limits->ingress_bytes_per_s, window_ns);
        door_add(door, &share->ingress, DOOR_INGRESS, CAUSE_INGRESS_LIMIT, RESPONSE_SHARE_INGRESS_THROTTLING,
                 false);
    }
    struct account *account = share->account;
    /* A limit that cannot bind at this size may at another. */
    const bool shared = account->stores > 1 || share->resize_count > 0;
    door_add(door, &account->iops, DOOR_REQUESTS, CAUSE_ACCOUNT_LIMIT, RESPONSE_THROTTLING, shared);
    if (!account->pooled)
        door_add(door, &account->ingress, DOOR_INGRESS, CAUSE_INGRESS_LIMIT, RESPONSE_THROTTLING, shared);
    door_add(door, &account->egress, account->pooled ? DOOR_BOTH : DOOR_EGRESS, CAUSE_EGRESS_LIMIT,
             RESPONSE_THROTTLING, shared);
}

static void share_join_account(struct share *share)
{
    const struct share_settings *settings = share->settings;
    struct account *account = share->account;
    if (account->stores++ > 0)
        return;
    account->pooled = settings->account_pooled;
    window_bucket(&account->iops, settings->account_iops, settings->limit_window_ns);
    window_bucket(&account->ingress, settings->account_ingress_bytes_per_s, settings->limit_window_ns);
    window_bucket(&account->egress, settings->account_egress_bytes_per_s, settings->limit_window_ns);
}

static int64_t handles_allowed(const struct share *share, const struct store_file *file)
{
    const struct share_settings *settings = share->settings;
    return file == &share->store.root && settings->handles_on_root > 0 ? settings->handles_on_root
                                                                       : settings->handles_per_file;
}

/* Open handles are counted at the store; one too many is a hard error, not a delay. */
static void share_count_handles(struct share *share, struct request *request)
{
    struct store_file *file = request->file;
    if (file == NULL)
        return;
    if (request->operation == OPERATION_CLOSE) {
        file->handles--;
    } else if (request->operation == OPERATION_CREATE) {
        if (file->handles >= handles_allowed(share, file)) {
            share->handles_refused++;
            request->status = REQUEST_OUT_OF_HANDLES;
            request->response = RESPONSE_CLIENT_ERROR;
        } else {
            file->handles++;
        }
    }
}

static bool share_allows_root_handle(struct store *store)
{
    struct share *share = share_of(store);
    if (store->root.handles < handles_allowed(share, &store->root))
        return true;
    share->handles_refused++;
    return false;
}

/* A write that finds no room fails; what is rewritten in place needs none. */
static void share_find_room(struct share *share, struct request *request)
{
    const double growth = share->settings->growth;
    if (growth <= 0.0 || request->operation != OPERATION_WRITE ||
        store_grow(&share->store, growth * (double)request->ingress_bytes))
        return;
    request->status = REQUEST_NO_SPACE;
    request->response = RESPONSE_CLIENT_ERROR;
}

/* A request passes four gates: the limits, a burst credit, its file, the service. Each is entered when the one before lets
 * it through: at once, or by an event. */
static void share_pass(struct store *store, struct request *request, int64_t admitted_ns,
                       sim_event_fire *gate)
{
    const int64_t now_ns = request->admitted_ns;
    request->admitted_ns = admitted_ns;
    if (admitted_ns <= now_ns) {
        gate(store->sim, &request->event);
        return;
    }
    sim_event_init(&request->event, gate, SIM_EVENT_LABEL('s', 'h', 'g', 't'));
    if (admitted_ns < SIM_NEVER_NS)
        sim_schedule_at(store->sim, &request->event, admitted_ns);
}

static void share_serve(struct sim *sim, struct sim_event *event)
{
    (void)sim;
    struct request *request = SIM_CONTAINER_OF(event, struct request, event);
    struct share *share = share_of(request->store);
    share_count_handles(share, request);
    share_find_room(share, request);
    service_serve(&share->service, request);
    request->leave(request);
}

static void share_file(struct sim *sim, struct sim_event *event)
{
    (void)sim;
    struct request *request = SIM_CONTAINER_OF(event, struct request, event);
    struct share *share = share_of(request->store);
    share_pass(&share->store, request, service_admit_to_file(&share->service, request, request->admitted_ns),
               share_serve);
}

static void share_credit(struct sim *sim, struct sim_event *event)
{
    (void)sim;
    struct request *request = SIM_CONTAINER_OF(event, struct request, event);
    struct share *share = share_of(request->store);
    share_pass(&share->store, request, door_spend_credit(&share->door, request, request->admitted_ns),
               share_file);
}

#define SPREAD_STEPS 60

/* The limits of a share that spreads over its back ends rise in steps, as requests come. */
static void share_spread(struct share *share, int64_t now_ns)
{
    const struct share_settings *settings = share->settings;
    const struct share_limits *limits = &share->limits;
    const double passed = (double)(now_ns - share->spread_from_ns) / (double)settings->spread_time_ns;
    const double part = fmin(1.0, settings->spread_start + (1.0 - settings->spread_start) * passed);
    sim_bucket_set_rate(&share->iops, now_ns, limits->burst_iops * part);
    sim_bucket_set_rate(&share->egress, now_ns, limits->egress_bytes_per_s * part);
    if (!settings->pooled_throughput)
        sim_bucket_set_rate(&share->ingress, now_ns, limits->ingress_bytes_per_s * part);
    share->spread_next_ns = now_ns + settings->spread_time_ns / SPREAD_STEPS;
    share->spreading = part < 1.0;
}

/* --- The size changes while it runs. --- */

static void change_window(const struct share *share, struct sim_bucket *bucket, int64_t now_ns, double per_s)
{
    if (isinf(per_s))
        return; /* of any size */
    sim_bucket_set_capacity(bucket, now_ns,
                            fmax(1.0, per_s * (double)share->settings->limit_window_ns / 1e9));
    sim_bucket_set_rate(bucket, now_ns, per_s);
}

/* Credits that are there stay, as many as the new bucket holds. A size that has none loses them, and one that follows earns
 * its own from nothing. */
static void change_credits(struct share *share, int64_t now_ns)
{
    const struct share_limits *limits = &share->limits;
    if (limits->burst_credits <= 0.0) {
        share->door.credits = NULL;
    } else if (share->door.credits != NULL) {
        door_change_credits(&share->door, now_ns, limits->base_iops, limits->burst_credits);
    } else {
        sim_bucket_init(&share->credits, now_ns, limits->base_iops, limits->burst_credits);
        sim_bucket_set_level(&share->credits, now_ns, 0.0);
        share->door.credits = &share->credits;
    }
}

static void schedule_resize(struct share *share);

static void share_resizes(struct sim *sim, struct sim_event *event)
{
    struct share *share = SIM_CONTAINER_OF(event, struct share, resize_due);
    const int64_t now_ns = sim_now_ns(sim);
    if (!share->door_open)
        share_open_door(share);
    const int64_t size_bytes = share->resizes[share->resized++].size_bytes;
    share->store.capacity_bytes = (double)size_bytes;
    share->limits = share_limits_at(share->settings, size_bytes);
    const struct share_limits *limits = &share->limits;
    change_window(share, &share->iops, now_ns, limits->burst_iops);
    change_window(share, &share->egress, now_ns, limits->egress_bytes_per_s);
    if (!share->settings->pooled_throughput)
        change_window(share, &share->ingress, now_ns, limits->ingress_bytes_per_s);
    if (share->spreading)
        share_spread(share, now_ns);
    change_credits(share, now_ns);
    schedule_resize(share);
}

static void schedule_resize(struct share *share)
{
    if (share->resized == share->resize_count)
        return;
    sim_event_init(&share->resize_due, share_resizes, SIM_EVENT_LABEL('s', 'h', 's', 'z'));
    sim_schedule_at(share->store.sim, &share->resize_due,
                    share->resizes[share->resized].at_ns + share->settings->size_change_takes_ns);
}

static void share_submit(struct store *store, struct request *request)
{
    struct share *share = share_of(store);
    if (!share->door_open) {
        share_open_door(share);
        share->spread_from_ns = request->arrived_ns;
    }
    if (share->spreading && request->arrived_ns >= share->spread_next_ns)
        share_spread(share, request->arrived_ns);
    request->admitted_ns = request->arrived_ns;
    share_pass(store, request, door_admit(&share->door, request, request->arrived_ns), share_credit);
}

static double share_burst_credits(struct store *store, int64_t at_ns)
{
    struct share *share = share_of(store);
    if (share->limits.burst_credits <= 0.0)
        return NAN;
    if (!share->door_open)
        share_open_door(share);
    return door_credits(&share->door, at_ns);
}

/* Where the model was used beyond what is known of the service. */
static void share_warn(const struct share *share)
{
    const struct store_meter *meter = &share->store.meter;
    double busiest = 0.0;
    for (size_t m = 0; m < meter->minute_count; m++) {
        uint64_t transactions = 0;
        for (int type = 0; type < RESPONSE_TYPE_COUNT; type++)
            transactions += meter->minutes[m].transactions[type];
        busiest = fmax(busiest, (double)transactions / 60.0);
    }
    if (busiest > 1.1 * share->settings->service.known_iops)
        world_warn(share->world, "%s: latency is known up to %.0f IOPS, beyond that it is extrapolated",
                   share->store.name, share->settings->service.known_iops);
    const struct store *store = &share->store;
    char used[32], capacity[32];
    entitlement_number(round(store->capacity_bytes / GIB), capacity);
    if (store->writes_refused > 0)
        world_warn(share->world, "%s: full, %s GiB: writes were refused", store->name, capacity);
    else if (store->used_bytes > store->capacity_bytes)
        world_warn(share->world,
                   "%s: %s GiB are used of %s GiB: what is used is billed, the limits are those of the size",
                   store->name, entitlement_number(round(store->used_bytes / GIB), used), capacity);
    if (share->resized < share->resize_count)
        world_warn(share->world, "%s: %zu of %zu changes of size would have come after the end of the run",
                   share->store.name, share->resize_count - share->resized, share->resize_count);
    if (share->handles_refused > 0)
        world_warn(share->world, "%s: opens were refused, too many handles on one file or directory",
                   share->store.name);
}

/* The limits in force, for tables and pictures. */
static void share_report(struct store *store, struct metric_sink *sink)
{
    const struct share *share = share_of(store);
    share_warn(share);
    const double mib = 1048576.0;
    metric_report(sink, "iops.limit", "IOPS", share->limits.base_iops);
    metric_report(sink, "iops.burst_limit", "IOPS",
                  share->limits.burst_credits > 0.0 ? share->limits.burst_iops : NAN);
    metric_report(sink, "egress.limit", "MiB/s", share->limits.egress_bytes_per_s / mib);
    metric_report(sink, "ingress.limit", "MiB/s", share->limits.ingress_bytes_per_s / mib);
    metric_report(sink, "writes.refused", "", (double)share->store.writes_refused);
    metric_report(sink, "handles.refused", "", (double)share->handles_refused);
}

static void share_destroy(struct store *store)
{
    struct share *share = share_of(store);
    service_release(&share->service);
    store_release(store);
    free(share);
}

static const struct store_operations share_operations = {
    .submit = share_submit,
    .burst_credits = share_burst_credits,
    .report = share_report,
    .allows_root_handle = share_allows_root_handle,
    .destroy = share_destroy,
};

static struct store *share_create(struct world *world, const char *name, const void *settings)
{
    struct share *share = calloc(1, sizeof *share);
    if (share == NULL)
        return NULL;
    share->settings = settings;
    share->world = world;
    store_init(&share->store, &share_operations, name, world->sim);
    share->limits = share_limits(share->settings);
    if (share->limits.burst_credits > 0.0) {
        sim_bucket_init(&share->credits, 0, share->limits.base_iops, share->limits.burst_credits);
        sim_bucket_set_level(&share->credits, 0,
                             share->limits.burst_credits * share->settings->initial_credits);
    }
    share->spreading = share->settings->spread_start > 0.0 && share->settings->spread_start < 1.0 &&
                       share->settings->spread_time_ns > 0;
    share->store.used_bytes = (double)share->settings->used_bytes;
    share->store.channels = share->settings->channels;
    share->store.price = price_is_known(&share->settings->price) ? &share->settings->price : NULL;
    share->store.price_gib = (double)share->settings->size_bytes / 1073741824.0;
    share->store.bills_used = true;
    if (share->settings->iops_min > 0.0)
        share->store.price_iops = share->limits.base_iops;
    if (share->settings->throughput_min_bytes_per_s > 0.0)
        share->store.price_throughput = share->limits.egress_bytes_per_s / 1048576.0;
    share->account = world_storage_account(world, share->settings->account, name);
    share_join_account(share);
    struct parameter_problem problem;
    const bool checked = share_resizes_read(share->settings, share->resizes, &share->resize_count, &problem);
    assert(checked);
    (void)checked;
    schedule_resize(share);
    if (!service_init(&share->service, &share->settings->service, world->seed, world->replication, name)) {
        share_destroy(&share->store);
        return NULL;
    }
    return &share->store;
}

#define ROW(field, kind, ...)                                                                                \
    {                                                                                                        \
        .name = #field, .type = kind, .offset = offsetof(struct share_settings, field), __VA_ARGS__          \
    }
#define NAMED(key, field, kind, ...)                                                                         \
    {                                                                                                        \
        .name = key, .type = kind, .offset = offsetof(struct share_settings, field), __VA_ARGS__             \
    }
#define IOPS_BOUNDS .maximum = 1e9, .may_be_unlimited = true
#define RATE_BOUNDS .maximum = 1e15, .may_be_unlimited = true

static const char *const burst_choices[] = {"none", "twice-baseline", "over-baseline", NULL};

static const struct parameter share_rows[] = {
    NAMED("size", size_bytes, PARAMETER_SIZE, .minimum = 1, .maximum = 1e18,
          .help = "Provisioned size, or quota"),
    NAMED("used", used_bytes, PARAMETER_SIZE, .optional = true, .maximum = 1e18,
          .help = "What is on it at the start beside the profiles of this experiment's users"),
    ROW(growth, PARAMETER_FRACTION, .optional = true, .maximum = 1,
        .help = "Part of the bytes written that is new and takes room; left out, all is rewritten in place"),
    NAMED("size_changes", size_changes, PARAMETER_TEXTS, .optional = true,
          .help = "Scheduled changes of the size, `10 TiB at 20 min` each"),
    NAMED("size_change_takes", size_change_takes_ns, PARAMETER_DURATION, .maximum = 3.6e12,
          .help = "Time from a change of size to the limits that follow from it"),
    NAMED("size_lower_after", size_lower_after_ns, PARAMETER_DURATION, .maximum = 6.048e14,
          .help = "A size may be lowered when the last raise is as long ago"),
    NAMED("size_min", size_min_bytes, PARAMETER_SIZE, .minimum = 1, .maximum = 1e18,
          .help = "Smallest size sold"),
    NAMED("size_max", size_max_bytes, PARAMETER_SIZE, .minimum = 1, .maximum = 1e18,
          .help = "Largest size sold"),
    NAMED("size_step", size_step_bytes, PARAMETER_SIZE, .minimum = 1, .maximum = 1e18,
          .help = "Sizes are multiples of"),
    NAMED("pool_size", pool_bytes, PARAMETER_SIZE, .optional = true, .minimum = 1, .maximum = 1e18,
          .help = "Capacity pool that it is part of, whose size its formulas take; left out, its own size"),
    ROW(base_iops, PARAMETER_RATE, IOPS_BOUNDS, .help = "Baseline IOPS of any size"),
    ROW(base_iops_per_gib, PARAMETER_RATE, IOPS_BOUNDS, .help = "Baseline IOPS more for each GiB"),
    ROW(base_iops_max, PARAMETER_RATE, IOPS_BOUNDS, .help = "Most baseline IOPS"),
    ROW(iops_min, PARAMETER_RATE, .optional = true, .maximum = 1e9,
        .help = "Fewest IOPS sold; left out, IOPS follow from the size"),
    NAMED("iops", provisioned_iops, PARAMETER_RATE, .optional = true, .minimum = 1, .maximum = 1e9,
          .help = "Baseline IOPS bought, where they are sold apart from the size; left out, by the formula"),
    ROW(burst, PARAMETER_CHOICE, .choices = burst_choices,
        .help = "How burst limit and credits follow from the size"),
    ROW(burst_iops_floor, PARAMETER_RATE, IOPS_BOUNDS, .help = "Burst limit of a small share"),
    ROW(burst_iops_per_gib, PARAMETER_RATE, IOPS_BOUNDS, .help = "Burst limit for each GiB of a large one"),
    ROW(burst_iops_per_iops, PARAMETER_NUMBER, .optional = true, .maximum = 1000,
        .help = "Burst limit for each IOPS of the baseline"),
    ROW(burst_iops_max, PARAMETER_RATE, IOPS_BOUNDS, .help = "Most burst IOPS"),
    NAMED("burst_time", burst_time_ns, PARAMETER_DURATION, .maximum = 1e15,
          .help = "How long a full bucket lasts at the burst limit"),
    ROW(initial_credits, PARAMETER_FRACTION, .maximum = 1,
        .help = "How full the bucket of credits is at the start"),
    ROW(paid_bursting, PARAMETER_BOOLEAN,
        .help = "Requests and bytes beyond the limits are billed, not throttled, up to paid_iops and "
                "paid_throughput"),
    ROW(paid_iops, PARAMETER_RATE, .optional = true, .maximum = 1e9,
        .help = "Most IOPS with paid bursting; left out, it is not offered"),
    NAMED("paid_throughput", paid_bytes_per_s, PARAMETER_THROUGHPUT, .optional = true, .maximum = 1e15,
          .help = "Most throughput with paid bursting"),
    ROW(pooled_throughput, PARAMETER_BOOLEAN, .help = "Ingress and egress draw on one pool, the sum of both"),
    NAMED("ingress", ingress_bytes_per_s, PARAMETER_THROUGHPUT, RATE_BOUNDS,
          .help = "Ingress limit of any size"),
    NAMED("ingress_per_gib", ingress_per_gib_bytes_per_s, PARAMETER_THROUGHPUT, RATE_BOUNDS,
          .help = "Ingress limit more for each GiB"),
    NAMED("egress", egress_bytes_per_s, PARAMETER_THROUGHPUT, RATE_BOUNDS,
          .help = "Egress limit of any size"),
    NAMED("egress_per_gib", egress_per_gib_bytes_per_s, PARAMETER_THROUGHPUT, RATE_BOUNDS,
          .help = "Egress limit more for each GiB"),
    NAMED("throughput_max", throughput_max_bytes_per_s, PARAMETER_THROUGHPUT, RATE_BOUNDS,
          .help = "Most of ingress, of egress, or of the pool"),
    NAMED("throughput_step", throughput_step_bytes_per_s, PARAMETER_THROUGHPUT, .maximum = 1e15,
          .help = "The part that grows with the size is rounded up to multiples of it; 0, it is not"),
    NAMED("throughput_min", throughput_min_bytes_per_s, PARAMETER_THROUGHPUT, .optional = true,
          .maximum = 1e15, .help = "Least throughput sold; left out, it follows from the size"),
    NAMED("throughput_max_per_gib", throughput_max_per_gib_bytes_per_s, PARAMETER_THROUGHPUT,
          .optional = true, .maximum = 1e15, .help = "Most throughput sold for each GiB"),
    NAMED("throughput", provisioned_bytes_per_s, PARAMETER_THROUGHPUT, .optional = true, .minimum = 1,
          .maximum = 1e15,
          .help = "Throughput bought, where it is sold apart from the size; left out, by the formula"),
    ROW(metadata_iops, PARAMETER_RATE, IOPS_BOUNDS,
        .help = "Most opens, creates and closes a second, whatever the size"),
    ROW(metadata_caching, PARAMETER_BOOLEAN, .optional = true,
        .help = "The service caches metadata, which raises the limit to metadata_cached_iops"),
    ROW(metadata_cached_iops, PARAMETER_RATE, .optional = true, .maximum = 1e9,
        .help = "Most opens, creates and closes a second with metadata caching; left out, it is not offered"),
    ROW(handles_per_file, PARAMETER_COUNT, .minimum = 1, .maximum = 1e9,
        .help = "Open handles on one file or directory; one more fails"),
    ROW(handles_on_root, PARAMETER_COUNT, .optional = true, .minimum = 1, .maximum = 1e9,
        .help = "Open handles on the topmost directory; left out, as on any other"),
    NAMED("limit_window", limit_window_ns, PARAMETER_DURATION, .minimum = 1, .maximum = 3.6e12,
          .help = "Time over which a limit is enforced"),
    ROW(account, PARAMETER_TEXT, .optional = true,
        .help = "Storage account; shares that name the same one share its limits"),
    ROW(account_iops, PARAMETER_RATE, IOPS_BOUNDS, .help = "Requests a second of the storage account"),
    NAMED("account_ingress", account_ingress_bytes_per_s, PARAMETER_THROUGHPUT, RATE_BOUNDS,
          .help = "Ingress of the storage account"),
    NAMED("account_egress", account_egress_bytes_per_s, PARAMETER_THROUGHPUT, RATE_BOUNDS,
          .help = "Egress of the storage account"),
    ROW(account_pooled, PARAMETER_BOOLEAN, .optional = true,
        .help = "Ingress and egress of the account draw on one pool, of account_egress"),
    ROW(channels, PARAMETER_COUNT, .minimum = 1, .maximum = 32,
        .help = "Connections that it offers to one client (SMB Multichannel)"),
    ROW(spread_start, PARAMETER_FRACTION, .minimum = 0.001, .maximum = 1,
        .help = "Limits at the first request, before the load is spread over the back ends"),
    NAMED("spread_time", spread_time_ns, PARAMETER_DURATION, .maximum = 3.6e12,
          .help = "Time of load after which it is spread"),
    NAMED("price", price, PARAMETER_GROUP, .group = &price_parameters, .help = "What it costs"),
    NAMED("service", service, PARAMETER_GROUP, .group = &service_parameters, .help = "Latency once admitted"),
};

static bool share_check_limits(const struct share_settings *settings, struct parameter_problem *problem)
{
    const struct share_limits limits = share_limits(settings);
    const struct {
        const char *parameter;
        double value;
    } rows[] = {{"base_iops", limits.base_iops},
                {"ingress", limits.ingress_bytes_per_s},
                {"egress", limits.egress_bytes_per_s},
                {"metadata_iops", share_metadata_iops(settings)},
                {"account_iops", settings->account_iops},
                {"account_ingress", settings->account_ingress_bytes_per_s},
                {"account_egress", settings->account_egress_bytes_per_s}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        if (rows[i].value > 0.0)
            continue;
        problem->parameter = rows[i].parameter;
        snprintf(problem->message, sizeof problem->message,
                 "with a limit of 0 nothing would ever be answered");
        return false;
    }
    return true;
}

static bool share_check(const void *settings_of, struct parameter_problem *problem)
{
    const struct share_settings *settings = settings_of;
    if (!share_is_sold(settings, problem))
        return false;
    if (settings->account_pooled &&
        !(settings->account_ingress_bytes_per_s == settings->account_egress_bytes_per_s)) {
        problem->parameter = "account_ingress";
        snprintf(problem->message, sizeof problem->message,
                 "with account_pooled it is the same pool as account_egress, %.6g MiB/s",
                 settings->account_egress_bytes_per_s / 1048576.0);
        return false;
    }
    struct share_resize resizes[SHARE_RESIZES_MAX];
    size_t count;
    if (!share_resizes_read(settings, resizes, &count, problem))
        return false;
    return share_check_limits(settings, problem);
}

const struct parameter_table share_parameters = {
    .name = "share",
    .help = "A file share with limits that follow from its size",
    .size = sizeof(struct share_settings),
    .section = "tiers",
    .selector = "tier",
    PARAMETER_ROWS(share_rows),
    .check = share_check,
};

static int64_t share_capacity(const void *settings)
{
    return ((const struct share_settings *)settings)->size_bytes;
}

static const struct price *share_price(const void *settings)
{
    return &((const struct share_settings *)settings)->price;
}

const struct store_kind share_kind = {
    .name = "share",
    .help = "Azure Files and other shares with provisioned or fixed limits",
    .parameters = &share_parameters,
    .create = share_create,
    .capacity_bytes = share_capacity,
    .entitle = share_entitlement,
    .price = share_price,
    .check = share_fits_account,
};
