#include "vdisim/series.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

void sim_series_init(struct sim_series *series, int64_t interval_ns)
{
    assert(interval_ns > 0);
    *series = (struct sim_series){.interval_ns = interval_ns, .current_ns = INT64_MAX};
}

void sim_series_release(struct sim_series *series)
{
    free(series->bins);
    sim_series_init(series, series->interval_ns);
}

static bool reserve(struct sim_series *series, size_t count)
{
    if (count <= series->capacity)
        return true;
    size_t capacity = series->capacity == 0 ? 64 : series->capacity;
    while (capacity < count && capacity <= SIZE_MAX / 4 / sizeof *series->bins)
        capacity *= 2;
    struct sim_series_bin *bins =
        capacity < count ? NULL : realloc(series->bins, capacity * sizeof *series->bins);
    if (bins == NULL)
        return false;
    memset(bins + series->capacity, 0, (capacity - series->capacity) * sizeof *bins);
    series->bins = bins;
    series->capacity = capacity;
    return true;
}

struct sim_series_bin *sim_series_bin_(struct sim_series *series, int64_t at_ns)
{
    assert(at_ns >= 0);
    const size_t index = (size_t)(at_ns / series->interval_ns);
    if (!reserve(series, index + 1)) {
        series->lost = true;
        return NULL;
    }
    if (series->count < index + 1)
        series->count = index + 1;
    series->current = index;
    series->current_ns = at_ns - at_ns % series->interval_ns;
    return &series->bins[index];
}

void sim_series_add_over(struct sim_series *series, int64_t from_ns, int64_t to_ns, double amount)
{
    assert(from_ns >= 0 && to_ns >= from_ns);
    const double per_ns = to_ns == from_ns ? 0.0 : amount / (double)(to_ns - from_ns);
    double left = amount;
    for (int64_t at_ns = from_ns;;) {
        struct sim_series_bin *bin = sim_series_bin_(series, at_ns);
        if (bin == NULL)
            return;
        const int64_t rest_ns = series->interval_ns - at_ns % series->interval_ns;
        const bool last = to_ns - at_ns <= rest_ns;
        const double share = last ? left : per_ns * (double)rest_ns;
        bin->sum += share;
        bin->count += at_ns == from_ns;
        if (share > bin->max)
            bin->max = share;
        if (last)
            return;
        left -= share;
        at_ns += rest_ns;
    }
}
