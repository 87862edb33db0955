/* A variant: one cell of an experiment with some of its settings changed, as an experiment of its own.
 *
 * It is read as the file is, so that what cannot be is refused for the same reasons. The store that is exchanged
 * gets a tier, a size, a date and a price list; what the file says of it otherwise (limits bought, prices, an account)
 * belongs to the tier of the file and is kept for that one alone, but for `price.busy`, which is the users'.
 *
 *     struct variant_change changes[] = {{"workloads.logons.users", "500"}};
 *     struct variant variant = {.store = "profiles", .tier = "azure-files/premium", .size = "2048 GiB",
 *                               .changes = changes, .change_count = 1};
 *     struct experiment *it = variant_open(experiment, cell, &variant, message, sizeof message);
 *     ... experiment_close(it), before the experiment it was made from ...
 */
#ifndef VDISIM_VARIANT_H
#define VDISIM_VARIANT_H

#include "sim/experiment/read/experiment.h"

struct variant_change {
    const char *key;  /* dotted, as under `vary` */
    const char *text; /* as a file would have it */
};

struct variant {
    const char *store; /* the one that is exchanged; NULL: none */
    const char *tier, *size;
    const char *rules;         /* a date or a name; NULL: the latest */
    const char *price_list;    /* where the file has no price for this tier; NULL: none */
    const char *only_workload; /* the others are left out; NULL: all */
    const struct variant_change *changes;
    size_t change_count;
};

/* NULL with one line of why: the values contradict each other, or memory is short. */
struct experiment *variant_open(const struct experiment *of, size_t cell, const struct variant *variant,
                                char *message, size_t message_size);

/* The tier and the rules that a store of a cell is written with; NULL where it has none. */
const char *variant_tier(const struct experiment *of, size_t cell, const char *store);
const char *variant_rules(const struct experiment *of, size_t cell, const char *store);

#endif
