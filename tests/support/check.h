/* What the tests share: cmocka with its includes, and comparisons of doubles that cmocka 1.1.5 lacks. */
#ifndef VDISIM_TESTS_CHECK_H
#define VDISIM_TESTS_CHECK_H

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

/* |actual - expected| <= relative * |expected|; fails with both values in the message. */
#define assert_near_relative(actual, expected, relative)                                                             \
    check_near_((actual), (expected), fabs((double)(expected)) * (relative), #actual, __FILE__, __LINE__)

/* |actual - expected| <= absolute. */
#define assert_near(actual, expected, absolute)                                                                      \
    check_near_((actual), (expected), (absolute), #actual, __FILE__, __LINE__)

/* low <= actual <= high. */
#define assert_between(actual, low, high)                                                                            \
    check_near_((actual), ((low) + (high)) / 2.0, ((high) - (low)) / 2.0, #actual, __FILE__, __LINE__)

static inline void check_near_(double actual, double expected, double allowed, const char *what, const char *file,
                               int line)
{
    if (!(fabs(actual - expected) <= allowed)) {
        print_error("%s = %.12g, expected %.12g +- %.3g\n", what, actual, expected, allowed);
        _fail(file, line);
    }
}

/* Runs a group and gives main() an exit status that cannot wrap around to 0. */
#define RUN_TESTS(tests) (cmocka_run_group_tests(tests, NULL, NULL) != 0)

#endif
