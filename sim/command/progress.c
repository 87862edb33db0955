#include "sim/command/progress.h"

#include "sim/experiment/result/writer.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { BAR_CELLS = 26 };

static const double bar_interval_s = 0.25, line_interval_s = 0.1;

bool progress_style_of(const char *text, enum progress_style *style)
{
    static const struct {
        const char *name;
        enum progress_style style;
    } styles[] = {{"bar", PROGRESS_BAR}, {"none", PROGRESS_NONE}, {"ndjson", PROGRESS_NDJSON}};
    for (size_t i = 0; i < sizeof styles / sizeof styles[0]; i++)
        if (strcmp(text, styles[i].name) == 0) {
            *style = styles[i].style;
            return true;
        }
    return false;
}

static double monotonic_s(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

static bool can_draw(void)
{
    const char *term = getenv("TERM");
    return isatty(STDERR_FILENO) && (term == NULL || strcmp(term, "dumb") != 0);
}

/* Elapsed, and what follows from it; NaN where it is not known yet. */
struct pace {
    double elapsed_s, rate_per_s, left_s;
};

static struct pace pace_of(const struct progress *progress)
{
    const struct run_progress *last = &progress->last;
    struct pace pace = {monotonic_s() - progress->started_s, NAN, NAN};
    size_t done = last->done > progress->started_done ? last->done - progress->started_done : 0;
    if (done > 0 && pace.elapsed_s > 0) {
        pace.rate_per_s = (double)done / pace.elapsed_s;
        pace.left_s = last->wanted > last->done ? (double)(last->wanted - last->done) / pace.rate_per_s : 0;
    }
    return pace;
}

static void format_duration(char *text, size_t size, double seconds)
{
    if (seconds < 60)
        snprintf(text, size, "%.1f s", seconds);
    else if (seconds < 3600)
        snprintf(text, size, "%d min %02d s", (int)(seconds / 60), (int)seconds % 60);
    else
        snprintf(text, size, "%.0f h %02d min", floor(seconds / 3600), (int)fmod(seconds / 60, 60));
}

/* "   half-width 2.6 % of 2 %", or nothing. */
static void format_half_width(char *text, size_t size, const struct progress *progress)
{
    const struct run_progress *last = &progress->last;
    text[0] = '\0';
    if (progress->precision == NULL || !isfinite(last->half_width))
        return;
    if (progress->precision->is_relative)
        snprintf(text, size, "   half-width %.2g %% of %.3g %%", 100 * last->half_width,
                 100 * last->half_width_wanted);
    else
        snprintf(text, size, "   half-width %.2g of %.3g", last->half_width, last->half_width_wanted);
}

static void draw(const struct progress *progress, bool at_end)
{
    const struct run_progress *last = &progress->last;
    struct pace pace = pace_of(progress);
    char bar[BAR_CELLS + 1], time[64] = "", half_width[64], rate[32] = "";
    size_t filled = last->wanted == 0 ? 0 : last->done * BAR_CELLS / last->wanted;
    memset(bar, '.', BAR_CELLS);
    memset(bar, '#', filled < BAR_CELLS ? filled : BAR_CELLS);
    bar[BAR_CELLS] = '\0';
    if (isfinite(pace.rate_per_s))
        snprintf(rate, sizeof rate, "   %.3g /s", pace.rate_per_s);
    format_duration(time, sizeof time - 8, at_end || !isfinite(pace.left_s) ? pace.elapsed_s : pace.left_s);
    if (!at_end && isfinite(pace.left_s))
        strcat(time, " left");
    format_half_width(half_width, sizeof half_width, progress);
    fprintf(progress->out, "\r%.60s [%s] %zu/%zu%s%s   %s%s\033[K", progress->what, bar, last->done,
            last->wanted, last->may_want_more && !at_end ? "+" : "", rate, time, half_width);
    fflush(progress->out);
}

/* A line is put together first and written at once: others may write to the same stream. */
struct line {
    struct writer writer;
    char *text;
    size_t size;
};

static bool begin_line(struct line *line, const char *event)
{
    *line = (struct line){{NULL, 0}, NULL, 0};
    line->writer.file = open_memstream(&line->text, &line->size);
    if (line->writer.file != NULL)
        write_text(&line->writer, "{\"event\":\"%s\"", event);
    return line->writer.file != NULL;
}

static void add_number(struct line *line, const char *key, double value)
{
    write_text(&line->writer, ",\"%s\":", key);
    write_json_number(&line->writer, value);
}

/* Durations to the millisecond, rates and half-widths to 4 digits: more would be noise. */
static double to_ms(double seconds)
{
    return round(seconds * 1000) / 1000;
}

static double to_4_digits(double value)
{
    char text[32];
    snprintf(text, sizeof text, "%.4g", value);
    return strtod(text, NULL);
}

static void end_line(struct line *line, FILE *out)
{
    write_text(&line->writer, "}\n");
    if (fclose(line->writer.file) == 0)
        fwrite(line->text, 1, line->size, out);
    fflush(out);
    free(line->text);
}

static void write_unit_line(const struct progress *progress)
{
    const struct run_progress *last = &progress->last;
    struct pace pace = pace_of(progress);
    struct line line;
    if (!begin_line(&line, "unit"))
        return;
    write_text(&line.writer, ",\"done\":%zu,\"wanted\":%zu,\"may_want_more\":%s", last->done, last->wanted,
               last->may_want_more ? "true" : "false");
    add_number(&line, "elapsed_s", to_ms(pace.elapsed_s));
    add_number(&line, "rate_per_s", to_4_digits(pace.rate_per_s));
    add_number(&line, "left_s", to_ms(pace.left_s));
    add_number(&line, "half_width", to_4_digits(last->half_width));
    add_number(&line, "half_width_wanted", last->half_width_wanted);
    if (progress->precision != NULL)
        write_text(&line.writer, ",\"half_width_is_relative\":%s",
                   progress->precision->is_relative ? "true" : "false");
    end_line(&line, progress->out);
}

void progress_start(struct progress *progress, const char *what, enum progress_style style)
{
    *progress = (struct progress){
        .style = style == PROGRESS_BAR && !can_draw() ? PROGRESS_NONE : style,
        .out = stderr,
        .what = what,
        .started_s = monotonic_s(),
        .last = {.half_width = NAN, .half_width_wanted = NAN},
        .is_told = true,
    };
    struct line line;
    if (progress->style != PROGRESS_NDJSON || !begin_line(&line, "start"))
        return;
    write_text(&line.writer, ",\"what\":");
    write_json_text(&line.writer, what);
    end_line(&line, progress->out);
}

void progress_aim(struct progress *progress, const struct precision_target *precision)
{
    progress->precision = precision;
}

static void tell(struct progress *progress)
{
    if (progress->style == PROGRESS_BAR)
        draw(progress, false);
    else
        write_unit_line(progress);
    progress->shown_s = monotonic_s();
    progress->is_told = true;
}

void progress_update(void *context, const struct run_progress *now)
{
    struct progress *progress = context;
    if (progress->style == PROGRESS_NONE)
        return;
    if (!progress->is_under_way)
        progress->started_done = now->done;
    progress->is_under_way = true;
    progress->last = *now;
    progress->is_told = false;
    double interval_s = progress->style == PROGRESS_BAR ? bar_interval_s : line_interval_s;
    if (monotonic_s() - progress->shown_s >= interval_s)
        tell(progress);
}

void progress_finish(struct progress *progress, size_t done, size_t wanted)
{
    if (progress->style == PROGRESS_NONE)
        return;
    if (wanted > 0) { /* a failure leaves it at what was done */
        progress->last.done = done;
        progress->last.wanted = wanted;
    }
    if (progress->style == PROGRESS_BAR) {
        draw(progress, true);
        fputc('\n', progress->out);
        return;
    }
    if (!progress->is_told)
        tell(progress);
    struct line line;
    if (!begin_line(&line, "end"))
        return;
    const char *status = wanted == 0 ? "failed" : done < wanted ? "interrupted" : "finished";
    write_text(&line.writer, ",\"status\":\"%s\",\"done\":%zu,\"wanted\":%zu", status, progress->last.done,
               progress->last.wanted);
    add_number(&line, "elapsed_s", to_ms(monotonic_s() - progress->started_s));
    end_line(&line, progress->out);
}
