#include "sim/experiment/size/target.h"

#include "sim/experiment/read/metric_value.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static bool is_share(const char *metric)
{
    return strstr(metric, "fraction") != NULL || strstr(metric, "over_30s") != NULL;
}

bool target_parse(struct target *target, const char *text, char message[TARGET_MESSAGE_SIZE])
{
    const size_t name = strcspn(text, "<>= \t");
    const char *sign = text + name + strspn(text + name, " \t");
    const size_t sign_length = strspn(sign, "<>=");
    const char *value = sign + sign_length + strspn(sign + sign_length, " \t");
    *target = (struct target){.text = text, .at_most = sign[0] == '<'};
    const bool is_sign =
        (sign_length == 1 && sign[0] != '=') || (sign_length == 2 && sign[0] != '=' && sign[1] == '=');
    if (name == 0 || !is_sign || *value == '\0') {
        snprintf(message, TARGET_MESSAGE_SIZE,
                 "'%.80s' is no target: METRIC <= VALUE or METRIC >= VALUE, e.g. profile_load.p95 <= 15 s",
                 text);
        return false;
    }
    snprintf(target->metric, sizeof target->metric, "%.*s", (int)name, text);
    if (name >= sizeof target->metric || !metric_name_is_valid(target->metric)) {
        snprintf(message, TARGET_MESSAGE_SIZE, "'%.80s' does not begin with the name of a metric", text);
        return false;
    }
    char why[200];
    if (metric_value_parse(target->metric, value, &target->limit, why, sizeof why))
        return true;
    snprintf(message, TARGET_MESSAGE_SIZE, "%s: %.160s%s", target->metric, why,
             strstr(why, "is not a number") != NULL ? " (or there is no such metric)" : "");
    return false;
}

static bool is_possible(const struct target *target, char message[TARGET_MESSAGE_SIZE])
{
    if (target->at_most && target->limit < 0.0) {
        snprintf(message, TARGET_MESSAGE_SIZE, "'%.80s': %s is never below 0", target->text, target->metric);
        return false;
    }
    if (target->at_most && target->limit <= 0.0 && strstr(target->metric, "profile_load.") != NULL &&
        !is_share(target->metric)) {
        snprintf(message, TARGET_MESSAGE_SIZE, "'%.80s': a logon takes time", target->text);
        return false;
    }
    if (!target->at_most && target->limit > 1.0 && is_share(target->metric)) {
        snprintf(message, TARGET_MESSAGE_SIZE, "'%.80s': %s is never above 100 %%", target->text,
                 target->metric);
        return false;
    }
    return true;
}

bool targets_are_possible(const struct target *targets, size_t count, char message[TARGET_MESSAGE_SIZE])
{
    for (size_t i = 0; i < count; i++) {
        if (!is_possible(&targets[i], message))
            return false;
        for (size_t j = 0; j < count; j++) {
            if (strcmp(targets[i].metric, targets[j].metric) != 0 || !targets[i].at_most ||
                targets[j].at_most || targets[i].limit >= targets[j].limit)
                continue;
            snprintf(message, TARGET_MESSAGE_SIZE, "'%.80s' and '%.80s' contradict each other",
                     targets[i].text, targets[j].text);
            return false;
        }
    }
    return true;
}

bool target_holds(const struct target *target, double value)
{
    return target->at_most ? value <= target->limit : value >= target->limit;
}

double target_margin(const struct target *target, double value)
{
    if (isnan(value))
        return -INFINITY;
    const double within = target->at_most ? target->limit - value : value - target->limit;
    return target->limit != 0.0 ? within / fabs(target->limit) : within;
}

struct standing target_judge(const struct target *target, const struct mornings *mornings, const double *values,
                             const double *effects, double error)
{
    struct standing standing = {NAN, NAN, NAN, false, false};
    for (size_t i = 0; i < mornings->count; i++)
        if (isnan(values[i])) {
            standing.missed = true;
            return standing;
        }
    const struct mornings_mean mean = mornings_mean(mornings, values);
    const struct sim_interval interval = mornings_interval(&mean, error);
    const struct estimate estimate = estimate_of(values, effects, mornings->count, mornings->effect_cv);
    standing.mean = mean.mean;
    standing.bound = target->at_most ? interval.high : interval.low;
    standing.one_run = target->at_most ? estimate.pi95_high : estimate.pi95_low;
    standing.met = isfinite(standing.bound) && target_holds(target, standing.bound);
    const double other = target->at_most ? interval.low : interval.high;
    standing.missed = isfinite(other) && !target_holds(target, other);
    return standing;
}

/* How far the values would move if the effects had the mean that they have over all mornings, by the line through them. */
static double shift_of(const struct mornings *mornings, const double *values, const double *effects)
{
    const double effect = mornings_mean(mornings, effects).mean, value = mornings_mean(mornings, values).mean;
    double products[MORNINGS_MOST], squares[MORNINGS_MOST];
    for (size_t i = 0; i < mornings->count; i++) {
        products[i] = (effects[i] - effect) * (values[i] - value);
        squares[i] = (effects[i] - effect) * (effects[i] - effect);
    }
    const double variance = mornings_mean(mornings, squares).mean;
    return variance > 0.0 ? (1.0 - effect) * mornings_mean(mornings, products).mean / variance : 0.0;
}

bool target_promises(const struct target *target, const struct mornings *mornings, const double *values,
                     const double *effects, size_t wanted, double error)
{
    for (size_t i = 0; i < mornings->count; i++)
        if (isnan(values[i]))
            return false;
    struct mornings_mean mean = mornings_mean(mornings, values);
    mean.mean += shift_of(mornings, values, effects);
    mean.standard_error *= pow((double)mornings->count / (double)wanted, mornings->effect_cv > 0.0 ? 1.25 : 0.5);
    mean.degrees_of_freedom = fmax(mean.degrees_of_freedom, (double)wanted / 4.0);
    const struct sim_interval interval = mornings_interval(&mean, error);
    return target_holds(target, target->at_most ? interval.high : interval.low);
}
