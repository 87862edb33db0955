/* Checksums of a unit's outcome, kept beside it: SQLite finds damage to the structure of a file, these find
 * damage to what is in it.
 */
#ifndef VDISIM_ARCHIVE_CHECK_H
#define VDISIM_ARCHIVE_CHECK_H

#include "sim/experiment/run/unit.h"

/* Of all but the logons and minutes, and of which unit it is. */
uint64_t archive_check_figures(struct unit unit, const struct unit_outcome *outcome);
uint64_t archive_check_records(const struct unit_outcome *outcome);

#endif
