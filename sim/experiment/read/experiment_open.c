#include "sim/experiment/read/opening.h"

struct experiment *experiment_open(const char *path, const struct experiment_options *options,
                                   struct problems *problems)
{
    struct opening opening = {.vocabulary = vocabulary_of_models(),
                              .catalogue = embedded_catalogue,
                              .path = path,
                              .options = options};
    return experiment_open_with(&opening, problems);
}
