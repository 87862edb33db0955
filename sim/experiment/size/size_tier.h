/* The search in one tier: private to size.c. */
#ifndef VDISIM_SIZE_TIER_H
#define VDISIM_SIZE_TIER_H

#include "sim/experiment/size/option.h"

/* Fills `found`; `tier` is measured already. The result depends on nothing but the tier and the request. */
enum option_end size_tier_search(const struct option_tier *tier, double data_bytes, struct size_option *found,
                                 char message[SIZE_WHY_SIZE]);

#endif
