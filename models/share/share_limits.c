#include "vdisim/entitlement.h"
#include "vdisim/share.h"

#include <math.h>
#include <stdio.h>

#define GIB 1073741824.0
#define MIB 1048576.0

/* Sources of the formulas: Microsoft, understanding-billing and storage-files-scale-targets, under the dated
 * rules of the catalogue. What grows with the size is rounded up, to whole IOPS and to whole MiB/s, as the formulas
 * and the tables on those pages are. Azure NetApp Files does not round (service levels: 100 GiB Premium, 6.25 MiB/s).
 */

/* 0.06 x 10240 must not become 614.4000000001 and round to the next whole number. */
static double round_up(double value, double step)
{
    return step > 0.0 ? ceil(value / step - 1e-6) * step : value;
}

static double gib_of(const struct share_settings *settings)
{
    return (double)(settings->pool_bytes > 0 ? settings->pool_bytes : settings->size_bytes) / GIB;
}

static double throughput(const struct share_settings *settings, double fixed, double per_gib)
{
    if (per_gib <= 0.0)
        return fixed;
    return fixed + round_up(per_gib * gib_of(settings), settings->throughput_step_bytes_per_s);
}

static double baseline(const struct share_settings *settings)
{
    if (settings->provisioned_iops > 0.0)
        return settings->provisioned_iops;
    return fmin(settings->base_iops + round_up(settings->base_iops_per_gib * gib_of(settings), 1.0),
                settings->base_iops_max);
}

static void limit_bursts(const struct share_settings *settings, struct share_limits *limits)
{
    const double burst_time_s = (double)settings->burst_time_ns / 1e9;
    limits->burst_iops = limits->base_iops;
    switch ((enum burst_rule)settings->burst) {
    case BURST_NONE:
        break;
    case BURST_TWICE_BASELINE:
        limits->burst_iops = fmin(3.0 * limits->base_iops, settings->burst_iops_max);
        limits->burst_credits = 2.0 * limits->base_iops * burst_time_s;
        break;
    case BURST_OVER_BASELINE:
        limits->burst_iops =
            fmax(settings->burst_iops_floor, settings->burst_iops_per_gib * gib_of(settings));
        limits->burst_iops = fmax(limits->burst_iops, settings->burst_iops_per_iops * limits->base_iops);
        limits->burst_iops = fmin(limits->burst_iops, settings->burst_iops_max);
        limits->burst_iops = fmax(limits->burst_iops, limits->base_iops);
        limits->burst_credits = (limits->burst_iops - limits->base_iops) * burst_time_s;
        break;
    }
}

/* Nothing is left to credits: what is beyond the limits is billed. */
static void pay_for_bursts(const struct share_settings *settings, struct share_limits *limits)
{
    limits->base_iops = limits->burst_iops = fmax(limits->base_iops, settings->paid_iops);
    limits->burst_credits = 0.0;
    limits->ingress_bytes_per_s = fmax(limits->ingress_bytes_per_s, settings->paid_bytes_per_s);
    limits->egress_bytes_per_s = fmax(limits->egress_bytes_per_s, settings->paid_bytes_per_s);
}

struct share_limits share_limits(const struct share_settings *settings)
{
    struct share_limits limits = {.base_iops = baseline(settings)};
    limit_bursts(settings, &limits);
    double ingress =
        throughput(settings, settings->ingress_bytes_per_s, settings->ingress_per_gib_bytes_per_s);
    double egress = throughput(settings, settings->egress_bytes_per_s, settings->egress_per_gib_bytes_per_s);
    if (settings->pooled_throughput)
        ingress = egress = ingress + egress;
    if (settings->provisioned_bytes_per_s > 0.0)
        ingress = egress = settings->provisioned_bytes_per_s;
    limits.ingress_bytes_per_s = fmin(ingress, settings->throughput_max_bytes_per_s);
    limits.egress_bytes_per_s = fmin(egress, settings->throughput_max_bytes_per_s);
    if (settings->paid_bursting)
        pay_for_bursts(settings, &limits);
    return limits;
}

struct share_limits share_limits_at(const struct share_settings *settings, int64_t size_bytes)
{
    struct share_settings changed = *settings;
    changed.size_bytes = size_bytes;
    return share_limits(&changed);
}

double share_metadata_iops(const struct share_settings *settings)
{
    return settings->metadata_caching ? settings->metadata_cached_iops : settings->metadata_iops;
}

double share_drain_s(const struct share_limits *limits, double credits, double demand_iops)
{
    const double above = fmin(demand_iops, limits->burst_iops) - limits->base_iops;
    return above > 0.0 ? credits / above : INFINITY;
}

double share_refill_s(const struct share_limits *limits)
{
    return limits->burst_credits / limits->base_iops;
}

/* Limits of a tier that contradict each other: nothing could be sold. */
static bool ranges_are_possible(const struct share_settings *settings, struct parameter_problem *problem)
{
    if (settings->size_min_bytes > settings->size_max_bytes) {
        problem->parameter = "size_min";
        snprintf(problem->message, sizeof problem->message,
                 "the smallest size sold is above the largest, %.6g GiB",
                 (double)settings->size_max_bytes / GIB);
        return false;
    }
    if (settings->iops_min > settings->base_iops_max) {
        problem->parameter = "iops_min";
        snprintf(problem->message, sizeof problem->message, "the fewest IOPS sold are above the most, %.6g",
                 settings->base_iops_max);
        return false;
    }
    if (settings->burst == BURST_OVER_BASELINE && settings->burst_iops_floor > settings->burst_iops_max) {
        problem->parameter = "burst_iops_floor";
        snprintf(problem->message, sizeof problem->message,
                 "the burst limit of a small share is above the most of any, %.6g IOPS",
                 settings->burst_iops_max);
        return false;
    }
    if (settings->throughput_min_bytes_per_s > settings->throughput_max_bytes_per_s) {
        problem->parameter = "throughput_min";
        snprintf(problem->message, sizeof problem->message,
                 "the least throughput sold is above the most, %.6g MiB/s",
                 settings->throughput_max_bytes_per_s / MIB);
        return false;
    }
    return true;
}

bool share_size_is_sold(const struct share_settings *settings, struct parameter_problem *problem)
{
    char least[32], most[32];
    problem->parameter = "size";
    if (settings->size_bytes < settings->size_min_bytes || settings->size_bytes > settings->size_max_bytes) {
        snprintf(problem->message, sizeof problem->message, "this tier is sold from %s to %s GiB",
                 entitlement_number((double)settings->size_min_bytes / GIB, least),
                 entitlement_number((double)settings->size_max_bytes / GIB, most));
        return false;
    }
    if (settings->size_bytes % settings->size_step_bytes != 0) {
        snprintf(problem->message, sizeof problem->message, "this tier is sold in steps of %s GiB",
                 entitlement_number((double)settings->size_step_bytes / GIB, least));
        return false;
    }
    if (settings->pool_bytes > 0 && settings->pool_bytes < settings->size_bytes) {
        problem->parameter = "pool_size";
        snprintf(problem->message, sizeof problem->message, "the share, %.6g GiB, is larger than its pool",
                 (double)settings->size_bytes / GIB);
        return false;
    }
    return true;
}

/* What is sold apart from the size; `minimum` 0: nothing is. */
static bool amount_is_sold(double bought, double minimum, double maximum, const char *what,
                           struct parameter_problem *problem)
{
    char least[32], most[32];
    if (bought <= 0.0 || (minimum > 0.0 && bought >= minimum && bought <= maximum))
        return true;
    if (minimum > 0.0)
        snprintf(problem->message, sizeof problem->message, "this tier and size is sold with %s to %s %s",
                 entitlement_number(minimum, least), entitlement_number(maximum, most), what);
    else
        snprintf(problem->message, sizeof problem->message,
                 "this tier sells no %s apart from the size, which they follow from; leave it out", what);
    return false;
}

bool share_is_sold(const struct share_settings *settings, struct parameter_problem *problem)
{
    if (!ranges_are_possible(settings, problem) || !share_size_is_sold(settings, problem))
        return false;
    if (settings->paid_bursting && settings->paid_iops <= 0.0) {
        problem->parameter = "paid_bursting";
        snprintf(problem->message, sizeof problem->message,
                 "paid bursting is not offered with this tier and date");
        return false;
    }
    if (settings->metadata_caching && settings->metadata_cached_iops <= 0.0) {
        problem->parameter = "metadata_caching";
        snprintf(problem->message, sizeof problem->message,
                 "metadata caching is not offered with this tier and date");
        return false;
    }
    problem->parameter = "iops";
    if (!amount_is_sold(settings->provisioned_iops, settings->iops_min, settings->base_iops_max, "IOPS",
                        problem))
        return false;
    double most = settings->throughput_max_bytes_per_s;
    if (settings->throughput_max_per_gib_bytes_per_s > 0.0)
        most = fmin(most, settings->throughput_max_per_gib_bytes_per_s * gib_of(settings));
    problem->parameter = "throughput";
    return amount_is_sold(settings->provisioned_bytes_per_s / MIB, settings->throughput_min_bytes_per_s / MIB,
                          most / MIB, "MiB/s", problem);
}
