/* A file server: what its RAM, its disks and its card do to the latency of a READ. */
#include "models/world/world_state.h"
#include "tests/support/check.h"
#include "tests/support/matrix_scenario.h"
#include "vdisim/file_server.h"
#include "vdisim/smb_file.h"

struct reader {
    struct smb_read read;
    struct sim *sim;
    int64_t answered_ns;
};

static void answered(struct smb_read *read)
{
    struct reader *reader = read->owner;
    reader->answered_ns = sim_now_ns(reader->sim);
}

struct bench_top {
    struct matrix_scenario matrix;
    struct file_server_settings server;
    struct store_file file;
    struct smb_file smb_file;
    struct world *world;
};

/* 1 ms a request, one disk of 100 MB/s, nothing at random, clients that cache nothing. */
static void bench_top_init(struct bench_top *top, double nic_bytes_per_s, int64_t disks)
{
    memset(top, 0, sizeof *top);
    matrix_scenario_init(&top->matrix);
    top->matrix.hosts.smb.header_bytes = 0;
    top->matrix.hosts.smb.data_cache.autodisconnect_ns = INT64_MAX;
    top->server = (struct file_server_settings){.size_bytes = INT64_C(1) << 40,
                                                .memory_bytes = 1 << 20,
                                                .cache_bytes = 4 * 65536,
                                                .block_bytes = 65536,
                                                .latency_ns = SIM_NS_PER_MS,
                                                .disks = disks,
                                                .disk_bytes_per_s = 100e6,
                                                .nic_bytes_per_s = nic_bytes_per_s};
    top->matrix.store_part = (struct store_part){"profiles", &file_server_kind, &top->server};
    top->matrix.scenario.workload_count = 0;
    char message[128];
    top->world = world_create(&top->matrix.scenario, 1, 0, message, sizeof message);
    assert_non_null(top->world);
    struct smb_client *client = host_client(&top->world->groups[0].hosts[0], top->world->stores[0]);
    assert_true(smb_file_init(&top->smb_file, client, 0, &top->file, 1 << 30, 0));
}

/* Reads `count` pieces of 50,000 bytes, one in each of the blocks from `block` on, all at once; when the last is there. */
static int64_t reads_take_ns(struct bench_top *top, int64_t block, int64_t count)
{
    static struct reader readers[16];
    const int64_t from_ns = world_now_ns(top->world);
    for (int64_t i = 0; i < count; i++) {
        readers[i] = (struct reader){.read = {.file = &top->smb_file,
                                              .offset_bytes = (block + i) * 65536,
                                              .bytes = 50000,
                                              .done = answered,
                                              .owner = &readers[i]},
                                     .sim = top->world->sim};
        assert_false(smb_file_read(&readers[i].read));
    }
    world_run_until(top->world, from_ns + SIM_NS_PER_S);
    return readers[count - 1].answered_ns - from_ns;
}

static void what_was_read_is_read_from_ram(void **state)
{
    (void)state;
    struct bench_top top;
    bench_top_init(&top, INFINITY, 1);
    reads_take_ns(&top, 100, 1);                          /* opens the file */
    assert_int_equal(reads_take_ns(&top, 0, 1), 1500000); /* 50,000 bytes at 100 MB/s */
    assert_int_equal(reads_take_ns(&top, 0, 1), 1000000);
    reads_take_ns(&top, 1, 4); /* four blocks have room: block 0 is dropped */
    assert_int_equal(reads_take_ns(&top, 4, 1), 1000000);
    assert_int_equal(reads_take_ns(&top, 0, 1), 1500000);
    world_destroy(top.world);
}

static void disks_serve_one_request_each(void **state)
{
    (void)state;
    struct bench_top top;
    bench_top_init(&top, INFINITY, 1);
    reads_take_ns(&top, 100, 1);
    assert_int_equal(reads_take_ns(&top, 0, 4), 1000000 + 4 * 500000);
    world_destroy(top.world);
    bench_top_init(&top, INFINITY, 2);
    reads_take_ns(&top, 100, 1);
    assert_int_equal(reads_take_ns(&top, 0, 4), 1000000 + 2 * 500000);
    world_destroy(top.world);
}

static void the_card_carries_one_answer_after_the_other(void **state)
{
    (void)state;
    struct bench_top top;
    bench_top_init(&top, 50e6, 4);
    reads_take_ns(&top, 100, 1);
    assert_int_equal(reads_take_ns(&top, 0, 4), 1500000 + 4 * 1000000);
    assert_int_equal(reads_take_ns(&top, 0, 4), 1000000 + 4 * 1000000);
    world_destroy(top.world);
}

static void the_cache_fits_in_the_memory(void **state)
{
    (void)state;
    struct file_server_settings settings = {.memory_bytes = 1 << 20, .cache_bytes = 1 << 20};
    struct parameter_problem problem = {0};
    assert_true(file_server_parameters.check(&settings, &problem));
    settings.cache_bytes++;
    assert_false(file_server_parameters.check(&settings, &problem));
    assert_string_equal(problem.parameter, "cache");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_was_read_is_read_from_ram),
        cmocka_unit_test(disks_serve_one_request_each),
        cmocka_unit_test(the_card_carries_one_answer_after_the_other),
        cmocka_unit_test(the_cache_fits_in_the_memory),
    };
    return RUN_TESTS(tests);
}
