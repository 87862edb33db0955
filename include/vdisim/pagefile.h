/* The pagefile of a machine under memory pressure.
 *
 *     demand   = system + users x user + what the write cache holds in memory
 *     pressure = max(0, demand - memory)
 *     size     = the largest pressure so far, at least its initial size (it does not shrink)
 *     faults   = users x touches_per_s x pressure / demand        (a second)
 *
 * What is beyond memory was written to the pagefile when the demand rose. Pages are used evenly, so that a touch finds its
 * page out with the probability pressure / demand; each such fault reads a cluster and, as memory stays full, writes one.
 * Pure arithmetic. Left out: that programs prefer some pages to others, standby lists, trimming of idle programs.
 */
#ifndef VDISIM_PAGEFILE_H
#define VDISIM_PAGEFILE_H

#include "vdisim/parameter.h"

#include <stdint.h>

struct pagefile_settings {
    int64_t memory_bytes; /* of the machine */
    int64_t system_bytes, user_bytes;
    int64_t initial_bytes;
    int64_t cluster_bytes;
    double touches_per_s; /* of a user: pages used anew */
};

extern const struct parameter_table pagefile_parameters;

struct pagefile {
    const struct pagefile_settings *settings;
    int64_t pressure_bytes, size_bytes;
    double fault_probability;
};

void pagefile_init(struct pagefile *pagefile, const struct pagefile_settings *settings);

/* The demand has changed. Returns the bytes that are written to the pagefile because of it. */
int64_t pagefile_update(struct pagefile *pagefile, int64_t users, int64_t write_cache_bytes);

#endif
