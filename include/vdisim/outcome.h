/* What a run reports: metrics by name, one record a logon, one record a store and minute.
 *
 * A model hands its metrics to a sink; the names are lower case with dots (profile_load.mean), the unit is
 * that of the value as printed (s, ms, MiB/s, IOPS). A metric that has no value in this run (no logon
 * finished) is NaN and is left out of the tables and null in JSON.
 */
#ifndef VDISIM_OUTCOME_H
#define VDISIM_OUTCOME_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Receives metrics; embed it in what collects them. `name` and `unit` are only valid during the call. */
struct metric_sink {
    void (*metric)(struct metric_sink *sink, const char *name, const char *unit, double value);
};

static inline void metric_report(struct metric_sink *sink, const char *name, const char *unit, double value)
{
    sink->metric(sink, name, unit, value);
}

/* The parts of a logon, each instant of the load belongs to exactly one. Those of a file-based engine come first, in the
 * order in which they happen; a container is attached and mounted between `connect` and `registry`. New ones are appended. */
enum logon_phase {
    PHASE_CONNECT,   /* session with the file server */
    PHASE_REGISTRY,  /* NTUSER.DAT */
    PHASE_ENUMERATE, /* the folder tree of the user store */
    PHASE_FILES,     /* a placeholder for each file, or a copy of it where it is not streamed */
    PHASE_PENDING,   /* the pending area */
    PHASE_LINKS,     /* symbolic links for large files, redirected folders */
    PHASE_ATTACH,    /* a container: opening and locking its file, its header and tables */
    PHASE_MOUNT,     /* the file system in it */
    PHASE_COUNT
};

/* What a logon waits for; each instant of the load is charged to exactly one cause. */
enum wait_cause {
    CAUSE_CLIENT,         /* the client's own work between requests, its processor for a connection */
    CAUSE_LOCAL_DISK,     /* the host's disk */
    CAUSE_WINDOW,         /* waiting for SMB credits of the connection */
    CAUSE_NETWORK,        /* wire and propagation, both ways */
    CAUSE_IOPS_LIMIT,     /* throttled: share or file IOPS */
    CAUSE_INGRESS_LIMIT,  /* throttled: ingress of share, file or account */
    CAUSE_EGRESS_LIMIT,   /* throttled: egress of share, file or account */
    CAUSE_METADATA_LIMIT, /* throttled: metadata IOPS */
    CAUSE_ACCOUNT_LIMIT,  /* throttled: request rate of the account */
    CAUSE_SERVER_QUEUE,   /* queueing inside the service */
    CAUSE_SERVER_LATENCY, /* the service itself */
    CAUSE_LOCK_RETRY,     /* waiting to try again what another session has locked */
    CAUSE_COUNT
};

const char *logon_phase_name(enum logon_phase phase); /* "connect", ... */
const char *wait_cause_name(enum wait_cause cause);   /* "server latency", ... */

/* One logon of one user. phase_cause_ns adds up to load_ns exactly once it has finished. */
struct logon_record {
    uint32_t user;    /* from 0 */
    uint32_t host;    /* from 0 */
    bool finished;    /* false: the run ended first; load_ns is then the time so far */
    int64_t start_ns; /* since the start of the run */
    int64_t load_ns;
    uint32_t requests; /* sent during the load */
    uint32_t refused;  /* opens among them that were refused: too many handles */
    int64_t bytes_read, bytes_written;
    int64_t phase_cause_ns[PHASE_COUNT][CAUSE_COUNT];
};

/* How the service answered a request, as Azure Files reports it. */
enum response_type {
    RESPONSE_SUCCESS,
    RESPONSE_SHARE_IOPS_THROTTLING,    /* SuccessWithShareIopsThrottling */
    RESPONSE_SHARE_EGRESS_THROTTLING,  /* SuccessWithShareEgressThrottling */
    RESPONSE_SHARE_INGRESS_THROTTLING, /* SuccessWithShareIngressThrottling */
    RESPONSE_METADATA_THROTTLING,      /* SuccessWithMetadataThrottling */
    RESPONSE_THROTTLING,               /* SuccessWithThrottling: account or file limits */
    RESPONSE_CLIENT_ERROR,             /* ClientOtherError: out of handles, not found is not counted here */
    RESPONSE_TYPE_COUNT
};

const char *response_type_name(enum response_type type);

/* Billing and latency classes of requests. */
enum operation_class {
    CLASS_CREATE,
    CLASS_QUERY,
    CLASS_READ,
    CLASS_WRITE,
    CLASS_CLOSE,
    CLASS_OTHER,
    OPERATION_CLASS_COUNT
};

const char *operation_class_name(enum operation_class operation_class);

/* One minute of one store, in the quantities that Azure Monitor reports. */
struct minute_record {
    uint64_t transactions[RESPONSE_TYPE_COUNT];
    uint64_t operations[OPERATION_CLASS_COUNT];
    int64_t ingress_bytes, egress_bytes;
    double server_latency_sum_ms, server_latency_max_ms; /* over all transactions of the minute */
    double e2e_latency_sum_ms, e2e_latency_max_ms;
    double max_used_iops; /* the busiest second */
    double max_used_bytes_per_s;
    double burst_credits_min; /* NaN where the store has none */
};

/* What of such a minute is due to one workload: a part of its transactions, bytes and e2e_latency_sum_ms. */
struct workload_minute {
    uint64_t transactions;
    int64_t ingress_bytes, egress_bytes;
    int64_t e2e_ns;
};

/* Workloads that are told apart; in a scenario with more of them none is. */
#define WORKLOADS_TOLD_APART 256

#endif
