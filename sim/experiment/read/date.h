/* Dates as people write them in experiments, catalogues and price lists: 2021-01 or 2021-01-27. */
#ifndef VDISIM_DATE_H
#define VDISIM_DATE_H

#include <stdbool.h>

/* Whether it is a month or a day of the calendar. */
bool is_month_or_day(const char *text);

#endif
