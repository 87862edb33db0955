#include "sim/experiment/read/date.h"

#include <ctype.h>
#include <stddef.h>
#include <string.h>

static int two_digits(const char *text)
{
    return (text[0] - '0') * 10 + text[1] - '0';
}

static bool is_leap(int year)
{
    return (year % 4 == 0 && year % 100 != 0) || year % 400 == 0;
}

bool is_month_or_day(const char *text)
{
    static const char shape[] = "dddd-dd-dd";
    static const int days[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
    const size_t length = strlen(text);
    if (length != 7 && length != 10)
        return false;
    for (size_t i = 0; i < length; i++)
        if (shape[i] == 'd' ? !isdigit((unsigned char)text[i]) : text[i] != '-')
            return false;
    const int year = 100 * two_digits(text) + two_digits(text + 2), month = two_digits(text + 5);
    if (month < 1 || month > 12)
        return false;
    const int day = length == 10 ? two_digits(text + 8) : 1;
    return day >= 1 && day <= days[month - 1] + (month == 2 && is_leap(year));
}
