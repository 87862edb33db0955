#include "vdisim/share_resize.h"

#include "vdisim/share.h"
#include "vdisim/time.h"

#include <ctype.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LATEST_NS  INT64_C(604800000000000) /* a week, the longest run */
#define MOST_BYTES 1e18

struct unit {
    const char *name;
    double factor;
};

static const struct unit sizes[] = {{"MiB", 1048576.0}, {"GiB", 1073741824.0}, {"TiB", 1099511627776.0}, {0}};
static const struct unit times[] = {{"ms", 1e6}, {"s", 1e9}, {"min", 60e9}, {"h", 3600e9}, {0}};

static void skip_blanks(const char **at)
{
    while (isspace((unsigned char)**at))
        ++*at;
}

static bool read_word(const char **at, const char *word)
{
    const size_t length = strlen(word);
    if (strncmp(*at, word, length) != 0 || isalpha((unsigned char)(*at)[length]))
        return false;
    *at += length;
    skip_blanks(at);
    return true;
}

/* A number with its unit; false, and nothing is read, when there is none. */
static bool read_amount(const char **at, const struct unit *units, double *amount)
{
    if (!isdigit((unsigned char)**at))
        return false;
    char *end;
    const double number = strtod(*at, &end);
    const char *rest = end;
    skip_blanks(&rest);
    for (const struct unit *unit = units; unit->name != NULL; unit++) {
        if (!read_word(&rest, unit->name))
            continue;
        *amount = number * unit->factor;
        *at = rest;
        return true;
    }
    return false;
}

/* `10 TiB at 1 h 30 min`. */
static bool read_resize(const char *text, struct share_resize *resize)
{
    double bytes, ns, sum_ns = 0.0;
    skip_blanks(&text);
    if (!read_amount(&text, sizes, &bytes) || !(bytes <= MOST_BYTES) || !read_word(&text, "at") ||
        !isdigit((unsigned char)*text))
        return false;
    while (read_amount(&text, times, &ns))
        sum_ns += ns;
    if (*text != '\0' || !(sum_ns <= (double)LATEST_NS))
        return false;
    *resize = (struct share_resize){(int64_t)llround(sum_ns), (int64_t)llround(bytes)};
    return true;
}

__attribute__((format(printf, 3, 4))) static bool wrong(struct parameter_problem *problem, const char *text,
                                                        const char *format, ...)
{
    problem->parameter = "size_changes";
    problem->text = text;
    int length = 0;
    if (text != NULL)
        length = snprintf(problem->message, sizeof problem->message, "'%.60s': ", text);
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(problem->message + length, sizeof problem->message - (size_t)length, format, arguments);
    va_end(arguments);
    return false;
}

/* What the share is when a change is asked for. */
struct standing {
    int64_t asked_ns, size_bytes;
    int64_t raised_ns; /* -1: not yet */
};

static bool is_allowed(const struct share_settings *settings, const char *text,
                       const struct share_resize *resize, struct standing *standing,
                       struct parameter_problem *problem)
{
    if (resize->at_ns <= standing->asked_ns)
        return wrong(problem, text,
                     "changes are listed in the order of their times, each later than the one before");
    struct share_settings changed = *settings;
    changed.size_bytes = resize->size_bytes;
    struct parameter_problem unsold = {0};
    if (!share_size_is_sold(&changed, &unsold))
        return wrong(problem, text, "%s", unsold.message);
    const bool lowers = resize->size_bytes < standing->size_bytes;
    if (lowers && standing->raised_ns >= 0 &&
        resize->at_ns - standing->raised_ns < settings->size_lower_after_ns)
        return wrong(problem, text, "a size is lowered no sooner than %g h after the last raise, at %g min",
                     (double)settings->size_lower_after_ns / 3600e9, (double)standing->raised_ns / 60e9);
    if (resize->size_bytes > standing->size_bytes)
        standing->raised_ns = resize->at_ns;
    standing->asked_ns = resize->at_ns;
    standing->size_bytes = resize->size_bytes;
    return true;
}

bool share_resizes_read(const struct share_settings *settings, struct share_resize *resizes, size_t *count,
                        struct parameter_problem *problem)
{
    const struct parameter_texts *list = &settings->size_changes;
    *count = 0;
    if (list->count > SHARE_RESIZES_MAX)
        return wrong(problem, NULL, "%zu changes of size, more than %d", list->count, SHARE_RESIZES_MAX);
    struct standing standing = {.asked_ns = -1, .size_bytes = settings->size_bytes, .raised_ns = -1};
    for (size_t i = 0; i < list->count; i++) {
        const char *text = list->texts[i];
        if (!read_resize(text, &resizes[i]))
            return wrong(problem, text,
                         "a change of size is a size and a time of the run, e.g. 10 TiB at 20 min");
        if (!is_allowed(settings, text, &resizes[i], &standing, problem))
            return false;
        *count = i + 1;
    }
    return true;
}
