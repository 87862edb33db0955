/* Block devices against what was published: an SSD volume shown as a hard disk and as an SSD (ratios of
 * ssd-detection.csv), and the PVS write cache in RAM with overflow. */
#include "sim/experiment/result/result.h"
#include "tests/support/check.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct published_run {
    struct problems *problems;
    struct experiment *experiment;
    struct result *result;
};

static void run(struct published_run *it, const char *file, int64_t replications)
{
    char path[512], message[256] = "";
    snprintf(path, sizeof path, "%s/published/%s", VDISIM_EXPERIMENTS, file);
    const struct experiment_options options = {.seed = -1, .replications = replications};
    it->problems = problems_create();
    it->experiment = experiment_open(path, &options, it->problems);
    if (it->experiment == NULL) {
        problems_print(it->problems, stderr, false);
        fail();
    }
    const struct run_options run_options = {0};
    it->result = experiment_execute(it->experiment, &run_options, message, sizeof message);
    assert_non_null(it->result);
}

static void release(struct published_run *it)
{
    result_destroy(it->result);
    experiment_close(it->experiment);
    problems_destroy(it->problems);
}

static double mean(const struct published_run *it, size_t cell, const char *metric)
{
    const ptrdiff_t index = result_metric(it->result, metric);
    if (index < 0)
        fail_msg("no metric %s", metric);
    return result_estimate(it->result, cell, (size_t)index)->mean;
}

/* The bounds of a measure. */
static void published_bounds(const char *measure, double *low, double *high)
{
    FILE *file = fopen(VDISIM_EXPERIMENTS "/published/ssd-detection.csv", "r");
    assert_non_null(file);
    char line[256];
    const size_t length = strlen(measure);
    *low = *high = NAN;
    while (fgets(line, sizeof line, file) != NULL)
        if (strncmp(line, measure, length) == 0 && line[length] == ',')
            assert_int_equal(sscanf(line + length, ",%lf,%lf", low, high), 2);
    fclose(file);
    assert_true(!isnan(*low));
}

static double ratio(const struct published_run *it, const char *metric)
{
    return mean(it, 1, metric) / mean(it, 0, metric);
}

static void shown_as_an_ssd_the_volume_does_twice_as_much(void **state)
{
    (void)state;
    static const struct {
        const char *measure, *metric;
    } rows[] = {{"iops", "iops.mean"},
                {"throughput", "throughput.mean"},
                {"latency", "io_latency.mean"},
                {"cpu", "cpu.per_io"}};
    struct published_run it;
    run(&it, "ssd-detection.yaml", 3);
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        double low, high;
        published_bounds(rows[i].measure, &low, &high);
        const double predicted = ratio(&it, rows[i].metric);
        print_message("%-10s ssd / hdd: %.2f, published %.1f to %.1f\n", rows[i].measure, predicted, low,
                      high);
        assert_between(predicted, low, high);
    }
    /* The post can also be read as a quarter of the load of the processor. That is missed. */
    print_message("processor's load, ssd / hdd: %.2f\n", ratio(&it, "cpu.fraction"));
    assert_between(ratio(&it, "cpu.fraction"), 0.3, 1.0);
    /* 64 outstanding: Little's law. */
    for (size_t cell = 0; cell < 2; cell++)
        assert_near_relative(mean(&it, cell, "iops.mean") * mean(&it, cell, "io_latency.mean") / 1000.0, 64.0,
                             0.01);
    release(&it);
}

static void host_writes_fall_with_the_ram_cache(void **state)
{
    (void)state;
    static const double cap[4] = {0, 256, 512, 2048};
    struct published_run it;
    run(&it, "write-cache.yaml", 1);
    for (size_t cell = 0; cell < 4; cell++) {
        print_message("%.0f MiB: %.1f host writes a second, %.2f I/Os a second and user\n", cap[cell],
                      mean(&it, cell, "host_writes.iops"), mean(&it, cell, "host_ios.per_user"));
        assert_true(mean(&it, cell, "ram_cache.peak") <= cap[cell]);
        assert_near(mean(&it, cell, "guest_writes.iops"), mean(&it, 0, "guest_writes.iops"), 1e-9);
        assert_near(mean(&it, cell, "workers.stopped"), 0.0, 0.0);
        if (cell > 0) {
            assert_true(mean(&it, cell, "host_writes.iops") < 0.7 * mean(&it, cell - 1, "host_writes.iops"));
            assert_true(mean(&it, cell, "host_writes.throughput") <
                        mean(&it, cell - 1, "host_writes.throughput"));
        }
    }
    /* 9.2 I/Os a user without, at most 1 with 2 GB: printed for XenApp; 90 % less printed for 2 to 4 GB. */
    assert_between(mean(&it, 0, "host_ios.per_user"), 8.5, 9.7);
    assert_true(mean(&it, 3, "host_ios.per_user") < 1.0);
    release(&it);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(shown_as_an_ssd_the_volume_does_twice_as_much),
        cmocka_unit_test(host_writes_fall_with_the_ram_cache),
    };
    return RUN_TESTS(tests);
}
