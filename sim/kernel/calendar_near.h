/* The near tier of the calendar: the entries in their order, from near_first to near_last. An event that joins makes the
 * shorter side step aside; one that is cancelled leaves a blank, which is passed over. Included by calendar.c alone. */
#ifndef VDISIM_KERNEL_CALENDAR_NEAR_H
#define VDISIM_KERNEL_CALENDAR_NEAR_H

#include "sim/kernel/calendar.h"

#include <assert.h>

static inline bool entry_is_blank(const struct calendar_entry *entry)
{
    return entry->blank & 1;
}

static inline uint64_t entry_sequence(const struct calendar_entry *entry)
{
    return entry_is_blank(entry) ? entry->blank >> 1 : entry->event->sequence;
}

static inline bool entry_before(const struct calendar_entry *entry, int64_t time_ns, uint64_t sequence)
{
    return entry->time_ns < time_ns || (entry->time_ns == time_ns && entry_sequence(entry) < sequence);
}

static inline uint32_t near_count(const struct sim_calendar *calendar)
{
    return calendar->near_last - calendar->near_first;
}

/* Puts in an entry scheduled after all others; there must be room behind the last one. */
static inline void near_insert(struct sim_calendar *calendar, struct calendar_entry entry)
{
    struct calendar_entry *near = calendar->near;
    uint32_t first = calendar->near_first;
    uint32_t last = calendar->near_last;
    uint32_t place;
    if (first > 0 && first < last && entry.time_ns < near[first + (last - first) / 2].time_ns) {
        place = first - 1;
        calendar->near_first = place;
        for (; near[place + 1].time_ns <= entry.time_ns; place++)
            near[place] = near[place + 1];
    } else {
        place = last;
        calendar->near_last = last + 1;
        for (; place > first && near[place - 1].time_ns > entry.time_ns; place--)
            near[place] = near[place - 1];
    }
    near[place] = entry;
}

/* Blanks out an event that is there. */
static inline void near_blank(struct sim_calendar *calendar, const struct sim_event *event)
{
    uint32_t low = calendar->near_first;
    uint32_t high = calendar->near_last;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (entry_before(&calendar->near[middle], event->time_ns, event->sequence))
            low = middle + 1;
        else
            high = middle;
    }
    assert(calendar->near[low].event == event);
    calendar->near[low].blank = 2 * event->sequence + 1;
    calendar->blanks++;
}

/* Of two that are no blanks. */
static inline bool sorts_before(const struct calendar_entry *a, const struct calendar_entry *b)
{
    return a->time_ns < b->time_ns || (a->time_ns == b->time_ns && a->event->sequence < b->event->sequence);
}

/* Sorts what was put in without regard to order. */
static inline void near_sort_few(struct sim_calendar *calendar)
{
    struct calendar_entry *near = calendar->near;
    for (uint32_t i = calendar->near_first + 1; i < calendar->near_last; i++) {
        struct calendar_entry entry = near[i];
        uint32_t place = i;
        for (; place > calendar->near_first && sorts_before(&entry, &near[place - 1]); place--)
            near[place] = near[place - 1];
        near[place] = entry;
    }
}

#endif
