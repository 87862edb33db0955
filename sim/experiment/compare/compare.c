#include "sim/experiment/compare/compare.h"

#include "sim/experiment/compare/compare_match.h"
#include "sim/experiment/read/metric_value.h"
#include "sim/experiment/read/quantity.h"
#include "sim/experiment/read/suggest.h"
#include "sim/experiment/result/label.h"
#include "vdisim/holm.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What most ask for, the most telling first; each also with the name of a workload or a store before it. */
static const char *const telling[] = {
    "profile_load.mean", "profile_load.p95", "boot_time.mean",     "boot_time.p95",       "job_time.mean",
    "throughput.mean",   "bytes_sent.total", "logons.unfinished",  "server_latency.mean", "iops.mean",
    "egress.mean",       "ingress.mean",     "throttled.fraction", "burst_credits.min",   "cost.month",
};

enum { TELLING = sizeof telling / sizeof telling[0] };

/* Its place in that list, TELLING for the others. */
static size_t rank_of(const char *metric)
{
    size_t length = strlen(metric);
    for (size_t i = 0; i < TELLING; i++) {
        size_t tail = strlen(telling[i]);
        if (length >= tail && strcmp(metric + length - tail, telling[i]) == 0 &&
            (length == tail || metric[length - tail - 1] == '.'))
            return i;
    }
    return TELLING;
}

/* Values of one cell, without those that are missing. */
struct values {
    double *list, *effects;
    size_t count;
};

static void take_value(struct values *values, const struct sample *sample, size_t cell, size_t replication,
                       double value)
{
    values->list[values->count] = value;
    values->effects[values->count++] = sample->run_effects[cell * sample->replications + replication];
}

static void gather(struct values *a, struct values *b, const struct sample *a_sample, size_t a_cell,
                   size_t a_metric, const struct sample *b_sample, size_t b_cell, size_t b_metric,
                   bool paired)
{
    size_t most =
        a_sample->replications > b_sample->replications ? a_sample->replications : b_sample->replications;
    for (size_t i = 0; i < most; i++) {
        double a_value = sample_value(a_sample, a_cell, i, a_metric);
        double b_value = sample_value(b_sample, b_cell, i, b_metric);
        bool half = isnan(a_value) || isnan(b_value);
        if (!isnan(a_value) && !(paired && half))
            take_value(a, a_sample, a_cell, i, a_value);
        if (!isnan(b_value) && !(paired && half))
            take_value(b, b_sample, b_cell, i, b_value);
    }
}

struct difference compare_cells(const struct sample *a, size_t a_cell, size_t a_metric,
                                const struct sample *b, size_t b_cell, size_t b_metric, bool paired,
                                double confidence)
{
    struct difference difference = {.a = NAN,
                                    .b = NAN,
                                    .value = NAN,
                                    .p = NAN,
                                    .low = NAN,
                                    .high = NAN,
                                    .saving = NAN,
                                    .independent_reach = NAN,
                                    .paired = paired};
    double *room = calloc(2 * (a->replications + b->replications) + 1, sizeof *room);
    if (room == NULL)
        return difference;
    struct values a_values = {.list = room, .effects = room + a->replications};
    struct values b_values = {.list = room + 2 * a->replications,
                              .effects = room + 2 * a->replications + b->replications};
    gather(&a_values, &b_values, a, a_cell, a_metric, b, b_cell, b_metric, paired);
    difference = difference_of(&(struct difference_input){
        .a = a_values.list,
        .b = b_values.list,
        .a_effects = a_values.effects,
        .b_effects = b_values.effects,
        .a_count = a_values.count,
        .b_count = b_values.count,
        .paired = paired,
        .confidence = confidence,
    });
    free(room);
    return difference;
}

/* A fraction: "5 %" or "5%". */
static bool read_percentage(const char *text, double *fraction)
{
    struct quantity quantity;
    char message[256];
    if (strchr(text, '%') == NULL)
        return false;
    if (!quantity_parse(PARAMETER_FRACTION, text, &quantity, message, sizeof message))
        return false;
    *fraction = quantity.number;
    return true;
}

static bool is_bare_number(const char *text)
{
    double value;
    size_t length = quantity_number(text, &value);
    return length > 0 && text[length + strspn(text + length, " ")] == '\0';
}

/* What matters of this metric: an amount of its dimension before a percentage of A's value. */
static double smallest_of(const struct compare_request *request, const char *metric, double a, bool *used)
{
    char message[256];
    double smallest = NAN;
    for (size_t i = 0; i < request->smallest_count; i++) {
        double value;
        if (read_percentage(request->smallest[i], &value)) {
            used[i] = true;
            if (isnan(smallest))
                smallest = value * fabs(a);
        } else if (metric_value_parse(metric, request->smallest[i], &value, message, sizeof message)) {
            used[i] = true;
            smallest = value;
        }
    }
    return smallest;
}

static bool check_smallest(const struct compare_request *request, const bool *used, char *message)
{
    for (size_t i = 0; i < request->smallest_count; i++) {
        const char *text = request->smallest[i];
        double fraction;
        if (is_bare_number(text))
            snprintf(message, SAMPLE_MESSAGE_SIZE, "--smallest: '%.60s' needs a unit, such as %.40s s, or %%",
                     text, text);
        else if (text[strspn(text, " ")] == '-')
            snprintf(message, SAMPLE_MESSAGE_SIZE, "--smallest: '%.60s' is negative", text);
        else if (!used[i] && !read_percentage(text, &fraction))
            snprintf(message, SAMPLE_MESSAGE_SIZE,
                     "--smallest: '%.60s' is no amount of any metric compared; write it like 0.5 s, 20 MiB/s "
                     "or 5 %%",
                     text);
        else
            continue;
        return false;
    }
    return true;
}

static bool is_wanted(const struct compare_request *request, const char *metric)
{
    for (size_t i = 0; i < request->metric_count; i++)
        if (strcmp(request->metrics[i], metric) == 0)
            return true;
    return request->metric_count == 0 && (request->all || rank_of(metric) < TELLING);
}

static bool check_metrics(const struct compare *compare, const struct compare_request *request, char *message)
{
    for (size_t i = 0; i < request->metric_count; i++) {
        const char *name = request->metrics[i];
        const struct sample *lacking = sample_metric(compare->a, name) < 0   ? compare->a
                                       : sample_metric(compare->b, name) < 0 ? compare->b
                                                                             : NULL;
        if (lacking == NULL)
            continue;
        struct suggestion suggestion = {.written = name};
        for (size_t k = 0; k < lacking->metric_count; k++)
            suggestion_offer(&suggestion, lacking->metrics[k].name);
        snprintf(message, SAMPLE_MESSAGE_SIZE, "--metric: there is no metric '%.80s' in %.300s%s%.80s%s",
                 name, lacking->origin, suggestion.best != NULL ? ". Did you mean " : "",
                 suggestion.best != NULL ? suggestion.best : "", suggestion.best != NULL ? "?" : "");
        return false;
    }
    return true;
}

static bool has_value(const struct sample *sample, size_t cell, size_t metric)
{
    for (size_t i = 0; i < sample->replications; i++)
        if (!isnan(sample_value(sample, cell, i, metric)))
            return true;
    return false;
}

/* No row where neither side ever has a value. */
static void add_row(struct compare *compare, const struct compare_request *request, size_t pair,
                    size_t a_metric, size_t b_metric, bool *used)
{
    const struct compare_pair *cells = &compare->pairs[pair];
    const struct sample *a = compare->a, *b = compare->b;
    if (!has_value(a, cells->a_cell, a_metric) && !has_value(b, cells->b_cell, b_metric))
        return;
    ARENA_GROW(compare->arena, compare->rows, compare->row_count);
    struct compare_row *row = &compare->rows[compare->row_count++];
    *row = (struct compare_row){.pair = pair, .a_metric = a_metric, .b_metric = b_metric};
    row->difference = compare_cells(a, cells->a_cell, a_metric, b, cells->b_cell, b_metric, compare->paired,
                                    compare->confidence);
    row->a_is_bound = a->lower_bounds[cells->a_cell * a->metric_count + a_metric];
    row->b_is_bound = b->lower_bounds[cells->b_cell * b->metric_count + b_metric];
    row->smallest = smallest_of(request, a->metrics[a_metric].name, row->difference.a, used);
}

/* In the order of what is telling, then of the sample. */
static void add_rows(struct compare *compare, const struct compare_request *request, size_t pair, bool *used)
{
    for (size_t rank = 0; rank <= TELLING; rank++)
        for (size_t i = 0; i < compare->a->metric_count; i++) {
            const char *name = compare->a->metrics[i].name;
            ptrdiff_t other = sample_metric(compare->b, name);
            if (other >= 0 && rank_of(name) == rank && is_wanted(request, name))
                add_row(compare, request, pair, i, (size_t)other, used);
        }
}

static const char *reason_not_judged(const struct compare_row *row)
{
    if (row->a_is_bound && row->b_is_bound)
        return "not judged: logons unfinished in both, the values are those of the fastest";
    if (row->a_is_bound || row->b_is_bound)
        return row->a_is_bound ? "not judged: logons of A unfinished, its value is that of the fastest"
                               : "not judged: logons of B unfinished, its value is that of the fastest";
    if (row->difference.a_count == 0 && row->difference.b_count == 0)
        return "not judged: no replication has a value in both";
    return row->difference.a_count == 0 ? "not judged: no value in A" : "not judged: no value in B";
}

static void judge_row(struct compare *compare, struct compare_row *row)
{
    char words[DIFFERENCE_TEXT_SIZE];
    const struct difference *difference = &row->difference;
    row->verdict =
        difference_judge(difference, row->p_adjusted, row->smallest, compare->confidence, &row->needed);
    if (row->a_is_bound || row->b_is_bound)
        row->verdict = DIFFERENCE_NOT_JUDGED;
    if (row->verdict == DIFFERENCE_NOT_JUDGED) {
        row->words = reason_not_judged(row);
        return;
    }
    difference_words(words, difference, row->verdict, compare->a->metrics[row->a_metric].unit, row->smallest,
                     row->needed);
    row->words = arena_text(compare->arena, words);
}

static bool judge_rows(struct compare *compare)
{
    double *p = ARENA_ARRAY(compare->arena, double, compare->row_count);
    for (size_t i = 0; i < compare->row_count; i++) {
        const struct compare_row *row = &compare->rows[i];
        p[i] = row->a_is_bound || row->b_is_bound ? NAN : row->difference.p;
        compare->tested += isnan(p[i]) ? 0 : 1;
    }
    if (!sim_holm(p, compare->row_count, p))
        return false;
    for (size_t i = 0; i < compare->row_count; i++) {
        compare->rows[i].p_adjusted = p[i];
        judge_row(compare, &compare->rows[i]);
    }
    return true;
}

static void name_lone_metrics(struct compare *compare, bool of_a)
{
    const struct sample *sample = of_a ? compare->a : compare->b, *other = of_a ? compare->b : compare->a;
    const char ***names = of_a ? &compare->a_metrics : &compare->b_metrics;
    size_t *count = of_a ? &compare->a_metric_count : &compare->b_metric_count;
    for (size_t i = 0; i < sample->metric_count; i++)
        if (sample_metric(other, sample->metrics[i].name) < 0) {
            ARENA_GROW(compare->arena, *names, *count);
            (*names)[(*count)++] = sample->metrics[i].name;
        }
}

static bool fill(struct compare *compare, const struct compare_request *request, char *message)
{
    for (size_t i = 0; i < 2; i++) {
        const struct sample *sample = i == 0 ? compare->a : compare->b;
        bool any = false;
        for (size_t cell = 0; cell < sample->cell_count; cell++)
            any = any || sample_cell_done(sample, cell) > 0;
        if (any && sample->metric_count > 0)
            continue;
        snprintf(message, SAMPLE_MESSAGE_SIZE,
                 "'%.300s' holds no finished run, so there is nothing to compare", sample->origin);
        return false;
    }
    bool *used = ARENA_ARRAY(compare->arena, bool, request->smallest_count);
    if (!compare_match(compare, request, message) || !check_metrics(compare, request, message))
        return false;
    for (size_t pair = 0; pair < compare->pair_count; pair++)
        add_rows(compare, request, pair, used);
    if (!check_smallest(request, used, message))
        return false;
    if (compare->row_count == 0) {
        snprintf(message, SAMPLE_MESSAGE_SIZE,
                 "A and B have no %smetric in common%s: A has %.80s, B has %.80s and others",
                 request->all ? "" : "telling ", request->all ? "" : "; all are compared with --all",
                 compare->a->metrics[0].name, compare->b->metrics[0].name);
        return false;
    }
    name_lone_metrics(compare, true);
    name_lone_metrics(compare, false);
    if (judge_rows(compare))
        return true;
    snprintf(message, SAMPLE_MESSAGE_SIZE, "out of memory");
    return false;
}

struct compare *compare_create(const struct sample *a, const struct sample *b,
                               const struct compare_request *request, char message[SAMPLE_MESSAGE_SIZE])
{
    jmp_buf landing;
    struct arena *arena = arena_create();
    if (arena == NULL || setjmp(landing) != 0) {
        snprintf(message, SAMPLE_MESSAGE_SIZE, "out of memory");
        arena_destroy(arena);
        return NULL;
    }
    arena_set_landing(arena, &landing);
    struct compare *compare = ARENA_NEW(arena, struct compare);
    *compare = (struct compare){
        .arena = arena,
        .a = a,
        .b = b,
        .confidence = request->confidence,
        .paired = a->seed == b->seed && strcmp(a->generator, b->generator) == 0,
    };
    if (!fill(compare, request, message)) {
        arena_destroy(arena);
        return NULL;
    }
    arena_set_landing(arena, NULL);
    return compare;
}

void compare_destroy(struct compare *compare)
{
    if (compare != NULL)
        arena_destroy(compare->arena);
}
