/* The metrics of a set of logons: profile_load.* and where its time goes. */
#ifndef VDISIM_MODELS_LOGONS_REPORT_H
#define VDISIM_MODELS_LOGONS_REPORT_H

#include "vdisim/outcome.h"

#include <stddef.h>

/* `records` in the order of their start. Logons that have not finished count in the quantiles as longer than
 * all others and in logons.unfinished; they are left out of the means. `locks`: there are locks to wait for. */
void logon_records_report(const struct logon_record *records, size_t count, bool locks,
                          struct metric_sink *sink);

#endif
