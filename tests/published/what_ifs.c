/* What the what-if files are there to show, in short runs of the very files: with streaming off a load takes at least
 * twice as long; with large file handling off both tiers run into their egress limit, say so, and loads take minutes. */
#include "sim/experiment/result/result.h"
#include "tests/support/check.h"

#include <stdio.h>
#include <stdlib.h>

struct what_if {
    struct problems *problems;
    struct experiment *experiment;
    struct result *result;
};

static void run(struct what_if *what_if, const char *file, const char *set, int64_t replications)
{
    char path[512], message[256] = "";
    snprintf(path, sizeof path, "%s/what-if/%s", VDISIM_EXPERIMENTS, file);
    const char *const sets[] = {set};
    const struct experiment_options options = {
        .seed = -1, .sets = sets, .set_count = set == NULL ? 0 : 1, .replications = replications};
    what_if->problems = problems_create();
    what_if->experiment = experiment_open(path, &options, what_if->problems);
    if (what_if->experiment == NULL) {
        problems_print(what_if->problems, stderr, false);
        fail();
    }
    const struct run_options run_options = {0};
    what_if->result = experiment_execute(what_if->experiment, &run_options, message, sizeof message);
    assert_non_null(what_if->result);
}

static void release(struct what_if *what_if)
{
    result_destroy(what_if->result);
    experiment_close(what_if->experiment);
    problems_destroy(what_if->problems);
}

static double mean(const struct what_if *what_if, size_t cell, const char *metric)
{
    const ptrdiff_t index = result_metric(what_if->result, metric);
    assert_true(index >= 0);
    return result_estimate(what_if->result, cell, (size_t)index)->mean;
}

static void streaming_off_doubles_the_load(void **state)
{
    (void)state;
    struct what_if what_if;
    run(&what_if, "streaming-off.yaml", "workloads.logons.users=200", 5);
    for (size_t tier = 0; tier < 2; tier++) {
        const double on = mean(&what_if, 2 * tier, "profile_load.mean");
        const double off = mean(&what_if, 2 * tier + 1, "profile_load.mean");
        print_message("streaming on %.1f s, off %.1f s: %.2f times\n", on, off, off / on);
        assert_true(off >= 2.0 * on);
    }
    release(&what_if);
}

static void large_files_off_runs_into_the_egress_limit(void **state)
{
    (void)state;
    static const double limit[2] = {675.0, 300.0};
    struct what_if what_if;
    run(&what_if, "large-files-off.yaml", NULL, 1);
    for (size_t tier = 0; tier < 2; tier++) {
        const size_t on = 2 * tier, off = 2 * tier + 1;
        assert_near(mean(&what_if, on, "throttled.fraction"), 0.0, 0.0);
        assert_near_relative(mean(&what_if, off, "egress.peak"), limit[tier], 0.01);
        assert_true(mean(&what_if, off, "throttled.egress") > 1e6);
        assert_near(mean(&what_if, off, "throttled.iops"), 0.0, 0.0);
        /* The mean is of those that finished within the hour, the quickest. */
        assert_true(mean(&what_if, off, "profile_load.mean") > 300.0);
        assert_true(mean(&what_if, off, "profile_load.over_30s") > 0.95);
        assert_true(mean(&what_if, off, "logons.unfinished") > 100.0);
    }
    release(&what_if);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(streaming_off_doubles_the_load),
        cmocka_unit_test(large_files_off_runs_into_the_egress_limit),
    };
    return RUN_TESTS(tests);
}
