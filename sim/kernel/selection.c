#include "vdisim/selection.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>

bool sim_selection_init(struct sim_selection *selection, size_t systems, size_t first_stage,
                        double confidence, double indifference, bool smallest_is_best)
{
    assert(systems >= 1 && first_stage >= 2 && indifference > 0.0);
    assert(confidence > 0.5 && confidence < 1.0);
    *selection = (struct sim_selection){
        .systems = systems,
        .first_stage = first_stage,
        .confidence = confidence,
        .indifference = indifference,
        .smallest_is_best = smallest_is_best,
        .alive = malloc(systems * sizeof(bool)),
        .alive_count = systems,
        .at_most = first_stage,
        .sums = calloc(systems, sizeof(double)),
        .beaten = calloc(systems, sizeof(bool)),
    };
    if (selection->alive == NULL || selection->sums == NULL || selection->beaten == NULL)
        return false;
    for (size_t i = 0; i < systems; i++)
        selection->alive[i] = true;
    if (systems > 1) {
        const double degrees = (double)first_stage - 1.0;
        const double share = 2.0 * (1.0 - confidence) / ((double)systems - 1.0);
        selection->h2 = (pow(share, -2.0 / degrees) - 1.0) * degrees; /* 2 eta (n0 - 1) */
    }
    return true;
}

void sim_selection_release(struct sim_selection *selection)
{
    free(selection->alive);
    free(selection->sums);
    free(selection->beaten);
    *selection = (struct sim_selection){0};
}

static double variance_of_differences(const double *first, const double *second, size_t count)
{
    double mean = 0.0, squares = 0.0;
    for (size_t r = 0; r < count; r++) {
        const double difference = first[r] - second[r];
        const double delta = difference - mean;
        mean += delta / (double)(r + 1);
        squares += delta * (difference - mean);
    }
    return squares / ((double)count - 1.0);
}

/* Marks which of the two is beaten, if one is. */
static void compare(struct sim_selection *selection, const double *const *values, size_t i, size_t j)
{
    const double r = (double)selection->replications, delta = selection->indifference;
    const double s2 = variance_of_differences(values[i], values[j], selection->first_stage);
    const double end = selection->h2 * s2 / (delta * delta);
    const double margin = fmax(0.0, delta / (2.0 * r) * (end - r));
    const double lead = (selection->sums[i] - selection->sums[j]) / r;
    const double better = selection->smallest_is_best ? -lead : lead; /* of i */
    if (better < -margin)
        selection->beaten[i] = true;
    else if (better > margin || margin == 0.0)
        selection->beaten[j] = true;
    else if (end >= (double)selection->at_most)
        selection->at_most = (size_t)fmin(end, 0x1p53) + 1;
}

static void add_new(struct sim_selection *selection, const double *const *values, size_t replications)
{
    for (size_t i = 0; i < selection->systems; i++)
        for (size_t r = selection->replications; selection->alive[i] && r < replications; r++) {
            assert(isfinite(values[i][r]));
            selection->sums[i] += values[i][r];
        }
    selection->replications = replications;
}

size_t sim_selection_screen(struct sim_selection *selection, const double *const *values, size_t replications)
{
    assert(replications >= selection->first_stage && replications >= selection->replications);
    add_new(selection, values, replications);
    selection->at_most = replications;
    for (size_t i = 0; i < selection->systems; i++)
        for (size_t j = i + 1; selection->alive[i] && j < selection->systems; j++)
            if (selection->alive[j])
                compare(selection, values, i, j);
    for (size_t i = 0; i < selection->systems; i++)
        if (selection->beaten[i] && selection->alive[i]) {
            selection->alive[i] = false;
            selection->alive_count--;
        }
    assert(selection->alive_count > 0);
    return selection->alive_count;
}

size_t sim_selection_alive_count(const struct sim_selection *selection)
{
    return selection->alive_count;
}

size_t sim_selection_best(const struct sim_selection *selection)
{
    assert(selection->replications > 0);
    size_t best = selection->systems;
    for (size_t i = 0; i < selection->systems; i++) {
        if (!selection->alive[i])
            continue;
        if (best == selection->systems ||
            (selection->smallest_is_best ? selection->sums[i] < selection->sums[best]
                                         : selection->sums[i] > selection->sums[best]))
            best = i;
    }
    return best;
}
