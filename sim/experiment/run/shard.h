/* A shard: a part of the units of an experiment, for a run spread over several machines.
 *
 * Units are numbered cell by cell, replication by replication, and dealt out like cards, so that each of the shards
 * gets its part of every cell. Only with a fixed count of replications.
 */
#ifndef VDISIM_SHARD_H
#define VDISIM_SHARD_H

#include "sim/experiment/run/unit.h"

struct shard {
    size_t index, count; /* index from 0; count 0: no shards, all units */
};

/* The shard that a unit belongs to; archive_inside.h says the same in SQL. */
static inline size_t shard_of_unit(struct unit unit, size_t replications, size_t shard_count)
{
    return (unit.cell * replications + unit.replication) % shard_count;
}

static inline bool shard_has(const struct shard *shard, struct unit unit, size_t replications)
{
    return shard->count == 0 || shard_of_unit(unit, replications, shard->count) == shard->index;
}

/* How many of `units` are this shard's. */
static inline size_t shard_size(const struct shard *shard, size_t units)
{
    return shard->count == 0 ? units : (units + shard->count - 1 - shard->index) / shard->count;
}

#endif
