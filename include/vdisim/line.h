/* A line of those who wait: in order of arrival, or by priority and then by arrival.
 *
 * The kernel's queues, pools, stores and signals keep their waiters in lines; models seldom need one directly. A place in
 * the line is a member of whatever waits, so joining and leaving allocate nothing. A line in order of arrival is a linked
 * list: joining and leaving are O(1). A line by priority is a pairing heap: joining is O(1), leaving O(log n) amortised.
 * A larger priority goes first; of equal priorities the earlier arrival.
 */
#ifndef VDISIM_LINE_H
#define VDISIM_LINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct sim_line_place {
    int64_t priority;             /* read-only while in a line: change it by sim_line_set_priority() */
    uint64_t arrival;             /* read-only: number of the arrival in its line */
    struct sim_line_place *next;  /* private, and so are those below */
    struct sim_line_place *prev;
    struct sim_line_place *child;
};

struct sim_line {
    struct sim_line_place *first; /* read-only: who is next, NULL when the line is empty */
    struct sim_line_place *last;  /* private */
    size_t length;                /* read-only */
    uint64_t arrivals;            /* private */
    bool by_priority;             /* read-only */
};

void sim_line_init(struct sim_line *line, bool by_priority);

/* Joins behind all of the same priority. In a line in order of arrival the priority plays no part. */
void sim_line_join(struct sim_line *line, struct sim_line_place *place, int64_t priority);

/* Joins at the place that place->arrival gives among its equals, which an earlier sim_line_join() has set: ahead of all
 * that came after it. Only in a line by priority. */
void sim_line_rejoin(struct sim_line *line, struct sim_line_place *place, int64_t priority);

/* Leaves from wherever it stands in this line. */
void sim_line_leave(struct sim_line *line, struct sim_line_place *place);

/* Changes the priority of one in the line; among equals it stands by its arrival, not by the time of the change. */
void sim_line_set_priority(struct sim_line *line, struct sim_line_place *place, int64_t priority);

#endif
