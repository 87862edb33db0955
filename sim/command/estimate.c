/* vdisim estimate: a fluid answer in milliseconds, and when not to believe it. */
#include "sim/command/command.h"
#include "sim/command/options.h"
#include "sim/command/streams.h"
#include "sim/command/terminal.h"
#include "sim/experiment/read/experiment.h"
#include "sim/experiment/result/label.h"
#include "sim/experiment/size/fluid_print.h"

#include <argp.h>
#include <errno.h>
#include <stdlib.h>

enum { MESSAGE_SIZE = 1024 };

struct estimate_command {
    const char *file, *store;
    const char **sets, **catalogues;
    struct experiment_options experiment;
    enum output_format format;
    bool quiet;
};

enum { KEY_SET = 256, KEY_CATALOGUE, KEY_STORE, KEY_SEED };

static const struct argp_option options[] = {
    {"set", KEY_SET, "KEY=VALUE", 0, "Set a value of the experiment, KEY as under vary; may be repeated", 0},
    {"store", KEY_STORE, "NAME", 0, "The store (default: that of the first workload of logons)", 0},
    {"format", 'f', "table|json", 0, "What to print on standard output (default: table)", 0},
    {"seed", KEY_SEED, "N", 0, "Seed of the random numbers instead of what the file says", 0},
    {"catalogue", KEY_CATALOGUE, "FILE", 0, "Add a catalogue to the built-in one; may be repeated", 0},
    {"quiet", 'q', NULL, 0, "No warnings", 0},
    {NULL, 0, NULL, 0, NULL, 0},
};

static error_t parse_option(int key, char *argument, struct argp_state *state)
{
    struct estimate_command *command = state->input;
    switch (key) {
    case KEY_SET:
        command->sets[command->experiment.set_count++] = option_setting(state, "set", argument);
        break;
    case KEY_STORE:
        command->store = option_name(state, "store", "store", argument);
        break;
    case 'f':
        command->format = option_format(state, argument);
        if (command->format == FORMAT_CSV)
            argp_error(state, "--format: there is no CSV of an estimate, only table and json");
        break;
    case KEY_SEED:
        command->experiment.seed = option_whole_number(state, "seed", argument, 0, INT64_MAX);
        break;
    case KEY_CATALOGUE:
        command->catalogues[command->experiment.catalogue_count++] = argument;
        break;
    case 'q':
        command->quiet = true;
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

const struct argp estimate_parser = {
    .options = options,
    .parser = parse_option,
    .args_doc = "FILE",
    .doc = "Estimate load times and what binds, without simulating the storm.\v"
           "One user is simulated alone; what that logon asks for, times the arrivals, flows against every "
           "limit of "
           "the share, burst credits included. It takes milliseconds, knows averages only, and says when to "
           "believe "
           "it less. vdisim run is the answer to rely on.\n\n"
           "Exit status: 0 estimated; 1 failed while running; 2 wrong usage or input.",
};

static void complain(const char *message)
{
    fprintf(stderr, "vdisim estimate: %s\n", message);
}

/* False when memory is short. */
static bool print(const struct estimate_command *command, const struct logons_of_store *logons,
                  const struct fluid_answer *answer, struct writer *output)
{
    char label[LABEL_SIZE] = "";
    const struct text_style style = {.utf8 = terminal_utf8(), .colour = terminal_colour(stdout)};
    if (command->format == FORMAT_JSON) {
        if (logons->cell > 0)
            write_text(output, ",\n");
        fluid_print_json(logons, answer, output);
        return true;
    }
    if (experiment_cell_count(logons->experiment) > 1)
        cell_label(label, logons->experiment, logons->cell);
    if (logons->cell > 0)
        write_text(output, "\n");
    return fluid_print(logons, answer, label, output, &style);
}

static enum exit_status estimate_cell(const struct estimate_command *command,
                                      const struct experiment *experiment, size_t cell, struct writer *output)
{
    char message[MESSAGE_SIZE] = "out of memory";
    struct fluid_answer *answer = calloc(1, sizeof *answer);
    struct logons_of_store logons = {.count = 0};
    enum exit_status status = EXIT_FAILED;
    if (answer != NULL &&
        !logons_of_store_find(&logons, experiment, cell, command->store, message, sizeof message))
        status = EXIT_USAGE;
    else if (answer != NULL && logons_of_store_measure(&logons, NULL, message, sizeof message) &&
             logons_of_store_solve(&logons, logons_of_store_share(experiment, cell, logons.store_index), 1.0,
                                   1.0, answer) &&
             print(command, &logons, answer, output))
        status = EXIT_FINE;
    if (status != EXIT_FINE)
        complain(message);
    logons_of_store_release(&logons);
    free(answer);
    return status;
}

static enum exit_status estimate(const struct estimate_command *command, struct problems *problems)
{
    struct experiment *experiment = experiment_open(command->file, &command->experiment, problems);
    const bool is_fine = experiment != NULL && problems_errors(problems) == 0;
    enum exit_status status = is_fine ? EXIT_FINE : EXIT_USAGE;
    struct writer output = {.file = stdout};
    if (!is_fine || !command->quiet)
        problems_print(problems, stderr, terminal_colour(stderr));
    if (is_fine && command->format == FORMAT_JSON) {
        write_text(&output, "{\"experiment\": ");
        write_json_text(&output, experiment_name(experiment));
        write_text(&output, ", \"version\": \"" VDISIM_VERSION "\", \"cells\": [");
    }
    for (size_t cell = 0; is_fine && status == EXIT_FINE && cell < experiment_cell_count(experiment); cell++)
        status = estimate_cell(command, experiment, cell, &output);
    if (is_fine && command->format == FORMAT_JSON)
        write_text(&output, "]}\n");
    if (!output_is_flushed("estimate", &output, false))
        status = EXIT_FAILED;
    experiment_close(experiment);
    return status;
}

int command_estimate(int argc, char **argv)
{
    const size_t most = (size_t)argc + 1;
    struct estimate_command command = {
        .sets = calloc(most, sizeof *command.sets),
        .catalogues = calloc(most, sizeof *command.catalogues),
        .experiment = {.seed = -1},
    };
    struct problems *problems = problems_create();
    enum exit_status status = EXIT_FAILED;
    if (command.sets == NULL || command.catalogues == NULL || problems == NULL) {
        complain("out of memory");
    } else {
        command.experiment.sets = command.sets;
        command.experiment.catalogues = command.catalogues;
        argp_parse(&estimate_parser, argc, argv, 0, NULL, &command);
        if (file_is_readable("estimate", command.file))
            status = estimate(&command, problems);
    }
    problems_destroy(problems);
    free(command.sets);
    free(command.catalogues);
    return (int)status;
}
