/* What is reported of a store: all of a run, or of the parts into which marks cut it. What adds up is taken from
 * the minutes, less what a minute had counted when a mark fell into it. */
#include "vdisim/store.h"

#include "vdisim/price.h"
#include "vdisim/time.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>

#define MIB 1048576.0

static struct store_mark mark_now(const struct store *store)
{
    const struct store_meter *meter = &store->meter;
    struct store_mark mark = {.at_ns = sim_now_ns(store->sim), .minutes = meter->minute_count};
    if (meter->minute_count > 0)
        mark.last = meter->minutes[meter->minute_count - 1];
    return mark;
}

static bool make_room(struct store_meter *meter)
{
    if (meter->mark_count == meter->mark_capacity) {
        const size_t capacity = meter->mark_capacity == 0 ? 8 : 2 * meter->mark_capacity;
        struct store_mark *marks = realloc(meter->marks, capacity * sizeof *marks);
        if (marks == NULL)
            return false;
        meter->marks = marks;
        meter->mark_capacity = capacity;
    }
    if (meter->mark_count > 0 && meter->closed == NULL) {
        meter->closed = malloc(sizeof *meter->closed);
        if (meter->closed == NULL)
            return false;
        sim_histogram_init(&meter->closed->server_ns);
        sim_histogram_init(&meter->closed->e2e_ns);
    }
    return true;
}

/* A second that has ended counts in the part that ends; one that the mark cuts counts in none. */
static void end_second(struct store_meter *meter, int64_t now_ns)
{
    if (meter->second_end_ns <= now_ns && !meter->second_is_out)
        meter->busiest_second = fmax(meter->busiest_second, (double)meter->second_operations);
    if (meter->second_end_ns - SIM_NS_PER_S < now_ns)
        meter->second_is_out = true;
}

static struct store_distribution distribution_of(double credits_min, double busiest_second,
                                                 const struct store_latency *latency)
{
    return (struct store_distribution){
        .credits_min = credits_min,
        .busiest_second = busiest_second,
        .server_mean_ns = sim_histogram_mean(&latency->server_ns),
        .server_p95_ns = sim_histogram_quantile(&latency->server_ns, 0.95),
        .e2e_mean_ns = sim_histogram_mean(&latency->e2e_ns),
        .e2e_p95_ns = sim_histogram_quantile(&latency->e2e_ns, 0.95),
    };
}

static struct store_distribution of_current_part(const struct store_meter *meter)
{
    return distribution_of(meter->credits_min, meter->busiest_second, &meter->latency);
}

static void merge_latency(struct store_latency *latency, const struct store_latency *other)
{
    sim_histogram_merge(&latency->server_ns, &other->server_ns);
    sim_histogram_merge(&latency->e2e_ns, &other->e2e_ns);
}

bool store_mark(struct store *store)
{
    struct store_meter *meter = &store->meter;
    if (!make_room(meter))
        return false;
    const int64_t now_ns = sim_now_ns(store->sim);
    const double credits =
        store->operations->burst_credits == NULL ? NAN : store->operations->burst_credits(store, now_ns);
    end_second(meter, now_ns);
    meter->credits_min = fmin(meter->credits_min, credits);
    if (meter->mark_count > 0) {
        meter->marks[meter->mark_count - 1].distribution = of_current_part(meter);
        merge_latency(meter->closed, &meter->latency);
    }
    sim_histogram_init(&meter->latency.server_ns);
    sim_histogram_init(&meter->latency.e2e_ns);
    meter->credits_min = credits;
    meter->busiest_second = 0.0;
    meter->marks[meter->mark_count++] = mark_now(store);
    return true;
}

/* What a part, or several in a row, come to. */
struct store_figures {
    double seconds;
    uint64_t transactions[RESPONSE_TYPE_COUNT];
    uint64_t operations[OPERATION_CLASS_COUNT];
    int64_t egress_bytes, ingress_bytes;
    double iops_peak, egress_peak, ingress_peak; /* a second, of the busiest minute */
    struct store_distribution distribution;
};

static uint64_t all_transactions(const uint64_t transactions[RESPONSE_TYPE_COUNT])
{
    uint64_t sum = 0;
    for (int type = 0; type < RESPONSE_TYPE_COUNT; type++)
        sum += transactions[type];
    return sum;
}

static void add_minute(struct store_figures *figures, const struct minute_record *minute)
{
    for (int type = 0; type < RESPONSE_TYPE_COUNT; type++)
        figures->transactions[type] += minute->transactions[type];
    for (int class_of = 0; class_of < OPERATION_CLASS_COUNT; class_of++)
        figures->operations[class_of] += minute->operations[class_of];
    figures->egress_bytes += minute->egress_bytes;
    figures->ingress_bytes += minute->ingress_bytes;
}

static void take_minute(struct store_figures *figures, const struct minute_record *minute)
{
    for (int type = 0; type < RESPONSE_TYPE_COUNT; type++)
        figures->transactions[type] -= minute->transactions[type];
    for (int class_of = 0; class_of < OPERATION_CLASS_COUNT; class_of++)
        figures->operations[class_of] -= minute->operations[class_of];
    figures->egress_bytes -= minute->egress_bytes;
    figures->ingress_bytes -= minute->ingress_bytes;
}

static void count(struct store_figures *figures, const struct minute_record *minutes,
                  const struct store_mark *from, const struct store_mark *to)
{
    if (to->minutes == 0)
        return;
    for (size_t m = from->minutes == 0 ? 0 : from->minutes - 1; m < to->minutes - 1; m++)
        add_minute(figures, &minutes[m]);
    add_minute(figures, &to->last);
    take_minute(figures, &from->last);
}

static void find_peaks(struct store_figures *figures, const struct store_meter *meter, int64_t from_ns,
                       int64_t to_ns)
{
    const bool marked = meter->mark_count > 0;
    figures->iops_peak = figures->egress_peak = figures->ingress_peak = marked ? NAN : 0.0;
    const size_t first = (size_t)((from_ns + SIM_NS_PER_MIN - 1) / SIM_NS_PER_MIN);
    const size_t whole = (size_t)(to_ns / SIM_NS_PER_MIN);
    for (size_t m = first; m < meter->minute_count && (m < whole || !marked); m++) {
        const struct minute_record *minute = &meter->minutes[m];
        figures->iops_peak = fmax(figures->iops_peak, (double)all_transactions(minute->transactions) / 60.0);
        figures->egress_peak = fmax(figures->egress_peak, (double)minute->egress_bytes / 60.0);
        figures->ingress_peak = fmax(figures->ingress_peak, (double)minute->ingress_bytes / 60.0);
    }
}

static struct store_figures figures_between(const struct store_meter *meter, const struct store_mark *from,
                                            const struct store_mark *to)
{
    struct store_figures figures = {.seconds = sim_s_from_ns(to->at_ns - from->at_ns)};
    count(&figures, meter->minutes, from, to);
    find_peaks(&figures, meter, from->at_ns, to->at_ns);
    return figures;
}

/* Metric names of the answers that were not a plain success. */
static const char *const count_names[RESPONSE_TYPE_COUNT] = {
    [RESPONSE_SHARE_IOPS_THROTTLING] = "throttled.iops",
    [RESPONSE_SHARE_EGRESS_THROTTLING] = "throttled.egress",
    [RESPONSE_SHARE_INGRESS_THROTTLING] = "throttled.ingress",
    [RESPONSE_METADATA_THROTTLING] = "throttled.metadata",
    [RESPONSE_THROTTLING] = "throttled.other",
    [RESPONSE_CLIENT_ERROR] = "failed.total"};

/* What is billed by meters, of those that the price list has. */
static void report_meters(const struct price *price, const struct bill *bill, struct metric_sink *sink)
{
    const struct {
        const char *name;
        double price, month;
    } meters[] = {
        {"cost.fixed", price->fixed_month, bill->fixed},
        {"cost.storage", price->gib_month, bill->storage},
        {"cost.transactions", price->write_10k + price->read_10k + price->other_10k, bill->transactions},
        {"cost.writes", price->write_10k, bill->writes},
        {"cost.reads", price->read_10k, bill->reads},
        {"cost.others", price->other_10k, bill->others},
        {"cost.retrieval", price->retrieved_gib, bill->retrieval},
        {"cost.iops", price->iops_month, bill->iops},
        {"cost.throughput", price->throughput_month, bill->throughput},
        {"cost.snapshots", price->snapshot_gib_month, bill->snapshots},
    };
    for (size_t i = 0; i < sizeof meters / sizeof meters[0]; i++)
        if (meters[i].price > 0.0)
            metric_report(sink, meters[i].name, price->currency != NULL ? price->currency : "",
                          meters[i].month);
}

static void report_cost(const struct store *store, const struct store_figures *figures,
                        struct metric_sink *sink)
{
    const struct price *price = store->price;
    if (price == NULL)
        return;
    const double used_gib = store->bills_used ? store->used_bytes / (1024.0 * MIB) : 0.0;
    struct billed billed = {.size_gib = fmax(store->price_gib, used_gib),
                            .iops = store->price_iops,
                            .throughput = store->price_throughput};
    for (int class_of = 0; class_of < OPERATION_CLASS_COUNT; class_of++)
        billed.operations_per_s[class_of] = (double)figures->operations[class_of] / figures->seconds;
    billed.egress_gib_per_s = (double)figures->egress_bytes / figures->seconds / (1024.0 * MIB);
    const struct bill bill = price_bill(price, &billed);
    const char *currency = price->currency != NULL ? price->currency : "";
    const double mib_per_s =
        (double)(figures->egress_bytes + figures->ingress_bytes) / figures->seconds / MIB;
    metric_report(sink, "cost.month", currency, bill.month);
    metric_report(sink, "cost.per_mib_s", currency, mib_per_s > 0.0 ? bill.month / mib_per_s : NAN);
    report_meters(price, &bill, sink);
}

static void report_figures(struct store *store, const struct store_figures *figures, struct metric_sink *sink)
{
    const uint64_t transactions = all_transactions(figures->transactions);
    const uint64_t throttled =
        transactions - figures->transactions[RESPONSE_SUCCESS] - figures->transactions[RESPONSE_CLIENT_ERROR];
    const double seconds = figures->seconds;
    metric_report(sink, "iops.mean", "IOPS", (double)transactions / seconds);
    metric_report(sink, "iops.peak", "IOPS", figures->iops_peak);
    metric_report(sink, "iops.busiest_second", "IOPS", figures->distribution.busiest_second);
    metric_report(sink, "egress.mean", "MiB/s", (double)figures->egress_bytes / seconds / MIB);
    metric_report(sink, "egress.peak", "MiB/s", figures->egress_peak / MIB);
    metric_report(sink, "ingress.mean", "MiB/s", (double)figures->ingress_bytes / seconds / MIB);
    metric_report(sink, "ingress.peak", "MiB/s", figures->ingress_peak / MIB);
    metric_report(sink, "server_latency.mean", "ms", figures->distribution.server_mean_ns * 1e-6);
    metric_report(sink, "server_latency.p95", "ms", figures->distribution.server_p95_ns * 1e-6);
    metric_report(sink, "e2e_latency.mean", "ms", figures->distribution.e2e_mean_ns * 1e-6);
    metric_report(sink, "e2e_latency.p95", "ms", figures->distribution.e2e_p95_ns * 1e-6);
    metric_report(sink, "throttled.fraction", "",
                  (double)throttled / (transactions == 0 ? NAN : (double)transactions));
    for (int type = RESPONSE_SHARE_IOPS_THROTTLING; type < RESPONSE_TYPE_COUNT; type++)
        metric_report(sink, count_names[type], "", (double)figures->transactions[type]);
    metric_report(sink, "burst_credits.min", "", figures->distribution.credits_min);
    metric_report(sink, "transactions.total", "", (double)transactions);
    const bool known = store->capacity_bytes > 0.0 && store->used_bytes > 0.0;
    metric_report(sink, "used.fraction", "", known ? store->used_bytes / store->capacity_bytes : NAN);
    report_cost(store, figures, sink);
    if (store->operations->report != NULL)
        store->operations->report(store, sink);
}

/* Of all parts together. Without the memory to add up their latencies, of the last one, and the run has failed. */
static struct store_distribution of_all_parts(struct store *store)
{
    const struct store_meter *meter = &store->meter;
    if (meter->closed == NULL)
        return of_current_part(meter);
    struct store_latency *all = malloc(sizeof *all);
    if (all == NULL) {
        sim_out_of_memory(store->sim);
        return of_current_part(meter);
    }
    *all = *meter->closed;
    merge_latency(all, &meter->latency);
    double credits_min = meter->credits_min, busiest_second = meter->busiest_second;
    for (size_t part = 0; part + 1 < meter->mark_count; part++) {
        credits_min = fmin(credits_min, meter->marks[part].distribution.credits_min);
        busiest_second = fmax(busiest_second, meter->marks[part].distribution.busiest_second);
    }
    const struct store_distribution distribution = distribution_of(credits_min, busiest_second, all);
    free(all);
    return distribution;
}

void store_report(struct store *store, struct metric_sink *sink)
{
    const struct store_meter *meter = &store->meter;
    const struct store_mark start = {0}, now = mark_now(store);
    struct store_figures figures =
        figures_between(meter, meter->mark_count == 0 ? &start : &meter->marks[0], &now);
    figures.distribution = of_all_parts(store);
    report_figures(store, &figures, sink);
}

void store_report_part(struct store *store, size_t part, struct metric_sink *sink)
{
    const struct store_meter *meter = &store->meter;
    assert(part < meter->mark_count);
    const bool ended = part + 1 < meter->mark_count;
    const struct store_mark *from = &meter->marks[part], now = mark_now(store);
    struct store_figures figures = figures_between(meter, from, ended ? from + 1 : &now);
    figures.distribution = ended ? from->distribution : of_current_part(meter);
    report_figures(store, &figures, sink);
}
