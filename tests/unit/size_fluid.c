/* The fluid answer against what can be worked out by hand, and against the simulation where it is idle, near a limit and
 * overloaded. */
#include "sim/experiment/size/logons_of_store.h"

#include "sim/experiment/run/unit.h"
#include "tests/support/check.h"
#include "tests/support/problems.h"
#include "vdisim/time.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

/* -- by hand: every logon 100 requests in 1 s, 6,000 logons in 10 minutes, so 1,000 requests a second -- */

struct by_hand {
    struct logons_settings settings;
    struct share_settings share;
    struct store_demand session[20];
    struct logon_demand demand;
    struct fluid_case of;
};

static void set_up(struct by_hand *it)
{
    *it = (struct by_hand){.settings = {.users = 6000,
                                        .sessions_per_user = 1,
                                        .session_length_ns = SIM_NS_PER_HOUR,
                                        .arrivals = {.window_ns = 10 * SIM_NS_PER_MIN}}};
    it->share = (struct share_settings){.size_bytes = INT64_C(1) << 40,
                                        .base_iops = 1e6,
                                        .base_iops_max = INFINITY,
                                        .egress_bytes_per_s = 1e12,
                                        .ingress_bytes_per_s = 1e12,
                                        .throughput_max_bytes_per_s = INFINITY,
                                        .metadata_iops = INFINITY,
                                        .account_iops = INFINITY,
                                        .account_egress_bytes_per_s = INFINITY,
                                        .account_ingress_bytes_per_s = INFINITY,
                                        .initial_credits = 1};
    it->demand = (struct logon_demand){.name = "logons",
                                       .settings = &it->settings,
                                       .load_s = 1,
                                       .requests = 100,
                                       .load = {.operations = {[CLASS_READ] = 100}, .egress_bytes = 1e6},
                                       .session = it->session,
                                       .minutes = 20};
    it->of = (struct fluid_case){.share = &it->share,
                                 .demands = &it->demand,
                                 .demand_count = 1,
                                 .user_scale = 1,
                                 .share_count = 1,
                                 .length_s = 1200};
}

static void idle(void **state)
{
    (void)state;
    struct by_hand it;
    struct fluid_answer answer;
    set_up(&it);
    assert_true(fluid_solve(&it.of, &answer));
    assert_near(fluid_metric(&answer, "profile_load.mean"), 1.0, 0.01);
    assert_near(fluid_metric(&answer, "iops.peak"), 1000, 5);
    assert_near(fluid_metric(&answer, "transactions.total"), 600000, 600);
    assert_near(fluid_metric(&answer, "throttled.fraction"), 0, 0);
    assert_true(isnan(fluid_metric(&answer, "nothing")));
    assert_near(answer.unfinished, 0, 1e-9);
}

/* At 500 a second the storm is over after 1,200 s instead of 600 s. With the number under way growing by 5 a second, the
 * last logon finds 3,000 before it and work for up to 600 s; all end by 1,200 s. */
static void half_of_what_is_asked_for(void **state)
{
    (void)state;
    struct by_hand it;
    struct fluid_answer answer;
    set_up(&it);
    it.share.base_iops = 500;
    assert_true(fluid_solve(&it.of, &answer));
    assert_near(fluid_metric(&answer, "transactions.total"), 600000, 3000);
    assert_near(fluid_metric(&answer, "iops.peak"), 500, 1);
    assert_true(fluid_tightest(&answer) == &answer.limits[FLUID_IOPS]);
    assert_near(fluid_utilisation(&answer.limits[FLUID_IOPS]), 2, 0.01);
    assert_true(answer.limits[FLUID_IOPS].held_s > 1150);
    assert_near(fluid_metric(&answer, "throttled.fraction"), 1, 0.01);
    assert_true(answer.doubt_count > 0);
}

/* The same in bytes: 10 MB/s asked for, 5 MB/s let through. */
static void half_of_the_bytes(void **state)
{
    (void)state;
    struct by_hand it;
    struct fluid_answer answer;
    set_up(&it);
    it.share.egress_bytes_per_s = 5e6;
    assert_true(fluid_solve(&it.of, &answer));
    assert_near(fluid_metric(&answer, "egress.peak"), 5e6 / 1048576, 0.02);
    assert_near(fluid_utilisation(&answer.limits[FLUID_EGRESS]), 2, 0.01);
    assert_true(answer.limits[FLUID_EGRESS].held_s > 1150);
}

/* 120,000 credits above a baseline of 600 last 120,000 / (1,000 - 600) = 300 s; then the baseline binds. */
static void credits(void **state)
{
    (void)state;
    struct by_hand it;
    struct fluid_answer answer;
    set_up(&it);
    it.share.base_iops = 600;
    it.share.burst = BURST_OVER_BASELINE;
    it.share.burst_iops_floor = it.share.burst_iops_max = 3000;
    it.share.burst_time_ns = 50 * SIM_NS_PER_S; /* x (3,000 - 600) */
    assert_true(fluid_solve(&it.of, &answer));
    assert_near(answer.credits, 120000, 1);
    assert_near(answer.credits_gone_s, 300, 4);
    assert_near(answer.limits[FLUID_IOPS].first_held_s, 300, 4);
    it.share.burst_time_ns *= 3; /* 360,000: enough for the storm's 240,000 */
    assert_true(fluid_solve(&it.of, &answer));
    assert_true(isnan(answer.credits_gone_s));
    assert_near(answer.credits_min, 120000, 2000);
}

static void shares_and_users(void **state)
{
    (void)state;
    struct by_hand it;
    struct fluid_answer answer;
    set_up(&it);
    it.share.account_iops = 2000;
    it.of.share_count = 4;
    it.of.user_scale = 0.25;
    assert_true(fluid_solve(&it.of, &answer));
    assert_near(fluid_metric(&answer, "iops.peak"), 250, 2);
    assert_near(answer.limits[FLUID_ACCOUNT_IOPS].rate, 500, 0);
}

/* -- against the simulation -- */

struct opened {
    struct problems *problems;
    struct experiment *experiment;
};

static struct opened open_text(const char *text)
{
    char path[] = "/tmp/vdisim-fluid-XXXXXX";
    struct opened it = {.problems = problems_create()};
    const int descriptor = mkstemp(path);
    assert_true(descriptor >= 0);
    FILE *file = fdopen(descriptor, "w");
    fputs(text, file);
    assert_int_equal(fclose(file), 0);
    const struct experiment_options options = {.seed = -1};
    it.experiment = experiment_open(path, &options, it.problems);
    assert_no_errors(it.problems);
    unlink(path);
    return it;
}

static void close_text(struct opened *it)
{
    experiment_close(it->experiment);
    problems_destroy(it->problems);
}

/* One run without run effect is the mean of all but for chance. Each metric within its share of the simulated. */
static void hold_against_a_run(const char *text, double load_share, double iops_share,
                               double fraction_distance)
{
    struct opened it = open_text(text);
    char message[UNIT_MESSAGE_SIZE] = "";
    struct logons_of_store logons;
    struct fluid_answer answer;
    assert_true(logons_of_store_find(&logons, it.experiment, 0, NULL, message, sizeof message));
    assert_true(logons_of_store_measure(&logons, NULL, message, sizeof message));
    assert_true(logons_of_store_solve(&logons, logons_of_store_share(it.experiment, 0, logons.store_index), 1,
                                      1, &answer));
    struct unit_outcome outcome = {.done = false};
    const struct unit_run run = {.experiment = it.experiment};
    assert_int_equal(unit_execute(&run, (struct unit){0, 0}, &outcome, message), UNIT_DONE);
    const double load_s = unit_metric(&outcome, "profile_load.mean"),
                 iops = unit_metric(&outcome, "iops.mean");
    printf("load %.2f s, simulated %.2f; IOPS %.1f, %.1f; throttled %.3f, %.3f; unfinished %.1f, %.0f\n",
           fluid_metric(&answer, "profile_load.mean"), load_s, fluid_metric(&answer, "iops.mean"), iops,
           fluid_metric(&answer, "throttled.fraction"), unit_metric(&outcome, "throttled.fraction"),
           answer.unfinished, unit_metric(&outcome, "logons.unfinished"));
    assert_near(fluid_metric(&answer, "profile_load.mean") / load_s, 1, load_share);
    assert_near(fluid_metric(&answer, "iops.mean") / iops, 1, iops_share);
    assert_near(fluid_metric(&answer, "throttled.fraction"), unit_metric(&outcome, "throttled.fraction"),
                fraction_distance);
    unit_release(&outcome);
    logons_of_store_release(&logons);
    close_text(&it);
}

#define SMALL(users, iops)                                                                                   \
    "experiment: small\n"                                                                                    \
    "stores: {profiles: {tier: azure-files/premium, rules: 2021-01, size: 100 GiB, base_iops: " iops         \
    ", base_iops_per_gib: 0 IOPS, burst: none}}\n"                                                           \
    "workloads: {logons: {users: " users                                                                     \
    ", run_effect: 0, arrivals: {window: 20 min}, profile_management: {preset: automatic}}}\n"               \
    "run: {length: 20 min, replications: 1}\n"

/* Idle, three measured users stand for all: profiles differ by a few percent. */
static void idle_as_simulated(void **state)
{
    (void)state;
    hold_against_a_run(SMALL("150", "5000 IOPS"), 0.02, 0.08, 0);
}

/* Near the limit chance counts, which the fluid does not know: a looser bound. */
static void near_the_limit_as_simulated(void **state)
{
    (void)state;
    hold_against_a_run(SMALL("150", "950 IOPS"), 0.1, 0.08, 0.1);
}

/* Overloaded, the limit decides: requests in all must agree, loads within a seventh. */
static void overloaded_as_simulated(void **state)
{
    (void)state;
    hold_against_a_run(SMALL("150", "560 IOPS"), 0.15, 0.05, 0.1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(idle),
        cmocka_unit_test(half_of_what_is_asked_for),
        cmocka_unit_test(half_of_the_bytes),
        cmocka_unit_test(credits),
        cmocka_unit_test(shares_and_users),
        cmocka_unit_test(idle_as_simulated),
        cmocka_unit_test(near_the_limit_as_simulated),
        cmocka_unit_test(overloaded_as_simulated),
    };
    return RUN_TESTS(tests);
}
