/* The near tier of the calendar. The root is at index 3, so that the four children of a node (4i - 8 to 4i - 5) fill one
 * 64-byte line. Included by calendar.c alone. */
#ifndef VDISIM_KERNEL_CALENDAR_HEAP_H
#define VDISIM_KERNEL_CALENDAR_HEAP_H

#include "sim/kernel/calendar.h"

#define HEAP_ROOT 3u
#define HEAP_ALIGNMENT 64u

static const struct calendar_key heap_unused = {INT64_MAX, UINT64_MAX};

static inline bool key_before(struct calendar_key a, struct calendar_key b)
{
    return (a.time_ns < b.time_ns) | ((a.time_ns == b.time_ns) & (a.order < b.order));
}

static inline uint32_t key_slot(struct calendar_key key)
{
    return (uint32_t)key.order & (CALENDAR_SLOTS_MAX - 1);
}

static inline void heap_place(struct sim_calendar *calendar, uint32_t position, struct calendar_key key)
{
    calendar->heap[position] = key;
    calendar->slots[key_slot(key)].position = position;
}

static inline void heap_sift_up(struct sim_calendar *calendar, uint32_t position, struct calendar_key key)
{
    while (position > HEAP_ROOT) {
        uint32_t parent = position / 4 + 2;
        if (!key_before(key, calendar->heap[parent]))
            break;
        heap_place(calendar, position, calendar->heap[parent]);
        position = parent;
    }
    heap_place(calendar, position, key);
}

static inline void heap_sift_down(struct sim_calendar *calendar, uint32_t position, struct calendar_key key)
{
    const struct calendar_key *heap = calendar->heap;
    for (;;) {
        uint32_t child = 4 * position - 8;
        if (child >= calendar->heap_end)
            break;
        uint32_t left = child + key_before(heap[child + 1], heap[child]);
        uint32_t right = child + 2 + key_before(heap[child + 3], heap[child + 2]);
        uint32_t least = key_before(heap[right], heap[left]) ? right : left;
        if (!key_before(heap[least], key))
            break;
        heap_place(calendar, position, heap[least]);
        position = least;
    }
    heap_place(calendar, position, key);
}

/* Puts an event into the heap; there must be a slot for it. It takes the place and the slot of a root that has fired. */
static inline void heap_push(struct sim_calendar *calendar, struct calendar_entry entry)
{
    bool replace = calendar->root_spent;
    uint32_t slot;
    if (replace) {
        slot = key_slot(calendar->heap[HEAP_ROOT]);
    } else if (calendar->free_slot != CALENDAR_NONE) {
        slot = calendar->free_slot;
        calendar->free_slot = calendar->slots[slot].position;
    } else {
        slot = calendar->slots_used++;
    }
    calendar->slots[slot].event = entry.event;
    entry.event->slot = slot;
    struct calendar_key key = {entry.time_ns, entry.sequence << CALENDAR_SLOT_BITS | slot};
    calendar->root_spent = false;
    if (replace)
        heap_sift_down(calendar, HEAP_ROOT, key);
    else
        heap_sift_up(calendar, calendar->heap_end++, key);
}

static inline void heap_free_slot(struct sim_calendar *calendar, uint32_t slot)
{
    calendar->slots[slot].position = calendar->free_slot;
    calendar->free_slot = slot;
}

/* Takes out the key at a position, and not its slot. */
static inline void heap_remove(struct sim_calendar *calendar, uint32_t position)
{
    uint32_t last = --calendar->heap_end;
    struct calendar_key moved = calendar->heap[last];
    calendar->heap[last] = heap_unused;
    if (position == last)
        return;
    if (position > HEAP_ROOT && key_before(moved, calendar->heap[position / 4 + 2]))
        heap_sift_up(calendar, position, moved);
    else
        heap_sift_down(calendar, position, moved);
}

static inline void heap_drop_spent_root(struct sim_calendar *calendar)
{
    if (calendar->root_spent) {
        calendar->root_spent = false;
        heap_free_slot(calendar, key_slot(calendar->heap[HEAP_ROOT]));
        heap_remove(calendar, HEAP_ROOT);
    }
}

#endif
