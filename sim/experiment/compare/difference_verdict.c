#include "sim/experiment/compare/difference.h"

#include "sim/experiment/result/label.h"

#include <gsl/gsl_cdf.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

const char *difference_verdict_name(enum difference_verdict verdict)
{
    static const char *const names[] = {"same",       "larger",    "smaller",   "negligible",
                                        "none found", "undecided", "not judged"};
    return names[verdict];
}

/* The replications at which an interval whose reach is `reach` now would probably reach `wanted`: it shrinks
 * with their square root. */
static size_t count_for(const struct difference *difference, double reach, double wanted)
{
    size_t count = difference->a_count < difference->b_count ? difference->a_count : difference->b_count;
    if (!(wanted > 0) || !(reach > wanted))
        return 0;
    double needed = ceil((double)count * (reach / wanted) * (reach / wanted));
    return needed < 1e6 ? (size_t)needed : SIZE_MAX;
}

static enum difference_verdict judge_found(const struct difference *difference, double smallest, double reach,
                                           size_t *needed)
{
    double farthest = fmax(fabs(difference->low), fabs(difference->high));
    double size = fabs(difference->value);
    if (!isnan(smallest)) {
        if (farthest < smallest)
            return DIFFERENCE_NEGLIGIBLE;
        if (size - reach < smallest) {
            *needed = count_for(difference, reach, fabs(size - smallest));
            return DIFFERENCE_UNDECIDED;
        }
    }
    return difference->value > 0 ? DIFFERENCE_LARGER : DIFFERENCE_SMALLER;
}

enum difference_verdict difference_judge(const struct difference *difference, double p_adjusted,
                                         double smallest, double confidence, size_t *needed)
{
    *needed = 0;
    if (difference->same)
        return DIFFERENCE_SAME;
    if (isnan(difference->value))
        return DIFFERENCE_NOT_JUDGED;
    if (isnan(difference->p))
        return DIFFERENCE_UNDECIDED;
    double reach = (difference->high - difference->low) / 2;
    if (p_adjusted <= 1 - confidence)
        return judge_found(difference, smallest, reach, needed);

    double farthest = fmax(fabs(difference->low), fabs(difference->high));
    if (!isnan(smallest)) {
        if (farthest < smallest)
            return DIFFERENCE_NONE_FOUND;
        *needed = count_for(difference, reach, fabs(smallest - fabs(difference->value)));
        return DIFFERENCE_UNDECIDED;
    }
    if (difference->p > 1 - confidence)
        return DIFFERENCE_NONE_FOUND;
    /* By itself it would be one, among the others it is not: as many times as the level is finer. */
    double level = (1 - confidence) * difference->p / p_adjusted;
    *needed = count_for(difference,
                        reach / gsl_cdf_tdist_Qinv((1 - confidence) / 2, difference->degrees) *
                            gsl_cdf_tdist_Qinv(level / 2, difference->degrees),
                        fabs(difference->value));
    return DIFFERENCE_UNDECIDED;
}

int difference_decimals(double precision)
{
    precision = fabs(precision);
    if (!(precision > 0) || !isfinite(precision))
        return 0;
    int decimals = 1 - (int)floor(log10(precision));
    return decimals < 0 ? 0 : decimals > 6 ? 6 : decimals;
}

enum { AMOUNT_SIZE = LABEL_SIZE + 32 };

/* "0.41 s", without a unit "0.41" */
static void amount_text(char text[AMOUNT_SIZE], double value, const char *unit)
{
    char number[LABEL_SIZE];
    if (value != 0 && fabs(value) < 1e-6)
        snprintf(number, sizeof number, "%.1e", value);
    else
        number_label(number, value, difference_decimals(value));
    /* 4.0 -> 4, but for nothing that was rounded */
    if (value == trunc(value) && strchr(number, '.') != NULL)
        number[strcspn(number, ".")] = '\0';
    snprintf(text, AMOUNT_SIZE, "%s%s%.24s", number, unit[0] != '\0' ? " " : "", unit);
}

static bool is_time(const char *unit)
{
    static const char *const units[] = {"s", "ms", "us", "ns", "min", "h"};
    for (size_t i = 0; i < sizeof units / sizeof units[0]; i++)
        if (strcmp(unit, units[i]) == 0)
            return true;
    return false;
}

/* "0.41 s longer (5.6 %)" */
static void direction_text(char text[DIFFERENCE_TEXT_SIZE], const struct difference *difference,
                           const char *unit)
{
    char amount[AMOUNT_SIZE], share[LABEL_SIZE];
    bool up = difference->value > 0;
    double relative = 100 * fabs(difference_relative(difference));
    const char *word = is_time(unit) ? (up ? "longer" : "shorter") : up ? "higher" : "lower";
    amount_text(amount, fabs(difference->value), unit);
    if (isnan(relative)) {
        snprintf(text, DIFFERENCE_TEXT_SIZE, "%.80s %s", amount, word);
        return;
    }
    number_label(share, relative,
                 relative >= 9.95    ? 0
                 : relative >= 0.095 ? 1
                                     : difference_decimals(relative));
    snprintf(text, DIFFERENCE_TEXT_SIZE, "%.80s %s (%.40s %%)", amount, word, share);
}

static void needs_text(char text[LABEL_SIZE], size_t needed)
{
    text[0] = '\0';
    if (needed == SIZE_MAX)
        snprintf(text, LABEL_SIZE, " (needs more than a million)");
    else if (needed > 0)
        snprintf(text, LABEL_SIZE, " (needs about %zu)", needed);
}

static void undecided_text(char text[DIFFERENCE_TEXT_SIZE], const struct difference *difference,
                           const char *unit, double smallest, size_t needed)
{
    char direction[DIFFERENCE_TEXT_SIZE], needs[LABEL_SIZE], amount[AMOUNT_SIZE];
    direction_text(direction, difference, unit);
    needs_text(needs, needed);
    amount_text(amount, smallest, unit);
    if (isnan(difference->p))
        snprintf(text, DIFFERENCE_TEXT_SIZE, "too few runs to tell; in these B is %.100s", direction);
    else if (!isnan(smallest) && (difference->low > 0 || difference->high < 0))
        snprintf(text, DIFFERENCE_TEXT_SIZE, "too few runs to tell whether by %.60s%.40s", amount, needs);
    else
        snprintf(text, DIFFERENCE_TEXT_SIZE, "too few runs to tell%.40s", needs);
}

void difference_words(char text[DIFFERENCE_TEXT_SIZE], const struct difference *difference,
                      enum difference_verdict verdict, const char *unit, double smallest, size_t needed)
{
    char direction[DIFFERENCE_TEXT_SIZE], amount[AMOUNT_SIZE];
    switch (verdict) {
    case DIFFERENCE_SAME:
        snprintf(text, DIFFERENCE_TEXT_SIZE, "the same to the last digit");
        break;
    case DIFFERENCE_LARGER:
    case DIFFERENCE_SMALLER:
        direction_text(direction, difference, unit);
        snprintf(text, DIFFERENCE_TEXT_SIZE, "B is %.180s", direction);
        break;
    case DIFFERENCE_NEGLIGIBLE:
        amount_text(amount, smallest, unit);
        snprintf(text, DIFFERENCE_TEXT_SIZE, "differs, but by less than %.100s", amount);
        break;
    case DIFFERENCE_NONE_FOUND:
        amount_text(amount, fmax(fabs(difference->low), fabs(difference->high)), unit);
        if (difference->low == 0 && difference->high == 0)
            snprintf(text, DIFFERENCE_TEXT_SIZE, "no difference found; neither varies");
        else
            snprintf(text, DIFFERENCE_TEXT_SIZE, "no difference found; at most %.100s", amount);
        break;
    case DIFFERENCE_UNDECIDED:
        undecided_text(text, difference, unit, smallest, needed);
        break;
    case DIFFERENCE_NOT_JUDGED:
        snprintf(text, DIFFERENCE_TEXT_SIZE, "not judged");
        break;
    }
}
