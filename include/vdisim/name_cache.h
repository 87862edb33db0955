/* A small cache of names with a lifetime: what the SMB client knows about a path without asking.
 *
 * An entry is fresh for lifetime after it was put in; when all entries are in use the oldest goes. Windows'
 * defaults: file info 10 s and 64 entries, directory 10 s and 16, not found 5 s and 128 (Microsoft, file
 * server tuning, 2025).
 */
#ifndef VDISIM_NAME_CACHE_H
#define VDISIM_NAME_CACHE_H

#include "vdisim/parameter.h"

#include <stdbool.h>
#include <stdint.h>

struct name_cache_settings {
    int64_t lifetime_ns; /* 0: off */
    int64_t entries;
};

extern const struct parameter_table name_cache_parameters;

struct name_cache_entry {
    uint64_t path;
    int64_t fresh_until_ns;
};

struct name_cache {
    const struct name_cache_settings *settings;
    struct name_cache_entry *entries; /* a ring, oldest next to be replaced */
    uint32_t next, used;
};

bool name_cache_init(struct name_cache *cache, const struct name_cache_settings *settings);
void name_cache_release(struct name_cache *cache);

/* Known and still fresh? */
bool name_cache_knows(const struct name_cache *cache, uint64_t path, int64_t now_ns);

void name_cache_put(struct name_cache *cache, uint64_t path, int64_t now_ns);

#endif
