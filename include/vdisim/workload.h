/* A workload: whatever makes requests of stores. Logons, boots, copy jobs and load generators are workloads.
 *
 * Every workload embeds a struct workload first. A new kind of workload is one file: a settings struct with
 * its parameter table, a create function that schedules its first processes or events, and one const struct
 * workload_kind that is named in models/kinds.def.
 */
#ifndef VDISIM_WORKLOAD_H
#define VDISIM_WORKLOAD_H

#include "vdisim/outcome.h"

struct workload;

struct workload_operations {
    /* The metrics of what began at from_ns or later and before to_ns, whenever it ended. Names and their order are the
     * same for every span. A run without marks is asked once, from 0 to SIM_NEVER_NS. */
    void (*report)(struct workload *workload, int64_t from_ns, int64_t to_ns, struct metric_sink *sink);
    void (*destroy)(struct workload *workload);
    /* The logons so far, in the order of their start; NULL for a workload without. */
    const struct logon_record *(*logons)(struct workload *workload, size_t *count);
    /* The random multiplier of this run, see world_run_effect(); NULL for a workload without. */
    bool (*run_effect)(const struct workload *workload, double *value, double *cv);
    /* Its users, among whom a cost is divided; NULL for a workload without. */
    int64_t (*users)(const struct workload *workload);
};

struct workload {
    const struct workload_operations *operations;
    const char *name;
    uint8_t number; /* its place in the scenario, from 0; the last one that fits for all beyond */
};

#endif
