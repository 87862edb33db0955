#include "vdisim/two_stage.h"

#include <assert.h>
#include <gsl/gsl_cdf.h>
#include <gsl/gsl_statistics_double.h>
#include <math.h>
#include <stdint.h>

/* What the half-width is made of: estimate +- width sqrt(leverage). */
struct stages {
    double estimate;
    double width;    /* t times the standard deviation of the pilot */
    double leverage; /* of the estimate of all: 1 / count, and more with a control */
};

static double squares_about_mean(const double *values, size_t count)
{
    return gsl_stats_variance(values, 1, count) * (double)(count - 1);
}

static struct stages stages(const double *values, const double *controls, double control_mean, size_t count,
                            size_t pilot, double confidence)
{
    assert(pilot >= 2 && pilot <= count && confidence > 0.0 && confidence < 1.0);
    const bool plain = controls == NULL || pilot < 3 || !(squares_about_mean(controls, pilot) > 0.0);
    const double t = gsl_cdf_tdist_Qinv(0.5 * (1.0 - confidence), (double)(pilot - (plain ? 1 : 2)));
    if (plain)
        return (struct stages){
            .estimate = gsl_stats_mean(values, 1, count),
            .width = t * gsl_stats_sd(values, 1, pilot),
            .leverage = 1.0 / (double)count,
        };
    const double off = gsl_stats_mean(controls, 1, count) - control_mean;
    return (struct stages){
        .estimate = sim_interval_controlled(values, controls, count, control_mean, confidence).mean.estimate,
        .width = t * sim_interval_controlled(values, controls, pilot, control_mean, confidence).residual_sd,
        .leverage = 1.0 / (double)count + off * off / squares_about_mean(controls, count),
    };
}

struct sim_interval sim_two_stage_interval(const double *values, const double *controls, double control_mean,
                                           size_t count, size_t pilot, double confidence)
{
    const struct stages s = stages(values, controls, control_mean, count, pilot, confidence);
    const double half_width = s.width * sqrt(s.leverage);
    return (struct sim_interval){s.estimate, s.estimate - half_width, s.estimate + half_width};
}

static size_t at_least(size_t least, double count)
{
    if (!(count <= 0x1p53))
        return SIZE_MAX;
    return count > (double)least ? (size_t)ceil(count) : least;
}

size_t sim_two_stage_count(const double *values, const double *controls, double control_mean, size_t count,
                           size_t pilot, double half_width, bool relative, double confidence)
{
    assert(half_width > 0.0);
    const struct stages s = stages(values, controls, control_mean, count, pilot, confidence);
    if (s.width == 0.0)
        return pilot;
    const double target = relative ? half_width * fabs(s.estimate) : half_width;
    if (!(target > 0.0))
        return SIZE_MAX;
    /* As if the controls had their mean; and only if they have not, for what they are off. */
    const double least = (s.width / target) * (s.width / target);
    const size_t needed = at_least(pilot, least);
    if (needed > count || s.leverage * (double)count <= 1.0)
        return needed;
    return at_least(needed, least * s.leverage * (double)count);
}
