/* Expectations: which cells they belong to, from the file and from tables, and what is refused. */
#include "tests/support/check.h"
#include "tests/support/open_text.h"
#include "tests/support/problems.h"

#include "sim/experiment/read/expect.h"
#include "sim/experiment/read/metric_value.h"

#include <unistd.h>

#define MATRIX                                                                                               \
    "experiment: x\n"                                                                                        \
    "stores: {p: {tier: azure-files/premium, size: 5 TiB}}\n"                                                \
    "workloads: {logons: {users: 10}}\n"                                                                     \
    "vary:\n"                                                                                                \
    "  stores.p.tier: [azure-files/premium, azure-files/hot]\n"                                              \
    "  workloads.logons.users: [100, '2,000']\n"                                                             \
    "expect:\n"

static void values_match_as_people_mean_them(void **state)
{
    (void)state;
    static const struct {
        const char *of_cell, *wanted;
        bool match;
    } cases[] = {
        {"azure-files/premium", "premium", true},
        {"azure-files/premium", "azure-files/premium", true},
        {"azure-files/premium", "files/premium", false},
        {"premium", "azure-files/premium", true},
        {"azure-files/premium", "remium", false},
        {"20,000 /h", "20000", true},
        {"20,000 /h", "20000 /h", true},
        {"20,000 /h", "20000 /s", false},
        {"20000", "20000.0", true},
        {"true", "on", true},
        {"true", "off", false},
        {"1", "10", false},
        {"a", "", false},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        if (expect_values_match(cases[i].of_cell, cases[i].wanted) != cases[i].match)
            fail_msg("%s, %s", cases[i].of_cell, cases[i].wanted);
}

static void metrics_have_units(void **state)
{
    (void)state;
    static const struct {
        const char *metric, *text;
        double value;
    } cases[] = {
        {"profile_load.mean", "7.24", 7.24},
        {"profile_load.p95", "500 ms", 0.5},
        {"server_latency.mean", "4 ms", 4},
        {"profiles.egress.peak", "45 MiB/s", 45},
        {"iops.mean", "2,300", 2300},
        {"iops.mean", "3300 IOPS", 3300},
        {"throttled.fraction", "1 %", 0.01},
        {"burst_credits.min", "-5", -5},
        {"profile_load.over_30s", "5 %", 0.05},
        {"throttled.egress", "10", 10},
        {"profile_load.requests", "1700", 1700},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        double value;
        char message[300];
        assert_true(metric_value_parse(cases[i].metric, cases[i].text, &value, message, sizeof message));
        assert_near_relative(value, cases[i].value, 1e-15);
    }
    double value;
    char message[300];
    assert_false(metric_value_parse("profile_load.mean", "7 MiB", &value, message, sizeof message));
    assert_false(metric_value_parse("burst_credits.min", "7 s", &value, message, sizeof message));
    assert_false(metric_value_parse("profile_load.mean", "unlimited", &value, message, sizeof message));
    assert_false(metric_value_parse("profile_load.mean", "1e999", &value, message, sizeof message));
}

static struct experiment *open_fine(const char *text)
{
    struct problems *problems = problems_create();
    struct experiment *experiment = open_text(text, NULL, problems);
    assert_no_errors(problems);
    problems_destroy(problems);
    return experiment;
}

static const struct expectation *only(const struct experiment *experiment, size_t cell)
{
    assert_int_equal(experiment_cell(experiment, cell)->expectation_count, 1);
    return &experiment_cell(experiment, cell)->expectations[0];
}

static void each_rule(void **state)
{
    (void)state;
    struct experiment *experiment = open_fine(
        MATRIX
        "  - {metric: profile_load.mean, where: {tier: premium, users: 100}, published: 7.24 s, within: 8 %, "
        "source: S}\n"
        "  - {metric: profile_load.mean, where: {tier: premium, users: 2000}, published: 8}\n"
        "  - {metric: profile_load.mean, where: {tier: hot, stores.p.size: 5 TiB, users: '2,000'}, between: "
        "[1 s, 2 s]}\n"
        "  - {metric: profile_load.mean, where: {tier: hot, users: 100}, published: 4 s, within: 0.4 s}\n");
    const struct expectation *expectation = only(experiment, 0);
    assert_int_equal(expectation->rule, EXPECT_TOLERANCE);
    assert_near_relative(expectation->published, 7.24, 1e-15);
    assert_near_relative(expectation->tolerance, 0.08, 1e-15);
    assert_string_equal(expectation->source, "S");
    expectation = only(experiment, 1);
    assert_int_equal(expectation->rule, EXPECT_ONE_RUN);
    assert_true(expectation->published == 8);
    expectation = only(experiment, 3);
    assert_int_equal(expectation->rule, EXPECT_BETWEEN);
    assert_true(expectation->low == 1 && expectation->high == 2 && isnan(expectation->published));
    assert_near_relative(only(experiment, 2)->tolerance, 0.1, 1e-12);
    experiment_close(experiment);
}

static void open_bounds_and_all_cells(void **state)
{
    (void)state;
    struct experiment *experiment = open_fine(MATRIX "  - {metric: throttled.fraction, below: 1 %}\n");
    for (size_t i = 0; i < 4; i++) {
        assert_true(only(experiment, i)->high == 0.01);
        assert_true(isinf(only(experiment, i)->low));
    }
    experiment_close(experiment);
}

/* Opens MATRIX and `expect` with %s standing for the path of a table of this text. */
static struct experiment *open_with_table(const char *table, const char *expect, struct problems *problems)
{
    char path[] = "/tmp/vdisim-test-XXXXXX", item[1000], text[2000];
    int descriptor = mkstemp(path);
    assert_true(descriptor >= 0);
    assert_int_equal(write(descriptor, table, strlen(table)), (ssize_t)strlen(table));
    close(descriptor);
    snprintf(item, sizeof item, expect, path);
    snprintf(text, sizeof text, MATRIX "%s", item);
    struct experiment *experiment = open_text(text, NULL, problems);
    unlink(path);
    return experiment;
}

static void tables_are_matched(void **state)
{
    (void)state;
    struct problems *problems = problems_create();
    struct experiment *experiment = open_with_table(
        "# seconds\ntier;users;load\npremium;100;8.00\nhot;100;15\npremium;2000;5.34\nhot;2000;\n",
        "  - {metric: profile_load.mean, table: %s, value: load, match: {tier: stores.p.tier, users: "
        "users}}\n",
        problems);
    assert_no_errors(problems);
    assert_int_equal(problems_warnings(problems), 0);
    assert_true(only(experiment, 0)->published == 8);
    assert_true(only(experiment, 1)->published == 5.34);
    assert_true(only(experiment, 2)->published == 15);
    assert_int_equal(experiment_cell(experiment, 3)->expectation_count, 0); /* the table does not state it */
    experiment_close(experiment);
    problems_destroy(problems);
}

static void rows_can_be_chosen_and_bounds_be_columns(void **state)
{
    (void)state;
    struct problems *problems = problems_create();
    struct experiment *experiment =
        open_with_table("tier,measure,low,high\npremium,server_latency.mean,3.5,4.5\nhot,server_latency.mean,"
                        ",10\npremium,iops.mean,1,2\n"
                        "cool,server_latency.mean,1,2\n",
                        "  - {metric: server_latency.mean, table: %s, between: [low, high], match: {tier: "
                        "tier}, rows: {measure: "
                        "server_latency.mean}}\n",
                        problems);
    assert_no_errors(problems);
    assert_true(only(experiment, 0)->low == 3.5 && only(experiment, 1)->high == 4.5);
    assert_true(isinf(only(experiment, 2)->low) && only(experiment, 2)->high == 10);
    assert_problem(problems, "warning: 1 of 3 rows of /tmp/");
    experiment_close(experiment);
    problems_destroy(problems);
}

static void mistakes_are_explained(void **state)
{
    (void)state;
    static const struct {
        const char *expect, *expected;
    } cases[] = {
        {"  a: b\n", "error: expect is a list"},
        {"  - a\n", "x.yaml:8:5: error: an expectation is a map"},
        {"  - {published: 1}\n", "x.yaml:8:5: error: an expectation needs the key metric"},
        {"  - {metric: 'load time', published: 1}\n", "error: 'load time' is not the name of a metric"},
        {"  - {metric: a.b}\n",
         "error: an expectation has either published (and within), or between, below or above"},
        {"  - {metric: a.b, published: 1, below: 2}\n", "error: an expectation has either"},
        {"  - {metric: a.b, publshed: 1}\n",
         "error: unknown key 'publshed' under expect. Did you mean published?"},
        {"  - {metric: profile_load.mean, published: 7 MiB}\n",
         "x.yaml:8:44: error: '7 MiB' is not a duration"},
        {"  - {metric: profile_load.mean, published: 7, within: two runs}\n",
         "error: 'two runs' is not what within can be"},
        {"  - {metric: profile_load.mean, between: [1]}\n", "error: between is written [low, high]"},
        {"  - {metric: profile_load.mean, between: [2, 1]}\n", "error: the lower bound is above the upper"},
        {"  - {metric: a.b, below: 1, where: {teir: hot}}\n",
         "error: 'teir' is not varied here. Did you mean tier?"},
        {"  - {metric: a.b, below: 1, where: {tier: cool}}\n", "x.yaml:8:43: error: no cell has tier: cool"},
        {"  - {metric: a.b, below: 1, where: {tier: hot, users: 1}}\n", "error: no cell has users: 1"},
        {"  - {metric: a.b, below: 1, where: {tier: hot, stores.p.tier: premium}}\n",
         "error: no cell has all of this"},
        {"  - {metric: a.b, table: nowhere.csv, value: v, match: {a: tier}}\n",
         "nowhere.csv: error: cannot be read"},
        {"  - {metric: a.b, table: nowhere.csv, value: v}\n",
         "error: a table needs match: {column: setting}"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char text[2000];
        snprintf(text, sizeof text, MATRIX "%s", cases[i].expect);
        struct problems *problems = problems_create();
        assert_null(open_text(text, NULL, problems));
        assert_problem(problems, cases[i].expected);
        problems_destroy(problems);
    }
}

/* --set takes the cells of a varied key away, and with them what is expected of them. */
static void a_narrowed_experiment_expects_what_is_left(void **state)
{
    (void)state;
    static const char *const sets[] = {"stores.p.tier=azure-files/premium"};
    const struct experiment_options options = {.sets = sets, .set_count = 1, .seed = -1};
    struct problems *problems = problems_create();
    struct experiment *experiment = open_text(
        MATRIX
        "  - {metric: profile_load.mean, where: {stores.p.tier: premium, users: 100}, published: 7 s}\n"
        "  - {metric: profile_load.mean, where: {stores.p.tier: hot}, published: 9 s}\n",
        &options, problems);
    assert_no_errors(problems);
    assert_int_equal(experiment_cell_count(experiment), 2);
    assert_near(only(experiment, 0)->published, 7.0, 0.0);
    assert_int_equal(experiment_cell(experiment, 1)->expectation_count, 0);
    experiment_close(experiment);
    problems_destroy(problems);
}

static void mistakes_in_tables_are_explained(void **state)
{
    (void)state;
    static const char table[] = "tier,users,load\npremium,100,8.00\nhot,100,fast\n";
    static const struct {
        const char *expect, *expected;
    } cases[] = {
        {"  - {metric: profile_load.mean, table: %s, value: laod, match: {tier: tier}}\n",
         "has no column 'laod'. Did you mean load?"},
        {"  - {metric: profile_load.mean, table: %s, value: load, match: {teir: tier}}\n",
         "has no column 'teir'. Did you mean tier?"},
        {"  - {metric: profile_load.mean, table: %s, value: load, match: {tier: teir}}\n",
         "'teir' is not varied here. Did you mean tier?"},
        {"  - {metric: profile_load.mean, table: %s, value: load, match: {load: tier}}\n", "no row of /tmp/"},
        {"  - {metric: profile_load.mean, table: %s, value: load, match: {tier: tier}, rows: {users: 7}}\n",
         "has no such row"},
        {"  - {metric: profile_load.mean, table: %s, value: load, match: {tier: tier}}\n",
         ":3:9: error: 'fast' is not a duration"},
        {"  - {metric: profile_load.mean, table: %s, match: {tier: tier}}\n",
         "a table needs the column of its value, or between"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct problems *problems = problems_create();
        assert_null(open_with_table(table, cases[i].expect, problems));
        assert_problem(problems, cases[i].expected);
        problems_destroy(problems);
    }
}

static void ratios_find_their_cell(void **state)
{
    (void)state;
    struct problems *problems = problems_create();
    struct experiment *experiment = open_text(
        MATRIX "  - {metric: iops.mean, where: {tier: hot}, over: {tier: premium}, between: [2, 3]}\n"
               "  - {metric: iops.mean, where: {tier: hot, users: 100}, over: {tier: premium, users: 2000}, "
               "published: 2, within: 5 %}\n",
        NULL, problems);
    assert_no_errors(problems);
    assert_non_null(experiment);
    /* premium 100, premium 2,000, hot 100, hot 2,000 */
    assert_int_equal(experiment_cell(experiment, 0)->expectation_count, 0);
    assert_int_equal(experiment_cell(experiment, 2)->expectation_count, 2);
    assert_int_equal(experiment_cell(experiment, 3)->expectation_count, 1);
    assert_int_equal(experiment_cell(experiment, 2)->expectations[0].over_cell, 0);
    assert_int_equal(experiment_cell(experiment, 2)->expectations[1].over_cell, 1);
    assert_int_equal(experiment_cell(experiment, 3)->expectations[0].over_cell, 1);
    assert_string_equal(experiment_cell(experiment, 2)->expectations[0].over, "tier: premium");
    assert_near(experiment_cell(experiment, 2)->expectations[0].low, 2, 0);
    experiment_close(experiment);
    problems_destroy(problems);
}

static void ratios_that_are_none_are_refused(void **state)
{
    (void)state;
    static const struct {
        const char *item, *complaint;
    } cases[] = {
        {"{metric: iops.mean, where: {tier: hot}, over: {tier: cool}, between: [2, 3]}",
         "no cell has tier: cool"},
        {"{metric: iops.mean, where: {tier: hot}, over: {tierr: premium}, between: [2, 3]}", "Did you mean"},
        {"{metric: iops.mean, where: {tier: hot}, over: premium, between: [2, 3]}", "over is a map"},
        {"{metric: iops.mean, where: {tier: hot}, over: {tier: premium}, published: 2}", "needs a tolerance"},
        {"{metric: iops.mean, where: {tier: hot}, over: {tier: premium}, between: [2 IOPS, 3]}", "2 IOPS"},
        {"{metric: iops.mean, over: {stores.p.size: 5 TiB}, table: x.csv, value: a, match: {}}",
         "does not go with a table"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char text[1024];
        struct problems *problems = problems_create();
        snprintf(text, sizeof text, "%s  - %s\n", MATRIX, cases[i].item);
        assert_null(open_text(text, NULL, problems));
        assert_problem(problems, cases[i].complaint);
        problems_destroy(problems);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(values_match_as_people_mean_them),
        cmocka_unit_test(metrics_have_units),
        cmocka_unit_test(each_rule),
        cmocka_unit_test(open_bounds_and_all_cells),
        cmocka_unit_test(tables_are_matched),
        cmocka_unit_test(rows_can_be_chosen_and_bounds_be_columns),
        cmocka_unit_test(mistakes_are_explained),
        cmocka_unit_test(a_narrowed_experiment_expects_what_is_left),
        cmocka_unit_test(mistakes_in_tables_are_explained),
        cmocka_unit_test(ratios_find_their_cell),
        cmocka_unit_test(ratios_that_are_none_are_refused),
    };
    return RUN_TESTS(tests);
}
