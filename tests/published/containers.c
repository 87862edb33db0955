/* What the what-ifs of containers and of several sessions say, in short runs of the very files: who waits how long for a
 * lock, who gets in, who loses what, and what a container changes for the share. */
#include "sim/experiment/result/result.h"
#include "tests/support/check.h"

#include <stdio.h>
#include <stdlib.h>

struct what_if {
    struct problems *problems;
    struct experiment *experiment;
    struct result *result;
};

static void run(struct what_if *what_if, const char *file, const char *set)
{
    char path[512], message[256] = "";
    snprintf(path, sizeof path, "%s/what-if/%s", VDISIM_EXPERIMENTS, file);
    const char *const sets[] = {set};
    const struct experiment_options options = {.seed = -1, .sets = sets, .set_count = 1, .replications = 1};
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

static void a_container_loads_fast_and_asks_more_of_the_share(void **state)
{
    (void)state;
    enum { FILES, CONTAINER };
    struct what_if what_if;
    run(&what_if, "containers-against-files.yaml", "workloads.logons.users=60");
    assert_true(mean(&what_if, CONTAINER, "profile_load.mean") <
                0.15 * mean(&what_if, FILES, "profile_load.mean"));
    assert_between(mean(&what_if, CONTAINER, "profile_load.requests"), 167.0,
                   168.0); /* one more, first on a host */
    assert_true(mean(&what_if, CONTAINER, "transactions.total") >
                1.5 * mean(&what_if, FILES, "transactions.total"));
    release(&what_if);
}

/* Cells: the first session ends 5, 30, 50 s after the second has begun; 12 retries of 5 s, 3 of 15 s. */
static void short_intervals_let_a_returning_user_in_sooner(void **state)
{
    (void)state;
    static const double waited_s[6] = {10, 15, 35, 45, 55, 45}, refused[6] = {0, 0, 0, 0, 0, 15};
    struct what_if what_if;
    run(&what_if, "container-lock-retries.yaml", "workloads.logons.users=15");
    for (size_t cell = 0; cell < 6; cell++) {
        /* Half of the logons, the second ones, wait. A session lasts a little longer than its length. */
        assert_near(2.0 * mean(&what_if, cell, "profile_load.by.lock_retries"), waited_s[cell], 1e-6);
        assert_near(mean(&what_if, cell, "container.refused"), refused[cell], 0.0);
        assert_near(mean(&what_if, cell, "lost_updates.sessions"), refused[cell], 0.0);
    }
    release(&what_if);
}

static void a_returning_provider_is_hit_by_what_it_missed(void **state)
{
    (void)state;
    struct what_if what_if;
    run(&what_if, "cloud-cache-outage.yaml", "workloads.logons.users=60");
    const double usual = mean(&what_if, 0, "second.ingress.peak"),
                 back = mean(&what_if, 1, "second.ingress.peak");
    print_message("ingress of the busiest minute: %.1f MiB/s, after an outage %.1f\n", usual, back);
    assert_true(back > 5.0 * usual);
    /* Nothing is lost: all is there in the end but for what the last seconds wrote. */
    assert_near_relative(mean(&what_if, 1, "second.ingress.mean"), mean(&what_if, 0, "second.ingress.mean"),
                         0.02);
    assert_near(mean(&what_if, 1, "profile_load.mean"), mean(&what_if, 0, "profile_load.mean"), 0.01);
    release(&what_if);
}

static void the_last_writer_wins(void **state)
{
    (void)state;
    enum { CPM, ROAMING, CONTAINER };
    struct what_if what_if;
    run(&what_if, "two-sessions.yaml", "workloads.logons.users=20");
    for (int metric = 0; metric < 2; metric++) {
        const char *name = metric == 0 ? "lost_updates.files" : "lost_updates.registry_values";
        assert_true(mean(&what_if, ROAMING, name) > 2.0 * mean(&what_if, CPM, name));
        assert_true(mean(&what_if, CONTAINER, name) > mean(&what_if, CPM, name));
    }
    assert_near(mean(&what_if, CONTAINER, "lost_updates.sessions"), 20.0, 0.0);
    release(&what_if);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_container_loads_fast_and_asks_more_of_the_share),
        cmocka_unit_test(short_intervals_let_a_returning_user_in_sooner),
        cmocka_unit_test(a_returning_provider_is_hit_by_what_it_missed),
        cmocka_unit_test(the_last_writer_wins),
    };
    return RUN_TESTS(tests);
}
