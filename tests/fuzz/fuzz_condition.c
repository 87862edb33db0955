/* Any bytes as a condition on a few varied keys of each type. Ends with a condition that holds for a combination
 * exactly when its negation does not, or with a problem. */
#include "sim/experiment/read/condition.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { KEYS = 7, AXES = 5, ITEMS = 2 };

static const char *const patterns[] = {"even", "poisson", NULL};
static const struct parameter rows[] = {
    {.name = "size", .type = PARAMETER_SIZE},
    {.name = "users", .type = PARAMETER_COUNT},
    {.name = "pooled", .type = PARAMETER_BOOLEAN},
    {.name = "rate", .type = PARAMETER_RATE},
    {.name = "pattern", .type = PARAMETER_CHOICE, .choices = patterns},
};
static const struct {
    const char *key;
    const struct parameter *row;
    size_t axis;
    const char *values[ITEMS];
} keys[KEYS] = {
    {"stores.p.tier", NULL, 0, {"azure-files/premium", "azure-files/hot"}},
    {"stores.p.size", &rows[0], 1, {"1 TiB", "5120 GiB"}},
    {"stores.q.size", &rows[0], 1, {"2 TiB", "1 TiB"}},
    {"workloads.logons.users", &rows[1], 2, {"100", "1,000"}},
    {"stores.p.pooled", &rows[2], 3, {"true", "off"}},
    {"workloads.logons.rate", &rows[3], 4, {"60 /h", "5 IOPS"}},
    {"workloads.logons.pattern", &rows[4], 2, {"even", "poisson"}},
};

static struct condition_scope make_scope(struct arena *arena, struct problems *problems)
{
    struct condition_subject *subjects = ARENA_ARRAY(arena, struct condition_subject, KEYS);
    for (size_t k = 0; k < KEYS; k++) {
        subjects[k] = (struct condition_subject){
            .key = keys[k].key, .row = keys[k].row, .axis = keys[k].axis, .item_count = ITEMS};
        subjects[k].values = ARENA_ARRAY(arena, const struct node *, ITEMS);
        for (size_t i = 0; i < ITEMS; i++)
            subjects[k].values[i] = node_scalar(arena, keys[k].values[i], (struct position){.file = "x"});
    }
    return (struct condition_scope){
        .arena = arena, .problems = problems, .subjects = subjects, .count = KEYS};
}

static const struct condition *parse(const struct condition_scope *scope, const char *text)
{
    size_t errors = problems_reported(scope->problems);
    struct position at = {.file = "x", .line = 1, .column = 1, .end_column = 1 + strlen(text)};
    const struct condition *condition = condition_parse(scope, node_scalar(scope->arena, text, at));
    if ((condition == NULL) != (problems_reported(scope->problems) > errors))
        abort();
    return condition;
}

static void check(const struct condition *condition, const struct condition *opposite)
{
    for (size_t combination = 0; combination < 1 << AXES; combination++) {
        size_t items[AXES];
        for (size_t axis = 0; axis < AXES; axis++)
            items[axis] = combination >> axis & 1;
        bool holds = condition_holds(condition, items);
        if (opposite != NULL && condition_holds(opposite, items) == holds)
            abort();
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct arena *arena = arena_create();
    struct problems *problems = problems_create();
    const struct condition_scope scope = make_scope(arena, problems);
    const char *text = size > 0 ? arena_text_n(arena, (const char *)data, size) : "";
    const struct condition *condition = parse(&scope, text);
    if (condition != NULL)
        check(condition, parse(&scope, arena_format(arena, "not (%s)", text)));
    arena_destroy(arena);
    problems_destroy(problems);
    return 0;
}
