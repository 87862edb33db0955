/* Containers by themselves: who gets in, what becomes of changes, how large the file is. */
#include "tests/support/check.h"
#include "vdisim/container.h"

#define GIB (INT64_C(1) << 30)
#define MIB (INT64_C(1) << 20)

/* The modes as a table by hand: for each, what the next session gets when none, a writer of the file, one of a
 * differencing disk on the store, or a reader with one on its host is there. */
static void who_gets_in(void **state)
{
    (void)state;
    enum {
        NO = CONTAINER_LOCKED,
        FILE_ = CONTAINER_WRITES_FILE,
        STORE = CONTAINER_DIFF_ON_STORE,
        HOST = CONTAINER_DIFF_ON_HOST
    };
    static const int expected[CONTAINER_MODE_COUNT][4] = {
        [CONTAINER_DIRECT] = {FILE_, NO, NO, NO},
        [CONTAINER_READ_WRITE] = {STORE, NO, NO, STORE},
        [CONTAINER_READ_ONLY] = {HOST, NO, HOST, HOST},
        [CONTAINER_TRY_READ_WRITE] = {STORE, NO, HOST, STORE},
        [CONTAINER_NETWORK_DIFF] = {STORE, NO, STORE, STORE},
        [CONTAINER_LOCAL_DIFF] = {HOST, NO, HOST, HOST},
        [CONTAINER_PER_SESSION] = {FILE_, FILE_, FILE_, FILE_},
        [CONTAINER_FIRST_WRITES] = {FILE_, HOST, HOST, HOST},
        [CONTAINER_ALL_MERGED] = {FILE_, HOST, HOST, HOST},
    };
    static const struct container_holders holders[4] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    for (int mode = 0; mode < CONTAINER_MODE_COUNT; mode++)
        for (int who = 0; who < 4; who++)
            if ((int)container_grant((enum container_mode)mode, &holders[who]) != expected[mode][who])
                fail_msg("mode %d, holder %d: %d", mode, who,
                         (int)container_grant((enum container_mode)mode, &holders[who]));
}

static void enter(struct container_holders *holders, enum container_access access, uint32_t by)
{
    holders->writers += access == CONTAINER_WRITES_FILE ? by : 0;
    holders->on_store += access == CONTAINER_DIFF_ON_STORE ? by : 0;
    holders->on_host += access == CONTAINER_DIFF_ON_HOST ? by : 0;
}

/* Every reachable state of up to four sessions that come and go in any order: never two writers of one file, in each
 * mode; a block merge only by one who is alone; the changes of a session that is refused are lost. */
static void rules_hold_in_every_state(void **state)
{
    (void)state;
    enum { SESSIONS = 4, STEPS = 9 };
    for (int mode = 0; mode < CONTAINER_MODE_COUNT; mode++) {
        if (mode == CONTAINER_PER_SESSION)
            continue; /* each has a file of its own */
        for (unsigned order = 0; order < 1U << 18; order++) {
            struct container_holders holders = {0};
            enum container_access access[SESSIONS] = {CONTAINER_LOCKED};
            for (unsigned step = 0, left = order; step < STEPS; step++, left >>= 2) {
                enum container_access *one = &access[left & 3];
                if (*one == CONTAINER_LOCKED) {
                    *one = container_grant((enum container_mode)mode, &holders);
                    enter(&holders, *one, 1);
                } else {
                    enter(&holders, *one, UINT32_MAX);
                    const enum container_fate fate =
                        container_fate((enum container_mode)mode, *one, &holders);
                    if (fate == CONTAINER_CHANGES_MERGED)
                        assert_int_equal(holders.writers + holders.on_store + holders.on_host, 0);
                    if (*one == CONTAINER_WRITES_FILE)
                        assert_int_equal(fate, CONTAINER_CHANGES_KEPT);
                    *one = CONTAINER_LOCKED;
                }
                assert_true(holders.writers <= 1);
                if (mode == CONTAINER_DIRECT)
                    assert_true(holders.writers + holders.on_store + holders.on_host <= 1);
                if (mode == CONTAINER_READ_WRITE || mode == CONTAINER_TRY_READ_WRITE)
                    assert_true(holders.on_store <= 1);
            }
        }
        const struct container_holders nobody = {0};
        assert_int_equal(container_fate((enum container_mode)mode, CONTAINER_LOCKED, &nobody),
                         CONTAINER_CHANGES_LOST);
    }
}

static void what_becomes_of_changes(void **state)
{
    (void)state;
    const struct container_holders nobody = {0}, a_reader = {0, 0, 1}, a_writer = {1, 0, 0};
    const struct {
        enum container_mode mode;
        enum container_access access;
        const struct container_holders *left;
        enum container_fate fate;
    } rows[] = {
        {CONTAINER_READ_WRITE, CONTAINER_DIFF_ON_STORE, &nobody, CONTAINER_CHANGES_MERGED},
        {CONTAINER_READ_WRITE, CONTAINER_DIFF_ON_STORE, &a_reader,
         CONTAINER_CHANGES_KEPT}, /* RW.VHDX stays */
        {CONTAINER_READ_ONLY, CONTAINER_DIFF_ON_HOST, &nobody, CONTAINER_CHANGES_LOST},
        {CONTAINER_TRY_READ_WRITE, CONTAINER_DIFF_ON_HOST, &nobody, CONTAINER_CHANGES_LOST},
        {CONTAINER_TRY_READ_WRITE, CONTAINER_DIFF_ON_STORE, &a_reader, CONTAINER_CHANGES_KEPT},
        {CONTAINER_NETWORK_DIFF, CONTAINER_DIFF_ON_STORE, &nobody, CONTAINER_CHANGES_MERGED},
        {CONTAINER_LOCAL_DIFF, CONTAINER_DIFF_ON_HOST, &nobody, CONTAINER_CHANGES_MERGED},
        {CONTAINER_LOCAL_DIFF, CONTAINER_DIFF_ON_HOST, &a_reader, CONTAINER_CHANGES_LOST},
        {CONTAINER_FIRST_WRITES, CONTAINER_DIFF_ON_HOST, &a_writer, CONTAINER_CHANGES_LOST},
        {CONTAINER_ALL_MERGED, CONTAINER_DIFF_ON_HOST, &a_writer, CONTAINER_CHANGES_FILE_BY_FILE},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        if (container_fate(rows[i].mode, rows[i].access, rows[i].left) != rows[i].fate)
            fail_msg("row %zu", i);
}

static const struct container_settings plain = {
    .capacity_bytes = 30 * GIB,
    .block_bytes = 32 * MIB,
    .compaction = true,
    .compaction_threshold = 0.2,
    .compaction_floor_bytes = GIB,
    .new_block_share = 0.5,
};

static void the_file_grows_and_is_compacted(void **state)
{
    (void)state;
    struct container container;
    container_init(&container, &plain, CONTAINER_DIRECT, 4 * GIB, 0.0);
    assert_int_equal(container.file_bytes, 4 * GIB);
    assert_true(container_write(&container, 2 * GIB - 2 * MIB)); /* just below a fifth of 5 GiB */
    assert_false(container_wants_compaction(&container));
    assert_true(container_write(&container, 2 * MIB));
    assert_true(container_wants_compaction(&container));
    /* 1 GiB lies beyond the new end, four fifths of it are live. */
    assert_int_equal(container_compaction_bytes(&container), GIB * 4 / 5);
    container_compact(&container);
    assert_int_equal(container.file_bytes, 4 * GIB);
    assert_int_equal(container.grown_bytes, container.released_bytes);
    assert_false(container_wants_compaction(&container));
}

static void small_files_are_left_alone_and_logoffs_count(void **state)
{
    (void)state;
    struct container_settings settings = plain;
    struct container container;
    container_init(&container, &settings, CONTAINER_DIRECT, GIB / 2, 0.4);
    assert_false(container_wants_compaction(&container));
    settings.compaction_floor_bytes = 0;
    assert_true(container_wants_compaction(&container));
    settings.compaction_threshold = 0.5;
    settings.compaction_logoffs = 5;
    container.logoffs = 4;
    assert_false(container_wants_compaction(&container));
    container.logoffs = 5;
    assert_true(container_wants_compaction(&container));
    container_compact(&container);
    assert_int_equal(container.logoffs, 0);
    settings.compaction = false;
    container_init(&container, &settings, CONTAINER_DIRECT, GIB / 2, 0.4);
    assert_false(container_wants_compaction(&container));
}

static void a_full_disk_takes_nothing(void **state)
{
    (void)state;
    struct container_settings settings = plain;
    settings.capacity_bytes = 5 * GIB;
    struct container container;
    container_init(&container, &settings, CONTAINER_DIRECT, 4 * GIB, 0.0);
    assert_true(container_write(&container, 2 * GIB));
    assert_false(container_write(&container, 2 * MIB));
    assert_int_equal(container.file_bytes, 5 * GIB);
}

/* 90 %, by 10 GB, up to 80 GB: Citrix's defaults, in GiB. */
static void the_disk_is_expanded(void **state)
{
    (void)state;
    struct container_settings settings = plain;
    settings.capacity_bytes = 50 * GIB;
    settings.auto_expansion = true;
    settings.expansion_threshold = 0.9;
    settings.expansion_step_bytes = 10 * GIB;
    settings.expansion_limit_bytes = 75 * GIB;
    struct container container;
    container_init(&container, &settings, CONTAINER_FIRST_WRITES, 45 * GIB - 1, 0.0);
    assert_false(container_expand(&container));
    container.used_bytes = 75 * GIB;
    assert_true(container_expand(&container));
    assert_int_equal(container.capacity_bytes, 60 * GIB);
    assert_true(container_expand(&container) && container_expand(&container));
    assert_int_equal(container.capacity_bytes, 75 * GIB);
    assert_false(container_expand(&container));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(who_gets_in),
        cmocka_unit_test(rules_hold_in_every_state),
        cmocka_unit_test(what_becomes_of_changes),
        cmocka_unit_test(the_file_grows_and_is_compacted),
        cmocka_unit_test(small_files_are_left_alone_and_logoffs_count),
        cmocka_unit_test(a_full_disk_takes_nothing),
        cmocka_unit_test(the_disk_is_expanded),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
