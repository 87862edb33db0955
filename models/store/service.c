#include "vdisim/service.h"

#include "vdisim/store.h"
#include "vdisim/time.h"

#include <math.h>
#include <stdlib.h>

#define ROW(field, kind, ...)                                                                                \
    {                                                                                                        \
        .name = #field, .type = kind, .offset = offsetof(struct service_settings, field), __VA_ARGS__        \
    }
#define LATENCY(class_name, class_of)                                                                        \
    {                                                                                                        \
        .name = class_name, .type = PARAMETER_DURATION,                                                      \
        .offset = offsetof(struct service_settings, latency_ns) + (class_of) * sizeof(int64_t),              \
        .maximum = 60e9, .help = "Mean latency of a " class_name " request beyond the lanes"                 \
    }

static const struct parameter service_rows[] = {
    LATENCY("create", CLASS_CREATE),
    LATENCY("query", CLASS_QUERY),
    LATENCY("read", CLASS_READ),
    LATENCY("write", CLASS_WRITE),
    LATENCY("close", CLASS_CLOSE),
    LATENCY("other", CLASS_OTHER),
    {.name = "cv",
     .type = PARAMETER_NUMBER,
     .offset = offsetof(struct service_settings, latency_cv),
     .maximum = 10,
     .help = "Coefficient of variation of these latencies (lognormal)"},
    ROW(lanes, PARAMETER_COUNT, .minimum = 1, .maximum = 1e6,
        .help = "Disks or partitions that each serve one request at a time"),
    {.name = "lane_time",
     .type = PARAMETER_DURATION,
     .offset = offsetof(struct service_settings, lane_time_ns),
     .maximum = 60e9,
     .help = "Mean time of a request in its lane (exponential)"},
    {.name = "file_egress",
     .type = PARAMETER_THROUGHPUT,
     .offset = offsetof(struct service_settings, file_egress_bytes_per_s),
     .minimum = 1,
     .maximum = 1e15,
     .may_be_unlimited = true,
     .help = "Most that one file sends"},
    {.name = "file_ingress",
     .type = PARAMETER_THROUGHPUT,
     .offset = offsetof(struct service_settings, file_ingress_bytes_per_s),
     .minimum = 1,
     .maximum = 1e15,
     .may_be_unlimited = true,
     .help = "Most that one file receives"},
    {.name = "file_iops",
     .type = PARAMETER_RATE,
     .offset = offsetof(struct service_settings, file_iops),
     .minimum = 1,
     .maximum = 1e9,
     .may_be_unlimited = true,
     .help = "Most I/O requests a second on one file"},
    {.name = "file_window",
     .type = PARAMETER_DURATION,
     .offset = offsetof(struct service_settings, file_window_ns),
     .maximum = 3.6e12,
     .help = "Time over which the limits of a file are enforced"},
    {.name = "known_iops",
     .type = PARAMETER_RATE,
     .offset = offsetof(struct service_settings, known_iops),
     .minimum = 1,
     .maximum = 1e9,
     .may_be_unlimited = true,
     .help = "Load up to which these latencies were observed; a run beyond it is marked"},
    {.name = "spikes",
     .type = PARAMETER_RATE,
     .offset = offsetof(struct service_settings, spikes_per_s),
     .maximum = 10,
     .help = "How often the service stalls for a moment"},
    {.name = "spike_duration",
     .type = PARAMETER_DURATION,
     .offset = offsetof(struct service_settings, spike_duration_ns),
     .maximum = 3.6e12,
     .help = "Mean length of such a moment (exponential)"},
    ROW(spike_factor, PARAMETER_NUMBER, .minimum = 1, .maximum = 1e4,
        .help = "By what latencies are multiplied then"),
};

const struct parameter_table service_parameters = {
    .name = "service",
    .help = "How long a store takes for a request that its limits let in",
    .size = sizeof(struct service_settings),
    PARAMETER_ROWS(service_rows),
};

/* The sum, or SIM_NEVER_NS where it would be beyond. */
static int64_t later_by(int64_t at_ns, double ns)
{
    return ns < (double)(SIM_NEVER_NS - at_ns) ? at_ns + (int64_t)ns : SIM_NEVER_NS;
}

static void service_next_spike(struct service *service, int64_t now_ns)
{
    const struct service_settings *settings = service->settings;
    service->spike_start_ns = service->spike_end_ns = SIM_NEVER_NS;
    if (settings->spikes_per_s <= 0.0)
        return;
    service->spike_start_ns =
        later_by(now_ns, 1e9 * sim_random_exponential(&service->spikes) / settings->spikes_per_s);
    service->spike_end_ns = later_by(service->spike_start_ns, (double)settings->spike_duration_ns *
                                                                  sim_random_exponential(&service->spikes));
}

bool service_init(struct service *service, const struct service_settings *settings, uint64_t seed,
                  uint64_t replication, const char *name)
{
    *service = (struct service){.settings = settings};
    service->unit_latency = sim_lognormal_from_mean_cv(1.0, settings->latency_cv);
    sim_random_init_named(&service->lane_choice, seed, replication, "%s/lane", name);
    sim_random_init_named(&service->lane_time, seed, replication, "%s/lane time", name);
    sim_random_init_named(&service->latency, seed, replication, "%s/latency", name);
    sim_random_init_named(&service->spikes, seed, replication, "%s/spikes", name);
    service->file_read_ns_per_byte = sim_ns_per_unit(settings->file_egress_bytes_per_s);
    service->file_write_ns_per_byte = sim_ns_per_unit(settings->file_ingress_bytes_per_s);
    service->file_iops_interval_ns = sim_ns_round(sim_ns_per_unit(settings->file_iops));
    service->lane_free_ns = calloc((size_t)settings->lanes, sizeof *service->lane_free_ns);
    service_next_spike(service, 0);
    return service->lane_free_ns != NULL;
}

void service_release(struct service *service)
{
    free(service->lane_free_ns);
}

static double service_spike_factor(struct service *service, int64_t now_ns)
{
    while (now_ns >= service->spike_end_ns && service->spike_end_ns < SIM_NEVER_NS)
        service_next_spike(service, service->spike_end_ns);
    return now_ns >= service->spike_start_ns ? service->settings->spike_factor : 1.0;
}

static int64_t service_transfer_ns(const struct service *service, const struct request *request)
{
    if (request->operation == OPERATION_READ)
        return (int64_t)((double)request->egress_bytes * service->file_read_ns_per_byte);
    if (request->operation == OPERATION_WRITE)
        return (int64_t)((double)request->ingress_bytes * service->file_write_ns_per_byte);
    return 0;
}

int64_t service_admit_to_file(struct service *service, struct request *request, int64_t now_ns)
{
    struct store_file *file = request->file;
    const bool reads = request->operation == OPERATION_READ;
    if (file == NULL || (!reads && request->operation != OPERATION_WRITE))
        return now_ns;
    int64_t *data_free_ns = reads ? &file->read_free_ns : &file->write_free_ns;
    const int64_t iops_ns = file->iops_paid_ns - service->settings->file_window_ns;
    int64_t start_ns = iops_ns > now_ns ? iops_ns : now_ns;
    if (*data_free_ns > start_ns)
        start_ns = *data_free_ns;
    /* Of two waits, here and at the door, the longer one is named. Following one's own data is not throttling. */
    if (start_ns - now_ns > now_ns - request->arrived_ns) {
        request->limit = start_ns > *data_free_ns ? CAUSE_IOPS_LIMIT
                         : reads                  ? CAUSE_EGRESS_LIMIT
                                                  : CAUSE_INGRESS_LIMIT;
        if (start_ns - now_ns > service->settings->file_window_ns)
            request->response = RESPONSE_THROTTLING;
    }
    *data_free_ns = start_ns + service_transfer_ns(service, request);
    file->iops_paid_ns =
        (file->iops_paid_ns > start_ns ? file->iops_paid_ns : start_ns) + service->file_iops_interval_ns;
    return start_ns;
}

void service_serve(struct service *service, struct request *request)
{
    const struct service_settings *settings = service->settings;
    const int64_t now_ns = request->admitted_ns;
    int64_t *free_ns =
        &service->lane_free_ns[sim_random_below(&service->lane_choice, (uint64_t)settings->lanes)];
    request->started_ns = *free_ns > now_ns ? *free_ns : now_ns;
    const double lane = (double)settings->lane_time_ns * sim_random_exponential(&service->lane_time);
    *free_ns = request->started_ns + (int64_t)lane;

    double latency = (double)settings->latency_ns[operation_class(request->operation)] *
                     sim_random_lognormal(&service->latency, &service->unit_latency);
    if (now_ns >= service->spike_start_ns)
        latency *= service_spike_factor(service, now_ns);
    request->served_ns = *free_ns + (int64_t)latency + service_transfer_ns(service, request);
}

double service_mean_latency_ns(const struct service_settings *settings, enum operation_class class_of,
                               double requests_per_s)
{
    const double utilisation =
        requests_per_s * (double)settings->lane_time_ns / 1e9 / (double)settings->lanes;
    if (utilisation >= 1.0)
        return INFINITY;
    return (double)settings->latency_ns[class_of] + (double)settings->lane_time_ns / (1.0 - utilisation);
}
