/* The inside of a world, for the models that are put together in it. */
#ifndef VDISIM_MODELS_WORLD_STATE_H
#define VDISIM_MODELS_WORLD_STATE_H

#include "vdisim/bucket.h"
#include "vdisim/host.h"
#include "vdisim/store.h"
#include "vdisim/workload.h"
#include "vdisim/world.h"

/* A storage account: limits that its shares have in common. The first share sets them. */
struct account {
    const char *name;
    size_t stores; /* that share it */
    bool pooled;   /* ingress and egress draw on `egress` */
    struct sim_bucket iops, ingress, egress;
};

#define WORLD_WARNINGS_MAX 16

struct world {
    const struct scenario *scenario;
    uint64_t seed, replication;
    struct sim *sim;
    struct network network;
    struct store **stores;
    size_t store_count;
    struct account *accounts; /* room for one a store */
    size_t account_count;
    struct host_group *groups;
    size_t group_count;
    struct workload **workloads;
    size_t workload_count;
    uint64_t users;              /* of all workloads: numbers that make paths unique */
    struct logon_record *logons; /* gathered when asked for */
    int64_t *marks_ns;           /* at which the measured parts begin */
    size_t mark_count, mark_capacity;
    char warnings[WORLD_WARNINGS_MAX][256];
    size_t warning_count;
};

/* Each NULL when there is none of that name. */
struct store *world_store(struct world *world, const char *name);
struct host_group *world_hosts(struct world *world, const char *name);

/* The account of that name, made when first asked for; `name` NULL: one of its own for `owner`. */
struct account *world_storage_account(struct world *world, const char *name, const char *owner);

/* Prepares the common part of a workload that is being made. `name` outlives it. */
void workload_init(struct workload *workload, const struct world *world,
                   const struct workload_operations *operations, const char *name);

/* Notes once that a model is used outside its range. */
void world_warn(struct world *world, const char *format, ...) __attribute__((format(printf, 2, 3)));

#endif
