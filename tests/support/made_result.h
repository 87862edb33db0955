/* Results made up for tests of what is printed: an experiment read from a text, and values of metrics. */
#ifndef VDISIM_TESTS_MADE_RESULT_H
#define VDISIM_TESTS_MADE_RESULT_H

#include "sim/experiment/result/json.h"
#include "sim/experiment/result/result.h"
#include "sim/experiment/result/table.h"
#include "tests/support/check.h"
#include "tests/support/open_text.h"
#include "tests/support/problems.h"

/* Of `names` (NULL-terminated, "profile_load.mean s" with the unit behind a blank) the values
 * [cell][replication][metric]; all runs drew the multipliers 1, 1.1, 0.9, 1.05, 0.95, ... where cv > 0. */
static inline struct result *make_result(const char *text, const char *const *names, const double *values,
                                         double run_effect_cv)
{
    static const double effects[] = {1, 1.1, 0.9, 1.05, 0.95, 1.2, 0.8};
    struct problems *problems = problems_create();
    struct experiment *experiment = open_text(text, NULL, problems);
    assert_no_errors(problems);
    problems_destroy(problems);
    struct result *result = calloc(1, sizeof *result);
    result->experiment = experiment;
    result->cell_count = experiment_cell_count(experiment);
    result->replications = (size_t)experiment_run(experiment)->replications;
    while (names[result->metric_count] != NULL)
        result->metric_count++;
    result->metrics = calloc(result->metric_count, sizeof *result->metrics);
    for (size_t i = 0; i < result->metric_count; i++) {
        result->metrics[i].name = strndup(names[i], strcspn(names[i], " "));
        result->metrics[i].unit = strdup(strchr(names[i], ' ') != NULL ? strchr(names[i], ' ') + 1 : "");
    }
    result->store_count = 1;
    result->store_names = calloc(1, sizeof *result->store_names);
    result->store_names[0] = strdup("p");
    result->plans = calloc(result->cell_count, sizeof *result->plans);
    for (size_t i = 0; i < result->cell_count; i++)
        result->plans[i] = (struct cell_plan){result->replications, CELL_PLAIN, NAN};
    result->units = calloc(result->cell_count * result->replications, sizeof *result->units);
    result->run_effect_cv = calloc(result->cell_count, sizeof *result->run_effect_cv);
    for (size_t i = 0; i < result->cell_count * result->replications; i++) {
        struct unit_result *unit = &result->units[i];
        unit->metrics = malloc(result->metric_count * sizeof *unit->metrics);
        memcpy(unit->metrics, values + i * result->metric_count, result->metric_count * sizeof *values);
        unit->run_effect = run_effect_cv > 0 ? effects[i % result->replications] : 1;
        unit->done = true;
        result->run_effect_cv[i / result->replications] = run_effect_cv;
    }
    assert_true(result_summarize(result));
    return result;
}

static inline void release_made_result(struct result *result)
{
    struct experiment *experiment = (struct experiment *)(uintptr_t)result->experiment;
    result_destroy(result);
    experiment_close(experiment);
}

/* What people see of it; to be freed. */
static inline char *report_of(const struct result *result)
{
    char *text = NULL;
    size_t size = 0;
    struct writer writer = {.file = open_memstream(&text, &size)};
    assert_true(report_print(result, NULL, &writer, &(struct text_style){0}));
    fclose(writer.file);
    return text;
}

static inline char *json_of(const struct result *result)
{
    char *text = NULL;
    size_t size = 0;
    struct writer writer = {.file = open_memstream(&text, &size)};
    result_print_json(result, &writer);
    fclose(writer.file);
    return text;
}

/* The text has this, or has it not. */
static inline void assert_says(const char *text, const char *part, bool wanted)
{
    if ((strstr(text, part) != NULL) != wanted)
        fail_msg("%s: %s\nin:\n%s", wanted ? "not said" : "said", part, text);
}

#endif
