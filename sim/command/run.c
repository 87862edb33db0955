/* vdisim run: runs experiments, prints what people or programs want to see, and leaves a result folder. */
#include "sim/command/command.h"
#include "sim/command/interrupt.h"
#include "sim/command/ranks.h"
#include "sim/command/run_request.h"
#include "sim/command/streams.h"
#include "sim/command/terminal.h"
#include "sim/experiment/archive/archive.h"
#include "sim/experiment/read/metric_value.h"
#include "sim/experiment/read/suggest.h"
#include "sim/experiment/result/folder.h"
#include "sim/experiment/result/json.h"
#include "sim/experiment/result/records.h"
#include "sim/experiment/result/table.h"
#include "sim/experiment/run/mpi.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

enum { MESSAGE_SIZE = 1024 };

/* One of the files: what it says, where its results go, what came of it. */
struct run_job {
    const char *file;
    struct experiment *experiment;
    char *folder; /* NULL: no results are written */
    bool written;
    struct selection_request selection;
    bool selects;
    struct archive_run *kept; /* where its units are kept; NULL */
};

static void complain(const char *message)
{
    fprintf(stderr, "vdisim run: %s\n", message);
}

/* Opens one file and prints what is wrong with it. */
static enum exit_status open_experiment(const struct run_request *request, struct run_job *job)
{
    if (!file_is_readable("run", job->file))
        return EXIT_FAILED;
    struct problems *problems = problems_create();
    if (problems == NULL) {
        complain("out of memory");
        return EXIT_FAILED;
    }
    job->experiment = experiment_open(job->file, &request->experiment, problems);
    enum exit_status status = EXIT_FINE;
    if (job->experiment == NULL || problems_errors(problems) > 0)
        status = EXIT_USAGE;
    if (status != EXIT_FINE || !request->quiet)
        problems_print(problems, stderr, terminal_colour(stderr));
    problems_destroy(problems);
    return status;
}

/* What the options ask for can be done with this experiment. */
static bool suits(const struct run_request *request, struct run_job *job)
{
    char message[MESSAGE_SIZE];
    const struct run_settings *run = experiment_run(job->experiment);
    if (request->shard.count > 0 && experiment_precision(job->experiment) != NULL) {
        fprintf(stderr,
                "vdisim run: %s asks for a precision, so how many units there are depends on the results of "
                "all; give a shard a fixed count with --replications\n",
                job->file);
        return false;
    }
    if (request->select_best == NULL)
        return true;
    if (experiment_cell_count(job->experiment) < 2 || run->batches > 0) {
        fprintf(stderr, "vdisim run: %s has %s, so there is nothing to select from\n", job->file,
                run->batches > 0 ? "batches of one run" : "one cell");
        return false;
    }
    if (experiment_precision(job->experiment) != NULL) {
        fprintf(
            stderr,
            "vdisim run: %s asks for a precision, and --select-best decides otherwise how many replications "
            "there are; leave one of them out\n",
            job->file);
        return false;
    }
    job->selects = true;
    job->selection = (struct selection_request){
        .metric = request->select_best, .confidence = run->confidence, .at_most = (size_t)run->at_most};
    if (!metric_name_is_valid(request->select_best)) {
        fprintf(stderr, "vdisim run: --select-best: '%s' is not the name of a metric\n",
                request->select_best);
        return false;
    }
    if (!metric_value_parse(request->select_best, request->indifference, &job->selection.indifference,
                            message, sizeof message) ||
        !(job->selection.indifference > 0)) {
        fprintf(stderr, "vdisim run: --indifference: '%s' is no amount above zero of %s, such as 0.5 s\n",
                request->indifference, request->select_best);
        return false;
    }
    return true;
}

static char *folder_of(const struct run_request *request, const struct run_job *job)
{
    const char *name = experiment_name(job->experiment);
    bool is_itself = request->out != NULL && request->file_count == 1;
    const char *above = request->out != NULL ? request->out : "results";
    size_t size = strlen(above) + strlen(name) + 2;
    char *folder = malloc(size);
    if (folder == NULL)
        return NULL;
    snprintf(folder, size, is_itself ? "%s" : "%s/%s", above, name);
    for (size_t length = strlen(folder); length > 1 && folder[length - 1] == '/'; length--)
        folder[length - 1] = '\0';
    return folder;
}

/* Refuses before the run what would fail after it. */
static enum exit_status choose_folder(const struct run_request *request, struct run_job *jobs, size_t index)
{
    char message[MESSAGE_SIZE];
    if (request->no_results || request->shard.count > 0)
        return EXIT_FINE;
    jobs[index].folder = folder_of(request, &jobs[index]);
    if (jobs[index].folder == NULL) {
        complain("out of memory");
        return EXIT_FAILED;
    }
    for (size_t i = 0; i < index; i++)
        if (strcmp(jobs[i].folder, jobs[index].folder) == 0) {
            fprintf(stderr, "vdisim run: %s and %s are both named '%s', so their results would mix\n",
                    jobs[i].file, jobs[index].file, experiment_name(jobs[index].experiment));
            return EXIT_USAGE;
        }
    switch (folder_check(jobs[index].folder, request->force, message, sizeof message)) {
    case FOLDER_FINE:
        return EXIT_FINE;
    case FOLDER_EXISTS:
        complain(message);
        return EXIT_USAGE;
    case FOLDER_REFUSED:
        break;
    }
    complain(message);
    return EXIT_FAILED;
}

static enum exit_status worse(enum exit_status a, enum exit_status b)
{
    static const enum exit_status order[] = {EXIT_INTERRUPTED, EXIT_FAILED, EXIT_USAGE, EXIT_MISSED};
    for (size_t i = 0; i < sizeof order / sizeof order[0]; i++)
        if (a == order[i] || b == order[i])
            return order[i];
    return EXIT_FINE;
}

/* The units that this run was to do: all, or those of its shard. */
static size_t units_of(const struct run_request *request, const struct result *result)
{
    return shard_size(&request->shard, result_wanted(result));
}

static struct result *execute(const struct run_request *request, const struct run_job *job)
{
    char message[MESSAGE_SIZE];
    struct progress progress;
    progress_start(&progress, experiment_name(job->experiment), request->progress);
    progress_aim(&progress, job->selects ? NULL : experiment_precision(job->experiment));
    struct run_options run = {
        .jobs = request->jobs,
        .keep_records = job->folder != NULL || job->kept != NULL,
        .cancel = request->cancel,
        .keeper = job->kept != NULL ? archive_run_keeper(job->kept) : NULL,
        .by_mpi = mpi_size() > 1,
        .shard = request->shard,
        .selection = job->selects ? &job->selection : NULL,
        .progress = progress_update,
        .progress_context = &progress,
    };
    struct result *result = experiment_execute(job->experiment, &run, message, sizeof message);
    progress_finish(&progress, result == NULL ? 0 : result_done(result),
                    result == NULL ? 0 : units_of(request, result));
    if (result == NULL)
        fprintf(stderr, "vdisim run: %s: %s\n", job->file, message);
    return result;
}

static void complain_of_metric(const struct run_job *job, const struct result *result, const char *where,
                               const char *metric)
{
    struct suggestion suggestion = {.written = metric};
    for (size_t k = 0; k < result->metric_count; k++)
        suggestion_offer(&suggestion, result->metrics[k].name);
    fprintf(stderr, "vdisim run: %s: %s: there is no metric '%s' in this result", job->file, where, metric);
    if (suggestion.best != NULL)
        fprintf(stderr, ". Did you mean %s?", suggestion.best);
    fputc('\n', stderr);
}

/* An expectation of a metric that no run reported would never be judged: most likely its name is mistyped. */
static bool expects_unknown_metric(const struct run_job *job, const struct result *result)
{
    bool any = false;
    for (size_t i = 0; i < result->cell_count && !any; i++) {
        const struct cell *cell = experiment_cell(result->experiment, i);
        for (size_t j = 0; j < cell->expectation_count; j++) {
            const char *metric = cell->expectations[j].metric;
            if (result_metric(result, metric) >= 0)
                continue;
            complain_of_metric(job, result, "expect", metric);
            any = true;
        }
    }
    return any;
}

/* The same of the metric that decides how many replications there are. */
static bool aims_at_unknown_metric(const struct run_job *job, const struct result *result)
{
    const struct precision_target *target = experiment_precision(job->experiment);
    const char *metric = job->selects ? job->selection.metric : target != NULL ? target->metric : NULL;
    if (metric == NULL || result_metric(result, metric) >= 0)
        return false;
    complain_of_metric(job, result, job->selects ? "--select-best" : "run.of", metric);
    return true;
}

static enum exit_status begin_archiving(const struct run_request *request, struct archive *archive,
                                        struct run_job *job)
{
    char message[UNIT_MESSAGE_SIZE];
    if (archive == NULL)
        return EXIT_FINE;
    struct archive_request begin = {.experiment = job->experiment,
                                    .selection = job->selects ? &job->selection : NULL,
                                    .shard = request->shard,
                                    .resume = request->resume};
    enum archive_status status = archive_run_begin(archive, &begin, &job->kept, message);
    if (status != ARCHIVE_FINE) {
        complain(message);
        return status == ARCHIVE_REFUSED ? EXIT_USAGE : EXIT_FAILED;
    }
    if (message[0] != '\0' && !request->quiet)
        complain(message);
    return EXIT_FINE;
}

static enum exit_status end_archiving(struct run_job *job, const struct result *result)
{
    char message[UNIT_MESSAGE_SIZE];
    if (job->kept == NULL)
        return EXIT_FINE;
    enum archive_status status = archive_run_finish(job->kept, result, message);
    archive_run_release(job->kept);
    job->kept = NULL;
    if (status == ARCHIVE_FINE)
        return EXIT_FINE;
    complain(message);
    return EXIT_FAILED;
}

static void tell_interruption(const struct run_request *request, const struct result *result, bool is_kept)
{
    const char *more = request->archive != NULL ? "; --resume goes on from the archive" : "";
    fprintf(stderr, "vdisim run: interrupted: %zu of %zu runs were finished%s%s\n", result_done(result),
            units_of(request, result), is_kept ? " and are kept" : "", more);
}

/* A shard prints nothing of a result that is not whole. */
static enum exit_status end_shard(const struct run_request *request, const struct result *result)
{
    bool is_whole = result_done(result) == units_of(request, result);
    if (!is_whole)
        tell_interruption(request, result, true);
    else if (!request->quiet)
        fprintf(stderr,
                "vdisim run: shard %zu of %zu: %zu units are in %s; `vdisim merge` takes all shards\n",
                request->shard.index + 1, request->shard.count, result_done(result), request->archive);
    return is_whole ? EXIT_FINE : EXIT_INTERRUPTED;
}

/* Judges, writes and prints a result. */
static enum exit_status end_run(const struct run_request *request, struct run_job *job,
                                const struct result *result, struct writer *output)
{
    char message[MESSAGE_SIZE];
    if (result_done(result) == 0) {
        complain("interrupted before the first run was finished; nothing was kept");
        return EXIT_INTERRUPTED;
    }
    enum exit_status status = result->interrupted ? EXIT_INTERRUPTED : EXIT_FINE;
    if (count_verdicts(result).missed > 0 || expects_unknown_metric(job, result))
        status = worse(status, EXIT_MISSED);
    if (aims_at_unknown_metric(job, result))
        status = worse(status, EXIT_USAGE);

    const char *folder = job->folder;
    if (folder != NULL && !result_write(result, folder, request->force, message, sizeof message)) {
        complain(message);
        status = worse(status, EXIT_FAILED);
        folder = NULL;
    }
    job->written = folder != NULL;
    print_result(result, folder, request->format, output);
    if (result->interrupted)
        tell_interruption(request, result, folder != NULL || request->archive != NULL);
    return status;
}

static enum exit_status run_experiment(const struct run_request *request, struct archive *archive,
                                       struct run_job *job, struct writer *output)
{
    enum exit_status status = begin_archiving(request, archive, job);
    if (status != EXIT_FINE)
        return status;
    struct result *result = execute(request, job);
    status = worse(result == NULL ? EXIT_FAILED : EXIT_FINE, end_archiving(job, result));
    if (result != NULL && request->shard.count > 0)
        status = worse(status, end_shard(request, result));
    else if (result != NULL)
        status = worse(status, end_run(request, job, result, output));
    result_destroy(result);
    return status;
}

/* In one line, when they could not be printed: what became of the results. */
static enum exit_status finish_output(const struct run_request *request, const struct run_job *jobs,
                                      struct writer *output, enum exit_status status)
{
    if (output_is_flushed("run", output, true))
        return status;
    const char *separator = "; results are in ";
    for (size_t i = 0; i < request->file_count; i++) {
        if (!jobs[i].written)
            continue;
        fprintf(stderr, "%s%s", separator, jobs[i].folder);
        separator = ", ";
    }
    fputc('\n', stderr);
    return worse(status, EXIT_FAILED);
}

static enum exit_status run_all(const struct run_request *request, struct archive *archive,
                                struct run_job *jobs)
{
    struct writer output = {.file = stdout};
    bool is_list = request->format == FORMAT_JSON && request->file_count > 1;
    enum exit_status status = EXIT_FINE;
    size_t printed = 0;
    if (is_list)
        write_text(&output, "[");
    for (size_t i = 0; i < request->file_count && !atomic_load(request->cancel) && output.error == 0; i++) {
        if (printed > 0)
            write_text(&output, is_list ? ",\n" : "\n");
        enum exit_status one = run_experiment(request, archive, &jobs[i], &output);
        status = worse(status, one);
        printed++;
        writer_flush(&output);
        if (one == EXIT_FAILED)
            break;
    }
    if (is_list)
        write_text(&output, "]\n");
    if (atomic_load(request->cancel))
        status = EXIT_INTERRUPTED;
    return finish_output(request, jobs, &output, status);
}

static enum exit_status prepare_all(const struct run_request *request, struct run_job *jobs)
{
    enum exit_status status = EXIT_FINE;
    for (size_t i = 0; i < request->file_count; i++) {
        jobs[i].file = request->files[i];
        status = worse(status, open_experiment(request, &jobs[i]));
        if (jobs[i].experiment != NULL && !suits(request, &jobs[i]))
            status = worse(status, EXIT_USAGE);
    }
    for (size_t i = 0; status == EXIT_FINE && mpi_rank() == 0 && i < request->file_count; i++)
        status = choose_folder(request, jobs, i);
    return status;
}

static enum exit_status open_archive(const struct run_request *request, struct archive **archive)
{
    char message[UNIT_MESSAGE_SIZE];
    *archive = NULL;
    if (request->archive == NULL || mpi_rank() > 0)
        return EXIT_FINE;
    enum archive_status status = archive_open(request->archive, ARCHIVE_WRITE, archive, message);
    if (status == ARCHIVE_FINE)
        return EXIT_FINE;
    complain(message);
    return status == ARCHIVE_REFUSED ? EXIT_USAGE : EXIT_FAILED;
}

/* Every rank of an MPI job comes here, with what became of its reading: the first runs, the others serve it. */
static enum exit_status run_or_serve(const struct run_request *request, struct ranks *ranks,
                                     struct archive *archive, struct run_job *jobs, enum exit_status status)
{
    const struct experiment **experiments = calloc(request->file_count + 1, sizeof *experiments);
    for (size_t i = 0; experiments != NULL && i < request->file_count; i++)
        experiments[i] = jobs[i].experiment;
    if (experiments == NULL)
        status = EXIT_FAILED;
    status = ranks_meet(ranks, status, experiments, request->file_count);
    if (status == EXIT_FINE && mpi_rank() > 0) {
        mpi_serve(experiments, request->file_count);
    } else if (status == EXIT_FINE) {
        status = run_all(request, archive, jobs);
        mpi_dismiss();
    }
    free(experiments);
    return status;
}

int command_run(int argc, char **argv)
{
    struct ranks ranks;
    struct run_request request;
    struct run_job *jobs = NULL;
    struct archive *archive = NULL;
    enum exit_status status = EXIT_FAILED;
    if (!ranks_begin(&ranks, &argc, &argv))
        return EXIT_FAILED;
    if (run_request_read(&request, argc, argv))
        jobs = calloc(request.file_count + 1, sizeof *jobs);
    if (jobs == NULL) {
        complain("out of memory");
    } else if (!ranks_know_each_other(request.shard.count > 0)) {
        status = EXIT_USAGE;
    } else {
        request.cancel = interrupt_watch();
        status = prepare_all(&request, jobs);
        if (status == EXIT_FINE)
            status = open_archive(&request, &archive);
        status = run_or_serve(&request, &ranks, archive, jobs, status);
    }
    archive_close(archive);
    for (size_t i = 0; jobs != NULL && i < request.file_count; i++) {
        experiment_close(jobs[i].experiment);
        free(jobs[i].folder);
    }
    free(jobs);
    run_request_release(&request);
    return (int)ranks_end(status);
}
