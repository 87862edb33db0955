/* When the users of a workload arrive. */
#ifndef VDISIM_ARRIVALS_H
#define VDISIM_ARRIVALS_H

#include "vdisim/parameter.h"

#include <stdint.h>

enum arrival_pattern {
    ARRIVALS_EVEN,    /* one each window / users */
    ARRIVALS_POISSON, /* each at a time of its own in the window, independent of the others */
    ARRIVALS_CURVE,   /* a morning: the rate rises to `peak` and falls again, as a triangle */
};

struct arrival_settings {
    int64_t window_ns;
    int64_t start_ns;
    int pattern; /* enum arrival_pattern */
    double peak; /* of the curve, as a share of the window */
};

extern const struct parameter_table arrival_parameters;

/* The arrival of one of `users`; u is the user's own uniform in (0, 1). A Poisson process that is known to
 * bring `users` in the window has its arrivals independent and uniform on it. */
int64_t arrival_time_ns(const struct arrival_settings *settings, int64_t user, int64_t users, double u);

#endif
