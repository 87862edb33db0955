/* Measuring in parts: a warm-up is left out and a run cut into batches without touching what happens, and
 * nothing is counted twice or lost. */
#include "models/world/world_state.h"
#include "tests/support/check.h"
#include "tests/support/matrix_scenario.h"
#include "vdisim/tally.h"

enum { METRICS_MAX = 64 };

struct metrics {
    struct metric_sink sink;
    size_t count;
    char names[METRICS_MAX][64];
    double values[METRICS_MAX];
};

static void metrics_take(struct metric_sink *sink, const char *name, const char *unit, double value)
{
    (void)unit;
    struct metrics *metrics = (struct metrics *)sink;
    assert_true(metrics->count < METRICS_MAX);
    snprintf(metrics->names[metrics->count], sizeof metrics->names[0], "%s", name);
    metrics->values[metrics->count++] = value;
}

static double metric(const struct metrics *metrics, const char *name)
{
    for (size_t i = 0; i < metrics->count; i++)
        if (strcmp(metrics->names[i], name) == 0)
            return metrics->values[i];
    fail_msg("no metric %s", name);
    return NAN;
}

static struct metrics of_world(struct world *world)
{
    struct metrics metrics = {.sink = {metrics_take}};
    world_report(world, &metrics.sink);
    return metrics;
}

static struct metrics of_part(struct world *world, size_t part)
{
    struct metrics metrics = {.sink = {metrics_take}};
    world_report_part(world, part, &metrics.sink);
    return metrics;
}

static void assert_same_value(const char *name, double actual, double expected)
{
    if (isnan(actual) != isnan(expected))
        fail_msg("%s: %g, expected %g", name, actual, expected);
    if (!isnan(expected))
        check_near_(actual, expected, 1e-12 * fabs(expected), name, __FILE__, __LINE__);
}

static void assert_same_metrics(const struct metrics *actual, const struct metrics *expected)
{
    assert_int_equal(actual->count, expected->count);
    for (size_t i = 0; i < expected->count; i++) {
        assert_string_equal(actual->names[i], expected->names[i]);
        assert_same_value(expected->names[i], actual->values[i], expected->values[i]);
    }
}

/* Runs to the end, with marks at the times given (SIM_NEVER_NS ends them). */
static struct world *run_marked(const struct scenario *scenario, int64_t length_ns, const int64_t *marks_ns)
{
    char message[128] = "";
    struct world *world = world_create(scenario, 1, 0, message, sizeof message);
    assert_non_null(world);
    for (; marks_ns != NULL && *marks_ns != SIM_NEVER_NS; marks_ns++) {
        world_run_until(world, *marks_ns);
        world_mark(world);
    }
    world_run_until(world, length_ns);
    return world;
}

/* A morning with all that happens in one: latency that varies, burst credits, limits, updates, mailboxes. */
static void morning(struct matrix_scenario *matrix)
{
    matrix_scenario_init(matrix);
    matrix->share.service.latency_cv = 0.5;
    matrix->share.base_iops = matrix->share.base_iops_max = 20;
    matrix->share.burst = BURST_TWICE_BASELINE;
    matrix->share.burst_iops_max = INFINITY;
    matrix->share.burst_time_ns = 20 * SIM_NS_PER_S;
    matrix->share.initial_credits = 1;
    matrix->logons.users = 20;
    matrix->logons.arrivals.window_ns = 20 * SIM_NS_PER_MIN;
    matrix->logons.updates = (struct update_settings){0.05, 0.5, 1.0};
    matrix->logons.mailbox = (struct mailbox_settings){0.5, 0.6, 4096};
    matrix->logons.session_length_ns = 15 * SIM_NS_PER_MIN;
}

#define MORNING_NS (40 * SIM_NS_PER_MIN)

/* Neither whole minutes nor whole seconds; one that is both; two at one time. */
static const int64_t odd_marks[] = {0,
                                    INT64_C(90123456789),
                                    5 * SIM_NS_PER_MIN,
                                    5 * SIM_NS_PER_MIN,
                                    INT64_C(700500000001),
                                    20 * SIM_NS_PER_MIN,
                                    INT64_C(1999999999999),
                                    SIM_NEVER_NS};

static void a_mark_changes_nothing_that_happens(void **state)
{
    (void)state;
    struct matrix_scenario matrix;
    morning(&matrix);
    struct world *plain = run_marked(&matrix.scenario, MORNING_NS, NULL);
    struct world *marked = run_marked(&matrix.scenario, MORNING_NS, odd_marks);
    assert_true(world_account(marked).fingerprint == world_account(plain).fingerprint);
    assert_int_equal(world_account(marked).events, world_account(plain).events);

    size_t plain_count = 0, marked_count = 0;
    const struct logon_record *plain_logons = world_logons(plain, &plain_count);
    const struct logon_record *marked_logons = world_logons(marked, &marked_count);
    assert_int_equal(plain_count, 20);
    assert_int_equal(marked_count, plain_count);
    for (size_t i = 0; i < plain_count; i++) {
        assert_int_equal(marked_logons[i].start_ns, plain_logons[i].start_ns);
        assert_int_equal(marked_logons[i].load_ns, plain_logons[i].load_ns);
    }
    const struct minute_record *plain_minutes = world_minutes(plain, 0, &plain_count);
    const struct minute_record *marked_minutes = world_minutes(marked, 0, &marked_count);
    assert_int_equal(plain_count, 40);
    assert_int_equal(marked_count, plain_count);
    assert_memory_equal(marked_minutes, plain_minutes, plain_count * sizeof *plain_minutes);
    world_destroy(plain);
    world_destroy(marked);
}

/* Marked at its very beginning or not at all, a run reports the same; so does its only part. */
static void the_whole_run_is_one_part(void **state)
{
    (void)state;
    struct matrix_scenario matrix;
    morning(&matrix);
    struct world *plain = run_marked(&matrix.scenario, MORNING_NS, NULL);
    struct world *marked = run_marked(&matrix.scenario, MORNING_NS, (int64_t[]){0, SIM_NEVER_NS});
    const struct metrics expected = of_world(plain);
    assert_true(metric(&expected, "throttled.iops") > 100.0);
    assert_int_equal(world_part_count(plain), 1);
    assert_int_equal(world_part_to_ns(plain, 0), MORNING_NS);
    struct metrics actual = of_part(plain, 0);
    assert_same_metrics(&actual, &expected);
    actual = of_world(marked);
    assert_same_metrics(&actual, &expected);
    actual = of_part(marked, 0);
    assert_same_metrics(&actual, &expected);
    world_destroy(plain);
    world_destroy(marked);
}

static const char *const sums[] = {"transactions.total", "throttled.iops",     "throttled.egress",
                                   "throttled.ingress",  "throttled.metadata", "throttled.other",
                                   "failed.total",       "logons.finished",    "logons.unfinished"};
static const char *const rates[] = {"iops.mean", "egress.mean", "ingress.mean"};
static const char *const averages[] = {"server_latency.mean", "e2e_latency.mean", "throttled.fraction"};

#define EACH(index, array)                                                                                   \
    size_t index = 0;                                                                                        \
    index < sizeof(array) / sizeof(array)[0];                                                                \
    index++

static void parts_add_up_to_the_whole(void **state)
{
    (void)state;
    struct matrix_scenario matrix;
    morning(&matrix);
    struct world *plain = run_marked(&matrix.scenario, MORNING_NS, NULL);
    struct world *marked = run_marked(&matrix.scenario, MORNING_NS, odd_marks);
    const struct metrics whole = of_world(plain), measured = of_world(marked);
    assert_int_equal(world_part_count(marked), 7);

    double sum[sizeof sums / sizeof sums[0]] = {0}, rate[sizeof rates / sizeof rates[0]] = {0};
    double average[sizeof averages / sizeof averages[0]] = {0};
    double loads = 0.0, credits_min = INFINITY;
    for (size_t part = 0; part < world_part_count(marked); part++) {
        const struct metrics metrics = of_part(marked, part);
        assert_int_equal(metrics.count, whole.count);
        const int64_t from_ns = world_part_from_ns(marked, part), to_ns = world_part_to_ns(marked, part);
        assert_int_equal(from_ns, odd_marks[part]);
        assert_int_equal(to_ns, part == 6 ? MORNING_NS : odd_marks[part + 1]);
        for (EACH(i, sums))
            sum[i] += metric(&metrics, sums[i]);
        if (from_ns == to_ns)
            continue;
        for (EACH(i, rates))
            rate[i] += metric(&metrics, rates[i]) * sim_s_from_ns(to_ns - from_ns);
        for (EACH(i, averages))
            average[i] += metric(&metrics, averages[i]) * metric(&metrics, "transactions.total");
        credits_min = fmin(credits_min, metric(&metrics, "burst_credits.min"));
        if (metric(&metrics, "logons.finished") > 0.0)
            loads += metric(&metrics, "profile_load.mean") * metric(&metrics, "logons.finished");
    }
    for (EACH(i, sums)) {
        assert_near(sum[i], metric(&whole, sums[i]), 0.0);
        assert_near(metric(&measured, sums[i]), metric(&whole, sums[i]), 0.0);
    }
    for (EACH(i, rates)) {
        assert_near_relative(rate[i] / sim_s_from_ns(MORNING_NS), metric(&whole, rates[i]), 1e-12);
        assert_near_relative(metric(&measured, rates[i]), metric(&whole, rates[i]), 1e-12);
    }
    for (EACH(i, averages)) {
        const double expected = metric(&whole, averages[i]);
        assert_near_relative(average[i] / metric(&whole, "transactions.total"), expected, 1e-9);
        assert_near_relative(metric(&measured, averages[i]), expected, 1e-9);
    }
    assert_near_relative(loads / metric(&whole, "logons.finished"), metric(&whole, "profile_load.mean"),
                         1e-9);
    assert_near(metric(&measured, "server_latency.p95"), metric(&whole, "server_latency.p95"), 0.0);
    assert_near(metric(&measured, "iops.peak"), metric(&whole, "iops.peak"), 0.0);
    /* Sampled at the marks, too. */
    assert_true(metric(&measured, "burst_credits.min") <= metric(&whole, "burst_credits.min"));
    assert_near(credits_min, metric(&measured, "burst_credits.min"), 0.0);
    world_destroy(plain);
    world_destroy(marked);
}

/* User i of 10 starts at 6 i minutes and loads 6.8 s. */
static void a_logon_belongs_to_the_part_it_starts_in(void **state)
{
    (void)state;
    struct matrix_scenario matrix;
    matrix_scenario_init(&matrix);
    /* The second mark is at a start, the third in the middle of a load, the run's end in another. */
    const int64_t marks_ns[] = {6 * SIM_NS_PER_MIN + 1, 18 * SIM_NS_PER_MIN,
                                24 * SIM_NS_PER_MIN + 3 * SIM_NS_PER_S, SIM_NEVER_NS};
    struct world *world = run_marked(&matrix.scenario, 36 * SIM_NS_PER_MIN + 3 * SIM_NS_PER_S, marks_ns);
    const struct {
        double finished, unfinished;
    } expected[] = {{1, 0}, {2, 0}, {1, 1}};
    for (size_t part = 0; part < 3; part++) {
        const struct metrics metrics = of_part(world, part);
        assert_near(metric(&metrics, "logons.finished"), expected[part].finished, 0.0);
        assert_near(metric(&metrics, "logons.unfinished"), expected[part].unfinished, 0.0);
        assert_near(metric(&metrics, "profile_load.mean"), 1709 * 0.004, 0.05);
    }
    const struct metrics measured = of_world(world);
    assert_near(metric(&measured, "logons.finished"), 4, 0.0);
    assert_near(metric(&measured, "logons.unfinished"), 1, 0.0);
    size_t count = 0;
    world_logons(world, &count);
    assert_int_equal(count, 7);
    world_destroy(world);
}

/* One logon, in the minute behind the second mark. */
static void rates_are_over_the_time_measured(void **state)
{
    (void)state;
    struct matrix_scenario matrix;
    matrix_scenario_init(&matrix);
    matrix.logons.users = 1;
    matrix.logons.arrivals.start_ns = 30 * SIM_NS_PER_MIN;
    matrix.logons.profile_management.active_write_back = false;
    const int64_t marks_ns[] = {29 * SIM_NS_PER_MIN, 30 * SIM_NS_PER_MIN, 32 * SIM_NS_PER_MIN, SIM_NEVER_NS};
    struct world *world = run_marked(&matrix.scenario, 35 * SIM_NS_PER_MIN + 30 * SIM_NS_PER_S, marks_ns);
    const struct metrics whole = of_world(world), before = of_part(world, 0);
    const struct metrics first = of_part(world, 1), second = of_part(world, 2);
    const double requests = metric(&whole, "transactions.total");
    assert_true(requests > 1700.0);
    assert_near_relative(metric(&first, "iops.mean"), requests / 120.0, 1e-12);
    assert_near_relative(metric(&first, "iops.peak"), requests / 60.0, 1e-12);
    assert_near_relative(metric(&whole, "iops.mean"), requests / 390.0, 1e-12);
    assert_near(metric(&first, "iops.busiest_second"), 250.0, 2.0);
    assert_near(metric(&before, "iops.peak"), 0.0, 0.0);
    assert_near(metric(&second, "iops.mean"), 0.0, 0.0);
    assert_near(metric(&second, "iops.peak"), 0.0, 0.0);
    assert_near(metric(&second, "iops.busiest_second"), 0.0, 0.0);
    assert_true(isnan(metric(&second, "server_latency.mean")) &&
                isnan(metric(&second, "throttled.fraction")));
    world_destroy(world);
}

/* 250 requests a second all the time between 30:00 and about 30:07, marked at 30:02.5 and 30:04.5. */
static void a_part_shorter_than_a_minute_has_no_busiest_one(void **state)
{
    (void)state;
    struct matrix_scenario matrix;
    matrix_scenario_init(&matrix);
    matrix.logons.users = 1;
    matrix.logons.arrivals.start_ns = 30 * SIM_NS_PER_MIN;
    const int64_t base_ns = 30 * SIM_NS_PER_MIN, half_ns = SIM_NS_PER_S / 2;
    const int64_t marks_ns[] = {base_ns + 5 * half_ns, base_ns + 9 * half_ns, base_ns + 10 * half_ns,
                                SIM_NEVER_NS};
    struct world *world = run_marked(&matrix.scenario, base_ns + 12 * half_ns, marks_ns);
    const struct metrics first = of_part(world, 0), second = of_part(world, 1), third = of_part(world, 2);
    assert_true(isnan(metric(&first, "iops.peak")) && isnan(metric(&first, "egress.peak")));
    assert_near(metric(&first, "iops.mean"), 250.0, 1.0);
    assert_near(metric(&first, "transactions.total"), 500.0, 1.0);
    assert_near(metric(&first, "iops.busiest_second"), 250.0, 1.0); /* 30:03 */
    assert_near(metric(&second, "iops.busiest_second"), 0.0, 0.0);  /* none that no mark cuts */
    assert_near(metric(&third, "iops.busiest_second"), 250.0, 1.0); /* 30:05 */
    world_destroy(world);

    /* The logon ends 0.84 s behind the first mark, and nothing follows that would end its last second. */
    const int64_t end_marks_ns[] = {base_ns + 12 * half_ns, base_ns + 20 * half_ns, SIM_NEVER_NS};
    world = run_marked(&matrix.scenario, base_ns + SIM_NS_PER_MIN, end_marks_ns);
    const struct metrics end = of_part(world, 0), after = of_part(world, 1);
    assert_near(metric(&end, "iops.busiest_second"), 250.0 * 0.84, 2.0);
    assert_near(metric(&after, "iops.busiest_second"), 0.0, 0.0);
    world_destroy(world);
}

/* 800 credits, a baseline of 5 IOPS and 15 beyond it while there are credits: a logon of 1,709 requests empties them,
 * and they come back in 160 s. */
static void burst_credits_are_those_of_the_part(void **state)
{
    (void)state;
    struct matrix_scenario matrix;
    matrix_scenario_init(&matrix);
    matrix.share.base_iops = matrix.share.base_iops_max = 5;
    matrix.share.burst = BURST_TWICE_BASELINE;
    matrix.share.burst_iops_max = INFINITY;
    matrix.share.burst_time_ns = 80 * SIM_NS_PER_S;
    matrix.share.initial_credits = 1;
    matrix.logons.users = 1;
    matrix.logons.profile_management.active_write_back = false;
    /* The second mark is in the idle time, behind the end of a minute that is seen only at the end of the run. */
    const int64_t marks_ns[] = {0, 330 * SIM_NS_PER_S, SIM_NEVER_NS};
    struct world *world = run_marked(&matrix.scenario, 590 * SIM_NS_PER_S, marks_ns);
    size_t count = 0;
    const struct logon_record *records = world_logons(world, &count);
    assert_true(records[0].finished && records[0].load_ns < 240 * SIM_NS_PER_S);
    const double refilled = 5.0 * (330.0 - sim_s_from_ns(records[0].load_ns));
    assert_between(refilled, 650.0, 780.0); /* 150 fewer at the end of the minute before */
    const struct metrics busy = of_part(world, 0), idle = of_part(world, 1);
    assert_between(metric(&busy, "burst_credits.min"), 0.0, 1.0);
    assert_near(metric(&idle, "burst_credits.min"), refilled, 2.0);
    world_destroy(world);
}

/* Users come for ten minutes; then fifty mailboxes ask at a rate that is known: 1 / (pause + answer) each. */
static void without_its_warm_up_a_run_is_steady(void **state)
{
    (void)state;
    enum { BATCHES = 10 };
    struct matrix_scenario matrix;
    matrix_scenario_init(&matrix);
    matrix.logons.users = 50;
    matrix.logons.arrivals.window_ns = 10 * SIM_NS_PER_MIN;
    matrix.logons.mailbox = (struct mailbox_settings){2.0, 0.6, 4096};
    matrix.logons.profile_management.active_write_back = false;
    int64_t marks_ns[BATCHES + 1];
    for (int batch = 0; batch < BATCHES; batch++)
        marks_ns[batch] = (11 + 2 * batch) * SIM_NS_PER_MIN;
    marks_ns[BATCHES] = SIM_NEVER_NS;
    const int64_t length_ns = (11 + 2 * BATCHES) * SIM_NS_PER_MIN;
    struct world *plain = run_marked(&matrix.scenario, length_ns, NULL);
    struct world *marked = run_marked(&matrix.scenario, length_ns, marks_ns);
    const struct metrics biased = of_world(plain), steady = of_world(marked);
    const double iops = 50.0 / (0.5 + 0.004);
    /* 119,000 requests, of which the standard deviation is 0.3 %; a batch has a tenth. */
    assert_near_relative(metric(&steady, "iops.mean"), iops, 0.012);
    /* The logons' own requests weigh more than the users who have not come yet. */
    assert_true(metric(&biased, "iops.mean") > 1.1 * iops);
    struct sim_tally tally;
    sim_tally_init(&tally, false);
    for (size_t batch = 0; batch < BATCHES; batch++) {
        const struct metrics metrics = of_part(marked, batch);
        sim_tally_add(&tally, metric(&metrics, "iops.mean"));
        assert_near_relative(metric(&metrics, "iops.mean"), iops, 0.04);
    }
    assert_near_relative(tally.mean, metric(&steady, "iops.mean"), 1e-9);
    /* Poisson but for the answer times: chi with 9 degrees of freedom is between 0.44 and 1.6 in 99.8 %. */
    assert_between(sim_tally_sd(&tally) / sqrt(iops / 120.0), 0.4, 1.7);
    world_destroy(plain);
    world_destroy(marked);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_mark_changes_nothing_that_happens),
        cmocka_unit_test(the_whole_run_is_one_part),
        cmocka_unit_test(parts_add_up_to_the_whole),
        cmocka_unit_test(a_logon_belongs_to_the_part_it_starts_in),
        cmocka_unit_test(rates_are_over_the_time_measured),
        cmocka_unit_test(a_part_shorter_than_a_minute_has_no_busiest_one),
        cmocka_unit_test(burst_credits_are_those_of_the_part),
        cmocka_unit_test(without_its_warm_up_a_run_is_steady),
    };
    return RUN_TESTS(tests);
}
