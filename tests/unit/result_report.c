/* What people read of a result: unfinished logons, too few replications, how cells are compared, the table. */
#include "sim/experiment/result/label.h"
#include "tests/support/made_result.h"

#define STORE "experiment: x\nstores: {p: {tier: azure-files/premium, size: 5 TiB}}\n"
#define TWO_TIERS                                                                                            \
    STORE "workloads: {logons: {users: 10}}\nvary: {stores.p.tier: [azure-files/premium, "                   \
          "azure-files/hot]}\n"

static const char *const logon_metrics[] = {"profile_load.mean s", "logons.finished", "logons.unfinished",
                                            "throttled.fraction", NULL};

static void test_unfinished_logons(void **state)
{
    (void)state;
    const double values[] = {6.7, 1000, 0, 0, 655, 517, 483, 0};
    struct result *result = make_result(
        TWO_TIERS "run: {replications: 1}\n"
                  "expect:\n"
                  "  - {metric: profile_load.mean, below: 700 s}\n"
                  "  - {metric: profile_load.mean, where: {tier: hot}, published: 655 s, within: 5 %}\n",
        logon_metrics, values, 0);
    char *text = report_of(result), *json = json_of(result);
    assert_says(text, ">655.0", true);
    assert_says(text, ">6.7", false);
    assert_says(text, "unfinished", true);
    assert_says(text, "48.3", true);
    assert_says(
        text,
        "hot: 483 of 1,000 logons had not finished when the run ended; their loads are longer than the "
        "mean says.",
        true);
    assert_says(text, "tier: premium 6.7 s, hot more than 655 s (more than 97.8 times as long).", true);
    assert_says(text, "1 of 1 expectation is met; 2 not judged (logons were unfinished).", true);
    assert_says(text, "Nothing was throttled", false);
    assert_says(text, "No request that was answered was throttled; those of unfinished logons", true);
    assert_says(json, "\"mean\": 655, \"ci95\": null, \"pi95\": null, \"lower_bound\": true}", true);
    assert_says(json, "\"mean\": 6.7, \"ci95\": null, \"pi95\": null}", true);
    assert_says(json, "\"verdict\": \"unfinished\"", true);
    assert_int_equal(count_verdicts(result).unfinished, 2);
    assert_int_equal(count_verdicts(result).met, 1);
    free(text);
    free(json);
    release_made_result(result);
}

/* One in a hundred is tolerated, and so are as many as are usually under way: a minute's load in a run of an hour leaves
 * 1000 x 60 / 3600 = 17 of 1,000. */
static void test_a_few_unfinished_logons(void **state)
{
    (void)state;
    const double few[] = {6.7, 990, 10, 0, 12, 999, 1, 0}, none[] = {6.7, 1000, 0, 0, 12, 1000, 0, 0};
    struct result *quiet = make_result(TWO_TIERS "run: {replications: 1}\n", logon_metrics, few, 0);
    char *said = report_of(quiet);
    assert_says(said, "Nothing was throttled.\n", true);
    free(said);
    release_made_result(quiet);
    quiet = make_result(TWO_TIERS "run: {replications: 1}\n", logon_metrics, none, 0);
    said = report_of(quiet);
    assert_says(said, "Nothing was throttled.\n", true);
    free(said);
    release_made_result(quiet);

    const double usual[] = {6.7, 1000, 0, 0, 60, 983, 17, 0};
    quiet = make_result(TWO_TIERS "run: {replications: 1}\n", logon_metrics, usual, 0);
    said = report_of(quiet);
    assert_says(said, ">60", false);
    free(said);
    release_made_result(quiet);

    const double values[] = {6.7, 990, 10, 0, 12, 989, 11, 0.5};
    struct result *result = make_result(TWO_TIERS "run: {replications: 1}\n", logon_metrics, values, 0);
    char *text = report_of(result);
    assert_says(text, ">6.7", false);
    assert_says(text, ">12.0", true);
    assert_says(text, "hot: 11 of 1,000 logons", true);
    assert_says(text, "premium: 10 of", false);
    free(text);
    release_made_result(result);
}

static void test_no_logon_finished(void **state)
{
    (void)state;
    const double values[] = {6.7, 1000, 0, 0, NAN, 0, 1000, NAN};
    struct result *result = make_result(TWO_TIERS "run: {replications: 1}\n"
                                                  "expect:\n  - {metric: profile_load.mean, below: 9 s}\n",
                                        logon_metrics, values, 0);
    char *text = report_of(result);
    assert_says(text, "hot: none of 1,000 logons had finished when the run ended, so there is no load time.",
                true);
    assert_says(text, "Nothing was throttled", false);
    assert_says(text, "1 of 1 expectation is met; 1 not judged (logons were unfinished).", true);
    free(text);
    release_made_result(result);
}

/* Several workloads: each has metrics under its name, a headline of its own and expectations of its own. */
static void test_unfinished_logons_of_one_workload(void **state)
{
    (void)state;
    static const char *const names[] = {"early.profile_load.mean s",     "early.logons.finished",
                                        "early.logons.unfinished",       "late.profile_load.mean s",
                                        "late.logons.finished",          "late.logons.unfinished",
                                        "late.profile_load.by.window s", NULL};
    const double values[] = {6.7, 100, 0, 80, 60, 40, 60};
    struct result *result = make_result(
        STORE "workloads:\n  early: {kind: logons, users: 10}\n  late: {kind: logons, users: 10}\n"
              "run: {replications: 1}\n"
              "expect:\n  - {metric: early.profile_load.mean, below: 9 s}\n"
              "  - {metric: late.profile_load.mean, below: 9 s}\n",
        names, values, 0);
    char *text = report_of(result);
    assert_says(text, "late: 40 of 100 logons had not finished", true);
    assert_says(text, "early: ", false);
    assert_says(text, "6.7", true);
    assert_says(text, ">80.0", true);
    assert_says(text, "late: 75 % of a profile load is window.", true);
    assert_says(text, "1 of 1 expectation is met; 1 not judged", true);
    assert_int_equal(headline_rank("late.profile_load.mean"), 0);
    assert_int_equal(workload_prefix("late.profile_load.mean"), 5);
    assert_int_equal(workload_prefix("late.profile_load.by.window"), 5);
    assert_int_equal(workload_prefix("profile_load.mean"), 0);
    assert_int_equal(workload_prefix("iops.mean"), 0);
    free(text);
    release_made_result(result);
}

static void test_too_few_replications(void **state)
{
    (void)state;
    static const char *const names[] = {"profile_load.mean s", NULL};
    static const char text_of_two[] = STORE "workloads: {logons: {users: 10}}\nrun: {replications: 2}\n"
                                            "expect:\n  - {metric: profile_load.mean, published: 7 s}\n";
    const double values[] = {6, 8};
    struct result *result = make_result(text_of_two, names, values, 0.2);
    char *text = report_of(result);
    assert_says(text, "need at least 5 replications.\n", true);
    assert_says(text, "1 not judged (no value, or too few replications)", true);
    assert_says(text, "[", false);
    free(text);
    release_made_result(result);

    result = make_result(text_of_two, names, values, 0); /* without a run effect two are enough */
    text = report_of(result);
    assert_says(text, "at least 5 replications", false);
    assert_says(text, "1 of 1 published value lies where one run would.", true);
    free(text);
    release_made_result(result);
}

static void expect_comparison(const char *vary, const double *values, const char *sentence, bool wanted)
{
    static const char *const names[] = {"profile_load.mean s", NULL};
    char text[1000];
    snprintf(text, sizeof text,
             STORE "workloads: {logons: {users: 10}}\nrun: {replications: 1}\nvary: {%s}\n", vary);
    struct result *result = make_result(text, names, values, 0);
    char *report = report_of(result);
    assert_says(report, sentence, wanted);
    free(report);
    release_made_result(result);
}

/* Cells are put together only over a key that does not matter. */
static void test_comparisons(void **state)
{
    (void)state;
    static const char tiers[] = "stores.p.tier: [azure-files/premium, azure-files/hot]",
                      both[] =
                          "stores.p.tier: [azure-files/premium, azure-files/hot], workloads.logons.users: "
                          "[100, 2000]",
                      three[] =
                          "stores.p.tier: [azure-files/premium, azure-files/hot], workloads.logons.users: "
                          "[100, 2000], run.length: [1 min, 2 min]";
    expect_comparison(tiers, (const double[]){6.7, 13.4},
                      "tier: premium 6.7 s, hot 13.4 s (2.0 times as long).\n", true);
    expect_comparison(both, (const double[]){6.7, 6.9, 13.4, 13.8},
                      "tier: premium 6.8 s, hot 13.6 s (2.0 times", true);
    expect_comparison(both, (const double[]){6.7, 13.4, 6.8, 13.5},
                      "users: 100 6.8 s, 2,000 13.4 s (2.0 times",
                      true); /* the first key is the one that does not matter */
    expect_comparison(
        both, (const double[]){6.7, 9, 13.4, 20.1},
        "Shortest profile load: premium, 100, 6.7 s; longest: hot, 2,000, 20.1 s (3.0 times as long).\n",
        true);
    expect_comparison(three, (const double[]){6.7, 6.7, 6.7, 6.7, 13.4, 13.4, 13.4, 13.4}, "tier: premium",
                      false);
    expect_comparison(tiers, (const double[]){6.7, NAN}, "times", false);
}

static void test_units_stand_in_the_heading(void **state)
{
    (void)state;
    static const char *const names[] = {"profile_load.mean s", NULL};
    struct result *result =
        make_result(STORE "workloads: {logons: {users: 10}}\nrun: {replications: 1}\n"
                          "vary: {stores.p.iops: [20000 IOPS, 100000 IOPS], run.length: [60 min, 2 h]}\n",
                    names, (const double[]){1, 1, 1, 1}, 0);
    char *text = report_of(result);
    assert_says(text, "iops, IOPS", true);
    assert_says(text, "\n    20,000", true);
    assert_says(text, "0 IOPS  ", false);
    assert_says(text, "60 min", true); /* units that differ stay */
    free(text);
    release_made_result(result);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_unfinished_logons),
        cmocka_unit_test(test_a_few_unfinished_logons),
        cmocka_unit_test(test_no_logon_finished),
        cmocka_unit_test(test_unfinished_logons_of_one_workload),
        cmocka_unit_test(test_too_few_replications),
        cmocka_unit_test(test_comparisons),
        cmocka_unit_test(test_units_stand_in_the_heading),
    };
    return RUN_TESTS(tests);
}
