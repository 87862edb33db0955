/* What is reported of layering jobs, from one record a job. */
#ifndef VDISIM_MODELS_LAYERING_REPORT_H
#define VDISIM_MODELS_LAYERING_REPORT_H

#include "models/layering/layering_plan.h"
#include "vdisim/outcome.h"

#include <stdbool.h>
#include <stdint.h>

/* Where the time of a job goes, one after the other. */
enum layering_step {
    STEP_OVERHEAD,   /* beyond the copies */
    STEP_COMPOSE,    /* layers are written into one disk in the repository */
    STEP_SEND,       /* that disk goes to the hypervisor, or to where images are */
    STEP_TO_CACHE,   /* a first copy is kept */
    STEP_FROM_CACHE, /* the boot disk is made from the copy kept */
    STEP_LAYER_DISK, /* the layer disk is made ready */
    STEP_FETCH,      /* a disk comes from the hypervisor */
    STEP_COUNT
};

/* One job. step_ns adds up to end_ns - start_ns exactly once it has finished. */
struct layering_record {
    int64_t start_ns, end_ns; /* start_ns SIM_NEVER_NS: not begun */
    bool finished;
    int64_t step_ns[STEP_COUNT];
    int64_t read_bytes, written_bytes;
    uint32_t hits, misses, evictions; /* of the layer disk cache */
};

/* Of the jobs that began in a span; names and order are the same for every span. `records` has one a job of the plan. */
void layering_records_report(const struct layering_plan *plan, const struct layering_record *records,
                             int64_t from_ns, int64_t to_ns, struct metric_sink *sink);

#endif
