#include "sim/experiment/read/metric_value.h"

#include "sim/experiment/read/quantity.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* The dimension of a metric follows from one of the words of its name, the first in this table that it has; `unit` field
 * units make one of the metric's. */
static const struct metric_dimension {
    const char *word;
    enum parameter_type type;
    double unit;
} dimensions[] = {
    {"fraction", PARAMETER_FRACTION, 1},
    {"over_30s", PARAMETER_FRACTION, 1},
    {"throttled", PARAMETER_NUMBER, 1}, /* counts */
    {"requests", PARAMETER_NUMBER, 1},
    {"profile_load", PARAMETER_DURATION, 1e9},
    {"boot_time", PARAMETER_DURATION, 1e9},
    {"job_time", PARAMETER_DURATION, 1e9},
    {"server_latency", PARAMETER_DURATION, 1e6},
    {"e2e_latency", PARAMETER_DURATION, 1e6},
    {"io_latency", PARAMETER_DURATION, 1e6},
    {"per_io", PARAMETER_DURATION, 1e3},
    {"egress", PARAMETER_THROUGHPUT, 1024.0 * 1024.0},
    {"ingress", PARAMETER_THROUGHPUT, 1048576.0},
    {"throughput", PARAMETER_THROUGHPUT, 1048576.0},
    {"iops", PARAMETER_RATE, 1},
    {"host_ios", PARAMETER_RATE, 1},
    {"ram_cache", PARAMETER_SIZE, 1048576.0},
    {"overflow", PARAMETER_SIZE, 1048576.0},
    {"pagefile", PARAMETER_SIZE, 1048576.0},
    {"bytes_sent", PARAMETER_SIZE, 1e6},
    {"bytes_moved", PARAMETER_SIZE, 1e9},
};

bool metric_name_is_valid(const char *metric)
{
    return metric[0] != '\0' &&
           metric[strspn(metric, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.-")] ==
               '\0';
}

static bool has_word(const char *metric, const char *word)
{
    for (const char *at = metric; *at != '\0';) {
        size_t length = strcspn(at, ".");
        if (strlen(word) == length && strncmp(at, word, length) == 0)
            return true;
        at += length + (at[length] == '.');
    }
    return false;
}

static const struct metric_dimension *dimension_of_metric(const char *metric)
{
    for (size_t i = 0; i < sizeof dimensions / sizeof dimensions[0]; i++)
        if (has_word(metric, dimensions[i].word))
            return dimensions[i].type == PARAMETER_NUMBER ? NULL : &dimensions[i];
    return NULL;
}

bool metric_value_parse(const char *metric, const char *text, double *value, char *message,
                        size_t message_size)
{
    const struct metric_dimension *dimension = dimension_of_metric(metric);
    size_t length = quantity_number(text, value);
    bool bare = length > 0 && text[length + strspn(text + length, " ")] == '\0';
    if (dimension == NULL || bare) {
        if (bare && isfinite(*value))
            return true;
        snprintf(message, message_size, "'%.60s' is not a number", text);
        return false;
    }
    struct quantity quantity;
    if (!quantity_parse(dimension->type, text, &quantity, message, message_size))
        return false;
    *value = quantity.number / dimension->unit;
    if (!isfinite(*value))
        snprintf(message, message_size, "'%.60s' is not a number", text);
    return isfinite(*value);
}
