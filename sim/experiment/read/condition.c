#include "sim/experiment/read/condition_inside.h"

#include "sim/experiment/read/builder.h"
#include "sim/experiment/read/quantity.h"
#include "sim/experiment/read/suggest.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

struct parsing {
    const struct condition_scope *scope;
    const struct node *node;
    const char *at; /* in node->text */
    size_t depth, comparisons;
};

/* A side of a comparison as written. */
struct side {
    const char *start; /* in the text */
    const char *text;  /* without quotes and blanks around it */
    bool quoted;
    struct condition_subject *subject; /* NULL: a value */
};

static const struct condition *parse_any(struct parsing *parsing);

static size_t code_points(const char *text, size_t bytes)
{
    size_t count = 0;
    for (size_t i = 0; i < bytes; i++)
        count += ((unsigned char)text[i] & 0xC0) != 0x80;
    return count;
}

/* Adds the problem at a part of the text; always NULL. Where the text is not written as it is read (escapes, more than
 * one line) the whole is pointed at, and the place told. */
static const struct condition *refuse(const struct parsing *parsing, const char *start, size_t length,
                                      const char *format, ...) __attribute__((format(printf, 4, 5)));
static const struct condition *refuse(const struct parsing *parsing, const char *start, size_t length,
                                      const char *format, ...)
{
    const struct node *node = parsing->node;
    char message[500], place[48] = "";
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    size_t before = code_points(node->text, (size_t)(start - node->text));
    size_t quotes = node->quoted ? 1 : 0, whole = code_points(node->text, strlen(node->text));
    struct position at = node->at;
    if (at.end_column == at.column + whole + 2 * quotes) {
        at.column += quotes + before;
        at.end_column = at.column + code_points(start, length);
        if (at.end_column == at.column)
            at.end_column++;
    } else {
        snprintf(place, sizeof place, " (at character %zu)", before + 1);
    }
    problem_add(parsing->scope->problems, PROBLEM_ERROR, at, "%s%s", message, place);
    return NULL;
}

static void skip_blanks(struct parsing *parsing)
{
    while (*parsing->at == ' ' || *parsing->at == '\t' || *parsing->at == '\n')
        parsing->at++;
}

static bool is_word_character(char c)
{
    return isalnum((unsigned char)c) || (unsigned char)c >= 0x80 ||
           (c != '\0' && strchr("_-./%+", c) != NULL);
}

/* Whether a word stands here, in any case of letters. */
static bool stands(const char *at, const char *word)
{
    size_t length = strlen(word);
    return strncasecmp(at, word, length) == 0 && !is_word_character(at[length]);
}

static bool is_keyword(const char *at)
{
    return stands(at, "and") || stands(at, "or") || stands(at, "not") || stands(at, "in");
}

static bool take(struct parsing *parsing, const char *word)
{
    skip_blanks(parsing);
    bool is_there = isalpha((unsigned char)word[0]) ? stands(parsing->at, word)
                                                    : strncmp(parsing->at, word, strlen(word)) == 0;
    if (is_there)
        parsing->at += strlen(word);
    return is_there;
}

static bool ends_side(const char *at, bool in_list)
{
    if (*at == ',')
        return in_list || !isdigit((unsigned char)at[1]);
    return *at == '\0' || strchr("=!<>()[]&|\n", *at) != NULL;
}

/* Where the side that begins here ends, blanks after it left out. */
static const char *end_of_side(const char *start, bool in_list)
{
    const char *end = start;
    for (const char *at = start; !ends_side(at, in_list); at++) {
        bool begins_word = at == start || at[-1] == ' ' || at[-1] == '\t';
        if (begins_word && is_keyword(at))
            break;
        if (*at != ' ' && *at != '\t')
            end = at + 1;
    }
    return end;
}

/* False with the problem added. */
static bool read_side(struct parsing *parsing, struct side *side, bool in_list)
{
    skip_blanks(parsing);
    const char *start = parsing->at, *end;
    *side = (struct side){.start = start, .quoted = *start == '\'' || *start == '"'};
    if (side->quoted) {
        end = strchr(start + 1, *start);
        if (end == NULL) {
            refuse(parsing, start, strlen(start), "this quote is never closed");
            return false;
        }
        side->text = arena_text_n(parsing->scope->arena, start + 1, (size_t)(end - start - 1));
        parsing->at = end + 1;
        return true;
    }
    end = end_of_side(start, in_list);
    if (end == start) {
        if (*start == '\0')
            refuse(parsing, start, 0, "a setting or a value is missing at the end");
        else if (*start == '(' || is_keyword(start))
            refuse(parsing, start, 1, "a setting or a value is missing before '%.20s'", start);
        else
            refuse(parsing, start, 1, "a setting or a value is missing before '%.1s'", start);
        return false;
    }
    side->text = arena_text_n(parsing->scope->arena, start, (size_t)(end - start));
    parsing->at = end;
    return true;
}

/* -- what the sides mean -- */

/* The subject of that name; `second` when there is another. */
static struct condition_subject *find_subject(const struct condition_scope *scope, const char *name,
                                              struct condition_subject **second)
{
    struct condition_subject *found = NULL;
    *second = NULL;
    for (size_t i = 0; i < scope->count; i++) {
        struct condition_subject *subject = &scope->subjects[i];
        if (strcmp(subject->key, name) == 0) {
            *second = NULL;
            return subject;
        }
        if (!path_ends_with(subject->key, name))
            continue;
        if (found == NULL)
            found = subject;
        else
            *second = subject;
    }
    return found;
}

static const char *last_component(const char *key)
{
    const char *dot = strrchr(key, '.');
    return dot != NULL ? dot + 1 : key;
}

static void refuse_unknown(const struct parsing *parsing, const struct side *side)
{
    const struct condition_scope *scope = parsing->scope;
    struct suggestion suggestion = {.written = side->text};
    struct builder list = {.arena = scope->arena};
    for (size_t i = 0; i < scope->count; i++) {
        suggestion_offer(&suggestion, scope->subjects[i].key);
        suggestion_offer(&suggestion, last_component(scope->subjects[i].key));
        if (list.length < 240)
            builder_format(&list, "%s%s", i > 0 ? ", " : "", scope->subjects[i].key);
    }
    if (suggestion.best != NULL)
        refuse(parsing, side->start, strlen(side->text), "'%.80s' is not varied here. Did you mean %s?",
               side->text, suggestion.best);
    else
        refuse(parsing, side->start, strlen(side->text), "'%.80s' is not varied here; varied %s %.260s",
               side->text, scope->count > 1 ? "are" : "is", builder_text(&list));
}

/* Finds out whether a side is a setting. False with the problem added: the end of two keys, or an unknown one where
 * one is needed. */
static bool resolve(const struct parsing *parsing, struct side *side, bool must_be_setting)
{
    struct condition_subject *second = NULL;
    if (!side->quoted)
        side->subject = find_subject(parsing->scope, side->text, &second);
    if (side->subject != NULL && second != NULL) {
        refuse(parsing, side->start, strlen(side->text), "'%.60s' may be %.100s or %.100s; write more of it",
               side->text, side->subject->key, second->key);
        return false;
    }
    if (side->subject == NULL && must_be_setting) {
        refuse_unknown(parsing, side);
        return false;
    }
    return true;
}

/* Reads all values of a setting, once. False with the problem added. */
static bool type_values(const struct parsing *parsing, const struct side *side)
{
    struct condition_subject *subject = side->subject;
    if (subject->typed != NULL)
        return true;
    struct arena *arena = parsing->scope->arena;
    struct condition_value *typed = ARENA_ARRAY(arena, struct condition_value, subject->item_count);
    for (size_t i = 0; i < subject->item_count; i++) {
        const struct node *value = subject->values[i];
        char message[400];
        if (value == NULL) {
            refuse(
                parsing, side->start, strlen(side->text),
                "the table leaves %.100s empty in row %zu, and the file does not set it: write its value to "
                "compare it",
                subject->key, i + 1);
            return false;
        }
        if (!condition_value_read(subject, node_text(arena, value), &typed[i], message, sizeof message)) {
            problem_add(parsing->scope->problems, PROBLEM_ERROR, value->at, "%s", message);
            return false;
        }
    }
    subject->typed = typed;
    return true;
}

/* Reads a value for comparing with a setting. False with the problem added. */
static bool read_value(const struct parsing *parsing, const struct side *side,
                       const struct condition_subject *subject, struct condition_value *value)
{
    const struct condition_scope *scope = parsing->scope;
    char message[400];
    if (!condition_value_read(subject, side->text, value, message, sizeof message)) {
        refuse(parsing, side->start, strlen(side->text) + 2 * side->quoted, "%s: %s", subject->key, message);
        return false;
    }
    if (condition_type_of(subject) != TYPE_WORD || scope->narrowed)
        return true;
    struct suggestion suggestion = {.written = side->text};
    for (size_t i = 0; i < subject->item_count; i++) {
        if (condition_compare(subject, &subject->typed[i], IS, value))
            return true;
        const char *word = subject->typed[i].word, *slash = strrchr(word, '/');
        suggestion_offer(&suggestion, word);
        if (slash != NULL)
            suggestion_offer(&suggestion, slash + 1);
    }
    refuse(parsing, side->start, strlen(side->text) + 2 * side->quoted,
           "%.100s is never '%.60s' here%s%.100s%s", subject->key, side->text,
           suggestion.best != NULL ? ". Did you mean " : "", suggestion.best != NULL ? suggestion.best : "",
           suggestion.best != NULL ? "?" : "");
    return false;
}

/* -- the tree -- */

static const struct condition *join(const struct parsing *parsing, enum condition_node node,
                                    const struct condition *first, const struct condition *second)
{
    struct condition *condition = ARENA_NEW(parsing->scope->arena, struct condition);
    *condition = (struct condition){.node = node, .first = first, .second = second};
    return condition;
}

/* What `operator` and any of the values say of each item. */
static const struct condition *test(const struct parsing *parsing, const struct condition_subject *subject,
                                    enum condition_operator operator, const struct condition_value * values,
                                    size_t count)
{
    struct condition *condition = ARENA_NEW(parsing->scope->arena, struct condition);
    bool *truth = ARENA_ARRAY(parsing->scope->arena, bool, subject->item_count);
    for (size_t i = 0; i < subject->item_count; i++)
        for (size_t j = 0; j < count && !truth[i]; j++)
            truth[i] = condition_compare(subject, &subject->typed[i], operator, & values[j]);
    *condition = (struct condition){.node = CONDITION_TEST, .axis = subject->axis, .truth = truth};
    return condition;
}

static bool may_compare(const struct condition_subject *left, const struct condition_subject *right)
{
    enum condition_type type = condition_type_of(left);
    return type == condition_type_of(right) && (type != TYPE_QUANTITY || left->row->type == right->row->type);
}

static const struct condition *compare_settings(const struct parsing *parsing, const struct side *left,
                                                enum condition_operator operator, const struct side * right)
{
    if (!may_compare(left->subject, right->subject))
        return refuse(parsing, left->start, (size_t)(right->start - left->start) + strlen(right->text),
                      "%.60s is %s and %.60s is %s: they cannot be compared", left->text,
                      condition_noun(left->subject), right->text, condition_noun(right->subject));
    struct condition *condition = ARENA_NEW(parsing->scope->arena, struct condition);
    *condition = (struct condition){
        .node = CONDITION_COMPARE, .left = left->subject, .right = right->subject, .operator= operator};
    return condition;
}

static enum condition_operator mirrored(enum condition_operator operator)
{
    static const enum condition_operator mirror[] = {
        [IS] = IS,        [IS_NOT] = IS_NOT,   [LESS] = GREATER, [AT_MOST] = AT_LEAST,
        [GREATER] = LESS, [AT_LEAST] = AT_MOST};
    return mirror[operator];
}

static const struct condition *compare(struct parsing *parsing, struct side *left,
                                       enum condition_operator operator, const char * sign,
                                       struct side *right)
{
    if (!resolve(parsing, left, false) || !resolve(parsing, right, false))
        return NULL;
    if (left->subject == NULL && right->subject == NULL) {
        bool is_left = left->quoted || isdigit((unsigned char)left->text[0]);
        refuse_unknown(parsing, is_left && !right->quoted ? right : left);
        return NULL;
    }
    const struct condition_subject *subject = left->subject != NULL ? left->subject : right->subject;
    if (operator!= IS && operator!= IS_NOT && condition_type_of(subject) != TYPE_QUANTITY)
        return refuse(parsing, sign, operator== LESS || operator== GREATER ? 1 : 2,
                      "%.100s is %s, which has no order: compare it by =, != or in", subject->key,
                      condition_noun(subject));
    if ((left->subject != NULL && !type_values(parsing, left)) ||
        (right->subject != NULL && !type_values(parsing, right)))
        return NULL;
    if (left->subject != NULL && right->subject != NULL)
        return compare_settings(parsing, left, operator, right);
    struct condition_value value;
    if (left->subject == NULL)
        return read_value(parsing, left, subject, &value)
                   ? test(parsing, subject, mirrored(operator), &value, 1)
                   : NULL;
    return read_value(parsing, right, subject, &value) ? test(parsing, subject, operator, & value, 1) : NULL;
}

/* -- the grammar -- */

/* 1: an operator was taken; 0: there is none; -1: what people write for one, the problem added. */
static int take_operator(struct parsing *parsing, enum condition_operator *operator, const char ** sign)
{
    static const struct {
        const char *written, *meant;
        enum condition_operator operator;
    } signs[] = {{"==", "=", IS},       {"=<", "<=", AT_MOST},  {"=>", ">=", AT_LEAST}, {"<>", "!=", IS_NOT},
                 {"<=", NULL, AT_MOST}, {">=", NULL, AT_LEAST}, {"!=", NULL, IS_NOT},   {"=", NULL, IS},
                 {"<", NULL, LESS},     {">", NULL, GREATER},   {"&", "and", IS},       {"|", "or", IS},
                 {"!", "not", IS}};
    skip_blanks(parsing);
    *sign = parsing->at;
    for (size_t i = 0; i < sizeof signs / sizeof signs[0]; i++) {
        size_t length = strlen(signs[i].written);
        if (strncmp(parsing->at, signs[i].written, length) != 0)
            continue;
        if (signs[i].meant != NULL) {
            bool is_doubled = parsing->at[1] == parsing->at[0];
            refuse(parsing, parsing->at, is_doubled ? 2 : length, "'%.*s' is written %s here",
                   (int)(is_doubled ? 2 : length), parsing->at, signs[i].meant);
            return -1;
        }
        parsing->at += length;
        *operator= signs[i].operator;
        return 1;
    }
    return 0;
}

/* [ VALUE, VALUE ] after "in". */
static const struct condition *parse_list(struct parsing *parsing, struct side *left)
{
    struct arena *arena = parsing->scope->arena;
    struct condition_value *values = NULL;
    size_t count = 0;
    if (!resolve(parsing, left, true) || !type_values(parsing, left))
        return NULL;
    const char *open = parsing->at + strspn(parsing->at, " \t\n");
    if (!take(parsing, "["))
        return refuse(parsing, open, 1, "after in stands a list, %.60s in [ONE, TWO]", left->text);
    do {
        struct side side;
        struct condition_value value;
        if (!read_side(parsing, &side, true))
            return NULL;
        if (parsing->at[0] == ',' && isdigit((unsigned char)parsing->at[1]) &&
            isdigit((unsigned char)parsing->at[-1]))
            return refuse(
                parsing, parsing->at, 1,
                "a comma between two digits: write thousands without it in a list (1000), and a blank "
                "after it between values");
        if (!read_value(parsing, &side, left->subject, &value))
            return NULL;
        ARENA_GROW(arena, values, count);
        values[count++] = value;
    } while (take(parsing, ","));
    if (!take(parsing, "]"))
        return refuse(parsing, open, 1, "this list is not closed by ]");
    return test(parsing, left->subject, IS, values, count);
}

static const struct condition *parse_truth(struct parsing *parsing, struct side *side)
{
    static const struct condition_value yes = {.integer = 1};
    if (isdigit((unsigned char)side->text[0]) || side->quoted)
        return refuse(
            parsing, side->start, strlen(side->text) + 2 * side->quoted,
            "'%.60s' alone is no condition; in a list [ ] a condition with a comma stands in quotes",
            side->text);
    if (!resolve(parsing, side, true))
        return NULL;
    if (condition_type_of(side->subject) != TYPE_TRUTH)
        return refuse(
            parsing, side->start, strlen(side->text),
            "'%.80s' is compared with nothing; write e.g. %.80s = VALUE, with =, !=, <, <=, >, >= or "
            "in [ONE, TWO]",
            side->text, side->text);
    return type_values(parsing, side) ? test(parsing, side->subject, IS, &yes, 1) : NULL;
}

static const struct condition *parse_comparison(struct parsing *parsing)
{
    struct side left, right;
    enum condition_operator operator, another;
    const char *sign;
    skip_blanks(parsing);
    if (++parsing->comparisons > CONDITION_MAX_COMPARISONS)
        return refuse(parsing, parsing->at, 1, "more than %d comparisons in one condition",
                      CONDITION_MAX_COMPARISONS);
    if (*parsing->at == '!' && parsing->at[1] != '=')
        return refuse(parsing, parsing->at, 1, "'!' is written not here");
    if (!read_side(parsing, &left, false))
        return NULL;
    if (take(parsing, "in"))
        return parse_list(parsing, &left);
    if (take(parsing, "not")) {
        if (!take(parsing, "in"))
            return refuse(parsing, parsing->at, 1, "'not' here needs in, %.60s not in [ONE, TWO]", left.text);
        const struct condition *list = parse_list(parsing, &left);
        return list != NULL ? join(parsing, CONDITION_NONE, list, NULL) : NULL;
    }
    int taken = take_operator(parsing, &operator, & sign);
    if (taken < 0)
        return NULL;
    if (taken == 0)
        return parse_truth(parsing, &left);
    if (!read_side(parsing, &right, false))
        return NULL;
    const char *after = sign;
    taken = take_operator(parsing, &another, &sign);
    if (taken < 0)
        return NULL;
    if (taken > 0)
        return refuse(
            parsing, sign, 1,
            "a comparison has two sides: write two, joined by and (1 TiB <= size and size <= 5 TiB)");
    return compare(parsing, &left, operator, after, &right);
}

static const struct condition *parse_single(struct parsing *parsing)
{
    const struct condition *inner;
    skip_blanks(parsing);
    const char *start = parsing->at;
    bool is_not = take(parsing, "not");
    if (!is_not && !take(parsing, "("))
        return parse_comparison(parsing);
    if (parsing->depth == CONDITION_MAX_DEPTH)
        return refuse(parsing, start, 1, "nested deeper than %d", CONDITION_MAX_DEPTH);
    parsing->depth++;
    inner = is_not ? parse_single(parsing) : parse_any(parsing);
    parsing->depth--;
    if (inner == NULL)
        return NULL;
    if (is_not)
        return join(parsing, CONDITION_NONE, inner, NULL);
    if (take(parsing, ")"))
        return inner;
    if (*parsing->at == '\0')
        return refuse(parsing, start, 1, "this parenthesis is not closed");
    return refuse(parsing, parsing->at, 1, "and, or or ) is missing before '%.20s'", parsing->at);
}

static const struct condition *parse_all(struct parsing *parsing)
{
    const struct condition *all = parse_single(parsing);
    while (all != NULL && take(parsing, "and")) {
        const struct condition *next = parse_single(parsing);
        all = next != NULL ? join(parsing, CONDITION_ALL, all, next) : NULL;
    }
    return all;
}

static const struct condition *parse_any(struct parsing *parsing)
{
    const struct condition *any = parse_all(parsing);
    while (any != NULL && take(parsing, "or")) {
        const struct condition *next = parse_all(parsing);
        any = next != NULL ? join(parsing, CONDITION_ANY, any, next) : NULL;
    }
    return any;
}

static const struct condition *refuse_rest(const struct parsing *parsing)
{
    const char *rest = parsing->at;
    if (*rest == ')')
        return refuse(parsing, rest, 1, "this parenthesis closes nothing");
    if (*rest == ',')
        return refuse(parsing, rest, 1, "conditions are joined by and or or, or stand in a list");
    if (*rest == '&' || *rest == '|')
        return refuse(parsing, rest, strspn(rest, "&|"), "'%.1s' is written %s here", rest,
                      *rest == '&' ? "and" : "or");
    return refuse(parsing, rest, 1, "and or or is missing before '%.20s'", rest);
}

const struct condition *condition_parse(const struct condition_scope *scope, const struct node *text)
{
    struct parsing parsing = {.scope = scope, .node = text, .at = text->text};
    if (text->kind != NODE_SCALAR || node_is_empty(text)) {
        problem_add(scope->problems, PROBLEM_ERROR, text->at,
                    "a condition is a text, e.g. users <= 1000 and tier = premium; put it in quotes when it "
                    "holds brackets, a comma or a colon");
        return NULL;
    }
    if (strlen(text->text) > CONDITION_MAX_LENGTH) {
        problem_add(scope->problems, PROBLEM_ERROR, text->at, "a condition has at most %d characters",
                    CONDITION_MAX_LENGTH);
        return NULL;
    }
    const struct condition *condition = parse_any(&parsing);
    skip_blanks(&parsing);
    if (condition != NULL && *parsing.at != '\0')
        return refuse_rest(&parsing);
    return condition;
}

bool condition_holds(const struct condition *condition, const size_t *items)
{
    switch (condition->node) {
    case CONDITION_ALL:
        return condition_holds(condition->first, items) && condition_holds(condition->second, items);
    case CONDITION_ANY:
        return condition_holds(condition->first, items) || condition_holds(condition->second, items);
    case CONDITION_NONE:
        return !condition_holds(condition->first, items);
    case CONDITION_TEST:
        return condition->truth[items[condition->axis]];
    default: {
        const struct condition_subject *left = condition->left, *right = condition->right;
        return condition_compare(left, &left->typed[items[left->axis]],
                                 condition->operator, & right->typed[items[right->axis]]);
    }
    }
}
