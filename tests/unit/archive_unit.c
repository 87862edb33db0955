/* What is kept comes back bit for bit; what was damaged is noticed. */
#include "sim/experiment/archive/archive_metrics.h"
#include "sim/experiment/archive/archive_phases.h"
#include "tests/support/made_archive.h"

static const struct made_sizes full = {17, 3, 2, 6, 40, 3, true};

static enum keeper_answer load(struct archive_run *run, struct unit unit, bool records,
                               struct unit_outcome *outcome)
{
    char message[UNIT_MESSAGE_SIZE] = "";
    struct keeper *keeper = archive_run_keeper(run);
    enum keeper_answer answer = keeper->operations->load(keeper, unit, records, outcome, message);
    if (answer == KEEPER_FAILED)
        print_message("%s\n", message);
    return answer;
}

struct fixture {
    char folder[64], path[96];
    struct experiment *experiment;
    struct archive *archive;
    struct archive_run *run;
};

static void set_up(struct fixture *it)
{
    make_place(it->folder, it->path);
    it->experiment = open_small(SMALL, NULL);
    it->archive = open_fine(it->path, ARCHIVE_WRITE);
    it->run = begin_fine(it->archive, &(struct archive_request){.experiment = it->experiment});
}

/* Closed and opened again, to be read. */
static void turn_over(struct fixture *it)
{
    char message[UNIT_MESSAGE_SIZE] = "";
    int64_t id = archive_run_id(it->run);
    archive_run_release(it->run);
    archive_close(it->archive);
    it->archive = open_fine(it->path, ARCHIVE_READ);
    assert_int_equal(archive_run_open(it->archive, id, &it->run, message), ARCHIVE_FINE);
}

static void tear_down(struct fixture *it)
{
    archive_run_release(it->run);
    archive_close(it->archive);
    experiment_close(it->experiment);
    remove_place(it->folder);
}

static void test_round_trip(void **state)
{
    (void)state;
    static const struct made_sizes sizes[] = {
        {17, 3, 2, 6, 40, 3, true},    {0, 0, 0, 0, 0, 0, true},    {1, 0, 1, 0, 0, 0, true},
        {5, 1, 3, 1, 1, 1, true},      {17, 0, 2, 6, 40, 3, false}, {3, 2, 1, 0, 0, 0, false},
        {64, 20, 1, 60, 200, 0, true},
    };
    struct fixture it;
    set_up(&it);
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        struct unit_outcome made = made_outcome(i, &sizes[i]);
        save_fine(it.run, (struct unit){i % 3, i / 3}, &made);
        unit_release(&made);
    }
    for (int reopened = 0; reopened < 2; reopened++) {
        for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
            struct unit_outcome made = made_outcome(i, &sizes[i]), kept;
            struct unit unit = {i % 3, i / 3};
            assert_int_equal(load(it.run, unit, false, &kept), KEEPER_HAS_IT);
            assert_true(same_figures(&made, &kept));
            assert_null(kept.logons);
            unit_release(&kept);
            assert_int_equal(load(it.run, unit, true, &kept),
                             sizes[i].records ? KEEPER_HAS_IT : KEEPER_HAS_NOT);
            assert_true(!sizes[i].records || (same_figures(&made, &kept) && same_records(&made, &kept)));
            unit_release(&kept);
            unit_release(&made);
        }
        struct unit_outcome none;
        assert_int_equal(load(it.run, (struct unit){0, 100}, false, &none), KEEPER_HAS_NOT);
        assert_false(none.done);
        turn_over(&it);
    }
    assert_null(archive_run_keeper(it.run)->operations->save);
    tear_down(&it);
}

/* The units of one run are not those of another. */
static void test_runs_are_apart(void **state)
{
    (void)state;
    struct fixture it;
    set_up(&it);
    struct archive_run *second =
        begin_fine(it.archive, &(struct archive_request){.experiment = it.experiment});
    assert_int_equal(archive_run_id(it.run), 1);
    assert_int_equal(archive_run_id(second), 2);
    struct unit_outcome made = made_outcome(1, &full), kept;
    save_fine(it.run, (struct unit){1, 2}, &made);
    assert_int_equal(load(second, (struct unit){1, 2}, false, &kept), KEEPER_HAS_NOT);
    assert_int_equal(load(it.run, (struct unit){2, 1}, false, &kept), KEEPER_HAS_NOT);
    assert_int_equal(load(it.run, (struct unit){1, 2}, true, &kept), KEEPER_HAS_IT);
    unit_release(&kept);
    unit_release(&made);
    archive_run_release(second);
    tear_down(&it);
}

/* Kept again with its records a unit has them; without, it keeps those it has. */
static void test_kept_twice(void **state)
{
    (void)state;
    struct made_sizes bare = full;
    bare.records = false;
    struct fixture it;
    set_up(&it);
    struct unit unit = {0, 0};
    struct unit_outcome without = made_outcome(5, &bare), with = made_outcome(5, &full), kept;
    save_fine(it.run, unit, &without);
    assert_int_equal(load(it.run, unit, true, &kept), KEEPER_HAS_NOT);
    save_fine(it.run, unit, &with);
    assert_int_equal(load(it.run, unit, true, &kept), KEEPER_HAS_IT);
    assert_true(same_records(&with, &kept));
    unit_release(&kept);
    save_fine(it.run, unit, &without);
    assert_int_equal(load(it.run, unit, true, &kept), KEEPER_HAS_IT);
    unit_release(&kept);
    unit_release(&with);
    unit_release(&without);
    assert_int_equal(sql_number(it.path, "SELECT count(*) FROM unit"), 1);
    assert_int_equal(sql_number(it.path, "SELECT count(*) FROM logon"), full.logons);
    assert_int_equal(sql_number(it.path, "SELECT count(*) FROM metric"), full.metrics);
    tear_down(&it);
}

/* Damage that SQLite cannot see: a value, a row, a byte of a matrix. */
static void test_damaged_values(void **state)
{
    (void)state;
    static const struct {
        const char *sql;
        bool in_figures;
    } damages[] = {
        {"UPDATE metric SET value = value + 1 WHERE ordinal = (SELECT min(ordinal) FROM metric WHERE value "
         "BETWEEN -1e9 AND 1e9)",
         true},
        {"DELETE FROM metric WHERE ordinal = 16", true},
        {"UPDATE metric SET name = 999 WHERE ordinal = 3", true},
        {"UPDATE part SET value = 1.25 WHERE part = 2 AND ordinal = 4", true},
        {"DELETE FROM part WHERE part = 3 AND ordinal = 4", true},
        {"UPDATE metric_name SET unit = 'ms' WHERE id = 2", true},
        {"UPDATE unit SET fingerprint = fingerprint + 1", true},
        {"UPDATE unit SET run_effect = 1.5", true},
        {"UPDATE store SET name = 'other' WHERE store = 1", true},
        {"UPDATE warning SET text = '' WHERE ordinal = 0", true},
        {"UPDATE logon SET load_ns = load_ns + 1 WHERE ordinal = 7", false},
        {"UPDATE logon SET phase_cause = x'00' WHERE ordinal = 7", false},
        {"UPDATE logon SET phase_cause = zeroblob(66) WHERE ordinal = 7", false},
        {"UPDATE logon SET phase_cause = 'text' WHERE ordinal = 7", false},
        {"DELETE FROM logon WHERE ordinal = 39", false},
        {"UPDATE minute SET success = success + 1 WHERE store = 1 AND minute = 2", false},
        {"UPDATE minute SET store = 9 WHERE store = 1 AND minute = 2", false},
        {"UPDATE minute SET burst_credits_min = 12345 WHERE store = 0 AND minute = 2", false},
    };
    for (size_t i = 0; i < sizeof damages / sizeof damages[0]; i++) {
        struct fixture it;
        set_up(&it);
        struct unit_outcome made = made_outcome(7, &full), kept;
        save_fine(it.run, (struct unit){0, 0}, &made);
        unit_release(&made);
        turn_over(&it);
        sql_do(it.path, damages[i].sql);
        enum keeper_answer figures = load(it.run, (struct unit){0, 0}, false, &kept);
        if (figures != (damages[i].in_figures ? KEEPER_FAILED : KEEPER_HAS_IT))
            fail_msg("%s: %d", damages[i].sql, (int)figures);
        unit_release(&kept);
        if (load(it.run, (struct unit){0, 0}, true, &kept) != KEEPER_FAILED)
            fail_msg("%s: not noticed", damages[i].sql);
        tear_down(&it);
    }
}

static void test_phases_unpack(void **state)
{
    (void)state;
    unsigned char bytes[ARCHIVE_PHASES_SIZE + 1], longest[ARCHIVE_PHASES_SIZE];
    struct logon_record logon = {0}, back;
    const size_t first = ARCHIVE_FIRST_PHASES * ARCHIVE_FIRST_CAUSES;
    assert_int_equal(archive_phases_pack(&logon, bytes), first);
    for (int phase = 0; phase < PHASE_COUNT; phase++)
        for (int cause = 0; cause < CAUSE_COUNT; cause++)
            logon.phase_cause_ns[phase][cause] = (phase + cause) % 2 ? INT64_MIN : INT64_MAX;
    size_t length = archive_phases_pack(&logon, longest);
    assert_int_equal(length, ARCHIVE_PHASES_SIZE);
    assert_true(archive_phases_unpack(longest, length, &back));
    assert_memory_equal(back.phase_cause_ns, logon.phase_cause_ns, sizeof back.phase_cause_ns);
    /* Cut behind a number of a later phase or cause they read as if there were no more; the checksum notices. */
    for (size_t cut = 0; cut < length; cut++)
        assert_int_equal(archive_phases_unpack(longest, cut, &back),
                         cut >= 10 * first && (cut - 10 * first) % 12 == 0);
    memcpy(bytes, longest, length);
    bytes[length] = 0;
    assert_false(archive_phases_unpack(bytes, length + 1, &back));
    /* A later number that is of a phase nobody knows, or that was there before. */
    bytes[10 * first] = PHASE_COUNT;
    assert_false(archive_phases_unpack(bytes, length, &back));
    bytes[10 * first] = bytes[10 * first + 1] = 0;
    assert_false(archive_phases_unpack(bytes, length, &back));
    memset(bytes, 0xff, sizeof bytes);
    assert_false(archive_phases_unpack(bytes, sizeof bytes, &back));
    bytes[9] = 2; /* the 65th bit */
    assert_false(archive_phases_unpack(bytes, sizeof bytes, &back));
}

/* The reading of metrics alone agrees with that of units, also where runs report different ones. */
static void test_metrics(void **state)
{
    (void)state;
    struct fixture it;
    set_up(&it);
    struct unit_outcome made[3][4];
    for (size_t cell = 0; cell < 3; cell++)
        for (size_t i = 0; i < 4; i++) {
            struct made_sizes sizes = {3 + cell, 0, 1, 0, 0, 0, false};
            made[cell][i] = made_outcome(10 * cell + i, &sizes);
            if (i == 2 && cell == 1)
                continue;
            save_fine(it.run, (struct unit){cell, i}, &made[cell][i]);
        }
    turn_over(&it);
    char message[UNIT_MESSAGE_SIZE];
    struct archive_metrics *metrics;
    assert_int_equal(archive_metrics_load(it.archive, 0, &metrics, message), ARCHIVE_FINE);
    assert_int_equal(metrics->cell_count, 3);
    assert_int_equal(metrics->replications, 4);
    assert_int_equal(metrics->metric_count, 5);
    assert_string_equal(metrics->run.experiment, "small");
    assert_string_equal(metrics->run.hash, experiment_hash(it.experiment));
    assert_string_equal(metrics->metrics[4].name, "metric_4.mean");
    assert_int_equal(metrics->assignment_counts[2], 1);
    assert_string_equal(metrics->assignments[2][0].key, "stores.p.size");
    assert_string_equal(metrics->assignments[2][0].value, "10 TiB");
    for (size_t cell = 0; cell < 3; cell++)
        for (size_t i = 0; i < 4; i++) {
            size_t unit = cell * 4 + i;
            bool is_there = i != 2 || cell != 1;
            assert_int_equal(metrics->done[unit], is_there);
            for (size_t metric = 0; metric < 5; metric++)
                assert_true(same_double(metrics->values[unit * 5 + metric],
                                        is_there && metric < 3 + cell ? made[cell][i].values[metric] : NAN));
            if (is_there) {
                assert_true(same_double(metrics->run_effects[unit], made[cell][i].run_effect));
                assert_true(metrics->fingerprints[unit] == made[cell][i].account.fingerprint);
            }
            unit_release(&made[cell][i]);
        }
    archive_metrics_free(metrics);
    assert_int_equal(archive_metrics_load(it.archive, 9, &metrics, message), ARCHIVE_REFUSED);
    assert_non_null(strstr(message, "has no run 9"));
    tear_down(&it);
}

/* The views say what the tables hold. */
static void test_views(void **state)
{
    (void)state;
    struct fixture it;
    set_up(&it);
    struct unit_outcome made = made_outcome(3, &full);
    for (size_t i = 0; i < full.logons; i++)
        made.logons[i].load_ns = 2500000000;
    made.values[1] = 42.5;
    save_fine(it.run, (struct unit){1, 2}, &made);
    unit_release(&made);
    assert_int_equal(sql_number(it.path, "SELECT value * 2 FROM metrics WHERE metric = 'metric_1.mean' AND"
                                         " cell = 2 AND replication = 3 AND unit LIKE 'MiB%'"),
                     85);
    assert_int_equal(sql_number(it.path, "SELECT count(*) FROM logons WHERE load_s = 2.5 AND cell = 2"),
                     full.logons);
    assert_int_equal(sql_number(it.path, "SELECT count(*) FROM minutes WHERE store = 'store-1'"),
                     full.minutes - 1);
    assert_int_equal(sql_number(it.path, "SELECT count(*) FROM parts"), full.metrics * full.parts);
    assert_int_equal(sql_number(it.path, "SELECT kept * 100 + wanted FROM runs"), 112);
    assert_int_equal(
        sql_number(it.path, "SELECT count(*) FROM runs WHERE status = 'running' AND finished IS NULL"), 1);
    tear_down(&it);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_round_trip),    cmocka_unit_test(test_runs_are_apart),
        cmocka_unit_test(test_kept_twice),    cmocka_unit_test(test_damaged_values),
        cmocka_unit_test(test_phases_unpack), cmocka_unit_test(test_metrics),
        cmocka_unit_test(test_views),
    };
    return RUN_TESTS(tests);
}
