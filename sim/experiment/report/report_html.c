#include "sim/experiment/read/embedded.h"
#include "sim/experiment/report/report_facts.h"
#include "sim/experiment/report/svg.h"
#include "sim/experiment/result/label.h"
#include "sim/experiment/result/table.h"
#include "vdisim/version.h"

#include <stdlib.h>
#include <string.h>

/* What the pictures show, by the beginning of their names; the last stands for all others. */
static const struct {
    const char *name, *title, *description;
} captions[] = {
    {"predicted", "Predicted and published",
     "Of each cell the predicted mean, its 95 % interval, where one run would lie, and the published value "
     "where there is one."},
    {"load-distribution", "How many had loaded within how long",
     "Of each cell the share of all logons that had loaded within a time; a curve that ends below 100 % had "
     "unfinished logons."},
    {"timeline", "The run on one clock",
     "Load times of the logons at their start, then IOPS against the limits, burst credits left, throughput "
     "against the limits, "
     "and throttled requests by kind, minute by minute."},
    {"where-time-goes", "Where the time of a profile load goes",
     "Of each cell the mean profile load, by what it waits for."},
    {"boot-time-by-cause", "Where the time of a boot goes",
     "Of each cell the mean boot time, by what it waits for."},
    {"job-time-by-cause", "Where the time of a job goes",
     "Of each cell the mean time of a job, by what it waits for."},
    {"jobs-together", "What jobs do to each other",
     "Of each cell the mean time of each kind of job, one panel a kind."},
    {"jobs", "Jobs", "Of each cell its jobs, one after the other, as long as they take."},
    {"bytes-sent", "Sent by the file server",
     "Of each cell what the file server sends in the first three minutes and afterwards."},
    {"host-writes", "Writes on the host's disks",
     "Of each cell the writes that reach the host's disks, by where they come from."},
    {"throughput-by-kind", "Throughput", "Of each cell what is read and what is written a second."},
    {"io-latency", "Latency of an I/O", "Of each cell the mean latency of an I/O."},
    {"processor-time", "Processor time of an I/O", "Of each cell the processor time of an I/O."},
    {"cost-of-bandwidth", "Cost of bandwidth", "Of each cell the cost a month of a MiB/s."},
    {"cost", "Cost", "Of each cell the cost a month."},
    {"workloads", "Who asks what of the stores",
     "Load times of the logons at their start; then, of each store that several workloads share, what each "
     "of them reads (above "
     "0) and writes (below), one upon the other, and how long its requests take, minute by minute."},
    {"latency", "Latency over time", "Server and end-to-end latency of the store, minute by minute."},
    {"", "Over the run", "What was measured of the run."},
};

/* Parts of the timeline, each again by itself: not repeated in a report. */
static const char *const left_out[] = {"load-time-", "iops-", "egress-ingress-", "burst-credits-"};

static bool starts_with(const char *text, const char *beginning)
{
    return strncmp(text, beginning, strlen(beginning)) == 0;
}

static bool is_left_out(const char *name)
{
    for (size_t i = 0; i < sizeof left_out / sizeof left_out[0]; i++)
        if (starts_with(name, left_out[i]))
            return true;
    return false;
}

static void paragraph(struct writer *writer, const char *text)
{
    write_text(writer, "<p>");
    write_html_text(writer, text);
    write_text(writer, "</p>\n");
}

/* False when memory was short, true also when there was nothing to show. */
static bool table(struct writer *writer, struct text_table *of, const char *caption)
{
    const bool fine = of != NULL && text_table_print_html(of, caption, writer);
    text_table_destroy(of);
    return fine;
}

/* A table behind a line that opens it. */
static bool folded(struct writer *writer, struct text_table *of, const char *caption)
{
    write_text(writer, "<details><summary>As a table: ");
    write_html_text(writer, caption);
    write_text(writer, "</summary>\n");
    const bool fine = table(writer, of, caption);
    write_text(writer, "</details>\n");
    return fine;
}

static void picture(struct writer *writer, const struct report_picture *of, size_t number)
{
    size_t caption = 0;
    while (!starts_with(of->name, captions[caption].name))
        caption++;
    char title[256], prefix[32];
    const char *cell = strstr(of->name, "-cell-");
    snprintf(title, sizeof title, "%s%s%s", captions[caption].title, cell == NULL ? "" : ": cell ",
             cell == NULL ? "" : cell + strlen("-cell-"));
    snprintf(prefix, sizeof prefix, "figure%zu", number);
    write_text(writer, "<figure>\n");
    if (!svg_write_inline(of->svg, prefix, title, captions[caption].description, writer))
        paragraph(writer, "This picture could not be taken into the page; vdisim plot draws it.");
    write_text(writer, "<figcaption>%zu. ", number);
    write_html_text(writer, title);
    write_text(writer, ". ");
    write_html_text(writer, captions[caption].description);
    write_text(writer, "</figcaption>\n</figure>\n");
}

/* Pictures of all cells, or those of one. */
static void pictures(const struct report *report, size_t cell, struct writer *writer)
{
    size_t number = 0;
    for (size_t i = 0; i < report->picture_count; i++) {
        const struct report_picture *of = &report->pictures[i];
        if (is_left_out(of->name))
            continue;
        number++;
        const char *at = strstr(of->name, "-cell-");
        if ((at == NULL ? 0 : strtoul(at + strlen("-cell-"), NULL, 10)) == cell)
            picture(writer, of, number);
    }
}

static void sentences(struct writer *writer, const char *lines)
{
    write_text(writer, "<ul>\n");
    while (*lines != '\0') {
        const size_t length = strcspn(lines, "\n");
        char *line = strndup(lines, length);
        if (line != NULL && length > 0) {
            write_text(writer, "<li>");
            write_html_text(writer, line);
            write_text(writer, "</li>\n");
        }
        free(line);
        lines += length + (lines[length] == '\n');
    }
    write_text(writer, "</ul>\n");
}

static bool answer(const struct report *report, struct writer *writer)
{
    const struct result *result = folder_result(report->kept);
    const struct experiment *experiment = result->experiment;
    write_text(writer, "<section aria-labelledby=\"answer\"><h2 id=\"answer\">The answer</h2>\n");
    if (experiment_answer(experiment)[0] != '\0') {
        write_text(writer, "<p class=\"answer\">");
        write_html_text(writer, experiment_answer(experiment));
        write_text(writer, "</p>\n");
    }
    char *lines = report_sentences(result);
    if (lines != NULL)
        sentences(writer, lines);
    const bool fine = lines != NULL && table(writer, table_of(result), "Predicted, cell by cell") &&
                      table(writer, report_costs(result), "What it costs");
    free(lines);
    pictures(report, 0, writer);
    if (report->why_no_pictures != NULL)
        paragraph(writer, report->why_no_pictures);
    write_text(writer, "</section>\n");
    return fine;
}

static bool published(const struct report *report, struct writer *writer)
{
    const struct result *result = folder_result(report->kept);
    if (count_verdicts(result).total == 0)
        return true;
    write_text(
        writer,
        "<section aria-labelledby=\"published\"><h2 id=\"published\">Predicted against published</h2>\n");
    const bool fine = table(writer, report_expectations(result), "What was expected, and what came");
    write_text(writer, "</section>\n");
    return fine;
}

static bool over_time(const struct report *report, struct writer *writer)
{
    const struct result *result = folder_result(report->kept);
    bool fine = true;
    write_text(writer, "<section aria-labelledby=\"time\"><h2 id=\"time\">Over time</h2>\n");
    for (size_t i = 0; fine && i < report->cell_count; i++) {
        const size_t cell = report->cells[i];
        char label[LABEL_SIZE];
        cell_label(label, result->experiment, cell - 1);
        write_text(writer, "<h3>Cell %zu: ", cell);
        write_html_text(writer, label);
        write_text(writer, ", first run</h3>\n");
        pictures(report, cell, writer);
        bool has_logons;
        struct text_table *logons = report_logons(report, cell, &has_logons);
        if (logons == NULL || has_logons)
            fine = folded(writer, logons, "the logons over time");
        else
            text_table_destroy(logons);
        fine = fine && folded(writer, report_minutes(report, cell), "the stores over time");
    }
    write_text(writer, "</section>\n");
    return fine;
}

static bool where_time_goes(const struct report *report, struct writer *writer)
{
    struct text_table *causes = report_causes(folder_result(report->kept));
    if (causes == NULL || text_table_is_empty(causes)) {
        text_table_destroy(causes);
        return causes != NULL;
    }
    write_text(writer,
               "<section aria-labelledby=\"causes\"><h2 id=\"causes\">Where the time goes</h2>\n"
               "<p>Every instant of a profile load belongs to exactly one cause; they add up to the mean "
               "load. vdisim explain says what would help.</p>\n");
    const bool fine = table(writer, causes, "A profile load by what it waits for");
    write_text(writer, "</section>\n");
    return fine;
}

static bool configuration(const struct report *report, struct writer *writer)
{
    const struct experiment *experiment = folder_result(report->kept)->experiment;
    const struct manifest *manifest = folder_result_manifest(report->kept);
    char *full = NULL;
    size_t length = 0;
    FILE *stream = open_memstream(&full, &length);
    if (stream == NULL)
        return false;
    experiment_print_full(experiment, stream);
    const bool fine = fclose(stream) == 0;
    write_text(
        writer,
        "<section aria-labelledby=\"configuration\"><h2 id=\"configuration\">The configuration</h2>\n");
    for (size_t i = 0; i < manifest->options.file_count && i < 1; i++) {
        write_text(writer, "<p>The experiment file:</p>\n<pre tabindex=\"0\">");
        for (const char *c = manifest->options.files[i].text; *c != '\0'; c++) {
            const char one[2] = {*c, '\0'};
            if (*c == '\n')
                write_text(writer, "\n");
            else
                write_html_text(writer, one);
        }
        write_text(writer, "</pre>\n");
    }
    write_text(writer, "<details><summary>Every value of every cell, with where it comes "
                       "from</summary>\n<pre tabindex=\"0\">");
    for (const char *c = full; fine && *c != '\0'; c++) {
        const char one[2] = {*c, '\0'};
        if (*c == '\n')
            write_text(writer, "\n");
        else
            write_html_text(writer, one);
    }
    write_text(writer, "</pre></details>\n</section>\n");
    free(full);
    return fine;
}

static bool assumptions(const struct report *report, struct writer *writer)
{
    const struct experiment *experiment = folder_result(report->kept)->experiment;
    write_text(
        writer,
        "<section aria-labelledby=\"assumptions\"><h2 id=\"assumptions\">What it rests on</h2>\n"
        "<p>Values in use that nobody published: assumed ones first, then those that were calibrated. All "
        "others "
        "are published or follow from what is; each stands with its source in the listing above.</p>\n");
    const bool fine = table(writer, report_assumptions(experiment), "Assumed and calibrated values");
    write_text(writer, "</section>\n");
    return fine;
}

static bool again(const struct report *report, struct writer *writer)
{
    const struct result *result = folder_result(report->kept);
    const struct manifest *manifest = folder_result_manifest(report->kept);
    write_text(writer, "<section aria-labelledby=\"again\"><h2 id=\"again\">How to run it again</h2>\n<pre "
                       "tabindex=\"0\">vdisim "
                       "rerun ");
    write_html_text(writer, report->folder);
    write_text(writer, "    # from its manifest, comparing every byte\nvdisim run ");
    write_html_text(writer, experiment_path(result->experiment));
    write_text(writer, "</pre>\n<p>Made by vdisim ");
    write_html_text(writer, manifest_text(manifest, "version"));
    write_text(writer, " (");
    write_html_text(writer, manifest_text(manifest, "commit"));
    write_text(writer, "), seed %lld, up to %zu replications a cell. Hash of the experiment: <code>",
               (long long)experiment_run(result->experiment)->seed, result->replications);
    write_html_text(writer, manifest->hash);
    write_text(writer, "</code>.</p>\n");
    const bool fine = folded(writer, report_metrics(result), "all metrics of all cells");
    write_text(writer, "</section>\n");
    return fine;
}

static void head(const struct experiment *experiment, struct writer *writer)
{
    write_text(
        writer,
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<meta name=\"viewport\" "
        "content=\"width=device-width, initial-scale=1\">\n<meta http-equiv=\"Content-Security-Policy\" "
        "content=\"default-src 'none'; style-src 'unsafe-inline'; img-src data:\">\n<link rel=\"icon\" "
        "href=\"data:,\">\n<title>");
    write_html_text(writer, experiment_title(experiment));
    write_text(writer, "</title>\n<style>\n");
    for (const struct embedded_file *file = embedded_report; file->name != NULL; file++)
        write_text(writer, "%s", file->text);
    write_text(writer, "</style>\n</head>\n<body>\n<header><h1>");
    write_html_text(writer, experiment_title(experiment));
    write_text(writer, "</h1>\n");
    if (experiment_question(experiment)[0] != '\0') {
        write_text(writer, "<p class=\"question\">");
        write_html_text(writer, experiment_question(experiment));
        write_text(writer, "</p>\n");
    }
    write_text(writer, "</header>\n<main>\n");
}

bool report_print_html(const struct report *report, struct writer *writer)
{
    const struct result *result = folder_result(report->kept);
    head(result->experiment, writer);
    if (result->interrupted)
        paragraph(writer, "The run was interrupted: the figures cover the finished runs alone.");
    const bool fine = answer(report, writer) && published(report, writer) && over_time(report, writer) &&
                      where_time_goes(report, writer) && configuration(report, writer) &&
                      assumptions(report, writer) && again(report, writer);
    write_text(
        writer,
        "</main>\n<footer><p>A simulation, not a measurement. vdisim %s.</p></footer>\n</body>\n</html>\n",
        VDISIM_VERSION);
    return fine;
}
