/* Whether the files of a result folder are still those that were written with its manifest.json.
 *
 *     char names[ALTERED_NAMES_SIZE];
 *     if (folder_altered("results/premium", names) > 0)
 *         fprintf(stderr, "%s was changed after it was written\n", names);
 */
#ifndef VDISIM_ALTERED_H
#define VDISIM_ALTERED_H

#include <stddef.h>

enum { ALTERED_NAMES_SIZE = 512 };

/* How many files of the folder do not have the checksum that its manifest states, and their names, "cells.csv, runs.csv". A
 * file that is not there does not count: who needs it says so. 0 where the manifest cannot be read, for the same reason. */
size_t folder_altered(const char *folder, char names[ALTERED_NAMES_SIZE]);

#endif
