#include "sim/experiment/report/report_facts.h"
#include "sim/experiment/result/table.h"

#include <stdlib.h>
#include <string.h>

static bool table(struct writer *writer, struct text_table *of)
{
    const bool fine = of != NULL && text_table_print_markdown(of, writer);
    text_table_destroy(of);
    write_text(writer, "\n");
    return fine;
}

static void line(struct writer *writer, const char *before, const char *text, const char *after)
{
    write_text(writer, "%s", before);
    write_markdown_text(writer, text);
    write_text(writer, "%s", after);
}

static void sentences(struct writer *writer, char *lines)
{
    char *rest = NULL;
    for (char *sentence = strtok_r(lines, "\n", &rest); sentence != NULL;
         sentence = strtok_r(NULL, "\n", &rest))
        line(writer, "- ", sentence, "\n");
    write_text(writer, "\n");
}

bool report_print_markdown(const struct report *report, struct writer *writer)
{
    const struct result *result = folder_result(report->kept);
    const struct experiment *experiment = result->experiment;
    line(writer, "## ", experiment_title(experiment), "\n\n");
    if (experiment_question(experiment)[0] != '\0')
        line(writer, "", experiment_question(experiment), "\n\n");
    if (experiment_answer(experiment)[0] != '\0')
        line(writer, "**", experiment_answer(experiment), "**\n\n");
    char *lines = report_sentences(result);
    if (lines == NULL)
        return false;
    sentences(writer, lines);
    free(lines);
    bool fine = table(writer, table_of(result)) && table(writer, report_costs(result));
    if (fine && count_verdicts(result).total > 0) {
        write_text(writer, "<details><summary>Predicted against published</summary>\n\n");
        fine = table(writer, report_expectations(result));
        write_text(writer, "</details>\n\n");
    }
    if (fine) {
        struct text_table *causes = report_causes(result);
        if (causes != NULL && !text_table_is_empty(causes)) {
            write_text(writer, "<details><summary>Where the time goes, in seconds</summary>\n\n");
            fine = text_table_print_markdown(causes, writer);
            write_text(writer, "\n</details>\n\n");
        }
        fine = fine && causes != NULL;
        text_table_destroy(causes);
        write_text(writer, "<details><summary>Assumed and calibrated values</summary>\n\n");
        fine = fine && table(writer, report_assumptions(experiment));
        write_text(writer, "</details>\n\n");
    }
    const struct manifest *manifest = folder_result_manifest(report->kept);
    line(writer, "vdisim ", manifest_text(manifest, "version"), "");
    line(writer, " (", manifest_text(manifest, "commit"), ")");
    write_text(writer, ", seed %lld, hash `%.12s`\n", (long long)experiment_run(experiment)->seed,
               manifest->hash);
    return fine;
}
