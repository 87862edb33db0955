/* What caching and boots cost: a lookup in the cache of blocks, the memory of a block, a boot storm. */
#include "models/world/world_state.h"
#include "tests/bench/bench.h"
#include "tests/support/matrix_scenario.h"
#include "vdisim/block_cache.h"
#include "vdisim/boots.h"
#include "vdisim/random.h"

#include <stdlib.h>

#define BLOCKS  1000000
#define LOOKUPS 4000000

/* Random blocks of the first `blocks`, of which a million are held: what is missed is put in, and the oldest goes. */
static double cost_of_use(uint64_t blocks)
{
    struct block_cache cache;
    block_cache_init(&cache, (int64_t)BLOCKS * 4096, 4096);
    for (uint32_t block = 0; block < BLOCKS; block++)
        if (!block_cache_put(&cache, 1, block))
            return -1;
    struct sim_random random;
    sim_random_init(&random, 1, 0, "lookups");
    const double start_ns = bench_cpu_ns();
    for (int i = 0; i < LOOKUPS; i++) {
        const uint32_t block = (uint32_t)((sim_random_u64(&random) >> 32) * blocks >> 32);
        if (!block_cache_use(&cache, 1, block))
            block_cache_put(&cache, 1, block);
    }
    const double cost_ns = (bench_cpu_ns() - start_ns) / LOOKUPS;
    const bool as_expected = (cache.misses == 0) == (blocks == BLOCKS);
    block_cache_release(&cache);
    return as_expected ? cost_ns : -1;
}

static double cache_lookup(void)
{
    return cost_of_use(BLOCKS);
}

static double cache_half_missed(void)
{
    return cost_of_use(2 * BLOCKS);
}

static double cache_block_bytes(void)
{
    struct block_cache cache;
    block_cache_init(&cache, (int64_t)BLOCKS * 4096, 4096);
    for (uint32_t block = 0; block < BLOCKS; block++)
        if (!block_cache_put(&cache, 1, block))
            return -1;
    const double bytes = (double)block_cache_memory_bytes(&cache) / BLOCKS;
    block_cache_release(&cache);
    return bytes;
}

/* 600 targets boot within two minutes from two servers of 10 Gbit/s; 204 MB each. */
static double boot_storm(void)
{
    static const char *const schedule[] = {"0 s boot all every 200 ms"};
    struct matrix_scenario matrix;
    matrix_scenario_init(&matrix);
    matrix.hosts.nic_bytes_per_s = 1.25e9;
    matrix.hosts.smb.data_cache = (struct smb_cache_settings){SMB_CACHES_BY_LEASES, INT64_C(28) << 30, 65536,
                                                              INT64_MAX, 10 * SIM_NS_PER_S};
    const struct boots_settings boots = {
        .hosts = "hosts",
        .store = "profiles",
        .targets = 600,
        .vdisk = {INT64_C(10) << 30, 204000000, 524288, 32768, 120 * SIM_NS_PER_S, 16, 0.0025, 1.0 / 3600},
        .pvs = {.ports = 20,
                .threads = 8,
                .burst_packets = 32,
                .packet_payload_bytes = 1408,
                .packet_header_bytes = 56,
                .round_trip_ns = 200000,
                .target_bytes_per_s = 125e6,
                .idle_close_ns = INT64_MAX},
        .schedule = {schedule, 1},
    };
    matrix.workload_part = (struct workload_part){"boots", &boots_kind, &boots};
    char message[128];
    struct world *world = world_create(&matrix.scenario, 1, 0, message, sizeof message);
    if (world == NULL)
        return -1;
    const double start_ns = bench_cpu_ns();
    world_run_until(world, 10 * SIM_NS_PER_MIN);
    const double s = (bench_cpu_ns() - start_ns) / 1e9;
    const bool finished = matrix_metric(world, "boots.finished") == 600.0;
    world_destroy(world);
    return finished ? s : -1;
}

const struct bench bench_pvs[] = {
    {"cache.lookup", "ns", cache_lookup, NULL, 200, 5},
    {"cache.half_missed", "ns", cache_half_missed, NULL, 0, 5},
    {"cache.block", "bytes", cache_block_bytes, NULL, 64, 1},
    {"boots.storm", "s", boot_storm, NULL, 2, 3},
    {0},
};
