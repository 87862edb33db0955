/* Options that several commands have: read the same way, refused in the same words.
 *
 * Each ends the program, as argp does, when its argument is wrong.
 */
#ifndef VDISIM_OPTIONS_H
#define VDISIM_OPTIONS_H

#include "sim/command/progress.h"

#include <argp.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { JOBS_MOST = 1024, REPLICATIONS_MOST = 1000000 };

/* The number behind --`option`, from least to most. */
int64_t option_whole_number(struct argp_state *state, const char *option, const char *text, int64_t least,
                            int64_t most);

/* What to print on standard output. */
enum output_format { FORMAT_TABLE, FORMAT_JSON, FORMAT_CSV };
enum output_format option_format(struct argp_state *state, const char *text);

/* The name of a file or folder, `what`, behind --`option`: not empty. */
const char *option_name(struct argp_state *state, const char *option, const char *what, const char *text);

/* A KEY=VALUE behind --`option`, returned as it is. */
const char *option_setting(struct argp_state *state, const char *option, const char *text);

/* --progress, and --quiet, which keeps the bar away but not what was asked for by --progress ndjson. */
void option_progress(struct argp_state *state, const char *text, enum progress_style *style);
void option_quiet(bool *quiet, enum progress_style *style);

/* Rows of a table of options; `key` is the own key of a command for --progress. */
#define OPTION_JOBS                                                                                          \
    {                                                                                                        \
        "jobs", 'j', "N", 0,                                                                                 \
            "Threads (default: as many as processors); results are the same for any number", 0               \
    }
#define OPTION_PROGRESS(key)                                                                                 \
    {                                                                                                        \
        "progress", (key), "bar|ndjson|none", 0,                                                             \
            "How to tell the progress on standard error (default: a bar on a terminal)", 0                   \
    }

#endif
