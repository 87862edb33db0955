#define _GNU_SOURCE /* posix_spawn_file_actions_addchdir_np, environ */

/* vdisim plot: puts data and gnuplot scripts side by side into RESULT/plots and has gnuplot draw them. */
#include "sim/command/command.h"
#include "sim/command/plot_data.h"
#include "sim/experiment/read/embedded.h"

#include <argp.h>
#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

enum { MESSAGE_SIZE = 8192, CELLS_BY_DEFAULT = 4, CELLS_MOST = 8 };

extern const struct embedded_file embedded_plots[]; /* plots/ *.gp, by cmake/embed.cmake */

struct plot_request {
    char *folder;
    size_t cell; /* 0: the first of each block */
    size_t replication;
    const char *store;
};

static const struct argp_option options[] = {
    {"cell", 'c', "N", 0,
     "Cell to draw over time, as numbered in cells.csv (default: the first of each block)", 0},
    {"replication", 'r', "N", 0, "Run to draw over time (default: 1)", 0},
    {"store", 's', "NAME", 0, "Store to draw over time (default: the busiest)", 0},
    {NULL, 0, NULL, 0, NULL, 0},
};

static size_t ordinal(struct argp_state *state, const char *option, const char *text)
{
    char *end;
    errno = 0;
    long value = strtol(text, &end, 10);
    if (end == text || *end != '\0' || errno != 0 || value < 1 || value > 1000000)
        argp_error(state, "--%s: '%s' is not a number from 1", option, text);
    return (size_t)value;
}

static error_t parse_option(int key, char *argument, struct argp_state *state)
{
    struct plot_request *request = state->input;
    switch (key) {
    case 'c':
        request->cell = ordinal(state, "cell", argument);
        break;
    case 'r':
        request->replication = ordinal(state, "replication", argument);
        break;
    case 's':
        request->store = argument;
        break;
    case ARGP_KEY_ARG:
        if (request->folder != NULL)
            argp_error(state, "one result folder at a time");
        request->folder = argument;
        break;
    case ARGP_KEY_END:
        if (request->folder == NULL)
            argp_error(state, "no result folder given");
        break;
    default:
        return ARGP_ERR_UNKNOWN;
    }
    return 0;
}

const struct argp plot_parser = {
    .options = options,
    .parser = parse_option,
    .args_doc = "RESULT",
    .doc = "Draw the pictures of a result folder with gnuplot, into RESULT/plots, as SVG and PNG.\v"
           "The scripts and their data stay beside the pictures: change them and draw again with\n"
           "  cd RESULT/plots && gnuplot -e \"format='svg'\" timeline-cell-1.settings.gp timeline.gp",
};

static void complain(const char *message)
{
    fprintf(stderr, "vdisim plot: %s\n", message);
}

static bool write_scripts(const struct plot_result *result, char *message, size_t message_size)
{
    for (const struct embedded_file *script = embedded_plots; script->name != NULL; script++) {
        struct writer writer = plot_open(result, script->name);
        if (writer.file != NULL)
            write_text(&writer, "%s", script->text);
        if (!plot_close(&writer, script->name, message, message_size))
            return false;
    }
    return true;
}

static bool make_plots_folder(const struct plot_result *result, char *message, size_t message_size)
{
    char path[4200];
    snprintf(path, sizeof path, "%.4000s/plots", result->folder);
    if (mkdir(path, 0777) == 0 || errno == EEXIST)
        return true;
    snprintf(message, message_size, "cannot make '%s': %s", path, strerror(errno));
    return false;
}

/* The environment, but in a locale that has UTF-8. NULL when memory is short; the texts are not copied. */
static char **utf8_environment(void)
{
    static char locale[] = "LC_ALL=C.UTF-8";
    size_t count = 0, kept = 0;
    while (environ[count] != NULL)
        count++;
    char **environment = calloc(count + 2, sizeof *environment);
    for (size_t i = 0; environment != NULL && i < count; i++)
        if (strncmp(environ[i], "LC_ALL=", 7) != 0)
            environment[kept++] = environ[i];
    if (environment != NULL)
        environment[kept] = locale;
    return environment;
}

/* Starts gnuplot inside the plots folder, without a shell. 0 or an errno. */
static int start_gnuplot(const char *plots, char *const arguments[], pid_t *child)
{
    posix_spawn_file_actions_t actions;
    int error = posix_spawn_file_actions_init(&actions);
    if (error != 0)
        return error;
    error = posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    if (error == 0)
        error = posix_spawn_file_actions_addchdir_np(&actions, plots);
    char **environment = utf8_environment();
    if (error == 0 && environment == NULL)
        error = ENOMEM;
    if (error == 0)
        error = posix_spawnp(child, "gnuplot", &actions, NULL, arguments, environment);
    free(environment);
    posix_spawn_file_actions_destroy(&actions);
    return error;
}

static bool draw(const struct plot_result *result, const struct picture *picture, const char *format,
                 char *message, size_t message_size)
{
    char plots[4200], settings[128], set_format[32], script[64];
    snprintf(plots, sizeof plots, "%.4000s/plots", result->folder);
    snprintf(settings, sizeof settings, "%s.settings.gp", picture->name);
    snprintf(set_format, sizeof set_format, "format = '%s'", format);
    snprintf(script, sizeof script, "%s", picture->script);
    char gnuplot[] = "gnuplot", plain[] = "--default-settings", execute[] = "-e";
    char *const arguments[] = {gnuplot, plain, execute, set_format, settings, script, NULL};

    pid_t child;
    int status = 0, error = start_gnuplot(plots, arguments, &child);
    if (error == ENOENT) {
        snprintf(message, message_size,
                 "gnuplot is not installed (Debian: apt install gnuplot-nox); its scripts and data are in %s",
                 plots);
        return false;
    }
    if (error != 0) {
        snprintf(message, message_size, "cannot start gnuplot: %s", strerror(error));
        return false;
    }
    while (waitpid(child, &status, 0) < 0)
        if (errno != EINTR)
            return false;
    if (WIFEXITED(status) && WEXITSTATUS(status) == 0)
        return true;
    snprintf(message, message_size, "gnuplot failed on plots/%s with plots/%s", script, settings);
    return false;
}

/* The cells to draw over time: the one asked for, or the first of each block. */
static size_t choose_cells(const struct plot_request *request, const struct plot_result *result,
                           size_t cells[CELLS_MOST])
{
    if (request->cell > 0) {
        cells[0] = request->cell;
        return 1;
    }
    size_t count = 0;
    for (size_t i = 0; i < result->cell_count && count < CELLS_BY_DEFAULT; i++)
        if (i == 0 || result->cells[i].block[0] == '\0' ||
            strcmp(result->cells[i].block, result->cells[i - 1].block) != 0)
            cells[count++] = i + 1;
    return count;
}

static bool prepare(const struct plot_request *request, const struct plot_result *result,
                    struct pictures *pictures, char *message, size_t message_size)
{
    if (request->cell > result->cell_count) {
        snprintf(message, message_size, "there is no cell %zu: this result has %zu", request->cell,
                 result->cell_count);
        return false;
    }
    if (!make_plots_folder(result, message, message_size) || !write_scripts(result, message, message_size) ||
        !plot_overview(result, pictures, message, message_size))
        return false;
    size_t cells[CELLS_MOST];
    size_t count = choose_cells(request, result, cells);
    for (size_t i = 0; i < count; i++) {
        struct plot_choice choice = {cells[i], request->replication, request->store};
        if (!plot_run(result, &choice, pictures, message, message_size))
            return false;
    }
    return true;
}

static enum exit_status plot(const struct plot_request *request)
{
    static const char *const formats[] = {"svg", "png"};
    char message[MESSAGE_SIZE] = "out of memory";
    struct plot_result result;
    struct pictures pictures = {.count = 0};
    bool fine = plot_result_load(&result, request->folder, message, sizeof message) &&
                prepare(request, &result, &pictures, message, sizeof message);
    for (size_t i = 0; fine && i < pictures.count; i++)
        for (size_t j = 0; fine && j < sizeof formats / sizeof formats[0]; j++)
            fine = draw(&result, &pictures.items[i], formats[j], message, sizeof message);
    plot_result_release(&result);
    if (!fine) {
        complain(message);
        return EXIT_FAILED;
    }
    printf("%zu pictures in %s/plots, each as .svg and .png:\n", pictures.count, request->folder);
    for (size_t i = 0; i < pictures.count; i++)
        printf("  %s\n", pictures.items[i].name);
    return fflush(stdout) == 0 ? EXIT_FINE : EXIT_FAILED;
}

int command_plot(int argc, char **argv)
{
    struct plot_request request = {.replication = 1};
    argp_parse(&plot_parser, argc, argv, 0, NULL, &request);
    for (size_t length = strlen(request.folder); length > 1 && request.folder[length - 1] == '/'; length--)
        request.folder[length - 1] = '\0';
    return (int)plot(&request);
}
