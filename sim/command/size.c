/* vdisim size: the cheapest share, or shares, that meet a service level. */
#include "sim/experiment/size/size.h"

#include "sim/command/command.h"
#include "sim/command/interrupt.h"
#include "sim/command/options.h"
#include "sim/command/streams.h"
#include "sim/command/terminal.h"
#include "sim/experiment/read/quantity.h"
#include "sim/experiment/read/vary.h"
#include "sim/experiment/size/size_print.h"

#include <argp.h>
#include <errno.h>
#include <math.h>
#include <stdlib.h>

enum { MESSAGE_SIZE = 1024, REPLICATIONS_LEAST = 8 };

struct size_command {
    const char *file;
    struct size_request request;
    struct target targets[TARGETS_MAX];
    const char **tiers, **sets, **catalogues;
    struct experiment_options experiment;
    size_t cell; /* from 1; 0: none was chosen */
    enum output_format format;
    bool quiet;
};

enum {
    KEY_TARGET = 256,
    KEY_TIER,
    KEY_DATE,
    KEY_SHARES,
    KEY_DATA,
    KEY_CONFIDENCE,
    KEY_REPLICATIONS,
    KEY_STORE,
    KEY_CELL,
    KEY_SET,
    KEY_SEED,
    KEY_CATALOGUE,
};

static const struct argp_option options[] = {
    {"target", KEY_TARGET, "TARGET", 0,
     "METRIC <= VALUE or METRIC >= VALUE, e.g. 'profile_load.p95 <= 15 s'; may be repeated", 0},
    {"tier", KEY_TIER, "NAME", 0,
     "A tier to look at; may be repeated (default: all shares of the catalogue that speak SMB)", 0},
    {"date", KEY_DATE, "DATE", 0,
     "The rules in force at this date (default: the store's rules in the file, or the latest)", 0},
    {"shares", KEY_SHARES, "N", 0, "At most so many shares, users split evenly (default: 4)", 0},
    {"data", KEY_DATA, "SIZE", 0, "What has to fit (default: what the profiles of all users hold)", 0},
    {"confidence", KEY_CONFIDENCE, "PERCENT", 0, "That the targets are met (default: 95 %)", 0},
    {"replications", KEY_REPLICATIONS, "N", 0, "At most so many runs to confirm a size: 8, 13, 23, 43, ... (default: 43)", 0},
    {"store", KEY_STORE, "NAME", 0, "The store (default: that of the first workload of logons)", 0},
    {"cell", KEY_CELL, "N", 0, "The cell of an experiment that varies something, from 1", 0},
    {"set", KEY_SET, "KEY=VALUE", 0, "Set a value of the experiment, KEY as under vary; may be repeated", 0},
    {"format", 'f', "table|json", 0, "What to print on standard output (default: table)", 0},
    {"seed", KEY_SEED, "N", 0, "Seed of the random numbers instead of what the file says", 0},
    OPTION_JOBS,
    {"catalogue", KEY_CATALOGUE, "FILE", 0, "Add a catalogue to the built-in one; may be repeated", 0},
    {"quiet", 'q', NULL, 0, "No warnings", 0},
    {NULL, 0, NULL, 0, NULL, 0},
};

static double quantity_of(struct argp_state *state, const char *option, enum parameter_type type,
                          const char *text)
{
    struct quantity quantity;
    char message[256];
    if (!quantity_parse(type, text, &quantity, message, sizeof message))
        argp_error(state, "--%s: %s", option, message);
    return type == PARAMETER_SIZE ? (double)quantity.integer : quantity.number;
}

static double confidence_of(struct argp_state *state, const char *text)
{
    const double confidence = quantity_of(state, "confidence", PARAMETER_FRACTION, text);
    if (!(confidence >= 0.5 && confidence <= 0.9999))
        argp_error(state, "--confidence: '%s' is not between 50 %% and 99.99 %%", text);
    return confidence;
}

static void add_target(struct argp_state *state, struct size_command *command, const char *text)
{
    char message[TARGET_MESSAGE_SIZE];
    if (command->request.target_count == TARGETS_MAX)
        argp_error(state, "--target: %d at most", TARGETS_MAX);
    if (!target_parse(&command->targets[command->request.target_count++], text, message))
        argp_error(state, "--target: %s", message);
}

static error_t parse_run_option(int key, char *argument, struct argp_state *state)
{
    struct size_command *command = state->input;
    switch (key) {
    case KEY_STORE:
        command->request.store = option_name(state, "store", "store", argument);
        break;
    case KEY_CELL:
        command->cell = (size_t)option_whole_number(state, "cell", argument, 1, VARY_MAX_CELLS);
        break;
    case KEY_SET:
        command->sets[command->experiment.set_count++] = option_setting(state, "set", argument);
        break;
    case 'f':
        command->format = option_format(state, argument);
        if (command->format == FORMAT_CSV)
            argp_error(state, "--format: there is no CSV of sizes, only table and json");
        break;
    case KEY_SEED:
        command->experiment.seed = option_whole_number(state, "seed", argument, 0, INT64_MAX);
        break;
    case 'j':
        command->request.jobs = (size_t)option_whole_number(state, "jobs", argument, 1, JOBS_MOST);
        break;
    case KEY_CATALOGUE:
        command->catalogues[command->experiment.catalogue_count++] = argument;
        break;
    case 'q':
        command->quiet = true;
        break;
    default:
        return ARGP_ERR_UNKNOWN;
    }
    return 0;
}

static error_t parse_option(int key, char *argument, struct argp_state *state)
{
    struct size_command *command = state->input;
    struct size_request *request = &command->request;
    switch (key) {
    case KEY_TARGET:
        add_target(state, command, argument);
        break;
    case KEY_TIER:
        command->tiers[request->tier_count++] = option_name(state, "tier", "tier", argument);
        break;
    case KEY_DATE:
        request->rules = option_name(state, "date", "date", argument);
        break;
    case KEY_SHARES:
        request->shares_most = (size_t)option_whole_number(state, "shares", argument, 1, SIZE_SHARES_MOST);
        break;
    case KEY_DATA:
        request->data_bytes = quantity_of(state, "data", PARAMETER_SIZE, argument);
        break;
    case KEY_CONFIDENCE:
        request->confidence = confidence_of(state, argument);
        break;
    case KEY_REPLICATIONS:
        request->replications = (size_t)option_whole_number(state, "replications", argument,
                                                            REPLICATIONS_LEAST, REPLICATIONS_MOST);
        break;
    case ARGP_KEY_ARG:
        if (command->file != NULL)
            argp_error(state, "one experiment file, no more: '%s' is one too many", argument);
        command->file = argument;
        break;
    case ARGP_KEY_END:
        if (command->file == NULL)
            argp_error(state, "no experiment file given");
        if (request->target_count == 0)
            argp_error(state, "no target given, e.g. --target 'profile_load.p95 <= 15 s'");
        break;
    default:
        return parse_run_option(key, argument, state);
    }
    return 0;
}

const struct argp size_parser = {
    .options = options,
    .parser = parse_option,
    .args_doc = "FILE",
    .doc =
        "Find the cheapest tier, size and number of shares that meet targets for the users of an "
        "experiment.\v"
        "A target is met when the one-sided 95 % bound of the mean over mornings is within it. Options are "
        "ranked by the "
        "cost of a month, those without a price by size after the others, with the margin, the limit that "
        "is used "
        "most, and what 20 % more users would do.\n\n"
        "Exit status: 0 found; 1 failed while running; 2 wrong usage or input; 3 nothing meets the "
        "targets; 130 "
        "interrupted.",
};

static void complain(const char *message)
{
    fprintf(stderr, "vdisim size: %s\n", message);
}

static enum exit_status print(const struct size_command *command, const struct size_answer *answer)
{
    struct writer output = {.file = stdout};
    const struct text_style style = {.utf8 = terminal_utf8(), .colour = terminal_colour(stdout)};
    if (command->format == FORMAT_JSON)
        size_print_json(answer, &output);
    else if (!size_print(answer, &output, &style) && output.error == 0)
        output.error = ENOMEM;
    return !output_is_flushed("size", &output, false) ? EXIT_FAILED
           : size_is_met(answer)                      ? EXIT_FINE
                                                      : EXIT_MISSED;
}

static enum exit_status find(struct size_command *command, const struct experiment *experiment)
{
    char message[MESSAGE_SIZE] = "";
    enum size_end end;
    const size_t cells = experiment_cell_count(experiment);
    if (command->cell > cells) {
        fprintf(stderr, "vdisim size: there is no cell %zu; the experiment has %zu\n", command->cell, cells);
        return EXIT_USAGE;
    }
    if (command->cell == 0 && cells > 1) {
        fprintf(stderr, "vdisim size: %s has %zu cells; choose one with --cell or --set\n", command->file,
                cells);
        return EXIT_USAGE;
    }
    command->request.cell = command->cell > 0 ? command->cell - 1 : 0;
    command->request.cancel = interrupt_watch();
    struct size_answer *answer = size_find(experiment, &command->request, &end, message, sizeof message);
    const enum exit_status status = answer != NULL            ? print(command, answer)
                                    : end == SIZE_REFUSED     ? EXIT_USAGE
                                    : end == SIZE_INTERRUPTED ? EXIT_INTERRUPTED
                                                              : EXIT_FAILED;
    if (answer == NULL)
        complain(message);
    size_answer_destroy(answer);
    return status;
}

int command_size(int argc, char **argv)
{
    const size_t most = (size_t)argc + 1;
    struct size_command command = {
        .request = {.shares_most = 4, .data_bytes = NAN, .confidence = 0.95, .replications = 43},
        .tiers = calloc(most, sizeof *command.tiers),
        .sets = calloc(most, sizeof *command.sets),
        .catalogues = calloc(most, sizeof *command.catalogues),
        .experiment = {.seed = -1},
    };
    struct problems *problems = problems_create();
    enum exit_status status = EXIT_FAILED;
    if (command.tiers == NULL || command.sets == NULL || command.catalogues == NULL || problems == NULL) {
        complain("out of memory");
    } else {
        command.request.targets = command.targets;
        command.request.tiers = command.tiers;
        command.experiment.sets = command.sets;
        command.experiment.catalogues = command.catalogues;
        argp_parse(&size_parser, argc, argv, 0, NULL, &command);
        if (file_is_readable("size", command.file)) {
            struct experiment *experiment = experiment_open(command.file, &command.experiment, problems);
            const bool is_fine = experiment != NULL && problems_errors(problems) == 0;
            if (!is_fine || !command.quiet)
                problems_print(problems, stderr, terminal_colour(stderr));
            status = is_fine ? find(&command, experiment) : EXIT_USAGE;
            experiment_close(experiment);
        }
    }
    problems_destroy(problems);
    free(command.tiers);
    free(command.sets);
    free(command.catalogues);
    return (int)status;
}
