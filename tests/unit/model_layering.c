/* App Layering: the cache against a naive one, jobs against their arithmetic, what cannot be done. */
#include "models/layering/layer_cache.h"
#include "models/layering/layering_plan.h"
#include "models/world/world_state.h"
#include "tests/support/check.h"
#include "vdisim/block.h"
#include "vdisim/layering.h"
#include "vdisim/random.h"
#include "vdisim/time.h"

#include <stdio.h>
#include <string.h>

#define GB INT64_C(1000000000)

/* --- The cache. --- */

enum { KEYS = 12, STEPS = 20000 };

/* Bytes and last use of each key, 0 bytes: not kept. */
struct naive {
    int64_t bytes[KEYS];
    int used[KEYS];
};

static int64_t naive_bytes(const struct naive *naive)
{
    int64_t sum = 0;
    for (int key = 0; key < KEYS; key++)
        sum += naive->bytes[key];
    return sum;
}

static void naive_keep(struct naive *naive, int key, int64_t bytes, int64_t capacity, int now)
{
    if (bytes > capacity)
        return;
    naive->bytes[key] = 0;
    while (naive_bytes(naive) + bytes > capacity) {
        int oldest = -1;
        for (int i = 0; i < KEYS; i++)
            if (naive->bytes[i] > 0 && (oldest < 0 || naive->used[i] < naive->used[oldest]))
                oldest = i;
        naive->bytes[oldest] = 0;
    }
    naive->bytes[key] = bytes;
    naive->used[key] = now;
}

static void the_cache_is_lru_in_bytes(void **state)
{
    (void)state;
    const int64_t capacity = 100;
    struct layer_cache cache;
    struct naive naive = {0};
    struct sim_random random;
    uint64_t hits = 0;
    sim_random_init(&random, 1, 0, "trace");
    layer_cache_init(&cache, capacity);
    for (int now = 1; now <= STEPS; now++) {
        const int key = (int)sim_random_below(&random, KEYS);
        const struct layer_cache_disk *found = layer_cache_find(&cache, (uint64_t)key);
        assert_int_equal(found != NULL, naive.bytes[key] > 0);
        if (found != NULL) {
            assert_int_equal(found->bytes, naive.bytes[key]);
            naive.used[key] = now;
            hits++;
        } else {
            const int64_t bytes = 1 + (int64_t)sim_random_below(&random, 120); /* some too large */
            const struct layer_cache_disk disk = {(uint64_t)key, bytes, 0};
            assert_int_equal(layer_cache_keep(&cache, &disk),
                             bytes > capacity ? LAYER_CACHE_TOO_LARGE : LAYER_CACHE_KEPT);
            naive_keep(&naive, key, bytes, capacity, now);
        }
        assert_int_equal(cache.bytes, naive_bytes(&naive));
        assert_true(cache.bytes <= capacity);
    }
    assert_int_equal(cache.hits, hits);
    assert_int_equal(cache.hits + cache.misses, STEPS);
    assert_true(hits > STEPS / 20 && cache.evictions > STEPS / 20);
    layer_cache_release(&cache);
}

/* --- Jobs on a flash disk that reads and writes at 1 GB/s: times are sums of bytes. --- */

struct bench {
    struct block_settings block;
    struct network_settings network;
    struct layering_settings layering;
    struct store_part store;
    struct workload_part workload;
    struct scenario scenario;
};

static void bench_init(struct bench *bench, const char *const *layers, size_t layer_count,
                       const char *const *jobs, size_t job_count)
{
    *bench = (struct bench){
        .block = {.level = 0,
                  .members = 1,
                  .stripe_unit_bytes = 65536,
                  .disk = {.medium = DISK_FLASH,
                           .capacity_bytes = 1000 * GB,
                           .channels = 1024,
                           .read_bytes_per_s = 1e9,
                           .write_bytes_per_s = 1e9},
                  .controller = {.memory_bytes = 1, .destage_depth = 1},
                  .link = {.bytes_per_s = INFINITY}},
        .layering = {.source = "storage",
                     .repository = "storage",
                     .machines = "storage",
                     .images = "storage",
                     .guest = {.queue_depth = 64, .coalesced = 1},
                     .appliance = {.bytes_per_s = INFINITY,
                                   .job_overhead_ns = SIM_NS_PER_S,
                                   .at_a_time = 1,
                                   .chunk_bytes = 1 << 20,
                                   .depth = 16,
                                   .whole_disks = true},
                     .layers = {layers, layer_count},
                     .jobs = {jobs, job_count}},
        .store = {.name = "storage", .kind = &block_kind, .settings = &bench->block},
        .workload = {.name = "layering", .kind = &layering_kind, .settings = &bench->layering},
    };
    bench->network = (struct network_settings){.bytes_per_s = INFINITY};
    bench->scenario = (struct scenario){.stores = &bench->store,
                                        .store_count = 1,
                                        .workloads = &bench->workload,
                                        .workload_count = 1,
                                        .network = &bench->network,
                                        .run = {.length_ns = SIM_NS_PER_HOUR}};
}

struct wanted {
    struct metric_sink sink;
    const char *name;
    double value;
    int seen;
};

static void take(struct metric_sink *sink, const char *name, const char *unit, double value)
{
    struct wanted *wanted = (struct wanted *)sink;
    (void)unit;
    if (strcmp(name, wanted->name) != 0)
        return;
    wanted->value = value;
    wanted->seen++;
}

static double metric(struct world *world, const char *name)
{
    struct wanted wanted = {.sink = {take}, .name = name};
    world_report(world, &wanted.sink);
    assert_int_equal(wanted.seen, 1);
    return wanted.value;
}

static struct world *run(const struct bench *bench)
{
    char message[256];
    struct world *world = world_create(&bench->scenario, 1, 0, message, sizeof message);
    assert_non_null(world);
    world_run_until(world, bench->scenario.run.length_ns);
    return world;
}

static void an_import_reads_and_writes_the_whole_disk(void **state)
{
    (void)state;
    static const char *const jobs[] = {"import windows 20 GB using 5 GB"};
    struct bench bench;
    bench_init(&bench, NULL, 0, jobs, 1);
    for (int whole = 0; whole < 2; whole++) {
        bench.layering.appliance.whole_disks = whole;
        struct world *world = run(&bench);
        const double gb = whole ? 20.0 : 5.0;
        assert_near(metric(world, "bytes_moved.read"), gb, 0.0);
        assert_near(metric(world, "bytes_moved.written"), gb, 0.0);
        assert_near(metric(world, "job_time.import.windows"), 1.0 + 2.0 * gb,
                    0.1); /* one interface for both */
        assert_near(metric(world, "job_time.by.fetch"), 2.0 * gb, 0.1);
        assert_near(metric(world, "job_time.by.overhead"), 1.0, 1e-9);
        /* What the workload counts is what the store served. */
        const struct disk_account account = block_store_account(world->stores[0]);
        assert_near_relative((double)account.pages_read * 4096.0, gb * 1e9, 1e-4);
        assert_near_relative((double)account.pages_written * 4096.0, gb * 1e9, 1e-4);
        world_destroy(world);
    }
}

static void the_appliance_limits_all_its_jobs_together(void **state)
{
    (void)state;
    static const char *const jobs[] = {"import a 10 GB", "import b 10 GB"};
    struct bench bench;
    bench_init(&bench, NULL, 0, jobs, 2);
    bench.layering.appliance.bytes_per_s = 1e8;
    struct world *world = run(&bench);
    assert_near(metric(world, "job_time.mean"), 101.0, 0.2);
    assert_near(metric(world, "job_time.max"), 101.0, 0.2);
    world_destroy(world);
    bench.layering.appliance.at_a_time = 2;
    world = run(&bench);
    assert_near(metric(world, "job_time.mean"), 201.0, 0.5);
    world_destroy(world);
}

static void the_cache_saves_two_copies_and_costs_one(void **state)
{
    (void)state;
    static const char *const layers[] = {"windows 60 GB using 12 GB"};
    static const char *const jobs[] = {"create one 10 GB on windows", "create two 10 GB on windows"};
    struct bench bench;
    bench_init(&bench, layers, 1, jobs, 2);
    bench.layering.appliance.zeroed_disks = true;
    struct world *world = run(&bench);
    const double without = 1.0 + 24.0 + 24.0 + 10.0 + 20.0; /* compose, send, zeroes, fetch */
    assert_near(metric(world, "job_time.create.one"), without, 0.2);
    assert_near(metric(world, "job_time.create.two"), without, 0.2);
    assert_near(metric(world, "layer_cache.misses"), 0.0, 0.0);
    world_destroy(world);

    bench.layering.cache_bytes = 12 * GB;
    world = run(&bench);
    assert_near(metric(world, "job_time.create.one"), without + 24.0, 0.2);
    assert_near(metric(world, "job_time.create.two"), without - 24.0, 0.2);
    assert_near(metric(world, "layer_cache.misses"), 1.0, 0.0);
    assert_near(metric(world, "layer_cache.hits"), 1.0, 0.0);
    world_destroy(world);

    bench.layering.cache_bytes =
        12 * GB - 1; /* too small: nothing is saved, nothing is spent, and it is said */
    world = run(&bench);
    assert_near(metric(world, "job_time.create.two"), without, 0.2);
    assert_near(metric(world, "layer_cache.hits"), 0.0, 0.0);
    assert_int_equal(world_warning_count(world), 1);
    world_destroy(world);
}

static void a_new_version_is_not_in_the_cache(void **state)
{
    (void)state;
    static const char *const layers[] = {"windows 20 GB using 10 GB", "office 4 GB using 2 GB"};
    static const char *const jobs[] = {"create one 4 GB on windows", "version office on windows",
                                       "version windows on windows", "create two 4 GB on windows",
                                       "publish desktop of windows office two"};
    struct bench bench;
    bench_init(&bench, layers, 2, jobs, 5);
    bench.layering.cache_bytes = 100 * GB;
    struct world *world = run(&bench);
    assert_near(metric(world, "layer_cache.hits"), 2.0, 0.0);
    assert_near(metric(world, "layer_cache.misses"), 2.0, 0.0);
    assert_near(metric(world, "job_time.version.office"), 1.0 + 20.0 + 4.0 + 8.0,
                0.2); /* cache, content, fetch */
    assert_near(metric(world, "job_time.publish.desktop"), 1.0 + 2.0 * 2.0 * 16.0, 0.2);
    world_destroy(world);
}

static void a_job_waits_for_its_layers(void **state)
{
    (void)state;
    static const char *const jobs[] = {"import windows 10 GB", "create office 2 GB on windows",
                                       "import other 1 GB"};
    struct bench bench;
    bench_init(&bench, NULL, 0, jobs, 3);
    bench.layering.appliance.at_a_time = 3;
    struct world *world = run(&bench);
    assert_near(metric(world, "jobs.finished"), 3.0, 0.0);
    assert_true(metric(world, "job_time.import.windows") <
                1.0 + 20.0 + 2.0 + 0.2); /* only the small import beside it */
    world_destroy(world);
}

static void a_span_has_the_jobs_that_began_in_it(void **state)
{
    (void)state;
    static const char *const jobs[] = {"import a 10 GB", "import b 20 GB", "import c 3000 GB"};
    struct bench bench;
    bench_init(&bench, NULL, 0, jobs, 3);
    bench.block.disk.capacity_bytes = 8000 * GB;
    char message[256];
    struct world *world = world_create(&bench.scenario, 1, 0, message, sizeof message);
    assert_non_null(world);
    world_run_until(world, 10 * SIM_NS_PER_S); /* in the first job */
    world_mark(world);
    world_run_until(world, SIM_NS_PER_HOUR);
    assert_true(isnan(metric(world, "job_time.import.a")));
    assert_near(metric(world, "job_time.import.b"), 41.0, 0.1);
    assert_true(isnan(metric(world, "job_time.import.c")));
    assert_near(metric(world, "jobs.finished"), 1.0, 0.0);
    assert_near(metric(world, "jobs.unfinished"), 1.0, 0.0);
    world_destroy(world);
}

/* --- What cannot be done. --- */

static void assert_refused(const char *layer, const char *job, const char *message)
{
    const struct parameter_texts layers = {&layer, layer == NULL ? 0 : 1}, jobs = {&job, job == NULL ? 0 : 1};
    struct layering_plan plan;
    struct parameter_problem problem;
    assert_int_equal(layering_plan_make(&plan, &layers, &jobs, &problem), LAYERING_PLAN_WRONG);
    if (strstr(problem.message, message) == NULL)
        print_error("'%s' lacks '%s'\n", problem.message, message);
    assert_non_null(strstr(problem.message, message));
}

static void what_cannot_be_done_is_refused(void **state)
{
    (void)state;
    assert_refused(NULL, NULL, "nothing would be done");
    assert_refused(NULL, "", "is no job");
    assert_refused(NULL, "imports windows 60 GB", "is no job");
    assert_refused(NULL, "import windows", "is no job");
    assert_refused(NULL, "import windows 60", "is no job");
    assert_refused(NULL, "import windows 0 GB", "is no job");
    assert_refused(NULL, "import windows -1 GB", "is no job");
    assert_refused(NULL, "import windows 60 GB using", "is no job");
    assert_refused(NULL, "import windows 60 GB of something", "is no job");
    assert_refused(NULL, "import a-name-that-is-longer-than-any-should-be 60 GB", "is no job");
    assert_refused(NULL, "import windows 10 GB using 11 GB", "more than the size");
    assert_refused(NULL, "create office 10 GB on windows", "needs the layer windows");
    assert_refused(NULL, "create office 10 GB on", "is no job");
    assert_refused("windows 60 GB", "create windows 10 GB on windows", "which there is already");
    assert_refused("windows 60 GB", "create office 10 GB on windows windows", "twice");
    assert_refused("windows 60 GB", "version office on windows", "needs the layer office");
    assert_refused("windows 60 GB", "publish desktop of office", "needs the layer office");
    assert_refused("windows", "publish desktop of windows", "is no layer");
    assert_refused("windows 60 GB more", "publish desktop of windows", "is no layer");
}

static void what_does_not_fit_is_refused(void **state)
{
    (void)state;
    static const char *const layers[] = {"windows 60 GB using 12 GB"};
    static const char *const jobs[] = {"create one 10 GB on windows"};
    struct bench bench;
    struct parameter_problem problem;
    bench_init(&bench, layers, 1, jobs, 1);
    assert_true(layering_fits(&bench.scenario, &bench.layering, &problem));
    bench.layering.cache_bytes = 2000 * GB;
    assert_false(layering_fits(&bench.scenario, &bench.layering, &problem));
    assert_string_equal(problem.parameter, "cache");
    bench.layering.cache_bytes = 0;
    bench.block.disk.capacity_bytes = 50 * GB;
    assert_false(layering_fits(&bench.scenario, &bench.layering, &problem));
    assert_string_equal(problem.parameter, "jobs");
    assert_non_null(strstr(problem.message, "do not fit in the store storage"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_cache_is_lru_in_bytes),
        cmocka_unit_test(an_import_reads_and_writes_the_whole_disk),
        cmocka_unit_test(the_appliance_limits_all_its_jobs_together),
        cmocka_unit_test(the_cache_saves_two_copies_and_costs_one),
        cmocka_unit_test(a_new_version_is_not_in_the_cache),
        cmocka_unit_test(a_job_waits_for_its_layers),
        cmocka_unit_test(a_span_has_the_jobs_that_began_in_it),
        cmocka_unit_test(what_cannot_be_done_is_refused),
        cmocka_unit_test(what_does_not_fit_is_refused),
    };
    return RUN_TESTS(tests);
}
