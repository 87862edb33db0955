/* An arena: everything that was read belongs to one owner and is freed at once.
 *
 * Reading an experiment makes thousands of small pieces that live exactly as long as the experiment. They are
 * taken from an arena and never freed one by one. When memory is short an arena does not return NULL: it
 * jumps to the landing its owner has set, so that the code between needs no checks; what is not in the arena
 * (an open parser) is handed to it with arena_defer() first. Without a landing being out of memory aborts.
 *
 *     struct arena *arena = arena_create();
 *     jmp_buf landing;
 *     if (arena == NULL || setjmp(landing) != 0) { arena_destroy(arena); return NULL; }
 *     arena_set_landing(arena, &landing);
 */
#ifndef VDISIM_ARENA_H
#define VDISIM_ARENA_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

struct arena;

/* NULL when memory is short. */
struct arena *arena_create(void);

/* Runs what was deferred, the latest first, then frees all. NULL is allowed. */
void arena_destroy(struct arena *arena);

/* Where to jump (value 1) when memory is short; NULL: abort. Returns the landing set before. */
jmp_buf *arena_set_landing(struct arena *arena, jmp_buf *landing);

/* Zeroed memory, aligned for everything. */
void *arena_alloc(struct arena *arena, size_t size);

#define ARENA_NEW(arena, type)          ((type *)arena_alloc((arena), sizeof(type)))
#define ARENA_ARRAY(arena, type, count) ((type *)arena_array((arena), sizeof(type), (count)))
void *arena_array(struct arena *arena, size_t size, size_t count);

/* Room for one more: returns `items` when its capacity, a power of two implied by `count`, still has it, else
 * a copy twice as large. For lists that grow by one. */
#define ARENA_GROW(arena, items, count) ((items) = arena_grow((arena), (items), sizeof *(items), (count)))
void *arena_grow(struct arena *arena, void *items, size_t size, size_t count);

char *arena_text(struct arena *arena, const char *text);
char *arena_text_n(struct arena *arena, const char *text, size_t length);
char *arena_format(struct arena *arena, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Has the arena call release(object) when it is destroyed. When the arena cannot remember that, it calls it
 * at once, before it jumps. */
void arena_defer(struct arena *arena, void (*release)(void *object), void *object);

/* One thing that goes with the arena, NULL at first: where text_file.h keeps what was read into it. */
void **arena_companion(struct arena *arena);

#endif
