/* How plans are told: replications by cell, the precision reached or not, the best cell, warm-up and batches; and the
 * median in JSON. */
#include "tests/support/made_result.h"

#define TWO_TIERS                                                                                            \
    "experiment: x\nstores: {p: {tier: azure-files/premium, size: 5 TiB}}\nworkloads: {logons: {users: "     \
    "10}}\n"                                                                                                 \
    "vary: {stores.p.tier: [azure-files/premium, azure-files/hot]}\nrun: {replications: 3}\n"

static const char *const metrics[] = {"profile_load.mean s", "run.warm_up s", NULL};

/* Two cells of up to three replications. */
static struct result *make_two_tiers(void)
{
    const double values[] = {7, 240, 8, 300, 9, 540, 20, NAN, 21, 250, 22, 260};
    return make_result(TWO_TIERS, metrics, values, 0);
}

static struct experiment *inside(const struct result *result)
{
    return (struct experiment *)(uintptr_t)result->experiment;
}

static struct run_settings *settings(const struct result *result)
{
    return (struct run_settings *)(uintptr_t)experiment_run(result->experiment);
}

static void expect_report(const struct result *result, const char *part, bool wanted)
{
    char *text = report_of(result);
    assert_says(text, part, wanted);
    free(text);
}

static void expect_json(const struct result *result, const char *part, bool wanted)
{
    char *text = json_of(result);
    assert_says(text, part, wanted);
    free(text);
}

static void test_plain(void **state)
{
    (void)state;
    struct result *result = make_two_tiers();
    expect_report(result, "2 cells x 3 replications, seed", true);
    expect_report(result, "Replications", false);
    expect_report(result, "Warm-up", false);
    expect_json(result, "\"precision\": null, \"selection\": null", true);
    expect_json(result, "\"plan\": {\"fate\": \"fixed\", \"replications\": 3, \"half_width\": null}", true);
    release_made_result(result);
}

static void test_precision(void **state)
{
    (void)state;
    struct precision_target target = {"profile_load.mean", 0.02, true, 0.95, 2, 3};
    struct result *result = make_two_tiers();
    inside(result)->precision = &target;
    result->pilot = 2;
    result->plans[0] = (struct cell_plan){2, CELL_REACHED, 0.015};
    result->plans[1] = (struct cell_plan){3, CELL_NOT_REACHED, 0.0257};
    expect_report(result, "2 cells x 2 to 3 replications, seed", true);
    expect_report(
        result,
        "Replications by cell: 2 to 3, until the 95 % interval of profile_load.mean is within 2 % of the "
        "mean; at most 3.\n"
        "  hot ended at 3 replications within 2.57 %: the target was not reached\n",
        true);
    expect_report(result, "premium ended", false);
    expect_json(
        result,
        "\"precision\": {\"metric\": \"profile_load.mean\", \"half_width\": 0.02, \"relative\": true, "
        "\"confidence\": 0.95, \"at_least\": 2, \"at_most\": 3}",
        true);
    expect_json(result, "\"plan\": {\"fate\": \"not reached\", \"replications\": 3, \"half_width\": 0.0257}",
                true);

    target.is_relative = false;
    target.half_width = 0.5;
    result->plans[1] = (struct cell_plan){3, CELL_NOT_REACHED, 0.71};
    expect_report(
        result,
        "is within 0.5 s of its middle; at most 3.\n  hot ended at 3 replications within 0.71 s:", true);
    result->plans[1] = (struct cell_plan){2, CELL_NO_VALUE, NAN};
    expect_report(result, "Replications: 2 in each cell, until", true);
    expect_report(result,
                  "  hot has no value of profile_load.mean in most of the first 2 runs, so it ended there\n",
                  true);
    release_made_result(result);
}

static void test_selection(void **state)
{
    (void)state;
    const struct selection_request request = {"profile_load.mean", 0.5, 0.95, 3};
    struct result *result = make_two_tiers();
    result->selection = &request;
    result->plans[0] = (struct cell_plan){3, CELL_BEST, NAN};
    result->plans[1] = (struct cell_plan){2, CELL_NOT_BEST, NAN};
    expect_report(
        result,
        "Replications by cell: 2 to 3, fewer where a cell was soon seen not to be the best.\n"
        "Best: premium (profile_load.mean 8.0 s), with 95 % confidence unless another is within 0.5 s.\n",
        true);
    expect_json(
        result,
        "\"selection\": {\"metric\": \"profile_load.mean\", \"indifference\": 0.5, \"confidence\": 0.95, "
        "\"at_most\": 3}",
        true);
    expect_json(result, "\"plan\": {\"fate\": \"not best\", \"replications\": 2, \"half_width\": null}",
                true);

    result->plans[0] = result->plans[1] = (struct cell_plan){3, CELL_UNDECIDED, NAN};
    expect_report(
        result,
        "Replications: 3 in each cell.\n"
        "The best is one of 2, which 3 replications could not tell apart: premium (profile_load.mean 8.0 s), "
        "hot (profile_load.mean 21.0 s).\n",
        true);
    expect_report(result, "Best:", false);
    result->plans[0].fate = result->plans[1].fate = CELL_NO_VALUE;
    expect_report(result, "No best cell: none has a whole value of profile_load.mean in its first runs.\n", true);
    release_made_result(result);
}

static void test_methods(void **state)
{
    (void)state;
    struct result *result = make_two_tiers();
    settings(result)->steady_state = true;
    expect_report(
        result,
        "Warm-up: found by MSER-5 in each run, 4 to 9 min, and left out; in 1 of 6 runs none was found.\n",
        true);
    for (size_t i = 0; i < 6; i++)
        result->units[i].metrics[1] = NAN;
    expect_report(result, "Warm-up: MSER-5 found no steady state in any run, so nothing was left out.\n",
                  true);
    settings(result)->steady_state = false;
    settings(result)->warm_up_ns = 90000000000;
    settings(result)->batches = 20;
    expect_report(result, "Warm-up: the first 90 s of each run are left out.\n", true);
    expect_report(result, "20 batches of one run: the intervals do not include what differs between runs.\n",
                  true);
    release_made_result(result);
}

/* Six values enclose the median with 1 - 2 / 64 = 97 %, five with 94 % only. */
static void test_median(void **state)
{
    (void)state;
    static const char *const load[] = {"profile_load.mean s", NULL};
    const double values[] = {6, 1, 5, 2, 4, 3.5};
    for (int runs = 5; runs <= 6; runs++) {
        char text[256];
        snprintf(text, sizeof text,
                 "experiment: x\nstores: {p: {tier: azure-files/premium, size: 5 TiB}}\n"
                 "workloads: {logons: {users: 10}}\nrun: {replications: %d}\n",
                 runs);
        struct result *result = make_result(text, load, values, 0);
        expect_json(result, "\"median\": 3.75, \"median_ci95\": [1, 6]", runs == 6);
        expect_json(result, "\"median\"", runs == 6);
        release_made_result(result);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_plain),   cmocka_unit_test(test_precision), cmocka_unit_test(test_selection),
        cmocka_unit_test(test_methods), cmocka_unit_test(test_median),
    };
    return RUN_TESTS(tests);
}
