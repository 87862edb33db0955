/* Records of one size, handed out from slabs and used again last in, first out. */
#ifndef VDISIM_MODELS_SLAB_H
#define VDISIM_MODELS_SLAB_H

#include <stddef.h>
#include <stdlib.h>

#define SLAB_RECORDS 64

struct slab_link {
    struct slab_link *next;
};

struct slab_pool {
    size_t record_bytes; /* a multiple of the alignment of what is kept, at most that of max_align_t */
    struct slab_link *slabs, *free;
};

static inline void slab_pool_init(struct slab_pool *pool, size_t record_bytes)
{
    *pool = (struct slab_pool){.record_bytes = record_bytes};
}

static inline void slab_pool_release(struct slab_pool *pool)
{
    while (pool->slabs != NULL) {
        struct slab_link *slab = pool->slabs;
        pool->slabs = slab->next;
        free(slab);
    }
}

/* A record, its content undefined; NULL when memory is short. */
static inline void *slab_take(struct slab_pool *pool)
{
    if (pool->free == NULL) {
        const size_t head = _Alignof(max_align_t);
        char *slab = malloc(head + SLAB_RECORDS * pool->record_bytes);
        if (slab == NULL)
            return NULL;
        ((struct slab_link *)(void *)slab)->next = pool->slabs;
        pool->slabs = (struct slab_link *)(void *)slab;
        for (size_t i = SLAB_RECORDS; i-- > 0;) {
            struct slab_link *record = (struct slab_link *)(void *)(slab + head + i * pool->record_bytes);
            record->next = pool->free;
            pool->free = record;
        }
    }
    struct slab_link *record = pool->free;
    pool->free = record->next;
    return record;
}

static inline void slab_give(struct slab_pool *pool, void *record)
{
    struct slab_link *link = record;
    link->next = pool->free;
    pool->free = link;
}

#endif
