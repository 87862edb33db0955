#include "vdisim/entitlement.h"

#include <assert.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

void entitlement_add(struct entitlement *entitlement, const char *name, const char *label, const char *unit,
                     double value, const char *format, ...)
{
    assert(entitlement->count < ENTITLEMENT_ROWS_MAX);
    struct entitlement_row *row = &entitlement->rows[entitlement->count++];
    *row = (struct entitlement_row){.unit = unit, .value = value};
    snprintf(row->name, sizeof row->name, "%s", name);
    snprintf(row->label, sizeof row->label, "%s", label);
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(row->formula, sizeof row->formula, format, arguments);
    va_end(arguments);
}

const struct entitlement_row *entitlement_row(const struct entitlement *entitlement, const char *name)
{
    for (size_t i = 0; i < entitlement->count; i++)
        if (strcmp(entitlement->rows[i].name, name) == 0)
            return &entitlement->rows[i];
    return NULL;
}

const char *entitlement_number(double value, char *text)
{
    if (isinf(value)) {
        snprintf(text, 32, "unlimited");
        return text;
    }
    char plain[32];
    snprintf(plain, sizeof plain, fabs(value) >= 1e15 || fabs(value) < 1.0 ? "%.8g" : "%.3f", value);
    if (strchr(plain, '.') != NULL && strchr(plain, 'e') == NULL) {
        char *end = plain + strlen(plain) - 1;
        while (*end == '0')
            *end-- = '\0';
        if (*end == '.')
            *end = '\0';
    }
    size_t digits = strspn(plain, "0123456789"), length = 0;
    for (size_t i = 0; plain[i] != '\0'; i++) {
        if (i > 0 && i < digits && (digits - i) % 3 == 0)
            text[length++] = ',';
        text[length++] = plain[i];
    }
    text[length] = '\0';
    return text;
}
