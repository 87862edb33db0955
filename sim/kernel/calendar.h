/* The calendar: all pending events of a run, the earliest first.
 *
 * Two tiers. The near tier is a short array in order: the next event is taken from its front. The far tier is a ladder:
 * rungs of unsorted buckets, each a power of two wide, so that an event far off costs a shift and a store. When the near
 * tier runs empty, the next bucket is sorted into it, or spread over a finer rung if it is too full; when the near tier
 * grows too long, it is spread over a rung itself. With few events pending the calendar is the near tier alone. The near
 * tier is long only where many events fall on one instant, and there newcomers go to its end: so no operation takes
 * longer with more events pending, but by the depth of the ladder.
 *
 * Which tier and bucket an event is in follows from its time alone: events before near_end_ns are near, those before a
 * rung's end in that rung (the last, finest, rung first), all others in the top list. A bucket is a chain of chunks of
 * entries, so that emptying it reads memory in order; the events themselves are not touched until they are due. What
 * costs with many events pending is waiting for memory, not instructions. */
#ifndef VDISIM_KERNEL_CALENDAR_H
#define VDISIM_KERNEL_CALENDAR_H

#include "vdisim/event.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define CALENDAR_NONE UINT32_MAX

/* A pending event; or, in the near tier, the blank that a cancelled one has left. An odd number is no event's address. */
struct calendar_entry {
    int64_t time_ns;
    union {
        struct sim_event *event;
        uint64_t blank; /* 2 * sequence + 1 */
    };
};

#define CALENDAR_CHUNK_ENTRIES 7u

/* The event of an entry knows it as slot 8 * chunk + index. */
struct calendar_chunk {
    _Alignas(128) struct calendar_entry entries[CALENDAR_CHUNK_ENTRIES];
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
    struct calendar_entry *near;
    uint32_t near_first;
    uint32_t near_last;  /* one past the last entry */
    uint32_t near_space; /* entries that there is room for */
    uint32_t near_limit; /* more of them are spread over a rung */
    uint32_t blanks;     /* in the near tier */
    bool failed;         /* memory was short in the middle: the order is lost, the run must end */
    int64_t near_end_ns;
    size_t far_count;
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
