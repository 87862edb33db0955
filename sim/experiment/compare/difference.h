/* A difference: how far a metric of B lies from that of A, what is known of it, and what to call it.
 *
 * Where both drew the same random numbers the runs are paired by replication, d_i = b_i - a_i, and
 *
 *     difference = dbar -+ t(n-1) s_d / sqrt(n)
 *
 * as what both have in common cancels. Otherwise A and B are independent samples and the interval is Welch's.
 * Where the runs drew a multiplier of known law (the run effect, estimate.h) and there are at least
 * ESTIMATE_REGRESSION_LEAST of them, means and differences are those of the regression on it, as `vdisim run`
 * has them: a = the line's height where the multiplier is 1, with n - 2 degrees of freedom; the difference of
 * two such means is that of the regressed differences.
 *
 * p is the two-sided p-value of "no difference" by the same t. Many of them are to be adjusted (holm.h) before
 * one is called a difference.
 */
#ifndef VDISIM_DIFFERENCE_H
#define VDISIM_DIFFERENCE_H

#include <stdbool.h>
#include <stddef.h>

struct difference_input {
    const double *a, *b; /* values, none NaN; paired: of the same replications, in the same order */
    const double *a_effects, *b_effects; /* the multiplier of each run, or NULL without a run effect */
    size_t a_count, b_count;             /* equal when paired */
    bool paired;
    double confidence;
};

struct difference {
    size_t a_count, b_count;
    double a, b;      /* means, adjusted by the run effect where that is known; NaN without values */
    double value;     /* b - a */
    double low, high; /* of the difference; NaN when there are too few runs */
    double p;         /* NaN when there are too few runs */
    double degrees;   /* of freedom */
    bool paired;
    bool same;     /* paired, and equal in every pair */
    bool one_sign; /* paired: every pair differs in the same direction */
    /* Paired: how many times the replications independent runs would need for an interval as narrow, by the
     * variances of these very runs; INFINITY when every pair differs by the same. And how far the interval of as
     * many independent runs would reach to either side. NaN when unpaired or unknown. */
    double saving, independent_reach;
};

struct difference difference_of(const struct difference_input *input);

/* b - a over |a|, NaN when a is 0. */
double difference_relative(const struct difference *difference);

enum difference_verdict {
    DIFFERENCE_SAME,       /* to the last digit */
    DIFFERENCE_LARGER,     /* B is larger, and by no less than matters */
    DIFFERENCE_SMALLER,    /* B is smaller, likewise */
    DIFFERENCE_NEGLIGIBLE, /* there is one, but smaller than matters */
    DIFFERENCE_NONE_FOUND, /* and if there is one it is within the interval */
    DIFFERENCE_UNDECIDED,  /* too few runs to tell */
    DIFFERENCE_NOT_JUDGED, /* a value is missing or a lower bound */
};

/* "same", "larger", "smaller", "negligible", "none found", "undecided", "not judged" */
const char *difference_verdict_name(enum difference_verdict verdict);

/* What to call it: `p_adjusted` is held against 1 - confidence; `smallest` is the difference that matters in
 * the unit of the metric, NaN when any does. *needed is set to the replications that would probably tell, 0
 * when that is not asked or not known. */
enum difference_verdict difference_judge(const struct difference *difference, double p_adjusted,
                                         double smallest, double confidence, size_t *needed);

enum { DIFFERENCE_TEXT_SIZE = 200 };

/* "B is 0.41 s longer (5.6 %)". `unit` as the metric has it. */
void difference_words(char text[DIFFERENCE_TEXT_SIZE], const struct difference *difference,
                      enum difference_verdict verdict, const char *unit, double smallest, size_t needed);

/* A number of about three figures: decimals such that one that is `precision` large keeps two digits. */
int difference_decimals(double precision);

#endif
