/* Sessions with containers, request by request: what an attach costs, how long a lock is waited for, where written bytes
 * go, what a provider that was gone gets, and who loses what. */
#include "models/logons/logons_user.h"
#include "models/profile/container_session.h"
#include "models/world/world_state.h"
#include "tests/support/check.h"
#include "tests/support/matrix_scenario.h"

#include <string.h>

#define GIB (INT64_C(1) << 30)

struct fixture {
    struct matrix_scenario matrix;
    struct store_part stores[2];
    struct share_settings second;
};

static void fixture_init(struct fixture *it)
{
    matrix_scenario_init(&it->matrix);
    struct logons_settings *logons = &it->matrix.logons;
    logons->users = 1;
    logons->engine = ENGINE_CONTAINER;
    logons->session_length_ns = 10 * SIM_NS_PER_MIN;
    logons->devices = (struct device_settings){.count = 1, .after_ns = SIM_NS_PER_MIN};
    logons->container = (struct container_settings){
        .lock_retries = 12,
        .lock_retry_interval_ns = 5 * SIM_NS_PER_S,
        .capacity_bytes = 30 * GIB,
        .block_bytes = 32 << 20,
        .compaction_threshold = 0.2,
        .compaction_floor_bytes = GIB,
        .new_block_share = 0.25,
        .flush_delay_ns = 5 * SIM_NS_PER_S,
        .providers_needed = 1,
        .attach_reads = 6,
        .attach_read_bytes = 65536,
        .attach_writes = 2,
        .mount_reads = 40,
        .mount_writes = 4,
        .logon_reads = 60,
        .read_share = 0.6,
        .io_min_bytes = 4096,
        .io_max_bytes = 65536,
    };
    matrix_share(&it->second);
    it->stores[0] = it->matrix.store_part;
    it->stores[1] = (struct store_part){"second", &share_kind, &it->second};
    it->matrix.scenario.stores = it->stores;
    it->matrix.scenario.store_count = 2;
}

static struct world *run(struct fixture *it, int64_t length_ns)
{
    char message[128] = "";
    struct world *world = world_create(&it->matrix.scenario, 1, 0, message, sizeof message);
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
        assert_true(records[i].finished ? sum_ns == records[i].load_ns : sum_ns <= records[i].load_ns);
    }
    return world;
}

static struct logons *logons_of(struct world *world)
{
    return (struct logons *)world->workloads[0];
}

static int64_t phase_ns(const struct logon_record *record, enum logon_phase phase)
{
    int64_t sum_ns = 0;
    for (int cause = 0; cause < CAUSE_COUNT; cause++)
        sum_ns += record->phase_cause_ns[phase][cause];
    return sum_ns;
}

static void an_attach_takes_its_requests(void **state)
{
    (void)state;
    struct fixture it;
    fixture_init(&it);
    struct world *world = run(&it, SIM_NS_PER_HOUR);
    size_t count = 0;
    const struct logon_record *records = world_logons(world, &count);
    assert_int_equal(count, 1);
    /* Open, query, 6 reads, 2 header writes; 40 reads and 4 writes; 2 MiB of registry by 64 KiB; 60 reads: 4 ms each. */
    assert_int_equal(phase_ns(&records[0], PHASE_ATTACH), 10 * 4 * SIM_NS_PER_MS);
    assert_int_equal(phase_ns(&records[0], PHASE_MOUNT), 44 * 4 * SIM_NS_PER_MS);
    assert_int_equal(phase_ns(&records[0], PHASE_REGISTRY), 32 * 4 * SIM_NS_PER_MS);
    assert_int_equal(phase_ns(&records[0], PHASE_FILES), 60 * 4 * SIM_NS_PER_MS);
    assert_int_equal(logons_of(world)->outcomes[0].lock_retries, 0);
    assert_int_equal(logons_of(world)->owners[0].profile.holders.writers, 0);
    assert_int_equal(logons_of(world)->owners[0].profile.files[0].handles, 0);
    world_destroy(world);
}

static bool says(const struct world *world, const char *what)
{
    for (size_t i = 0; i < world_warning_count(world); i++)
        if (strstr(world_warning(world, i), what) != NULL)
            return true;
    return false;
}

/* A second session has a container of its own, but its Office container is the first one's. */
static void an_office_container_that_stays_locked_is_told(void **state)
{
    (void)state;
    for (int mode = 0; mode < 2; mode++) {
        struct fixture it;
        fixture_init(&it);
        it.matrix.logons.devices.count = 2;
        it.matrix.logons.container.lock_retries = 0;
        it.matrix.logons.container.mode = CONTAINER_PER_SESSION;
        it.matrix.logons.container.office_container = true;
        it.matrix.logons.container.office_mode = mode == 0 ? CONTAINER_DIRECT : CONTAINER_PER_SESSION;
        struct world *world = run(&it, SIM_NS_PER_HOUR);
        assert_int_equal((int64_t)matrix_metric(world, "container.refused"), 0);
        assert_int_equal(logons_of(world)->outcomes[1].office_refused, mode == 0);
        assert_int_equal(says(world, "did not get their Office container"), mode == 0);
        assert_false(says(world, "temporary profile"));
        world_destroy(world);
    }
}

/* A second session finds the first one's lock: 12 retries of 5 s are 60 s, 3 of 15 s are 45 s, to the nanosecond, and a
 * request of 4 ms for each try. Then it gets a temporary profile. */
static void a_lock_is_waited_for_exactly(void **state)
{
    (void)state;
    static const struct {
        int64_t retries, interval_s;
    } rows[] = {{12, 5}, {3, 15}, {0, 5}, {60, 10}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct fixture it;
        fixture_init(&it);
        it.matrix.logons.session_length_ns = SIM_NS_PER_HOUR;
        it.matrix.logons.devices.count = 2;
        it.matrix.logons.container.lock_retries = rows[i].retries;
        it.matrix.logons.container.lock_retry_interval_ns = rows[i].interval_s * SIM_NS_PER_S;
        struct world *world = run(&it, SIM_NS_PER_HOUR);
        size_t count = 0;
        const struct logon_record *records = world_logons(world, &count);
        assert_int_equal(count, 2);
        assert_int_equal(records[1].phase_cause_ns[PHASE_ATTACH][CAUSE_LOCK_RETRY],
                         rows[i].retries * rows[i].interval_s * SIM_NS_PER_S);
        assert_int_equal(phase_ns(&records[1], PHASE_ATTACH),
                         rows[i].retries * rows[i].interval_s * SIM_NS_PER_S +
                             (rows[i].retries + 1) * 4 * SIM_NS_PER_MS);
        const struct session_outcome *outcome = &logons_of(world)->outcomes[1];
        assert_true(outcome->refused && !logons_of(world)->outcomes[0].refused);
        assert_int_equal(outcome->lock_retries, rows[i].retries);
        assert_int_equal((int64_t)matrix_metric(world, "container.refused"), 1);
        assert_true(says(world, "users got a temporary profile, which loses what they do"));
        world_destroy(world);
    }
}

/* The first signs out in 10 min + its load; a second that comes as it begins to must wait until the lock is free. */
static void a_returning_user_gets_in_when_the_lock_is_free(void **state)
{
    (void)state;
    struct fixture it;
    fixture_init(&it);
    it.matrix.logons.devices = (struct device_settings){.count = 2, .after_ns = 0, .after = AFTER_LOGOFF};
    it.matrix.logons.container.compaction = true;
    it.matrix.logons.container.compaction_threshold = 1e-9; /* always, and the file has hardly any slack */
    it.matrix.logons.container.session_io_per_s = 50.0;
    it.matrix.logons.updates = (struct update_settings){.files_per_s = 0.5, .redirected_share = 0.0};
    it.matrix.share.service.file_egress_bytes_per_s = it.matrix.share.service.file_ingress_bytes_per_s =
        10 * TEST_MIB;
    struct world *world = run(&it, SIM_NS_PER_HOUR);
    const struct session_outcome *outcomes = logons_of(world)->outcomes;
    size_t count = 0;
    const struct logon_record *records = world_logons(world, &count);
    assert_int_equal(count, 2);
    assert_int_equal(outcomes[0].compactions, 1);
    assert_true(outcomes[0].compacted_bytes > 20 << 20);
    assert_false(outcomes[1].refused);
    const int64_t waited_ns = records[1].phase_cause_ns[PHASE_ATTACH][CAUSE_LOCK_RETRY];
    assert_int_equal(waited_ns, outcomes[1].lock_retries * 5 * SIM_NS_PER_S);
    /* It tries each 5 s and gets in at the first try after the sign-out. */
    const int64_t signing_out_ns = outcomes[0].signed_out_ns - outcomes[0].logoff_began_ns;
    assert_true(outcomes[1].lock_retries >= 1);
    assert_between(sim_s_from_ns(waited_ns - signing_out_ns), -0.1, 5.0);
    world_destroy(world);
}

/* --- Where written bytes go. --- */

static int64_t flushed_or_dirty(const struct container_attachment *attachment, size_t provider)
{
    return attachment->flushes[provider].flushed_bytes + attachment->flushes[provider].dirty_bytes +
           attachment->container->unflushed_bytes[provider];
}

static void check_bytes(const struct container_session *session)
{
    const struct container_attachment *attachment = &session->profile;
    if (session->settings->cloud_cache) {
        for (size_t provider = 0; provider < session->provider_count; provider++)
            assert_int_equal(flushed_or_dirty(attachment, provider), attachment->written_bytes);
        return;
    }
    assert_int_equal(attachment->written_bytes, attachment->sent_bytes + attachment->diff_bytes +
                                                    attachment->cached_bytes + attachment->discarded_bytes);
}

static void bytes_are_conserved(void **state)
{
    (void)state;
    for (int mode = 0; mode < CONTAINER_MODE_COUNT; mode++)
        for (int cache = CONTAINER_NOT_CACHED; cache <= CONTAINER_COPIED; cache++) {
            struct fixture it;
            fixture_init(&it);
            struct logons_settings *logons = &it.matrix.logons;
            logons->devices.count = 3;
            logons->container.mode = mode;
            logons->container.local_cache = cache;
            logons->container.office_container = true;
            logons->container.office_mode = mode;
            logons->container.session_io_per_s = 5;
            logons->container.lock_retries = 1;
            logons->mailbox =
                (struct mailbox_settings){.io_per_s = 5, .read_share = 0.6, .io_size_bytes = 4096};
            logons->updates = (struct update_settings){.files_per_s = 0.1, .redirected_share = 0.0};
            struct world *world = run(&it, SIM_NS_PER_HOUR);
            struct logons *all = logons_of(world);
            for (size_t device = 0; device < 3; device++) {
                check_bytes(&all->containers[device]);
                assert_true(all->containers[device].profile.written_bytes > 0);
                assert_true(all->outcomes[device].signed_out_ns > 0);
            }
            const struct container *container = &all->owners[0].profile;
            const struct container_holders nobody = {0};
            assert_memory_equal(&container->holders, &nobody, sizeof nobody);
            assert_int_equal(container->files[0].handles, 0);
            assert_int_equal(container->diff.handles, 0);
            /* RW.VHDX stays only where readers were left when its writer went. */
            assert_int_equal(container->unmerged_bytes,
                             mode == CONTAINER_TRY_READ_WRITE ? all->containers[0].profile.diff_bytes : 0);
            const struct container_settings *settings = &logons->container;
            if (mode == CONTAINER_DIRECT) /* what grew is what the one writer sent */
                assert_near_relative(
                    (double)container->grown_bytes,
                    settings->new_block_share * (double)all->containers[0].profile.written_bytes, 0.01);
            world_destroy(world);
        }
}

/* --- Cloud Cache. --- */

static void cloud_cache(struct fixture *it)
{
    struct container_settings *container = &it->matrix.logons.container;
    container->cloud_cache = true;
    container->providers[0] = "second";
    container->session_io_per_s = 5;
    container->keep_local_cache = true;
}

static void every_provider_gets_every_byte(void **state)
{
    (void)state;
    struct fixture it;
    fixture_init(&it);
    cloud_cache(&it);
    struct world *world = run(&it, SIM_NS_PER_HOUR);
    const struct container_session *session = &logons_of(world)->containers[0];
    assert_int_equal(session->provider_count, 2);
    check_bytes(session);
    assert_true(session->profile.written_bytes > 0);
    for (size_t provider = 0; provider < 2; provider++) {
        assert_int_equal(session->profile.flushes[provider].flushed_bytes, session->profile.written_bytes);
        assert_int_equal(session->profile.container->files[provider].handles, 0);
    }
    /* The second store is read by nobody. */
    const struct minute_record *minutes;
    size_t count = 0;
    uint64_t reads = 0, writes = 0;
    minutes = world_minutes(world, 1, &count);
    for (size_t i = 0; i < count; i++) {
        reads += minutes[i].operations[CLASS_READ];
        writes += minutes[i].operations[CLASS_WRITE];
    }
    assert_true(reads == 0 && writes > 0);
    world_destroy(world);
}

/* A guest that reads and reads: a block is fetched once, so that in the end what was fetched is what there is. */
static void cloud_cache_reads_each_block_once(void **state)
{
    (void)state;
    struct fixture it;
    fixture_init(&it);
    cloud_cache(&it);
    struct logons_settings *logons = &it.matrix.logons;
    for (int part = 0; part < PART_COUNT; part++)
        logons->profile.parts[part].files = 0;
    logons->profile.large_files = 0;
    logons->container.session_io_per_s = 50;
    logons->container.read_share = 1.0;
    logons->container.io_min_bytes = 65536;
    struct world *world = run(&it, SIM_NS_PER_HOUR);
    const struct container_attachment *profile = &logons_of(world)->containers[0].profile;
    assert_int_equal(profile->container->used_bytes, 2 << 20);
    assert_in_range(profile->hydrated_bytes, 2 << 20, (2 << 20) + 65536);
    world_destroy(world);
}

/* A file that is changed again and again is read from the container once, when the host caches what it has read. */
static void a_cached_file_is_read_once(void **state)
{
    (void)state;
    uint64_t reads[2] = {0};
    for (int cache = CONTAINER_NOT_CACHED; cache <= CONTAINER_CACHED_ON_DEMAND; cache++) {
        struct fixture it;
        fixture_init(&it);
        struct logons_settings *logons = &it.matrix.logons;
        logons->profile.parts[PART_PROFILE].files = 1;
        logons->profile.file_size_min_bytes = logons->profile.file_size_max_bytes = 500000;
        logons->profile.file_size_mean_bytes = 500000;
        logons->profile.large_files = 0;
        logons->container.local_cache = cache;
        logons->updates = (struct update_settings){.files_per_s = 0.05, .redirected_share = 0.0};
        struct world *world = run(&it, SIM_NS_PER_HOUR);
        size_t count = 0;
        const struct minute_record *minutes = world_minutes(world, 0, &count);
        for (size_t i = 0; i < count; i++)
            reads[cache] += minutes[i].operations[CLASS_READ];
        world_destroy(world);
    }
    /* Without a cache: 6 + 40 + 32 + 60 of the logon and one for each of some 30 changes; with one, the 6 and the file. */
    assert_true(reads[CONTAINER_NOT_CACHED] > 138 + 15);
    assert_in_range(reads[CONTAINER_CACHED_ON_DEMAND], 138 + 1, 138 + 1);
}

/* Gone from before the logon until after the sign-out: the user leaves without it; his next session brings it what it has
 * missed. With two providers needed he waits for it. */
static void a_provider_that_was_gone_gets_what_it_missed(void **state)
{
    (void)state;
    for (int64_t needed = 1; needed <= 2; needed++) {
        struct fixture it;
        fixture_init(&it);
        cloud_cache(&it);
        struct logons_settings *logons = &it.matrix.logons;
        logons->sessions_per_user = 2;
        logons->time_between_sessions_ns = SIM_NS_PER_HOUR;
        logons->container.outage_provider = 2;
        logons->container.outage_length_ns = 50 * SIM_NS_PER_MIN;
        logons->container.providers_needed = needed;
        struct world *world = run(&it, 45 * SIM_NS_PER_MIN);
        const struct container_session *session = &logons_of(world)->containers[0];
        const struct session_outcome *outcomes = logons_of(world)->outcomes;
        if (needed == 1) {
            assert_true(outcomes[0].signed_out_ns > 0);
            assert_true(session->profile.container->unflushed_bytes[1] > 0);
            assert_int_equal(session->profile.container->unflushed_bytes[1], session->profile.written_bytes);
        } else {
            assert_int_equal(outcomes[0].signed_out_ns, 0);
        }
        assert_int_equal(session->profile.flushes[1].flushed_bytes, 0);
        world_run_until(world, 4 * SIM_NS_PER_HOUR);
        assert_true(outcomes[0].signed_out_ns > 0 && outcomes[1].signed_out_ns > 0);
        if (needed == 2)
            assert_true(outcomes[0].signed_out_ns >= 50 * SIM_NS_PER_MIN);
        assert_int_equal(session->profile.container->unflushed_bytes[1], 0);
        world_destroy(world);
    }
}

/* The first provider cannot be reached: the second is read from. */
static void the_next_provider_is_read_from(void **state)
{
    (void)state;
    struct fixture it;
    fixture_init(&it);
    cloud_cache(&it);
    it.matrix.logons.container.outage_provider = 1;
    it.matrix.logons.container.outage_length_ns = SIM_NS_PER_HOUR;
    it.matrix.logons.profile_management.folder_redirection = false;
    struct world *world = run(&it, SIM_NS_PER_HOUR);
    size_t count = 0;
    const struct minute_record *minutes = world_minutes(world, 0, &count);
    for (size_t i = 0; i < count; i++)
        assert_int_equal(minutes[i].transactions[RESPONSE_SUCCESS], 0);
    assert_false(logons_of(world)->outcomes[0].refused);
    assert_true(logons_of(world)->outcomes[0].signed_out_ns > 0);
    world_destroy(world);
}

/* --- Several sessions at once. --- */

static void who_loses_what(void **state)
{
    (void)state;
    /* Sessions of 10 min on three devices, a minute apart; files are changed in each of them. */
    static const struct {
        enum container_mode mode;
        double refused, thrown_away;
    } rows[] = {
        {CONTAINER_DIRECT, 2, 0},         {CONTAINER_READ_WRITE, 2, 0},   {CONTAINER_READ_ONLY, 0, 3},
        {CONTAINER_TRY_READ_WRITE, 0, 2}, {CONTAINER_NETWORK_DIFF, 0, 2}, {CONTAINER_LOCAL_DIFF, 0, 2},
        {CONTAINER_PER_SESSION, 0, 0},    {CONTAINER_FIRST_WRITES, 0, 2}, {CONTAINER_ALL_MERGED, 0, 0},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct fixture it;
        fixture_init(&it);
        struct logons_settings *logons = &it.matrix.logons;
        logons->devices.count = 3;
        logons->container.mode = (int)rows[i].mode;
        logons->container.lock_retries = 1;
        logons->updates = (struct update_settings){.files_per_s = 0.02, .redirected_share = 0.0};
        struct world *world = run(&it, SIM_NS_PER_HOUR);
        assert_near(matrix_metric(world, "container.refused"), rows[i].refused, 0);
        assert_near(matrix_metric(world, "container.thrown_away"), rows[i].thrown_away, 0);
        const double sessions = matrix_metric(world, "lost_updates.sessions");
        if (rows[i].mode == CONTAINER_ALL_MERGED)
            assert_true(sessions <= 2); /* only where two changed the same file */
        else if (rows[i].mode != CONTAINER_PER_SESSION)
            assert_near(sessions, rows[i].refused + rows[i].thrown_away, 0);
        world_destroy(world);
    }
}

/* Five sessions of ten minutes keep five handles on the topmost folder, of 4 that are allowed; the fifth gets a temporary
 * profile at once. When they have left their handles are free for those who come an hour later. */
static void sessions_keep_a_handle_on_the_topmost_folder(void **state)
{
    (void)state;
    struct fixture it;
    fixture_init(&it);
    it.matrix.logons.users = 5;
    it.matrix.logons.devices = (struct device_settings){.count = 2, .after_ns = SIM_NS_PER_HOUR};
    it.matrix.scenario.store_count = 1;
    it.matrix.logons.arrivals.window_ns = SIM_NS_PER_MIN;
    it.matrix.share.handles_per_file = 1000;
    it.matrix.share.handles_on_root = 4;
    struct world *world = run(&it, 20 * SIM_NS_PER_MIN);
    assert_int_equal((int64_t)matrix_metric(world, "logons.refused"), 1);
    assert_int_equal((int64_t)matrix_metric(world, "container.refused"), 1);
    assert_int_equal((int64_t)matrix_metric(world, "handles.refused"), 1);
    assert_int_equal((int64_t)matrix_metric(world, "container.lock_retries"), 0);
    assert_int_equal(world->stores[0]->root.handles, 0);
    world_destroy(world);

    world = run(&it, 5 * SIM_NS_PER_MIN);
    assert_int_equal(world->stores[0]->root.handles, 4);
    world_destroy(world);

    world = run(&it, 2 * SIM_NS_PER_HOUR);
    assert_int_equal((int64_t)matrix_metric(world, "handles.refused"), 2);
    assert_int_equal(world->stores[0]->root.handles, 0);
    world_destroy(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_attach_takes_its_requests),
        cmocka_unit_test(an_office_container_that_stays_locked_is_told),
        cmocka_unit_test(a_lock_is_waited_for_exactly),
        cmocka_unit_test(a_returning_user_gets_in_when_the_lock_is_free),
        cmocka_unit_test(bytes_are_conserved),
        cmocka_unit_test(every_provider_gets_every_byte),
        cmocka_unit_test(cloud_cache_reads_each_block_once),
        cmocka_unit_test(a_cached_file_is_read_once),
        cmocka_unit_test(a_provider_that_was_gone_gets_what_it_missed),
        cmocka_unit_test(the_next_provider_is_read_from),
        cmocka_unit_test(sessions_keep_a_handle_on_the_topmost_folder),
        cmocka_unit_test(who_loses_what),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
