/* Any bytes as what stands under `vary` and `expect` of an experiment that is otherwise right, and, after a line
 * "=====", as the CSV table (table.csv) that they may name. Ends with cells and expectations that hold together, or
 * with problems. */
#define _GNU_SOURCE /* memmem */
#include "sim/experiment/read/experiment.h"
#include "tests/support/open_text.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const char head[] = "experiment: x\n"
                           "stores: {p: {tier: azure-files/premium, size: 5 TiB}}\n"
                           "workloads: {logons: {users: 10}}\n";
static const char separator[] = "\n=====\n";

/* The folder of the table, made once a process; the experiment itself is never a file. */
static const char *folder(void)
{
    static char name[] = "/tmp/vdisim-fuzz-XXXXXX";
    static bool is_made;
    if (!is_made && mkdtemp(name) == NULL)
        abort();
    is_made = true;
    return name;
}

static void write_table(const char *text, size_t length)
{
    char path[64];
    snprintf(path, sizeof path, "%s/table.csv", folder());
    FILE *file = fopen(path, "w");
    if (file == NULL || fwrite(text, 1, length, file) != length || fclose(file) != 0)
        abort();
}

static void check_cell(const struct cell *cell, const struct cell *first)
{
    if (cell->assignment_count != first->assignment_count || cell->scenario == NULL)
        abort();
    for (size_t i = 0; i < cell->assignment_count; i++)
        if (strcmp(cell->assignments[i].key, first->assignments[i].key) != 0 ||
            strlen(cell->assignments[i].label) == 0)
            abort();
    for (size_t i = 0; i < cell->expectation_count; i++) {
        const struct expectation *it = &cell->expectations[i];
        bool is_range = it->rule == EXPECT_BETWEEN;
        if (it->metric[0] == '\0' || it->source == NULL || isnan(it->published) != is_range ||
            (is_range && !(it->low <= it->high)) || !(it->tolerance >= 0))
            abort();
    }
}

static void read_part(const char *part, size_t length)
{
    char path[64];
    snprintf(path, sizeof path, "%s/x.yaml", folder());
    size_t whole = strlen(head) + length;
    char *text = malloc(whole + 1);
    if (text == NULL)
        return;
    memcpy(text, head, strlen(head));
    if (length > 0)
        memcpy(text + strlen(head), part, length);
    const struct experiment_options options = {.seed = -1};
    const struct opening opening = {.vocabulary = test_vocabulary,
                                    .catalogue = test_catalogue,
                                    .path = path,
                                    .text = text,
                                    .length = whole,
                                    .options = &options};
    struct problems *problems = problems_create();
    struct experiment *experiment = experiment_open_with(&opening, problems);
    if ((experiment == NULL) != (problems_errors(problems) > 0))
        abort();
    for (size_t i = 0; experiment != NULL && i < experiment_cell_count(experiment); i++)
        check_cell(experiment_cell(experiment, i), experiment_cell(experiment, 0));
    experiment_close(experiment);
    problems_destroy(problems);
    free(text);
}

/* An absolute path, or one out of the folder, would read this machine's files: no slash but inside a name. */
static bool leaves_folder(const char *text, size_t length)
{
    for (size_t i = 0; i < length; i++)
        if (text[i] == '\\' || (text[i] == '/' && (i == 0 || !isalnum((unsigned char)text[i - 1]))))
            return true;
    return false;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const char *text = (const char *)data,
               *split = size > 0 ? memmem(text, size, separator, strlen(separator)) : NULL;
    size_t length = split != NULL ? (size_t)(split - text) + 1 : size;
    if (leaves_folder(text, length < size ? length : size))
        return 0;
    if (split != NULL)
        write_table(split + strlen(separator), size - (size_t)(split - text) - strlen(separator));
    read_part(text, length);
    return 0;
}
