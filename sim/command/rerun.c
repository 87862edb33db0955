/* vdisim rerun: runs a result again from its own manifest and compares every byte. */
#include "sim/experiment/result/rerun.h"
#include "sim/command/command.h"
#include "sim/command/interrupt.h"
#include "sim/command/options.h"
#include "sim/command/progress.h"
#include "sim/command/terminal.h"
#include "sim/experiment/result/folder.h"
#include "sim/experiment/result/records.h"

#include <argp.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { MESSAGE_SIZE = 1024 };

struct rerun_request {
    const char *path, *out;
    size_t jobs;
    bool no_results, quiet;
    enum progress_style progress;
};

enum { KEY_NO_RESULTS = 256, KEY_PROGRESS };

static const struct argp_option options[] = {
    {"out", 'o', "DIR", 0, "Keep the new results in this folder (default: they are compared, not kept)", 0},
    {"no-results", KEY_NO_RESULTS, NULL, 0, "Keep no results; so it is without --out", 0},
    OPTION_JOBS,
    OPTION_PROGRESS(KEY_PROGRESS),
    {"quiet", 'q', NULL, 0, "No progress bar and no notes", 0},
    {NULL, 0, NULL, 0, NULL, 0},
};

static error_t parse_option(int key, char *argument, struct argp_state *state)
{
    struct rerun_request *request = state->input;
    switch (key) {
    case 'o':
        request->out = option_name(state, "out", "folder", argument);
        break;
    case KEY_NO_RESULTS:
        request->no_results = true;
        break;
    case 'j':
        request->jobs = (size_t)option_whole_number(state, "jobs", argument, 1, JOBS_MOST);
        break;
    case KEY_PROGRESS:
        option_progress(state, argument, &request->progress);
        break;
    case 'q':
        option_quiet(&request->quiet, &request->progress);
        break;
    case ARGP_KEY_ARG:
        if (request->path != NULL)
            argp_error(state, "one manifest or result folder at a time");
        request->path = argument;
        break;
    case ARGP_KEY_END:
        if (request->path == NULL)
            argp_error(state, "no manifest or result folder given");
        if (request->no_results && request->out != NULL)
            argp_error(state, "--out and --no-results contradict each other");
        break;
    default:
        return ARGP_ERR_UNKNOWN;
    }
    return 0;
}

const struct argp rerun_parser = {
    .options = options,
    .parser = parse_option,
    .args_doc = "MANIFEST|FOLDER",
    .doc =
        "Run a result again from its manifest and compare every byte.\v"
        "What is run are the texts in the manifest: the files that it was read from are not needed, and are "
        "only looked at to say whether they have changed since.\n\n"
        "Exit status: 0 identical; 1 failed while running; 2 wrong usage, no manifest, or one that was "
        "edited or is of an interrupted run; 4 something differs; 130 interrupted.",
};

static void complain(const char *message)
{
    fprintf(stderr, "vdisim rerun: %s\n", message);
}

static enum exit_status open_rerun(const struct rerun_request *request, struct rerun **rerun)
{
    struct stat status;
    if (stat(request->path, &status) != 0) {
        fprintf(stderr, "vdisim rerun: cannot read '%s': %s\n", request->path, strerror(errno));
        return EXIT_FAILED;
    }
    struct problems *problems = problems_create();
    if (problems == NULL) {
        complain("out of memory");
        return EXIT_FAILED;
    }
    *rerun = rerun_open(request->path, problems);
    if (*rerun == NULL)
        problems_print(problems, stderr, terminal_colour(stderr));
    problems_destroy(problems);
    return *rerun == NULL ? EXIT_USAGE : EXIT_FINE;
}

/* Refuses before the run what would fail after it. */
static enum exit_status check_out(const struct rerun_request *request)
{
    char message[MESSAGE_SIZE];
    if (request->out == NULL)
        return EXIT_FINE;
    struct stat status;
    if (lstat(request->out, &status) == 0) {
        fprintf(stderr, "vdisim rerun: '%s' exists; give another folder with --out\n", request->out);
        return EXIT_USAGE;
    }
    if (folder_check(request->out, false, message, sizeof message) == FOLDER_FINE)
        return EXIT_FINE;
    complain(message);
    return EXIT_FAILED;
}

static struct result *execute(const struct rerun_request *request, const struct rerun *rerun,
                              const atomic_bool *cancel)
{
    char message[MESSAGE_SIZE];
    struct progress progress;
    const struct experiment *experiment = rerun_experiment(rerun);
    const struct selection_request *selection = rerun_selection(rerun);
    progress_start(&progress, experiment_name(experiment), request->progress);
    progress_aim(&progress, selection != NULL ? NULL : experiment_precision(experiment));
    struct run_options run = {
        .jobs = request->jobs,
        .keep_records = true,
        .cancel = cancel,
        .selection = selection,
        .progress = progress_update,
        .progress_context = &progress,
    };
    struct result *result = experiment_execute(experiment, &run, message, sizeof message);
    progress_finish(&progress, result == NULL ? 0 : result_done(result),
                    result == NULL ? 0 : result_wanted(result));
    if (result == NULL)
        complain(message);
    return result;
}

static enum exit_status compare(const struct rerun_request *request, const struct rerun *rerun,
                                const struct result *result, struct writer *notes)
{
    char message[MESSAGE_SIZE];
    struct writer report = {.file = stdout};
    enum exit_status status = EXIT_FINE;
    switch (rerun_compare(rerun, result, &report, notes, message, sizeof message)) {
    case RERUN_IDENTICAL:
        break;
    case RERUN_DIFFERS:
        status = EXIT_REGRESSION;
        break;
    case RERUN_FAILED:
        complain(message);
        status = EXIT_FAILED;
        break;
    }
    if (request->out != NULL && result_write(result, request->out, false, message, sizeof message)) {
        write_text(&report, "Results: %s/\n", request->out);
    } else if (request->out != NULL) {
        complain(message);
        status = EXIT_FAILED;
    }
    if (!writer_flush(&report)) {
        fprintf(stderr, "vdisim rerun: cannot write to standard output: %s\n", strerror(report.error));
        status = EXIT_FAILED;
    }
    return status;
}

static enum exit_status run_again(const struct rerun_request *request, const struct rerun *rerun,
                                  struct writer *notes)
{
    const atomic_bool *cancel = interrupt_watch();
    rerun_tell_inputs(rerun, notes);
    writer_flush(notes);
    struct result *result = execute(request, rerun, cancel);
    if (result == NULL)
        return EXIT_FAILED;
    enum exit_status status = EXIT_INTERRUPTED;
    if (result->interrupted)
        complain("interrupted; nothing was compared");
    else
        status = compare(request, rerun, result, notes);
    result_destroy(result);
    return status;
}

int command_rerun(int argc, char **argv)
{
    struct rerun_request request = {0};
    struct rerun *rerun = NULL;
    argp_parse(&rerun_parser, argc, argv, 0, NULL, &request);
    enum exit_status status = check_out(&request);
    if (status == EXIT_FINE)
        status = open_rerun(&request, &rerun);
    if (status == EXIT_FINE) {
        struct writer notes = {.file = request.quiet ? fopen("/dev/null", "w") : stderr};
        if (notes.file == NULL)
            notes.file = stderr;
        status = run_again(&request, rerun, &notes);
        if (notes.file != stderr)
            fclose(notes.file);
    }
    rerun_close(rerun);
    return (int)status;
}
