#include "sim/experiment/result/label.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool is_quantity(const char *text)
{
    return isdigit((unsigned char)text[text[0] == '-']);
}

/* "20000" and "20000 /h", with thousands separators; false for anything else. */
static bool whole_number_label(char label[LABEL_SIZE], const char *value)
{
    char number[LABEL_SIZE];
    size_t digits = strspn(value, "0123456789");
    if (digits == 0 || digits > 15 || (value[digits] != '\0' && value[digits] != ' '))
        return false;
    number_label(number, strtod(value, NULL), 0);
    snprintf(label, LABEL_SIZE, "%s%s", number, value + digits);
    return true;
}

void value_label(char label[LABEL_SIZE], const char *value)
{
    if (whole_number_label(label, value))
        return;
    if (strcmp(value, "true") == 0 || strcmp(value, "false") == 0) {
        snprintf(label, LABEL_SIZE, "%s", value[0] == 't' ? "on" : "off");
        return;
    }
    const char *slash = strrchr(value, '/');
    bool is_tail = slash != NULL && slash[1] != '\0' && !is_quantity(value);
    snprintf(label, LABEL_SIZE, "%s", is_tail ? slash + 1 : value);
}

void number_label(char label[LABEL_SIZE], double value, int decimals)
{
    if (!isfinite(value) || fabs(value) >= 1e18) {
        snprintf(label, LABEL_SIZE, isfinite(value) ? "%.3g" : "-", value);
        return;
    }
    char plain[64];
    snprintf(plain, sizeof plain, "%.*f", decimals, fabs(value));
    size_t whole = strcspn(plain, ".");
    bool is_zero = strspn(plain, "0.") == strlen(plain);

    size_t length = 0;
    if (value < 0 && !is_zero)
        label[length++] = '-';
    for (size_t i = 0; plain[i] != '\0'; i++) {
        if (i > 0 && i < whole && (whole - i) % 3 == 0)
            label[length++] = ',';
        label[length++] = plain[i];
    }
    label[length] = '\0';
}

int decimals_for(double smallest)
{
    if (smallest >= 100)
        return 0;
    if (smallest >= 1)
        return 1;
    return smallest >= 0.01 ? 2 : 4;
}

const char *unit_of_value(const char *value)
{
    const char *blank = strchr(value, ' ');
    return blank == NULL ? "" : blank;
}

const char *shared_unit(const struct experiment *experiment, size_t key)
{
    const char *first = unit_of_value(experiment_cell(experiment, 0)->assignments[key].value);
    for (size_t i = 0; i < experiment_cell_count(experiment); i++) {
        const char *value = experiment_cell(experiment, i)->assignments[key].value;
        if (!is_quantity(value) || strcmp(unit_of_value(value), first) != 0)
            return "";
    }
    return first;
}

bool key_varies(const struct experiment *experiment, size_t key)
{
    const char *first = experiment_cell(experiment, 0)->assignments[key].value;
    for (size_t i = 1; i < experiment_cell_count(experiment); i++)
        if (strcmp(experiment_cell(experiment, i)->assignments[key].value, first) != 0)
            return true;
    return false;
}

void cell_label(char label[LABEL_SIZE], const struct experiment *experiment, size_t cell)
{
    const struct cell *it = experiment_cell(experiment, cell);
    size_t length = 0;
    label[0] = '\0';
    for (size_t key = 0; key < it->assignment_count && length < LABEL_SIZE - 1; key++) {
        if (!key_varies(experiment, key))
            continue;
        char value[LABEL_SIZE];
        value_label(value, it->assignments[key].value);
        bool bare = strcmp(value, "on") == 0 || strcmp(value, "off") == 0;
        int written = snprintf(label + length, LABEL_SIZE - length, "%s%s%s%s", length > 0 ? ", " : "",
                               bare ? it->assignments[key].label : "", bare ? " " : "", value);
        length += written > 0 ? (size_t)written : 0;
    }
    for (char *at = label; *at != '\0'; at++)
        if (*at == '_')
            *at = ' ';
    if (label[0] == '\0')
        snprintf(label, LABEL_SIZE, "all");
}

/* What people wait for or pay, the most telling first. */
static const struct {
    const char *metric, *title;
} headlines[] = {
    {"profile_load.mean", "profile load"}, {"boot_time.mean", "boot time"},    {"job_time.mean", "job time"},
    {"throughput.mean", "throughput"},     {"bytes_sent.total", "bytes sent"},
};

enum { HEADLINES = sizeof headlines / sizeof headlines[0] };

size_t headline_rank(const char *metric)
{
    size_t rank = 0, length = strlen(metric);
    for (; rank < HEADLINES; rank++) {
        size_t tail = strlen(headlines[rank].metric);
        if (length >= tail && strcmp(metric + length - tail, headlines[rank].metric) == 0 &&
            (length == tail || metric[length - tail - 1] == '.'))
            break;
    }
    return rank;
}

bool is_headline(const char *metric)
{
    return headline_rank(metric) < HEADLINES;
}

const char *headline_title(const char *metric)
{
    size_t rank = headline_rank(metric);
    return rank < HEADLINES ? headlines[rank].title : metric;
}

size_t workload_prefix(const char *metric)
{
    const char *dot = strchr(metric, '.');
    for (size_t rank = 0; dot != NULL && rank < HEADLINES; rank++) {
        size_t word = strcspn(headlines[rank].metric, ".") + 1;
        if (strncmp(dot + 1, headlines[rank].metric, word) == 0)
            return (size_t)(dot + 1 - metric);
    }
    return 0;
}
