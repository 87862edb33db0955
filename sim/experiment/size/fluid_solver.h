/* The inside of the fluid answer: fluid.c lets time go by, fluid_report.c says what came of it. */
#ifndef VDISIM_FLUID_SOLVER_H
#define VDISIM_FLUID_SOLVER_H

#include "sim/experiment/size/fluid.h"

/* What a flow asks for, a second or in all. */
struct flow {
    double requests, egress, ingress, metadata;
};

/* Arrivals of one step, still logging on. */
struct cohort {
    double at_s, logons, progress; /* of its workload, at its arrival */
};

struct loaded {
    double load_s, logons;
};

/* One workload while time goes by. */
struct stream {
    const struct logon_demand *demand;
    double users;
    double arrived; /* share of the arrivals of one round of sessions that have come */
    struct cohort *cohorts;
    size_t first, count; /* those under way */
    struct loaded *loads;
    size_t load_count;
    double under_way, progress;
    double *done_in; /* [minute] logons that were loaded in it */
    struct flow load, background;
    double closed_share; /* of the background: each session has one request out at a time */
    double one_by_one;   /* of a load's requests: 1 when none are sent together */
};

/* Everything at one instant of the case that is solved. */
struct solver {
    const struct fluid_case *of;
    struct fluid_answer *answer;
    struct stream *streams;
    double step_s, now_s, credits, credits_most, served_rate;
    double served, held; /* requests */
    double egress, ingress, busiest_minute, minute_served, minute_egress, minute_ingress;
    double peak_egress, peak_ingress, latency_sum_ms;
    size_t minute, steps;
};

/* At the end: the metrics, and the limits in the units that they are told in. */
void fluid_report(struct solver *solver);

/* What this answer does not know of the case. */
void fluid_report_doubts(const struct solver *solver);

#endif
