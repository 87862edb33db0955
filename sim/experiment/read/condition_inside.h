/* The inside of conditions: typed values and the tree. */
#ifndef VDISIM_CONDITION_INSIDE_H
#define VDISIM_CONDITION_INSIDE_H

#include "sim/experiment/read/condition.h"

#include <stdint.h>

enum condition_operator { IS, IS_NOT, LESS, AT_MOST, GREATER, AT_LEAST };

enum condition_type { TYPE_QUANTITY, TYPE_TRUTH, TYPE_WORD };

struct condition_value {
    double number;   /* of a quantity */
    int64_t integer; /* of one that is exact, and of a truth */
    const char *word;
};

enum condition_node { CONDITION_ALL, CONDITION_ANY, CONDITION_NONE, CONDITION_TEST, CONDITION_COMPARE };

struct condition {
    enum condition_node node;
    const struct condition *first, *second; /* ALL and ANY; NONE has only the first */
    size_t axis;                            /* TEST: what it says of each item of an axis */
    const bool *truth;
    const struct condition_subject *left, *right; /* COMPARE: the values of two settings */
    enum condition_operator operator;
};

enum condition_type condition_type_of(const struct condition_subject *subject);

/* "a size", "true or false", "a word" */
const char *condition_noun(const struct condition_subject *subject);

/* Reads a text as a value of the subject's type. False: message says what was expected. */
bool condition_value_read(const struct condition_subject *subject, const char *text,
                          struct condition_value *value, char *message, size_t size);

/* Values of one type; words are the same when one is the other or what follows its last slash. */
bool condition_compare(const struct condition_subject *subject, const struct condition_value *left,
                       enum condition_operator operator, const struct condition_value * right);

#endif
