/* Expectations held against what is now and what was in a baseline. */
#ifndef VDISIM_REGRESS_EXPECT_H
#define VDISIM_REGRESS_EXPECT_H

#include "sim/experiment/compare/regress.h"

/* Fills the counts, and with a baseline the newly missed. False when memory is short (or it jumps to the arena's
 * landing, with nothing lost). */
bool regress_expect(struct regression *regression, const struct result *result, const struct sample *now,
                    const struct baseline *baseline);

#endif
