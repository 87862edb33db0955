/* What the `run` section asks for beyond single values: a target precision, and what goes together. */
#include "sim/experiment/read/opening.h"

#include "sim/experiment/read/metric_value.h"
#include "sim/experiment/read/quantity.h"

#include <string.h>

static const struct node *written(const struct experiment *experiment, const char *key)
{
    const struct node *run = node_get(experiment->root, "run");
    const struct node *node = node_get(run, key);
    return node_is_empty(node) ? NULL : node;
}

static bool parse_half_width(const struct run_settings *run, struct precision_target *target,
                             struct position at, struct problems *problems)
{
    char message[256];
    size_t length = strlen(run->precision);
    target->is_relative = length > 0 && run->precision[length - 1] == '%';
    bool fine;
    if (target->is_relative) {
        struct quantity quantity;
        fine = quantity_parse(PARAMETER_FRACTION, run->precision, &quantity, message, sizeof message);
        target->half_width = quantity.number;
    } else {
        fine = metric_value_parse(run->of, run->precision, &target->half_width, message, sizeof message);
    }
    if (!fine)
        problem_add(problems, PROBLEM_ERROR, at, "precision of %.80s: %s; write `2 %%` or as the metric is",
                    run->of, message);
    else if (!(target->half_width > 0))
        problem_add(problems, PROBLEM_ERROR, at, "a precision is above zero");
    return fine;
}

/* It means nothing without a precision; the other keys also bound a selection of the best cell. */
static void refuse_orphan(const struct experiment *experiment, struct problems *problems)
{
    const struct node *of = written(experiment, "of");
    if (of != NULL)
        problem_add(problems, PROBLEM_ERROR, of->at, "of goes with precision, which is not set");
}

static void read_precision(struct experiment *experiment, const struct run_settings *run,
                           struct problems *problems)
{
    const struct node *precision = written(experiment, "precision");
    const struct node *replications = written(experiment, "replications");
    if (precision == NULL) {
        refuse_orphan(experiment, problems);
        return;
    }
    /* What stands on the command line goes before what the file says. */
    bool precision_is_set = strcmp(precision->at.file, experiment->path) != 0;
    bool count_is_set = replications != NULL && strcmp(replications->at.file, experiment->path) != 0;
    if (experiment->options.replications > 0 || (count_is_set && !precision_is_set))
        return; /* so many, then, whatever the file aims at */
    if (replications != NULL && count_is_set == precision_is_set)
        problem_add(problems, PROBLEM_ERROR, replications->at,
                    "replications and precision contradict each other: the count follows from the precision");
    struct precision_target *target = ARENA_NEW(experiment->arena, struct precision_target);
    target->metric = run->of;
    target->confidence = run->confidence;
    target->at_least = (size_t)run->at_least;
    target->at_most = (size_t)run->at_most;
    if (!metric_name_is_valid(run->of))
        problem_add(problems, PROBLEM_ERROR, precision->at, "'%.60s' is not the name of a metric", run->of);
    else
        parse_half_width(run, target, precision->at, problems);
    if (run->at_most < run->at_least) {
        const struct node *limit = written(experiment, "at_most");
        limit = limit == NULL ? written(experiment, "at_least") : limit;
        problem_add(problems, PROBLEM_ERROR, limit == NULL ? precision->at : limit->at,
                    "at_most is below at_least, %lld and %lld", (long long)run->at_most,
                    (long long)run->at_least);
    }
    experiment->precision = target;
}

/* A run is cut into batches instead of being repeated. */
static void read_batches(struct experiment *experiment, const struct run_settings *run,
                         struct problems *problems)
{
    const struct node *batches = written(experiment, "batches");
    const struct node *replications = written(experiment, "replications");
    if (run->batches == 0)
        return;
    struct position at = batches == NULL ? experiment->root->at : batches->at;
    if (run->batches == 1)
        problem_add(problems, PROBLEM_ERROR, at, "one batch has no spread: write 10 or more");
    if (experiment->precision != NULL)
        problem_add(problems, PROBLEM_ERROR, at,
                    "batches and precision contradict each other: batches are of one run");
    if (replications != NULL && run->replications != 1)
        problem_add(problems, PROBLEM_ERROR, replications->at,
                    "batches are of one long run: leave replications out, or batches");
    for (size_t i = 0; i < experiment->cell_count; i++) {
        struct resolution *resolution = (struct resolution *)experiment->cells[i].resolution;
        resolution->scenario.run.replications = 1;
    }
}

void experiment_read_run_rules(struct experiment *experiment, struct problems *problems)
{
    const struct run_settings *run = experiment_run(experiment);
    read_precision(experiment, run, problems);
    read_batches(experiment, run, problems);
    for (size_t i = 0; i < experiment->cell_count; i++) {
        const struct run_settings *it = &experiment->cells[i].resolution->scenario.run;
        const struct node *warm_up = written(experiment, "warm_up");
        struct position at = warm_up == NULL ? experiment->root->at : warm_up->at;
        if (it->warm_up_ns >= it->length_ns)
            problem_add(problems, PROBLEM_ERROR, at,
                        "the warm-up is as long as the run, so nothing is measured");
        if (it->warm_up_ns > 0 && it->steady_state)
            problem_add(problems, PROBLEM_ERROR, at,
                        "warm_up and steady_state contradict each other: the one is given, the other found");
    }
}
