#include "vdisim/store.h"

#include "vdisim/time.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

void store_init(struct store *store, const struct store_operations *operations, const char *name,
                struct sim *sim)
{
    *store = (struct store){.operations = operations, .name = name, .sim = sim};
    store->meter.second_end_ns = SIM_NS_PER_S;
    store->meter.credits_min = NAN;
    sim_histogram_init(&store->meter.latency.server_ns);
    sim_histogram_init(&store->meter.latency.e2e_ns);
}

void store_tell_apart(struct store *store, size_t workloads)
{
    assert(store->meter.minutes == NULL);
    store->meter.workload_count = workloads > 1 && workloads <= WORKLOADS_TOLD_APART ? workloads : 0;
}

void store_release(struct store *store)
{
    free(store->meter.minutes);
    free(store->meter.by_workload);
    free(store->meter.marks);
    free(store->meter.closed);
}

static void meter_close_second(struct store_meter *meter, int64_t now_ns)
{
    if (meter->minute_count > 0) {
        struct minute_record *minute = &meter->minutes[meter->minute_count - 1];
        minute->max_used_iops = fmax(minute->max_used_iops, (double)meter->second_operations);
        minute->max_used_bytes_per_s = fmax(minute->max_used_bytes_per_s, (double)meter->second_bytes);
    }
    if (!meter->second_is_out)
        meter->busiest_second = fmax(meter->busiest_second, (double)meter->second_operations);
    meter->second_is_out = false;
    meter->second_operations = 0;
    meter->second_bytes = 0;
    meter->second_end_ns = (now_ns / SIM_NS_PER_S + 1) * SIM_NS_PER_S;
}

static void meter_sample_credits(struct store *store, struct minute_record *minute, int64_t at_ns)
{
    if (store->operations->burst_credits == NULL)
        return;
    const double credits = store->operations->burst_credits(store, at_ns);
    if (!(minute->burst_credits_min <= credits))
        minute->burst_credits_min = credits;
    struct store_meter *meter = &store->meter;
    const int64_t part_from_ns = meter->mark_count == 0 ? 0 : meter->marks[meter->mark_count - 1].at_ns;
    if (at_ns >= part_from_ns) /* the end of an idle minute may be seen later than the mark behind it */
        meter->credits_min = fmin(meter->credits_min, credits);
}

static bool meter_make_room(struct store_meter *meter)
{
    if (meter->minute_count < meter->minute_capacity)
        return true;
    const size_t capacity = meter->minute_capacity == 0 ? 64 : meter->minute_capacity * 2;
    struct minute_record *minutes = realloc(meter->minutes, capacity * sizeof *minutes);
    if (minutes == NULL)
        return false;
    meter->minutes = minutes;
    if (meter->workload_count > 0) {
        struct workload_minute *parts =
            realloc(meter->by_workload, capacity * meter->workload_count * sizeof *parts);
        if (parts == NULL)
            return false;
        meter->by_workload = parts;
    }
    meter->minute_capacity = capacity;
    return true;
}

/* Begins minutes until the current one covers now_ns; those in which nothing happened, too. */
static struct minute_record *meter_minute(struct store *store, int64_t now_ns)
{
    struct store_meter *meter = &store->meter;
    while (now_ns >= meter->minute_end_ns) {
        if (!meter_make_room(meter)) {
            sim_out_of_memory(store->sim);
            return NULL;
        }
        if (meter->workload_count > 0)
            memset(&meter->by_workload[meter->minute_count * meter->workload_count], 0,
                   meter->workload_count * sizeof *meter->by_workload);
        struct minute_record *minute = &meter->minutes[meter->minute_count++];
        *minute = (struct minute_record){.burst_credits_min = NAN};
        meter->minute_end_ns += SIM_NS_PER_MIN;
        if (meter->minute_end_ns <= now_ns) /* nothing was let in since */
            meter_sample_credits(store, minute, meter->minute_end_ns);
    }
    return meter->minutes == NULL ? NULL : &meter->minutes[meter->minute_count - 1];
}

bool store_keep_root_open(struct store *store)
{
    if (store->operations->allows_root_handle != NULL && !store->operations->allows_root_handle(store))
        return false;
    store->root.handles++;
    return true;
}

void store_close_root(struct store *store)
{
    assert(store->root.handles > 0);
    store->root.handles--;
}

bool store_grow(struct store *store, double bytes)
{
    if (store->capacity_bytes > 0.0 && store->used_bytes + bytes > store->capacity_bytes) {
        store->writes_refused++;
        return false;
    }
    store->used_bytes += bytes;
    return true;
}

void store_submit(struct store *store, struct request *request)
{
    store->meter.arrived++;
    request->status = REQUEST_OK;
    request->response = RESPONSE_SUCCESS;
    request->limit = CAUSE_IOPS_LIMIT;
    store->operations->submit(store, request);
}

static void meter_new_second(struct store *store, struct minute_record *minute, int64_t now_ns)
{
    meter_close_second(&store->meter, now_ns);
    meter_sample_credits(store, minute, now_ns);
}

/* Beside the current minute. */
static void meter_workload(struct store_meter *meter, const struct request *request)
{
    assert(request->workload < meter->workload_count);
    struct workload_minute *part =
        &meter->by_workload[(meter->minute_count - 1) * meter->workload_count + request->workload];
    part->transactions++;
    part->ingress_bytes += request->ingress_bytes;
    part->egress_bytes += request->egress_bytes;
    part->e2e_ns += request->done_ns - request->sent_ns;
}

void store_settle(struct request *request)
{
    struct store *store = request->store;
    struct store_meter *meter = &store->meter;
    const int64_t now_ns = request->done_ns;
    meter->settled++;
    if (now_ns >= meter->second_end_ns) {
        /* The busiest second belongs to the minute that it began in. */
        meter_close_second(meter, now_ns);
        struct minute_record *begun = meter_minute(store, now_ns);
        if (begun != NULL)
            meter_new_second(store, begun, now_ns);
    }
    meter->second_operations++;
    meter->second_bytes += request->ingress_bytes + request->egress_bytes;

    const double server_ns = (double)(request->served_ns - request->arrived_ns);
    const double e2e_ns = (double)(request->done_ns - request->sent_ns);
    sim_histogram_add(&meter->latency.server_ns, server_ns);
    sim_histogram_add(&meter->latency.e2e_ns, e2e_ns);
    struct minute_record *minute = now_ns < meter->minute_end_ns ? &meter->minutes[meter->minute_count - 1]
                                                                 : meter_minute(store, now_ns);
    if (minute == NULL)
        return;
    minute->transactions[request->response]++;
    minute->operations[operation_class(request->operation)]++;
    minute->ingress_bytes += request->ingress_bytes;
    minute->egress_bytes += request->egress_bytes;
    minute->server_latency_sum_ms += server_ns * 1e-6;
    minute->e2e_latency_sum_ms += e2e_ns * 1e-6;
    if (server_ns * 1e-6 > minute->server_latency_max_ms)
        minute->server_latency_max_ms = server_ns * 1e-6;
    if (e2e_ns * 1e-6 > minute->e2e_latency_max_ms)
        minute->e2e_latency_max_ms = e2e_ns * 1e-6;
    if (meter->workload_count > 0)
        meter_workload(meter, request);
}

void store_close_minutes(struct store *store)
{
    const int64_t now_ns = sim_now_ns(store->sim);
    /* A run that ends on the minute has no minute beyond. */
    struct minute_record *minute = meter_minute(store, now_ns > 0 ? now_ns - 1 : 0);
    if (minute != NULL)
        meter_new_second(store, minute, now_ns);
}
