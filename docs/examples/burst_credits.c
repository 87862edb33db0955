/* How long the burst credits of a premium share last: a bucket that fills at the baseline, drained by a steady demand. No
 * clock runs: the level is piecewise linear and asked for at the instants of interest. */
#include <vdisim/bucket.h>

#include <stdio.h>

int main(void)
{
    static const struct {
        double gib, baseline, burst; /* IOPS, rules of 2021: 400 + 1 a GiB; max(4,000, 3 a GiB) */
    } shares[] = {{100, 500, 4000}, {1024, 1424, 4000}, {5120, 5520, 15360}};
    const double demand = 3000; /* IOPS */

    for (size_t i = 0; i < sizeof shares / sizeof shares[0]; i++) {
        struct sim_bucket credits;
        sim_bucket_init(&credits, 0, shares[i].baseline, (shares[i].burst - shares[i].baseline) * 3600);
        sim_bucket_set_peak(&credits, 0, shares[i].burst);
        sim_bucket_set_drain(&credits, 0, demand);
        const int64_t empty_ns = sim_bucket_empty_at_ns(&credits, 0);
        printf("%5.0f GiB: %11.0f credits; ", shares[i].gib, credits.capacity);
        if (empty_ns == SIM_NEVER_NS) {
            printf("%.0f IOPS for ever\n", demand);
            continue;
        }
        printf("%.0f IOPS for %.0f min, ", demand, sim_s_from_ns(empty_ns) / 60);
        sim_bucket_set_drain(&credits, empty_ns, 0); /* demand ends: from now on it fills */
        const int64_t full_ns = sim_bucket_full_at_ns(&credits, empty_ns);
        printf("full again after %.1f idle hours\n", sim_s_from_ns(full_ns - empty_ns) / 3600);
    }
    return 0;
}
