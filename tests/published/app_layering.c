/* The published jobs of App Layering (app-layering.csv) against a run of the experiment file: the three imports within 10 %,
 * RAID 5 behind 1 Gbit/s ahead of the local SSD, 11:00 without and 7:10 with the cache within 15 %. The 1:10 on NVMe is a
 * value that is missed; its distance is held so that a change of it is seen. */
#include "sim/experiment/result/result.h"
#include "tests/support/check.h"

#include <stdio.h>
#include <stdlib.h>

enum { SSD, SSD_CACHE, ISCSI, ISCSI_CACHE, NVME, NVME_CACHE };

static double mean(const struct result *result, size_t cell, const char *metric)
{
    const ptrdiff_t index = result_metric(result, metric);
    assert_true(index >= 0);
    return result_estimate(result, cell, (size_t)index)->mean;
}

static double shown(const struct result *result, size_t cell, const char *metric, double published)
{
    const double value = mean(result, cell, metric);
    print_message("%s in cell %zu: %.0f s, published %.0f s, %+.1f %%\n", metric, cell, value, published,
                  100.0 * (value / published - 1.0));
    return value;
}

struct opened {
    struct problems *problems;
    struct experiment *experiment;
    struct result *result;
};

static struct opened run(const char *path)
{
    char message[256] = "";
    const struct experiment_options options = {.seed = -1, .replications = 1};
    const struct run_options run_options = {0};
    struct opened opened = {.problems = problems_create()};
    opened.experiment = experiment_open(path, &options, opened.problems);
    if (opened.experiment == NULL) {
        problems_print(opened.problems, stderr, false);
        fail();
    }
    opened.result = experiment_execute(opened.experiment, &run_options, message, sizeof message);
    assert_non_null(opened.result);
    return opened;
}

static void release(const struct opened *opened)
{
    result_destroy(opened->result);
    experiment_close(opened->experiment);
    problems_destroy(opened->problems);
}

static void jobs_take_what_was_published(void **state)
{
    (void)state;
    static const char import[] = "job_time.import.windows", first[] = "job_time.create.first",
                      second[] = "job_time.create.second";
    const struct opened opened = run(VDISIM_EXPERIMENTS "/published/app-layering.yaml");
    const struct result *result = opened.result;
    assert_near_relative(shown(result, SSD, import, 840.0), 840.0, 0.10);
    assert_near_relative(shown(result, ISCSI, import, 500.0), 500.0, 0.10);
    assert_near_relative(shown(result, NVME, import, 370.0), 370.0, 0.10);
    assert_true(mean(result, ISCSI, import) < mean(result, SSD, import));
    assert_near_relative(shown(result, SSD, second, 660.0), 660.0, 0.15);
    assert_near_relative(shown(result, SSD_CACHE, second, 430.0), 430.0, 0.15);
    assert_between(shown(result, NVME_CACHE, second, 70.0), 85.0, 95.0); /* 20 s too long */
    for (size_t cell = SSD; cell <= NVME_CACHE; cell += 2) {
        assert_true(mean(result, cell + 1, first) >
                    mean(result, cell, first)); /* the first pass fills the cache */
        assert_true(mean(result, cell + 1, second) < mean(result, cell, second));
    }
    release(&opened);
}

/* The what-if file: a cache that is a little too small for what is used in turn never hits, and costs. */
static void a_cache_too_small_is_worse_than_none(void **state)
{
    (void)state;
    enum { NONE, GB_12, GB_24, GB_36, GB_120 };
    const struct opened opened = run(VDISIM_EXPERIMENTS "/what-if/layering-cache-size.yaml");
    const double none = mean(opened.result, NONE, "job_time.mean");
    for (size_t cell = GB_12; cell <= GB_24; cell++) {
        assert_near(mean(opened.result, cell, "layer_cache.hits"), 0.0, 0.0);
        assert_true(mean(opened.result, cell, "job_time.mean") > 1.2 * none);
    }
    for (size_t cell = GB_36; cell <= GB_120; cell++) {
        assert_near(mean(opened.result, cell, "layer_cache.hits"), 6.0, 0.0);
        assert_true(mean(opened.result, cell, "job_time.mean") < none);
    }
    release(&opened);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(jobs_take_what_was_published),
        cmocka_unit_test(a_cache_too_small_is_worse_than_none),
    };
    return RUN_TESTS(tests);
}
