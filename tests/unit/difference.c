/* Differences against the textbook's formulas worked out by hand, how they are judged, and what they are called. */
#include "sim/experiment/compare/difference.h"

#include "tests/support/check.h"
#include "vdisim/interval.h"

#include <string.h>

static struct difference between(const double *a, const double *b, size_t count, bool paired)
{
    return difference_of(&(struct difference_input){
        .a = a, .b = b, .a_count = count, .b_count = count, .paired = paired, .confidence = 0.95});
}

/* d = 1, 2, 3: mean 2, sd 1, t(2) = 4.3027. */
static void pairs_by_hand(void **state)
{
    (void)state;
    const double a[] = {10, 20, 30}, b[] = {11, 22, 33};
    struct difference it = between(a, b, 3, true);
    assert_near(it.a, 20, 1e-12);
    assert_near(it.b, 22, 1e-12);
    assert_near(it.value, 2, 1e-12);
    assert_near_relative(it.low, 2 - 4.302653 / sqrt(3), 1e-6);
    assert_near_relative(it.high, 2 + 4.302653 / sqrt(3), 1e-6);
    assert_near_relative(it.p, sim_paired_p_value(a, b, 3), 1e-9);
    assert_near_relative(difference_relative(&it), 0.1, 1e-12);
    assert_true(it.one_sign && !it.same);
    /* Variances 100 and 121 of the samples, 1 of the differences. */
    assert_near_relative(it.saving, 221, 1e-9);
    struct sim_interval apart = sim_interval_welch_difference(b, 3, a, 3, 0.95);
    assert_near_relative(it.independent_reach, (apart.high - apart.low) / 2, 1e-9);
}

static void samples_as_welch(void **state)
{
    (void)state;
    const double a[] = {1, 2, 3, 5}, b[] = {9, 4, 7};
    struct difference it = difference_of(
        &(struct difference_input){.a = a, .b = b, .a_count = 4, .b_count = 3, .confidence = 0.9});
    struct sim_interval welch = sim_interval_welch_difference(b, 3, a, 4, 0.9);
    assert_near_relative(it.value, welch.estimate, 1e-9);
    assert_near_relative(it.low, welch.low, 1e-9);
    assert_near_relative(it.high, welch.high, 1e-9);
    assert_near_relative(it.p, sim_welch_p_value(a, 4, b, 3), 1e-9);
    assert_true(isnan(it.saving));
}

/* a = 10 m, b = 12 m + 1 exactly: at m = 1 the difference is 3 whatever multipliers were drawn, and plain means are
 * off by what these are. */
static void multipliers_are_taken_out(void **state)
{
    (void)state;
    const double m[] = {1, 1.1, 0.9, 1.3, 1.2, 1.05};
    double a[6], b[6];
    for (size_t i = 0; i < 6; i++) {
        a[i] = 10 * m[i];
        b[i] = 12 * m[i] + 1 + (i % 2 == 0 ? 1e-3 : -1e-3);
    }
    struct difference_input input = {.a = a,
                                     .b = b,
                                     .a_effects = m,
                                     .b_effects = m,
                                     .a_count = 6,
                                     .b_count = 6,
                                     .paired = true,
                                     .confidence = 0.95};
    struct difference it = difference_of(&input);
    assert_near(it.value, 3, 2e-3);
    assert_near(it.a, 10, 1e-9);
    assert_near(it.b - it.a, it.value, 1e-9);
    assert_true(it.high - it.low < 0.01);
    assert_near(it.degrees, 4, 0);

    /* Other multipliers on the other side explain no difference: plain pairs. */
    const double other[] = {1, 1, 1, 1, 1.2, 1.05};
    input.b_effects = other;
    assert_near(difference_of(&input).degrees, 5, 0);
    /* Fewer than the regression needs. */
    input.b_effects = m;
    input.a_count = input.b_count = 4;
    assert_near(difference_of(&input).degrees, 3, 0);
    /* Unpaired, each by its own. */
    input.a_count = input.b_count = 6;
    input.paired = false;
    assert_near(difference_of(&input).value, 3, 2e-3);
}

static void few_and_none(void **state)
{
    (void)state;
    const double a[] = {1, 1, 1}, b[] = {2, 2, 2};
    struct difference one = between(a, b, 1, true);
    assert_near(one.value, 1, 0);
    assert_true(isnan(one.low) && isnan(one.high) && isnan(one.p));
    assert_true(isnan(between(a, b, 0, true).value));
    assert_true(isnan(between(a, b, 0, false).value));

    struct difference constant = between(a, b, 3, true);
    assert_near(constant.p, 0, 0);
    assert_near(constant.low, 1, 0);
    assert_near(constant.high, 1, 0);
    const double varied[] = {1, 5, 9}, shifted[] = {2, 6, 10};
    assert_true(isinf(between(varied, shifted, 3, true).saving));
    struct difference same = between(a, a, 3, true);
    assert_true(same.same);
    assert_near(same.p, 1, 0);
}

static enum difference_verdict verdict_of(double value, double reach, double p, double p_adjusted,
                                          double smallest, size_t *needed)
{
    struct difference it = {.a_count = 10,
                            .b_count = 10,
                            .a = 10,
                            .b = 10 + value,
                            .value = value,
                            .low = value - reach,
                            .high = value + reach,
                            .p = p,
                            .degrees = 9,
                            .paired = true};
    return difference_judge(&it, p_adjusted, smallest, 0.95, needed);
}

static void verdicts(void **state)
{
    (void)state;
    size_t needed;
    assert_int_equal(verdict_of(1, 0.5, 0.001, 0.01, NAN, &needed), DIFFERENCE_LARGER);
    assert_int_equal(verdict_of(-1, 0.5, 0.001, 0.01, NAN, &needed), DIFFERENCE_SMALLER);
    assert_int_equal(verdict_of(1, 0.1, 0.001, 0.01, 0.5, &needed), DIFFERENCE_LARGER);
    assert_int_equal(verdict_of(0.3, 0.1, 0.001, 0.01, 0.5, &needed), DIFFERENCE_NEGLIGIBLE);
    assert_int_equal(verdict_of(-0.3, 0.1, 0.001, 0.01, 0.5, &needed), DIFFERENCE_NEGLIGIBLE);
    assert_int_equal(verdict_of(0.1, 0.3, 0.5, 1, NAN, &needed), DIFFERENCE_NONE_FOUND);
    assert_int_equal(verdict_of(0.1, 0.3, 0.5, 1, 0.5, &needed), DIFFERENCE_NONE_FOUND);
    assert_int_equal(needed, 0);

    /* Neither within nor beyond what matters: 0.3 -+ 0.3 is to shrink to a reach of 0.2, (0.3/0.2)^2 = 2.25 x 10. */
    assert_int_equal(verdict_of(0.3, 0.3, 0.04, 0.05, 0.5, &needed), DIFFERENCE_UNDECIDED);
    assert_int_equal(needed, 23);
    assert_int_equal(verdict_of(0.1, 0.6, 0.5, 1, 0.5, &needed), DIFFERENCE_UNDECIDED);
    assert_int_equal(needed, 23);
    /* Alone it would be one, among the others not. */
    assert_int_equal(verdict_of(1, 0.9, 0.03, 0.3, NAN, &needed), DIFFERENCE_UNDECIDED);
    assert_true(needed > 10 && needed < 30);
    /* One run. */
    assert_int_equal(verdict_of(1, NAN, NAN, NAN, NAN, &needed), DIFFERENCE_UNDECIDED);
    assert_int_equal(verdict_of(NAN, NAN, NAN, NAN, NAN, &needed), DIFFERENCE_NOT_JUDGED);
}

static void assert_words(const struct difference *it, enum difference_verdict verdict, const char *unit,
                         double smallest, size_t needed, const char *expected)
{
    char text[DIFFERENCE_TEXT_SIZE];
    difference_words(text, it, verdict, unit, smallest, needed);
    assert_string_equal(text, expected);
}

static void words(void **state)
{
    (void)state;
    struct difference it = {.a = 7.32, .b = 7.73, .value = 0.41, .low = 0.31, .high = 0.51, .p = 0.001};
    assert_words(&it, DIFFERENCE_LARGER, "s", NAN, 0, "B is 0.41 s longer (5.6 %)");
    assert_words(&it, DIFFERENCE_LARGER, "IOPS", NAN, 0, "B is 0.41 IOPS higher (5.6 %)");
    assert_words(&it, DIFFERENCE_NEGLIGIBLE, "s", 0.5, 0, "differs, but by less than 0.50 s");
    assert_words(&it, DIFFERENCE_NONE_FOUND, "s", NAN, 0, "no difference found; at most 0.51 s");
    assert_words(&it, DIFFERENCE_UNDECIDED, "s", 0.5, 40,
                 "too few runs to tell whether by 0.50 s (needs about 40)");
    assert_words(&it, DIFFERENCE_UNDECIDED, "s", NAN, 40, "too few runs to tell (needs about 40)");
    assert_words(&it, DIFFERENCE_SAME, "s", NAN, 0, "the same to the last digit");
    it = (struct difference){.a = 20, .b = 10, .value = -10, .low = NAN, .high = NAN, .p = NAN};
    assert_words(&it, DIFFERENCE_SMALLER, "ms", NAN, 0, "B is 10 ms shorter (50 %)");
    assert_words(&it, DIFFERENCE_UNDECIDED, "MiB/s", NAN, 0,
                 "too few runs to tell; in these B is 10 MiB/s lower (50 %)");
    it = (struct difference){.a = 0, .b = 3, .value = 3};
    assert_words(&it, DIFFERENCE_LARGER, "", NAN, 0, "B is 3 higher");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pairs_by_hand),
        cmocka_unit_test(samples_as_welch),
        cmocka_unit_test(multipliers_are_taken_out),
        cmocka_unit_test(few_and_none),
        cmocka_unit_test(verdicts),
        cmocka_unit_test(words),
    };
    return RUN_TESTS(tests);
}
