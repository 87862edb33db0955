/* What a store did over time, as a table behind the pictures. */
#include "sim/experiment/report/report_facts.h"
#include "sim/experiment/result/label.h"
#include "sim/experiment/result/result_csv.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { ROWS_MOST = 30, MINUTES_MOST = 100000, KINDS = 5 };

/* Throttling by the limit that held requests back: column of minutes.csv, heading. */
static const char *const kinds[KINDS][2] = {
    {"SuccessWithShareIopsThrottling", "by IOPS, /s"},
    {"SuccessWithShareEgressThrottling", "by egress, /s"},
    {"SuccessWithShareIngressThrottling", "by ingress, /s"},
    {"SuccessWithMetadataThrottling", "by metadata, /s"},
    {"SuccessWithThrottling", "by account or file, /s"},
};

struct minute {
    char store[64];
    double number; /* of the minute of that store, from 0 */
    double transactions, throttled, egress_mib, ingress_mib, server_ms, e2e_ms, credits;
    double throttled_by[KINDS];
};

struct reading {
    size_t cell;
    struct minute *minutes;
    size_t count, capacity;
    bool occurred[KINDS]; /* in any minute: only these have a column */
};

static bool take(void *context, const struct result_csv_row *row, const char **why)
{
    struct reading *reading = context;
    if (result_csv_ordinal(row, "cell") != reading->cell || result_csv_ordinal(row, "replication") != 1)
        return true;
    if (reading->count == reading->capacity) {
        const size_t capacity = reading->capacity == 0 ? 256 : 2 * reading->capacity;
        struct minute *minutes =
            capacity > MINUTES_MOST ? NULL : realloc(reading->minutes, capacity * sizeof *minutes);
        if (minutes == NULL) {
            *why = "too many minutes for the memory there is";
            return false;
        }
        reading->minutes = minutes;
        reading->capacity = capacity;
    }
    const char *store = result_csv_field(row, "store");
    struct minute *minute = &reading->minutes[reading->count];
    const struct minute *before = reading->count == 0 ? NULL : minute - 1;
    *minute = (struct minute){.transactions = result_csv_number(row, "Transactions"),
                              .egress_mib = result_csv_number(row, "Egress") / 1048576,
                              .ingress_mib = result_csv_number(row, "Ingress") / 1048576,
                              .server_ms = result_csv_number(row, "SuccessServerLatency"),
                              .e2e_ms = result_csv_number(row, "SuccessE2ELatency"),
                              .credits = result_csv_number(row, "FileShareAvailableBurstCredits")};
    snprintf(minute->store, sizeof minute->store, "%.63s", store == NULL ? "" : store);
    if (before != NULL && strcmp(before->store, minute->store) == 0)
        minute->number = before->number + 1;
    const double success = result_csv_number(row, "Success");
    const double failed = result_csv_number(row, "ClientOtherError");
    minute->throttled = fmax(0, minute->transactions - success - (isnan(failed) ? 0 : failed));
    for (size_t kind = 0; kind < KINDS; kind++) {
        const double count = result_csv_number(row, kinds[kind][0]);
        minute->throttled_by[kind] = isnan(count) ? 0 : count;
        reading->occurred[kind] = reading->occurred[kind] || count > 0;
    }
    reading->count++;
    return true;
}

static void number_cell(struct text_table *table, double value, int decimals)
{
    char label[LABEL_SIZE];
    number_label(label, value, decimals);
    text_table_cell(table, label);
}

/* One row of `count` minutes of a store: rates over them, the latency weighted by requests, the lowest credits. */
static void add_row(struct text_table *table, const struct minute *minutes, size_t count,
                    const bool occurred[KINDS])
{
    struct minute sum = {.credits = NAN};
    double weighted_ms = 0, weighted_e2e_ms = 0;
    for (size_t i = 0; i < count; i++) {
        sum.transactions += minutes[i].transactions;
        sum.throttled += minutes[i].throttled;
        sum.egress_mib += minutes[i].egress_mib;
        sum.ingress_mib += minutes[i].ingress_mib;
        sum.credits = fmin(sum.credits, minutes[i].credits);
        if (minutes[i].transactions > 0 && !isnan(minutes[i].server_ms))
            weighted_ms += minutes[i].transactions * minutes[i].server_ms;
        if (minutes[i].transactions > 0 && !isnan(minutes[i].e2e_ms))
            weighted_e2e_ms += minutes[i].transactions * minutes[i].e2e_ms;
        for (size_t kind = 0; kind < KINDS; kind++)
            sum.throttled_by[kind] += minutes[i].throttled_by[kind];
    }
    const double seconds = 60.0 * (double)count;
    text_table_cell(table, minutes[0].store);
    number_cell(table, minutes[0].number, 0);
    number_cell(table, sum.transactions / seconds, 0);
    number_cell(table, sum.egress_mib / seconds, 1);
    number_cell(table, sum.ingress_mib / seconds, 1);
    number_cell(table, sum.transactions > 0 ? weighted_ms / sum.transactions : NAN, 1);
    number_cell(table, sum.transactions > 0 ? weighted_e2e_ms / sum.transactions : NAN, 1);
    number_cell(table, sum.credits, 0);
    number_cell(table, sum.throttled / seconds, 1);
    for (size_t kind = 0; kind < KINDS; kind++)
        if (occurred[kind])
            number_cell(table, sum.throttled_by[kind] / seconds, 1);
}

static void fill(struct text_table *table, const struct reading *reading)
{
    static const char *const headings[] = {"store",
                                           "from minute",
                                           "IOPS",
                                           "egress, MiB/s",
                                           "ingress, MiB/s",
                                           "server latency, ms",
                                           "end-to-end latency, ms",
                                           "burst credits left",
                                           "throttled, /s"};
    for (size_t i = 0; i < sizeof headings / sizeof headings[0]; i++)
        text_table_column(table, (const char *const[HEADING_LINES]){"", "", headings[i]}, i > 0);
    for (size_t kind = 0; kind < KINDS; kind++)
        if (reading->occurred[kind])
            text_table_column(table, (const char *const[HEADING_LINES]){"", "", kinds[kind][1]}, true);
    for (size_t first = 0; first < reading->count;) {
        size_t end = first;
        while (end < reading->count &&
               strcmp(reading->minutes[end].store, reading->minutes[first].store) == 0)
            end++;
        const size_t span = (end - first + ROWS_MOST - 1) / ROWS_MOST;
        for (; first < end; first += span)
            add_row(table, &reading->minutes[first], first + span > end ? end - first : span,
                    reading->occurred);
        first = end;
    }
}

struct text_table *report_minutes(const struct report *report, size_t cell)
{
    char path[4200], message[512];
    struct reading reading = {.cell = cell};
    snprintf(path, sizeof path, "%.4000s/minutes.csv", report->folder);
    FILE *file = fopen(path, "re");
    struct text_table *table = NULL;
    if (file != NULL && result_csv_read(file, path, take, &reading, message, sizeof message))
        table = text_table_create();
    if (table != NULL && reading.count > 0)
        fill(table, &reading);
    if (file != NULL)
        fclose(file);
    free(reading.minutes);
    return table;
}
