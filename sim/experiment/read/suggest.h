/* "Did you mean ...?": the known word nearest to a mistyped one.
 *
 *     struct suggestion suggestion = {.written = "poison"};
 *     for (...) suggestion_offer(&suggestion, candidate);
 *     if (suggestion.best != NULL) ... "Did you mean %s?"
 */
#ifndef VDISIM_SUGGEST_H
#define VDISIM_SUGGEST_H

#include <stddef.h>

struct suggestion {
    const char *written; /* set by the caller */
    const char *best;    /* NULL: nothing is near enough */
    size_t distance;
};

/* Keeps `candidate` if it is nearer than what was offered before, and near enough: at most a third of its
 * letters are wrong, or it contains the written word. Upper and lower case count as equal. `candidate` is not
 * copied. */
void suggestion_offer(struct suggestion *suggestion, const char *candidate);

/* Letters to insert, delete, replace or swap with their neighbour (optimal string alignment), case ignored.
 * Words of more than 64 bytes are SIZE_MAX apart. */
size_t edit_distance(const char *a, const char *b);

/* "a" or "an". */
const char *article_of(const char *name);

#endif
