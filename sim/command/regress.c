/* vdisim regress: runs experiments again and says what moved since their baselines. */
#include "sim/experiment/compare/regress.h"

#include "sim/command/command.h"
#include "sim/command/interrupt.h"
#include "sim/command/regress_request.h"
#include "sim/command/streams.h"
#include "sim/command/terminal.h"
#include "vdisim/version.h"

#include <stdlib.h>
#include <string.h>

enum { MESSAGE_SIZE = 1024, NEW_REPLICATIONS = 3 };

/* Of one replication; --quick leaves out what has more. */
static const uint64_t quick_events_most = 100000000;

struct regress_job {
    const char *file;
    char *baseline_path;
    struct baseline *baseline; /* NULL: none yet */
    struct experiment *experiment;
    bool left_out;
};

struct tally {
    size_t identical, moved, without, updated, untouched, left_out;
};

static void complain(const char *message)
{
    fprintf(stderr, "vdisim regress: %s\n", message);
}

static struct experiment *open_experiment(const struct regress_request *request, const char *file,
                                          int64_t replications, struct problems *problems)
{
    struct experiment_options options = {
        .catalogues = request->catalogues,
        .catalogue_count = request->catalogue_count,
        .replications = replications,
        .seed = -1,
    };
    return experiment_open(file, &options, problems);
}

static uint64_t events_of_a_replication(const struct sample *sample)
{
    uint64_t events = 0;
    for (size_t cell = 0; cell < sample->cell_count; cell++)
        events += sample->events[cell * sample->replications];
    return events;
}

static int64_t replications_of(const struct regress_request *request, const struct regress_job *job)
{
    if (request->quick)
        return 1;
    if (request->replications > 0)
        return request->replications;
    if (job->baseline != NULL)
        return (int64_t)job->baseline->sample->replications;
    int64_t own = experiment_run(job->experiment)->replications;
    return own < NEW_REPLICATIONS ? own : NEW_REPLICATIONS;
}

/* The experiment is opened twice: its name leads to the baseline, and that to how often it is to be run. */
static void open_job(const struct regress_request *request, struct regress_job *job,
                     struct problems *problems)
{
    job->experiment = open_experiment(request, job->file, 0, problems);
    if (job->experiment == NULL || problems_errors(problems) > 0)
        return;
    const char *name = experiment_name(job->experiment);
    job->baseline_path = baseline_path(request->baselines, name);
    if (job->baseline_path == NULL ||
        baseline_read(job->baseline_path, name, &job->baseline, problems) == BASELINE_REFUSED)
        return;
    job->left_out = request->quick && job->baseline != NULL &&
                    events_of_a_replication(job->baseline->sample) > quick_events_most;
    int64_t replications = replications_of(request, job);
    experiment_close(job->experiment);
    struct problems *again = problems_create(); /* what it says has been said */
    job->experiment = again == NULL ? NULL : open_experiment(request, job->file, replications, again);
    problems_destroy(again);
}

static enum exit_status prepare(const struct regress_request *request, struct regress_job *jobs, size_t count)
{
    enum exit_status status = EXIT_FINE;
    for (size_t i = 0; i < count; i++) {
        struct problems *problems = problems_create();
        if (problems == NULL) {
            complain("out of memory");
            return EXIT_FAILED;
        }
        open_job(request, &jobs[i], problems);
        if (problems_errors(problems) > 0)
            status = EXIT_USAGE;
        if (problems_errors(problems) > 0 || !request->quiet)
            problems_print(problems, stderr, terminal_colour(stderr));
        bool is_lost =
            problems_errors(problems) == 0 && (jobs[i].experiment == NULL || jobs[i].baseline_path == NULL);
        problems_destroy(problems);
        if (is_lost) {
            complain("out of memory");
            return EXIT_FAILED;
        }
        for (size_t k = 0; k < i && jobs[i].baseline_path != NULL; k++)
            if (jobs[k].baseline_path != NULL && strcmp(jobs[k].baseline_path, jobs[i].baseline_path) == 0) {
                fprintf(stderr, "vdisim regress: %s and %s have one name, '%s', and so one baseline\n",
                        jobs[k].file, jobs[i].file, experiment_name(jobs[i].experiment));
                status = EXIT_USAGE;
            }
    }
    return status;
}

static struct result *execute(const struct regress_request *request, const struct regress_job *job,
                              const atomic_bool *cancel)
{
    char message[MESSAGE_SIZE];
    struct progress progress;
    progress_start(&progress, experiment_name(job->experiment), request->progress);
    struct run_options run = {
        .jobs = request->jobs,
        .cancel = cancel,
        .progress = progress_update,
        .progress_context = &progress,
    };
    struct result *result = experiment_execute(job->experiment, &run, message, sizeof message);
    progress_finish(&progress, result == NULL ? 0 : result_done(result),
                    result == NULL ? 0 : result_wanted(result));
    if (result == NULL)
        fprintf(stderr, "vdisim regress: %s: %s\n", job->file, message);
    return result;
}

static enum exit_status update(const struct regress_request *request, const struct regress_job *job,
                               const struct sample *now, const struct regression *regression,
                               struct tally *tally)
{
    char message[MESSAGE_SIZE], moved[MESSAGE_SIZE];
    size_t before = job->baseline == NULL ? 0 : job->baseline->sample->replications;
    bool is_other_count = before != 0 && before != now->replications;
    if (regression->outcome == REGRESS_IDENTICAL && !regression->hash_differs && !is_other_count) {
        tally->untouched++;
        if (!request->quiet)
            fprintf(stderr, "vdisim regress: nothing changed; %s is left as it is\n", job->baseline_path);
        return EXIT_FINE;
    }
    snprintf(moved, sizeof moved, "%s", regression->moved);
    if (is_other_count)
        snprintf(moved, sizeof moved, "%.900s; %zu replications in place of %zu", regression->moved,
                 now->replications, before);
    struct baseline_step step = {VDISIM_VERSION, VDISIM_COMMIT, request->because, moved};
    if (!baseline_write(job->baseline_path, now, job->baseline, &step, message, sizeof message)) {
        complain(message);
        return EXIT_FAILED;
    }
    tally->updated++;
    if (!request->quiet)
        fprintf(stderr, "vdisim regress: wrote %s\n", job->baseline_path);
    return EXIT_FINE;
}

static enum exit_status status_of(const struct regression *regression)
{
    if (regression->newly_missed_count > 0)
        return EXIT_MISSED;
    return regression->outcome == REGRESS_IDENTICAL ? EXIT_FINE : EXIT_REGRESSION;
}

static enum exit_status judge(const struct regress_request *request, const struct regress_job *job,
                              const struct result *result, struct writer *output, struct tally *tally)
{
    struct text_style style = {.utf8 = terminal_utf8(), .colour = terminal_colour(stdout)};
    struct sample *now = sample_of_result(result, job->file);
    struct regression *regression = now == NULL ? NULL : regress_create(result, now, job->baseline);
    enum exit_status status = EXIT_FAILED;
    if (regression == NULL) {
        complain("out of memory");
    } else {
        tally->identical += regression->outcome == REGRESS_IDENTICAL;
        tally->moved += regression->outcome == REGRESS_MOVED;
        tally->without += regression->outcome == REGRESS_NO_BASELINE;
        if (request->json)
            regress_print_json(regression, job->file, job->baseline_path, output);
        else
            regress_print(regression, job->file, job->baseline_path, output, &style);
        writer_flush(output);
        status = request->update ? update(request, job, now, regression, tally) : status_of(regression);
    }
    regress_destroy(regression);
    sample_destroy(now);
    return status;
}

static enum exit_status run_job(const struct regress_request *request, const struct regress_job *job,
                                const atomic_bool *cancel, struct writer *output, struct tally *tally)
{
    struct result *result = execute(request, job, cancel);
    if (result == NULL)
        return EXIT_FAILED;
    enum exit_status status = EXIT_INTERRUPTED;
    if (result->interrupted)
        complain("interrupted; what was not compared is not known");
    else
        status = judge(request, job, result, output, tally);
    result_destroy(result);
    return status;
}

static enum exit_status worse(enum exit_status a, enum exit_status b)
{
    static const enum exit_status order[] = {EXIT_INTERRUPTED, EXIT_FAILED, EXIT_USAGE, EXIT_MISSED,
                                             EXIT_REGRESSION};
    for (size_t i = 0; i < sizeof order / sizeof order[0]; i++)
        if (a == order[i] || b == order[i])
            return order[i];
    return EXIT_FINE;
}

static void print_left_out(const struct regress_request *request, const struct regress_job *job,
                           struct writer *output)
{
    const struct sample *sample = job->baseline->sample;
    double millions = (double)events_of_a_replication(sample) / 1e6;
    if (request->json) {
        write_text(output, "  {\"experiment\": ");
        write_json_text(output, sample->experiment);
        write_text(output, ", \"outcome\": \"left out\"}");
    } else {
        write_text(output, "%s: left out of --quick: a replication is %.0f million events\n",
                   sample->experiment, millions);
    }
}

/* A prediction whose experiment is gone would never be missed. True when there is one. */
static bool complain_of_orphans(const struct regress_request *request, const struct regress_job *jobs,
                                size_t count)
{
    char message[MESSAGE_SIZE];
    const char *folder = request->baselines;
    const struct regress_request of_baselines = {.operands = &folder, .operand_count = 1};
    bool is_usage, any = false;
    size_t baseline_count = 0;
    char **baselines = regress_files(&of_baselines, &baseline_count, &is_usage, message, sizeof message);
    for (size_t i = 0; i < baseline_count; i++) {
        bool has_experiment = false;
        for (size_t j = 0; j < count && !has_experiment; j++)
            has_experiment = strcmp(jobs[j].baseline_path, baselines[i]) == 0;
        if (has_experiment)
            continue;
        fprintf(stderr,
                "vdisim regress: %s has no experiment any more; remove it, or bring the experiment back\n",
                baselines[i]);
        any = true;
    }
    regress_files_free(baselines, baseline_count);
    return any;
}

static void print_tally(const struct tally *tally, size_t count, struct writer *output)
{
    write_text(output, "\n%zu experiment%s: %zu identical, %zu moved, %zu without a baseline", count,
               count == 1 ? "" : "s", tally->identical, tally->moved, tally->without);
    if (tally->left_out > 0)
        write_text(output, ", %zu left out", tally->left_out);
    if (tally->updated + tally->untouched > 0)
        write_text(output, "; %zu baseline%s written", tally->updated, tally->updated == 1 ? "" : "s");
    write_text(output, "\n");
}

static enum exit_status run_all(const struct regress_request *request, const struct regress_job *jobs,
                                size_t count)
{
    struct writer output = {.file = stdout};
    struct tally tally = {0};
    enum exit_status status = EXIT_FINE;
    const atomic_bool *cancel = interrupt_watch();
    if (request->json)
        write_text(&output, "{\"experiments\": [\n");
    for (size_t i = 0; i < count && output.error == 0 && status != EXIT_INTERRUPTED && status != EXIT_FAILED;
         i++) {
        if (request->json && i > 0)
            write_text(&output, ",\n");
        if (jobs[i].left_out) {
            tally.left_out++;
            print_left_out(request, &jobs[i], &output);
        } else {
            status = worse(status, run_job(request, &jobs[i], cancel, &output, &tally));
        }
    }
    if (request->is_whole && status != EXIT_INTERRUPTED && status != EXIT_FAILED &&
        complain_of_orphans(request, jobs, count))
        status = worse(status, EXIT_REGRESSION);
    if (request->json)
        write_text(&output, "],\n \"exit_status\": %d}\n", (int)status);
    else
        print_tally(&tally, count, &output);
    return output_is_flushed("regress", &output, false) ? status : worse(status, EXIT_FAILED);
}

static void release_jobs(struct regress_job *jobs, size_t count)
{
    for (size_t i = 0; jobs != NULL && i < count; i++) {
        experiment_close(jobs[i].experiment);
        baseline_destroy(jobs[i].baseline);
        free(jobs[i].baseline_path);
    }
    free(jobs);
}

int command_regress(int argc, char **argv)
{
    char message[MESSAGE_SIZE] = "out of memory";
    struct regress_request request;
    size_t count = 0;
    bool is_usage = false;
    char **files = NULL;
    if (regress_request_read(&request, argc, argv))
        files = regress_files(&request, &count, &is_usage, message, sizeof message);
    struct regress_job *jobs = files == NULL ? NULL : calloc(count + 1, sizeof *jobs);
    enum exit_status status = is_usage ? EXIT_USAGE : EXIT_FAILED;
    if (jobs == NULL) {
        complain(message);
    } else {
        for (size_t i = 0; i < count; i++)
            jobs[i].file = files[i];
        status = prepare(&request, jobs, count);
        if (status == EXIT_FINE)
            status = run_all(&request, jobs, count);
    }
    release_jobs(jobs, count);
    regress_files_free(files, count);
    regress_request_release(&request);
    return (int)status;
}
