/* Measures what a unit costs rank 0 of an MPI job that hands out and collects, and how long a sweep takes:
 *
 *     mpirun -n RANKS handout-cost USERS MINUTES UNITS RECORDS ARCHIVE AHEAD ITSELF
 *
 * Units of USERS logons in MINUTES; RECORDS 0 or 1: with logons and minutes; ARCHIVE: a file to be made, or -; AHEAD: units
 * that a rank holds beyond the one it runs; ITSELF 0 or 1: rank 0 runs units, too. Prints one row as CSV with
 * its heading:
 *   wall_s         from the first unit handed out to the last outcome kept
 *   rank_0_cpu_s   all processor time of rank 0 meanwhile, looking for messages included
 *   us_per_unit    processor time of rank 0 for receiving, giving the next, decoding and keeping, per unit
 *   unit_ms        processor time of one unit, measured on rank 0 before
 *   bytes          of one outcome
 */
#include "sim/experiment/archive/archive.h"
#include "sim/experiment/read/problem.h"
#include "sim/experiment/run/mpi.h"
#include "sim/experiment/run/unit_bytes.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

struct measurement {
    long users, minutes, units, ahead;
    bool records, itself;
    const char *archive;
    struct experiment *experiment;
    struct archive_run *kept;
    struct unit *list;
    struct unit_outcome *outcomes;
};

static double clock_s(clockid_t clock)
{
    struct timespec now;
    clock_gettime(clock, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* Every rank from a file of its own. */
static struct experiment *open_experiment(const struct measurement *m)
{
    char path[] = "/tmp/handout-XXXXXX";
    int descriptor = mkstemp(path);
    FILE *file = descriptor < 0 ? NULL : fdopen(descriptor, "w");
    if (file == NULL)
        return NULL;
    fprintf(file,
            "experiment: handout\nstores: {profiles: {tier: azure-files/premium, size: 5 TiB}}\n"
            "workloads: {logons: {users: %ld, arrivals: {window: %ld min, pattern: poisson}}}\n"
            "run: {length: %ld min, replications: %ld}\n",
            m->users, m->minutes, m->minutes, m->units);
    fclose(file);
    struct problems *problems = problems_create();
    struct experiment *experiment = experiment_open(path, &(struct experiment_options){.seed = -1}, problems);
    if (experiment == NULL)
        problems_print(problems, stderr, false);
    problems_destroy(problems);
    unlink(path);
    return experiment;
}

static bool keep(void *context, size_t index, char message[UNIT_MESSAGE_SIZE])
{
    struct measurement *m = context;
    bool is_kept = true;
    if (m->kept != NULL) {
        struct keeper *keeper = archive_run_keeper(m->kept);
        is_kept = keeper->operations->save(keeper, m->list[index], &m->outcomes[index], message);
    }
    unit_release(&m->outcomes[index]);
    return is_kept;
}

static bool measure_one(struct measurement *m, double *unit_s, size_t *bytes)
{
    char message[UNIT_MESSAGE_SIZE];
    struct unit_run run = {.experiment = m->experiment, .keep_records = m->records};
    struct unit_outcome outcome;
    struct unit_bytes encoded = {0};
    double before = clock_s(CLOCK_PROCESS_CPUTIME_ID);
    bool done = unit_execute(&run, (struct unit){0, 0}, &outcome, message) == UNIT_DONE;
    *unit_s = clock_s(CLOCK_PROCESS_CPUTIME_ID) - before;
    done = done && unit_encode(&outcome, &encoded);
    *bytes = encoded.size;
    unit_release(&outcome);
    unit_bytes_release(&encoded);
    return done;
}

static bool measure(struct measurement *m)
{
    char message[UNIT_MESSAGE_SIZE] = "";
    double unit_s = 0;
    size_t bytes = 0, count = (size_t)m->units;
    struct unit_outcome **places = calloc(count, sizeof *places);
    struct archive *archive = NULL;
    m->list = calloc(count, sizeof *m->list);
    m->outcomes = calloc(count, sizeof *m->outcomes);
    for (size_t i = 0; i < count; i++) {
        m->list[i].replication = i;
        places[i] = &m->outcomes[i];
    }
    bool fine = measure_one(m, &unit_s, &bytes);
    if (fine && m->archive[0] != '-') {
        struct archive_request request = {.experiment = m->experiment};
        fine = archive_open(m->archive, ARCHIVE_WRITE, &archive, message) == ARCHIVE_FINE &&
               archive_run_begin(archive, &request, &m->kept, message) == ARCHIVE_FINE;
    }
    struct round round = {.experiment = m->experiment,
                          .units = m->list,
                          .outcomes = places,
                          .count = count,
                          .keep_records = m->records,
                          .finished = keep,
                          .context = m};
    struct mpi_hand_out how = mpi_hand_out_usual();
    how.ahead = (size_t)m->ahead;
    how.runs_units_itself = m->itself;
    int64_t busy_ns = 0;
    how.busy_ns = &busy_ns;
    double wall_s = clock_s(CLOCK_MONOTONIC), cpu_s = clock_s(CLOCK_PROCESS_CPUTIME_ID);
    fine = fine && (mpi_size() > 1 ? mpi_hand_out_round(&round, &how, message)
                                   : round_by_threads(&round, 1, message));
    wall_s = clock_s(CLOCK_MONOTONIC) - wall_s;
    cpu_s = clock_s(CLOCK_PROCESS_CPUTIME_ID) - cpu_s;
    if (fine)
        printf("ranks,users,minutes,units,records,archive,ahead,itself,wall_s,rank_0_cpu_s,us_per_unit,unit_"
               "ms,bytes\n"
               "%zu,%ld,%ld,%ld,%d,%d,%ld,%d,%.3f,%.3f,%.1f,%.2f,%zu\n",
               mpi_size(), m->users, m->minutes, m->units, m->records, archive != NULL, m->ahead, m->itself,
               wall_s, cpu_s, 1e-3 * (double)busy_ns / (double)m->units, 1e3 * unit_s, bytes);
    else
        fprintf(stderr, "handout-cost: %s\n", message);
    archive_run_release(m->kept);
    archive_close(archive);
    free(m->list);
    free(m->outcomes);
    free(places);
    return fine;
}

int main(int argc, char **argv)
{
    char message[UNIT_MESSAGE_SIZE];
    int status = EXIT_FAILURE;
    if (!mpi_start(&argc, &argv, message))
        return EXIT_FAILURE;
    if (argc == 8) {
        struct measurement m = {.users = strtol(argv[1], NULL, 10),
                                .minutes = strtol(argv[2], NULL, 10),
                                .units = strtol(argv[3], NULL, 10),
                                .records = argv[4][0] == '1',
                                .archive = argv[5],
                                .ahead = strtol(argv[6], NULL, 10),
                                .itself = argv[7][0] == '1'};
        m.experiment = open_experiment(&m);
        const struct experiment *const *served = (const struct experiment *const *)&m.experiment;
        if (m.experiment == NULL || m.units < 1) {
            fprintf(stderr, "handout-cost: no such experiment\n");
        } else if (mpi_rank() > 0) {
            mpi_serve(served, 1);
        } else {
            status = measure(&m) ? EXIT_SUCCESS : EXIT_FAILURE;
            mpi_dismiss();
        }
        experiment_close(m.experiment);
    } else {
        fprintf(stderr,
                "usage: mpirun -n RANKS handout-cost USERS MINUTES UNITS RECORDS ARCHIVE AHEAD ITSELF\n");
    }
    mpi_finish(&status);
    return status;
}
