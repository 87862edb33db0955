#include "sim/command/regress_request.h"

#include "sim/command/command.h"

#include "sim/command/options.h"

#include <argp.h>
#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static const char *const default_folders[] = {"experiments/published", "experiments/what-if"};

enum {
    KEY_REPLICATIONS = 256,
    KEY_QUICK,
    KEY_UPDATE,
    KEY_BECAUSE,
    KEY_BASELINES,
    KEY_CATALOGUE,
    KEY_PROGRESS
};

enum { BASELINE_REPLICATIONS_MOST = 100000 };

static const struct argp_option options[] = {
    {"quick", KEY_QUICK, NULL, 0, "One replication, and without the experiments that take long", 0},
    {"replications", KEY_REPLICATIONS, "N", 0,
     "Runs of each cell (default: as many as the baseline has, else 3)", 0},
    {"update", KEY_UPDATE, NULL, 0, "Accept what moved: write the baselines anew", 0},
    {"because", KEY_BECAUSE, "WHY", 0, "The reason, kept in the baseline's history; needed for --update", 0},
    {"baselines", KEY_BASELINES, "DIR", 0, "Where the baselines are (default: experiments/baseline)", 0},
    {"catalogue", KEY_CATALOGUE, "FILE", 0, "Add a catalogue to the built-in one; may be repeated", 0},
    {"format", 'f', "table|json", 0, "What to print on standard output (default: table)", 0},
    OPTION_JOBS,
    OPTION_PROGRESS(KEY_PROGRESS),
    {"quiet", 'q', NULL, 0, "No progress bar and no warnings", 0},
    {NULL, 0, NULL, 0, NULL, 0},
};

static bool is_json(struct argp_state *state, const char *text)
{
    if (strcmp(text, "json") != 0 && strcmp(text, "table") != 0)
        argp_error(state, "--format: '%s' is not one of table, json", text);
    return strcmp(text, "json") == 0;
}

static void check(const struct regress_request *request, struct argp_state *state)
{
    bool says_why = request->because != NULL && request->because[strspn(request->because, " \t\n")] != '\0';
    if (request->update && !says_why)
        argp_error(state, "--update needs a reason: --because \"WHY\", which is kept in the baseline");
    if (!request->update && request->because != NULL)
        argp_error(state, "--because goes with --update only");
    if (request->quick && request->update)
        argp_error(state,
                   "--quick and --update contradict each other: a baseline of one replication says little");
    if (request->quick && request->replications > 0)
        argp_error(state, "--quick and --replications contradict each other");
}

static error_t parse_option(int key, char *argument, struct argp_state *state)
{
    struct regress_request *request = state->input;
    switch (key) {
    case KEY_QUICK:
        request->quick = true;
        break;
    case KEY_REPLICATIONS:
        request->replications =
            option_whole_number(state, "replications", argument, 1, BASELINE_REPLICATIONS_MOST);
        break;
    case KEY_UPDATE:
        request->update = true;
        break;
    case KEY_BECAUSE:
        request->because = argument;
        break;
    case KEY_BASELINES:
        request->baselines = option_name(state, "baselines", "folder", argument);
        break;
    case KEY_CATALOGUE:
        request->catalogues[request->catalogue_count++] = argument;
        break;
    case 'f':
        request->json = is_json(state, argument);
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
        request->operands[request->operand_count++] = argument;
        break;
    case ARGP_KEY_END:
        check(request, state);
        break;
    default:
        return ARGP_ERR_UNKNOWN;
    }
    return 0;
}

const struct argp regress_parser = {
    .options = options,
    .parser = parse_option,
    .args_doc = "[FILE|FOLDER...]",
    .doc = "Run experiments again and say what moved since their baselines.\v"
           "Without arguments: all of experiments/published and experiments/what-if.\n\n"
           "Exit status: 0 all identical, or updated; 1 failed while running; 2 wrong usage or input; 3 an "
           "expectation "
           "that was met is missed; 4 something moved, or has no baseline yet; 130 interrupted.",
};

bool regress_request_read(struct regress_request *request, int argc, char **argv)
{
    size_t most = (size_t)argc + sizeof default_folders / sizeof default_folders[0];
    *request = (struct regress_request){
        .operands = calloc(most, sizeof *request->operands),
        .catalogues = calloc(most, sizeof *request->catalogues),
        .baselines = "experiments/baseline",
    };
    if (request->operands == NULL || request->catalogues == NULL)
        return false;
    argp_parse(&regress_parser, argc, argv, 0, NULL, request);
    request->is_whole = request->operand_count == 0;
    for (size_t i = 0; request->operand_count == 0 && i < sizeof default_folders / sizeof default_folders[0];
         i++)
        request->operands[i] = default_folders[i];
    if (request->operand_count == 0)
        request->operand_count = sizeof default_folders / sizeof default_folders[0];
    return true;
}

void regress_request_release(struct regress_request *request)
{
    free(request->operands);
    free(request->catalogues);
}

struct file_list {
    char **files;
    size_t count;
    bool short_of_memory;
};

static void add_file(struct file_list *list, const char *folder, const char *name)
{
    char **files = realloc(list->files, (list->count + 1) * sizeof *files);
    size_t size = strlen(folder) + strlen(name) + 2;
    char *path = malloc(size);
    if (files != NULL)
        list->files = files;
    if (files == NULL || path == NULL) {
        free(path);
        list->short_of_memory = true;
        return;
    }
    size_t length = strlen(folder);
    bool has_slash = length > 0 && folder[length - 1] == '/';
    snprintf(path, size, "%s%s%s", folder, length == 0 || has_slash ? "" : "/", name);
    list->files[list->count++] = path;
}

static int by_name(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

static bool is_experiment_name(const char *name)
{
    size_t length = strlen(name);
    return name[0] != '.' && length > 5 && strcmp(name + length - 5, ".yaml") == 0;
}

/* False with errno, or 0 for none, when there is none. */
static bool add_folder(struct file_list *list, const char *folder)
{
    DIR *stream = opendir(folder);
    if (stream == NULL)
        return false;
    size_t first = list->count;
    for (struct dirent *entry; (entry = readdir(stream)) != NULL;)
        if (is_experiment_name(entry->d_name))
            add_file(list, folder, entry->d_name);
    closedir(stream);
    if (list->count > first)
        qsort(list->files + first, list->count - first, sizeof *list->files, by_name);
    errno = 0;
    return list->count > first;
}

char **regress_files(const struct regress_request *request, size_t *count, bool *is_usage, char *message,
                     size_t message_size)
{
    struct file_list list = {0};
    bool is_fine = true;
    *is_usage = false;
    for (size_t i = 0; is_fine && i < request->operand_count; i++) {
        struct stat status;
        const char *operand = request->operands[i];
        is_fine = stat(operand, &status) == 0;
        if (is_fine && S_ISDIR(status.st_mode))
            is_fine = add_folder(&list, operand);
        else if (is_fine)
            add_file(&list, "", operand);
        if (is_fine)
            continue;
        *is_usage = errno == 0;
        if (*is_usage)
            snprintf(message, message_size, "there is no experiment (*.yaml) in '%s'", operand);
        else
            snprintf(message, message_size, "cannot read '%s': %s", operand, strerror(errno));
    }
    if (is_fine && list.short_of_memory) {
        snprintf(message, message_size, "out of memory");
        is_fine = false;
    }
    if (is_fine) {
        *count = list.count;
        return list.files;
    }
    regress_files_free(list.files, list.count);
    return NULL;
}

void regress_files_free(char **files, size_t count)
{
    for (size_t i = 0; files != NULL && i < count; i++)
        free(files[i]);
    free(files);
}
