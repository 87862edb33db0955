/* What the program knows of the terminal it talks to.
 *
 * Colour: off with a non-empty NO_COLOR, on with CLICOLOR_FORCE, else on a terminal that is not dumb.
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

#endif
