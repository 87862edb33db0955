/* Problems as text, for comparing with what a test expects. */
#ifndef VDISIM_TESTS_PROBLEMS_H
#define VDISIM_TESTS_PROBLEMS_H

#include "sim/experiment/read/problem.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What would be printed; to be freed. */
static inline char *problems_text(const struct problems *problems)
{
    char *text = NULL;
    size_t size = 0;
    FILE *stream = open_memstream(&text, &size);
    problems_print(problems, stream, false);
    fclose(stream);
    return text;
}

/* Fails unless the printed problems hold the text. */
#define assert_problem(problems, expected)                                                                   \
    do {                                                                                                     \
        char *text_ = problems_text(problems);                                                               \
        bool found_ = strstr(text_, (expected)) != NULL;                                                     \
        if (!found_)                                                                                         \
            print_error("expected: %s\ngot:\n%s", (expected), text_);                                        \
        free(text_);                                                                                         \
        assert_true(found_);                                                                                 \
    } while (0)

/* Fails if there are errors, and shows them. */
#define assert_no_errors(problems)                                                                           \
    do {                                                                                                     \
        char *text_ = problems_text(problems);                                                               \
        if (problems_errors(problems) > 0)                                                                   \
            print_error("%s", text_);                                                                        \
        free(text_);                                                                                         \
        assert_int_equal(problems_errors(problems), 0);                                                      \
    } while (0)

#endif
