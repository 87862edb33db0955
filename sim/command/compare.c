/* vdisim compare: what differs between two results, and whether by more than chance. */
#include "sim/experiment/compare/compare.h"

#include "sim/command/command.h"
#include "sim/command/interrupt.h"
#include "sim/command/options.h"
#include "sim/command/progress.h"
#include "sim/command/streams.h"
#include "sim/command/terminal.h"

#include <argp.h>
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MESSAGE_SIZE = SAMPLE_MESSAGE_SIZE };

struct compare_command {
    const char *operands[2];
    size_t operand_count;
    struct compare_request request;
    const char **a_values, **b_values, **smallest, **metrics, **catalogues;
    struct experiment_options experiment;
    enum output_format format;
    size_t jobs;
    enum progress_style progress;
    bool quiet;
    const atomic_bool *cancel;
};

enum {
    KEY_A = 256,
    KEY_B,
    KEY_SMALLEST,
    KEY_METRIC,
    KEY_ALL,
    KEY_CONFIDENCE,
    KEY_REPLICATIONS,
    KEY_SEED,
    KEY_CATALOGUE,
    KEY_PROGRESS,
};

static const struct argp_option options[] = {
    {"a", KEY_A, "KEY=VALUE", 0, "Take from A the cells with this value of a varied key; may be repeated", 0},
    {"b", KEY_B, "KEY=VALUE", 0, "Take from B, or without B from A again, the cells with this value", 0},
    {"smallest", KEY_SMALLEST, "AMOUNT", 0,
     "The smallest difference that matters: 0.5 s for times, 20 MiB/s for throughputs, 5 % for all; may be "
     "repeated",
     0},
    {"metric", KEY_METRIC, "NAME", 0, "Compare this metric only; may be repeated", 0},
    {"all", KEY_ALL, NULL, 0, "Compare all metrics, not only those that most ask for", 0},
    {"confidence", KEY_CONFIDENCE, "PERCENT", 0, "Of intervals and verdicts (default: 95 %)", 0},
    {"format", 'f', "table|json|csv", 0, "What to print on standard output (default: table)", 0},
    {"replications", KEY_REPLICATIONS, "N", 0,
     "Of experiment files: runs of each cell, instead of what the file says", 0},
    {"seed", KEY_SEED, "N", 0,
     "Of experiment files: seed of the random numbers (default: what the first file says)", 0},
    OPTION_JOBS,
    {"catalogue", KEY_CATALOGUE, "FILE", 0, "Add a catalogue to the built-in one; may be repeated", 0},
    OPTION_PROGRESS(KEY_PROGRESS),
    {"quiet", 'q', NULL, 0, "No progress bar and no warnings", 0},
    {NULL, 0, NULL, 0, NULL, 0},
};

/* "95 %", "95%" or "0.95" */
static double confidence_of(struct argp_state *state, const char *text)
{
    char *end;
    double value = strtod(text, &end);
    end += strspn(end, " ");
    bool is_percentage = *end == '%';
    if (is_percentage) {
        value /= 100;
        end++;
    }
    if (end == text || *end != '\0' || !(value >= 0.5 && value < 1))
        argp_error(state, "--confidence: '%s' is not from 50 %% to below 100 %%", text);
    return value;
}

static const char *choice_of(struct argp_state *state, const char *option, const char *text)
{
    const char *equals = strchr(text, '=');
    if (equals == NULL || equals == text || equals[1] == '\0')
        argp_error(state, "--%s: '%s' is not KEY=VALUE", option, text);
    return text;
}

static void check_operands(const struct compare_command *command, struct argp_state *state)
{
    if (command->operand_count == 0)
        argp_error(state, "nothing to compare: give two results, or one and cells of it by --a and --b");
    if (command->operand_count == 1 &&
        (command->request.a_value_count == 0 || command->request.b_value_count == 0))
        argp_error(state,
                   "with one result, --a KEY=VALUE and --b KEY=VALUE say which of its cells to compare");
}

static error_t parse_run_option(int key, char *argument, struct argp_state *state)
{
    struct compare_command *command = state->input;
    switch (key) {
    case KEY_REPLICATIONS:
        command->experiment.replications =
            option_whole_number(state, "replications", argument, 1, REPLICATIONS_MOST);
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
    struct compare_command *command = state->input;
    struct compare_request *request = &command->request;
    switch (key) {
    case KEY_A:
        command->a_values[request->a_value_count++] = choice_of(state, "a", argument);
        break;
    case KEY_B:
        command->b_values[request->b_value_count++] = choice_of(state, "b", argument);
        break;
    case KEY_SMALLEST:
        command->smallest[request->smallest_count++] = argument;
        break;
    case KEY_METRIC:
        command->metrics[request->metric_count++] = argument;
        break;
    case KEY_ALL:
        request->all = true;
        break;
    case KEY_CONFIDENCE:
        request->confidence = confidence_of(state, argument);
        break;
    case 'f':
        command->format = option_format(state, argument);
        break;
    case ARGP_KEY_ARG:
        if (command->operand_count == 2)
            argp_error(state, "two results are compared, no more: '%s' is one too many", argument);
        command->operands[command->operand_count++] = argument;
        break;
    case ARGP_KEY_END:
        check_operands(command, state);
        break;
    default:
        return parse_run_option(key, argument, state);
    }
    return 0;
}

const struct argp compare_parser = {
    .options = options,
    .parser = parse_option,
    .args_doc = "A [B]",
    .doc =
        "Compare two results metric by metric, or two cells of one result.\v"
        "A and B are result folders, archives (FILE.sqlite, or FILE.sqlite:RUN for a run that is not the "
        "newest), "
        "or experiment files, which are run first, both with the same seed. Results of one seed are compared "
        "run by run, as both drew the same random numbers.\n\n"
        "KEY is a key under vary, or the end of it: --a size='5 TiB' --b size='10 TiB'.\n\n"
        "Exit status: 0 compared, whatever was found; 1 failed while running; 2 wrong usage or input, or "
        "there is "
        "nothing that can be compared; 130 interrupted.",
};

static void complain(const char *message)
{
    fprintf(stderr, "vdisim compare: %s\n", message);
}

static enum exit_status run(struct compare_command *command, const char *file, struct experiment *experiment,
                            struct sample **sample)
{
    char message[MESSAGE_SIZE];
    struct progress progress;
    progress_start(&progress, experiment_name(experiment), command->progress);
    progress_aim(&progress, experiment_precision(experiment));
    struct run_options run = {
        .jobs = command->jobs,
        .cancel = command->cancel,
        .progress = progress_update,
        .progress_context = &progress,
    };
    struct result *result = experiment_execute(experiment, &run, message, sizeof message);
    progress_finish(&progress, result == NULL ? 0 : result_done(result),
                    result == NULL ? 0 : result_wanted(result));
    if (result == NULL) {
        fprintf(stderr, "vdisim compare: %s: %s\n", file, message);
        return EXIT_FAILED;
    }
    enum exit_status status = EXIT_FINE;
    if (result->interrupted) {
        complain("interrupted; nothing was compared");
        status = EXIT_INTERRUPTED;
    } else if ((*sample = sample_of_result(result, file)) == NULL) {
        complain("out of memory");
        status = EXIT_FAILED;
    }
    result_destroy(result);
    return status;
}

static enum exit_status open_and_run(struct compare_command *command, const char *file,
                                     struct sample **sample)
{
    struct problems *problems = problems_create();
    if (problems == NULL) {
        complain("out of memory");
        return EXIT_FAILED;
    }
    struct experiment *experiment = experiment_open(file, &command->experiment, problems);
    bool is_fine = experiment != NULL && problems_errors(problems) == 0;
    if (!is_fine || !command->quiet)
        problems_print(problems, stderr, terminal_colour(stderr));
    problems_destroy(problems);
    enum exit_status status = EXIT_USAGE;
    if (is_fine) {
        status = run(command, file, experiment, sample);
    }
    experiment_close(experiment);
    return status;
}

static enum exit_status load(struct compare_command *command, const char *name, struct sample **sample)
{
    char message[MESSAGE_SIZE] = "";
    char *path;
    int64_t id;
    enum exit_status status = EXIT_FINE;
    switch (sample_source_of(name, &path, &id)) {
    case SAMPLE_FOLDER:
        *sample = sample_of_folder(name, message);
        if (*sample != NULL && !command->quiet)
            warn_of_altered("compare", name);
        break;
    case SAMPLE_ARCHIVE:
        *sample = sample_of_archive(path, id, message);
        break;
    case SAMPLE_EXPERIMENT:
        status = open_and_run(command, name, sample);
        break;
    case SAMPLE_UNREADABLE:
        fprintf(stderr, "vdisim compare: cannot read '%s': %s\n", name, strerror(errno));
        status = EXIT_FAILED;
        break;
    }
    free(path);
    if (status == EXIT_FINE && *sample == NULL) {
        complain(message);
        status = EXIT_USAGE;
    }
    return status;
}

static enum exit_status print(const struct compare_command *command, const struct compare *compare)
{
    struct writer output = {.file = stdout};
    struct text_style style = {.utf8 = terminal_utf8(), .colour = terminal_colour(stdout)};
    if (command->format == FORMAT_JSON)
        compare_print_json(compare, &output);
    else if (command->format == FORMAT_CSV)
        compare_print_csv(compare, &output);
    else if (!compare_print(compare, &output, &style) && output.error == 0)
        output.error = ENOMEM;
    return output_is_flushed("compare", &output, false) ? EXIT_FINE : EXIT_FAILED;
}

static enum exit_status compare_all(struct compare_command *command)
{
    char message[MESSAGE_SIZE];
    struct sample *a = NULL, *b = NULL;
    command->cancel = interrupt_watch();
    enum exit_status status = load(command, command->operands[0], &a);
    if (status == EXIT_FINE && command->experiment.seed < 0)
        command->experiment.seed = a->seed; /* of B, when that is to be run */
    if (status == EXIT_FINE && command->operand_count == 2)
        status = load(command, command->operands[1], &b);
    if (status == EXIT_FINE) {
        struct compare *compare = compare_create(a, b != NULL ? b : a, &command->request, message);
        if (compare == NULL)
            complain(message);
        status = compare == NULL ? EXIT_USAGE : print(command, compare);
        compare_destroy(compare);
    }
    sample_destroy(a);
    sample_destroy(b);
    return status;
}

int command_compare(int argc, char **argv)
{
    size_t most = (size_t)argc + 1;
    struct compare_command command = {
        .a_values = calloc(most, sizeof *command.a_values),
        .b_values = calloc(most, sizeof *command.b_values),
        .smallest = calloc(most, sizeof *command.smallest),
        .metrics = calloc(most, sizeof *command.metrics),
        .catalogues = calloc(most, sizeof *command.catalogues),
        .experiment = {.seed = -1},
        .request = {.confidence = 0.95},
    };
    enum exit_status status = EXIT_FAILED;
    if (command.a_values == NULL || command.b_values == NULL || command.smallest == NULL ||
        command.metrics == NULL || command.catalogues == NULL) {
        complain("out of memory");
    } else {
        command.request.a_values = command.a_values;
        command.request.b_values = command.b_values;
        command.request.smallest = command.smallest;
        command.request.metrics = command.metrics;
        command.experiment.catalogues = command.catalogues;
        argp_parse(&compare_parser, argc, argv, 0, NULL, &command);
        status = compare_all(&command);
    }
    free(command.a_values);
    free(command.b_values);
    free(command.smallest);
    free(command.metrics);
    free(command.catalogues);
    return (int)status;
}
