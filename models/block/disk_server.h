/* A file server on provisioned storage: the road that kinds of stores share whose limits have credits (managed disks, FSx).
 *
 *     arrived -> network -> card -> [held in memory?] -> limits of machine and storage -> service -> card
 *
 * Each limit is a burst_rate: its base for ever, its burst while there are credits, which fill at the base and are spent by all that
 * is served. A READ whose data the server holds passes only the limits of the cache and takes hit_ns; other READs and all WRITEs
 * pass the limits of the cache, if there is one, and those of the disks. What is neither is the server's own business and passes no
 * limit but the network.
 *
 * A kind embeds struct disk_server first, fills a plan, and gives the operations below.
 */
#ifndef VDISIM_DISK_SERVER_H
#define VDISIM_DISK_SERVER_H

#include "models/smb/file_cache.h"
#include "vdisim/door.h"
#include "vdisim/host.h"
#include "vdisim/service.h"
#include "vdisim/store.h"

struct burst_rate {
    double base, burst; /* a second; no burst above base: no credits. INFINITY: no limit */
    double credits;     /* a full bucket */
};

/* A rate that lasts `time_ns` at the burst with a full bucket: credits = time x (burst - base). */
struct burst_rate burst_rate_for(double base, double burst, int64_t time_ns);

/* What is had with credits. */
double burst_rate_peak(const struct burst_rate *rate);

struct disk_server_plan {
    struct burst_rate network; /* bytes, both directions added */
    double nic_bytes_per_s;    /* each direction */
    double cached_iops, cached_bytes_per_s;
    struct burst_rate machine_iops, machine_bytes;
    struct burst_rate storage_iops, storage_bytes;
    double initial_credits; /* share of full buckets */
    int64_t limit_window_ns;
    int64_t cache_bytes, cache_block_bytes;
    int64_t hit_ns;
    const struct service_settings *service;
};

struct disk_server_bucket {
    struct sim_bucket peak, credits; /* no faster than this, and no longer than this lasts */
};

struct disk_server {
    struct store store; /* first */
    struct disk_server_plan plan;
    struct door network_door, cache_door, disk_door;
    struct disk_server_bucket network, machine_iops, machine_bytes, storage_iops, storage_bytes;
    struct sim_bucket cached_iops, cached_bytes;
    struct wire nic_in, nic_out;
    struct file_cache cache;
    struct service service;
};

/* Prepares all but the price. `server` is zeroed memory; false when memory is short: then destroy it. */
bool disk_server_init(struct disk_server *server, const struct store_operations *operations,
                      const struct disk_server_plan *plan, struct world *world, const char *name);

/* Operations of the store, and what a kind's destroy() does but for freeing. */
void disk_server_submit(struct store *store, struct request *request);
double disk_server_burst_credits(struct store *store, int64_t at_ns);
void disk_server_report(struct store *store, struct metric_sink *sink);
void disk_server_destroy(struct store *store);

/* Adds the rows of a rate: NAME, and with credits NAME.burst, NAME.credits, NAME.drain and NAME.refill. Values are divided by
 * `scale`, `unit` being of what is left. */
struct burst_words {
    const char *name, *label, *unit, *credit_unit;
    double scale;
};
struct entitlement;
void burst_rate_entitle(const struct burst_rate *rate, const struct burst_words *words, const char *formula,
                        struct entitlement *entitlement);

/* What a report and an entitlement say of all limits together. */
double disk_server_iops(const struct disk_server_plan *plan);
double disk_server_bytes_per_s(const struct disk_server_plan *plan);

#endif
