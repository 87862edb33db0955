/* The result folder: what a run leaves behind for people, scripts and later commands.
 *
 * manifest.json     vdisim.result/1: program, experiment, seed, hash, and for each run why it ended and the
 * fingerprint of its events; nothing that differs between two identical runs (no clock, no host) cells.csv
 * the estimates, one row a cell and metric (json.h) expectations.csv  one row an expectation: published,
 * predicted, verdict runs.csv          one row a cell and replication, the metrics side by side, units in the
 * heading logons.csv        one row a logon, named as Citrix Director's export, then where the time went, in
 * seconds minutes.csv       one row a store and minute, named as Azure Monitor's metrics
 *
 * Cells and replications count from 1. Simulated time 0 is written as 2021-01-01T09:00:00Z.
 */
#ifndef VDISIM_RECORDS_H
#define VDISIM_RECORDS_H

#include "sim/experiment/result.h"

/* Writes the folder; `replace` as in folder.h. False with a message. */
bool result_write(const struct result *result, const char *path, bool replace, char *message,
                  size_t message_size);

#endif
