#include "sim/command/run_request.h"

#include "sim/command/command.h"
#include "sim/command/options.h"

#include <argp.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum { SHARDS_MOST = 100000 };

enum {
    KEY_REPLICATIONS = 256,
    KEY_SEED,
    KEY_SET,
    KEY_FORCE,
    KEY_CATALOGUE,
    KEY_NO_RESULTS,
    KEY_ARCHIVE,
    KEY_RESUME,
    KEY_SHARD,
    KEY_SELECT_BEST,
    KEY_INDIFFERENCE,
    KEY_PROGRESS
};

static const struct argp_option options[] = {
    {"format", 'f', "table|json|csv", 0, "What to print on standard output (default: table)", 0},
    {"replications", KEY_REPLICATIONS, "N", 0,
     "Independent runs of each cell, instead of what the file says; intervals need at least 5 (2 without a "
     "run "
     "effect)",
     0},
    {"seed", KEY_SEED, "N", 0, "Seed of the random numbers, instead of what the file says", 0},
    OPTION_JOBS,
    {"set", KEY_SET, "KEY=VALUE", 0, "Set a value of the experiment, KEY as under vary; may be repeated", 0},
    {"out", 'o', "DIR", 0,
     "Folder of the results (default: results/NAME); with several files each gets a folder in DIR", 0},
    {"force", KEY_FORCE, NULL, 0, "Replace an existing result folder", 0},
    {"no-results", KEY_NO_RESULTS, NULL, 0, "Write no result folder", 0},
    {"catalogue", KEY_CATALOGUE, "FILE", 0, "Add a catalogue to the built-in one; may be repeated", 0},
    {"archive", KEY_ARCHIVE, "FILE", 0,
     "Keep every finished unit in this SQLite file, made when it is not there", 0},
    {"resume", KEY_RESUME, NULL, 0, "Take finished units from the archive and run the others", 0},
    {"shard", KEY_SHARD, "I/N", 0,
     "Run only the I-th of N parts of the units, into the archive; `vdisim merge` puts the parts together",
     0},
    {"select-best", KEY_SELECT_BEST, "METRIC", 0,
     "Find the cell that is best by METRIC with 95 % confidence; replications of the others end early", 0},
    {"indifference", KEY_INDIFFERENCE, "VALUE", 0,
     "A difference between cells that does not matter, for --select-best: 0.5s", 0},
    OPTION_PROGRESS(KEY_PROGRESS),
    {"quiet", 'q', NULL, 0, "No progress bar and no warnings", 0},
    {NULL, 0, NULL, 0, NULL, 0},
};

static struct shard shard_of(struct argp_state *state, const char *text)
{
    const char *slash = strchr(text, '/');
    char *end;
    struct shard shard = {0};
    errno = 0;
    unsigned long index = strtoul(text, &end, 10);
    bool fine = slash != NULL && end == slash && end != text && text[0] >= '0' && text[0] <= '9';
    unsigned long count = fine ? strtoul(slash + 1, &end, 10) : 0;
    fine = fine && *end == '\0' && slash[1] >= '0' && slash[1] <= '9' && errno == 0 && index >= 1 &&
           index <= count && count <= SHARDS_MOST;
    if (!fine)
        argp_error(state, "--shard: '%s' is not I/N with I from 1 to N, e.g. 2/5", text);
    shard.index = index - 1;
    shard.count = count;
    return shard;
}

/* What does not go together. */
static void check_combinations(struct argp_state *state, const struct run_request *request)
{
    if (request->file_count == 0)
        argp_error(state, "no experiment file given");
    if (request->format == FORMAT_CSV && request->file_count > 1)
        argp_error(state, "--format csv takes one file: the columns of experiments differ");
    if (request->resume && request->archive == NULL)
        argp_error(state, "--resume goes on from an archive: name it with --archive FILE");
    if (request->shard.count > 0 && request->archive == NULL)
        argp_error(state, "--shard keeps its part in an archive: name it with --archive FILE");
    if (request->shard.count > 0 && request->file_count > 1)
        argp_error(state, "--shard takes one experiment file");
    if (request->shard.count > 0 && request->select_best != NULL)
        argp_error(state, "--select-best decides by the results of all units, which a shard has not");
    if (request->shard.count > 0 && request->out != NULL)
        argp_error(state, "a shard writes no result folder; `vdisim merge` does, of all shards");
    if ((request->select_best == NULL) != (request->indifference == NULL))
        argp_error(state, "--select-best and --indifference go together, e.g. --select-best profile_load.p95 "
                          "--indifference 0.5s");
}

static error_t parse_option(int key, char *argument, struct argp_state *state)
{
    struct run_request *request = state->input;
    switch (key) {
    case 'f':
        request->format = option_format(state, argument);
        break;
    case KEY_REPLICATIONS:
        request->experiment.replications =
            option_whole_number(state, "replications", argument, 1, REPLICATIONS_MOST);
        break;
    case KEY_SEED:
        request->experiment.seed = option_whole_number(state, "seed", argument, 0, INT64_MAX);
        break;
    case 'j':
        request->jobs = (size_t)option_whole_number(state, "jobs", argument, 1, JOBS_MOST);
        break;
    case KEY_SET:
        request->sets[request->experiment.set_count++] = option_setting(state, "set", argument);
        break;
    case 'o':
        request->out = option_name(state, "out", "folder", argument);
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
        option_quiet(&request->quiet, &request->progress);
        break;
    case ARGP_KEY_ARG:
        request->files[request->file_count++] = argument;
        break;
    case KEY_ARCHIVE:
        request->archive = option_name(state, "archive", "file", argument);
        break;
    case KEY_RESUME:
        request->resume = true;
        break;
    case KEY_SHARD:
        request->shard = shard_of(state, argument);
        break;
    case KEY_SELECT_BEST:
        request->select_best = argument;
        break;
    case KEY_INDIFFERENCE:
        request->indifference = argument;
        break;
    case KEY_PROGRESS:
        option_progress(state, argument, &request->progress);
        break;
    case ARGP_KEY_END:
        check_combinations(state, request);
        break;
    default:
        return ARGP_ERR_UNKNOWN;
    }
    return 0;
}

const struct argp run_parser = {
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

bool run_request_read(struct run_request *request, int argc, char **argv)
{
    size_t most = (size_t)argc + 1;
    *request = (struct run_request){
        .files = calloc(most, sizeof *request->files),
        .sets = calloc(most, sizeof *request->sets),
        .catalogues = calloc(most, sizeof *request->catalogues),
        .experiment = {.seed = -1},
    };
    if (request->files == NULL || request->sets == NULL || request->catalogues == NULL)
        return false;
    request->experiment.sets = request->sets;
    request->experiment.catalogues = request->catalogues;
    argp_parse(&run_parser, argc, argv, 0, NULL, request);
    return true;
}

void run_request_release(struct run_request *request)
{
    free(request->files);
    free(request->sets);
    free(request->catalogues);
}
