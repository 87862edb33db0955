#include "sim/experiment/size/mornings.h"

#include "vdisim/logons.h"
#include "vdisim/random.h"

#include <assert.h>
#include <gsl/gsl_cdf.h>
#include <math.h>

#define HALVINGS 3 /* of the last part */

void mornings_init(struct mornings *mornings, double effect_cv, const char *workload, uint64_t seed, size_t first)
{
    mornings->effect_cv = effect_cv;
    mornings->workload = workload;
    mornings->seed = seed;
    mornings->next = first;
    mornings->count = 0;
}

/* Where part `part` of m begins, as a quantile. */
static double begin_of(size_t part, size_t m)
{
    if (part < m)
        return (double)part / (double)m;
    return part < m + HALVINGS ? 1.0 - ldexp(1.0 / (double)m, -(int)(part - m) - 1) : 1.0;
}

/* The part in which the effect of a replication is. */
static size_t part_of(const struct mornings *mornings, size_t replication, size_t m)
{
    const double effect =
        logons_run_effect_of(mornings->effect_cv, mornings->workload, mornings->seed, replication);
    const struct sim_lognormal law = sim_lognormal_from_mean_cv(1.0, mornings->effect_cv);
    const double quantile = gsl_cdf_ugaussian_P((log(effect) - law.mu) / law.sigma);
    size_t part = m + HALVINGS - 1;
    while (part > 0 && quantile < begin_of(part, m))
        part--;
    return part;
}

size_t mornings_next_count(const struct mornings *mornings)
{
    return mornings->count == 0 ? MORNINGS_FIRST : 2 * (mornings->count - HALVINGS) + HALVINGS;
}

void mornings_add(struct mornings *mornings)
{
    const size_t wanted = mornings_next_count(mornings), m = wanted - HALVINGS;
    const bool spread = mornings->effect_cv > 0.0;
    bool taken[MORNINGS_MOST] = {false};
    assert(wanted <= MORNINGS_MOST);
    for (size_t i = 0; i < mornings->count; i++) {
        if (spread)
            mornings->parts[i] = part_of(mornings, mornings->replications[i], m);
        taken[mornings->parts[i]] = true;
    }
    while (mornings->count < wanted) {
        const size_t replication = mornings->next++;
        const size_t part = spread ? part_of(mornings, replication, m) : mornings->count;
        if (taken[part])
            continue;
        taken[part] = true;
        mornings->parts[mornings->count] = part;
        mornings->replications[mornings->count++] = replication;
    }
}

static struct mornings_mean mean_as_they_come(const double *values, size_t count)
{
    double mean = 0.0, squares = 0.0;
    for (size_t i = 0; i < count; i++)
        mean += values[i] / (double)count;
    for (size_t i = 0; i < count; i++)
        squares += (values[i] - mean) * (values[i] - mean);
    const double n = (double)count;
    return (struct mornings_mean){mean, sqrt(squares / (n - 1.0) / n), n - 1.0};
}

struct mornings_mean mornings_mean(const struct mornings *mornings, const double *values)
{
    const size_t count = mornings->count, m = count - HALVINGS;
    double ordered[MORNINGS_MOST], mean = 0.0, sum = 0.0, squares = 0.0;
    if (mornings->effect_cv <= 0.0)
        return mean_as_they_come(values, count);
    for (size_t i = 0; i < count; i++)
        ordered[mornings->parts[i]] = values[i];
    for (size_t i = 0; i < count; i++) {
        const double chance = begin_of(i + 1, m) - begin_of(i, m);
        const double step = ordered[i + 1 < count ? i + 1 : i] - ordered[i > 0 ? i - 1 : i];
        const double term = chance * chance * step * step / 2.0;
        mean += chance * ordered[i];
        sum += term;
        squares += term * term;
    }
    return (struct mornings_mean){mean, sqrt(sum), squares > 0.0 ? sum * sum / squares : (double)count - 1.0};
}

struct sim_interval mornings_interval(const struct mornings_mean *mean, double error)
{
    const double far = mean->standard_error > 0.0
                           ? gsl_cdf_tdist_Qinv(error, mean->degrees_of_freedom) * mean->standard_error
                           : 0.0;
    return (struct sim_interval){mean->mean, mean->mean - far, mean->mean + far};
}
