/* A run goes on to its end although nothing is left to happen: rates are over the whole of it. */
#include "sim/experiment/result/result.h"
#include "tests/support/check.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static double mean(const struct result *result, const char *metric)
{
    const ptrdiff_t index = result_metric(result, metric);
    assert_true(index >= 0);
    return result_estimate(result, 0, (size_t)index)->mean;
}

static void rates_are_over_the_whole_run(void **state)
{
    (void)state;
    char path[] = "/tmp/vdisim-length-XXXXXX", message[256] = "";
    const int descriptor = mkstemp(path);
    assert_true(descriptor >= 0);
    FILE *file = fdopen(descriptor, "w");
    fputs("experiment: short-sessions\n"
          "stores: {profiles: {tier: azure-files/premium, size: 1 TiB}}\n"
          "workloads: {logons: {users: 3, arrivals: {window: 1 min}, session_length: 1 min}}\n"
          "run: {length: 30 min, replications: 1}\n",
          file);
    assert_int_equal(fclose(file), 0);
    struct problems *problems = problems_create();
    const struct experiment_options options = {.seed = -1};
    struct experiment *experiment = experiment_open(path, &options, problems);
    assert_non_null(experiment);
    const struct run_options run = {.jobs = 1, .keep_records = true};
    struct result *result = experiment_execute(experiment, &run, message, sizeof message);
    assert_non_null(result);
    assert_near_relative(mean(result, "iops.mean") * 1800.0, mean(result, "transactions.total"), 1e-9);
    assert_int_equal(result->units[0].account.now_ns, INT64_C(1800) * 1000000000);
    assert_int_equal(result->units[0].account.end, SIM_END_EMPTY);
    assert_int_equal(result->units[0].minute_counts[0], 30);
    result_destroy(result);
    experiment_close(experiment);
    problems_destroy(problems);
    unlink(path);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(rates_are_over_the_whole_run)};
    return RUN_TESTS(tests);
}
