#include "sim/experiment/compare/difference.h"

#include "sim/experiment/result/estimate.h"
#include "vdisim/interval.h"

#include <assert.h>
#include <gsl/gsl_cdf.h>
#include <math.h>
#include <stdlib.h>

/* A mean and its standard error; degrees 0: nothing is known of the error. */
struct height {
    double mean, error, degrees;
};

/* By more than `rounding`: differences of equal steps are off by what the numbers they came from were rounded. */
static bool varies(const double *values, size_t count, double rounding)
{
    for (size_t i = 1; i < count; i++)
        if (fabs(values[i] - values[0]) > rounding)
            return true;
    return false;
}

static struct height height_of(const double *values, const double *effects, size_t count, double rounding)
{
    static const double level = 0.95; /* any: the error is taken back out of the interval */
    struct height height = {NAN, 0, 0};
    struct sim_interval mean;
    if (effects != NULL && count >= ESTIMATE_REGRESSION_LEAST && varies(effects, count, 0) &&
        varies(values, count, rounding)) {
        mean = sim_interval_controlled(values, effects, count, 1, level).mean;
        height.degrees = (double)count - 2;
    } else {
        mean = sim_interval_mean(values, count, level);
        height.degrees = count >= 2 ? (double)count - 1 : 0;
    }
    height.mean = mean.estimate;
    if (height.degrees > 0)
        height.error = (mean.high - mean.low) / 2 / gsl_cdf_tdist_Qinv((1 - level) / 2, height.degrees);
    if (!varies(values, count, rounding))
        height.error = 0; /* and not what rounding made of it */
    return height;
}

/* Of Welch and Satterthwaite. */
static double pooled_degrees(const struct height *a, const struct height *b)
{
    double a2 = a->error * a->error, b2 = b->error * b->error;
    if (a->degrees <= 0 || b->degrees <= 0)
        return 0;
    if (a2 + b2 == 0)
        return a->degrees + b->degrees;
    return (a2 + b2) * (a2 + b2) / (a2 * a2 / a->degrees + b2 * b2 / b->degrees);
}

static void infer(struct difference *difference, const struct height *height, double confidence)
{
    difference->degrees = height->degrees;
    difference->low = difference->high = difference->p = NAN;
    if (height->degrees <= 0 || isnan(height->mean))
        return;
    double reach = gsl_cdf_tdist_Qinv((1 - confidence) / 2, height->degrees) * height->error;
    difference->low = difference->value - reach;
    difference->high = difference->value + reach;
    if (height->error > 0)
        difference->p = 2 * gsl_cdf_tdist_Q(fabs(difference->value) / height->error, height->degrees);
    else
        difference->p = difference->value == 0 ? 1 : 0;
}

static void compare_pairs(struct difference *difference, const struct difference_input *input)
{
    size_t count = input->a_count;
    double *differences = calloc(count + 1, sizeof *differences);
    if (differences == NULL) {
        infer(difference, &(struct height){NAN, 0, 0}, input->confidence);
        return;
    }
    size_t up = 0, down = 0;
    for (size_t i = 0; i < count; i++) {
        differences[i] = input->b[i] - input->a[i];
        up += differences[i] > 0;
        down += differences[i] < 0;
    }
    difference->same = count > 0 && up == 0 && down == 0;
    difference->one_sign = count > 0 && (up == count || down == count);

    /* One multiplier for both, or it explains no difference. */
    const double *effects = input->a_effects;
    for (size_t i = 0; effects != NULL && i < count; i++)
        if (input->b_effects == NULL || input->b_effects[i] != input->a_effects[i])
            effects = NULL;
    struct height a = height_of(input->a, effects, count, 0), b = height_of(input->b, effects, count, 0);
    double rounding = 1e-12 * fmax(fabs(a.mean), fabs(b.mean));
    struct height between = height_of(differences, effects, count, rounding);
    difference->a = a.mean;
    difference->b = b.mean;
    difference->value = difference->same ? 0 : between.mean;
    infer(difference, &between, input->confidence);
    double apart = hypot(a.error, b.error), degrees = pooled_degrees(&a, &b);
    if (degrees > 0 && apart > 0) {
        difference->saving = apart * apart / (between.error * between.error);
        difference->independent_reach = apart * gsl_cdf_tdist_Qinv((1 - input->confidence) / 2, degrees);
    }
    free(differences);
}

static void compare_samples(struct difference *difference, const struct difference_input *input)
{
    struct height a = height_of(input->a, input->a_effects, input->a_count, 0);
    struct height b = height_of(input->b, input->b_effects, input->b_count, 0);
    struct height between = {b.mean - a.mean, hypot(a.error, b.error), pooled_degrees(&a, &b)};
    difference->a = a.mean;
    difference->b = b.mean;
    difference->value = between.mean;
    infer(difference, &between, input->confidence);
}

struct difference difference_of(const struct difference_input *input)
{
    assert(!input->paired || input->a_count == input->b_count);
    struct difference difference = {
        .a_count = input->a_count,
        .b_count = input->b_count,
        .a = NAN,
        .b = NAN,
        .value = NAN,
        .paired = input->paired,
        .saving = NAN,
        .independent_reach = NAN,
    };
    if (input->paired)
        compare_pairs(&difference, input);
    else
        compare_samples(&difference, input);
    return difference;
}

double difference_relative(const struct difference *difference)
{
    return difference->a != 0 ? difference->value / fabs(difference->a) : NAN;
}
