/* Verdicts: each rule on both sides of its limits; summaries over finished units only. */
#include "sim/experiment/result/result.h"
#include "tests/support/check.h"

#include <stdlib.h>
#include <string.h>

enum { REPLICATIONS = 3 };

/* One cell, one metric, with the values of three runs (NaN: not reported). */
struct small_result {
    struct result result;
    struct unit_result units[REPLICATIONS];
    double values[REPLICATIONS];
    struct metric_name metric;
    double run_effect_cv;
    struct cell_plan plan;
};

static void fill(struct small_result *small, const double values[REPLICATIONS])
{
    static char name[] = "profile_load.mean", unit[] = "s";
    memset(small, 0, sizeof *small);
    small->metric = (struct metric_name){name, unit};
    small->plan = (struct cell_plan){REPLICATIONS, CELL_PLAIN, NAN};
    for (int i = 0; i < REPLICATIONS; i++) {
        small->values[i] = values[i];
        small->units[i] = (struct unit_result){.metrics = &small->values[i], .run_effect = 1, .done = true};
    }
    small->result = (struct result){
        .cell_count = 1,
        .replications = REPLICATIONS,
        .metrics = &small->metric,
        .metric_count = 1,
        .plans = &small->plan,
        .units = small->units,
        .run_effect_cv = &small->run_effect_cv,
    };
    assert_true(result_summarize(&small->result));
}

static void test_rules(void **state)
{
    (void)state;
    /* mean 7, sd 1, t(2) = 4.302653: one run lies in 7 +- 4.968275 */
    static const struct {
        struct expectation expectation;
        enum verdict verdict;
    } cases[] = {
        {{"profile_load.mean", EXPECT_ONE_RUN, 11.968, 0, -INFINITY, INFINITY, "", NULL, 0}, VERDICT_MET},
        {{"profile_load.mean", EXPECT_ONE_RUN, 11.969, 0, -INFINITY, INFINITY, "", NULL, 0}, VERDICT_MISSED},
        {{"profile_load.mean", EXPECT_ONE_RUN, 2.032, 0, -INFINITY, INFINITY, "", NULL, 0}, VERDICT_MET},
        {{"profile_load.mean", EXPECT_ONE_RUN, 2.031, 0, -INFINITY, INFINITY, "", NULL, 0}, VERDICT_MISSED},
        {{"profile_load.mean", EXPECT_TOLERANCE, 7.61, 0.08, -INFINITY, INFINITY, "", NULL, 0},
         VERDICT_MISSED},
        {{"profile_load.mean", EXPECT_TOLERANCE, 7.60, 0.08, -INFINITY, INFINITY, "", NULL, 0}, VERDICT_MET},
        {{"profile_load.mean", EXPECT_TOLERANCE, 6.48, 0.08, -INFINITY, INFINITY, "", NULL, 0},
         VERDICT_MISSED},
        {{"profile_load.mean", EXPECT_BETWEEN, NAN, 0, 7, 8, "", NULL, 0}, VERDICT_MET},
        {{"profile_load.mean", EXPECT_BETWEEN, NAN, 0, 7.1, INFINITY, "", NULL, 0}, VERDICT_MISSED},
        {{"profile_load.mean", EXPECT_BETWEEN, NAN, 0, -INFINITY, 6.9, "", NULL, 0}, VERDICT_MISSED},
        {{"profile_load.men", EXPECT_BETWEEN, NAN, 0, 7, 8, "", NULL, 0}, VERDICT_NO_VALUE},
    };
    struct small_result small;
    fill(&small, (const double[]){6, 7, 8});
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        double predicted;
        assert_int_equal(result_verdict(&small.result, 0, &cases[i].expectation, &predicted),
                         cases[i].verdict);
        if (cases[i].verdict != VERDICT_NO_VALUE)
            assert_near(predicted, 7.0, 1e-12);
        else
            assert_true(isnan(predicted));
    }
    free(small.result.estimates);
}

/* Two cells, 7 and 3.5: the ratio, its limits, and none without a divisor. */
static void test_ratio(void **state)
{
    (void)state;
    struct small_result small;
    fill(&small, (const double[]){6, 7, 8});
    struct estimate estimates[2] = {{.count = 3, .mean = 7}, {.count = 3, .mean = 3.5}};
    free(small.result.estimates);
    small.result.estimates = estimates;
    small.result.cell_count = 2;
    struct expectation ratio = {.metric = "profile_load.mean",
                                .rule = EXPECT_BETWEEN,
                                .published = NAN,
                                .low = 1.9,
                                .high = 2.1,
                                .source = "",
                                .over = "tier: premium",
                                .over_cell = 1};
    double predicted;
    char title[EXPECTATION_TITLE_SIZE];
    assert_int_equal(result_verdict(&small.result, 0, &ratio, &predicted), VERDICT_MET);
    assert_near(predicted, 2.0, 1e-12);
    ratio.high = 1.99;
    assert_int_equal(result_verdict(&small.result, 0, &ratio, &predicted), VERDICT_MISSED);
    ratio.rule = EXPECT_TOLERANCE;
    ratio.published = 2.2;
    ratio.tolerance = 0.1;
    assert_int_equal(result_verdict(&small.result, 0, &ratio, &predicted), VERDICT_MET);
    ratio.tolerance = 0.09;
    assert_int_equal(result_verdict(&small.result, 0, &ratio, &predicted), VERDICT_MISSED);
    estimates[1].mean = 0;
    assert_int_equal(result_verdict(&small.result, 0, &ratio, &predicted), VERDICT_NO_VALUE);
    estimates[1].mean = NAN;
    assert_int_equal(result_verdict(&small.result, 0, &ratio, &predicted), VERDICT_NO_VALUE);
    expectation_title(title, &ratio);
    assert_string_equal(title, "profile_load.mean over tier: premium");
}

static void test_without_values(void **state)
{
    (void)state;
    const struct expectation expectation = {
        "profile_load.mean", EXPECT_ONE_RUN, 7, 0, -INFINITY, INFINITY, "", NULL, 0};
    double predicted;
    struct small_result small;
    fill(&small, (const double[]){NAN, NAN, NAN});
    assert_int_equal(result_verdict(&small.result, 0, &expectation, &predicted), VERDICT_NO_VALUE);
    free(small.result.estimates);
    fill(&small, (const double[]){NAN, 7, NAN}); /* one value gives a mean but no interval */
    assert_int_equal(result_verdict(&small.result, 0, &expectation, &predicted), VERDICT_NO_VALUE);
    assert_near(predicted, 7.0, 0);
    free(small.result.estimates);
}

static void test_unfinished_units_do_not_count(void **state)
{
    (void)state;
    struct small_result small;
    fill(&small, (const double[]){6, 8, 100});
    small.units[2].done = false;
    assert_true(result_summarize(&small.result));
    assert_near(result_estimate(&small.result, 0, 0)->mean, 7.0, 1e-12);
    assert_int_equal(result_estimate(&small.result, 0, 0)->count, 2);
    assert_int_equal(result_cell_done(&small.result, 0), 2);
    assert_int_equal(result_done(&small.result), 2);
    free(small.result.estimates);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rules),
        cmocka_unit_test(test_ratio),
        cmocka_unit_test(test_without_values),
        cmocka_unit_test(test_unfinished_units_do_not_count),
    };
    return RUN_TESTS(tests);
}
