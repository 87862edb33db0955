/* vdisim archive: looks into an archive of runs, asks it questions, takes results out of it. */
#include "sim/command/command.h"
#include "sim/command/kept_result.h"
#include "sim/command/options.h"
#include "sim/command/query_output.h"
#include "sim/command/streams.h"
#include "sim/command/terminal.h"
#include "sim/experiment/read/suggest.h"
#include "sim/experiment/result/records.h"
#include "sim/experiment/result/text_table.h"

#include <argp.h>
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum archive_action { ACTION_LIST, ACTION_SHOW, ACTION_EXPORT, ACTION_QUERY, ACTION_COUNT };

static const char *const action_names[] = {"list", "show", "export", "query"};

struct archive_command {
    enum archive_action action;
    const char *file;
    int64_t run; /* 0: the newest that is finished */
    const char *sql, *out;
    enum output_format format;
    bool force, has_format;
};

enum { KEY_FORCE = 256 };

static const struct argp_option options[] = {
    {"format", 'f', "table|json|csv", 0, "list, query: what to print (default: table)", 0},
    {"out", 'o', "DIR", 0, "export: folder of the results (default: results/NAME)", 0},
    {"force", KEY_FORCE, NULL, 0, "export: replace an existing result folder", 0},
    {NULL, 0, NULL, 0, NULL, 0},
};

static enum archive_action action_of(struct argp_state *state, const char *text)
{
    struct suggestion suggestion = {.written = text};
    for (int i = 0; i < ACTION_COUNT; i++) {
        if (strcmp(text, action_names[i]) == 0)
            return (enum archive_action)i;
        suggestion_offer(&suggestion, action_names[i]);
    }
    if (suggestion.best != NULL)
        argp_error(state, "'%s' is not one of list, show, export, query. Did you mean %s?", text,
                   suggestion.best);
    argp_error(state, "'%s' is not one of list, show, export, query", text);
    return ACTION_LIST;
}

static int64_t run_of(struct argp_state *state, const char *text)
{
    char *end;
    errno = 0;
    long long run = strtoll(text, &end, 10);
    if (end == text || *end != '\0' || errno != 0 || run < 1)
        argp_error(state, "'%s' is not the number of a run, as `vdisim archive list` shows it", text);
    return run;
}

static void take_argument(struct archive_command *command, const char *argument, struct argp_state *state)
{
    if (state->arg_num == 0)
        command->action = action_of(state, argument);
    else if (state->arg_num == 1)
        command->file = argument;
    else if (state->arg_num == 2 && (command->action == ACTION_SHOW || command->action == ACTION_EXPORT))
        command->run = run_of(state, argument);
    else if (state->arg_num == 2 && command->action == ACTION_QUERY)
        command->sql = argument;
    else
        argp_error(state, "too many arguments: '%s'", argument);
}

static void check_arguments(const struct archive_command *command, struct argp_state *state)
{
    if (state->arg_num == 0)
        argp_error(state, "say what to do: list, show, export or query");
    if (command->file == NULL)
        argp_error(state, "no archive given");
    if (command->action == ACTION_EXPORT && command->run == 0)
        argp_error(state, "say which run to export; `vdisim archive list %s` shows them", command->file);
    if (command->action == ACTION_QUERY && command->sql == NULL)
        argp_error(state, "no query given, such as \"SELECT * FROM runs\"");
    if (command->action != ACTION_EXPORT && (command->out != NULL || command->force))
        argp_error(state, "--out and --force are of export");
    if (command->has_format && command->action != ACTION_LIST && command->action != ACTION_QUERY)
        argp_error(state, "--format is of list and query");
}

static error_t parse_option(int key, char *argument, struct argp_state *state)
{
    struct archive_command *command = state->input;
    switch (key) {
    case 'f':
        command->format = option_format(state, argument);
        command->has_format = true;
        break;
    case 'o':
        command->out = option_name(state, "out", "folder", argument);
        break;
    case KEY_FORCE:
        command->force = true;
        break;
    case ARGP_KEY_ARG:
        take_argument(command, argument, state);
        break;
    case ARGP_KEY_END:
        check_arguments(command, state);
        break;
    default:
        return ARGP_ERR_UNKNOWN;
    }
    return 0;
}

const struct argp archive_parser = {
    .options = options,
    .parser = parse_option,
    .args_doc = "list FILE\nshow FILE [RUN]\nexport FILE RUN\nquery FILE SQL",
    .doc = "Look into an archive that `vdisim run --archive FILE` has written.\v"
           "list shows the runs; show tells of one (the newest finished one) what it was made from; export "
           "writes the "
           "result folder that the run would have written, byte for byte; query answers in SQL, from the "
           "views runs, "
           "metrics, parts, logons and minutes, or the tables below them.\n\n"
           "  vdisim archive query runs.sqlite \"SELECT cell, avg(value) FROM metrics WHERE run = 1 AND "
           "metric = "
           "'profile_load.mean' GROUP BY cell\"\n\n"
           "Exit status: 0 fine; 1 failed while reading or writing; 2 wrong usage, no archive, no such run.",
};

static enum exit_status complain(enum archive_status status, const char *message)
{
    return kept_complaint("archive", status, message);
}

static enum exit_status ask(struct archive *archive, const char *sql, enum output_format format,
                            struct writer *output)
{
    char message[UNIT_MESSAGE_SIZE];
    enum archive_status status = query_print(archive, sql, format, output, message);
    if (status == ARCHIVE_FINE || message[0] == '\0')
        return EXIT_FINE; /* or the output is broken, which is told at the end */
    return complain(status, message);
}

static enum exit_status list(const struct archive_command *command, struct archive *archive,
                             struct writer *output)
{
    static const char for_people[] = "SELECT run, experiment, status, kept || CASE WHEN wanted > 0 THEN ' of "
                                     "' || wanted ELSE '' END AS units, "
                                     "seed, shard, version, started, finished FROM runs ORDER BY run";
    return ask(archive, command->format == FORMAT_TABLE ? for_people : "SELECT * FROM runs ORDER BY run",
               command->format, output);
}

static void tell(struct writer *output, const char *name, const char *text)
{
    struct text_style style = {.utf8 = terminal_utf8()};
    if (text[0] == '\0')
        return;
    write_text(output, "%-12s", name);
    write_user_text(output, text, &style);
    write_text(output, "\n");
}

static void tell_run(struct writer *output, const struct archive_run_info *info)
{
    char number[64];
    snprintf(number, sizeof number, "%" PRId64, info->id);
    tell(output, "run", number);
    tell(output, "experiment", info->experiment);
    tell(output, "title", info->title);
    tell(output, "file", info->file);
    tell(output, "status", info->status);
    tell(output, "started", info->started);
    tell(output, "finished", info->finished);
    if (info->wanted > 0)
        snprintf(number, sizeof number, "%zu of %zu", info->kept, info->wanted);
    else
        snprintf(number, sizeof number, "%zu", info->kept);
    tell(output, "units", number);
    if (info->shard.count > 0) {
        snprintf(number, sizeof number, "%zu of %zu", info->shard.index + 1, info->shard.count);
        tell(output, "shard", number);
    }
    snprintf(number, sizeof number, "%" PRId64, info->seed);
    tell(output, "seed", number);
    snprintf(number, sizeof number, "%.20s%s%.36s", info->version, info->commit[0] != '\0' ? " " : "",
             info->commit);
    tell(output, "version", number);
    tell(output, "GSL", info->gsl_version);
    tell(output, "generator", info->random_generator);
    tell(output, "hash", info->hash);
}

static enum exit_status show(const struct archive_command *command, struct archive *archive,
                             struct writer *output)
{
    char message[UNIT_MESSAGE_SIZE], sql[640];
    struct archive_run *run;
    struct archive_run_info *runs;
    size_t count;
    enum archive_status status = archive_run_open(archive, command->run, &run, message);
    if (status != ARCHIVE_FINE)
        return complain(status, message);
    int64_t id = archive_run_id(run);
    archive_run_release(run);
    status = archive_runs(archive, &runs, &count, message);
    if (status != ARCHIVE_FINE)
        return complain(status, message);
    for (size_t i = 0; i < count; i++)
        if (runs[i].id == id)
            tell_run(output, &runs[i]);
    archive_runs_free(runs, count);
    write_text(output, "\n");
    snprintf(
        sql, sizeof sql,
        "SELECT path AS input, length(CAST(text AS BLOB)) AS bytes, input.sha256 FROM input JOIN text USING "
        "(sha256) WHERE run = %" PRId64 " UNION ALL SELECT kind || ' ' || value, NULL, '' FROM option WHERE "
        "run = %" PRId64,
        id, id);
    enum exit_status answer = ask(archive, sql, FORMAT_TABLE, output);
    if (answer != EXIT_FINE)
        return answer;
    write_text(output, "\n");
    snprintf(sql, sizeof sql,
             "WITH RECURSIVE n(cell) AS (SELECT 1 UNION ALL SELECT cell + 1 FROM n WHERE cell < (SELECT "
             "cells FROM "
             "run WHERE id = %" PRId64
             ")) SELECT n.cell, (SELECT group_concat(label || ' = ' || value, ', ') FROM "
             "cell WHERE run = %" PRId64
             " AND cell.cell = n.cell) AS what, (SELECT count(*) FROM unit WHERE run = "
             "%" PRId64 " AND unit.cell = n.cell) AS units FROM n LIMIT 100000",
             id, id, id);
    return ask(archive, sql, FORMAT_TABLE, output);
}

/* The run's own selection and units make the same result, and so the same folder. */
static enum exit_status export_run(const struct archive_command *command, struct archive_run *run,
                                   const struct archive_experiment *experiment, struct writer *output)
{
    char message[UNIT_MESSAGE_SIZE];
    enum exit_status status = EXIT_FAILED;
    char *folder = kept_folder(command->out, archive_experiment_of(experiment));
    if (folder == NULL)
        return complain(ARCHIVE_FAILED, "out of memory");
    struct result *result = NULL;
    status = kept_folder_check("archive", folder, command->force);
    if (status == EXIT_FINE)
        result = kept_result("archive", experiment, archive_run_keeper(run), true, &status);
    if (result != NULL) {
        size_t done = result_done(result), wanted = result_wanted(result);
        if (done == 0)
            status = complain(ARCHIVE_REFUSED, "no unit of this run was kept with its logons and minutes");
        else if (!result_write(result, folder, command->force, message, sizeof message))
            status = complain(ARCHIVE_FAILED, message);
        else
            write_text(output, "Run %" PRId64 " of %s: %zu of %zu units are in %s%s.\n", archive_run_id(run),
                       experiment_name(archive_experiment_of(experiment)), done, wanted, folder,
                       done < wanted ? ", marked as interrupted" : "");
    }
    result_destroy(result);
    free(folder);
    return status;
}

static enum exit_status export(const struct archive_command *command, struct archive *archive,
                               struct writer *output) {
    char message[UNIT_MESSAGE_SIZE]; struct archive_run * run;
    enum archive_status answer = archive_run_open(archive, command->run, &run, message);
    if (answer != ARCHIVE_FINE) return complain(answer, message);
    enum exit_status status = EXIT_FAILED;
    struct archive_experiment *experiment = kept_experiment("archive", archive, command->run, &status);
    if (experiment != NULL) status = export_run(command, run, experiment, output);
    archive_experiment_close(experiment);
    archive_run_release(run);
    return status;
}

int command_archive(int argc, char **argv)
{
    char message[UNIT_MESSAGE_SIZE];
    struct archive_command command = {0};
    struct archive *archive;
    struct writer output = {.file = stdout};
    argp_parse(&archive_parser, argc, argv, ARGP_IN_ORDER, NULL, &command);
    enum archive_status answer = archive_open(command.file, ARCHIVE_READ, &archive, message);
    if (answer != ARCHIVE_FINE)
        return (int)complain(answer, message);
    enum exit_status status = EXIT_FINE;
    switch (command.action) {
    case ACTION_LIST:
        status = list(&command, archive, &output);
        break;
    case ACTION_SHOW:
        status = show(&command, archive, &output);
        break;
    case ACTION_EXPORT:
        status = export(&command, archive, &output);
        break;
    case ACTION_QUERY:
        status = ask(archive, command.sql, command.format, &output);
        break;
    case ACTION_COUNT:
        break;
    }
    archive_close(archive);
    return output_is_flushed("archive", &output, false) ? (int)status : EXIT_FAILED;
}
