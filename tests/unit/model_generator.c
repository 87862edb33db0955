/* The load generator against what a closed load must give: Little's law below the limits, the limits above; shares, places,
 * bytes; and the rules of SMB Multichannel. */
#include "tests/support/generator_scenario.h"

static void throughput_is_outstanding_over_latency_exactly(void **state)
{
    (void)state;
    for (int64_t threads = 1; threads <= 3; threads += 2) {
        struct generator_scenario test;
        generator_scenario_init(&test);
        test.network.round_trip_ns = 500000;
        test.generator.threads = threads;
        generator_run(&test, 0.0, 4.5 * (4 + 4 + 1000) * 1e-3); /* 4 to connect, 4 to open, 1,000 rounds */
        const double blocks = 2.0 * (double)threads * 4.0 * 1000.0;
        assert_near_relative(generator_metric(&test, "throughput.mean") * 4.5 * 1008e-3,
                             blocks * 65536.0 / TEST_MIB, 1e-12);
        assert_near(generator_metric(&test, "io_latency.mean"), 4.5, 1e-9);
        assert_near(generator_metric(&test, "transactions.total"), blocks + 2.0 * 8.0, 0.0);
        world_destroy(test.world);
    }
}

static void little_holds_with_random_latencies_and_a_queue(void **state)
{
    (void)state;
    struct generator_scenario test;
    generator_scenario_init(&test);
    test.share.service.latency_cv = 1.0;
    test.share.service.lanes = 4;
    test.share.service.lane_time_ns = SIM_NS_PER_MS;
    test.generator.outstanding = 16;
    generator_run(&test, 1.0, 60.0);
    const double a_second = generator_metric(&test, "throughput.mean") * 16.0;
    assert_near_relative(a_second * generator_metric(&test, "io_latency.mean") * 1e-3, 2.0 * 2.0 * 16.0,
                         0.001);
    assert_true(generator_metric(&test, "io_latency.mean") > 6.0); /* the lanes are a queue */
    world_destroy(test.world);
}

static void the_limit_is_reached_and_kept(void **state)
{
    (void)state;
    struct generator_scenario test;
    generator_scenario_init(&test);
    test.share.pooled_throughput = true;
    test.share.egress_bytes_per_s = test.share.ingress_bytes_per_s = 20.0 * TEST_MIB;
    const double without_header = 65536.0 / (65536.0 + 200.0);
    assert_near_relative(generator_throughput(&test, 5.0, 60.0), 40.0 * without_header, 0.001);
    test.share.pooled_throughput = false; /* reads, 60 %, bind: 20 / 0.6 */
    assert_near_relative(generator_throughput(&test, 5.0, 60.0), 20.0 / 0.6 * without_header, 0.01);
}

static void shares_and_bytes_are_those_of_the_store(void **state)
{
    (void)state;
    struct generator_scenario test;
    generator_scenario_init(&test);
    generator_run(&test, 1.0, 30.0);
    const double read = generator_metric(&test, "throughput.read") * TEST_MIB * 30.0;
    const double written = generator_metric(&test, "throughput.write") * TEST_MIB * 30.0;
    const double ios = (read + written) / 65536.0;
    assert_near(read / (read + written), 0.6, 4.0 * sqrt(0.24 / ios));
    assert_near(generator_metric(&test, "throughput.mean") * TEST_MIB * 30.0, read + written, 1e-3);
    assert_near(generator_metric(&test, "iops.mean") * 30.0, ios, 1e-6);
    assert_near(generator_metric(&test, "egress.mean") * TEST_MIB * 30.0, read + 100.0 * ios, 1e-3);
    assert_near(generator_metric(&test, "ingress.mean") * TEST_MIB * 30.0, written + 100.0 * ios, 1e-3);
    world_destroy(test.world);
}

static void a_large_block_is_several_requests(void **state)
{
    (void)state;
    struct generator_scenario test;
    generator_scenario_init(&test);
    test.generator.pattern.block_bytes = 5 << 19; /* 2.5 MiB: 3 requests of at most 1 MiB */
    generator_run(&test, 1.0, 8.0);
    assert_near_relative(generator_metric(&test, "iops.mean"), 3.0 * 16.0 / 4e-3, 1e-9);
    assert_near_relative(generator_metric(&test, "throughput.mean"), 2.5 * 16.0 / 4e-3, 1e-9);
    world_destroy(test.world);
}

static void a_rate_is_kept(void **state)
{
    (void)state;
    struct generator_scenario test;
    generator_scenario_init(&test);
    test.generator.client_bytes_per_s = 10.0 * TEST_MIB;
    assert_near_relative(generator_throughput(&test, 1.0, 60.0), 20.0, 0.001);
    test.generator.client_bytes_per_s = 1e6 * TEST_MIB; /* more than there is: 16 x 64 KiB / 4 ms */
    assert_near_relative(generator_throughput(&test, 1.0, 8.0), 250.0, 1e-9);
}

static void it_ends_and_closes_its_files(void **state)
{
    (void)state;
    struct generator_scenario test;
    generator_scenario_init(&test);
    test.generator.start_ns = SIM_NS_PER_S;
    test.generator.duration_ns = 2 * SIM_NS_PER_S;
    generator_run(&test, 0.0, 10.0);
    /* From 1.032 s, when the last file is open, to 3 s; then each outstanding one, and the closes. */
    const double blocks = 16.0 * 492.0;
    assert_near(generator_metric(&test, "transactions.total"), blocks + 2.0 * (4.0 + 4.0 + 4.0), 0.0);
    assert_near_relative(generator_metric(&test, "throughput.mean"), blocks / 16.0 / 2.0, 1e-9);
    const struct store *store = test.world->stores[0];
    assert_int_equal(store->meter.arrived, store->meter.settled);
    world_destroy(test.world);
}

/* --- Places. --- */

#define PLACES_MAX 200000

struct places {
    struct store store;
    uint32_t page[PLACES_MAX];
    const struct store_file *file[PLACES_MAX];
    size_t count;
};

static struct places *places_seen;

static void places_submit(struct store *store, struct request *request)
{
    struct places *places = (struct places *)store;
    if (request->operation == OPERATION_READ && places->count < PLACES_MAX) {
        places->file[places->count] = request->file;
        places->page[places->count++] = request->page;
    }
    request->admitted_ns = request->started_ns = request->arrived_ns;
    request->served_ns = request->arrived_ns + SIM_NS_PER_MS;
    request->leave(request);
}

static void places_destroy(struct store *store)
{
    store_release(store);
}

static const struct store_operations places_operations = {.submit = places_submit, .destroy = places_destroy};

static struct store *places_create(struct world *world, const char *name, const void *settings)
{
    (void)settings;
    store_init(&places_seen->store, &places_operations, name, world->sim);
    return &places_seen->store;
}

static const struct store_kind places_kind = {.name = "places", .create = places_create};

/* How many of the requests of a single thread follow on the last in their file; all lie within it. */
static double sequential_share(double random_share)
{
    struct generator_scenario test;
    generator_scenario_init(&test);
    places_seen = calloc(1, sizeof *places_seen);
    test.store_part = (struct store_part){"data", &places_kind, NULL};
    test.hosts.count = 1;
    test.generator.pattern = (struct generator_pattern){64 * TEST_KIB, 1.0, random_share};
    test.generator.threads = 1;
    generator_run(&test, 0.0, 8.0);
    const struct store_file *files[4] = {0};
    uint32_t last[4] = {0}, first[4] = {0};
    size_t follows = 0, seen = 0;
    for (size_t i = 0; i < places_seen->count; i++) {
        size_t file = 0;
        while (files[file] != NULL && files[file] != places_seen->file[i])
            assert_true(++file < 4);
        if (files[file] == NULL) {
            files[file] = places_seen->file[i];
            first[file] = (uint32_t)file << 18; /* one file of 1 GiB behind the other */
        } else {
            seen++;
            follows += places_seen->page[i] == last[file] + 16;
        }
        assert_true(places_seen->page[i] >= first[file] &&
                    places_seen->page[i] + 16 <= first[file] + (1U << 18));
        last[file] = places_seen->page[i];
    }
    assert_true(seen > 30000);
    world_destroy(test.world);
    free(places_seen);
    return (double)follows / (double)seen;
}

static void sequential_follows_on_and_random_jumps(void **state)
{
    (void)state;
    assert_near(sequential_share(0.0), 1.0, 0.0005); /* but for the end of the file */
    assert_near(sequential_share(0.2), 0.8, 0.01);
    assert_near(sequential_share(1.0), 0.0, 0.001);
}

/* --- SMB Multichannel. --- */

/* A client of round numbers: 50 us a request, 1 GiB/s a core each way, a share that limits nothing. */
static void one_client(struct generator_scenario *test, int64_t threads, int64_t files, int64_t block_bytes)
{
    generator_scenario_init(test);
    test->hosts.count = 1;
    test->hosts.smb.read_cost_ns = test->hosts.smb.write_cost_ns = 50000;
    test->hosts.smb.receive_bytes_per_s = test->hosts.smb.send_bytes_per_s = 1024.0 * TEST_MIB;
    test->hosts.smb.channel_overhead = 0.1;
    test->generator.threads = threads;
    test->generator.files = files;
    test->generator.pattern.block_bytes = block_bytes;
    test->generator.pattern.read_share = 1.0;
    test->generator.outstanding = 32;
    for (int i = 0; i < OPERATION_CLASS_COUNT; i++)
        test->share.service.latency_ns[i] = 400000;
}

static double gain(int64_t threads, int64_t files, int64_t block_bytes, int64_t offered)
{
    struct generator_scenario test;
    one_client(&test, threads, files, block_bytes);
    test.share.channels = offered;
    const double one = generator_throughput(&test, 1.0, 3.0);
    test.hosts.smb.channels = 4;
    return generator_throughput(&test, 1.0, 3.0) / one;
}

static void a_single_thread_on_a_single_file_loses_a_tenth(void **state)
{
    (void)state;
    assert_near(gain(1, 1, 4 * TEST_KIB, 4), 1.0 / 1.1, 0.005);
    assert_near(gain(1, 1, 1 << 20, 4), 1.0 / 1.1, 0.005);
}

static void many_threads_on_many_files_gain(void **state)
{
    (void)state;
    assert_between(gain(8, 8, 4 * TEST_KIB, 4), 2.0, 4.0);
    assert_between(gain(8, 8, 1 << 20, 4), 3.4, 4.0 / 1.1 + 0.01);
}

static void large_blocks_gain_from_many_threads_or_many_files(void **state)
{
    (void)state;
    assert_true(gain(8, 1, 1 << 20, 4) > 3.0);
    assert_true(gain(1, 8, 1 << 20, 4) > 3.0);
    assert_near(gain(8, 1, 4 * TEST_KIB, 4), 1.0, 0.1); /* one file, small: nothing to be had */
    assert_true(gain(8, 1, 4 * TEST_KIB, 4) < gain(8, 1, 16 * TEST_KIB, 4));
    assert_true(gain(8, 1, 16 * TEST_KIB, 4) > 1.1);
}

static void a_store_that_offers_one_channel_gets_one(void **state)
{
    (void)state;
    assert_near(gain(8, 8, 1 << 20, 1), 1.0, 0.0);
    assert_near(gain(1, 1, 4 * TEST_KIB, 1), 1.0, 0.0);
}

static void a_core_is_the_limit_of_a_connection(void **state)
{
    (void)state;
    struct generator_scenario test;
    one_client(&test, 8, 8, 64 * TEST_KIB);
    /* 50 us and, each way, what is on the wire at 1 GiB/s. */
    const double core_s = 50e-6 + (100.0 + 65536.0 + 100.0) / (1024.0 * TEST_MIB);
    assert_near_relative(generator_throughput(&test, 1.0, 3.0), 1.0 / 16.0 / core_s, 0.002);
}

static void a_client_moves_no_more_than_its_ceiling(void **state)
{
    (void)state;
    static const int64_t shapes[][3] = {{1, 16, 1 << 20}, {8, 8, 1 << 20}, {32, 64, 256 * TEST_KIB}};
    for (size_t i = 0; i < 3; i++) {
        for (double share = 0.0; share <= 1.0; share += 0.5) {
            struct generator_scenario test;
            one_client(&test, shapes[i][0], shapes[i][1], shapes[i][2]);
            test.hosts.smb.channels = 4;
            test.hosts.smb.client_bytes_per_s = 500.0 * TEST_MIB;
            test.generator.outstanding = 4;
            test.generator.pattern.read_share = share;
            assert_near_relative(generator_throughput(&test, 1.0, 3.0), 500.0, 0.005);
            test.hosts.count = 3; /* each has its own */
            assert_near_relative(generator_throughput(&test, 1.0, 3.0), 1500.0, 0.005);
        }
    }
}

/* --- A share that spreads its load. --- */

static void a_cold_share_reaches_its_limits_when_the_load_is_spread(void **state)
{
    (void)state;
    struct generator_scenario test;
    generator_scenario_init(&test);
    test.share.pooled_throughput = true;
    test.share.egress_bytes_per_s = test.share.ingress_bytes_per_s = 20.0 * TEST_MIB;
    test.share.spread_start = 0.5;
    test.share.spread_time_ns = SIM_NS_PER_MIN;
    const double limit = 40.0 * 65536.0 / (65536.0 + 200.0);
    assert_near_relative(generator_throughput(&test, 0.0, 60.0), 0.75 * limit, 0.02);
    assert_near_relative(generator_throughput(&test, 65.0, 60.0), limit, 0.005);
}

/* --- Mistakes. --- */

static void what_cannot_be_is_refused(void **state)
{
    (void)state;
    struct generator_scenario test;
    struct parameter_problem problem = {0};
    generator_scenario_init(&test);
    assert_true(generator_parameters.check(&test.generator, &problem));
    assert_true(generator_fits(&test.scenario, &test.generator, &problem));
    test.generator.pattern.block_bytes = INT64_C(2) << 30;
    assert_false(generator_parameters.check(&test.generator, &problem));
    assert_string_equal(problem.parameter, "pattern.block_size");
    test.share.size_bytes = (INT64_C(8) << 30) - 1; /* 2 clients, 4 files of 1 GiB */
    assert_false(generator_fits(&test.scenario, &test.generator, &problem));
    assert_string_equal(problem.message, "8 files of 1 GiB do not fit in their store data, 8 GiB");
    test.generator.files = 1000000;
    test.generator.pattern.block_bytes = 512;
    assert_false(generator_parameters.check(&test.generator, &problem));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(throughput_is_outstanding_over_latency_exactly),
        cmocka_unit_test(little_holds_with_random_latencies_and_a_queue),
        cmocka_unit_test(the_limit_is_reached_and_kept),
        cmocka_unit_test(shares_and_bytes_are_those_of_the_store),
        cmocka_unit_test(a_large_block_is_several_requests),
        cmocka_unit_test(a_rate_is_kept),
        cmocka_unit_test(it_ends_and_closes_its_files),
        cmocka_unit_test(sequential_follows_on_and_random_jumps),
        cmocka_unit_test(a_single_thread_on_a_single_file_loses_a_tenth),
        cmocka_unit_test(many_threads_on_many_files_gain),
        cmocka_unit_test(large_blocks_gain_from_many_threads_or_many_files),
        cmocka_unit_test(a_store_that_offers_one_channel_gets_one),
        cmocka_unit_test(a_core_is_the_limit_of_a_connection),
        cmocka_unit_test(a_client_moves_no_more_than_its_ceiling),
        cmocka_unit_test(a_cold_share_reaches_its_limits_when_the_load_is_spread),
        cmocka_unit_test(what_cannot_be_is_refused),
    };
    return RUN_TESTS(tests);
}
