/* The sizes that are looked at, and the search where the needed size is known. */
#include "sim/experiment/size/size.h"

#include "sim/experiment/size/sizes.h"
#include "tests/support/check.h"
#include "tests/support/problems.h"
#include "tests/support/replications.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define GIB 1073741824.0

/* Premium as of 2020-07: baseline 400 + 1 a GiB, burst the larger of 4,000 and 3 a GiB, up to 100,000. */
static struct share_settings premium_b(void)
{
    return (struct share_settings){.size_bytes = INT64_C(1) << 40,
                                   .size_min_bytes = INT64_C(100) << 30,
                                   .size_max_bytes = INT64_C(102400) << 30,
                                   .size_step_bytes = INT64_C(1) << 30,
                                   .base_iops = 400,
                                   .base_iops_per_gib = 1,
                                   .base_iops_max = 100000,
                                   .burst = BURST_OVER_BASELINE,
                                   .burst_iops_floor = 4000,
                                   .burst_iops_per_gib = 3,
                                   .burst_iops_max = 100000,
                                   .burst_time_ns = INT64_C(3600000000000),
                                   .egress_bytes_per_s = 6e7,
                                   .egress_per_gib_bytes_per_s = 60000,
                                   .ingress_bytes_per_s = 4e7,
                                   .throughput_max_bytes_per_s = INFINITY};
}

/* The bucket shrinks up to 4,000 / 3 = 1,333 GiB, grows up to 100,000 / 3 = 33,333 GiB, and shrinks again. */
static void pieces_of_premium(void **state)
{
    (void)state;
    const struct share_settings tier = premium_b();
    struct sizes sizes;
    assert_true(sizes_make(&sizes, &tier, 0));
    assert_int_equal(sizes.piece_count, 3);
    assert_int_equal(sizes.pieces[0].first, 0);
    assert_near_relative((double)sizes.list[sizes.pieces[0].last] / GIB, 1333.3, 0.03);
    assert_near_relative((double)sizes.list[sizes.pieces[1].last] / GIB, 33333, 0.03);
    assert_int_equal(sizes.pieces[2].last, sizes.count - 1);
    assert_true(sizes.list[0] == tier.size_min_bytes && sizes.list[sizes.count - 1] == tier.size_max_bytes);
    for (size_t i = 0; i < sizes.piece_count; i++) {
        int way = 0;
        for (size_t k = sizes.pieces[i].first; k < sizes.pieces[i].last; k++) {
            const struct share_settings a = sizes_settings(&tier, sizes.list[k]);
            const struct share_settings b = sizes_settings(&tier, sizes.list[k + 1]);
            const double grown = share_limits(&b).burst_credits - share_limits(&a).burst_credits;
            assert_true(way == 0 || grown == 0 || (grown > 0) == (way > 0));
            way = grown > 0 ? 1 : grown < 0 ? -1 : way;
            assert_true(sizes.list[k + 1] > sizes.list[k]);
        }
    }
    sizes_release(&sizes);
}

static void sizes_that_hold_the_data(void **state)
{
    (void)state;
    struct share_settings tier = premium_b();
    struct sizes sizes;
    assert_true(sizes_make(&sizes, &tier, 500.5 * GIB));
    assert_true(sizes.list[0] == INT64_C(501) << 30);
    sizes_release(&sizes);
    assert_true(sizes_make(&sizes, &tier, 102401 * GIB));
    assert_int_equal(sizes.count, 0);
    sizes_release(&sizes);
    tier.base_iops_per_gib = tier.burst_iops_per_gib = tier.egress_per_gib_bytes_per_s = 0;
    assert_true(sizes_make(&sizes, &tier, 500.5 * GIB)); /* nothing depends on the size */
    assert_int_equal(sizes.count, 1);
    assert_true(sizes.list[0] == INT64_C(501) << 30);
    sizes_release(&sizes);
}

/* -- searching -- */

struct found {
    struct problems *problems;
    struct experiment *experiment;
    struct size_answer *answer;
    enum size_end end;
    char message[1024];
};

static void write_file(char *path, const char *text)
{
    const int descriptor = mkstemp(path);
    assert_true(descriptor >= 0);
    FILE *file = fdopen(descriptor, "w");
    fputs(text, file);
    assert_int_equal(fclose(file), 0);
}

static const char experiment_text[] =
    "experiment: known\n"
    "stores: {profiles: {tier: azure-files/premium, rules: 2021-01, size: 1 TiB}}\n"
    "hosts: {hosts: {count: 4}}\n"
    "workloads: {logons: {users: 40, arrivals: {window: 5 min}, profile_management: {preset: automatic}}}\n"
    "run: {length: 8 min}\n";

static struct found find_at(const char *date, const char *const *targets, size_t target_count,
                            const char *const *tiers, size_t tier_count, int64_t seed, size_t shares)
{
    char path[] = "/tmp/vdisim-size-XXXXXX";
    struct found found = {.problems = problems_create()};
    struct target list[TARGETS_MAX];
    write_file(path, experiment_text);
    const struct experiment_options options = {.seed = seed};
    found.experiment = experiment_open(path, &options, found.problems);
    assert_no_errors(found.problems);
    unlink(path);
    for (size_t i = 0; i < target_count; i++)
        if (!target_parse(&list[i], targets[i], found.message))
            fail_msg("%s", found.message);
    const struct size_request request = {.targets = list,
                                         .target_count = target_count,
                                         .tiers = tiers,
                                         .tier_count = tier_count,
                                         .rules = date,
                                         .shares_most = shares,
                                         .data_bytes = 0,
                                         .confidence = 0.95,
                                         .replications = 43,
                                         .jobs = 2};
    found.answer = size_find(found.experiment, &request, &found.end, found.message, sizeof found.message);
    return found;
}

static struct found find(const char *const *targets, size_t target_count, const char *const *tiers,
                         size_t tier_count, int64_t seed, size_t shares)
{
    return find_at(NULL, targets, target_count, tiers, tier_count, seed, shares);
}

static void release(struct found *found)
{
    size_answer_destroy(found->answer);
    experiment_close(found->experiment);
    problems_destroy(found->problems);
}

static const char *const premium[] = {"premium"};

/* What binds premium rules B here are credits and the floor of 4,000 IOPS; 40 users need far less: the smallest sold. */
static void smallest_is_enough(void **state)
{
    (void)state;
    const char *const targets[] = {"profile_load.p95 <= 15 s", "throttled.fraction <= 0.1 %"};
    struct found found = find(targets, 2, premium, 1, 1, 2);
    assert_int_equal(found.end, SIZE_DONE);
    const struct size_option *option = &found.answer->options[0];
    assert_int_equal(option->fate, SIZE_MET);
    assert_true(option->bytes == INT64_C(100) << 30 && option->shares == 1);
    assert_true(option->margin > 0 && option->more_meets);
    assert_string_equal(found.answer->targets[0].unit, "s");
    release(&found);
}

/* A target on the bucket's level is met by the smaller sizes, whose bucket is larger, and again by much larger ones: a
 * bisection over all sizes would find the latter. The bucket of 100 GiB holds 3,500 x 3,600 = 12.6 million. */
static void a_smaller_share_with_a_larger_bucket(void **state)
{
    (void)state;
    const char *const targets[] = {"burst_credits.min >= 12000000"};
    struct found found = find(targets, 1, premium, 1, 1, 1);
    assert_int_equal(found.end, SIZE_DONE);
    assert_int_equal(found.answer->options[0].fate, SIZE_MET);
    assert_true(found.answer->options[0].bytes == INT64_C(100) << 30);
    release(&found);
    const char *const more[] = {
        "burst_credits.min >= 20000000"}; /* (2 GiB - 400) x 3,600: from 2,978 GiB on */
    found = find(more, 1, premium, 1, 1, 1);
    assert_int_equal(found.answer->options[0].fate, SIZE_MET);
    assert_near_relative((double)found.answer->options[0].bytes / GIB, 2978, 0.021);
    assert_true((double)found.answer->options[0].bytes / GIB >= 2977);
    release(&found);
}

/* A mean load near saturation, premium as of 2020-01, 1 IOPS a GiB: by 600 mornings a size it is 9.2 s (+- 0.2) on 145 GiB, 8.5
 * (+- 0.15) on 150, 8.2 on 153 and 7.6 on 171; single runs, and half of all sets of five, are content with less than 145. */
static void right_near_saturation(void **state)
{
    (void)state;
    const char *const targets[] = {"profile_load.mean <= 8.5 s"};
    const int64_t seeds = (int64_t)fmax(1.0, 6.0 * test_scale());
    for (int64_t seed = 1; seed <= seeds; seed++) {
        struct found found = find_at("2020-01", targets, 1, premium, 1, seed, 1);
        assert_int_equal(found.end, SIZE_DONE);
        assert_int_equal(found.answer->options[0].fate, SIZE_MET);
        assert_between((double)found.answer->options[0].bytes / GIB, 150.0, 182.0);
        release(&found);
    }
}

static void impossible_and_refused(void **state)
{
    (void)state;
    const char *const too_fast[] = {"profile_load.p95 <= 2 s"};
    struct found found = find(too_fast, 1, premium, 1, 1, 1);
    assert_int_equal(found.end, SIZE_DONE);
    assert_int_equal(found.answer->options[0].fate, SIZE_IMPOSSIBLE);
    assert_non_null(strstr(found.answer->options[0].why, "one user alone takes 7."));
    assert_int_equal(found.answer->runs, 0);
    assert_false(size_is_met(found.answer));
    release(&found);
    const char *const unknown[] = {"profile_load.p59 <= 2 s"};
    found = find(unknown, 1, premium, 1, 1, 1);
    assert_int_equal(found.end, SIZE_REFUSED);
    assert_non_null(strstr(found.message, "Did you mean profile_load.p"));
    release(&found);
    const char *const fine[] = {"profile_load.p95 <= 20 s"};
    const char *const mistyped[] = {"premum"}, *const disk[] = {"array/ssd-raid10"};
    found = find(fine, 1, mistyped, 1, 1, 1);
    assert_int_equal(found.end, SIZE_REFUSED);
    assert_non_null(strstr(found.message, "Did you mean premium?"));
    release(&found);
    found = find(fine, 1, disk, 1, 1, 1);
    assert_int_equal(found.end, SIZE_REFUSED);
    assert_non_null(strstr(found.message, "no file share"));
    release(&found);
}

/* More than any share lets through: the nearest is shown, with what binds. */
static void not_enough(void **state)
{
    (void)state;
    const char *const targets[] = {"iops.mean >= 100000"};
    struct found found = find(targets, 1, premium, 1, 1, 2);
    assert_int_equal(found.end, SIZE_DONE);
    assert_int_equal(found.answer->options[0].fate, SIZE_MISSED);
    assert_true(found.answer->options[0].bytes > 0 && found.answer->options[0].margin < 0);
    release(&found);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pieces_of_premium),      cmocka_unit_test(sizes_that_hold_the_data),
        cmocka_unit_test(smallest_is_enough),     cmocka_unit_test(a_smaller_share_with_a_larger_bucket),
        cmocka_unit_test(right_near_saturation),  cmocka_unit_test(impossible_and_refused),
        cmocka_unit_test(not_enough),
    };
    return RUN_TESTS(tests);
}
