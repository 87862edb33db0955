#include "sim/experiment/read/suggest.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>
#include <strings.h>

enum { LONGEST = 64 };

static size_t least(size_t a, size_t b)
{
    return a < b ? a : b;
}

static bool same(char a, char b)
{
    return tolower((unsigned char)a) == tolower((unsigned char)b);
}

size_t edit_distance(const char *a, const char *b)
{
    size_t a_length = strlen(a), b_length = strlen(b);
    if (a_length > LONGEST || b_length > LONGEST)
        return SIZE_MAX;
    size_t rows[3][LONGEST + 1];
    for (size_t j = 0; j <= b_length; j++)
        rows[0][j] = j;
    for (size_t i = 1; i <= a_length; i++) {
        size_t *row = rows[i % 3], *above = rows[(i - 1) % 3], *two_above = rows[(i + 1) % 3];
        row[0] = i;
        for (size_t j = 1; j <= b_length; j++) {
            size_t replaced = above[j - 1] + !same(a[i - 1], b[j - 1]);
            row[j] = least(replaced, least(above[j], row[j - 1]) + 1);
            if (i > 1 && j > 1 && same(a[i - 1], b[j - 2]) && same(a[i - 2], b[j - 1]))
                row[j] = least(row[j], two_above[j - 2] + 1);
        }
    }
    return rows[a_length % 3][b_length];
}

static bool contains(const char *text, const char *part)
{
    size_t length = strlen(part);
    for (; strlen(text) >= length; text++)
        if (strncasecmp(text, part, length) == 0)
            return true;
    return false;
}

void suggestion_offer(struct suggestion *suggestion, const char *candidate)
{
    size_t distance = edit_distance(suggestion->written, candidate);
    size_t allowed = (strlen(candidate) + 2) / 3;
    bool contained = strlen(suggestion->written) >= 4 && contains(candidate, suggestion->written);
    if (distance > allowed && contained)
        distance = allowed;
    if (distance > allowed || distance >= strlen(candidate))
        return;
    if (suggestion->best == NULL || distance < suggestion->distance) {
        suggestion->best = candidate;
        suggestion->distance = distance;
    }
}

const char *article_of(const char *name)
{
    return strchr("aeiou", name[0]) != NULL && name[0] != '\0' ? "an" : "a";
}
