/* The pass rule of the theory tests: at least 20 independent replications with the warm-up removed; the
 * reference lies in the 99.9 % t interval of the replications' means, and the half-width of the interval is
 * at most a stated share of the reference, so that a test cannot pass by being vague.
 *
 * VDISIM_TEST_SCALE in (0, 1] shortens all runs, for sanitizers, which look for other faults than statistics
 * show. Short runs of rare things (a long wait) are skewed, and hundreds of intervals are checked, so the
 * interval is then that of 99.999 %; the allowed half-width grows with it and with the shortness. That the
 * interval contains the reference is demanded at every scale. */
#ifndef VDISIM_TESTS_REPLICATIONS_H
#define VDISIM_TESTS_REPLICATIONS_H

#include "tests/support/check.h"
#include "vdisim/interval.h"

#include <stdlib.h>

#define REPLICATIONS 50
#define TEST_SEED    20240607

static inline double test_scale(void)
{
    const char *text = getenv("VDISIM_TEST_SCALE");
    const double scale = text == NULL ? 1.0 : strtod(text, NULL);
    return scale > 0.0 && scale <= 1.0 ? scale : 1.0;
}

static inline double test_confidence(void)
{
    return test_scale() < 1.0 ? 0.99999 : 0.999;
}

/* The share of a total that one replication runs. */
static inline uint64_t per_replication(double total)
{
    const double share = total * test_scale() / REPLICATIONS;
    return share < 100.0 ? 100 : (uint64_t)share;
}

static inline void check_interval_(const char *what, struct sim_interval interval, double reference,
                                   double half_width, const char *file, int line)
{
    const double actual = 0.5 * (interval.high - interval.low);
    const double slack = test_scale() < 1.0 ? 2.2 : 1.0;
    const double allowed = slack * half_width / sqrt(test_scale()) * fabs(reference);
    print_message("    %-34s %12.7g  in %12.7g +- %.2f %%\n", what, reference, interval.estimate,
                  100.0 * actual / fabs(reference));
    if (!(interval.low <= reference && reference <= interval.high)) {
        print_error("%s: %.9g is outside [%.9g, %.9g]\n", what, reference, interval.low, interval.high);
        _fail(file, line);
    }
    if (!(actual <= allowed)) {
        print_error("%s: half-width %.3g, allowed %.3g\n", what, actual, allowed);
        _fail(file, line);
    }
}

/* Holds `count` replications of a value against its reference; half_width is relative. */
#define assert_reference(what, values, count, reference, half_width)                                         \
    check_interval_((what), sim_interval_mean((values), (count), test_confidence()), (reference),            \
                    (half_width), __FILE__, __LINE__)

/* The same, with a control of known mean 0. */
#define assert_reference_controlled(what, values, control, count, reference, half_width)                     \
    check_interval_((what),                                                                                  \
                    sim_interval_controlled((values), (control), (count), 0.0, test_confidence()).mean,      \
                    (reference), (half_width), __FILE__, __LINE__)

#endif
