#include "vdisim/block_cache.h"

#include <assert.h>
#include <stdlib.h>

#define NO_ENTRY   UINT32_MAX
#define EMPTY      (UINT32_MAX - 1) /* in `newer` */
#define MOST       (UINT32_MAX / 4)
#define FIRST_ROOM 64

void block_cache_init(struct block_cache *cache, int64_t capacity_bytes, int64_t block_bytes)
{
    assert(capacity_bytes >= 0 && block_bytes > 0);
    const int64_t blocks = capacity_bytes / block_bytes;
    *cache = (struct block_cache){
        .block_bytes = block_bytes,
        .capacity = blocks < MOST ? (size_t)blocks : MOST,
        .newest = NO_ENTRY,
        .oldest = NO_ENTRY,
    };
}

void block_cache_release(struct block_cache *cache)
{
    free(cache->entries);
    cache->entries = NULL;
    cache->count = cache->room = 0;
}

/* Where the search for a block begins: the finaliser of splitmix64, its upper half scaled to the table (Lemire). */
static size_t home_of(const struct block_cache *cache, uint32_t file, uint32_t block)
{
    uint64_t word = (uint64_t)file << 32 | block;
    word = (word ^ word >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    word = (word ^ word >> 27) * UINT64_C(0x94d049bb133111eb);
    return (size_t)((word >> 32) * cache->room >> 32);
}

static size_t after(const struct block_cache *cache, size_t index)
{
    return index + 1 == cache->room ? 0 : index + 1;
}

static bool is_empty(const struct block_cache *cache, size_t index)
{
    return cache->entries[index].newer == EMPTY;
}

/* The entry of the block, or the empty one where the search ended. */
static size_t find(const struct block_cache *cache, uint32_t file, uint32_t block)
{
    size_t index = home_of(cache, file, block);
    while (!is_empty(cache, index) &&
           (cache->entries[index].block != block || cache->entries[index].file != file))
        index = after(cache, index);
    return index;
}

/* Makes the neighbours of an entry in the chain point to these two. */
static void join(struct block_cache *cache, const struct block_cache_entry *entry, uint32_t seen_from_newer,
                 uint32_t seen_from_older)
{
    if (entry->newer == NO_ENTRY)
        cache->newest = seen_from_newer;
    else
        cache->entries[entry->newer].older = seen_from_newer;
    if (entry->older == NO_ENTRY)
        cache->oldest = seen_from_older;
    else
        cache->entries[entry->older].newer = seen_from_older;
}

static void unchain(struct block_cache *cache, size_t index)
{
    const struct block_cache_entry *entry = &cache->entries[index];
    join(cache, entry, entry->older, entry->newer);
}

static void chain_as_newest(struct block_cache *cache, size_t index)
{
    struct block_cache_entry *entry = &cache->entries[index];
    entry->newer = NO_ENTRY;
    entry->older = cache->newest;
    if (cache->newest == NO_ENTRY)
        cache->oldest = (uint32_t)index;
    else
        cache->entries[cache->newest].newer = (uint32_t)index;
    cache->newest = (uint32_t)index;
}

bool block_cache_use(struct block_cache *cache, uint32_t file, uint32_t block)
{
    const size_t index = cache->room == 0 ? 0 : find(cache, file, block);
    if (cache->room == 0 || is_empty(cache, index)) {
        cache->misses++;
        return false;
    }
    cache->hits++;
    if (index != cache->newest) {
        unchain(cache, index);
        chain_as_newest(cache, index);
    }
    return true;
}

bool block_cache_holds(const struct block_cache *cache, uint32_t file, uint32_t block)
{
    return cache->room > 0 && !is_empty(cache, find(cache, file, block));
}

/* How far it is from one place to another, onwards around the table. */
static size_t distance(const struct block_cache *cache, size_t from, size_t to)
{
    return to >= from ? to - from : to + cache->room - from;
}

/* Takes an entry out and moves back those behind it that it was in the way of (Knuth, volume 3, algorithm 6.4 R). */
static void take_out(struct block_cache *cache, size_t index)
{
    struct block_cache_entry *entries = cache->entries;
    unchain(cache, index);
    size_t hole = index;
    for (size_t next = after(cache, hole); !is_empty(cache, next); next = after(cache, next)) {
        const size_t home = home_of(cache, entries[next].file, entries[next].block);
        if (distance(cache, home, next) < distance(cache, hole, next))
            continue;
        entries[hole] = entries[next];
        join(cache, &entries[hole], (uint32_t)hole, (uint32_t)hole);
        hole = next;
    }
    entries[hole].newer = EMPTY;
    cache->count--;
}

static void put_in(struct block_cache *cache, uint32_t file, uint32_t block)
{
    const size_t index = find(cache, file, block);
    cache->entries[index].file = file;
    cache->entries[index].block = block;
    chain_as_newest(cache, index);
    cache->count++;
}

static bool grow(struct block_cache *cache)
{
    const size_t most = cache->capacity + cache->capacity / 3 + 2;
    size_t room = cache->room == 0 ? FIRST_ROOM : 2 * cache->room;
    room = room < most ? room : most;
    struct block_cache_entry *entries = malloc(room * sizeof *entries);
    if (entries == NULL)
        return false;
    for (size_t i = 0; i < room; i++)
        entries[i].newer = EMPTY;
    const struct block_cache before = *cache;
    cache->entries = entries;
    cache->room = room;
    cache->count = 0;
    cache->newest = cache->oldest = NO_ENTRY;
    for (uint32_t i = before.oldest; i != NO_ENTRY; i = before.entries[i].newer)
        put_in(cache, before.entries[i].file, before.entries[i].block);
    free(before.entries);
    return true;
}

bool block_cache_put(struct block_cache *cache, uint32_t file, uint32_t block)
{
    if (cache->capacity == 0)
        return true;
    if (cache->room > 0) {
        const size_t found = find(cache, file, block);
        if (!is_empty(cache, found)) {
            unchain(cache, found);
            chain_as_newest(cache, found);
            return true;
        }
    }
    if (cache->count == cache->capacity) {
        take_out(cache, cache->oldest);
        cache->evictions++;
    } else if (4 * (cache->count + 1) > 3 * cache->room &&
               cache->room < cache->capacity + cache->capacity / 3 + 2 && !grow(cache)) {
        return false;
    }
    put_in(cache, file, block);
    return true;
}

size_t block_cache_drop_file(struct block_cache *cache, uint32_t file)
{
    const size_t before = cache->count;
    for (size_t index = 0; index < cache->room;) {
        if (!is_empty(cache, index) && cache->entries[index].file == file)
            take_out(cache, index); /* another may have moved here */
        else
            index++;
    }
    return before - cache->count;
}

void block_cache_clear(struct block_cache *cache)
{
    for (size_t index = 0; index < cache->room; index++)
        cache->entries[index].newer = EMPTY;
    cache->count = 0;
    cache->newest = cache->oldest = NO_ENTRY;
}

int64_t block_cache_held_bytes(const struct block_cache *cache)
{
    return (int64_t)cache->count * cache->block_bytes;
}

size_t block_cache_memory_bytes(const struct block_cache *cache)
{
    return cache->room * sizeof *cache->entries;
}
