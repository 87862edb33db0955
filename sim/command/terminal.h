/* What the program knows of the terminal it talks to, and the progress bar.
 *
 * Colour: off with a non-empty NO_COLOR, on with CLICOLOR_FORCE, else on a terminal that is not dumb. The bar
 * lives on standard error, only when that is a terminal, and is redrawn at most four times a second.
 */
#ifndef VDISIM_TERMINAL_H
#define VDISIM_TERMINAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

bool terminal_colour(FILE *stream);

/* Whether the locale's character set is UTF-8; main() has called setlocale(LC_CTYPE, ""). */
bool terminal_utf8(void);

/* Columns of the terminal behind a stream, 0 when it is none. */
size_t terminal_width(FILE *stream);

struct progress {
    bool shown;
    double started_s, drawn_s; /* monotonic clock */
    const char *what;
};

/* `quiet` keeps the bar away even from a terminal. `what` stands before the bar and outlives it. */
void progress_start(struct progress *progress, const char *what, bool quiet);

/* Usable as run_options.progress with a struct progress as its context. */
void progress_update(void *progress, size_t done, size_t total);

/* Leaves the line with the time taken, or clean when interrupted. */
void progress_finish(struct progress *progress, size_t done, size_t total);

#endif
