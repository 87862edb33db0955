/* Limits that several shares or both directions have in common, handles, and limits that do not depend on the size. */
#include "models/world/world_state.h"
#include "tests/support/check.h"
#include "tests/support/matrix_scenario.h"
#include "vdisim/store.h"

#define REQUESTS 1200

struct bench {
    struct matrix_scenario matrix;
    struct share_settings shares[2];
    struct store_part parts[2];
    struct world *world;
    struct request requests[REQUESTS];
    size_t sent;
};

static void bench_done(struct sim *sim, struct sim_event *event)
{
    struct request *request = SIM_CONTAINER_OF(event, struct request, event);
    request->done_ns = sim_now_ns(sim);
    store_settle(request);
}

static void bench_leave(struct request *request)
{
    sim_event_init(&request->event, bench_done, 1);
    sim_schedule_at(request->store->sim, &request->event, request->served_ns);
}

/* Two shares of the account "a" whose own limits do not bind. */
static struct bench *bench_new(void)
{
    struct bench *bench = calloc(1, sizeof *bench);
    assert_non_null(bench);
    matrix_scenario_init(&bench->matrix);
    for (int i = 0; i < 2; i++) {
        bench->shares[i] = bench->matrix.share;
        bench->shares[i].account = "a";
        bench->parts[i] = (struct store_part){i == 0 ? "first" : "second", &share_kind, &bench->shares[i]};
    }
    bench->matrix.scenario.stores = bench->parts;
    bench->matrix.scenario.store_count = 2;
    bench->matrix.scenario.workload_count = 0;
    return bench;
}

static void bench_open(struct bench *bench)
{
    char message[128];
    bench->world = world_create(&bench->matrix.scenario, 1, 0, message, sizeof message);
    assert_non_null(bench->world);
}

static void bench_free(struct bench *bench)
{
    world_destroy(bench->world);
    free(bench);
}

static struct request *send(struct bench *bench, size_t share, enum operation operation, double mib)
{
    struct store *store = bench->world->stores[share];
    struct request *request = &bench->requests[bench->sent++];
    *request = (struct request){.operation = operation, .store = store, .leave = bench_leave};
    request->issued_ns = request->granted_ns = request->sent_ns = request->arrived_ns =
        sim_now_ns(store->sim);
    if (operation == OPERATION_READ)
        request->egress_bytes = (int64_t)(mib * TEST_MIB);
    else
        request->ingress_bytes = (int64_t)(mib * TEST_MIB);
    store_submit(store, request);
    return request;
}

static double last_admitted_s(const struct bench *bench, size_t share)
{
    int64_t last_ns = 0;
    for (size_t i = 0; i < bench->sent; i++)
        if (bench->requests[i].store == bench->world->stores[share] &&
            bench->requests[i].admitted_ns > last_ns)
            last_ns = bench->requests[i].admitted_ns;
    return sim_s_from_ns(last_ns);
}

/* Two shares that burst send 600 requests each at once through an account of 100 IOPS and a window of 1 s: the account lets
 * in 100 at once and the last of 1,200 at 11 s; requests that take turns end together. With an account each, both end at 5 s. */
static void shares_of_an_account_burst_no_higher_than_it(void **state)
{
    (void)state;
    for (int together = 0; together < 2; together++) {
        struct bench *bench = bench_new();
        for (int i = 0; i < 2; i++) {
            bench->shares[i].account = together ? "a" : NULL;
            bench->shares[i].account_iops = 100;
            bench->shares[i].base_iops = bench->shares[i].base_iops_max = 80;
            bench->shares[i].burst = BURST_OVER_BASELINE;
            bench->shares[i].burst_iops_floor = bench->shares[i].burst_iops_max = 1000;
            bench->shares[i].burst_time_ns = SIM_NS_PER_HOUR;
            bench->shares[i].initial_credits = 1.0;
        }
        bench_open(bench);
        for (size_t i = 0; i < 600; i++) {
            send(bench, 0, OPERATION_READ, 0.0);
            send(bench, 1, OPERATION_READ, 0.0);
        }
        world_run_until(bench->world, SIM_NS_PER_MIN);
        assert_near(last_admitted_s(bench, 0), together ? 10.99 : 5.0, 1e-6);
        assert_near(last_admitted_s(bench, 1), together ? 11.0 : 5.0, 1e-6);
        assert_int_equal(bench->requests[1199].limit, CAUSE_ACCOUNT_LIMIT);
        assert_int_equal(bench->requests[1199].response, RESPONSE_THROTTLING);
        bench_free(bench);
    }
}

/* First come, first served: a share that asks for little waits behind what the other has asked for before, no longer. */
static void an_account_serves_in_order_of_arrival(void **state)
{
    (void)state;
    struct bench *bench = bench_new();
    bench->shares[0].account_iops = bench->shares[1].account_iops = 100;
    bench_open(bench);
    for (size_t i = 0; i < 300; i++)
        send(bench, 0, OPERATION_READ, 0.0);
    const struct request *other = send(bench, 1, OPERATION_READ, 0.0);
    send(bench, 0, OPERATION_READ, 0.0);
    world_run_until(bench->world, SIM_NS_PER_MIN);
    assert_near(sim_s_from_ns(other->admitted_ns), 2.01, 1e-6);
    assert_near(last_admitted_s(bench, 0), 2.02, 1e-6);
    bench_free(bench);
}

/* 10 MiB/s, a window of 1 s, 10 MiB read of one share and 10 MiB written to the other: both at once when each direction has
 * its own limit, one a second after the other when they share a pool. */
static void both_directions_of_an_account_may_be_one_pool(void **state)
{
    (void)state;
    for (int pooled = 0; pooled < 2; pooled++) {
        struct bench *bench = bench_new();
        for (int i = 0; i < 2; i++) {
            bench->shares[i].account_pooled = pooled;
            bench->shares[i].account_ingress_bytes_per_s = 10 * TEST_MIB;
            bench->shares[i].account_egress_bytes_per_s = 10 * TEST_MIB;
        }
        bench_open(bench);
        const struct request *read = send(bench, 0, OPERATION_READ, 10.0);
        const struct request *written = send(bench, 1, OPERATION_WRITE, 10.0);
        world_run_until(bench->world, SIM_NS_PER_MIN);
        assert_near(sim_s_from_ns(read->admitted_ns), 0.0, 1e-9);
        assert_near(sim_s_from_ns(written->admitted_ns), pooled ? 1.0 : 0.0, 1e-6);
        bench_free(bench);
    }
}

/* 1,000 opens at 100 a second, or 500 with metadata caching, whatever the size and the IOPS. Reads are not held. */
static void the_limit_of_opens_rises_with_metadata_caching_only(void **state)
{
    (void)state;
    for (int variant = 0; variant < 3; variant++) {
        struct bench *bench = bench_new();
        bench->shares[0].metadata_iops = 100;
        bench->shares[0].metadata_cached_iops = 500;
        bench->shares[0].metadata_caching = variant == 1;
        bench->shares[0].size_bytes = variant == 2 ? INT64_C(100) << 40 : INT64_C(1) << 40;
        bench->shares[0].base_iops_per_gib = 100;
        bench_open(bench);
        for (size_t i = 0; i < 1000; i++)
            send(bench, 0, OPERATION_CREATE, 0.0);
        const struct request *read = send(bench, 0, OPERATION_READ, 0.0);
        world_run_until(bench->world, SIM_NS_PER_MIN);
        assert_near(sim_s_from_ns(bench->requests[999].admitted_ns), variant == 1 ? 1.0 : 9.0, 1e-6);
        assert_near(sim_s_from_ns(read->admitted_ns), 0.0, 1e-9);
        assert_int_equal(bench->requests[999].response, RESPONSE_METADATA_THROTTLING);
        bench_free(bench);
    }
}

static void the_topmost_directory_has_a_limit_of_its_own(void **state)
{
    (void)state;
    struct bench *bench = bench_new();
    bench->shares[0].handles_per_file = 2;
    bench->shares[0].handles_on_root = 3;
    bench_open(bench);
    struct store *store = bench->world->stores[0];
    struct store_file other = {0};
    for (size_t i = 0; i < 8; i++) {
        struct request *request = &bench->requests[i];
        *request = (struct request){.operation = OPERATION_CREATE,
                                    .store = store,
                                    .file = i < 4 ? &store->root : &other,
                                    .leave = bench_leave};
        store_submit(store, request);
    }
    for (size_t i = 0; i < 8; i++)
        assert_int_equal(bench->requests[i].status, i == 3 || i >= 6 ? REQUEST_OUT_OF_HANDLES : REQUEST_OK);
    world_run_until(bench->world, SIM_NS_PER_S);
    assert_near(matrix_metric(bench->world, "first.handles.refused"), 3.0, 0.0);
    assert_near(matrix_metric(bench->world, "second.handles.refused"), 0.0, 0.0);
    assert_int_equal(world_warning_count(bench->world), 1);
    bench_free(bench);
}

/* Ten users open the topmost directory in the same instant and one may: nine logons met a refusal, and say so. */
static void a_logon_that_meets_a_refusal_is_counted(void **state)
{
    (void)state;
    for (int allowed = 1; allowed <= 10; allowed += 9) {
        struct matrix_scenario matrix;
        matrix_scenario_init(&matrix);
        matrix.share.handles_on_root = allowed;
        matrix.hosts.count = 10;
        matrix.logons.arrivals.window_ns = 0;
        char message[128];
        struct world *world = world_create(&matrix.scenario, 1, 0, message, sizeof message);
        assert_non_null(world);
        world_run_until(world, 10 * SIM_NS_PER_MIN);
        assert_near(matrix_metric(world, "logons.refused"), 10.0 - allowed, 0.0);
        assert_near(matrix_metric(world, "handles.refused"), 10.0 - allowed, 0.0);
        assert_near(matrix_metric(world, "mailboxes.refused"), 0.0, 0.0);
        assert_near(matrix_metric(world, "logons.finished"), 10.0, 0.0);
        world_destroy(world);
    }
}

static void contradictions_are_refused(void **state)
{
    (void)state;
    struct matrix_scenario matrix;
    struct parameter_problem problem;
    for (int variant = 0; variant < 3; variant++) {
        matrix_scenario_init(&matrix);
        matrix.share.metadata_caching = variant == 0;
        matrix.share.account_pooled = variant == 1;
        matrix.share.account_ingress_bytes_per_s = variant == 1 ? 5 * TEST_MIB : INFINITY;
        matrix.share.burst = variant == 2 ? BURST_OVER_BASELINE : BURST_NONE;
        matrix.share.burst_iops_floor = 2000;
        matrix.share.burst_iops_max = 1000;
        assert_false(share_parameters.check(&matrix.share, &problem));
        static const char *const named[] = {"metadata_caching", "account_ingress", "burst_iops_floor"};
        assert_string_equal(problem.parameter, named[variant]);
    }
    matrix_scenario_init(&matrix);
    assert_true(share_parameters.check(&matrix.share, &problem));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(shares_of_an_account_burst_no_higher_than_it),
        cmocka_unit_test(an_account_serves_in_order_of_arrival),
        cmocka_unit_test(both_directions_of_an_account_may_be_one_pool),
        cmocka_unit_test(the_limit_of_opens_rises_with_metadata_caching_only),
        cmocka_unit_test(the_topmost_directory_has_a_limit_of_its_own),
        cmocka_unit_test(a_logon_that_meets_a_refusal_is_counted),
        cmocka_unit_test(contradictions_are_refused),
    };
    return RUN_TESTS(tests);
}
