/* Many comparisons at a time: p-values adjusted by Holm's step-down rule (Scandinavian Journal of Statistics 6,
 * 1979), so that the chance of calling any true equality a difference stays below the level chosen, whatever
 * the dependence of the tests. Adjusted values are compared with the level as if each stood alone.
 */
#ifndef VDISIM_HOLM_H
#define VDISIM_HOLM_H

#include <stdbool.h>
#include <stddef.h>

/* adjusted[i] of p_values[i]: the k-th smallest of m becomes the largest (m - j + 1) p_j over j <= k, at most
 * 1. Entries that are NaN could not be tested: they stay NaN and do not count in m. `adjusted` may be the same
 * array. False when memory is short; then adjusted is left alone. */
bool sim_holm(const double *p_values, size_t count, double *adjusted);

#endif
