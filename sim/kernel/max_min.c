#include "vdisim/link.h"

#include <assert.h>

/* Raises the water level over those not yet satisfied, takes out all whose demand is below it, and starts
 * again with what those leave. A negative share marks who is still in. */
void sim_max_min_share(double capacity, size_t count, const double *demand, const double *weight,
                       double *share)
{
    double left = capacity, weights = 0.0;
    for (size_t i = 0; i < count; i++) {
        assert(demand[i] >= 0.0 && (weight == NULL || weight[i] > 0.0));
        share[i] = -1.0;
        weights += weight == NULL ? 1.0 : weight[i];
    }
    for (bool satisfied = true; satisfied;) {
        satisfied = false;
        const double level = left / weights;
        left = capacity;
        weights = 0.0;
        for (size_t i = 0; i < count; i++) {
            const double own_weight = weight == NULL ? 1.0 : weight[i];
            if (share[i] < 0.0 && demand[i] <= level * own_weight) {
                share[i] = demand[i];
                satisfied = true;
            }
            if (share[i] < 0.0)
                weights += own_weight;
            else
                left -= share[i];
        }
        if (!satisfied)
            for (size_t i = 0; i < count; i++)
                if (share[i] < 0.0)
                    share[i] = level * (weight == NULL ? 1.0 : weight[i]);
    }
}
