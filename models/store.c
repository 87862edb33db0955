#include "vdisim/store.h"

#include "vdisim/time.h"

#include <math.h>
#include <stdlib.h>

#define MIB 1048576.0

void store_init(struct store *store, const struct store_operations *operations, const char *name,
                struct sim *sim)
{
    *store = (struct store){.operations = operations, .name = name, .sim = sim};
    store->meter.second_end_ns = SIM_NS_PER_S;
    sim_histogram_init(&store->meter.server_latency_ns);
    sim_histogram_init(&store->meter.e2e_latency_ns);
}

void store_release(struct store *store)
{
    free(store->meter.minutes);
}

static void meter_close_second(struct store_meter *meter, int64_t now_ns)
{
    if (meter->minute_count > 0) {
        struct minute_record *minute = &meter->minutes[meter->minute_count - 1];
        minute->max_used_iops = fmax(minute->max_used_iops, (double)meter->second_operations);
        minute->max_used_bytes_per_s = fmax(minute->max_used_bytes_per_s, (double)meter->second_bytes);
    }
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
}

/* Begins minutes until the current one covers now_ns; those in which nothing happened, too. */
static struct minute_record *meter_minute(struct store *store, int64_t now_ns)
{
    struct store_meter *meter = &store->meter;
    while (now_ns >= meter->minute_end_ns) {
        if (meter->minute_count == meter->minute_capacity) {
            const size_t capacity = meter->minute_capacity == 0 ? 64 : meter->minute_capacity * 2;
            struct minute_record *minutes = realloc(meter->minutes, capacity * sizeof *minutes);
            if (minutes == NULL) {
                sim_out_of_memory(store->sim);
                return NULL;
            }
            meter->minutes = minutes;
            meter->minute_capacity = capacity;
        }
        struct minute_record *minute = &meter->minutes[meter->minute_count++];
        *minute = (struct minute_record){.burst_credits_min = NAN};
        meter->minute_end_ns += SIM_NS_PER_MIN;
        if (meter->minute_end_ns <= now_ns) /* nothing was let in since */
            meter_sample_credits(store, minute, meter->minute_end_ns);
    }
    return meter->minutes == NULL ? NULL : &meter->minutes[meter->minute_count - 1];
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
    sim_histogram_add(&meter->server_latency_ns, server_ns);
    sim_histogram_add(&meter->e2e_latency_ns, e2e_ns);
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
}

void store_close_minutes(struct store *store)
{
    const int64_t now_ns = sim_now_ns(store->sim);
    /* A run that ends on the minute has no minute beyond. */
    struct minute_record *minute = meter_minute(store, now_ns > 0 ? now_ns - 1 : 0);
    if (minute != NULL)
        meter_new_second(store, minute, now_ns);
}

struct store_totals {
    uint64_t transactions, throttled, failed;
    double iops_peak, egress_peak, ingress_peak; /* minute averages */
    int64_t egress, ingress;
    double credits_min, busiest_second;
};

static struct store_totals store_total(const struct store_meter *meter)
{
    struct store_totals totals = {.credits_min = NAN};
    for (size_t m = 0; m < meter->minute_count; m++) {
        const struct minute_record *minute = &meter->minutes[m];
        uint64_t transactions = 0;
        for (int type = 0; type < RESPONSE_TYPE_COUNT; type++)
            transactions += minute->transactions[type];
        totals.transactions += transactions;
        totals.failed += minute->transactions[RESPONSE_CLIENT_ERROR];
        totals.throttled += transactions - minute->transactions[RESPONSE_SUCCESS] -
                            minute->transactions[RESPONSE_CLIENT_ERROR];
        totals.egress += minute->egress_bytes;
        totals.ingress += minute->ingress_bytes;
        totals.iops_peak = fmax(totals.iops_peak, (double)transactions / 60.0);
        totals.egress_peak = fmax(totals.egress_peak, (double)minute->egress_bytes / 60.0);
        totals.ingress_peak = fmax(totals.ingress_peak, (double)minute->ingress_bytes / 60.0);
        totals.credits_min = fmin(totals.credits_min, minute->burst_credits_min);
        totals.busiest_second = fmax(totals.busiest_second, minute->max_used_iops);
    }
    return totals;
}

/* Metric names of the answers that were not a plain success. */
static const char *const count_names[RESPONSE_TYPE_COUNT] = {
    [RESPONSE_SHARE_IOPS_THROTTLING] = "throttled.iops",
    [RESPONSE_SHARE_EGRESS_THROTTLING] = "throttled.egress",
    [RESPONSE_SHARE_INGRESS_THROTTLING] = "throttled.ingress",
    [RESPONSE_METADATA_THROTTLING] = "throttled.metadata",
    [RESPONSE_THROTTLING] = "throttled.other",
    [RESPONSE_CLIENT_ERROR] = "failed.total"};

void store_report(struct store *store, struct metric_sink *sink)
{
    const struct store_meter *meter = &store->meter;
    const struct store_totals totals = store_total(meter);
    const double seconds = sim_s_from_ns(sim_now_ns(store->sim));
    metric_report(sink, "iops.mean", "IOPS", (double)totals.transactions / seconds);
    metric_report(sink, "iops.peak", "IOPS", totals.iops_peak);
    metric_report(sink, "iops.busiest_second", "IOPS", totals.busiest_second);
    metric_report(sink, "egress.mean", "MiB/s", (double)totals.egress / seconds / MIB);
    metric_report(sink, "egress.peak", "MiB/s", totals.egress_peak / MIB);
    metric_report(sink, "ingress.mean", "MiB/s", (double)totals.ingress / seconds / MIB);
    metric_report(sink, "ingress.peak", "MiB/s", totals.ingress_peak / MIB);
    metric_report(sink, "server_latency.mean", "ms", sim_histogram_mean(&meter->server_latency_ns) * 1e-6);
    metric_report(sink, "server_latency.p95", "ms",
                  sim_histogram_quantile(&meter->server_latency_ns, 0.95) * 1e-6);
    metric_report(sink, "e2e_latency.mean", "ms", sim_histogram_mean(&meter->e2e_latency_ns) * 1e-6);
    metric_report(sink, "e2e_latency.p95", "ms", sim_histogram_quantile(&meter->e2e_latency_ns, 0.95) * 1e-6);
    const double transactions = totals.transactions == 0 ? NAN : (double)totals.transactions;
    metric_report(sink, "throttled.fraction", "", (double)totals.throttled / transactions);
    for (int type = RESPONSE_SHARE_IOPS_THROTTLING; type < RESPONSE_TYPE_COUNT; type++) {
        uint64_t count = 0;
        for (size_t m = 0; m < meter->minute_count; m++)
            count += meter->minutes[m].transactions[type];
        metric_report(sink, count_names[type], "", (double)count);
    }
    metric_report(sink, "burst_credits.min", "", totals.credits_min);
    metric_report(sink, "transactions.total", "", (double)totals.transactions);
    if (store->operations->report != NULL)
        store->operations->report(store, sink);
}
