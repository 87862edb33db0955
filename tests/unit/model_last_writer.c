/* Who loses what: schedules written by hand, and a long random one against a naive record of every save. */
#include "tests/support/check.h"
#include "vdisim/last_writer.h"
#include "vdisim/random.h"

#include <string.h>

enum { FILES = 3, VALUES = 2, DEVICES = 2, SESSIONS = 4, FILE_A = 0, VALUE_A = FILES };

static struct last_writer made(void)
{
    struct last_writer writer;
    assert_true(last_writer_init(&writer, FILES, VALUES, DEVICES, SESSIONS));
    return writer;
}

static void expect_lost(const struct last_writer *writer, uint64_t files, uint64_t values,
                        const char *sessions)
{
    assert_int_equal(writer->lost_files, files);
    assert_int_equal(writer->lost_values, values);
    for (size_t session = 0; session < strlen(sessions); session++)
        if (writer->lost[session] != (sessions[session] == 'x'))
            fail_msg("session %zu: %d", session, (int)writer->lost[session]);
}

static void one_after_the_other_loses_nothing(void **state)
{
    (void)state;
    struct last_writer writer = made();
    for (size_t session = 0; session < SESSIONS; session++) {
        const size_t device = session % DEVICES;
        last_writer_read(&writer, device, FILE_A);
        last_writer_change(&writer, device, FILE_A, (int64_t)session);
        assert_true(last_writer_save(&writer, device, session, FILE_A, LATEST_CHANGE_WINS));
        assert_false(last_writer_save(&writer, device, session, FILE_A, LATEST_CHANGE_WINS));
    }
    expect_lost(&writer, 0, 0, "----");
    last_writer_release(&writer);
}

/* Both read; 0 changes at 10 and saves; 1 changes at 20 and saves: 0's is lost. */
static void the_newer_change_replaces_the_older(void **state)
{
    (void)state;
    struct last_writer writer = made();
    last_writer_change(&writer, 0, FILE_A, 10);
    last_writer_change(&writer, 1, FILE_A, 20);
    assert_true(last_writer_save(&writer, 0, 0, FILE_A, LATEST_CHANGE_WINS));
    assert_true(last_writer_is_stale(&writer, 1, FILE_A));
    assert_true(last_writer_save(&writer, 1, 1, FILE_A, LATEST_CHANGE_WINS));
    assert_true(last_writer_is_stale(&writer, 0, FILE_A));
    expect_lost(&writer, 1, 0, "x---");
    last_writer_release(&writer);
}

/* The same, but 0, whose change is older, saves last: by time stamp it loses its own, by order of saves it wins. */
static void an_older_change_that_is_saved_later(void **state)
{
    (void)state;
    for (int rule = LATEST_CHANGE_WINS; rule <= LATEST_SAVE_WINS; rule++) {
        struct last_writer writer = made();
        last_writer_change(&writer, 0, FILE_A, 10);
        last_writer_change(&writer, 1, FILE_A, 20);
        assert_true(last_writer_save(&writer, 1, 1, FILE_A, (enum last_writer_rule)rule));
        assert_int_equal(last_writer_save(&writer, 0, 0, FILE_A, (enum last_writer_rule)rule),
                         rule == LATEST_SAVE_WINS);
        expect_lost(&writer, 1, 0, rule == LATEST_CHANGE_WINS ? "x---" : "-x--");
        last_writer_release(&writer);
    }
}

/* What the store has is replaced when it has an earlier time stamp; one of the same instant stays. */
static void a_change_of_the_same_instant_stays(void **state)
{
    (void)state;
    struct last_writer writer = made();
    last_writer_change(&writer, 0, FILE_A, 10);
    last_writer_change(&writer, 1, FILE_A, 10);
    assert_true(last_writer_save(&writer, 0, 0, FILE_A, LATEST_CHANGE_WINS));
    assert_false(last_writer_save(&writer, 1, 1, FILE_A, LATEST_CHANGE_WINS));
    expect_lost(&writer, 1, 0, "-x--");
    last_writer_release(&writer);
}

/* A hive that is put back as it was read replaces what was saved since: who has that copy must read it again. */
static void a_hive_that_is_put_back_is_a_new_version(void **state)
{
    (void)state;
    struct last_writer writer = made();
    last_writer_change(&writer, 0, VALUE_A, 10);
    last_writer_replace(&writer, 0, 0, VALUE_A);
    assert_false(last_writer_is_stale(&writer, 0, VALUE_A));
    last_writer_replace(&writer, 1, 1, VALUE_A);
    assert_true(last_writer_is_stale(&writer, 0, VALUE_A));
    assert_false(last_writer_is_stale(&writer, 1, VALUE_A));
    expect_lost(&writer, 0, 1, "x---");
    /* As it is put back again there is nothing of session 0 left to lose. */
    last_writer_replace(&writer, 0, 2, VALUE_A);
    expect_lost(&writer, 0, 1, "x---");
    last_writer_release(&writer);
}

/* Per value nothing is lost when the sessions change different ones; by the whole hive the first one's is. */
static void values_merge_and_hives_do_not(void **state)
{
    (void)state;
    for (int whole = 0; whole <= 1; whole++) {
        struct last_writer writer = made();
        last_writer_change(&writer, 0, VALUE_A, 10);
        last_writer_change(&writer, 1, VALUE_A + 1, 20);
        for (size_t device = 0; device < DEVICES; device++)
            for (size_t value = FILES; value < FILES + VALUES; value++) {
                if (whole)
                    last_writer_replace(&writer, device, device, value);
                else
                    last_writer_save(&writer, device, device, value, LATEST_SAVE_WINS);
            }
        expect_lost(&writer, 0, whole ? 1 : 0, whole ? "x---" : "----");
        /* What was put back is nobody's update: replacing it once more loses nothing. */
        last_writer_read(&writer, 0, VALUE_A);
        last_writer_change(&writer, 0, VALUE_A, 30);
        assert_true(last_writer_save(&writer, 0, 2, VALUE_A, LATEST_SAVE_WINS));
        expect_lost(&writer, 0, whole ? 1 : 0, whole ? "x---" : "----");
        last_writer_release(&writer);
    }
}

static void a_temporary_profile_loses_each_changed_item(void **state)
{
    (void)state;
    struct last_writer writer = made();
    last_writer_change(&writer, 1, 0, 1);
    last_writer_change(&writer, 1, 2, 1);
    last_writer_change(&writer, 1, 2, 2);
    last_writer_change(&writer, 1, VALUE_A, 2);
    last_writer_discard(&writer, 1, 3);
    last_writer_discard(&writer, 1, 3);
    expect_lost(&writer, 2, 1, "---x");
    last_writer_release(&writer);
}

/* Every update that was saved or refused is on the store in the end, was read by whoever replaced it, or is lost. */
static void updates_are_conserved(void **state)
{
    (void)state;
    struct last_writer writer = made();
    struct sim_random random;
    sim_random_init(&random, 1, 0, "schedule");
    uint64_t saved = 0, refused = 0, read_on = 0;
    bool seen[DEVICES][FILES] = {{false}}; /* the device has read what is on the store */
    bool there[FILES] = {false};           /* an update is on the store */
    for (int64_t now = 1; now < 20000; now++) {
        const size_t device = (size_t)sim_random_below(&random, DEVICES);
        const size_t item = (size_t)sim_random_below(&random, FILES);
        if (sim_random_chance(&random, 0.3)) {
            last_writer_read(&writer, device, item);
            seen[device][item] = true;
            continue;
        }
        last_writer_change(&writer, device, item, now - (int64_t)sim_random_below(&random, 50));
        if (!last_writer_save(&writer, device, device, item, LATEST_CHANGE_WINS)) {
            refused++;
            continue;
        }
        saved++;
        read_on += there[item] && seen[device][item];
        there[item] = true;
        for (size_t other = 0; other < DEVICES; other++)
            seen[other][item] = other == device;
    }
    assert_true(refused > 100 && read_on > 100);
    assert_int_equal(saved + refused, (uint64_t)FILES + read_on + writer.lost_files);
    last_writer_release(&writer);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_after_the_other_loses_nothing),
        cmocka_unit_test(the_newer_change_replaces_the_older),
        cmocka_unit_test(an_older_change_that_is_saved_later),
        cmocka_unit_test(a_change_of_the_same_instant_stays),
        cmocka_unit_test(a_hive_that_is_put_back_is_a_new_version),
        cmocka_unit_test(values_merge_and_hives_do_not),
        cmocka_unit_test(a_temporary_profile_loses_each_changed_item),
        cmocka_unit_test(updates_are_conserved),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
