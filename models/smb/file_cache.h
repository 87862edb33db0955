/* What a server's memory holds of its files: blocks of files, by the place of requests (request.h), the least recently used
 * going first. A request whose place is not known is never held. Numbers files as it meets them (store_file.number): one cache
 * a store. */
#ifndef VDISIM_FILE_CACHE_H
#define VDISIM_FILE_CACHE_H

#include "vdisim/block_cache.h"
#include "vdisim/request.h"

struct file_cache {
    struct block_cache blocks;
    uint32_t files; /* told apart so far */
};

void file_cache_init(struct file_cache *cache, int64_t bytes, int64_t block_bytes);
void file_cache_release(struct file_cache *cache);

/* Whether all blocks of the request, `bytes` of data, are held; those that are, are the most recent from now on. */
bool file_cache_holds(struct file_cache *cache, struct request *request, int64_t bytes);

/* Keeps its blocks. False when memory is short. */
bool file_cache_keep(struct file_cache *cache, struct request *request, int64_t bytes);

#endif
