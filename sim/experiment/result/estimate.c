#include "sim/experiment/result/estimate.h"

#include "vdisim/interval.h"
#include "vdisim/random.h"
#include "vdisim/two_stage.h"

#include <gsl/gsl_cdf.h>
#include <math.h>
#include <stdbool.h>

static const double confidence = 0.95;
static const double tail = 0.025;

static double finite_or_nan(double value)
{
    return isfinite(value) ? value : NAN;
}

static bool varies(const double *values, size_t count)
{
    for (size_t i = 1; i < count; i++)
        if (values[i] != values[0])
            return true;
    return false;
}

static struct estimate plain_estimate(const double *values, size_t count)
{
    struct sim_interval mean = sim_interval_mean(values, count, confidence);
    struct sim_interval one_run = sim_interval_prediction(values, count, confidence);
    return (struct estimate){
        .count = count,
        .mean = mean.estimate,
        .ci95_low = finite_or_nan(mean.low),
        .ci95_high = finite_or_nan(mean.high),
        .pi95_low = finite_or_nan(one_run.low),
        .pi95_high = finite_or_nan(one_run.high),
    };
}

static struct estimate mean_alone(const double *values, size_t count)
{
    struct estimate estimate = {count, 0, NAN, NAN, NAN, NAN};
    for (size_t i = 0; i < count; i++)
        estimate.mean += values[i] / (double)count;
    return estimate;
}

/* What the variance of the residual is multiplied by for one run more, whose multiplier is not known but of
 * known law: 1 for its own residual, then the line's height at the mean of the law, then its slope. */
static double prediction_factor(const double *run_effects, size_t count, double run_effect_cv)
{
    double mean = 0, squares = 0;
    for (size_t i = 0; i < count; i++)
        mean += run_effects[i] / (double)count;
    for (size_t i = 0; i < count; i++)
        squares += (run_effects[i] - mean) * (run_effects[i] - mean);
    return 1 + 1 / (double)count + ((mean - 1) * (mean - 1) + run_effect_cv * run_effect_cv) / squares;
}

static struct estimate regressed_estimate(const double *values, const double *run_effects, size_t count,
                                          double run_effect_cv)
{
    struct sim_controlled_mean controlled =
        sim_interval_controlled(values, run_effects, count, 1, confidence);

    struct sim_lognormal law = sim_lognormal_from_mean_cv(1, run_effect_cv);
    double quantile_low = gsl_cdf_lognormal_Pinv(tail, law.mu, law.sigma);
    double quantile_high = gsl_cdf_lognormal_Qinv(tail, law.mu, law.sigma);

    double slope = controlled.slope;
    double effect_down = slope >= 0 ? slope * (1 - quantile_low) : -slope * (quantile_high - 1);
    double effect_up = slope >= 0 ? slope * (quantile_high - 1) : -slope * (1 - quantile_low);
    double residual = gsl_cdf_tdist_Qinv(tail, (double)count - 2) * controlled.residual_sd *
                      sqrt(prediction_factor(run_effects, count, run_effect_cv));

    double mean = controlled.mean.estimate;
    return (struct estimate){
        .count = count,
        .mean = mean,
        .ci95_low = finite_or_nan(controlled.mean.low),
        .ci95_high = finite_or_nan(controlled.mean.high),
        .pi95_low = finite_or_nan(mean - hypot(effect_down, residual)),
        .pi95_high = finite_or_nan(mean + hypot(effect_up, residual)),
    };
}

static bool is_plain(const double *values, const double *run_effects, size_t count, double run_effect_cv)
{
    return run_effects == NULL || run_effect_cv <= 0 || !varies(run_effects, count) || !varies(values, count);
}

struct estimate estimate_of(const double *values, const double *run_effects, size_t count,
                            double run_effect_cv)
{
    if (count == 0)
        return (struct estimate){0, NAN, NAN, NAN, NAN, NAN};
    if (run_effects != NULL && run_effect_cv > 0 && count < ESTIMATE_REGRESSION_LEAST)
        return mean_alone(values, count);
    if (is_plain(values, run_effects, count, run_effect_cv))
        return plain_estimate(values, count);
    return regressed_estimate(values, run_effects, count, run_effect_cv);
}

struct estimate estimate_of_two_stages(const double *values, const double *run_effects, size_t count,
                                       double run_effect_cv, size_t pilot)
{
    struct estimate estimate = estimate_of(values, run_effects, count, run_effect_cv);
    if (pilot < ESTIMATE_REGRESSION_LEAST || pilot >= count)
        return estimate;
    const double *controls = is_plain(values, run_effects, count, run_effect_cv) ? NULL : run_effects;
    struct sim_interval mean = sim_two_stage_interval(values, controls, 1, count, pilot, confidence);
    estimate.ci95_low = finite_or_nan(mean.low);
    estimate.ci95_high = finite_or_nan(mean.high);
    return estimate;
}
