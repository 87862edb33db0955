/* Conditions: what they mean, and what is said of those that mean nothing. */
#include "tests/support/check.h"
#include "tests/support/problems.h"

#include "sim/experiment/read/condition.h"

#include <stdbool.h>

static const char *const patterns[] = {"even", "poisson", NULL};
static const struct parameter rows[] = {
    {.name = "size", .type = PARAMETER_SIZE},
    {.name = "users", .type = PARAMETER_COUNT},
    {.name = "pooled", .type = PARAMETER_BOOLEAN},
    {.name = "rate", .type = PARAMETER_RATE},
    {.name = "most", .type = PARAMETER_COUNT},
    {.name = "pattern", .type = PARAMETER_CHOICE, .choices = patterns},
    {.name = "redirected", .type = PARAMETER_FRACTION},
};

enum { ITEMS = 3, KEYS = 9 };

/* One item of each axis is chosen by its number; `most` goes in lockstep with users. */
static const struct {
    const char *key;
    const struct parameter *row;
    size_t axis;
    const char *values[ITEMS];
} keys[KEYS] = {
    {"stores.p.tier", NULL, 0, {"azure-files/premium", "azure-files/hot", "local"}},
    {"stores.p.size", &rows[0], 1, {"1 TiB", "5120 GiB", "10 TiB"}},
    {"workloads.logons.users", &rows[1], 2, {"100", "1,000", "5000"}},
    {"workloads.logons.most", &rows[4], 2, {"200", "1000", "10"}},
    {"stores.p.pooled", &rows[2], 3, {"true", "off", "yes"}},
    {"workloads.logons.rate", &rows[3], 4, {"42 /h", "0.7 /min", "5 IOPS"}},
    {"workloads.logons.pattern", &rows[5], 5, {"even", "poisson", "even"}},
    {"workloads.logons.profile.redirected", &rows[6], 6, {"10 %", "87.5 %", "0"}},
    {"workloads.logons.profile.size", &rows[0], 7, {"1 GiB", "2 GiB", "5 TiB"}},
};

struct fixture {
    struct arena *arena;
    struct problems *problems;
    struct condition_subject subjects[KEYS];
    struct condition_scope scope;
};

static void set_up(struct fixture *fixture)
{
    fixture->arena = arena_create();
    fixture->problems = problems_create();
    for (size_t k = 0; k < KEYS; k++) {
        fixture->subjects[k] = (struct condition_subject){
            .key = keys[k].key, .row = keys[k].row, .axis = keys[k].axis, .item_count = ITEMS};
        fixture->subjects[k].values = ARENA_ARRAY(fixture->arena, const struct node *, ITEMS);
        for (size_t i = 0; i < ITEMS; i++)
            fixture->subjects[k].values[i] =
                node_scalar(fixture->arena, keys[k].values[i], (struct position){.file = "x"});
    }
    fixture->scope = (struct condition_scope){
        .arena = fixture->arena, .problems = fixture->problems, .subjects = fixture->subjects, .count = KEYS};
}

static void tear_down(struct fixture *fixture)
{
    arena_destroy(fixture->arena);
    problems_destroy(fixture->problems);
}

/* Written plainly in line 3 from column 10. */
static const struct condition *parse(struct fixture *fixture, const char *text)
{
    struct position at = {.file = "x", .line = 3, .column = 10, .end_column = 10 + strlen(text)};
    return condition_parse(&fixture->scope, node_scalar(fixture->arena, text, at));
}

/* `holds` has a digit for each item of the axis that is changed, the others at their first. */
static void assert_holds(const char *text, size_t axis, const char *holds)
{
    struct fixture fixture;
    set_up(&fixture);
    const struct condition *condition = parse(&fixture, text);
    assert_no_errors(fixture.problems);
    assert_non_null(condition);
    for (size_t i = 0; i < ITEMS; i++) {
        size_t items[8] = {0};
        items[axis] = i;
        if (condition_holds(condition, items) != (holds[i] == '1'))
            fail_msg("%s: item %zu", text, i);
    }
    tear_down(&fixture);
}

static void values_are_compared_by_what_they_are(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        size_t axis;
        const char *holds;
    } cases[] = {
        {"stores.p.size = 5 TiB", 1, "010"},
        {"p.size = 5120 GiB", 1, "010"},
        {"p.size=5497558138880 B", 1, "010"},
        {"p.size != 5 TiB", 1, "101"},
        {"p.size < 5 TiB", 1, "100"},
        {"p.size <= 5 TiB", 1, "110"},
        {"p.size > 5 TiB", 1, "001"},
        {"p.size >= 5 TiB", 1, "011"},
        {"5 TiB < p.size", 1, "001"},
        {"5 TiB >= p.size", 1, "110"},
        {"users = 1000", 2, "010"},
        {"users = 1,000", 2, "010"},
        {"users < 1e3", 2, "100"},
        {"users in [100, 5000]", 2, "101"},
        {"users not in [100, 5000]", 2, "010"},
        {"users < most", 2, "100"},
        {"users = most", 2, "010"},
        {"most <= users", 2, "011"},
        {"profile.size >= p.size", 7, "001"},
        {"pooled", 3, "101"},
        {"not pooled", 3, "010"},
        {"pooled = no", 3, "010"},
        {"pooled != on", 3, "010"},
        {"pooled in [true]", 3, "101"},
        {"rate = 0.7 /min", 4, "110"}, /* 42 / 3600 and 0.7 / 60 differ in their last bit */
        {"rate > 0.7 /min", 4, "001"},
        {"rate < 5 /s", 4, "110"},
        {"redirected >= 10 %", 6, "110"},
        {"redirected = 0", 6, "001"},
        {"tier = azure-files/premium", 0, "100"},
        {"tier = premium", 0, "100"},
        {"hot = tier", 0, "010"},
        {"tier in [hot, local]", 0, "011"},
        {"tier = 'azure-files/hot'", 0, "010"},
        {"tier != \"local\"", 0, "110"},
        {"pattern = poisson", 5, "010"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        assert_holds(cases[i].text, cases[i].axis, cases[i].holds);
}

static void words_join_conditions(void **state)
{
    (void)state;
    /* users is 100 and pooled true unless the axis says otherwise */
    assert_holds("users = 100 or pooled = no and tier = hot", 0, "111"); /* and binds closer */
    assert_holds("(users = 100 or pooled = no) and tier = hot", 0, "010");
    assert_holds("not users = 100 or tier = hot", 0, "010"); /* not binds closest */
    assert_holds("not (users = 100 and tier = hot)", 0, "101");
    assert_holds("not not pooled", 3, "101");
    assert_holds("users >= 100 AND NOT users In [5000] And users<=5,000", 2, "110");
    assert_holds("((((pooled))))", 3, "101");
    assert_holds("tier=hot or tier=local or users=1", 0, "011");
    assert_holds("  pooled\n and \tusers = 100 ", 3, "101");
}

static void mistakes_are_told_at_their_place(void **state)
{
    (void)state;
    static const struct {
        const char *text, *expected;
    } cases[] = {
        {"siez > 5 TiB", "x:3:10: error: 'siez' is not varied here. Did you mean size?"},
        {"pooled and usres > 5", "x:3:21: error: 'usres' is not varied here. Did you mean users?"},
        {"stores.p.kind = x", "x:3:10: error: 'stores.p.kind' is not varied here"},
        {"100 = 200", "x:3:16: error: '200' is not varied here"},
        {"size > 5 TiB", "x:3:10: error: 'size' may be stores.p.size or workloads.logons.profile.size"},
        {"p.size > 5 MiB/s", "x:3:19: error: stores.p.size: '5 MiB/s' is not a size"},
        {"p.size > 5", "x:3:19: error: stores.p.size: '5' has no unit"},
        {"users > 5 TiB", "x:3:18: error: workloads.logons.users: '5 TiB' is not a count"},
        {"users > p.size", "x:3:10: error: users is a count and p.size is a size: they cannot be compared"},
        {"pooled = 7", "x:3:19: error: stores.p.pooled: '7' is not true or false"},
        {"tier < premium", "x:3:15: error: stores.p.tier is a word, which has no order"},
        {"pooled >= true", "x:3:17: error: stores.p.pooled is true or false, which has no order"},
        {"tier = premum", "x:3:17: error: stores.p.tier is never 'premum' here. Did you mean premium?"},
        {"pattern = poison",
         "x:3:20: error: workloads.logons.pattern: 'poison' is not a pattern. Did you mean poisson?"},
        {"users == 100", "x:3:16: error: '==' is written = here"},
        {"users =< 100", "'=<' is written <= here"},
        {"users <> 100", "'<>' is written != here"},
        {"users = 100 && pooled", "x:3:22: error: '&&' is written and here"},
        {"pooled || users = 1", "x:3:17: error: '||' is written or here"},
        {"pooled & users = 1", "x:3:17: error: '&' is written and here"},
        {"!pooled", "x:3:10: error: '!' is written not here"},
        {"users", "x:3:10: error: 'users' is compared with nothing"},
        {"000", "x:3:10: error: '000' alone is no condition; in a list [ ] a condition with a comma"},
        {"1 TiB < p.size < 5 TiB", "x:3:25: error: a comparison has two sides"},
        {"users =", "x:3:17: error: a setting or a value is missing at the end"},
        {"= 5", "x:3:10: error: a setting or a value is missing before '='"},
        {"users = and pooled", "x:3:18: error: a setting or a value is missing before 'and pooled'"},
        {"pooled and", "x:3:20: error: a setting or a value is missing at the end"},
        {"", "a condition is a text"},
        {"(pooled", "x:3:10: error: this parenthesis is not closed"},
        {"pooled)", "x:3:16: error: this parenthesis closes nothing"},
        {"pooled (users = 1)", "x:3:17: error: and or or is missing before '(users = 1)'"},
        {"(pooled users = 1)", "x:3:11: error: 'pooled users' is not varied here"},
        {"pooled, users = 1", "x:3:16: error: conditions are joined by and or or, or stand in a list"},
        {"users in 100", "x:3:19: error: after in stands a list"},
        {"users in [100", "x:3:19: error: this list is not closed by ]"},
        {"users in []", "x:3:20: error: a setting or a value is missing before ']'"},
        {"users in [100,200]", "x:3:23: error: a comma between two digits"},
        {"users not 5", "'not' here needs in"},
        {"tier = 'premium", "x:3:17: error: this quote is never closed"},
        {"nowhere in [1]", "x:3:10: error: 'nowhere' is not varied here"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct fixture fixture;
        set_up(&fixture);
        assert_null(parse(&fixture, cases[i].text));
        assert_problem(fixture.problems, cases[i].expected);
        assert_int_equal(problems_errors(fixture.problems), 1);
        tear_down(&fixture);
    }
}

static void places_follow_quotes_and_letters(void **state)
{
    (void)state;
    struct fixture fixture;
    set_up(&fixture);
    /* In quotes, with a letter of two bytes before the mistake. */
    const char *text = "tier = 'h\xc3\xb6t' or usres = 1";
    struct node *node = node_scalar(fixture.arena, text, (struct position){"x", 3, 10, 10 + 27});
    node->quoted = true;
    fixture.scope.narrowed = true; /* no tier has that name, which is then no mistake */
    assert_null(condition_parse(&fixture.scope, node));
    assert_problem(fixture.problems, "x:3:27: error: 'usres' is not varied here");
    /* Over several lines, or with escapes: the place in the text is told. */
    node->at.end_column = 11;
    assert_null(condition_parse(&fixture.scope, node));
    assert_problem(fixture.problems,
                   "x:3:10: error: 'usres' is not varied here. Did you mean users? (at character 17)");
    tear_down(&fixture);
}

static void limits_hold(void **state)
{
    (void)state;
    struct fixture fixture;
    char text[2100] = "";
    set_up(&fixture);
    for (int i = 0; i < CONDITION_MAX_DEPTH; i++)
        strcat(text, i % 2 == 0 ? "(" : "not ");
    strcat(text, "pooled");
    for (int i = 0; i < CONDITION_MAX_DEPTH / 2; i++)
        strcat(text, ")");
    assert_non_null(parse(&fixture, text));
    char deeper[2200];
    snprintf(deeper, sizeof deeper, "not %s", text);
    assert_null(parse(&fixture, deeper));
    assert_problem(fixture.problems, "nested deeper than 32");
    snprintf(text, sizeof text, "pooled");
    while (strlen(text) <= CONDITION_MAX_LENGTH)
        strcat(text, " or pooled");
    assert_null(parse(&fixture, text));
    assert_problem(fixture.problems, "a condition has at most 1000 characters");
    tear_down(&fixture);
}

static void a_value_that_is_not_known_cannot_be_compared(void **state)
{
    (void)state;
    struct fixture fixture;
    set_up(&fixture);
    fixture.subjects[2].values[1] = NULL;
    assert_null(parse(&fixture, "users > 100"));
    assert_problem(fixture.problems, "x:3:10: error: the table leaves workloads.logons.users empty in row 2");
    assert_non_null(parse(&fixture, "p.size > 1 TiB")); /* others can */
    fixture.subjects[5].values[1] = node_scalar(fixture.arena, "5 XB", (struct position){"x", 9, 1, 5});
    assert_null(parse(&fixture, "rate > 1 /s"));
    assert_problem(fixture.problems, "x:9:1: error: '5 XB' is not a rate");
    tear_down(&fixture);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(values_are_compared_by_what_they_are),
        cmocka_unit_test(words_join_conditions),
        cmocka_unit_test(mistakes_are_told_at_their_place),
        cmocka_unit_test(places_follow_quotes_and_letters),
        cmocka_unit_test(limits_hold),
        cmocka_unit_test(a_value_that_is_not_known_cannot_be_compared),
    };
    return RUN_TESTS(tests);
}
