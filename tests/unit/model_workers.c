/* Workers with a write cache and a pagefile, request by request: what a fault does, how long a session lasts, what deleting
 * gives back, and where on the volume everything lies. */
#include "models/provisioning/workers.h"
#include "models/world/world_state.h"
#include "tests/support/check.h"
#include "tests/support/matrix_scenario.h"
#include "vdisim/block.h"
#include "vdisim/time.h"
#include "vdisim/world.h"

#include <string.h>

#define MIB   (INT64_C(1) << 20)
#define PAGE  INT64_C(4096)
#define DISK  (300 * MIB) /* of a worker: the pagefile has 100 MiB, the cache file 200 */
#define RUN_S 1000

extern const struct workload_kind write_cache_kind;

enum { PAGEFILE, CACHE_FILE, PARTS };

/* Requests that have come to the volume, by the part of the worker's disk. */
struct seen {
    uint64_t reads[PARTS], writes[PARTS];
    int64_t first_ns, last_ns;
    uint32_t lowest, end; /* pages */
    int64_t worker_disk_pages;
};

struct bench {
    struct block_settings block;
    struct workers_settings workers;
    struct store_part store_part;
    struct workload_part workload_part;
    struct network_settings network;
    struct scenario scenario;
    struct world *world;
};

/* The volume's own operations, and what is seen in front of them. */
static const struct store_operations *volume_operations;
static struct store_operations watched_operations;
static struct seen seen;

static void watch(struct store *store, struct request *request)
{
    const int64_t bytes = request->ingress_bytes + request->egress_bytes;
    const uint32_t end = request->page + (uint32_t)((bytes + PAGE - 1) / PAGE);
    const int64_t place = request->page % seen.worker_disk_pages;
    const int part = place < seen.worker_disk_pages / 3 ? PAGEFILE : CACHE_FILE;
    (request->operation == OPERATION_READ ? seen.reads : seen.writes)[part]++;
    if (seen.end == 0) {
        seen.first_ns = sim_now_ns(store->sim);
        seen.lowest = request->page;
    }
    seen.last_ns = sim_now_ns(store->sim);
    seen.lowest = request->page < seen.lowest ? request->page : seen.lowest;
    seen.end = end > seen.end ? end : seen.end;
    volume_operations->submit(store, request);
}

/* A worker of four users who are there from the start for 500 s, with memory for all; nobody reads, nothing is hot. */
static void bench_init(struct bench *bench)
{
    *bench = (struct bench){
        .block = {.members = 1,
                  .stripe_unit_bytes = 65536,
                  .disk = {.medium = DISK_FLASH,
                           .capacity_bytes = INT64_C(100) << 30,
                           .queue_depth = 32,
                           .channels = 8,
                           .read_time_ns = 100000,
                           .write_time_ns = 200000,
                           .read_bytes_per_s = INFINITY,
                           .write_bytes_per_s = INFINITY},
                  .link = {.bytes_per_s = INFINITY}},
        .workers =
            {.store = "volume",
             .guest = {.queue_depth = 65536, .coalesced = 1},
             .workers = 1,
             .users_per_worker = 4,
             .arrivals = {1, 0, ARRIVALS_EVEN, 0.5},
             .session_length_ns = 500 * SIM_NS_PER_S,
             .cache = WRITE_CACHE_DISK,
             .vdisk_bytes = 4096 * MIB,
             .cache_disk_bytes = DISK,
             .memory = {.memory_bytes = 1000 * MIB, .cluster_bytes = 65536, .touches_per_s = 10},
             .io = {.io_size_bytes = 16384, .hot_bytes = MIB, .file_bytes = 262144, .deleted_share = 1.0}},
        .store_part = {"volume", &block_kind, &bench->block},
        .workload_part = {"workers", &write_cache_kind, &bench->workers},
        .network = {0, INFINITY},
        .scenario = {.network = &bench->network,
                     .stores = &bench->store_part,
                     .store_count = 1,
                     .workloads = &bench->workload_part,
                     .workload_count = 1,
                     .run = {RUN_S * SIM_NS_PER_S, 1, 1}},
    };
}

static void bench_run(struct bench *bench)
{
    char message[128];
    bench->world = world_create(&bench->scenario, 1, 0, message, sizeof message);
    assert_non_null(bench->world);
    struct store *volume = bench->world->stores[0];
    volume_operations = volume->operations;
    watched_operations = *volume_operations;
    watched_operations.submit = watch;
    volume->operations = &watched_operations;
    seen = (struct seen){.worker_disk_pages = bench->workers.cache_disk_bytes / PAGE};
    world_run_until(bench->world, RUN_S * SIM_NS_PER_S);
}

static double metric(const struct bench *bench, const char *name)
{
    return matrix_metric(bench->world, name);
}

static double total(const struct bench *bench, const char *rate)
{
    return RUN_S * metric(bench, rate);
}

/* 1000 MiB for 800 of the system and four times 75 of the users: 100 MiB are out, a touch in eleven faults. */
static void short_of_memory(struct bench *bench)
{
    bench->workers.memory.system_bytes = 800 * MIB;
    bench->workers.memory.user_bytes = 75 * MIB;
}

static void a_fault_reads_a_cluster_and_writes_one(void **state)
{
    (void)state;
    struct bench bench;
    bench_init(&bench);
    short_of_memory(&bench);
    bench_run(&bench);
    const uint64_t faults = seen.reads[PAGEFILE], out = 100 * MIB / 65536;
    assert_int_equal(seen.writes[PAGEFILE], faults + out);
    assert_int_equal(seen.reads[CACHE_FILE] + seen.writes[CACHE_FILE], 0);
    /* Poisson: four standard deviations. */
    const double expected = 500.0 * 4 * 10 * 100 / 1100;
    assert_near((double)faults, expected, 4.0 * sqrt(expected));
    assert_near(total(&bench, "pagefile.iops"), 2.0 * (double)faults + (double)out, 1e-6);
    assert_near(metric(&bench, "pagefile.moved"), (2.0 * (double)faults + (double)out) / 16.0, 1e-6);
    assert_near(metric(&bench, "pagefile.size"), 100.0, 1e-9);
    assert_true(seen.last_ns <= 500 * SIM_NS_PER_S); /* without users nobody faults */
    assert_int_equal(world_warning_count(bench.world), 0);
    world_destroy(bench.world);
}

static void with_memory_enough_nothing_is_paged(void **state)
{
    (void)state;
    struct bench bench;
    bench_init(&bench);
    short_of_memory(&bench);
    bench.workers.memory.memory_bytes = 1100 * MIB;
    bench_run(&bench);
    assert_int_equal(seen.end, 0);
    world_destroy(bench.world);
}

/* What the RAM cache takes pages programs out. */
static void the_cache_in_memory_makes_faults(void **state)
{
    (void)state;
    struct bench bench;
    bench_init(&bench);
    short_of_memory(&bench);
    bench.workers.memory.memory_bytes = 1100 * MIB;
    bench.workers.cache = WRITE_CACHE_RAM_WITH_OVERFLOW;
    bench.workers.ram_cache_bytes = 50 * MIB;
    bench.workers.io.logon_bytes = 10 * MIB;
    bench_run(&bench);
    const uint64_t faults = seen.reads[PAGEFILE];
    assert_near(metric(&bench, "ram_cache.peak"), 40.0, 2.0);
    assert_near(metric(&bench, "pagefile.size"), metric(&bench, "ram_cache.peak"), 1e-9);
    assert_int_equal(seen.writes[CACHE_FILE], 0);
    const double expected = 500.0 * 4 * 10 * 40 / 1140;
    assert_near((double)faults, expected, 4.0 * sqrt(expected) + 0.05 * expected); /* 2 MiB in 40: 5 % */
    world_destroy(bench.world);
}

static void a_pagefile_beyond_its_third_is_cut_and_told(void **state)
{
    (void)state;
    struct bench bench;
    bench_init(&bench);
    short_of_memory(&bench);
    bench.workers.memory.user_bytes = 100 * MIB; /* 200 MiB are out */
    bench_run(&bench);
    assert_near(metric(&bench, "pagefile.size"), 200.0, 1e-9);
    assert_int_equal(seen.reads[CACHE_FILE] + seen.writes[CACHE_FILE], 0);
    assert_true(seen.end <= DISK / PAGE / 3);
    assert_int_equal(world_warning_count(bench.world), 1);
    assert_non_null(strstr(world_warning(bench.world, 0), "pagefile has outgrown"));
    world_destroy(bench.world);
}

static void a_session_lasts_as_long_as_said(void **state)
{
    (void)state;
    struct bench bench;
    bench_init(&bench);
    bench.workers.arrivals =
        (struct arrival_settings){40 * SIM_NS_PER_S, 20 * SIM_NS_PER_S, ARRIVALS_EVEN, 0.5};
    bench.workers.session_length_ns = 200 * SIM_NS_PER_S;
    bench.workers.io.io_per_s = 5.0;
    bench_run(&bench);
    const double writes = total(&bench, "guest_writes.iops"), expected = 4 * 200 * 5.0;
    assert_near(writes, expected, 4.0 * sqrt(expected));
    const double host_writes =
        total(&bench, "host_writes.iops"); /* a write over the edge of a block is two */
    assert_near(host_writes, (double)seen.writes[CACHE_FILE], 1e-6);
    assert_between(host_writes, writes, 1.01 * writes);
    assert_near_relative(host_writes / metric(&bench, "host_ios.per_user"), 4 * 200, 1e-9);
    assert_true(seen.first_ns >= 20 * SIM_NS_PER_S);
    assert_between(sim_s_from_ns(seen.last_ns), 245.0, 260.0); /* the last has come before 60 s */
    world_destroy(bench.world);
}

static void a_logon_writes_its_bytes(void **state)
{
    (void)state;
    struct bench bench;
    bench_init(&bench);
    bench.workers.io.logon_bytes = 10 * MIB + 1;
    bench_run(&bench);
    assert_near(RUN_S * metric(&bench, "guest_writes.throughput"), 4 * (10 + 1.0 / 256), 1e-6);
    assert_near(total(&bench, "guest_writes.iops"), 4 * 161, 1e-6); /* by 64 KiB, and a page */
    assert_near(metric(&bench, "overflow.written"), 4 * (10 + 1.0 / 256), 1e-6);
    world_destroy(bench.world);
}

/* One user, so that one file at a time is not whole, and files are deleted as soon as they are. */
static void bench_of_files(struct bench *bench, double deleted_share)
{
    bench_init(bench);
    bench->workers.users_per_worker = 1;
    bench->workers.cache = WRITE_CACHE_RAM_WITH_OVERFLOW;
    bench->workers.ram_cache_bytes = 100 * MIB;
    bench->workers.io.io_per_s = 20.0;
    bench->workers.io.deleted_share = deleted_share;
    bench_run(bench);
}

static void deleted_files_give_their_space_back_and_others_do_not(void **state)
{
    (void)state;
    struct bench bench;
    bench_of_files(&bench, 1.0);
    const double written_mib = RUN_S * metric(&bench, "guest_writes.throughput");
    assert_true(written_mib > 130.0);
    assert_true(metric(&bench, "ram_cache.peak") <= 8.0);
    assert_near(metric(&bench, "overflow.written"), 0.0, 0.0);
    world_destroy(bench.world);

    bench_of_files(&bench, 0.0);
    assert_near_relative(RUN_S * metric(&bench, "guest_writes.throughput"), written_mib, 1e-9);
    assert_between(metric(&bench, "ram_cache.peak"), 99.0, 100.0);
    assert_between(metric(&bench, "overflow.size"), written_mib - 100.0, written_mib - 100.0 + 4.0);
    world_destroy(bench.world);

    bench.workers.cache = WRITE_CACHE_DISK; /* on the disk nothing is given back, deleted or not */
    bench.workers.io.deleted_share = 1.0;
    bench_run(&bench);
    assert_between(metric(&bench, "overflow.size"), written_mib, written_mib + 2.0);
    world_destroy(bench.world);
}

/* Little's law: what is kept is what is written a second, for the life of a file, and the rest of the blocks of 2 MiB that
 * a single file keeps in memory. */
static void files_live_as_long_as_said(void **state)
{
    (void)state;
    struct bench bench;
    double peak_mib[2];
    for (int i = 0; i < 2; i++) {
        bench_init(&bench);
        bench.workers.cache = WRITE_CACHE_RAM_WITH_OVERFLOW;
        bench.workers.ram_cache_bytes = 900 * MIB;
        bench.workers.io.io_per_s = 20.0;
        bench.workers.io.file_life_ns = (i + 1) * 50 * SIM_NS_PER_S;
        bench_run(&bench);
        peak_mib[i] = metric(&bench, "ram_cache.peak");
        world_destroy(bench.world);
    }
    /* 1.25 MiB a second; the last of the eight files of a block, or nine with those that lie over its edges, lives for
     * 1 + 1/2 + ... = 2.8 lives: 175 MiB on average, in 87 blocks with a deviation of 9. The peak is above the mean, by
     * four of those at most; twice the life, twice the mean,
     * which a session of five lives does not quite reach. */
    print_message("peaks: %.0f and %.0f MiB\n", peak_mib[0], peak_mib[1]);
    assert_between(peak_mib[0], 175.0, 175.0 + 4 * 18.0);
    assert_between(peak_mib[1], 350.0 - 2 * 25.0, 350.0 + 4 * 25.0);
}

static void hot_places_are_written_again_and_again(void **state)
{
    (void)state;
    struct bench bench;
    bench_init(&bench);
    bench.workers.io.hot_share = 1.0;
    bench.workers.io.io_per_s = 20.0;
    bench.workers.io.hot_bytes = 8 * MIB;
    bench_run(&bench);
    assert_near(metric(&bench, "overflow.size"), 8.0, 0.0); /* of 156 MiB written */
    assert_true(metric(&bench, "overflow.written") > 140.0);
    world_destroy(bench.world);
}

static void only_what_is_on_the_disk_is_read_from_it(void **state)
{
    (void)state;
    for (int kind = WRITE_CACHE_DISK; kind <= WRITE_CACHE_RAM_WITH_OVERFLOW; kind++) {
        struct bench bench;
        bench_init(&bench);
        bench.workers.cache = kind;
        bench.workers.ram_cache_bytes = 900 * MIB;
        bench.workers.io.io_per_s = 5.0;
        bench.workers.io.read_share = 0.5;
        bench.workers.io.deleted_share = 0.0;
        bench_run(&bench);
        assert_int_equal(seen.reads[PAGEFILE], 0);
        if (kind ==
            WRITE_CACHE_DISK) /* 5000 reads, of files that are there, but for the first and the last */
            assert_between((double)seen.reads[CACHE_FILE], 4500.0, 5300.0);
        else
            assert_int_equal(seen.reads[CACHE_FILE], 0);
        world_destroy(bench.world);
    }
}

static void a_full_cache_without_overflow_stops_its_worker(void **state)
{
    (void)state;
    struct bench bench;
    bench_init(&bench);
    bench.workers.workers = 3;
    bench.workers.cache = WRITE_CACHE_RAM;
    bench.workers.ram_cache_bytes = 10 * MIB;
    bench.workers.io.io_per_s = 5.0;
    bench_run(&bench);
    assert_near(metric(&bench, "workers.stopped"), 3, 0.0);
    assert_near(metric(&bench, "ram_cache.peak"), 10.0, 0.0);
    assert_between(RUN_S * metric(&bench, "guest_writes.throughput"), 30.0, 30.1);
    assert_int_equal(seen.end, 0);
    world_destroy(bench.world);
}

static void workers_have_their_disks_side_by_side(void **state)
{
    (void)state;
    struct bench bench;
    bench_init(&bench);
    bench.workers.workers = 5;
    short_of_memory(&bench);
    bench.workers.io.logon_bytes = 40 * MIB; /* of four users: 160 of the 200 MiB */
    bench_run(&bench);
    assert_int_equal(seen.writes[PAGEFILE] - seen.reads[PAGEFILE], 5 * 100 * MIB / 65536);
    assert_int_equal(seen.writes[CACHE_FILE], 5 * 160 * MIB / 65536);
    assert_true(seen.lowest < DISK / PAGE / 3);
    assert_int_equal(seen.end, 4 * DISK / PAGE + (100 + 1 + 160) * MIB / PAGE); /* behind the hot places */
    assert_int_equal(world_warning_count(bench.world), 0);
    world_destroy(bench.world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_fault_reads_a_cluster_and_writes_one),
        cmocka_unit_test(with_memory_enough_nothing_is_paged),
        cmocka_unit_test(the_cache_in_memory_makes_faults),
        cmocka_unit_test(a_pagefile_beyond_its_third_is_cut_and_told),
        cmocka_unit_test(a_session_lasts_as_long_as_said),
        cmocka_unit_test(a_logon_writes_its_bytes),
        cmocka_unit_test(deleted_files_give_their_space_back_and_others_do_not),
        cmocka_unit_test(files_live_as_long_as_said),
        cmocka_unit_test(hot_places_are_written_again_and_again),
        cmocka_unit_test(only_what_is_on_the_disk_is_read_from_it),
        cmocka_unit_test(a_full_cache_without_overflow_stops_its_worker),
        cmocka_unit_test(workers_have_their_disks_side_by_side),
    };
    return RUN_TESTS(tests);
}
