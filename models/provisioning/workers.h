/* XenApp workers and their write cache: the parts of the workload `write-cache`.
 *
 * workers_settings.c has the settings, workers.c the workers and what their users do, workers_record.c what is reported. */
#ifndef VDISIM_MODELS_WORKERS_H
#define VDISIM_MODELS_WORKERS_H

#include "vdisim/arrivals.h"
#include "vdisim/guest_disk.h"
#include "vdisim/outcome.h"
#include "vdisim/pagefile.h"
#include "vdisim/write_cache.h"

struct scenario;

/* What a user's session reads and writes on the system disk. */
struct worker_io_settings {
    double io_per_s, read_share;
    int64_t io_size_bytes;
    double hot_share;     /* of the writes: to places that are written again and again */
    int64_t hot_bytes;    /* how large these are, on a machine */
    int64_t logon_bytes;  /* written at the logon and kept: the copy of the profile */
    int64_t file_bytes;   /* mean size of a file, exponential */
    double deleted_share; /* of files, those that are deleted again */
    int64_t file_life_ns; /* mean, exponential */
};

struct workers_settings {
    const char *store;        /* with the workers' cache disks */
    const char *server_store; /* of the PVS server; NULL: none */
    struct guest_disk_settings guest;
    int64_t workers, users_per_worker;
    struct arrival_settings arrivals;
    int64_t session_length_ns;
    int cache; /* enum write_cache_kind */
    int64_t ram_cache_bytes;
    int64_t vdisk_bytes, cache_disk_bytes;
    struct pagefile_settings memory;
    struct worker_io_settings io;
};

extern const struct parameter_table workers_parameters;

/* Whether the cache disk of one worker fits in its store (the check of a workload kind, world.h). */
bool workers_fit(const struct scenario *scenario, const void *settings, struct parameter_problem *problem);

/* --- What happened, by interval. --- */

enum workers_count {
    COUNT_GUEST_WRITES, /* requests of the targets */
    COUNT_GUEST_BYTES,
    COUNT_HOST_READS, /* requests to the disks, of all causes */
    COUNT_HOST_WRITES,
    COUNT_HOST_BYTES_WRITTEN,
    COUNT_CACHE_BYTES, /* of those, to the cache file or the overflow file */
    COUNT_CACHE_WRITES,
    COUNT_PAGEFILE_BYTES, /* read and written */
    COUNT_PAGEFILE_IOS,
    COUNT_USER_SECONDS,
    WORKERS_COUNTS
};

struct workers_interval {
    double counts[WORKERS_COUNTS];
    int64_t memory_peak_bytes;                    /* of the fullest RAM cache */
    int64_t pagefile_peak_bytes, file_peak_bytes; /* of all workers together */
};

struct workers_record {
    int64_t interval_ns;
    struct workers_interval *intervals;
    size_t count, capacity;
};

void workers_record_init(struct workers_record *record, int64_t run_length_ns);
void workers_record_release(struct workers_record *record);

/* The interval of a time, NULL when memory is short. Times do not go back. */
struct workers_interval *workers_record_at(struct workers_record *record, int64_t at_ns);

void workers_record_report(const struct workers_record *record, int64_t from_ns, int64_t to_ns,
                           int64_t now_ns, struct metric_sink *sink);

#endif
