/* What people see of a result: a table, and the answer in a few sentences.
 *
 * The columns are the varied keys, then what the result has of: the load (or boot, or job) time with both
 * intervals, the published value, and what the stores did. The sentences say how the cells differ, how many
 * expectations were met and which were missed, whether anything was throttled, how many parameters are not
 * published facts, and where the files are.
 */
#ifndef VDISIM_TABLE_H
#define VDISIM_TABLE_H

#include "sim/experiment/result/result.h"
#include "sim/experiment/result/text_table.h"

/* The whole report. `folder`: where the results were written, or NULL. False when memory was short. */
bool report_print(const struct result *result, const char *folder, struct writer *writer,
                  const struct text_style *style);

/* Its parts. The table is to be destroyed; NULL when memory was short. It has no columns when no run was finished. */
struct text_table *table_of(const struct result *result);
bool table_print(const struct result *result, struct writer *writer, const struct text_style *style);
void summary_print(const struct result *result, const char *folder, struct writer *writer,
                   const struct text_style *style);

/* The metric that answers the question: profile_load.mean if there is one, else the first of boot_time.mean,
 * ...; -1 in a result without metrics. */
ptrdiff_t headline_metric(const struct result *result);

/* The same metric of a store: "iops.mean" of "profiles" is `profiles.iops.mean` in a result of several
 * stores, and `iops.mean` in one of one store. -1 when there is none. */
ptrdiff_t store_metric(const struct result *result, size_t store, const char *name);

/* How many expectations there are and how many have each verdict. */
struct verdict_count {
    size_t total, met, missed, no_value, unfinished;
};
struct verdict_count count_verdicts(const struct result *result);

#endif
