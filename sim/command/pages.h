/* What is made of the table of commands and their parsers: man pages and shell completion. */
#ifndef VDISIM_PAGES_H
#define VDISIM_PAGES_H

#include "sim/command/command.h"

#include <argp.h>
#include <stdbool.h>
#include <stdio.h>

/* Whether a row of a parser's options is one that people are told of. */
bool option_is_shown(const struct argp_option *option);

/* The man page of a command, or of the program when it is NULL, in the language of scdoc. */
void print_man_page(FILE *out, const struct command *command);

#endif
