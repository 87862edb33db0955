/* Simulated time.
 *
 * The clock counts whole nanoseconds in an int64_t: 292 years without rounding drift, compared exactly, the
 * same on every machine. Rates, samples and reports are doubles; they become nanoseconds in one place only,
 * here, rounded half to even. Variables that hold time end in _ns.
 */
#ifndef VDISIM_TIME_H
#define VDISIM_TIME_H

#include <stdint.h>

#define SIM_NS_PER_US   INT64_C(1000)
#define SIM_NS_PER_MS   INT64_C(1000000)
#define SIM_NS_PER_S    INT64_C(1000000000)
#define SIM_NS_PER_MIN  (60 * SIM_NS_PER_S)
#define SIM_NS_PER_HOUR (3600 * SIM_NS_PER_S)

/* Later than every event: "no time limit", "never". */
#define SIM_NEVER_NS INT64_MAX

/* Seconds to nanoseconds, rounded half to even. Asserts that the result is finite and fits; an amount of more
 * than 292 years saturates at SIM_NEVER_NS. */
int64_t sim_ns_from_s(double seconds);

/* A duration in nanoseconds, as drawn, rounded half to even. Negative, NaN or infinite asserts. */
int64_t sim_ns_round(double nanoseconds);

static inline double sim_s_from_ns(int64_t ns)
{
    return (double)ns / 1e9;
}

/* What one unit takes at a rate of units per second, in ns; 0 at INFINITY: no limit. */
static inline double sim_ns_per_unit(double units_per_s)
{
    return 1e9 / units_per_s;
}

#endif
