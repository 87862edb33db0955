/* The pictures of one run over its time: logons, and minute by minute what a store did. */
#include "sim/command/plot_data.h"
#include "sim/experiment/result/result_csv.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* The columns of minutes.csv that are drawn, each with what it is divided by. */
static const struct {
    const char *column;
    double divisor;
} minute_columns[] = {
    {"Transactions", 60},
    {"FileShareMaxUsedIOPS", 1},
    {"Egress", 60 * 1024.0 * 1024.0},
    {"Ingress", 60 * 1024.0 * 1024.0},
    {"SuccessServerLatency", 1},
    {"SuccessE2ELatency", 1},
    {"FileShareAvailableBurstCredits", 1e6},
    {"SuccessWithShareIopsThrottling", 60},
    {"SuccessWithShareEgressThrottling", 60},
    {"SuccessWithShareIngressThrottling", 60},
    {"SuccessWithMetadataThrottling", 60},
    {"SuccessWithThrottling", 60},
};

enum {
    MINUTE_COLUMNS = sizeof minute_columns / sizeof minute_columns[0],
    COLUMN_TRANSACTIONS = 0,
    COLUMN_BUSIEST = 1,
    COLUMN_EGRESS = 2,
    COLUMN_INGRESS = 3,
    COLUMN_CREDITS = 6,
    COLUMN_THROTTLED = 7
};

struct minute_row {
    char store[LABEL_SIZE];
    double values[MINUTE_COLUMNS];
};

/* The rows of the chosen run. */
struct run_reading {
    const struct plot_choice *choice;
    struct minute_row *minutes;
    size_t minute_count, minute_capacity;
    struct plot_logons logons;
};

bool plot_is_chosen(const struct plot_choice *choice, const struct result_csv_row *row)
{
    return result_csv_ordinal(row, "cell") == choice->cell &&
           result_csv_ordinal(row, "replication") == choice->replication;
}

void *plot_room(void *items, size_t count, size_t *capacity, size_t size)
{
    if (count < *capacity)
        return items;
    size_t grown = *capacity == 0 ? 1024 : 2 * *capacity;
    void *moved = realloc(items, grown * size);
    if (moved != NULL)
        *capacity = grown;
    return moved;
}

static bool take_minute(void *context, const struct result_csv_row *row, const char **why)
{
    struct run_reading *reading = context;
    const char *store = result_csv_field(row, "store");
    if (!plot_is_chosen(reading->choice, row) || store == NULL)
        return true;
    struct minute_row *rows =
        plot_room(reading->minutes, reading->minute_count, &reading->minute_capacity, sizeof *rows);
    if (rows == NULL) {
        *why = "out of memory";
        return false;
    }
    reading->minutes = rows;
    struct minute_row *minute = &rows[reading->minute_count++];
    snprintf(minute->store, sizeof minute->store, "%s", store);
    for (size_t i = 0; i < MINUTE_COLUMNS; i++)
        minute->values[i] = result_csv_number(row, minute_columns[i].column) / minute_columns[i].divisor;
    return true;
}

bool plot_read(const struct plot_result *result, const char *name, result_csv_take *take, void *context,
               char *message, size_t message_size)
{
    char path[4200];
    snprintf(path, sizeof path, "%.4000s/%s", result->folder, name);
    FILE *file = fopen(path, "r");
    if (file == NULL) {
        snprintf(message, message_size, "cannot read '%s': %s", path, strerror(errno));
        return false;
    }
    bool fine = result_csv_read(file, name, take, context, message, message_size);
    fclose(file);
    return fine;
}

/* The store with the most transactions. */
static const char *busiest_store(const struct run_reading *reading)
{
    const char *busiest = "";
    double most = -1, sum = 0;
    for (size_t i = 0; i < reading->minute_count; i++) {
        bool is_next = i == 0 || strcmp(reading->minutes[i].store, reading->minutes[i - 1].store) != 0;
        sum = reading->minutes[i].values[COLUMN_TRANSACTIONS] + (is_next ? 0 : sum);
        if (sum > most) {
            most = sum;
            busiest = reading->minutes[i].store;
        }
    }
    return busiest;
}

struct minute_facts {
    size_t count;
    bool has_credits, has_throttled;
    double most_iops, most_mib_per_s;
};

/* A limit further above the data than this is named in the key and not drawn, for the data would shrink to
 * nothing. */
static const double limit_reach = 2.5;

static bool write_minutes(const struct plot_result *result, const struct run_reading *reading,
                          const char *store, const char *name, struct minute_facts *facts, char *message,
                          size_t message_size)
{
    size_t last = 0;
    for (size_t i = 0; i < reading->minute_count; i++)
        if (strcmp(reading->minutes[i].store, store) == 0 &&
            reading->minutes[i].values[COLUMN_TRANSACTIONS] > 0)
            last = i;
    struct writer data = plot_open(result, name);
    for (size_t i = 0; i < reading->minute_count && i <= last; i++) {
        const struct minute_row *minute = &reading->minutes[i];
        if (strcmp(minute->store, store) != 0)
            continue;
        write_text(&data, "%.1f", (double)facts->count++ + 0.5);
        for (size_t j = 0; j < MINUTE_COLUMNS; j++) {
            write_text(&data, "\t");
            write_plot_number(&data, minute->values[j]);
            if (j >= COLUMN_THROTTLED && minute->values[j] > 0)
                facts->has_throttled = true;
        }
        facts->most_iops =
            fmax(facts->most_iops, fmax(minute->values[COLUMN_TRANSACTIONS], minute->values[COLUMN_BUSIEST]));
        facts->most_mib_per_s =
            fmax(facts->most_mib_per_s, fmax(minute->values[COLUMN_EGRESS], minute->values[COLUMN_INGRESS]));
        if (!isnan(minute->values[COLUMN_CREDITS]))
            facts->has_credits = true;
        write_text(&data, "\n");
    }
    return plot_close(&data, name, message, message_size);
}

/* 0 where a store does not report it or has none. */
static double limit_of(const struct plot_result *result, size_t cell, const char *store, const char *name)
{
    const struct plot_metric *metric = plot_result_metric(result, cell, store, name);
    return metric == NULL || isnan(metric->mean) ? 0 : metric->mean;
}

/* `iops_limit = 10640`, NaN where it is not drawn, and `iops_limit_title`, '' where there is none. */
static void write_limits(struct writer *settings, const struct plot_result *result, size_t cell,
                         const char *store, const struct minute_facts *facts)
{
    const struct {
        const char *setting, *metric, *title;
        double most;
    } limits[] = {{"iops_limit", "iops.limit", "limit", facts->most_iops},
                  {"iops_burst_limit", "iops.burst_limit", "limit in a burst", facts->most_iops},
                  {"egress_limit", "egress.limit", "egress limit", facts->most_mib_per_s},
                  {"ingress_limit", "ingress.limit", "ingress limit", facts->most_mib_per_s}};
    for (size_t i = 0; i < sizeof limits / sizeof limits[0]; i++) {
        char name[64], title[2 * LABEL_SIZE], number[LABEL_SIZE];
        double limit = limit_of(result, cell, store, limits[i].metric);
        bool is_drawn = limit > 0 && limit <= limit_reach * limits[i].most;
        number_label(number, limit, limit < 10 ? 1 : 0);
        snprintf(name, sizeof name, "%s_title", limits[i].setting);
        snprintf(title, sizeof title, "%s %s%s", limits[i].title, number, is_drawn ? "" : ", not shown");
        write_text(settings, "%s = ", limits[i].setting);
        write_plot_number(settings, is_drawn ? limit : NAN);
        write_text(settings, "\n");
        write_plot_setting(settings, name, limit > 0 ? title : "");
    }
}

static bool write_settings(const struct plot_result *result, const struct run_reading *reading,
                           const char *store, const char *picture, const struct minute_facts *facts,
                           char *message, size_t message_size)
{
    size_t cell = reading->choice->cell;
    char name[128], subtitle[4 * LABEL_SIZE];
    snprintf(name, sizeof name, "%s.settings.gp", picture);
    const char *cell_title = result->cells[cell - 1].title;
    snprintf(subtitle, sizeof subtitle, "%s%sstore %s, run %zu", cell_title,
             cell_title[0] != '\0' ? "; " : "", store, reading->choice->replication);

    struct writer settings = plot_open(result, name);
    write_picture_name(&settings, picture);
    write_plot_setting(&settings, "heading", result->title);
    write_plot_setting(&settings, "subtitle", subtitle);
    write_text(&settings,
               "minutes = 'cell-%zu-minutes.dat'\nlogons = 'cell-%zu-logons.dat'\n"
               "unfinished = 'cell-%zu-unfinished.dat'\n",
               cell, cell, cell);
    write_text(&settings, "last_minute = %zu\nfinished_count = %zu\nunfinished_count = %zu\n", facts->count,
               reading->logons.count - reading->logons.unfinished, reading->logons.unfinished);
    write_text(&settings, "has_logons = %d\nhas_credits = %d\nhas_throttled = %d\n",
               reading->logons.count > 0, facts->has_credits, facts->has_throttled);
    write_limits(&settings, result, cell, store, facts);
    return plot_close(&settings, name, message, message_size);
}

static bool add_pictures(const struct plot_result *result, const struct run_reading *reading,
                         const char *store, const struct minute_facts *facts, struct pictures *pictures,
                         char *message, size_t message_size)
{
    /* A single minute is a point, not a course. */
    const bool over_time = facts->count > 1;
    const struct {
        const char *script;
        bool drawn;
    } scripts[] = {
        {"timeline", over_time}, {"load-time", reading->logons.count > 0},
        {"iops", over_time},     {"egress-ingress", over_time},
        {"latency", over_time},  {"burst-credits", over_time && facts->has_credits},
    };
    static const char *const files[] = {"timeline.gp",       "load-time.gp", "iops.gp",
                                        "egress-ingress.gp", "latency.gp",   "burst-credits.gp"};
    for (size_t i = 0; i < sizeof scripts / sizeof scripts[0]; i++) {
        char name[64];
        snprintf(name, sizeof name, "%s-cell-%zu", scripts[i].script, reading->choice->cell);
        if (!scripts[i].drawn)
            continue;
        if (!write_settings(result, reading, store, name, facts, message, message_size))
            return false;
        pictures_add(pictures, files[i], name);
    }
    return true;
}

static bool draw_run(const struct plot_result *result, struct run_reading *reading, struct pictures *pictures,
                     char *message, size_t message_size)
{
    const struct plot_choice *choice = reading->choice;
    if (!plot_read(result, "minutes.csv", take_minute, reading, message, message_size) ||
        !plot_logons(result, choice, &reading->logons, message, message_size))
        return false;
    if (reading->minute_count == 0 && reading->logons.count == 0) {
        snprintf(message, message_size, "there is no finished run %zu of cell %zu in this result",
                 choice->replication, choice->cell);
        return false;
    }
    const char *store = choice->store != NULL ? choice->store : busiest_store(reading);
    struct minute_facts facts = {0};
    char minutes[64];
    snprintf(minutes, sizeof minutes, "cell-%zu-minutes.dat", choice->cell);
    if (!write_minutes(result, reading, store, minutes, &facts, message, message_size))
        return false;
    if (choice->store != NULL && facts.count == 0) {
        snprintf(message, message_size, "there is no store '%s' in this result", store);
        return false;
    }
    return add_pictures(result, reading, store, &facts, pictures, message, message_size);
}

bool plot_run(const struct plot_result *result, const struct plot_choice *choice, struct pictures *pictures,
              char *message, size_t message_size)
{
    struct run_reading reading = {.choice = choice};
    bool fine = draw_run(result, &reading, pictures, message, message_size);
    free(reading.minutes);
    return fine;
}
