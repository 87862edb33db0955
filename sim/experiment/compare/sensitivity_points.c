/* The points of a sensitivity study as the cells of an experiment, so that they run, in threads and with progress,
 * as those of any other. */
#include "sim/experiment/compare/sensitivity_inside.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct opening_points {
    const struct sensitivity *sensitivity;
    struct experiment *experiment; /* the one that is made */
    struct reader reader;
    const struct node *root; /* of a cell without the values of its point */
    const char *contradiction;
};

/* The first complaint, without the place, which is none of the user's. */
static const char *first_message(struct arena *arena, const struct problems *problems)
{
    char *text = NULL;
    size_t size = 0;
    FILE *stream = open_memstream(&text, &size);
    if (stream == NULL)
        return "";
    problems_print(problems, stream, false);
    fclose(stream);
    if (text == NULL)
        return "";
    const char *start = strstr(text, "error: ");
    start = start != NULL ? start + strlen("error: ") : text;
    const char *message = arena_text_n(arena, start, strcspn(start, "\n"));
    free(text);
    return message;
}

/* What all points have in common. */
static const struct node *common_root(struct arena *arena, const struct sensitivity *sensitivity)
{
    const struct node *root = sensitivity->experiment->cells[sensitivity->request.cell].root;
    struct position at = {.file = "sensitivity"};
    const struct node *replications =
        node_scalar(arena, arena_format(arena, "%zu", sensitivity->request.replications), at);
    root = node_with(arena, root, "run.replications", at, replications);
    for (size_t i = 0; i < sensitivity->silenced_count; i++)
        root = node_with(arena, root, sensitivity->silenced[i], at, node_scalar(arena, "0", at));
    return root;
}

/* False: its values contradict each other. */
static bool add_point(struct opening_points *opening, const double *places)
{
    const struct sensitivity *sensitivity = opening->sensitivity;
    struct experiment *experiment = opening->experiment;
    struct arena *arena = experiment->arena;
    const struct node *root = opening->root;
    struct position at = {.file = "sensitivity"};
    for (size_t i = 0; i < sensitivity->input_count; i++) {
        const struct sensitivity_input *input = &sensitivity->inputs[i];
        if (isnan(places[i]))
            continue;
        const struct node *value = node_scalar(arena, sensitivity_value_text(arena, input, places[i]), at);
        for (size_t k = 0; k < input->key_count; k++)
            root = node_with(arena, root, input->keys[k], at, value);
    }
    struct experiment_cell *cell = &experiment->cells[experiment->cell_count];
    cell->root = root;
    cell->resolution = scenario_resolve(&opening->reader, &experiment->vocabulary, root);
    if (problems_errors(opening->reader.problems) > 0) {
        if (opening->contradiction == NULL)
            opening->contradiction = first_message(arena, opening->reader.problems);
        return false;
    }
    struct resolution *resolution = (struct resolution *)cell->resolution;
    if (resolution->scenario.run.batches > 0)
        resolution->scenario.run.replications = 1; /* as run_rules.c has it */
    cell->cell = (struct cell){.scenario = &resolution->scenario};
    experiment->cell_count++;
    return true;
}

static void fill(struct opening_points *opening, const double *points, size_t count, ptrdiff_t *cells)
{
    const struct sensitivity *sensitivity = opening->sensitivity;
    const struct experiment *of = sensitivity->experiment;
    struct experiment *experiment = opening->experiment;
    struct arena *arena = experiment->arena;
    experiment->vocabulary = of->vocabulary;
    experiment->catalogue = of->catalogue;
    experiment->path = of->path;
    experiment->name = of->name;
    experiment->title = of->title;
    experiment->question = of->question;
    experiment->answer = "";
    experiment->options = of->options;
    experiment->options.replications = (int64_t)sensitivity->request.replications;
    experiment->vary = ARENA_NEW(arena, struct vary);
    experiment->root = opening->root = common_root(arena, sensitivity);
    experiment->cells = ARENA_ARRAY(arena, struct experiment_cell, count);
    opening->reader = (struct reader){.arena = arena, .catalogue = of->catalogue};
    for (size_t point = 0; point < count; point++) {
        struct problems *problems = opening->reader.problems = problems_create();
        if (problems == NULL)
            longjmp(*arena_set_landing(arena, NULL), 1);
        if (point == 0)
            scenario_names(&opening->reader, opening->root);
        cells[point] = add_point(opening, &points[point * sensitivity->input_count])
                           ? (ptrdiff_t)experiment->cell_count - 1
                           : -1;
        problems_destroy(problems);
        opening->reader.problems = NULL;
    }
    experiment_compute_hash(experiment);
}

struct experiment *sensitivity_open_points(const struct sensitivity *sensitivity, const double *points,
                                           size_t count, ptrdiff_t *cells, const char **contradiction)
{
    struct arena *arena = arena_create();
    struct opening_points *opening = calloc(1, sizeof *opening);
    jmp_buf landing;
    if (arena == NULL || opening == NULL || setjmp(landing) != 0) {
        if (opening != NULL)
            problems_destroy(opening->reader.problems);
        free(opening);
        arena_destroy(arena);
        return NULL;
    }
    arena_set_landing(arena, &landing);
    opening->sensitivity = sensitivity;
    struct experiment *experiment = opening->experiment = ARENA_NEW(arena, struct experiment);
    experiment->arena = arena;
    fill(opening, points, count, cells);
    arena_set_landing(arena, NULL);
    *contradiction = opening->contradiction;
    free(opening);
    return experiment;
}
