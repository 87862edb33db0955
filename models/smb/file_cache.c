#include "models/smb/file_cache.h"

#include "vdisim/store.h"

static bool has_place(const struct request *request)
{
    return request->file != NULL && request->page != REQUEST_ANYWHERE;
}

/* The blocks that a request touches: from *first to *last. */
static void blocks_of(struct file_cache *cache, struct request *request, int64_t bytes, uint32_t *first,
                      uint32_t *last)
{
    const int64_t begin = (int64_t)request->page * REQUEST_PAGE_BYTES;
    *first = (uint32_t)(begin / cache->blocks.block_bytes);
    *last = (uint32_t)((begin + (bytes > 0 ? bytes - 1 : 0)) / cache->blocks.block_bytes);
    if (request->file->number == 0)
        request->file->number = ++cache->files;
}

void file_cache_init(struct file_cache *cache, int64_t bytes, int64_t block_bytes)
{
    cache->files = 0;
    block_cache_init(&cache->blocks, bytes, block_bytes);
}

void file_cache_release(struct file_cache *cache)
{
    block_cache_release(&cache->blocks);
}

bool file_cache_holds(struct file_cache *cache, struct request *request, int64_t bytes)
{
    if (!has_place(request))
        return false;
    uint32_t first, last;
    blocks_of(cache, request, bytes, &first, &last);
    bool held = true;
    for (uint32_t block = first; block <= last; block++)
        held = block_cache_use(&cache->blocks, request->file->number, block) && held;
    return held;
}

bool file_cache_keep(struct file_cache *cache, struct request *request, int64_t bytes)
{
    if (!has_place(request))
        return true;
    uint32_t first, last;
    blocks_of(cache, request, bytes, &first, &last);
    bool kept = true;
    for (uint32_t block = first; block <= last; block++)
        kept = block_cache_put(&cache->blocks, request->file->number, block) && kept;
    return kept;
}
