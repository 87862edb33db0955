/* Roaming and local profiles as baselines, and several sessions of one user, whatever the engine: requests by hand, and who
 * loses what. */
#include "models/logons/logons_user.h"
#include "models/world/world_state.h"
#include "tests/support/check.h"
#include "tests/support/matrix_scenario.h"

static struct world *run(struct matrix_scenario *matrix, int64_t length_ns)
{
    char message[128] = "";
    struct world *world = world_create(&matrix->scenario, 1, 0, message, sizeof message);
    assert_non_null(world);
    const enum sim_end end = world_run_until(world, length_ns);
    assert_true(end == SIM_END_TIME || end == SIM_END_EMPTY);
    size_t count = 0;
    const struct logon_record *records = world_logons(world, &count);
    for (size_t i = 0; i < count; i++) {
        int64_t sum_ns = 0;
        for (int phase = 0; phase < PHASE_COUNT; phase++)
            for (int cause = 0; cause < CAUSE_COUNT; cause++)
                sum_ns += records[i].phase_cause_ns[phase][cause];
        if (records[i].finished)
            assert_int_equal(sum_ns, records[i].load_ns);
    }
    return world;
}

static void one_user(struct matrix_scenario *matrix, enum profile_engine_kind engine)
{
    matrix_scenario_init(matrix);
    matrix->logons.users = 1;
    matrix->logons.engine = (int)engine;
    matrix->logons.session_length_ns = 10 * SIM_NS_PER_MIN;
    matrix->logons.profile.large_files = 0;
}

/* A file of s bytes is ceil(s / 1 MiB) reads in flight together, up to four. */
static void roaming_copies_every_file(void **state)
{
    (void)state;
    struct matrix_scenario matrix;
    one_user(&matrix, ENGINE_ROAMING);
    matrix.logons.profile.file_size_min_bytes = 1000;
    matrix.logons.profile.file_size_max_bytes = 1000000;
    matrix.logons.profile.file_size_mean_bytes = 100000;
    struct world *world = run(&matrix, SIM_NS_PER_HOUR);
    size_t count = 0;
    const struct logon_record *records = world_logons(world, &count);
    assert_int_equal(count, 1);
    /* Negotiate 1, session 3, path 9; registry open, query, 2 reads, close; 20 folders of 4; 399 files of open, 4 queries,
     * read, close; 3 redirected folders of 3. What is redirected or excluded is not copied. */
    assert_int_equal(records[0].requests, 1 + 3 + 9 + 5 + 20 * 4 + 399 * 7 + 9);
    int64_t bytes = 0;
    const struct cpm_profile *profile = &((struct logons *)world->workloads[0])->users[0].session.files;
    for (int64_t file = 0; file < 399; file++)
        bytes += cpm_file_size(profile, file) + 100;
    assert_int_equal(records[0].bytes_read, bytes + (2 << 20) + 2 * 100);
    world_destroy(world);
}

/* Logoff: each changed file, and the registry as one file. Nothing is written before. */
static void roaming_saves_at_logoff_alone(void **state)
{
    (void)state;
    struct matrix_scenario matrix;
    one_user(&matrix, ENGINE_ROAMING);
    matrix.logons.updates = (struct update_settings){.files_per_s = 0.05, .redirected_share = 0.0};
    matrix.logons.arrivals = (struct arrival_settings){1, 0, ARRIVALS_EVEN, 0.5};
    struct world *world = run(&matrix, 9 * SIM_NS_PER_MIN);
    size_t count = 0;
    const struct minute_record *minutes = world_minutes(world, 0, &count);
    for (size_t i = 0; i < count; i++)
        assert_int_equal(minutes[i].operations[CLASS_WRITE], 0);
    world_run_until(world, SIM_NS_PER_HOUR);
    minutes = world_minutes(world, 0, &count);
    int64_t ingress_bytes = 0;
    for (size_t i = 10; i < count; i++)
        ingress_bytes += minutes[i].ingress_bytes;
    assert_true(ingress_bytes > (2 << 20) + 85000);
    world_destroy(world);
}

/* Two hosts in turn, twice, local copies kept: the second time each host fetches what the other has changed meanwhile, and nothing
 * else; with one host alone nothing. */
static void roaming_fetches_again_what_is_older_here(void **state)
{
    (void)state;
    for (int64_t devices = 1; devices <= 2; devices++) {
        struct matrix_scenario matrix;
        one_user(&matrix, ENGINE_ROAMING);
        matrix.logons.sessions_per_user = 2;
        matrix.logons.time_between_sessions_ns = SIM_NS_PER_HOUR;
        matrix.logons.profile_management.delete_cached_profiles = false;
        matrix.logons.updates = (struct update_settings){.files_per_s = 0.02, .redirected_share = 0.0};
        matrix.logons.devices = (struct device_settings){
            .count = devices, .after_ns = 10 * SIM_NS_PER_MIN, .after = AFTER_LOGOFF, .registry_values = 1};
        struct world *world = run(&matrix, 6 * SIM_NS_PER_HOUR);
        size_t count = 0;
        const struct logon_record *records = world_logons(world, &count);
        assert_int_equal(count, 2 * devices);
        for (size_t i = 0; i < count; i++) {
            const bool again = i >= (size_t)devices;
            const int64_t fetched_bytes = records[i].bytes_read - (2 << 20) - 200;
            if (!again)
                assert_true(fetched_bytes > INT64_C(300) << 20);
            else if (devices == 1)
                assert_int_equal(fetched_bytes, 0);
            else
                assert_true(fetched_bytes > 0 && fetched_bytes < INT64_C(60) << 20);
        }
        world_destroy(world);
    }
}

static void a_local_profile_needs_no_store(void **state)
{
    (void)state;
    struct matrix_scenario matrix;
    one_user(&matrix, ENGINE_LOCAL);
    matrix.logons.profile_management.folder_redirection = false;
    matrix.logons.updates = (struct update_settings){.files_per_s = 0.05, .redirected_share = 0.0};
    matrix.hosts.disk_bytes_per_s = 1 << 20;
    struct world *world = run(&matrix, SIM_NS_PER_HOUR);
    size_t count = 0;
    const struct logon_record *records = world_logons(world, &count);
    assert_int_equal(count, 1);
    assert_int_equal(records[0].requests, 0);
    /* 2 MiB from a disk of 1 MiB/s. */
    assert_int_equal(records[0].load_ns, 2 * SIM_NS_PER_S);
    assert_int_equal(records[0].phase_cause_ns[PHASE_REGISTRY][CAUSE_LOCAL_DISK], 2 * SIM_NS_PER_S);
    assert_int_equal(world->stores[0]->meter.settled, 0);
    world_destroy(world);
}

/* --- Several sessions. --- */

static void each_device_is_on_a_host_of_its_own(void **state)
{
    (void)state;
    for (int after = AFTER_LOGON; after <= AFTER_LOGOFF; after++) {
        struct matrix_scenario matrix;
        one_user(&matrix, ENGINE_CPM);
        matrix.logons.devices =
            (struct device_settings){.count = 2, .after_ns = SIM_NS_PER_MIN, .after = after};
        matrix.logons.arrivals = (struct arrival_settings){1, 0, ARRIVALS_EVEN, 0.5};
        struct world *world = run(&matrix, SIM_NS_PER_HOUR);
        size_t count = 0;
        const struct logon_record *records = world_logons(world, &count);
        assert_int_equal(count, 2);
        assert_int_equal(records[0].user, records[1].user);
        assert_int_not_equal(records[0].host, records[1].host);
        const int64_t session_ns =
            after == AFTER_LOGOFF ? records[0].load_ns + matrix.logons.session_length_ns : 0;
        assert_int_equal(records[1].start_ns, records[0].start_ns + session_ns + SIM_NS_PER_MIN);
        world_destroy(world);
    }
}

struct loss {
    double files, values, sessions;
};

static struct loss loss_of(enum profile_engine_kind engine, int after)
{
    struct matrix_scenario matrix;
    one_user(&matrix, engine);
    matrix.logons.users = 20;
    matrix.logons.profile.parts[PART_PROFILE] = (struct profile_part_settings){20, 1, "AppData"};
    matrix.logons.updates = (struct update_settings){.files_per_s = 0.2, .redirected_share = 0.0};
    matrix.logons.devices = (struct device_settings){.count = 2,
                                                     .after_ns = 2 * SIM_NS_PER_MIN,
                                                     .after = after,
                                                     .registry_values = 50,
                                                     .registry_changes_per_s = 0.01};
    struct world *world = run(&matrix, 2 * SIM_NS_PER_HOUR);
    const struct loss loss = {matrix_metric(world, "lost_updates.files"),
                              matrix_metric(world, "lost_updates.registry_values"),
                              matrix_metric(world, "lost_updates.sessions")};
    world_destroy(world);
    return loss;
}

static void only_sessions_at_once_lose_updates(void **state)
{
    (void)state;
    const struct loss cpm = loss_of(ENGINE_CPM, AFTER_LOGON), roaming = loss_of(ENGINE_ROAMING, AFTER_LOGON);
    assert_true(cpm.files > 0 && cpm.values > 0 && cpm.sessions > 0);
    assert_true(roaming.files > 0 && roaming.sessions > 0);
    /* As one file, the registry takes all of the other session's values with it; value by value only the same ones:
     * each of two sessions changes six of fifty. */
    assert_true(roaming.values > 2 * cpm.values);
    for (int engine = ENGINE_CPM; engine <= ENGINE_LOCAL; engine++) {
        if (engine == ENGINE_CONTAINER)
            continue;
        const struct loss later = loss_of((enum profile_engine_kind)engine, AFTER_LOGOFF);
        assert_near(later.files + later.values + later.sessions, 0.0, 0.0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(roaming_copies_every_file),
        cmocka_unit_test(roaming_saves_at_logoff_alone),
        cmocka_unit_test(roaming_fetches_again_what_is_older_here),
        cmocka_unit_test(a_local_profile_needs_no_store),
        cmocka_unit_test(each_device_is_on_a_host_of_its_own),
        cmocka_unit_test(only_sessions_at_once_lose_updates),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
