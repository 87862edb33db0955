/* A disk: one device behind a store, a hard disk or flash.
 *
 * A hard disk serves one operation at a time. An operation that does not follow on the one before costs a seek, a
 * wait for its sector and the transfer of its bytes:
 *
 *     seek(d)  = seek_min + (seek_max - seek_min) sqrt(d)      d = distance / capacity, d > 0
 *     seek_max = seek_min + 15/8 (seek_mean - seek_min)
 *     wait     = uniform on [0, one rotation)
 *     transfer = bytes / rate, the rate falling from the outer to the inner edge in a straight line
 *
 * seek_mean is then the mean over independent uniform places (E sqrt(d) = 8/15), as data sheets print it. An operation
 * that begins where the last one ended, or a little behind, goes on without seek and wait; what it skips passes under
 * the head. Up to queue_depth waiting operations are in the disk's own queue; the next is the first of them (fifo) or
 * the next on the way of the arm, which sweeps up and starts again at the bottom (elevator).
 *
 * Flash serves as many operations at once as it has channels, first come first served (M/G/c); before a channel the
 * bytes pass the interface, one operation after the other, at a rate for reads and one for writes. The time in a
 * channel is (1 - spread + spread X) times its mean, X exponential with mean 1.
 *
 * Left out: the drive's own write cache, garbage collection and wear of flash, its fast region that fills up.
 */
#ifndef VDISIM_DISK_H
#define VDISIM_DISK_H

#include "vdisim/event.h"
#include "vdisim/parameter.h"
#include "vdisim/random.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct sim;

enum disk_medium { DISK_HDD, DISK_FLASH };
enum disk_order { DISK_FIFO, DISK_ELEVATOR };

struct disk_settings {
    int medium; /* enum disk_medium */
    int64_t capacity_bytes;
    /* Hard disk. */
    int64_t seek_min_ns, seek_mean_ns, rotation_ns;
    double outer_bytes_per_s, inner_bytes_per_s;
    int64_t queue_depth;
    int order; /* enum disk_order */
    /* Flash. */
    int64_t channels;
    int64_t read_time_ns, write_time_ns;
    double time_spread; /* 0 constant, 1 exponential */
    double read_bytes_per_s, write_bytes_per_s;
};

/* Section `devices`, selector `device`. */
extern const struct parameter_table disk_parameters;

/* One read or write; embedded in what waits for it. */
struct disk_operation {
    uint32_t page, pages; /* of 4 KiB */
    bool writes;
    int64_t started_ns, ended_ns; /* set by the disk */
    /* Called by a hard disk when the operation has ended; flash knows the end at once and does not call. */
    void (*done)(struct disk_operation *operation);
    void *owner;
    struct disk_operation *next; /* private */
};

struct disk_account {
    uint64_t reads, writes;
    uint64_t pages_read, pages_written;
    int64_t busy_ns; /* sum of service times, over all channels */
};

struct disk {
    const struct disk_settings *settings;
    struct sim *sim;
    struct sim_random service;
    struct disk_account account; /* read-only */
    size_t inside;               /* read-only: submitted to a hard disk and not ended */

    /* Private. Hard disk: the operation under way and those that wait, the first of them in the disk's queue. */
    struct sim_event ends;
    struct disk_operation *current, *first, *last;
    uint32_t next_page; /* where the last operation ended */
    double capacity_pages;

    /* Flash: when each channel is free, as a heap, the earliest first; and the interface. */
    int64_t *channel_free_ns;
    int64_t interface_free_ns;
    double read_ns_per_page, write_ns_per_page;
};

/* False when memory is short. `name` makes the name of its random stream. */
bool disk_init(struct disk *disk, struct sim *sim, const struct disk_settings *settings, uint64_t seed,
               uint64_t replication, const char *name, uint32_t number);
void disk_release(struct disk *disk);

/* Hands an operation to the disk. True: started_ns and ended_ns are known (flash); false: done() will be called. */
bool disk_submit(struct disk *disk, struct disk_operation *operation);

/* What a queue-less operation at an independent uniform place takes on average: seek_mean + rotation / 2 + transfer
 * at the mean of 1 / rate for a hard disk; the interface and the channel for flash. In ns. */
double disk_mean_access_ns(const struct disk_settings *settings, bool writes, int64_t bytes);

/* The parts of a hard disk's service, for tests and pages: seek over a fraction of the capacity, in ns. */
double disk_seek_ns(const struct disk_settings *settings, double distance);

#endif
