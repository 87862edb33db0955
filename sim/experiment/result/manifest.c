#include "sim/experiment/result/manifest.h"

#include "sim/experiment/read/embedded.h"
#include "sim/experiment/run/plan_text.h"
#include "vdisim/random.h"
#include "vdisim/version.h"

#include <gsl/gsl_version.h>
#include <inttypes.h>
#include <string.h>

void builtin_catalogue_hash(char sha256[SHA256_HEX_SIZE])
{
    struct sha256 hash;
    sha256_init(&hash);
    for (const struct embedded_file *file = embedded_catalogue; file->name != NULL; file++) {
        sha256_add(&hash, file->name, strlen(file->name) + 1);
        sha256_add(&hash, file->text, file->length + 1);
    }
    sha256_finish(&hash, sha256);
}

static void print_text_member(struct writer *writer, const char *name, const char *text)
{
    write_text(writer, "  \"%s\": ", name);
    write_json_text(writer, text);
    write_text(writer, ",\n");
}

static void print_texts(struct writer *writer, const char *name, const char *const *texts, size_t count)
{
    write_text(writer, "\"%s\": [", name);
    for (size_t i = 0; i < count; i++) {
        write_text(writer, i == 0 ? "" : ", ");
        write_json_text(writer, texts[i]);
    }
    write_text(writer, "]");
}

static void print_number_or_null(struct writer *writer, const char *name, bool is_given, int64_t value)
{
    if (is_given)
        write_text(writer, ", \"%s\": %" PRId64, name, value);
    else
        write_text(writer, ", \"%s\": null", name);
}

static void print_options(const struct experiment *experiment, struct writer *writer)
{
    const struct experiment_options *options = experiment_options(experiment);
    write_text(writer, "  \"options\": {");
    print_texts(writer, "sets", options->sets, options->set_count);
    write_text(writer, ", ");
    print_texts(writer, "catalogues", options->catalogues, options->catalogue_count);
    print_number_or_null(writer, "replications", options->replications > 0, options->replications);
    print_number_or_null(writer, "seed", options->seed >= 0, options->seed);
    write_text(writer, "},\n");
}

static void print_plan(const struct result *result, struct writer *writer)
{
    write_text(writer, "  \"precision\": ");
    write_json_precision(writer, result->selection == NULL ? experiment_precision(result->experiment) : NULL);
    write_text(writer, ",\n  \"selection\": ");
    write_json_selection(writer, result->selection);
    write_text(writer, ",\n  \"plan\": [");
    for (size_t cell = 0; cell < result->cell_count; cell++) {
        const struct cell_plan *plan = &result->plans[cell];
        write_text(writer, "%s\n    {\"cell\": %zu, \"replications\": %zu, \"fate\": \"%s\"",
                   cell == 0 ? "" : ",", cell + 1, plan->wanted, cell_fate_name(plan->fate));
        write_text(writer, ", \"half_width\": ");
        write_json_number(writer, plan->half_width);
        write_text(writer, "}");
    }
    write_text(writer, "],\n");
}

static void print_cells(const struct result *result, struct writer *writer)
{
    write_text(writer, "  \"cells\": [");
    for (size_t i = 0; i < result->cell_count; i++) {
        const struct cell *cell = experiment_cell(result->experiment, i);
        write_text(writer, "%s\n    {", i == 0 ? "" : ",");
        for (size_t key = 0; key < cell->assignment_count; key++) {
            write_text(writer, key == 0 ? "" : ", ");
            write_json_text(writer, cell->assignments[key].key);
            write_text(writer, ": ");
            write_json_text(writer, cell->assignments[key].value);
        }
        write_text(writer, "}");
    }
    write_text(writer, "],\n");
}

static void print_runs(const struct result *result, struct writer *writer)
{
    bool first = true;
    write_text(writer, "  \"runs\": [");
    for (size_t unit = 0; unit < result->cell_count * result->replications; unit++) {
        const struct unit_result *it = &result->units[unit];
        if (!it->done)
            continue;
        write_text(writer,
                   "%s\n    {\"cell\": %zu, \"replication\": %zu, \"fingerprint\": \"%016" PRIx64
                   "\", \"end\": \"%s\", \"events\": %" PRIu64 ", \"ties\": %" PRIu64
                   ", \"pending\": %zu, \"live\": %zu, \"blocked\": %zu}",
                   first ? "" : ",", unit / result->replications + 1, unit % result->replications + 1,
                   it->account.fingerprint, sim_end_name(it->account.end), it->account.events,
                   it->account.ties, it->account.pending_events, it->account.live_processes,
                   it->account.blocked_processes);
        first = false;
    }
    write_text(writer, "],\n");
}

static void print_outputs(const struct output_file *outputs, size_t count, struct writer *writer)
{
    write_text(writer, "  \"outputs\": [");
    for (size_t i = 0; i < count; i++) {
        write_text(writer, "%s\n    {\"file\": ", i == 0 ? "" : ",");
        write_json_text(writer, outputs[i].name);
        write_text(writer, ", \"sha256\": \"%s\"}", outputs[i].sha256);
    }
    write_text(writer, "],\n");
}

static void print_inputs(const struct experiment *experiment, struct writer *writer)
{
    size_t count;
    const struct text_file *files = experiment_files(experiment, &count);
    write_text(writer, "  \"inputs\": [");
    for (size_t i = 0; i < count; i++) {
        char sha256[SHA256_HEX_SIZE];
        sha256_text(files[i].text, files[i].length, sha256);
        write_text(writer, "%s\n    {\"path\": ", i == 0 ? "" : ",");
        write_json_text(writer, files[i].path);
        write_text(writer, ", \"sha256\": \"%s\",\n     \"text\": ", sha256);
        write_json_text(writer, files[i].text);
        write_text(writer, "}");
    }
    write_text(writer, "]\n");
}

void manifest_print(const struct result *result, const struct output_file *outputs, size_t output_count,
                    struct writer *writer)
{
    const struct experiment *experiment = result->experiment;
    char catalogue[SHA256_HEX_SIZE];
    builtin_catalogue_hash(catalogue);
    write_text(writer, "{\n");
    print_text_member(writer, "schema", "vdisim.result/1");
    print_text_member(writer, "version", VDISIM_VERSION);
    print_text_member(writer, "commit", VDISIM_COMMIT);
    print_text_member(writer, "experiment", experiment_name(experiment));
    print_text_member(writer, "title", experiment_title(experiment));
    print_text_member(writer, "file", experiment_path(experiment));
    print_text_member(writer, "hash", experiment_hash(experiment));
    print_text_member(writer, "random_generator", sim_random_gsl_type()->name);
    print_text_member(writer, "gsl_version", gsl_version);
    print_text_member(writer, "builtin_catalogue", catalogue);
    print_text_member(writer, "simulated_start", "2021-01-01T09:00:00Z");
    print_options(experiment, writer);
    write_text(writer, "  \"seed\": %" PRId64 ",\n  \"replications\": %zu,\n  \"interrupted\": %s,\n",
               experiment_run(experiment)->seed, result->replications,
               result->interrupted ? "true" : "false");
    print_plan(result, writer);
    print_cells(result, writer);
    print_runs(result, writer);
    write_text(writer, "  ");
    print_texts(writer, "warnings", (const char *const *)result->warnings, result->warning_count);
    write_text(writer, ",\n");
    print_outputs(outputs, output_count, writer);
    print_inputs(experiment, writer);
    write_text(writer, "}\n");
}
