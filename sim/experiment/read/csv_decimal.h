/* Decimal commas in a table: "1,5" and "1.234,5 GiB", as spreadsheets write them where numbers look so. */
#ifndef VDISIM_CSV_DECIMAL_H
#define VDISIM_CSV_DECIMAL_H

#include "sim/experiment/read/csv.h"

/* Rewrites the numbers of a table that has decimal commas, which one separated by commas cannot: "1,5" becomes
 * "1.5", "1.234,5 GiB" "1234.5 GiB". What can be read in two ways is a problem that says both: "20,000" in a table
 * with decimal commas or separated by semicolons, "1.5" beside "1,5". Other fields stay as they are. False with the
 * problems added. */
bool csv_use_decimal_points(struct arena *arena, char separator, struct csv_field *fields, size_t count,
                            struct problems *problems);

#endif
