#include "sim/command/options.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

int64_t option_whole_number(struct argp_state *state, const char *option, const char *text, int64_t least,
                            int64_t most)
{
    char *end;
    errno = 0;
    long long value = strtoll(text, &end, 10);
    if (end == text || *end != '\0' || errno != 0 || value < least || value > most)
        argp_error(state, "--%s: '%s' is not a whole number from %" PRId64 " to %" PRId64, option, text,
                   least, most);
    return value;
}

enum output_format option_format(struct argp_state *state, const char *text)
{
    static const char *const names[] = {"table", "json", "csv"};
    for (int i = 0; i < 3; i++)
        if (strcmp(text, names[i]) == 0)
            return (enum output_format)i;
    argp_error(state, "--format: '%s' is not one of table, json, csv", text);
    return FORMAT_TABLE;
}

const char *option_name(struct argp_state *state, const char *option, const char *what, const char *text)
{
    if (text[0] == '\0')
        argp_error(state, "--%s: the name of the %s is empty", option, what);
    return text;
}

const char *option_setting(struct argp_state *state, const char *option, const char *text)
{
    const char *equals = strchr(text, '=');
    if (equals == NULL || equals == text)
        argp_error(state, "--%s: '%s' is not KEY=VALUE", option, text);
    return text;
}

void option_progress(struct argp_state *state, const char *text, enum progress_style *style)
{
    if (!progress_style_of(text, style))
        argp_error(state, "--progress: '%s' is not one of bar, ndjson, none", text);
}

void option_quiet(bool *quiet, enum progress_style *style)
{
    *quiet = true;
    if (*style == PROGRESS_BAR)
        *style = PROGRESS_NONE;
}
