/* A copy of a disk from one store to another, in chunks of which some are in flight: read, worked on, written. */
#ifndef VDISIM_MODELS_LAYERING_COPY_H
#define VDISIM_MODELS_LAYERING_COPY_H

#include "vdisim/event.h"
#include "vdisim/guest_disk.h"
#include "vdisim/layering.h"
#include "vdisim/process.h"

#include <stdbool.h>
#include <stdint.h>

/* A store as the appliance and the hypervisor see it. New disks are laid one behind the other, and from the beginning
 * again when the end is reached; what was there before is not asked about. */
struct layering_volume {
    struct guest_disk disk;
    uint32_t pages, next_page; /* 0: a store without places */
};

struct disk_place {
    struct layering_volume *volume;
    uint32_t page;
};

struct disk_place layering_place(struct layering_volume *volume, int64_t bytes);

/* What all jobs have in common: the rate of the appliance, one chunk after the other. */
struct appliance {
    const struct appliance_settings *settings;
    struct sim *sim;
    double ns_per_byte;
    int64_t free_ns;
};

void appliance_init(struct appliance *appliance, struct sim *sim, const struct appliance_settings *settings);

/* A part of a copy on its way. */
struct layer_chunk {
    struct sim_event event;
    struct layer_copy_state *state;
    int64_t offset_bytes, bytes;
};

struct layer_copy {
    struct appliance *appliance;
    struct layer_chunk
        *chunks;        /* as many as the appliance's depth, of whoever copies; they outlast the copy */
    bool by_hypervisor; /* does not pass through the appliance */
    bool only_writes;   /* `from` is not read: zeroes */
    struct disk_place from, to;
    int64_t bytes;
    /* Counted when answered. */
    int64_t read_bytes, written_bytes;
};

/* Returns when the last chunk has been written. A process that is stopped meanwhile must not be. */
void layer_copy_run(struct layer_copy *copy, struct sim_process *self);

#endif
