/* The manifest of a rerun held against the one it was made from. */
#ifndef VDISIM_RERUN_MANIFEST_H
#define VDISIM_RERUN_MANIFEST_H

#include "sim/experiment/result/manifest_read.h"

struct manifest_difference {
    bool is_same; /* but for what names the program */
    char where[256], was[128], is[128];
};

/* Where the manifest that a result would have first differs. Keys that only one of the two knows count within the
 * parts of both, not beside them: another version may write more. False when memory is short. */
bool manifest_compare(const struct manifest *manifest, const struct result *result,
                      struct manifest_difference *difference);

/* A line, with `before` in front, for each thing that is another about the program since. Returns how many. */
size_t manifest_tell_program(const struct manifest *manifest, const struct experiment *experiment,
                             struct writer *writer, const char *before);

#endif
