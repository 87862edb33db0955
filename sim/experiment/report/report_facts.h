/* What both forms of a report say: sentences and tables made of a result. */
#ifndef VDISIM_REPORT_FACTS_H
#define VDISIM_REPORT_FACTS_H

#include "sim/experiment/report/report.h"
#include "sim/experiment/result/text_table.h"

/* The answer, a sentence a line: what `vdisim run` says below its table, and how the loads stand against the marks of 10 s and
 * 30 s. To be freed; NULL when memory is short. */
char *report_sentences(const struct result *result);

/* Each is to be destroyed, and NULL when memory is short; one without columns when there is nothing of the kind. */
struct text_table *report_expectations(const struct result *result);
struct text_table *report_causes(const struct result *result);
struct text_table *report_costs(const struct result *result);
struct text_table *report_assumptions(const struct experiment *experiment);
struct text_table *report_metrics(const struct result *result);

/* The minutes of the first run of a cell (from 1), a row for each of at most 30 spans. NULL when the file cannot be read, too. */
struct text_table *report_minutes(const struct report *report, size_t cell);

/* The logons of that run by the minute in which they began, at most 30 spans; a table without columns where there are none. NULL as
 * above, or when a logon began later than 100,000 minutes. */
struct text_table *report_logons(const struct report *report, size_t cell, bool *has_logons);

#endif
