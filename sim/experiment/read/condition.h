/* Conditions on the values a cell is varied to: `vary: {where: ...}`.
 *
 *     condition  = all { "or" all }
 *     all        = single { "and" single }
 *     single     = "not" single | "(" condition ")" | comparison
 *     comparison = side ("=" | "!=" | "<" | "<=" | ">" | ">=") side
 *                | NAME ["not"] "in" "[" VALUE { "," VALUE } "]"
 *                | NAME                                            of a true-or-false setting
 *     side       = NAME | VALUE                                    one of the two a NAME
 *
 * A NAME is a varied key or an end of it that no other varied key has. Values are typed, never compared as
 * text: a quantity is read in the dimension of the setting it is compared with (5 TiB = 5120 GiB), numbers
 * may have commas between thousands (not inside [ ]), truth is true/on/yes, and a word is that of a catalogue
 * or a choice, whole or by what follows its last slash; quotes keep a word together. Words have no order.
 *
 * What a comparison with a value says of each item of an axis is found once, so that a condition holds for a
 * combination at the cost of some look-ups.
 */
#ifndef VDISIM_CONDITION_H
#define VDISIM_CONDITION_H

#include "sim/experiment/read/arena.h"
#include "sim/experiment/read/node.h"
#include "sim/experiment/read/problem.h"
#include "vdisim/parameter.h"

#include <stdbool.h>
#include <stddef.h>

enum { CONDITION_MAX_DEPTH = 32, CONDITION_MAX_LENGTH = 1000, CONDITION_MAX_COMPARISONS = 100 };

/* A varied key as a condition sees it. */
struct condition_subject {
    const char *key;
    const struct parameter *row; /* NULL, or one without a dimension: its values are words */
    size_t axis;                 /* which of `items` is its item */
    size_t item_count;
    const struct node **values; /* of its items; NULL: not known */

    struct condition_value *typed; /* private: the values read, once needed */
};

struct condition_scope {
    struct arena *arena;
    struct problems *problems;
    struct condition_subject *subjects;
    size_t count;
    bool narrowed; /* values were taken away: a word that none has is no mistake */
};

struct condition;

/* The condition that the scalar `text` states, or NULL with the problem added at its place in the text. */
const struct condition *condition_parse(const struct condition_scope *scope, const struct node *text);

/* Whether it holds for the combination of these items, one an axis. */
bool condition_holds(const struct condition *condition, const size_t *items);

#endif
