/* Pictures of what a number is made of, a bar a cell: a time by its causes, writes by where they went, jobs one after the
 * other. */
#include "sim/command/plot_data.h"
#include "sim/experiment/result/label.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { PARTS_MOST = 10, BARS_MOST = 24 };

/* What a picture stacks: the metrics of these names, or all that begin with the name where it ends in a dot. */
struct stack {
    const char *picture, *axis;
    const char *parts[4];
    bool is_headline; /* also where there is a single part: it answers a question of its own */
};

static const struct stack stacks[] = {
    {"where-time-goes", "profile load, s", {"profile_load.by."}, false},
    {"boot-time-by-cause", "boot time, s", {"boot_time.by."}, false},
    {"bytes-sent",
     "sent by the file server, MB",
     {"bytes_sent.first_3_min", "bytes_sent.after_3_min"},
     false},
    {"jobs",
     "jobs one after the other, s",
     {"job_time.import.", "job_time.create.", "job_time.version.", "job_time.publish."},
     true},
    {"job-time-by-cause", "mean time of a job, s", {"job_time.by."}, false},
    {"host-writes", "writes on the host's disks, IOPS", {"overflow.iops", "pagefile.iops"}, true},
    {"throughput-by-kind", "throughput, MiB/s", {"throughput.read", "throughput.write"}, false},
    {"io-latency", "mean latency of an I/O, ms", {"io_latency.mean"}, true},
    {"processor-time", "processor time of an I/O, us", {"cpu.per_io"}, true},
    {"cost", "cost a month", {"cost.month"}, true},
    {"cost-of-bandwidth", "cost a month and MiB/s", {"cost.per_mib_s"}, true},
};

/* "image.job_time.by.fetch" without the name of its workload. */
static const char *plain_name(const char *metric)
{
    return metric + workload_prefix(metric);
}

static bool is_part(const struct stack *stack, const char *metric)
{
    const char *name = plain_name(metric);
    for (size_t i = 0; i < sizeof stack->parts / sizeof stack->parts[0] && stack->parts[i] != NULL; i++) {
        const size_t length = strlen(stack->parts[i]);
        if (stack->parts[i][length - 1] == '.' ? strncmp(name, stack->parts[i], length) == 0
                                               : strcmp(name, stack->parts[i]) == 0)
            return true;
    }
    return false;
}

/* "job_time.by.layer_disk" -> "layer disk"; "job_time.create.first" -> "create first". */
static void part_title(const char *metric, char title[LABEL_SIZE])
{
    const char *by = strstr(metric, ".by."), *dot = strchr(plain_name(metric), '.');
    snprintf(title, LABEL_SIZE, "%.*s%.90s",
             (int)(workload_prefix(metric) > 30 ? 30 : workload_prefix(metric)), metric,
             by != NULL    ? by + strlen(".by.")
             : dot != NULL ? dot + 1
                           : metric);
    for (char *at = title; *at != '\0'; at++)
        if (*at == '_' || *at == '.')
            *at = ' ';
}

struct parts {
    const char *names[PARTS_MOST];
    size_t count;
    double longest; /* bar */
};

static double value_of(const struct plot_result *result, size_t cell, const char *name)
{
    const struct plot_metric *metric = plot_result_metric(result, cell, "", name);
    return metric == NULL || isnan(metric->mean) ? 0 : metric->mean;
}

/* Those that are seen: a part of less than half a percent of the longest bar is not. */
static void find_parts(const struct plot_result *result, const struct stack *stack, struct parts *parts)
{
    *parts = (struct parts){0};
    for (size_t cell = 1; cell <= result->cell_count; cell++) {
        double length = 0;
        for (size_t i = 0; i < result->metric_count; i++)
            if (result->metrics[i].cell == cell && is_part(stack, result->metrics[i].name) &&
                result->metrics[i].mean > 0)
                length += result->metrics[i].mean;
        parts->longest = fmax(parts->longest, length);
    }
    for (size_t i = 0; i < result->metric_count && parts->count < PARTS_MOST; i++) {
        const struct plot_metric *metric = &result->metrics[i];
        bool known = !is_part(stack, metric->name) || !(metric->mean > 0.005 * parts->longest);
        for (size_t j = 0; j < parts->count && !known; j++)
            known = strcmp(parts->names[j], metric->name) == 0;
        if (!known)
            parts->names[parts->count++] = metric->name;
    }
}

/* One row a bar: place, label, then where each part ends. */
static bool write_bars(const struct plot_result *result, const struct stack *stack, const struct parts *parts,
                       size_t *bars, char *message, size_t message_size)
{
    char name[64];
    snprintf(name, sizeof name, "%s.dat", stack->picture);
    struct writer data = plot_open(result, name);
    *bars = 0;
    for (size_t cell = 1; cell <= result->cell_count && *bars < BARS_MOST; cell++) {
        double end = 0;
        const char *title = result->cells[cell - 1].title;
        write_text(&data, "%zu\t", ++*bars);
        write_plot_text(&data, title[0] != '\0' ? title : "all");
        write_text(&data, "\t0");
        for (size_t part = 0; part < parts->count; part++) {
            end += value_of(result, cell, parts->names[part]);
            write_text(&data, "\t");
            write_plot_number(&data, end);
        }
        write_text(&data, "\n");
    }
    return plot_close(&data, name, message, message_size);
}

static size_t widest_title(const struct plot_result *result)
{
    size_t widest = 4;
    for (size_t cell = 0; cell < result->cell_count && cell < BARS_MOST; cell++)
        if (strlen(result->cells[cell].title) > widest)
            widest = strlen(result->cells[cell].title);
    return widest;
}

static bool write_bar_settings(const struct plot_result *result, const struct stack *stack,
                               const struct parts *parts, size_t bars, char *message, size_t message_size)
{
    char name[64], title[LABEL_SIZE];
    snprintf(name, sizeof name, "%s.settings.gp", stack->picture);
    struct writer settings = plot_open(result, name);
    write_picture_name(&settings, stack->picture);
    write_plot_setting(&settings, "heading", result->title);
    write_plot_setting(&settings, "axis", stack->axis);
    snprintf(title, sizeof title, "%s.dat", stack->picture);
    write_plot_setting(&settings, "data", title);
    write_text(&settings, "bars = %zu\nparts = %zu\nwidest = %zu\nlongest = ", bars, parts->count,
               widest_title(result));
    write_plot_number(&settings, parts->longest);
    write_text(&settings, "\narray part_title[%zu]\n", parts->count);
    for (size_t part = 0; part < parts->count; part++) {
        char setting[48];
        part_title(parts->names[part], title);
        snprintf(setting, sizeof setting, "part_title[%zu]", part + 1);
        write_plot_setting(&settings, setting, parts->count == 1 ? "" : title);
    }
    return plot_close(&settings, name, message, message_size);
}

/* --- What jobs that run together do to each other: a panel a kind of job, a bar a cell. --- */

static const struct {
    const char *metric, *axis;
} victims[] = {{"profile_load.mean", "profile load, s"},
               {"boot_time.mean", "boot time, s"},
               {"job_time.mean", "time of a job, s"}};

enum { VICTIMS = sizeof victims / sizeof victims[0] };

static bool add_together(const struct plot_result *result, struct pictures *pictures, char *message,
                         size_t message_size)
{
    double longest[VICTIMS] = {0};
    size_t panels = 0, bars = 0;
    for (size_t i = 0; i < VICTIMS; i++) {
        for (size_t cell = 1; cell <= result->cell_count; cell++)
            longest[i] = fmax(longest[i], value_of(result, cell, victims[i].metric));
        panels += longest[i] > 0;
    }
    if (panels < 2 || result->cell_count < 2)
        return true;
    struct writer data = plot_open(result, "jobs-together.dat");
    for (size_t cell = 1; cell <= result->cell_count && bars < BARS_MOST; cell++) {
        write_text(&data, "%zu\t", ++bars);
        write_plot_text(&data, result->cells[cell - 1].title);
        for (size_t i = 0; i < VICTIMS; i++) {
            write_text(&data, "\t");
            write_plot_number(&data, value_of(result, cell, victims[i].metric));
        }
        write_text(&data, "\n");
    }
    if (!plot_close(&data, "jobs-together.dat", message, message_size))
        return false;
    struct writer settings = plot_open(result, "jobs-together.settings.gp");
    write_picture_name(&settings, "jobs-together");
    write_plot_setting(&settings, "heading", result->title);
    write_text(&settings, "bars = %zu\npanels = %zu\nwidest = %zu\narray axis[%d]\narray longest[%d]\n", bars,
               panels, widest_title(result), VICTIMS, VICTIMS);
    for (size_t i = 0; i < VICTIMS; i++) {
        char name[48];
        snprintf(name, sizeof name, "axis[%zu]", i + 1);
        write_plot_setting(&settings, name, victims[i].axis);
        write_text(&settings, "longest[%zu] = ", i + 1);
        write_plot_number(&settings, longest[i]);
        write_text(&settings, "\n");
    }
    pictures_add(pictures, "jobs-together.gp", "jobs-together");
    return plot_close(&settings, "jobs-together.settings.gp", message, message_size);
}

bool plot_bars(const struct plot_result *result, struct pictures *pictures, char *message,
               size_t message_size)
{
    for (size_t i = 0; i < sizeof stacks / sizeof stacks[0]; i++) {
        struct parts parts;
        size_t bars;
        find_parts(result, &stacks[i], &parts);
        if (parts.count < (stacks[i].is_headline ? 1 : 2))
            continue;
        if (!write_bars(result, &stacks[i], &parts, &bars, message, message_size) ||
            !write_bar_settings(result, &stacks[i], &parts, bars, message, message_size))
            return false;
        pictures_add(pictures, "bars.gp", stacks[i].picture);
    }
    return add_together(result, pictures, message, message_size);
}
