#include "sim/command/terminal.h"

#include <langinfo.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <time.h>
#include <unistd.h>

enum { BAR_CELLS = 26 };

static bool environment_has(const char *name)
{
    const char *value = getenv(name);
    return value != NULL && value[0] != '\0';
}

bool terminal_colour(FILE *stream)
{
    if (environment_has("NO_COLOR"))
        return false;
    if (environment_has("CLICOLOR_FORCE") && strcmp(getenv("CLICOLOR_FORCE"), "0") != 0)
        return true;
    const char *term = getenv("TERM");
    return isatty(fileno(stream)) && term != NULL && strcmp(term, "dumb") != 0;
}

bool terminal_utf8(void)
{
    return strcmp(nl_langinfo(CODESET), "UTF-8") == 0;
}

size_t terminal_width(FILE *stream)
{
    struct winsize size;
    if (!isatty(fileno(stream)) || ioctl(fileno(stream), TIOCGWINSZ, &size) != 0)
        return 0;
    return size.ws_col;
}

static double monotonic_s(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

void progress_start(struct progress *progress, const char *what, bool quiet)
{
    const char *term = getenv("TERM");
    progress->shown = !quiet && isatty(STDERR_FILENO) && (term == NULL || strcmp(term, "dumb") != 0);
    progress->started_s = monotonic_s();
    progress->drawn_s = 0;
    progress->what = what;
}

static void format_duration(char *text, size_t size, double seconds)
{
    if (seconds < 60)
        snprintf(text, size, "%.1f s", seconds);
    else if (seconds < 3600)
        snprintf(text, size, "%d min %02d s", (int)(seconds / 60), (int)seconds % 60);
    else
        snprintf(text, size, "%d h %02d min", (int)(seconds / 3600), (int)(seconds / 60) % 60);
}

static void draw(const struct progress *progress, size_t done, size_t total, double elapsed_s)
{
    char bar[BAR_CELLS + 1], duration[32];
    size_t filled = total == 0 ? BAR_CELLS : done * BAR_CELLS / total;
    memset(bar, '.', BAR_CELLS);
    memset(bar, '#', filled);
    bar[BAR_CELLS] = '\0';
    if (done == 0 || done == total) {
        format_duration(duration, sizeof duration, elapsed_s);
        fprintf(stderr, "\r%.60s [%s] %zu/%zu   %s\033[K", progress->what, bar, done, total, duration);
    } else {
        format_duration(duration, sizeof duration, elapsed_s * (double)(total - done) / (double)done);
        fprintf(stderr, "\r%.60s [%s] %zu/%zu   %s left\033[K", progress->what, bar, done, total, duration);
    }
    fflush(stderr);
}

void progress_update(void *context, size_t done, size_t total)
{
    struct progress *progress = context;
    if (!progress->shown)
        return;
    double now_s = monotonic_s();
    if (now_s - progress->drawn_s < 0.25)
        return;
    progress->drawn_s = now_s;
    draw(progress, done, total, now_s - progress->started_s);
}

void progress_finish(struct progress *progress, size_t done, size_t total)
{
    if (!progress->shown)
        return;
    draw(progress, done, total, monotonic_s() - progress->started_s);
    fputc('\n', stderr);
}
