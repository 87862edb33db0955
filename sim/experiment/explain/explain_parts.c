/* How long a logon, a boot or a job takes, and where the time goes: exact sums over the records of a run, or, of workloads
 * that keep none, what they report. */
#include "sim/experiment/explain/explain_inside.h"

#include "sim/experiment/read/setting.h"

#include "sim/experiment/result/label.h"
#include "sim/experiment/result/table.h"
#include "vdisim/time.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const struct unit_result *explain_unit(const struct explain_run *run)
{
    return &run->result->units[run->cell * run->result->replications];
}

double explain_metric(const struct explain_run *run, const char *name)
{
    const ptrdiff_t metric = result_metric(run->result, name);
    return metric < 0 ? (double)NAN : explain_unit(run)->metrics[metric];
}

double explain_store_metric(const struct explain_run *run, size_t store, const char *name)
{
    const ptrdiff_t metric = store_metric(run->result, store, name);
    return metric < 0 ? (double)NAN : explain_unit(run)->metrics[metric];
}

const struct setting *explain_setting(const struct resolution *resolution, const char *key)
{
    for (size_t i = 0; i < resolution->count; i++) {
        const struct part *part = &resolution->parts[i];
        const size_t length = strlen(part->path);
        if (strncmp(key, part->path, length) != 0 || key[length] != '.')
            continue;
        for (size_t j = 0; j < part->block->count; j++) {
            const struct setting *setting = &part->block->list[j];
            if (strcmp(setting->path, key + length + 1) == 0)
                return setting->origin.kind == ORIGIN_UNSET ? NULL : setting;
        }
    }
    return NULL;
}

static const char *kind_of(const struct explain_run *run, size_t store)
{
    const struct scenario *scenario = &run->resolution->scenario;
    for (size_t i = 0; i < scenario->store_count; i++)
        if (strcmp(scenario->stores[i].name, run->result->store_names[store]) == 0)
            return scenario->stores[i].kind->name;
    return NULL;
}

bool explain_is_share(const struct explain_run *run, size_t store)
{
    const char *kind = kind_of(run, store);
    return kind != NULL && strcmp(kind, "share") == 0;
}

bool explain_may_become_premium(const struct explain_run *run, const char *path)
{
    const struct setting *tier = explain_setting(run->resolution, arena_format(run->arena, "%s.tier", path));
    return tier != NULL && tier->written != NULL && strncmp(tier->written, "azure-files/", 12) == 0 &&
           strstr(tier->written, "premium") == NULL && strstr(tier->written, "ssd") == NULL;
}

bool explain_engine_is(const struct explain_run *run, const char *path, const char *engine)
{
    const struct setting *setting =
        explain_setting(run->resolution, arena_format(run->arena, "%s.engine", path));
    return setting != NULL && setting->row != NULL &&
           strcmp(setting_text(run->arena, setting->row, setting->field), engine) == 0;
}

const char *explain_subject_words(enum explain_subject subject)
{
    static const char *const words[] = {"logon", "boot", "job", "load", "request"};
    return words[subject];
}

void explain_duration(char text[EXPLAIN_TEXT], double s)
{
    if (!isfinite(s))
        snprintf(text, EXPLAIN_TEXT, "-");
    else if (s < 1)
        snprintf(text, EXPLAIN_TEXT, "%.3g s", s);
    else if (s < 99.95)
        snprintf(text, EXPLAIN_TEXT, "%.1f s", s);
    else if (s < 5999.5)
        snprintf(text, EXPLAIN_TEXT, "%.0f min %.0f s", floor(round(s) / 60), fmod(round(s), 60));
    else
        snprintf(text, EXPLAIN_TEXT, "%.0f h %.0f min", floor(round(s / 60) / 60), fmod(round(s / 60), 60));
}

/* -- logons -- */

/* Those that started in what is measured. */
static int64_t measured_from_ns(const struct explain_run *run)
{
    const double found_s = explain_metric(run, "run.warm_up");
    if (!isnan(found_s))
        return (int64_t)(found_s * 1e9);
    return run->resolution->scenario.run.warm_up_ns;
}

static int by_size(const void *left, const void *right)
{
    const double a = *(const double *)left, b = *(const double *)right;
    return (a > b) - (a < b);
}

/* The smallest load with at least p of all logons at or below it. The unfinished ones are the longest of all: if it is one
 * of them, what is known is that it is longer than the longest that has finished, or has taken so far. */
static double quantile(const double *sorted, size_t finished, size_t count, double longest_s, double p,
                       bool *is_bound)
{
    size_t rank = (size_t)ceil(p * (double)count);
    rank = rank < 1 ? 1 : rank;
    *is_bound = rank > finished;
    if (count == 0)
        return NAN;
    return rank <= finished ? sorted[rank - 1] : longest_s;
}

/* False: the run has no logons. */
static bool time_of_logons(const struct explain_run *run, struct explain_time *time)
{
    const struct unit_result *unit = explain_unit(run);
    const int64_t from_ns = measured_from_ns(run);
    double *loads = ARENA_ARRAY(run->arena, double, unit->logon_count + 1);
    size_t finished = 0, poor = 0, so_far = 0;
    double sum_s = 0;
    double *waiting = ARENA_ARRAY(run->arena, double, unit->logon_count + 1);
    for (size_t i = 0; i < unit->logon_count; i++) {
        const struct logon_record *record = &unit->logons[i];
        if (record->start_ns < from_ns)
            continue;
        const double load_s = sim_s_from_ns(record->load_ns);
        poor += load_s > 30;
        sum_s += load_s;
        if (record->finished)
            loads[finished++] = load_s;
        else
            waiting[so_far++] = load_s;
    }
    time->count = finished + so_far;
    time->unfinished = so_far;
    if (time->count == 0)
        return false;
    qsort(loads, finished, sizeof *loads, by_size);
    qsort(waiting, so_far, sizeof *waiting, by_size);
    /* At least as long as the median of those that wait has taken. */
    const double waiting_s = so_far > 0 ? waiting[so_far / 2] : 0;
    const double bound_s = finished > 0 ? fmax(loads[finished - 1], waiting_s) : waiting_s;
    time->mean = sum_s / (double)time->count;
    time->median = quantile(loads, finished, time->count, bound_s, 0.5, &time->median_is_bound);
    time->p95 = quantile(loads, finished, time->count, bound_s, 0.95, &time->p95_is_bound);
    time->over_30_s = (double)poor / (double)time->count;
    return true;
}

static struct explain_part *add_part(struct explain_cell *cell, struct arena *arena, const char *name,
                                     enum wait_cause cause)
{
    ARENA_GROW(arena, cell->parts, cell->part_count);
    struct explain_part *part = &cell->parts[cell->part_count++];
    *part = (struct explain_part){.name = name, .words = name, .cause = cause};
    return part;
}

/* The parts of a boot (boots_report.h) and of a job of App Layering (layering_report.h). */
static const char *words_of_metric(const char *name)
{
    static const struct {
        const char *name, *words;
    } parts[] = {
        {"target", "the target's own work"},
        {"stream_line", "waiting for a free slot of the streaming server"},
        {"store", "the server waiting for data that are not in its cache"},
        {"stream", "bytes on the way: the server's card, the network, the target's card"},
        {"overhead", "what a job does beyond its copies"},
        {"compose", "writing layers into one disk in the repository"},
        {"send", "sending that disk to where images are"},
        {"to_cache", "keeping a first copy"},
        {"from_cache", "making the boot disk from the copy that was kept"},
        {"layer_disk", "making the layer disk ready"},
        {"fetch", "fetching a disk from the hypervisor"},
    };
    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++)
        if (strcmp(parts[i].name, name) == 0)
            return parts[i].words;
    return name;
}

/* What some workloads report of the parts of their mean. */
static void parts_of_metrics(const struct explain_run *run, struct explain_cell *cell)
{
    static const char *const stems[] = {"", "boot_time.by.", "job_time.by."};
    if (cell->subject != SUBJECT_BOOT && cell->subject != SUBJECT_JOB)
        return;
    const char *stem = arena_format(run->arena, "%s%s", cell->prefix, stems[cell->subject]);
    for (size_t i = 0; i < run->result->metric_count; i++) {
        const char *name = run->result->metrics[i].name;
        const double s = explain_unit(run)->metrics[i];
        if (strncmp(name, stem, strlen(stem)) != 0 || !(s > 0))
            continue;
        struct explain_part *part =
            add_part(cell, run->arena, arena_text(run->arena, name + strlen(stem)), CAUSE_COUNT);
        part->s = s;
        part->words = words_of_metric(part->name);
    }
}

/* "waiting for egress: profiles sends at most 675 MiB/s" */
static const char *words_of_limit(const struct explain_run *run, enum wait_cause cause)
{
    static const struct {
        const char *words;
        enum response_type type;
    } limits[] = {
        [CAUSE_IOPS_LIMIT] = {"waiting for IOPS", RESPONSE_SHARE_IOPS_THROTTLING},
        [CAUSE_INGRESS_LIMIT] = {"waiting for ingress", RESPONSE_SHARE_INGRESS_THROTTLING},
        [CAUSE_EGRESS_LIMIT] = {"waiting for egress", RESPONSE_SHARE_EGRESS_THROTTLING},
        [CAUSE_METADATA_LIMIT] = {"waiting for opens and closes", RESPONSE_METADATA_THROTTLING},
        [CAUSE_ACCOUNT_LIMIT] = {"waiting for the storage account", RESPONSE_THROTTLING},
    };
    const enum response_type type = limits[cause].type;
    ptrdiff_t store = explain_binding_store(run, type);
    const char *detail = "";
    if (store >= 0)
        detail = explain_limit_words(run, (size_t)store, type, cause == CAUSE_EGRESS_LIMIT);
    else if ((store = explain_binding_store(run, RESPONSE_THROTTLING)) >= 0)
        detail = arena_format(run->arena,
                              explain_is_share(run, (size_t)store)
                                  ? "a limit of one file or of the storage account of %s"
                                  : "what the disks and the machine of %s let through",
                              run->result->store_names[store]);
    return detail[0] == '\0' ? limits[cause].words
                             : arena_format(run->arena, "%s: %s", limits[cause].words, detail);
}

static const char *words_of_cause(const struct explain_run *run, const struct explain_cell *cell,
                                  const struct explain_part *part)
{
    char number[LABEL_SIZE];
    switch (part->cause) {
    case CAUSE_CLIENT:
        return "the client's own work";
    case CAUSE_LOCAL_DISK:
        return "local disk of the host";
    case CAUSE_WINDOW:
        return "waiting for SMB credits of the connection";
    case CAUSE_NETWORK:
        return "network: the way there and back, and the bytes";
    case CAUSE_SERVER_QUEUE:
        return "queueing inside the service";
    case CAUSE_SERVER_LATENCY:
        number_label(number, cell->requests, 0);
        return arena_format(run->arena, "round trips: the service itself (%s x %.3g ms)", number,
                            1e3 * part->s / cell->requests);
    case CAUSE_IOPS_LIMIT:
    case CAUSE_INGRESS_LIMIT:
    case CAUSE_EGRESS_LIMIT:
    case CAUSE_METADATA_LIMIT:
    case CAUSE_ACCOUNT_LIMIT:
        return words_of_limit(run, part->cause);
    default:
        return part->name;
    }
}

static void parts_of_logons(const struct explain_run *run, struct explain_cell *cell)
{
    const struct unit_result *unit = explain_unit(run);
    const int64_t from_ns = measured_from_ns(run);
    int64_t sums_ns[PHASE_COUNT][CAUSE_COUNT] = {0}, left_ns = 0;
    double requests = 0;
    for (size_t i = 0; i < unit->logon_count; i++) {
        const struct logon_record *record = &unit->logons[i];
        if (record->start_ns < from_ns)
            continue;
        int64_t charged_ns = 0;
        for (size_t phase = 0; phase < PHASE_COUNT; phase++)
            for (size_t cause = 0; cause < CAUSE_COUNT; cause++) {
                sums_ns[phase][cause] += record->phase_cause_ns[phase][cause];
                charged_ns += record->phase_cause_ns[phase][cause];
            }
        requests += record->requests;
        cell->total_ns += record->load_ns;
        assert(!record->finished || charged_ns == record->load_ns);
        left_ns += record->load_ns - charged_ns;
    }
    const double count = (double)cell->time.count;
    cell->requests = requests / count;
    for (size_t cause = 0; cause < CAUSE_COUNT; cause++) {
        int64_t sum_ns = 0;
        for (size_t phase = 0; phase < PHASE_COUNT; phase++)
            sum_ns += sums_ns[phase][cause];
        if (sum_ns == 0)
            continue;
        struct explain_part *part =
            add_part(cell, run->arena, wait_cause_name((enum wait_cause)cause), (enum wait_cause)cause);
        part->ns = sum_ns;
        part->s = sim_s_from_ns(sum_ns) / count;
        for (size_t phase = 0; phase < PHASE_COUNT; phase++)
            part->phase_ns[phase] = sums_ns[phase][cause];
        part->words = words_of_cause(run, cell, part);
    }
    if (left_ns == 0)
        return;
    struct explain_part *part = add_part(cell, run->arena, "under way", CAUSE_COUNT);
    part->words = "requests still under way when the run ended";
    part->ns = left_ns;
    part->s = sim_s_from_ns(left_ns) / count;
}

/* -- all subjects -- */

static void find_subject(const struct explain_run *run, struct explain_cell *cell)
{
    static const enum explain_subject subjects[] = {SUBJECT_LOGON, SUBJECT_BOOT, SUBJECT_JOB,
                                                    SUBJECT_THROUGHPUT};
    cell->subject = SUBJECT_REQUESTS;
    size_t best = sizeof subjects / sizeof subjects[0];
    for (size_t i = 0; i < run->result->metric_count; i++) {
        const char *name = run->result->metrics[i].name;
        const size_t rank = headline_rank(name);
        if (rank >= best || isnan(explain_unit(run)->metrics[i]))
            continue;
        best = rank;
        cell->subject = subjects[rank];
        snprintf(cell->prefix, sizeof cell->prefix, "%.*s", (int)workload_prefix(name), name);
    }
}

void explain_time_of(const struct explain_run *run, struct explain_cell *cell)
{
    static const char *const stems[] = {"profile_load", "boot_time", "job_time", "throughput"};
    static const char *const counts[] = {"logons", "boots", "jobs"};
    cell->time = (struct explain_time){.median = NAN, .p95 = NAN, .mean = NAN, .over_30_s = NAN};
    if (time_of_logons(run, &cell->time)) {
        cell->subject = SUBJECT_LOGON;
        return;
    }
    find_subject(run, cell);
    if (cell->subject == SUBJECT_REQUESTS)
        return;
    const char *stem = arena_format(run->arena, "%s%s", cell->prefix, stems[cell->subject]);
    cell->time.mean = explain_metric(run, arena_format(run->arena, "%s.mean", stem));
    cell->time.median = explain_metric(run, arena_format(run->arena, "%s.p50", stem));
    cell->time.p95 = explain_metric(run, arena_format(run->arena, "%s.p95", stem));
    if (cell->subject == SUBJECT_THROUGHPUT)
        return;
    const char *count = arena_format(run->arena, "%s%s", cell->prefix, counts[cell->subject]);
    const double finished = explain_metric(run, arena_format(run->arena, "%s.finished", count));
    const double unfinished = explain_metric(run, arena_format(run->arena, "%s.unfinished", count));
    cell->time.unfinished = unfinished > 0 ? (size_t)unfinished : 0;
    cell->time.count = (finished > 0 ? (size_t)finished : 0) + cell->time.unfinished;
}

static int larger_first(const void *left, const void *right)
{
    const struct explain_part *a = left, *b = right;
    if (a->s != b->s)
        return a->s < b->s ? 1 : -1;
    return (a->cause > b->cause) - (a->cause < b->cause);
}

void explain_parts_of(const struct explain_run *run, struct explain_cell *cell)
{
    if (cell->subject == SUBJECT_LOGON)
        parts_of_logons(run, cell);
    else
        parts_of_metrics(run, cell);
    for (size_t i = 0; i < cell->part_count; i++)
        cell->parts[i].share = cell->parts[i].s / cell->time.mean;
    if (cell->part_count > 0)
        qsort(cell->parts, cell->part_count, sizeof *cell->parts, larger_first);
}
