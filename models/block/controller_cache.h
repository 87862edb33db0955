/* The cache of a disk controller: which pages of a volume are in it, and which of them the disks do not have yet.
 *
 * Pages are kept by row of the array. A page is dirty (written, to be destaged), going (on its way to the disks), clean (on
 * the disks as well), or absent; a page may be dirty and going at once, when it is written again on its way, and then takes
 * room twice. Dirty and going pages keep their room; clean ones give way, the row used least recently first.
 *
 * What is destaged next: rows that are dirty all over, as soon as they are; others, the oldest first, while more than half
 * of the cache is dirty or somebody waits for room. Knows no time.
 */
#ifndef VDISIM_MODELS_CONTROLLER_CACHE_H
#define VDISIM_MODELS_CONTROLLER_CACHE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct cache_row;

struct cache_list {
    struct cache_row *first, *last;
};

struct controller_cache {
    uint32_t row_pages;
    int64_t capacity_pages;
    int64_t dirty_pages, going_pages, clean_pages; /* read-only; their sum never exceeds the capacity */
    uint64_t overwritten_pages;                    /* read-only: written while still dirty */
    struct cache_row **buckets;
    size_t bucket_count;
    struct cache_list dirty, whole, clean; /* rows by age; by the time they became whole; by use */
};

/* False when memory is short. */
bool controller_cache_init(struct controller_cache *cache, int64_t capacity_pages, uint32_t row_pages);
void controller_cache_release(struct controller_cache *cache);

/* Whether all these pages are there; then they count as used. */
bool controller_cache_has(struct controller_cache *cache, uint32_t page, uint32_t pages);

enum cache_answer { CACHE_TAKEN, CACHE_FULL, CACHE_NO_MEMORY };

/* Takes a write, all of it or nothing. */
enum cache_answer controller_cache_write(struct controller_cache *cache, uint32_t page, uint32_t pages);

/* Keeps what was read, as far as dirty pages leave room. */
void controller_cache_keep(struct controller_cache *cache, uint32_t page, uint32_t pages);

/* Begins to destage a row, if one is due: its dirty pages are now going. NULL: none is. */
struct cache_row *controller_cache_next(struct controller_cache *cache, bool somebody_waits);

/* The next run of going pages of a row, each once; false when there is none left. */
bool controller_cache_next_run(struct controller_cache *cache, struct cache_row *row, uint32_t *page,
                               uint32_t *pages);

/* The going pages of the row are on the disks. The row may be gone after that. */
void controller_cache_destaged(struct controller_cache *cache, struct cache_row *row);

#endif
