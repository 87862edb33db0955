/* What the page is told of an experiment before a run, and of its logons and minutes after one. */
#include "sim/lab/lab_inside.h"

#include "vdisim/entitlement.h"
#include "vdisim/time.h"

#include <assert.h>
#include <inttypes.h>
#include <math.h>

static void write_limits(struct writer *writer, const struct store_part *store)
{
    struct entitlement entitlement = {0};
    if (store->kind->entitle != NULL)
        store->kind->entitle(store->settings, &entitlement);
    write_text(writer, "[");
    for (size_t i = 0; i < entitlement.count; i++) {
        const struct entitlement_row *row = &entitlement.rows[i];
        write_text(writer, "%s{\"name\":", i > 0 ? "," : "");
        write_json_text(writer, row->name);
        write_text(writer, ",\"label\":");
        write_json_text(writer, row->label);
        write_text(writer, ",\"unit\":");
        write_json_text(writer, row->unit);
        write_text(writer, ",\"value\":");
        write_json_number(writer, row->value);
        write_text(writer, ",\"formula\":");
        write_json_text(writer, row->formula);
        write_text(writer, "}");
    }
    write_text(writer, "]");
}

static void write_cell(struct writer *writer, const struct cell *cell)
{
    write_text(writer, "{\"cell\":{");
    for (size_t i = 0; i < cell->assignment_count; i++) {
        write_text(writer, i > 0 ? "," : "");
        write_json_text(writer, cell->assignments[i].key);
        write_text(writer, ":");
        write_json_text(writer, cell->assignments[i].value);
    }
    write_text(writer, "},\"stores\":[");
    for (size_t i = 0; i < cell->scenario->store_count; i++) {
        write_text(writer, "%s{\"name\":", i > 0 ? "," : "");
        write_json_text(writer, cell->scenario->stores[i].name);
        write_text(writer, ",\"limits\":");
        write_limits(writer, &cell->scenario->stores[i]);
        write_text(writer, "}");
    }
    write_text(writer, "]}");
}

static const char *phase_name(int index)
{
    return logon_phase_name((enum logon_phase)index);
}

static const char *cause_name(int index)
{
    return wait_cause_name((enum wait_cause)index);
}

static const char *response_name(int index)
{
    return response_type_name((enum response_type)index);
}

static const char *class_name(int index)
{
    return operation_class_name((enum operation_class)index);
}

static void write_names(struct writer *writer, const char *key, const char *name_of(int index), int count)
{
    write_text(writer, ",\"%s\":[", key);
    for (int i = 0; i < count; i++) {
        write_text(writer, i > 0 ? "," : "");
        write_json_text(writer, name_of(i));
    }
    write_text(writer, "]");
}

const char *lab_description(struct lab *lab)
{
    assert(lab_is_fine(lab));
    lab_begin_text(lab);
    struct writer *writer = &lab->writer;
    if (writer->file == NULL)
        return NULL;
    const struct run_settings *run = experiment_run(lab->experiment);
    write_text(writer, "{\"name\":");
    write_json_text(writer, experiment_name(lab->experiment));
    write_text(writer, ",\"title\":");
    write_json_text(writer, experiment_title(lab->experiment));
    write_text(writer, ",\"length_s\":");
    write_json_number(writer, (double)run->length_ns / 1e9);
    write_text(writer, ",\"replications\":%" PRId64 ",\"cells\":[", run->replications);
    for (size_t i = 0; i < experiment_cell_count(lab->experiment); i++) {
        write_text(writer, i > 0 ? "," : "");
        write_cell(writer, experiment_cell(lab->experiment, i));
    }
    write_text(writer, "]");
    write_names(writer, "phases", phase_name, PHASE_COUNT);
    write_names(writer, "causes", cause_name, CAUSE_COUNT);
    write_names(writer, "responses", response_name, RESPONSE_TYPE_COUNT);
    write_names(writer, "classes", class_name, OPERATION_CLASS_COUNT);
    write_text(writer, "}");
    return lab_end_text(lab);
}

static uint64_t write_counts(struct writer *writer, const char *key, const uint64_t *counts, int count)
{
    uint64_t sum = 0;
    write_text(writer, "\"%s\":[", key);
    for (int i = 0; i < count; i++) {
        write_text(writer, "%s%" PRIu64, i > 0 ? "," : "", counts[i]);
        sum += counts[i];
    }
    write_text(writer, "],");
    return sum;
}

static void write_value(struct writer *writer, const char *key, double value)
{
    write_text(writer, ",\"%s\":", key);
    write_json_number(writer, value);
}

void write_minute_record(struct writer *writer, const struct minute_record *minute)
{
    write_text(writer, "{");
    uint64_t sum = write_counts(writer, "responses", minute->transactions, RESPONSE_TYPE_COUNT);
    write_counts(writer, "classes", minute->operations, OPERATION_CLASS_COUNT);
    write_text(writer, "\"ingress\":%" PRId64 ",\"egress\":%" PRId64, minute->ingress_bytes,
               minute->egress_bytes);
    double transactions = sum > 0 ? (double)sum : NAN;
    write_value(writer, "server_ms", minute->server_latency_sum_ms / transactions);
    write_value(writer, "e2e_ms", minute->e2e_latency_sum_ms / transactions);
    write_value(writer, "used_iops", minute->max_used_iops);
    write_value(writer, "used_bytes_per_s", minute->max_used_bytes_per_s);
    write_value(writer, "credits", minute->burst_credits_min);
    write_text(writer, "}");
}

/* NULL when there is none. */
static const struct unit_result *unit_of(const struct lab *lab, size_t cell, size_t replication)
{
    const struct result *result = lab->result;
    if (result == NULL || cell >= result->cell_count || replication >= result->replications)
        return NULL;
    const struct unit_result *unit = &result->units[cell * result->replications + replication];
    return unit->done ? unit : NULL;
}

static void write_logon(struct writer *writer, const struct logon_record *logon)
{
    write_text(writer, "[%" PRIu32 ",%" PRIu32 ",", logon->user, logon->host);
    write_json_number(writer, (double)logon->start_ns / 1e9);
    write_text(writer, ",");
    write_json_number(writer, (double)logon->load_ns / 1e9);
    write_text(writer, ",%s,%" PRIu32 ",%" PRId64 ",%" PRId64 "]", logon->finished ? "true" : "false",
               logon->requests, logon->bytes_read, logon->bytes_written);
}

const char *lab_records(struct lab *lab, size_t cell, size_t replication)
{
    const struct unit_result *unit = unit_of(lab, cell, replication);
    lab_begin_text(lab);
    struct writer *writer = &lab->writer;
    if (writer->file == NULL)
        return NULL;
    write_text(writer, "{\"logons\":[");
    for (size_t i = 0; unit != NULL && i < unit->logon_count; i++) {
        write_text(writer, i > 0 ? "," : "");
        write_logon(writer, &unit->logons[i]);
    }
    write_text(writer, "],\"stores\":[");
    for (size_t store = 0; unit != NULL && unit->minutes != NULL && store < lab->result->store_count;
         store++) {
        write_text(writer, "%s{\"name\":", store > 0 ? "," : "");
        write_json_text(writer, lab->result->store_names[store]);
        write_text(writer, ",\"minutes\":[");
        for (size_t minute = 0; minute < unit->minute_counts[store]; minute++) {
            write_text(writer, minute > 0 ? "," : "");
            write_minute_record(writer, &unit->minutes[store][minute]);
        }
        write_text(writer, "]}");
    }
    write_text(writer, "]}");
    return lab_end_text(lab);
}

const char *lab_logon(struct lab *lab, size_t cell, size_t replication, size_t index)
{
    const struct unit_result *unit = unit_of(lab, cell, replication);
    lab_begin_text(lab);
    struct writer *writer = &lab->writer;
    if (writer->file == NULL)
        return NULL;
    if (unit == NULL || index >= unit->logon_count) {
        write_text(writer, "null");
        return lab_end_text(lab);
    }
    const struct logon_record *logon = &unit->logons[index];
    write_text(writer, "{\"user\":%" PRIu32 ",\"load_ns\":%" PRId64 ",\"phases\":[", logon->user,
               logon->load_ns);
    for (int phase = 0; phase < PHASE_COUNT; phase++) {
        write_text(writer, phase > 0 ? ",[" : "[");
        for (int cause = 0; cause < CAUSE_COUNT; cause++)
            write_text(writer, "%s%" PRId64, cause > 0 ? "," : "", logon->phase_cause_ns[phase][cause]);
        write_text(writer, "]");
    }
    write_text(writer, "]}");
    return lab_end_text(lab);
}
