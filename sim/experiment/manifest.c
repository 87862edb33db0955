#include "sim/experiment/manifest.h"

#include "vdisim/random.h"
#include "vdisim/version.h"

#include <gsl/gsl_version.h>
#include <inttypes.h>

static void print_text_member(struct writer *writer, const char *name, const char *text)
{
    write_text(writer, "  \"%s\": ", name);
    write_json_text(writer, text);
    write_text(writer, ",\n");
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

void manifest_print(const struct result *result, struct writer *writer)
{
    const struct experiment *experiment = result->experiment;
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
    print_text_member(writer, "simulated_start", "2021-01-01T09:00:00Z");
    write_text(writer, "  \"seed\": %" PRId64 ",\n  \"replications\": %zu,\n  \"interrupted\": %s,\n",
               experiment_run(experiment)->seed, result->replications,
               result->interrupted ? "true" : "false");
    print_cells(result, writer);
    print_runs(result, writer);
    write_text(writer, "  \"warnings\": [");
    for (size_t i = 0; i < result->warning_count; i++) {
        write_text(writer, i == 0 ? "" : ", ");
        write_json_text(writer, result->warnings[i]);
    }
    write_text(writer, "]\n}\n");
}
