/* Boots from a vDisk through PVS servers: the schedule, the picture of a boot, packets on the wire, and what the caching of
 * the servers' SMB clients makes of the bytes that the store sends. */
#include "models/provisioning/boot_picture.h"
#include "models/provisioning/boot_schedule.h"
#include "models/smb/lease_gate.h"
#include "models/smb/smb_client.h"
#include "models/smb/smb_file_cache.h"
#include "models/world/world_state.h"
#include "tests/support/check.h"
#include "tests/support/matrix_scenario.h"
#include "vdisim/boots.h"

#include <stdlib.h>
#include <string.h>

#define PAGE  INT64_C(4096)
#define BLOCK 65536.0

struct boots_scenario {
    struct matrix_scenario matrix;
    struct boots_settings boots;
    struct workload_part part;
};

static const char *const one_boot[] = {"0 s boot 1"};
static const char *const two_boots[] = {"0 s boot 1", "10 min boot 2"};

/* 16 MiB a boot in 30 s, blocks of 64 KiB, no network, 4 ms an answer of the store. */
static void boots_scenario_init(struct boots_scenario *scenario, const char *const *texts, size_t count)
{
    memset(scenario, 0, sizeof *scenario);
    matrix_scenario_init(&scenario->matrix);
    struct host_group_settings *hosts = &scenario->matrix.hosts;
    hosts->count = 1;
    hosts->memory_bytes = INT64_MAX;
    hosts->smb.data_cache =
        (struct smb_cache_settings){SMB_CACHES_BY_LEASES, 64 << 20, 65536, INT64_MAX, 10 * SIM_NS_PER_S};
    scenario->boots = (struct boots_settings){
        .hosts = "hosts",
        .store = "profiles",
        .targets = 4,
        .vdisk = {.size_bytes = INT64_C(1) << 30,
                  .boot_read_bytes = 16 << 20,
                  .extent_bytes = 524288,
                  .read_bytes = 32768,
                  .boot_duration_ns = 30 * SIM_NS_PER_S,
                  .reorder = 16},
        .pvs = {.ports = 20,
                .threads = 8,
                .burst_packets = 32,
                .packet_payload_bytes = 1408,
                .packet_header_bytes = 56,
                .target_bytes_per_s = INFINITY,
                .idle_close_ns = INT64_MAX},
        .schedule = {texts, count},
    };
    scenario->part = (struct workload_part){"boots", &boots_kind, &scenario->boots};
    scenario->matrix.scenario.workloads = &scenario->part;
}

static struct world *boots_run(struct boots_scenario *scenario, int64_t until_ns)
{
    char message[128];
    struct world *world = world_create(&scenario->matrix.scenario, 1, 0, message, sizeof message);
    assert_non_null(world);
    world_run_until(world, until_ns);
    const struct store_meter *meter = &world->stores[0]->meter;
    for (size_t i = 0; i < world->groups[0].count; i++) {
        const struct smb_account account =
            smb_account(host_client(&world->groups[0].hosts[i], world->stores[0]));
        assert_int_equal(account.sent, account.answered + account.in_flight + account.waiting);
    }
    assert_true(meter->arrived >= meter->settled);
    return world;
}

static double run_metric(struct boots_scenario *scenario, int64_t until_ns, const char *metric)
{
    struct world *world = boots_run(scenario, until_ns);
    const double value = matrix_metric(world, metric);
    world_destroy(world);
    return value;
}

/* --- Schedule. --- */

static void refuses(const char *const *texts, size_t count, const char *what)
{
    struct boot_schedule schedule;
    struct parameter_problem problem = {0};
    const struct parameter_texts list = {texts, count};
    assert_int_equal(boot_schedule_make(&schedule, &list, 6, &problem), BOOT_SCHEDULE_WRONG);
    if (strstr(problem.message, what) == NULL)
        fail_msg("'%s' does not say '%s'", problem.message, what);
    assert_null(strchr(problem.message, '\n'));
    if (problem.text != NULL) /* the step that the line is about */
        assert_non_null(strstr(problem.message, problem.text));
    else
        assert_true(strstr(problem.message, "is empty") != NULL);
}

#define REFUSES(what, ...)                                                                                   \
    do {                                                                                                     \
        static const char *const texts_[] = {__VA_ARGS__};                                                   \
        refuses(texts_, sizeof texts_ / sizeof texts_[0], what);                                             \
    } while (0)

static void a_schedule_is_read(void **state)
{
    (void)state;
    static const char *const texts[] = {"0 s boot 1-2,5 every 10 s", "15 s boot 3",
                                        "1 h 2 min 500 ms reboot all", "2h shut down 6"};
    const struct parameter_texts list = {texts, 2};
    struct boot_schedule schedule;
    struct parameter_problem problem;
    assert_int_equal(boot_schedule_make(&schedule, &list, 6, &problem), BOOT_SCHEDULE_OK);
    static const struct {
        int64_t s;
        uint32_t target;
    } expected[] = {{0, 0}, {10, 1}, {15, 2}, {20, 4}}; /* in the order of time */
    assert_int_equal(schedule.count, 4);
    for (size_t i = 0; i < 4; i++) {
        assert_int_equal(schedule.events[i].at_ns, expected[i].s * SIM_NS_PER_S);
        assert_int_equal(schedule.events[i].target, expected[i].target);
        assert_int_equal(schedule.events[i].action, ACTION_BOOT);
    }
    boot_schedule_release(&schedule);
    static const char *const all[] = {"0 s boot all", "1 h 2 min 500 ms reboot all", "2h shut down 6"};
    const struct parameter_texts full = {all, 3};
    assert_int_equal(boot_schedule_make(&schedule, &full, 6, &problem), BOOT_SCHEDULE_OK);
    assert_int_equal(schedule.count, 13);
    assert_int_equal(schedule.boots, 12);
    assert_int_equal(schedule.events[6].at_ns, 3720500 * SIM_NS_PER_MS);
    assert_int_equal(schedule.events[12].action, ACTION_SHUT_DOWN);
    boot_schedule_release(&schedule);
}

static void wrong_schedules_are_refused(void **state)
{
    (void)state;
    REFUSES("goes back in time", "3 min boot 1", "2 min boot 2");
    REFUSES("boots target 1, which is on", "0 s boot 1", "1 min boot 1");
    REFUSES("shuts down target 2, which is off", "0 s boot 1", "1 min shut down 2");
    REFUSES("reboots target 1, which is off", "0 s boot 1", "1 s shut down 1", "2 s reboot 1");
    REFUSES("names target 7, but targets are numbered from 1 to 6", "0 s boot 1-7");
    REFUSES("names target 0", "0 s boot 0-2");
    REFUSES("is no step", "0 s start 1");
    REFUSES("is no step", "boot 1");
    REFUSES("is no step", "5 boot 1");
    REFUSES("is no step", "0 s boot");
    REFUSES("is no step", "0 s boot 1,");
    REFUSES("is no step", "0 s boot 3-1");
    REFUSES("is no step", "0 s boot 1-3 every");
    REFUSES("is no step", "0 s boot 1-3 each 10 s");
    REFUSES("is no step", "0 s boot 1 every 10 s please");
    REFUSES("is no step", "-1 s boot 1");
    REFUSES("is no step", "0 s boot allow");
    REFUSES("is no step", "0 s boot 99999999999999999999999x");
    REFUSES("longer than a week", "100 h boot all every 20 h");
    refuses(NULL, 0, "empty");
}

/* --- The picture of a boot, and the wire. --- */

static int compare_pieces(const void *left, const void *right)
{
    const struct boot_piece *a = left, *b = right;
    return (a->page > b->page) - (a->page < b->page);
}

static void a_picture_has_different_data_and_their_sum(void **state)
{
    (void)state;
    struct boots_scenario scenario;
    boots_scenario_init(&scenario, one_boot, 1);
    struct vdisk_settings *vdisk = &scenario.boots.vdisk;
    vdisk->size_bytes = (16 << 20) + 40 * PAGE; /* little is left between the extents */
    struct sim_random random;
    sim_random_init(&random, 1, 0, "picture");
    struct boot_picture picture;
    assert_true(boot_picture_init(&picture, vdisk, &random));
    qsort(picture.pieces, picture.count, sizeof *picture.pieces, compare_pieces);
    uint32_t end = 0, pages = 0;
    for (size_t i = 0; i < picture.count; i++) {
        assert_true(picture.pieces[i].page >= end);
        assert_true(picture.pieces[i].pages >= 1 && picture.pieces[i].pages <= 8);
        end = picture.pieces[i].page + picture.pieces[i].pages;
        pages += picture.pieces[i].pages;
    }
    assert_true(end <= vdisk->size_bytes / PAGE);
    assert_int_equal(pages, (16 << 20) / PAGE);
    boot_picture_release(&picture);
}

static void a_course_reads_everything_once_and_nearly_in_order(void **state)
{
    (void)state;
    struct boots_scenario scenario;
    boots_scenario_init(&scenario, one_boot, 1);
    struct sim_random random;
    sim_random_init(&random, 1, 0, "picture");
    struct boot_picture picture;
    assert_true(boot_picture_init(&picture, &scenario.boots.vdisk, &random));
    for (size_t i = 0; i < picture.count; i++)
        picture.pieces[i].page = (uint32_t)i;
    for (int64_t reorder = 1; reorder <= 64; reorder *= 8) {
        struct boot_course course;
        boot_course_begin(&course, &picture, reorder);
        struct boot_piece piece;
        size_t count = 0;
        double distance = 0.0;
        bool *seen = calloc(picture.count, sizeof *seen);
        for (; boot_course_next(&course, &picture, &random, &piece); count++) {
            assert_false(seen[piece.page]);
            seen[piece.page] = true;
            assert_true(piece.page < count + (size_t)reorder);
            distance += fabs((double)piece.page - (double)count);
        }
        free(seen);
        assert_int_equal(count, picture.count);
        if (reorder == 1)
            assert_near(distance, 0.0, 0.0);
        else
            assert_between(distance / (double)count, 0.3 * (double)reorder, 1.0 * (double)reorder);
    }
    boot_picture_release(&picture);
}

static void a_read_takes_these_bytes_on_the_wire(void **state)
{
    (void)state;
    const struct pvs_settings pvs = {.packet_payload_bytes = 1408, .packet_header_bytes = 56};
    assert_int_equal(pvs_wire_bytes(&pvs, 32768), 34112); /* 24 packets, as captured */
    assert_int_equal(pvs_wire_bytes(&pvs, 8192), 8528);   /* 6 */
    assert_int_equal(pvs_wire_bytes(&pvs, 1408), 1464);
    assert_int_equal(pvs_wire_bytes(&pvs, 1409), 1521);
}

/* --- Boots. --- */

static void without_waits_a_boot_lasts_as_said(void **state)
{
    (void)state;
    struct boots_scenario scenario;
    boots_scenario_init(&scenario, one_boot, 1);
    for (int i = 0; i < OPERATION_CLASS_COUNT; i++)
        scenario.matrix.share.service.latency_ns[i] = 0;
    struct world *world = boots_run(&scenario, 5 * SIM_NS_PER_MIN);
    assert_near(matrix_metric(world, "boots.finished"), 1, 0);
    /* A sum of some 530 exponential pauses: 4.3 % of its mean is a standard deviation. */
    assert_near_relative(matrix_metric(world, "boot_time.mean"), 30.0, 0.13);
    assert_near(matrix_metric(world, "boot_time.by.target"), matrix_metric(world, "boot_time.mean"), 1e-6);
    assert_near(matrix_metric(world, "boots.read"), 16 * 1.048576, 1e-9);
    world_destroy(world);
}

/* Bytes of data that were sent in blocks of 64 KiB: whole blocks, each once. */
static void a_server_fetches_each_block_once(void **state)
{
    (void)state;
    struct boots_scenario scenario;
    static const char *const together[] = {"0 s boot all every 1 s"};
    boots_scenario_init(&scenario, together, 1);
    struct world *world = boots_run(&scenario, 10 * SIM_NS_PER_MIN);
    struct sim_random random;
    sim_random_init_named(&random, 1, 0, "boots/vdisk");
    struct boot_picture picture;
    assert_true(boot_picture_init(&picture, &scenario.boots.vdisk, &random));
    bool *touched = calloc(16384, sizeof *touched);
    int64_t blocks = 0;
    for (size_t i = 0; i < picture.count; i++)
        for (uint32_t page = picture.pieces[i].page; page < picture.pieces[i].page + picture.pieces[i].pages;
             page++)
            if (!touched[page / 16]) {
                touched[page / 16] = true;
                blocks++;
            }
    free(touched);
    boot_picture_release(&picture);
    assert_near(matrix_metric(world, "boots.finished"), 4, 0);
    /* NEGOTIATE, SESSION_SETUP twice, TREE_CONNECT, CREATE, and the READs; headers of 100 bytes. */
    assert_near(matrix_metric(world, "transactions.total"), (double)blocks + 5, 0);
    assert_near(matrix_metric(world, "bytes_sent.total"), ((double)blocks * (BLOCK + 100) + 500) / 1e6, 1e-9);
    assert_near(matrix_metric(world, "bytes_sent.first_3_min") +
                    matrix_metric(world, "bytes_sent.after_3_min"),
                matrix_metric(world, "bytes_sent.total"), 1e-9);
    assert_true(matrix_metric(world, "cache_hits.fraction") > 0.75);
    world_destroy(world);
}

static void two_servers_fetch_it_twice(void **state)
{
    (void)state;
    static const char *const together[] = {"0 s boot all every 1 s"};
    struct boots_scenario scenario;
    boots_scenario_init(&scenario, together, 1);
    const double one = run_metric(&scenario, 10 * SIM_NS_PER_MIN, "bytes_sent.total");
    scenario.matrix.hosts.count = 2;
    assert_near(run_metric(&scenario, 10 * SIM_NS_PER_MIN, "bytes_sent.total"), 2 * one, 1e-9);
}

static void without_a_right_to_cache_every_read_is_sent(void **state)
{
    (void)state;
    struct boots_scenario scenario;
    boots_scenario_init(&scenario, two_boots, 2);
    scenario.matrix.hosts.smb.data_cache.grants = SMB_CACHES_NOTHING;
    struct world *world = boots_run(&scenario, 20 * SIM_NS_PER_MIN);
    const double reads = matrix_metric(world, "transactions.total") - 5;
    assert_near(matrix_metric(world, "bytes_sent.total"), (2 * 16 * 1048576.0 + 100 * (reads + 5)) / 1e6,
                1e-9);
    assert_near(matrix_metric(world, "bytes_sent.first_3_min") * 1e6 - 500,
                matrix_metric(world, "bytes_sent.after_3_min") * 1e6, 1e-3);
    assert_near(matrix_metric(world, "cache_hits.fraction"), 0.0, 0.0);
    world_destroy(world);
}

static void a_cache_smaller_than_the_working_set_is_none(void **state)
{
    (void)state;
    struct boots_scenario scenario;
    boots_scenario_init(&scenario, two_boots, 2);
    scenario.boots.vdisk.reorder = 1;
    const double enough = run_metric(&scenario, 20 * SIM_NS_PER_MIN, "bytes_sent.after_3_min");
    assert_near(enough, 0.0, 0.0);
    scenario.matrix.hosts.smb.data_cache.size_bytes = 8 << 20;
    struct world *world = boots_run(&scenario, 20 * SIM_NS_PER_MIN);
    assert_near(matrix_metric(world, "bytes_sent.after_3_min"),
                matrix_metric(world, "bytes_sent.first_3_min"), 0.001);
    world_destroy(world);
}

static void an_idle_session_loses_the_cache(void **state)
{
    (void)state;
    struct boots_scenario scenario;
    boots_scenario_init(&scenario, two_boots, 2);
    struct smb_cache_settings *cache = &scenario.matrix.hosts.smb.data_cache;
    cache->autodisconnect_ns =
        8 * SIM_NS_PER_MIN; /* the first boot ends before 1 min, the second begins at 10 */
    const double first = run_metric(&scenario, 20 * SIM_NS_PER_MIN, "bytes_sent.first_3_min");
    assert_near(run_metric(&scenario, 20 * SIM_NS_PER_MIN, "bytes_sent.after_3_min"), first, 0.001);
    cache->autodisconnect_ns = 12 * SIM_NS_PER_MIN;
    assert_near(run_metric(&scenario, 20 * SIM_NS_PER_MIN, "bytes_sent.after_3_min"), 0.0, 0.0);
}

/* Before 5.6 SP1. What is kept for 10 s after a close is not kept for minutes. */
static void an_idle_server_closes_the_vdisk(void **state)
{
    (void)state;
    struct boots_scenario scenario;
    boots_scenario_init(&scenario, two_boots, 2);
    const double first = run_metric(&scenario, 20 * SIM_NS_PER_MIN, "bytes_sent.first_3_min");
    scenario.boots.pvs.idle_close_ns = 8 * SIM_NS_PER_MIN;
    /* CLOSE and CREATE, but no new session. */
    assert_near(run_metric(&scenario, 20 * SIM_NS_PER_MIN, "bytes_sent.after_3_min"), first, 5 * 100e-6);
    scenario.boots.vdisk.idle_reads_per_s = 0.1; /* now it is not idle */
    assert_between(run_metric(&scenario, 20 * SIM_NS_PER_MIN, "bytes_sent.after_3_min"), 0.0, 0.0);
}

static void the_last_target_closes_the_vdisk(void **state)
{
    (void)state;
    static const char *const off_and_on[] = {"0 s boot 1", "5 min shut down 1", "301 s boot 2",
                                             "6 min shut down 2", "10 min boot 1"};
    struct boots_scenario scenario;
    boots_scenario_init(&scenario, off_and_on, 3);
    const double first = run_metric(&scenario, 4 * SIM_NS_PER_MIN, "bytes_sent.total");
    /* A lease on the handle keeps it open for 10 s. */
    assert_near(run_metric(&scenario, 20 * SIM_NS_PER_MIN, "bytes_sent.after_3_min"), 0.0, 0.0);
    scenario.boots.schedule.count = 5;
    assert_near(run_metric(&scenario, 20 * SIM_NS_PER_MIN, "bytes_sent.after_3_min"), first, 0.001);
    /* A level 2 oplock does not: here batch, which includes handles, so keep nothing. */
    scenario.boots.schedule.count = 3;
    scenario.matrix.hosts.smb.data_cache.keep_ns = 0;
    assert_near(run_metric(&scenario, 20 * SIM_NS_PER_MIN, "bytes_sent.after_3_min"), first, 0.001);
}

/* --- Breaks on the road. --- */

static struct lease_gate *gate_of(struct world *world)
{
    /* The first file's, by way of the first host's client. */
    struct smb_client *client = host_client(&world->groups[0].hosts[0], world->stores[0]);
    return client->file_cache->files->file->leases;
}

static void the_second_open_breaks_a_batch_oplock_to_level_2(void **state)
{
    (void)state;
    static const char *const one_each[] = {"0 s boot 1", "1 min boot 2"};
    struct boots_scenario scenario;
    boots_scenario_init(&scenario, one_each, 2);
    scenario.matrix.hosts.count = 2;
    scenario.matrix.network.round_trip_ns = 2 * SIM_NS_PER_MS;
    const double by_leases = run_metric(&scenario, 5 * SIM_NS_PER_MIN, "transactions.total");
    scenario.matrix.hosts.smb.data_cache.grants = SMB_CACHES_BY_OPLOCKS;
    struct world *world = boots_run(&scenario, 30 * SIM_NS_PER_S);
    struct lease_gate *gate = gate_of(world);
    assert_int_equal(gate->leases.first->state, LEASE_BATCH);
    assert_null(gate->leases.first->next);
    world_run_until(world, 5 * SIM_NS_PER_MIN);
    assert_int_equal(gate->leases.first->state, LEASE_LEVEL_2);
    assert_int_equal(gate->leases.first->next->state, LEASE_LEVEL_2);
    assert_int_equal(gate->leases.breaks, 1);
    assert_int_equal(gate->held, 1);
    assert_int_equal(gate->leases.expired, 0);
    /* Telling and acknowledging are two requests more; nothing is fetched again. */
    assert_near(matrix_metric(world, "transactions.total"), by_leases + 2, 0);
    assert_near(matrix_metric(world, "boots.finished"), 2, 0);
    world_destroy(world);
}

/* 40 s each way: the acknowledgement comes after the server's 35 s. */
static void an_open_waits_no_longer_than_35_s(void **state)
{
    (void)state;
    static const char *const one_each[] = {"0 s boot 1", "40 min boot 2"};
    struct boots_scenario scenario;
    boots_scenario_init(&scenario, one_each, 2);
    scenario.boots.vdisk.boot_read_bytes = 1 << 20;
    scenario.matrix.hosts.count = 2;
    scenario.matrix.hosts.smb.data_cache.grants = SMB_CACHES_BY_OPLOCKS;
    scenario.matrix.network.round_trip_ns = 80 * SIM_NS_PER_S;
    struct world *world = boots_run(&scenario, 40 * SIM_NS_PER_MIN - 1);
    struct lease_gate *gate = gate_of(world);
    world_run_until(world, 48 * SIM_NS_PER_MIN);
    assert_int_equal(gate->leases.expired, 1);
    assert_int_equal(gate->leases.first->state, LEASE_NONE);
    world_destroy(world);
}

struct editor {
    struct sim_process process;
    struct smb_caller caller;
    struct store_file *file;
    int64_t waited_ns;
};

static void editor_writes(struct sim_process *self)
{
    struct editor *editor = SIM_CONTAINER_OF(self, struct editor, process);
    const int64_t from_ns = sim_now_ns(self->sim);
    smb_write(&editor->caller, editor->file, 4096);
    editor->waited_ns = sim_now_ns(self->sim) - from_ns;
}

/* Somebody writes into the vDisk from another machine at 5 min. */
static void a_write_by_another_client_drops_the_cache(void **state)
{
    (void)state;
    struct boots_scenario scenario;
    boots_scenario_init(&scenario, two_boots, 2);
    scenario.matrix.hosts.count = 2;
    static const char *const first_only[] = {"0 s boot 1", "10 min shut down 1", "601 s boot 2"};
    scenario.boots.schedule = (struct parameter_texts){first_only, 3}; /* both on the first server */
    struct world *world = boots_run(&scenario, 1);
    struct editor editor = {.file = gate_of(world)->file};
    sim_process_init(&editor.process, "editor", editor_writes);
    smb_caller_init(&editor.caller, &editor.process,
                    host_client(&world->groups[0].hosts[1], world->stores[0]), 0);
    sim_process_start_at(world->sim, &editor.process, 5 * SIM_NS_PER_MIN);
    world_run_until(world, 5 * SIM_NS_PER_MIN + SIM_NS_PER_S);
    struct smb_file *vdisk = host_client(&world->groups[0].hosts[0], world->stores[0])->file_cache->files;
    assert_int_equal(gate_of(world)->leases.breaks, 1);
    assert_int_equal(vdisk->granted, LEASE_NONE);
    assert_int_equal(vdisk->breaks, 1);
    assert_int_equal(smb_file_cached_bytes(vdisk), 0);
    assert_int_equal(editor.waited_ns, 4 * SIM_NS_PER_MS); /* nobody waits for RH */
    world_run_until(world, 20 * SIM_NS_PER_MIN);
    assert_true(matrix_metric(world, "bytes_sent.after_3_min") >
                16.0); /* read again, without a right to cache */
    world_destroy(world);
}

/* What is on its way when the right is broken, is not kept when it arrives. */
static void data_under_way_are_not_cached_after_a_break(void **state)
{
    (void)state;
    struct boots_scenario scenario;
    boots_scenario_init(&scenario, one_boot, 1);
    scenario.boots.vdisk.boot_duration_ns = 0; /* a fetch is always under way */
    scenario.matrix.hosts.count = 2;
    struct world *world = boots_run(&scenario, 1);
    struct editor editor = {.file = gate_of(world)->file};
    sim_process_init(&editor.process, "editor", editor_writes);
    smb_caller_init(&editor.caller, &editor.process,
                    host_client(&world->groups[0].hosts[1], world->stores[0]), 0);
    sim_process_start_at(world->sim, &editor.process, 501 * SIM_NS_PER_MS);
    struct smb_file *vdisk = host_client(&world->groups[0].hosts[0], world->stores[0])->file_cache->files;
    world_run_until(world, 500 * SIM_NS_PER_MS);
    assert_true(smb_file_cached_bytes(vdisk) > 0);
    world_run_until(world, 520 * SIM_NS_PER_MS);
    assert_int_equal(vdisk->breaks, 1);
    assert_int_equal(smb_file_cached_bytes(vdisk), 0);
    world_run_until(world, SIM_NS_PER_MIN);
    assert_int_equal(smb_file_cached_bytes(vdisk), 0);
    assert_near(matrix_metric(world, "boots.finished"), 1, 0);
    world_destroy(world);
}

/* The first open is told of the break before it has its answer. */
static void opens_at_one_instant_end_with_level_2(void **state)
{
    (void)state;
    static const char *const together[] = {"0 s boot 1-2"};
    struct boots_scenario scenario;
    boots_scenario_init(&scenario, together, 1);
    scenario.boots.vdisk.boot_duration_ns = 0;
    scenario.matrix.hosts.count = 2;
    scenario.matrix.hosts.smb.data_cache.grants = SMB_CACHES_BY_OPLOCKS;
    scenario.matrix.network.round_trip_ns = 50 * SIM_NS_PER_MS;
    struct world *world = boots_run(&scenario, SIM_NS_PER_MIN);
    assert_near(matrix_metric(world, "boots.finished"), 2, 0);
    assert_int_equal(gate_of(world)->leases.breaks, 1);
    assert_int_equal(gate_of(world)->leases.expired, 0);
    for (size_t i = 0; i < 2; i++) {
        const struct smb_file *vdisk =
            host_client(&world->groups[0].hosts[i], world->stores[0])->file_cache->files;
        assert_int_equal(vdisk->granted, LEASE_LEVEL_2);
        assert_int_equal(vdisk->lease.state, LEASE_LEVEL_2);
    }
    world_destroy(world);
}

/* --- Slots, and the span of a report. --- */

static void one_slot_serves_one_read_at_a_time(void **state)
{
    (void)state;
    static const char *const together[] = {"0 s boot all"};
    struct boots_scenario scenario;
    boots_scenario_init(&scenario, together, 1);
    scenario.boots.vdisk.boot_duration_ns = 0; /* always one read a target */
    scenario.boots.pvs.ports = scenario.boots.pvs.threads = 1;
    scenario.matrix.hosts.smb.data_cache.grants = SMB_CACHES_NOTHING;
    struct world *world = boots_run(&scenario, SIM_NS_PER_HOUR);
    const double reads = (matrix_metric(world, "transactions.total") - 5) / 4;
    /* Four targets in turn, each read 4 ms of the store (opening the file before). */
    assert_near(matrix_metric(world, "boot_time.max"), 4 * reads * 0.004 + 5 * 0.004, 1e-6);
    assert_near(matrix_metric(world, "boot_time.by.store"), reads * 0.004, 0.006);
    world_destroy(world);

    scenario.boots.pvs.ports = 2;
    world = boots_run(&scenario, SIM_NS_PER_HOUR);
    assert_near(matrix_metric(world, "boot_time.max"), 2 * reads * 0.004 + 5 * 0.004, 1e-6);
    world_destroy(world);
}

static void the_card_of_the_server_is_a_limit(void **state)
{
    (void)state;
    static const char *const together[] = {"0 s boot all"};
    struct boots_scenario scenario;
    boots_scenario_init(&scenario, together, 1);
    scenario.matrix.hosts.nic_bytes_per_s = 1e6;
    struct world *world = boots_run(&scenario, SIM_NS_PER_HOUR);
    assert_near(matrix_metric(world, "boots.finished"), 4, 0);
    const double wire = 4 * 16 * 1048576.0 * 34112 / 32768 / 1e6;
    assert_between(matrix_metric(world, "boot_time.max"), wire, 1.2 * wire);
    world_destroy(world);
}

static void a_boot_that_is_cut_short_is_unfinished(void **state)
{
    (void)state;
    static const char *const cut[] = {"0 s boot 1", "10 s reboot 1", "20 s shut down 1", "30 s boot 1"};
    struct boots_scenario scenario;
    boots_scenario_init(&scenario, cut, 4);
    scenario.matrix.network.round_trip_ns = 30 * SIM_NS_PER_MS; /* reads are often on their way */
    struct world *world = boots_run(&scenario, 5 * SIM_NS_PER_MIN);
    assert_near(matrix_metric(world, "boots.finished"), 1, 0);
    assert_near(matrix_metric(world, "boots.unfinished"), 2, 0);
    world_destroy(world);
    assert_near(run_metric(&scenario, 40 * SIM_NS_PER_S, "boots.unfinished"), 3, 0);
}

static void a_report_of_a_span_has_its_boots_and_minutes(void **state)
{
    (void)state;
    struct boots_scenario scenario;
    boots_scenario_init(&scenario, two_boots, 2);
    scenario.matrix.hosts.smb.data_cache.grants = SMB_CACHES_NOTHING;
    char message[128];
    struct world *world = world_create(&scenario.matrix.scenario, 1, 0, message, sizeof message);
    world_run_until(world, 5 * SIM_NS_PER_MIN);
    const double before = matrix_metric(world, "bytes_sent.total");
    world_mark(world);
    world_run_until(world, 20 * SIM_NS_PER_MIN);
    assert_near(matrix_metric(world, "boots.finished"), 1, 0);
    assert_near(matrix_metric(world, "bytes_sent.first_3_min"), 0, 0);
    assert_near(matrix_metric(world, "bytes_sent.total"), before - 500e-6, 1e-6);
    world_destroy(world);
}

static void the_first_three_minutes_end_at_180_s(void **state)
{
    (void)state;
    static const char *const at_the_end[] = {"0 s boot 1", "3 min boot 2"};
    struct boots_scenario scenario;
    boots_scenario_init(&scenario, at_the_end, 2);
    scenario.matrix.hosts.smb.data_cache.grants = SMB_CACHES_NOTHING;
    struct world *world = boots_run(&scenario, 10 * SIM_NS_PER_MIN);
    assert_near_relative(matrix_metric(world, "bytes_sent.first_3_min"), 16.777, 0.01);
    assert_near_relative(matrix_metric(world, "bytes_sent.after_3_min"), 16.777, 0.01);
    world_destroy(world);
}

static void the_same_seed_gives_the_same_run(void **state)
{
    (void)state;
    static const char *const together[] = {"0 s boot all every 100 ms"};
    struct boots_scenario scenario;
    boots_scenario_init(&scenario, together, 1);
    scenario.boots.vdisk.elsewhere = 0.1;
    const double first = run_metric(&scenario, SIM_NS_PER_HOUR, "boot_time.mean");
    assert_true(first == run_metric(&scenario, SIM_NS_PER_HOUR, "boot_time.mean"));
}

static void a_vdisk_fits_in_its_store(void **state)
{
    (void)state;
    struct boots_scenario scenario;
    boots_scenario_init(&scenario, one_boot, 1);
    struct parameter_problem problem = {0};
    scenario.boots.vdisk.size_bytes = scenario.matrix.share.size_bytes;
    assert_true(boots_fit(&scenario.matrix.scenario, &scenario.boots, &problem));
    scenario.boots.vdisk.size_bytes++;
    assert_false(boots_fit(&scenario.matrix.scenario, &scenario.boots, &problem));
    assert_string_equal(problem.parameter, "vdisk.size");
    scenario.boots.vdisk.size_bytes = 1 << 30;
    scenario.boots.other_hosts = "hosts";
    assert_false(boots_fit(&scenario.matrix.scenario, &scenario.boots, &problem));
    assert_string_equal(problem.parameter, "other_hosts");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_schedule_is_read),
        cmocka_unit_test(wrong_schedules_are_refused),
        cmocka_unit_test(a_picture_has_different_data_and_their_sum),
        cmocka_unit_test(a_course_reads_everything_once_and_nearly_in_order),
        cmocka_unit_test(a_read_takes_these_bytes_on_the_wire),
        cmocka_unit_test(without_waits_a_boot_lasts_as_said),
        cmocka_unit_test(a_server_fetches_each_block_once),
        cmocka_unit_test(two_servers_fetch_it_twice),
        cmocka_unit_test(without_a_right_to_cache_every_read_is_sent),
        cmocka_unit_test(a_cache_smaller_than_the_working_set_is_none),
        cmocka_unit_test(an_idle_session_loses_the_cache),
        cmocka_unit_test(an_idle_server_closes_the_vdisk),
        cmocka_unit_test(the_last_target_closes_the_vdisk),
        cmocka_unit_test(the_second_open_breaks_a_batch_oplock_to_level_2),
        cmocka_unit_test(an_open_waits_no_longer_than_35_s),
        cmocka_unit_test(a_write_by_another_client_drops_the_cache),
        cmocka_unit_test(data_under_way_are_not_cached_after_a_break),
        cmocka_unit_test(opens_at_one_instant_end_with_level_2),
        cmocka_unit_test(one_slot_serves_one_read_at_a_time),
        cmocka_unit_test(the_card_of_the_server_is_a_limit),
        cmocka_unit_test(a_boot_that_is_cut_short_is_unfinished),
        cmocka_unit_test(a_report_of_a_span_has_its_boots_and_minutes),
        cmocka_unit_test(the_first_three_minutes_end_at_180_s),
        cmocka_unit_test(the_same_seed_gives_the_same_run),
        cmocka_unit_test(a_vdisk_fits_in_its_store),
    };
    return RUN_TESTS(tests);
}
