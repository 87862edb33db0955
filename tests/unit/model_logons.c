/* Logons request by request: how many round trips, how long, charged to what, and that nothing is lost on the
 * road. */
#include "models/smb/smb_client.h"
#include "models/world/world_state.h"
#include "tests/support/check.h"
#include "tests/support/matrix_scenario.h"

#define MS 1e-3

static struct world *run(struct matrix_scenario *matrix, int64_t length_ns)
{
    char message[128] = "";
    struct world *world = world_create(&matrix->scenario, 1, 0, message, sizeof message);
    assert_non_null(world);
    assert_int_equal(world_run_until(world, length_ns), SIM_END_TIME);
    return world;
}

/* What must hold of every run, whatever its settings. */
static void check_conservation(struct world *world)
{
    uint64_t answered = 0, in_flight = 0;
    for (size_t g = 0; g < world->group_count; g++) {
        for (size_t h = 0; h < world->groups[g].count; h++) {
            const struct smb_client *client = world->groups[g].hosts[h].clients[0];
            if (client == NULL)
                continue;
            const struct smb_account account = smb_account(client);
            assert_int_equal(account.sent, account.answered + account.in_flight + account.waiting);
            assert_true(client->channels[0].credits_used <= client->settings->credits);
            assert_true(account.waiting == 0 || account.in_flight > 0);
            answered += account.answered;
            in_flight += account.in_flight;
        }
    }
    const struct store_meter *meter = &world->stores[0]->meter;
    assert_int_equal(meter->settled, answered);
    assert_true(meter->arrived >= meter->settled && meter->arrived <= meter->settled + in_flight);
    size_t count = 0;
    const struct logon_record *records = world_logons(world, &count);
    for (size_t i = 0; i < count; i++) {
        int64_t sum_ns = 0;
        for (int phase = 0; phase < PHASE_COUNT; phase++)
            for (int cause = 0; cause < CAUSE_COUNT; cause++) {
                assert_true(records[i].phase_cause_ns[phase][cause] >= 0);
                sum_ns += records[i].phase_cause_ns[phase][cause];
            }
        if (records[i].finished)
            assert_int_equal(sum_ns, records[i].load_ns);
        else
            assert_true(sum_ns <= records[i].load_ns);
    }
    size_t minutes = 0;
    const struct minute_record *minute = world_minutes(world, 0, &minutes);
    uint64_t transactions = 0, operations = 0;
    for (size_t m = 0; m < minutes; m++) {
        for (int type = 0; type < RESPONSE_TYPE_COUNT; type++)
            transactions += minute[m].transactions[type];
        for (int class_of = 0; class_of < OPERATION_CLASS_COUNT; class_of++)
            operations += minute[m].operations[class_of];
    }
    assert_int_equal(transactions, meter->settled);
    assert_int_equal(operations, meter->settled);
}

static void a_logon_takes_its_round_trips(void **state)
{
    (void)state;
    struct matrix_scenario matrix;
    matrix_scenario_init(&matrix);
    struct world *world = run(&matrix, 10 * SIM_NS_PER_MIN);
    size_t count = 0;
    const struct logon_record *records = world_logons(world, &count);
    assert_int_equal(count, 2);
    /* By hand: negotiate 1, session 3, path 3 x 3; registry 2 MiB open, query, 2 reads, close; 20 folders of
     * open, list, end, close; 399 files of open, attributes, security, close; pending area 3 (empty: no
     * listing but its end); mailbox 3; three redirected folders 3 each. */
    const uint32_t requests = 1 + 3 + 9 + 5 + 20 * 4 + 399 * 4 + 3 + 3 + 9;
    assert_int_equal(records[0].requests, requests);
    /* Each round trip takes 4 ms; the two reads of the registry go together. */
    assert_near(sim_s_from_ns(records[0].load_ns), (requests - 1) * 4 * MS, 1e-6);
    assert_int_equal(records[0].phase_cause_ns[PHASE_FILES][CAUSE_SERVER_LATENCY],
                     399 * 4 * 4 * SIM_NS_PER_MS);
    check_conservation(world);
    world_destroy(world);
}

static void load_follows_latency_and_round_trip(void **state)
{
    (void)state;
    struct matrix_scenario matrix;
    matrix_scenario_init(&matrix);
    matrix.network.round_trip_ns = 30 * SIM_NS_PER_MS;
    struct world *world = run(&matrix, 10 * SIM_NS_PER_MIN);
    size_t count = 0;
    const struct logon_record *records = world_logons(world, &count);
    assert_near(sim_s_from_ns(records[0].load_ns), (records[0].requests - 1) * 34 * MS, 1e-6);
    int64_t network_ns = 0;
    for (int phase = 0; phase < PHASE_COUNT; phase++)
        network_ns += records[0].phase_cause_ns[phase][CAUSE_NETWORK];
    assert_near(sim_s_from_ns(network_ns), (records[0].requests - 1) * 30 * MS, 1e-6);
    check_conservation(world);
    world_destroy(world);
}

/* The multiplier has mean 1 and acts on the file phase alone. */
static void run_effect_multiplies_the_round_trips(void **state)
{
    (void)state;
    struct matrix_scenario matrix;
    matrix_scenario_init(&matrix);
    matrix.logons.run_effect_cv = 0.2;
    for (uint64_t replication = 0; replication < 5; replication++) {
        char message[128];
        struct world *world = world_create(&matrix.scenario, 1, replication, message, sizeof message);
        world_run_until(world, 30 * SIM_NS_PER_MIN);
        double value = 0.0, cv = 0.0;
        assert_true(world_run_effect(world, &value, &cv));
        assert_near(cv, 0.2, 0.0);
        size_t count = 0;
        const struct logon_record *records = world_logons(world, &count);
        double files = 0.0;
        const int finished = 5;
        for (int i = 0; i < finished; i++)
            files += (double)records[i].phase_cause_ns[PHASE_FILES][CAUSE_SERVER_LATENCY] / finished;
        /* 1596 questions, each repeated floor or ceil of the multiplier: binomial, sd at most 0.5 sqrt(1596 /
         * 5). */
        assert_near(files / (4.0 * SIM_NS_PER_MS), 1596.0 * value, 5.0 * 0.5 * sqrt(1596.0 / finished));
        world_destroy(world);
    }
}

static void streaming_off_reads_every_file(void **state)
{
    (void)state;
    struct matrix_scenario matrix;
    matrix_scenario_init(&matrix);
    matrix.logons.profile_management.streaming = false;
    struct world *world = run(&matrix, 10 * SIM_NS_PER_MIN);
    size_t count = 0;
    const struct logon_record *records = world_logons(world, &count);
    assert_true(records[0].finished);
    assert_between((double)records[0].bytes_read / 1e6, 405.0 * 0.85, 405.0 * 1.15);
    check_conservation(world);
    world_destroy(world);
}

static void large_file_is_copied_unless_linked(void **state)
{
    (void)state;
    struct matrix_scenario matrix;
    matrix_scenario_init(&matrix);
    matrix.logons.profile_management.large_file_handling = false;
    struct world *world = run(&matrix, 10 * SIM_NS_PER_MIN);
    size_t count = 0;
    const struct logon_record *records = world_logons(world, &count);
    const double large = 4294967296.0 + 4096 * 100; /* in 1 MiB reads, each with a header */
    assert_near((double)records[0].bytes_read, large + (2 << 20) + 200, 1.0);
    check_conservation(world);
    world_destroy(world);
}

/* With an egress limit the copy takes bytes / limit, charged to that limit and counted under its response
 * type. */
static void egress_limit_is_charged_and_counted(void **state)
{
    (void)state;
    struct matrix_scenario matrix;
    matrix_scenario_init(&matrix);
    matrix.logons.users = 1;
    matrix.logons.profile_management.large_file_handling = false;
    matrix.share.egress_bytes_per_s = 100 * TEST_MIB;
    struct world *world = run(&matrix, 10 * SIM_NS_PER_MIN);
    size_t count = 0;
    const struct logon_record *records = world_logons(world, &count);
    assert_true(records[0].finished);
    /* 4096 MiB at 100 MiB/s less the second's worth that the window holds, beside 1,708 round trips. */
    assert_between(sim_s_from_ns(records[0].load_ns), 39.9 + 6.8, 41.0 + 6.9);
    int64_t egress_ns = 0;
    for (int phase = 0; phase < PHASE_COUNT; phase++)
        egress_ns += records[0].phase_cause_ns[phase][CAUSE_EGRESS_LIMIT];
    /* Of the 10 ms between two answers the last 4 are the service's own. */
    assert_between(sim_s_from_ns(egress_ns), 4096.0 * 5.5 * MS, 4096.0 * 6.1 * MS);
    assert_true(matrix_metric(world, "throttled.egress") > 3000.0);
    assert_true(matrix_metric(world, "throttled.iops") <= 0.0);
    assert_near_relative(matrix_metric(world, "egress.peak"), 4096.0 / 60.0, 0.25);
    check_conservation(world);
    world_destroy(world);
}

static void a_limit_of_iops_binds(void **state)
{
    (void)state;
    struct matrix_scenario matrix;
    matrix_scenario_init(&matrix);
    matrix.share.base_iops = matrix.share.base_iops_max = 100;
    struct world *world = run(&matrix, 30 * SIM_NS_PER_MIN);
    size_t count = 0;
    const struct logon_record *records = world_logons(world, &count);
    /* 250 requests a second asked, 100 given: 1,709 requests less the 100 in the window. */
    assert_between(sim_s_from_ns(records[0].load_ns), 16.0, 17.1);
    assert_true(matrix_metric(world, "throttled.iops") > 1500.0);
    check_conservation(world);
    world_destroy(world);
}

/* A day: logon, updates, write-back, logoff; all that was changed is saved, and the local copy is gone. */
static void a_session_ends_clean(void **state)
{
    (void)state;
    struct matrix_scenario matrix;
    matrix_scenario_init(&matrix);
    matrix.logons.users = 4;
    matrix.logons.arrivals.window_ns = SIM_NS_PER_MIN;
    matrix.logons.updates = (struct update_settings){400.0 / 3600.0, 0.5, 1.0};
    matrix.logons.mailbox = (struct mailbox_settings){2.0, 0.6, 4096};
    matrix.logons.session_length_ns = 30 * SIM_NS_PER_MIN;
    matrix.logons.sessions_per_user = 2;
    matrix.logons.time_between_sessions_ns = 5 * SIM_NS_PER_MIN;
    char message[128];
    struct world *world = world_create(&matrix.scenario, 3, 0, message, sizeof message);
    assert_int_equal(world_run_until(world, 4 * SIM_NS_PER_HOUR), SIM_END_EMPTY);
    const struct sim_account account = world_account(world);
    assert_int_equal(account.live_processes, 0);
    assert_int_equal(account.pending_events, 0);
    size_t count = 0;
    const struct logon_record *records = world_logons(world, &count);
    assert_int_equal(count, 8);
    for (size_t i = 0; i < count; i++)
        assert_true(records[i].finished);
    check_conservation(world);
    assert_int_equal(world->stores[0]->meter.arrived, world->stores[0]->meter.settled);
    world_destroy(world);
}

/* A cached profile is not loaded again: only what the listing shows. */
static void a_kept_profile_loads_faster_the_second_time(void **state)
{
    (void)state;
    double second_load[2];
    for (int deleted = 0; deleted < 2; deleted++) {
        struct matrix_scenario matrix;
        matrix_scenario_init(&matrix);
        matrix.logons.users = 1;
        matrix.logons.sessions_per_user = 2;
        matrix.logons.session_length_ns = SIM_NS_PER_MIN;
        matrix.logons.profile_management.delete_cached_profiles = deleted;
        char message[128];
        struct world *world = world_create(&matrix.scenario, 1, 0, message, sizeof message);
        world_run_until(world, SIM_NS_PER_HOUR);
        size_t count = 0;
        const struct logon_record *records = world_logons(world, &count);
        assert_int_equal(count, 2);
        second_load[deleted] = sim_s_from_ns(records[1].load_ns);
        world_destroy(world);
    }
    assert_near(second_load[1] - second_load[0], 399 * 4 * 4 * MS, 1e-6);
}

static void same_seed_same_run(void **state)
{
    (void)state;
    struct matrix_scenario matrix;
    matrix_scenario_init(&matrix);
    matrix.share.service.latency_cv = 0.5;
    matrix.logons.updates = (struct update_settings){1.0, 0.875, 1.0};
    matrix.logons.mailbox = (struct mailbox_settings){5.0, 0.6, 4096};
    uint64_t fingerprints[3];
    for (int i = 0; i < 3; i++) {
        char message[128];
        struct world *world = world_create(&matrix.scenario, i == 2 ? 2 : 1, 0, message, sizeof message);
        world_run_until(world, 20 * SIM_NS_PER_MIN);
        fingerprints[i] = world_account(world).fingerprint;
        world_destroy(world);
    }
    assert_true(fingerprints[0] == fingerprints[1]);
    assert_true(fingerprints[0] != fingerprints[2]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_logon_takes_its_round_trips),
        cmocka_unit_test(load_follows_latency_and_round_trip),
        cmocka_unit_test(run_effect_multiplies_the_round_trips),
        cmocka_unit_test(streaming_off_reads_every_file),
        cmocka_unit_test(large_file_is_copied_unless_linked),
        cmocka_unit_test(egress_limit_is_charged_and_counted),
        cmocka_unit_test(a_limit_of_iops_binds),
        cmocka_unit_test(a_session_ends_clean),
        cmocka_unit_test(a_kept_profile_loads_faster_the_second_time),
        cmocka_unit_test(same_seed_same_run),
    };
    return RUN_TESTS(tests);
}
