/* A PVS server by itself, and the files of its SMB client: which reads hold a slot how long, what closing a file drops. */
#include "models/provisioning/pvs_server.h"
#include "models/smb/smb_client.h"
#include "models/world/world_state.h"
#include "tests/support/check.h"
#include "tests/support/matrix_scenario.h"
#include "vdisim/smb_file.h"

/* A client that caches blocks of 64 KiB by leases and keeps no closed file, 4 ms an answer, a card on which 34112 bytes, 32
 * KiB in 24 packets, take 10 ms. */
static struct world *world_of_one_server(struct matrix_scenario *matrix)
{
    matrix_scenario_init(matrix);
    matrix->hosts.count = 1;
    matrix->hosts.memory_bytes = INT64_MAX;
    matrix->hosts.nic_bytes_per_s = 3411200.0;
    matrix->hosts.smb.data_cache =
        (struct smb_cache_settings){SMB_CACHES_BY_LEASES, 64 << 20, 65536, INT64_MAX, 0};
    matrix->scenario.workload_count = 0;
    char message[128];
    struct world *world = world_create(&matrix->scenario, 1, 0, message, sizeof message);
    assert_non_null(world);
    return world;
}

struct timed_read {
    struct pvs_read read;
    unsigned sent;
};

static void note_sent(struct pvs_read *read)
{
    SIM_CONTAINER_OF(read, struct timed_read, read)->sent++;
}

static void read_vdisk(struct pvs_server *server, struct timed_read *timed)
{
    *timed = (struct timed_read){.read = {.read = {.bytes = 32768}, .sent = note_sent}};
    pvs_server_read(server, &timed->read);
}

/* A slot is held until the last packet has left, and no longer: five reads of what is in RAM, two slots, 10 ms each on the
 * card. */
static void a_slot_is_held_until_the_last_packet_has_left(void **state)
{
    (void)state;
    struct matrix_scenario matrix;
    struct world *world = world_of_one_server(&matrix);
    struct host *host = &world->groups[0].hosts[0];
    const struct pvs_settings settings = {.ports = 1,
                                          .threads = 2,
                                          .packet_payload_bytes = 1408,
                                          .packet_header_bytes = 56,
                                          .idle_close_ns = INT64_MAX};
    const struct vdisk_settings vdisk = {.size_bytes = 1 << 30};
    struct store_file file = {0};
    struct pvs_server server;
    assert_true(
        pvs_server_init(&server, host, &settings, host_client(host, world->stores[0]), 0, &file, &vdisk));
    pvs_server_connect(&server);
    struct timed_read first, reads[5];
    read_vdisk(&server, &first);
    world_run_until(world, SIM_NS_PER_S);
    assert_int_equal(first.sent, 1);
    assert_true(first.read.missed);
    for (int i = 0; i < 5; i++)
        read_vdisk(&server, &reads[i]);
    world_run_until(world, 2 * SIM_NS_PER_S);
    for (int i = 0; i < 5; i++) {
        assert_int_equal(reads[i].sent, 1);
        assert_false(reads[i].read.missed);
        assert_int_equal(reads[i].read.started_ns, SIM_NS_PER_S + (i < 2 ? 0 : i - 1) * 10 * SIM_NS_PER_MS);
        assert_int_equal(reads[i].read.sent_ns, SIM_NS_PER_S + (i + 1) * 10 * SIM_NS_PER_MS);
    }
    world_destroy(world);
    pvs_server_release(&server);
}

static void ignore_read(struct smb_read *read)
{
    (void)read;
}

static void closing_a_file_drops_its_blocks_alone(void **state)
{
    (void)state;
    struct matrix_scenario matrix;
    struct world *world = world_of_one_server(&matrix);
    struct smb_client *client = host_client(&world->groups[0].hosts[0], world->stores[0]);
    struct store_file files[2] = {{0}};
    struct smb_file opened[2];
    struct smb_read reads[2];
    for (int i = 0; i < 2; i++) {
        assert_true(smb_file_init(&opened[i], client, 0, &files[i], 1 << 20, 0));
        reads[i] = (struct smb_read){.file = &opened[i], .bytes = (i + 1) * 65536, .done = ignore_read};
        assert_false(smb_file_read(&reads[i]));
    }
    world_run_until(world, SIM_NS_PER_S);
    assert_int_equal(smb_file_cached_bytes(&opened[0]), 3 * 65536);
    smb_file_close(&opened[0]);
    assert_int_equal(smb_file_cached_bytes(&opened[0]), 2 * 65536);
    assert_true(smb_file_read(&reads[1])); /* still there */
    assert_false(smb_file_read(&reads[0]));
    world_run_until(world, 2 * SIM_NS_PER_S);
    assert_int_equal(smb_file_cached_bytes(&opened[0]), 3 * 65536);
    world_destroy(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_slot_is_held_until_the_last_packet_has_left),
        cmocka_unit_test(closing_a_file_drops_its_blocks_alone),
    };
    return RUN_TESTS(tests);
}
