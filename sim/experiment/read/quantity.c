#include "sim/experiment/read/quantity.h"

#include "sim/experiment/read/quantity_unit.h"

#include <assert.h>
#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum { DIGITS = 400, SHOWN = 60 };

struct number {
    double value;
    bool negative, whole; /* whole: no fraction and no exponent was written */
    bool leading_zero;
    int64_t integer; /* of a whole one; INT64_MAX when it does not fit */
};

/* Decimal digits to the nearest double. Up to 2^53 and 10^22 both factors are exact, so one operation rounds
 * correctly in any locale; beyond that strtod() is asked. */
static bool to_double(const char *digits, size_t count, long exponent, double *value)
{
    static const double power[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,  1e8,  1e9,  1e10, 1e11,
                                   1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
    while (count > 1 && digits[0] == '0') {
        digits++;
        count--;
    }
    if (count <= 15 && exponent >= -22 && exponent <= 22) {
        double mantissa = 0;
        for (size_t i = 0; i < count; i++)
            mantissa = mantissa * 10 + (digits[i] - '0');
        *value = exponent < 0 ? mantissa / power[-exponent] : mantissa * power[exponent];
        return true;
    }
    char text[DIGITS + 32], *end;
    snprintf(text, sizeof text, "%.*se%ld", (int)count, digits, exponent);
    *value = strtod(text, &end);
    return *end == '\0' && isfinite(*value);
}

static int64_t to_integer(const char *digits, size_t count)
{
    int64_t integer = 0;
    for (size_t i = 0; i < count; i++)
        if (__builtin_mul_overflow(integer, 10, &integer) ||
            __builtin_add_overflow(integer, digits[i] - '0', &integer))
            return INT64_MAX;
    return integer;
}

/* Digits with commas between groups of three. Returns what was read, 0 when a comma stands elsewhere. */
static size_t scan_digits(const char *text, char *digits, size_t *count)
{
    size_t i = 0, group = 0;
    bool grouped = false;
    for (;; i++) {
        if (isdigit((unsigned char)text[i])) {
            if (*count == DIGITS)
                return 0;
            digits[(*count)++] = text[i];
            group++;
        } else if (text[i] == ',' && isdigit((unsigned char)text[i + 1])) {
            if (group == 0 || group > 3 || (grouped && group != 3))
                return 0;
            grouped = true;
            group = 0;
        } else {
            return grouped && group != 3 ? 0 : i;
        }
    }
}

/* The length of the number at the start of `text`, 0 if there is none. */
static size_t scan_number(const char *text, struct number *number)
{
    const char *p = text;
    char digits[DIGITS + 1];
    size_t count = 0;
    *number = (struct number){.whole = true};
    while (*p == ' ' || *p == '\t')
        p++;
    if (*p == '-' || *p == '+')
        number->negative = *p++ == '-';
    size_t length = scan_digits(p, digits, &count);
    if (length == 0)
        return 0;
    number->leading_zero = count > 1 && digits[0] == '0';
    p += length;
    number->integer = to_integer(digits, count);
    long exponent = 0;
    if (p[0] == '.' && isdigit((unsigned char)p[1])) {
        number->whole = false;
        for (p++; isdigit((unsigned char)*p); p++) {
            if (count == DIGITS)
                return 0;
            digits[count++] = *p;
            exponent--;
        }
    }
    const char *e = p + 1 + (*p != '\0' && (p[1] == '-' || p[1] == '+'));
    if ((*p == 'e' || *p == 'E') && isdigit((unsigned char)*e)) {
        number->whole = false;
        long written = 0;
        for (; isdigit((unsigned char)*e); e++)
            written = written < 100000 ? written * 10 + (*e - '0') : written;
        exponent += p[1] == '-' ? -written : written;
        p = e;
    }
    if (!to_double(digits, count, exponent, &number->value))
        number->value = INFINITY;
    if (number->negative) {
        number->value = -number->value;
        number->integer = -number->integer;
    }
    return (size_t)(p - text);
}

size_t quantity_number(const char *text, double *value)
{
    struct number number;
    size_t length = scan_number(text, &number);
    *value = number.value;
    return length;
}

bool quantity_is_integer(enum parameter_type type)
{
    return type == PARAMETER_SIZE || type == PARAMETER_DURATION || type == PARAMETER_COUNT;
}

const char *quantity_noun(enum parameter_type type)
{
    return dimension_of(type)->noun;
}

const char *quantity_example(enum parameter_type type)
{
    return dimension_of(type)->example;
}

const char *quantity_units(enum parameter_type type)
{
    return dimension_of(type)->listing;
}

const char *quantity_pattern(enum parameter_type type)
{
#define NUMBER_PATTERN "^ *(0|[0-9][0-9,]*(\\.[0-9]+)?([eE][-+]?[0-9]+)?"
    switch (type) {
    case PARAMETER_SIZE:
        return NUMBER_PATTERN " *([KMGTP]i|[kMGTP])?B) *$";
    case PARAMETER_THROUGHPUT:
        return NUMBER_PATTERN " *(([KMGTP]i|[kMGTP])?B|[kMGT]?bit)/s) *$";
    case PARAMETER_DURATION:
        return NUMBER_PATTERN " *(ns|us|ms|s|min|h|d)) *$";
    case PARAMETER_RATE:
        return NUMBER_PATTERN " *(IOPS|/s|/min|/h)) *$";
    case PARAMETER_FRACTION:
        return NUMBER_PATTERN " *%) *$";
    case PARAMETER_COUNT:
        return "^ *[0-9][0-9,]*(\\.0+)?([eE][0-9]+)? *$";
    default:
        return "^ *[-+]?[0-9][0-9,]*(\\.[0-9]+)?([eE][-+]?[0-9]+)? *$";
    }
#undef NUMBER_PATTERN
}

/* The unit meant by an unknown one, or NULL. */
static const char *meant_unit(const struct dimension *dimension, const char *written, size_t length)
{
    for (const struct unit_hint *hint = dimension->hints; hint->written != NULL; hint++)
        if (strlen(hint->written) == length && strncmp(hint->written, written, length) == 0)
            return hint->meant;
    for (const struct unit_hint *hint = dimension->hints; hint->written != NULL; hint++)
        if (strlen(hint->written) == length && strncasecmp(hint->written, written, length) == 0)
            return hint->meant;
    for (const struct unit *unit = dimension->units; unit->name != NULL; unit++)
        if (strlen(unit->name) == length && strncasecmp(unit->name, written, length) == 0)
            return unit->name;
    return NULL;
}

static void describe(const struct dimension *dimension, char *text, size_t size)
{
    if (dimension->listing[0] == '\0')
        snprintf(text, size, "%s is written without a unit, e.g. %s", dimension->noun, dimension->example);
    else
        snprintf(text, size, "%s is a number and %s, e.g. %s", dimension->noun, dimension->listing,
                 dimension->example);
}

static bool refuse_unit(const struct dimension *dimension, const char *text, size_t number_length,
                        const char *unit, char *message, size_t size)
{
    char expected[160];
    describe(dimension, expected, sizeof expected);
    size_t length = strlen(unit);
    const char *meant = meant_unit(dimension, unit, length);
    if (length == 0 && dimension->listing[0] != '\0')
        snprintf(message, size, "'%.*s' has no unit; %s", SHOWN, text, expected);
    else if (length == 2 && strcmp(unit, "KB") == 0 && meant != NULL)
        snprintf(message, size,
                 "'%.*s' is ambiguous: write %.*s KiB (1,024 bytes each) or %.*s kB (1,000 bytes each)",
                 SHOWN, text, (int)number_length, text, (int)number_length, text);
    else if (meant != NULL)
        snprintf(message, size, "'%.*s' is not %s. Did you mean %.*s %s?", SHOWN, text, dimension->noun,
                 (int)(number_length < SHOWN ? number_length : SHOWN), text, meant);
    else
        snprintf(message, size, "'%.*s' is not %s; %s", SHOWN, text, dimension->noun, expected);
    return false;
}

static bool refuse_number(const struct dimension *dimension, const char *text, char *message, size_t size)
{
    static const char *const undefined[] = {"nan",  ".nan",  "inf",      ".inf",
                                            "-inf", "-.inf", "infinity", "-infinity"};
    char expected[160];
    describe(dimension, expected, sizeof expected);
    const char *word = text + strspn(text, " +");
    for (size_t i = 0; i < sizeof undefined / sizeof undefined[0]; i++) {
        size_t length = strlen(undefined[i]);
        if (strncasecmp(word, undefined[i], length) == 0 && !isalpha((unsigned char)word[length])) {
            snprintf(message, size, "'%.*s' is not a finite number; %s", SHOWN, text, expected);
            return false;
        }
    }
    if (isdigit((unsigned char)word[0]) && strchr(word, ',') != NULL)
        snprintf(message, size,
                 "'%.*s': a comma stands only between thousands (1,500); a fraction has a point (1.5)", SHOWN,
                 text);
    else if (text[0] == '\0')
        snprintf(message, size, "a value is missing; %s", expected);
    else
        snprintf(message, size, "'%.*s' is not %s; %s", SHOWN, text, dimension->noun, expected);
    return false;
}

/* number * factor / divisor, as an integer where the field is one. */
static bool convert(enum parameter_type type, const struct number *number, double factor, double divisor,
                    struct quantity *quantity)
{
    quantity->number = number->value * factor / divisor;
    if (!isfinite(quantity->number))
        return false;
    if (!quantity_is_integer(type))
        return true;
    if (number->whole && divisor == 1)
        return number->integer != INT64_MAX &&
               !__builtin_mul_overflow(number->integer, (int64_t)factor, &quantity->integer) &&
               quantity->integer != INT64_MAX;
    if (!(fabs(quantity->number) < 0x1p63))
        return false;
    quantity->integer = (int64_t)nearbyint(quantity->number);
    return true;
}

static const struct unit *find_unit(const struct dimension *dimension, const char *name)
{
    for (const struct unit *unit = dimension->units; unit->name != NULL; unit++)
        if (strcmp(unit->name, name) == 0)
            return unit;
    return NULL;
}

bool quantity_parse(enum parameter_type type, const char *text, struct quantity *quantity, char *message,
                    size_t size)
{
    static const struct unit none = {"", 1, 1, NULL};
    const struct dimension *dimension = dimension_of(type);
    *quantity = (struct quantity){0};
    if (strcmp(text, "unlimited") == 0) {
        *quantity = (struct quantity){.number = INFINITY, .integer = INT64_MAX, .unlimited = true};
        return true;
    }
    struct number number;
    size_t length = scan_number(text, &number);
    if (length == 0)
        return refuse_number(dimension, text, message, size);

    char name[32] = "";
    const char *rest = text + length + strspn(text + length, " \t");
    size_t rest_length = strlen(rest);
    while (rest_length > 0 && (rest[rest_length - 1] == ' ' || rest[rest_length - 1] == '\t'))
        rest_length--;
    snprintf(name, sizeof name, "%.*s", (int)(rest_length < sizeof name ? rest_length : sizeof name), rest);
    bool bare = name[0] == '\0' && (dimension->listing[0] == '\0' || number.value == 0);
    const struct unit *unit = bare ? &none : find_unit(dimension, name);
    if (unit == NULL)
        return refuse_unit(dimension, text, length, name, message, size);

    if (number.leading_zero) {
        snprintf(message, size,
                 "'%.*s' begins with 0: write a list of numbers without commas inside them, [20000, 40000]",
                 SHOWN, text);
        return false;
    }
    if (number.negative && type != PARAMETER_NUMBER && number.value != 0) {
        snprintf(message, size, "'%.*s' is negative; %s is 0 or more, e.g. %s", SHOWN, text, dimension->noun,
                 dimension->example);
        return false;
    }
    if (!convert(type, &number, unit->factor, unit->divisor, quantity)) {
        snprintf(message, size, "'%.*s' is too large", SHOWN, text);
        return false;
    }
    if (type == PARAMETER_COUNT && (double)quantity->integer != quantity->number) {
        snprintf(message, size, "'%.*s' is not a whole number", SHOWN, text);
        return false;
    }
    quantity->decimal_bytes = unit->binary != NULL;
    quantity->binary = unit->binary;
    return true;
}
