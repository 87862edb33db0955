#include "models/layering/layer_cache.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

void layer_cache_init(struct layer_cache *cache, int64_t capacity_bytes)
{
    assert(capacity_bytes >= 0);
    *cache = (struct layer_cache){.capacity_bytes = capacity_bytes};
}

void layer_cache_release(struct layer_cache *cache)
{
    free(cache->disks);
    *cache = (struct layer_cache){0};
}

static size_t index_of(const struct layer_cache *cache, uint64_t key)
{
    size_t index = 0;
    while (index < cache->count && cache->disks[index].key != key)
        index++;
    return index;
}

static struct layer_cache_disk take_out(struct layer_cache *cache, size_t index)
{
    const struct layer_cache_disk disk = cache->disks[index];
    cache->count--;
    memmove(&cache->disks[index], &cache->disks[index + 1], (cache->count - index) * sizeof disk);
    cache->bytes -= disk.bytes;
    return disk;
}

static void put_last(struct layer_cache *cache, const struct layer_cache_disk *disk)
{
    cache->disks[cache->count++] = *disk;
    cache->bytes += disk->bytes;
}

const struct layer_cache_disk *layer_cache_find(struct layer_cache *cache, uint64_t key)
{
    const size_t index = index_of(cache, key);
    if (index == cache->count) {
        cache->misses++;
        return NULL;
    }
    const struct layer_cache_disk disk = take_out(cache, index);
    put_last(cache, &disk);
    cache->hits++;
    return &cache->disks[cache->count - 1];
}

enum layer_cache_answer layer_cache_keep(struct layer_cache *cache, const struct layer_cache_disk *disk)
{
    if (disk->bytes > cache->capacity_bytes)
        return LAYER_CACHE_TOO_LARGE;
    if (cache->count == cache->room) {
        const size_t room = cache->room == 0 ? 8 : 2 * cache->room;
        struct layer_cache_disk *disks = realloc(cache->disks, room * sizeof *disks);
        if (disks == NULL)
            return LAYER_CACHE_NO_MEMORY;
        cache->disks = disks;
        cache->room = room;
    }
    const size_t old = index_of(cache, disk->key);
    if (old < cache->count)
        take_out(cache, old);
    while (cache->bytes + disk->bytes > cache->capacity_bytes) {
        take_out(cache, 0);
        cache->evictions++;
    }
    put_last(cache, disk);
    return LAYER_CACHE_KEPT;
}
