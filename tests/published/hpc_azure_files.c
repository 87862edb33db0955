/* Compute nodes on Azure Files against the few figures in the text of the post of 2022 (hpc-azure-files.csv), in short runs of
 * the experiment files. What is an input of the model (the ceiling of a client) is checked to come out whatever else is
 * changed; what is not (the gain of SMB Multichannel) is printed with its distance, and held to what the model says. */
#include "sim/experiment/result/result.h"
#include "tests/support/check.h"

#include <stdio.h>
#include <stdlib.h>

struct trial {
    struct problems *problems;
    struct experiment *experiment;
    struct result *result;
};

static void run(struct trial *trial, const char *file, const char *const *sets)
{
    char path[512], message[256] = "";
    snprintf(path, sizeof path, "%s/%s", VDISIM_EXPERIMENTS, file);
    size_t set_count = 0;
    while (sets != NULL && sets[set_count] != NULL)
        set_count++;
    const struct experiment_options options = {
        .seed = -1, .sets = sets, .set_count = set_count, .replications = 1};
    trial->problems = problems_create();
    trial->experiment = experiment_open(path, &options, trial->problems);
    if (trial->experiment == NULL) {
        problems_print(trial->problems, stderr, false);
        fail();
    }
    const struct run_options run_options = {0};
    trial->result = experiment_execute(trial->experiment, &run_options, message, sizeof message);
    assert_non_null(trial->result);
}

static void release(struct trial *trial)
{
    result_destroy(trial->result);
    experiment_close(trial->experiment);
    problems_destroy(trial->problems);
}

static double mean(const struct trial *trial, size_t cell, const char *metric)
{
    const ptrdiff_t index = result_metric(trial->result, metric);
    assert_true(index >= 0);
    return result_estimate(trial->result, cell, (size_t)index)->mean;
}

/* Cells of the published file: sizes of 1, 5, 10, 25, 50, 100 TiB; of each one connection, four, and eight nodes. */
enum { SIZES = 6, WAYS = 3 };

static double bandwidth(const struct trial *trial, size_t size, size_t way)
{
    return mean(trial, size * WAYS + way, "throughput.mean");
}

#define MIB_PER_GB (1e9 / 1048576.0)

static void one_client_has_a_ceiling_and_large_shares_need_several(void **state)
{
    (void)state;
    static const double limits[SIZES] = {203, 613, 1125, 2660, 5220, 10340};
    struct trial trial;
    run(&trial, "published/hpc-azure-files.yaml", NULL);
    assert_int_equal(trial.result->cell_count, SIZES * WAYS);
    for (size_t size = 0; size < SIZES; size++) {
        assert_near_relative(bandwidth(&trial, size, 2), limits[size],
                             0.002); /* eight nodes use up the share */
        assert_between(bandwidth(&trial, size, 1), fmin(0.99 * limits[size], 1.7 * MIB_PER_GB),
                       1.9 * MIB_PER_GB);
        if (size >= 3) /* 25 TiB and more */
            assert_true(bandwidth(&trial, size, 2) > 1.4 * bandwidth(&trial, size, 1));
        else
            assert_near_relative(bandwidth(&trial, size, 2), bandwidth(&trial, size, 1), 0.005);
    }
    release(&trial);
}

static void multichannel_gains_more_than_published(void **state)
{
    (void)state;
    struct trial trial;
    run(&trial, "published/hpc-azure-files.yaml", NULL);
    double last = 0.0;
    for (size_t size = 0; size < SIZES; size++) {
        const double gain = bandwidth(&trial, size, 1) / bandwidth(&trial, size, 0);
        print_message("SMB Multichannel, one node, share %zu: %.2f times (published 1.35 to 1.45)\n", size,
                      gain);
        assert_true(gain >= last - 0.05);
        last = gain;
    }
    /* Nothing to gain on a small share, the published gain in between, too much of it on a large one. */
    assert_near(bandwidth(&trial, 0, 1) / bandwidth(&trial, 0, 0), 1.0, 0.01);
    assert_true(last > 1.45);
    release(&trial);
}

static void the_ceiling_is_there_whatever_the_load(void **state)
{
    (void)state;
    static const char *const changes[] = {"workloads.diskspd.threads=64", "workloads.diskspd.files=64",
                                          "workloads.diskspd.pattern.block_size=2 MiB",
                                          "hosts.nodes.nic=50 Gbit/s"};
    for (size_t i = 0; i < sizeof changes / sizeof changes[0]; i++) {
        struct trial trial;
        const char *const sets[] = {changes[i], "run.length=8 s", "run.warm_up=4 s", NULL};
        run(&trial, "published/hpc-azure-files.yaml", sets);
        print_message("%s: one client %.2f GB/s\n", changes[i], bandwidth(&trial, 5, 1) / MIB_PER_GB);
        assert_between(bandwidth(&trial, 5, 1), 1.7 * MIB_PER_GB, 1.9 * MIB_PER_GB);
        release(&trial);
    }
}

static void zones_do_not_matter_with_large_blocks(void **state)
{
    (void)state;
    struct trial trial;
    run(&trial, "what-if/hpc-zones.yaml",
        NULL); /* three round trips with large blocks, three with small ones */
    assert_near(mean(&trial, 2, "throughput.mean") / mean(&trial, 0, "throughput.mean"), 1.0, 0.05);
    assert_true(mean(&trial, 5, "throughput.mean") / mean(&trial, 3, "throughput.mean") < 0.85);
    release(&trial);
}

static void standard_is_cheapest_at_low_bandwidth_and_premium_at_high(void **state)
{
    (void)state;
    enum { RATES = 4, STANDARD = 0, PREMIUM = 1, TIERS = 4 };
    struct trial trial;
    run(&trial, "what-if/hpc-cost.yaml", NULL);
    assert_int_equal(trial.result->cell_count, RATES * TIERS);
    for (size_t tier = 0; tier < TIERS; tier++) {
        if (tier != STANDARD)
            assert_true(mean(&trial, STANDARD * RATES, "cost.month") <
                        mean(&trial, tier * RATES, "cost.month"));
        if (tier != PREMIUM)
            assert_true(mean(&trial, PREMIUM * RATES + RATES - 1, "cost.per_mib_s") <
                        mean(&trial, tier * RATES + RATES - 1, "cost.per_mib_s"));
    }
    release(&trial);
}

static void multichannel_follows_its_rules(void **state)
{
    (void)state;
    struct trial trial;
    run(&trial, "what-if/hpc-multichannel.yaml", NULL);
    double gain[7];
    for (size_t i = 0; i < 7; i++)
        gain[i] = mean(&trial, 2 * i + 1, "throughput.mean") / mean(&trial, 2 * i, "throughput.mean");
    assert_near(gain[0], 0.91, 0.02);  /* one thread, one file: about 10 % less, small blocks */
    assert_near(gain[1], 0.91, 0.02);  /* and large ones */
    assert_true(gain[2] > 1.5);        /* one thread, ten files, large */
    assert_between(gain[3], 0.9, 1.0); /* eight threads, one file, 4 KiB */
    assert_true(gain[4] > 1.5);        /* the same, 64 KiB */
    assert_between(gain[5], 2.0, 4.0); /* eight threads, ten files, 4 KiB */
    assert_true(gain[6] > 1.5);        /* 1 MiB; the client's ceiling ends it */
    release(&trial);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_client_has_a_ceiling_and_large_shares_need_several),
        cmocka_unit_test(multichannel_gains_more_than_published),
        cmocka_unit_test(the_ceiling_is_there_whatever_the_load),
        cmocka_unit_test(zones_do_not_matter_with_large_blocks),
        cmocka_unit_test(standard_is_cheapest_at_low_bandwidth_and_premium_at_high),
        cmocka_unit_test(multichannel_follows_its_rules),
    };
    return RUN_TESTS(tests);
}
