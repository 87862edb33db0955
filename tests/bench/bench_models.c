/* What the models cost: one request of the published matrix, the memory of a session, one cell of the matrix. */
#include "models/world/world_state.h"
#include "tests/bench/bench.h"
#include "tests/support/matrix_scenario.h"
#include "vdisim/smb.h"

#include <pthread.h>
#include <stddef.h>
#include <stdio.h>
#include <unistd.h>

/* The premium share of the matrix with all its limits and its latency law. */
static void premium(struct matrix_scenario *matrix)
{
    struct share_settings *share = &matrix->share;
    share->base_iops = 400;
    share->base_iops_per_gib = 1;
    share->base_iops_max = 100000;
    share->burst = BURST_OVER_BASELINE;
    share->burst_iops_floor = 4000;
    share->burst_iops_per_gib = 3;
    share->burst_iops_max = 100000;
    share->burst_time_ns = SIM_NS_PER_HOUR;
    share->initial_credits = 1;
    share->ingress_bytes_per_s = 450 * TEST_MIB;
    share->egress_bytes_per_s = 675 * TEST_MIB;
    share->metadata_iops = 12000;
    share->account_iops = 100000;
    share->service.latency_cv = 0.5;
    share->service.lanes = 64;
    share->service.lane_time_ns = 100000;
    share->service.file_egress_bytes_per_s = 300 * TEST_MIB;
    share->service.file_ingress_bytes_per_s = 200 * TEST_MIB;
    share->service.file_iops = 8000;
    share->service.file_window_ns = SIM_NS_PER_S;
    for (int i = 0; i < OPERATION_CLASS_COUNT; i++)
        share->service.latency_ns[i] = 3900000;
    struct host_group_settings *hosts = &matrix->hosts;
    hosts->count = 30;
    hosts->nic_bytes_per_s = 12.5e9 / 8;
    hosts->smb.read_cost_ns = 50000;
    hosts->smb.write_cost_ns = 66700;
    hosts->smb.receive_bytes_per_s = 1.1 * 1024 * TEST_MIB;
    hosts->smb.send_bytes_per_s = 370 * TEST_MIB;
    matrix->network.round_trip_ns = 120000;
    matrix->logons.updates = (struct update_settings){20000.0 / 3600.0, 0.875, 1.0};
    matrix->logons.mailbox = (struct mailbox_settings){5.0, 0.6, 4096};
}

/* --- One request: clients that send the next one when the last is answered, 30 hosts. --- */

#define OUTSTANDING 1000
#define REQUESTS    1000000

struct looper {
    struct smb_client *client;
    struct store_file file;
    uint64_t *left;
};

static void looper_answered(struct request *request);

static void looper_again(struct looper *looper)
{
    smb_send(looper->client, 0, OPERATION_READ, &looper->file, 0, 4096, looper_answered, looper);
}

static void looper_answered(struct request *request)
{
    struct looper *looper = request->owner;
    smb_request_free(request->carrier, request);
    if (*looper->left > 0) {
        --*looper->left;
        looper_again(looper);
    }
}

static double request_cost(void)
{
    static struct looper loopers[OUTSTANDING];
    struct matrix_scenario matrix;
    matrix_scenario_init(&matrix);
    premium(&matrix);
    /* Without queues at the limits, of which the matrix has none: a thousand clients without a pause ask for
     * 240,000 requests a second. */
    matrix.share.base_iops = matrix.share.base_iops_max = 1e6;
    matrix.share.burst_iops_floor = matrix.share.burst_iops_max = 2e6;
    matrix.share.egress_bytes_per_s = matrix.share.ingress_bytes_per_s = 1e12;
    matrix.share.account_iops = 1e7;
    matrix.share.service.lane_time_ns = 100;
    matrix.hosts.smb.read_cost_ns = 1000;
    matrix.share.service.file_iops = 1e6;
    matrix.scenario.workload_count = 0;
    char message[128];
    struct world *world = world_create(&matrix.scenario, 1, 0, message, sizeof message);
    if (world == NULL)
        return -1;
    uint64_t left = REQUESTS;
    for (int i = 0; i < OUTSTANDING; i++) {
        loopers[i] = (struct looper){.client = host_client(&world->groups[0].hosts[i % 30], world->stores[0]),
                                     .left = &left};
        looper_again(&loopers[i]);
    }
    const double start_ns = bench_cpu_ns();
    world_run_until(world, SIM_NEVER_NS);
    const double cost_ns = (bench_cpu_ns() - start_ns) / REQUESTS;
    world_destroy(world);
    return cost_ns;
}

/* --- Memory of concurrent sessions. --- */

static double resident_bytes(void)
{
    FILE *file = fopen("/proc/self/statm", "r");
    if (file == NULL)
        return -1;
    long total = 0, resident = 0;
    const int read = fscanf(file, "%ld %ld", &total, &resident);
    fclose(file);
    return read == 2 ? (double)resident * (double)sysconf(_SC_PAGESIZE) : -1;
}

/* 100,000 users log on within a minute to a store that answers at once; all are in their sessions at its end. */
static double session_bytes(void)
{
    struct matrix_scenario matrix;
    matrix_scenario_init(&matrix);
    matrix.logons.users = 100000;
    matrix.logons.arrivals.window_ns = SIM_NS_PER_MIN;
    matrix.logons.updates = (struct update_settings){100000 * 20.0 / 3600.0, 0.875, 1.0};
    matrix.logons.profile_management.streaming_folders = true; /* the load itself is not what is measured */
    matrix.hosts.count = 3000;
    for (int i = 0; i < OPERATION_CLASS_COUNT; i++)
        matrix.share.service.latency_ns[i] = 1000;
    const double before = resident_bytes();
    char message[128];
    struct world *world = world_create(&matrix.scenario, 1, 0, message, sizeof message);
    if (world == NULL)
        return -1;
    world_run_until(world, SIM_NS_PER_MIN + 10 * SIM_NS_PER_S);
    const double bytes = resident_bytes() - before;
    const size_t live = world_account(world).live_processes;
    world_destroy(world);
    return live < 100000 ? -1 : bytes / 100000.0;
}

/* --- One cell of the matrix, an hour of 1,000 users. --- */

static double matrix_cell(void)
{
    struct matrix_scenario matrix;
    matrix_scenario_init(&matrix);
    premium(&matrix);
    matrix.logons.users = 1000;
    char message[128];
    struct world *world = world_create(&matrix.scenario, 1, 0, message, sizeof message);
    if (world == NULL)
        return -1;
    const double start_ns = bench_cpu_ns();
    world_run_until(world, SIM_NS_PER_HOUR);
    const double cost_ns = (bench_cpu_ns() - start_ns) / (double)world->stores[0]->meter.settled;
    world_destroy(world);
    return cost_ns;
}

/* --- Replications on one and on two threads, by the clock on the wall. --- */

#define REPLICATIONS 4

static void *replicate(void *first)
{
    const uint64_t step = 2;
    for (uint64_t replication = *(uint64_t *)first; replication < REPLICATIONS; replication += step) {
        struct matrix_scenario matrix;
        matrix_scenario_init(&matrix);
        premium(&matrix);
        matrix.logons.users = 200;
        char message[128];
        struct world *world = world_create(&matrix.scenario, 1, replication, message, sizeof message);
        if (world == NULL)
            return first;
        world_run_until(world, SIM_NS_PER_HOUR);
        world_destroy(world);
    }
    return NULL;
}

static double wall_ns(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec * 1e9 + (double)now.tv_nsec;
}

static double replications_on_one_thread(void)
{
    uint64_t even = 0, odd = 1;
    const double start_ns = wall_ns();
    if (replicate(&even) != NULL || replicate(&odd) != NULL)
        return -1;
    return (wall_ns() - start_ns) / 1e6;
}

static double replications_on_two_threads(void)
{
    uint64_t even = 0, odd = 1;
    pthread_t other;
    void *failed = NULL;
    const double start_ns = wall_ns();
    if (pthread_create(&other, NULL, replicate, &odd) != 0)
        return -1;
    const bool fine = replicate(&even) == NULL;
    pthread_join(other, &failed);
    return fine && failed == NULL ? (wall_ns() - start_ns) / 1e6 : -1;
}

const struct bench bench_models[] = {
    {"request", "ns", request_cost, "hold.1e3", 4, 0},
    {"matrix.request", "ns", matrix_cell, "hold.1e3", 0, 3},
    {"replications.one_thread", "ms", replications_on_one_thread, NULL, 0, 0},
    {"replications.two_threads", "ms", replications_on_two_threads, "replications.one_thread", 1 / 1.9, 0},
    {"session.bytes", "bytes", session_bytes, NULL, 21474.8, 1}, /* 2 GiB for 100,000 */
    {0},
};
