/* A fluid answer: what the limits of a share do to a day's logons, worked out without simulating requests.
 *
 * Logons flow in as the arrivals say. A logon under way is a piece of work, the demand of one user alone (demand.h).
 * Where more is asked of a limit than it lets through, requests wait, first come, first served, all equally long: the
 * wait w is such that what is asked for fits (the response time law of a closed network, N = X (R + Z)):
 *
 *     asked(w) = sum of N_c demand_c / (L_c + k_c w) + background (1 - m + m / (1 + w / z))
 *     L_c = load alone + time in the server x (mean latency at this rate / mean latency when idle - 1)
 *
 * N_c logons of workload c are under way, each sends k_c requests one after the other; a logon is loaded when
 * 1 / (L_c + k_c w) has added up to 1. Logged on, it asks for what the measured user asked for minute by minute, the
 * background, of which m is the mailbox: one request at a time, z apart. Burst credits are a level that is spent above
 * the baseline and earned below it; without any the limit is the baseline. The mean latency is that of service.h.
 *
 * It knows averages only: no chance, no queue in a burst, no cache. `doubts` says where that matters.
 *
 *     struct fluid_case of = {.share = settings, .demands = demands, .demand_count = 1, .user_scale = 1, ...};
 *     struct fluid_answer answer;
 *     if (fluid_solve(&of, &answer)) ... fluid_metric(&answer, "profile_load.p95") ...
 */
#ifndef VDISIM_FLUID_H
#define VDISIM_FLUID_H

#include "sim/experiment/size/demand.h"
#include "vdisim/host.h"
#include "vdisim/share.h"

struct fluid_case {
    const struct share_settings *share; /* NULL: a store whose limits this does not know */
    const struct logon_demand *demands;
    size_t demand_count;
    double user_scale;  /* of the users of each workload: 0.5 with two shares */
    double share_count; /* shares of that kind that have the account in common */
    double length_s;
    double nic_bytes_per_s; /* of all hosts together; 0: not known */
};

enum fluid_limit_kind {
    FLUID_IOPS,
    FLUID_EGRESS,
    FLUID_INGRESS,
    FLUID_POOL, /* both directions */
    FLUID_METADATA,
    FLUID_ACCOUNT_IOPS,
    FLUID_ACCOUNT_EGRESS,
    FLUID_ACCOUNT_INGRESS,
    FLUID_SERVICE, /* lanes */
    FLUID_NIC,
    FLUID_LIMIT_COUNT,
};

struct fluid_limit {
    const char *name, *unit;
    double rate;         /* a second: with credits the burst limit. INFINITY: none */
    double mean, peak;   /* asked for: over the run, in the busiest minute */
    double peak_minute;  /* from 0 */
    double held_s;       /* how long it was the one that bound */
    double first_held_s; /* NaN: never */
};

enum { FLUID_METRICS_MAX = 24, FLUID_DOUBTS_MAX = 12, FLUID_TEXT_SIZE = 200 };

struct fluid_metric {
    char name[64];
    const char *unit;
    double value; /* NaN: none */
};

struct fluid_answer {
    struct fluid_limit limits[FLUID_LIMIT_COUNT];
    struct fluid_metric metrics[FLUID_METRICS_MAX];
    size_t metric_count;
    char doubts[FLUID_DOUBTS_MAX][FLUID_TEXT_SIZE];
    size_t doubt_count;
    double base_iops, credits, credits_min; /* credits 0: no bursting */
    double credits_gone_s;                  /* when they first are; NaN: never */
    double unfinished, users;
};

/* False when memory is short. */
bool fluid_solve(const struct fluid_case *of, struct fluid_answer *answer);

/* NaN when it has no such metric, or no value. */
double fluid_metric(const struct fluid_answer *answer, const char *name);

/* The limit that is used most in its busiest minute. */
const struct fluid_limit *fluid_tightest(const struct fluid_answer *answer);
double fluid_utilisation(const struct fluid_limit *limit);

/* Adds a doubt of the caller's; the last ones are lost when there are too many. */
void fluid_doubt(struct fluid_answer *answer, const char *format, ...) __attribute__((format(printf, 2, 3)));

#endif
