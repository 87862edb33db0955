/* Amazon FSx for Windows, and what managed disks have of the same engine: which limit binds, how long its credits last, what
 * memory spares the disks. Limits are small ones of the test, worked out by hand. */
#include "tests/support/generator_scenario.h"
#include "vdisim/fsx_windows.h"
#include "vdisim/managed_disks.h"

#define MB   1e6
#define DATA (65536.0 / (65536.0 + 200.0)) /* of what passes a limit on both directions */

/* 1 GiB, everything unlimited but the network, at 20 MB/s, and three times that for ten seconds. */
static void small_server(struct generator_scenario *test, struct fsx_windows_settings *fsx)
{
    generator_scenario_init(test);
    *fsx = (struct fsx_windows_settings){.size_bytes = INT64_C(1) << 30,
                                         .size_min_bytes = 1,
                                         .size_max_bytes = INT64_MAX,
                                         .server = {.network_bytes_per_s = 20 * MB,
                                                    .network_burst_bytes_per_s = 60 * MB,
                                                    .disk_bytes_per_s = 1e12,
                                                    .disk_burst_bytes_per_s = 1e12,
                                                    .disk_iops = 1e9,
                                                    .disk_burst_iops = 1e9,
                                                    .network_burst_time_ns = 10 * SIM_NS_PER_S,
                                                    .disk_burst_time_ns = 5 * SIM_NS_PER_S,
                                                    .memory_bytes = 1 << 20},
                                         .iops_per_gib = 1e9,
                                         .burst_iops_per_gib = 1e9,
                                         .bytes_per_s_per_gib = 1e12,
                                         .burst_bytes_per_s_per_gib = 1e12,
                                         .bytes_per_s_max = INFINITY,
                                         .initial_credits = 1.0,
                                         .cache_block_bytes = 65536,
                                         .cache_time_ns = 100000,
                                         .limit_window_ns = SIM_NS_PER_MS,
                                         .channels = 4,
                                         .service = test->share.service};
    test->store_part = (struct store_part){"data", &fsx_windows_kind, fsx};
    test->generator.outstanding = 16;
}

static double mb_per_s(struct generator_scenario *test, double warm_up_s, double length_s)
{
    return generator_throughput(test, warm_up_s, length_s) * TEST_MIB / MB;
}

static void the_network_bursts_for_its_credits(void **state)
{
    (void)state;
    struct generator_scenario test;
    struct fsx_windows_settings fsx;
    small_server(&test, &fsx);
    assert_near_relative(mb_per_s(&test, 0.3, 9.2), 60.0 * DATA, 0.02);
    assert_near_relative(mb_per_s(&test, 11.0, 4.0), 20.0 * DATA, 0.02);
    small_server(&test, &fsx);
    fsx.initial_credits = 0.5;
    assert_near_relative(mb_per_s(&test, 6.0, 4.0), 20.0 * DATA, 0.02);
}

static void the_lower_of_server_and_volumes_counts(void **state)
{
    (void)state;
    struct generator_scenario test;
    struct fsx_windows_settings fsx;
    small_server(&test, &fsx);
    fsx.server.network_bytes_per_s = fsx.server.network_burst_bytes_per_s = INFINITY;
    fsx.server.disk_bytes_per_s =
        10 * MB; /* 40 for five seconds, of which the volumes allow 30 for 40 / 30 of that */
    fsx.server.disk_burst_bytes_per_s = 40 * MB;
    fsx.bytes_per_s_per_gib = fsx.burst_bytes_per_s_per_gib = 30 * MB;
    assert_near_relative(mb_per_s(&test, 0.3, 6.5), 30.0 * DATA, 0.02); /* 150 MB / (30 - 10) = 7.5 s */
    assert_near_relative(mb_per_s(&test, 9.0, 4.0), 10.0 * DATA, 0.02);
    small_server(&test, &fsx);
    test.generator.pattern.block_bytes = 4096;
    fsx.iops_per_gib = 100;
    fsx.burst_iops_per_gib = 500;
    fsx.volume_burst_time_ns = 4 * SIM_NS_PER_S;
    assert_near_relative(mb_per_s(&test, 0.5, 3.0) * MB / 4096, 500.0, 0.03);
    assert_near_relative(mb_per_s(&test, 6.0, 4.0) * MB / 4096, 100.0, 0.03);
    small_server(&test, &fsx);
    test.generator.pattern.block_bytes = 4096;
    fsx.iops_per_gib = fsx.burst_iops_per_gib = 100;
    fsx.provisioned_iops = 800; /* bought */
    assert_near_relative(mb_per_s(&test, 1.0, 4.0) * MB / 4096, 800.0, 0.03);
}

/* What memory holds passes the network alone. */
static void reads_from_memory_spare_the_disks(void **state)
{
    (void)state;
    struct generator_scenario test;
    struct fsx_windows_settings fsx;
    small_server(&test, &fsx);
    test.generator.pattern.read_share = 1.0;
    test.generator.file_bytes = 1 << 20; /* 2 clients x 4 files: 8 MiB, read in the first second */
    fsx.server.network_bytes_per_s = fsx.server.network_burst_bytes_per_s = 50 * MB;
    fsx.bytes_per_s_per_gib = fsx.burst_bytes_per_s_per_gib = 10 * MB;
    fsx.cache_share = 1.0;
    fsx.server.memory_bytes = 64 << 20;
    assert_near_relative(mb_per_s(&test, 3.0, 4.0), 50.0 * DATA, 0.02);
    fsx.server.memory_bytes = 1 << 20; /* too small: every round throws out what the next one wants */
    assert_near_relative(mb_per_s(&test, 3.0, 4.0), 10.0 * DATA, 0.15);
    test.generator.pattern.read_share = 0.0; /* writes go to disk whatever is held */
    fsx.server.memory_bytes = 64 << 20;
    assert_near_relative(mb_per_s(&test, 3.0, 4.0), 10.0 * DATA, 0.02);
}

static void two_disks(struct generator_scenario *test, struct managed_disks_settings *disks)
{
    generator_scenario_init(test);
    *disks = (struct managed_disks_settings){.disks = 2,
                                             .disk = {.size_bytes = INT64_C(1) << 30,
                                                      .iops = 1e6,
                                                      .burst_iops = 1e6,
                                                      .bytes_per_s = 10 * MB,
                                                      .burst_bytes_per_s = 10 * MB},
                                             .machine = {.disks = 4,
                                                         .iops = INFINITY,
                                                         .bytes_per_s = INFINITY,
                                                         .cached_iops = INFINITY,
                                                         .cached_bytes_per_s = 50 * MB,
                                                         .cache_bytes = 64 << 20,
                                                         .nic_bytes_per_s = INFINITY},
                                             .burst_time_ns = 5 * SIM_NS_PER_S,
                                             .initial_credits = 1.0,
                                             .cache_block_bytes = 65536,
                                             .cache_time_ns = 100000,
                                             .limit_window_ns = SIM_NS_PER_MS,
                                             .service = test->share.service};
    test->store_part = (struct store_part){"data", &managed_disks_kind, disks};
    test->generator.outstanding = 16;
    test->generator.file_bytes = 1 << 20;
}

static void host_caching_lifts_reads_to_the_cached_limit(void **state)
{
    (void)state;
    struct generator_scenario test;
    struct managed_disks_settings disks;
    two_disks(&test, &disks);
    test.generator.pattern.read_share = 1.0;
    assert_near_relative(mb_per_s(&test, 2.0, 4.0), 20.0 * DATA, 0.02);
    disks.host_caching = HOST_CACHING_READ_ONLY;
    assert_near_relative(mb_per_s(&test, 2.0, 4.0), 50.0 * DATA, 0.02);
    disks.machine.cached_bytes_per_s = 5 * MB; /* what goes to the disks passes both */
    test.generator.pattern.read_share = 0.0;
    assert_near_relative(mb_per_s(&test, 2.0, 4.0), 5.0 * DATA, 0.02);
}

static void a_disk_on_demand_has_no_credits_to_lose(void **state)
{
    (void)state;
    struct generator_scenario test;
    struct managed_disks_settings disks;
    struct parameter_problem problem;
    two_disks(&test, &disks);
    disks.on_demand_bursting = true;
    assert_false(managed_disks_parameters.check(&disks, &problem));
    assert_string_equal(problem.parameter, "on_demand_bursting");
    disks.disk.on_demand_iops = 1e6;
    disks.disk.on_demand_bytes_per_s = 30 * MB;
    assert_true(managed_disks_parameters.check(&disks, &problem));
    assert_near_relative(mb_per_s(&test, 20.0, 4.0), 60.0 * DATA, 0.02);
}

static void a_machine_has_credits_of_its_own(void **state)
{
    (void)state;
    struct generator_scenario test;
    struct managed_disks_settings disks;
    two_disks(&test, &disks);
    disks.machine.bytes_per_s = 5 * MB;
    disks.machine.burst_bytes_per_s = 15 * MB;
    assert_near_relative(mb_per_s(&test, 0.3, 4.4), 15.0 * DATA, 0.02);
    assert_near_relative(mb_per_s(&test, 6.0, 4.0), 5.0 * DATA, 0.02);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_network_bursts_for_its_credits),
        cmocka_unit_test(the_lower_of_server_and_volumes_counts),
        cmocka_unit_test(reads_from_memory_spare_the_disks),
        cmocka_unit_test(host_caching_lifts_reads_to_the_cached_limit),
        cmocka_unit_test(a_disk_on_demand_has_no_credits_to_lose),
        cmocka_unit_test(a_machine_has_credits_of_its_own),
    };
    return RUN_TESTS(tests);
}
