/* The service of a store: how long an admitted request takes.
 *
 * A request first goes to the lane that holds its data (a disk, a partition; lanes are many and each serves
 * one request at a time, first come first served), then through the rest of the service, whose time is
 * lognormal with a mean a class of operation. With `lanes` n, exponential lane time s and requests at rate L
 * spread evenly, the mean latency is latency + s / (1 - L s / n): flat while the lanes are idle, rising as
 * they fill. Data of a request moves at no more than the rate of a single file. From time to time the service
 * stalls for a while and every latency is multiplied (a spike).
 */
#ifndef VDISIM_SERVICE_H
#define VDISIM_SERVICE_H

#include "vdisim/outcome.h"
#include "vdisim/parameter.h"
#include "vdisim/random.h"
#include "vdisim/request.h"

struct service_settings {
    int64_t latency_ns[OPERATION_CLASS_COUNT]; /* mean, beyond the lanes */
    double latency_cv;
    int64_t lanes;
    int64_t lane_time_ns; /* mean, exponential */
    double file_egress_bytes_per_s, file_ingress_bytes_per_s;
    double file_iops;
    int64_t file_window_ns; /* over which the limits of a file are enforced */
    double known_iops;           /* load up to which these latencies were observed */
    double spikes_per_s;
    int64_t spike_duration_ns; /* mean, exponential */
    double spike_factor;
};

extern const struct parameter_table service_parameters;

struct service {
    const struct service_settings *settings;
    struct sim_lognormal unit_latency; /* mean 1 */
    struct sim_random lane_choice, lane_time, latency, spikes;
    int64_t *lane_free_ns;
    int64_t spike_start_ns, spike_end_ns; /* the current spike, or the next one */
    double file_read_ns_per_byte, file_write_ns_per_byte;
    int64_t file_iops_interval_ns; /* 0: unlimited */
};

/* False when memory is short. `name` makes the streams' names. */
bool service_init(struct service *service, const struct service_settings *settings, uint64_t seed,
                  uint64_t replication, const char *name);
void service_release(struct service *service);

/* Reserves the data path and the I/O rate of the request's file, if it has one, and returns when they are free. Sets
 * request->limit and request->response when that is the longer wait. */
int64_t service_admit_to_file(struct service *service, struct request *request, int64_t now_ns);

/* Decides the times of a request admitted at request->admitted_ns == now: started_ns and served_ns. */
void service_serve(struct service *service, struct request *request);

/* The mean latency of a class at `requests_per_s`, without data and spikes: the formula above, in ns;
 * INFINITY when the lanes cannot keep up. */
double service_mean_latency_ns(const struct service_settings *settings, enum operation_class class_of,
                               double requests_per_s);

#endif
