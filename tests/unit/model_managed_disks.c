/* Managed disks: how long credits last, which limit binds; and what a store costs, worked out by hand. */
#include "models/world/world_state.h"
#include "tests/support/generator_scenario.h"
#include "vdisim/managed_disks.h"
#include "vdisim/price.h"

/* Two disks of 1,000 IOPS and 10 MiB/s, three times that with credits for ten seconds; a machine that limits nothing. */
static void two_disks(struct generator_scenario *test, struct managed_disks_settings *disks)
{
    generator_scenario_init(test);
    *disks = (struct managed_disks_settings){.disks = 2,
                                             .disk = {.size_bytes = INT64_C(128) << 30,
                                                      .iops = 1000.0,
                                                      .burst_iops = 3000.0,
                                                      .bytes_per_s = 10.0 * TEST_MIB,
                                                      .burst_bytes_per_s = 30.0 * TEST_MIB},
                                             .machine = {.disks = 4,
                                                         .iops = INFINITY,
                                                         .bytes_per_s = INFINITY,
                                                         .cached_iops = INFINITY,
                                                         .cached_bytes_per_s = INFINITY,
                                                         .nic_bytes_per_s = INFINITY},
                                             .burst_time_ns = 10 * SIM_NS_PER_S,
                                             .initial_credits = 1.0,
                                             .cache_block_bytes = 65536,
                                             .limit_window_ns = SIM_NS_PER_MS,
                                             .service = test->share.service};
    test->store_part = (struct store_part){"data", &managed_disks_kind, disks};
    test->generator.outstanding = 16;
}

static void credits_last_as_long_as_the_formula_says(void **state)
{
    (void)state;
    struct generator_scenario test;
    struct managed_disks_settings disks;
    for (double initial = 0.2; initial <= 1.0; initial += 0.4) {
        two_disks(&test, &disks);
        disks.initial_credits = initial;
        disks.disk.bytes_per_s = disks.disk.burst_bytes_per_s = INFINITY;
        test.generator.pattern.block_bytes = 4096;
        const double end_s = 10.0 * initial;
        assert_near_relative(generator_throughput(&test, 0.3, end_s - 0.6) * 256.0, 6000.0, 0.02);
        assert_near_relative(generator_throughput(&test, end_s + 1.0, 4.0) * 256.0, 2000.0, 0.02);
    }
    /* At half of what the burst takes beyond the baseline they last twice as long. */
    two_disks(&test, &disks);
    disks.disk.bytes_per_s = disks.disk.burst_bytes_per_s = INFINITY;
    test.generator.pattern.block_bytes = 4096;
    test.generator.client_bytes_per_s = 2000.0 * 4096.0; /* of two clients: 4,000 IOPS */
    assert_near_relative(generator_throughput(&test, 1.0, 18.5) * 256.0, 4000.0, 0.02);
    assert_near_relative(generator_throughput(&test, 21.0, 4.0) * 256.0, 2000.0, 0.02);
}

static void throughput_has_credits_of_its_own(void **state)
{
    (void)state;
    struct generator_scenario test;
    struct managed_disks_settings disks;
    two_disks(&test,
              &disks); /* blocks of 64 KiB: 960 IOPS at the burst throughput, below the baseline of IOPS */
    const double data = 65536.0 / (65536.0 + 200.0);
    assert_near_relative(generator_throughput(&test, 0.5, 9.0), 60.0 * data, 0.02);
    assert_near_relative(generator_throughput(&test, 11.0, 4.0), 20.0 * data, 0.02);
    generator_run(&test, 11.0, 4.0);
    assert_near(generator_metric(&test, "burst_credits.min"), 40000.0, 0.0); /* those of IOPS are untouched */
    world_destroy(test.world);
}

static void the_machine_limits_its_disks(void **state)
{
    (void)state;
    struct generator_scenario test;
    struct managed_disks_settings disks;
    two_disks(&test, &disks);
    disks.machine.bytes_per_s = 15.0 * TEST_MIB;
    assert_near_relative(generator_throughput(&test, 1.0, 8.0), 15.0 * 65536.0 / (65536.0 + 200.0), 0.01);
    two_disks(&test, &disks);
    disks.machine.iops = 500.0;
    test.generator.pattern.block_bytes = 4096;
    assert_near_relative(generator_throughput(&test, 1.0, 8.0) * 256.0, 500.0, 0.01);
    two_disks(&test, &disks);
    disks.machine.nic_bytes_per_s = 5.0 * TEST_MIB; /* reads, 60 %, go out */
    assert_near_relative(generator_throughput(&test, 1.0, 20.0),
                         5.0 / 0.6 * 65536.0 / (65536.0 + 100.0 / 0.6), 0.02);
}

static void too_many_disks_or_a_burst_below_the_baseline_are_refused(void **state)
{
    (void)state;
    struct generator_scenario test;
    struct managed_disks_settings disks;
    struct parameter_problem problem;
    two_disks(&test, &disks);
    assert_true(managed_disks_parameters.check(&disks, &problem));
    disks.disks = 5;
    assert_false(managed_disks_parameters.check(&disks, &problem));
    assert_string_equal(problem.message, "the machine takes 4 disks");
    two_disks(&test, &disks);
    disks.disk.burst_bytes_per_s = 1.0;
    assert_false(managed_disks_parameters.check(&disks, &problem));
    assert_string_equal(problem.parameter, "disk.burst_throughput");
}

static void a_price_is_that_of_the_formula(void **state)
{
    (void)state;
    const struct price price = {.fixed_month = 100.0,
                                .gib_month = 0.06,
                                .billed_fraction = 0.5,
                                .write_10k = 0.015,
                                .read_10k = 0.0015,
                                .other_10k = 0.003,
                                .busy_fraction = 0.25};
    const struct billed billed = {.size_gib = 1024.0,
                                  .operations_per_s = {[CLASS_CREATE] = 1,
                                                       [CLASS_QUERY] = 2,
                                                       [CLASS_READ] = 60,
                                                       [CLASS_WRITE] = 40,
                                                       [CLASS_CLOSE] = 1,
                                                       [CLASS_OTHER] = 0}};
    /* 100 + 30.72 + 2,628,000 s x 0.25 x (41 x 1.5e-6 + 62 x 1.5e-7 + 1 x 3e-7) */
    assert_near(price_bill(&price, &billed).month, 100.0 + 30.72 + 657000.0 * 71.1e-6, 1e-9);
    assert_true(price_is_known(&price));
    assert_false(price_is_known(&(struct price){.billed_fraction = 1.0, .busy_fraction = 1.0}));
}

/* Disks are bought; of a share what is used is billed. */
static void what_does_not_fit_on_disks_is_not_billed(void **state)
{
    (void)state;
    struct generator_scenario test;
    struct managed_disks_settings disks;
    const struct price price = {.gib_month = 0.1, .billed_fraction = 1.0, .busy_fraction = 1.0};
    two_disks(&test, &disks);
    disks.price = price;
    generator_run(&test, 1.0, 2.0);
    world_store(test.world, "data")->used_bytes = 2048.0 * 1024.0 * TEST_MIB;
    assert_near_relative(generator_metric(&test, "cost.month"), 25.6, 1e-9); /* 2 x 128 GiB */
    world_destroy(test.world);
    generator_scenario_init(&test);
    test.share.price = price;
    generator_run(&test, 1.0, 2.0);
    world_store(test.world, test.store_part.name)->used_bytes = 20480.0 * 1024.0 * TEST_MIB;
    assert_near_relative(generator_metric(&test, "cost.month"), 2048.0, 1e-9);
    world_destroy(test.world);
}

static void the_cost_of_a_run_is_that_of_its_transactions(void **state)
{
    (void)state;
    struct generator_scenario test;
    generator_scenario_init(&test);
    test.share.price = (struct price){
        .gib_month = 0.1, .billed_fraction = 1.0, .write_10k = 0.1, .read_10k = 0.01, .busy_fraction = 1.0};
    test.generator.pattern.read_share = 1.0;
    generator_run(&test, 1.0, 8.0); /* 16 / 4 ms = 4,000 reads a second */
    const double month = 1024.0 + 2628000.0 * 4000.0 * 1e-6;
    assert_near_relative(generator_metric(&test, "cost.month"), month, 1e-9);
    assert_near_relative(generator_metric(&test, "cost.per_mib_s"), month / (4000.0 * 65736.0 / TEST_MIB),
                         1e-9);
    world_destroy(test.world);
    generator_scenario_init(&test);
    generator_run(&test, 1.0, 8.0);
    assert_true(isnan(generator_metric(&test, "cost.month"))); /* not reported */
    world_destroy(test.world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(credits_last_as_long_as_the_formula_says),
        cmocka_unit_test(throughput_has_credits_of_its_own),
        cmocka_unit_test(the_machine_limits_its_disks),
        cmocka_unit_test(too_many_disks_or_a_burst_below_the_baseline_are_refused),
        cmocka_unit_test(a_price_is_that_of_the_formula),
        cmocka_unit_test(what_does_not_fit_on_disks_is_not_billed),
        cmocka_unit_test(the_cost_of_a_run_is_that_of_its_transactions),
    };
    return RUN_TESTS(tests);
}
