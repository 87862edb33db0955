#include "sim/experiment/read/builder.h"

#include <stdio.h>
#include <string.h>

static void reserve(struct builder *builder, size_t more)
{
    if (builder->text != NULL && builder->room - builder->length > more)
        return;
    size_t room = 2 * builder->length + more + 64;
    char *larger = arena_alloc(builder->arena, room);
    if (builder->length > 0)
        memcpy(larger, builder->text, builder->length);
    builder->text = larger;
    builder->room = room;
}

void builder_add(struct builder *builder, const char *text)
{
    size_t length = strlen(text);
    reserve(builder, length);
    memcpy(builder->text + builder->length, text, length + 1);
    builder->length += length;
}

void builder_format(struct builder *builder, const char *format, ...)
{
    va_list arguments, again;
    va_start(arguments, format);
    va_copy(again, arguments);
    int length = vsnprintf(NULL, 0, format, arguments);
    va_end(arguments);
    if (length > 0) {
        reserve(builder, (size_t)length);
        vsnprintf(builder->text + builder->length, (size_t)length + 1, format, again);
        builder->length += (size_t)length;
    }
    va_end(again);
}

const char *builder_text(const struct builder *builder)
{
    return builder->text != NULL ? builder->text : "";
}
