/* Baselines: written and read back bit by bit, refused when foreign or damaged, whole or not at all; and what a
 * regression test says of made-up results against one. */
#include "sim/experiment/compare/baseline.h"

#include "sim/experiment/compare/regress.h"
#include "tests/support/made_result.h"
#include "tests/support/made_sample.h"
#include "tests/support/problems.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

static const char *const sizes[] = {"1 TiB", "a \"b\": {c}", NULL};
static const char *const metrics[] = {"profile_load.mean s", "null.metric", NULL};
static const double values[] = {0.1, NAN, 1.0 / 3, 5e-324, -2.5e300, 123456789.123456789, 7, 1};
static const struct baseline_step step = {"1", "abc", "because: \"it\"\nhad to", "all of it"};

static void make_path(char *path, char *folder)
{
    assert_non_null(mkdtemp(folder));
    snprintf(path, 128, "%s/new/made.yaml", folder);
}

static void remove_folder(const char *folder)
{
    char command[128];
    snprintf(command, sizeof command, "%s/new/made.yaml", folder);
    unlink(command);
    snprintf(command, sizeof command, "%s/new", folder);
    assert_int_equal(rmdir(command), 0); /* nothing half-written is left */
    rmdir(folder);
}

static struct baseline *read_back(const char *path)
{
    struct baseline *baseline;
    struct problems *problems = problems_create();
    assert_int_equal(baseline_read(path, "made", &baseline, problems), BASELINE_READ);
    problems_destroy(problems);
    return baseline;
}

static void reads_back_exactly(void **state)
{
    (void)state;
    char path[128], folder[] = "/tmp/vdisim-baseline-XXXXXX", message[256];
    make_path(path, folder);
    struct sample *sample = make_sample("x", 7, sizes, metrics, 2, values, true);
    assert_true(baseline_write(path, sample, NULL, &step, message, sizeof message));
    struct baseline *first = read_back(path);
    const struct baseline_step second_step = {"2", "", "again", "nothing"};
    assert_true(baseline_write(path, first->sample, first, &second_step, message, sizeof message));
    struct baseline *second = read_back(path);

    assert_int_equal(second->history_count, 2);
    assert_string_equal(second->history[0].because, step.because);
    assert_string_equal(second->history[1].moved, "nothing");
    const struct sample *back = second->sample;
    assert_int_equal(back->seed, 7);
    assert_int_equal(back->cell_count, 2);
    assert_string_equal(back->cells[1].assignments[0].value, sizes[1]);
    assert_string_equal(back->metrics[0].unit, "s");
    for (size_t cell = 0; cell < 2; cell++)
        for (size_t i = 0; i < 2; i++) {
            assert_true(back->fingerprints[cell * 2 + i] == sample->fingerprints[cell * 2 + i]);
            assert_true(back->events[cell * 2 + i] == sample->events[cell * 2 + i]);
            assert_true(back->run_effects[cell * 2 + i] == sample->run_effects[cell * 2 + i]);
            for (size_t metric = 0; metric < 2; metric++) {
                double was = sample_value(sample, cell, i, metric), is = sample_value(back, cell, i, metric);
                assert_true(was == is || (isnan(was) && isnan(is)));
            }
        }
    baseline_destroy(first);
    baseline_destroy(second);
    sample_destroy(sample);
    remove_folder(folder);
}

static void assert_refused(const char *path, const char *text, const char *complaint)
{
    FILE *file = fopen(path, "w");
    fputs(text, file);
    fclose(file);
    struct baseline *baseline;
    struct problems *problems = problems_create();
    assert_int_equal(baseline_read(path, "made", &baseline, problems), BASELINE_REFUSED);
    assert_null(baseline);
    char *said = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&said, &size);
    problems_print(problems, out, false);
    fclose(out);
    if (strstr(said, complaint) == NULL)
        fail_msg("not said: %s\nin:\n%s", complaint, said);
    free(said);
    problems_destroy(problems);
}

#define HEAD                                                                                                 \
    "baseline: 1\nexperiment: made\nhash: x\ngenerator: g\nseed: 1\nreplications: 2\nhistory: []\n"          \
    "units: {m: s}\ncells:\n  - cell: {}\n"
#define REST "    fingerprints: [0a, 0b]\n    events: [1, 2]\n    run_effects: [1, 1]\n"

static void refuses_what_is_none(void **state)
{
    (void)state;
    char path[] = "/tmp/vdisim-baseline-XXXXXX";
    close(mkstemp(path));
    assert_refused(path, "", "is empty");
    assert_refused(path, "experiment: made\nworkloads: {}\n", ":1:1: error: is no baseline of vdisim");
    assert_refused(path, "[1, 2]\n", "is no baseline of vdisim");
    assert_refused(path, "baseline: 2\nexperiment: made\n",
                   ":1:11: error: is of format 2, which a newer program wrote");
    assert_refused(path, "baseline: 1\nexperiment: other\n",
                   ":2:13: error: is the baseline of 'other', not of 'made'");
    assert_refused(path, "baseline: 1\nexperiment: made\n", "hash is missing");
    assert_refused(path, HEAD "    values: {}\n", "fingerprints is missing");
    assert_refused(path, HEAD REST "    values: {m: [1]}\n",
                   ":14:17: error: m has 1 values, not one for each of 2");
    assert_refused(path, HEAD REST "    values: {m: [1, x]}\n", ":14:21: error: 'x' is not a number");
    assert_refused(path, HEAD REST "    values: {n: [1, 2]}\n", "'n' is not among the units");
    assert_refused(
        path,
        HEAD "    fingerprints: [0a, zz]\n    events: [1, 2]\n    run_effects: [1, 1]\n    values: {}\n",
        "is no fingerprint");
    assert_refused(path, HEAD REST "    values: {m: [1, 2\n", "error");
    unlink(path);
    struct baseline *baseline;
    assert_int_equal(baseline_read(path, "made", &baseline, NULL), BASELINE_MISSING);
}

static void is_written_whole_or_not_at_all(void **state)
{
    (void)state;
    char message[256];
    struct sample *sample = make_sample("x", 7, sizes, metrics, 2, values, true);
    assert_false(baseline_write("/proc/nowhere/made.yaml", sample, NULL, &step, message, sizeof message));
    assert_non_null(strstr(message, "cannot write '/proc/nowhere/made.yaml'"));
    sample_destroy(sample);
}

#define EXPERIMENT                                                                                           \
    "experiment: x\nstores: {p: {tier: azure-files/premium, size: 5 TiB}}\nworkloads: {logons: {users: "     \
    "10}}\n"                                                                                                 \
    "vary: {stores.p.tier: [azure-files/premium, azure-files/hot]}\nrun: {replications: 3}\n"

static const char *const load[] = {"profile_load.mean s", "iops.mean IOPS", NULL};
static const double then_values[] = {7, 100, 8, 101, 7.5, 102, 14, 100, 15, 101, 16, 102};

/* One result against the baseline of another. To be destroyed. */
static struct regression *against(const char *then_text, const char *text, const double *now_values,
                                  uint64_t fingerprint)
{
    struct result *then = make_result(then_text, load, then_values, 0);
    struct result *now = make_result(text, load, now_values, 0);
    for (size_t i = 0; i < now->cell_count * now->replications; i++)
        now->units[i].account.fingerprint = fingerprint;
    struct baseline baseline = {.sample = sample_of_result(then, "then")};
    struct sample *sample = sample_of_result(now, "now");
    struct regression *regression = regress_create(now, sample, &baseline);
    assert_non_null(regression);
    sample_destroy(sample);
    sample_destroy(baseline.sample);
    release_made_result(then);
    release_made_result(now);
    return regression;
}

static struct regression *against_then(const char *text, const double *now_values, uint64_t fingerprint)
{
    return against(EXPERIMENT, text, now_values, fingerprint);
}

static char *regression_text(const struct regression *regression)
{
    char *text = NULL;
    size_t size = 0;
    struct writer writer = {.file = open_memstream(&text, &size)};
    regress_print(regression, "x.yaml", "b/x.yaml", &writer, &(struct text_style){0});
    fclose(writer.file);
    return text;
}

static void identical_and_other_events(void **state)
{
    (void)state;
    struct regression *it = against_then(EXPERIMENT, then_values, 0);
    assert_int_equal(it->outcome, REGRESS_IDENTICAL);
    assert_int_equal(it->runs, 6);
    char *text = regression_text(it);
    assert_says(text, "x: identical (2 cells x 3 replications, 2 metrics)", true);
    free(text);
    regress_destroy(it);

    it = against_then(EXPERIMENT, then_values, 1);
    assert_int_equal(it->outcome, REGRESS_MOVED);
    assert_int_equal(it->mover_count, 0);
    assert_string_equal(it->moved, "no value; other events in 6 of 6 runs");
    regress_destroy(it);
}

static void says_what_moved(void **state)
{
    (void)state;
    double now[12];
    memcpy(now, then_values, sizeof now);
    for (size_t i = 0; i < 3; i++)
        now[6 + 2 * i] += 1.5; /* the load of the second cell */
    struct regression *it = against_then(EXPERIMENT, now, 1);
    assert_int_equal(it->outcome, REGRESS_MOVED);
    assert_int_equal(it->mover_count, 1);
    assert_string_equal(it->movers[0].metric, "profile_load.mean");
    assert_string_equal(it->movers[0].cell, "hot");
    assert_near(it->movers[0].difference.value, 1.5, 1e-12);
    assert_int_equal(it->movers[0].noise, NOISE_BEYOND); /* the same in all runs */
    assert_string_equal(it->moved, "profile_load.mean +10 % (hot); 1 of 2 metrics moved");
    regress_destroy(it);

    /* Up and down: that may be noise. */
    memcpy(now, then_values, sizeof now);
    now[6] += 1;
    now[8] -= 1;
    it = against_then(EXPERIMENT, now, 1);
    assert_int_equal(it->movers[0].noise, NOISE_UNCLEAR);
    regress_destroy(it);
}

static void names_cells_that_come_and_go(void **state)
{
    (void)state;
    static const char premium_alone[] =
        "experiment: x\nstores: {p: {tier: azure-files/premium, size: 5 TiB}}\nworkloads: {logons: {users: "
        "10}}\n"
        "vary: {stores.p.tier: [azure-files/premium]}\nrun: {replications: 3}\n";
    struct regression *it = against_then(premium_alone, then_values, 0);
    assert_int_equal(it->outcome, REGRESS_MOVED);
    assert_int_equal(it->cells, 1);
    assert_int_equal(it->cells_added_count, 0);
    assert_int_equal(it->cells_removed_count, 1);
    assert_string_equal(it->cells_removed[0], "hot");
    assert_string_equal(it->moved, "without cell hot");
    assert_true(it->hash_differs);
    regress_destroy(it);

    it = against(premium_alone, EXPERIMENT, then_values, 0);
    assert_int_equal(it->outcome, REGRESS_MOVED);
    assert_string_equal(it->cells_added[0], "hot");
    assert_int_equal(it->cells_removed_count, 0);
    assert_int_equal(it->mover_count, 0);
    regress_destroy(it);
}

static void tells_missed_from_missed_before(void **state)
{
    (void)state;
    double now[12];
    memcpy(now, then_values, sizeof now);
    for (size_t i = 0; i < 6; i++)
        now[2 * i] += 3; /* 7.5 -> 10.5 and 15 -> 18 */
    struct regression *it =
        against_then(EXPERIMENT "expect:\n"
                                "  - {metric: profile_load.mean, where: {tier: premium}, below: 10 s}\n"
                                "  - {metric: profile_load.mean, where: {tier: hot}, below: 14 s}\n"
                                "  - {metric: iops.mean, above: 50}\n",
                     now, 1);
    assert_int_equal(it->expectations.total, 4);
    assert_int_equal(it->expectations.met, 2);
    assert_int_equal(it->expectations.missed, 2);
    assert_int_equal(it->newly_missed_count, 1);
    assert_string_equal(it->newly_missed[0].cell, "premium");
    assert_near(it->newly_missed[0].then, 7.5, 1e-12);
    assert_near(it->newly_missed[0].now, 10.5, 1e-12);
    char *text = regression_text(it);
    assert_says(text, "MISSED, and was met: profile_load.mean in premium", true);
    free(text);
    regress_destroy(it);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reads_back_exactly),
        cmocka_unit_test(refuses_what_is_none),
        cmocka_unit_test(is_written_whole_or_not_at_all),
        cmocka_unit_test(identical_and_other_events),
        cmocka_unit_test(says_what_moved),
        cmocka_unit_test(names_cells_that_come_and_go),
        cmocka_unit_test(tells_missed_from_missed_before),
    };
    return RUN_TESTS(tests);
}
