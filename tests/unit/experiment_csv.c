/* CSV tables as spreadsheets write them, and what is refused. */
#include "tests/support/check.h"
#include "tests/support/problems.h"

#include "sim/experiment/csv.h"

struct fixture {
    struct arena *arena;
    struct problems *problems;
};

static struct fixture create(void)
{
    return (struct fixture){arena_create(), problems_create()};
}

static void destroy(struct fixture *fixture)
{
    arena_destroy(fixture->arena);
    problems_destroy(fixture->problems);
}

static void tables_are_read(void **state)
{
    (void)state;
    static const char *const texts[] = {
        "tier,files\npremium,20000\nhot,\"40,000\"\n",
        "\xEF\xBB\xBF"
        "tier,files\r\npremium,20000\r\nhot,\"40,000\"\r\n", /* a byte order mark, Windows line ends */
        "# a comment\n# another, with commas;\ntier;files\npremium;20000\nhot;40,000", /* European, no last
                                                                                          line end */
        "tier\tfiles\npremium\t20000\n\nhot\t40,000\n",
        "\n  tier , files\n premium,20000 \n\n\nhot,\"40,000\"\n",
    };
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        struct fixture fixture = create();
        const struct csv_table *table =
            csv_table_parse(fixture.arena, "x.csv", texts[i], strlen(texts[i]), fixture.problems);
        assert_no_errors(fixture.problems);
        assert_int_equal(table->columns, 2);
        assert_int_equal(table->rows, 2);
        size_t column;
        assert_true(csv_table_column(table, "files", &column));
        assert_int_equal(column, 1);
        assert_false(csv_table_column(table, "none", &column));
        assert_string_equal(csv_table_field(table, 0, 0)->text, "premium");
        assert_string_equal(csv_table_field(table, 1, 1)->text, "40,000");
        destroy(&fixture);
    }
}

static void fields_have_positions(void **state)
{
    (void)state;
    static const char text[] = "# top\na,b,c\n1,, 33 \n\"x\ny\",\"q\"\"q\",z\n";
    struct fixture fixture = create();
    const struct csv_table *table =
        csv_table_parse(fixture.arena, "x.csv", text, strlen(text), fixture.problems);
    assert_no_errors(fixture.problems);
    static const struct {
        size_t row, column;
        const char *text;
        size_t line, at;
    } cases[] = {
        {0, 0, "1", 3, 1}, {0, 1, "", 3, 3}, {0, 2, "33", 3, 5}, {1, 0, "x\ny", 4, 1}, {1, 1, "q\"q", 5, 4}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const struct csv_field *field = csv_table_field(table, cases[i].row, cases[i].column);
        assert_string_equal(field->text, cases[i].text);
        assert_int_equal(field->at.line, cases[i].line);
        assert_int_equal(field->at.column, cases[i].at);
    }
    destroy(&fixture);
}

static void bad_tables_are_refused(void **state)
{
    (void)state;
    static const struct {
        const char *text, *expected;
    } cases[] = {
        {"", "x.csv: error: is empty; a table begins with a line of column names"},
        {"# only this\n", "x.csv: error: is empty"},
        {"a,b\n1\n", "x.csv:2:1: error: this row has 1 field, the header 2"},
        {"a,b\n1,2,3\n", "x.csv:2:1: error: this row has 3 fields, the header 2"},
        {"a,b\n1,\"2\n3,4\n", "x.csv:2:3: error: this field opens with a quote that is never closed"},
        {"a,b\n1,2\"3\n", "x.csv:2:4: error: a quote"},
        {"a,b\n\"1\"2,3\n", "x.csv:2:4: error: a quote"},
        {"a,,c\n1,2,3\n", "x.csv:1:3: error: a column without a name"},
        {"a,a\n1,2\n", "x.csv:1:3: error: two columns have this name"},
        {"a,b\n1,\xFF\n", "x.csv:2:3: error: byte 0xFF is not UTF-8"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct fixture fixture = create();
        assert_null(
            csv_table_parse(fixture.arena, "x.csv", cases[i].text, strlen(cases[i].text), fixture.problems));
        assert_problem(fixture.problems, cases[i].expected);
        destroy(&fixture);
    }
    struct fixture fixture = create();
    assert_null(csv_table_read(fixture.arena, "/nowhere.csv", fixture.problems));
    assert_problem(fixture.problems, "/nowhere.csv: error: cannot be read: No such file");
    destroy(&fixture);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tables_are_read),
        cmocka_unit_test(fields_have_positions),
        cmocka_unit_test(bad_tables_are_refused),
    };
    return RUN_TESTS(tests);
}
