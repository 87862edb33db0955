#include "sim/experiment/read/setting.h"

#include "sim/experiment/read/builder.h"
#include "sim/experiment/read/quantity.h"
#include "sim/experiment/read/suggest.h"

#include <assert.h>
#include <inttypes.h>
#include <math.h>
#include <string.h>
#include <strings.h>

static bool is_quantity(enum parameter_type type)
{
    return type <= PARAMETER_NUMBER;
}

void setting_bounds(const struct parameter *row, double *minimum, double *maximum)
{
    *minimum = row->minimum;
    *maximum = row->maximum > row->minimum || row->maximum < 0 ? row->maximum : INFINITY;
    if (row->maximum == row->minimum && row->minimum != 0)
        *maximum = row->maximum;
}

static const char *format_bound(struct arena *arena, enum parameter_type type, double bound)
{
    char text[96];
    int64_t integer = fabs(bound) < 0x1p63 ? (int64_t)bound : INT64_MAX - 1;
    quantity_format(type, bound, integer, text, sizeof text);
    return arena_text(arena, text);
}

const char *setting_range(struct arena *arena, const struct parameter *row)
{
    double minimum, maximum;
    setting_bounds(row, &minimum, &maximum);
    if (!is_quantity(row->type) || (minimum == 0 && isinf(maximum)))
        return "";
    if (isinf(maximum))
        return arena_format(arena, "at least %s", format_bound(arena, row->type, minimum));
    return arena_format(arena, "between %s and %s", format_bound(arena, row->type, minimum),
                        format_bound(arena, row->type, maximum));
}

static bool read_quantity(struct arena *arena, struct problems *problems, const struct parameter *row,
                          const struct node *node, void *field)
{
    struct quantity quantity;
    char message[400];
    if (!quantity_parse(row->type, node->text, &quantity, message, sizeof message)) {
        problem_add(problems, PROBLEM_ERROR, node->at, "%s", message);
        return false;
    }
    if (quantity.unlimited && !row->may_be_unlimited) {
        problem_add(problems, PROBLEM_ERROR, node->at, "%s cannot be unlimited; it is %s, e.g. %s", row->name,
                    quantity_noun(row->type), quantity_example(row->type));
        return false;
    }
    double minimum, maximum;
    setting_bounds(row, &minimum, &maximum);
    if (!quantity.unlimited && (quantity.number < minimum || quantity.number > maximum)) {
        const char *range = setting_range(arena, row);
        problem_add(problems, PROBLEM_ERROR, node->at, "'%.60s' is out of range: %s must be %s", node->text,
                    row->name, range[0] != '\0' ? range : "0 or more");
        return false;
    }
    if (quantity_is_integer(row->type))
        *(int64_t *)field = quantity.integer;
    else
        *(double *)field = quantity.number;
    return true;
}

static bool read_boolean(struct problems *problems, const struct parameter *row, const struct node *node,
                         void *field)
{
    static const char *const yes[] = {"true", "on", "yes"}, *const no[] = {"false", "off", "no"};
    for (size_t i = 0; i < sizeof yes / sizeof yes[0]; i++) {
        if (strcasecmp(node->text, yes[i]) == 0 || strcasecmp(node->text, no[i]) == 0) {
            *(bool *)field = strcasecmp(node->text, yes[i]) == 0;
            return true;
        }
    }
    problem_add(problems, PROBLEM_ERROR, node->at, "'%.60s' is not true or false, which %s is", node->text,
                row->name);
    return false;
}

static bool read_choice(struct arena *arena, struct problems *problems, const struct parameter *row,
                        const struct node *node, void *field)
{
    struct suggestion suggestion = {.written = node->text};
    const char *list = "";
    for (int i = 0; row->choices[i] != NULL; i++) {
        if (strcmp(row->choices[i], node->text) == 0) {
            *(int *)field = i;
            return true;
        }
        suggestion_offer(&suggestion, row->choices[i]);
        list = arena_format(arena, "%s%s%s", list, i > 0 ? ", " : "", row->choices[i]);
    }
    if (suggestion.best != NULL)
        problem_add(problems, PROBLEM_ERROR, node->at, "'%.60s' is not %s %s (%.200s). Did you mean %s?",
                    node->text, article_of(row->name), row->name, list, suggestion.best);
    else
        problem_add(problems, PROBLEM_ERROR, node->at, "'%.60s' is not %s %s; it is one of %.300s",
                    node->text, article_of(row->name), row->name, list);
    return false;
}

static bool read_texts(struct arena *arena, struct problems *problems, const struct parameter *row,
                       const struct node *node, void *field)
{
    struct parameter_texts *texts = field;
    if (node->kind == NODE_MAP) {
        problem_add(problems, PROBLEM_ERROR, node->at, "%s is a list, [one, two], not a map", row->name);
        return false;
    }
    size_t count = node->kind == NODE_LIST ? node->count : 1;
    const char **list = ARENA_ARRAY(arena, const char *, count);
    for (size_t i = 0; i < count; i++) {
        const struct node *item = node->kind == NODE_LIST ? node->entries[i].value : node;
        if (item->kind != NODE_SCALAR || node_is_empty(item)) {
            problem_add(problems, PROBLEM_ERROR, item->at, "%s is a list of texts, [one, two]", row->name);
            return false;
        }
        list[i] = item->text;
    }
    *texts = (struct parameter_texts){.texts = list, .count = count};
    return true;
}

bool setting_read(struct arena *arena, struct problems *problems, const struct parameter *row,
                  const struct node *node, void *field)
{
    assert(row->type != PARAMETER_GROUP);
    if (node_is_empty(node)) {
        problem_add(problems, PROBLEM_ERROR, node->at, "%s has no value; write e.g. %s: %s", row->name,
                    row->name, setting_example(row));
        return false;
    }
    if (row->type == PARAMETER_TEXTS)
        return read_texts(arena, problems, row, node, field);
    if (node->kind != NODE_SCALAR) {
        problem_add(problems, PROBLEM_ERROR, node->at, "%s is one value, e.g. %s: %s, not a %s%s", row->name,
                    row->name, setting_example(row), node->kind == NODE_LIST ? "list" : "map",
                    node->kind == NODE_LIST ? "; to compare values list them under vary" : "");
        return false;
    }
    if (is_quantity(row->type))
        return read_quantity(arena, problems, row, node, field);
    if (row->type == PARAMETER_BOOLEAN)
        return read_boolean(problems, row, node, field);
    if (row->type == PARAMETER_CHOICE)
        return read_choice(arena, problems, row, node, field);
    *(const char **)field = node->text;
    return true;
}

static const char *join_texts(struct arena *arena, const struct parameter_texts *texts)
{
    struct builder builder = {.arena = arena};
    for (size_t i = 0; i < texts->count; i++)
        builder_format(&builder, "%s%s", i > 0 ? ", " : "[", texts->texts[i]);
    builder_add(&builder, texts->count > 0 ? "]" : "[]");
    return builder_text(&builder);
}

const char *setting_text(struct arena *arena, const struct parameter *row, const void *field)
{
    char text[128];
    switch (row->type) {
    case PARAMETER_SIZE:
    case PARAMETER_DURATION:
    case PARAMETER_COUNT:
        quantity_format(row->type, 0, *(const int64_t *)field, text, sizeof text);
        return arena_text(arena, text);
    case PARAMETER_THROUGHPUT:
    case PARAMETER_RATE:
    case PARAMETER_FRACTION:
    case PARAMETER_NUMBER:
        quantity_format(row->type, *(const double *)field, 0, text, sizeof text);
        if (row->type == PARAMETER_RATE && strstr(row->name, "iops") != NULL && strstr(text, " /s") != NULL)
            return arena_format(arena, "%.*s IOPS", (int)(strlen(text) - 3), text);
        return arena_text(arena, text);
    case PARAMETER_BOOLEAN:
        return *(const bool *)field ? "true" : "false";
    case PARAMETER_CHOICE:
        return row->choices[*(const int *)field];
    case PARAMETER_TEXTS:
        return join_texts(arena, field);
    default:
        return *(const char *const *)field != NULL ? *(const char *const *)field : "";
    }
}

const char *setting_exact(struct arena *arena, const struct parameter *row, const void *field)
{
    if (is_quantity(row->type) && quantity_is_integer(row->type))
        return arena_format(arena, "%" PRId64, *(const int64_t *)field);
    if (is_quantity(row->type))
        return arena_format(arena, "%a", *(const double *)field);
    if (row->type == PARAMETER_TEXTS) { /* lengths keep [a, b] and ["a, b"] apart */
        const struct parameter_texts *texts = field;
        struct builder builder = {.arena = arena};
        builder_format(&builder, "%zu", texts->count);
        for (size_t i = 0; i < texts->count; i++)
            builder_format(&builder, " %zu:%s", strlen(texts->texts[i]), texts->texts[i]);
        return builder_text(&builder);
    }
    return setting_text(arena, row, field);
}

const char *setting_example(const struct parameter *row)
{
    if (is_quantity(row->type))
        return quantity_example(row->type);
    switch (row->type) {
    case PARAMETER_BOOLEAN:
        return "true";
    case PARAMETER_CHOICE:
        return row->choices[0];
    case PARAMETER_TEXTS:
        return "[one, two]";
    case PARAMETER_STORE:
        return "profiles";
    case PARAMETER_HOSTS:
        return "hosts";
    default:
        return "text";
    }
}
