/* Whether mornings (mornings.h) say that an option meets all targets.
 *
 * The mean over mornings is looked at after 8 of them, then after 13, 23, 43, ..., until every target is met beyond doubt, one
 * is missed beyond doubt or is likely to stay in doubt, or the request's replications have run out. Of the chance of a wrong
 * `met` the last look gets one half, the one before it a quarter, and so on.
 */
#ifndef VDISIM_CONFIRM_H
#define VDISIM_CONFIRM_H

#include "sim/experiment/size/option.h"

struct confirmation {
    struct option_values values;
    struct standing standings[TARGETS_MAX];
    bool met, missed; /* neither: it stays in doubt */
};

/* `error`: the chance of `met` when a target is not. Released in either case. OPTION_FAILED with one line of why. */
enum option_end option_confirm(const struct option_tier *tier, const struct option *option, double error,
                               struct confirmation *confirmation, char message[SIZE_WHY_SIZE]);
void confirmation_release(struct confirmation *confirmation);

/* Whether it is likely to be confirmed with this error, by a few mornings that option_confirm() does not use. */
enum option_end option_promises(const struct option_tier *tier, const struct option *option, double error,
                                bool *promises, char message[SIZE_WHY_SIZE]);

#endif
