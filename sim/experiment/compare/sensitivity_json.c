/* A sensitivity study for programs. */
#include "sim/experiment/compare/sensitivity.h"

#include <inttypes.h>
#include <math.h>

static void print_number(struct writer *writer, const char *name, double value)
{
    write_text(writer, ", \"%s\": ", name);
    write_json_number(writer, value);
}

static void print_text(struct writer *writer, const char *name, const char *text)
{
    write_text(writer, ", \"%s\": ", name);
    write_json_text(writer, text);
}

static void print_cell(const struct sensitivity *sensitivity, struct writer *writer)
{
    const struct cell *cell = experiment_cell(sensitivity->experiment, sensitivity->request.cell);
    write_text(writer, ",\n \"cell\": {");
    for (size_t i = 0; i < cell->assignment_count; i++) {
        write_text(writer, i == 0 ? "" : ", ");
        write_json_text(writer, cell->assignments[i].key);
        write_text(writer, ": ");
        write_json_text(writer, cell->assignments[i].value);
    }
    write_text(writer, "}");
}

static void print_input(const struct sensitivity *sensitivity, size_t rank, struct writer *writer)
{
    const struct sensitivity_input *input = &sensitivity->inputs[sensitivity->order[rank]];
    write_text(writer, "%s\n  {\"rank\": %zu, \"keys\": [", rank == 0 ? "" : ",", rank + 1);
    for (size_t k = 0; k < input->key_count; k++) {
        write_text(writer, k == 0 ? "" : ", ");
        write_json_text(writer, input->keys[k]);
    }
    write_text(writer, "]");
    print_text(writer, "parameter", input->parameter);
    print_text(writer, "help", input->row->help);
    print_text(writer, "status", input->status);
    print_text(writer, "source", input->source);
    print_text(writer, "value", input->value);
    print_text(writer, "low", input->low_text);
    print_text(writer, "high", input->high_text);
    print_text(writer, "scale", input->is_log ? "log" : "linear");
    print_number(writer, "at_low", input->at_low);
    print_number(writer, "at_high", input->at_high);
    print_number(writer, "mu", input->effect.mu);
    print_number(writer, "mu_star", input->effect.mu_star);
    if (isfinite(input->effect.interval.high)) {
        write_text(writer, ", \"mu_star_ci\": [");
        write_json_number(writer, input->effect.interval.low);
        write_text(writer, ", ");
        write_json_number(writer, input->effect.interval.high);
        write_text(writer, "]");
    } else {
        write_text(writer, ", \"mu_star_ci\": null");
    }
    print_number(writer, "sigma", input->effect.sigma);
    write_text(writer, ", \"effects\": %zu, \"bound_effects\": %zu", input->effect.count,
               input->bound_effects);
    print_number(writer, "share", sensitivity_share(sensitivity, input));
    print_text(writer, "response", sensitivity_response(&input->effect));
    write_text(writer, "}");
}

void sensitivity_print_json(const struct sensitivity *sensitivity, struct writer *writer)
{
    const struct sensitivity_request *request = &sensitivity->request;
    write_text(writer, "{\"experiment\": ");
    write_json_text(writer, experiment_name(sensitivity->experiment));
    print_text(writer, "version", VDISIM_VERSION);
    write_text(writer, ", \"seed\": %" PRId64, experiment_run(sensitivity->experiment)->seed);
    print_cell(sensitivity, writer);
    print_text(writer, "metric", sensitivity->metric);
    print_text(writer, "unit", sensitivity->unit);
    print_number(writer, "base", sensitivity->base_value);
    write_text(writer, ", \"base_is_bound\": %s,\n", sensitivity->base_is_bound ? "true" : "false");
    write_text(writer, " \"trajectories\": %zu, \"levels\": %zu, \"replications\": %" PRId64,
               request->trajectories, request->levels, experiment_run(sensitivity->base)->replications);
    print_number(writer, "confidence", request->confidence);
    write_text(
        writer,
        ", \"points\": {\"all\": %zu, \"contradictory\": %zu, \"without_value\": %zu, \"bounds\": %zu},\n",
        sensitivity->point_count, sensitivity->contradictions, sensitivity->missing_count,
        sensitivity->bound_count);
    write_text(writer, " \"inputs\": [");
    for (size_t i = 0; i < sensitivity->input_count; i++)
        print_input(sensitivity, i, writer);
    write_text(writer, "],\n \"not_varied\": [");
    for (size_t i = 0; i < sensitivity->unvaried_count; i++) {
        const struct sensitivity_unvaried *unvaried = &sensitivity->unvaried[i];
        write_text(writer, "%s\n  {\"key\": ", i == 0 ? "" : ",");
        write_json_text(writer, unvaried->key);
        print_text(writer, "status", unvaried->status);
        print_text(writer, "value", unvaried->value);
        print_text(writer, "reason", unvaried->reason);
        write_text(writer, "}");
    }
    write_text(writer, "]}\n");
}

void sensitivity_print_csv(const struct sensitivity *sensitivity, struct writer *writer)
{
    write_text(writer, "rank,key,parameter,status,value,low,high,metric,unit,base,at_low,at_high,mu,mu_star,"
                       "mu_star_low,mu_star_high,sigma,effects,bound_effects,response\n");
    for (size_t rank = 0; rank < sensitivity->input_count; rank++) {
        const struct sensitivity_input *input = &sensitivity->inputs[sensitivity->order[rank]];
        const struct sim_interval *interval = &input->effect.interval;
        const char *texts[] = {input->keys[0],  input->parameter, input->status,       input->value,
                               input->low_text, input->high_text, sensitivity->metric, sensitivity->unit};
        const double numbers[] = {
            sensitivity->base_value, input->at_low,
            input->at_high,          input->effect.mu,
            input->effect.mu_star,   isfinite(interval->high) ? interval->low : (double)NAN,
            interval->high,          input->effect.sigma};
        write_text(writer, "%zu", rank + 1);
        for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
            write_text(writer, ",");
            write_csv_text(writer, texts[i]);
        }
        for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++) {
            write_text(writer, ",");
            write_csv_number(writer, numbers[i]);
        }
        write_text(writer, ",%zu,%zu,%s\n", input->effect.count, input->bound_effects,
                   sensitivity_response(&input->effect));
    }
}
