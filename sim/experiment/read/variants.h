/* Variants of the cells of an experiment: each is a cell with some values set otherwise, as --set would, and all of them
 * are the cells of an experiment of their own, which runs, in threads and with progress, as any other.
 *
 *     const struct variant_value values[] = {{"stores.profiles.egress", "unlimited"}};
 *     const struct variant variants[] = {{.cell = 0}, {.cell = 0, .values = values, .value_count = 1}};
 *     ptrdiff_t cells[2];
 *     const char *why_not[2];
 *     struct experiment *varied = experiment_variants(experiment, variants, 2, cells, why_not);
 *
 * All draw the random numbers of the first replication of the experiment, so that they differ by nothing but their values.
 */
#ifndef VDISIM_VARIANTS_H
#define VDISIM_VARIANTS_H

#include "sim/experiment/read/experiment.h"

struct variant_value {
    const char *key, *value; /* dotted, as under `vary`; as an experiment file writes it */
};

struct variant {
    size_t cell; /* of the experiment it is a variant of */
    const struct variant_value *values;
    size_t value_count;
};

/* An experiment of one replication with a cell for each variant whose values do not contradict each other. cells[i] is the
 * cell of variant i, or -1, and then why_not[i] says why (owned by the experiment that is returned). `experiment` must
 * outlive it; to be closed by experiment_close(). NULL when memory is short. */
struct experiment *experiment_variants(const struct experiment *experiment, const struct variant *variants,
                                       size_t count, ptrdiff_t *cells, const char **why_not);

#endif
