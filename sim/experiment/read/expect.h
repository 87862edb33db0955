/* What is expected: published or demanded values, held against the cells they belong to.
 *
 *     expect:
 *       - {metric: profile_load.mean, where: {tier: premium}, published: 7.24 s, within: 8 %, source: ...}
 *       - {metric: server_latency.mean, where: {tier: premium}, between: [3.6 ms, 4.4 ms]}
 *       - {metric: throttled.fraction, below: 1 %}
 *       - {metric: iops.mean, where: {shown_as: ssd}, over: {shown_as: hdd}, between: [2, 3]}
 *       - metric: profile_load.mean
 *         table: citrix-azure-files.csv        # a row a value
 *         value: profile_load_mean_s           # its column
 *         match: {tier: stores.profiles.tier, files_per_hour: workloads.logons.files_per_hour}
 *         rows: {measure: profile_load.mean}   # only these rows; optional
 *         within: one run
 *       - {metric: ..., table: anchors.csv, between: [low, high], match: ...}   # columns of the table
 *
 * `within` is a fraction of the published value, an amount, or "one run" (the default): the 95 % prediction
 * interval of one run. Numbers without a unit are in the metric's unit as reported. Keys under where and
 * match are those of vary, whole or by an unambiguous tail, or any other setting of the file. Values match
 * when they are the same number, or the same text, or one is the last part of the other after a slash. What
 * applies to no cell is an error.
 *
 * With `over` the ratio of two cells is expected: of each cell that `where` means to the one that has the values under
 * `over` and otherwise the same, or to the only one that has them.
 */
#ifndef VDISIM_EXPECT_H
#define VDISIM_EXPECT_H

#include "sim/experiment/read/experiment.h"
#include "sim/experiment/read/node.h"

#define EXPECT_MAX 1000 /* items of the list; a table has as many rows as it likes */

/* A cell while expectations are being attached to it. */
struct expect_cell {
    const struct node *root;
    const struct assignment *assignments;
    size_t assignment_count;
    struct expectation *list;
    size_t count;
};

/* Reads the key `expect` (may be NULL or empty) and attaches every expectation to its cells. `path` is the
 * experiment's file: tables are relative to it. `narrowed`: --set took cells away, so that an expectation may
 * be about none of those that are left; otherwise that is an error. */
void expect_read(struct arena *arena, const struct node *expect, const char *path, struct expect_cell *cells,
                 size_t cell_count, bool narrowed, struct problems *problems);

/* Whether a value of a cell is the one that an expectation means. */
bool expect_values_match(const char *of_cell, const char *wanted);

#endif
