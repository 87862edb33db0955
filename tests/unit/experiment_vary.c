/* What is varied: lists, lockstep, samples, and which combinations are cells. */
#include "tests/support/check.h"
#include "tests/support/open_text.h"
#include "tests/support/problems.h"

#include "sim/experiment/read/quantity.h"

#include <stdbool.h>

#define HEAD                                                                                                 \
    "experiment: x\n"                                                                                        \
    "stores: {p: {tier: azure-files/premium, size: 5 TiB}}\n"                                                \
    "workloads: {logons: {users: 10}}\n"

static struct experiment *open_with(const char *text, const char *const *sets, size_t set_count)
{
    struct problems *problems = problems_create();
    const struct experiment_options options = {.sets = sets, .set_count = set_count, .seed = -1};
    struct experiment *experiment = open_text(text, &options, problems);
    assert_no_errors(problems);
    problems_destroy(problems);
    return experiment;
}

/* The cells as "5 TiB 100|1 TiB 100|". */
static void assert_cells(struct experiment *experiment, const char *expected)
{
    char text[2000] = "";
    for (size_t i = 0; i < experiment_cell_count(experiment); i++) {
        const struct cell *cell = experiment_cell(experiment, i);
        for (size_t k = 0; k < cell->assignment_count; k++)
            snprintf(text + strlen(text), sizeof text - strlen(text), "%s%s", k > 0 ? " " : "",
                     cell->assignments[k].value);
        snprintf(text + strlen(text), sizeof text - strlen(text), "|");
    }
    assert_string_equal(text, expected);
    experiment_close(experiment);
}

static void lists_in_lockstep_are_one_axis(void **state)
{
    (void)state;
    static const char one[] = HEAD "vary:\n"
                                   "  run.length: [1 h, 2 h]\n"
                                   "  lockstep:\n"
                                   "    stores.p.size: [1 TiB, 5 TiB, 5 TiB]\n"
                                   "    workloads.logons.users: [100, 500, 1000]\n";
    assert_cells(open_with(one, NULL, 0), "1 h 1 TiB 100|1 h 5 TiB 500|1 h 5 TiB 1000|"
                                          "2 h 1 TiB 100|2 h 5 TiB 500|2 h 5 TiB 1000|");
    static const char two[] =
        HEAD "vary:\n"
             "  lockstep:\n"
             "    - {stores.p.size: [1 TiB, 5 TiB], workloads.logons.users: [100, 500]}\n"
             "    - {run.length: [1 h, 2 h], network.round_trip: [1 ms, 2 ms]}\n";
    assert_cells(open_with(two, NULL, 0), "1 TiB 100 1 h 1 ms|1 TiB 100 2 h 2 ms|"
                                          "5 TiB 500 1 h 1 ms|5 TiB 500 2 h 2 ms|");
    /* --set makes one of the settings the same in all. */
    assert_cells(open_with(one, (const char *const[]){"stores.p.size=2 TiB"}, 1),
                 "1 h 2 TiB 100|1 h 2 TiB 500|1 h 2 TiB 1000|2 h 2 TiB 100|2 h 2 TiB 500|2 h 2 TiB 1000|");
}

static void values_reach_the_scenario(void **state)
{
    (void)state;
    struct experiment *experiment = open_with(HEAD "vary:\n"
                                                   "  stores.p.size: [1 TiB, 5 TiB]\n"
                                                   "  workloads.logons.users: [100, 500]\n"
                                                   "  where: size > 1 TiB or users < 500\n",
                                              NULL, 0);
    static const struct {
        int64_t size, users;
    } expected[] = {{1, 100}, {5, 100}, {5, 500}};
    assert_int_equal(experiment_cell_count(experiment), 3);
    for (size_t i = 0; i < 3; i++) {
        const struct scenario *scenario = experiment_cell(experiment, i)->scenario;
        const struct test_share *share = scenario->stores[0].settings;
        const struct test_logons *logons = scenario->workloads[0].settings;
        assert_int_equal(share->size_bytes, expected[i].size << 40);
        assert_int_equal(logons->users, expected[i].users);
    }
    experiment_close(experiment);
}

static void where_leaves_cells_out(void **state)
{
    (void)state;
    static const char text[] = HEAD "vary:\n"
                                    "  stores.p.tier: [azure-files/premium, azure-files/hot]\n"
                                    "  stores.p.size: [1 TiB, 5 TiB, 10 TiB]\n"
                                    "  workloads.logons.users: [100, '2,000']\n"
                                    "  where: [users <= 1000, not (tier = azure-files/premium and size > 5 "
                                    "TiB)]\n";
    assert_cells(open_with(text, NULL, 0),
                 "azure-files/premium 1 TiB 100|azure-files/premium 5 TiB 100|"
                 "azure-files/hot 1 TiB 100|azure-files/hot 5 TiB 100|azure-files/hot 10 TiB 100|");
    /* A word that --set took away is no mistake then. */
    assert_cells(open_with(text, (const char *const[]){"stores.p.tier=azure-files/hot"}, 1),
                 "azure-files/hot 1 TiB 100|azure-files/hot 5 TiB 100|azure-files/hot 10 TiB 100|");
}

/* 200,000 combinations, of which few are cells. */
static void large_grids_may_leave_few_cells(void **state)
{
    (void)state;
    char text[20000] = HEAD "vary:\n  workloads.logons.users: [";
    for (int i = 1; i <= 2000; i++)
        snprintf(text + strlen(text), sizeof text - strlen(text), "%d, ", i);
    strcat(text, "]\n  stores.p.size: [1 TiB, 2 TiB, 3 TiB, 4 TiB, 5 TiB, 6 TiB, 7 TiB, 8 TiB, 9 TiB, 10 "
                 "TiB]\n  run.length: [1 h, 2 h, 3 h, 4 h, 5 h, 6 h, 7 h, 8 h, 9 h, 10 h]\n");
    struct problems *problems = problems_create();
    assert_null(open_text(text, NULL, problems));
    assert_problem(problems, "x.yaml:4:1: error: this makes more than 10000 cells: 2000 x 10 x 10 = 200,000; "
                             "leave some out with where, or use a sample\n");
    assert_int_equal(problems_errors(problems), 1);
    problems_destroy(problems);
    size_t end = strlen(text);
    strcat(text, "  where: users = 1999 and size >= 9216 GiB and length in [1 h, 600 min]\n");
    assert_cells(open_with(text, NULL, 0),
                 "1999 9 TiB 1 h|1999 9 TiB 10 h|1999 10 TiB 1 h|1999 10 TiB 10 h|");

    problems = problems_create();
    snprintf(text + end, sizeof text - end, "  where: users > 1000\n");
    assert_null(open_text(text, NULL, problems));
    assert_problem(problems, "x.yaml:8:3: error: this leaves 100,000 cells, more than 10000");
    problems_destroy(problems);
    problems = problems_create();
    snprintf(text + end, sizeof text - end,
             "  where: users = 1\n  network.round_trip: [1 ms, 2 ms, 3 ms, 4 ms, 5 ms, 6 ms]\n");
    assert_null(open_text(text, NULL, problems));
    assert_problem(problems,
                   "x.yaml:8:3: error: 2000 x 10 x 10 x 6 values make more than 1,000,000 combinations");
    assert_int_equal(problems_errors(problems), 1);
    problems_destroy(problems);
}

/* -- samples -- */

enum { POINTS = 50 };

static double value_in(const struct experiment *experiment, size_t cell, size_t key, enum parameter_type type)
{
    struct quantity quantity;
    char message[400];
    const char *text = experiment_cell(experiment, cell)->assignments[key].value;
    assert_true(quantity_parse(type, text, &quantity, message, sizeof message));
    return quantity_is_integer(type) ? (double)quantity.integer : quantity.number;
}

static void samples_have_one_point_a_stratum(void **state)
{
    (void)state;
    struct experiment *experiment =
        open_with(HEAD "vary:\n"
                       "  sample:\n"
                       "    points: 50\n"
                       "    inputs:\n"
                       "      stores.p.size: {from: 1 TiB, to: 20 TiB, scale: log}\n"
                       "      workloads.logons.users: {from: 100, to: 2000}\n"
                       "      network.round_trip: {from: 1 ms, to: 0.1 s}\n"
                       "      stores.p.tier: [azure-files/premium, azure-files/hot]\n",
                  NULL, 0);
    assert_int_equal(experiment_cell_count(experiment), POINTS);
    bool size[POINTS] = {false}, users[POINTS] = {false}, trip[POINTS] = {false};
    size_t premium = 0;
    for (size_t i = 0; i < POINTS; i++) {
        double bytes = value_in(experiment, i, 0, PARAMETER_SIZE);
        double people = value_in(experiment, i, 1, PARAMETER_COUNT);
        double ns = value_in(experiment, i, 2, PARAMETER_DURATION);
        assert_true(fmod(bytes, 0x1p30) == 0); /* as stores are sold */
        assert_true(people == floor(people));
        assert_non_null(strstr(experiment_cell(experiment, i)->assignments[2].value, " ms"));
        /* Half a step beyond: a value stands for the interval up to the next. */
        double last = log(20 * 1024 + 1) - log(1024);
        size[(size_t)(POINTS * (log(bytes / 0x1p30 + 0.5) - log(1024)) / last)] = true;
        users[(size_t)(POINTS * (people + 0.5 - 100) / 1901)] = true;
        trip[(size_t)(POINTS * (ns - 1e6) / 99e6)] = true;
        premium += strcmp(experiment_cell(experiment, i)->assignments[3].value, "azure-files/premium") == 0;
        assert_int_equal(
            ((const struct test_logons *)experiment_cell(experiment, i)->scenario->workloads[0].settings)
                ->users,
            (int64_t)people);
    }
    size_t size_taken = 0, users_taken = 0, trip_taken = 0;
    for (size_t i = 0; i < POINTS; i++) {
        size_taken += size[i];
        users_taken += users[i];
        trip_taken += trip[i];
    }
    assert_int_equal(trip_taken, POINTS);
    assert_true(users_taken >= POINTS - 2 && size_taken >= POINTS - 4); /* rounded across a border */
    assert_int_equal(premium, POINTS / 2);
    experiment_close(experiment);
}

static void another_input_moves_no_other(void **state)
{
    (void)state;
    struct experiment *one = open_with(
        HEAD "vary: {sample: {points: 20, seed: 7, inputs: {workloads.logons.users: {from: 1, to: 900}}}}\n",
        NULL, 0);
    struct experiment *two =
        open_with(HEAD "vary: {sample: {points: 20, seed: 7, inputs: {run.length: {from: "
                       "1 h, to: 4 h}, workloads.logons.users: {from: 1, to: 900}}}}\n",
                  NULL, 0);
    struct experiment *other = open_with(
        HEAD "vary: {sample: {points: 20, seed: 8, inputs: {workloads.logons.users: {from: 1, to: 900}}}}\n",
        NULL, 0);
    size_t moved = 0;
    for (size_t i = 0; i < 20; i++) {
        const char *users = experiment_cell(one, i)->assignments[0].value;
        assert_string_equal(users, experiment_cell(two, i)->assignments[1].value);
        moved += strcmp(users, experiment_cell(other, i)->assignments[0].value) != 0;
    }
    assert_true(moved > 10);
    experiment_close(one);
    experiment_close(two);
    experiment_close(other);
}

static void steps_have_equal_shares(void **state)
{
    (void)state;
    struct experiment *experiment =
        open_with(HEAD "vary: {sample: {points: 40, inputs: {stores.p.size: {from: 500 GiB, to: 2 TiB, step: "
                       "500 GiB}, workloads.logons.users: {from: 1, to: 4}}}}\n",
                  NULL, 0);
    size_t sizes[4] = {0}, users[5] = {0};
    static const char *const texts[] = {"500 GiB", "1000 GiB", "1500 GiB", "2000 GiB"};
    for (size_t i = 0; i < 40; i++) {
        for (size_t j = 0; j < 4; j++)
            sizes[j] += strcmp(experiment_cell(experiment, i)->assignments[0].value, texts[j]) == 0;
        users[(size_t)value_in(experiment, i, 1, PARAMETER_COUNT)]++;
    }
    for (size_t i = 0; i < 4; i++) {
        assert_int_equal(sizes[i], 10);
        assert_int_equal(users[i + 1], 10);
    }
    experiment_close(experiment);
}

static void samples_combine_with_other_axes(void **state)
{
    (void)state;
    struct experiment *experiment =
        open_with(HEAD "vary:\n"
                       "  stores.p.tier: [azure-files/premium, azure-files/hot]\n"
                       "  sample: {design: random, points: 30, inputs: {network.round_trip: {from: 0, to: 20 "
                       "ms}, workloads.logons.factor: {from: -1, to: 1}}}\n",
                  NULL, 0);
    assert_int_equal(experiment_cell_count(experiment), 60);
    size_t negative = 0;
    for (size_t i = 0; i < 30; i++) {
        assert_string_equal(experiment_cell(experiment, i)->assignments[1].value,
                            experiment_cell(experiment, i + 30)->assignments[1].value);
        assert_between(value_in(experiment, i, 1, PARAMETER_DURATION), 0, 20e6);
        negative += value_in(experiment, i, 2, PARAMETER_NUMBER) < 0;
    }
    assert_between((double)negative, 5, 25);
    experiment_close(experiment);
}

/* What stands under vary, and what is said of it. */
static void mistakes_are_told(void **state)
{
    (void)state;
    static const struct {
        const char *vary, *expected;
    } cases[] = {
        {"lockstep: {stores.p.size: [1 TiB, 5 TiB, 9 TiB], workloads.logons.users: [100, 500]}",
         "x.yaml:4:57: error: workloads.logons.users has 2 values, stores.p.size has 3: lists in lockstep "
         "are of "
         "the same length"},
        {"lockstep: {stores.p.size: [1 TiB, 1 TiB], workloads.logons.users: [1, 1]}",
         "'1 TiB, 1' stands in this list already"},
        {"lockstep: {stores.p.size: 1 TiB}", "list the values to vary, stores.p.size: [one, two]"},
        {"lockstep: [1]", "lockstep is a map of settings"},
        {"lockstep: {run.seed: [1, 2]}", "run.seed cannot be varied"},
        {"lockstep: {stores.q.size: [1 TiB]}", "there is no 'q' under stores"},
        {"lokstep: {}", "x.yaml:4:8: error: unknown key 'lokstep' under vary. Did you mean lockstep?"},
        {"workloads.logons.users: [1, 2, 1]", "x.yaml:4:39: error: '1' stands in this list already"},
        {"workloads.logons.users: [1], lockstep: {workloads.logons.users: [2]}",
         "workloads.logons.users is varied twice"},
        {"where: users > 1",
         "x.yaml:4:8: error: where leaves out combinations of what is varied, and nothing is"},
        {"workloads.logons.users: [1, 2], where: users > 2",
         "x.yaml:4:47: error: no cell is left: none of the 2 = 2 combinations meets this condition"},
        {"workloads.logons.users: [1, 2], where: [users > 1, users < 2]",
         "x.yaml:4:40: error: no cell is left: none of the 2 = 2 combinations meets all conditions"},
        {"sample: 5", "sample is a map"},
        {"sample: {points: 5}", "a sample needs inputs"},
        {"sample: {points: 5, inputs: {}}", "a sample needs inputs"},
        {"sample: {inputs: {workloads.logons.users: {from: 1, to: 2}}}",
         "a sample needs the number of its points, e.g. points: 50"},
        {"sample: {points: 0, inputs: {workloads.logons.users: {from: 1, to: 2}}}",
         "x.yaml:4:25: error: points must be between 1 and 10000"},
        {"sample: {pionts: 5, inputs: {workloads.logons.users: {from: 1, to: 2}}}",
         "'pionts' is no key of a sample. Did you mean points?"},
        {"sample: {points: 5, design: sobol, inputs: {workloads.logons.users: {from: 1, to: 2}}}",
         "'sobol' is no design; there is latin-hypercube, random"},
        {"sample: {points: 5, inputs: {workloads.logons.users: {from: 2, to: 2}}}",
         "x.yaml:4:68: error: from (2) is not below to (2)"},
        {"sample: {points: 5, inputs: {workloads.logons.users: {from: 2, to: 200000}}}",
         "x.yaml:4:75: error: '200000' is out of range: users must be between 1 and 100,000"},
        {"sample: {points: 5, inputs: {workloads.logons.users: {from: 2}}}",
         "a range has two ends, workloads.logons.users: {from: LOW, to: HIGH}"},
        {"sample: {points: 5, inputs: {workloads.logons.users: {from: 2, to: 2,000}}}",
         "a comma in { } begins the next key: write the number without it, 2000"},
        {"sample: {points: 5, inputs: {workloads.logons.users: {from: 2, to: 9 TiB}}}",
         "'9 TiB' is not a count"},
        {"sample: {points: 5, inputs: {stores.p.iops: {from: 1 IOPS, to: unlimited}}}",
         "x.yaml:4:71: error: a range is not unlimited"},
        {"sample: {points: 5, inputs: {network.round_trip: {from: 0, to: 1 s, scale: log}}}",
         "a range with scale: log begins above 0"},
        {"sample: {points: 5, inputs: {network.round_trip: {from: 0, to: 1 s, step: 2 s}}}",
         "step is more than 0 and at most the range, 0 to 1 s"},
        {"sample: {points: 5, inputs: {stores.p.tier: {from: a, to: b}}}",
         "stores.p.tier is no quantity with a range: check its name, or list its values"},
        {"sample: {points: 5, inputs: {workloads.logons.users: 7}}", "an input is a range"},
        {"sample: {points: 5, inputs: {run.replications: {from: 1, to: 7}}}",
         "run.replications cannot be varied"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char text[1000];
        snprintf(text, sizeof text, HEAD "vary: {%s}\n", cases[i].vary);
        struct problems *problems = problems_create();
        assert_null(open_text(text, NULL, problems));
        assert_problem(problems, cases[i].expected);
        problems_destroy(problems);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lists_in_lockstep_are_one_axis),
        cmocka_unit_test(values_reach_the_scenario),
        cmocka_unit_test(where_leaves_cells_out),
        cmocka_unit_test(large_grids_may_leave_few_cells),
        cmocka_unit_test(samples_have_one_point_a_stratum),
        cmocka_unit_test(another_input_moves_no_other),
        cmocka_unit_test(steps_have_equal_shares),
        cmocka_unit_test(samples_combine_with_other_axes),
        cmocka_unit_test(mistakes_are_told),
    };
    return RUN_TESTS(tests);
}
