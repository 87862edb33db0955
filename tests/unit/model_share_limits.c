/* The limits of a share against the tables printed on the provider's pages, under each set of dated rules. */
#include "tests/support/check.h"
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
        cmocka_unit_test(a_bigger_share_can_have_a_smaller_bucket),
    };
    return RUN_TESTS(tests);
}
