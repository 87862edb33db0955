/* Samples made up for tests: cells of one varied key, metrics, and values run by run. */
#ifndef VDISIM_TESTS_MADE_SAMPLE_H
#define VDISIM_TESTS_MADE_SAMPLE_H

#include "sim/experiment/compare/sample.h"
#include "tests/support/check.h"

#include <string.h>

/* Sizes are the values of stores.p.size; metrics "NAME unit"; both end in NULL. values[cell][replication][metric].
 * All runs drew the multipliers 1, 1.1, 0.9, ... where `has_effect`. */
static inline struct sample *make_sample(const char *origin, int64_t seed, const char *const *sizes,
                                         const char *const *metrics, size_t replications,
                                         const double *values, bool has_effect)
{
    static const double effects[] = {1, 1.1, 0.9, 1.05, 0.95, 1.2, 0.8, 1.02};
    struct sample *sample = sample_create(origin);
    assert_non_null(sample);
    sample->experiment = "made";
    sample->version = "1";
    sample->generator = "made";
    sample->hash = "00";
    sample->seed = seed;
    sample->length_s = 3600;
    sample->replications = replications;
    while (sizes[sample->cell_count] != NULL)
        sample->cell_count++;
    sample->cells = ARENA_ARRAY(sample->arena, struct sample_cell, sample->cell_count);
    for (size_t i = 0; i < sample->cell_count; i++) {
        sample->cells[i].assignment_count = 1;
        sample->cells[i].assignments = ARENA_NEW(sample->arena, struct assignment);
        *sample->cells[i].assignments = (struct assignment){.key = "stores.p.size", .value = sizes[i]};
    }
    sample_label(sample);
    while (metrics[sample->metric_count] != NULL)
        sample->metric_count++;
    sample->metrics = ARENA_ARRAY(sample->arena, struct sample_metric, sample->metric_count);
    for (size_t i = 0; i < sample->metric_count; i++) {
        const char *blank = strchr(metrics[i], ' ');
        sample->metrics[i].name = arena_text_n(sample->arena, metrics[i], strcspn(metrics[i], " "));
        sample->metrics[i].unit = blank == NULL ? "" : blank + 1;
    }
    sample_shape(sample);
    for (size_t i = 0; i < sample->cell_count * replications; i++) {
        sample->done[i] = true;
        sample->fingerprints[i] = 0x1234567890abcdef + i;
        sample->events[i] = 1000 + i;
        if (has_effect)
            sample->run_effects[i] = effects[i % replications % 8];
    }
    memcpy(sample->values, values, sample->cell_count * replications * sample->metric_count * sizeof *values);
    sample_mark_lower_bounds(sample);
    return sample;
}

#endif
