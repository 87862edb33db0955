/* A cache of blocks in RAM: which blocks of which files it holds, the least recently used going first when it is full.
 *
 * It knows numbers only, no data: a block is (file, block number), and every block counts as block_bytes. Finding a block
 * and making it the most recent takes constant time and few memory accesses: the entries stand in a hash table with open
 * addresses and linear probing (at most three quarters full, no tombstones: a removal shifts back) and are chained by
 * 32-bit indices from the most to the least recently used. A block costs 22 to 43 bytes.
 *
 *     if (!block_cache_use(&cache, file, block)) {
 *         ... fetch it ...
 *         block_cache_put(&cache, file, block);
 *     }
 */
#ifndef VDISIM_BLOCK_CACHE_H
#define VDISIM_BLOCK_CACHE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct block_cache_entry {
    uint32_t file, block;
    uint32_t newer, older; /* indices of entries; private */
};

struct block_cache {
    int64_t block_bytes; /* read-only, and so are those below */
    size_t capacity;     /* blocks */
    size_t count;
    uint64_t hits, misses, evictions;

    /* Private. */
    struct block_cache_entry *entries; /* [room], those in use and empty ones */
    size_t room;
    uint32_t newest, oldest;
};

/* A cache of capacity_bytes / block_bytes blocks (rounded down; 0: it never holds anything). Allocates nothing yet. */
void block_cache_init(struct block_cache *cache, int64_t capacity_bytes, int64_t block_bytes);
void block_cache_release(struct block_cache *cache);

/* Whether the block is there; then it is the most recently used from now on. Counts a hit or a miss. */
bool block_cache_use(struct block_cache *cache, uint32_t file, uint32_t block);

/* Whether the block is there, without using it. */
bool block_cache_holds(const struct block_cache *cache, uint32_t file, uint32_t block);

/* Puts the block in, as the most recently used; the least recently used goes if there is no room. False when memory is
 * short: then nothing has changed. */
bool block_cache_put(struct block_cache *cache, uint32_t file, uint32_t block);

/* Drops all blocks of a file; returns how many. Takes time in proportion to all blocks held. */
size_t block_cache_drop_file(struct block_cache *cache, uint32_t file);

/* Drops all blocks. */
void block_cache_clear(struct block_cache *cache);

/* What is held, and what the table takes. */
int64_t block_cache_held_bytes(const struct block_cache *cache);
size_t block_cache_memory_bytes(const struct block_cache *cache);

#endif
