/* Reading a YAML file into a tree of nodes with positions.
 *
 * The part of YAML that people write by hand: maps, lists, plain and quoted scalars, comments. Refused, each
 * with its place: anchors, aliases and tags, more than one document, text that is not UTF-8, control
 * characters, files of more than DOCUMENT_MAX_BYTES, nesting deeper than DOCUMENT_MAX_DEPTH, duplicate and
 * empty keys, keys that are not scalars.
 *
 * libyaml reports events with positions; its ready-made document would have resolved the aliases unseen.
 */
#ifndef VDISIM_DOCUMENT_H
#define VDISIM_DOCUMENT_H

#include "sim/experiment/read/arena.h"
#include "sim/experiment/read/node.h"
#include "sim/experiment/read/problem.h"
#include "sim/experiment/read/text_file.h"

#include <stddef.h>

#define DOCUMENT_MAX_BYTES (4 * 1024 * 1024)
#define DOCUMENT_MAX_DEPTH 32
#define DOCUMENT_MAX_KEYS  1000   /* of one map */
#define DOCUMENT_MAX_ITEMS 100000 /* of one list */

/* The tree of a text, or NULL with the problems added. `name` stands for the file in messages. Problems that
 * leave a tree worth checking further (a duplicate key) are added and the tree is returned. */
const struct node *document_parse(struct arena *arena, const char *name, const char *text, size_t length,
                                  struct problems *problems);

const struct node *document_read(struct arena *arena, const char *path, struct problems *problems);

#endif
