/* A store of the catalogue by itself: an entry, a size and a date, with what it is entitled to.
 *
 *     struct stated_store_request request = {.entry = "azure-files/premium", .rules = "2021-01", .size = "10 TiB"};
 *     struct stated_store stated;
 *     if (stated_store_read(opened, &request, problems, &stated)) ... stated.entitlement ...
 *
 * It is read as an experiment's store would be, so that it is refused for the same reasons in the same words. All that it
 * points to is the opened catalogue's.
 */
#ifndef VDISIM_STATED_STORE_H
#define VDISIM_STATED_STORE_H

#include "sim/experiment/read/opened_catalogue.h"
#include "sim/experiment/read/reader.h"
#include "vdisim/entitlement.h"

struct stated_store_request {
    const char *entry;       /* of `tiers` */
    const char *rules;       /* a date or a name; NULL: the latest */
    bool rules_by_name;      /* it was asked for as a name, --rules */
    const char *size;        /* "10 TiB"; NULL: not said */
    const char *const *sets; /* KEY=VALUE each, as in an experiment's store */
    size_t set_count;
};

struct stated_store {
    const struct catalogue_entry *entry;
    const struct catalogue_rules *rules; /* NULL: it has none */
    const struct store_kind *kind;
    const struct block *block; /* its settings, each with its origin */
    int64_t size_bytes;        /* what fits in it; 0: not known */
    struct entitlement entitlement;
};

/* False with the problems added. */
bool stated_store_read(struct opened_catalogue *opened, const struct stated_store_request *request,
                       struct problems *problems, struct stated_store *stated);

/* Calls visit for each contradiction between the sources that concerns the store: of the entry, of its rules, of its size. */
void stated_store_contradictions(const struct stated_store *stated,
                                 void (*visit)(void *context,
                                               const struct catalogue_contradiction *contradiction),
                                 void *context);

#endif
