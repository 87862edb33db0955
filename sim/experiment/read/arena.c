#include "sim/experiment/read/arena.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { CHUNK_BYTES = 16384 };

struct chunk {
    struct chunk *before;
    size_t used, size;
    max_align_t bytes[];
};

struct deferred {
    struct deferred *before;
    void (*release)(void *object);
    void *object;
};

struct arena {
    struct chunk *chunk;
    struct deferred *deferred;
    jmp_buf *landing;
    void *companion;
};

struct arena *arena_create(void)
{
    return calloc(1, sizeof(struct arena));
}

void arena_destroy(struct arena *arena)
{
    if (arena == NULL)
        return;
    for (struct deferred *deferred = arena->deferred; deferred != NULL; deferred = deferred->before)
        deferred->release(deferred->object);
    while (arena->chunk != NULL) {
        struct chunk *before = arena->chunk->before;
        free(arena->chunk);
        arena->chunk = before;
    }
    free(arena);
}

void **arena_companion(struct arena *arena)
{
    return &arena->companion;
}

jmp_buf *arena_set_landing(struct arena *arena, jmp_buf *landing)
{
    jmp_buf *before = arena->landing;
    arena->landing = landing;
    return before;
}

static _Noreturn void exhausted(struct arena *arena)
{
    if (arena->landing == NULL)
        abort();
    longjmp(*arena->landing, 1);
}

static void *try_alloc(struct arena *arena, size_t size)
{
    size_t align = _Alignof(max_align_t);
    if (size > SIZE_MAX / 2)
        return NULL;
    size = (size + align - 1) / align * align;
    struct chunk *chunk = arena->chunk;
    if (chunk == NULL || chunk->size - chunk->used < size) {
        size_t room = size > CHUNK_BYTES ? size : CHUNK_BYTES;
        chunk = calloc(1, sizeof *chunk + room);
        if (chunk == NULL)
            return NULL;
        chunk->size = room;
        chunk->before = arena->chunk;
        arena->chunk = chunk;
    }
    void *bytes = (char *)chunk->bytes + chunk->used;
    chunk->used += size;
    return bytes;
}

void *arena_alloc(struct arena *arena, size_t size)
{
    void *bytes = try_alloc(arena, size);
    if (bytes == NULL)
        exhausted(arena);
    return bytes;
}

void *arena_array(struct arena *arena, size_t size, size_t count)
{
    if (count > SIZE_MAX / 4 / size)
        exhausted(arena);
    return arena_alloc(arena, size * (count > 0 ? count : 1));
}

void *arena_grow(struct arena *arena, void *items, size_t size, size_t count)
{
    bool is_power_of_two = (count & (count - 1)) == 0;
    if (!is_power_of_two && items != NULL)
        return items;
    void *larger = arena_array(arena, size, count == 0 ? 1 : 2 * count);
    if (count > 0)
        memcpy(larger, items, size * count);
    return larger;
}

char *arena_text_n(struct arena *arena, const char *text, size_t length)
{
    char *copy = arena_alloc(arena, length + 1);
    memcpy(copy, text, length);
    return copy;
}

char *arena_text(struct arena *arena, const char *text)
{
    return arena_text_n(arena, text, strlen(text));
}

char *arena_format(struct arena *arena, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    int length = vsnprintf(NULL, 0, format, arguments);
    va_end(arguments);
    if (length < 0)
        exhausted(arena);
    char *text = arena_alloc(arena, (size_t)length + 1);
    va_start(arguments, format);
    vsnprintf(text, (size_t)length + 1, format, arguments);
    va_end(arguments);
    return text;
}

void arena_defer(struct arena *arena, void (*release)(void *object), void *object)
{
    struct deferred *deferred = try_alloc(arena, sizeof *deferred);
    if (deferred == NULL) {
        release(object);
        exhausted(arena);
    }
    deferred->before = arena->deferred;
    deferred->release = release;
    deferred->object = object;
    arena->deferred = deferred;
}
