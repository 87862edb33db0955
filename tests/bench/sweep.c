/* A sweep of 100 units on one thread and on two, in turn, by the clock: `vdisim run` is as this.
 *
 *     sweep-bench [USERS [ROUNDS]]
 *
 * Prints the ratio of each round and the median; fails when the median is above 0.55. Nothing else may keep the
 * processors busy.
 */
#include "sim/experiment/read/opening.h"
#include "sim/experiment/result/result.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { ROUNDS_MOST = 99 };

static const double ratio_most = 0.55;

static const char experiment_text[] =
    "experiment: sweep\n"
    "stores: {p: {tier: azure-files/premium, size: 5 TiB}}\n"
    "workloads: {logons: {users: %d, arrivals: {window: 10 min, pattern: poisson}}}\n"
    "vary: {stores.p.size: [1 TiB, 2 TiB, 5 TiB, 10 TiB, 20 TiB]}\n"
    "run: {length: 15 min, replications: 20}\n";

static struct experiment *open_experiment(int users)
{
    char text[1024];
    snprintf(text, sizeof text, experiment_text, users);
    const struct opening opening = {.vocabulary = vocabulary_of_models(),
                                    .catalogue = embedded_catalogue,
                                    .path = "sweep.yaml",
                                    .text = text,
                                    .length = strlen(text)};
    struct problems *problems = problems_create();
    struct experiment *experiment = problems == NULL ? NULL : experiment_open_with(&opening, problems);
    if (experiment == NULL && problems != NULL)
        problems_print(problems, stderr, false);
    problems_destroy(problems);
    return experiment;
}

/* By the clock; negative when it failed. */
static double run_s(const struct experiment *experiment, size_t jobs)
{
    char message[UNIT_MESSAGE_SIZE];
    struct timespec before, after;
    const struct run_options options = {.jobs = jobs};
    clock_gettime(CLOCK_MONOTONIC, &before);
    struct result *result = experiment_execute(experiment, &options, message, sizeof message);
    clock_gettime(CLOCK_MONOTONIC, &after);
    if (result == NULL)
        fprintf(stderr, "%s\n", message);
    bool fine = result != NULL;
    result_destroy(result);
    return fine ? (double)(after.tv_sec - before.tv_sec) + 1e-9 * (double)(after.tv_nsec - before.tv_nsec)
                : -1;
}

static int compare_doubles(const void *left, const void *right)
{
    double a = *(const double *)left, b = *(const double *)right;
    return (a > b) - (a < b);
}

int main(int argc, char **argv)
{
    int users = argc > 1 ? (int)strtol(argv[1], NULL, 10) : 150;
    long rounds = argc > 2 ? strtol(argv[2], NULL, 10) : 5;
    double ratios[ROUNDS_MOST];
    if (users < 1 || users > 100000 || rounds < 1 || rounds > ROUNDS_MOST) {
        fprintf(stderr, "usage: sweep-bench [USERS [ROUNDS]]\n");
        return 2;
    }
    struct experiment *experiment = open_experiment(users);
    for (long i = 0; experiment != NULL && i < rounds; i++) {
        double one_s = run_s(experiment, 1), two_s = run_s(experiment, 2);
        if (one_s < 0 || two_s < 0)
            return 1;
        ratios[i] = two_s / one_s;
        printf("round %ld: one thread %.2f s, two %.2f s, ratio %.3f\n", i + 1, one_s, two_s, ratios[i]);
    }
    if (experiment == NULL)
        return 1;
    qsort(ratios, (size_t)rounds, sizeof ratios[0], compare_doubles);
    double median = ratios[rounds / 2];
    printf("median %.3f, wanted %.2f at most\n", median, ratio_most);
    experiment_close(experiment);
    return median <= ratio_most ? 0 : 1;
}
