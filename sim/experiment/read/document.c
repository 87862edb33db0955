#include "sim/experiment/read/document.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <yaml.h>

/* A map or list that is still open. */
struct frame {
    struct node *node;
    const char *key; /* of a map: read, its value not yet */
    struct position key_at;
};

struct composer {
    struct arena *arena;
    const char *name;
    struct problems *problems;
    struct frame frames[DOCUMENT_MAX_DEPTH];
    size_t depth;
    struct node *root;
    bool failed;
};

static struct position position_of(const struct composer *composer, yaml_mark_t start, yaml_mark_t end)
{
    struct position at = {composer->name, start.line + 1, start.column + 1, start.column + 2};
    if (end.line == start.line && end.column > start.column)
        at.end_column = end.column + 1;
    return at;
}

static void refuse(struct composer *composer, struct position at, const char *what)
{
    problem_add(composer->problems, PROBLEM_ERROR, at, "%s", what);
}

static void add_key(struct composer *composer, struct frame *frame, const struct node *key)
{
    frame->key = key->text;
    frame->key_at = key->at;
    if (key->text[0] == '\0')
        refuse(composer, key->at, "a key is missing before the colon");
    const struct entry *before = node_entry(frame->node, key->text);
    if (before != NULL)
        problem_add(composer->problems, PROBLEM_ERROR, key->at,
                    "duplicate key '%s'; it stands in line %zu already", key->text, before->key_at.line);
}

/* Puts a finished scalar or an opened map or list where it belongs. */
static void place(struct composer *composer, struct node *node)
{
    if (composer->depth == 0) {
        composer->root = node;
        return;
    }
    struct frame *frame = &composer->frames[composer->depth - 1];
    struct node *parent = frame->node;
    if (parent->kind == NODE_MAP && frame->key == NULL) {
        if (node->kind == NODE_SCALAR) {
            add_key(composer, frame, node);
        } else {
            refuse(composer, node->at, "a key must be a plain word, not a map or a list");
            frame->key = "?";
            composer->failed = true;
        }
        return;
    }
    size_t most = parent->kind == NODE_MAP ? DOCUMENT_MAX_KEYS : DOCUMENT_MAX_ITEMS;
    if (parent->count == most) {
        problem_add(composer->problems, PROBLEM_ERROR, node->at, "more than %zu entries in one %s", most,
                    parent->kind == NODE_MAP ? "map" : "list");
        composer->failed = true;
        return;
    }
    struct entry *entries = (struct entry *)parent->entries;
    parent->entries = ARENA_GROW(composer->arena, entries, parent->count);
    entries[parent->count++] = (struct entry){
        .key = frame->key,
        .key_at = frame->key != NULL ? frame->key_at : node->at,
        .value = node,
    };
    frame->key = NULL;
}

static void open_collection(struct composer *composer, enum node_kind kind, struct position at)
{
    struct node *node = ARENA_NEW(composer->arena, struct node);
    *node = (struct node){.kind = kind, .at = at};
    place(composer, node);
    if (composer->depth == DOCUMENT_MAX_DEPTH) {
        problem_add(composer->problems, PROBLEM_ERROR, at, "maps and lists are nested deeper than %d",
                    DOCUMENT_MAX_DEPTH);
        composer->failed = true;
        return;
    }
    composer->frames[composer->depth++] = (struct frame){.node = node};
}

static void check_properties(struct composer *composer, const yaml_char_t *anchor, const yaml_char_t *tag,
                             struct position at)
{
    if (anchor != NULL) {
        refuse(composer, at, "anchors (&name) are not allowed; write the value out, or vary it");
        composer->failed = true; /* one says it: where there is one there are more */
        return;
    }
    if (tag != NULL)
        refuse(composer, at, "tags (!name) are not allowed");
}

static void compose_scalar(struct composer *composer, const yaml_event_t *event, struct position at)
{
    const char *text = (const char *)event->data.scalar.value;
    check_properties(composer, event->data.scalar.anchor, event->data.scalar.tag, at);
    if (memchr(text, '\0', event->data.scalar.length) != NULL)
        refuse(composer, at, "a text must not contain NUL characters");
    struct node *node =
        node_scalar(composer->arena, arena_text_n(composer->arena, text, event->data.scalar.length), at);
    node->quoted = event->data.scalar.style != YAML_PLAIN_SCALAR_STYLE;
    place(composer, node);
}

static void compose(struct composer *composer, const yaml_event_t *event)
{
    struct position at = position_of(composer, event->start_mark, event->end_mark);
    switch (event->type) {
    case YAML_DOCUMENT_START_EVENT:
        if (composer->root != NULL) {
            refuse(composer, at, "a second document begins here; a file holds one");
            composer->failed = true;
        }
        break;
    case YAML_ALIAS_EVENT:
        refuse(composer, at, "aliases (*name) are not allowed; write the value out, or vary it");
        composer->failed = true;
        break;
    case YAML_SCALAR_EVENT:
        compose_scalar(composer, event, at);
        break;
    case YAML_SEQUENCE_START_EVENT:
        check_properties(composer, event->data.sequence_start.anchor, event->data.sequence_start.tag, at);
        open_collection(composer, NODE_LIST, at);
        break;
    case YAML_MAPPING_START_EVENT:
        check_properties(composer, event->data.mapping_start.anchor, event->data.mapping_start.tag, at);
        open_collection(composer, NODE_MAP, at);
        break;
    case YAML_SEQUENCE_END_EVENT:
    case YAML_MAPPING_END_EVENT:
        composer->depth--;
        break;
    default:
        break;
    }
}

static void report_syntax(struct composer *composer, const yaml_parser_t *parser)
{
    struct position at = position_of(composer, parser->problem_mark, parser->problem_mark);
    const char *what = parser->problem != NULL ? parser->problem : "is not YAML";
    if (parser->error == YAML_MEMORY_ERROR)
        problem_add(composer->problems, PROBLEM_ERROR, (struct position){.file = composer->name},
                    "out of memory");
    else if (parser->context != NULL)
        problem_add(composer->problems, PROBLEM_ERROR, at,
                    "%s, %s that begins in line %zu; check the indentation and the brackets", what,
                    parser->context, parser->context_mark.line + 1);
    else
        problem_add(composer->problems, PROBLEM_ERROR, at, "%s", what);
    composer->failed = true;
}

/* The parser and its current event; the arena's, which may jump away in the middle. */
struct stream {
    yaml_parser_t parser;
    yaml_event_t event;
};

static void release_stream(void *object)
{
    struct stream *stream = object;
    yaml_event_delete(&stream->event);
    yaml_parser_delete(&stream->parser);
    free(stream);
}

static struct stream *open_stream(const char *text, size_t length)
{
    struct stream *stream = calloc(1, sizeof *stream);
    if (stream == NULL || !yaml_parser_initialize(&stream->parser)) {
        free(stream);
        return NULL;
    }
    yaml_parser_set_encoding(&stream->parser, YAML_UTF8_ENCODING);
    yaml_parser_set_input_string(&stream->parser, (const unsigned char *)text, length);
    return stream;
}

static void compose_all(struct composer *composer, struct stream *stream)
{
    bool ended = false;
    while (!ended && !composer->failed) {
        if (!yaml_parser_parse(&stream->parser, &stream->event)) {
            report_syntax(composer, &stream->parser);
            return;
        }
        compose(composer, &stream->event);
        ended = stream->event.type == YAML_STREAM_END_EVENT;
        yaml_event_delete(&stream->event);
    }
}

const struct node *document_parse(struct arena *arena, const char *name, const char *text, size_t length,
                                  struct problems *problems)
{
    if (length > DOCUMENT_MAX_BYTES) {
        problem_add(problems, PROBLEM_ERROR, (struct position){.file = name}, "is larger than %d MiB",
                    DOCUMENT_MAX_BYTES / 1024 / 1024);
        return NULL;
    }
    if (!text_is_clean(name, text, length, problems))
        return NULL;
    if (length >= 3 && memcmp(text, "\xEF\xBB\xBF", 3) == 0) {
        text += 3;
        length -= 3;
    }
    struct stream *stream = open_stream(text, length);
    if (stream == NULL) {
        problem_add(problems, PROBLEM_ERROR, (struct position){.file = name}, "out of memory");
        return NULL;
    }
    arena_defer(arena, release_stream, stream);
    struct composer *composer = ARENA_NEW(arena, struct composer);
    *composer = (struct composer){.arena = arena, .name = name, .problems = problems};
    compose_all(composer, stream);
    if (composer->failed)
        return NULL;
    if (node_is_empty(composer->root)) {
        problem_add(problems, PROBLEM_ERROR, (struct position){.file = name}, "is empty");
        return NULL;
    }
    return composer->root;
}

const struct node *document_read(struct arena *arena, const char *path, struct problems *problems)
{
    size_t length;
    const char *text = text_file_read(arena, path, DOCUMENT_MAX_BYTES, &length, problems);
    return text != NULL ? document_parse(arena, path, text, length, problems) : NULL;
}
