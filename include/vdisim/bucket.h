/* A token bucket: a level that fills at a rate up to a capacity and is drained by what is served. Limits on
 * requests or bytes per second, burst credits and provisioned rates are buckets. The level is piecewise
 * linear in time and computed exactly from one change to the next; nothing is ever stepped.
 *
 * It is used in one of two forms.
 *
 * Discrete: each request takes an amount and is told when it has been granted. Where the level does not
 * suffice it goes negative, a debt that the next takers wait for too: grants are first come, first served by
 * construction.
 *
 *     int64_t granted_ns = sim_bucket_take(&iops, sim_now_ns(sim), 1.0);
 *     if (granted_ns > sim_now_ns(sim)) ...throttled: schedule at granted_ns...
 *
 * Fluid: demand flows in at a rate. It is served at that rate while there is credit, at no more than the fill
 * rate when the bucket is empty, and never faster than the peak rate; what is not served at once is the
 * backlog, which is served first:
 *
 *     d level = rate - served, within [0, capacity];   d backlog = demand - served;
 *     served  = desired while level > 0, min(desired, rate) at level 0;
 *     desired = peak while there is a backlog, min(demand, peak) without.
 *
 * While paused a bucket does not accrue: the level may not rise above its value at the pause (burst credits
 * are not earned while throttling keeps the usage down), though it still recovers to it; a debt is still paid
 * off up to 0.
 *
 * A rate of INFINITY is no limit: everything is granted at once, at the same cost. Times must not decrease
 * from call to call. A bucket owns nothing.
 */
#ifndef VDISIM_BUCKET_H
#define VDISIM_BUCKET_H

#include "vdisim/time.h"

#include <assert.h>
#include <stdbool.h>
#include <stdint.h>

struct sim_bucket {
    double rate_per_s; /* at which it fills, >= 0; INFINITY: no limit */
    double capacity;   /* >= 0 */
    double level;      /* at level_ns; negative: a debt */
    int64_t level_ns;

    /* Fluid form. */
    double demand_per_s;
    double peak_per_s; /* served no faster; INFINITY: no such limit */
    double backlog;    /* at level_ns */
    double served;     /* since init, until level_ns */

    /* Private. */
    double rate_per_ns; /* 0 when there is no limit */
    double ceiling;     /* the level rises no further: the capacity, or the level at the pause */
    double pause_level; /* INFINITY when not paused */
};

/* A full bucket. Capacity in tokens, finite unless the rate is INFINITY. */
void sim_bucket_init(struct sim_bucket *bucket, int64_t now_ns, double rate_per_s, double capacity);

/* Sets the level, at most the capacity; for a bucket that does not begin full. In a pause, this is then the
 * level of it. */
void sim_bucket_set_level(struct sim_bucket *bucket, int64_t now_ns, double level);

/* Changes rate or capacity from now on; a level above the new capacity is lost. Times of grants told before
 * stand. A bucket that had no limit is full after it gets one. */
void sim_bucket_set_rate(struct sim_bucket *bucket, int64_t now_ns, double rate_per_s);
void sim_bucket_set_capacity(struct sim_bucket *bucket, int64_t now_ns, double capacity);

/* Stops and starts accrual, see above. Pausing a paused bucket, or resuming one that is not, changes nothing. */
void sim_bucket_pause(struct sim_bucket *bucket, int64_t now_ns);
void sim_bucket_resume(struct sim_bucket *bucket, int64_t now_ns);

/* Private: the first whole nanosecond at which at least `amount` has flowed since from_ns; SIM_NEVER_NS for
 * never. */
int64_t sim_bucket_time_of_(double amount, double rate_per_ns, int64_t from_ns);

/* Discrete form: the level in the absence of further takers. */
static inline double sim_bucket_level_(const struct sim_bucket *bucket, int64_t now_ns)
{
    assert(now_ns >= bucket->level_ns);
    const double level = bucket->level + (double)(now_ns - bucket->level_ns) * bucket->rate_per_ns;
    return level < bucket->ceiling ? level : bucket->ceiling;
}

/* Discrete form: takes `amount` >= 0 and returns the time, now or later, at which it has been granted: the
 * first whole nanosecond at which the level, this amount deducted, is not negative. SIM_NEVER_NS when that
 * never comes (rate 0). An amount above the capacity is granted too, when it has been paid off. */
static inline int64_t sim_bucket_take(struct sim_bucket *bucket, int64_t now_ns, double amount)
{
    assert(amount >= 0.0 && bucket->demand_per_s <= 0.0);
    const double left = sim_bucket_level_(bucket, now_ns) - amount;
    bucket->level = left;
    bucket->level_ns = now_ns;
    if (__builtin_expect(left >= 0.0, 1))
        return now_ns;
    return sim_bucket_time_of_(-left, bucket->rate_per_ns, now_ns);
}

/* Discrete form: when sim_bucket_take() would be granted, without taking. */
int64_t sim_bucket_when(const struct sim_bucket *bucket, int64_t now_ns, double amount);

/* The level now, in either form; INFINITY when there is no limit. */
double sim_bucket_level(const struct sim_bucket *bucket, int64_t now_ns);

/* Fluid form: the demand from now on, >= 0 tokens per second. The bucket must not be in debt. */
void sim_bucket_set_drain(struct sim_bucket *bucket, int64_t now_ns, double demand_per_s);

/* Fluid form: the fastest service, >= 0; INFINITY (as after init) for as fast as credit allows. */
void sim_bucket_set_peak(struct sim_bucket *bucket, int64_t now_ns, double peak_per_s);

/* Fluid form: brings level, backlog and served up to now. */
void sim_bucket_settle(struct sim_bucket *bucket, int64_t now_ns);

/* Fluid form: demand not yet served, and all that was served, now. */
double sim_bucket_backlog(const struct sim_bucket *bucket, int64_t now_ns);
double sim_bucket_served(const struct sim_bucket *bucket, int64_t now_ns);

/* Fluid form: the first whole nanosecond from now on at which the bucket is empty, is full (or at its ceiling
 * when paused), has no backlog, if the demand stays as it is; SIM_NEVER_NS for never. */
int64_t sim_bucket_empty_at_ns(const struct sim_bucket *bucket, int64_t now_ns);
int64_t sim_bucket_full_at_ns(const struct sim_bucket *bucket, int64_t now_ns);
int64_t sim_bucket_clear_at_ns(const struct sim_bucket *bucket, int64_t now_ns);

#endif
