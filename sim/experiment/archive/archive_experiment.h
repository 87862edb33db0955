/* An experiment made again from an archive: from the texts and options that one of its runs was begun with.
 *
 * With it experiment_execute() and the run's keeper give the result that the run gave, without any other file.
 */
#ifndef VDISIM_ARCHIVE_EXPERIMENT_H
#define VDISIM_ARCHIVE_EXPERIMENT_H

#include "sim/experiment/archive/archive.h"

struct archive_experiment;

/* Refused, with the reason, when the texts do not match their checksums, when this program finds mistakes in them
 * (which are then in `problems`) or reads another experiment out of them than the one that wrote the run. */
enum archive_status archive_experiment_open(struct archive *archive, int64_t run, struct problems *problems,
                                            struct archive_experiment **experiment,
                                            char message[UNIT_MESSAGE_SIZE]);
void archive_experiment_close(struct archive_experiment *experiment);

/* Valid until it is closed, as is the selection, which is NULL where none was asked for. */
const struct experiment *archive_experiment_of(const struct archive_experiment *experiment);
const struct selection_request *archive_experiment_selection(const struct archive_experiment *experiment);

#endif
