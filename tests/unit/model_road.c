/* What one traveller on the road may do to another: two groups of hosts, one of them in trouble. */
#include "models/smb/smb_client.h"
#include "models/world/world_state.h"
#include "tests/support/check.h"
#include "tests/support/matrix_scenario.h"

/* Two workloads of five users each, on host groups of their own, one store. */
struct two_groups {
    struct matrix_scenario matrix;
    struct host_group_settings other_hosts;
    struct logons_settings other_logons;
    struct hosts_part hosts_parts[2];
    struct workload_part workload_parts[2];
};

static void two_groups_init(struct two_groups *two)
{
    matrix_scenario_init(&two->matrix);
    two->matrix.logons.users = 5;
    two->matrix.logons.arrivals.window_ns = SIM_NS_PER_MIN;
    two->other_hosts = two->matrix.hosts;
    two->other_logons = two->matrix.logons;
    two->other_logons.hosts = "others";
    two->hosts_parts[0] = two->matrix.hosts_part;
    two->hosts_parts[1] = (struct hosts_part){"others", &two->other_hosts};
    two->workload_parts[0] = two->matrix.workload_part;
    two->workload_parts[1] = (struct workload_part){"others", &logons_kind, &two->other_logons};
    two->matrix.scenario.hosts = two->hosts_parts;
    two->matrix.scenario.hosts_count = 2;
    two->matrix.scenario.workloads = two->workload_parts;
    two->matrix.scenario.workload_count = 2;
}

/* The mean load of the first group's users. */
static double first_group_load(struct two_groups *two)
{
    char message[128];
    struct world *world = world_create(&two->matrix.scenario, 1, 0, message, sizeof message);
    assert_non_null(world);
    world_run_until(world, SIM_NS_PER_HOUR);
    const double load = matrix_metric(world, "logons.profile_load.mean");
    world_destroy(world);
    return load;
}

static void a_slow_core_slows_its_own_host_only(void **state)
{
    (void)state;
    struct two_groups two;
    two_groups_init(&two);
    two.matrix.network.bytes_per_s = 1e9; /* shared, and nearly idle */
    const double alone = first_group_load(&two);
    two.other_hosts.smb.send_bytes_per_s =
        10000; /* 10 ms for each request of 100 bytes, and it falls behind */
    assert_near_relative(first_group_load(&two), alone, 0.01);
}

static void a_large_copy_holds_no_lane_while_its_file_is_busy(void **state)
{
    (void)state;
    struct two_groups two;
    two_groups_init(&two);
    two.matrix.share.service.lanes = 33;
    two.matrix.share.service.lane_time_ns = 100000;
    two.matrix.share.service.file_egress_bytes_per_s = 5 * TEST_MIB;
    two.matrix.logons.profile.registry_bytes = 0;
    two.other_logons.profile.registry_bytes = 0;
    const double without_copy = first_group_load(&two);
    two.other_logons.profile_management.large_file_handling = false;
    assert_near_relative(first_group_load(&two), without_copy, 0.01);
}

/* All credits of a connection go into one request of the I/O size: it is sent, alone. */
static void a_request_may_take_all_credits(void **state)
{
    (void)state;
    struct matrix_scenario matrix;
    matrix_scenario_init(&matrix);
    matrix.logons.users = 1;
    matrix.hosts.smb.credits = 16;
    char message[128];
    struct world *world = world_create(&matrix.scenario, 1, 0, message, sizeof message);
    world_run_until(world, SIM_NS_PER_MIN);
    size_t count = 0;
    const struct logon_record *records = world_logons(world, &count);
    assert_true(records[0].finished);
    /* The two reads of the registry no longer go together: the second waits for the credits of the first. */
    assert_near(sim_s_from_ns(records[0].load_ns), records[0].requests * 0.004, 1e-6);
    assert_int_equal(records[0].phase_cause_ns[PHASE_REGISTRY][CAUSE_WINDOW], 0);
    world_destroy(world);
}

/* The network's line is shared: twice 100 Mbit/s of answers through 100 Mbit/s take twice as long. */
static void a_shared_line_is_shared(void **state)
{
    (void)state;
    double load[2];
    for (int groups = 0; groups < 2; groups++) {
        struct two_groups two;
        two_groups_init(&two);
        two.matrix.network.bytes_per_s = 12.5e6;
        two.matrix.logons.users = two.other_logons.users = 1;
        two.matrix.logons.profile_management.large_file_handling = false;
        two.other_logons.profile_management.large_file_handling = groups == 0;
        load[groups] = first_group_load(&two);
    }
    assert_between(load[0], 343.6 + 6.8 - 1.0, 343.6 + 6.8 + 2.0);
    assert_between(load[1], 2 * 343.6 - 10.0, 2 * 343.6 + 12.0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_slow_core_slows_its_own_host_only),
        cmocka_unit_test(a_large_copy_holds_no_lane_while_its_file_is_busy),
        cmocka_unit_test(a_request_may_take_all_credits),
        cmocka_unit_test(a_shared_line_is_shared),
    };
    return RUN_TESTS(tests);
}
