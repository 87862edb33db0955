/* Who asked what of a store, minute by minute: the parts of the workloads are the whole, and each gets what it asks for
 * when it is alone, also where two share the hosts and so the connections. */
#include "models/world/world_state.h"
#include "tests/support/check.h"
#include "tests/support/matrix_scenario.h"
#include "vdisim/boots.h"

#define LENGTH_NS    (30 * SIM_NS_PER_MIN)
#define HEADER_BYTES 100

struct two_jobs {
    struct matrix_scenario matrix;
    struct boots_settings boots;
    struct workload_part parts[2]; /* logons, boots */
};

/* Answers take 4 ms whatever else is asked, so that what one job does is nothing to the other. */
static void two_jobs_init(struct two_jobs *jobs)
{
    static const char *const schedule[] = {"2 min boot 1", "12 min boot 2"};
    memset(jobs, 0, sizeof *jobs);
    matrix_scenario_init(&jobs->matrix);
    struct host_group_settings *hosts = &jobs->matrix.hosts;
    hosts->memory_bytes = INT64_MAX;
    hosts->smb.data_cache =
        (struct smb_cache_settings){SMB_CACHES_BY_LEASES, 64 << 20, 65536, INT64_MAX, 10 * SIM_NS_PER_S};
    jobs->matrix.logons.users = 10;
    jobs->matrix.logons.arrivals.window_ns = 20 * SIM_NS_PER_MIN;
    jobs->matrix.logons.session_length_ns = 5 * SIM_NS_PER_MIN;
    jobs->matrix.logons.mailbox = (struct mailbox_settings){0.5, 0.6, 4096};
    jobs->boots = (struct boots_settings){
        .hosts = "hosts",
        .store = "profiles",
        .targets = 2,
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
        .schedule = {schedule, 2},
    };
    jobs->parts[0] = jobs->matrix.workload_part;
    jobs->parts[1] = (struct workload_part){"boots", &boots_kind, &jobs->boots};
    jobs->matrix.scenario.workloads = jobs->parts;
    jobs->matrix.scenario.workload_count = 2;
}

static struct world *run(const struct scenario *scenario)
{
    char message[128] = "";
    struct world *world = world_create(scenario, 1, 0, message, sizeof message);
    assert_non_null(world);
    world_run_until(world, LENGTH_NS);
    return world;
}

static uint64_t all_transactions(const struct minute_record *minute)
{
    uint64_t sum = 0;
    for (int type = 0; type < RESPONSE_TYPE_COUNT; type++)
        sum += minute->transactions[type];
    return sum;
}

static void the_parts_are_the_whole(void **state)
{
    (void)state;
    struct two_jobs jobs;
    two_jobs_init(&jobs);
    struct world *world = run(&jobs.matrix.scenario);
    size_t count, workloads;
    const struct minute_record *minutes = world_minutes(world, 0, &count);
    const struct workload_minute *parts = world_workload_minutes(world, 0, &workloads);
    assert_int_equal(count, 30);
    assert_int_equal(workloads, 2);
    for (size_t i = 0; i < count; i++) {
        const struct workload_minute *logons = &parts[2 * i], *boots = &parts[2 * i + 1];
        assert_int_equal(logons->transactions + boots->transactions, all_transactions(&minutes[i]));
        assert_int_equal(logons->ingress_bytes + boots->ingress_bytes, minutes[i].ingress_bytes);
        assert_int_equal(logons->egress_bytes + boots->egress_bytes, minutes[i].egress_bytes);
        /* Of nanoseconds added as milliseconds in doubles. */
        check_near_((double)(logons->e2e_ns + boots->e2e_ns) * 1e-6, minutes[i].e2e_latency_sum_ms,
                    1e-9 * minutes[i].e2e_latency_sum_ms, "e2e", __FILE__, __LINE__);
        if (i < 2)
            assert_int_equal(boots->transactions, 0); /* the first target is switched on after two minutes */
    }
    world_destroy(world);
}

static struct workload_minute sum_of(struct world *world, size_t workload)
{
    struct workload_minute sum = {0};
    size_t count, workloads;
    world_minutes(world, 0, &count);
    const struct workload_minute *parts = world_workload_minutes(world, 0, &workloads);
    for (size_t i = 0; i < count; i++) {
        sum.transactions += parts[i * workloads + workload].transactions;
        sum.ingress_bytes += parts[i * workloads + workload].ingress_bytes;
        sum.egress_bytes += parts[i * workloads + workload].egress_bytes;
    }
    return sum;
}

/* But for the session with the server (NEGOTIATE, twice SESSION_SETUP, TREE_CONNECT), which a cached file takes over where
 * there is one on its host: 2 hosts. */
static void assert_as_alone(struct two_jobs *jobs, size_t workload)
{
    struct world *together = run(&jobs->matrix.scenario);
    const struct workload_minute part = sum_of(together, workload);
    world_destroy(together);
    struct scenario scenario = jobs->matrix.scenario;
    scenario.workloads = &jobs->parts[workload];
    scenario.workload_count = 1;
    struct world *alone = run(&scenario);
    size_t count, workloads;
    const struct minute_record *minutes = world_minutes(alone, 0, &count);
    assert_null(world_workload_minutes(alone, 0, &workloads));
    assert_int_equal(workloads, 0);
    uint64_t transactions = 0;
    int64_t ingress_bytes = 0, egress_bytes = 0;
    for (size_t i = 0; i < count; i++) {
        transactions += all_transactions(&minutes[i]);
        ingress_bytes += minutes[i].ingress_bytes;
        egress_bytes += minutes[i].egress_bytes;
    }
    world_destroy(alone);
    assert_true(part.transactions > 100);
    assert_true(part.transactions <= transactions && part.transactions + 2 * 4 >= transactions);
    assert_int_equal(ingress_bytes - part.ingress_bytes,
                     (int64_t)(transactions - part.transactions) * HEADER_BYTES);
    assert_int_equal(egress_bytes - part.egress_bytes,
                     (int64_t)(transactions - part.transactions) * HEADER_BYTES);
}

static void each_gets_what_it_asks_for_alone(void **state)
{
    (void)state;
    struct two_jobs jobs;
    two_jobs_init(&jobs);
    assert_as_alone(&jobs, 0);
    assert_as_alone(&jobs, 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_parts_are_the_whole),
        cmocka_unit_test(each_gets_what_it_asks_for_alone),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
