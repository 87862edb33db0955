#include "models/provisioning/boot_schedule.h"

#include "vdisim/time.h"

#include <ctype.h>
#include <math.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A week, the longest run. */
#define LATEST_NS INT64_C(604800000000000)

struct step {
    int64_t at_ns, every_ns;
    enum boot_action action;
    const char *targets; /* "1-3,5" or "all", up to the next blank */
    size_t targets_length;
};

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
static bool read_amount(const char **at, double *ns)
{
    static const struct {
        const char *name;
        double ns;
    } units[] = {{"ms", 1e6}, {"s", 1e9}, {"min", 60e9}, {"h", 3600e9}};
    const char *rest = *at;
    if (!isdigit((unsigned char)*rest))
        return false;
    char *end;
    const double number = strtod(rest, &end);
    rest = end;
    skip_blanks(&rest);
    for (size_t i = 0; i < sizeof units / sizeof units[0]; i++) {
        if (!read_word(&rest, units[i].name))
            continue;
        *ns = number * units[i].ns;
        *at = rest;
        return true;
    }
    return false;
}

/* `3 min`, `1 h 30 min`. */
static bool read_time(const char **at, int64_t *time_ns)
{
    double sum_ns = 0.0, ns;
    bool some = false;
    while (read_amount(at, &ns)) {
        sum_ns += ns;
        some = true;
    }
    if (!some || !(sum_ns <= (double)LATEST_NS))
        return false;
    *time_ns = (int64_t)llround(sum_ns);
    return true;
}

static bool read_action(const char **at, enum boot_action *action)
{
    if (read_word(at, "boot"))
        *action = ACTION_BOOT;
    else if (read_word(at, "reboot"))
        *action = ACTION_REBOOT;
    else if (read_word(at, "shut") && read_word(at, "down"))
        *action = ACTION_SHUT_DOWN;
    else
        return false;
    return true;
}

static bool read_step(const char *text, struct step *step)
{
    const char *at = text;
    *step = (struct step){0};
    skip_blanks(&at);
    if (!read_time(&at, &step->at_ns) || !read_action(&at, &step->action))
        return false;
    step->targets = at;
    step->targets_length = strcspn(at, " \t");
    at += step->targets_length;
    skip_blanks(&at);
    if (step->targets_length == 0 ||
        (*at != '\0' && (!read_word(&at, "every") || !read_time(&at, &step->every_ns))))
        return false;
    return *at == '\0';
}

/* The next part of `1-3,5`; false at the end or where it cannot be read (then *at is not at the end). */
static bool read_range(const char **at, const char *end, int64_t targets, int64_t *first, int64_t *last)
{
    if (*at == end)
        return false;
    if (end - *at == 3 && strncmp(*at, "all", 3) == 0) {
        *first = 1;
        *last = targets;
        *at = end;
        return true;
    }
    char *rest;
    if (!isdigit((unsigned char)**at))
        return false;
    *first = *last = strtoll(*at, &rest, 10);
    if (*rest == '-') {
        if (!isdigit((unsigned char)rest[1]))
            return false;
        *last = strtoll(rest + 1, &rest, 10);
    }
    if (rest > end || *first > *last || (rest < end && (*rest != ',' || rest + 1 == end)))
        return false;
    *at = rest < end ? rest + 1 : end;
    return true;
}

struct making {
    struct boot_schedule *schedule;
    size_t room;
    const struct parameter_texts *texts;
    int64_t targets;
    struct parameter_problem *problem;
};

/* `text`: the step that is wrong, NULL: all together. */
static enum boot_schedule_answer __attribute__((format(printf, 3, 4)))
wrong(const struct making *making, const char *text, const char *format, ...)
{
    va_list arguments;
    making->problem->text = text;
    va_start(arguments, format);
    vsnprintf(making->problem->message, sizeof making->problem->message, format, arguments);
    va_end(arguments);
    return BOOT_SCHEDULE_WRONG;
}

static bool add_event(struct making *making, const struct boot_event *event)
{
    struct boot_schedule *schedule = making->schedule;
    if (schedule->count == making->room) {
        const size_t room = making->room == 0 ? 64 : 2 * making->room;
        struct boot_event *events = realloc(schedule->events, room * sizeof *events);
        if (events == NULL)
            return false;
        schedule->events = events;
        making->room = room;
    }
    schedule->events[schedule->count++] = *event;
    return true;
}

static enum boot_schedule_answer unreadable(const struct making *making, const char *text)
{
    return wrong(making, text,
                 "'%.60s' is no step of a schedule: TIME boot, reboot or shut down TARGETS, as in "
                 "'3 min boot 4-6 every 10 s'",
                 text);
}

static enum boot_schedule_answer add_step(struct making *making, size_t number, int64_t *begins_ns)
{
    const char *text = making->texts->texts[number];
    struct step step;
    if (!read_step(text, &step))
        return unreadable(making, text);
    if (step.at_ns < *begins_ns)
        return wrong(making, text, "'%.60s' goes back in time: the step before it, '%.60s', is later", text,
                     making->texts->texts[number - 1]);
    *begins_ns = step.at_ns;
    const char *at = step.targets, *end = at + step.targets_length;
    int64_t first, last, when_ns = step.at_ns;
    while (read_range(&at, end, making->targets, &first, &last)) {
        if (first < 1 || last > making->targets)
            return wrong(making, text, "'%.60s' names target %lld, but targets are numbered from 1 to %lld", text,
                         (long long)(first < 1 ? first : last), (long long)making->targets);
        for (int64_t target = first; target <= last; target++, when_ns += step.every_ns) {
            if (when_ns > LATEST_NS)
                return wrong(making, text, "'%.60s' lasts longer than a week", text);
            const struct boot_event event = {when_ns, (uint32_t)(target - 1), step.action, (uint32_t)number};
            if (!add_event(making, &event))
                return BOOT_SCHEDULE_NO_MEMORY;
        }
    }
    return at == end ? BOOT_SCHEDULE_OK : unreadable(making, text);
}

static int compare_events(const void *left, const void *right)
{
    const struct boot_event *a = left, *b = right;
    if (a->at_ns != b->at_ns)
        return a->at_ns < b->at_ns ? -1 : 1;
    if (a->step != b->step)
        return a->step < b->step ? -1 : 1;
    return (a->target > b->target) - (a->target < b->target);
}

/* A target is booted when it is off, the others happen when it is on. */
static enum boot_schedule_answer check_states(struct making *making)
{
    struct boot_schedule *schedule = making->schedule;
    bool *is_on = calloc((size_t)making->targets, sizeof *is_on);
    if (is_on == NULL)
        return BOOT_SCHEDULE_NO_MEMORY;
    enum boot_schedule_answer answer = BOOT_SCHEDULE_OK;
    for (size_t i = 0; answer == BOOT_SCHEDULE_OK && i < schedule->count; i++) {
        const struct boot_event *event = &schedule->events[i];
        const bool boots = event->action == ACTION_BOOT;
        if (boots == is_on[event->target])
            answer =
                wrong(making, making->texts->texts[event->step],
                      "'%.60s' %s target %lld, which is %s then", making->texts->texts[event->step],
                      boots                            ? "boots"
                      : event->action == ACTION_REBOOT ? "reboots"
                                                       : "shuts down",
                      (long long)event->target + 1, boots ? "on" : "off");
        is_on[event->target] = event->action != ACTION_SHUT_DOWN;
        schedule->boots += event->action != ACTION_SHUT_DOWN;
    }
    free(is_on);
    return answer;
}

enum boot_schedule_answer boot_schedule_make(struct boot_schedule *schedule,
                                             const struct parameter_texts *texts, int64_t targets,
                                             struct parameter_problem *problem)
{
    *schedule = (struct boot_schedule){0};
    struct making making = {schedule, 0, texts, targets, problem};
    problem->parameter = "schedule";
    enum boot_schedule_answer answer =
        texts->count > 0 ? BOOT_SCHEDULE_OK : wrong(&making, NULL, "the schedule is empty: nothing would boot");
    int64_t begins_ns = 0;
    for (size_t i = 0; answer == BOOT_SCHEDULE_OK && i < texts->count; i++)
        answer = add_step(&making, i, &begins_ns);
    if (answer == BOOT_SCHEDULE_OK) {
        qsort(schedule->events, schedule->count, sizeof *schedule->events, compare_events);
        answer = check_states(&making);
    }
    if (answer != BOOT_SCHEDULE_OK)
        boot_schedule_release(schedule);
    return answer;
}

void boot_schedule_release(struct boot_schedule *schedule)
{
    free(schedule->events);
    *schedule = (struct boot_schedule){0};
}
