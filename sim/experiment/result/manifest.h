/* manifest.json: what a result is, and how to get it again. Schema vdisim.result/1, keys are only ever added.
 *
 * It holds nothing that differs between two identical runs: no clock, no host, no number of threads. And it holds all
 * that a run is made of, so that `vdisim rerun` needs nothing else:
 *
 *     version, commit, random_generator, gsl_version, builtin_catalogue   the program; hash of its catalogue
 *     experiment, title, file, hash         the experiment: hash of the resolved values of all cells and the seed
 *     options                               what it was opened with: sets, catalogues, replications and seed (null: as
 *                                           the file says)
 *     precision, selection                  what the replications went by, null for a fixed count
 *     seed, replications, interrupted       replications: the most of any cell
 *     plan                                  of each cell: replications, how they ended, the half-width reached
 *     cells, runs, warnings                 what is varied; of each run why it ended and the fingerprint of its events
 *     outputs                               the other files of the folder with their SHA-256
 *     inputs                                the files it was read from: path, SHA-256, text
 */
#ifndef VDISIM_MANIFEST_H
#define VDISIM_MANIFEST_H

#include "sim/experiment/read/sha256.h"
#include "sim/experiment/result/result.h"
#include "sim/experiment/result/writer.h"

struct output_file {
    const char *name;
    char sha256[SHA256_HEX_SIZE];
};

void manifest_print(const struct result *result, const struct output_file *outputs, size_t output_count,
                    struct writer *writer);

/* Hash of the catalogue that is built in: names and texts of its files. */
void builtin_catalogue_hash(char sha256[SHA256_HEX_SIZE]);

#endif
