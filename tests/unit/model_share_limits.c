/* The limits of a share against the tables printed on the provider's pages, under each set of dated rules. */
#include "tests/support/check.h"
#include "vdisim/bucket.h"
#include "vdisim/share.h"

#define MIB 1048576.0

struct row {
    int64_t gib;
    double base, burst, credits, egress, ingress; /* credits NaN: not printed */
};

static struct share_settings rules(char which)
{
    struct share_settings settings = {
        .base_iops_per_gib = 1,
        .base_iops_max = 100000,
        .burst_iops_per_gib = 3,
        .burst_iops_max = 100000,
        .burst_time_ns = INT64_C(3600) * 1000000000,
        .ingress_bytes_per_s = 40 * MIB,
        .ingress_per_gib_bytes_per_s = 0.04 * MIB,
        .egress_bytes_per_s = 60 * MIB,
        .egress_per_gib_bytes_per_s = 0.06 * MIB,
        .throughput_max_bytes_per_s = INFINITY,
        .throughput_step_bytes_per_s = MIB,
    };
    settings.burst = which == 'A' ? BURST_TWICE_BASELINE : BURST_OVER_BASELINE;
    settings.base_iops = which == 'A' ? 0 : which == 'B' ? 400 : 3000;
    settings.burst_iops_floor = which == 'A' ? 0 : which == 'B' ? 4000 : 10000;
    if (which == 'C' || which == 'D') {
        settings.pooled_throughput = true;
        settings.ingress_bytes_per_s = settings.egress_bytes_per_s = 50 * MIB;
    }
    if (which == 'D') {
        settings.base_iops_max = settings.burst_iops_max = 102400;
        settings.throughput_max_bytes_per_s = 10340 * MIB;
    }
    return settings;
}

static void check_table(char which, const struct row *rows, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        struct share_settings settings = rules(which);
        settings.size_bytes = rows[i].gib << 30;
        const struct share_limits limits = share_limits(&settings);
        assert_near(limits.base_iops, rows[i].base, 1e-6);
        assert_near(limits.burst_iops, rows[i].burst, 1e-6);
        if (!isnan(rows[i].credits))
            assert_near(limits.burst_credits, rows[i].credits, 1e-3);
        assert_near(limits.egress_bytes_per_s / MIB, rows[i].egress, 1e-6);
        assert_near(limits.ingress_bytes_per_s / MIB, rows[i].ingress, 1e-6);
    }
}

static void rules_of_2021_give_the_printed_table(void **state)
{
    (void)state;
    static const struct row rows[] = {
        {100, 500, 4000, NAN, 66, 44},
        {500, 900, 4000, NAN, 90, 60},
        {1024, 1424, 4000, 9273600, 122, 81},
        {5120, 5520, 15360, 35424000, 368, 245},
        {10240, 10640, 30720, 72288000, 675, 450},
        {33792, 34192, 100000, NAN, 2088, 1392},
        {51200, 51600, 100000, NAN, 3132, 2088},
        {102400, 100000, 100000, 0, 6204, 4136},
    };
    check_table('B', rows, sizeof rows / sizeof rows[0]);
}

static void rules_of_2019_give_two_hours_of_baseline(void **state)
{
    (void)state;
    static const struct row rows[] = {
        {100, 100, 300, 720000, 66, 44},
        {1024, 1024, 3072, 7372800, 122, 81},
        {10240, 10240, 30720, 73728000, 675, 450},
    };
    check_table('A', rows, sizeof rows / sizeof rows[0]);
}

static void rules_of_december_2021_pool_the_throughput(void **state)
{
    (void)state;
    static const struct row rows[] = {
        {100, 3100, 10000, 24840000, 110, 110},        {500, 3500, 10000, 23400000, 150, 150},
        {1024, 4024, 10000, 21513600, 203, 203},       {5120, 8120, 15360, 26064000, 613, 613},
        {10240, 13240, 30720, 62928000, 1125, 1125},   {33792, 36792, 100000, NAN, 3480, 3480},
        {51200, 54200, 100000, 164880000, 5220, 5220}, {102400, 100000, 100000, 0, 10340, 10340},
    };
    check_table('C', rows, sizeof rows / sizeof rows[0]);
}

static void rules_of_2024_cap_at_102400(void **state)
{
    (void)state;
    /* 51,200 GiB by the formula: the page's own table was computed with the older cap. */
    static const struct row rows[] = {
        {10240, 13240, 30720, 62928000, 1125, 1125},
        {33792, 36792, 101376, 232502400, 3480, 3480},
        {51200, 54200, 102400, 173520000, 5220, 5220},
        {102400, 102400, 102400, 0, 10340, 10340},
    };
    check_table('D', rows, sizeof rows / sizeof rows[0]);
}

/* Provisioned v2 buys IOPS apart: the burst limit is three times those, never three a GiB. */
static void provisioned_v2_bursts_to_three_times_what_is_bought(void **state)
{
    (void)state;
    static const struct {
        bool ssd;
        double iops, burst, credits;
    } rows[] = {
        {false, 500, 5000, 16200000},    {false, 1000, 5000, 14400000},   {true, 3000, 10000, 25200000},
        {false, 3000, 9000, 21600000},   {true, 5000, 15000, 36000000},   {true, 10000, 30000, 72000000},
        {true, 25000, 75000, 180000000}, {false, 25000, 50000, 90000000}, {true, 50000, 102400, 188640000},
        {false, 50000, 50000, 0},        {true, 75000, 102400, 98640000}, {true, 102400, 102400, 0},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct share_settings settings = rules('C');
        settings.size_bytes = INT64_C(100000) << 30; /* has no part in it */
        settings.provisioned_iops = rows[i].iops;
        settings.burst_iops_floor = rows[i].ssd ? 10000 : 5000;
        settings.burst_iops_per_gib = 0;
        settings.burst_iops_per_iops = 3;
        settings.burst_iops_max = rows[i].ssd ? 102400 : 50000;
        const struct share_limits limits = share_limits(&settings);
        assert_true(limits.base_iops == rows[i].iops);
        assert_true(limits.burst_iops == rows[i].burst);
        assert_true(limits.burst_credits == rows[i].credits);
    }
}

static void what_grows_is_rounded_up_once(void **state)
{
    (void)state;
    struct share_settings settings = {.base_iops = 1000,
                                      .base_iops_per_gib = 0.2,
                                      .base_iops_max = 50000,
                                      .ingress_bytes_per_s = 60 * MIB,
                                      .ingress_per_gib_bytes_per_s = 0.02 * MIB,
                                      .pooled_throughput = true,
                                      .throughput_max_bytes_per_s = 5120 * MIB,
                                      .throughput_step_bytes_per_s = MIB};
    static const struct {
        int64_t gib;
        double iops, mib_per_s;
    } rows[] = {{32, 1007, 61},        {1024, 1205, 81},      {5000, 2000, 160},    {10240, 3048, 265},
                {102400, 21480, 2108}, {245000, 50000, 4960}, {262144, 50000, 5120}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        settings.size_bytes = rows[i].gib << 30;
        const struct share_limits limits = share_limits(&settings);
        assert_true(limits.base_iops == rows[i].iops);
        assert_true(limits.egress_bytes_per_s == rows[i].mib_per_s * MIB);
    }
    settings.throughput_step_bytes_per_s = 0; /* not rounded at all */
    settings.size_bytes = INT64_C(100) << 30;
    settings.ingress_bytes_per_s = 0;
    settings.ingress_per_gib_bytes_per_s = 0.0625 * MIB;
    assert_true(share_limits(&settings).egress_bytes_per_s == 6.25 * MIB);
    settings.pool_bytes = INT64_C(2048) << 30; /* the pool's size in place of the share's */
    assert_true(share_limits(&settings).egress_bytes_per_s == 128 * MIB);
}

/* Premium's 100 + ceil(0.04 GiB) + ceil(0.06 GiB) at every size that is sold, reckoned in whole numbers: a product that is whole but
 * for its last bit is not rounded up to the next. */
static void no_size_is_rounded_up_by_the_last_bit(void **state)
{
    (void)state;
    struct share_settings settings = {.base_iops_max = 1e6,
                                      .ingress_bytes_per_s = 50 * MIB,
                                      .egress_bytes_per_s = 50 * MIB,
                                      .ingress_per_gib_bytes_per_s = 0.04 * MIB,
                                      .egress_per_gib_bytes_per_s = 0.06 * MIB,
                                      .pooled_throughput = true,
                                      .throughput_max_bytes_per_s = INFINITY,
                                      .throughput_step_bytes_per_s = MIB};
    for (int64_t gib = 100; gib <= 102400; gib++) {
        settings.size_bytes = gib << 30;
        const int64_t expected = 100 + (4 * gib + 99) / 100 + (6 * gib + 99) / 100;
        if (share_limits(&settings).egress_bytes_per_s != (double)expected * MIB)
            fail_msg("%lld GiB", (long long)gib);
    }
    settings.base_iops_per_gib = 0.07; /* times 100 is 7.000000000000001 */
    settings.size_bytes = INT64_C(100) << 30;
    assert_true(share_limits(&settings).base_iops == 7);
}

/* The level of the credits under a steady demand, by the bucket that a run uses. */
static int64_t empty_after_ns(const struct share_limits *limits, double demand)
{
    struct sim_bucket credits;
    sim_bucket_init(&credits, 0, limits->base_iops, limits->burst_credits);
    sim_bucket_set_peak(&credits, 0, limits->burst_iops);
    sim_bucket_set_drain(&credits, 0, demand);
    return sim_bucket_empty_at_ns(&credits, 0);
}

static void storms_drain_the_bucket_as_worked_out(void **state)
{
    (void)state;
    static const struct {
        char rules;
        int64_t gib;
        double offered, lasts_s;
    } storms[] = {
        {'A', 1024, 5000, 3600},   /* 100 users x 50: capped at 3,072 from the first second */
        {'B', 1024, 5000, 3600},   /* runs at 4,000 */
        {'D', 1024, 5000, 22042},  /* all of the 5,000 */
        {'B', 10240, 25000, 5034}, /* 500 users x 50 */
    };
    for (size_t i = 0; i < sizeof storms / sizeof storms[0]; i++) {
        struct share_settings settings = rules(storms[i].rules);
        settings.size_bytes = storms[i].gib << 30;
        const struct share_limits limits = share_limits(&settings);
        const double lasts_s = share_drain_s(&limits, limits.burst_credits, storms[i].offered);
        assert_near(lasts_s, storms[i].lasts_s, 0.63); /* worked out to whole seconds */
        assert_near((double)empty_after_ns(&limits, storms[i].offered) * 1e-9, lasts_s, 2e-9);
    }
    struct share_settings settings = rules('B');
    settings.size_bytes = INT64_C(1024) << 30;
    const struct share_limits limits = share_limits(&settings);
    assert_true(isinf(share_drain_s(&limits, limits.burst_credits, limits.base_iops)));
}

static void an_idle_share_refills_as_worked_out(void **state)
{
    (void)state;
    static const struct {
        char rules;
        int64_t gib;
        double credits, hours; /* printed with one decimal */
    } rows[] = {
        {'A', 100, 720000, 2.0},     {'B', 100, 12600000, 7.0},   {'D', 100, 24840000, 2.2},
        {'A', 256, 1843200, 2.0},    {'B', 256, 12038400, 5.1},   {'D', 256, 24278400, 2.1},
        {'A', 1024, 7372800, 2.0},   {'B', 1024, 9273600, 1.8},   {'D', 1024, 21513600, 1.5},
        {'A', 5120, 36864000, 2.0},  {'B', 5120, 35424000, 1.8},  {'D', 5120, 26064000, 0.9},
        {'A', 10240, 73728000, 2.0}, {'B', 10240, 72288000, 1.9}, {'D', 10240, 62928000, 1.3},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct share_settings settings = rules(rows[i].rules);
        settings.size_bytes = rows[i].gib << 30;
        const struct share_limits limits = share_limits(&settings);
        assert_true(limits.burst_credits == rows[i].credits);
        assert_near(share_refill_s(&limits) / 3600.0, rows[i].hours, 0.0501);
    }
}

static void what_is_not_sold_is_refused(void **state)
{
    (void)state;
    struct parameter_problem problem;
    struct share_settings settings = rules('D');
    settings.size_min_bytes = settings.size_step_bytes = INT64_C(1) << 30;
    settings.size_max_bytes = settings.size_bytes = INT64_C(1024) << 30;
    assert_true(share_is_sold(&settings, &problem));
    settings.provisioned_iops = 20000;
    assert_false(share_is_sold(&settings, &problem));
    assert_string_equal(problem.parameter, "iops");
    settings.iops_min = 3000;
    assert_true(share_is_sold(&settings, &problem));
    settings.provisioned_iops = 2999;
    assert_false(share_is_sold(&settings, &problem));
    settings.provisioned_iops = 102401;
    assert_false(share_is_sold(&settings, &problem));
    settings.provisioned_iops = 102400;
    settings.provisioned_bytes_per_s = 200 * MIB;
    assert_false(share_is_sold(&settings, &problem));
    assert_string_equal(problem.parameter, "throughput");
    settings.throughput_min_bytes_per_s = 100 * MIB;
    assert_true(share_is_sold(&settings, &problem));
    settings.throughput_max_per_gib_bytes_per_s = 0.1 * MIB; /* 102.4 MiB/s at this size */
    assert_false(share_is_sold(&settings, &problem));
    settings.pool_bytes = INT64_C(2048) << 30;
    assert_true(share_is_sold(&settings, &problem));
    settings.pool_bytes = INT64_C(512) << 30;
    assert_false(share_is_sold(&settings, &problem));
    assert_string_equal(problem.parameter, "pool_size");
}

static void paid_bursting_leaves_nothing_to_credits(void **state)
{
    (void)state;
    struct parameter_problem problem;
    struct share_settings settings = rules('D');
    settings.size_min_bytes = settings.size_step_bytes = 1;
    settings.size_max_bytes = settings.size_bytes = INT64_C(1024) << 30;
    settings.paid_bursting = true;
    assert_false(share_is_sold(&settings, &problem));
    assert_string_equal(problem.parameter, "paid_bursting");
    settings.paid_iops = 102400;
    settings.paid_bytes_per_s = 10340 * MIB;
    assert_true(share_is_sold(&settings, &problem));
    const struct share_limits limits = share_limits(&settings);
    assert_true(limits.base_iops == 102400 && limits.burst_iops == 102400);
    assert_true(limits.burst_credits == 0);
    assert_true(limits.egress_bytes_per_s == 10340 * MIB);
}

static void contradictory_ranges_are_refused(void **state)
{
    (void)state;
    struct parameter_problem problem;
    struct share_settings settings = rules('D');
    settings.size_min_bytes = INT64_C(200) << 30;
    settings.size_step_bytes = 1;
    settings.size_max_bytes = settings.size_bytes = INT64_C(100) << 30;
    assert_false(share_is_sold(&settings, &problem));
    assert_string_equal(problem.parameter, "size_min");
    settings.size_min_bytes = 1;
    settings.iops_min = 200000;
    assert_false(share_is_sold(&settings, &problem));
    assert_string_equal(problem.parameter, "iops_min");
    settings.iops_min = 0;
    settings.throughput_min_bytes_per_s = 20000 * MIB;
    assert_false(share_is_sold(&settings, &problem));
    assert_string_equal(problem.parameter, "throughput_min");
}

static void an_entitlement_shows_its_working(void **state)
{
    (void)state;
    struct share_settings settings = rules('B');
    settings.size_bytes = INT64_C(10240) << 30;
    settings.service = (struct service_settings){.lanes = 64, .lane_time_ns = 100000};
    struct entitlement entitlement = {0};
    share_entitlement(&settings, &entitlement);
    const struct entitlement_row *row = entitlement_row(&entitlement, "iops.base");
    assert_true(row->value == 10640);
    assert_string_equal(row->formula, "400 + 1 x 10,240 GiB, at most 100,000");
    assert_true(entitlement_row(&entitlement, "credits.full")->value == 72288000);
    assert_true(entitlement_row(&entitlement, "credits.drain")->value == 3600);
    assert_string_equal(entitlement_row(&entitlement, "egress")->formula,
                        "60 + 0.06 x 10,240 GiB rounded up");
    assert_null(entitlement_row(&entitlement, "throughput"));
    char text[32];
    assert_string_equal(entitlement_number(1234567.5, text), "1,234,567.5");
    assert_string_equal(entitlement_number(999, text), "999");
    assert_string_equal(entitlement_number(0.05, text), "0.05");
    assert_string_equal(entitlement_number(INFINITY, text), "unlimited");
}

static void a_bigger_share_can_have_a_smaller_bucket(void **state)
{
    (void)state;
    struct share_settings settings = rules('B');
    settings.size_bytes = INT64_C(100) << 30;
    const double small = share_limits(&settings).burst_credits;
    settings.size_bytes = INT64_C(1024) << 30;
    assert_true(share_limits(&settings).burst_credits < small);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rules_of_2021_give_the_printed_table),
        cmocka_unit_test(rules_of_2019_give_two_hours_of_baseline),
        cmocka_unit_test(rules_of_december_2021_pool_the_throughput),
        cmocka_unit_test(rules_of_2024_cap_at_102400),
        cmocka_unit_test(provisioned_v2_bursts_to_three_times_what_is_bought),
        cmocka_unit_test(what_grows_is_rounded_up_once),
        cmocka_unit_test(no_size_is_rounded_up_by_the_last_bit),
        cmocka_unit_test(storms_drain_the_bucket_as_worked_out),
        cmocka_unit_test(an_idle_share_refills_as_worked_out),
        cmocka_unit_test(what_is_not_sold_is_refused),
        cmocka_unit_test(paid_bursting_leaves_nothing_to_credits),
        cmocka_unit_test(contradictory_ranges_are_refused),
        cmocka_unit_test(an_entitlement_shows_its_working),
        cmocka_unit_test(a_bigger_share_can_have_a_smaller_bucket),
    };
    return RUN_TESTS(tests);
}
