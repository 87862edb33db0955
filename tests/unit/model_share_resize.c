/* Changes of a share's size while it runs: what is allowed, and the exact levels of the credits across them. */
#include "models/world/world_state.h"
#include "tests/support/check.h"
#include "tests/support/matrix_scenario.h"
#include "vdisim/share_resize.h"
#include "vdisim/store.h"

#define GIB(n) (INT64_C(n) << 30)

/* 1 TiB of 1 IOPS a GiB that bursts to three times that for an hour. */
static void resizable_share(struct matrix_scenario *matrix, const char *const *texts, size_t count)
{
    matrix_scenario_init(matrix);
    matrix->scenario.workload_count = 0;
    struct share_settings *share = &matrix->share;
    share->size_bytes = GIB(1000);
    share->size_min_bytes = GIB(100);
    share->size_max_bytes = GIB(100000);
    share->size_step_bytes = GIB(1);
    share->base_iops = 0;
    share->base_iops_per_gib = 1;
    share->burst = BURST_OVER_BASELINE;
    share->burst_iops_per_gib = 3;
    share->burst_iops_max = 1e6;
    share->burst_time_ns = SIM_NS_PER_HOUR;
    share->size_changes = (struct parameter_texts){texts, count};
    share->size_change_takes_ns = 2 * SIM_NS_PER_MIN;
    share->size_lower_after_ns = 24 * SIM_NS_PER_HOUR;
}

static void what_is_not_allowed_is_said(void **state)
{
    (void)state;
    static const struct {
        const char *texts[3];
        const char *message; /* NULL: allowed */
    } cases[] = {
        {{"2000 GiB at 20 min", "3000 GiB at 21 min"}, NULL},
        {{"500 GiB at 0 s", "400 GiB at 1 s", "401 GiB at 2 s"}, NULL},
        {{"2000 GiB at 20 min", "1500 GiB at 24 h 20 min"}, NULL},
        {{"2000 GiB at 20 min", "1500 GiB at 24 h 19 min"},
         "'1500 GiB at 24 h 19 min': a size is lowered no sooner than 24 h after the last raise, at 20 min"},
        {{"2000 GiB at 20 min", "3000 GiB at 20 min"},
         "'3000 GiB at 20 min': changes are listed in the order of their times, each later than the one "
         "before"},
        {{"50 GiB at 20 min"}, "'50 GiB at 20 min': this tier is sold from 100 to 100,000 GiB"},
        {{"1000.5 GiB at 20 min"}, "'1000.5 GiB at 20 min': this tier is sold in steps of 1 GiB"},
        {{"10 TB at 20 min"},
         "'10 TB at 20 min': a change of size is a size and a time of the run, e.g. 10 TiB at 20 min"},
        {{"10 TiB at noon"},
         "'10 TiB at noon': a change of size is a size and a time of the run, e.g. 10 TiB at 20 min"},
        {{"10 TiB at 20 min sharp"},
         "'10 TiB at 20 min sharp': a change of size is a size and a time of the run, e.g. 10 TiB at 20 min"},
        {{"10 TiB"}, "'10 TiB': a change of size is a size and a time of the run, e.g. 10 TiB at 20 min"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        size_t count = 0;
        while (count < 3 && cases[i].texts[count] != NULL)
            count++;
        struct matrix_scenario matrix;
        resizable_share(&matrix, cases[i].texts, count);
        struct parameter_problem problem = {0};
        const bool fine = share_parameters.check(&matrix.share, &problem);
        assert_int_equal(fine, cases[i].message == NULL);
        if (fine)
            continue;
        assert_string_equal(problem.parameter, "size_changes");
        assert_string_equal(problem.message, cases[i].message);
    }
}

static double credits_at(struct world *world, int64_t at_ns)
{
    world_run_until(world, at_ns);
    struct store *store = world->stores[0];
    return store->operations->burst_credits(store, at_ns);
}

/* Nothing is asked of it. Credits rise by the baseline: 1,000 a second at first, 2,000 after the raise has taken effect at 22
 * min, up to the bucket of the new size, 14.4 million; lowering it again leaves what the bucket of 1,000 GiB holds, 7.2
 * million. */
static void the_level_of_the_credits_is_exact(void **state)
{
    (void)state;
    static const char *const texts[] = {"2000 GiB at 20 min", "1000 GiB at 25 h"};
    struct matrix_scenario matrix;
    resizable_share(&matrix, texts, 2);
    char message[128];
    struct world *world = world_create(&matrix.scenario, 1, 0, message, sizeof message);
    assert_non_null(world);
    assert_near(credits_at(world, 0), 0.0, 1e-6); /* initial_credits 0 */
    assert_near(credits_at(world, 10 * SIM_NS_PER_MIN), 600.0 * 1000.0, 1e-3);
    assert_near(credits_at(world, 22 * SIM_NS_PER_MIN), 1320.0 * 1000.0, 1e-3);
    assert_near(credits_at(world, 32 * SIM_NS_PER_MIN), 1320.0 * 1000.0 + 600.0 * 2000.0, 1e-3);
    assert_near(matrix_metric(world, "iops.limit"), 2000.0, 1e-9);
    assert_near(credits_at(world, 20 * SIM_NS_PER_HOUR), 14.4e6, 1e-3);
    assert_near(credits_at(world, 26 * SIM_NS_PER_HOUR), 7.2e6, 1e-3);
    assert_near(matrix_metric(world, "iops.limit"), 1000.0, 1e-9);
    world_destroy(world);
}

/* A size without credits loses them, and the next one earns its own from nothing. */
static void credits_of_a_size_without_a_bucket_are_gone(void **state)
{
    (void)state;
    static const char *const texts[] = {"100000 GiB at 0 s", "2000 GiB at 24 h"};
    struct matrix_scenario matrix;
    resizable_share(&matrix, texts, 2);
    matrix.share.initial_credits = 1.0;
    matrix.share.base_iops_max = matrix.share.burst_iops_max = 100000;
    char message[128];
    struct world *world = world_create(&matrix.scenario, 1, 0, message, sizeof message);
    assert_non_null(world);
    assert_near(credits_at(world, SIM_NS_PER_MIN), 7.2e6, 1e-3);
    assert_true(isnan(credits_at(world, SIM_NS_PER_HOUR)));
    assert_near(credits_at(world, 24 * SIM_NS_PER_HOUR + 3 * SIM_NS_PER_MIN), 60.0 * 2000.0, 1e-3);
    world_destroy(world);
}

#define READS 600

struct reads {
    struct sim_event send_more;
    struct store *store;
    struct request requests[2 * READS];
    size_t sent;
};

static void read_done(struct sim *sim, struct sim_event *event)
{
    struct request *request = SIM_CONTAINER_OF(event, struct request, event);
    request->done_ns = sim_now_ns(sim);
    store_settle(request);
}

static void read_leaves(struct request *request)
{
    sim_event_init(&request->event, read_done, 1);
    sim_schedule_at(request->store->sim, &request->event, request->served_ns);
}

static void send_reads(struct sim *sim, struct sim_event *event)
{
    struct reads *reads = SIM_CONTAINER_OF(event, struct reads, send_more);
    for (int i = 0; i < READS; i++) {
        struct request *request = &reads->requests[reads->sent++];
        *request = (struct request){.operation = OPERATION_READ, .store = reads->store, .leave = read_leaves};
        request->egress_bytes = (int64_t)TEST_MIB;
        request->arrived_ns = sim_now_ns(sim);
        store_submit(reads->store, request);
    }
}

/* 600 reads of 1 MiB from a share of 0.1 MiB/s a GiB: 100 MiB/s, all let in after 5 s beyond the first second's 100. After
 * the raise to 3,000 GiB has taken effect, 2 min after 1 min, 300 MiB/s: after 1 s beyond the first 300. The account, 200
 * MiB/s, cannot bind before and does then: 2 s beyond the first 200. */
static void throughput_follows_the_size_and_the_account_then_binds(void **state)
{
    (void)state;
    static const char *const texts[] = {"3000 GiB at 1 min"};
    for (int limited = 0; limited < 2; limited++) {
        struct matrix_scenario matrix;
        resizable_share(&matrix, texts, 1);
        matrix.share.burst = BURST_NONE;
        matrix.share.base_iops = 1e5;
        matrix.share.egress_bytes_per_s = 0;
        matrix.share.egress_per_gib_bytes_per_s = 0.1 * TEST_MIB;
        matrix.share.account_egress_bytes_per_s = limited ? 200 * TEST_MIB : INFINITY;
        char message[128];
        struct world *world = world_create(&matrix.scenario, 1, 0, message, sizeof message);
        assert_non_null(world);
        struct reads *reads = calloc(1, sizeof *reads);
        assert_non_null(reads);
        reads->store = world->stores[0];
        sim_event_init(&reads->send_more, send_reads, 1);
        sim_schedule_at(world->sim, &reads->send_more, 0);
        world_run_until(world, 4 * SIM_NS_PER_MIN);
        assert_near(sim_s_from_ns(reads->requests[READS - 1].admitted_ns), 5.0, 1e-6);
        sim_schedule_at(world->sim, &reads->send_more, 5 * SIM_NS_PER_MIN);
        world_run_until(world, 6 * SIM_NS_PER_MIN);
        assert_near(sim_s_from_ns(reads->requests[2 * READS - 1].admitted_ns), limited ? 302.0 : 301.0, 1e-6);
        world_destroy(world);
        free(reads);
    }
}

/* 100 GiB of which all but 10 MiB are used, and writes of 1 MiB of which half is new: 20 fit. A raise makes room. */
static void a_full_share_refuses_what_grows(void **state)
{
    (void)state;
    static const char *const texts[] = {"101 GiB at 1 min"};
    for (int grows = 0; grows < 2; grows++) {
        struct matrix_scenario matrix;
        resizable_share(&matrix, texts, 1);
        matrix.share.burst = BURST_NONE;
        matrix.share.base_iops = 1e5;
        matrix.share.size_bytes = GIB(100);
        matrix.share.used_bytes = GIB(100) - (INT64_C(10) << 20);
        matrix.share.growth = grows ? 0.5 : 0.0;
        char message[128];
        struct world *world = world_create(&matrix.scenario, 1, 0, message, sizeof message);
        assert_non_null(world);
        struct reads *reads = calloc(1, sizeof *reads);
        assert_non_null(reads);
        for (size_t i = 0; i < 31; i++) {
            if (i == 30)
                world_run_until(world, 4 * SIM_NS_PER_MIN);
            struct request *request = &reads->requests[i];
            *request = (struct request){
                .operation = OPERATION_WRITE, .store = world->stores[0], .leave = read_leaves};
            request->ingress_bytes = (int64_t)TEST_MIB;
            request->arrived_ns = sim_now_ns(world->sim);
            store_submit(world->stores[0], request);
            assert_int_equal(request->status, grows && i >= 20 && i < 30 ? REQUEST_NO_SPACE : REQUEST_OK);
        }
        world_run_until(world, 5 * SIM_NS_PER_MIN);
        assert_near(matrix_metric(world, "writes.refused"), grows ? 10.0 : 0.0, 0.0);
        assert_near(matrix_metric(world, "failed.total"), grows ? 10.0 : 0.0, 0.0);
        const double used_mib = 102400.0 - (grows ? -0.5 : 10.0);
        assert_near(matrix_metric(world, "used.fraction"), used_mib / (101.0 * 1024.0), 1e-12);
        assert_int_equal(world_warning_count(world), grows);
        world_destroy(world);
        free(reads);
    }
}

/* 10 users of 399 + 350 files of 1,015,000 bytes, the registry and a mailbox on a share that is smaller: limits and bill. */
static void profiles_take_room_and_may_take_too_much(void **state)
{
    (void)state;
    struct matrix_scenario matrix;
    matrix_scenario_init(&matrix);
    const double profile = 749.0 * 1015000.0 + 2097152.0 + 4294967296.0;
    for (int small = 0; small < 2; small++) {
        matrix.share.size_bytes = small ? GIB(40) : GIB(60);
        char message[128];
        struct world *world = world_create(&matrix.scenario, 1, 0, message, sizeof message);
        assert_non_null(world);
        world_run_until(world, SIM_NS_PER_MIN);
        assert_near(matrix_metric(world, "used.fraction"), 10.0 * profile / (double)matrix.share.size_bytes,
                    1e-9);
        assert_int_equal(world_warning_count(world), small);
        world_destroy(world);
    }
}

/* Of a run of 10 min: a change at 7 min takes 2 min and is made, one at 9 min comes too late, which the run says. */
static void changes_after_the_end_are_told(void **state)
{
    (void)state;
    static const char *const texts[] = {"2000 GiB at 7 min", "3000 GiB at 9 min"};
    for (size_t count = 1; count <= 2; count++) {
        struct matrix_scenario matrix;
        resizable_share(&matrix, texts, count);
        char message[128];
        struct world *world = world_create(&matrix.scenario, 1, 0, message, sizeof message);
        assert_non_null(world);
        world_run_until(world, 10 * SIM_NS_PER_MIN);
        assert_near(matrix_metric(world, "iops.limit"), 2000.0, 0.0);
        assert_int_equal(world_warning_count(world), count - 1);
        world_destroy(world);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_not_allowed_is_said),
        cmocka_unit_test(the_level_of_the_credits_is_exact),
        cmocka_unit_test(credits_of_a_size_without_a_bucket_are_gone),
        cmocka_unit_test(throughput_follows_the_size_and_the_account_then_binds),
        cmocka_unit_test(changes_after_the_end_are_told),
        cmocka_unit_test(a_full_share_refuses_what_grows),
        cmocka_unit_test(profiles_take_room_and_may_take_too_much),
    };
    return RUN_TESTS(tests);
}
