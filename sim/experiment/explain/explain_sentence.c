/* The first sentence, and the thresholds that others have published. */
#include "sim/experiment/explain/explain_inside.h"

#include "sim/experiment/result/label.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define ARTICLE                                                                                              \
    "Citrix Tech Zone, Design Decision: Citrix Profile Management with Azure Files (tests of 2020-2021)"
#define METRICS_PAGE "Microsoft, analyze-files-metrics, 3 Feb 2026"

/* A cause is worth a word from this share on. */
#define SHARE_OF_NOTE 0.15

static bool is_round_trip(const struct explain_part *part)
{
    return part->cause == CAUSE_SERVER_LATENCY || part->cause == CAUSE_NETWORK;
}

static double round_trip_share(const struct explain_cell *cell)
{
    double share = 0;
    for (size_t i = 0; i < cell->part_count; i++)
        share += is_round_trip(&cell->parts[i]) ? cell->parts[i].share : 0;
    return share;
}

static const char *percent(struct arena *arena, double share)
{
    return arena_format(arena, "%.0f %%", 100 * share);
}

/* Shares are of the time of all. Where few take most of it a median stands for none of them. */
static bool is_skewed(const struct explain_time *time)
{
    return !time->median_is_bound && !time->p95_is_bound &&
           (time->mean > 1.5 * time->median || time->mean < time->median / 1.5);
}

/* "11 min 20 s (median; one in twenty more than 25 min)"; "28.2 s on average (median 0.781 s; one in twenty more than
 * 55.8 s)" */
static const char *how_long(const struct explain_run *run, const struct explain_cell *cell)
{
    const struct explain_time *time = &cell->time;
    char mean[EXPLAIN_TEXT], median[EXPLAIN_TEXT], p95[EXPLAIN_TEXT];
    explain_duration(mean, time->mean);
    explain_duration(median, time->median);
    explain_duration(p95, time->p95);
    const char *half = "";
    if (time->unfinished > 0 && time->p95_is_bound) {
        char unfinished[LABEL_SIZE], count[LABEL_SIZE];
        number_label(unfinished, (double)time->unfinished, 0);
        number_label(count, (double)time->count, 0);
        half = arena_format(run->arena, "; %s of %s had not finished when the run ended", unfinished, count);
    } else if (time->p95 > 2 * time->median) {
        half = arena_format(run->arena, "; one in twenty more than %s", p95);
    }
    if (is_skewed(time))
        return arena_format(run->arena, "%s on average (median %s%s)", mean, median, half);
    return arena_format(run->arena, "%s%s (median%s)", time->median_is_bound ? "more than " : "", median,
                        half);
}

/* The phase in which most of a part is waited. */
static enum logon_phase phase_of(const struct explain_part *part)
{
    enum logon_phase best = PHASE_CONNECT;
    for (size_t phase = 1; phase < PHASE_COUNT; phase++)
        if (part->phase_ns[phase] > part->phase_ns[best])
            best = (enum logon_phase)phase;
    return best;
}

/* Whether the first workload that has this setting has it on; what an engine that is not `cpm` does with files is its own. */
static bool is_on(const struct explain_run *run, const char *tail)
{
    const struct scenario *scenario = &run->resolution->scenario;
    for (size_t i = 0; i < scenario->workload_count; i++) {
        const struct setting *setting = explain_setting(
            run->resolution, arena_format(run->arena, "workloads.%s.%s", scenario->workloads[i].name, tail));
        if (setting != NULL && setting->row != NULL && setting->row->type == PARAMETER_BOOLEAN)
            return *(const bool *)setting->field &&
                   explain_engine_is(
                       run, arena_format(run->arena, "workloads.%s", scenario->workloads[i].name), "cpm");
    }
    return false;
}

static bool has_containers(const struct explain_run *run)
{
    const struct scenario *scenario = &run->resolution->scenario;
    for (size_t i = 0; i < scenario->workload_count; i++)
        if (explain_engine_is(run, arena_format(run->arena, "workloads.%s", scenario->workloads[i].name),
                              "container"))
            return true;
    return false;
}

/* "while copying large files" */
static const char *while_doing(const struct explain_run *run, const struct explain_part *part)
{
    switch (phase_of(part)) {
    case PHASE_CONNECT:
        return "while connecting";
    case PHASE_REGISTRY:
        return "while loading the registry";
    case PHASE_ENUMERATE:
        return "while listing the folders";
    case PHASE_FILES:
        if (has_containers(run))
            return "while Windows reads what is in the container";
        return is_on(run, "profile_management.streaming") ? "while making a placeholder for each file"
                                                          : "while copying the files";
    case PHASE_PENDING:
        return "while fetching the pending area";
    case PHASE_LINKS:
        return is_on(run, "profile_management.large_file_handling")
                   ? "while linking large files and redirected folders"
                   : "while copying the large files";
    case PHASE_ATTACH:
        return "while attaching the container";
    case PHASE_MOUNT:
        return "while mounting the container";
    default:
        return "";
    }
}

static const char *round_trips(const struct explain_run *run, const struct explain_cell *cell)
{
    char requests[LABEL_SIZE];
    double service_s = 0, network_s = 0;
    const struct explain_part *longest = NULL;
    for (size_t i = 0; i < cell->part_count; i++) {
        const struct explain_part *part = &cell->parts[i];
        if (!is_round_trip(part))
            continue;
        longest = longest == NULL ? part : longest;
        *(part->cause == CAUSE_NETWORK ? &network_s : &service_s) += part->s;
    }
    number_label(requests, cell->requests, 0);
    return arena_format(
        run->arena, "%s round trips, %.3g ms in the service and %.2g ms on the network each, most of it %s",
        requests, 1e3 * service_s / cell->requests, 1e3 * network_s / cell->requests,
        longest == NULL ? "" : while_doing(run, longest));
}

static const char *sentence_of_logon(const struct explain_run *run, const struct explain_cell *cell)
{
    const char *start = arena_format(run->arena, "A logon takes %s", how_long(run, cell));
    if (cell->part_count == 0)
        return arena_format(run->arena, "%s.", start);
    const struct explain_part *first = &cell->parts[0];
    const double trips = round_trip_share(cell);
    if (trips >= first->share && is_round_trip(first))
        return arena_format(run->arena, "%s, %s of it %s.", start, percent(run->arena, trips),
                            round_trips(run, cell));
    const char *second = "";
    if (is_round_trip(first) == false && trips >= SHARE_OF_NOTE)
        second = arena_format(run->arena, " Another %s is %s.", percent(run->arena, trips),
                              round_trips(run, cell));
    return arena_format(run->arena, "%s, %s of it %s%s%s.%s", start, percent(run->arena, first->share),
                        first->words, first->cause == CAUSE_COUNT ? "" : ", most of it ",
                        first->cause == CAUSE_COUNT ? "" : while_doing(run, first), second);
}

/* "1,005 IOPS and 674 MiB/s out of profiles at 518 ms" */
static const char *what_a_store_does(const struct explain_run *run, size_t store)
{
    char iops[LABEL_SIZE], out[LABEL_SIZE], in[LABEL_SIZE], ms[LABEL_SIZE];
    const double server = explain_store_metric(run, store, "server_latency.mean");
    if (!(explain_store_metric(run, store, "transactions.total") > 0))
        return arena_format(run->arena, "%s is asked for nothing", run->result->store_names[store]);
    const double egress = explain_store_metric(run, store, "egress.mean");
    const double ingress = explain_store_metric(run, store, "ingress.mean");
    number_label(iops, explain_store_metric(run, store, "iops.mean"), 0);
    number_label(out, egress, egress < 10 ? 1 : 0);
    number_label(in, ingress, ingress < 10 ? 1 : 0);
    number_label(ms, server, server < 1 ? 3 : server < 10 ? 2 : server < 100 ? 1 : 0);
    return arena_format(run->arena, "%s answers %s requests a second, %s MiB/s out and %s in, in %s ms each",
                        run->result->store_names[store], iops, out, in, ms);
}

static size_t busiest_store(const struct explain_run *run)
{
    size_t best = 0;
    for (size_t store = 1; store < run->result->store_count; store++)
        if (explain_store_metric(run, store, "transactions.total") >
            explain_store_metric(run, best, "transactions.total"))
            best = store;
    return best;
}

/* What throttled, said of all subjects but logons, whose parts say it. */
static const char *what_throttles(const struct explain_run *run)
{
    for (size_t store = 0; store < run->result->store_count; store++) {
        double share;
        const enum response_type type = explain_binding(run, store, &share);
        if (share < 0.01)
            continue;
        const char *limit = explain_limit_words(run, store, type, type == RESPONSE_SHARE_EGRESS_THROTTLING);
        return arena_format(run->arena, " %s of the requests to %s are throttled, most as %s%s%s.",
                            percent(run->arena, share), run->result->store_names[store],
                            response_type_name(type), limit[0] != '\0' ? ": " : "", limit);
    }
    return "";
}

static const char *sentence_of_others(const struct explain_run *run, const struct explain_cell *cell)
{
    struct arena *arena = run->arena;
    const char *store = run->result->store_count > 0 ? what_a_store_does(run, busiest_store(run))
                                                     : "no store is asked for anything";
    const char *throttles = what_throttles(run);
    if (cell->subject == SUBJECT_THROUGHPUT)
        return arena_format(arena, "The load moves %.4g MiB/s: %s.%s", cell->time.mean, store, throttles);
    if (cell->subject == SUBJECT_REQUESTS || cell->time.count == 0 || isnan(cell->time.mean))
        return arena_format(arena, "In the mean %s.%s", store, throttles);
    const char *part = "";
    if (cell->part_count > 0)
        part =
            arena_format(arena, ", %s of it %s", percent(arena, cell->parts[0].share), cell->parts[0].words);
    return arena_format(arena, "A %s takes %s%s; %s.%s", explain_subject_words(cell->subject),
                        how_long(run, cell), part, store, throttles);
}

const char *explain_sentence(const struct explain_run *run, const struct explain_cell *cell)
{
    return cell->subject == SUBJECT_LOGON ? sentence_of_logon(run, cell) : sentence_of_others(run, cell);
}

/* -- thresholds -- */

static void add(const struct explain_run *run, struct explain_cell *cell, struct explain_threshold threshold)
{
    if (isnan(threshold.measured))
        return;
    ARENA_GROW(run->arena, cell->thresholds, cell->threshold_count);
    cell->thresholds[cell->threshold_count++] = threshold;
}

static void latency_thresholds(const struct explain_run *run, struct explain_cell *cell, const char *name,
                               double server)
{
    add(run, cell,
        (struct explain_threshold){
            .words = arena_format(run->arena, "%s: above 15 ms of server latency users notice", name),
            .source = ARTICLE,
            .value = 15,
            .measured = server,
            .unit = "ms",
            .exceeded = server > 15,
        });
    if (!explain_may_become_premium(run, arena_format(run->arena, "stores.%s", name)))
        return;
    add(run, cell,
        (struct explain_threshold){
            .words = arena_format(run->arena, "%s: where 10 ms must be kept, choose premium", name),
            .source = ARTICLE,
            .value = 10,
            .measured = server,
            .unit = "ms",
            .exceeded = server > 10,
        });
}

static void thresholds_of_store(const struct explain_run *run, struct explain_cell *cell, size_t store)
{
    const double server = explain_store_metric(run, store, "server_latency.mean");
    const double e2e = explain_store_metric(run, store, "e2e_latency.mean");
    const char *name = run->result->store_names[store];
    const double beyond = e2e - server;
    if (cell->subject == SUBJECT_LOGON)
        latency_thresholds(run, cell, name, server);
    add(run, cell,
        (struct explain_threshold){
            .words = arena_format(run->arena,
                                  "%s: time beyond the server's own is the network's or the client's", name),
            .source = METRICS_PAGE,
            .value = server,
            .measured = beyond,
            .unit = "ms",
            .exceeded = beyond > server,
        });
}

void explain_thresholds_of(const struct explain_run *run, struct explain_cell *cell)
{
    if (cell->subject == SUBJECT_LOGON) {
        add(run, cell,
            (struct explain_threshold){
                .words = "a profile load above 30 s is a poor experience",
                .source = ARTICLE,
                .value = 30,
                .measured = cell->time.p95,
                .unit = "s",
                .exceeded = cell->time.p95 > 30,
            });
        add(run, cell,
            (struct explain_threshold){
                .words = "profiles on premium loaded in less than 10 s",
                .source = ARTICLE,
                .value = 10,
                .measured = cell->time.mean,
                .unit = "s",
                .exceeded = cell->time.mean > 10,
            });
    }
    for (size_t store = 0; store < run->result->store_count; store++)
        thresholds_of_store(run, cell, store);
}
