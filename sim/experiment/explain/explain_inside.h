/* The inside of an explanation: its steps. All memory is the explanation's arena's, which jumps when it is short. */
#ifndef VDISIM_EXPLAIN_INSIDE_H
#define VDISIM_EXPLAIN_INSIDE_H

#include "sim/experiment/explain/explain.h"

#include "sim/experiment/read/opening.h"

/* A cell with what came of its run. */
struct explain_run {
    struct arena *arena;
    const struct resolution *resolution;
    const struct result *result;
    size_t cell; /* of the result */
};

const struct unit_result *explain_unit(const struct explain_run *run);

/* A metric of the run, NaN without one. */
double explain_metric(const struct explain_run *run, const char *name);
/* The same of a store, whose metrics carry its name where there are several. */
double explain_store_metric(const struct explain_run *run, size_t store, const char *name);

/* The setting at a path such as "stores.profiles.size"; NULL when there is none or it is not set. */
const struct setting *explain_setting(const struct resolution *resolution, const char *key);

/* Whether the profiles of the workload at a path such as "workloads.logons" are kept by this engine. */
bool explain_engine_is(const struct explain_run *run, const char *path, const char *engine);

/* Whether a store of the result is a share, not a server of disks. */
bool explain_is_share(const struct explain_run *run, size_t store);

/* Whether the store at a path such as "stores.profiles" is one of Azure Files on disks, which has premium to choose instead. */
bool explain_may_become_premium(const struct explain_run *run, const char *path);

/* What the store may do; false when nothing limits it. */
bool explain_entitlement(const struct explain_run *run, size_t store, struct entitlement *entitlement);

/* Which subject it has, its time and its parts: fills subject, prefix, time, parts, requests and total_ns. */
void explain_time_of(const struct explain_run *run, struct explain_cell *cell);
void explain_parts_of(const struct explain_run *run, struct explain_cell *cell);

/* The time line of its stores, and their credits. */
void explain_spells_of(const struct explain_run *run, struct explain_cell *cell);
void explain_credits_of(const struct explain_run *run, struct explain_cell *cell);

/* How the requests of a store that were throttled were answered most often, and what share of all was so;
 * RESPONSE_SUCCESS with 0. */
enum response_type explain_binding(const struct explain_run *run, size_t store, double *share);

/* The store that throttled the most requests in this way; -1 when none did. */
ptrdiff_t explain_binding_store(const struct explain_run *run, enum response_type type);

/* "profiles sends at most 675 MiB/s", or "" when it is not known. */
const char *explain_limit_words(const struct explain_run *run, size_t store, enum response_type type,
                                bool egress);

void explain_thresholds_of(const struct explain_run *run, struct explain_cell *cell);

/* The first sentence. */
const char *explain_sentence(const struct explain_run *run, const struct explain_cell *cell);

/* "a logon" */
const char *explain_subject_words(enum explain_subject subject);

/* Fills `changes` with what might help, the most promising first, and at most `budget`; returns how many were left out. */
size_t explain_choose_changes(const struct explain_run *run, const struct explain_cell *cell, size_t budget,
                              struct explain_change **changes, size_t *count);

#endif
