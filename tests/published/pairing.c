/* What pairing by common random numbers is worth, on the shares of premium-size: 5 TiB against 10 TiB. With the same seed
 * both see the very same requests, and as neither reaches a limit the loads are the same to the last digit, which one run
 * tells. Independent runs of the same two cannot tell it from a difference of a second or so: the multiplier of a run
 * makes loads differ by a sixth. Fewer users than the file has, so that it takes seconds. */
#include "sim/experiment/compare/compare.h"
#include "tests/support/check.h"

#include <stdio.h>

static struct sample *run(const char *size, int64_t seed)
{
    char message[256] = "", set[64];
    snprintf(set, sizeof set, "stores.profiles.size=%s", size);
    const char *const sets[] = {set, "workloads.logons.users=60"};
    const struct experiment_options options = {
        .sets = sets, .set_count = 2, .replications = 12, .seed = seed};
    struct problems *problems = problems_create();
    struct experiment *experiment =
        experiment_open(VDISIM_EXPERIMENTS "/what-if/premium-size.yaml", &options, problems);
    if (experiment == NULL) {
        problems_print(problems, stderr, false);
        fail();
    }
    const struct run_options run_options = {0};
    struct result *result = experiment_execute(experiment, &run_options, message, sizeof message);
    assert_non_null(result);
    struct sample *sample = sample_of_result(result, size);
    result_destroy(result);
    experiment_close(experiment);
    problems_destroy(problems);
    assert_non_null(sample);
    return sample;
}

/* Without the multipliers, which the regression would take out of independent runs as well. */
static struct difference plain(const struct sample *a, const struct sample *b, bool paired)
{
    double values[2][12];
    const size_t metric = (size_t)sample_metric(a, "profile_load.mean");
    for (size_t i = 0; i < 12; i++) {
        values[0][i] = sample_value(a, 0, i, metric);
        values[1][i] = sample_value(b, 0, i, metric);
    }
    return difference_of(&(struct difference_input){
        .a = values[0], .b = values[1], .a_count = 12, .b_count = 12, .paired = paired, .confidence = 0.95});
}

static void pairs_tell_at_once_what_independent_runs_do_not(void **state)
{
    (void)state;
    struct sample *five = run("5 TiB", 1), *ten = run("10 TiB", 1), *other = run("10 TiB", 2);
    char message[SAMPLE_MESSAGE_SIZE];
    const char *const metric = "profile_load.mean";
    const struct compare_request request = {.metrics = &metric, .metric_count = 1, .confidence = 0.95};

    struct compare *paired = compare_create(five, ten, &request, message);
    assert_non_null(paired);
    assert_true(paired->paired);
    assert_int_equal(paired->rows[0].verdict, DIFFERENCE_SAME);
    assert_true(isinf(paired->rows[0].difference.saving));
    compare_destroy(paired);

    struct compare *apart = compare_create(five, other, &request, message);
    assert_non_null(apart);
    assert_false(apart->paired);
    assert_true(apart->rows[0].difference.high > apart->rows[0].difference.low);
    compare_destroy(apart);

    struct difference together = plain(five, ten, true), independent = plain(five, other, false);
    double reach_s = (independent.high - independent.low) / 2;
    print_message("paired: %.3g s -+ %.3g; independent: %.2f s -+ %.2f of 12 runs\n", together.value,
                  (together.high - together.low) / 2, independent.value, reach_s);
    assert_near(together.high - together.low, 0, 1e-12);
    assert_between(reach_s, 0.5, 2.5);
    sample_destroy(five);
    sample_destroy(ten);
    sample_destroy(other);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pairs_tell_at_once_what_independent_runs_do_not),
    };
    return RUN_TESTS(tests);
}
