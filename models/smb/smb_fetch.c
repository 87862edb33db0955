/* Data of cached files: what is in RAM, what is on its way, what must be fetched. */
#include "models/smb/smb_client.h"
#include "models/smb/smb_file_cache.h"

#include <assert.h>
#include <stdlib.h>

static struct smb_fetch **list_of(struct smb_file_cache *cache, const struct smb_file *file, uint32_t block)
{
    return &cache->under_way[(block ^ file->number * 31U) % SMB_FETCH_LISTS];
}

static struct smb_fetch *fetch_under_way(struct smb_file_cache *cache, const struct smb_file *file,
                                         uint32_t block)
{
    struct smb_fetch *fetch = *list_of(cache, file, block);
    while (fetch != NULL && (fetch->file != file || fetch->block != block || fetch->dropped != file->dropped))
        fetch = fetch->next;
    return fetch;
}

static struct smb_fetch *fetch_new(struct smb_file_cache *cache)
{
    if (cache->free_fetches == NULL) {
        struct smb_fetch_slab *slab = calloc(1, sizeof *slab);
        if (slab == NULL) {
            sim_out_of_memory(cache->client->sim);
            return NULL;
        }
        slab->next = cache->slabs;
        cache->slabs = slab;
        for (size_t i = 0; i < sizeof slab->fetches / sizeof slab->fetches[0]; i++) {
            slab->fetches[i].next = cache->free_fetches;
            cache->free_fetches = &slab->fetches[i];
        }
    }
    struct smb_fetch *fetch = cache->free_fetches;
    cache->free_fetches = fetch->next;
    return fetch;
}

static void fetch_is_through(struct smb_fetch *fetch)
{
    struct smb_file *file = fetch->file;
    struct smb_file_cache *cache = file->client->file_cache;
    file->fetching--;
    const bool whole_block = fetch->block != SMB_NO_BLOCK;
    if (whole_block) {
        struct smb_fetch **link = list_of(cache, file, fetch->block);
        while (*link != fetch)
            link = &(*link)->next;
        *link = fetch->next;
        if (fetch->dropped == file->dropped && smb_file_caches(file) &&
            !block_cache_put(&cache->blocks, file->number, fetch->block))
            sim_out_of_memory(cache->client->sim);
    }
    struct smb_read *read = fetch->waiting;
    const uint32_t next_block = fetch->block + 1;
    fetch->next = cache->free_fetches;
    cache->free_fetches = fetch;
    while (read != NULL) {
        struct smb_read *next = read->next;
        read->next_block = next_block;
        if (!whole_block || smb_read_goes_on(read))
            read->done(read);
        read = next;
    }
}

static void fetch_answered(struct request *request)
{
    struct smb_fetch *fetch = request->owner;
    smb_request_free(request->carrier, request);
    if (--fetch->requests_left == 0)
        fetch_is_through(fetch);
}

static void wait_for(struct smb_read *read, struct smb_fetch *fetch)
{
    read->next = NULL;
    if (fetch->waiting == NULL)
        fetch->waiting = read;
    else
        fetch->waiting_last->next = read;
    fetch->waiting_last = read;
}

/* Sends the READs of a fetch, cut at the I/O size. */
static struct smb_fetch *fetch_begin(struct smb_file *file, uint32_t block, int64_t offset_bytes,
                                     int64_t bytes)
{
    struct smb_file_cache *cache = file->client->file_cache;
    struct smb_fetch *fetch = fetch_new(cache);
    if (fetch == NULL)
        return NULL;
    const int64_t io_bytes = file->client->settings->io_size_bytes;
    *fetch = (struct smb_fetch){.file = file, .block = block, .dropped = file->dropped};
    fetch->requests_left = (uint32_t)((bytes + io_bytes - 1) / io_bytes);
    file->fetching++;
    if (block != SMB_NO_BLOCK) {
        struct smb_fetch **list = list_of(cache, file, block);
        fetch->next = *list;
        *list = fetch;
    }
    for (int64_t sent = 0; sent < bytes; sent += io_bytes)
        if (!smb_file_send(file, OPERATION_READ, bytes - sent < io_bytes ? bytes - sent : io_bytes,
                           offset_bytes + sent, fetch_answered, fetch))
            break;
    return fetch;
}

static struct smb_fetch *fetch_block(struct smb_file *file, uint32_t block)
{
    const int64_t block_bytes = file->client->file_cache->blocks.block_bytes;
    const int64_t offset_bytes = block * block_bytes;
    const int64_t left_bytes = file->size_bytes - offset_bytes;
    return fetch_begin(file, block, offset_bytes, left_bytes < block_bytes ? left_bytes : block_bytes);
}

bool smb_read_goes_on(struct smb_read *read)
{
    struct smb_file *file = read->file;
    struct smb_file_cache *cache = file->client->file_cache;
    const int64_t block_bytes = cache->blocks.block_bytes, end_bytes = read->offset_bytes + read->bytes;
    const uint32_t last = (uint32_t)((end_bytes - 1) / block_bytes);
    if (!smb_file_caches(file)) {
        const int64_t from_bytes = read->next_block * block_bytes > read->offset_bytes
                                       ? read->next_block * block_bytes
                                       : read->offset_bytes;
        if (from_bytes >= end_bytes)
            return true;
        struct smb_fetch *fetch = fetch_begin(file, SMB_NO_BLOCK, from_bytes, end_bytes - from_bytes);
        if (fetch != NULL)
            wait_for(read, fetch);
        return false;
    }
    struct smb_fetch *awaited = NULL;
    for (uint32_t block = read->next_block; block <= last; block++) {
        if (block_cache_use(&cache->blocks, file->number, block))
            continue;
        struct smb_fetch *fetch = fetch_under_way(cache, file, block);
        if (fetch == NULL)
            fetch = fetch_block(file, block);
        if (fetch == NULL)
            return false;
        if (awaited == NULL)
            awaited = fetch;
    }
    if (awaited != NULL)
        wait_for(read, awaited);
    return awaited == NULL;
}
