#include "vdisim/write_cache.h"

#include <assert.h>
#include <stdlib.h>

#define NONE  UINT32_MAX
#define WORDS (WRITE_CACHE_BLOCK_PAGES / 64)

struct write_cache_block {
    uint64_t memory[WORDS], disk[WORDS]; /* where the newest copy of each page is */
    uint32_t next, previous;             /* of those in memory, in the order in which they came */
    uint32_t place;                      /* in the file, plus 1; 0: none */
    uint16_t memory_pages, disk_pages;
    bool in_memory;
};

bool write_cache_init(struct write_cache *cache, enum write_cache_kind kind, int64_t memory_bytes,
                      int64_t vdisk_bytes, void (*to_disk)(void *context, uint32_t page, uint32_t pages),
                      void *context)
{
    *cache = (struct write_cache){.kind = kind,
                                  .memory_most_bytes = memory_bytes,
                                  .to_disk = to_disk,
                                  .context = context,
                                  .oldest = NONE,
                                  .newest = NONE};
    cache->block_count = (size_t)((vdisk_bytes + WRITE_CACHE_BLOCK_BYTES - 1) / WRITE_CACHE_BLOCK_BYTES);
    cache->blocks = calloc(cache->block_count, sizeof *cache->blocks);
    cache->free_places = calloc(cache->block_count, sizeof *cache->free_places);
    return cache->blocks != NULL && cache->free_places != NULL;
}

void write_cache_release(struct write_cache *cache)
{
    free(cache->blocks);
    free(cache->free_places);
}

static bool has(const uint64_t *bits, uint32_t page)
{
    return (bits[page / 64] >> (page % 64) & 1) != 0;
}

/* --- The file. --- */

static void give_place(struct write_cache *cache, struct write_cache_block *block)
{
    if (block->place != 0)
        return;
    block->place = (cache->free_count > 0 ? cache->free_places[--cache->free_count] : cache->places++) + 1;
    cache->account.file_bytes += WRITE_CACHE_BLOCK_BYTES;
}

static void take_place(struct write_cache *cache, struct write_cache_block *block)
{
    cache->free_places[cache->free_count++] = block->place - 1;
    block->place = 0;
    cache->account.file_bytes -= WRITE_CACHE_BLOCK_BYTES;
}

static uint32_t file_page(const struct write_cache_block *block, uint32_t page)
{
    return (block->place - 1) * WRITE_CACHE_BLOCK_PAGES + page;
}

static void put_on_disk(struct write_cache *cache, struct write_cache_block *block, uint32_t from,
                        uint32_t to)
{
    give_place(cache, block);
    for (uint32_t page = from; page < to; page++) {
        if (has(block->disk, page))
            continue;
        block->disk[page / 64] |= UINT64_C(1) << (page % 64);
        block->disk_pages++;
        cache->account.pages_on_disk++;
    }
    cache->account.pages_to_disk += to - from;
    cache->to_disk(cache->context, file_page(block, from), to - from);
}

static void forget_on_disk(struct write_cache *cache, struct write_cache_block *block, uint32_t page)
{
    if (!has(block->disk, page))
        return;
    block->disk[page / 64] &= ~(UINT64_C(1) << (page % 64));
    block->disk_pages--;
    cache->account.pages_on_disk--;
}

/* --- Memory. --- */

static void join_memory(struct write_cache *cache, uint32_t number)
{
    struct write_cache_block *block = &cache->blocks[number];
    block->in_memory = true;
    block->next = NONE;
    block->previous = cache->newest;
    if (cache->newest == NONE)
        cache->oldest = number;
    else
        cache->blocks[cache->newest].next = number;
    cache->newest = number;
}

static void leave_memory(struct write_cache *cache, uint32_t number)
{
    struct write_cache_block *block = &cache->blocks[number];
    block->in_memory = false;
    if (block->previous == NONE)
        cache->oldest = block->next;
    else
        cache->blocks[block->previous].next = block->next;
    if (block->next == NONE)
        cache->newest = block->previous;
    else
        cache->blocks[block->next].previous = block->previous;
}

static void take_memory(struct write_cache *cache, int64_t bytes)
{
    struct write_cache_account *account = &cache->account;
    account->memory_bytes += bytes;
    if (account->memory_bytes > account->memory_peak_bytes)
        account->memory_peak_bytes = account->memory_bytes;
    assert(account->memory_bytes <= cache->memory_most_bytes);
}

static void put_in_memory(struct write_cache *cache, struct write_cache_block *block, uint32_t page)
{
    if (has(block->memory, page))
        return;
    block->memory[page / 64] |= UINT64_C(1) << (page % 64);
    block->memory_pages++;
    cache->account.pages_in_memory++;
}

static void forget_in_memory(struct write_cache *cache, struct write_cache_block *block, uint32_t page)
{
    if (!has(block->memory, page))
        return;
    block->memory[page / 64] &= ~(UINT64_C(1) << (page % 64));
    block->memory_pages--;
    cache->account.pages_in_memory--;
}

/* The block that came first goes to the disk, run by run. */
static void overflow_oldest(struct write_cache *cache)
{
    const uint32_t number = cache->oldest;
    struct write_cache_block *block = &cache->blocks[number];
    for (uint32_t from = 0; from < WRITE_CACHE_BLOCK_PAGES;) {
        uint32_t to = from;
        while (to < WRITE_CACHE_BLOCK_PAGES && has(block->memory, to))
            forget_in_memory(cache, block, to++);
        if (to > from)
            put_on_disk(cache, block, from, to);
        from = to + 1;
    }
    leave_memory(cache, number);
    cache->account.memory_bytes -= WRITE_CACHE_BLOCK_BYTES;
}

/* --- What the target does. --- */

static void count_written(struct write_cache *cache, const struct write_cache_block *block, uint32_t from,
                          uint32_t to)
{
    cache->account.pages_written += to - from;
    for (uint32_t page = from; page < to; page++)
        cache->account.pages_first += !has(block->memory, page) && !has(block->disk, page);
}

/* Without overflow memory is taken by the page. */
static void write_to_memory_only(struct write_cache *cache, struct write_cache_block *block, uint32_t from,
                                 uint32_t to)
{
    for (uint32_t page = from; page < to && !cache->stopped; page++) {
        const bool held = has(block->memory, page);
        if (!held && cache->account.memory_bytes + 4096 > cache->memory_most_bytes) {
            cache->stopped = true;
            return;
        }
        count_written(cache, block, page, page + 1);
        if (!held)
            take_memory(cache, 4096);
        put_in_memory(cache, block, page);
    }
}

static void write_to_block(struct write_cache *cache, uint32_t number, uint32_t from, uint32_t to)
{
    struct write_cache_block *block = &cache->blocks[number];
    if (cache->kind == WRITE_CACHE_RAM) {
        write_to_memory_only(cache, block, from, to);
        return;
    }
    count_written(cache, block, from, to);
    if (cache->kind != WRITE_CACHE_RAM_WITH_OVERFLOW || cache->memory_most_bytes < WRITE_CACHE_BLOCK_BYTES) {
        put_on_disk(cache, block, from, to);
        return;
    }
    if (!block->in_memory) {
        if (cache->account.memory_bytes + WRITE_CACHE_BLOCK_BYTES > cache->memory_most_bytes)
            overflow_oldest(cache);
        take_memory(cache, WRITE_CACHE_BLOCK_BYTES);
        join_memory(cache, number);
    }
    for (uint32_t page = from; page < to; page++) {
        forget_on_disk(cache, block, page);
        put_in_memory(cache, block, page);
    }
}

static void delete_in_block(struct write_cache *cache, uint32_t number, uint32_t from, uint32_t to)
{
    struct write_cache_block *block = &cache->blocks[number];
    for (uint32_t page = from; page < to; page++) {
        cache->account.pages_freed += has(block->memory, page) || has(block->disk, page);
        forget_in_memory(cache, block, page);
        forget_on_disk(cache, block, page);
    }
    if (block->in_memory && block->memory_pages == 0) {
        leave_memory(cache, number);
        cache->account.memory_bytes -= WRITE_CACHE_BLOCK_BYTES;
    }
    if (block->place != 0 && block->memory_pages + block->disk_pages == 0)
        take_place(cache, block);
}

/* Calls for the part of the pages in each block. */
static void each_block(struct write_cache *cache, uint32_t page, uint32_t pages,
                       void (*act)(struct write_cache *cache, uint32_t number, uint32_t from, uint32_t to))
{
    const uint64_t end = (uint64_t)page + pages;
    assert(end <= (uint64_t)cache->block_count * WRITE_CACHE_BLOCK_PAGES);
    for (uint64_t at = page; at < end && !cache->stopped;) {
        const uint64_t number = at / WRITE_CACHE_BLOCK_PAGES, begin = number * WRITE_CACHE_BLOCK_PAGES;
        const uint64_t stop = begin + WRITE_CACHE_BLOCK_PAGES < end ? begin + WRITE_CACHE_BLOCK_PAGES : end;
        act(cache, (uint32_t)number, (uint32_t)(at - begin), (uint32_t)(stop - begin));
        at = stop;
    }
}

void write_cache_write(struct write_cache *cache, uint32_t page, uint32_t pages)
{
    each_block(cache, page, pages, write_to_block);
}

void write_cache_delete(struct write_cache *cache, uint32_t page, uint32_t pages)
{
    if (cache->kind == WRITE_CACHE_RAM_WITH_OVERFLOW)
        each_block(cache, page, pages, delete_in_block);
}

bool write_cache_on_disk(const struct write_cache *cache, uint32_t page, uint32_t *at)
{
    const struct write_cache_block *block = &cache->blocks[page / WRITE_CACHE_BLOCK_PAGES];
    if (!has(block->disk, page % WRITE_CACHE_BLOCK_PAGES))
        return false;
    *at = file_page(block, page % WRITE_CACHE_BLOCK_PAGES);
    return true;
}

bool write_cache_in_memory(const struct write_cache *cache, uint32_t page)
{
    return has(cache->blocks[page / WRITE_CACHE_BLOCK_PAGES].memory, page % WRITE_CACHE_BLOCK_PAGES);
}
