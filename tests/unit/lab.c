/* The lab: the texts that it hands to the page. */
#include "sim/lab/lab.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static const char text[] = "experiment: lab-test\n"
                           "stores:\n"
                           "  profiles: {tier: azure-files/premium, rules: 2019-10, size: 100 GiB}\n"
                           "workloads:\n"
                           "  logons: {users: 10, arrivals: {window: 1 min}}\n"
                           "run: {length: 10 min, replications: 2}\n";

struct seen {
    size_t looks, logons, minutes;
};

static size_t occurrences(const char *in, const char *what)
{
    size_t count = 0;
    for (const char *at = in; (at = strstr(at, what)) != NULL; at++)
        count++;
    return count;
}

static void look(void *context, const char *progress)
{
    struct seen *seen = context;
    seen->looks++;
    const char *logons = strstr(progress, "\"logons\":[");
    const char *waiting = strstr(progress, "],\"waiting\"");
    assert_non_null(logons);
    assert_non_null(waiting);
    for (const char *at = logons + strlen("\"logons\":["); at < waiting; at++)
        seen->logons += *at == '[';
    seen->minutes += occurrences(progress, "\"responses\":");
}

static void test_looking_on_changes_nothing(void **state)
{
    (void)state;
    static const char *const names[] = {"result.json", "cells.csv",   "runs.csv",
                                        "logons.csv",  "minutes.csv", "expectations.csv"};
    struct lab *looked_at = lab_open(text), *alone = lab_open(text);
    struct seen seen = {0};
    assert_true(lab_is_fine(looked_at));
    assert_false(lab_has_run(looked_at));
    assert_string_equal(lab_document(looked_at, "cells.csv"), "");
    assert_true(lab_run(looked_at, look, &seen));
    assert_true(lab_run(alone, NULL, NULL));
    assert_true(lab_has_run(looked_at));
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        char *expected = strdup(lab_document(alone, names[i]));
        assert_non_null(expected);
        assert_true(strlen(expected) > 0);
        assert_string_equal(lab_document(looked_at, names[i]), expected);
        free(expected);
    }
    assert_int_equal(seen.looks, 20);  /* ten minutes, twice */
    assert_int_equal(seen.logons, 20); /* each once */
    assert_true(seen.minutes >= 20);
    assert_string_equal(lab_document(alone, "no such name"), "");
    lab_close(looked_at);
    lab_close(alone);
}

static void test_texts_of_a_run(void **state)
{
    (void)state;
    struct lab *lab = lab_open(text);
    const char *description = lab_description(lab);
    assert_non_null(strstr(description, "\"name\":\"lab-test\""));
    assert_non_null(strstr(description, "\"length_s\":600,\"replications\":2"));
    assert_non_null(strstr(description, "\"iops.base\""));
    assert_non_null(strstr(description, "\"server latency\""));
    assert_string_equal(lab_logon(lab, 0, 0, 0), "null"); /* not run yet */
    assert_string_equal(lab_records(lab, 0, 0), "{\"logons\":[],\"stores\":[]}");
    assert_true(lab_run(lab, NULL, NULL));
    const char *logon = lab_logon(lab, 0, 1, 3);
    const char *load = strstr(logon, "\"load_ns\":");
    assert_non_null(load);
    int64_t left_ns = strtoll(load + strlen("\"load_ns\":"), NULL, 10);
    for (const char *at = strstr(logon, "[["); at != NULL && *at != '\0'; at++) {
        char *end;
        int64_t part_ns = strtoll(at, &end, 10);
        if (end == at)
            continue;
        left_ns -= part_ns;
        at = end - 1;
    }
    assert_int_equal(left_ns, 0);
    assert_string_equal(lab_logon(lab, 0, 1, 10), "null");
    assert_string_equal(lab_logon(lab, 0, 2, 0), "null");
    assert_string_equal(lab_logon(lab, 1, 0, 0), "null");
    assert_int_equal(occurrences(lab_records(lab, 0, 1), "\"responses\":"), 10);
    lab_close(lab);
}

static void test_bad_text(void **state)
{
    (void)state;
    struct lab *lab = lab_open(
        "experiment: x\nstores: {a: {tier: azure-files/premum}}\nworkloads: {logons: {users: 5 TiB}}\n");
    assert_false(lab_is_fine(lab));
    const char *problems = lab_problems(lab);
    assert_non_null(strstr(problems, "\"line\": 2"));
    assert_non_null(strstr(problems, "premium"));
    lab_close(lab);
    lab = lab_open("");
    assert_false(lab_is_fine(lab));
    lab_close(lab);
    lab_close(NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_looking_on_changes_nothing),
        cmocka_unit_test(test_texts_of_a_run),
        cmocka_unit_test(test_bad_text),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
