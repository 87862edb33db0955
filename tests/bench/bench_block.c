/* What block-level traffic costs: a request through the guest's disk to a flash volume, alone and as RAID 5 of four with
 * its four operations a small write, and to hard disks with their elevator. */
#include "models/world/world_state.h"
#include "tests/bench/bench.h"
#include "vdisim/block.h"
#include "vdisim/guest_disk.h"
#include "vdisim/raid.h"
#include "vdisim/random.h"
#include "vdisim/time.h"

#include <stddef.h>

#define REQUESTS 1000000
#define GUESTS   30

struct guest {
    struct guest_disk disk;
    struct sim_random choices;
    uint64_t *left;
};

static void answered(struct request *request);

static void send_next(struct guest *guest)
{
    const bool writes = sim_random_chance(&guest->choices, 0.8);
    guest_disk_send(&guest->disk, writes ? OPERATION_WRITE : OPERATION_READ,
                    (uint32_t)sim_random_below(&guest->choices, guest->disk.pages), 4096, answered, guest);
}

static void answered(struct request *request)
{
    struct guest *guest = request->owner;
    guest_disk_free(request);
    if (*guest->left > 0) {
        --*guest->left;
        send_next(guest);
    }
}

/* 30 guests keep 32 requests outstanding each: about a thousand in flight. */
static double cost(enum raid_level level, int64_t members, enum disk_medium medium, uint64_t requests)
{
    static struct guest guests[GUESTS];
    const struct guest_disk_settings view = {
        .queue_depth = 64, .submit_cost_ns = 3000, .interrupt_cost_ns = 20000, .coalesced = 8};
    const struct block_settings settings = {.level = (int)level,
                                            .members = members,
                                            .stripe_unit_bytes = 65536,
                                            .disk = {.medium = (int)medium,
                                                     .capacity_bytes = INT64_C(500000000000),
                                                     .seek_min_ns = 800000,
                                                     .seek_mean_ns = 8500000,
                                                     .rotation_ns = 8333333,
                                                     .outer_bytes_per_s = 175e6,
                                                     .inner_bytes_per_s = 83e6,
                                                     .queue_depth = 32,
                                                     .order = DISK_ELEVATOR,
                                                     .channels = 23,
                                                     .read_time_ns = 70000,
                                                     .write_time_ns = 70000,
                                                     .time_spread = 0.2,
                                                     .read_bytes_per_s = 3.2e9,
                                                     .write_bytes_per_s = 1.8e9},
                                            .controller = {.memory_bytes = 1, .destage_depth = 1},
                                            .link = {.bytes_per_s = 1.0 / 0.0}};
    struct world world = {.sim = sim_create(), .seed = 1};
    struct store *store = block_kind.create(&world, "volume", &settings);
    if (store == NULL)
        return -1;
    uint64_t left = requests;
    for (uint32_t i = 0; i < GUESTS; i++) {
        guests[i].left = &left;
        guest_disk_init(&guests[i].disk, world.sim, &view, store, 0);
        sim_random_init_named(&guests[i].choices, 1, 0, "guest %u", i);
        for (int j = 0; j < 32; j++)
            send_next(&guests[i]);
    }
    const double start_ns = bench_cpu_ns();
    sim_run_until(world.sim, SIM_NEVER_NS);
    const double cost_ns = (bench_cpu_ns() - start_ns) / (double)requests;
    for (int i = 0; i < GUESTS; i++)
        guest_disk_release(&guests[i].disk);
    store->operations->destroy(store);
    sim_destroy(world.sim);
    return cost_ns;
}

static double flash_request(void)
{
    return cost(RAID_NONE, 1, DISK_FLASH, REQUESTS);
}

static double raid5_request(void)
{
    return cost(RAID_5, 4, DISK_FLASH, REQUESTS);
}

static double hard_disk_request(void)
{
    return cost(RAID_0, 30, DISK_HDD, REQUESTS / 4);
}

const struct bench bench_block[] = {
    {"block.request", "ns", flash_request, "hold.1e3", 5, 0},
    {"block.raid5.request", "ns", raid5_request, "hold.1e3", 0, 0},
    {"block.hdd.request", "ns", hard_disk_request, "hold.1e3", 0, 0},
    {0},
};
