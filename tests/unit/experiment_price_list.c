/* Price lists in CSV become dated entries of the catalogue; what is wrong in them is told by line and column. */
#include "tests/support/check.h"
#include "tests/support/problems.h"

#include "sim/experiment/read/price_list.h"

#include <stdlib.h>

struct fixture {
    struct arena *arena;
    struct problems *problems;
    struct vocabulary vocabulary;
    struct catalogue *catalogue;
};

static void create(struct fixture *fixture)
{
    fixture->arena = arena_create();
    fixture->problems = problems_create();
    fixture->vocabulary = vocabulary_of_models();
    fixture->catalogue = catalogue_create(fixture->arena, &fixture->vocabulary);
}

static void destroy(struct fixture *fixture)
{
    arena_destroy(fixture->arena);
    problems_destroy(fixture->problems);
}

static void add(struct fixture *fixture, const char *const *texts, size_t count)
{
    const struct csv_table *tables[4];
    for (size_t i = 0; i < count; i++) {
        tables[i] = csv_table_parse(fixture->arena, "p.csv", texts[i], strlen(texts[i]), fixture->problems);
        assert_non_null(tables[i]);
    }
    price_list_add(fixture->catalogue, tables, count, fixture->problems);
}

static double value(const struct fixture *fixture, const char *entry_name, const char *date, const char *key)
{
    const struct catalogue_entry *entry = catalogue_entry(fixture->catalogue, "prices", entry_name);
    assert_non_null(entry);
    char message[300];
    const struct catalogue_rules *rules = catalogue_rules(entry, date, message, sizeof message);
    assert_non_null(rules);
    const struct catalogue_value *found = catalogue_value(&rules->values, key);
    return found == NULL ? -1.0 : strtod(found->value->text, NULL);
}

#define HEAD "list;meter;region;currency;price;unit;date\n"

/* Decimal commas, two files of one list, hours and months, two regions; each meter at its latest price not after the date. */
static void lists_are_dated_and_regional(void **state)
{
    (void)state;
    static const char *const texts[] = {HEAD "a;storage;west;EUR;0,16;GiB month;2021-01\n"
                                             "a;writes;west;EUR;0,015;10k;2021-01\n"
                                             "a;storage;north;EUR;0,20;GiB month;2021-01\n"
                                             "a;storage;west;EUR;0,14;GiB month;2023-05-15\n",
                                        HEAD "a;iops;west;EUR;0,0001;IOPS hour;2022-03\n"};
    struct fixture fixture;
    create(&fixture);
    add(&fixture, texts, 2);
    assert_no_errors(fixture.problems);
    assert_near(value(&fixture, "a/west", "2021-01", "gib_month"), 0.16, 1e-15);
    assert_near(value(&fixture, "a/west", "2022-12", "gib_month"), 0.16, 1e-15);
    assert_near(value(&fixture, "a/west", "2023-05-14", "gib_month"), 0.16, 1e-15);
    assert_near(value(&fixture, "a/west", "2023-05-15", "gib_month"), 0.14, 1e-15);
    assert_near(value(&fixture, "a/west", NULL, "gib_month"), 0.14, 1e-15);
    assert_near(value(&fixture, "a/west", NULL, "writes"), 0.015, 1e-15);
    assert_near(value(&fixture, "a/west", "2021-01", "iops"), -1.0, 0.0);
    assert_near(value(&fixture, "a/west", "2022-03", "iops"), 0.073, 1e-15);
    assert_near(value(&fixture, "a/north", NULL, "gib_month"), 0.20, 1e-15);
    assert_near(value(&fixture, "a/north", NULL, "writes"), -1.0, 0.0);
    char message[300];
    assert_null(catalogue_rules(catalogue_entry(fixture.catalogue, "prices", "a/west"), "2020-12", message,
                                sizeof message));
    assert_string_equal(message, "the rules of a/west begin with 2021-01");
    destroy(&fixture);
}

static void what_is_wrong_has_a_place(void **state)
{
    (void)state;
    static const struct {
        const char *text, *message;
        size_t line, column;
    } cases[] = {
        {HEAD "a;storag;w;EUR;1;GiB month;2021-01\n", "'storag' is not a meter: did you mean storage?", 2, 3},
        {HEAD "a;storage;w;EUR;1;GiB week;2021-01\n",
         "'GiB week' is not a unit of storage: GiB month or GiB hour", 2, 19},
        {HEAD "a;storage;w;euro;1;GiB month;2021-01\n",
         "'euro' is not a currency: three capital letters, e.g. EUR", 2, 13},
        {HEAD "a;storage;w;EUR;1;GiB month;2021-13\n", "'2021-13' is not a date: YYYY-MM or YYYY-MM-DD", 2,
         29},
        {HEAD "a;storage;w;EUR;-1;GiB month;2021-01\n", "'-1' is not a price: 0 to 1,000,000,000", 2, 17},
        {HEAD "a;storage;w;EUR;1;GiB month;2021-01\na;storage;w;EUR;2;GiB month;2021-01\n",
         "a has a price of this meter for w and 2021-01 already, in line 2", 3, 17},
        {HEAD "a;storage;w;EUR;1;GiB month;2021-01\na;writes;w;USD;2;10k;2021-01\n",
         "a has prices in EUR and in USD for w; a list has one currency", 3, 16},
        {"list;meter;region;price;unit;date\n", "a price list has a column currency", 1, 1},
        {"list;meter;region;currency;prise;unit;date\n",
         "'prise' is not a column of a price list: did you mean price?", 1, 28},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct fixture fixture;
        create(&fixture);
        add(&fixture, &cases[i].text, 1);
        char expected[256];
        snprintf(expected, sizeof expected, "p.csv:%zu:%zu: error: %s", cases[i].line, cases[i].column,
                 cases[i].message);
        assert_problem(fixture.problems, expected);
        destroy(&fixture);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lists_are_dated_and_regional),
        cmocka_unit_test(what_is_wrong_has_a_place),
    };
    return RUN_TESTS(tests);
}
