/* What the archive costs: a run of the size of a what-if (an hour, two sizes of a share) with and without one, in
 * turn, on one thread; and how long the metrics of 1,000 units take to read.
 *
 *     archive-bench [USERS [REPLICATIONS [ROUNDS]]]
 *
 * Fails when the saving takes more than 3 % of the run, or two readings more than a second.
 */
#include "sim/experiment/archive/archive_metrics.h"
#include "tests/support/made_outcome.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

static const char experiment_text[] = "experiment: bench\n"
                                      "stores: {p: {tier: azure-files/premium, size: 5 TiB}}\n"
                                      "workloads: {logons: {users: %d, arrivals: {window: 50 min}}}\n"
                                      "vary: {stores.p.size: [5 TiB, 10 TiB]}\n"
                                      "run: {length: 60 min, replications: %d}\n";

/* Measures the time in the archive, around it. */
struct timed_keeper {
    struct keeper keeper; /* first */
    struct keeper *inner;
    double save_s, save_wall_s;
};

static double now_s(clockid_t clock)
{
    struct timespec now;
    clock_gettime(clock, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static enum keeper_answer timed_load(struct keeper *keeper, struct unit unit, bool records,
                                     struct unit_outcome *outcome, char message[UNIT_MESSAGE_SIZE])
{
    struct keeper *inner = ((struct timed_keeper *)keeper)->inner;
    return inner->operations->load(inner, unit, records, outcome, message);
}

static bool timed_save(struct keeper *keeper, struct unit unit, const struct unit_outcome *outcome,
                       char message[UNIT_MESSAGE_SIZE])
{
    struct timed_keeper *timed = (struct timed_keeper *)keeper;
    double started_s = now_s(CLOCK_PROCESS_CPUTIME_ID), wall_s = now_s(CLOCK_MONOTONIC);
    bool fine = timed->inner->operations->save(timed->inner, unit, outcome, message);
    timed->save_s += now_s(CLOCK_PROCESS_CPUTIME_ID) - started_s;
    timed->save_wall_s += now_s(CLOCK_MONOTONIC) - wall_s;
    return fine;
}

static const struct keeper_operations timed_operations = {timed_load, timed_save};

static void check(enum archive_status status, const char *message)
{
    if (status == ARCHIVE_FINE)
        return;
    fprintf(stderr, "%s\n", message);
    exit(1);
}

/* CPU seconds of a run. *share: of the saving in them, *wall_share: the same in seconds of the clock, with all waiting
 * for the disk. `path` NULL: without an archive. */
static double run_once(const struct experiment *experiment, const char *path, double *share,
                       double *wall_share)
{
    char message[UNIT_MESSAGE_SIZE] = "";
    struct archive *archive = NULL;
    struct archive_run *kept = NULL;
    struct timed_keeper timed = {.keeper = {&timed_operations}};
    double started_s = now_s(CLOCK_PROCESS_CPUTIME_ID), wall_s = now_s(CLOCK_MONOTONIC);
    if (path != NULL) {
        check(archive_open(path, ARCHIVE_WRITE, &archive, message), message);
        check(archive_run_begin(archive, &(struct archive_request){.experiment = experiment}, &kept, message),
              message);
        timed.inner = archive_run_keeper(kept);
    }
    struct run_options options = {
        .jobs = 1, .keep_records = true, .keeper = path != NULL ? &timed.keeper : NULL};
    struct result *result = experiment_execute(experiment, &options, message, sizeof message);
    if (result == NULL)
        check(ARCHIVE_FAILED, message);
    if (path != NULL)
        check(archive_run_finish(kept, result, message), message);
    archive_run_release(kept);
    archive_close(archive);
    double took_s = now_s(CLOCK_PROCESS_CPUTIME_ID) - started_s;
    result_destroy(result);
    *share = timed.save_s / took_s;
    *wall_share = timed.save_wall_s / (now_s(CLOCK_MONOTONIC) - wall_s);
    return took_s;
}

static int by_size(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double median(double *values, size_t count)
{
    qsort(values, count, sizeof *values, by_size);
    return values[count / 2];
}

static bool bench_run(const char *folder, int users, int replications, int rounds)
{
    char text[1024], path[128];
    snprintf(text, sizeof text, experiment_text, users, replications);
    const struct text_file file = {"bench.yaml", text, strlen(text)};
    const struct experiment_options options = {.seed = -1, .files = &file, .file_count = 1};
    struct problems *problems = problems_create();
    struct experiment *experiment = experiment_open("bench.yaml", &options, problems);
    problems_print(problems, stderr, false);
    problems_destroy(problems);
    if (experiment == NULL)
        exit(1);
    double *without_s = calloc((size_t)rounds, sizeof *without_s),
           *with_s = calloc((size_t)rounds, sizeof *with_s);
    double *shares = calloc((size_t)rounds, sizeof *shares);
    double *wall_shares = calloc((size_t)rounds, sizeof *wall_shares), ignored;
    if (without_s == NULL || with_s == NULL || shares == NULL || wall_shares == NULL)
        exit(1);
    for (int i = 0; i < rounds; i++) {
        snprintf(path, sizeof path, "%s/%d.sqlite", folder, i);
        bool is_first = i % 2 == 0; /* in turn, so that neither is always the one on a warm machine */
        if (is_first)
            without_s[i] = run_once(experiment, NULL, &ignored, &ignored);
        with_s[i] = run_once(experiment, path, &shares[i], &wall_shares[i]);
        if (!is_first)
            without_s[i] = run_once(experiment, NULL, &ignored, &ignored);
        unlink(path);
    }
    double share = median(shares, (size_t)rounds);
    double ratio = median(with_s, (size_t)rounds) / median(without_s, (size_t)rounds);
    printf("run of %d units, %d users: %.2f s CPU, with an archive %.3f times that; saving is %.2f %% of it "
           "(%.2f %% by the clock)%s\n",
           2 * replications, users, without_s[rounds / 2], ratio, 100 * share,
           100 * median(wall_shares, (size_t)rounds), share <= 0.03 ? "" : "  TOO MUCH");
    experiment_close(experiment);
    free(without_s);
    free(with_s);
    free(shares);
    free(wall_shares);
    return share <= 0.03;
}

/* 1,000 made-up units of 70 metrics, with the minutes of two stores beside them to be passed over. */
static bool bench_metrics(const char *folder)
{
    enum { UNITS = 1000, ROUNDS = 5 };
    char message[UNIT_MESSAGE_SIZE] = "", path[128], text[1024];
    snprintf(path, sizeof path, "%s/metrics.sqlite", folder);
    snprintf(text, sizeof text, experiment_text, 10, UNITS / 2);
    const struct text_file file = {"bench.yaml", text, strlen(text)};
    const struct experiment_options options = {.seed = -1, .files = &file, .file_count = 1};
    struct problems *problems = problems_create();
    struct experiment *experiment = experiment_open("bench.yaml", &options, problems);
    problems_destroy(problems);
    if (experiment == NULL)
        exit(1);
    struct archive *archive;
    struct archive_run *run;
    check(archive_open(path, ARCHIVE_WRITE, &archive, message), message);
    check(archive_run_begin(archive, &(struct archive_request){.experiment = experiment}, &run, message),
          message);
    check(archive_transaction_begin(archive, message), message);
    const struct made_sizes sizes = {70, 0, 2, 60, 0, 1, true};
    struct keeper *keeper = archive_run_keeper(run);
    for (size_t i = 0; i < UNITS; i++) {
        struct unit_outcome made = made_outcome(i, &sizes);
        if (!keeper->operations->save(keeper, (struct unit){i % 2, i / 2}, &made, message))
            check(ARCHIVE_FAILED, message);
        unit_release(&made);
    }
    check(archive_transaction_end(archive, true, message), message);
    archive_run_release(run);
    archive_close(archive);
    double took_s[ROUNDS];
    for (int i = 0; i < ROUNDS; i++) {
        struct archive_metrics *metrics;
        double started_s = now_s(CLOCK_PROCESS_CPUTIME_ID);
        check(archive_open(path, ARCHIVE_READ, &archive, message), message);
        check(archive_metrics_load(archive, 0, &metrics, message), message);
        archive_metrics_free(metrics);
        archive_close(archive);
        took_s[i] = now_s(CLOCK_PROCESS_CPUTIME_ID) - started_s;
    }
    double typical_s = median(took_s, ROUNDS);
    printf("metrics of %d units, 70 each: read in %.1f ms CPU%s\n", UNITS, 1000 * typical_s,
           2 * typical_s < 1 ? "" : "  TOO SLOW");
    experiment_close(experiment);
    unlink(path);
    return 2 * typical_s < 1;
}

static int number(const char *text)
{
    long value = strtol(text, NULL, 10);
    return value < 1 ? 1 : value > 100000 ? 100000 : (int)value;
}

int main(int argc, char **argv)
{
    char folder[] = "/tmp/vdisim-bench-XXXXXX";
    if (mkdtemp(folder) == NULL)
        return 1;
    int users = argc > 1 ? number(argv[1]) : 200, replications = argc > 2 ? number(argv[2]) : 2;
    int rounds = argc > 3 ? number(argv[3]) : 5;
    bool fine = bench_metrics(folder);
    fine = bench_run(folder, users, replications, rounds) && fine;
    rmdir(folder);
    return !fine;
}
