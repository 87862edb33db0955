/* Where a CSV file on the disk first differs from the same file written anew.
 *
 * The new one is not kept: each byte is compared and hashed as it is written.
 *
 *     struct file_difference *difference = file_difference_create("results/small/runs.csv");
 *     write_runs(result, file_difference_writer(difference));
 *     if (file_difference_finish(difference) && !difference->is_same) ... difference->line, ->where, ->was, ->is
 *     file_difference_destroy(difference);
 */
#ifndef VDISIM_FILE_DIFFERENCE_H
#define VDISIM_FILE_DIFFERENCE_H

#include "sim/experiment/read/sha256.h"
#include "sim/experiment/result/writer.h"

enum { DIFFERENCE_TEXT_SIZE = 256 };

struct file_difference {
    bool is_there;                /* the file on the disk */
    bool is_same;                 /* byte for byte */
    char sha256[SHA256_HEX_SIZE]; /* of what was written anew */
    size_t line;                  /* the first that differs, from 1 */
    char where
        [DIFFERENCE_TEXT_SIZE]; /* "profile_load.mean [s] in cell 2, replication 1"; "" when it is not known */
    char was[DIFFERENCE_TEXT_SIZE],
        is[DIFFERENCE_TEXT_SIZE]; /* the field, or the line; "" when there is none */
};

/* NULL when memory is short. */
struct file_difference *file_difference_create(const char *path);

/* Valid until it is finished. */
struct writer *file_difference_writer(struct file_difference *difference);

/* Fills the members. False with errno when the file could not be read or memory was short. */
bool file_difference_finish(struct file_difference *difference);
void file_difference_destroy(struct file_difference *difference);

#endif
