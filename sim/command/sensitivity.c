/* vdisim sensitivity: which inputs, the assumed ones first, move the answer of an experiment. */
#include "sim/experiment/compare/sensitivity.h"

#include "sim/command/command.h"
#include "sim/command/interrupt.h"
#include "sim/command/options.h"
#include "sim/command/progress.h"
#include "sim/command/streams.h"
#include "sim/command/terminal.h"
#include "sim/experiment/read/vary.h"

#include <argp.h>
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MESSAGE_SIZE = 1024, RUNS_OF_A_POINT_MOST = 10000, TRAJECTORIES_MOST = 1000, LEVELS_MOST = 1024 };

struct sensitivity_command {
    const char *file;
    struct sensitivity_request request;
    const char **ranges, **only, **sets, **catalogues;
    struct experiment_options experiment;
    size_t cell; /* from 1; 0: none was chosen */
    enum output_format format;
    size_t jobs;
    enum progress_style progress;
    bool quiet;
};

enum {
    KEY_INPUT = 256,
    KEY_ONLY,
    KEY_RANGE,
    KEY_METRIC,
    KEY_TRAJECTORIES,
    KEY_LEVELS,
    KEY_CELL,
    KEY_SET,
    KEY_REPLICATIONS,
    KEY_SEED,
    KEY_CATALOGUE,
    KEY_PROGRESS,
};

static const struct argp_option options[] = {
    {"input", KEY_INPUT, "KEY=LOW..HIGH", 0,
     "Vary this input in this range, whatever its status; may be repeated", 0},
    {"only", KEY_ONLY, "KEY", 0, "Vary this input and no others but those of --input; may be repeated", 0},
    {"range", KEY_RANGE, "FACTOR", 0,
     "Where no range is given: from value / FACTOR to value * FACTOR (default: 2)", 0},
    {"metric", KEY_METRIC, "NAME", 0, "The answer (default: the mean load, boot or job time)", 0},
    {"trajectories", KEY_TRAJECTORIES, "N", 0, "How often each input is moved (default: 8)", 0},
    {"levels", KEY_LEVELS, "N", 0, "Places in each range, an even number (default: 4)", 0},
    {"cell", KEY_CELL, "N", 0, "The cell of an experiment that varies something, from 1", 0},
    {"set", KEY_SET, "KEY=VALUE", 0, "Set a value of the experiment, KEY as under vary; may be repeated", 0},
    {"format", 'f', "table|json|csv", 0, "What to print on standard output (default: table)", 0},
    {"replications", KEY_REPLICATIONS, "N", 0, "Runs of each point (default: 1)", 0},
    {"seed", KEY_SEED, "N", 0,
     "Seed of the random numbers and of the trajectories, instead of what the file says", 0},
    OPTION_JOBS,
    {"catalogue", KEY_CATALOGUE, "FILE", 0, "Add a catalogue to the built-in one; may be repeated", 0},
    OPTION_PROGRESS(KEY_PROGRESS),
    {"quiet", 'q', NULL, 0, "No progress bar, no warnings, and not how many runs there are to be", 0},
    {NULL, 0, NULL, 0, NULL, 0},
};

static double factor_of(struct argp_state *state, const char *text)
{
    char *end;
    double value = strtod(text, &end);
    if (end == text || *end != '\0' || !(value > 1 && value <= 1000))
        argp_error(state, "--range: '%s' is not a factor above 1, at most 1000", text);
    return value;
}

static error_t parse_run_option(int key, char *argument, struct argp_state *state)
{
    struct sensitivity_command *command = state->input;
    switch (key) {
    case KEY_SET:
        command->sets[command->experiment.set_count++] = option_setting(state, "set", argument);
        break;
    case KEY_REPLICATIONS:
        command->request.replications =
            (size_t)option_whole_number(state, "replications", argument, 1, RUNS_OF_A_POINT_MOST);
        break;
    case KEY_SEED:
        command->experiment.seed = option_whole_number(state, "seed", argument, 0, INT64_MAX);
        break;
    case KEY_CATALOGUE:
        command->catalogues[command->experiment.catalogue_count++] = argument;
        break;
    case 'j':
        command->jobs = (size_t)option_whole_number(state, "jobs", argument, 1, JOBS_MOST);
        break;
    case KEY_PROGRESS:
        option_progress(state, argument, &command->progress);
        break;
    case 'q':
        option_quiet(&command->quiet, &command->progress);
        break;
    default:
        return ARGP_ERR_UNKNOWN;
    }
    return 0;
}

static error_t parse_option(int key, char *argument, struct argp_state *state)
{
    struct sensitivity_command *command = state->input;
    struct sensitivity_request *request = &command->request;
    switch (key) {
    case KEY_INPUT:
        command->ranges[request->range_count++] = argument;
        break;
    case KEY_ONLY:
        command->only[request->only_count++] = argument;
        break;
    case KEY_RANGE:
        request->factor = factor_of(state, argument);
        break;
    case KEY_METRIC:
        request->metric = argument;
        break;
    case KEY_TRAJECTORIES:
        request->trajectories =
            (size_t)option_whole_number(state, "trajectories", argument, 2, TRAJECTORIES_MOST);
        break;
    case KEY_LEVELS:
        request->levels = (size_t)option_whole_number(state, "levels", argument, 2, LEVELS_MOST);
        if (request->levels % 2 != 0)
            argp_error(state, "--levels: %s is not even", argument);
        break;
    case KEY_CELL:
        command->cell = (size_t)option_whole_number(state, "cell", argument, 1, VARY_MAX_CELLS);
        break;
    case 'f':
        command->format = option_format(state, argument);
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
        return parse_run_option(key, argument, state);
    }
    return 0;
}

const struct argp sensitivity_parser = {
    .options = options,
    .parser = parse_option,
    .args_doc = "FILE",
    .doc = "Rank the inputs of an experiment by how far they move its answer.\v"
           "Inputs are all numbers in use that are assumed or calibrated, each from half to twice its value, "
           "and what "
           "--input names. KEY is a key as under vary, or the end of it: --input mailbox.io_rate='1 /s..10 "
           "/s'. Each "
           "is moved several times, from different places among the others (the elementary effects of "
           "Morris), and "
           "alone. All runs draw the same random numbers.\n\n"
           "Exit status: 0 ranked; 1 failed while running; 2 wrong usage or input; 130 interrupted.",
};

static void complain(const char *message)
{
    fprintf(stderr, "vdisim sensitivity: %s\n", message);
}

/* Of several cells one has to be chosen. */
static bool choose_cell(struct sensitivity_command *command, const struct experiment *experiment)
{
    enum { SHOWN = 6 };
    size_t count = experiment_cell_count(experiment);
    command->request.cell = command->cell > 0 ? command->cell - 1 : 0;
    if (command->cell > 0 || count == 1)
        return true;
    fprintf(stderr, "vdisim sensitivity: %s has %zu cells; choose one with --set, or with", command->file,
            count);
    for (size_t i = 0; i < count && i < SHOWN; i++) {
        const struct cell *cell = experiment_cell(experiment, i);
        fprintf(stderr, "\n  --cell %zu ", i + 1);
        for (size_t k = 0; k < cell->assignment_count; k++)
            fprintf(stderr, "%s%s = %s", k == 0 ? " " : ", ", cell->assignments[k].label,
                    cell->assignments[k].value);
    }
    fprintf(stderr, count > SHOWN ? "\n  ...\n" : "\n");
    return false;
}

static enum exit_status print(const struct sensitivity_command *command,
                              const struct sensitivity *sensitivity)
{
    struct writer output = {.file = stdout};
    struct text_style style = {.utf8 = terminal_utf8(), .colour = terminal_colour(stdout)};
    if (command->format == FORMAT_JSON)
        sensitivity_print_json(sensitivity, &output);
    else if (command->format == FORMAT_CSV)
        sensitivity_print_csv(sensitivity, &output);
    else if (!sensitivity_print(sensitivity, &output, &style) && output.error == 0)
        output.error = ENOMEM;
    return output_is_flushed("sensitivity", &output, false) ? EXIT_FINE : EXIT_FAILED;
}

static enum exit_status execute(const struct sensitivity_command *command, struct sensitivity *sensitivity)
{
    char message[MESSAGE_SIZE] = "";
    struct progress progress;
    size_t runs = sensitivity_run_count(sensitivity);
    if (!command->quiet)
        fprintf(stderr,
                "%zu runs: %zu trajectories of %zu inputs, each input alone at both ends, and the cell as it "
                "is\n",
                runs, command->request.trajectories, sensitivity->input_count);
    progress_start(&progress, experiment_name(sensitivity->experiment), command->progress);
    struct run_options run = {
        .jobs = command->jobs,
        .cancel = interrupt_watch(),
        .progress = progress_update,
        .progress_context = &progress,
    };
    enum sensitivity_end end = sensitivity_execute(sensitivity, &run, message, sizeof message);
    bool is_done = end == SENSITIVITY_DONE;
    progress_finish(&progress, is_done ? runs : 0,
                    end == SENSITIVITY_FAILED || end == SENSITIVITY_REFUSED ? 0 : runs);
    if (!is_done)
        complain(message);
    return is_done                          ? print(command, sensitivity)
           : end == SENSITIVITY_REFUSED     ? EXIT_USAGE
           : end == SENSITIVITY_INTERRUPTED ? EXIT_INTERRUPTED
                                            : EXIT_FAILED;
}

static enum exit_status study(struct sensitivity_command *command, struct problems *problems)
{
    struct experiment *experiment = experiment_open(command->file, &command->experiment, problems);
    struct sensitivity *sensitivity = NULL;
    bool is_fine = experiment != NULL && problems_errors(problems) == 0;
    bool is_chosen = is_fine && choose_cell(command, experiment);
    if (is_chosen)
        sensitivity = sensitivity_create(experiment, &command->request, problems);
    if (sensitivity == NULL || !command->quiet)
        problems_print(problems, stderr, terminal_colour(stderr));
    enum exit_status status = sensitivity != NULL ? execute(command, sensitivity) : EXIT_USAGE;
    sensitivity_destroy(sensitivity);
    experiment_close(experiment);
    return status;
}

int command_sensitivity(int argc, char **argv)
{
    size_t most = (size_t)argc + 1;
    struct sensitivity_command command = {
        .request = {.factor = 2, .trajectories = 8, .levels = 4, .replications = 1, .confidence = 0.95},
        .ranges = calloc(most, sizeof *command.ranges),
        .only = calloc(most, sizeof *command.only),
        .sets = calloc(most, sizeof *command.sets),
        .catalogues = calloc(most, sizeof *command.catalogues),
        .experiment = {.seed = -1},
    };
    struct problems *problems = problems_create();
    enum exit_status status = EXIT_FAILED;
    if (command.ranges == NULL || command.only == NULL || command.sets == NULL ||
        command.catalogues == NULL || problems == NULL) {
        complain("out of memory");
    } else {
        command.request.ranges = command.ranges;
        command.request.only = command.only;
        command.experiment.sets = command.sets;
        command.experiment.catalogues = command.catalogues;
        argp_parse(&sensitivity_parser, argc, argv, 0, NULL, &command);
        if (file_is_readable("sensitivity", command.file))
            status = study(&command, problems);
    }
    problems_destroy(problems);
    free(command.ranges);
    free(command.only);
    free(command.sets);
    free(command.catalogues);
    return (int)status;
}
