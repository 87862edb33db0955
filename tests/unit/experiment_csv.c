/* CSV tables as spreadsheets write them, and what is refused. */
#include "tests/support/check.h"
#include "tests/support/problems.h"

#include "sim/experiment/read/csv.h"

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
        "# a comment\n# another, with commas;\ntier;files\npremium;20000\nhot;\"40000\"", /* European, no last
                                                                                          line end */
        "tier\tfiles\npremium\t20000\n\nhot\t40,000\n",
        "sep=;\r\ntier;files\r\npremium;20000\r\nhot;40000\r\n", /* Excel's */
        "\"sep=;\"\n# a comment\ntier;files\npremium;20000\nhot;40000\n",
        "sep=,\ntier,files\npremium,20000\nhot,\"40,000\"\n",
        "sep=\t\ntier\tfiles\npremium\t20000\nhot\t40000\n",
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
        const char *files = csv_table_field(table, 1, 1)->text;
        assert_string_equal(files, strchr(files, ',') != NULL ? "40,000" : "40000");
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

/* Semicolons or tabs, and commas for decimal points; what a field then says. */
static void decimal_commas_become_points(void **state)
{
    (void)state;
    static const struct {
        const char *written, *text;
    } cases[] = {
        {"1,5", "1.5"},
        {"0,25 ms", "0.25 ms"},
        {"1.234,5 GiB", "1234.5 GiB"},
        {"1.234.567", "1234567"},
        {"-0,5", "-0.5"},
        {"12345,678", "12345.678"},
        {"0,125", "0.125"}, /* no thousands begin with 0 */
        {"1500", "1500"},
        {"azure-files/premium", "azure-files/premium"},
        {"2021-01", "2021-01"},
        {"15.11.2021", "15.11.2021"},
        {"a, b", "a, b"},
        {"", ""},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        for (int tabs = 0; tabs < 2; tabs++) {
            char text[200], mark = tabs ? '\t' : ';';
            snprintf(text, sizeof text, "a%cb\n%s%c0,5\n", mark, cases[i].written, mark);
            struct fixture fixture = create();
            const struct csv_table *table =
                csv_table_parse(fixture.arena, "x.csv", text, strlen(text), fixture.problems);
            assert_no_errors(fixture.problems);
            assert_string_equal(csv_table_field(table, 0, 0)->text, cases[i].text);
            assert_string_equal(csv_table_field(table, 0, 1)->text, "0.5");
            destroy(&fixture);
        }
    }
}

/* Without decimal commas numbers stay as they are written. */
static void decimal_points_stay(void **state)
{
    (void)state;
    static const char text[] = "a;b;c\n1.5;1,234.5;1.234\n20,000;1,234,567;0.125\n";
    struct fixture fixture = create();
    const struct csv_table *table =
        csv_table_parse(fixture.arena, "x.csv", text, strlen(text), fixture.problems);
    assert_no_errors(fixture.problems);
    static const char *const expected[] = {"1.5", "1,234.5", "1.234", "20,000", "1,234,567", "0.125"};
    for (size_t i = 0; i < 6; i++)
        assert_string_equal(csv_table_field(table, i / 3, i % 3)->text, expected[i]);
    destroy(&fixture);
}

static void what_has_two_readings_is_refused(void **state)
{
    (void)state;
    static const struct {
        const char *text, *expected;
    } cases[] = {
        {"a;b\n1;20,000\n", "x.csv:2:3: error: '20,000' may mean 20000 or 20.000 in a table separated by "
                            "semicolons: write 20000 or "
                            "20.000\n"},
        {"a;b\n1,5;20,000 /h\n", "x.csv:2:5: error: '20,000 /h' may mean 20000 or 20.000 in a table with "
                                 "decimal commas: write 20000 or "
                                 "20,0000\n"},
        {"a\tb\n1,5\t1.234\n", "x.csv:2:5: error: '1.234' may mean 1234 or 1.234 in a table with decimal "
                               "commas: write 1234 or 1,2340\n"},
        {"a;b\n1,5;1\n2;2.5\n", "x.csv:3:3: error: '2.5' has a decimal point, '1,5' in line 2 a decimal "
                                "comma: write all numbers of a "
                                "table one way\n"},
        {"a;b\n1.5;1\n2;2,5\n",
         "x.csv:3:3: error: '2,5' has a decimal comma, '1.5' in line 2 a decimal point"},
        {"a,b\n1,5,2\n", "x.csv:2:1: error: this row has 3 fields, the header 2; a number with commas stands "
                         "in quotes, \"1,500\""},
        {"sep=;\na,b\n1,2\n3;4\n", "x.csv:4:1: error: this row has 2 fields, the header 1\n"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct fixture fixture = create();
        assert_null(
            csv_table_parse(fixture.arena, "x.csv", cases[i].text, strlen(cases[i].text), fixture.problems));
        assert_problem(fixture.problems, cases[i].expected);
        destroy(&fixture);
    }
}

static void utf16_is_named(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        size_t length;
    } cases[] = {{"\xFF\xFE"
                  "a\0,\0b\0",
                  8},
                 {"\xFE\xFF\0a\0,\0b", 8},
                 {"a\0,\0b\0", 6},
                 {"\0a\0,\0b", 6}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct fixture fixture = create();
        assert_null(
            csv_table_parse(fixture.arena, "x.csv", cases[i].text, cases[i].length, fixture.problems));
        assert_problem(fixture.problems, "x.csv: error: is UTF-16; save it as UTF-8 (in Excel: CSV UTF-8)");
        destroy(&fixture);
    }
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
        cmocka_unit_test(decimal_commas_become_points),
        cmocka_unit_test(decimal_points_stay),
        cmocka_unit_test(what_has_two_readings_is_refused),
        cmocka_unit_test(utf16_is_named),
        cmocka_unit_test(bad_tables_are_refused),
    };
    return RUN_TESTS(tests);
}
