/* compare-archives: how long `vdisim compare` of two archives takes, from opening them to the last byte printed, with all
 * metrics. The archives are made up: 100 cells, 10 replications, 60 metrics each.
 *
 *     compare-archives [DIR]
 *
 * Prints the median of nine, in CPU time: it is one thread, which is what a person waits for on a machine that has nothing
 * else to do. Exit status: 0 within a second, 3 not, 1 failed. */
#include "sim/experiment/archive/archive.h"
#include "sim/experiment/compare/compare.h"
#include "tests/bench/bench.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { CELLS = 100, REPLICATIONS = 10, METRICS = 60, REPEATS = 9, PATH_SIZE = 512 };

static struct experiment *open_made(const char *path)
{
    FILE *file = fopen(path, "w");
    if (file == NULL)
        return NULL;
    fprintf(file,
            "experiment: made\nstores: {profiles: {tier: azure-files/premium, size: 5 TiB}}\n"
            "workloads: {logons: {users: 10}}\nrun: {replications: %d}\nvary: {workloads.logons.users: [",
            REPLICATIONS);
    for (int i = 0; i < CELLS; i++)
        fprintf(file, "%s%d", i == 0 ? "" : ", ", 10 + i);
    fprintf(file, "]}\n");
    fclose(file);
    struct problems *problems = problems_create();
    struct experiment *experiment = experiment_open(path, &(struct experiment_options){.seed = -1}, problems);
    if (experiment == NULL)
        problems_print(problems, stderr, false);
    problems_destroy(problems);
    return experiment;
}

/* Numbers without a pattern, the same each time. */
static double made_value(size_t unit, size_t metric, int which)
{
    uint64_t mixed = (unit * METRICS + metric + 1) * UINT64_C(0x9e3779b97f4a7c15);
    mixed ^= mixed >> 29;
    return 1 + (double)(mixed % 1000003) / 1000003 + 0.01 * which * (double)(metric % 3);
}

static bool save_unit(struct archive_run *run, size_t cell, size_t replication, int which, char *message)
{
    static char names[METRICS][32], unit_of_all[] = "s";
    struct metric_name metrics[METRICS];
    double values[METRICS];
    for (size_t i = 0; i < METRICS; i++) {
        snprintf(names[i], sizeof names[i], i == 0 ? "profile_load.mean" : "made.metric_%zu", i);
        metrics[i] = (struct metric_name){names[i], unit_of_all};
        values[i] = made_value(cell * REPLICATIONS + replication, i, which);
    }
    struct unit_outcome outcome = {
        .done = true, .names = metrics, .values = values, .metric_count = METRICS, .run_effect = 1};
    struct keeper *keeper = archive_run_keeper(run);
    return keeper->operations->save(keeper, (struct unit){cell, replication}, &outcome, message);
}

static bool make_archive(const char *path, const struct experiment *experiment, int which, char *message)
{
    struct archive *archive = NULL;
    struct archive_run *run = NULL;
    struct archive_request request = {.experiment = experiment};
    bool made = archive_open(path, ARCHIVE_WRITE, &archive, message) == ARCHIVE_FINE &&
                archive_run_begin(archive, &request, &run, message) == ARCHIVE_FINE &&
                archive_transaction_begin(archive, message) == ARCHIVE_FINE;
    for (size_t cell = 0; cell < CELLS; cell++)
        for (size_t i = 0; made && i < REPLICATIONS; i++)
            made = save_unit(run, cell, i, which, message);
    made = made && archive_transaction_end(archive, true, message) == ARCHIVE_FINE;
    archive_run_release(run);
    archive_close(archive);
    return made;
}

static double measure_ms(const char *a_path, const char *b_path, char *message)
{
    double began_ns = bench_cpu_ns();
    struct sample *a = sample_of_archive(a_path, 0, message);
    struct sample *b = a == NULL ? NULL : sample_of_archive(b_path, 0, message);
    struct compare_request request = {.all = true, .confidence = 0.95};
    struct compare *compare = b == NULL ? NULL : compare_create(a, b, &request, message);
    struct writer writer = {.file = fopen("/dev/null", "w")};
    bool complete = compare != NULL && compare->row_count == CELLS * METRICS && writer.file != NULL &&
                    compare_print(compare, &writer, &(struct text_style){0});
    if (writer.file != NULL)
        fclose(writer.file);
    compare_destroy(compare);
    sample_destroy(a);
    sample_destroy(b);
    return complete ? (bench_cpu_ns() - began_ns) / 1e6 : -1;
}

static int ascending(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static int run(const char *folder)
{
    char message[SAMPLE_MESSAGE_SIZE] = "no reason given", paths[3][PATH_SIZE];
    snprintf(paths[0], PATH_SIZE, "%.400s/a.sqlite", folder);
    snprintf(paths[1], PATH_SIZE, "%.400s/b.sqlite", folder);
    snprintf(paths[2], PATH_SIZE, "%.400s/made.yaml", folder);
    struct experiment *experiment = open_made(paths[2]);
    double times[REPEATS] = {-1};
    bool made = experiment != NULL && make_archive(paths[0], experiment, 0, message) &&
                make_archive(paths[1], experiment, 1, message);
    for (size_t i = 0; made && i < REPEATS; i++)
        if ((times[i] = measure_ms(paths[0], paths[1], message)) < 0)
            made = false;
    experiment_close(experiment);
    for (size_t i = 0; i < 3; i++)
        unlink(paths[i]);
    if (!made) {
        fprintf(stderr, "compare-archives: %s\n", message);
        return 1;
    }
    qsort(times, REPEATS, sizeof *times, ascending);
    printf(
        "compare of two archives of %d units, %d metrics each: %.0f ms of CPU (%.0f to %.0f), limit 1000\n",
        CELLS * REPLICATIONS, METRICS, times[REPEATS / 2], times[0], times[REPEATS - 1]);
    return times[REPEATS / 2] <= 1000 ? 0 : 3;
}

int main(int argc, char **argv)
{
    char folder[] = "/tmp/vdisim-bench-XXXXXX";
    if (argc > 1)
        return run(argv[1]);
    if (mkdtemp(folder) == NULL)
        return 1;
    int status = run(folder);
    rmdir(folder);
    return status;
}
