#include "vdisim/line.h"

#include <assert.h>

void sim_line_init(struct sim_line *line, bool by_priority)
{
    *line = (struct sim_line){.by_priority = by_priority};
}

static bool goes_before(const struct sim_line_place *a, const struct sim_line_place *b)
{
    return a->priority != b->priority ? a->priority > b->priority : a->arrival < b->arrival;
}

/* Pairing heap: `next` and `prev` link siblings, the prev of a first child is its parent; a root has neither. */
static struct sim_line_place *meld(struct sim_line_place *a, struct sim_line_place *b)
{
    if (!a)
        return b;
    if (!b)
        return a;
    if (goes_before(b, a)) {
        struct sim_line_place *swap = a;
        a = b;
        b = swap;
    }
    b->next = a->child;
    if (b->next)
        b->next->prev = b;
    b->prev = a;
    a->child = b;
    return a;
}

/* Pairs siblings from the left, then melds the pairs from the right. */
static struct sim_line_place *meld_siblings(struct sim_line_place *sibling)
{
    struct sim_line_place *pairs = NULL;
    while (sibling) {
        struct sim_line_place *a = sibling;
        struct sim_line_place *b = a->next;
        sibling = b ? b->next : NULL;
        a->next = a->prev = NULL;
        if (b)
            b->next = b->prev = NULL;
        a = meld(a, b);
        a->next = pairs;
        pairs = a;
    }
    struct sim_line_place *root = NULL;
    while (pairs) {
        struct sim_line_place *next = pairs->next;
        pairs->next = NULL;
        root = meld(root, pairs);
        pairs = next;
    }
    return root;
}

static void heap_join(struct sim_line *line, struct sim_line_place *place)
{
    place->next = place->prev = place->child = NULL;
    line->first = meld(line->first, place);
    line->length++;
}

static void heap_leave(struct sim_line *line, struct sim_line_place *place)
{
    struct sim_line_place *rest = meld_siblings(place->child);
    if (place == line->first) {
        line->first = rest;
    } else {
        if (place->prev->child == place)
            place->prev->child = place->next;
        else
            place->prev->next = place->next;
        if (place->next)
            place->next->prev = place->prev;
        line->first = meld(line->first, rest);
    }
    line->length--;
}

void sim_line_join(struct sim_line *line, struct sim_line_place *place, int64_t priority)
{
    place->priority = priority;
    place->arrival = line->arrivals++;
    if (line->by_priority) {
        heap_join(line, place);
        return;
    }
    place->next = NULL;
    place->prev = line->last;
    if (line->last)
        line->last->next = place;
    else
        line->first = place;
    line->last = place;
    line->length++;
}

void sim_line_rejoin(struct sim_line *line, struct sim_line_place *place, int64_t priority)
{
    assert(line->by_priority);
    place->priority = priority;
    heap_join(line, place);
}

void sim_line_leave(struct sim_line *line, struct sim_line_place *place)
{
    assert(line->length > 0);
    if (line->by_priority) {
        heap_leave(line, place);
        return;
    }
    if (place->prev)
        place->prev->next = place->next;
    else
        line->first = place->next;
    if (place->next)
        place->next->prev = place->prev;
    else
        line->last = place->prev;
    line->length--;
}

void sim_line_set_priority(struct sim_line *line, struct sim_line_place *place, int64_t priority)
{
    if (!line->by_priority) {
        place->priority = priority;
        return;
    }
    heap_leave(line, place);
    sim_line_rejoin(line, place, priority);
}
