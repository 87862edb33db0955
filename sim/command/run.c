/* vdisim run: runs experiments, prints what people or programs want to see, and leaves a result folder. */
#include "sim/command/command.h"
#include "sim/command/terminal.h"
#include "sim/experiment/folder.h"
#include "sim/experiment/json.h"
#include "sim/experiment/records.h"
#include "sim/experiment/suggest.h"
#include "sim/experiment/table.h"

#include <argp.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MESSAGE_SIZE = 1024, JOBS_MOST = 1024, REPLICATIONS_MOST = 1000000 };

enum run_format { FORMAT_TABLE, FORMAT_JSON, FORMAT_CSV };

struct run_request {
    char **files;
    size_t file_count;
    enum run_format format;
    struct experiment_options experiment;
    const char **sets, **catalogues;
    size_t jobs;
    const char *out;
    bool force, quiet, no_results;
};

/* One of the files: what it says, where its results go, what came of it. */
struct run_job {
    const char *file;
    struct experiment *experiment;
    char *folder; /* NULL: no results are written */
    bool written;
};

/* The only state shared with a signal handler. */
static atomic_bool interrupt_requested;

static void request_interrupt(int signal_number)
{
    (void)signal_number;
    atomic_store(&interrupt_requested, true);
}

/* The first signal asks; a second one ends the program as it always does. */
static void watch_signals(void)
{
    struct sigaction action = {.sa_handler = request_interrupt, .sa_flags = (int)SA_RESETHAND};
    sigemptyset(&action.sa_mask);
    sigaction(SIGINT, &action, NULL);
    sigaction(SIGTERM, &action, NULL);
}

enum { KEY_REPLICATIONS = 256, KEY_SEED, KEY_SET, KEY_FORCE, KEY_CATALOGUE, KEY_NO_RESULTS };

static const struct argp_option options[] = {
    {"format", 'f', "table|json|csv", 0, "What to print on standard output (default: table)", 0},
    {"replications", KEY_REPLICATIONS, "N", 0,
     "Independent runs of each cell, instead of what the file says; intervals need at least 5 (2 without a "
     "run "
     "effect)",
     0},
    {"seed", KEY_SEED, "N", 0, "Seed of the random numbers, instead of what the file says", 0},
    {"jobs", 'j', "N", 0, "Threads (default: as many as processors); results are the same for any number", 0},
    {"set", KEY_SET, "KEY=VALUE", 0, "Set a value of the experiment, KEY as under vary; may be repeated", 0},
    {"out", 'o', "DIR", 0,
     "Folder of the results (default: results/NAME); with several files each gets a folder in DIR", 0},
    {"force", KEY_FORCE, NULL, 0, "Replace an existing result folder", 0},
    {"no-results", KEY_NO_RESULTS, NULL, 0, "Write no result folder", 0},
    {"catalogue", KEY_CATALOGUE, "FILE", 0, "Add a catalogue to the built-in one; may be repeated", 0},
    {"quiet", 'q', NULL, 0, "No progress bar and no warnings", 0},
    {NULL, 0, NULL, 0, NULL, 0},
};

static int64_t whole_number(struct argp_state *state, const char *option, const char *text, int64_t least,
                            int64_t most)
{
    char *end;
    errno = 0;
    long long value = strtoll(text, &end, 10);
    if (end == text || *end != '\0' || errno != 0 || value < least || value > most)
        argp_error(state, "--%s: '%s' is not a whole number from %" PRId64 " to %" PRId64, option, text,
                   least, most);
    return value;
}

static enum run_format format_of(struct argp_state *state, const char *text)
{
    static const char *const names[] = {"table", "json", "csv"};
    for (int i = 0; i < 3; i++)
        if (strcmp(text, names[i]) == 0)
            return (enum run_format)i;
    argp_error(state, "--format: '%s' is not one of table, json, csv", text);
    return FORMAT_TABLE;
}

static error_t parse_option(int key, char *argument, struct argp_state *state)
{
    struct run_request *request = state->input;
    switch (key) {
    case 'f':
        request->format = format_of(state, argument);
        break;
    case KEY_REPLICATIONS:
        request->experiment.replications =
            whole_number(state, "replications", argument, 1, REPLICATIONS_MOST);
        break;
    case KEY_SEED:
        request->experiment.seed = whole_number(state, "seed", argument, 0, INT64_MAX);
        break;
    case 'j':
        request->jobs = (size_t)whole_number(state, "jobs", argument, 1, JOBS_MOST);
        break;
    case KEY_SET:
        if (strchr(argument, '=') == NULL || argument[0] == '=')
            argp_error(state, "--set: '%s' is not KEY=VALUE", argument);
        request->sets[request->experiment.set_count++] = argument;
        break;
    case 'o':
        if (argument[0] == '\0')
            argp_error(state, "--out: the name of the folder is empty");
        request->out = argument;
        break;
    case KEY_FORCE:
        request->force = true;
        break;
    case KEY_NO_RESULTS:
        request->no_results = true;
        break;
    case KEY_CATALOGUE:
        request->catalogues[request->experiment.catalogue_count++] = argument;
        break;
    case 'q':
        request->quiet = true;
        break;
    case ARGP_KEY_ARG:
        request->files[request->file_count++] = argument;
        break;
    case ARGP_KEY_END:
        if (request->file_count == 0)
            argp_error(state, "no experiment file given");
        if (request->format == FORMAT_CSV && request->file_count > 1)
            argp_error(state, "--format csv takes one file: the columns of experiments differ");
        break;
    default:
        return ARGP_ERR_UNKNOWN;
    }
    return 0;
}

static const struct argp parser = {
    .options = options,
    .parser = parse_option,
    .args_doc = "FILE...",
    .doc =
        "Run experiments, print a table, and write the results to a folder.\v"
        "Exit status: 0 fine; 1 failed while running; 2 wrong usage or input; 3 an expectation was missed; "
        "130 interrupted, with what was finished kept.\n\n"
        "A mean printed as >655 is that of the logons that had finished when the run ended, where more than "
        "1 % had not, and more than twice as many as usually are under way: no expectation is judged by it. "
        "A longer run.length lets them finish.",
};

static void complain(const char *message)
{
    fprintf(stderr, "vdisim run: %s\n", message);
}

/* Tells a file that cannot be read (1) from one with mistakes in it (2). */
static bool is_readable(const char *file, char *message, size_t message_size)
{
    char byte;
    int descriptor = open(file, O_RDONLY | O_CLOEXEC);
    bool readable = descriptor >= 0 && read(descriptor, &byte, 1) >= 0;
    if (!readable)
        snprintf(message, message_size, "cannot read '%s': %s", file, strerror(errno));
    if (descriptor >= 0)
        close(descriptor);
    return readable;
}

/* Opens one file and prints what is wrong with it. */
static enum exit_status open_experiment(const struct run_request *request, struct run_job *job)
{
    char message[MESSAGE_SIZE];
    if (!is_readable(job->file, message, sizeof message)) {
        complain(message);
        return EXIT_FAILED;
    }
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
    if (request->no_results)
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

static struct result *execute(const struct run_request *request, const struct run_job *job)
{
    char message[MESSAGE_SIZE];
    struct progress progress;
    size_t total =
        experiment_cell_count(job->experiment) * (size_t)experiment_run(job->experiment)->replications;
    progress_start(&progress, experiment_name(job->experiment), request->quiet);
    struct run_options run = {
        .jobs = request->jobs,
        .keep_records = job->folder != NULL,
        .cancel = &interrupt_requested,
        .progress = progress_update,
        .progress_context = &progress,
    };
    struct result *result = experiment_execute(job->experiment, &run, message, sizeof message);
    progress_finish(&progress, result == NULL ? 0 : result_done(result), total);
    if (result == NULL)
        fprintf(stderr, "vdisim run: %s: %s\n", job->file, message);
    return result;
}

static void print_result(const struct run_request *request, const struct result *result, const char *folder,
                         struct writer *output)
{
    struct text_style style = {.utf8 = terminal_utf8(), .colour = terminal_colour(stdout)};
    if (request->format == FORMAT_JSON)
        result_print_json(result, output);
    else if (request->format == FORMAT_CSV)
        result_print_csv(result, output);
    else if (!report_print(result, folder, output, &style) && output->error == 0)
        output->error = ENOMEM;
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
            struct suggestion suggestion = {.written = metric};
            for (size_t k = 0; k < result->metric_count; k++)
                suggestion_offer(&suggestion, result->metrics[k].name);
            fprintf(stderr, "vdisim run: %s: expect: there is no metric '%s' in this result", job->file,
                    metric);
            if (suggestion.best != NULL)
                fprintf(stderr, ". Did you mean %s?", suggestion.best);
            fputc('\n', stderr);
            any = true;
        }
    }
    return any;
}

static enum exit_status run_experiment(const struct run_request *request, struct run_job *job,
                                       struct writer *output)
{
    char message[MESSAGE_SIZE];
    struct result *result = execute(request, job);
    if (result == NULL)
        return EXIT_FAILED;
    if (result_done(result) == 0) {
        complain("interrupted before the first run was finished; nothing was kept");
        result_destroy(result);
        return EXIT_INTERRUPTED;
    }
    enum exit_status status = result->interrupted ? EXIT_INTERRUPTED : EXIT_FINE;
    if (count_verdicts(result).missed > 0 || expects_unknown_metric(job, result))
        status = worse(status, EXIT_MISSED);

    const char *folder = job->folder;
    if (folder != NULL && !result_write(result, folder, request->force, message, sizeof message)) {
        complain(message);
        status = worse(status, EXIT_FAILED);
        folder = NULL;
    }
    job->written = folder != NULL;
    print_result(request, result, folder, output);
    if (result->interrupted)
        fprintf(stderr, "vdisim run: interrupted: %zu of %zu runs were finished%s\n", result_done(result),
                result->cell_count * result->replications, folder != NULL ? " and are kept" : "");
    result_destroy(result);
    return status;
}

/* In one line: what became of the results when they could not be printed. */
static void complain_of_output(const struct run_request *request, const struct run_job *jobs, int error)
{
    if (error == EPIPE)
        fprintf(stderr, "vdisim run: standard output was closed");
    else
        fprintf(stderr, "vdisim run: cannot write to standard output: %s", strerror(error));
    const char *separator = "; results are in ";
    for (size_t i = 0; i < request->file_count; i++) {
        if (!jobs[i].written)
            continue;
        fprintf(stderr, "%s%s", separator, jobs[i].folder);
        separator = ", ";
    }
    fputc('\n', stderr);
}

static enum exit_status finish_output(const struct run_request *request, const struct run_job *jobs,
                                      struct writer *output, enum exit_status status)
{
    if (writer_flush(output))
        return status;
    complain_of_output(request, jobs, output->error);
    return worse(status, EXIT_FAILED);
}

static enum exit_status run_all(const struct run_request *request, struct run_job *jobs)
{
    struct writer output = {.file = stdout};
    bool is_list = request->format == FORMAT_JSON && request->file_count > 1;
    enum exit_status status = EXIT_FINE;
    size_t printed = 0;
    if (is_list)
        write_text(&output, "[");
    for (size_t i = 0; i < request->file_count && !atomic_load(&interrupt_requested) && output.error == 0;
         i++) {
        if (printed > 0)
            write_text(&output, is_list ? ",\n" : "\n");
        enum exit_status one = run_experiment(request, &jobs[i], &output);
        status = worse(status, one);
        printed++;
        writer_flush(&output);
        if (one == EXIT_FAILED)
            break;
    }
    if (is_list)
        write_text(&output, "]\n");
    if (atomic_load(&interrupt_requested))
        status = EXIT_INTERRUPTED;
    return finish_output(request, jobs, &output, status);
}

static enum exit_status prepare_all(const struct run_request *request, struct run_job *jobs)
{
    enum exit_status status = EXIT_FINE;
    for (size_t i = 0; i < request->file_count; i++) {
        jobs[i].file = request->files[i];
        status = worse(status, open_experiment(request, &jobs[i]));
    }
    for (size_t i = 0; status == EXIT_FINE && i < request->file_count; i++)
        status = choose_folder(request, jobs, i);
    return status;
}

int command_run(int argc, char **argv)
{
    size_t most = (size_t)argc + 1;
    struct run_request request = {
        .files = calloc(most, sizeof *request.files),
        .sets = calloc(most, sizeof *request.sets),
        .catalogues = calloc(most, sizeof *request.catalogues),
        .experiment = {.seed = -1},
    };
    struct run_job *jobs = calloc(most, sizeof *jobs);
    enum exit_status status = EXIT_FAILED;
    if (request.files == NULL || request.sets == NULL || request.catalogues == NULL || jobs == NULL) {
        complain("out of memory");
    } else {
        request.experiment.sets = request.sets;
        request.experiment.catalogues = request.catalogues;
        argp_parse(&parser, argc, argv, 0, NULL, &request);
        watch_signals();
        status = prepare_all(&request, jobs);
        if (status == EXIT_FINE)
            status = run_all(&request, jobs);
    }
    for (size_t i = 0; jobs != NULL && i < request.file_count; i++) {
        experiment_close(jobs[i].experiment);
        free(jobs[i].folder);
    }
    free(jobs);
    free(request.files);
    free(request.sets);
    free(request.catalogues);
    return (int)status;
}
