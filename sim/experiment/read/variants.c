#include "sim/experiment/read/variants.h"

#include "sim/experiment/read/opening.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct making {
    const struct experiment *of;
    struct experiment *experiment; /* the one that is made */
    struct reader reader;
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

/* NULL: it became a cell. Otherwise why it did not. */
static const char *add_variant(struct making *making, const struct variant *variant)
{
    struct experiment *experiment = making->experiment;
    struct arena *arena = experiment->arena;
    const struct position at = {.file = "variant"};
    const struct node *root = making->of->cells[variant->cell].root;
    root = node_with(arena, root, "run.replications", at, node_scalar(arena, "1", at));
    for (size_t i = 0; i < variant->value_count; i++)
        root = node_with(arena, root, arena_text(arena, variant->values[i].key), at,
                         node_scalar(arena, arena_text(arena, variant->values[i].value), at));
    if (experiment->cell_count == 0) {
        experiment->root = root;
        scenario_names(&making->reader, root);
    }
    struct experiment_cell *cell = &experiment->cells[experiment->cell_count];
    cell->root = root;
    cell->resolution = scenario_resolve(&making->reader, &experiment->vocabulary, root);
    if (problems_errors(making->reader.problems) > 0)
        return first_message(arena, making->reader.problems);
    cell->cell = (struct cell){.scenario = &cell->resolution->scenario};
    experiment->cell_count++;
    return NULL;
}

static void fill(struct making *making, const struct variant *variants, size_t count, ptrdiff_t *cells,
                 const char **why_not)
{
    const struct experiment *of = making->of;
    struct experiment *experiment = making->experiment;
    struct arena *arena = experiment->arena;
    experiment->vocabulary = of->vocabulary;
    experiment->catalogue = of->catalogue;
    experiment->path = of->path;
    experiment->name = of->name;
    experiment->title = of->title;
    experiment->question = of->question;
    experiment->answer = "";
    experiment->options = of->options;
    experiment->options.replications = 1;
    experiment->vary = ARENA_NEW(arena, struct vary);
    experiment->root = of->root;
    experiment->cells = ARENA_ARRAY(arena, struct experiment_cell, count);
    making->reader = (struct reader){.arena = arena, .catalogue = of->catalogue};
    for (size_t i = 0; i < count; i++) {
        making->reader.problems = problems_create();
        if (making->reader.problems == NULL)
            longjmp(*arena_set_landing(arena, NULL), 1);
        why_not[i] = add_variant(making, &variants[i]);
        cells[i] = why_not[i] == NULL ? (ptrdiff_t)experiment->cell_count - 1 : -1;
        problems_destroy(making->reader.problems);
        making->reader.problems = NULL;
    }
    experiment_collect_assumptions(experiment);
    experiment_compute_hash(experiment);
}

struct experiment *experiment_variants(const struct experiment *experiment, const struct variant *variants,
                                       size_t count, ptrdiff_t *cells, const char **why_not)
{
    struct arena *arena = arena_create();
    struct making *making = calloc(1, sizeof *making);
    jmp_buf landing;
    if (arena == NULL || making == NULL || setjmp(landing) != 0) {
        if (making != NULL)
            problems_destroy(making->reader.problems);
        free(making);
        arena_destroy(arena);
        return NULL;
    }
    arena_set_landing(arena, &landing);
    struct experiment *varied = making->experiment = ARENA_NEW(arena, struct experiment);
    varied->arena = arena;
    making->of = experiment;
    fill(making, variants, count, cells, why_not);
    arena_set_landing(arena, NULL);
    free(making);
    return varied;
}
