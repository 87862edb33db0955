#include "sim/experiment/size/fluid_solver.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void add_flow(struct flow *sum, const struct flow *flow, double factor)
{
    sum->requests += factor * flow->requests;
    sum->egress += factor * flow->egress;
    sum->ingress += factor * flow->ingress;
    sum->metadata += factor * flow->metadata;
}

static struct flow flow_of(const struct store_demand *demand)
{
    return (struct flow){demand_operations(demand), demand->egress_bytes, demand->ingress_bytes,
                         demand_metadata(demand)};
}

static double asked_of(enum fluid_limit_kind limit, const struct flow *flow)
{
    switch (limit) {
    case FLUID_EGRESS:
    case FLUID_ACCOUNT_EGRESS:
        return flow->egress;
    case FLUID_INGRESS:
    case FLUID_ACCOUNT_INGRESS:
        return flow->ingress;
    case FLUID_POOL:
        return flow->egress + flow->ingress;
    case FLUID_NIC:
        return fmax(flow->egress, flow->ingress);
    case FLUID_METADATA:
        return flow->metadata;
    case FLUID_IOPS:
    case FLUID_ACCOUNT_IOPS:
    case FLUID_SERVICE:
    case FLUID_LIMIT_COUNT:
        break;
    }
    return flow->requests;
}

/* -- limits -- */

static void set_limit(struct fluid_answer *answer, enum fluid_limit_kind kind, const char *name, bool bytes,
                      double rate)
{
    answer->limits[kind] = (struct fluid_limit){.name = name,
                                                .unit = bytes ? "MiB/s" : "IOPS",
                                                .rate = rate > 0.0 ? rate : (double)INFINITY,
                                                .first_held_s = NAN};
}

static void set_limits(struct solver *solver)
{
    struct fluid_answer *answer = solver->answer;
    const struct share_settings *share = solver->of->share;
    const struct share_settings none = {.size_bytes = 0};
    const struct share_limits limits = share != NULL ? share_limits(share) : (struct share_limits){0};
    const double shares = fmax(1.0, solver->of->share_count);
    share = share != NULL ? share : &none;
    set_limit(answer, FLUID_IOPS, "share IOPS", false, limits.burst_iops);
    set_limit(answer, FLUID_EGRESS, "share egress", true,
              share->pooled_throughput ? 0.0 : limits.egress_bytes_per_s);
    set_limit(answer, FLUID_INGRESS, "share ingress", true,
              share->pooled_throughput ? 0.0 : limits.ingress_bytes_per_s);
    set_limit(answer, FLUID_POOL, "share throughput, both ways", true,
              share->pooled_throughput ? limits.egress_bytes_per_s : 0.0);
    set_limit(answer, FLUID_METADATA, "metadata IOPS", false, share->metadata_iops);
    set_limit(answer, FLUID_ACCOUNT_IOPS, "account IOPS", false, share->account_iops / shares);
    set_limit(answer, FLUID_ACCOUNT_EGRESS, "account egress", true,
              share->account_egress_bytes_per_s / shares);
    set_limit(answer, FLUID_ACCOUNT_INGRESS, "account ingress", true,
              share->account_ingress_bytes_per_s / shares);
    set_limit(answer, FLUID_SERVICE, "data paths of the service", false,
              share->service.lane_time_ns > 0
                  ? 1e9 * (double)share->service.lanes / (double)share->service.lane_time_ns
                  : 0.0);
    set_limit(answer, FLUID_NIC, "network cards of the hosts", true, solver->of->nic_bytes_per_s);
    answer->base_iops = limits.base_iops;
    solver->credits_most = answer->credits = limits.burst_credits;
    solver->credits = limits.burst_credits * share->initial_credits;
    answer->credits_min = limits.burst_credits > 0.0 ? solver->credits : (double)NAN;
    answer->credits_gone_s = NAN;
}

static double rate_now(const struct solver *solver, enum fluid_limit_kind kind)
{
    const struct fluid_answer *answer = solver->answer;
    if (kind == FLUID_IOPS && solver->credits_most > 0.0)
        return fmin(answer->limits[kind].rate, answer->base_iops + solver->credits / solver->step_s);
    return answer->limits[kind].rate;
}

/* -- arrivals -- */

/* Share of the users that have arrived `at_s` after the beginning of the window. */
static double arrived_share(const struct arrival_settings *arrivals, double at_s)
{
    const double u = at_s / ((double)arrivals->window_ns / 1e9), peak = arrivals->peak;
    if (u <= 0.0 || u >= 1.0)
        return u <= 0.0 ? 0.0 : 1.0;
    if (arrivals->pattern != ARRIVALS_CURVE)
        return u;
    return u < peak ? u * u / peak : 1.0 - (1.0 - u) * (1.0 - u) / (1.0 - peak);
}

/* All rounds of sessions together. */
static double arrived_by(const struct logons_settings *settings, double now_s)
{
    const double again_s = (double)(settings->session_length_ns + settings->time_between_sessions_ns) / 1e9;
    const double since_s = now_s - (double)settings->arrivals.start_ns / 1e9;
    double share = 0.0;
    for (int64_t round = 0; round < settings->sessions_per_user && (double)round * again_s < since_s; round++)
        share += arrived_share(&settings->arrivals, since_s - (double)round * again_s);
    return share;
}

static void arrive(struct solver *solver, struct stream *stream, struct flow *offered)
{
    const double share = arrived_by(stream->demand->settings, solver->now_s + solver->step_s);
    const double logons = (share - stream->arrived) * stream->users;
    stream->arrived = share;
    if (logons <= 0.0)
        return;
    stream->cohorts[stream->first + stream->count++] =
        (struct cohort){solver->now_s, logons, stream->progress};
    stream->under_way += logons;
    add_flow(offered, &stream->load, logons / solver->step_s);
}

/* -- pace -- */

/* By how much the latency at a rate is above that of an idle service, for the mix of one load. */
static double slowdown(const struct share_settings *share, const struct store_demand *load, double rate)
{
    double idle = 0.0, busy = 0.0;
    if (share == NULL)
        return 1.0;
    for (int class_of = 0; class_of < OPERATION_CLASS_COUNT; class_of++) {
        idle += load->operations[class_of] *
                service_mean_latency_ns(&share->service, (enum operation_class)class_of, 0.0);
        busy += load->operations[class_of] *
                service_mean_latency_ns(&share->service, (enum operation_class)class_of, rate);
    }
    return idle > 0.0 ? busy / idle : 1.0;
}

/* The time of a load that nothing holds, at the present rate. */
static double unheld_load_s(const struct solver *solver, const struct stream *stream)
{
    const struct logon_demand *demand = stream->demand;
    const double server_s = demand->causes_s[CAUSE_SERVER_LATENCY] + demand->causes_s[CAUSE_SERVER_QUEUE];
    const double rate = fmin(solver->served_rate, 0.95 * solver->answer->limits[FLUID_SERVICE].rate);
    return fmax(1e-3, demand->load_s + server_s * (slowdown(solver->of->share, &demand->load, rate) - 1.0));
}

/* Of its requests only those that the limit holds wait, and of those sent together only the last counts. */
static double pace_of(const struct solver *solver, const struct stream *stream, int bound, double wait_s)
{
    const double held = bound == FLUID_METADATA ? stream->load.metadata : stream->load.requests;
    return 1.0 / (unheld_load_s(solver, stream) + stream->one_by_one * held * wait_s);
}

/* What all ask for when each request that the limit `bound` holds waits so long. */
static struct flow asked_at(const struct solver *solver, int bound, double wait_s)
{
    struct flow asked = {0};
    for (size_t i = 0; i < solver->of->demand_count; i++) {
        const struct stream *stream = &solver->streams[i];
        const double think_rate = stream->demand->settings->mailbox.io_per_s;
        const double closed = bound == FLUID_METADATA ? 0.0 : stream->closed_share;
        add_flow(&asked, &stream->background, 1.0 - closed + closed / (1.0 + think_rate * wait_s));
        add_flow(&asked, &stream->load, stream->under_way * pace_of(solver, stream, bound, wait_s));
    }
    return asked;
}

enum { WAIT_STEPS = 40 };
#define WAIT_LONGEST_S 1000.0

/* How long each request has to wait for what is asked for to fit the limit, by bisection; what does not even then is
 * put off. */
static double wait_for(const struct solver *solver, enum fluid_limit_kind kind, double rate)
{
    double low = 0.0, high = 1e-4;
    while (high < WAIT_LONGEST_S) {
        const struct flow asked = asked_at(solver, (int)kind, high);
        if (asked_of(kind, &asked) <= rate)
            break;
        high *= 4.0;
    }
    for (int i = 0; i < WAIT_STEPS; i++) {
        const double middle = (low + high) / 2.0;
        const struct flow asked = asked_at(solver, (int)kind, middle);
        if (asked_of(kind, &asked) > rate)
            low = middle;
        else
            high = middle;
    }
    return high;
}

/* The longest wait that a limit makes for; *bound is the limit, -1 without. */
static double longest_wait(const struct solver *solver, int *bound)
{
    const struct flow asked = asked_at(solver, -1, 0.0);
    double wait_s = 0.0;
    *bound = -1;
    for (int kind = 0; kind < FLUID_LIMIT_COUNT; kind++) {
        const double rate = rate_now(solver, (enum fluid_limit_kind)kind);
        if (asked_of((enum fluid_limit_kind)kind, &asked) <= rate * (1.0 + 1e-9))
            continue;
        const double of_this = wait_for(solver, (enum fluid_limit_kind)kind, rate);
        if (of_this > wait_s) {
            wait_s = of_this;
            *bound = kind;
        }
    }
    return wait_s;
}

/* As long as nothing binds all loads are the same, but for rounding. */
static void add_loaded(struct stream *stream, double load_s, double logons)
{
    struct loaded *last = stream->load_count > 0 ? &stream->loads[stream->load_count - 1] : NULL;
    if (last != NULL && fabs(last->load_s - load_s) <= 1e-6 * load_s)
        last->logons += logons;
    else
        stream->loads[stream->load_count++] = (struct loaded){load_s, logons};
}

static void finish_loads(struct solver *solver, struct stream *stream, double pace)
{
    const double before = stream->progress;
    stream->progress += pace * solver->step_s;
    while (stream->count > 0 && stream->cohorts[stream->first].progress + 1.0 <= stream->progress + 1e-9) {
        const struct cohort *cohort = &stream->cohorts[stream->first];
        const double at_s = solver->now_s + (cohort->progress + 1.0 - before) / pace;
        add_loaded(stream, fmax(at_s - cohort->at_s, stream->demand->load_s), cohort->logons);
        stream->done_in[solver->minute] += cohort->logons;
        stream->under_way -= cohort->logons;
        stream->first++;
        stream->count--;
    }
    if (stream->count == 0)
        stream->under_way = 0.0;
}

/* -- time -- */

static void note_limits(struct solver *solver, const struct flow *offered, double seconds)
{
    for (int kind = 0; kind < FLUID_LIMIT_COUNT; kind++) {
        struct fluid_limit *limit = &solver->answer->limits[kind];
        const double asked = asked_of((enum fluid_limit_kind)kind, offered) / seconds;
        limit->mean += asked * seconds / solver->of->length_s;
        if (asked > limit->peak) {
            limit->peak = asked;
            limit->peak_minute = (double)solver->minute;
        }
    }
}

static void spend_credits(struct solver *solver, double served_rate)
{
    struct fluid_answer *answer = solver->answer;
    if (solver->credits_most <= 0.0)
        return;
    solver->credits += (answer->base_iops - served_rate) * solver->step_s;
    solver->credits = fmin(fmax(solver->credits, 0.0), solver->credits_most);
    answer->credits_min = fmin(answer->credits_min, solver->credits);
    if (solver->credits <= answer->base_iops * solver->step_s && isnan(answer->credits_gone_s))
        answer->credits_gone_s = solver->now_s;
}

static void step(struct solver *solver, struct flow *offered_in_minute)
{
    struct fluid_answer *answer = solver->answer;
    struct flow offered = {0};
    for (size_t i = 0; i < solver->of->demand_count; i++) {
        arrive(solver, &solver->streams[i], &offered);
        add_flow(&offered, &solver->streams[i].background, 1.0);
    }
    int bound;
    const double wait_s = longest_wait(solver, &bound);
    struct flow served = asked_at(solver, bound, wait_s);
    if (bound >= 0)
        served.requests = fmin(served.requests, rate_now(solver, FLUID_IOPS));
    for (size_t i = 0; i < solver->of->demand_count; i++)
        finish_loads(solver, &solver->streams[i], pace_of(solver, &solver->streams[i], bound, wait_s));
    if (bound >= 0) {
        answer->limits[bound].held_s += solver->step_s;
        if (isnan(answer->limits[bound].first_held_s))
            answer->limits[bound].first_held_s = solver->now_s;
        solver->held += (bound == FLUID_METADATA ? served.metadata : served.requests) * solver->step_s;
    }
    solver->served += served.requests * solver->step_s;
    solver->egress += served.egress * solver->step_s;
    solver->ingress += served.ingress * solver->step_s;
    spend_credits(solver, served.requests);
    solver->served_rate = served.requests;
    add_flow(offered_in_minute, &offered, solver->step_s);
}

/* The part of a session's requests that come one after the other with pauses: the mailbox's. */
static double closed_share_of(const struct logon_demand *demand, const struct flow *background,
                              double sessions)
{
    const struct logons_settings *settings = demand->settings;
    if (settings->profile.large_files == 0 || background->requests <= 0.0)
        return 0.0;
    return fmin(1.0, sessions * settings->mailbox.io_per_s / background->requests);
}

/* What the sessions of the minutes before ask for in this one. */
static void set_background(struct solver *solver)
{
    for (size_t i = 0; i < solver->of->demand_count; i++) {
        struct stream *stream = &solver->streams[i];
        double sessions = 0.0;
        stream->background = (struct flow){0};
        for (size_t begun = 0; begun < solver->minute; begun++) {
            const size_t age = solver->minute - 1 - begun;
            if (stream->done_in[begun] <= 0.0 || age >= stream->demand->minutes)
                continue;
            const struct flow session = flow_of(&stream->demand->session[age]);
            add_flow(&stream->background, &session, stream->done_in[begun] / 60.0);
            sessions += session.requests > 0.0 ? stream->done_in[begun] : 0.0;
        }
        stream->closed_share = closed_share_of(stream->demand, &stream->background, sessions);
    }
}

static void run_minute(struct solver *solver)
{
    struct flow offered = {0};
    const double begin_s = solver->now_s, served = solver->served, egress = solver->egress,
                 ingress = solver->ingress;
    const double end_s = fmin(60.0 * (double)(solver->minute + 1), solver->of->length_s);
    set_background(solver);
    while (solver->now_s < end_s - 1e-9) {
        step(solver, &offered);
        solver->now_s += solver->step_s;
    }
    const double seconds = solver->now_s - begin_s;
    note_limits(solver, &offered, seconds);
    solver->busiest_minute = fmax(solver->busiest_minute, (solver->served - served) / seconds);
    solver->peak_egress = fmax(solver->peak_egress, (solver->egress - egress) / seconds);
    solver->peak_ingress = fmax(solver->peak_ingress, (solver->ingress - ingress) / seconds);
    solver->minute++;
}

/* The time that a load alone spends in the server, to that of all its requests one by one. */
static double one_by_one_of(const struct share_settings *share, const struct logon_demand *demand)
{
    double all_s = 0.0;
    for (int class_of = 0; share != NULL && class_of < OPERATION_CLASS_COUNT; class_of++)
        all_s += demand->load.operations[class_of] / 1e9 *
                 service_mean_latency_ns(&share->service, (enum operation_class)class_of, 0.0);
    return all_s > 0.0 ? fmin(1.0, demand->causes_s[CAUSE_SERVER_LATENCY] / all_s) : 1.0;
}

static bool open_streams(struct solver *solver)
{
    const size_t minutes = (size_t)(solver->of->length_s / 60.0) + 2;
    solver->streams = calloc(solver->of->demand_count + 1, sizeof *solver->streams);
    for (size_t i = 0; solver->streams != NULL && i < solver->of->demand_count; i++) {
        struct stream *stream = &solver->streams[i];
        stream->demand = &solver->of->demands[i];
        stream->users = (double)stream->demand->settings->users * solver->of->user_scale;
        stream->load = flow_of(&stream->demand->load);
        stream->one_by_one = one_by_one_of(solver->of->share, stream->demand);
        stream->cohorts = calloc(solver->steps + 2, sizeof *stream->cohorts);
        stream->loads = calloc(solver->steps + 2, sizeof *stream->loads);
        stream->done_in = calloc(minutes, sizeof *stream->done_in);
        if (stream->cohorts == NULL || stream->loads == NULL || stream->done_in == NULL)
            return false;
    }
    return solver->streams != NULL;
}

static void close_streams(struct solver *solver)
{
    for (size_t i = 0; solver->streams != NULL && i < solver->of->demand_count; i++) {
        free(solver->streams[i].cohorts);
        free(solver->streams[i].loads);
        free(solver->streams[i].done_in);
    }
    free(solver->streams);
}

/* A whole number of steps a minute, a tenth of the shortest load or less, between 1/20 s and 1 s. */
static double step_of(const struct fluid_case *of)
{
    double shortest_s = 10.0;
    for (size_t i = 0; i < of->demand_count; i++)
        shortest_s = fmin(shortest_s, of->demands[i].load_s);
    return 1.0 / ceil(fmin(20.0, fmax(1.0, 10.0 / shortest_s)));
}

bool fluid_solve(const struct fluid_case *of, struct fluid_answer *answer)
{
    assert(of->demand_count > 0 && of->length_s > 0.0 && of->user_scale > 0.0);
    *answer = (struct fluid_answer){.metric_count = 0};
    struct solver solver = {.of = of, .answer = answer, .step_s = step_of(of)};
    solver.steps = (size_t)ceil(of->length_s / solver.step_s);
    const bool fine = open_streams(&solver);
    if (fine) {
        set_limits(&solver);
        while (solver.now_s < of->length_s - 1e-9)
            run_minute(&solver);
        fluid_report(&solver);
        fluid_report_doubts(&solver);
    }
    close_streams(&solver);
    return fine;
}
