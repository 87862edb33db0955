#include "sim/experiment/compare/regress.h"

#include "sim/experiment/compare/compare.h"
#include "sim/experiment/compare/regress_expect.h"
#include "sim/experiment/result/label.h"
#include "vdisim/holm.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const double confidence = 0.95;

/* A value of one metric in one cell that is not what it was. */
struct movement {
    size_t metric; /* now */
    size_t cell;   /* now */
    struct difference difference;
    double size;
    double p_adjusted;
};

struct work {
    struct regression *regression;
    const struct sample *then, *now;
    struct movement *movements;
    size_t count;
};

static void add_name(struct arena *arena, const char ***names, size_t *count, const char *name)
{
    ARENA_GROW(arena, *names, *count);
    (*names)[(*count)++] = name;
}

static const char *label_of(struct arena *arena, const struct sample_cell *cell)
{
    char label[512];
    sample_cell_label(label, sizeof label, cell);
    return arena_text(arena, label);
}

static void name_changes(struct work *work)
{
    struct regression *to = work->regression;
    const struct sample *then = work->then, *now = work->now;
    for (size_t i = 0; i < now->cell_count; i++)
        if (sample_find_cell(then, &now->cells[i]) < 0)
            add_name(to->arena, &to->cells_added, &to->cells_added_count,
                     label_of(to->arena, &now->cells[i]));
    for (size_t i = 0; i < then->cell_count; i++)
        if (sample_find_cell(now, &then->cells[i]) < 0)
            add_name(to->arena, &to->cells_removed, &to->cells_removed_count,
                     label_of(to->arena, &then->cells[i]));
    for (size_t i = 0; i < now->metric_count; i++)
        if (sample_metric(then, now->metrics[i].name) < 0)
            add_name(to->arena, &to->metrics_added, &to->metrics_added_count,
                     arena_text(to->arena, now->metrics[i].name));
    for (size_t i = 0; i < then->metric_count; i++)
        if (sample_metric(now, then->metrics[i].name) < 0)
            add_name(to->arena, &to->metrics_removed, &to->metrics_removed_count,
                     arena_text(to->arena, then->metrics[i].name));
}

static bool same_value(double a, double b)
{
    return a == b || (isnan(a) && isnan(b));
}

/* In the replications that both have. */
static bool has_moved(const struct work *work, size_t then_cell, size_t then_metric, size_t cell,
                      size_t metric)
{
    for (size_t i = 0; i < work->regression->replications; i++)
        if (sample_is_done(work->then, then_cell, i) && sample_is_done(work->now, cell, i) &&
            !same_value(sample_value(work->then, then_cell, i, then_metric),
                        sample_value(work->now, cell, i, metric)))
            return true;
    return false;
}

/* 1 where there was nothing and now is something. */
static double size_of(const struct difference *difference)
{
    double larger = fmax(fabs(difference->a), fabs(difference->b));
    return isnan(difference->value) ? 1 : larger > 0 ? fabs(difference->value) / larger : 0;
}

static void compare_metrics(struct work *work, size_t then_cell, size_t cell)
{
    for (size_t metric = 0; metric < work->now->metric_count; metric++) {
        ptrdiff_t then_metric = sample_metric(work->then, work->now->metrics[metric].name);
        if (then_metric < 0 || !has_moved(work, then_cell, (size_t)then_metric, cell, metric))
            continue;
        ARENA_GROW(work->regression->arena, work->movements, work->count);
        struct movement *movement = &work->movements[work->count++];
        *movement = (struct movement){.metric = metric, .cell = cell};
        movement->difference = compare_cells(work->then, then_cell, (size_t)then_metric, work->now, cell,
                                             metric, !work->regression->seed_differs, confidence);
        movement->size = size_of(&movement->difference);
    }
}

static void compare_runs(struct work *work, size_t then_cell, size_t cell)
{
    for (size_t i = 0; i < work->regression->replications; i++) {
        if (!sample_is_done(work->then, then_cell, i) || !sample_is_done(work->now, cell, i))
            continue;
        work->regression->runs++;
        work->regression->runs_differing +=
            work->then->fingerprints[then_cell * work->then->replications + i] !=
            work->now->fingerprints[cell * work->now->replications + i];
    }
}

static bool adjust(struct work *work)
{
    double *p = ARENA_ARRAY(work->regression->arena, double, work->count);
    for (size_t i = 0; i < work->count; i++)
        p[i] = work->movements[i].difference.p;
    if (!sim_holm(p, work->count, p))
        return false;
    for (size_t i = 0; i < work->count; i++)
        work->movements[i].p_adjusted = p[i];
    return true;
}

static enum regress_noise noise_of(const struct movement *movement)
{
    const struct difference *it = &movement->difference;
    if (isnan(it->p))
        return NOISE_UNKNOWN;
    if (movement->p_adjusted <= 1 - confidence)
        return NOISE_BEYOND;
    return it->p <= 1 - confidence && it->one_sign ? NOISE_LIKELY : NOISE_UNCLEAR;
}

static int larger_first(const void *a, const void *b)
{
    const struct regress_mover *x = a, *y = b;
    if (x->size != y->size)
        return x->size < y->size ? 1 : -1;
    return strcmp(x->metric, y->metric);
}

/* One of each metric, from the cell where it moved most. */
static void list_movers(struct work *work)
{
    struct regression *to = work->regression;
    const struct movement **largest =
        ARENA_ARRAY(to->arena, const struct movement *, work->now->metric_count);
    size_t *cells = ARENA_ARRAY(to->arena, size_t, work->now->metric_count);
    for (size_t i = 0; i < work->count; i++) {
        const struct movement *it = &work->movements[i];
        cells[it->metric]++;
        if (largest[it->metric] == NULL || it->size > largest[it->metric]->size)
            largest[it->metric] = it;
    }
    to->movers = ARENA_ARRAY(to->arena, struct regress_mover, work->now->metric_count);
    for (size_t metric = 0; metric < work->now->metric_count; metric++) {
        const struct movement *it = largest[metric];
        if (it == NULL)
            continue;
        to->movers[to->mover_count++] = (struct regress_mover){
            .metric = arena_text(to->arena, work->now->metrics[metric].name),
            .unit = arena_text(to->arena, work->now->metrics[metric].unit),
            .cell = work->now->cell_count > 1 ? label_of(to->arena, &work->now->cells[it->cell]) : "",
            .cells_moved = cells[metric],
            .difference = it->difference,
            .p_adjusted = it->p_adjusted,
            .size = it->size,
            .noise = noise_of(it),
        };
    }
    qsort(to->movers, to->mover_count, sizeof *to->movers, larger_first);
    to->values_moved = work->count;
}

static const struct regress_mover *headline_of(const struct regression *regression)
{
    const struct regress_mover *best = NULL;
    for (size_t i = 0; i < regression->mover_count; i++) {
        const struct regress_mover *it = &regression->movers[i];
        if (is_headline(it->metric) &&
            (best == NULL || headline_rank(it->metric) < headline_rank(best->metric)))
            best = it;
    }
    return best != NULL || regression->mover_count == 0 ? best : &regression->movers[0];
}

static const char *list_names(struct arena *arena, const char *text, const char *what,
                              const char *const *names, size_t count)
{
    if (count == 0)
        return text;
    return arena_format(arena, "%s%s%s %s%s", text, text[0] != '\0' ? "; " : "", what, names[0],
                        count > 1 ? arena_format(arena, " and %zu more", count - 1) : "");
}

/* "profile_load.mean +1.6 % (premium, 20,000); 38 of 61 metrics; new metric run.warm_up" */
static const char *moved_line(const struct regression *it, bool has_baseline)
{
    struct arena *arena = it->arena;
    const char *text = "";
    const struct regress_mover *headline = headline_of(it);
    if (!has_baseline)
        return arena_format(arena, "the beginning: %zu cells, %zu metrics", it->cells, it->metrics);
    if (headline != NULL) {
        double relative = 100 * difference_relative(&headline->difference);
        text = isnan(relative) ? arena_format(arena, "%s", headline->metric)
                               : arena_format(arena, "%s %+.3g %%", headline->metric, relative);
        if (headline->cell[0] != '\0')
            text = arena_format(arena, "%s (%s)", text, headline->cell);
        text = arena_format(arena, "%s; %zu of %zu metrics moved", text, it->mover_count, it->metrics);
    } else if (it->runs_differing > 0) {
        text = arena_format(arena, "no value; other events in %zu of %zu runs", it->runs_differing, it->runs);
    }
    text = list_names(arena, text, "new cell", it->cells_added, it->cells_added_count);
    text = list_names(arena, text, "without cell", it->cells_removed, it->cells_removed_count);
    text = list_names(arena, text, "new metric", it->metrics_added, it->metrics_added_count);
    text = list_names(arena, text, "without metric", it->metrics_removed, it->metrics_removed_count);
    return text[0] != '\0' ? text : "nothing";
}

static bool compare_all(struct work *work)
{
    struct regression *to = work->regression;
    size_t then = work->then->replications, now = work->now->replications;
    to->replications = then < now ? then : now;
    to->seed_differs =
        work->then->seed != work->now->seed || strcmp(work->then->generator, work->now->generator) != 0;
    to->hash_differs = strcmp(work->then->hash, work->now->hash) != 0;
    name_changes(work);
    for (size_t cell = 0; cell < work->now->cell_count; cell++) {
        ptrdiff_t then_cell = sample_find_cell(work->then, &work->now->cells[cell]);
        if (then_cell < 0)
            continue;
        to->cells++;
        compare_runs(work, (size_t)then_cell, cell);
        compare_metrics(work, (size_t)then_cell, cell);
    }
    if (!adjust(work))
        return false;
    list_movers(work);
    bool moved = work->count > 0 || to->runs_differing > 0 || to->cells_added_count > 0 ||
                 to->cells_removed_count > 0 || to->metrics_added_count > 0 || to->metrics_removed_count > 0;
    to->outcome = moved ? REGRESS_MOVED : REGRESS_IDENTICAL;
    return true;
}

struct regression *regress_create(const struct result *result, const struct sample *now,
                                  const struct baseline *baseline)
{
    jmp_buf landing;
    struct arena *arena = arena_create();
    if (arena == NULL || setjmp(landing) != 0) {
        arena_destroy(arena);
        return NULL;
    }
    arena_set_landing(arena, &landing);
    struct regression *regression = ARENA_NEW(arena, struct regression);
    *regression = (struct regression){
        .arena = arena,
        .experiment = arena_text(arena, now->experiment),
        .outcome = REGRESS_NO_BASELINE,
        .metrics = now->metric_count,
    };
    struct work work = {
        .regression = regression, .then = baseline == NULL ? NULL : baseline->sample, .now = now};
    bool complete = baseline == NULL || compare_all(&work);
    if (baseline == NULL) {
        regression->cells = now->cell_count;
        regression->replications = now->replications;
    }
    complete = complete && regress_expect(regression, result, now, baseline);
    regression->moved = moved_line(regression, baseline != NULL);
    arena_set_landing(arena, NULL);
    if (complete)
        return regression;
    arena_destroy(arena);
    return NULL;
}

void regress_destroy(struct regression *regression)
{
    if (regression != NULL)
        arena_destroy(regression->arena);
}
