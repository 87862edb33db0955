/* A scenario filled by hand, of the kind of the published matrix, for tests of the models without the
 * experiment layer. The numbers are the tests' own: round ones, so that expected values can be worked out on
 * paper. */
#ifndef VDISIM_TESTS_MATRIX_SCENARIO_H
#define VDISIM_TESTS_MATRIX_SCENARIO_H

#include "vdisim/host.h"
#include "vdisim/logons.h"
#include "vdisim/share.h"
#include "vdisim/time.h"
#include "vdisim/world.h"

#include <math.h>
#include <string.h>

#define TEST_MIB 1048576.0

struct matrix_scenario {
    struct share_settings share;
    struct host_group_settings hosts;
    struct network_settings network;
    struct logons_settings logons;
    struct store_part store_part;
    struct hosts_part hosts_part;
    struct workload_part workload_part;
    struct scenario scenario;
};

static const char *const matrix_large_patterns[] = {"OSTFolder\\*.ost"};
static const char *const matrix_exclusions[] = {"*\\Temp"};

static inline void matrix_share(struct share_settings *share)
{
    *share = (struct share_settings){
        .size_bytes = INT64_C(10240) << 30,
        .size_min_bytes = 1,
        .size_max_bytes = INT64_MAX,
        .size_step_bytes = 1,
        .base_iops = 1e6,
        .base_iops_max = 1e6,
        .ingress_bytes_per_s = 1e12,
        .egress_bytes_per_s = 1e12,
        .throughput_max_bytes_per_s = INFINITY,
        .metadata_iops = INFINITY,
        .handles_per_file = 2000,
        .limit_window_ns = SIM_NS_PER_S,
        .account_iops = INFINITY,
        .account_ingress_bytes_per_s = INFINITY,
        .account_egress_bytes_per_s = INFINITY,
        .service = {.lanes = 1000000,
                    .lane_time_ns = 0,
                    .file_egress_bytes_per_s = INFINITY,
                    .file_ingress_bytes_per_s = INFINITY,
                    .file_iops = INFINITY,
                    .known_iops = INFINITY,
                    .spike_factor = 1},
    };
    for (int i = 0; i < OPERATION_CLASS_COUNT; i++)
        share->service.latency_ns[i] = 4 * SIM_NS_PER_MS;
}

static inline void matrix_hosts(struct host_group_settings *hosts)
{
    *hosts = (struct host_group_settings){
        .count = 2,
        .nic_bytes_per_s = INFINITY,
        .disk_bytes_per_s = INFINITY,
        .disk_latency_ns = 0,
        .smb = {.credits = 8192,
                .io_size_bytes = 1 << 20,
                .copy_depth = 4,
                .receive_bytes_per_s = INFINITY,
                .send_bytes_per_s = INFINITY,
                .header_bytes = 100,
                .directory_reply_bytes = 65536,
                .directory_entry_bytes = 128,
                .file_info = {10 * SIM_NS_PER_S, 64},
                .directory = {10 * SIM_NS_PER_S, 16},
                .not_found = {5 * SIM_NS_PER_S, 128},
                .directory_cache_entry_bytes = 65536},
    };
}

static inline void matrix_logons(struct logons_settings *logons)
{
    *logons = (struct logons_settings){
        .users = 10,
        .hosts = "hosts",
        .store = "profiles",
        .arrivals = {SIM_NS_PER_HOUR, 0, ARRIVALS_EVEN, 0.5},
        .session_length_ns = SIM_NS_PER_HOUR,
        .sessions_per_user = 1,
        .profile = {.parts = {{399, 20, "AppData"}, {350, 3, "Documents"}, {150, 10, "AppData\\Local\\Temp"}},
                    .file_size_min_bytes = 85000,
                    .file_size_max_bytes = 5225000,
                    .file_size_mean_bytes = 1015000,
                    .registry_bytes = 2 << 20,
                    .registry_dirty_bytes = 65536,
                    .large_files = 1,
                    .large_file_bytes = INT64_C(4) << 30,
                    .large_file_path = "OSTFolder\\mailbox.ost",
                    .large_file_opened_at_logon = true},
        .profile_management = {.streaming = true,
                               .active_write_back = true,
                               .active_write_back_registry = true,
                               .write_back_interval_ns = 5 * SIM_NS_PER_MIN,
                               .large_file_handling = true,
                               .large_file_patterns = {matrix_large_patterns, 1},
                               .folder_redirection = true,
                               .exclusions = true,
                               .exclusion_patterns = {matrix_exclusions, 1},
                               .delete_cached_profiles = true,
                               .store_path_depth = 3,
                               .attribute_queries = 2,
                               .copy_queries = 4,
                               .local_ios_per_file = 6},
    };
}

/* No limits, 4 ms an answer, no network, no mailbox traffic, no updates; change what the test is about. */
static inline void matrix_scenario_init(struct matrix_scenario *matrix)
{
    memset(matrix, 0, sizeof *matrix);
    matrix_share(&matrix->share);
    matrix_hosts(&matrix->hosts);
    matrix_logons(&matrix->logons);
    matrix->network = (struct network_settings){0, INFINITY};
    matrix->store_part = (struct store_part){"profiles", &share_kind, &matrix->share};
    matrix->hosts_part = (struct hosts_part){"hosts", &matrix->hosts};
    matrix->workload_part = (struct workload_part){"logons", &logons_kind, &matrix->logons};
    matrix->scenario = (struct scenario){.stores = &matrix->store_part,
                                         .store_count = 1,
                                         .hosts = &matrix->hosts_part,
                                         .hosts_count = 1,
                                         .workloads = &matrix->workload_part,
                                         .workload_count = 1,
                                         .network = &matrix->network,
                                         .run = {SIM_NS_PER_HOUR, 1, 1}};
}

/* A sink that looks for one metric. */
struct metric_finder {
    struct metric_sink sink;
    const char *name;
    double value;
};

static inline void metric_finder_metric(struct metric_sink *sink, const char *name, const char *unit,
                                        double value)
{
    (void)unit;
    struct metric_finder *finder = (struct metric_finder *)sink;
    if (strcmp(name, finder->name) == 0)
        finder->value = value;
}

static inline double matrix_metric(struct world *world, const char *name)
{
    struct metric_finder finder = {{metric_finder_metric}, name, NAN};
    world_report(world, &finder.sink);
    return finder.value;
}

#endif
