/* The result folder: what a run leaves behind for people, scripts and later commands.
 *
 * cells.csv         the estimates, one row a cell and metric (json.h)
 * runs.csv          one row a cell and replication, the metrics side by side, units in the heading
 * expectations.csv  one row an expectation: published, predicted, verdict
 * logons.csv        one row a logon, named as Citrix Director's export, then where the time went, in seconds
 * minutes.csv       one row a store and minute, named as Azure Monitor's metrics
 * minutes-by-workload.csv  one row a store, workload and minute, where a cell has several workloads
 * batches.csv       one row a batch, where one long run is cut into batches: the metrics of each
 * manifest.json     what it is and how to get it again (manifest.h)
 *
 * Cells and replications count from 1. Simulated time 0 is written as 2021-01-01T09:00:00Z.
 */
#ifndef VDISIM_RECORDS_H
#define VDISIM_RECORDS_H

#include "sim/experiment/result/result.h"
#include "sim/experiment/result/writer.h"

/* The files of a folder but for the manifest, in the order in which they are written. */
size_t result_file_count(const struct result *result);
const char *result_file_name(const struct result *result, size_t index);
void result_file_write(const struct result *result, size_t index, struct writer *writer);

/* Writes the folder, the manifest last; `replace` as in folder.h. False with a message. */
bool result_write(const struct result *result, const char *path, bool replace, char *message,
                  size_t message_size);

#endif
