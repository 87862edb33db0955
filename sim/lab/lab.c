#include "sim/lab/lab.h"

#include "sim/experiment/read/opening.h"
#include "sim/experiment/result/json.h"
#include "sim/experiment/result/records.h"
#include "sim/experiment/result/table.h"
#include "sim/lab/lab_inside.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

static const char file_name[] = "experiment.yaml";

void lab_begin_text(struct lab *lab)
{
    free(lab->text);
    lab->text = NULL;
    lab->writer = (struct writer){.file = open_memstream(&lab->text, &lab->text_size)};
}

const char *lab_end_text(struct lab *lab)
{
    if (lab->writer.file == NULL || fclose(lab->writer.file) != 0) {
        free(lab->text);
        lab->text = NULL;
    }
    lab->writer.file = NULL;
    return lab->text;
}

struct lab *lab_open(const char *text)
{
    struct lab *lab = calloc(1, sizeof *lab);
    if (lab == NULL)
        return NULL;
    lab->problems = problems_create();
    if (lab->problems == NULL) {
        free(lab);
        return NULL;
    }
    struct opening opening = {.vocabulary = vocabulary_of_models(),
                              .catalogue = embedded_catalogue,
                              .path = file_name,
                              .text = text,
                              .length = strlen(text)};
    lab->experiment = experiment_open_with(&opening, lab->problems);
    return lab;
}

void lab_close(struct lab *lab)
{
    if (lab == NULL)
        return;
    result_destroy(lab->result);
    experiment_close(lab->experiment);
    problems_destroy(lab->problems);
    free(lab->text);
    free(lab);
}

bool lab_is_fine(const struct lab *lab)
{
    return lab->experiment != NULL && problems_errors(lab->problems) == 0;
}

const char *lab_problems(struct lab *lab)
{
    lab_begin_text(lab);
    if (lab->writer.file != NULL)
        problems_print_json(lab->problems, lab->writer.file);
    return lab_end_text(lab);
}

bool lab_run(struct lab *lab, lab_look *look, void *context)
{
    assert(lab_is_fine(lab));
    result_destroy(lab->result);
    struct looking looking = {.lab = lab, .look = look, .context = context};
    struct unit_watch watch = {look_at_world, &looking};
    struct run_options options = {.jobs = 1, .keep_records = true, .watch = look != NULL ? &watch : NULL};
    char message[UNIT_MESSAGE_SIZE] = "out of memory";
    lab->result = experiment_execute(lab->experiment, &options, message, sizeof message);
    free(looking.told);
    if (lab->result == NULL)
        problem_add(lab->problems, PROBLEM_ERROR, (struct position){.file = file_name}, "%s", message);
    return lab->result != NULL;
}

bool lab_has_run(const struct lab *lab)
{
    return lab->result != NULL;
}

static void write_answer(const struct result *result, struct writer *writer)
{
    struct text_style style = {.utf8 = true};
    report_print(result, NULL, writer, &style);
}

static void write_document(struct lab *lab, const char *name)
{
    if (strcmp(name, "values.txt") == 0) {
        experiment_print_full(lab->experiment, lab->writer.file);
        return;
    }
    if (lab->result == NULL)
        return;
    if (strcmp(name, "result.json") == 0)
        result_print_json(lab->result, &lab->writer);
    else if (strcmp(name, "answer.txt") == 0)
        write_answer(lab->result, &lab->writer);
    for (size_t i = 0; i < result_file_count(lab->result); i++)
        if (strcmp(name, result_file_name(lab->result, i)) == 0)
            result_file_write(lab->result, i, &lab->writer);
}

const char *lab_document(struct lab *lab, const char *name)
{
    assert(lab_is_fine(lab));
    lab_begin_text(lab);
    if (lab->writer.file != NULL)
        write_document(lab, name);
    return lab_end_text(lab);
}
