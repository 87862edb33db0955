/* vdisim plot: puts data and gnuplot scripts side by side into RESULT/plots and has gnuplot draw them. */
#include "sim/command/command.h"
#include "sim/command/plot_draw.h"
#include "sim/command/streams.h"

#include <argp.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum { MESSAGE_SIZE = 8192, CELLS_BY_DEFAULT = 4, CELLS_MOST = 8 };

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

static bool load(const struct plot_request *request, struct plot_result *result, char *message,
                 size_t message_size)
{
    if (!plot_result_load(result, request->folder, message, message_size))
        return false;
    if (request->cell <= result->cell_count)
        return true;
    snprintf(message, message_size, "there is no cell %zu: this result has %zu", request->cell,
             result->cell_count);
    return false;
}

static bool prepare(const struct plot_request *request, const struct plot_result *result,
                    struct pictures *pictures, char *message, size_t message_size)
{
    if (!plot_begin(result, message, message_size) || !plot_overview(result, pictures, message, message_size))
        return false;
    size_t cells[CELLS_MOST];
    size_t count = choose_cells(request, result, cells);
    for (size_t i = 0; i < count; i++) {
        struct plot_choice choice = {cells[i], request->replication, request->store};
        if (!plot_run(result, &choice, pictures, message, message_size))
            return false;
    }
    /* All cells, as what one job does to another shows between them. */
    const size_t first = request->cell > 0 ? request->cell : 1;
    const size_t last = request->cell > 0 ? request->cell : result->cell_count;
    for (size_t cell = first; cell <= last && cell < first + CELLS_MOST; cell++) {
        struct plot_choice choice = {cell, request->replication, NULL};
        if (!plot_workloads(result, &choice, pictures, message, message_size))
            return false;
    }
    return true;
}

static bool any_over_time(const struct pictures *pictures)
{
    for (size_t i = 0; i < pictures->count; i++)
        if (strstr(pictures->items[i].name, "-cell-") != NULL)
            return true;
    return false;
}

static enum exit_status plot(const struct plot_request *request)
{
    static const char *const formats[] = {"svg", "png"};
    char message[MESSAGE_SIZE] = "out of memory";
    struct plot_result result;
    struct pictures pictures = {.count = 0};
    const bool loaded = load(request, &result, message, sizeof message);
    bool fine = loaded && prepare(request, &result, &pictures, message, sizeof message);
    for (size_t i = 0; fine && i < pictures.count; i++)
        for (size_t j = 0; fine && j < sizeof formats / sizeof formats[0]; j++)
            fine = plot_draw(&result, &pictures.items[i], formats[j], message, sizeof message);
    plot_result_release(&result);
    if (!fine) {
        complain(message);
        return loaded ? EXIT_FAILED : EXIT_USAGE;
    }
    warn_of_altered("plot", request->folder);
    printf("%zu pictures in %s/plots, each as .svg and .png:\n", pictures.count, request->folder);
    for (size_t i = 0; i < pictures.count; i++)
        printf("  %s\n", pictures.items[i].name);
    if (!any_over_time(&pictures))
        printf("No pictures over time: the runs are shorter than two minutes.\n");
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
