/* The calendar: all pending events of a run, the earliest first.
 *
 * Two tiers. The near tier is a 4-ary heap of 16-byte keys (time, sequence number, slot) in which the children of a node
 * share a cache line and the smallest of them is chosen without branches. The far tier is a ladder: rungs of unsorted
 * buckets, each a power of two wide, so that an event far off costs a shift and a store. When the heap runs empty, the
 * next bucket is poured into it, or spread over a finer rung if it is too full; when the heap grows too large, it is
 * spread over a rung itself. With few events pending the calendar is the heap alone.
 *
 * Which tier and bucket an event is in follows from its time alone: events before near_end_ns are in the heap, those
 * before a rung's end in that rung (the last, finest, rung first), all others in the top list. A bucket is a chain of
 * chunks of entries, so that emptying it reads memory in order; the events themselves are only written to until they
 * are due. What costs with many events pending is waiting for memory, not instructions. */
#ifndef VDISIM_KERNEL_CALENDAR_H
#define VDISIM_KERNEL_CALENDAR_H

#include "vdisim/event.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The low bits of a key's order are the slot, the rest the sequence number. */
#define CALENDAR_SLOT_BITS 24
#define CALENDAR_SLOTS_MAX (UINT32_C(1) << CALENDAR_SLOT_BITS)
#define CALENDAR_NONE UINT32_MAX

struct calendar_key {
    int64_t time_ns;
    uint64_t order;
};

/* What a key in the heap stands for. */
struct calendar_slot {
    struct sim_event *event;
    uint32_t position; /* of the key in the heap; free: the next free slot */
};

/* An event in the far tier. Its slot is 8 * chunk + index. */
struct calendar_entry {
    int64_t time_ns;
    uint64_t sequence;
    struct sim_event *event;
};

#define CALENDAR_CHUNK_ENTRIES 5u

struct calendar_chunk {
    struct calendar_entry entries[CALENDAR_CHUNK_ENTRIES];
    uint32_t next; /* the next chunk of the bucket, all full; free: the next free chunk */
};

/* Only the first chunk of a bucket is not full. */
struct calendar_bucket {
    uint32_t chunk;
    uint32_t count; /* entries in the bucket */
};

struct calendar_rung {
    int64_t start_ns;
    int64_t end_ns;
    uint32_t shift;   /* a bucket is 2^shift ns wide */
    uint32_t base;    /* index of its first bucket */
    uint32_t current; /* buckets before this one have been emptied into a finer tier */
    uint32_t count;
};

#define CALENDAR_RUNGS_MAX 64

struct sim_calendar {
    struct calendar_key *heap; /* from HEAP_ROOT on; unused keys are later than all events */
    uint32_t heap_end;         /* one past the last key */
    bool root_spent;           /* the root has fired; it goes with the next push or pop */
    bool failed;               /* memory was short in the middle: the order is lost, the run must end */
    struct calendar_slot *slots;
    uint32_t free_slot;
    uint32_t slot_count;
    uint32_t slots_used; /* slots beyond were never in use */
    size_t far_count;
    int64_t near_end_ns;
    uint32_t heap_limit;
    uint32_t rung_count;
    struct calendar_chunk *chunks;
    uint32_t free_chunk;
    uint32_t chunk_count;
    uint32_t chunks_used;            /* chunks beyond were never in use */
    struct calendar_bucket *buckets; /* the first is the top list */
    uint32_t bucket_count;
    int64_t top_first_ns; /* bounds of the times in the top list */
    int64_t top_last_ns;
    uint64_t sequence;
    struct calendar_rung rungs[CALENDAR_RUNGS_MAX];
};

bool calendar_init(struct sim_calendar *calendar);
void calendar_release(struct sim_calendar *calendar);

/* Number of pending events. */
size_t calendar_pending(const struct sim_calendar *calendar);

/* False when memory is short: the event stays idle. */
bool calendar_insert(struct sim_calendar *calendar, struct sim_event *event, int64_t at_ns);

void calendar_remove(struct sim_calendar *calendar, struct sim_event *event);

/* True when nothing is pending up to and including this time; may be false although nothing is. */
bool calendar_quiet_until(const struct sim_calendar *calendar, int64_t time_ns);

/* Takes the earliest event if it is not later than until_ns, and says when it is due; NULL if there is none. */
struct sim_event *calendar_take(struct sim_calendar *calendar, int64_t until_ns, int64_t *due_ns);

#endif
