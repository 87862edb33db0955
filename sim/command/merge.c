/* vdisim merge: the shards of one experiment, run on several machines, become the result that one machine would have
 * given. */
#include "sim/command/command.h"
#include "sim/command/kept_result.h"
#include "sim/command/options.h"
#include "sim/command/streams.h"
#include "sim/command/terminal.h"
#include "sim/experiment/archive/archive_shards.h"
#include "sim/experiment/result/json.h"
#include "sim/experiment/result/records.h"
#include "sim/experiment/result/table.h"

#include <argp.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

struct merge_request {
    const char **shards;
    size_t shard_count;
    enum output_format format;
    const char *out, *archive;
    bool force, no_results;
};

enum { KEY_FORCE = 256, KEY_ARCHIVE, KEY_NO_RESULTS };

static const struct argp_option options[] = {
    {"format", 'f', "table|json|csv", 0, "What to print on standard output (default: table)", 0},
    {"out", 'o', "DIR", 0, "Folder of the results (default: results/NAME)", 0},
    {"archive", KEY_ARCHIVE, "FILE", 0, "Keep the whole as a run of this archive too", 0},
    {"force", KEY_FORCE, NULL, 0, "Replace an existing result folder", 0},
    {"no-results", KEY_NO_RESULTS, NULL, 0, "Write no result folder", 0},
    {NULL, 0, NULL, 0, NULL, 0},
};

static error_t parse_option(int key, char *argument, struct argp_state *state)
{
    struct merge_request *request = state->input;
    switch (key) {
    case 'f':
        request->format = option_format(state, argument);
        break;
    case 'o':
        request->out = option_name(state, "out", "folder", argument);
        break;
    case KEY_ARCHIVE:
        request->archive = option_name(state, "archive", "file", argument);
        break;
    case KEY_FORCE:
        request->force = true;
        break;
    case KEY_NO_RESULTS:
        request->no_results = true;
        break;
    case ARGP_KEY_ARG:
        request->shards[request->shard_count++] = argument;
        break;
    case ARGP_KEY_END:
        if (request->shard_count == 0)
            argp_error(state,
                       "no shards given: the archives that `vdisim run --shard I/N --archive` has written");
        break;
    default:
        return ARGP_ERR_UNKNOWN;
    }
    return 0;
}

const struct argp merge_parser = {
    .options = options,
    .parser = parse_option,
    .args_doc = "SHARD...",
    .doc = "Put the shards of one experiment together: print and write what a single run would have.\v"
           "Each shard is an archive written by `vdisim run FILE --shard I/N --archive SHARD`. Their order "
           "makes no "
           "difference. Shards of different experiments, seeds or versions are refused, and so is a set from "
           "which one "
           "is missing or in which one is not finished.\n\n"
           "Exit status: 0 fine; 1 failed while reading or writing; 2 wrong usage or shards that do not fit "
           "together; "
           "3 an expectation was missed.",
};

static enum exit_status complain(enum archive_status status, const char *message)
{
    return kept_complaint("merge", status, message);
}

/* Each shard is a file or three. */
static void allow_many_files(void)
{
    struct rlimit limit;
    if (getrlimit(RLIMIT_NOFILE, &limit) == 0) {
        limit.rlim_cur = limit.rlim_max;
        setrlimit(RLIMIT_NOFILE, &limit);
    }
}

static enum archive_status copy_units(struct archive_run *into, struct keeper *from,
                                      const struct result *result, bool records,
                                      char message[UNIT_MESSAGE_SIZE])
{
    struct keeper *to = archive_run_keeper(into);
    for (size_t cell = 0; cell < result->cell_count; cell++)
        for (size_t i = 0; i < result->plans[cell].wanted; i++) {
            struct unit unit = {cell, i};
            struct unit_outcome outcome;
            if (from->operations->load(from, unit, records, &outcome, message) != KEEPER_HAS_IT)
                return ARCHIVE_FAILED;
            bool saved = to->operations->save(to, unit, &outcome, message);
            unit_release(&outcome);
            if (!saved)
                return ARCHIVE_FAILED;
        }
    return archive_run_finish(into, result, message);
}

/* As one transaction: an archive has the whole run or nothing of it. A run that is there already is the same. */
static enum archive_status keep_whole(struct archive *archive, const struct archive_experiment *experiment,
                                      struct keeper *from, const struct result *result, bool records,
                                      char message[UNIT_MESSAGE_SIZE])
{
    struct archive_run *run = NULL;
    char ignored[UNIT_MESSAGE_SIZE];
    struct archive_request request = {.experiment = archive_experiment_of(experiment),
                                      .selection = archive_experiment_selection(experiment),
                                      .resume = true};
    enum archive_status status = archive_transaction_begin(archive, message);
    if (status != ARCHIVE_FINE)
        return status;
    status = archive_run_begin(archive, &request, &run, message);
    if (status == ARCHIVE_REFUSED) {
        request.resume = false;
        status = archive_run_begin(archive, &request, &run, message);
    }
    if (status == ARCHIVE_FINE)
        status = copy_units(run, from, result, records, message);
    archive_run_release(run);
    if (status == ARCHIVE_FINE)
        return archive_transaction_end(archive, true, message);
    archive_transaction_end(archive, false, ignored);
    return status;
}

static enum exit_status archive_whole(const struct merge_request *request,
                                      const struct archive_experiment *experiment, struct keeper *from,
                                      const struct result *result, bool records)
{
    char message[UNIT_MESSAGE_SIZE] = "";
    struct archive *archive;
    enum archive_status status = archive_open(request->archive, ARCHIVE_WRITE, &archive, message);
    if (status == ARCHIVE_FINE)
        status = keep_whole(archive, experiment, from, result, records, message);
    archive_close(archive);
    return status == ARCHIVE_FINE ? EXIT_FINE : complain(status, message);
}

static enum exit_status end_merge(const struct merge_request *request, const struct result *result,
                                  const char *folder, struct writer *output)
{
    char message[UNIT_MESSAGE_SIZE];
    enum exit_status status = count_verdicts(result).missed > 0 ? EXIT_MISSED : EXIT_FINE;
    if (folder != NULL && !result_write(result, folder, request->force, message, sizeof message)) {
        status = complain(ARCHIVE_FAILED, message);
        folder = NULL;
    }
    print_result(result, folder, request->format, output);
    return output_is_flushed("merge", output, false) ? status : EXIT_FAILED;
}

static enum exit_status merge_experiment(const struct merge_request *request, struct archive_shards *shards,
                                         const struct archive_experiment *experiment)
{
    struct writer output = {.file = stdout};
    struct keeper *keeper = archive_shards_keeper(shards);
    bool records = archive_shards_have_records(shards);
    enum exit_status status = EXIT_FINE;
    char *folder = NULL;
    if (!request->no_results) {
        if (!records)
            return complain(ARCHIVE_REFUSED,
                            "some units were kept without their logons and minutes, so no result "
                            "folder can be written; --no-results prints the table alone");
        folder = kept_folder(request->out, archive_experiment_of(experiment));
        if (folder == NULL)
            return complain(ARCHIVE_FAILED, "out of memory");
        status = kept_folder_check("merge", folder, request->force);
    }
    struct result *result = NULL;
    if (status == EXIT_FINE)
        result = kept_result("merge", experiment, keeper, folder != NULL, &status);
    if (result != NULL && result_done(result) < result_wanted(result))
        status = complain(ARCHIVE_REFUSED, "the shards are damaged: units that they list are not there");
    if (result != NULL && status == EXIT_FINE && request->archive != NULL)
        status = archive_whole(request, experiment, keeper, result, records);
    if (result != NULL && status == EXIT_FINE)
        status = end_merge(request, result, folder, &output);
    result_destroy(result);
    free(folder);
    return status;
}

static enum exit_status merge(const struct merge_request *request)
{
    char message[UNIT_MESSAGE_SIZE];
    struct archive_shards *shards;
    enum exit_status status = EXIT_FAILED;
    allow_many_files();
    enum archive_status answer = archive_shards_open(request->shards, request->shard_count, &shards, message);
    if (answer != ARCHIVE_FINE)
        return complain(answer, message);
    struct archive_experiment *experiment =
        kept_experiment("merge", archive_shards_archive(shards), archive_shards_run(shards), &status);
    if (experiment != NULL)
        status = merge_experiment(request, shards, experiment);
    archive_experiment_close(experiment);
    archive_shards_close(shards);
    return status;
}

int command_merge(int argc, char **argv)
{
    struct merge_request request = {.shards = calloc((size_t)argc + 1, sizeof *request.shards)};
    if (request.shards == NULL)
        return (int)complain(ARCHIVE_FAILED, "out of memory");
    argp_parse(&merge_parser, argc, argv, 0, NULL, &request);
    enum exit_status status = merge(&request);
    free(request.shards);
    return (int)status;
}
