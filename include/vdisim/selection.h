/* Which of k systems has the best mean: the fully sequential procedure KN of Kim and Nelson (ACM Transactions on
 * Modeling and Computer Simulation 11, 2001, section 3), with an indifference zone.
 *
 * With probability `confidence` or more the best system is selected, if its mean is better than every other by
 * the indifference delta or more; and if others lie within delta of the best, one of them or the best. This
 * holds for normal replications of unknown and unequal variances, also when the systems are run under common
 * random numbers, which pay here: the variances that count are those of differences. Replication r of all
 * systems is one vector, independent of the other vectors.
 *
 * The first n0 replications give S2_ij, the variance of the differences of systems i and j, and are not used
 * for this again. At r >= n0 replications of all that are alive, i is eliminated if some alive j is better by
 * more than
 *
 *     W_ij(r) = max(0, delta / (2 c r) (h2 S2_ij / delta^2 - r)),
 *     h2 = 2 c eta (n0 - 1),  c = 1,  eta = ((2 alpha / (k - 1))^(-2 / (n0 - 1)) - 1) / 2,
 *
 * alpha = 1 - confidence. W falls to 0 at r = h2 S2_ij / delta^2, where of each pair one is left, so it ends.
 *
 * One need not look at every r. The bound on a wrong elimination is that of a Brownian motion watched at all
 * times between the same two boundaries; watching it at some times only makes an error less likely, not more,
 * since the boundaries are symmetric (Jennison, Johnstone and Turnbull, Statistical Decision Theory and Related
 * Topics III, 1982). So a caller may screen after each block of replications, at the price of running some that
 * a closer look would have spared. When to look must not depend on the means seen.
 *
 *     struct sim_selection s;
 *     sim_selection_init(&s, k, 10, 0.95, 0.5, true);
 *     for (r = 10; sim_selection_screen(&s, values, r) > 1; r += 10)
 *         run replications r ... r + 9 of every system with s.alive[system];
 *     best = sim_selection_best(&s);
 *     sim_selection_release(&s);
 */
#ifndef VDISIM_SELECTION_H
#define VDISIM_SELECTION_H

#include <stdbool.h>
#include <stddef.h>

struct sim_selection {
    /* To read. */
    size_t systems;
    size_t first_stage; /* n0 */
    double confidence;
    double indifference;   /* delta, in the unit of the values */
    bool smallest_is_best; /* else the largest */
    bool *alive;           /* [systems] */
    size_t alive_count;
    size_t replications; /* at the last screening */
    size_t at_most;      /* after a screening: no more replications than this are needed */

    /* Private. */
    double h2;
    double *sums; /* [systems], of the alive ones over `replications` */
    bool *beaten; /* [systems] */
};

/* All systems alive. systems >= 1, first_stage >= 2 (10 to 20 is usual: with few, h2 is large), indifference >
 * 0, confidence above 1/2 and below 1. False when memory is short; released by sim_selection_release in either
 * case. */
bool sim_selection_init(struct sim_selection *selection, size_t systems, size_t first_stage,
                        double confidence, double indifference, bool smallest_is_best);

void sim_selection_release(struct sim_selection *selection);

/* Eliminates what can be eliminated at `replications` replications, at least first_stage and not fewer than
 * before; returns how many are left, 1 or more: with 1 it has ended. values[system] holds the values of that
 * system, finite, the same at every call; of an eliminated system nothing is read. Of equal means at the end
 * the system of lower number is kept. */
size_t sim_selection_screen(struct sim_selection *selection, const double *const *values,
                            size_t replications);

size_t sim_selection_alive_count(const struct sim_selection *selection);

/* The system selected; before the end the alive one that has the best mean so far. After a screening. */
size_t sim_selection_best(const struct sim_selection *selection);

#endif
