/* A share driven request by request: its door against the exact outcomes of buckets, its service against
 * queueing theory, its handles, its counts. */
#include "models/world/world_state.h"
#include "tests/support/check.h"
#include "tests/support/matrix_scenario.h"
#include "vdisim/door.h"
#include "vdisim/random.h"
#include "vdisim/service.h"
#include "vdisim/store.h"

/* --- The door, with arrivals given by hand. --- */

static struct request read_of(int64_t bytes)
{
    return (struct request){.operation = OPERATION_READ, .egress_bytes = bytes, .limit = CAUSE_CLIENT};
}

/* A share of 1 TiB under rules C by a thousandth: base 4.024, burst 10, credits 21,513.6; 12 requests a
 * second for 30 min, then 1 a second. Worked example: credits 10,756.8 and a backlog of 3,600 at 30 min,
 * cleared at 2,200 s, full again at 6,547.6 s. What is discrete in it (a request, the window of a second at
 * the burst limit) allows 0.1 %. */
static void burst_credits_follow_the_worked_example(void **state)
{
    (void)state;
    struct sim_bucket burst, credits;
    sim_bucket_init(&burst, 0, 10.0, 10.0);
    sim_bucket_init(&credits, 0, 4.024, 21513.6);
    struct door door;
    door_init(&door);
    door_add(&door, &burst, DOOR_REQUESTS, CAUSE_IOPS_LIMIT, RESPONSE_SHARE_IOPS_THROTTLING, false);
    door.credits = &credits;
    const int storm = 12 * 1800;
    double at_storm_end = NAN, lowest = INFINITY, lowest_s = NAN, full_s = NAN;
    for (int i = 0; i < storm + 6000; i++) {
        struct request request = read_of(0);
        const double arrival_s = i < storm ? i / 12.0 : 1800.0 + (i - storm);
        const int64_t admitted_ns = door_admit(&door, &request, sim_ns_from_s(arrival_s));
        assert_int_equal(door_spend_credit(&door, &request, admitted_ns), admitted_ns);
        const double admitted_s = sim_s_from_ns(admitted_ns), level = sim_bucket_level(&credits, admitted_ns);
        if (isnan(at_storm_end) && admitted_s >= 1800.0)
            at_storm_end = level;
        if (level < lowest) {
            lowest = level;
            lowest_s = admitted_s;
        }
        if (isnan(full_s) && admitted_s > 2300.0 && level >= 21513.6 - 1.0)
            full_s = admitted_s;
    }
    assert_near_relative(at_storm_end, 10756.8, 0.001);
    assert_near_relative(lowest_s, 2200.0, 0.001);
    assert_near_relative(lowest, 10756.8 - 400.0 * 5.976, 0.001);
    assert_near_relative(full_s, 6547.6, 0.001);
}

static void credits_do_not_accrue_while_another_limit_throttles(void **state)
{
    (void)state;
    for (int throttled = 0; throttled < 2; throttled++) {
        struct sim_bucket credits, egress;
        sim_bucket_init(&credits, 0, 100.0, 10000.0);
        sim_bucket_set_level(&credits, 0, 5000.0);
        sim_bucket_init(&egress, 0, throttled ? 1000.0 : 1e9, throttled ? 1000.0 : 1e9);
        struct door door;
        door_init(&door);
        door_add(&door, &egress, DOOR_EGRESS, CAUSE_EGRESS_LIMIT, RESPONSE_SHARE_EGRESS_THROTTLING, false);
        door.credits = &credits;
        for (int i = 0; i < 100;
             i++) { /* ten a second of 200 bytes: twice the egress of the one, nothing of the other */
            struct request request = read_of(200);
            const int64_t now_ns = sim_ns_from_s(i / 10.0);
            door_admit(&door, &request, now_ns);
            door_spend_credit(&door, &request, now_ns);
        }
        const double level = sim_bucket_level(&credits, sim_ns_from_s(9.9));
        if (throttled)
            assert_true(level <
                        5000.0 + 100.0); /* the first half second, before the egress window is used up */
        else
            assert_near(level, 5000.0 + 9.9 * 100.0 - 100.0, 1.1);
    }
}

/* The pause ends a second after the last throttling although nobody asks for anything then. */
static void credits_accrue_while_idle_after_throttling(void **state)
{
    (void)state;
    struct sim_bucket credits, egress;
    sim_bucket_init(&credits, 0, 100.0, 100000.0);
    sim_bucket_set_level(&credits, 0, 5000.0);
    sim_bucket_init(&egress, 0, 1000.0, 1000.0);
    struct door door;
    door_init(&door);
    door_add(&door, &egress, DOOR_EGRESS, CAUSE_EGRESS_LIMIT, RESPONSE_SHARE_EGRESS_THROTTLING, false);
    door.credits = &credits;
    for (int i = 0; i < 10; i++) {
        struct request request = read_of(1000);
        door_admit(&door, &request, 0);
        door_spend_credit(&door, &request, 0);
    }
    assert_near(door_credits(&door, SIM_NS_PER_S), 4990.0 + 10.0 * 0.0, 10.1);
    assert_near(door_credits(&door, 101 * SIM_NS_PER_S), 4990.0 + 100.0 * 100.0, 10.1);
}

static void the_limit_that_binds_is_named(void **state)
{
    (void)state;
    static const struct {
        enum operation operation;
        int64_t ingress, egress;
        enum response_type response;
    } cases[] = {
        {OPERATION_CREATE, 100, 100, RESPONSE_METADATA_THROTTLING},
        {OPERATION_READ, 100, 100000, RESPONSE_SHARE_EGRESS_THROTTLING},
        {OPERATION_WRITE, 100000, 100, RESPONSE_SHARE_INGRESS_THROTTLING},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct sim_bucket metadata, egress, ingress;
        sim_bucket_init(&metadata, 0, 10.0, 10.0);
        sim_bucket_init(&egress, 0, 10000.0, 10000.0);
        sim_bucket_init(&ingress, 0, 10000.0, 10000.0);
        struct door door;
        door_init(&door);
        door_add(&door, &metadata, DOOR_METADATA, CAUSE_METADATA_LIMIT, RESPONSE_METADATA_THROTTLING, false);
        door_add(&door, &egress, DOOR_EGRESS, CAUSE_EGRESS_LIMIT, RESPONSE_SHARE_EGRESS_THROTTLING, false);
        door_add(&door, &ingress, DOOR_INGRESS, CAUSE_INGRESS_LIMIT, RESPONSE_SHARE_INGRESS_THROTTLING,
                 false);
        struct request request = {0};
        for (int n = 0; n < 20; n++) {
            request = (struct request){.operation = cases[i].operation,
                                       .ingress_bytes = cases[i].ingress,
                                       .egress_bytes = cases[i].egress};
            door_admit(&door, &request, 0);
        }
        assert_int_equal(request.response, cases[i].response);
    }
}

/* --- A whole share, in a run without users. --- */

struct probe {
    struct matrix_scenario matrix;
    struct world *world;
    struct request requests[8];
    int answered;
};

static void probe_done(struct sim *sim, struct sim_event *event)
{
    struct request *request = SIM_CONTAINER_OF(event, struct request, event);
    request->done_ns = sim_now_ns(sim);
    store_settle(request);
}

static void probe_leave(struct request *request)
{
    sim_event_init(&request->event, probe_done, 1);
    sim_schedule_at(request->store->sim, &request->event, request->served_ns);
}

static void probe_start(struct probe *probe)
{
    matrix_scenario_init(&probe->matrix);
    probe->matrix.scenario.workload_count = 0;
}

static struct store *probe_world(struct probe *probe)
{
    char message[128];
    probe->world = world_create(&probe->matrix.scenario, 1, 0, message, sizeof message);
    assert_non_null(probe->world);
    return probe->world->stores[0];
}

static void submit(struct store *store, struct request *request, enum operation operation,
                   struct store_file *file)
{
    *request = (struct request){.operation = operation, .store = store, .file = file, .leave = probe_leave};
    request->issued_ns = request->granted_ns = request->sent_ns = request->arrived_ns =
        sim_now_ns(store->sim);
    store_submit(store, request);
}

static void one_handle_too_many_fails(void **state)
{
    (void)state;
    struct probe probe;
    probe_start(&probe);
    probe.matrix.share.handles_per_file = 2;
    struct store *store = probe_world(&probe);
    struct store_file file = {0};
    for (int i = 0; i < 3; i++)
        submit(store, &probe.requests[i], OPERATION_CREATE, &file);
    assert_int_equal(probe.requests[1].status, REQUEST_OK);
    assert_int_equal(probe.requests[2].status, REQUEST_OUT_OF_HANDLES);
    assert_int_equal(probe.requests[2].response, RESPONSE_CLIENT_ERROR);
    submit(store, &probe.requests[3], OPERATION_CLOSE, &file);
    submit(store, &probe.requests[4], OPERATION_CREATE, &file);
    assert_int_equal(probe.requests[4].status, REQUEST_OK);
    assert_int_equal(file.handles, 2);
    world_run_until(probe.world, SIM_NS_PER_S);
    assert_near(matrix_metric(probe.world, "failed.total"), 1.0, 0.0);
    assert_near(matrix_metric(probe.world, "throttled.fraction"), 0.0, 0.0);
    world_destroy(probe.world);
}

/* Two reads of 60 MiB from one file that sends 60 MiB/s: the second follows the first. */
static void a_file_sends_no_faster_than_its_limit(void **state)
{
    (void)state;
    struct probe probe;
    probe_start(&probe);
    probe.matrix.share.service.file_egress_bytes_per_s = 60 * TEST_MIB;
    struct store *store = probe_world(&probe);
    struct store_file file = {0};
    for (int i = 0; i < 2; i++) {
        struct request *request = &probe.requests[i];
        *request = (struct request){
            .operation = OPERATION_READ, .store = store, .file = &file, .leave = probe_leave};
        request->egress_bytes = (int64_t)(60 * TEST_MIB);
        store_submit(store, request);
    }
    world_run_until(probe.world, 3 * SIM_NS_PER_S);
    assert_near(sim_s_from_ns(probe.requests[0].served_ns), 1.004, 1e-6);
    assert_near(sim_s_from_ns(probe.requests[1].served_ns), 2.004, 1e-6);
    assert_int_equal(probe.requests[0].response, RESPONSE_SUCCESS);
    assert_int_equal(probe.requests[1].response, RESPONSE_THROTTLING);
    assert_int_equal(probe.requests[1].limit, CAUSE_EGRESS_LIMIT);
    world_destroy(probe.world);
}

/* --- The service: mean latency under Poisson load against latency + s / (1 - L s / n), M/M/1 in each lane.
 * --- */

static void latency_rises_with_load_as_theory_says(void **state)
{
    (void)state;
    const struct service_settings settings = {
        .latency_ns = {4000000, 4000000, 4000000, 4000000, 4000000, 4000000},
        .latency_cv = 0.5,
        .lanes = 33,
        .lane_time_ns = 3000000,
        .file_egress_bytes_per_s = INFINITY,
        .file_ingress_bytes_per_s = INFINITY,
        .file_iops = INFINITY,
        .known_iops = INFINITY,
        .spike_factor = 1};
    const double loads[] = {100, 2000, 5400, 8000};
    const double expected_ms[] = {7.027, 7.667, 9.893, 15.0};
    for (size_t i = 0; i < 4; i++) {
        assert_near_relative(service_mean_latency_ns(&settings, CLASS_READ, loads[i]) / 1e6, expected_ms[i],
                             0.001);
        struct service service;
        assert_true(service_init(&service, &settings, 7, i, "share"));
        struct sim_random arrivals;
        sim_random_init(&arrivals, 7, i, "arrivals");
        double now_ns = 0.0, sum_ms = 0.0;
        const int requests = 1000000;
        for (int n = 0; n < requests; n++) {
            now_ns += 1e9 / loads[i] * sim_random_exponential(&arrivals);
            struct request request = {.operation = OPERATION_READ, .admitted_ns = (int64_t)now_ns};
            service_serve(&service, &request);
            assert_true(request.started_ns >= request.admitted_ns && request.served_ns >= request.started_ns);
            sum_ms += (double)(request.served_ns - request.admitted_ns) * 1e-6;
        }
        assert_near_relative(sum_ms / requests, expected_ms[i], 0.01);
        service_release(&service);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(burst_credits_follow_the_worked_example),
        cmocka_unit_test(credits_do_not_accrue_while_another_limit_throttles),
        cmocka_unit_test(credits_accrue_while_idle_after_throttling),
        cmocka_unit_test(the_limit_that_binds_is_named),
        cmocka_unit_test(one_handle_too_many_fails),
        cmocka_unit_test(a_file_sends_no_faster_than_its_limit),
        cmocka_unit_test(latency_rises_with_load_as_theory_says),
    };
    return RUN_TESTS(tests);
}
