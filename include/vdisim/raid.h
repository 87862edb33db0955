/* RAID: where the pages of a volume are on its members, and which operations of members a read or a write costs.
 *
 *     level   members   data units a row   a small write               a write of a whole row
 *     0       >= 1      n                  1 write                     n writes
 *     1       >= 2      1                  n writes                    n writes
 *     10      even >= 4 n / 2              2 writes                    n writes
 *     5       >= 3      n - 1              2 reads, then 2 writes      n writes
 *     6       >= 4      n - 2              3 reads, then 3 writes      n writes
 *
 * A row is one stripe unit on each member. Parity rotates (left-symmetric). A write that covers a whole row needs no
 * reads. Of a part of a row, the old data and parity are read, then the new ones written; where the write covers several
 * units and the rest of the row is fewer reads, the rest is read instead. A single unit is always read, modified and
 * written. No level ("none") is a single disk. What is not striped is read and written in one piece.
 *
 * Pure arithmetic: no time, no state. Left out: degraded arrays, rebuilds, partial-stripe logs.
 */
#ifndef VDISIM_RAID_H
#define VDISIM_RAID_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum raid_level { RAID_NONE, RAID_0, RAID_1, RAID_5, RAID_6, RAID_10 };

struct raid {
    enum raid_level level;
    uint32_t members;
    uint32_t unit_pages; /* a stripe unit */
};

/* What is wrong with it: one line without a full stop; NULL: nothing. */
const char *raid_problem(enum raid_level level, int64_t members);

/* Stripe units of data, and of parity, in a row. */
uint32_t raid_data_units(const struct raid *raid);
uint32_t raid_parity_units(const struct raid *raid);

/* One operation of one member. */
struct raid_step {
    uint32_t member;
    uint32_t copies; /* a read may go to any of `copies` members from `member` on; 1 else */
    uint32_t page, pages;
    bool writes;
    bool second; /* to be begun when all that are not have ended */
};

/* A growing list of steps, used again and again. */
struct raid_steps {
    struct raid_step *list;
    size_t count, capacity;
    bool has_second;
};

void raid_steps_release(struct raid_steps *steps);

/* The steps of a read or write of `pages` >= 1 from `page` on; replaces what `steps` held. False when memory is short. */
bool raid_plan(const struct raid *raid, bool writes, uint32_t page, uint32_t pages, struct raid_steps *steps);

#endif
