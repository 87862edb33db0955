/* Targets: how they are read, which are refused, and how sure a judgement is. */
#include "sim/experiment/size/target.h"

#include "tests/support/check.h"
#include "vdisim/random.h"

#include <math.h>
#include <string.h>

static void read_as(const char *text, const char *metric, bool at_most, double limit)
{
    struct target target;
    char message[TARGET_MESSAGE_SIZE] = "";
    if (!target_parse(&target, text, message))
        fail_msg("%s: %s", text, message);
    assert_string_equal(target.metric, metric);
    assert_int_equal(target.at_most, at_most);
    assert_near(target.limit, limit, 1e-12);
}

static void reads(void **state)
{
    (void)state;
    read_as("profile_load.p95 <= 15 s", "profile_load.p95", true, 15);
    read_as("profile_load.p95<15s", "profile_load.p95", true, 15);
    read_as("profile_load.p95 <= 15", "profile_load.p95", true, 15);
    read_as("throttled.fraction <= 0.1 %", "throttled.fraction", true, 0.001);
    read_as("server_latency.mean <= 5 ms", "server_latency.mean", true, 5);
    read_as("iops.mean >= 2,000 IOPS", "iops.mean", false, 2000);
    read_as("morning.profile_load.max > 1 min", "morning.profile_load.max", false, 60);
}

static void refused(const char *text, const char *because)
{
    struct target target;
    char message[TARGET_MESSAGE_SIZE] = "";
    if (target_parse(&target, text, message))
        fail_msg("'%s' was read", text);
    if (strstr(message, because) == NULL)
        fail_msg("'%s': '%s' does not say '%s'", text, message, because);
}

static void refuses(void **state)
{
    (void)state;
    refused("", "is no target");
    refused("profile_load.p95", "is no target");
    refused("profile_load.p95 = 15 s", "is no target");
    refused("profile_load.p95 <= ", "is no target");
    refused("<= 15 s", "is no target");
    refused("profile_load.p95 => 15 s", "is no target");
    refused("profile_load.p95 <= 15 MiB", "MiB");
    refused("throttled.fraction <= 5 s", "5 s");
    refused("throttled.fraction <= nan", "nan");
    refused("pro file <= 5 s", "is no target");
}

static bool possible(const char *first, const char *second)
{
    struct target targets[2];
    char message[TARGET_MESSAGE_SIZE] = "";
    assert_true(target_parse(&targets[0], first, message));
    if (second != NULL)
        assert_true(target_parse(&targets[1], second, message));
    return targets_are_possible(targets, second != NULL ? 2 : 1, message);
}

static void contradictions(void **state)
{
    (void)state;
    assert_true(possible("iops.mean >= 10", "iops.mean <= 10"));
    assert_false(possible("iops.mean >= 11", "iops.mean <= 10"));
    assert_false(possible("iops.mean <= 10", "iops.mean >= 11"));
    assert_true(possible("iops.mean >= 11", "iops.peak <= 10"));
    assert_false(possible("throttled.fraction <= -0.01", NULL));
    assert_false(possible("throttled.fraction >= 1.01", NULL));
    assert_false(possible("profile_load.p95 <= 0 s", NULL));
    assert_true(possible("profile_load.over_30s <= 0 %", NULL));
}

/* Five values with mean 3 and standard deviation 1.5811; t of 4 degrees of freedom at 95 % one-sided is 2.13185. */
static void bound(void **state)
{
    (void)state;
    const double values[] = {1, 2, 3, 4, 5}, effects[] = {1, 1, 1, 1, 1};
    const struct mornings five = {.count = 5}, three = {.count = 3};
    struct target target = {.metric = "x", .at_most = true, .limit = 4.6};
    struct standing standing = target_judge(&target, &five, values, effects, 0.05);
    assert_near(standing.mean, 3, 1e-12);
    assert_near(standing.bound, 3 + 2.131847 * 1.5811388 / sqrt(5), 1e-5);
    assert_true(standing.met && !standing.missed);
    target.limit = 4;
    standing = target_judge(&target, &five, values, effects, 0.05);
    assert_true(!standing.met && !standing.missed);
    target.limit = 1;
    standing = target_judge(&target, &five, values, effects, 0.05);
    assert_true(!standing.met && standing.missed);
    target.at_most = false;
    standing = target_judge(&target, &five, values, effects, 0.05);
    assert_true(standing.met);
    const double holes[] = {1, NAN, 3};
    standing = target_judge(&target, &three, holes, effects, 0.05);
    assert_true(standing.missed && isnan(standing.mean));
    assert_near(target_margin(&target, 1.5), 0.5, 1e-12);
    assert_true(target_margin(&target, NAN) < -1e9);
}

/* Whether so many mornings like these would do: 3 + 1.65 (t of 5 degrees at 92 %) x 0.707 / sqrt(20 / 5) = 3.58. */
static void promise(void **state)
{
    (void)state;
    const double values[] = {1, 2, 3, 4, 5}, same[] = {1, 1, 1, 1, 1};
    const struct mornings five = {.count = 5};
    struct target target = {.metric = "x", .at_most = true, .limit = 3.65};
    assert_true(target_promises(&target, &five, values, same, 20, 0.08));
    assert_false(target_promises(&target, &five, values, same, 10, 0.08));
    target.limit = 3.5;
    assert_false(target_promises(&target, &five, values, same, 20, 0.08));
    /* By mornings of an effect of 1.2 in the mean, at 1 the values would be 1 less: 5 a unit of the effect. */
    const double effects[] = {0.8, 1.0, 1.2, 1.4, 1.6};
    assert_true(target_promises(&target, &five, values, effects, 20, 0.08));
    target.limit = 2.5;
    assert_false(target_promises(&target, &five, values, effects, 20, 0.08));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reads),
        cmocka_unit_test(refuses),
        cmocka_unit_test(contradictions),
        cmocka_unit_test(bound),
        cmocka_unit_test(promise),
    };
    return RUN_TESTS(tests);
}
