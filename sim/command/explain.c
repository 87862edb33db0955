/* vdisim explain: where the time of a logon goes, what bound when, and what would help. */
#include "sim/experiment/explain/explain.h"

#include "sim/command/command.h"
#include "sim/command/interrupt.h"
#include "sim/command/options.h"
#include "sim/command/progress.h"
#include "sim/command/streams.h"
#include "sim/command/terminal.h"

#include <argp.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum { MESSAGE_SIZE = 1024, TRIES_MOST = 1000, CELLS_MOST = 10000 };

struct explain_command {
    const char *file;
    struct explain_request request;
    const char **only, **sets, **catalogues;
    struct experiment_options experiment;
    enum output_format format;
    size_t jobs;
    enum progress_style progress;
    bool quiet;
};

enum { KEY_CELL = 256, KEY_TRIES, KEY_SET, KEY_SEED, KEY_CATALOGUE, KEY_PROGRESS };

static const struct argp_option options[] = {
    {"cell", KEY_CELL, "N|KEY=VALUE", 0,
     "The cell of an experiment that varies something, from 1, or those with this value; may be repeated "
     "(default: all in a line each, and the slowest in full)",
     0},
    {"tries", KEY_TRIES, "N", 0,
     "Changes to try at most (default: as many as keep within twice the runs of the experiment, 10 at most)",
     0},
    {"set", KEY_SET, "KEY=VALUE", 0, "Set a value of the experiment, KEY as under vary; may be repeated", 0},
    {"format", 'f', "table|json", 0, "What to print on standard output (default: table)", 0},
    {"seed", KEY_SEED, "N", 0, "Seed of the random numbers, instead of what the file says", 0},
    OPTION_JOBS,
    {"catalogue", KEY_CATALOGUE, "FILE", 0, "Add a catalogue to the built-in one; may be repeated", 0},
    OPTION_PROGRESS(KEY_PROGRESS),
    {"quiet", 'q', NULL, 0, "No progress bar and no warnings", 0},
    {NULL, 0, NULL, 0, NULL, 0},
};

static void choose_cell(struct argp_state *state, struct explain_command *command, const char *text)
{
    if (strchr(text, '=') != NULL)
        command->only[command->request.only_count++] = option_setting(state, "cell", text);
    else
        command->request.cell = (size_t)option_whole_number(state, "cell", text, 1, CELLS_MOST);
    if (command->request.cell > 0 && command->request.only_count > 0)
        argp_error(state, "--cell: give a number or KEY=VALUE, not both");
}

static error_t parse_option(int key, char *argument, struct argp_state *state)
{
    struct explain_command *command = state->input;
    switch (key) {
    case KEY_CELL:
        choose_cell(state, command, argument);
        break;
    case KEY_TRIES:
        command->request.tries = (ptrdiff_t)option_whole_number(state, "tries", argument, 0, TRIES_MOST);
        break;
    case KEY_SET:
        command->sets[command->experiment.set_count++] = option_setting(state, "set", argument);
        break;
    case 'f':
        command->format = option_format(state, argument);
        if (command->format == FORMAT_CSV)
            argp_error(state, "--format: an explanation is no table of numbers; table or json");
        break;
    case KEY_SEED:
        command->experiment.seed = option_whole_number(state, "seed", argument, 0, INT64_MAX);
        break;
    case 'j':
        command->jobs = (size_t)option_whole_number(state, "jobs", argument, 1, JOBS_MOST);
        break;
    case KEY_CATALOGUE:
        command->catalogues[command->experiment.catalogue_count++] = argument;
        break;
    case KEY_PROGRESS:
        option_progress(state, argument, &command->progress);
        break;
    case 'q':
        option_quiet(&command->quiet, &command->progress);
        break;
    case ARGP_KEY_ARG:
        if (command->file != NULL)
            argp_error(state, "one experiment file, no more: '%s' is one too many", argument);
        command->file = argument;
        break;
    case ARGP_KEY_END:
        if (command->file == NULL)
            argp_error(state, "no experiment file given");
        break;
    default:
        return ARGP_ERR_UNKNOWN;
    }
    return 0;
}

const struct argp explain_parser = {
    .options = options,
    .parser = parse_option,
    .args_doc = "FILE",
    .doc = "Say where the time of a logon goes, what bound when, and what would help.\v"
           "Each cell is run once; then the slowest, or the one that --cell names, is run again with one "
           "thing changed "
           "at a time: a limit lifted, a feature turned on, users spread over longer. All runs draw the same "
           "random "
           "numbers. What is tried is what a good part of the time is charged to.\n\n"
           "Exit status: 0 explained; 1 failed while running; 2 wrong usage or input; 130 interrupted.",
};

static void complain(const char *message)
{
    fprintf(stderr, "vdisim explain: %s\n", message);
}

static enum exit_status print(const struct explain_command *command, const struct explanation *explanation)
{
    struct writer output = {.file = stdout};
    struct text_style style = {.utf8 = terminal_utf8(), .colour = terminal_colour(stdout)};
    if (command->format == FORMAT_JSON)
        explanation_print_json(explanation, &output);
    else if (!explanation_print(explanation, &output, &style) && output.error == 0)
        output.error = ENOMEM;
    return output_is_flushed("explain", &output, false) ? EXIT_FINE : EXIT_FAILED;
}

typedef enum explain_end explain_step(struct explanation *explanation, const struct run_options *run,
                                      char *message, size_t message_size);

/* One of the two rounds of runs, with its bar. */
static enum explain_end run_step(const struct explain_command *command, struct explanation *explanation,
                                 explain_step *step, const char *what)
{
    char message[MESSAGE_SIZE] = "";
    struct progress progress;
    progress_start(&progress, what, command->progress);
    const struct run_options run = {
        .jobs = command->jobs,
        .cancel = interrupt_watch(),
        .progress = progress_update,
        .progress_context = &progress,
    };
    const enum explain_end end = step(explanation, &run, message, sizeof message);
    const size_t runs = progress.last.wanted;
    progress_finish(&progress, end == EXPLAIN_DONE ? runs : 0, end == EXPLAIN_FAILED ? 0 : runs);
    if (end != EXPLAIN_DONE)
        complain(message);
    return end;
}

static enum exit_status execute(const struct explain_command *command, struct explanation *explanation)
{
    enum explain_end end =
        run_step(command, explanation, explanation_run, experiment_name(explanation->experiment));
    if (end == EXPLAIN_DONE)
        end = run_step(command, explanation, explanation_try, "what would help");
    return end == EXPLAIN_DONE          ? print(command, explanation)
           : end == EXPLAIN_INTERRUPTED ? EXIT_INTERRUPTED
                                        : EXIT_FAILED;
}

static enum exit_status explain(const struct explain_command *command, struct problems *problems)
{
    struct experiment *experiment = experiment_open(command->file, &command->experiment, problems);
    struct explanation *explanation = NULL;
    if (experiment != NULL && problems_errors(problems) == 0)
        explanation = explanation_create(experiment, &command->request, problems);
    if (explanation == NULL || !command->quiet)
        problems_print(problems, stderr, terminal_colour(stderr));
    const enum exit_status status = explanation != NULL ? execute(command, explanation) : EXIT_USAGE;
    explanation_destroy(explanation);
    experiment_close(experiment);
    return status;
}

int command_explain(int argc, char **argv)
{
    const size_t most = (size_t)argc + 1;
    struct explain_command command = {
        .request = {.tries = -1},
        .only = calloc(most, sizeof *command.only),
        .sets = calloc(most, sizeof *command.sets),
        .catalogues = calloc(most, sizeof *command.catalogues),
        .experiment = {.seed = -1},
    };
    struct problems *problems = problems_create();
    enum exit_status status = EXIT_FAILED;
    if (command.only == NULL || command.sets == NULL || command.catalogues == NULL || problems == NULL) {
        complain("out of memory");
    } else {
        command.request.only = command.only;
        command.experiment.sets = command.sets;
        command.experiment.catalogues = command.catalogues;
        argp_parse(&explain_parser, argc, argv, 0, NULL, &command);
        if (file_is_readable("explain", command.file))
            status = explain(&command, problems);
    }
    problems_destroy(problems);
    free(command.only);
    free(command.sets);
    free(command.catalogues);
    return (int)status;
}
