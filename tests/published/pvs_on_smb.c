/* PVS vDisks on an SMB share: the very file, against what the Citrix blog of 2010 states of it, and the mechanisms behind: what
 * a right to cache, a session that ends and a cache that is too small do to the bytes sent. */
#include "sim/experiment/result/result.h"
#include "tests/support/check.h"

#include <stdio.h>
#include <stdlib.h>

enum { LEASES, OPLOCKS, NOTHING, AUTODISCONNECT, SMALL, CELLS };

struct pvs {
    struct problems *problems;
    struct experiment *experiment;
    struct result *result;
};

static int run_experiment(void **state)
{
    struct pvs *pvs = calloc(1, sizeof *pvs);
    pvs->problems = problems_create();
    const struct experiment_options options = {.seed = -1};
    pvs->experiment =
        experiment_open(VDISIM_EXPERIMENTS "/published/pvs-on-smb.yaml", &options, pvs->problems);
    if (pvs->experiment == NULL) {
        problems_print(pvs->problems, stderr, false);
        return -1;
    }
    char message[256] = "";
    const struct run_options run = {0};
    pvs->result = experiment_execute(pvs->experiment, &run, message, sizeof message);
    *state = pvs;
    return pvs->result == NULL ? -1 : 0;
}

static int release_experiment(void **state)
{
    struct pvs *pvs = *state;
    result_destroy(pvs->result);
    experiment_close(pvs->experiment);
    problems_destroy(pvs->problems);
    free(pvs);
    return 0;
}

static double mean(const struct pvs *pvs, size_t cell, const char *metric)
{
    const ptrdiff_t index = result_metric(pvs->result, metric);
    if (index < 0)
        fail_msg("no metric %s", metric);
    return result_estimate(pvs->result, cell, (size_t)index)->mean;
}

static void fifteen_boots_of_two_minutes(void **state)
{
    const struct pvs *pvs = *state;
    assert_int_equal(pvs->result->cell_count, CELLS);
    for (size_t cell = 0; cell < CELLS; cell++) {
        assert_near(mean(pvs, cell, "boots.finished"), 15, 0);
        assert_near(mean(pvs, cell, "boots.unfinished"), 0, 0);
        assert_near(mean(pvs, cell, "boots.read"), 204, 0.5); /* "just over 200 MB" */
        assert_between(mean(pvs, cell, "boot_time.mean"), 110, 150);
    }
}

static void bytes_sent_are_those_published(void **state)
{
    const struct pvs *pvs = *state;
    for (size_t cell = LEASES; cell <= OPLOCKS; cell++) {
        print_message("%s: first 3 minutes %.0f MB, after %.0f MB\n", cell == LEASES ? "SMB 2.1" : "SMB 1.0",
                      mean(pvs, cell, "bytes_sent.first_3_min"), mean(pvs, cell, "bytes_sent.after_3_min"));
        assert_between(mean(pvs, cell, "bytes_sent.first_3_min"), 400, 500);
        assert_between(mean(pvs, cell, "bytes_sent.after_3_min"), 0, 30);
    }
}

static void without_caching_every_boot_is_sent(void **state)
{
    const struct pvs *pvs = *state;
    assert_near_relative(mean(pvs, NOTHING, "bytes_sent.total"), 15 * 204, 0.01);
    assert_near(mean(pvs, NOTHING, "cache_hits.fraction"), 0, 0);
    assert_near_relative(mean(pvs, NOTHING, "bytes_sent.first_3_min"), 3 * 204, 0.01);
}

static void after_idle_minutes_the_next_boots_pay_again(void **state)
{
    const struct pvs *pvs = *state;
    const double once = mean(pvs, AUTODISCONNECT, "bytes_sent.first_3_min");
    assert_near_relative(mean(pvs, AUTODISCONNECT, "bytes_sent.after_3_min"), once, 0.10);
}

static void a_cache_that_is_too_small_helps_little(void **state)
{
    const struct pvs *pvs = *state;
    assert_true(mean(pvs, SMALL, "bytes_sent.total") > 4 * mean(pvs, LEASES, "bytes_sent.total"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(fifteen_boots_of_two_minutes),
        cmocka_unit_test(bytes_sent_are_those_published),
        cmocka_unit_test(without_caching_every_boot_is_sent),
        cmocka_unit_test(after_idle_minutes_the_next_boots_pay_again),
        cmocka_unit_test(a_cache_that_is_too_small_helps_little),
    };
    return cmocka_run_group_tests(tests, run_experiment, release_experiment) != 0;
}
