/* One generator on one store, filled by hand: a share without limits that answers after 4 ms, two clients, no network, a client
 * that costs nothing. Change what the test is about. */
#ifndef VDISIM_TESTS_GENERATOR_SCENARIO_H
#define VDISIM_TESTS_GENERATOR_SCENARIO_H

#include "models/world/world_state.h"
#include "tests/support/check.h"
#include "tests/support/matrix_scenario.h"
#include "vdisim/generator.h"

#define TEST_KIB 1024

struct generator_scenario {
    struct share_settings share;
    struct host_group_settings hosts;
    struct network_settings network;
    struct generator_settings generator;
    struct store_part store_part;
    struct hosts_part hosts_part;
    struct workload_part workload_part;
    struct scenario scenario;
    struct world *world;
};

static inline void generator_scenario_init(struct generator_scenario *test)
{
    memset(test, 0, sizeof *test);
    matrix_share(&test->share);
    matrix_hosts(&test->hosts);
    test->network = (struct network_settings){0, INFINITY};
    test->generator = (struct generator_settings){.hosts = "nodes",
                                                  .store = "data",
                                                  .pattern = {64 * TEST_KIB, 0.6, 0.2},
                                                  .threads = 2,
                                                  .outstanding = 4,
                                                  .client_bytes_per_s = INFINITY,
                                                  .files = 4,
                                                  .file_bytes = 1 << 30,
                                                  .duration_ns = INT64_MAX};
    test->store_part = (struct store_part){"data", &share_kind, &test->share};
    test->hosts_part = (struct hosts_part){"nodes", &test->hosts};
    test->workload_part = (struct workload_part){"load", &generator_kind, &test->generator};
    test->scenario = (struct scenario){.stores = &test->store_part,
                                       .store_count = 1,
                                       .hosts = &test->hosts_part,
                                       .hosts_count = 1,
                                       .workloads = &test->workload_part,
                                       .workload_count = 1,
                                       .network = &test->network,
                                       .run = {SIM_NS_PER_HOUR, 1, 1}};
}

/* What follows the warm-up is measured. */
static inline void generator_run(struct generator_scenario *test, double warm_up_s, double length_s)
{
    char message[128] = "";
    test->world = world_create(&test->scenario, 1, 0, message, sizeof message);
    if (test->world == NULL)
        fail_msg("%s", message);
    if (warm_up_s > 0.0) {
        world_run_until(test->world, (int64_t)(warm_up_s * 1e9));
        world_mark(test->world);
    }
    const enum sim_end end = world_run_until(test->world, (int64_t)((warm_up_s + length_s) * 1e9));
    assert_true(end == SIM_END_TIME || end == SIM_END_EMPTY);
}

static inline double generator_metric(struct generator_scenario *test, const char *name)
{
    return matrix_metric(test->world, name);
}

/* MiB/s after a warm-up; the world is gone. */
static inline double generator_throughput(struct generator_scenario *test, double warm_up_s, double length_s)
{
    generator_run(test, warm_up_s, length_s);
    const double throughput = generator_metric(test, "throughput.mean");
    world_destroy(test->world);
    return throughput;
}

#endif
