/* An outcome goes through bytes and comes out bit for bit; bytes that are none of ours are refused. */
#include "sim/experiment/run/unit_bytes.h"
#include "tests/support/check.h"

#include <stdlib.h>
#include <string.h>

/* Doubles whose bits are easily lost. */
static const double hard[] = {0.0, -0.0, 1.0 / 3, 5e-324, 1.7976931348623157e308, INFINITY, -INFINITY, NAN};
enum { HARD = sizeof hard / sizeof hard[0], PARTS = 3, STORES = 2, MINUTES = 3, WORKLOADS = 2, LOGONS = 5 };

/* Every byte of a struct is set, so that a member that is not carried over shows. Padding too: it is not compared. */
static void fill(void *record, size_t size, unsigned seed)
{
    unsigned char *bytes = record;
    for (size_t i = 0; i < size; i++)
        bytes[i] = (unsigned char)(seed * 37 + i * 11 + 1);
}

static struct unit_outcome made_outcome(bool with_records)
{
    struct unit_outcome outcome = {.done = true, .run_effect = 1.1, .run_effect_cv = 0.2};
    outcome.metric_count = HARD;
    outcome.names = calloc(HARD, sizeof *outcome.names);
    outcome.values = malloc(sizeof hard);
    memcpy(outcome.values, hard, sizeof hard);
    for (size_t i = 0; i < HARD; i++) {
        char name[32];
        snprintf(name, sizeof name, "metric.%zu", i);
        outcome.names[i] = (struct metric_name){strdup(name), strdup(i % 2 == 0 ? "" : "MiB/s \xc2\xb5")};
    }
    outcome.part_count = PARTS;
    outcome.part_values = malloc(PARTS * sizeof hard);
    for (size_t i = 0; i < PARTS; i++)
        memcpy(outcome.part_values + i * HARD, hard, sizeof hard);
    fill(&outcome.account, sizeof outcome.account, 1);
    outcome.account.end = SIM_END_EMPTY;
    outcome.store_count = STORES;
    outcome.store_names = calloc(STORES, sizeof *outcome.store_names);
    outcome.minutes = calloc(STORES, sizeof *outcome.minutes);
    outcome.minute_counts = calloc(STORES, sizeof *outcome.minute_counts);
    outcome.workload_minutes = calloc(STORES, sizeof *outcome.workload_minutes);
    outcome.workload_count = with_records ? WORKLOADS : 0;
    for (size_t store = 0; store < STORES; store++) {
        outcome.store_names[store] = strdup(store == 0 ? "profiles" : "vdisks");
        if (!with_records)
            continue;
        outcome.minutes[store] = calloc(MINUTES, sizeof **outcome.minutes);
        outcome.minute_counts[store] = MINUTES;
        fill(outcome.minutes[store], MINUTES * sizeof **outcome.minutes, (unsigned)store);
        outcome.workload_minutes[store] = calloc(MINUTES * WORKLOADS, sizeof **outcome.workload_minutes);
        fill(outcome.workload_minutes[store], MINUTES * WORKLOADS * sizeof **outcome.workload_minutes, 5);
        outcome.minutes[store][1].burst_credits_min = NAN;
    }
    if (with_records) {
        outcome.logon_count = LOGONS;
        outcome.logons = calloc(LOGONS, sizeof *outcome.logons);
        fill(outcome.logons, LOGONS * sizeof *outcome.logons, 3);
        for (size_t i = 0; i < LOGONS; i++)
            outcome.logons[i].finished = i % 2 == 0;
    }
    outcome.warning_count = 2;
    outcome.warnings = calloc(2, sizeof *outcome.warnings);
    outcome.warnings[0] = strdup("3 handles were refused");
    outcome.warnings[1] = strdup("");
    return outcome;
}

static void assert_same_logon(const struct logon_record *a, const struct logon_record *b)
{
    assert_int_equal(a->user, b->user);
    assert_int_equal(a->host, b->host);
    assert_int_equal(a->finished, b->finished);
    assert_true(a->start_ns == b->start_ns && a->load_ns == b->load_ns && a->requests == b->requests);
    assert_true(a->bytes_read == b->bytes_read && a->bytes_written == b->bytes_written);
    assert_memory_equal(a->phase_cause_ns, b->phase_cause_ns, sizeof a->phase_cause_ns);
}

static void assert_same(const struct unit_outcome *a, const struct unit_outcome *b)
{
    assert_int_equal(a->done, b->done);
    assert_int_equal(a->metric_count, b->metric_count);
    for (size_t i = 0; i < a->metric_count; i++) {
        assert_string_equal(a->names[i].name, b->names[i].name);
        assert_string_equal(a->names[i].unit, b->names[i].unit);
    }
    assert_memory_equal(a->values, b->values, a->metric_count * sizeof *a->values);
    assert_int_equal(a->part_count, b->part_count);
    assert_int_equal(a->part_values == NULL, b->part_values == NULL);
    if (a->part_values != NULL)
        assert_memory_equal(a->part_values, b->part_values,
                            a->part_count * a->metric_count * sizeof *a->part_values);
    assert_memory_equal(&a->run_effect, &b->run_effect, sizeof a->run_effect);
    assert_memory_equal(&a->run_effect_cv, &b->run_effect_cv, sizeof a->run_effect_cv);
    assert_int_equal(a->account.end, b->account.end);
    /* From the clock on the account has no padding. */
    size_t from = offsetof(struct sim_account, now_ns);
    assert_memory_equal((const char *)&a->account + from, (const char *)&b->account + from,
                        sizeof a->account - from);
    assert_int_equal(a->logons == NULL, b->logons == NULL);
    assert_int_equal(a->logon_count, b->logon_count);
    for (size_t i = 0; i < a->logon_count; i++)
        assert_same_logon(&a->logons[i], &b->logons[i]);
    assert_int_equal(a->store_count, b->store_count);
    for (size_t store = 0; store < a->store_count; store++) {
        assert_string_equal(a->store_names[store], b->store_names[store]);
        assert_int_equal(a->minutes[store] == NULL, b->minutes[store] == NULL);
        assert_int_equal(a->minute_counts[store], b->minute_counts[store]);
        assert_int_equal(a->workload_count, b->workload_count);
        if (a->minute_counts[store] * a->workload_count > 0)
            assert_memory_equal(a->workload_minutes[store], b->workload_minutes[store],
                                a->minute_counts[store] * a->workload_count * sizeof **a->workload_minutes);
        if (a->minute_counts[store] > 0) /* no padding */
            assert_memory_equal(a->minutes[store], b->minutes[store],
                                a->minute_counts[store] * sizeof **a->minutes);
    }
    assert_int_equal(a->warning_count, b->warning_count);
    for (size_t i = 0; i < a->warning_count; i++)
        assert_string_equal(a->warnings[i], b->warnings[i]);
}

static void comes_out_the_same(void **state)
{
    (void)state;
    for (int with_records = 0; with_records <= 1; with_records++) {
        struct unit_outcome outcome = made_outcome(with_records), copy;
        struct unit_bytes bytes = {0};
        char message[UNIT_MESSAGE_SIZE] = "";
        assert_true(unit_bytes_append(&bytes, "front", 5));
        assert_true(unit_encode(&outcome, &bytes));
        assert_memory_equal(bytes.data, "frontVDUN\3", 10);
        assert_true(unit_decode(bytes.data + 5, bytes.size - 5, &copy, message));
        assert_same(&outcome, &copy);
        unit_release(&outcome);
        unit_release(&copy);
        unit_bytes_release(&bytes);
    }
}

static void without_parts(void **state)
{
    (void)state;
    struct unit_outcome outcome = made_outcome(false), copy;
    struct unit_bytes bytes = {0};
    char message[UNIT_MESSAGE_SIZE] = "";
    free(outcome.part_values);
    outcome.part_values = NULL;
    outcome.part_count = 0;
    assert_true(unit_encode(&outcome, &bytes));
    assert_true(unit_decode(bytes.data, bytes.size, &copy, message));
    assert_same(&outcome, &copy);
    unit_release(&outcome);
    unit_release(&copy);
    unit_bytes_release(&bytes);
}

/* What is refused leaves nothing to release. The bytes are copied to the end of a block of their own, so that a
 * sanitizer sees a read beyond them. */
static void assert_refused(const unsigned char *data, size_t size, const char *expected)
{
    struct unit_outcome outcome;
    char message[UNIT_MESSAGE_SIZE] = "";
    unsigned char *exact = malloc(size + 1);
    memcpy(exact + 1, data, size);
    assert_false(unit_decode(exact + 1, size, &outcome, message));
    free(exact);
    assert_false(outcome.done);
    assert_null(outcome.names);
    if (strstr(message, expected) == NULL)
        fail_msg("'%s' does not say '%s'", message, expected);
}

static void cut_at_any_place_is_refused(void **state)
{
    (void)state;
    struct unit_outcome outcome = made_outcome(true);
    struct unit_bytes bytes = {0};
    assert_true(unit_encode(&outcome, &bytes));
    for (size_t size = 0; size < bytes.size; size++)
        assert_refused(bytes.data, size, size < 4 ? "not the outcome" : "cut short");
    /* The same with a length that claims to be right. */
    for (size_t size = 20; size < bytes.size; size++) {
        for (int i = 0; i < 8; i++)
            bytes.data[12 + i] = (unsigned char)(size >> (8 * i));
        assert_refused(bytes.data, size, "cannot be read");
    }
    unit_release(&outcome);
    unit_bytes_release(&bytes);
}

static void foreign_bytes_are_refused(void **state)
{
    (void)state;
    struct unit_outcome outcome = made_outcome(true);
    struct unit_bytes bytes = {0};
    assert_true(unit_encode(&outcome, &bytes));
    assert_refused((const unsigned char *)"SQLite format 3", 15, "not the outcome");
    bytes.data[4] = 9;
    assert_refused(bytes.data, bytes.size, "has format 9, this program reads 3");
    bytes.data[4] = UNIT_BYTES_VERSION;
    assert_true(unit_bytes_append(&bytes, "x", 1));
    assert_refused(bytes.data, bytes.size, "something follows");
    bytes.size--;
    memset(bytes.data + 20, 0xff, 8); /* the count of metrics */
    assert_refused(bytes.data, bytes.size, "a count is larger");
    unit_release(&outcome);
    unit_bytes_release(&bytes);
}

/* Any single byte changed: read or refused, never a crash, and what is read can be written. */
static void damage_does_no_harm(void **state)
{
    (void)state;
    struct unit_outcome outcome = made_outcome(true);
    struct unit_bytes bytes = {0}, again = {0};
    char message[UNIT_MESSAGE_SIZE];
    assert_true(unit_encode(&outcome, &bytes));
    for (size_t i = 0; i < bytes.size; i++) {
        struct unit_outcome copy;
        unsigned char was = bytes.data[i];
        bytes.data[i] = (unsigned char)(was ^ 0x81);
        if (unit_decode(bytes.data, bytes.size, &copy, message)) {
            again.size = 0;
            assert_true(unit_encode(&copy, &again));
            assert_int_equal(again.size, bytes.size);
            assert_memory_equal(again.data, bytes.data, bytes.size);
        }
        unit_release(&copy);
        bytes.data[i] = was;
    }
    unit_release(&outcome);
    unit_bytes_release(&bytes);
    unit_bytes_release(&again);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(comes_out_the_same),          cmocka_unit_test(without_parts),
        cmocka_unit_test(cut_at_any_place_is_refused), cmocka_unit_test(foreign_bytes_are_refused),
        cmocka_unit_test(damage_does_no_harm),
    };
    return RUN_TESTS(tests);
}
