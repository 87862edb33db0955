/* Values of metrics as people write them, in the unit in which the metric is reported. */
#ifndef VDISIM_METRIC_VALUE_H
#define VDISIM_METRIC_VALUE_H

#include <stdbool.h>
#include <stddef.h>

/* Lower-case words with dots, as DESIGN lists them: profile_load.mean. */
bool metric_name_is_valid(const char *metric);

/* "7.24 s" or "7.24" of profile_load.mean is 7.24, "40 MiB/s" of egress.peak is 40. A bare number is in the
 * metric's unit. False: `message` says what was expected. */
bool metric_value_parse(const char *metric, const char *text, double *value, char *message,
                        size_t message_size);

#endif
