/* Problems with what a user wrote, collected so that all of a file are reported at once.
 *
 *     bad.yaml:7:43: error: '5 TB' is 5,000,000,000,000 bytes; this tier is sold in GiB. Did you mean 5 TiB?
 *         7 |   profiles: {tier: azure-files/premium, size: 5 TB}
 *           |                                               ^~~~
 */
#ifndef VDISIM_PROBLEM_H
#define VDISIM_PROBLEM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

enum problem_level { PROBLEM_WARNING, PROBLEM_ERROR };

/* Where something was written. line 0: the whole file, or (file = "--set") the command line. Columns count from 1, in
 * code points. */
struct position {
    const char *file;
    size_t line, column, end_column;
};

struct problems;

/* NULL when memory is short. */
struct problems *problems_create(void);
void problems_destroy(struct problems *problems);

/* Keeps the text of a file so that its lines can be shown. `text` is copied. */
void problems_show_source(struct problems *problems, const char *file, const char *text, size_t length);

void problem_add(struct problems *problems, enum problem_level level, struct position at, const char *format,
                 ...) __attribute__((format(printf, 4, 5)));

size_t problems_errors(const struct problems *problems);
size_t problems_warnings(const struct problems *problems);

/* How often an error was added, repetitions included: unchanged means that nothing went wrong in between. */
size_t problems_reported(const struct problems *problems);

/* Prints them in the order file, line, column (at most 20 of a file, then how many more), coloured on request. */
void problems_print(const struct problems *problems, FILE *out, bool colour);

/* The same as a JSON array of {"file","line","column","level","message"}. */
void problems_print_json(const struct problems *problems, FILE *out);

#endif
