/* The logons of one run, as loads.gp draws them. */
#include "sim/command/plot_data.h"

#include <math.h>
#include <stdlib.h>
#include <time.h>

struct logon_row {
    double start_minutes, load_s; /* NaN when it had not finished */
};

struct logon_reading {
    const struct plot_choice *choice;
    struct logon_row *rows;
    size_t count, capacity;
    size_t unfinished; /* among them */
};

double plot_minutes(const char *text)
{
    struct tm calendar = {0};
    double seconds;
    if (text == NULL || sscanf(text, "%4d-%2d-%2dT%2d:%2d:%lfZ", &calendar.tm_year, &calendar.tm_mon,
                               &calendar.tm_mday, &calendar.tm_hour, &calendar.tm_min, &seconds) != 6)
        return NAN;
    calendar.tm_year -= 1900;
    calendar.tm_mon -= 1;
    return ((double)(timegm(&calendar) - 1609491600) + seconds) / 60;
}

static bool take_logon(void *context, const struct result_csv_row *row, const char **why)
{
    struct logon_reading *reading = context;
    if (!plot_is_chosen(reading->choice, row))
        return true;
    struct logon_row logon = {plot_minutes(result_csv_field(row, "LogOnDate")),
                              result_csv_number(row, "ProfileLoad")};
    if (isnan(logon.start_minutes))
        return true;
    struct logon_row *rows = plot_room(reading->rows, reading->count, &reading->capacity, sizeof *rows);
    if (rows == NULL) {
        *why = "out of memory";
        return false;
    }
    reading->rows = rows;
    rows[reading->count++] = logon;
    if (isnan(logon.load_s))
        reading->unfinished++;
    return true;
}

static int by_start(const void *a, const void *b)
{
    double x = ((const struct logon_row *)a)->start_minutes, y = ((const struct logon_row *)b)->start_minutes;
    return (x > y) - (x < y);
}

/* Start, load, and the mean of the loads that started in the minute before, of the logons that finished. */
static void write_loads(struct writer *data, const struct logon_reading *reading)
{
    double sum = 0;
    size_t oldest = 0, inside = 0;
    for (size_t i = 0; i < reading->count; i++) {
        const struct logon_row *logon = &reading->rows[i];
        if (isnan(logon->load_s))
            continue;
        sum += logon->load_s;
        inside++;
        for (; reading->rows[oldest].start_minutes <= logon->start_minutes - 1; oldest++)
            if (!isnan(reading->rows[oldest].load_s)) {
                sum -= reading->rows[oldest].load_s;
                inside--;
            }
        write_plot_number(data, logon->start_minutes);
        write_text(data, "\t");
        write_plot_number(data, logon->load_s);
        write_text(data, "\t");
        write_plot_number(data, sum / (double)inside);
        write_text(data, "\n");
    }
}

/* The logons in two files: those that finished, and the starts of those that did not. */
static bool write_logons(const struct plot_result *result, struct logon_reading *reading, char *message,
                         size_t message_size)
{
    char name[64];
    if (reading->count > 0)
        qsort(reading->rows, reading->count, sizeof *reading->rows, by_start);
    snprintf(name, sizeof name, "cell-%zu-logons.dat", reading->choice->cell);
    struct writer data = plot_open(result, name);
    write_loads(&data, reading);
    if (!plot_close(&data, name, message, message_size))
        return false;
    snprintf(name, sizeof name, "cell-%zu-unfinished.dat", reading->choice->cell);
    data = plot_open(result, name);
    for (size_t i = 0; i < reading->count; i++)
        if (isnan(reading->rows[i].load_s)) {
            write_plot_number(&data, reading->rows[i].start_minutes);
            write_text(&data, "\n");
        }
    return plot_close(&data, name, message, message_size);
}

bool plot_logons(const struct plot_result *result, const struct plot_choice *choice,
                 struct plot_logons *logons, char *message, size_t message_size)
{
    struct logon_reading reading = {.choice = choice};
    bool fine = plot_read(result, "logons.csv", take_logon, &reading, message, message_size) &&
                write_logons(result, &reading, message, message_size);
    *logons = (struct plot_logons){reading.count, reading.unfinished};
    free(reading.rows);
    return fine;
}
