/* A file share with provisioned or fixed limits: Azure Files.
 *
 * The limits of a share follow from its size by formulas whose coefficients are settings, so that the dated
 * rules of a tier are catalogue data: base IOPS = min(base_iops + base_iops_per_gib * GiB, base_iops_max),
 * and so on. IOPS and throughput can also be bought apart from the size (provisioned v2, manual QoS). Shares of one storage
 * account share the account's limits.
 */
#ifndef VDISIM_SHARE_H
#define VDISIM_SHARE_H

#include "vdisim/entitlement.h"
#include "vdisim/parameter.h"
#include "vdisim/price.h"
#include "vdisim/service.h"
#include "vdisim/world.h"

/* How the burst bucket is measured. */
enum burst_rule {
    BURST_NONE,
    BURST_TWICE_BASELINE, /* credits = 2 h of the baseline; limit = 3 x baseline (rules of 2019) */
    BURST_OVER_BASELINE, /* credits = burst_time x (burst limit - baseline); limit = max(floor, per GiB, per IOPS) */
};

struct share_settings {
    int64_t size_bytes;
    int64_t used_bytes;                  /* at the start, beside what workloads place on it */
    double growth;                       /* part of the bytes written that is new */
    struct parameter_texts size_changes; /* share_resize.h */
    int64_t size_change_takes_ns;        /* from asking to having */
    int64_t size_lower_after_ns;         /* the last raise; not sooner */
    int64_t size_min_bytes, size_max_bytes, size_step_bytes;
    int64_t
        pool_bytes; /* the capacity pool that the share is part of, whose size its formulas take; 0: its own */

    double base_iops, base_iops_per_gib, base_iops_max;
    double iops_min;         /* 0: IOPS follow from the size and are not sold */
    double provisioned_iops; /* 0: what the formula says */
    int burst;               /* enum burst_rule */
    double burst_iops_floor, burst_iops_per_gib, burst_iops_per_iops, burst_iops_max;
    int64_t burst_time_ns;
    double initial_credits;             /* share of a full bucket */
    bool paid_bursting;                 /* what is used beyond is billed, up to: */
    double paid_iops, paid_bytes_per_s; /* 0: not offered */

    bool pooled_throughput; /* ingress and egress draw on one pool: the sum of both formulas */
    double ingress_bytes_per_s, ingress_per_gib_bytes_per_s;
    double egress_bytes_per_s, egress_per_gib_bytes_per_s;
    double throughput_max_bytes_per_s; /* of ingress and egress each, or of the pool */
    double
        throughput_step_bytes_per_s; /* to whole multiples of which the part that grows is rounded up; 0: not */
    double throughput_min_bytes_per_s;         /* 0: throughput follows from the size and is not sold */
    double throughput_max_per_gib_bytes_per_s; /* most that is sold for each GiB; 0: no such limit */
    double provisioned_bytes_per_s;            /* 0: what the formulas say */

    double metadata_iops;
    bool metadata_caching;       /* switched on; the limit is then: */
    double metadata_cached_iops; /* 0: not offered */
    int64_t handles_per_file;    /* or directory */
    int64_t handles_on_root;     /* of the topmost directory; 0: as of any other */
    int64_t limit_window_ns; /* over which a limit is enforced: what a bucket can hold, as time at its rate */

    const char
        *account; /* storage account; shares that name the same one share its limits. Optional: its own */
    double account_iops, account_ingress_bytes_per_s, account_egress_bytes_per_s;
    bool account_pooled; /* both directions draw on one pool, account_egress; account_ingress is the same */

    int64_t channels; /* most connections of one client (SMB Multichannel) */

    /* A share that has been idle answers from few of the service's back ends: its limits begin at a share of what they are
     * and rise in a straight line over the time of load that it takes to spread. */
    double spread_start; /* 1: spread from the beginning; 0 counts as 1 */
    int64_t spread_time_ns;

    struct price price;
    struct service_settings service;
};

/* What a share of this size is entitled to. */
struct share_limits {
    double base_iops, burst_iops;                   /* equal without bursting */
    double burst_credits;                           /* bucket size; 0 without bursting */
    double ingress_bytes_per_s, egress_bytes_per_s; /* equal to the pool when pooled */
};

struct share_limits share_limits(const struct share_settings *settings);

/* What it would be entitled to if its size were another. */
struct share_limits share_limits_at(const struct share_settings *settings, int64_t size_bytes);

/* Most opens and closes a second, with metadata caching if that is on; it does not depend on the size. */
double share_metadata_iops(const struct share_settings *settings);

/* How long credits last at a steady demand, in seconds: credits / (min(demand, burst limit) - baseline). INFINITY at or below
 * the baseline. */
double share_drain_s(const struct share_limits *limits, double credits, double demand_iops);

/* How long an idle share takes to fill an empty bucket: credits / baseline. */
double share_refill_s(const struct share_limits *limits);

/* Whether the size can be bought. */
bool share_size_is_sold(const struct share_settings *settings, struct parameter_problem *problem);

/* Whether what is set can be bought: the size, and IOPS and throughput where they are sold apart from it. */
bool share_is_sold(const struct share_settings *settings, struct parameter_problem *problem);

/* Whether it fits the shares before it that name the same account: one set of limits, and no more IOPS and throughput
 * provisioned apart from the size than the account sells. `settings`: struct share_settings. */
bool share_fits_account(const struct scenario *scenario, const void *settings,
                        struct parameter_problem *problem);

/* Each of the limits with its formula, for people (entitlement.h). `settings`: struct share_settings. */
void share_entitlement(const void *settings, struct entitlement *entitlement);

extern const struct parameter_table share_parameters;
extern const struct store_kind share_kind;

#endif
