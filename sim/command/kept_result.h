/* A result made of units that were kept, none of which is run: what `vdisim archive export` and `vdisim merge` share.
 */
#ifndef VDISIM_KEPT_RESULT_H
#define VDISIM_KEPT_RESULT_H

#include "sim/command/command.h"
#include "sim/experiment/archive/archive_experiment.h"

/* The experiment that a run of an archive was begun with; complaints are printed under the command's name. NULL with
 * *status set. */
struct archive_experiment *kept_experiment(const char *command, struct archive *archive, int64_t run,
                                           enum exit_status *status);

/* NULL with *status set. */
struct result *kept_result(const char *command, const struct archive_experiment *experiment,
                           struct keeper *keeper, bool records, enum exit_status *status);

/* "results/NAME" or what was given, without '/' at the end; to be freed. NULL when memory is short. */
char *kept_folder(const char *out, const struct experiment *experiment);

/* Refuses before the work what would fail after it. */
enum exit_status kept_folder_check(const char *command, const char *folder, bool force);

/* 2 for what is refused, 1 for what failed; prints the message. */
enum exit_status kept_complaint(const char *command, enum archive_status status, const char *message);

#endif
