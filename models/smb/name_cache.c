#include "vdisim/name_cache.h"

#include <stddef.h>
#include <stdlib.h>

static const struct parameter name_cache_rows[] = {
    {.name = "lifetime",
     .type = PARAMETER_DURATION,
     .offset = offsetof(struct name_cache_settings, lifetime_ns),
     .maximum = 8.64e13,
     .help = "How long an entry is believed; 0 turns the cache off"},
    {.name = "entries",
     .type = PARAMETER_COUNT,
     .offset = offsetof(struct name_cache_settings, entries),
     .minimum = 1,
     .maximum = 1e6,
     .help = "Entries that a client keeps; the oldest makes room"},
};

const struct parameter_table name_cache_parameters = {
    .name = "name_cache",
    .help = "What an SMB client remembers of names",
    .size = sizeof(struct name_cache_settings),
    PARAMETER_ROWS(name_cache_rows),
};

bool name_cache_init(struct name_cache *cache, const struct name_cache_settings *settings)
{
    *cache = (struct name_cache){.settings = settings};
    cache->entries = calloc((size_t)settings->entries, sizeof *cache->entries);
    return cache->entries != NULL;
}

void name_cache_release(struct name_cache *cache)
{
    free(cache->entries);
}

static struct name_cache_entry *find(const struct name_cache *cache, uint64_t path)
{
    for (uint32_t i = 0; i < cache->used; i++)
        if (cache->entries[i].path == path)
            return &cache->entries[i];
    return NULL;
}

bool name_cache_knows(const struct name_cache *cache, uint64_t path, int64_t now_ns)
{
    const struct name_cache_entry *entry = find(cache, path);
    return entry != NULL && entry->fresh_until_ns > now_ns;
}

void name_cache_put(struct name_cache *cache, uint64_t path, int64_t now_ns)
{
    struct name_cache_entry *entry = find(cache, path);
    if (entry == NULL) {
        entry = &cache->entries[cache->next];
        cache->next = (cache->next + 1) % (uint32_t)cache->settings->entries;
        if (cache->used < (uint32_t)cache->settings->entries)
            cache->used++;
    }
    *entry = (struct name_cache_entry){path, now_ns + cache->settings->lifetime_ns};
}
