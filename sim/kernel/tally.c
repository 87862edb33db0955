#include "vdisim/tally.h"

#include <assert.h>
#include <gsl/gsl_sort.h>
#include <gsl/gsl_statistics_double.h>
#include <stdlib.h>
#include <string.h>

void sim_tally_init(struct sim_tally *tally, bool keep_values)
{
    *tally = (struct sim_tally){.min = INFINITY, .max = -INFINITY, .keep = keep_values};
}

void sim_tally_release(struct sim_tally *tally)
{
    free(tally->values);
    sim_tally_init(tally, false);
}

void sim_tally_clear(struct sim_tally *tally)
{
    double *values = tally->values;
    const size_t capacity = tally->capacity;
    sim_tally_init(tally, tally->keep || tally->lost);
    tally->values = values;
    tally->capacity = capacity;
}

static void stop_keeping(struct sim_tally *tally)
{
    free(tally->values);
    tally->values = NULL;
    tally->capacity = 0;
    tally->keep = false;
    tally->lost = true;
}

static bool reserve(struct sim_tally *tally, uint64_t count)
{
    if (count <= tally->capacity)
        return true;
    size_t capacity = tally->capacity == 0 ? 64 : tally->capacity;
    while (capacity < count)
        capacity *= 2;
    double *values =
        capacity > SIZE_MAX / sizeof *values ? NULL : realloc(tally->values, capacity * sizeof *values);
    if (values == NULL) {
        stop_keeping(tally);
        return false;
    }
    tally->values = values;
    tally->capacity = capacity;
    return true;
}

void sim_tally_keep_(struct sim_tally *tally, double value)
{
    if (!reserve(tally, tally->count))
        return;
    tally->values[tally->count - 1] = value;
    tally->sorted = false;
}

void sim_tally_merge(struct sim_tally *tally, const struct sim_tally *other)
{
    if (other->count == 0)
        return;
    const uint64_t count = tally->count + other->count;
    if (tally->keep && !other->keep) {
        stop_keeping(tally);
    } else if (tally->keep && reserve(tally, count)) {
        memcpy(tally->values + tally->count, other->values, (size_t)other->count * sizeof *other->values);
        tally->sorted = false;
    }
    const double delta = other->mean - tally->mean;
    const double share = (double)other->count / (double)count;
    tally->squares += other->squares + delta * delta * share * (double)tally->count;
    tally->mean += delta * share;
    tally->count = count;
    tally->min = fmin(tally->min, other->min);
    tally->max = fmax(tally->max, other->max);
}

double sim_tally_variance(const struct sim_tally *tally)
{
    return tally->count < 2 ? NAN : tally->squares / (double)(tally->count - 1);
}

double sim_tally_quantile(struct sim_tally *tally, double p)
{
    assert(p >= 0.0 && p <= 1.0);
    if (tally->count == 0 || !tally->keep)
        return NAN;
    if (!tally->sorted) {
        gsl_sort(tally->values, 1, (size_t)tally->count);
        tally->sorted = true;
    }
    return gsl_stats_quantile_from_sorted_data(tally->values, 1, (size_t)tally->count, p);
}

const double *sim_tally_values(const struct sim_tally *tally)
{
    return tally->keep ? tally->values : NULL;
}
