/* Layering: the appliance of Citrix App Layering works off jobs, each a sequence of copies between stores.
 *
 *     source       where the machines are whose systems are imported
 *     repository   where the appliance keeps its layers
 *     machines     where the hypervisor keeps packaging machines, and the layer disk cache
 *     images       where published images go
 *
 *     import    the disk of a machine becomes the layer of an operating system:  source -> repository
 *     create    a packaging machine is made, a layer disk beside it, and the layer read back:
 *               boot disk, empty layer disk -> machines;  layer disk -> repository
 *     version   the same, with the layer's content on the layer disk
 *     publish   all layers become one image:  repository -> repository -> images
 *
 * The boot disk of a packaging machine has the content of the layers below. Without the cache the appliance composes it in
 * the repository and sends it to the hypervisor. With the cache the hypervisor keeps a copy and makes the boot disk of the
 * next machine on the same layers from that. The cache is bounded; the disk used least recently goes first.
 *
 * What the hypervisor hands out (imports, layer disks) is the whole disk, or only its used blocks; what it is sent are used
 * blocks. A copy is made in chunks: read, worked on by the appliance at its rate (not when the hypervisor copies by
 * itself), written; so many chunks are in flight. Each read and write is a request to the store (guest_disk.h). The time
 * in which a person installs the application is no part of a job.
 *
 *     layers: ["windows 60 GB using 11.8 GB"]                     what there is at the start
 *     jobs: [import server 60 GB using 11.8 GB, create office 10 GB on windows, version office on windows,
 *            publish desktop of windows office]                    one after the other, from `start` on
 */
#ifndef VDISIM_LAYERING_H
#define VDISIM_LAYERING_H

#include "vdisim/guest_disk.h"
#include "vdisim/parameter.h"
#include "vdisim/world.h"

#include <stdbool.h>
#include <stdint.h>

struct appliance_settings {
    double bytes_per_s;      /* what passes through it, all jobs together; INFINITY: no limit */
    int64_t job_overhead_ns; /* of a job, beyond its copies */
    int64_t at_a_time;       /* jobs */
    int64_t chunk_bytes;
    int64_t depth;     /* chunks of a copy in flight */
    bool whole_disks;  /* the hypervisor hands out whole disks; else used blocks */
    bool zeroed_disks; /* a new layer disk is written once before it is used */
};

struct layering_settings {
    const char *source, *repository, *machines, *images; /* stores, perhaps all the same */
    struct guest_disk_settings guest;                    /* how their users see them */
    struct appliance_settings appliance;
    int64_t cache_bytes; /* layer disk cache; 0: none */
    int64_t start_ns;
    struct parameter_texts layers, jobs;
};

extern const struct parameter_table layering_parameters, appliance_parameters;
extern const struct workload_kind layering_kind;

/* The check of the kind: disks and cache fit in their stores. */
bool layering_fits(const struct scenario *scenario, const void *settings, struct parameter_problem *problem);

#endif
