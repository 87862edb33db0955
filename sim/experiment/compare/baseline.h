/* A baseline: what an experiment gave when its results were last accepted, and why they were each time.
 *
 * One text file an experiment, NAME.yaml, made to be read in a diff: a line a metric and cell with the values of
 * all replications, exact (the shortest decimals that read back the same). The fingerprints tell whether the very
 * same events happened. `history` has an item for each time the file was written: the version, the reason given,
 * and what had moved.
 *
 *     baseline: 1
 *     experiment: premium-size
 *     hash: 6a0e...
 *     seed: 1
 *     replications: 3
 *     history:
 *       - {version: "0.1.0", commit: "60e5673", because: "first baseline", moved: "3 cells, 61 metrics"}
 *     units: {profile_load.mean: "s", ...}
 *     cells:
 *       - cell: {stores.profiles.size: "1 TiB"}
 *         fingerprints: [89539847f0bbdec3, ...]
 *         ...
 *         values:
 *           profile_load.mean: [6.9551, 6.8912, 7.013]
 */
#ifndef VDISIM_BASELINE_H
#define VDISIM_BASELINE_H

#include "sim/experiment/compare/sample.h"
#include "sim/experiment/read/problem.h"
#include "sim/experiment/result/writer.h"

struct baseline_step {
    const char *version, *commit;
    const char *because; /* what its author said */
    const char *moved;   /* in one line */
};

struct baseline {
    struct sample *sample;
    struct baseline_step *history; /* the latest last */
    size_t history_count;
};

/* FOLDER/NAME.yaml, to be freed; NULL when memory is short. */
char *baseline_path(const char *folder, const char *experiment);

enum baseline_status { BASELINE_READ, BASELINE_MISSING, BASELINE_REFUSED };

/* Refused, with the problems added, when it is none, is damaged, is of a newer format or of another experiment. */
enum baseline_status baseline_read(const char *path, const char *experiment, struct baseline **baseline,
                                   struct problems *problems);
void baseline_destroy(struct baseline *baseline);

/* The document: the sample, the history of `before` (NULL: none) and one step more. */
void baseline_print(const struct sample *sample, const struct baseline *before,
                    const struct baseline_step *step, struct writer *writer);

/* Writes it, whole or not at all; the folder is made when it is missing. False with a message. */
bool baseline_write(const char *path, const struct sample *sample, const struct baseline *before,
                    const struct baseline_step *step, char *message, size_t message_size);

#endif
