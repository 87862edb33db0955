/* Who asks what of the stores that several workloads share, minute by minute, beside what became of the logons meanwhile. */
#include "sim/command/plot_data.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define MIB_A_MINUTE (60 * 1048576.0)
#define FILE_NAME    "minutes-by-workload.csv"

/* As many as there are colours, the last one for all others together; and panels on a page. */
enum { WORKLOADS_DRAWN = 7, STORES_DRAWN = 4 };

struct part_row {
    size_t store, workload; /* their ordinals */
    double minute, transactions, out_mib_per_s, in_mib_per_s, request_ms;
};

struct named {
    char name[LABEL_SIZE];
};

/* The rows of the chosen run. */
struct parts_reading {
    const struct plot_choice *choice;
    struct part_row *rows;
    size_t count, capacity;
    struct named *stores, *workloads;
    size_t store_count, store_capacity, workload_count, workload_capacity;
    double minutes; /* until which there is something to draw */
};

/* Its ordinal in the order of appearance; the names are few. */
static bool find_name(struct named **names, size_t *count, size_t *capacity, const char *name,
                      size_t *ordinal)
{
    for (*ordinal = 0; *ordinal < *count; ++*ordinal)
        if (strcmp((*names)[*ordinal].name, name) == 0)
            return true;
    struct named *grown = plot_room(*names, *count, capacity, sizeof *grown);
    if (grown == NULL)
        return false;
    *names = grown;
    snprintf(grown[(*count)++].name, sizeof grown->name, "%s", name);
    return true;
}

static bool take_part(void *context, const struct result_csv_row *row, const char **why)
{
    struct parts_reading *reading = context;
    const char *store = result_csv_field(row, "store"), *workload = result_csv_field(row, "workload");
    const double minute = plot_minutes(result_csv_field(row, "TimeStamp"));
    if (!plot_is_chosen(reading->choice, row) || store == NULL || workload == NULL || isnan(minute))
        return true;
    struct part_row part = {
        .minute = minute,
        .transactions = result_csv_number(row, "Transactions"),
        .out_mib_per_s = result_csv_number(row, "Egress") / MIB_A_MINUTE,
        .in_mib_per_s = result_csv_number(row, "Ingress") / MIB_A_MINUTE,
        .request_ms = result_csv_number(row, "SuccessE2ELatency"),
    };
    struct part_row *rows = plot_room(reading->rows, reading->count, &reading->capacity, sizeof *rows);
    if (rows != NULL)
        reading->rows = rows;
    if (rows == NULL ||
        !find_name(&reading->stores, &reading->store_count, &reading->store_capacity, store, &part.store) ||
        !find_name(&reading->workloads, &reading->workload_count, &reading->workload_capacity, workload,
                   &part.workload)) {
        *why = "out of memory";
        return false;
    }
    rows[reading->count++] = part;
    if (part.transactions > 0)
        reading->minutes = fmax(reading->minutes, minute + 1);
    return true;
}

static bool is_shared(const struct parts_reading *reading, size_t store)
{
    size_t first = SIZE_MAX;
    for (size_t i = 0; i < reading->count; i++) {
        const struct part_row *row = &reading->rows[i];
        if (row->store != store || !(row->transactions > 0))
            continue;
        if (first != SIZE_MAX && row->workload != first)
            return true;
        first = row->workload;
    }
    return false;
}

static size_t shared_stores(const struct parts_reading *reading, size_t shared[STORES_DRAWN])
{
    size_t count = 0;
    for (size_t store = 0; store < reading->store_count && count < STORES_DRAWN; store++)
        if (is_shared(reading, store))
            shared[count++] = store;
    return count;
}

static size_t drawn_workloads(const struct parts_reading *reading)
{
    return reading->workload_count < WORKLOADS_DRAWN ? reading->workload_count : WORKLOADS_DRAWN;
}

/* A minute of a store; rows of the same minute follow each other. */
struct minute_parts {
    double out[WORKLOADS_DRAWN], in[WORKLOADS_DRAWN], time_ms[WORKLOADS_DRAWN], requests[WORKLOADS_DRAWN];
};

static void add_part(struct minute_parts *parts, const struct part_row *row)
{
    const size_t i = row->workload < WORKLOADS_DRAWN ? row->workload : WORKLOADS_DRAWN - 1;
    parts->out[i] += row->out_mib_per_s;
    parts->in[i] += row->in_mib_per_s;
    if (row->transactions > 0) {
        parts->requests[i] += row->transactions;
        parts->time_ms[i] += row->transactions * row->request_ms;
    }
}

/* Its beginning and its end, so that the areas have steps. */
static void write_minute(struct writer *data, double minute, const struct minute_parts *parts,
                         size_t workloads)
{
    for (int end = 0; end < 2; end++) {
        write_plot_number(data, minute + end);
        for (size_t i = 0; i < workloads; i++) {
            write_text(data, "\t");
            write_plot_number(data, parts->out[i]);
        }
        for (size_t i = 0; i < workloads; i++) {
            write_text(data, "\t");
            write_plot_number(data, parts->in[i]);
        }
        for (size_t i = 0; i < workloads; i++) {
            write_text(data, "\t");
            write_plot_number(data, parts->requests[i] > 0 ? parts->time_ms[i] / parts->requests[i] : NAN);
        }
        write_text(data, "\n");
    }
}

static void write_store(struct writer *data, const struct parts_reading *reading, size_t store)
{
    struct minute_parts parts = {0};
    double minute = 0;
    for (size_t i = 0; i < reading->count; i++) {
        const struct part_row *row = &reading->rows[i];
        if (row->store != store || row->minute >= reading->minutes)
            continue;
        if (row->minute > minute) {
            write_minute(data, minute, &parts, drawn_workloads(reading));
            parts = (struct minute_parts){0};
            minute = row->minute;
        }
        add_part(&parts, row);
    }
    write_minute(data, minute, &parts, drawn_workloads(reading));
    write_text(data, "\n\n");
}

static void write_names(struct writer *settings, const struct parts_reading *reading, const size_t *shared,
                        size_t shared_count)
{
    char setting[40];
    const size_t workloads = drawn_workloads(reading);
    write_text(settings, "workloads = %zu\nstores = %zu\narray workload_name[%zu]\narray store_name[%zu]\n",
               workloads, shared_count, workloads, shared_count);
    for (size_t i = 0; i < workloads; i++) {
        const bool others = i + 1 == WORKLOADS_DRAWN && reading->workload_count > WORKLOADS_DRAWN;
        snprintf(setting, sizeof setting, "workload_name[%zu]", i + 1);
        write_plot_setting(settings, setting, others ? "all others" : reading->workloads[i].name);
    }
    for (size_t i = 0; i < shared_count; i++) {
        snprintf(setting, sizeof setting, "store_name[%zu]", i + 1);
        write_plot_setting(settings, setting, reading->stores[shared[i]].name);
    }
}

static bool write_picture(const struct plot_result *result, const struct parts_reading *reading,
                          const size_t *shared, size_t shared_count, struct pictures *pictures, char *message,
                          size_t message_size)
{
    const size_t cell = reading->choice->cell;
    struct plot_logons logons;
    char name[128], picture[64], subtitle[4 * LABEL_SIZE];
    snprintf(picture, sizeof picture, "workloads-cell-%zu", cell);
    snprintf(name, sizeof name, "%s.dat", picture);
    struct writer data = plot_open(result, name);
    for (size_t i = 0; i < shared_count; i++)
        write_store(&data, reading, shared[i]);
    if (!plot_close(&data, name, message, message_size) ||
        !plot_logons(result, reading->choice, &logons, message, message_size))
        return false;

    const char *title = result->cells[cell - 1].title;
    snprintf(subtitle, sizeof subtitle, "%s%srun %zu", title, title[0] != '\0' ? "; " : "",
             reading->choice->replication);
    snprintf(name, sizeof name, "%s.settings.gp", picture);
    struct writer settings = plot_open(result, name);
    write_picture_name(&settings, picture);
    write_plot_setting(&settings, "heading", result->title);
    write_plot_setting(&settings, "subtitle", subtitle);
    write_text(&settings,
               "parts = '%s.dat'\nlogons = 'cell-%zu-logons.dat'\nunfinished = 'cell-%zu-unfinished.dat'\n",
               picture, cell, cell);
    write_text(&settings, "last_minute = %.0f\nfinished_count = %zu\nunfinished_count = %zu\n",
               reading->minutes, logons.count - logons.unfinished, logons.unfinished);
    write_names(&settings, reading, shared, shared_count);
    pictures_add(pictures, "workloads.gp", picture);
    return plot_close(&settings, name, message, message_size);
}

bool plot_workloads(const struct plot_result *result, const struct plot_choice *choice,
                    struct pictures *pictures, char *message, size_t message_size)
{
    char path[4200];
    snprintf(path, sizeof path, "%.4000s/" FILE_NAME, result->folder);
    if (access(path, F_OK) != 0) /* no cell has several */
        return true;
    struct parts_reading reading = {.choice = choice};
    size_t shared[STORES_DRAWN], shared_count;
    bool fine = plot_read(result, FILE_NAME, take_part, &reading, message, message_size);
    if (fine && (shared_count = shared_stores(&reading, shared)) > 0)
        fine = write_picture(result, &reading, shared, shared_count, pictures, message, message_size);
    free(reading.rows);
    free(reading.stores);
    free(reading.workloads);
    return fine;
}
