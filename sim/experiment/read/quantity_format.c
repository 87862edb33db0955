#include "sim/experiment/read/quantity.h"

#include "sim/experiment/read/quantity_unit.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* Commas between the thousands of the digits before the point. */
static void group_thousands(const char *plain, char *text, size_t size)
{
    size_t sign = plain[0] == '-';
    size_t digits = strspn(plain + sign, "0123456789"), used = 0;
    for (size_t i = 0; plain[i] != '\0' && used + 2 < size; i++) {
        bool inside = i > sign && i < sign + digits;
        if (inside && (sign + digits - i) % 3 == 0)
            text[used++] = ',';
        text[used++] = plain[i];
    }
    text[used] = '\0';
}

void quantity_format_integer(int64_t integer, char *text, size_t size)
{
    char plain[32];
    snprintf(plain, sizeof plain, "%" PRId64, integer);
    group_thousands(plain, text, size);
}

/* Shortest digits that read back to the same double. */
static void format_number(double number, char *text, size_t size)
{
    char plain[64];
    for (int digits = 1; digits <= 17; digits++) {
        snprintf(plain, sizeof plain, "%.*g", digits, number);
        double back;
        size_t length = quantity_number(plain, &back);
        if (plain[length] == '\0' && back == number)
            break;
    }
    if (fabs(number) < 1e15 && number == floor(number))
        snprintf(plain, sizeof plain, "%.0f", number);
    group_thousands(plain, text, size);
}

static bool reads_back(enum parameter_type type, const char *text, double number, int64_t integer)
{
    struct quantity quantity;
    char message[256];
    if (!quantity_parse(type, text, &quantity, message, sizeof message))
        return false;
    return quantity_is_integer(type) ? quantity.integer == integer : quantity.number == number;
}

/* The number of digits after the point or before trailing zeros does not matter: the shortest text is the
 * clearest. */
static bool format_in_unit(enum parameter_type type, const struct unit *unit, double number, int64_t integer,
                           char *text, size_t size)
{
    char digits[64], plain[64];
    double in_unit = (quantity_is_integer(type) ? (double)integer : number) * unit->divisor / unit->factor;
    snprintf(plain, sizeof plain, "%.12g", in_unit);
    if (in_unit < 0.001 || strchr(plain, 'e') != NULL)
        return false;
    group_thousands(plain, digits, sizeof digits);
    snprintf(text, size, "%s %s", digits, unit->name);
    return reads_back(type, text, number, integer);
}

static double preference(const char *text)
{
    /* A number below one reads worse than a slightly longer one. */
    return (double)strlen(text) + (strncmp(text, "0.", 2) == 0 ? 2.5 : 0);
}

void quantity_format(enum parameter_type type, double number, int64_t integer, char *text, size_t size)
{
    const struct dimension *dimension = dimension_of(type);
    bool whole = quantity_is_integer(type);
    char best[96] = "";
    if (whole ? integer == INT64_MAX : isinf(number)) {
        snprintf(text, size, "unlimited");
        return;
    }
    if (type == PARAMETER_COUNT) {
        quantity_format_integer(integer, text, size);
        return;
    }
    if (type == PARAMETER_NUMBER || (whole ? integer == 0 : number == 0)) {
        format_number(whole ? (double)integer : number, text, size);
        return;
    }
    for (const struct unit *unit = dimension->units; unit->name != NULL; unit++) {
        char candidate[96];
        if (format_in_unit(type, unit, number, integer, candidate, sizeof candidate) &&
            (best[0] == '\0' || preference(candidate) < preference(best)))
            memcpy(best, candidate, sizeof best);
    }
    if (best[0] == '\0' && type == PARAMETER_SIZE) {
        quantity_format_integer(integer, best, sizeof best - 2);
        strcat(best, " B");
    } else if (best[0] == '\0' && type == PARAMETER_DURATION) {
        quantity_format_integer(integer, best, sizeof best - 3);
        strcat(best, " ns");
    } else if (best[0] == '\0') {
        const char *unit = type == PARAMETER_THROUGHPUT ? "B/s" : type == PARAMETER_RATE ? "/s" : "%";
        double shown = type == PARAMETER_FRACTION ? number * 100 : number;
        snprintf(best, sizeof best, "%.17g %s", shown, unit);
    }
    snprintf(text, size, "%s", best);
}
