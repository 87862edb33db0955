/* The jobs of a layering workload and the layers they work on, read from their texts (layering.h). */
#ifndef VDISIM_MODELS_LAYERING_PLAN_H
#define VDISIM_MODELS_LAYERING_PLAN_H

#include "vdisim/parameter.h"

#include <stddef.h>
#include <stdint.h>

enum layering_action {
    LAYERING_IMPORT,
    LAYERING_CREATE,
    LAYERING_VERSION,
    LAYERING_PUBLISH,
    LAYERING_ACTION_COUNT
};

#define LAYER_NAME_SIZE 32

/* Each layer is of one job, the one that makes it, or was there at the start. */
struct layer {
    char name[LAYER_NAME_SIZE];
    int64_t size_bytes, used_bytes;
};

struct layering_job {
    enum layering_action action;
    size_t layer; /* that it makes, or of which it makes a version; of publish: SIZE_MAX */
    char name[LAYER_NAME_SIZE];
    size_t *below; /* layers of the boot disk, or of the image */
    size_t below_count;
    int64_t below_bytes; /* used by them */
    size_t same;         /* the first job of this action and name: they are reported together */
};

struct layering_plan {
    struct layer *layers;
    size_t layer_count;
    struct layering_job *jobs;
    size_t job_count;
};

enum layering_plan_answer { LAYERING_PLAN_OK, LAYERING_PLAN_WRONG, LAYERING_PLAN_NO_MEMORY };

/* Reads the texts. Wrong: `problem` says what, and nothing is kept. Else to be released. */
enum layering_plan_answer layering_plan_make(struct layering_plan *plan, const struct parameter_texts *layers,
                                             const struct parameter_texts *jobs,
                                             struct parameter_problem *problem);
void layering_plan_release(struct layering_plan *plan);

/* "import", "create", "version", "publish" */
const char *layering_action_name(enum layering_action action);

#endif
