/* The logons of one store of a cell and what they ask of it: what an estimate and a search for a size begin with. */
#ifndef VDISIM_LOGONS_OF_STORE_H
#define VDISIM_LOGONS_OF_STORE_H

#include "sim/experiment/size/fluid.h"
#include "sim/experiment/size/variant.h"

enum { LOGONS_OF_STORE_MAX = 16 };

struct logons_of_store {
    const struct experiment *experiment;
    size_t cell;
    const char *store;
    size_t store_index;
    size_t workloads[LOGONS_OF_STORE_MAX]; /* indices of those that use it */
    struct logon_demand demands[LOGONS_OF_STORE_MAX];
    size_t count, measured;
    double nic_bytes_per_s; /* of their hosts together; 0: not limited */
    char doubts[FLUID_DOUBTS_MAX][FLUID_TEXT_SIZE];
    size_t doubt_count;
};

/* `store` NULL: that of the first workload of logons. False with one line of why: there is none. */
bool logons_of_store_find(struct logons_of_store *logons, const struct experiment *experiment, size_t cell,
                          const char *store, char *message, size_t message_size);

/* Measures the demand of each, on the store that `variant` makes of it, NULL for as it is. False with one line of
 * why. */
bool logons_of_store_measure(struct logons_of_store *logons, const struct variant *variant, char *message,
                             size_t message_size);
void logons_of_store_release(struct logons_of_store *logons);

/* The fluid answer for these settings of the share, NULL for a store of another kind, with so many shares between which
 * the users, and their hosts, are split evenly, and `user_scale` times the users. False when memory is short. */
bool logons_of_store_solve(const struct logons_of_store *logons, const struct share_settings *share,
                           double share_count, double user_scale, struct fluid_answer *answer);

/* The settings of the store of a cell when it is a share, else NULL. */
const struct share_settings *logons_of_store_share(const struct experiment *experiment, size_t cell,
                                                   size_t store_index);

/* What the profiles of all users hold. */
double logons_of_store_bytes(const struct logons_of_store *logons);

#endif
