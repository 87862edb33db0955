/* The layer disk cache: disks of different sizes, bounded in bytes, the one used least recently goes first. A few dozen
 * disks at most, so a list will do. */
#ifndef VDISIM_MODELS_LAYER_CACHE_H
#define VDISIM_MODELS_LAYER_CACHE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct layer_cache_disk {
    uint64_t key;
    int64_t bytes;
    uint32_t page; /* where it is on its store */
};

struct layer_cache {
    int64_t capacity_bytes; /* 0: keeps nothing */
    int64_t bytes;          /* kept, never more */
    uint64_t hits, misses, evictions;
    struct layer_cache_disk *disks; /* the one used last comes last */
    size_t count, room;
};

void layer_cache_init(struct layer_cache *cache, int64_t capacity_bytes);
void layer_cache_release(struct layer_cache *cache);

/* The disk of that key, which counts as used now; NULL when it is not there. Valid until the next call. */
const struct layer_cache_disk *layer_cache_find(struct layer_cache *cache, uint64_t key);

enum layer_cache_answer {
    LAYER_CACHE_KEPT,
    LAYER_CACHE_TOO_LARGE, /* for the whole cache; nothing is evicted for it */
    LAYER_CACHE_NO_MEMORY,
};

/* Keeps a disk, used now; a disk of that key is replaced. */
enum layer_cache_answer layer_cache_keep(struct layer_cache *cache, const struct layer_cache_disk *disk);

#endif
