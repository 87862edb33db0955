/* A load generator on a share, put together from structs, and everything that is measured of it. The program vdisim fills
 * the same structs from an experiment file and a catalogue. */
#include <vdisim/generator.h>
#include <vdisim/host.h>
#include <vdisim/share.h>
#include <vdisim/time.h>
#include <vdisim/world.h>

#include <math.h>
#include <stdio.h>

static void print_metric(struct metric_sink *sink, const char *name, const char *unit, double value)
{
    (void)sink;
    if (!isnan(value))
        printf("  %-22s %12.2f %s\n", name, value, unit);
}

int main(void)
{
    /* 5 TiB by the rules of December 2021: 8,120 IOPS without bursting, 613 MiB/s both ways together. */
    struct share_settings share = {
        .size_bytes = INT64_C(5) << 40,
        .size_min_bytes = INT64_C(100) << 30,
        .size_max_bytes = INT64_C(100) << 40,
        .size_step_bytes = INT64_C(1) << 30,
        .base_iops = 3000,
        .base_iops_per_gib = 1,
        .base_iops_max = 100000,
        .pooled_throughput = true,
        .ingress_bytes_per_s = 50 * 1048576.0,
        .ingress_per_gib_bytes_per_s = 0.04 * 1048576.0,
        .egress_bytes_per_s = 50 * 1048576.0,
        .egress_per_gib_bytes_per_s = 0.06 * 1048576.0,
        .throughput_max_bytes_per_s = INFINITY,
        .metadata_iops = 12000,
        .handles_per_file = 2000,
        .limit_window_ns = SIM_NS_PER_S,
        .account_iops = INFINITY,
        .account_ingress_bytes_per_s = INFINITY,
        .account_egress_bytes_per_s = INFINITY,
        .service = {.lanes = 100,
                    .lane_time_ns = SIM_NS_PER_MS,
                    .latency_cv = 0.3,
                    .file_egress_bytes_per_s = 300 * 1048576.0,
                    .file_ingress_bytes_per_s = 200 * 1048576.0,
                    .file_iops = 8000,
                    .known_iops = INFINITY,
                    .spike_factor = 1},
    };
    for (int i = 0; i < OPERATION_CLASS_COUNT; i++)
        share.service.latency_ns[i] = 3 * SIM_NS_PER_MS;

    const struct host_group_settings nodes = {
        .count = 4,
        .nic_bytes_per_s = 12.5e9 / 8,
        .disk_bytes_per_s = INFINITY,
        .memory_bytes = INT64_MAX,
        .smb = {.credits = 8192,
                .io_size_bytes = 1 << 20,
                .receive_bytes_per_s = INFINITY,
                .send_bytes_per_s = INFINITY,
                .header_bytes = 100},
    };
    const struct network_settings network = {.round_trip_ns = SIM_NS_PER_MS, .bytes_per_s = INFINITY};
    const struct generator_settings load = {
        .hosts = "nodes",
        .store = "data",
        .pattern = {.block_bytes = 64 << 10, .read_share = 0.8, .random_share = 1},
        .threads = 2,
        .outstanding = 8,
        .client_bytes_per_s = INFINITY,
        .files = 4,
        .file_bytes = INT64_C(1) << 30,
        .duration_ns = INT64_MAX,
    };

    const struct store_part store = {"data", &share_kind, &share};
    const struct hosts_part hosts = {"nodes", &nodes};
    const struct workload_part workload = {"load", &generator_kind, &load};
    const struct scenario scenario = {.stores = &store,
                                      .store_count = 1,
                                      .hosts = &hosts,
                                      .hosts_count = 1,
                                      .workloads = &workload,
                                      .workload_count = 1,
                                      .network = &network,
                                      .run = {.length_ns = 5 * SIM_NS_PER_MIN, .replications = 1, .seed = 1}};
    char message[256] = "";
    struct world *world = world_create(&scenario, 1, 0, message, sizeof message);
    if (world == NULL) {
        fprintf(stderr, "%s\n", message);
        return 1;
    }
    world_run_until(world, SIM_NS_PER_MIN); /* warm-up: what follows is measured */
    world_mark(world);
    world_run_until(world, scenario.run.length_ns);
    puts("four nodes, 64 KiB, 80 % reads, on 5 TiB:");
    struct metric_sink sink = {print_metric};
    world_report(world, &sink);
    world_destroy(world);
    return 0;
}
