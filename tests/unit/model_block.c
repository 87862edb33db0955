/* Block stores and the guest's disk in front of them, request by request. */
#include "models/world/world_state.h"
#include "tests/support/check.h"
#include "vdisim/block.h"
#include "vdisim/guest_disk.h"
#include "vdisim/raid.h"
#include "vdisim/random.h"
#include "vdisim/time.h"

#include <stdlib.h>
#include <string.h>

#define US 1000

/* A volume of flash that reads in 100 us and writes in 200 us, a guest without cost. */
struct bench {
    struct block_settings block;
    struct guest_disk_settings guest;
    struct world world;
    struct store *store;
    struct guest_disk disk;
    struct sim_random places;
    uint64_t left; /* requests to come */
    uint64_t answered;
    int64_t latency_ns, most_granted;
    double write_share;
    uint32_t pages;
};

static void bench_init(struct bench *bench)
{
    *bench = (struct bench){
        .block = {.members = 1,
                  .stripe_unit_bytes = 65536,
                  .disk = {.medium = DISK_FLASH,
                           .capacity_bytes = INT64_C(100) << 30,
                           .queue_depth = 32,
                           .channels = 8,
                           .read_time_ns = 100 * US,
                           .write_time_ns = 200 * US,
                           .read_bytes_per_s = INFINITY,
                           .write_bytes_per_s = INFINITY},
                  .controller = {.cache_time_ns = 20 * US,
                                 .memory_bytes = INT64_C(1) << 30,
                                 .destage_depth = 8},
                  .link = {.bytes_per_s = INFINITY}},
        .guest = {.queue_depth = 64, .coalesced = 1},
        .write_share = 1.0,
        .pages = 1,
    };
}

static void bench_raid(struct bench *bench, enum raid_level level, int64_t members)
{
    bench->block.level = (int)level;
    bench->block.members = members;
}

static void bench_start(struct bench *bench)
{
    bench->world.sim = sim_create();
    bench->world.seed = 1;
    bench->store = block_kind.create(&bench->world, "volume", &bench->block);
    assert_non_null(bench->store);
    guest_disk_init(&bench->disk, bench->world.sim, &bench->guest, bench->store, 0);
    sim_random_init(&bench->places, 1, 0, "places");
}

static void bench_end(struct bench *bench)
{
    assert_int_equal(bench->disk.sent,
                     bench->answered + (uint64_t)bench->disk.granted + (uint64_t)bench->disk.waiting);
    assert_int_equal(bench->store->meter.arrived, bench->store->meter.settled);
    guest_disk_release(&bench->disk);
    bench->store->operations->destroy(bench->store);
    sim_destroy(bench->world.sim);
}

static void answered(struct request *request);

static void send_at(struct bench *bench, bool writes, uint32_t page)
{
    guest_disk_send(&bench->disk, writes ? OPERATION_WRITE : OPERATION_READ, page,
                    (int64_t)bench->pages * 4096, answered, bench);
}

static void send_somewhere(struct bench *bench)
{
    bench->left--;
    const bool writes = sim_random_chance(&bench->places, bench->write_share);
    send_at(bench, writes,
            (uint32_t)sim_random_below(&bench->places, bench->disk.pages / bench->pages) * bench->pages);
}

static void answered(struct request *request)
{
    struct bench *bench = request->owner;
    assert_true(request->issued_ns <= request->granted_ns && request->granted_ns <= request->sent_ns &&
                request->sent_ns <= request->arrived_ns && request->arrived_ns <= request->admitted_ns &&
                request->admitted_ns <= request->started_ns && request->started_ns <= request->served_ns &&
                request->served_ns <= request->done_ns);
    bench->answered++;
    bench->latency_ns += request->done_ns - request->issued_ns;
    if (bench->disk.granted > bench->most_granted)
        bench->most_granted = bench->disk.granted;
    guest_disk_free(request);
    if (bench->left > 0)
        send_somewhere(bench);
}

/* Keeps so many outstanding; returns requests a second. */
static double run_closed(struct bench *bench, int outstanding, uint64_t count)
{
    bench->left = count;
    for (int i = 0; i < outstanding; i++)
        send_somewhere(bench);
    sim_run_until(bench->world.sim, SIM_NEVER_NS);
    assert_int_equal(bench->answered, count);
    return (double)count / sim_s_from_ns(sim_now_ns(bench->world.sim));
}

/* The latency of a single request. */
static int64_t latency_of_one(struct bench *bench, bool writes, uint32_t page, uint32_t pages)
{
    bench->latency_ns = 0;
    bench->pages = pages;
    send_at(bench, writes, page);
    sim_run_until(bench->world.sim, SIM_NEVER_NS);
    return bench->latency_ns;
}

static void back_end_operations_are_those_of_the_arithmetic(void **state)
{
    (void)state;
    static const struct {
        enum raid_level level;
        int64_t members;
        uint64_t reads, writes; /* of a write of one page */
    } cases[] = {{RAID_NONE, 1, 0, 1}, {RAID_0, 4, 0, 1}, {RAID_1, 2, 0, 2},
                 {RAID_10, 4, 0, 2},   {RAID_5, 4, 2, 2}, {RAID_6, 6, 3, 3}};
    for (int medium = DISK_HDD; medium <= DISK_FLASH; medium++) {
        for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
            struct bench bench;
            bench_init(&bench);
            bench_raid(&bench, cases[i].level, cases[i].members);
            bench.block.disk.medium = medium;
            bench.block.disk.seek_mean_ns = 8 * SIM_NS_PER_MS;
            bench.block.disk.rotation_ns = 8 * SIM_NS_PER_MS;
            bench.block.disk.outer_bytes_per_s = bench.block.disk.inner_bytes_per_s = 1e8;
            bench_start(&bench);
            run_closed(&bench, 16, 1000);
            const struct disk_account account = block_store_account(bench.store);
            assert_int_equal(account.reads, 1000 * cases[i].reads);
            assert_int_equal(account.writes, 1000 * cases[i].writes);
            /* No member is left out. */
            for (size_t disk = 0; disk < block_store_disk_count(bench.store); disk++) {
                const struct disk_account one = block_store_disk_account(bench.store, disk);
                assert_between((double)one.writes, 0.7 * (double)account.writes / (double)cases[i].members,
                               1.3 * (double)account.writes / (double)cases[i].members);
            }
            bench_end(&bench);
        }
    }
}

static void one_request_takes_its_steps(void **state)
{
    (void)state;
    struct bench bench;
    bench_init(&bench);
    bench_start(&bench);
    assert_int_equal(latency_of_one(&bench, false, 1000, 1), 100 * US);
    assert_int_equal(latency_of_one(&bench, true, 1000, 1), 200 * US);
    bench_end(&bench);

    bench_init(&bench);
    bench_raid(&bench, RAID_5, 4);
    bench.block.controller.overhead_ns = 7 * US;
    bench.guest.submit_cost_ns = 3 * US;
    bench.guest.interrupt_cost_ns = 11 * US;
    bench_start(&bench);
    const int64_t around = (7 + 3 + 11) * US;
    assert_int_equal(latency_of_one(&bench, false, 1000, 1), around + 100 * US);
    assert_int_equal(latency_of_one(&bench, true, 1000, 1),
                     around + 100 * US + 200 * US);                           /* read, then write */
    assert_int_equal(latency_of_one(&bench, true, 0, 48), around + 200 * US); /* a whole row */
    assert_int_equal(bench.disk.processor_ns, 3 * 14 * US);
    assert_int_equal(bench.disk.interrupts, 3);
    bench_end(&bench);
}

static void a_link_adds_its_round_trip_and_the_bytes(void **state)
{
    (void)state;
    struct bench bench;
    bench_init(&bench);
    bench.block.link =
        (struct block_link_settings){.bytes_per_s = 100e6, .round_trip_ns = 200 * US, .header_bytes = 100};
    bench_start(&bench);
    /* 10 ns a byte: the request's header; the data with theirs. */
    assert_int_equal(latency_of_one(&bench, false, 0, 256), 200 * US + 1 * US + 100 * US + 10486760);
    assert_int_equal(latency_of_one(&bench, true, 0, 256), 200 * US + 10486760 + 200 * US + 1 * US);
    bench_end(&bench);

    bench_init(&bench);
    bench.block.link = (struct block_link_settings){.bytes_per_s = 125e6, .round_trip_ns = 200 * US};
    bench.write_share = 0.0;
    bench.pages = 256;
    bench_start(&bench);
    const double per_s = run_closed(&bench, 4, 2000);
    assert_near_relative(per_s * 1048576.0, 125e6, 0.001);
    bench_end(&bench);
}

/* N outstanding in a closed loop: throughput times latency is N. Below saturation it is N / latency of an idle disk. */
static void littles_law_holds(void **state)
{
    (void)state;
    static const int outstanding[] = {1, 4, 8, 32, 200};
    for (size_t i = 0; i < sizeof outstanding / sizeof outstanding[0]; i++) {
        struct bench bench;
        bench_init(&bench);
        bench.write_share = 0.0;
        bench_start(&bench);
        const double per_s = run_closed(&bench, outstanding[i], 20000);
        assert_near_relative(per_s * (double)bench.latency_ns / 20000.0 / 1e9, outstanding[i], 0.01);
        assert_near_relative(per_s, fmin(outstanding[i], 8) / 100e-6, 0.01);
        assert_int_equal(bench.most_granted, outstanding[i] < 64 ? outstanding[i] - 1 : 63);
        bench_end(&bench);
    }
}

static void interrupts_are_coalesced_by_what_is_in_flight(void **state)
{
    (void)state;
    double interrupts[2];
    for (int view = 0; view < 2; view++) {
        struct bench bench;
        bench_init(&bench);
        bench.guest = (struct guest_disk_settings){.queue_depth = 64,
                                                   .interrupt_cost_ns = 5 * US,
                                                   .submit_cost_ns = 1 * US,
                                                   .coalesced = view == 0 ? 1 : 8};
        bench.block.disk.channels = 64;
        bench.block.disk.time_spread = 0.5;
        bench_start(&bench);
        run_closed(&bench, 64, 20000);
        interrupts[view] = (double)bench.disk.interrupts / 20000.0;
        assert_int_equal(bench.disk.processor_ns, 20000 * US + (int64_t)bench.disk.interrupts * 5 * US);
        bench_end(&bench);
    }
    assert_near(interrupts[0], 1.0, 0.0);
    assert_between(interrupts[1], 1.0 / 8.0, 1.0 / 4.0);
    /* One at a time there is nothing to wait for. */
    struct bench bench;
    bench_init(&bench);
    bench.guest.coalesced = 8;
    bench_start(&bench);
    assert_near_relative(run_closed(&bench, 1, 1000), 1e9 / (200 * US), 0.001);
    assert_int_equal(bench.disk.interrupts, 1000);
    bench_end(&bench);
    /* 24 that end one by one: by twos until 15 are left with the store, an eighth each, and then alone. */
    bench_init(&bench);
    bench.guest.coalesced = 8;
    bench.block.disk.channels = 1;
    bench_start(&bench);
    run_closed(&bench, 24, 24);
    assert_int_equal(bench.disk.interrupts, 4 + 16);
    bench_end(&bench);
}

static void the_guests_elevator_helps_an_arm(void **state)
{
    (void)state;
    double per_s[2];
    for (int elevator = 0; elevator < 2; elevator++) {
        struct bench bench;
        bench_init(&bench);
        bench.block.disk.medium = DISK_HDD;
        bench.block.disk.seek_min_ns = SIM_NS_PER_MS;
        bench.block.disk.seek_mean_ns = 8 * SIM_NS_PER_MS;
        bench.block.disk.rotation_ns = 4 * SIM_NS_PER_MS;
        bench.block.disk.outer_bytes_per_s = bench.block.disk.inner_bytes_per_s = 1e8;
        bench.block.disk.order = DISK_FIFO;
        bench.guest.queue_depth = 2;
        bench.guest.elevator = elevator == 1;
        bench_start(&bench);
        per_s[elevator] = run_closed(&bench, 64, 5000);
        bench_end(&bench);
    }
    assert_true(per_s[1] > 1.5 * per_s[0]);
}

static void a_cache_answers_writes_at_once_and_destages_whole_rows(void **state)
{
    (void)state;
    struct bench bench;
    bench_init(&bench);
    bench_raid(&bench, RAID_5, 4);
    bench.block.controller.cache_bytes = INT64_C(64) << 20;
    bench_start(&bench);
    for (uint32_t page = 0; page < 480; page += 4) /* ten whole rows, bit by bit */
        assert_int_equal(latency_of_one(&bench, true, page, 4), 20 * US);
    const struct disk_account account = block_store_account(bench.store);
    assert_int_equal(account.reads, 0);
    assert_int_equal(account.writes, 10 * 4);
    assert_int_equal(latency_of_one(&bench, false, 100, 4), 20 * US); /* read from the cache */
    assert_int_equal(latency_of_one(&bench, false, 100000, 4), 100 * US);
    assert_int_equal(latency_of_one(&bench, false, 100000, 4), 20 * US);
    bench_end(&bench);
}

/* Random small writes beyond the cache go at the pace of the disks. */
static void a_full_cache_writes_at_the_pace_of_the_disks(void **state)
{
    (void)state;
    double per_s[2];
    for (int cached = 0; cached < 2; cached++) {
        struct bench bench;
        bench_init(&bench);
        bench_raid(&bench, RAID_5, 4);
        bench.block.controller.cache_bytes = cached == 1 ? INT64_C(1) << 20 : 0;
        bench.block.controller.destage_depth = 64;
        bench_start(&bench);
        per_s[cached] = run_closed(&bench, 64, 30000);
        bench_end(&bench);
    }
    assert_near_relative(per_s[1], per_s[0], 0.05);
}

static void processes_transfer(struct sim_process *self);

struct copier {
    struct sim_process process;
    struct bench *bench;
    int64_t took_ns;
};

static void processes_transfer(struct sim_process *self)
{
    struct copier *copier = SIM_CONTAINER_OF(self, struct copier, process);
    guest_disk_transfer(&copier->bench->disk, self, OPERATION_READ, 0, INT64_C(100) << 20, 1 << 20, 4);
    copier->took_ns = sim_now_ns(copier->bench->world.sim);
}

static void a_process_reads_a_file_in_pieces(void **state)
{
    (void)state;
    struct bench bench;
    bench_init(&bench);
    bench.block.disk.read_bytes_per_s = 1048576e3; /* 1 ms a piece */
    bench_start(&bench);
    struct copier copier = {.bench = &bench};
    sim_process_init(&copier.process, "copier", processes_transfer);
    sim_process_start_at(bench.world.sim, &copier.process, 0);
    sim_run_until(bench.world.sim, SIM_NEVER_NS);
    assert_int_equal(copier.took_ns, 100 * SIM_NS_PER_MS + 100 * US);
    assert_int_equal(bench.disk.sent, 100);
    bench.answered = bench.disk.answered;
    bench_end(&bench);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(back_end_operations_are_those_of_the_arithmetic),
        cmocka_unit_test(one_request_takes_its_steps),
        cmocka_unit_test(a_link_adds_its_round_trip_and_the_bytes),
        cmocka_unit_test(littles_law_holds),
        cmocka_unit_test(interrupts_are_coalesced_by_what_is_in_flight),
        cmocka_unit_test(the_guests_elevator_helps_an_arm),
        cmocka_unit_test(a_cache_answers_writes_at_once_and_destages_whole_rows),
        cmocka_unit_test(a_full_cache_writes_at_the_pace_of_the_disks),
        cmocka_unit_test(a_process_reads_a_file_in_pieces),
    };
    return RUN_TESTS(tests);
}
