/* A sensitivity study: its points are laid out, run as one experiment, and turned into effects. */
#include "sim/experiment/compare/sensitivity_inside.h"

#include "sim/experiment/read/suggest.h"
#include "sim/experiment/result/table.h"
#include "sim/experiment/result/unfinished.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* -- laying out -- */

static void check_cell(const struct sensitivity *sensitivity, struct problems *problems)
{
    size_t count = experiment_cell_count(sensitivity->experiment);
    if (sensitivity->request.cell >= count)
        problem_add(problems, PROBLEM_ERROR,
                    (struct position){.file = experiment_path(sensitivity->experiment)},
                    "there is no cell %zu; the experiment has %zu", sensitivity->request.cell + 1, count);
}

/* The design, then for each input its two ends with the others as they are. */
static void lay_out_points(struct sensitivity *sensitivity)
{
    size_t inputs = sensitivity->input_count;
    sensitivity->design = (struct sim_morris){.inputs = inputs,
                                              .trajectories = sensitivity->request.trajectories,
                                              .levels = sensitivity->request.levels};
    sensitivity->design_count = sim_morris_point_count(&sensitivity->design);
    sensitivity->point_count = sensitivity->design_count + 2 * inputs;
    sensitivity->points = ARENA_ARRAY(sensitivity->arena, double, sensitivity->point_count *inputs);
    sim_morris_points(&sensitivity->design, (uint64_t)experiment_run(sensitivity->experiment)->seed,
                      sensitivity->points);
    for (size_t i = 0; i < inputs; i++)
        for (size_t end = 0; end < 2; end++) {
            double *point = &sensitivity->points[(sensitivity->design_count + 2 * i + end) * inputs];
            for (size_t j = 0; j < inputs; j++)
                point[j] = j == i ? (double)end : (double)NAN;
        }
}

/* False: memory is short. */
static bool open_points(struct sensitivity *sensitivity)
{
    const char *nothing;
    ptrdiff_t base_cell;
    double *as_it_is = ARENA_ARRAY(sensitivity->arena, double, sensitivity->input_count);
    for (size_t i = 0; i < sensitivity->input_count; i++)
        as_it_is[i] = NAN;
    sensitivity->cells = ARENA_ARRAY(sensitivity->arena, ptrdiff_t, sensitivity->point_count);
    sensitivity->outputs = ARENA_ARRAY(sensitivity->arena, double, sensitivity->point_count);
    sensitivity->output_is_bound = ARENA_ARRAY(sensitivity->arena, bool, sensitivity->point_count);
    sensitivity->base = sensitivity_open_points(sensitivity, as_it_is, 1, &base_cell, &nothing);
    if (sensitivity->base == NULL)
        return false;
    assert(base_cell == 0);
    sensitivity->screened =
        sensitivity_open_points(sensitivity, sensitivity->points, sensitivity->point_count,
                                sensitivity->cells, &sensitivity->contradiction);
    for (size_t i = 0; sensitivity->screened != NULL && i < sensitivity->point_count; i++)
        sensitivity->contradictions += sensitivity->cells[i] < 0;
    return sensitivity->screened != NULL;
}

/* What is wrong is in `problems`. */
static void prepare(struct sensitivity *sensitivity, struct problems *problems)
{
    const struct sensitivity_request *request = &sensitivity->request;
    size_t reported_before = problems_reported(problems);
    struct position at = {.file = experiment_path(sensitivity->experiment)};
    check_cell(sensitivity, problems);
    if (problems_reported(problems) > reported_before)
        return;
    sensitivity_choose_inputs(sensitivity, problems);
    if (problems_reported(problems) > reported_before)
        return;
    size_t inputs = sensitivity->input_count;
    if (inputs == 0) {
        problem_add(
            problems, PROBLEM_ERROR, at,
            "no number in use is assumed or calibrated; name what to vary with --input KEY=LOW..HIGH");
        return;
    }
    if (request->trajectories * (inputs + 1) + 2 * inputs > VARY_MAX_CELLS) {
        problem_add(problems, PROBLEM_ERROR, at, "%zu trajectories of %zu inputs are more than %d points",
                    request->trajectories, inputs, VARY_MAX_CELLS);
        return;
    }
    sensitivity->order = ARENA_ARRAY(sensitivity->arena, size_t, inputs);
    lay_out_points(sensitivity);
    if (!open_points(sensitivity))
        problem_add(problems, PROBLEM_ERROR, at, "out of memory");
    else if (sensitivity->contradictions == sensitivity->point_count)
        problem_add(problems, PROBLEM_ERROR, at, "no point of these ranges can be run: %.200s",
                    sensitivity->contradiction);
}

struct sensitivity *sensitivity_create(const struct experiment *experiment,
                                       const struct sensitivity_request *request, struct problems *problems)
{
    assert(request->trajectories > 0 && request->replications > 0 && request->factor > 1);
    struct arena *arena = arena_create();
    size_t reported_before = problems_reported(problems);
    jmp_buf landing;
    struct sensitivity *volatile sensitivity = NULL;
    if (arena == NULL || setjmp(landing) != 0) {
        problem_add(problems, PROBLEM_ERROR, (struct position){.file = experiment_path(experiment)},
                    "out of memory");
        if (sensitivity != NULL)
            sensitivity_destroy(sensitivity);
        else
            arena_destroy(arena);
        return NULL;
    }
    arena_set_landing(arena, &landing);
    sensitivity = ARENA_NEW(arena, struct sensitivity);
    sensitivity->arena = arena;
    sensitivity->experiment = experiment;
    sensitivity->request = *request;
    prepare(sensitivity, problems);
    arena_set_landing(arena, NULL);
    if (problems_reported(problems) == reported_before)
        return sensitivity;
    sensitivity_destroy(sensitivity);
    return NULL;
}

void sensitivity_destroy(struct sensitivity *sensitivity)
{
    if (sensitivity == NULL)
        return;
    experiment_close(sensitivity->screened);
    experiment_close(sensitivity->base);
    arena_destroy(sensitivity->arena);
}

static size_t replications_of(const struct experiment *experiment)
{
    return (size_t)experiment_run(experiment)->replications;
}

size_t sensitivity_run_count(const struct sensitivity *sensitivity)
{
    return (sensitivity->screened->cell_count + 1) * replications_of(sensitivity->base);
}

/* -- running -- */

/* False with a message: it has no value at the base. */
static bool choose_metric(struct sensitivity *sensitivity, const struct result *result, char *message,
                          size_t size)
{
    const char *wanted = sensitivity->request.metric;
    ptrdiff_t metric = wanted != NULL ? result_metric(result, wanted) : headline_metric(result);
    if (metric < 0) {
        struct suggestion suggestion = {.written = wanted != NULL ? wanted : ""};
        for (size_t i = 0; i < result->metric_count; i++)
            suggestion_offer(&suggestion, result->metrics[i].name);
        snprintf(message, size, "there is no metric '%.80s' in this result%s%s%s", suggestion.written,
                 suggestion.best != NULL ? ". Did you mean " : "",
                 suggestion.best != NULL ? suggestion.best : "", suggestion.best != NULL ? "?" : "");
        return false;
    }
    sensitivity->metric = arena_text(sensitivity->arena, result->metrics[metric].name);
    sensitivity->unit = arena_text(sensitivity->arena, result->metrics[metric].unit);
    sensitivity->base_value = result_estimate(result, 0, (size_t)metric)->mean;
    sensitivity->base_is_bound = metric_is_of_the_fastest(result, 0, sensitivity->metric);
    if (!isnan(sensitivity->base_value))
        return true;
    snprintf(message, size, "%.80s has no value here", sensitivity->metric);
    return false;
}

/* The cell as it is: its value, and whether the metric is there at all before hours are spent. */
static enum sensitivity_end run_base(struct sensitivity *sensitivity, const struct run_options *run,
                                     char *message, size_t size)
{
    struct run_options options = {.jobs = run->jobs, .cancel = run->cancel};
    struct result *result = experiment_execute(sensitivity->base, &options, message, size);
    enum sensitivity_end end = SENSITIVITY_DONE;
    if (result == NULL)
        return SENSITIVITY_FAILED;
    if (result->interrupted) {
        snprintf(message, size, "interrupted; nothing was ranked");
        end = SENSITIVITY_INTERRUPTED;
    } else if (!choose_metric(sensitivity, result, message, size)) {
        end = SENSITIVITY_REFUSED;
    }
    result_destroy(result);
    return end;
}

static void take_outputs(struct sensitivity *sensitivity, const struct result *result)
{
    ptrdiff_t metric = result_metric(result, sensitivity->metric);
    for (size_t point = 0; point < sensitivity->point_count; point++) {
        ptrdiff_t cell = sensitivity->cells[point];
        sensitivity->outputs[point] = NAN;
        if (cell < 0)
            continue;
        if (metric >= 0)
            sensitivity->outputs[point] = result_estimate(result, (size_t)cell, (size_t)metric)->mean;
        sensitivity->output_is_bound[point] =
            metric_is_of_the_fastest(result, (size_t)cell, sensitivity->metric);
        sensitivity->bound_count += sensitivity->output_is_bound[point];
        sensitivity->missing_count += isnan(sensitivity->outputs[point]) ? 1 : 0;
    }
}

/* -- effects -- */

/* The input that moves from one point of a trajectory to the next. */
static size_t moved_input(const struct sensitivity *sensitivity, size_t from)
{
    size_t inputs = sensitivity->input_count, moved = 0;
    const double *a = &sensitivity->points[from * inputs], *b = a + inputs;
    while (a[moved] == b[moved]) {
        moved++;
        assert(moved < inputs);
    }
    return moved;
}

static void count_bounds(struct sensitivity *sensitivity)
{
    for (size_t from = 0; from + 1 < sensitivity->design_count; from++) {
        if ((from + 1) % (sensitivity->input_count + 1) == 0)
            continue; /* the last of a trajectory */
        if (sensitivity->output_is_bound[from] || sensitivity->output_is_bound[from + 1])
            sensitivity->inputs[moved_input(sensitivity, from)].bound_effects++;
    }
}

static bool is_before(const struct sensitivity_input *a, const struct sensitivity_input *b)
{
    bool a_is_known = !isnan(a->effect.mu_star), b_is_known = !isnan(b->effect.mu_star);
    if (a_is_known != b_is_known)
        return a_is_known;
    if (a_is_known && a->effect.mu_star != b->effect.mu_star)
        return a->effect.mu_star > b->effect.mu_star;
    return sensitivity_is_assumption(a) && !sensitivity_is_assumption(b);
}

static void rank(struct sensitivity *sensitivity)
{
    for (size_t i = 0; i < sensitivity->input_count; i++) {
        size_t place = i;
        for (; place > 0 &&
               is_before(&sensitivity->inputs[i], &sensitivity->inputs[sensitivity->order[place - 1]]);
             place--)
            sensitivity->order[place] = sensitivity->order[place - 1];
        sensitivity->order[place] = i;
    }
}

static void find_effects(struct sensitivity *sensitivity)
{
    size_t trajectories = sensitivity->design.trajectories;
    double *effects = ARENA_ARRAY(sensitivity->arena, double, sensitivity->input_count *trajectories);
    sim_morris_effects(&sensitivity->design, sensitivity->points, sensitivity->outputs, effects);
    for (size_t i = 0; i < sensitivity->input_count; i++) {
        struct sensitivity_input *input = &sensitivity->inputs[i];
        size_t low = sensitivity->design_count + 2 * i, high = low + 1;
        input->effect =
            sim_effect_of(&effects[i * trajectories], trajectories, sensitivity->request.confidence);
        input->at_low = sensitivity->outputs[low];
        input->at_high = sensitivity->outputs[high];
        input->low_is_bound = sensitivity->output_is_bound[low];
        input->high_is_bound = sensitivity->output_is_bound[high];
    }
    count_bounds(sensitivity);
    rank(sensitivity);
}

static enum sensitivity_end run_points(struct sensitivity *sensitivity, const struct run_options *run,
                                       char *message, size_t size)
{
    struct result *result = experiment_execute(sensitivity->screened, run, message, size);
    if (result == NULL)
        return SENSITIVITY_FAILED;
    bool is_whole = !result->interrupted;
    if (is_whole) {
        take_outputs(sensitivity, result);
        find_effects(sensitivity);
    } else {
        snprintf(message, size, "interrupted; nothing was ranked");
    }
    result_destroy(result);
    return is_whole ? SENSITIVITY_DONE : SENSITIVITY_INTERRUPTED;
}

enum sensitivity_end sensitivity_execute(struct sensitivity *sensitivity, const struct run_options *run,
                                         char *message, size_t message_size)
{
    jmp_buf landing;
    if (setjmp(landing) != 0) {
        arena_set_landing(sensitivity->arena, NULL);
        snprintf(message, message_size, "out of memory");
        return SENSITIVITY_FAILED;
    }
    arena_set_landing(sensitivity->arena, &landing);
    enum sensitivity_end end = run_base(sensitivity, run, message, message_size);
    if (end == SENSITIVITY_DONE)
        end = run_points(sensitivity, run, message, message_size);
    arena_set_landing(sensitivity->arena, NULL);
    return end;
}

/* -- reading it -- */

bool sensitivity_is_assumption(const struct sensitivity_input *input)
{
    return strcmp(input->status, "assumed") == 0 || strcmp(input->status, "calibrated") == 0;
}

double sensitivity_share(const struct sensitivity *sensitivity, const struct sensitivity_input *input)
{
    double base = fabs(sensitivity->base_value);
    return base > 0 ? input->effect.mu_star / base : (double)NAN;
}

const char *sensitivity_response(const struct sim_effect *effect)
{
    if (effect->mu_star == 0)
        return "none";
    double ratio = effect->sigma / effect->mu_star;
    if (isnan(ratio))
        return "";
    return ratio <= 0.1   ? "linear"
           : ratio <= 0.5 ? "monotonic"
           : ratio <= 1   ? "almost monotonic"
                          : "curved or interacting";
}
