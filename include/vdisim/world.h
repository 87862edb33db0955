/* A world: the stores, hosts, network and workloads of one experiment cell, put together and run once.
 *
 * A scenario is the plain description, filled from an experiment file or by hand; it is not changed by a run
 * and can be shared by threads. A world is one run of it, for one seed and replication. Kinds of stores and
 * workloads are found by name in two tables (models/kinds.def): a new kind is a new file with one const
 * struct and one line there.
 *
 *     struct world *world = world_create(&scenario, seed, replication, message, sizeof message);
 *     while (world_now_ns(world) < scenario.run.length_ns) world_run_until(world, next_minute);
 *     world_report(world, &sink);
 *     world_destroy(world);
 */
#ifndef VDISIM_WORLD_H
#define VDISIM_WORLD_H

#include "vdisim/outcome.h"
#include "vdisim/parameter.h"
#include "vdisim/sim.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct entitlement;
struct price;
struct scenario;
struct store;
struct workload;
struct world;

/* A kind of store: what can be set, and how one is made. */
struct store_kind {
    const char *name;
    const char *help;
    const struct parameter_table *parameters;
    /* NULL when memory is short. `name` and `settings` outlive the store. */
    struct store *(*create)(struct world *world, const char *name, const void *settings);
    /* What fits in it; NULL: no limit is known. */
    int64_t (*capacity_bytes)(const void *settings);
    /* What it may do and why: entitlement.h. NULL: nothing limits it but its own speed. */
    void (*entitle)(const void *settings, struct entitlement *entitlement);
    /* What it costs: price.h. NULL: the kind has no price. */
    const struct price *(*price)(const void *settings);
    /* Whether it fits the rest of the scenario, whose parts each are in order; false with what is wrong. May be NULL. */
    bool (*check)(const struct scenario *scenario, const void *settings, struct parameter_problem *problem);
};

/* A kind of workload. create() must schedule its first events or processes. */
struct workload_kind {
    const char *name;
    const char *help;
    const struct parameter_table *parameters;
    struct workload *(*create)(struct world *world, const char *name, const void *settings);
    /* Whether it fits the rest of the scenario, whose parts each are in order; false with what is wrong. May be NULL. */
    bool (*check)(const struct scenario *scenario, const void *settings, struct parameter_problem *problem);
};

/* NULL-terminated; models/kinds.def. */
extern const struct store_kind *const store_kinds[];
extern const struct workload_kind *const workload_kinds[];

/* The other sections of an experiment: hosts (a named group each), network, run. */
extern const struct parameter_table host_group_parameters; /* struct host_group_settings, host.h */
extern const struct parameter_table network_parameters;    /* struct network_settings, host.h */
extern const struct parameter_table run_parameters;        /* struct run_settings */

struct run_settings {
    int64_t length_ns;
    int64_t replications; /* without a target precision */
    int64_t seed;
    int64_t warm_up_ns; /* nothing is measured before */
    bool steady_state;  /* the warm-up is found in each run, by MSER-5 */
    int64_t batches;    /* 0: none; else what follows the warm-up is cut into so many parts, measured each */
    const char
        *precision; /* NULL: a fixed count; else the half-width wanted, `2 %` or in the metric's unit */
    const char *of; /* the metric it is wanted of */
    double confidence;
    int64_t at_least, at_most; /* replications */
};

/* One named thing of an experiment: `settings` points to the struct that kind->parameters describes. */
struct store_part {
    const char *name;
    const struct store_kind *kind;
    const void *settings;
};
struct workload_part {
    const char *name;
    const struct workload_kind *kind;
    const void *settings;
};
struct hosts_part {
    const char *name;
    const void *settings; /* struct host_group_settings */
};

struct scenario {
    const struct store_part *stores;
    size_t store_count;
    const struct hosts_part *hosts;
    size_t hosts_count;
    const struct workload_part *workloads;
    size_t workload_count;
    const void *network; /* struct network_settings */
    struct run_settings run;
};

/* What fits in the store of that name; INT64_MAX: no limit is known, or there is no such store. */
int64_t scenario_room_bytes(const struct scenario *scenario, const char *store);

/* Builds a run. NULL with a message (one clear line, no full stop) when something does not fit together or
 * memory is short. The scenario must outlive the world. */
struct world *world_create(const struct scenario *scenario, uint64_t seed, uint64_t replication,
                           char *message, size_t message_size);

void world_destroy(struct world *world);

enum sim_end world_run_until(struct world *world, int64_t until_ns);

int64_t world_now_ns(const struct world *world);

struct sim_account world_account(const struct world *world);

/* --- What is measured ---
 *
 * All of the run, from its first instant to now; or, once it has been marked, all since the first mark, so that
 * a mark at the end of a warm-up leaves that out. Each mark begins a part, which lasts until the next or until
 * now: the batches of one long run. Every request belongs to one part or to the warm-up, by the instant at
 * which its answer was with the client; every logon by the instant at which it starts, whenever it ends.
 *
 *     world_run_until(world, warm_up_ns);
 *     for (int batch = 0; batch < batches; batch++) {
 *         world_mark(world);
 *         world_run_until(world, warm_up_ns + (batch + 1) * batch_ns);
 *     }
 *     for (size_t part = 0; part < world_part_count(world); part++)
 *         world_report_part(world, part, &sink);
 *
 * A mark schedules nothing and draws nothing: events, fingerprint, logon and minute records are those of the run
 * without. So a run may be repeated with marks where the records of the first pass say they should have been.
 */

/* Begins a part at the present instant, between two calls of world_run_until(); events of this instant that
 * have fired are before it, but a logon that starts at it is after it. Memory short: the run ends as
 * SIM_END_MEMORY. */
void world_mark(struct world *world);

/* As many as there are marks; 1, the whole run, when there is none. */
size_t world_part_count(const struct world *world);

/* Where a part begins; and where it ends, which for the last is now. */
int64_t world_part_from_ns(const struct world *world, size_t part);
int64_t world_part_to_ns(const struct world *world, size_t part);

/* All metrics of what is measured, its parts taken together. Names are plain; with several stores those of each
 * are prefixed by its name and a dot, and so are those of workloads of which there are several of one kind.
 *
 * Rates are over the time measured. What is reported of the busiest minute (`*.peak`) is over the minutes of the
 * clock that lie within it, NaN when none does; an unmarked run counts a last minute that it does not complete, too,
 * as a minute. The busiest second is over the seconds that no mark cuts. */
void world_report(struct world *world, struct metric_sink *sink);

/* The same metrics in the same order of one part. Logons of a part may end after it: report when the run has
 * ended. Those that have not finished by then are unfinished in the part in which they started. */
void world_report_part(struct world *world, size_t part, struct metric_sink *sink);

/* The random multiplier of this run whose law is known (DESIGN "run effect"), for use as a control variate.
 * False when the scenario has none (then *value is 1); its mean is 1 and its coefficient of variation *cv. */
bool world_run_effect(const struct world *world, double *value, double *cv);

/* The logons in the order of their start. Owned by the world. */
const struct logon_record *world_logons(struct world *world, size_t *count);

size_t world_store_count(const struct world *world);
const char *world_store_name(const struct world *world, size_t store);
/* The finished and the current minutes of a store. Owned by the world, valid until it runs on. */
const struct minute_record *world_minutes(struct world *world, size_t store, size_t *count);
/* The same by workload: [minute * *workloads + workload], in the order of the scenario; NULL, *workloads 0, where they are not
 * told apart, as there is only one. Their sums are the minutes. */
const struct workload_minute *world_workload_minutes(struct world *world, size_t store, size_t *workloads);
/* For who looks on while it runs: the minutes as they stand, without closing the current one, which would take note of the
 * credits at that instant. The last may lack its busiest second. */
const struct minute_record *world_minutes_so_far(const struct world *world, size_t store, size_t *count);

/* A model used outside the range it states: a sentence each, e.g. "3 handles were refused". Owned by the
 * world. */
size_t world_warning_count(const struct world *world);
const char *world_warning(const struct world *world, size_t index);

#endif
