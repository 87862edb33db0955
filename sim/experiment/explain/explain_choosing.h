/* The inside of choosing what might help: what is known of a cell, and the list that grows. */
#ifndef VDISIM_EXPLAIN_CHOOSING_H
#define VDISIM_EXPLAIN_CHOOSING_H

#include "sim/experiment/explain/explain_inside.h"

/* What promises less is not worth a run. */
#define PROMISE_LEAST 0.03

#define BIT(which) (1u << (which))
#define OF(cause)  BIT(CAUSE_##cause)
#define IN(phase)  BIT(PHASE_##phase)
#define ANY_LIMIT                                                                                            \
    (OF(IOPS_LIMIT) | OF(INGRESS_LIMIT) | OF(EGRESS_LIMIT) | OF(METADATA_LIMIT) | OF(ACCOUNT_LIMIT))

#define UNLIMITED "unlimited"

struct choosing {
    const struct explain_run *run;
    const struct explain_cell *cell;
    struct explain_change *list;
    size_t count;
    double throttled_by_share, throttled_otherwise; /* shares of all throttled requests, over all stores */
    enum wait_cause main_cause;                     /* that has the largest share */
    double cause[CAUSE_COUNT]; /* shares of the time, known or reckoned from what the stores report */
};

/* The share of the time that is charged to these causes, in these phases where phases are asked for. */
double explain_promise_of(const struct choosing *choosing, unsigned causes, unsigned phases);

void explain_add_change(struct choosing *choosing, struct explain_change change);

/* Whether the setting is there and would be changed. */
bool explain_changes_something(const struct explain_run *run, const char *key, const char *value);

bool explain_is_in_section(const struct part *part, const char *section);

/* What is reckoned from the settings themselves: the account, twice as much of something, sooner, later. */
void explain_reckon_changes(struct choosing *choosing, const struct part *part);

#endif
