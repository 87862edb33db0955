/* The PVS write cache of one target: where what the target writes on its read-only vDisk is kept.
 *
 *     server             on a disk of the PVS server, over the network
 *     disk               on the target's own disk
 *     ram                in the target's memory; when it is full the target stops (blue screen)
 *     ram-with-overflow  in memory by blocks of 2 MiB; when it is full, the block that came first goes to the disk
 *
 * A block takes 2 MiB of memory however little of it was written, so the cache never has more than
 * floor(ram / 2 MiB) blocks. A block that leaves memory is written to the overflow file, each run of its pages by one
 * write, at a place of 2 MiB that the block keeps. A page that is written again comes into memory again; the copy in the
 * overflow file is then stale. What the target deletes is given back by ram-with-overflow only (Citrix, 2014): the memory of
 * a block without pages, and the place in the file of a block that has none anywhere.
 *
 *     pages written first = in memory + on the disk + freed         (conservation; copies that are stale do not count)
 *
 * Pure bookkeeping, no time. What goes to the disk is told by a callback, in pages of 4 KiB of the cache file.
 */
#ifndef VDISIM_WRITE_CACHE_H
#define VDISIM_WRITE_CACHE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum write_cache_kind {
    WRITE_CACHE_SERVER,
    WRITE_CACHE_DISK,
    WRITE_CACHE_RAM,
    WRITE_CACHE_RAM_WITH_OVERFLOW
};

#define WRITE_CACHE_BLOCK_PAGES 512
#define WRITE_CACHE_BLOCK_BYTES (WRITE_CACHE_BLOCK_PAGES * INT64_C(4096))

struct write_cache_block;

struct write_cache_account {
    uint64_t pages_written;   /* by the target */
    uint64_t pages_first;     /* of those, not held before */
    uint64_t pages_in_memory; /* held now, in memory or else on the disk */
    uint64_t pages_on_disk;
    uint64_t pages_freed;
    uint64_t pages_to_disk; /* written to the disk so far */
    int64_t memory_bytes;   /* taken now */
    int64_t memory_peak_bytes;
    int64_t file_bytes; /* of the cache file, or overflow file */
};

struct write_cache {
    enum write_cache_kind kind;
    int64_t memory_most_bytes;
    struct write_cache_account account; /* read-only */
    bool stopped;                       /* read-only: memory is full and there is no overflow */

    /* Called for each write to the disk: pages of the cache file. */
    void (*to_disk)(void *context, uint32_t page, uint32_t pages);
    void *context;

    /* Private. */
    struct write_cache_block *blocks;
    size_t block_count;
    uint32_t oldest, newest; /* of those in memory */
    uint32_t *free_places;   /* of the cache file, given back */
    size_t free_count;
    uint32_t places; /* that the file has */
};

/* For a vDisk of that size. False when memory is short. */
bool write_cache_init(struct write_cache *cache, enum write_cache_kind kind, int64_t memory_bytes,
                      int64_t vdisk_bytes, void (*to_disk)(void *context, uint32_t page, uint32_t pages),
                      void *context);
void write_cache_release(struct write_cache *cache);

/* The target writes pages of its vDisk, all of them on it. Nothing happens when it has stopped. */
void write_cache_write(struct write_cache *cache, uint32_t page, uint32_t pages);

/* The target deletes what is there. */
void write_cache_delete(struct write_cache *cache, uint32_t page, uint32_t pages);

/* Where a page is: true when its newest copy is on the disk, and then at which page of the file. */
bool write_cache_on_disk(const struct write_cache *cache, uint32_t page, uint32_t *file_page);
bool write_cache_in_memory(const struct write_cache *cache, uint32_t page);

#endif
