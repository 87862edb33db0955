/* A series: what happened in each interval of simulated time, such as requests, bytes and the worst delay per
 * minute.
 *
 *     struct sim_series egress;
 *     sim_series_init(&egress, SIM_NS_PER_MIN);
 *     sim_series_add(&egress, now_ns, bytes);
 *     for (size_t i = 0; i < egress.count; i++) ... egress.bins[i].sum ...
 *
 * Interval i covers [i, i + 1) times interval_ns. Intervals in which nothing happened have count 0. Values
 * may be added in any order of time; in order it is fastest.
 */
#ifndef VDISIM_SERIES_H
#define VDISIM_SERIES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct sim_series_bin {
    double sum;
    double max; /* 0 when nothing was added, or nothing above 0 */
    uint64_t count;
};

struct sim_series {
    int64_t interval_ns;
    size_t count; /* intervals so far: up to the latest in which anything was added */
    struct sim_series_bin *bins;

    /* Private. */
    size_t capacity;
    size_t current;     /* the bin used last, */
    int64_t current_ns; /* where it begins, INT64_MAX if none; */
    bool lost;          /* memory ran out: something was not recorded */
};

/* An empty series of intervals of interval_ns > 0. */
void sim_series_init(struct sim_series *series, int64_t interval_ns);

/* Frees the intervals. */
void sim_series_release(struct sim_series *series);

/* Private: the bin of this instant, which is made if need be; NULL (and series->lost) when memory is short. */
struct sim_series_bin *sim_series_bin_(struct sim_series *series, int64_t at_ns);

/* Adds a value that belongs to the instant at_ns >= 0. */
static inline void sim_series_add(struct sim_series *series, int64_t at_ns, double value)
{
    struct sim_series_bin *bin;
    if (at_ns >= series->current_ns && at_ns - series->current_ns < series->interval_ns)
        bin = &series->bins[series->current];
    else
        bin = sim_series_bin_(series, at_ns);
    if (bin == NULL)
        return;
    bin->sum += value;
    bin->count++;
    if (value > bin->max)
        bin->max = value;
}

/* Adds an amount that came evenly over [from_ns, to_ns), shared out among the intervals; counts 1 in the
 * first of them. from_ns == to_ns is an instant. The max of a bin is of the shares. */
void sim_series_add_over(struct sim_series *series, int64_t from_ns, int64_t to_ns, double amount);

/* False when memory ran out and the series is not complete. */
static inline bool sim_series_complete(const struct sim_series *series)
{
    return !series->lost;
}

#endif
