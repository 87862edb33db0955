/* Any bytes as an experiment file and, after a line "=====", as a catalogue file. Whatever they are, reading
 * ends with an experiment or with problems, in memory and in time. */
#define _GNU_SOURCE /* memmem */
#include "sim/experiment/read/experiment.h"
#include "tests/support/open_text.h"

#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const char separator[] = "\n=====\n";

static void read_both(const char *text, size_t length, const char *catalogue, size_t catalogue_length)
{
    const struct embedded_file files[] = {
        test_catalogue[0], {"user.yaml", catalogue, catalogue_length}, {NULL, NULL, 0}};
    static const char *const sets[] = {"run.replications=3"};
    const struct experiment_options options = {.sets = sets, .set_count = 1, .seed = 7};
    const struct opening opening = {.vocabulary = test_vocabulary,
                                    .catalogue = catalogue != NULL ? files : test_catalogue,
                                    .path = "x.yaml",
                                    .text = text,
                                    .length = length,
                                    .options = &options};
    struct problems *problems = problems_create();
    struct experiment *experiment = experiment_open_with(&opening, problems);
    if ((experiment == NULL) != (problems_errors(problems) > 0))
        abort();
    char *out = NULL;
    size_t out_length = 0;
    FILE *stream = open_memstream(&out, &out_length);
    problems_print(problems, stream, true);
    problems_print_json(problems, stream);
    if (experiment != NULL && experiment_cell_count(experiment) <= 50)
        experiment_print_full(experiment, stream);
    fclose(stream);
    free(out);
    experiment_close(experiment);
    problems_destroy(problems);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const char *text = (const char *)data,
               *split = size > 0 ? memmem(text, size, separator, strlen(separator)) : NULL;
    /* copies of exactly the right length, so that reading past the end is seen */
    size_t length = split != NULL ? (size_t)(split - text) + 1 : size;
    size_t rest = split != NULL ? size - (size_t)(split - text) - strlen(separator) : 0;
    char *copy = malloc(length + 1), *catalogue = split != NULL ? malloc(rest + 1) : NULL;
    if (copy != NULL && length > 0)
        memcpy(copy, text, length);
    if (catalogue != NULL && rest > 0)
        memcpy(catalogue, split + strlen(separator), rest);
    if (copy != NULL)
        read_both(copy, length, catalogue, rest);
    free(copy);
    free(catalogue);
    return 0;
}
