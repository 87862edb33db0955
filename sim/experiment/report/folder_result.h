/* A result folder as the result that it was written from, without running anything.
 *
 * The experiment is opened from the texts in manifest.json, the values of the runs come from runs.csv; every file of the
 * folder must be the one that was written with the manifest. Logons and minutes stay in their files.
 *
 *     struct folder_result *kept = folder_result_open("results/NAME", problems);
 *     ...folder_result(kept)...
 *     folder_result_close(kept);
 */
#ifndef VDISIM_FOLDER_RESULT_H
#define VDISIM_FOLDER_RESULT_H

#include "sim/experiment/read/problem.h"
#include "sim/experiment/result/manifest_read.h"
#include "sim/experiment/result/result.h"

struct folder_result;

/* NULL with the problems added when the folder is no result, is incomplete, was changed, is of a newer version, or when
 * memory is short. */
struct folder_result *folder_result_open(const char *folder, struct problems *problems);
void folder_result_close(struct folder_result *kept);

const struct result *folder_result(const struct folder_result *kept);
const struct manifest *folder_result_manifest(const struct folder_result *kept);

#endif
