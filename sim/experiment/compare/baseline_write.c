#include "sim/experiment/compare/baseline.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static void print_step(const struct baseline_step *step, struct writer *writer)
{
    write_text(writer, "  - {version: ");
    write_json_text(writer, step->version);
    write_text(writer, ", commit: ");
    write_json_text(writer, step->commit);
    write_text(writer, ",\n     because: ");
    write_json_text(writer, step->because);
    write_text(writer, ",\n     moved: ");
    write_json_text(writer, step->moved);
    write_text(writer, "}\n");
}

static void print_head(const struct sample *sample, const struct baseline *before,
                       const struct baseline_step *step, struct writer *writer)
{
    write_text(
        writer,
        "# What `vdisim regress` holds this experiment against. Written by it: --update --because \"WHY\".\n"
        "baseline: 1\n"
        "experiment: %s\nhash: %s\ngenerator: ",
        sample->experiment, sample->hash);
    write_json_text(writer, sample->generator);
    write_text(writer, "\nseed: %" PRId64 "\nreplications: %zu\nhistory:\n", sample->seed,
               sample->replications);
    for (size_t i = 0; before != NULL && i < before->history_count; i++)
        print_step(&before->history[i], writer);
    print_step(step, writer);
    write_text(writer, "units:\n");
    for (size_t i = 0; i < sample->metric_count; i++) {
        write_text(writer, "  ");
        write_json_text(writer, sample->metrics[i].name);
        write_text(writer, ": ");
        write_json_text(writer, sample->metrics[i].unit);
        write_text(writer, "\n");
    }
}

static void print_number(double value, struct writer *writer)
{
    char text[NUMBER_SIZE];
    number_text(text, value);
    write_text(writer, "%s", text[0] == '\0' ? "~" : text);
}

static void print_accounts(const struct sample *sample, size_t cell, struct writer *writer)
{
    size_t first = cell * sample->replications;
    write_text(writer, "    fingerprints: [");
    for (size_t i = 0; i < sample->replications; i++)
        if (sample->done[first + i])
            write_text(writer, "%s%016" PRIx64, i == 0 ? "" : ", ", sample->fingerprints[first + i]);
        else
            write_text(writer, "%s~", i == 0 ? "" : ", ");
    write_text(writer, "]\n    events: [");
    for (size_t i = 0; i < sample->replications; i++)
        write_text(writer, "%s%" PRIu64, i == 0 ? "" : ", ", sample->events[first + i]);
    write_text(writer, "]\n    run_effects: [");
    for (size_t i = 0; i < sample->replications; i++) {
        write_text(writer, i == 0 ? "" : ", ");
        print_number(sample->run_effects[first + i], writer);
    }
    write_text(writer, "]\n");
}

static bool has_metric(const struct sample *sample, size_t cell, size_t metric)
{
    for (size_t i = 0; i < sample->replications; i++)
        if (!isnan(sample_value(sample, cell, i, metric)))
            return true;
    return false;
}

static void print_cell(const struct sample *sample, size_t cell, struct writer *writer)
{
    const struct sample_cell *it = &sample->cells[cell];
    write_text(writer, "  - cell: {");
    for (size_t i = 0; i < it->assignment_count; i++) {
        write_text(writer, i == 0 ? "" : ", ");
        write_json_text(writer, it->assignments[i].key);
        write_text(writer, ": ");
        write_json_text(writer, it->assignments[i].value);
    }
    write_text(writer, "}\n");
    print_accounts(sample, cell, writer);
    write_text(writer, "    values:\n");
    for (size_t metric = 0; metric < sample->metric_count; metric++) {
        if (!has_metric(sample, cell, metric))
            continue;
        write_text(writer, "      ");
        write_json_text(writer, sample->metrics[metric].name);
        write_text(writer, ": [");
        for (size_t i = 0; i < sample->replications; i++) {
            write_text(writer, i == 0 ? "" : ", ");
            print_number(sample_value(sample, cell, i, metric), writer);
        }
        write_text(writer, "]\n");
    }
}

void baseline_print(const struct sample *sample, const struct baseline *before,
                    const struct baseline_step *step, struct writer *writer)
{
    print_head(sample, before, step, writer);
    write_text(writer, "cells:\n");
    for (size_t cell = 0; cell < sample->cell_count; cell++)
        print_cell(sample, cell, writer);
}

/* Makes the folder of a path, and those above it. */
static void make_folders(char *path)
{
    for (char *slash = strchr(path + 1, '/'); slash != NULL; slash = strchr(slash + 1, '/')) {
        *slash = '\0';
        mkdir(path, 0777); /* what goes wrong here goes wrong again when the file is opened */
        *slash = '/';
    }
}

static void sync_folder(char *path)
{
    char *slash = strrchr(path, '/');
    if (slash != NULL)
        *slash = '\0';
    int descriptor = open(slash == NULL ? "." : path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (slash != NULL)
        *slash = '/';
    if (descriptor >= 0) {
        fsync(descriptor);
        close(descriptor);
    }
}

bool baseline_write(const char *path, const struct sample *sample, const struct baseline *before,
                    const struct baseline_step *step, char *message, size_t message_size)
{
    static const char ending[] = ".vdisim-XXXXXX";
    size_t size = strlen(path) + sizeof ending;
    char *temporary = malloc(size);
    if (temporary == NULL) {
        snprintf(message, message_size, "out of memory");
        return false;
    }
    snprintf(temporary, size, "%s%s", path, ending);
    make_folders(temporary);
    int descriptor = mkstemp(temporary);
    struct writer writer = {.file = descriptor < 0 ? NULL : fdopen(descriptor, "w")};
    if (writer.file == NULL) {
        writer.error = errno;
        if (descriptor >= 0)
            close(descriptor);
    } else {
        if (fchmod(descriptor, 0644) != 0)
            writer.error = errno;
        baseline_print(sample, before, step, &writer);
        if (writer_close(&writer) && rename(temporary, path) != 0)
            writer.error = errno;
    }
    if (writer.error != 0 && descriptor >= 0)
        unlink(temporary);
    if (writer.error != 0)
        snprintf(message, message_size, "cannot write '%s': %s", path, strerror(writer.error));
    else
        sync_folder(temporary);
    free(temporary);
    return writer.error == 0;
}
