/* A text that grows, in an arena: `text` is always a NUL-terminated string. Start from {.arena = arena}, not
 * shared. */
#ifndef VDISIM_BUILDER_H
#define VDISIM_BUILDER_H

#include "sim/experiment/read/arena.h"

#include <stddef.h>

struct builder {
    struct arena *arena;
    char *text; /* NULL while nothing was added */
    size_t length, room;
};

void builder_add(struct builder *builder, const char *text);
void builder_format(struct builder *builder, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* The text so far; "" when nothing was added. */
const char *builder_text(const struct builder *builder);

#endif
