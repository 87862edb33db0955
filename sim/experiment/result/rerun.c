#include "sim/experiment/result/rerun.h"

#include "sim/experiment/read/text_file.h"
#include "sim/experiment/result/file_difference.h"
#include "sim/experiment/result/json_read.h"
#include "sim/experiment/result/manifest_read.h"
#include "sim/experiment/result/records.h"
#include "sim/experiment/result/rerun_manifest.h"

#include <assert.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

struct rerun {
    struct arena *arena; /* owns the manifest */
    const struct manifest *manifest;
    struct experiment *experiment;
    char *folder; /* the one the manifest is in, "" or with a slash at its end */
};

/* "a/b" for the folder a/b and for a/b/manifest.json; the path of the manifest goes to *manifest. */
static bool find_manifest(struct rerun *rerun, const char *path, char **manifest)
{
    static const char name[] = "manifest.json";
    struct stat status;
    size_t size = strlen(path) + sizeof name + 2;
    bool is_folder = stat(path, &status) == 0 && S_ISDIR(status.st_mode);
    *manifest = arena_alloc(rerun->arena, size);
    rerun->folder = arena_alloc(rerun->arena, size);
    if (is_folder) {
        size_t length = strlen(path);
        snprintf(rerun->folder, size, "%s%s", path, length > 0 && path[length - 1] == '/' ? "" : "/");
        snprintf(*manifest, size, "%s%s", rerun->folder, name);
    } else {
        const char *slash = strrchr(path, '/');
        snprintf(*manifest, size, "%s", path);
        snprintf(rerun->folder, size, "%.*s", slash == NULL ? 0 : (int)(slash - path) + 1, path);
    }
    return is_folder;
}

static bool read_manifest(struct rerun *rerun, const char *path, struct problems *problems)
{
    jmp_buf landing;
    if (setjmp(landing) != 0) {
        problem_add(problems, PROBLEM_ERROR, (struct position){.file = path}, "out of memory while reading");
        return false;
    }
    arena_set_landing(rerun->arena, &landing);
    char *manifest;
    find_manifest(rerun, path, &manifest);
    rerun->manifest = manifest_read(rerun->arena, manifest, problems);
    arena_set_landing(rerun->arena, NULL);
    return rerun->manifest != NULL;
}

struct rerun *rerun_open(const char *path, struct problems *problems)
{
    struct position at = {.file = path};
    struct rerun *rerun = calloc(1, sizeof *rerun);
    if (rerun != NULL)
        rerun->arena = arena_create();
    if (rerun == NULL || rerun->arena == NULL) {
        problem_add(problems, PROBLEM_ERROR, at, "out of memory");
        free(rerun);
        return NULL;
    }
    if (!read_manifest(rerun, path, problems))
        goto failed;
    const struct manifest *manifest = rerun->manifest;
    if (manifest->interrupted) {
        problem_add(problems, PROBLEM_ERROR, at,
                    "this run was interrupted, so there is nothing whole to compare with; run '%.200s' again",
                    manifest->file);
        goto failed;
    }
    rerun->experiment = experiment_open(manifest->file, &manifest->options, problems);
    if (rerun->experiment == NULL)
        problem_add(problems, PROBLEM_ERROR, at,
                    "this program does not accept the experiment that vdisim %.40s ran",
                    manifest_text(manifest, "version"));
    else if (manifest->has_selection &&
             (experiment_cell_count(rerun->experiment) < 2 || experiment_run(rerun->experiment)->batches > 0))
        problem_add(problems, PROBLEM_ERROR, at,
                    "this experiment has nothing to select the best from: the manifest was edited");
    else
        return rerun;
failed:
    rerun_close(rerun);
    return NULL;
}

void rerun_close(struct rerun *rerun)
{
    if (rerun == NULL)
        return;
    experiment_close(rerun->experiment);
    arena_destroy(rerun->arena);
    free(rerun);
}

const struct experiment *rerun_experiment(const struct rerun *rerun)
{
    return rerun->experiment;
}

const struct selection_request *rerun_selection(const struct rerun *rerun)
{
    return rerun->manifest->has_selection ? &rerun->manifest->selection : NULL;
}

/* The hash of a text file as it is read for an experiment: without a byte order mark. */
static bool hash_of_input(const char *path, char sha256[SHA256_HEX_SIZE])
{
    struct stat status;
    if (stat(path, &status) != 0 || !S_ISREG(status.st_mode))
        return false;
    struct arena *arena = arena_create();
    struct problems *problems = problems_create();
    jmp_buf landing;
    volatile bool known = false;
    if (arena != NULL && problems != NULL && setjmp(landing) == 0) {
        size_t length;
        arena_set_landing(arena, &landing);
        const char *text = text_file_read(arena, path, MANIFEST_MAX_BYTES, &length, problems);
        if (text != NULL)
            sha256_text(text, length, sha256);
        known = text != NULL;
    }
    arena_destroy(arena);
    problems_destroy(problems);
    return known;
}

void rerun_tell_inputs(const struct rerun *rerun, struct writer *notes)
{
    const struct manifest *manifest = rerun->manifest;
    for (size_t i = 0; i < manifest->options.file_count; i++) {
        char sha256[SHA256_HEX_SIZE];
        const char *path = manifest->options.files[i].path;
        if (!hash_of_input(path, sha256))
            write_text(notes, "note: %s is not here any more; the manifest holds its text\n", path);
        else if (strcmp(sha256, manifest->input_sha256[i]) != 0)
            write_text(notes, "note: %s has changed since; what is run is its text in the manifest\n", path);
    }
}

static const char *recorded_hash(const struct manifest *manifest, const char *name)
{
    for (size_t i = 0; i < manifest->output_count; i++)
        if (strcmp(manifest->outputs[i].name, name) == 0)
            return manifest->outputs[i].sha256;
    return NULL;
}

struct comparison {
    const struct rerun *rerun;
    const struct result *result;
    struct writer *report;
    char *message;
    size_t message_size;
    char identical[512]; /* names */
    bool differs, failed;
    bool is_unexplained;     /* something differs that was not edited since it was written */
    bool has_wrong_checksum; /* the manifest's own record of a file is not of that file */
};

static void note_identical(struct comparison *comparison, const char *name)
{
    size_t length = strlen(comparison->identical);
    snprintf(comparison->identical + length, sizeof comparison->identical - length, "%s%s",
             length > 0 ? ", " : "", name);
}

static void tell_difference(struct comparison *comparison, const char *name,
                            const struct file_difference *difference, bool was_touched)
{
    struct writer *report = comparison->report;
    comparison->differs = true;
    comparison->is_unexplained = comparison->is_unexplained || !was_touched;
    write_text(report, "%s: %s", was_touched ? "changed since it was written" : "differs", name);
    if (!difference->is_there) {
        write_text(report, " (its checksum; the file is not here to tell where)\n");
        return;
    }
    write_text(report, " line %zu", difference->line);
    if (difference->where[0] != '\0')
        write_text(report, ": %s", difference->where);
    if (difference->is[0] == '\0' && difference->where[0] == '\0')
        write_text(report, ": the run gives no such line\n");
    else if (difference->was[0] == '\0' && difference->where[0] == '\0')
        write_text(report, ": a line more, %s\n", difference->is);
    else
        write_text(report, ": was %s, is %s\n", difference->was[0] != '\0' ? difference->was : "nothing",
                   difference->is[0] != '\0' ? difference->is : "nothing");
}

static void compare_file(struct comparison *comparison, size_t index)
{
    const char *name = result_file_name(comparison->result, index);
    const char *recorded = recorded_hash(comparison->rerun->manifest, name);
    char path[4096];
    snprintf(path, sizeof path, "%s%s", comparison->rerun->folder, name);
    struct file_difference *difference = file_difference_create(path);
    if (difference == NULL) {
        snprintf(comparison->message, comparison->message_size, "out of memory");
        comparison->failed = true;
        return;
    }
    result_file_write(comparison->result, index, file_difference_writer(difference));
    bool as_recorded = false;
    if (!file_difference_finish(difference)) {
        snprintf(comparison->message, comparison->message_size, "cannot compare '%s': %s", path,
                 strerror(errno));
        comparison->failed = true;
    } else {
        as_recorded = recorded != NULL && strcmp(recorded, difference->sha256) == 0;
        bool is_same = difference->is_there ? difference->is_same : as_recorded;
        if (is_same)
            note_identical(comparison, name);
        else
            tell_difference(comparison, name, difference, as_recorded);
        if (is_same && !as_recorded) {
            comparison->differs = comparison->has_wrong_checksum = true;
            write_text(comparison->report,
                       "differs: manifest.json: its checksum of %s is not that of the file\n", name);
        }
    }
    file_difference_destroy(difference);
}

/* The new manifest as a tree, to compare it with the old one. */
static void compare_manifest(struct comparison *comparison)
{
    struct manifest_difference difference;
    if (!manifest_compare(comparison->rerun->manifest, comparison->result, &difference)) {
        snprintf(comparison->message, comparison->message_size, "out of memory");
        comparison->failed = true;
        return;
    }
    if (difference.is_same) {
        if (!comparison->has_wrong_checksum)
            note_identical(comparison, "manifest.json");
        return;
    }
    comparison->differs = comparison->is_unexplained = true;
    write_text(comparison->report, "differs: manifest.json: %s: was %s, is %s\n", difference.where,
               difference.was, difference.is);
}

enum rerun_answer rerun_compare(const struct rerun *rerun, const struct result *result, struct writer *report,
                                struct writer *notes, char *message, size_t message_size)
{
    struct comparison comparison = {
        .rerun = rerun, .result = result, .report = report, .message = message, .message_size = message_size};
    for (size_t i = 0; i < result_file_count(result) && !comparison.failed; i++)
        compare_file(&comparison, i);
    if (!comparison.failed)
        compare_manifest(&comparison);
    if (comparison.failed)
        return RERUN_FAILED;
    if (comparison.identical[0] != '\0')
        write_text(report, "identical: %s\n", comparison.identical);
    size_t reasons =
        manifest_tell_program(rerun->manifest, result->experiment, comparison.differs ? report : notes,
                              comparison.differs ? "why it may: " : "note: ");
    if (comparison.is_unexplained && reasons == 0)
        write_text(report,
                   "why it may: the program is the same by all it knows of itself; a build of changed "
                   "sources, another processor or C library, an edited file, or a fault\n");
    return comparison.differs ? RERUN_DIFFERS : RERUN_IDENTICAL;
}
