#include "sim/experiment/result/records.h"

#include "sim/experiment/result/folder.h"
#include "sim/experiment/result/json.h"
#include "sim/experiment/result/manifest.h"
#include "vdisim/time.h"

#include <assert.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

/* 2021-01-01T09:00:00Z, the simulated start. */
static const time_t start_of_run = 1609491600;

enum { TIME_TEXT_SIZE = 64 };

static void time_text(char text[TIME_TEXT_SIZE], int64_t since_start_ns)
{
    time_t seconds = start_of_run + (time_t)(since_start_ns / SIM_NS_PER_S);
    int milliseconds = (int)(since_start_ns % SIM_NS_PER_S / SIM_NS_PER_MS);
    struct tm calendar;
    gmtime_r(&seconds, &calendar);
    size_t length = strftime(text, TIME_TEXT_SIZE, "%Y-%m-%dT%H:%M:%S", &calendar);
    snprintf(text + length, TIME_TEXT_SIZE - length, ".%03dZ", milliseconds);
}

static void write_keys(const struct result *result, struct writer *writer)
{
    const struct cell *first = experiment_cell(result->experiment, 0);
    for (size_t i = 0; i < first->assignment_count; i++) {
        write_csv_text(writer, first->assignments[i].key);
        write_text(writer, ",");
    }
}

static void write_values(const struct result *result, size_t cell, struct writer *writer)
{
    const struct cell *it = experiment_cell(result->experiment, cell);
    for (size_t i = 0; i < it->assignment_count; i++) {
        write_csv_text(writer, it->assignments[i].value);
        write_text(writer, ",");
    }
}

static void write_expectations(const struct result *result, struct writer *writer)
{
    write_text(writer, "cell,metric,rule,published,tolerance,low,high,predicted,verdict,source\n");
    for (size_t i = 0; i < result->cell_count; i++) {
        const struct cell *cell = experiment_cell(result->experiment, i);
        for (size_t j = 0; j < cell->expectation_count; j++) {
            const struct expectation *it = &cell->expectations[j];
            double predicted;
            char title[EXPECTATION_TITLE_SIZE];
            expectation_title(title, it);
            enum verdict verdict = result_verdict(result, i, it, &predicted);
            bool is_range = it->rule == EXPECT_BETWEEN;
            write_text(writer, "%zu,", i + 1);
            write_csv_text(writer, title);
            write_text(writer, ",%s,", expectation_rule_name(it->rule));
            write_csv_number(writer, it->published);
            write_text(writer, ",");
            write_csv_number(writer, it->rule == EXPECT_TOLERANCE ? it->tolerance : NAN);
            write_text(writer, ",");
            write_csv_number(writer, is_range ? it->low : NAN);
            write_text(writer, ",");
            write_csv_number(writer, is_range ? it->high : NAN);
            write_text(writer, ",");
            write_csv_number(writer, predicted);
            write_text(writer, ",%s,", verdict_name(verdict));
            write_csv_text(writer, it->source == NULL ? "" : it->source);
            write_text(writer, "\n");
        }
    }
}

static void write_metric_names(const struct result *result, struct writer *writer)
{
    for (size_t i = 0; i < result->metric_count; i++) {
        char heading[512];
        snprintf(heading, sizeof heading, result->metrics[i].unit[0] != '\0' ? "%s [%s]" : "%s",
                 result->metrics[i].name, result->metrics[i].unit);
        write_text(writer, ",");
        write_csv_text(writer, heading);
    }
    write_text(writer, "\n");
}

static void write_metrics(const struct result *result, const double *values, struct writer *writer)
{
    for (size_t i = 0; i < result->metric_count; i++) {
        write_text(writer, ",");
        write_csv_number(writer, values[i]);
    }
    write_text(writer, "\n");
}

static void write_runs(const struct result *result, struct writer *writer)
{
    write_text(writer, "cell,");
    write_keys(result, writer);
    write_text(writer, "replication,run_effect");
    write_metric_names(result, writer);
    for (size_t unit = 0; unit < result->cell_count * result->replications; unit++) {
        const struct unit_result *it = &result->units[unit];
        if (!it->done)
            continue;
        write_text(writer, "%zu,", unit / result->replications + 1);
        write_values(result, unit / result->replications, writer);
        write_text(writer, "%zu,", unit % result->replications + 1);
        write_csv_number(writer, it->run_effect);
        write_metrics(result, it->metrics, writer);
    }
}

/* As runs.csv, a row a batch. */
static void write_batches(const struct result *result, struct writer *writer)
{
    write_text(writer, "cell,");
    write_keys(result, writer);
    write_text(writer, "replication,batch");
    write_metric_names(result, writer);
    for (size_t unit = 0; unit < result->cell_count * result->replications; unit++)
        for (size_t part = 0; part < result->units[unit].part_count; part++) {
            write_text(writer, "%zu,", unit / result->replications + 1);
            write_values(result, unit / result->replications, writer);
            write_text(writer, "%zu,%zu", unit % result->replications + 1, part + 1);
            write_metrics(result, result->units[unit].parts + part * result->metric_count, writer);
        }
}

/* "server latency" -> "server_latency" */
static void write_name_in_column(struct writer *writer, const char *name)
{
    for (; *name != '\0'; name++)
        write_text(writer, "%c", *name == ' ' ? '_' : *name);
}

/* A digit for each nanosecond, so that the causes add up to the load time exactly. */
static void write_seconds(struct writer *writer, int64_t ns)
{
    write_text(writer, "%" PRId64 ".%09" PRId64, ns / SIM_NS_PER_S, ns % SIM_NS_PER_S);
}

static void write_logon(const struct logon_record *logon, size_t cell, size_t replication,
                        struct writer *writer)
{
    char start[TIME_TEXT_SIZE];
    time_text(start, logon->start_ns);
    write_text(writer, "%zu,%zu,user%05" PRIu32 ",host%03" PRIu32 ",%s,", cell + 1, replication + 1,
               logon->user, logon->host, start);
    if (logon->finished)
        write_seconds(writer, logon->load_ns);
    write_text(writer, ",%s,%" PRIu32 ",%" PRId64 ",%" PRId64, logon->finished ? "true" : "false",
               logon->requests, logon->bytes_read, logon->bytes_written);
    for (int cause = 0; cause < CAUSE_COUNT; cause++) {
        int64_t sum_ns = 0;
        for (int phase = 0; phase < PHASE_COUNT; phase++)
            sum_ns += logon->phase_cause_ns[phase][cause];
        write_text(writer, ",");
        write_seconds(writer, sum_ns);
    }
    write_text(writer, "\n");
}

static void write_logons(const struct result *result, struct writer *writer)
{
    write_text(writer,
               "cell,replication,UserName,MachineName,LogOnDate,ProfileLoad,Finished,Requests,BytesRead,"
               "BytesWritten");
    for (int cause = 0; cause < CAUSE_COUNT; cause++) {
        write_text(writer, ",");
        write_name_in_column(writer, wait_cause_name((enum wait_cause)cause));
        write_text(writer, "_s");
    }
    write_text(writer, "\n");
    for (size_t unit = 0; unit < result->cell_count * result->replications; unit++)
        for (size_t i = 0; i < result->units[unit].logon_count; i++)
            write_logon(&result->units[unit].logons[i], unit / result->replications,
                        unit % result->replications, writer);
}

static void write_minute(const struct minute_record *minute, int64_t since_start_ns, struct writer *writer)
{
    char start[TIME_TEXT_SIZE];
    time_text(start, since_start_ns);
    uint64_t transactions = 0;
    for (int type = 0; type < RESPONSE_TYPE_COUNT; type++)
        transactions += minute->transactions[type];
    write_text(writer, ",%s,%" PRIu64, start, transactions);
    for (int type = 0; type < RESPONSE_TYPE_COUNT; type++)
        write_text(writer, ",%" PRIu64, minute->transactions[type]);
    write_text(writer, ",%" PRId64 ",%" PRId64, minute->ingress_bytes, minute->egress_bytes);

    double count = transactions > 0 ? (double)transactions : NAN;
    const double values[] = {minute->server_latency_sum_ms / count, minute->e2e_latency_sum_ms / count,
                             minute->max_used_iops, minute->max_used_bytes_per_s / (1024.0 * 1024.0),
                             minute->burst_credits_min};
    for (size_t i = 0; i < sizeof values / sizeof values[0]; i++) {
        write_text(writer, ",");
        write_csv_number(writer, values[i]);
    }
    write_text(writer, "\n");
}

static void write_minutes(const struct result *result, struct writer *writer)
{
    write_text(writer, "cell,replication,store,TimeStamp,Transactions");
    for (int type = 0; type < RESPONSE_TYPE_COUNT; type++)
        write_text(writer, ",%s", response_type_name((enum response_type)type));
    write_text(writer, ",Ingress,Egress,SuccessServerLatency,SuccessE2ELatency,FileShareMaxUsedIOPS,"
                       "FileShareMaxUsedBandwidthMiBps,FileShareAvailableBurstCredits\n");
    for (size_t unit = 0; unit < result->cell_count * result->replications; unit++) {
        const struct unit_result *it = &result->units[unit];
        for (size_t store = 0; it->minutes != NULL && store < result->store_count; store++)
            for (size_t minute = 0; minute < it->minute_counts[store]; minute++) {
                write_text(writer, "%zu,%zu,", unit / result->replications + 1,
                           unit % result->replications + 1);
                write_csv_text(writer, result->store_names[store]);
                write_minute(&it->minutes[store][minute], (int64_t)minute * SIM_NS_PER_MIN, writer);
            }
    }
}

static void write_workload_minute(const struct workload_minute *part, int64_t since_start_ns,
                                  struct writer *writer)
{
    char start[TIME_TEXT_SIZE];
    time_text(start, since_start_ns);
    write_text(writer, ",%s,%" PRIu64 ",%" PRId64 ",%" PRId64 ",", start, part->transactions,
               part->ingress_bytes, part->egress_bytes);
    write_csv_number(writer,
                     part->transactions > 0 ? (double)part->e2e_ns / 1e6 / (double)part->transactions : NAN);
    write_text(writer, "\n");
}

static void write_parts_of_unit(const struct result *result, size_t unit, struct writer *writer)
{
    const struct unit_result *it = &result->units[unit];
    const size_t cell = unit / result->replications, workloads = it->workload_count;
    const struct scenario *scenario = experiment_cell(result->experiment, cell)->scenario;
    for (size_t store = 0; it->workload_minutes != NULL && store < result->store_count; store++)
        for (size_t minute = 0; workloads > 0 && minute < it->minute_counts[store]; minute++)
            for (size_t workload = 0; workload < workloads; workload++) {
                write_text(writer, "%zu,%zu,", cell + 1, unit % result->replications + 1);
                write_csv_text(writer, result->store_names[store]);
                write_text(writer, ",");
                write_csv_text(writer, scenario->workloads[workload].name);
                write_workload_minute(&it->workload_minutes[store][minute * workloads + workload],
                                      (int64_t)minute * SIM_NS_PER_MIN, writer);
            }
}

static void write_minutes_by_workload(const struct result *result, struct writer *writer)
{
    write_text(writer,
               "cell,replication,store,workload,TimeStamp,Transactions,Ingress,Egress,SuccessE2ELatency\n");
    for (size_t unit = 0; unit < result->cell_count * result->replications; unit++)
        write_parts_of_unit(result, unit, writer);
}

static bool always(const struct result *result)
{
    (void)result;
    return true;
}

static bool has_batches(const struct result *result)
{
    return experiment_run(result->experiment)->batches > 0;
}

static bool has_several_workloads(const struct result *result)
{
    for (size_t i = 0; i < result->cell_count; i++)
        if (experiment_cell(result->experiment, i)->scenario->workload_count > 1)
            return true;
    return false;
}

static const struct file {
    const char *name;
    void (*write)(const struct result *result, struct writer *writer);
    bool (*is_there)(const struct result *result);
} files[] = {
    {"cells.csv", result_print_csv, always},
    {"runs.csv", write_runs, always},
    {"expectations.csv", write_expectations, always},
    {"logons.csv", write_logons, always},
    {"minutes.csv", write_minutes, always},
    {"minutes-by-workload.csv", write_minutes_by_workload, has_several_workloads},
    {"batches.csv", write_batches, has_batches},
};

enum { FILES_MOST = sizeof files / sizeof files[0] };

size_t result_file_count(const struct result *result)
{
    size_t count = 0;
    for (size_t i = 0; i < FILES_MOST; i++)
        count += files[i].is_there(result);
    return count;
}

static const struct file *file_at(const struct result *result, size_t index)
{
    assert(index < result_file_count(result));
    const struct file *file = files;
    while (!file->is_there(result) || index-- > 0)
        file++;
    return file;
}

const char *result_file_name(const struct result *result, size_t index)
{
    return file_at(result, index)->name;
}

void result_file_write(const struct result *result, size_t index, struct writer *writer)
{
    file_at(result, index)->write(result, writer);
}

bool result_write(const struct result *result, const char *path, bool replace, char *message,
                  size_t message_size)
{
    struct folder *folder = folder_create(path, replace, message, message_size);
    if (folder == NULL)
        return false;
    struct output_file outputs[FILES_MOST];
    size_t count = result_file_count(result);
    for (size_t i = 0; i < count; i++) {
        const struct file *file = file_at(result, i);
        outputs[i].name = file->name;
        file->write(result, folder_open(folder, file->name));
        folder_close_file(folder);
        folder_hash_file(folder, file->name, outputs[i].sha256);
    }
    manifest_print(result, outputs, count, folder_open(folder, "manifest.json"));
    folder_close_file(folder);
    return folder_commit(folder, message, message_size);
}
