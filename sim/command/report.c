#define _GNU_SOURCE /* mkdtemp, nftw */

/* vdisim report: a result folder as one page to hand over. */
#include "sim/experiment/report/report.h"
#include "sim/command/command.h"
#include "sim/command/plot_draw.h"
#include "sim/command/terminal.h"

#include <argp.h>
#include <errno.h>
#include <ftw.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { MESSAGE_SIZE = 8192, CELLS_MOST = 4, KEY_FORCE = 256 };

struct report_request {
    char *folder;
    const char *out; /* NULL: RESULT/report.html, or standard output for Markdown */
    bool markdown, force;
};

static const struct argp_option options[] = {
    {"format", 'f', "html|markdown", 0, "What to write (default: html)", 0},
    {"out", 'o', "FILE", 0, "Where to write it (default: RESULT/report.html; Markdown: standard output)", 0},
    {"force", KEY_FORCE, NULL, 0, "Replace an existing file", 0},
    {NULL, 0, NULL, 0, NULL, 0},
};

static error_t parse_option(int key, char *argument, struct argp_state *state)
{
    struct report_request *request = state->input;
    switch (key) {
    case 'f':
        if (strcmp(argument, "html") != 0 && strcmp(argument, "markdown") != 0)
            argp_error(state, "--format: '%s' is not one of html, markdown", argument);
        request->markdown = strcmp(argument, "markdown") == 0;
        break;
    case 'o':
        if (argument[0] == '\0')
            argp_error(state, "--out: the name of the file is empty");
        request->out = argument;
        break;
    case KEY_FORCE:
        request->force = true;
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

const struct argp report_parser = {
    .options = options,
    .parser = parse_option,
    .args_doc = "RESULT",
    .doc =
        "Write a result folder as one HTML page that needs nothing else, or as Markdown for a pull request.\v"
        "The page has the question, the answer, predicted beside published, what happened over time, where "
        "the time goes, "
        "the configuration, every assumption with its source, and how to run it again. The pictures are "
        "drawn by gnuplot; "
        "without it the page has tables alone and says so.\n\n"
        "Exit status: 0 fine; 1 failed while reading or writing; 2 wrong usage, no result, a result that was "
        "changed.",
};

static void complain(const char *message)
{
    fprintf(stderr, "vdisim report: %s\n", message);
}

/* --- The pictures, drawn in a folder of their own that goes again. --- */

struct drawn {
    char folder[64]; /* "" when there is none */
    struct report_picture pictures[PICTURES_MOST];
    struct pictures list;
    size_t cells[CELLS_MOST];
    size_t cell_count;
    char why_not[MESSAGE_SIZE];
};

static int remove_one(const char *path, const struct stat *status, int type, struct FTW *walk)
{
    (void)status;
    (void)type;
    (void)walk;
    return remove(path);
}

static void drawn_release(struct drawn *drawn)
{
    for (size_t i = 0; i < PICTURES_MOST; i++)
        free((char *)drawn->pictures[i].svg);
    if (drawn->folder[0] != '\0')
        nftw(drawn->folder, remove_one, 8, FTW_DEPTH | FTW_PHYS);
}

/* A whole file, to be freed; NULL when it cannot be read. */
static char *read_whole(const char *path)
{
    FILE *file = fopen(path, "r");
    char *text = NULL;
    size_t length = 0;
    FILE *stream = file == NULL ? NULL : open_memstream(&text, &length);
    char bytes[8192];
    size_t got;
    while (stream != NULL && (got = fread(bytes, 1, sizeof bytes, file)) > 0)
        fwrite(bytes, 1, got, stream);
    bool fine = stream != NULL && ferror(file) == 0;
    fine = stream != NULL && fclose(stream) == 0 && fine;
    if (file != NULL)
        fclose(file);
    if (!fine) {
        free(text);
        return NULL;
    }
    return text;
}

/* The first cell of each block, as `vdisim plot` chooses. */
static void choose_cells(struct drawn *drawn, const struct plot_result *result)
{
    for (size_t i = 0; i < result->cell_count && drawn->cell_count < CELLS_MOST; i++)
        if (i == 0 || result->cells[i].block[0] == '\0' ||
            strcmp(result->cells[i].block, result->cells[i - 1].block) != 0)
            drawn->cells[drawn->cell_count++] = i + 1;
}

static bool draw_all(struct drawn *drawn, struct plot_result *result)
{
    char message[MESSAGE_SIZE] = "out of memory";
    bool fine = plot_begin(result, message, sizeof message) &&
                plot_overview(result, &drawn->list, message, sizeof message);
    for (size_t i = 0; fine && i < drawn->cell_count; i++) {
        const struct plot_choice choice = {drawn->cells[i], 1, NULL};
        fine = plot_run(result, &choice, &drawn->list, message, sizeof message) &&
               plot_workloads(result, &choice, &drawn->list, message, sizeof message);
    }
    for (size_t i = 0; fine && i < drawn->list.count; i++) {
        const struct picture *picture = &drawn->list.items[i];
        char path[256];
        fine = plot_draw(result, picture, "svg", message, sizeof message);
        snprintf(path, sizeof path, "%s/%s.svg", drawn->folder, picture->name);
        drawn->pictures[i] = (struct report_picture){picture->name, fine ? read_whole(path) : NULL};
        if (fine && drawn->pictures[i].svg == NULL) {
            snprintf(message, sizeof message, "a picture cannot be read back: %s", strerror(errno));
            fine = false;
        }
    }
    if (!fine)
        snprintf(drawn->why_not, sizeof drawn->why_not, "%s", message);
    return fine;
}

/* Without pictures, drawn->why_not says why. */
static void draw(struct drawn *drawn, const char *folder, bool wanted)
{
    char message[MESSAGE_SIZE] = "out of memory";
    const char *temporary = getenv("TMPDIR");
    struct plot_result result;
    bool fine = plot_result_load(&result, folder, message, sizeof message);
    if (fine)
        choose_cells(drawn, &result);
    if (fine && wanted) {
        snprintf(drawn->folder, sizeof drawn->folder, "%.40s/vdisim-report-XXXXXX",
                 temporary != NULL && strlen(temporary) < 40 && temporary[0] == '/' ? temporary : "/tmp");
        if (mkdtemp(drawn->folder) == NULL) {
            snprintf(message, sizeof message, "no temporary folder: %s", strerror(errno));
            drawn->folder[0] = '\0';
            fine = false;
        } else {
            snprintf(result.plots, sizeof result.plots, "%s", drawn->folder);
            fine = draw_all(drawn, &result);
        }
    }
    if (!fine && drawn->why_not[0] == '\0')
        snprintf(drawn->why_not, sizeof drawn->why_not, "%s", message);
    plot_result_release(&result);
}

/* --- The page, under its name only when it is whole. --- */

static enum exit_status write_file(const struct report *report, const struct report_request *request,
                                   const char *path)
{
    char temporary[4300];
    snprintf(temporary, sizeof temporary, "%.4200s.vdisim-XXXXXX", path);
    const int descriptor = mkstemp(temporary);
    struct writer writer = {.file = descriptor < 0 ? NULL : fdopen(descriptor, "w")};
    if (writer.file == NULL) {
        fprintf(stderr, "vdisim report: cannot write '%s': %s\n", path, strerror(errno));
        return EXIT_FAILED;
    }
    bool whole =
        request->markdown ? report_print_markdown(report, &writer) : report_print_html(report, &writer);
    const mode_t mask = umask(0);
    umask(mask);
    fchmod(descriptor, 0666 & ~mask);
    const bool written = writer_close(&writer);
    if (whole && written && (request->force ? rename(temporary, path) : link(temporary, path)) == 0) {
        if (!request->force)
            unlink(temporary);
        printf("%s\n", path);
        return fflush(stdout) == 0 ? EXIT_FINE : EXIT_FAILED;
    }
    const int error = writer.error != 0 ? writer.error : errno;
    unlink(temporary);
    fprintf(stderr, "vdisim report: cannot write '%s': %s\n", path,
            whole ? strerror(error) : "out of memory");
    return EXIT_FAILED;
}

static enum exit_status write_report(const struct report *report, const struct report_request *request)
{
    char path[4200];
    if (request->out == NULL && request->markdown) {
        struct writer writer = {.file = stdout};
        if (report_print_markdown(report, &writer) && writer_flush(&writer))
            return EXIT_FINE;
        complain("cannot write to standard output");
        return EXIT_FAILED;
    }
    if (request->out != NULL)
        snprintf(path, sizeof path, "%.4100s", request->out);
    else
        snprintf(path, sizeof path, "%.4100s/report.html", request->folder);
    struct stat status;
    if (!request->force && lstat(path, &status) == 0) {
        fprintf(stderr, "vdisim report: '%s' exists; --force replaces it\n", path);
        return EXIT_USAGE;
    }
    return write_file(report, request, path);
}

static struct folder_result *open_result(const char *folder)
{
    struct problems *problems = problems_create();
    if (problems == NULL) {
        complain("out of memory");
        return NULL;
    }
    struct folder_result *kept = folder_result_open(folder, problems);
    problems_print(problems, stderr, terminal_colour(stderr));
    problems_destroy(problems);
    return kept;
}

int command_report(int argc, char **argv)
{
    struct report_request request = {0};
    argp_parse(&report_parser, argc, argv, 0, NULL, &request);
    for (size_t length = strlen(request.folder); length > 1 && request.folder[length - 1] == '/'; length--)
        request.folder[length - 1] = '\0';
    struct folder_result *kept = open_result(request.folder);
    if (kept == NULL)
        return EXIT_USAGE;
    struct drawn *drawn = calloc(1, sizeof *drawn);
    enum exit_status status = EXIT_FAILED;
    if (drawn == NULL) {
        complain("out of memory");
    } else {
        draw(drawn, request.folder, !request.markdown);
        char why_not[MESSAGE_SIZE + 64];
        snprintf(why_not, sizeof why_not, "There are no pictures: %s", drawn->why_not);
        if (drawn->why_not[0] != '\0' && !request.markdown)
            complain(why_not);
        const struct report report = {
            .kept = kept,
            .folder = request.folder,
            .pictures = drawn->pictures,
            .picture_count = drawn->why_not[0] == '\0' ? drawn->list.count : 0,
            .why_no_pictures = drawn->why_not[0] == '\0' ? NULL : why_not,
            .cells = drawn->cells,
            .cell_count = drawn->cell_count,
        };
        status = write_report(&report, &request);
        drawn_release(drawn);
    }
    free(drawn);
    folder_result_close(kept);
    return (int)status;
}
