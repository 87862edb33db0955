/* An elevator: of the operations that wait it takes the next one at or above the place it has come to, and the
 * lowest when there is none above. Of equal places the first in line goes first.
 *
 * For a line that is a list linked forward: every waiting item is offered with the one before it, which is what taking
 * it out of the list needs.
 */
#ifndef VDISIM_ELEVATOR_H
#define VDISIM_ELEVATOR_H

#include <stddef.h>
#include <stdint.h>

struct elevator_stop {
    void *item, *before; /* NULL: none yet; the first of the line */
    int64_t page;
};

struct elevator {
    int64_t from_page;
    struct elevator_stop ahead, lowest;
};

static inline void elevator_offer(struct elevator *elevator, void *item, void *before, int64_t page)
{
    const struct elevator_stop stop = {item, before, page};
    if (page >= elevator->from_page && (elevator->ahead.item == NULL || page < elevator->ahead.page))
        elevator->ahead = stop;
    if (elevator->lowest.item == NULL || page < elevator->lowest.page)
        elevator->lowest = stop;
}

/* After all were offered. */
static inline struct elevator_stop elevator_next(const struct elevator *elevator)
{
    return elevator->ahead.item != NULL ? elevator->ahead : elevator->lowest;
}

#endif
