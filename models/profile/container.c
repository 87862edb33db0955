#include "vdisim/container.h"

#include <assert.h>

enum container_access container_grant(enum container_mode mode, const struct container_holders *holders)
{
    const bool written = holders->writers > 0;
    switch (mode) {
    case CONTAINER_DIRECT:
        return written || holders->on_store + holders->on_host > 0 ? CONTAINER_LOCKED : CONTAINER_WRITES_FILE;
    case CONTAINER_READ_WRITE:
        return written || holders->on_store > 0 ? CONTAINER_LOCKED : CONTAINER_DIFF_ON_STORE;
    case CONTAINER_READ_ONLY:
    case CONTAINER_LOCAL_DIFF:
        return written ? CONTAINER_LOCKED : CONTAINER_DIFF_ON_HOST;
    case CONTAINER_TRY_READ_WRITE:
        if (written)
            return CONTAINER_LOCKED;
        return holders->on_store > 0 ? CONTAINER_DIFF_ON_HOST : CONTAINER_DIFF_ON_STORE;
    case CONTAINER_NETWORK_DIFF:
        return written ? CONTAINER_LOCKED : CONTAINER_DIFF_ON_STORE;
    case CONTAINER_PER_SESSION:
        return CONTAINER_WRITES_FILE;
    case CONTAINER_FIRST_WRITES:
    case CONTAINER_ALL_MERGED:
        return written || holders->on_store + holders->on_host > 0 ? CONTAINER_DIFF_ON_HOST
                                                                   : CONTAINER_WRITES_FILE;
    case CONTAINER_MODE_COUNT:
        break;
    }
    assert(false);
    return CONTAINER_LOCKED;
}

enum container_fate container_fate(enum container_mode mode, enum container_access access,
                                   const struct container_holders *holders)
{
    const bool alone = holders->writers + holders->on_store + holders->on_host == 0;
    if (access == CONTAINER_LOCKED)
        return CONTAINER_CHANGES_LOST;
    if (access == CONTAINER_WRITES_FILE)
        return CONTAINER_CHANGES_KEPT;
    switch (mode) {
    case CONTAINER_READ_WRITE:
    case CONTAINER_TRY_READ_WRITE:
        if (access == CONTAINER_DIFF_ON_HOST)
            return CONTAINER_CHANGES_LOST;
        return alone ? CONTAINER_CHANGES_MERGED : CONTAINER_CHANGES_KEPT;
    case CONTAINER_NETWORK_DIFF:
    case CONTAINER_LOCAL_DIFF:
        return alone ? CONTAINER_CHANGES_MERGED : CONTAINER_CHANGES_LOST;
    case CONTAINER_ALL_MERGED:
        return CONTAINER_CHANGES_FILE_BY_FILE;
    default:
        return CONTAINER_CHANGES_LOST;
    }
}

static int64_t whole_blocks(int64_t bytes, int64_t block_bytes)
{
    return (bytes + block_bytes - 1) / block_bytes * block_bytes;
}

void container_init(struct container *container, const struct container_settings *settings,
                    enum container_mode mode, int64_t used_bytes, double slack)
{
    assert(slack >= 0.0 && slack < 1.0);
    *container = (struct container){.settings = settings, .mode = mode, .used_bytes = used_bytes};
    container->capacity_bytes = settings->capacity_bytes;
    container->file_bytes =
        whole_blocks((int64_t)((double)used_bytes / (1.0 - slack)), settings->block_bytes);
}

bool container_write(struct container *container, int64_t bytes)
{
    const int64_t grows = (int64_t)((double)bytes * container->settings->new_block_share);
    if (container->file_bytes + grows > container->capacity_bytes)
        return false;
    container->file_bytes += grows;
    container->grown_bytes += grows;
    return true;
}

static int64_t smallest(const struct container *container)
{
    const int64_t bytes = whole_blocks(container->used_bytes, container->settings->block_bytes);
    return bytes < container->file_bytes ? bytes : container->file_bytes;
}

bool container_wants_compaction(const struct container *container)
{
    const struct container_settings *settings = container->settings;
    const int64_t free_bytes = container->file_bytes - smallest(container);
    if (!settings->compaction || free_bytes == 0 || container->file_bytes <= settings->compaction_floor_bytes)
        return false;
    if (settings->compaction_logoffs > 0 && container->logoffs >= settings->compaction_logoffs)
        return true;
    return (double)free_bytes >= settings->compaction_threshold * (double)container->file_bytes;
}

int64_t container_compaction_bytes(const struct container *container)
{
    const int64_t end_bytes = smallest(container);
    const double filled = (double)container->used_bytes / (double)container->file_bytes;
    return (int64_t)((double)(container->file_bytes - end_bytes) * filled);
}

void container_compact(struct container *container)
{
    const int64_t end_bytes = smallest(container);
    container->released_bytes += container->file_bytes - end_bytes;
    container->file_bytes = end_bytes;
    container->logoffs = 0;
}

bool container_expand(struct container *container)
{
    const struct container_settings *settings = container->settings;
    if (!settings->auto_expansion ||
        (double)container->used_bytes < settings->expansion_threshold * (double)container->capacity_bytes ||
        container->capacity_bytes >= settings->expansion_limit_bytes)
        return false;
    container->capacity_bytes += settings->expansion_step_bytes;
    if (container->capacity_bytes > settings->expansion_limit_bytes)
        container->capacity_bytes = settings->expansion_limit_bytes;
    return true;
}
