/* vdisim check: reads and validates experiments without running them, and says all it knows of their values. */
#include "sim/command/command.h"
#include "sim/command/terminal.h"
#include "sim/experiment/read/experiment.h"
#include "sim/experiment/read/opened_catalogue.h"
#include "sim/experiment/read/schema.h"

#include <argp.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum check_format { FORMAT_TEXT, FORMAT_JSON };

struct check_request {
    char **files;
    size_t file_count;
    struct experiment_options experiment;
    const char **sets, **catalogues;
    enum check_format format;
    bool full, schema, reference;
};

enum { KEY_FULL = 256, KEY_SCHEMA, KEY_REFERENCE, KEY_CATALOGUE, KEY_SET };

static const struct argp_option options[] = {
    {"full", KEY_FULL, NULL, 0, "Print every value of every cell with its origin, source and status", 0},
    {"schema", KEY_SCHEMA, NULL, 0, "Print the JSON Schema of experiment files, for editors", 0},
    {"reference", KEY_REFERENCE, NULL, 0, "Print the reference of all keys in Markdown", 0},
    {"format", 'f', "text|json", 0, "How to print problems (default: text, on standard error)", 0},
    {"catalogue", KEY_CATALOGUE, "FILE", 0, "Add a catalogue to the built-in one; may be repeated", 0},
    {"set", KEY_SET, "KEY=VALUE", 0, "Set a value of the experiment, KEY as under vary; may be repeated", 0},
    {NULL, 0, NULL, 0, NULL, 0},
};

static error_t parse_option(int key, char *argument, struct argp_state *state)
{
    struct check_request *request = state->input;
    switch (key) {
    case KEY_FULL:
        request->full = true;
        break;
    case KEY_SCHEMA:
        request->schema = true;
        break;
    case KEY_REFERENCE:
        request->reference = true;
        break;
    case 'f':
        if (strcmp(argument, "text") != 0 && strcmp(argument, "json") != 0)
            argp_error(state, "--format: '%s' is not one of text, json", argument);
        request->format = strcmp(argument, "json") == 0 ? FORMAT_JSON : FORMAT_TEXT;
        break;
    case KEY_CATALOGUE:
        request->catalogues[request->experiment.catalogue_count++] = argument;
        break;
    case KEY_SET:
        request->sets[request->experiment.set_count++] = argument;
        break;
    case ARGP_KEY_ARG:
        request->files[request->file_count++] = argument;
        break;
    case ARGP_KEY_END:
        if (request->file_count == 0 && !request->schema && !request->reference)
            argp_error(state, "no experiment file given");
        if (request->full && request->format == FORMAT_JSON)
            argp_error(state, "--full is printed as YAML, not as JSON");
        break;
    default:
        return ARGP_ERR_UNKNOWN;
    }
    return 0;
}

const struct argp check_parser = {
    options,
    parse_option,
    "FILE...",
    "Reads and validates experiments; nothing is run.\v"
    "Every problem of a file is reported at once, each at its line and column. Exit status: 0 all is fine, "
    "1 a file cannot be read, 2 something is wrong with one.",
    NULL,
    NULL,
    NULL,
};

/* What cannot be read at all is a failure, not wrong input. */
static bool can_be_read(const char *path)
{
    struct stat status;
    return stat(path, &status) == 0 && !S_ISDIR(status.st_mode) && access(path, R_OK) == 0;
}

static void print_json_text(const char *text)
{
    putchar('"');
    for (const char *c = text; *c != '\0'; c++) {
        if (*c == '"' || *c == '\\')
            putchar('\\');
        if ((unsigned char)*c < 0x20)
            printf("\\u%04x", (unsigned)(unsigned char)*c);
        else
            putchar(*c);
    }
    putchar('"');
}

static void print_json(const char *file, const struct experiment *experiment, const struct problems *problems)
{
    printf("{\"file\": ");
    print_json_text(file);
    printf(", \"valid\": %s", experiment != NULL ? "true" : "false");
    if (experiment != NULL)
        printf(", \"experiment\": \"%s\", \"cells\": %zu, \"sha256\": \"%s\"", experiment_name(experiment),
               experiment_cell_count(experiment), experiment_hash(experiment));
    printf(", \"problems\": ");
    problems_print_json(problems, stdout);
    putchar('}');
}

static void print_text(const struct check_request *request, const char *file,
                       const struct experiment *experiment, const struct problems *problems)
{
    size_t errors = problems_errors(problems), warnings = problems_warnings(problems);
    problems_print(problems, stderr, terminal_colour(stderr));
    if (experiment == NULL) {
        fprintf(stderr, "%zu error%s. Nothing was run.\n", errors, errors == 1 ? "" : "s");
        return;
    }
    if (request->full) {
        experiment_print_full(experiment, stdout);
        return;
    }
    size_t cells = experiment_cell_count(experiment), assumed;
    experiment_assumptions(experiment, &assumed);
    printf("%s: fine, %zu cell%s, %zu calibrated or assumed parameter%s", file, cells, cells == 1 ? "" : "s",
           assumed, assumed == 1 ? "" : "s");
    if (warnings > 0)
        printf(", %zu warning%s", warnings, warnings == 1 ? "" : "s");
    putchar('\n');
}

static enum exit_status check_file(const struct check_request *request, const char *file)
{
    struct problems *problems = problems_create();
    if (problems == NULL) {
        fprintf(stderr, "vdisim check: out of memory\n");
        return EXIT_FAILED;
    }
    struct experiment *experiment = experiment_open(file, &request->experiment, problems);
    if (request->format == FORMAT_JSON)
        print_json(file, experiment, problems);
    else
        print_text(request, file, experiment, problems);
    enum exit_status status = experiment != NULL ? EXIT_FINE : can_be_read(file) ? EXIT_USAGE : EXIT_FAILED;
    experiment_close(experiment);
    problems_destroy(problems);
    return status;
}

static enum exit_status check_files(const struct check_request *request)
{
    enum exit_status status = EXIT_FINE;
    if (request->format == FORMAT_JSON)
        printf("{\"files\": [");
    for (size_t i = 0; i < request->file_count; i++) {
        if (request->format == FORMAT_JSON && i > 0)
            printf(",\n");
        enum exit_status one = check_file(request, request->files[i]);
        if (status == EXIT_FINE || one == EXIT_FAILED)
            status = one;
    }
    if (request->format == FORMAT_JSON)
        printf("]}\n");
    return status;
}

static enum exit_status print_tables(const struct check_request *request)
{
    struct problems *problems = problems_create();
    struct opened_catalogue *opened =
        problems == NULL
            ? NULL
            : catalogue_open(request->experiment.catalogues, request->experiment.catalogue_count, problems);
    if (opened == NULL && problems != NULL)
        problems_print(problems, stderr, terminal_colour(stderr));
    if (opened != NULL && request->schema)
        schema_print(&opened->vocabulary, opened->catalogue, stdout);
    if (opened != NULL && request->reference)
        reference_print(&opened->vocabulary, opened->catalogue, stdout);
    enum exit_status status = opened != NULL ? EXIT_FINE : EXIT_USAGE;
    catalogue_close(opened);
    problems_destroy(problems);
    return status;
}

/* What was printed has arrived, or exit status 1. */
static enum exit_status flush_output(enum exit_status status)
{
    if (fflush(stdout) == 0 && !ferror(stdout))
        return status;
    perror("vdisim check: standard output");
    return EXIT_FAILED;
}

int command_check(int argc, char **argv)
{
    size_t most = (size_t)argc + 1;
    struct check_request request = {
        .files = calloc(most, sizeof *request.files),
        .sets = calloc(most, sizeof *request.sets),
        .catalogues = calloc(most, sizeof *request.catalogues),
        .experiment = {.seed = -1},
    };
    enum exit_status status = EXIT_FAILED;
    if (request.files == NULL || request.sets == NULL || request.catalogues == NULL) {
        fprintf(stderr, "vdisim check: out of memory\n");
    } else {
        request.experiment.sets = request.sets;
        request.experiment.catalogues = request.catalogues;
        argp_parse(&check_parser, argc, argv, 0, NULL, &request);
        status = EXIT_FINE;
        if (request.schema || request.reference)
            status = print_tables(&request);
        if (status == EXIT_FINE && request.file_count > 0)
            status = check_files(&request);
        status = flush_output(status);
    }
    free(request.files);
    free(request.sets);
    free(request.catalogues);
    return (int)status;
}
