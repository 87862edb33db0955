#include "sim/experiment/read/condition_inside.h"

#include "sim/experiment/read/quantity.h"
#include "sim/experiment/read/suggest.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

enum condition_type condition_type_of(const struct condition_subject *subject)
{
    if (subject->row == NULL)
        return TYPE_WORD;
    if (subject->row->type <= PARAMETER_NUMBER)
        return TYPE_QUANTITY;
    return subject->row->type == PARAMETER_BOOLEAN ? TYPE_TRUTH : TYPE_WORD;
}

const char *condition_noun(const struct condition_subject *subject)
{
    switch (condition_type_of(subject)) {
    case TYPE_QUANTITY:
        return quantity_noun(subject->row->type);
    case TYPE_TRUTH:
        return "true or false";
    default:
        return "a word";
    }
}

static bool read_truth(const char *text, struct condition_value *value)
{
    static const char *const words[] = {"false", "off", "no", "true", "on", "yes"};
    for (int i = 0; i < 6; i++) {
        if (strcasecmp(text, words[i]) == 0) {
            value->integer = i >= 3;
            return true;
        }
    }
    return false;
}

static bool read_choice(const struct parameter *row, const char *text, char *message, size_t size)
{
    struct suggestion suggestion = {.written = text};
    for (int i = 0; row->choices[i] != NULL; i++) {
        if (strcmp(row->choices[i], text) == 0)
            return true;
        suggestion_offer(&suggestion, row->choices[i]);
    }
    snprintf(message, size, "'%.60s' is not %s %s%s%s%s", text, article_of(row->name), row->name,
             suggestion.best != NULL ? ". Did you mean " : "", suggestion.best != NULL ? suggestion.best : "",
             suggestion.best != NULL ? "?" : "");
    return false;
}

bool condition_value_read(const struct condition_subject *subject, const char *text,
                          struct condition_value *value, char *message, size_t size)
{
    *value = (struct condition_value){.word = text};
    switch (condition_type_of(subject)) {
    case TYPE_QUANTITY: {
        struct quantity quantity;
        if (!quantity_parse(subject->row->type, text, &quantity, message, size))
            return false;
        value->number = quantity.number;
        value->integer = quantity.integer;
        return true;
    }
    case TYPE_TRUTH:
        if (read_truth(text, value))
            return true;
        snprintf(message, size, "'%.60s' is not true or false, which %s is", text, subject->row->name);
        return false;
    default:
        return subject->row == NULL || subject->row->type != PARAMETER_CHOICE ||
               read_choice(subject->row, text, message, size);
    }
}

static const char *after_slash(const char *text)
{
    const char *slash = strrchr(text, '/');
    return slash != NULL ? slash + 1 : text;
}

static bool same_word(const char *a, const char *b)
{
    return strcmp(a, b) == 0 || strcmp(after_slash(a), b) == 0 || strcmp(a, after_slash(b)) == 0;
}

/* -1, 0, 1. Integers exactly; others up to the rounding of their units. */
static int order(enum parameter_type type, const struct condition_value *a, const struct condition_value *b)
{
    if (quantity_is_integer(type))
        return (a->integer > b->integer) - (a->integer < b->integer);
    if (a->number == b->number || fabs(a->number - b->number) <= 1e-12 * fabs(b->number))
        return 0;
    return a->number > b->number ? 1 : -1;
}

bool condition_compare(const struct condition_subject *subject, const struct condition_value *left,
                       enum condition_operator operator, const struct condition_value * right)
{
    enum condition_type type = condition_type_of(subject);
    int sign = type == TYPE_QUANTITY ? order(subject->row->type, left, right)
               : type == TYPE_TRUTH  ? left->integer != right->integer
                                     : !same_word(left->word, right->word);
    switch (operator) {
    case IS:
        return sign == 0;
    case IS_NOT:
        return sign != 0;
    case LESS:
        return sign < 0;
    case AT_MOST:
        return sign <= 0;
    case GREATER:
        return sign > 0;
    default:
        return sign >= 0;
    }
}
