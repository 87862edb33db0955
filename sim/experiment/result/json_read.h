/* Reading JSON (RFC 8259) into a tree of nodes (node.h), as a YAML file is read by document.h.
 *
 * For what programs wrote, also after other programs reformatted it: any escape, surrogate pairs, any order, any
 * size. Strings become quoted scalars; numbers, true, false and null plain ones, as they are written. Refused, each
 * with its place: what is no JSON, a NUL character, a key twice in one object, more than JSON_MAX_DEPTH levels.
 */
#ifndef VDISIM_JSON_READ_H
#define VDISIM_JSON_READ_H

#include "sim/experiment/read/arena.h"
#include "sim/experiment/read/node.h"
#include "sim/experiment/read/problem.h"

#include <stddef.h>

enum { JSON_MAX_DEPTH = 64 };

/* The tree of a text, or NULL with one problem added. `name` stands for the file in it. */
const struct node *json_read(struct arena *arena, const char *name, const char *text, size_t length,
                             struct problems *problems);

#endif
