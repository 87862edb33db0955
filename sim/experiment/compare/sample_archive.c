/* A run in an archive as a sample, and what the names that users give stand for. */
#include "sim/experiment/archive/archive_experiment.h"
#include "sim/experiment/archive/archive_metrics.h"
#include "sim/experiment/compare/sample.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static void copy_cells(struct sample *sample, const struct archive_metrics *metrics)
{
    struct arena *arena = sample->arena;
    sample->cell_count = metrics->cell_count;
    sample->cells = ARENA_ARRAY(arena, struct sample_cell, sample->cell_count);
    for (size_t i = 0; i < sample->cell_count; i++) {
        struct sample_cell *cell = &sample->cells[i];
        cell->assignment_count = metrics->assignment_counts[i];
        cell->assignments = ARENA_ARRAY(arena, struct assignment, cell->assignment_count);
        for (size_t k = 0; k < cell->assignment_count; k++)
            cell->assignments[k] =
                (struct assignment){.key = arena_text(arena, metrics->assignments[i][k].key),
                                    .value = arena_text(arena, metrics->assignments[i][k].value)};
    }
    sample_label(sample);
}

static void fill(struct sample *sample, const struct archive_metrics *metrics)
{
    struct arena *arena = sample->arena;
    sample->experiment = arena_text(arena, metrics->run.experiment);
    sample->version = arena_text(arena, metrics->run.version);
    sample->commit = arena_text(arena, metrics->run.commit);
    sample->hash = arena_text(arena, metrics->run.hash);
    sample->generator = arena_text(arena, metrics->run.random_generator);
    sample->seed = metrics->run.seed;
    sample->is_unfinished = strcmp(metrics->run.status, "finished") != 0;
    copy_cells(sample, metrics);
    sample->replications = metrics->replications;
    sample->metric_count = metrics->metric_count;
    sample->metrics = ARENA_ARRAY(arena, struct sample_metric, sample->metric_count);
    for (size_t i = 0; i < sample->metric_count; i++)
        sample->metrics[i] = (struct sample_metric){arena_text(arena, metrics->metrics[i].name),
                                                    arena_text(arena, metrics->metrics[i].unit)};
    sample_shape(sample);
    size_t units = sample->cell_count * sample->replications;
    for (size_t i = 0; i < units; i++) {
        sample->done[i] = metrics->done[i];
        sample->run_effects[i] = metrics->run_effects[i];
        sample->fingerprints[i] = metrics->fingerprints[i];
    }
    for (size_t i = 0; i < units * sample->metric_count; i++)
        sample->values[i] = metrics->values[i];
}

/* How long a run was stands in the experiment that the archive keeps; NaN when it cannot be opened any more. */
static double length_of_run(struct archive *archive, int64_t id)
{
    char message[UNIT_MESSAGE_SIZE];
    double length_s = NAN;
    struct archive_experiment *experiment = NULL;
    struct problems *problems = problems_create();
    if (problems == NULL)
        return NAN;
    if (archive_experiment_open(archive, id, problems, &experiment, message) == ARCHIVE_FINE)
        length_s = (double)experiment_run(archive_experiment_of(experiment))->length_ns / 1e9;
    archive_experiment_close(experiment);
    problems_destroy(problems);
    return length_s;
}

static struct sample *make(const char *path, const struct archive_metrics *metrics)
{
    jmp_buf landing;
    struct sample *sample = sample_create(path);
    if (sample == NULL || setjmp(landing) != 0) {
        sample_destroy(sample);
        return NULL;
    }
    arena_set_landing(sample->arena, &landing);
    fill(sample, metrics);
    sample->origin = arena_format(sample->arena, "%s:%lld", path, (long long)metrics->run.id);
    arena_set_landing(sample->arena, NULL);
    return sample;
}

struct sample *sample_of_archive(const char *path, int64_t id, char message[SAMPLE_MESSAGE_SIZE])
{
    struct archive *archive = NULL;
    struct archive_metrics *metrics = NULL;
    struct sample *sample = NULL;
    char why[UNIT_MESSAGE_SIZE] = "";
    if (archive_open(path, ARCHIVE_READ, &archive, why) == ARCHIVE_FINE &&
        archive_metrics_load(archive, id, &metrics, why) == ARCHIVE_FINE) {
        sample = make(path, metrics);
        if (sample == NULL) {
            snprintf(why, sizeof why, "out of memory");
        } else {
            if (sample_has_unfinished(sample))
                sample->length_s = length_of_run(archive, metrics->run.id);
            sample_mark_lower_bounds(sample);
        }
    }
    snprintf(message, SAMPLE_MESSAGE_SIZE, "%s", why);
    archive_metrics_free(metrics);
    archive_close(archive);
    return sample;
}

static bool begins_as_sqlite(int descriptor)
{
    static const char magic[16] = "SQLite format 3";
    char begin[sizeof magic];
    return read(descriptor, begin, sizeof begin) == (ssize_t)sizeof begin &&
           memcmp(begin, magic, sizeof magic) == 0;
}

static enum sample_source source_of_path(const char *path)
{
    struct stat status;
    int descriptor = open(path, O_RDONLY | O_CLOEXEC);
    if (descriptor < 0)
        return SAMPLE_UNREADABLE;
    enum sample_source source = SAMPLE_EXPERIMENT;
    if (fstat(descriptor, &status) != 0)
        source = SAMPLE_UNREADABLE;
    else if (S_ISDIR(status.st_mode))
        source = SAMPLE_FOLDER;
    else if (begins_as_sqlite(descriptor))
        source = SAMPLE_ARCHIVE;
    close(descriptor);
    return source;
}

enum sample_source sample_source_of(const char *name, char **path, int64_t *id)
{
    *path = NULL;
    *id = 0;
    enum sample_source source = source_of_path(name);
    int error = errno;
    const char *colon = strrchr(name, ':');
    size_t length = strlen(name);
    if (source == SAMPLE_UNREADABLE && colon != NULL && colon[1] != '\0' &&
        colon[1 + strspn(colon + 1, "0123456789")] == '\0' && strlen(colon + 1) < 18) {
        length = (size_t)(colon - name);
        *id = strtoll(colon + 1, NULL, 10);
    }
    if (source != SAMPLE_UNREADABLE && source != SAMPLE_ARCHIVE)
        return source;
    *path = strndup(name, length);
    if (*path != NULL && source == SAMPLE_UNREADABLE && length < strlen(name))
        source = source_of_path(*path) == SAMPLE_ARCHIVE ? SAMPLE_ARCHIVE : SAMPLE_UNREADABLE;
    if (*path == NULL || source == SAMPLE_UNREADABLE) {
        free(*path);
        *path = NULL;
        errno = error;
        return SAMPLE_UNREADABLE;
    }
    return source;
}
