/* How long profiles took to load over time, as a table behind the dots. */
#include "sim/experiment/report/report_facts.h"
#include "sim/experiment/result/label.h"
#include "sim/experiment/result/result_csv.h"

#include <math.h>
#include <stdlib.h>
#include <time.h>

enum {
    ROWS_MOST = 30,
    MINUTES_MOST = 100000,
    FIRST_INSTANT = 1609491600 /* 2021-01-01 09:00, when a run begins */
};

/* The logons that began within a minute. */
struct minute {
    size_t logons, finished;
    double sum_s, longest_s;
};

struct reading {
    size_t cell;
    struct minute *minutes; /* [MINUTES_MOST] */
    size_t end;             /* behind the last minute with a logon */
};

/* The minute of the run in which a time like 2021-01-01T09:00:02.400Z lies; MINUTES_MOST where it is none. */
static size_t minute_of(const char *text)
{
    struct tm calendar = {0};
    if (text == NULL || sscanf(text, "%d-%d-%dT%d:%d", &calendar.tm_year, &calendar.tm_mon, &calendar.tm_mday,
                               &calendar.tm_hour, &calendar.tm_min) != 5)
        return MINUTES_MOST;
    calendar.tm_year -= 1900;
    calendar.tm_mon -= 1;
    const double minutes = (double)(timegm(&calendar) - FIRST_INSTANT) / 60;
    return minutes >= 0 && minutes < MINUTES_MOST ? (size_t)minutes : MINUTES_MOST;
}

static bool take(void *context, const struct result_csv_row *row, const char **why)
{
    struct reading *reading = context;
    if (result_csv_ordinal(row, "cell") != reading->cell || result_csv_ordinal(row, "replication") != 1)
        return true;
    const size_t at = minute_of(result_csv_field(row, "LogOnDate"));
    if (at == MINUTES_MOST) {
        *why = "the time of a logon is none, or too late for a table";
        return false;
    }
    const double load_s = result_csv_number(row, "ProfileLoad");
    struct minute *minute = &reading->minutes[at];
    minute->logons++;
    if (!isnan(load_s)) {
        minute->finished++;
        minute->sum_s += load_s;
        minute->longest_s = fmax(minute->longest_s, load_s);
    }
    if (at >= reading->end)
        reading->end = at + 1;
    return true;
}

static void number_cell(struct text_table *table, double value, int decimals)
{
    char label[LABEL_SIZE];
    number_label(label, value, decimals);
    text_table_cell(table, label);
}

/* A row of the minutes from `first` on; none where nobody logged on. */
static void add_row(struct text_table *table, const struct minute *minutes, size_t first, size_t count)
{
    struct minute sum = {.longest_s = NAN};
    for (size_t i = first; i < first + count; i++) {
        sum.logons += minutes[i].logons;
        sum.finished += minutes[i].finished;
        sum.sum_s += minutes[i].sum_s;
        if (minutes[i].finished > 0)
            sum.longest_s = fmax(sum.longest_s, minutes[i].longest_s);
    }
    if (sum.logons == 0)
        return;
    number_cell(table, (double)first, 0);
    number_cell(table, (double)sum.logons, 0);
    number_cell(table, (double)(sum.logons - sum.finished), 0);
    number_cell(table, sum.finished == 0 ? NAN : sum.sum_s / (double)sum.finished, 1);
    number_cell(table, sum.longest_s, 1);
}

static void fill(struct text_table *table, const struct reading *reading)
{
    static const char *const headings[] = {"from minute", "logons begun", "of them unfinished",
                                           "mean load of the finished, s", "longest, s"};
    for (size_t i = 0; i < sizeof headings / sizeof headings[0]; i++)
        text_table_column(table, (const char *const[HEADING_LINES]){"", "", headings[i]}, true);
    const size_t span = (reading->end + ROWS_MOST - 1) / ROWS_MOST;
    for (size_t first = 0; first < reading->end; first += span)
        add_row(table, reading->minutes, first, first + span > reading->end ? reading->end - first : span);
}

struct text_table *report_logons(const struct report *report, size_t cell, bool *has_logons)
{
    char path[4200], message[512];
    struct reading reading = {.cell = cell, .minutes = calloc(MINUTES_MOST, sizeof *reading.minutes)};
    snprintf(path, sizeof path, "%.4000s/logons.csv", report->folder);
    FILE *file = reading.minutes == NULL ? NULL : fopen(path, "re");
    struct text_table *table = NULL;
    if (file != NULL && result_csv_read(file, path, take, &reading, message, sizeof message))
        table = text_table_create();
    *has_logons = reading.end > 0;
    if (table != NULL && *has_logons)
        fill(table, &reading);
    if (file != NULL)
        fclose(file);
    free(reading.minutes);
    return table;
}
