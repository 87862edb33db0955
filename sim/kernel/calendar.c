#include "sim/kernel/calendar.h"

#include "sim/kernel/calendar_near.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

/* A bucket of more than BUCKET_LIMIT is spread over a finer rung, and so is a near tier of more than NEAR_LIMIT; a new
 * rung gets one bucket for BUCKET_AIM events. Chosen by measurement, see docs/kernel.md. */
#define BUCKET_LIMIT 64u
#define NEAR_LIMIT 64u
#define BUCKET_AIM 4u
#define CHUNKS_AT_FIRST 64u
#define CHUNKS_MAX (UINT32_C(1) << 28)
#define BUCKETS_MAX (UINT32_C(1) << 28)
#define PREFETCH_BUCKETS 4u

#define NEAR_AT_FIRST 256u
#define NEAR_MAX (UINT32_C(1) << 30)
#define TOP 0u

/* Makes room for `count` more entries behind the last near one. */
static bool near_make_room(struct sim_calendar *calendar, uint32_t count)
{
    uint32_t used = near_count(calendar);
    if (calendar->near_first > 0 && used + count <= calendar->near_space / 2) {
        memmove(calendar->near, calendar->near + calendar->near_first, used * sizeof *calendar->near);
    } else {
        uint64_t space = calendar->near_space ? calendar->near_space : NEAR_AT_FIRST / 2;
        while (space < 2 * ((uint64_t)used + count))
            space *= 2;
        if (space > NEAR_MAX)
            return false;
        struct calendar_entry *near = malloc(space * sizeof *near);
        if (!near)
            return false;
        if (used > 0)
            memcpy(near, calendar->near + calendar->near_first, used * sizeof *near);
        free(calendar->near);
        calendar->near = near;
        calendar->near_space = (uint32_t)space;
    }
    calendar->near_first = 0;
    calendar->near_last = used;
    return true;
}

bool calendar_init(struct sim_calendar *calendar)
{
    memset(calendar, 0, sizeof *calendar);
    calendar->near_end_ns = INT64_MAX;
    calendar->near_limit = NEAR_LIMIT;
    calendar->bucket_count = 1;
    calendar->buckets = malloc(sizeof *calendar->buckets);
    if (!calendar->buckets || !near_make_room(calendar, 1)) {
        calendar_release(calendar);
        return false;
    }
    calendar->buckets[TOP] = (struct calendar_bucket){CALENDAR_NONE, 0};
    calendar->free_chunk = CALENDAR_NONE;
    return true;
}

void calendar_release(struct sim_calendar *calendar)
{
    free(calendar->near);
    free(calendar->chunks);
    free(calendar->buckets);
    memset(calendar, 0, sizeof *calendar);
}

size_t calendar_pending(const struct sim_calendar *calendar)
{
    return (size_t)(near_count(calendar) - calendar->blanks) + calendar->far_count;
}

static uint32_t bucket_in_rung(const struct calendar_rung *rung, int64_t time_ns)
{
    return rung->base + (uint32_t)((uint64_t)(time_ns - rung->start_ns) >> rung->shift);
}

/* The bucket of a time that is not near. */
static uint32_t bucket_of(const struct sim_calendar *calendar, int64_t time_ns)
{
    for (uint32_t i = calendar->rung_count; i-- > 0;)
        if (time_ns < calendar->rungs[i].end_ns)
            return bucket_in_rung(&calendar->rungs[i], time_ns);
    return TOP;
}

static bool grow_chunks(struct sim_calendar *calendar)
{
    uint32_t count = calendar->chunk_count ? 2 * calendar->chunk_count : CHUNKS_AT_FIRST;
    if (count > CHUNKS_MAX)
        return false;
    struct calendar_chunk *chunks = aligned_alloc(sizeof *chunks, count * sizeof *chunks);
    if (!chunks)
        return false;
    if (calendar->chunks)
        memcpy(chunks, calendar->chunks, calendar->chunks_used * sizeof *chunks);
    free(calendar->chunks);
    calendar->chunks = chunks;
    calendar->chunk_count = count;
    return true;
}

static bool bucket_add_chunk(struct sim_calendar *calendar, struct calendar_bucket *bucket)
{
    uint32_t chunk = calendar->free_chunk;
    if (chunk != CALENDAR_NONE) {
        calendar->free_chunk = calendar->chunks[chunk].next;
    } else {
        if (calendar->chunks_used == calendar->chunk_count && !grow_chunks(calendar))
            return false;
        chunk = calendar->chunks_used++;
    }
    calendar->chunks[chunk].next = bucket->chunk;
    bucket->chunk = chunk;
    return true;
}

static void free_chunk(struct sim_calendar *calendar, uint32_t chunk)
{
    calendar->chunks[chunk].next = calendar->free_chunk;
    calendar->free_chunk = chunk;
}

/* The chunk is written to but not read: it is seldom in the cache. */
static inline bool bucket_add(struct sim_calendar *calendar, uint32_t index, struct calendar_entry entry)
{
    struct calendar_bucket *bucket = &calendar->buckets[index];
    uint32_t place = bucket->count % CALENDAR_CHUNK_ENTRIES;
    if (place == 0 && !bucket_add_chunk(calendar, bucket))
        return false;
    bucket->count++;
    calendar->far_count++;
    calendar->chunks[bucket->chunk].entries[place] = entry;
    entry.event->slot = 8 * bucket->chunk + place;
    return true;
}

static void bucket_remove(struct sim_calendar *calendar, uint32_t index, struct sim_event *event)
{
    struct calendar_bucket *bucket = &calendar->buckets[index];
    struct calendar_chunk *chunk = &calendar->chunks[bucket->chunk];
    uint32_t last = --bucket->count % CALENDAR_CHUNK_ENTRIES;
    struct calendar_entry *hole = &calendar->chunks[event->slot / 8].entries[event->slot % 8];
    assert(hole->event == event);
    chunk->entries[last].event->slot = event->slot;
    *hole = chunk->entries[last];
    if (last == 0) {
        uint32_t empty = bucket->chunk;
        bucket->chunk = chunk->next;
        free_chunk(calendar, empty);
    }
    calendar->far_count--;
}

static bool far_insert(struct sim_calendar *calendar, struct calendar_entry entry)
{
    uint32_t index = bucket_of(calendar, entry.time_ns);
    if (index == TOP) {
        bool empty = calendar->buckets[TOP].count == 0;
        if (empty || entry.time_ns < calendar->top_first_ns)
            calendar->top_first_ns = entry.time_ns;
        if (empty || entry.time_ns > calendar->top_last_ns)
            calendar->top_last_ns = entry.time_ns;
    }
    return bucket_add(calendar, index, entry);
}

/* Spreads the entries of a bucket over a rung. When memory is short events are lost and the calendar has failed. */
static void spread_bucket(struct sim_calendar *calendar, uint32_t index, const struct calendar_rung *rung)
{
    struct calendar_bucket bucket = calendar->buckets[index];
    calendar->buckets[index] = (struct calendar_bucket){CALENDAR_NONE, 0};
    calendar->far_count -= bucket.count;
    while (bucket.count > 0) {
        struct calendar_chunk chunk = calendar->chunks[bucket.chunk];
        if (chunk.next != CALENDAR_NONE)
            __builtin_prefetch(&calendar->chunks[chunk.next]);
        free_chunk(calendar, bucket.chunk);
        uint32_t entries = (bucket.count - 1) % CALENDAR_CHUNK_ENTRIES + 1;
        for (uint32_t i = 0; i < entries; i++) {
            struct calendar_entry entry = chunk.entries[i];
            if (!bucket_add(calendar, bucket_in_rung(rung, entry.time_ns), entry)) {
                entry.event->slot = SIM_EVENT_IDLE;
                calendar->failed = true;
            }
        }
        bucket.count -= entries;
        bucket.chunk = chunk.next;
    }
}

static int by_order(const void *a, const void *b)
{
    return sorts_before(a, b) ? -1 : 1;
}

/* Sorts a bucket into the near tier, which is empty. */
static void pour(struct sim_calendar *calendar, uint32_t index)
{
    struct calendar_bucket bucket = calendar->buckets[index];
    calendar->near_first = calendar->near_last = 0;
    if (bucket.count > calendar->near_space && !near_make_room(calendar, bucket.count)) {
        calendar->failed = true;
        return;
    }
    calendar->buckets[index] = (struct calendar_bucket){CALENDAR_NONE, 0};
    calendar->far_count -= bucket.count;
    /* The chain begins with what was added last: filling the array from its end keeps most in order. */
    struct calendar_entry *near = calendar->near + bucket.count;
    uint32_t left = bucket.count;
    while (left > 0) {
        const struct calendar_chunk *chunk = &calendar->chunks[bucket.chunk];
        uint32_t entries = (left - 1) % CALENDAR_CHUNK_ENTRIES + 1;
        uint32_t next = chunk->next;
        near -= entries;
        for (uint32_t i = 0; i < entries; i++) {
            near[i] = chunk->entries[i];
            __builtin_prefetch(near[i].event, 1);
        }
        free_chunk(calendar, bucket.chunk);
        left -= entries;
        bucket.chunk = next;
    }
    calendar->near_last = bucket.count;
    if (bucket.count <= BUCKET_LIMIT)
        near_sort_few(calendar);
    else
        qsort(calendar->near, bucket.count, sizeof *calendar->near, by_order);
    calendar->near_limit = 2 * bucket.count > NEAR_LIMIT ? 2 * bucket.count : NEAR_LIMIT;
}

/* Adds a rung for `events` events over [start_ns, end_ns); false when there is nothing to be gained or memory is short. */
static bool add_rung(struct sim_calendar *calendar, int64_t start_ns, int64_t end_ns, size_t events)
{
    uint64_t span_ns = (uint64_t)(end_ns - start_ns);
    if (span_ns < 2 || calendar->rung_count == CALENDAR_RUNGS_MAX)
        return false;
    size_t aim = events / BUCKET_AIM;
    aim = aim < 2 ? 2 : aim > BUCKETS_MAX ? BUCKETS_MAX : aim;
    uint32_t shift = 0;
    while (((span_ns - 1) >> shift) >= aim)
        shift++;
    uint32_t count = (uint32_t)((span_ns - 1) >> shift) + 1;

    uint32_t base = 1;
    if (calendar->rung_count > 0) {
        const struct calendar_rung *finest = &calendar->rungs[calendar->rung_count - 1];
        base = finest->base + finest->count;
    }
    if (base + count > calendar->bucket_count) {
        uint32_t wanted = 2 * (base + count);
        struct calendar_bucket *buckets = realloc(calendar->buckets, wanted * sizeof *buckets);
        if (!buckets)
            return false;
        calendar->buckets = buckets;
        calendar->bucket_count = wanted;
    }
    for (uint32_t i = base; i < base + count; i++)
        calendar->buckets[i] = (struct calendar_bucket){CALENDAR_NONE, 0};
    calendar->rungs[calendar->rung_count++] = (struct calendar_rung){
        .start_ns = start_ns, .end_ns = end_ns, .shift = shift, .base = base, .count = count};
    return true;
}

/* The first chunk of a bucket some buckets ahead, and the second of one less far. */
static void prefetch_ahead(const struct sim_calendar *calendar, const struct calendar_rung *rung)
{
    if (rung->count - rung->current <= 2 * PREFETCH_BUCKETS)
        return;
    const struct calendar_bucket *bucket = &calendar->buckets[rung->base + rung->current];
    if (bucket[2 * PREFETCH_BUCKETS].count > 0) {
        const struct calendar_chunk *chunk = &calendar->chunks[bucket[2 * PREFETCH_BUCKETS].chunk];
        __builtin_prefetch(chunk);
        __builtin_prefetch((const char *)chunk + 64);
    }
    if (bucket[PREFETCH_BUCKETS].count > CALENDAR_CHUNK_ENTRIES) {
        const struct calendar_chunk *chunk = &calendar->chunks[calendar->chunks[bucket[PREFETCH_BUCKETS].chunk].next];
        __builtin_prefetch(chunk);
        __builtin_prefetch((const char *)chunk + 64);
    }
}

/* Spreads the top list over a first rung, or pours it into the near tier if it is short. True: that is filled. */
static bool take_top(struct sim_calendar *calendar)
{
    size_t count = calendar->far_count;
    int64_t first_ns = calendar->top_first_ns;
    if (count > BUCKET_LIMIT && add_rung(calendar, first_ns, calendar->top_last_ns + 1, count)) {
        spread_bucket(calendar, TOP, &calendar->rungs[0]);
        calendar->near_end_ns = first_ns;
        return false;
    }
    calendar->near_end_ns = INT64_MAX;
    pour(calendar, TOP);
    return true;
}

/* Pours the next bucket of the finest rung into the near tier (then true), spreads it, or drops a rung that is empty. */
static bool take_bucket(struct sim_calendar *calendar)
{
    struct calendar_rung *rung = &calendar->rungs[calendar->rung_count - 1];
    while (rung->current < rung->count && calendar->buckets[rung->base + rung->current].count == 0) {
        rung->current++;
        prefetch_ahead(calendar, rung);
    }
    if (rung->current == rung->count) {
        calendar->near_end_ns = rung->end_ns;
        calendar->rung_count--;
        return false;
    }
    uint32_t index = rung->base + rung->current;
    int64_t start_ns = rung->start_ns + (int64_t)((uint64_t)rung->current << rung->shift);
    uint64_t left_ns = (uint64_t)(rung->end_ns - start_ns);
    uint64_t width_ns = UINT64_C(1) << rung->shift;
    int64_t end_ns = start_ns + (int64_t)(width_ns < left_ns ? width_ns : left_ns);
    rung->current++;
    size_t count = calendar->buckets[index].count;
    if (count > BUCKET_LIMIT && add_rung(calendar, start_ns, end_ns, count)) {
        spread_bucket(calendar, index, &calendar->rungs[calendar->rung_count - 1]);
        calendar->near_end_ns = start_ns;
        return false;
    }
    calendar->near_end_ns = end_ns;
    pour(calendar, index);
    prefetch_ahead(calendar, rung);
    return true;
}

/* Fills the near tier when all pending events are far. */
static void refill(struct sim_calendar *calendar)
{
    while (calendar->far_count > 0 && !calendar->failed)
        if (calendar->rung_count == 0 ? take_top(calendar) : take_bucket(calendar))
            return;
    if (calendar->far_count == 0) {
        calendar->rung_count = 0;
        calendar->near_end_ns = INT64_MAX;
    }
}

/* Spreads a near tier that has grown too long over a new finest rung. */
static void spill(struct sim_calendar *calendar)
{
    int64_t start_ns = calendar->near[calendar->near_first].time_ns;
    int64_t end_ns = calendar->near_end_ns;
    if (calendar->rung_count == 0)
        end_ns = calendar->near[calendar->near_last - 1].time_ns + 1;
    uint32_t count = near_count(calendar);
    if (!add_rung(calendar, start_ns, end_ns, count)) {
        calendar->near_limit = 2 * count;
        if (end_ns - start_ns == 1)
            calendar->near_end_ns = end_ns; /* all at one instant: what is later goes elsewhere */
        return;
    }
    const struct calendar_rung *rung = &calendar->rungs[calendar->rung_count - 1];
    for (uint32_t i = calendar->near_first; i < calendar->near_last; i++) {
        struct calendar_entry entry = calendar->near[i];
        if (!entry_is_blank(&entry) && !bucket_add(calendar, bucket_in_rung(rung, entry.time_ns), entry))
            calendar->failed = true;
    }
    calendar->near_first = calendar->near_last = calendar->blanks = 0;
    calendar->near_end_ns = start_ns;
    refill(calendar);
}

bool calendar_insert(struct sim_calendar *calendar, struct sim_event *event, int64_t at_ns)
{
    struct calendar_entry entry = {at_ns, {event}};
    event->time_ns = at_ns;
    event->sequence = calendar->sequence++;
    if (at_ns >= calendar->near_end_ns)
        return far_insert(calendar, entry);
    if (calendar->near_last == calendar->near_space && !near_make_room(calendar, 1))
        return false;
    event->slot = 0;
    near_insert(calendar, entry);
    if (near_count(calendar) > calendar->near_limit)
        spill(calendar);
    return true;
}

void calendar_remove(struct sim_calendar *calendar, struct sim_event *event)
{
    if (event->time_ns >= calendar->near_end_ns)
        bucket_remove(calendar, bucket_of(calendar, event->time_ns), event);
    else
        near_blank(calendar, event);
    event->slot = SIM_EVENT_IDLE;
}

bool calendar_quiet_until(const struct sim_calendar *calendar, int64_t time_ns)
{
    if (time_ns >= calendar->near_end_ns)
        return false;
    return near_count(calendar) == 0 || calendar->near[calendar->near_first].time_ns > time_ns;
}

struct sim_event *calendar_take(struct sim_calendar *calendar, int64_t until_ns, int64_t *due_ns)
{
    for (;;) {
        if (near_count(calendar) == 0) {
            if (calendar->far_count == 0 && calendar->rung_count == 0)
                return NULL;
            refill(calendar);
            if (near_count(calendar) == 0)
                return NULL;
        }
        struct calendar_entry entry = calendar->near[calendar->near_first];
        if (entry.time_ns > until_ns)
            return NULL;
        calendar->near_first++;
        if (!entry_is_blank(&entry)) {
            entry.event->slot = SIM_EVENT_IDLE;
            *due_ns = entry.time_ns;
            return entry.event;
        }
        calendar->blanks--;
    }
}
