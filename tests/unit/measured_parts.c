/* What of a run is measured: what comes after its warm-up, given or found, and the batches that follow. */
#include "sim/experiment/read/opening.h"
#include "sim/experiment/result/result.h"
#include "sim/experiment/run/round.h"
#include "tests/support/check.h"
#include "tests/support/problems.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

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

static double estimate_half_width(struct result *result, const char *metric)
{
    ptrdiff_t index = result_metric(result, metric);
    assert_true(index >= 0);
    const struct estimate *estimate = result_estimate(result, 0, (size_t)index);
    return (estimate->ci95_high - estimate->ci95_low) / 2;
}

static void batches_of_one_run_give_an_interval(void **state)
{
    (void)state;
    struct experiment *experiment =
        open_models(STORES "workloads: {logons: {users: 300, arrivals: {window: 10 min, pattern: poisson}}}\n"
                           "run: {length: 12 min, warm_up: 2 min, batches: 8}\n");
    char message[UNIT_MESSAGE_SIZE] = "";
    const struct run_options options = {.jobs = 1};
    struct result *result = experiment_execute(experiment, &options, message, sizeof message);
    assert_non_null(result);
    assert_int_equal(result->replications, 1);
    assert_int_equal(result->units[0].part_count, 8);
    assert_true(estimate_half_width(result, "iops.mean") > 0);
    /* The parts are disjoint and all there is: their mean rate is the rate of the whole. */
    ptrdiff_t iops = result_metric(result, "iops.mean");
    assert_near_relative(result_estimate(result, 0, (size_t)iops)->mean, result->units[0].metrics[iops],
                         1e-9);
    result_destroy(result);
    experiment_close(experiment);
}

static struct result *run_of(const char *rule, struct experiment **experiment)
{
    char text[512], message[UNIT_MESSAGE_SIZE] = "";
    snprintf(text, sizeof text,
             STORES "workloads: {logons: {users: 400, arrivals: {window: 20 min, pattern: poisson}}}\n"
                    "run: {length: 20 min, replications: 3%s}\n",
             rule);
    *experiment = open_models(text);
    const struct run_options options = {.jobs = 2};
    struct result *result = experiment_execute(*experiment, &options, message, sizeof message);
    assert_non_null(result);
    return result;
}

/* What is found is left out just as if it had been given. */
static void a_found_warm_up_is_reported_and_left_out(void **state)
{
    (void)state;
    struct experiment *experiments[3];
    struct result *whole = run_of("", &experiments[0]);
    struct result *steady = run_of(", steady_state: true", &experiments[1]);
    assert_true(result_metric(whole, "run.warm_up") < 0);
    ptrdiff_t warm_up = result_metric(steady, "run.warm_up");
    assert_true(warm_up >= 0);
    size_t unit = 0;
    while (unit < 3 && !(steady->units[unit].metrics[warm_up] > 0))
        unit++;
    assert_true(unit < 3); /* some run has one, or this tests nothing */

    char rule[64];
    snprintf(rule, sizeof rule, ", warm_up: %.9f s", steady->units[unit].metrics[warm_up]);
    struct result *given = run_of(rule, &experiments[2]);
    ptrdiff_t transactions = result_metric(whole, "transactions.total");
    assert_true(given->units[unit].metrics[transactions] < whole->units[unit].metrics[transactions]);
    for (size_t i = 0; i < given->metric_count; i++) {
        ptrdiff_t same = result_metric(steady, given->metrics[i].name);
        assert_true(same >= 0);
        double expected = given->units[unit].metrics[i], found = steady->units[unit].metrics[same];
        assert_true(expected == found || (isnan(expected) && isnan(found)));
    }
    assert_true(steady->units[unit].account.fingerprint == whole->units[unit].account.fingerprint);
    struct result *results[] = {whole, steady, given};
    for (size_t i = 0; i < 3; i++) {
        result_destroy(results[i]);
        experiment_close(experiments[i]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(batches_of_one_run_give_an_interval),
        cmocka_unit_test(a_found_warm_up_is_reported_and_left_out),
    };
    return RUN_TESTS(tests);
}
