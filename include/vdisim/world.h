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
};

/* A kind of workload. create() must schedule its first events or processes. */
struct workload_kind {
    const char *name;
    const char *help;
    const struct parameter_table *parameters;
    struct workload *(*create)(struct world *world, const char *name, const void *settings);
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
    int64_t replications;
    int64_t seed;
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

/* Builds a run. NULL with a message (one clear line, no full stop) when something does not fit together or
 * memory is short. The scenario must outlive the world. */
struct world *world_create(const struct scenario *scenario, uint64_t seed, uint64_t replication,
                           char *message, size_t message_size);

void world_destroy(struct world *world);

enum sim_end world_run_until(struct world *world, int64_t until_ns);

int64_t world_now_ns(const struct world *world);

struct sim_account world_account(const struct world *world);

/* All metrics of the run so far. Names are plain; with several stores those of each are prefixed by its name and a dot, and so
 * are those of workloads of which there are several of one kind. */
void world_report(struct world *world, struct metric_sink *sink);

/* The random multiplier of this run whose law is known (DESIGN "run effect"), for use as a control variate.
 * False when the scenario has none (then *value is 1); its mean is 1 and its coefficient of variation *cv. */
bool world_run_effect(const struct world *world, double *value, double *cv);

/* The logons in the order of their start. Owned by the world. */
const struct logon_record *world_logons(struct world *world, size_t *count);

size_t world_store_count(const struct world *world);
const char *world_store_name(const struct world *world, size_t store);
/* The finished and the current minutes of a store. Owned by the world, valid until it runs on. */
const struct minute_record *world_minutes(struct world *world, size_t store, size_t *count);

/* A model used outside the range it states: a sentence each, e.g. "3 handles were refused". Owned by the
 * world. */
size_t world_warning_count(const struct world *world);
const char *world_warning(const struct world *world, size_t index);

#endif
