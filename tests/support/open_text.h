/* Opens an experiment from a text with the vocabulary and the catalogue of the tests. */
#ifndef VDISIM_TESTS_OPEN_TEXT_H
#define VDISIM_TESTS_OPEN_TEXT_H

#include "sim/experiment/read/opening.h"
#include "tests/support/vocabulary.h"

static inline struct experiment *open_text(const char *text, const struct experiment_options *options,
                                           struct problems *problems)
{
    const struct opening opening = {.vocabulary = test_vocabulary,
                                    .catalogue = test_catalogue,
                                    .path = "x.yaml",
                                    .text = text,
                                    .length = strlen(text),
                                    .options = options};
    return experiment_open_with(&opening, problems);
}

#endif
