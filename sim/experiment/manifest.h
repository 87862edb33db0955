/* manifest.json: what a result is, and how to get it again. Schema vdisim.result/1, keys are only ever added.
 *
 * It holds nothing that differs between two identical runs: no clock, no host, no number of threads.
 */
#ifndef VDISIM_MANIFEST_H
#define VDISIM_MANIFEST_H

#include "sim/experiment/result.h"
#include "sim/experiment/writer.h"

void manifest_print(const struct result *result, struct writer *writer);

#endif
