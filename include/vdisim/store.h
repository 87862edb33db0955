/* A store: anything that answers requests.
 *
 * Every store embeds a struct store first. The transport that sends a request stamps it up to arrived_ns and
 * submits it; the store lets it through its door (limits), serves it (latency), and calls request->leave;
 * when the answer has reached the client the transport calls store_settle(), which is where everything about
 * a request is counted, once.
 *
 * A new kind of store is one file: a settings struct with its parameter table, a submit function, and one
 * const struct store_kind that is named in models/kinds.def.
 */
#ifndef VDISIM_STORE_H
#define VDISIM_STORE_H

#include "vdisim/histogram.h"
#include "vdisim/outcome.h"
#include "vdisim/request.h"
#include "vdisim/sim.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct lease_gate;
struct price;
struct world;

/* The largest payload of one READ or WRITE, the size of an open handle table entry and so on are limits of a
 * protocol or of a store; those of a file are kept in a record that all its users share. Owned by whoever
 * made it. */
struct store_file {
    int64_t handles;           /* open now */
    int64_t read_free_ns;      /* when the file's outgoing data path is free again */
    int64_t write_free_ns;     /* and the incoming one */
    int64_t iops_paid_ns;      /* until when its I/Os have used up the limit of IOPS a file */
    struct lease_gate *leases; /* what clients may cache of it; NULL: nobody is told anything */
    uint32_t number;           /* from 1, given by a store that tells its files apart; 0: not yet */
};

struct store_operations {
    /* Takes a request that has arrived (request->arrived_ns == now). */
    void (*submit)(struct store *store, struct request *request);
    /* Burst credits at a time, or when the last request was let in if that was later; NaN where there are none. May be NULL. */
    double (*burst_credits)(struct store *store, int64_t at_ns);
    /* Adds metrics of this kind beyond the common ones. May be NULL. */
    void (*report)(struct store *store, struct metric_sink *sink);
    /* Whether one more handle on the topmost directory may be open; counted when not. NULL: any number may. */
    bool (*allows_root_handle)(struct store *store);
    void (*destroy)(struct store *store);
};

/* What of a measured part cannot be had by adding up minutes. */
struct store_distribution {
    double credits_min;    /* NaN where there are none */
    double busiest_second; /* requests */
    double server_mean_ns, server_p95_ns, e2e_mean_ns, e2e_p95_ns;
};

/* A mark, at which a measured part begins. */
struct store_mark {
    int64_t at_ns;
    size_t minutes;                         /* begun by then */
    struct minute_record last;              /* the last of them, as it was then */
    struct store_distribution distribution; /* of the part; filled in when it ends */
};

struct store_latency {
    struct sim_histogram server_ns, e2e_ns;
};

/* What is counted of every store, whatever its kind. */
struct store_meter {
    struct minute_record *minutes;
    struct workload_minute *by_workload; /* [minute * workload_count + workload] */
    size_t workload_count;               /* told apart; 0: none */
    size_t minute_count, minute_capacity;
    int64_t minute_end_ns; /* of the last minute */
    int64_t second_end_ns; /* of the current second, for the busiest one */
    uint64_t second_operations;
    int64_t second_bytes;
    uint64_t arrived, settled; /* conservation: arrived = settled + inside */
    /* Of the current part; without marks, of the run. */
    struct store_latency latency;
    double credits_min;
    double busiest_second;
    bool second_is_out; /* the current second belongs to no part any more, or is counted already */
    struct store_mark *marks;
    size_t mark_count, mark_capacity;
    struct store_latency *closed; /* of the parts that have ended, together; NULL while there are none */
};

struct store {
    const struct store_operations *operations;
    const char *name;
    struct sim *sim;
    struct store_file root;              /* its topmost directory, which all users open */
    int64_t channels;                    /* most connections of one client; 0: as many as the client wants */
    const struct price *price;           /* NULL: what it costs is not known */
    double price_gib;                    /* the size that is paid for */
    bool bills_used;                     /* what is used beyond it is paid for as well */
    double price_iops, price_throughput; /* bought apart from the size, as sold; 0: they are not */
    double capacity_bytes;               /* 0: not known */
    double used_bytes;                   /* by what workloads have placed on it and what has grown since */
    uint64_t writes_refused;             /* as it was full */
    struct store_meter meter;
};

/* Prepares the common part. `name` outlives the store. */
void store_init(struct store *store, const struct store_operations *operations, const char *name,
                struct sim *sim);

/* Tells the requests of so many workloads apart, unless there is but one or too many; before the first request. */
void store_tell_apart(struct store *store, size_t workloads);

/* Frees the common part; called by a kind's destroy. */
void store_release(struct store *store);

/* Hands an arrived request to the store. */
void store_submit(struct store *store, struct request *request);

/* Takes room for data that are new. False, and counted, when they do not fit. */
bool store_grow(struct store *store, double bytes);

/* A handle on the topmost directory that a session keeps beyond the look-up of its path, which opens it. False: there are too
 * many; nothing is kept. */
bool store_keep_root_open(struct store *store);
void store_close_root(struct store *store);

/* Counts a request whose answer has reached the client (request->done_ns == now). */
void store_settle(struct request *request);

/* Closes the minutes up to now, also those in which nothing happened. */
void store_close_minutes(struct store *store);

/* Ends a measured part and begins the next; see world_mark(). Changes nothing of the minutes. False when memory
 * is short: then it is as if it had not been called. */
bool store_mark(struct store *store);

/* The common metrics: iops, egress, ingress, server_latency, e2e_latency, throttled, burst_credits,
 * transactions. Of the run, or of all since the first mark; see world_report(). */
void store_report(struct store *store, struct metric_sink *sink);

/* The same of the part that begins at one of the marks. */
void store_report_part(struct store *store, size_t part, struct metric_sink *sink);

#endif
