/* What is written for people and programs: numbers, JSON and CSV text, labels, tables, and rows read back. */
#include "sim/experiment/result/label.h"
#include "sim/experiment/result/result_csv.h"
#include "sim/experiment/result/text_table.h"
#include "sim/experiment/result/writer.h"
#include "tests/support/check.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* A writer into memory. */
struct capture {
    char *text;
    size_t size;
    struct writer writer;
};

static void capture_start(struct capture *capture)
{
    *capture = (struct capture){0};
    capture->writer.file = open_memstream(&capture->text, &capture->size);
    assert_non_null(capture->writer.file);
}

static void capture_expect(struct capture *capture, const char *expected)
{
    fclose(capture->writer.file);
    assert_string_equal(capture->text, expected);
    free(capture->text);
}

static void test_numbers_read_back(void **state)
{
    (void)state;
    static const double values[] = {0.1, 1.0 / 3, 1e300, -2.5e-308, 7.0, 123456789.123456789, 5e-324};
    char text[NUMBER_SIZE];
    for (size_t i = 0; i < sizeof values / sizeof values[0]; i++) {
        number_text(text, values[i]);
        assert_true(strtod(text, NULL) == values[i]);
    }
    number_text(text, 0.1);
    assert_string_equal(text, "0.1");
    number_text(text, -0.0);
    assert_string_equal(text, "0");
    number_text(text, NAN);
    assert_string_equal(text, "");
}

static void test_json(void **state)
{
    (void)state;
    struct capture capture;
    capture_start(&capture);
    write_json_text(&capture.writer, "a\"b\\c\n\x01 \xc3\xa9");
    write_json_number(&capture.writer, NAN);
    write_json_number(&capture.writer, 2.5);
    capture_expect(&capture, "\"a\\\"b\\\\c\\n\\u0001 \xc3\xa9\"null2.5");
}

static void test_csv(void **state)
{
    (void)state;
    struct capture capture;
    capture_start(&capture);
    write_csv_text(&capture.writer, "plain");
    write_csv_text(&capture.writer, "a,\"b\"");
    write_csv_text(&capture.writer, " blank");
    write_csv_number(&capture.writer, INFINITY);
    capture_expect(&capture, "plain\"a,\"\"b\"\"\"\" blank\"");
}

static void test_first_failure_is_remembered(void **state)
{
    (void)state;
    struct writer writer = {.file = fopen("/dev/full", "w")};
    if (writer.file == NULL)
        skip();
    write_text(&writer, "something");
    assert_false(writer_close(&writer));
    assert_int_equal(writer.error, ENOSPC);
}

static void test_labels(void **state)
{
    (void)state;
    static const char *const cases[][2] = {
        {"azure-files/premium", "premium"},
        {"20000", "20,000"},
        {"999", "999"},
        {"true", "on"},
        {"false", "off"},
        {"40 MiB/s", "40 MiB/s"},
        {"5 /s", "5 /s"},
        {"azure/", "azure/"},
        {"20000 /h", "20,000 /h"},
        {"1.5 MiB/s", "1.5 MiB/s"},
        {"10240 GiB", "10,240 GiB"},
    };
    char label[LABEL_SIZE];
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        value_label(label, cases[i][0]);
        assert_string_equal(label, cases[i][1]);
    }
    number_label(label, -1234567.891, 2);
    assert_string_equal(label, "-1,234,567.89");
    number_label(label, -0.001, 1);
    assert_string_equal(label, "0.0");
    number_label(label, NAN, 1);
    assert_string_equal(label, "-");
    assert_int_equal(headline_rank("profile_load.mean"), 0);
}

static void test_table_layout(void **state)
{
    (void)state;
    struct text_table *table = text_table_create();
    assert_non_null(table);
    text_table_column(table, (const char *[HEADING_LINES]){"", "", "tier"}, false);
    text_table_column(table, (const char *[HEADING_LINES]){"", "load, s", "mean"}, true);
    text_table_column(table, (const char *[HEADING_LINES]){"", "load, s", "CI"}, true);
    static const char *const cells[] = {"pr\xc3\xa9mium", "7.2", "[7, 8]", "hot", "15.7", "-"};
    for (size_t i = 0; i < sizeof cells / sizeof cells[0]; i++)
        text_table_cell(table, cells[i]);

    struct capture capture;
    capture_start(&capture);
    assert_true(text_table_print(table, &capture.writer, &(struct text_style){.utf8 = true}));
    capture_expect(&capture,
                   "         load, s\n"
                   "tier     mean      CI\n"
                   "\xe2\x94\x80\xe2\x94\x80\xe2\x94\x80\xe2\x94\x80\xe2\x94\x80\xe2\x94\x80\xe2\x94\x80"
                   "\xe2\x94\x80\xe2\x94\x80\xe2\x94\x80\xe2\x94\x80\xe2\x94\x80\xe2\x94\x80\xe2\x94\x80"
                   "\xe2\x94\x80\xe2\x94\x80\xe2\x94\x80\xe2\x94\x80\xe2\x94\x80\xe2\x94\x80\xe2\x94\x80\n"
                   "pr\xc3\xa9mium   7.2  [7, 8]\n"
                   "hot      15.7       -\n");
    capture_start(&capture);
    assert_true(text_table_print(table, &capture.writer, &(struct text_style){.utf8 = false}));
    capture_expect(&capture, "         load, s\n"
                             "tier     mean      CI\n"
                             "---------------------\n"
                             "pr?mium   7.2  [7, 8]\n"
                             "hot      15.7       -\n");
    text_table_destroy(table);
}

struct taken {
    size_t rows;
    double last;
};

static bool take(void *context, const struct result_csv_row *row, const char **why)
{
    struct taken *taken = context;
    taken->rows++;
    taken->last = result_csv_number(row, "mean");
    *why = result_csv_ordinal(row, "cell") == 0 ? "cell is wrong" : NULL;
    return *why == NULL;
}

static bool read_text(const char *text, size_t length, struct taken *taken, char *message, size_t size)
{
    *taken = (struct taken){0};
    FILE *in = fmemopen((void *)(uintptr_t)text, length, "r");
    assert_non_null(in);
    bool fine = result_csv_read(in, "x.csv", take, taken, message, size);
    fclose(in);
    return fine;
}

static void test_rows_read_back(void **state)
{
    (void)state;
    struct taken taken;
    char message[256];
    static const char fine[] = "\xef\xbb\xbf"
                               "cell,name,mean\n1,\"a,\"\"b\"\"\",2.5\r\n2,,\n3,x,7\n";
    assert_true(read_text(fine, strlen(fine), &taken, message, sizeof message));
    assert_int_equal(taken.rows, 3);
    assert_near(taken.last, 7, 0);

    static const struct {
        const char *text, *message;
    } bad[] = {
        {"cell,mean\n1,2\n1\n", "x.csv:3: the row has more or fewer fields than the heading"},
        {"cell,mean\n1,2,3\n", "x.csv:2: the row has more or fewer fields than the heading"},
        {"cell,mean\n1,\"2\n", "x.csv:2: a quote is not closed"},
        {"cell,mean\n0,2\n", "x.csv:2: cell is wrong"},
        {"cell,mean\n-1,2\n", "x.csv:2: cell is wrong"},
        {"cell,mean\n99999999999999999999,2\n", "x.csv:2: cell is wrong"},
        {"\n", "x.csv:1: the file is empty"},
    };
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        assert_false(read_text(bad[i].text, strlen(bad[i].text), &taken, message, sizeof message));
        assert_string_equal(message, bad[i].message);
    }
    assert_false(read_text("cell\0,mean\n1,2\n", 15, &taken, message, sizeof message));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_numbers_read_back),
        cmocka_unit_test(test_json),
        cmocka_unit_test(test_csv),
        cmocka_unit_test(test_first_failure_is_remembered),
        cmocka_unit_test(test_labels),
        cmocka_unit_test(test_table_layout),
        cmocka_unit_test(test_rows_read_back),
    };
    return RUN_TESTS(tests);
}
