/* What one logon asks of its store: measured on a few users who log on alone to an idle store, with the real models.
 *
 * The road of a request is the same as in any run, so that nothing of a model is written down a second time. Each
 * user has the share of the file changes that one of the experiment's users has; the run effect is left out.
 */
#ifndef VDISIM_DEMAND_H
#define VDISIM_DEMAND_H

#include "sim/experiment/read/experiment.h"
#include "vdisim/logons.h"
#include "vdisim/outcome.h"

struct store_demand {
    double operations[OPERATION_CLASS_COUNT];
    double egress_bytes, ingress_bytes;
};

double demand_operations(const struct store_demand *demand);
double demand_metadata(const struct store_demand *demand); /* opens and closes */

struct logon_demand {
    const char *name; /* of the workload */
    const struct logons_settings *settings;
    double load_s;                /* alone */
    double causes_s[CAUSE_COUNT]; /* of it */
    double requests;              /* of all stores */
    struct store_demand load;     /* on the store of the profiles */
    struct store_demand *session; /* [minute] from the end of the load on, logging off included */
    size_t minutes;
};

struct variant;

/* Of one workload of logons of a cell; `store` exchanges the store (variant.h), NULL: as it is. False with one line of
 * why; released in either case. Outlived by the experiment. */
bool demand_measure(struct logon_demand *demand, const struct experiment *experiment, size_t cell,
                    size_t workload, const struct variant *store, char *message, size_t message_size);
void demand_release(struct logon_demand *demand);

#endif
