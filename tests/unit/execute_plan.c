/* How many replications a plan asks for, from made-up outcomes; and that what an experiment gives by rounds is the
 * same for any number of threads, and from a keeper. */
#include "sim/experiment/read/opening.h"
#include "sim/experiment/result/json.h"
#include "sim/experiment/result/result.h"
#include "sim/experiment/run/round.h"
#include "tests/support/check.h"
#include "tests/support/problems.h"
#include "vdisim/random.h"
#include "vdisim/two_stage.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { CELLS = 3, MOST = 400 };

static struct experiment *open_models(const char *text)
{
    const struct opening opening = {.vocabulary = vocabulary_of_models(),
                                    .catalogue = embedded_catalogue,
                                    .path = "x.yaml",
                                    .text = text,
                                    .length = strlen(text)};
    struct problems *problems = problems_create();
    struct experiment *experiment = experiment_open_with(&opening, problems);
    assert_no_errors(problems);
    problems_destroy(problems);
    return experiment;
}

#define STORES "experiment: x\nstores: {p: {tier: azure-files/premium, size: 1 TiB}}\n"
#define LOGONS "workloads: {logons: {users: 12, arrivals: {window: 2 min, pattern: poisson}}}\n"
#define SIZES  "vary: {stores.p.size: [1 TiB, 5 TiB, 10 TiB]}\n"

/* Outcomes with one metric, value[cell] + sd * normal, the same normal in all cells but for a part of its own. */
struct made {
    struct unit_outcome *outcomes[CELLS];
    struct metric_name name;
};

static void make_outcomes(struct made *made, const double mean[CELLS], const double sd[CELLS], uint64_t seed)
{
    made->name = (struct metric_name){"load", "s"};
    struct sim_random common;
    sim_random_init_named(&common, seed, 0, "common");
    for (size_t cell = 0; cell < CELLS; cell++) {
        made->outcomes[cell] = calloc(MOST, sizeof *made->outcomes[cell]);
        assert_non_null(made->outcomes[cell]);
    }
    for (size_t i = 0; i < MOST; i++) {
        double shared = sim_random_normal(&common);
        for (size_t cell = 0; cell < CELLS; cell++) {
            struct unit_outcome *outcome = &made->outcomes[cell][i];
            outcome->names = &made->name;
            outcome->values = malloc(sizeof *outcome->values);
            assert_non_null(outcome->values);
            outcome->values[0] = mean[cell] + sd[cell] * (0.8 * shared + 0.6 * sim_random_normal(&common));
            outcome->metric_count = 1;
            outcome->run_effect = 1;
            outcome->done = true;
        }
    }
}

static void release_outcomes(struct made *made)
{
    for (size_t cell = 0; cell < CELLS; cell++) {
        for (size_t i = 0; i < MOST; i++)
            free(made->outcomes[cell][i].values);
        free(made->outcomes[cell]);
    }
}

static size_t run_plan(struct plan *plan, struct made *made)
{
    size_t rounds = 1;
    bool failed = false;
    while (plan_next(plan, made->outcomes, &failed))
        rounds++;
    assert_false(failed);
    return rounds;
}

static void precision_gives_each_cell_what_it_needs(void **state)
{
    (void)state;
    struct experiment *experiment = open_models(
        STORES LOGONS SIZES "run: {length: 2 min, precision: 2 %, of: load, at_least: 12, at_most: 300}\n");
    const double mean[CELLS] = {10, 10, 10}, sd[CELLS] = {0.05, 1, 40};
    struct made made;
    make_outcomes(&made, mean, sd, 5);
    struct plan *plan = plan_create(experiment, NULL);
    const struct cell_plan *cells = plan_cells(plan);
    assert_int_equal(cells[1].wanted, 12);
    assert_int_equal(plan_pilot(plan), 12);
    run_plan(plan, &made);

    assert_int_equal(cells[0].fate, CELL_REACHED);
    assert_int_equal(cells[0].wanted, 12);
    assert_int_equal(cells[1].fate, CELL_REACHED);
    /* t(11) 1 / sqrt(N) = 0.2 with a variance estimated from 12 values: about 121, within the 95 % range of s^2. */
    assert_in_range(cells[1].wanted, 42, 260);
    double values[MOST];
    for (size_t i = 0; i < cells[1].wanted; i++)
        values[i] = made.outcomes[1][i].values[0];
    struct sim_interval interval = sim_two_stage_interval(values, NULL, 0, cells[1].wanted, 12, 0.95);
    double half_width = (interval.high - interval.low) / 2;
    assert_true(half_width <= 0.02 * interval.estimate);
    /* It is the least such count, but for the move of the mean between two rounds. */
    assert_true(half_width >= 0.02 * interval.estimate * 0.97);
    assert_near_relative(cells[1].half_width, half_width / interval.estimate, 1e-12);
    assert_int_equal(cells[2].fate, CELL_NOT_REACHED);
    assert_int_equal(cells[2].wanted, 300);
    assert_true(cells[2].half_width > 0.02);
    plan_destroy(plan);
    release_outcomes(&made);
    experiment_close(experiment);
}

static void precision_of_nothing_ends_after_the_first_stage(void **state)
{
    (void)state;
    struct experiment *experiment =
        open_models(STORES LOGONS SIZES "run: {length: 2 min, precision: 0.5, of: no.such}\n");
    const double mean[CELLS] = {10, 10, 10}, sd[CELLS] = {1, 1, 1};
    struct made made;
    make_outcomes(&made, mean, sd, 5);
    struct plan *plan = plan_create(experiment, NULL);
    assert_int_equal(run_plan(plan, &made), 1);
    assert_int_equal(plan_cells(plan)[0].fate, CELL_NO_VALUE);
    assert_int_equal(plan_cells(plan)[0].wanted, 10);
    plan_destroy(plan);
    release_outcomes(&made);
    experiment_close(experiment);
}

static void selection_finds_the_best_and_spares_the_others(void **state)
{
    (void)state;
    struct experiment *experiment = open_models(STORES LOGONS SIZES "run: {length: 2 min}\n");
    const struct selection_request request = {"load", 0.5, 0.95, MOST};
    const double mean[CELLS] = {10.6, 20, 10}, sd[CELLS] = {1, 1, 1};
    size_t right = 0;
    for (uint64_t seed = 0; seed < 40; seed++) {
        struct made made;
        make_outcomes(&made, mean, sd, seed);
        struct plan *plan = plan_create(experiment, &request);
        run_plan(plan, &made);
        const struct cell_plan *cells = plan_cells(plan);
        right += cells[2].fate == CELL_BEST;
        assert_int_equal(cells[1].fate, CELL_NOT_BEST);
        assert_true(cells[1].wanted <= cells[0].wanted && cells[1].wanted < 30);
        plan_destroy(plan);
        release_outcomes(&made);
    }
    assert_true(right >=
                36); /* 0.95 or more of 40 but for chance: fewer than 36 has probability 0.05 at 0.95 */
    experiment_close(experiment);
}

static void selection_that_cannot_decide_says_so(void **state)
{
    (void)state;
    struct experiment *experiment = open_models(STORES LOGONS SIZES "run: {length: 2 min}\n");
    const struct selection_request request = {"load", 0.01, 0.95, 30};
    const double mean[CELLS] = {10, 20, 10}, sd[CELLS] = {1, 1, 1};
    struct made made;
    make_outcomes(&made, mean, sd, 1);
    struct plan *plan = plan_create(experiment, &request);
    run_plan(plan, &made);
    assert_int_equal(plan_cells(plan)[0].fate, CELL_UNDECIDED);
    assert_int_equal(plan_cells(plan)[2].fate, CELL_UNDECIDED);
    assert_int_equal(plan_cells(plan)[0].wanted, 30);
    plan_destroy(plan);
    release_outcomes(&made);
    experiment_close(experiment);
}

/* Cell 0 looks best because only its fastest logons finished. */
static void a_lower_bound_is_never_the_best_nor_precise(void **state)
{
    (void)state;
    struct metric_name names[] = {
        {"profile_load.mean", "s"}, {"logons.unfinished", ""}, {"logons.finished", ""}};
    double values[CELLS][3] = {{5, 400, 600}, {10, 0, 1000}, {20, 0, 1000}};
    struct unit_outcome list[CELLS][64], *outcomes[CELLS];
    for (size_t cell = 0; cell < CELLS; cell++) {
        outcomes[cell] = list[cell];
        for (size_t i = 0; i < 64; i++)
            list[cell][i] = (struct unit_outcome){
                .done = true, .names = names, .values = values[cell], .metric_count = 3, .run_effect = 1};
    }
    struct experiment *experiment = open_models(STORES LOGONS SIZES "run: {length: 60 min, at_least: 10, "
                                                                    "precision: 2 %}\n");
    const struct selection_request request = {"profile_load.mean", 0.5, 0.95, 60};
    struct plan *plan = plan_create(experiment, &request);
    bool failed;
    while (plan_next(plan, outcomes, &failed))
        ;
    assert_int_equal(plan_cells(plan)[0].fate, CELL_LOWER_BOUND);
    assert_int_equal(plan_cells(plan)[1].fate, CELL_BEST);
    assert_int_equal(plan_cells(plan)[2].fate, CELL_NOT_BEST);
    plan_destroy(plan);

    plan = plan_create(experiment, NULL);
    while (plan_next(plan, outcomes, &failed))
        ;
    assert_int_equal(plan_cells(plan)[0].fate, CELL_LOWER_BOUND);
    assert_int_equal(plan_cells(plan)[1].fate, CELL_REACHED);
    plan_destroy(plan);

    values[2][1] = 900; /* one cell is left, and nothing to compare it with */
    plan = plan_create(experiment, &request);
    while (plan_next(plan, outcomes, &failed))
        ;
    assert_int_equal(plan_cells(plan)[1].fate, CELL_PLAIN);
    assert_int_equal(plan_cells(plan)[1].wanted, 10);
    plan_destroy(plan);
    experiment_close(experiment);
}

/* A keeper in memory that counts what it is asked. */
struct memory {
    struct keeper keeper;
    char *bytes[CELLS][MOST]; /* not NULL: kept */
    size_t saved, asked;
    size_t fail_at; /* 0: never */
};

static enum keeper_answer has_not(struct keeper *keeper, struct unit unit, bool records,
                                  struct unit_outcome *outcome, char message[UNIT_MESSAGE_SIZE])
{
    (void)unit;
    (void)records;
    (void)outcome;
    (void)message;
    ((struct memory *)keeper)->asked++;
    return KEEPER_HAS_NOT;
}

static bool count_saved(struct keeper *keeper, struct unit unit, const struct unit_outcome *outcome,
                        char message[UNIT_MESSAGE_SIZE])
{
    struct memory *memory = (struct memory *)keeper;
    (void)unit;
    assert_true(outcome->done);
    memory->saved++;
    if (memory->saved != memory->fail_at)
        return true;
    snprintf(message, UNIT_MESSAGE_SIZE, "the disk is full");
    return false;
}

static const struct keeper_operations counting = {has_not, count_saved};

static char *csv_of(const char *text, size_t jobs)
{
    struct experiment *experiment = open_models(text);
    char message[UNIT_MESSAGE_SIZE] = "", *printed = NULL;
    size_t size;
    const struct run_options options = {.jobs = jobs, .keep_records = true};
    struct result *result = experiment_execute(experiment, &options, message, sizeof message);
    assert_non_null(result);
    struct writer writer = {.file = open_memstream(&printed, &size)};
    result_print_csv(result, &writer);
    fclose(writer.file);
    result_destroy(result);
    experiment_close(experiment);
    return printed;
}

static void rounds_do_not_depend_on_threads(void **state)
{
    (void)state;
    static const char text[] = STORES LOGONS SIZES
        "run: {length: 3 min, precision: 0.6 %, at_least: 6, at_most: 12, of: iops.mean}\n";
    char *one = csv_of(text, 1), *seven = csv_of(text, 7);
    assert_string_equal(one, seven);
    assert_non_null(strstr(one, ",12,")); /* some cell wanted more than its first stage */
    free(one);
    free(seven);
}

static void every_unit_is_asked_for_and_kept_once(void **state)
{
    (void)state;
    struct experiment *experiment =
        open_models(STORES LOGONS SIZES "run: {length: 2 min, replications: 3}\n");
    struct memory memory = {.keeper = {&counting}};
    char message[UNIT_MESSAGE_SIZE] = "";
    struct run_options options = {.jobs = 2, .keeper = &memory.keeper};
    struct result *result = experiment_execute(experiment, &options, message, sizeof message);
    assert_non_null(result);
    assert_int_equal(memory.saved, 9);
    assert_int_equal(memory.asked, 9);
    result_destroy(result);

    memory.fail_at = memory.saved + 4;
    assert_null(experiment_execute(experiment, &options, message, sizeof message));
    assert_string_equal(message, "the disk is full");

    options.only_kept = true;
    result = experiment_execute(experiment, &options, message, sizeof message);
    assert_non_null(result);
    assert_true(result->interrupted);
    assert_int_equal(result_done(result), 0);
    result_destroy(result);
    experiment_close(experiment);
}

static void shards_share_out_the_units(void **state)
{
    (void)state;
    struct experiment *experiment =
        open_models(STORES LOGONS SIZES "run: {length: 2 min, replications: 3}\n");
    size_t seen[9] = {0};
    for (size_t index = 0; index < 4; index++) {
        char message[UNIT_MESSAGE_SIZE] = "";
        struct run_options options = {.jobs = 2, .shard = {index, 4}};
        struct result *result = experiment_execute(experiment, &options, message, sizeof message);
        assert_non_null(result);
        for (size_t i = 0; i < 9; i++)
            seen[i] += result->units[i].done;
        assert_true(result_done(result) >= 2 && result_done(result) <= 3);
        result_destroy(result);
    }
    for (size_t i = 0; i < 9; i++)
        assert_int_equal(seen[i], 1);
    experiment_close(experiment);
}

static void contradictory_run_settings_are_refused(void **state)
{
    (void)state;
    static const struct {
        const char *run, *complaint;
    } cases[] = {
        {"run: {precision: 2 %, replications: 20}\n", "contradict"},
        {"run: {of: iops.mean}\n", "goes with precision"},
        {"run: {precision: 0 %}\n", "above zero"},
        {"run: {precision: 2 parsecs}\n", "precision of profile_load.mean"},
        {"run: {precision: 2 %, at_least: 50, at_most: 20}\n", "below at_least"},
        {"run: {batches: 10, replications: 4}\n", "one long run"},
        {"run: {batches: 10, precision: 1 %}\n", "contradict"},
        {"run: {batches: 1}\n", "no spread"},
        {"run: {length: 10 min, warm_up: 10 min}\n", "nothing is measured"},
        {"run: {warm_up: 1 min, steady_state: true}\n", "contradict"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char text[1024];
        snprintf(text, sizeof text, "%s%s", STORES LOGONS, cases[i].run);
        const struct opening opening = {.vocabulary = vocabulary_of_models(),
                                        .catalogue = embedded_catalogue,
                                        .path = "x.yaml",
                                        .text = text,
                                        .length = strlen(text)};
        struct problems *problems = problems_create();
        assert_null(experiment_open_with(&opening, problems));
        assert_problem(problems, cases[i].complaint);
        problems_destroy(problems);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(precision_gives_each_cell_what_it_needs),
        cmocka_unit_test(precision_of_nothing_ends_after_the_first_stage),
        cmocka_unit_test(selection_finds_the_best_and_spares_the_others),
        cmocka_unit_test(selection_that_cannot_decide_says_so),
        cmocka_unit_test(a_lower_bound_is_never_the_best_nor_precise),
        cmocka_unit_test(rounds_do_not_depend_on_threads),
        cmocka_unit_test(every_unit_is_asked_for_and_kept_once),
        cmocka_unit_test(shards_share_out_the_units),
        cmocka_unit_test(contradictory_run_settings_are_refused),
    };
    return RUN_TESTS(tests);
}
