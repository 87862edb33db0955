/* A manifest read back (manifest.h): what a run was made of, to run it again.
 *
 * The texts it holds must match their checksums. Keys it does not know are left alone, and so is any reformatting by
 * other programs.
 */
#ifndef VDISIM_MANIFEST_READ_H
#define VDISIM_MANIFEST_READ_H

#include "sim/experiment/read/arena.h"
#include "sim/experiment/read/node.h"
#include "sim/experiment/result/manifest.h"

#define MANIFEST_MAX_BYTES ((size_t)1 << 30)

struct manifest {
    const char *path; /* of the manifest */
    const char *file; /* the experiment's */
    const char *hash; /* of the experiment */
    bool interrupted;
    struct experiment_options options; /* opens the experiment again, without the disk */
    const char *const *input_sha256;   /* [options.file_count] */
    struct selection_request selection;
    bool has_selection;
    const struct output_file *outputs;
    size_t output_count;
    const struct node *root;
};

/* All belongs to the arena, which needs a landing. NULL with the problems added when the file cannot be read, is no
 * manifest, does not hold enough, or holds a text that was changed. */
const struct manifest *manifest_read(struct arena *arena, const char *path, struct problems *problems);

/* A text of the manifest, "" when there is none. */
const char *manifest_text(const struct manifest *manifest, const char *key);

#endif
