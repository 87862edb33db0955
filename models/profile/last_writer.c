#include "vdisim/last_writer.h"

#include <assert.h>
#include <stdlib.h>

bool last_writer_init(struct last_writer *writer, size_t files, size_t values, size_t devices,
                      size_t sessions)
{
    *writer = (struct last_writer){.items = files + values, .files = files};
    writer->stored = calloc(writer->items + 1, sizeof *writer->stored);
    writer->held = calloc(devices * writer->items + 1, sizeof *writer->held);
    writer->lost = calloc(sessions + 1, sizeof *writer->lost);
    return writer->stored != NULL && writer->held != NULL && writer->lost != NULL;
}

void last_writer_release(struct last_writer *writer)
{
    free(writer->stored);
    free(writer->held);
    free(writer->lost);
}

static struct last_writer_held *held_of(const struct last_writer *writer, size_t device, size_t item)
{
    assert(item < writer->items);
    return &writer->held[device * writer->items + item];
}

static void lose(struct last_writer *writer, uint32_t session_plus_one, size_t item)
{
    if (session_plus_one == 0)
        return;
    writer->lost[session_plus_one - 1] = true;
    if (item < writer->files)
        writer->lost_files++;
    else
        writer->lost_values++;
}

void last_writer_read(struct last_writer *writer, size_t device, size_t item)
{
    *held_of(writer, device, item) = (struct last_writer_held){.base = writer->stored[item].version};
}

bool last_writer_is_stale(const struct last_writer *writer, size_t device, size_t item)
{
    return held_of(writer, device, item)->base != writer->stored[item].version;
}

void last_writer_change(struct last_writer *writer, size_t device, size_t item, int64_t now_ns)
{
    struct last_writer_held *held = held_of(writer, device, item);
    held->changed = true;
    held->changed_ns = now_ns;
}

static void store(struct last_writer *writer, struct last_writer_held *held, size_t item, uint32_t by)
{
    struct last_writer_stored *stored = &writer->stored[item];
    stored->version++;
    stored->writer = by;
    stored->changed_ns = held->changed_ns;
    held->base = stored->version;
    held->changed = false;
}

bool last_writer_save(struct last_writer *writer, size_t device, size_t session, size_t item,
                      enum last_writer_rule rule)
{
    struct last_writer_held *held = held_of(writer, device, item);
    const struct last_writer_stored *stored = &writer->stored[item];
    if (!held->changed)
        return false;
    if (held->base != stored->version) {
        if (rule == LATEST_CHANGE_WINS && stored->changed_ns >= held->changed_ns) {
            lose(writer, (uint32_t)session + 1, item);
            held->changed = false;
            return false;
        }
        lose(writer, stored->writer, item);
    }
    store(writer, held, item, (uint32_t)session + 1);
    return true;
}

void last_writer_replace(struct last_writer *writer, size_t device, size_t session, size_t item)
{
    struct last_writer_held *held = held_of(writer, device, item);
    const bool stale = held->base != writer->stored[item].version;
    if (stale)
        lose(writer, writer->stored[item].writer, item);
    if (stale || held->changed)
        store(writer, held, item, held->changed ? (uint32_t)session + 1 : 0);
}

void last_writer_discard(struct last_writer *writer, size_t device, size_t session)
{
    for (size_t item = 0; item < writer->items; item++) {
        struct last_writer_held *held = held_of(writer, device, item);
        if (held->changed)
            lose(writer, (uint32_t)session + 1, item);
        held->changed = false;
    }
}
