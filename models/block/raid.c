#include "vdisim/raid.h"

#include <assert.h>
#include <stdlib.h>

const char *raid_problem(enum raid_level level, int64_t members)
{
    switch (level) {
    case RAID_NONE:
        return members == 1 ? NULL : "without RAID there is one member";
    case RAID_0:
        return members >= 1 ? NULL : "RAID 0 needs at least one member";
    case RAID_1:
        return members >= 2 ? NULL : "RAID 1 needs at least two members";
    case RAID_5:
        return members >= 3 ? NULL : "RAID 5 needs at least three members";
    case RAID_6:
        return members >= 4 ? NULL : "RAID 6 needs at least four members";
    case RAID_10:
        if (members % 2 != 0)
            return "RAID 10 needs an even number of members";
        return members >= 4 ? NULL : "RAID 10 needs at least four members";
    }
    return "there is no such RAID level";
}

uint32_t raid_parity_units(const struct raid *raid)
{
    return raid->level == RAID_5 ? 1 : raid->level == RAID_6 ? 2 : 0;
}

uint32_t raid_data_units(const struct raid *raid)
{
    if (raid->level == RAID_1)
        return 1;
    if (raid->level == RAID_10)
        return raid->members / 2;
    return raid->members - raid_parity_units(raid);
}

void raid_steps_release(struct raid_steps *steps)
{
    free(steps->list);
    *steps = (struct raid_steps){0};
}

static bool add_step(struct raid_steps *steps, struct raid_step step)
{
    if (steps->count == steps->capacity) {
        const size_t capacity = steps->capacity == 0 ? 32 : 2 * steps->capacity;
        struct raid_step *list = realloc(steps->list, capacity * sizeof *list);
        if (list == NULL)
            return false;
        steps->list = list;
        steps->capacity = capacity;
    }
    steps->list[steps->count++] = step;
    steps->has_second |= step.second;
    return true;
}

/* Where the parity and the data of a row are: parity moves down by a member each row, data follow it. */
static uint32_t parity_member(const struct raid *raid, uint32_t row, uint32_t parity)
{
    return (raid->members - 1 - row % raid->members + parity) % raid->members;
}

static uint32_t data_member(const struct raid *raid, uint32_t row, uint32_t unit)
{
    switch (raid->level) {
    case RAID_5:
    case RAID_6:
        return (parity_member(raid, row, 0) + raid_parity_units(raid) + unit) % raid->members;
    case RAID_10:
        return 2 * unit;
    default:
        return unit;
    }
}

/* The copies of a unit, and the first of their members. */
static uint32_t copies_of(const struct raid *raid)
{
    return raid->level == RAID_1 ? raid->members : raid->level == RAID_10 ? 2 : 1;
}

/* The part of a request that is in one row: pages [from, to) of the row's data. */
struct piece {
    uint32_t row, from, to;
};

/* The part of it that is in one unit: pages [from, to) of the unit. */
struct extent {
    uint32_t from, to;
};

static struct extent extent_in(const struct raid *raid, const struct piece *piece, uint32_t unit)
{
    const uint32_t begin = unit * raid->unit_pages, end = begin + raid->unit_pages;
    return (struct extent){piece->from > begin ? piece->from - begin : 0,
                           piece->to < end ? piece->to - begin : raid->unit_pages};
}

/* One operation of each copy of a unit (or of one, to read). */
static bool add_extent(const struct raid *raid, uint32_t row, uint32_t member, struct extent extent,
                       bool writes, bool second, struct raid_steps *steps)
{
    struct raid_step step = {.member = member,
                             .copies = writes ? 1 : copies_of(raid),
                             .page = row * raid->unit_pages + extent.from,
                             .pages = extent.to - extent.from,
                             .writes = writes,
                             .second = second};
    const uint32_t times = writes ? copies_of(raid) : 1;
    for (uint32_t copy = 0; copy < times; copy++, step.member++)
        if (!add_step(steps, step))
            return false;
    return true;
}

/* The units that a piece touches. */
static bool add_units(const struct raid *raid, const struct piece *piece, bool writes, bool second,
                      struct raid_steps *steps)
{
    const uint32_t first = piece->from / raid->unit_pages, last = (piece->to - 1) / raid->unit_pages;
    for (uint32_t unit = first; unit <= last; unit++)
        if (!add_extent(raid, piece->row, data_member(raid, piece->row, unit), extent_in(raid, piece, unit),
                        writes, second, steps))
            return false;
    return true;
}

static bool add_parity(const struct raid *raid, uint32_t row, struct extent extent, bool writes, bool second,
                       struct raid_steps *steps)
{
    for (uint32_t parity = 0; parity < raid_parity_units(raid); parity++)
        if (!add_extent(raid, row, parity_member(raid, row, parity), extent, writes, second, steps))
            return false;
    return true;
}

/* Old data and old parity. */
static bool read_to_modify(const struct raid *raid, const struct piece *piece, struct extent parity,
                           struct raid_steps *steps)
{
    return add_units(raid, piece, false, false, steps) &&
           add_parity(raid, piece->row, parity, false, false, steps);
}

/* The units that the write does not cover. */
static bool read_the_rest(const struct raid *raid, const struct piece *piece, struct raid_steps *steps)
{
    for (uint32_t unit = 0; unit < raid_data_units(raid); unit++) {
        const uint32_t begin = unit * raid->unit_pages;
        if (piece->from <= begin && begin + raid->unit_pages <= piece->to)
            continue;
        if (!add_extent(raid, piece->row, data_member(raid, piece->row, unit),
                        (struct extent){0, raid->unit_pages}, false, false, steps))
            return false;
    }
    return true;
}

static bool write_with_parity(const struct raid *raid, const struct piece *piece, struct raid_steps *steps)
{
    const uint32_t unit_pages = raid->unit_pages, data = raid_data_units(raid);
    const uint32_t first = piece->from / unit_pages, last = (piece->to - 1) / unit_pages;
    const uint32_t touched = last - first + 1;
    const uint32_t covered_from = (piece->from + unit_pages - 1) / unit_pages,
                   covered_to = piece->to / unit_pages;
    const uint32_t covered = covered_to > covered_from ? covered_to - covered_from : 0;
    const struct extent parity =
        touched == 1 ? extent_in(raid, piece, first) : (struct extent){0, unit_pages};
    const bool whole = covered == data;
    bool added = true;
    if (!whole) {
        const bool rest_is_less = touched > 1 && data - covered < touched + raid_parity_units(raid);
        added = rest_is_less ? read_the_rest(raid, piece, steps) : read_to_modify(raid, piece, parity, steps);
    }
    return added && add_units(raid, piece, true, !whole, steps) &&
           add_parity(raid, piece->row, parity, true, !whole, steps);
}

bool raid_plan(const struct raid *raid, bool writes, uint32_t page, uint32_t pages, struct raid_steps *steps)
{
    assert(pages >= 1);
    steps->count = 0;
    steps->has_second = false;
    const uint32_t row_pages = raid->unit_pages * raid_data_units(raid);
    if (row_pages == raid->unit_pages && raid_parity_units(raid) == 0) /* not striped: in one piece */
        return add_extent(raid, 0, 0, (struct extent){page, page + pages}, writes, false, steps);
    for (uint32_t left = pages; left > 0;) {
        struct piece piece = {.row = page / row_pages, .from = page % row_pages};
        piece.to = row_pages - piece.from < left ? row_pages : piece.from + left;
        const bool with_parity = writes && raid_parity_units(raid) > 0;
        if (!(with_parity ? write_with_parity(raid, &piece, steps)
                          : add_units(raid, &piece, writes, false, steps)))
            return false;
        left -= piece.to - piece.from;
        page += piece.to - piece.from;
    }
    return true;
}
