#include "vdisim/time.h"

#include <assert.h>
#include <math.h>

/* llrint() rounds half to even: the kernel relies on the default rounding mode, as libm does. */
static int64_t saturate(double nanoseconds)
{
    if (nanoseconds >= 0x1p63)
        return SIM_NEVER_NS;
    if (nanoseconds < -0x1p63)
        return INT64_MIN;
    return llrint(nanoseconds);
}

int64_t sim_ns_from_s(double seconds)
{
    assert(isfinite(seconds));
    return saturate(seconds * 1e9);
}

int64_t sim_ns_round(double nanoseconds)
{
    assert(isfinite(nanoseconds) && nanoseconds >= 0);
    return saturate(nanoseconds);
}
