#include "sim/experiment/size/fluid.h"

#include <assert.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MIB 1048576.0

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

/* -- what came of it -- */

static void add_metric(struct fluid_answer *answer, const char *prefix, const char *name, const char *unit,
                       double value)
{
    if (answer->metric_count == FLUID_METRICS_MAX)
        return;
    struct fluid_metric *metric = &answer->metrics[answer->metric_count++];
    snprintf(metric->name, sizeof metric->name, "%s%s%s", prefix, prefix[0] != '\0' ? "." : "", name);
    metric->unit = unit;
    metric->value = isfinite(value) ? value : (double)NAN;
}

static int by_load(const void *a, const void *b)
{
    const double first = ((const struct loaded *)a)->load_s, second = ((const struct loaded *)b)->load_s;
    return (first > second) - (first < second);
}

/* Of all logons, the unfinished longer than any; NaN among them. */
static double load_quantile(const struct stream *stream, double all, double p)
{
    double sum = 0.0;
    for (size_t i = 0; i < stream->load_count; i++) {
        sum += stream->loads[i].logons;
        if (sum >= p * all * (1.0 - 1e-9))
            return stream->loads[i].load_s;
    }
    return NAN;
}

static void report_loads(struct solver *solver, struct stream *stream, const char *prefix)
{
    struct fluid_answer *answer = solver->answer;
    double sum = 0.0, loaded = 0.0, slow = 0.0;
    qsort(stream->loads, stream->load_count, sizeof *stream->loads, by_load);
    for (size_t i = 0; i < stream->load_count; i++) {
        sum += stream->loads[i].load_s * stream->loads[i].logons;
        loaded += stream->loads[i].logons;
        slow += stream->loads[i].load_s > 30.0 ? stream->loads[i].logons : 0.0;
    }
    const double all = loaded + stream->under_way;
    answer->unfinished += stream->under_way;
    answer->users += all;
    add_metric(answer, prefix, "profile_load.mean", "s", sum / loaded);
    add_metric(answer, prefix, "profile_load.p50", "s", load_quantile(stream, all, 0.5));
    add_metric(answer, prefix, "profile_load.p95", "s", load_quantile(stream, all, 0.95));
    add_metric(answer, prefix, "profile_load.p99", "s", load_quantile(stream, all, 0.99));
    add_metric(answer, prefix, "profile_load.max", "s", load_quantile(stream, all, 1.0));
    add_metric(answer, prefix, "profile_load.over_30s", "1", slow / loaded);
}

static void report(struct solver *solver)
{
    struct fluid_answer *answer = solver->answer;
    const double length_s = solver->of->length_s;
    for (size_t i = 0; i < solver->of->demand_count; i++)
        report_loads(solver, &solver->streams[i],
                     solver->of->demand_count > 1 ? solver->streams[i].demand->name : "");
    add_metric(answer, "", "iops.mean", "IOPS", solver->served / length_s);
    add_metric(answer, "", "iops.peak", "IOPS", solver->busiest_minute);
    add_metric(answer, "", "egress.mean", "MiB/s", solver->egress / length_s / MIB);
    add_metric(answer, "", "egress.peak", "MiB/s", solver->peak_egress / MIB);
    add_metric(answer, "", "ingress.mean", "MiB/s", solver->ingress / length_s / MIB);
    add_metric(answer, "", "ingress.peak", "MiB/s", solver->peak_ingress / MIB);
    add_metric(answer, "", "throttled.fraction", "1",
               solver->served > 0.0 ? solver->held / solver->served : 0.0);
    add_metric(answer, "", "burst_credits.min", "credits", answer->credits_min);
    add_metric(answer, "", "transactions.total", "1", solver->served);
    for (int kind = 0; kind < FLUID_LIMIT_COUNT; kind++)
        if (strcmp(answer->limits[kind].unit, "MiB/s") == 0) {
            answer->limits[kind].rate /= MIB;
            answer->limits[kind].mean /= MIB;
            answer->limits[kind].peak /= MIB;
        }
}

static void doubt(const struct solver *solver)
{
    struct fluid_answer *answer = solver->answer;
    const struct share_settings *share = solver->of->share;
    if (share == NULL)
        fluid_doubt(answer, "the limits of this kind of store are not known here: only latency counts");
    const struct fluid_limit *tightest = fluid_tightest(answer);
    const double utilisation = fluid_utilisation(tightest);
    if (utilisation > 0.8)
        fluid_doubt(answer,
                    "%s is used to %.0f %% in its busiest minute: above 80 %% bursts within a minute wait, "
                    "which this does not see",
                    tightest->name, 100.0 * utilisation);
    if (share != NULL && share->service.known_iops > 0.0 &&
        answer->limits[FLUID_IOPS].peak > share->service.known_iops)
        fluid_doubt(answer, "latencies were observed up to %.0f IOPS only", share->service.known_iops);
    if (share != NULL && share->spread_start > 0.0 && share->spread_start < 1.0)
        fluid_doubt(answer, "an idle share that spreads over its back ends first is taken as spread");
    for (size_t i = 0; i < solver->of->demand_count; i++) {
        const struct logons_settings *settings = solver->streams[i].demand->settings;
        if (settings->devices.count > 1)
            fluid_doubt(answer, "several devices of a user count as one");
        if (settings->arrivals.pattern == ARRIVALS_POISSON &&
            solver->streams[i].users * 60e9 / (double)settings->arrivals.window_ns < 20.0)
            fluid_doubt(answer, "few logons a minute at random times: chance bunches them, this does not");
        if (settings->redirection_store != NULL && strcmp(settings->redirection_store, settings->store) != 0)
            fluid_doubt(answer, "the limits of the store of redirected folders do not count");
        if (settings->run_effect_cv > 0.0 && i == 0)
            fluid_doubt(answer, "one morning differs from the next by %.0f %% (run effect); this is the mean",
                        100.0 * settings->run_effect_cv);
    }
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
        report(&solver);
        doubt(&solver);
    }
    close_streams(&solver);
    return fine;
}

double fluid_metric(const struct fluid_answer *answer, const char *name)
{
    for (size_t i = 0; i < answer->metric_count; i++)
        if (strcmp(answer->metrics[i].name, name) == 0)
            return answer->metrics[i].value;
    return NAN;
}

double fluid_utilisation(const struct fluid_limit *limit)
{
    return isinf(limit->rate) ? 0.0 : limit->peak / limit->rate;
}

const struct fluid_limit *fluid_tightest(const struct fluid_answer *answer)
{
    const struct fluid_limit *tightest = &answer->limits[0];
    for (int kind = 1; kind < FLUID_LIMIT_COUNT; kind++)
        if (fluid_utilisation(&answer->limits[kind]) > fluid_utilisation(tightest))
            tightest = &answer->limits[kind];
    return tightest;
}

void fluid_doubt(struct fluid_answer *answer, const char *format, ...)
{
    if (answer->doubt_count == FLUID_DOUBTS_MAX)
        return;
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(answer->doubts[answer->doubt_count++], FLUID_TEXT_SIZE, format, arguments);
    va_end(arguments);
}
