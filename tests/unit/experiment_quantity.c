/* Quantities: what is read, what is refused and in which words, and that what is printed reads back. */
#include "tests/support/check.h"

#include "sim/experiment/read/quantity.h"

#include <stdlib.h>
#include <string.h>

static void integers_are_exact(void **state)
{
    (void)state;
    static const struct {
        enum parameter_type type;
        const char *text;
        int64_t expected;
    } cases[] = {
        {PARAMETER_SIZE, "10 TiB", INT64_C(10995116277760)},
        {PARAMETER_SIZE, "64KiB", 65536},
        {PARAMETER_SIZE, "4.7 GB", INT64_C(4700000000)},
        {PARAMETER_SIZE, "0.1 PiB", INT64_C(112589990684262)}, /* ...262.4 */
        {PARAMETER_SIZE, "1,500 B", 1500},
        {PARAMETER_SIZE, "0", 0},
        {PARAMETER_SIZE, "8191 PiB", INT64_C(8191) << 50},
        {PARAMETER_SIZE, "  1 kB  ", 1000},
        {PARAMETER_DURATION, "3.6 s", INT64_C(3600000000)},
        {PARAMETER_DURATION, "0.17 ms", 170000},
        {PARAMETER_DURATION, "60 min", INT64_C(3600000000000)},
        {PARAMETER_DURATION, "1 d", INT64_C(86400000000000)},
        {PARAMETER_DURATION, "0.5 ns", 0}, /* half to even */
        {PARAMETER_DURATION, "1.5 ns", 2},
        {PARAMETER_DURATION, "9223372036854775806 ns", INT64_MAX - 1},
        {PARAMETER_COUNT, "1,500", 1500},
        {PARAMETER_COUNT, "1,234,567", 1234567},
        {PARAMETER_COUNT, "1e6", 1000000},
        {PARAMETER_COUNT, "2.0", 2},
        {PARAMETER_COUNT, "unlimited", INT64_MAX},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct quantity quantity;
        char message[400] = "";
        if (!quantity_parse(cases[i].type, cases[i].text, &quantity, message, sizeof message))
            fail_msg("'%s': %s", cases[i].text, message);
        assert_int_equal(quantity.integer, cases[i].expected);
    }
}

static void doubles_are_the_nearest(void **state)
{
    (void)state;
    static const struct {
        enum parameter_type type;
        const char *text;
        double expected;
    } cases[] = {
        {PARAMETER_THROUGHPUT, "40 MiB/s", 41943040},
        {PARAMETER_THROUGHPUT, "12.5 Gbit/s", 1562500000},
        {PARAMETER_THROUGHPUT, "8 bit/s", 1},
        {PARAMETER_RATE, "10000 IOPS", 10000},
        {PARAMETER_RATE, "20,000 /h", 20000.0 / 3600},
        {PARAMETER_RATE, "5/s", 5},
        {PARAMETER_RATE, "30 /min", 0.5},
        {PARAMETER_FRACTION, "87.5 %", 0.875},
        {PARAMETER_FRACTION, "0", 0},
        {PARAMETER_NUMBER, "0.2", 0.2},
        {PARAMETER_NUMBER, "-1.5e-3", -1.5e-3},
        {PARAMETER_NUMBER, "0.1234567890123456789", 0.1234567890123456789},
        {PARAMETER_NUMBER, "1e308", 1e308},
        {PARAMETER_RATE, "unlimited", INFINITY},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct quantity quantity;
        char message[400] = "";
        if (!quantity_parse(cases[i].type, cases[i].text, &quantity, message, sizeof message))
            fail_msg("'%s': %s", cases[i].text, message);
        assert_true(quantity.number == cases[i].expected);
    }
}

static void mistakes_are_explained(void **state)
{
    (void)state;
    static const struct {
        enum parameter_type type;
        const char *text, *expected; /* a part of the message */
    } cases[] = {
        {PARAMETER_DURATION, "60",
         "has no unit; a duration is a number and ns, us, ms, s, min, h or d, e.g. 60 min"},
        {PARAMETER_DURATION, "60 mni", "is not a duration; a duration is a number and"},
        {PARAMETER_DURATION, "60 minutes", "Did you mean 60 min?"},
        {PARAMETER_DURATION, "60 m", "Did you mean 60 min?"},
        {PARAMETER_DURATION, "60 MS", "Did you mean 60 ms?"},
        {PARAMETER_DURATION, "5 GiB", "is not a duration"},
        {PARAMETER_DURATION, "", "a value is missing"},
        {PARAMETER_DURATION, "soon", "is not a duration"},
        {PARAMETER_DURATION, "-5 s", "is negative; a duration is 0 or more"},
        {PARAMETER_DURATION, "293 y", "is not a duration"},
        {PARAMETER_DURATION, "2562048 h", "is too large"},
        {PARAMETER_DURATION, "1e300 h", "is too large"},
        {PARAMETER_SIZE, "64 KB",
         "is ambiguous: write 64 KiB (1,024 bytes each) or 64 kB (1,000 bytes each)"},
        {PARAMETER_SIZE, "10 tib", "Did you mean 10 TiB?"},
        {PARAMETER_SIZE, "10 T", "Did you mean 10 TiB?"},
        {PARAMETER_SIZE, "9999 PiB", "is too large"},
        {PARAMETER_SIZE, "99999999999999999999 B", "is too large"},
        {PARAMETER_SIZE, "10 MiB/s", "is not a size"},
        {PARAMETER_THROUGHPUT, "10 MiB", "Did you mean 10 MiB/s?"},
        {PARAMETER_THROUGHPUT, "10 Gbps", "Did you mean 10 Gbit/s?"},
        {PARAMETER_RATE, "20000 per hour", "Did you mean 20000 /h?"},
        {PARAMETER_FRACTION, "0.875", "has no unit; a fraction is a number and %, e.g. 87.5 %"},
        {PARAMETER_COUNT, "1.5", "is not a whole number"},
        {PARAMETER_COUNT, "1500 users", "a count is written without a unit, e.g. 1,500"},
        {PARAMETER_COUNT, "1,50", "a comma stands only between thousands"},
        {PARAMETER_COUNT, "1,5000", "a comma stands only between thousands"},
        {PARAMETER_COUNT, "0,500", "begins with 0"},
        {PARAMETER_COUNT, "000", "begins with 0: write a list of numbers without commas inside them"},
        {PARAMETER_COUNT, "1e30", "is too large"},
        {PARAMETER_COUNT, "9223372036854775807", "is too large"},
        {PARAMETER_COUNT, "0x10", "is not a count"},
        {PARAMETER_NUMBER, "1e999", "is too large"},
        {PARAMETER_NUMBER, "nan", "is not a finite number"},
        {PARAMETER_NUMBER, "-.inf", "is not a finite number"},
        {PARAMETER_NUMBER, "infinity", "is not a finite number"},
        {PARAMETER_RATE, "NaN /s", "is not a finite number"},
        {PARAMETER_NUMBER, "1..5", "is not a number"},
        {PARAMETER_NUMBER, "--1", "is not a number"},
        {PARAMETER_NUMBER, "1 000", "a number is written without a unit"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct quantity quantity;
        char message[400] = "";
        if (quantity_parse(cases[i].type, cases[i].text, &quantity, message, sizeof message))
            fail_msg("'%s' was accepted", cases[i].text);
        if (strstr(message, cases[i].expected) == NULL)
            fail_msg("'%s': %s", cases[i].text, message);
    }
}

static void decimal_bytes_are_noticed(void **state)
{
    (void)state;
    struct quantity quantity;
    char message[400];
    assert_true(quantity_parse(PARAMETER_SIZE, "5 TB", &quantity, message, sizeof message));
    assert_true(quantity.decimal_bytes);
    assert_string_equal(quantity.binary, "TiB");
    assert_true(quantity_parse(PARAMETER_SIZE, "5 TiB", &quantity, message, sizeof message));
    assert_false(quantity.decimal_bytes);
}

static void people_get_short_texts(void **state)
{
    (void)state;
    static const struct {
        enum parameter_type type;
        double number;
        int64_t integer;
        const char *expected;
    } cases[] = {
        {PARAMETER_SIZE, 0, INT64_C(5497558138880), "5 TiB"},
        {PARAMETER_SIZE, 0, 700000000, "700 MB"},
        {PARAMETER_SIZE, 0, 1234567, "1.234567 MB"},
        {PARAMETER_SIZE, 0, 0, "0"},
        {PARAMETER_DURATION, 0, INT64_C(3600000000000), "1 h"},
        {PARAMETER_DURATION, 0, 170000, "170 us"},
        {PARAMETER_DURATION, 0, 3900000, "3.9 ms"},
        {PARAMETER_RATE, 20000.0 / 3600, 0, "20,000 /h"},
        {PARAMETER_RATE, 400, 0, "400 /s"},
        {PARAMETER_FRACTION, 0.875, 0, "87.5 %"},
        {PARAMETER_COUNT, 0, 1500000, "1,500,000"},
        {PARAMETER_THROUGHPUT, 41943040, 0, "40 MiB/s"},
        {PARAMETER_THROUGHPUT, 1562500000, 0, "12.5 Gbit/s"},
        {PARAMETER_NUMBER, -0.25, 0, "-0.25"},
        {PARAMETER_RATE, INFINITY, 0, "unlimited"},
        {PARAMETER_SIZE, 0, INT64_MAX, "unlimited"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char text[96];
        quantity_format(cases[i].type, cases[i].number, cases[i].integer, text, sizeof text);
        assert_string_equal(text, cases[i].expected);
    }
}

/* Random values, from all magnitudes, print and read back to themselves. */
static void texts_read_back(void **state)
{
    (void)state;
    uint64_t random = 12345;
    for (int i = 0; i < 20000; i++) {
        random = random * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
        enum parameter_type type = (enum parameter_type)(random >> 60) % 7;
        int64_t integer = (int64_t)(random >> (1 + (random >> 33) % 60));
        double number = (double)integer / 1024;
        char text[96], message[400];
        struct quantity quantity;
        quantity_format(type, number, integer, text, sizeof text);
        if (integer == INT64_MAX)
            continue;
        if (!quantity_parse(type, text, &quantity, message, sizeof message))
            fail_msg("%s: %s", text, message);
        if (quantity_is_integer(type))
            assert_int_equal(quantity.integer, integer);
        else
            assert_near_relative(quantity.number, number, 1e-15);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(integers_are_exact),     cmocka_unit_test(doubles_are_the_nearest),
        cmocka_unit_test(mistakes_are_explained), cmocka_unit_test(decimal_bytes_are_noticed),
        cmocka_unit_test(people_get_short_texts), cmocka_unit_test(texts_read_back),
    };
    return RUN_TESTS(tests);
}
