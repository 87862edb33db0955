#include "vdisim/share.h"

#include <math.h>

#define GIB 1073741824.0

/* Sources of the formulas: Microsoft, understanding-billing and storage-files-scale-targets, under the dated
 * rules of the catalogue. Throughput per GiB is rounded up to whole MiB/s, as the tables on those pages are.
 */

#define MIB 1048576.0

static double throughput(double fixed, double per_gib, double gib)
{
    if (per_gib <= 0.0)
        return fixed;
    /* 0.06 x 10240 must not become 614.4000000001 and round to the next whole number. */
    return fixed + ceil(per_gib * gib / MIB - 1e-6) * MIB;
}

struct share_limits share_limits(const struct share_settings *settings)
{
    const double gib = (double)settings->size_bytes / GIB;
    struct share_limits limits = {0};
    limits.base_iops = fmin(settings->base_iops + settings->base_iops_per_gib * gib, settings->base_iops_max);
    limits.burst_iops = limits.base_iops;
    switch ((enum burst_rule)settings->burst) {
    case BURST_NONE:
        break;
    case BURST_TWICE_BASELINE:
        limits.burst_iops = fmin(3.0 * limits.base_iops, settings->burst_iops_max);
        limits.burst_credits = 2.0 * limits.base_iops * (double)settings->burst_time_ns / 1e9;
        break;
    case BURST_OVER_BASELINE:
        limits.burst_iops = fmin(fmax(settings->burst_iops_floor, settings->burst_iops_per_gib * gib),
                                 settings->burst_iops_max);
        limits.burst_iops = fmax(limits.burst_iops, limits.base_iops);
        limits.burst_credits = (limits.burst_iops - limits.base_iops) * (double)settings->burst_time_ns / 1e9;
        break;
    }
    limits.ingress_bytes_per_s =
        fmin(throughput(settings->ingress_bytes_per_s, settings->ingress_per_gib_bytes_per_s, gib),
             settings->throughput_max_bytes_per_s);
    limits.egress_bytes_per_s =
        fmin(throughput(settings->egress_bytes_per_s, settings->egress_per_gib_bytes_per_s, gib),
             settings->throughput_max_bytes_per_s);
    if (settings->pooled_throughput) {
        const double pool =
            throughput(settings->ingress_bytes_per_s, settings->ingress_per_gib_bytes_per_s, gib) +
            throughput(settings->egress_bytes_per_s, settings->egress_per_gib_bytes_per_s, gib);
        limits.ingress_bytes_per_s = limits.egress_bytes_per_s =
            fmin(pool, settings->throughput_max_bytes_per_s);
    }
    return limits;
}
