/* What every command does with files and standard output, in the same words. */
#ifndef VDISIM_STREAMS_H
#define VDISIM_STREAMS_H

#include "sim/command/options.h"
#include "sim/experiment/result/result.h"
#include "sim/experiment/result/writer.h"

#include <stdbool.h>

/* Tells a file that cannot be read from one with mistakes in it; says so under the command's name. */
bool file_is_readable(const char *command, const char *file);

/* A result, in the format that was asked for. `folder`: where the results were written, or NULL. What fails is
 * remembered by the writer. */
void print_result(const struct result *result, const char *folder, enum output_format format,
                  struct writer *output);

/* Pushes out what was printed. False, and one line under the command's name, when that failed; the line is left
 * open for more when `line_goes_on`. */
bool output_is_flushed(const char *command, struct writer *output, bool line_goes_on);

/* One line on standard error when files of a result folder are no longer those that were written with its manifest.json:
 * somebody edited them, and what is made of them is not what vdisim ran. */
void warn_of_altered(const char *command, const char *folder);

#endif
