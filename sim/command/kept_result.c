#include "sim/command/kept_result.h"

#include "sim/command/terminal.h"
#include "sim/experiment/result/folder.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum exit_status kept_complaint(const char *command, enum archive_status status, const char *message)
{
    fprintf(stderr, "vdisim %s: %s\n", command, message);
    return status == ARCHIVE_REFUSED ? EXIT_USAGE : EXIT_FAILED;
}

struct archive_experiment *kept_experiment(const char *command, struct archive *archive, int64_t run,
                                           enum exit_status *status)
{
    char message[UNIT_MESSAGE_SIZE] = "out of memory";
    struct archive_experiment *experiment = NULL;
    struct problems *problems = problems_create();
    enum archive_status answer = ARCHIVE_FAILED;
    if (problems != NULL)
        answer = archive_experiment_open(archive, run, problems, &experiment, message);
    if (answer != ARCHIVE_FINE) {
        *status = kept_complaint(command, answer, message);
        if (problems != NULL)
            problems_print(problems, stderr, terminal_colour(stderr));
    }
    problems_destroy(problems);
    return experiment;
}

struct result *kept_result(const char *command, const struct archive_experiment *experiment,
                           struct keeper *keeper, bool records, enum exit_status *status)
{
    char message[UNIT_MESSAGE_SIZE] = "";
    struct run_options options = {
        .keep_records = records,
        .keeper = keeper,
        .only_kept = true,
        .selection = archive_experiment_selection(experiment),
    };
    struct result *result =
        experiment_execute(archive_experiment_of(experiment), &options, message, sizeof message);
    if (result == NULL)
        *status = kept_complaint(
            command, strstr(message, "damaged") != NULL ? ARCHIVE_REFUSED : ARCHIVE_FAILED, message);
    return result;
}

char *kept_folder(const char *out, const struct experiment *experiment)
{
    const char *name = experiment_name(experiment);
    size_t size = (out != NULL ? strlen(out) : strlen(name)) + sizeof "results/";
    char *folder = malloc(size);
    if (folder == NULL)
        return NULL;
    if (out != NULL)
        snprintf(folder, size, "%s", out);
    else
        snprintf(folder, size, "results/%s", name);
    for (size_t length = strlen(folder); length > 1 && folder[length - 1] == '/'; length--)
        folder[length - 1] = '\0';
    return folder;
}

enum exit_status kept_folder_check(const char *command, const char *folder, bool force)
{
    char message[UNIT_MESSAGE_SIZE];
    switch (folder_check(folder, force, message, sizeof message)) {
    case FOLDER_FINE:
        return EXIT_FINE;
    case FOLDER_EXISTS:
        return kept_complaint(command, ARCHIVE_REFUSED, message);
    case FOLDER_REFUSED:
        break;
    }
    return kept_complaint(command, ARCHIVE_FAILED, message);
}
