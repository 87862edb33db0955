#include "vdisim/bucket.h"

#include <float.h>
#include <math.h>

/* A constant demand meets at most this many corners: backlog cleared, level empty, level full. */
#define MOST_CORNERS 16

/* Waits below a thousandth of a nanosecond are rounding, not waits. */
int64_t sim_bucket_time_of_(double amount, double rate_per_ns, int64_t from_ns)
{
    if (!(rate_per_ns > 0.0))
        return SIM_NEVER_NS;
    const double exact_ns = amount / rate_per_ns;
    const double whole_ns = ceil(exact_ns - (4.0 * DBL_EPSILON * exact_ns + 1e-3));
    if (!(whole_ns < (double)(SIM_NEVER_NS - from_ns)))
        return SIM_NEVER_NS;
    return whole_ns > 0.0 ? from_ns + (int64_t)whole_ns : from_ns;
}

static bool unlimited(const struct sim_bucket *bucket)
{
    return isinf(bucket->rate_per_s);
}

static void limit_level(struct sim_bucket *bucket)
{
    if (unlimited(bucket)) {
        bucket->ceiling = bucket->level = INFINITY;
        return;
    }
    bucket->ceiling = fmin(bucket->capacity, bucket->pause_level);
    if (bucket->level > bucket->ceiling)
        bucket->level = bucket->ceiling;
}

void sim_bucket_init(struct sim_bucket *bucket, int64_t now_ns, double rate_per_s, double capacity)
{
    assert(rate_per_s >= 0.0 && capacity >= 0.0 && (isfinite(capacity) || isinf(rate_per_s)));
    *bucket = (struct sim_bucket){
        .rate_per_s = rate_per_s,
        .capacity = capacity,
        .level = capacity,
        .level_ns = now_ns,
        .peak_per_s = INFINITY,
        .pause_level = INFINITY,
        .rate_per_ns = isinf(rate_per_s) ? 0.0 : rate_per_s * 1e-9,
    };
    limit_level(bucket);
}

/* Advances by one linear piece of at most limit_ns and returns its length; INFINITY, and nothing is changed,
 * when the piece has no end. */
static double advance_piece(struct sim_bucket *bucket, double limit_ns)
{
    const double rate = bucket->rate_per_ns, demand = bucket->demand_per_s * 1e-9,
                 peak = bucket->peak_per_s * 1e-9;
    if (bucket->backlog > 0.0 && bucket->level > 0.0 && isinf(peak)) {
        const double at_once = fmin(bucket->level, bucket->backlog);
        bucket->level -= at_once;
        bucket->backlog -= at_once;
        bucket->served += at_once;
        return 0.0;
    }
    double served = bucket->backlog > 0.0 ? peak : fmin(demand, peak);
    if (bucket->level <= 0.0)
        served = fmin(served, rate);
    double level_slope = rate - served;
    if (level_slope > 0.0 && bucket->level >= bucket->ceiling)
        level_slope = 0.0;
    const double backlog_slope = demand - served;
    const double to_level_corner = level_slope < 0.0   ? bucket->level / -level_slope
                                   : level_slope > 0.0 ? (bucket->ceiling - bucket->level) / level_slope
                                                       : INFINITY;
    const double to_clear = backlog_slope < 0.0 ? bucket->backlog / -backlog_slope : INFINITY;
    const double length = fmin(limit_ns, fmin(to_level_corner, to_clear));
    if (isinf(length))
        return length;
    bucket->served += served * length;
    bucket->level = length < to_level_corner ? bucket->level + level_slope * length
                    : level_slope < 0.0      ? 0.0
                                             : bucket->ceiling;
    bucket->backlog = length < to_clear ? bucket->backlog + backlog_slope * length : 0.0;
    return length;
}

void sim_bucket_settle(struct sim_bucket *bucket, int64_t now_ns)
{
    assert(now_ns >= bucket->level_ns);
    if (bucket->demand_per_s <= 0.0 && bucket->backlog <= 0.0) {
        bucket->level = sim_bucket_level_(bucket, now_ns);
    } else {
        double left_ns = (double)(now_ns - bucket->level_ns);
        do
            left_ns -= advance_piece(bucket, left_ns);
        while (left_ns > 0.0);
    }
    bucket->level_ns = now_ns;
}

static struct sim_bucket settled(const struct sim_bucket *bucket, int64_t now_ns)
{
    struct sim_bucket copy = *bucket;
    sim_bucket_settle(&copy, now_ns);
    return copy;
}

void sim_bucket_set_level(struct sim_bucket *bucket, int64_t now_ns, double level)
{
    assert(level <= bucket->capacity);
    sim_bucket_settle(bucket, now_ns);
    bucket->level = level;
    if (isfinite(bucket->pause_level))
        bucket->pause_level = fmax(level, 0.0);
    limit_level(bucket);
}

void sim_bucket_set_rate(struct sim_bucket *bucket, int64_t now_ns, double rate_per_s)
{
    assert(rate_per_s >= 0.0 && (isinf(rate_per_s) || isfinite(bucket->capacity)));
    sim_bucket_settle(bucket, now_ns);
    bucket->rate_per_s = rate_per_s;
    bucket->rate_per_ns = isinf(rate_per_s) ? 0.0 : rate_per_s * 1e-9;
    if (bucket->level > bucket->capacity)
        bucket->level = bucket->capacity;
    limit_level(bucket);
}

void sim_bucket_set_capacity(struct sim_bucket *bucket, int64_t now_ns, double capacity)
{
    assert(capacity >= 0.0 && (isfinite(capacity) || unlimited(bucket)));
    sim_bucket_settle(bucket, now_ns);
    bucket->capacity = capacity;
    limit_level(bucket);
}

void sim_bucket_pause(struct sim_bucket *bucket, int64_t now_ns)
{
    if (isfinite(bucket->pause_level))
        return;
    sim_bucket_settle(bucket, now_ns);
    bucket->pause_level = fmax(bucket->level, 0.0);
    limit_level(bucket);
}

void sim_bucket_resume(struct sim_bucket *bucket, int64_t now_ns)
{
    if (isinf(bucket->pause_level))
        return;
    sim_bucket_settle(bucket, now_ns);
    bucket->pause_level = INFINITY;
    limit_level(bucket);
}

int64_t sim_bucket_when(const struct sim_bucket *bucket, int64_t now_ns, double amount)
{
    struct sim_bucket copy = *bucket;
    return sim_bucket_take(&copy, now_ns, amount);
}

double sim_bucket_level(const struct sim_bucket *bucket, int64_t now_ns)
{
    return settled(bucket, now_ns).level;
}

void sim_bucket_set_drain(struct sim_bucket *bucket, int64_t now_ns, double demand_per_s)
{
    assert(demand_per_s >= 0.0 && isfinite(demand_per_s));
    sim_bucket_settle(bucket, now_ns);
    assert(bucket->level >= 0.0);
    bucket->demand_per_s = demand_per_s;
}

void sim_bucket_set_peak(struct sim_bucket *bucket, int64_t now_ns, double peak_per_s)
{
    assert(peak_per_s >= 0.0);
    sim_bucket_settle(bucket, now_ns);
    bucket->peak_per_s = peak_per_s;
}

double sim_bucket_backlog(const struct sim_bucket *bucket, int64_t now_ns)
{
    return settled(bucket, now_ns).backlog;
}

double sim_bucket_served(const struct sim_bucket *bucket, int64_t now_ns)
{
    return settled(bucket, now_ns).served;
}

static bool is_empty(const struct sim_bucket *bucket)
{
    return bucket->level <= 0.0;
}

static bool is_full(const struct sim_bucket *bucket)
{
    return bucket->level >= bucket->ceiling;
}

static bool is_clear(const struct sim_bucket *bucket)
{
    return bucket->backlog <= 0.0;
}

/* Runs a copy from corner to corner until the condition holds. */
static int64_t when_first(const struct sim_bucket *bucket, int64_t now_ns,
                          bool (*condition)(const struct sim_bucket *bucket))
{
    struct sim_bucket copy = settled(bucket, now_ns);
    double after_ns = 0.0;
    for (int corner = 0; corner < MOST_CORNERS; corner++) {
        if (condition(&copy))
            return sim_bucket_time_of_(after_ns, 1.0, now_ns);
        after_ns += advance_piece(&copy, INFINITY);
        if (isinf(after_ns))
            break;
    }
    return SIM_NEVER_NS;
}

int64_t sim_bucket_empty_at_ns(const struct sim_bucket *bucket, int64_t now_ns)
{
    return when_first(bucket, now_ns, is_empty);
}

int64_t sim_bucket_full_at_ns(const struct sim_bucket *bucket, int64_t now_ns)
{
    return when_first(bucket, now_ns, is_full);
}

int64_t sim_bucket_clear_at_ns(const struct sim_bucket *bucket, int64_t now_ns)
{
    return when_first(bucket, now_ns, is_clear);
}
