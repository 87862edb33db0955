/* Sensitivity: which inputs move the answer of an experiment, the assumed ones first of all.
 *
 * One cell is run at many points in the space of its inputs: Morris trajectories (see vdisim/design.h), and each
 * input alone at either end of its range with the others as they are. All points draw the same random numbers, so
 * an input that does not matter has an effect of exactly 0. An effect is what moving the input across its whole
 * range does to the metric, in the metric's unit.
 *
 * An input is one line of the catalogue, or one setting of the file: parts that take a value from the same line,
 * such as two stores of one tier, move together, as what is not known about them is the same; different entries
 * move apart. Inputs are all numbers in use that are assumed or calibrated, and what the request names. Without a
 * range given they go from value / factor to value * factor, on a log scale, within the bounds of their row.
 *
 * The run effect is set to 0 at all points unless it is an input: it spreads single runs and moves no mean.
 *
 *     struct sensitivity *it = sensitivity_create(experiment, &request, problems);
 *     ... sensitivity_run_count(it) runs are ahead ...
 *     if (sensitivity_execute(it, &run, message, size) == SENSITIVITY_DONE) sensitivity_print(it, ...);
 *     sensitivity_destroy(it);
 */
#ifndef VDISIM_SENSITIVITY_H
#define VDISIM_SENSITIVITY_H

#include "sim/experiment/result/result.h"
#include "sim/experiment/result/text_table.h"
#include "vdisim/design.h"
#include "vdisim/parameter.h"

struct sensitivity_request {
    size_t cell;               /* from 0 */
    const char *const *ranges; /* "KEY=LOW..HIGH" each; KEY as under `vary`, or a tail of it that is unique */
    size_t range_count;
    const char *const *only; /* keys: vary these, and those with a range, and no others */
    size_t only_count;
    double factor;      /* more than 1 */
    const char *metric; /* NULL: the headline one */
    size_t trajectories, levels;
    size_t replications; /* of each point */
    double confidence;   /* of the interval of mu* */
};

struct sensitivity_input {
    const char **keys; /* dotted, as under `vary`; all are set to the same value */
    size_t key_count;
    const char *name;      /* the shortest tail of the first key that tells it from the other inputs */
    const char *parameter; /* of the table: share.service.cv */
    const char *status;    /* "assumed", ..., "file" for what the experiment says itself, "not set" */
    const char *source;    /* "" without one */
    const char *value;     /* "0.5" */
    const struct parameter *row;
    double low, high; /* in the unit of the field */
    const char *low_text, *high_text;
    bool is_log; /* steps are factors; else, where the range begins at 0 or below, differences */
    /* What came of it. */
    struct sim_effect effect; /* of the whole range, in the metric's unit */
    double at_low, at_high;   /* the metric there, the other inputs as they are; NaN without a value */
    bool low_is_bound, high_is_bound; /* unfinished logons: see unfinished.h */
    size_t bound_effects;             /* elementary effects that rest on such a point */
};

/* An assumed or calibrated parameter that is no input, and why. */
struct sensitivity_unvaried {
    const char *key, *status, *value, *reason;
};

struct sensitivity {
    struct arena *arena;                 /* owns all else */
    const struct experiment *experiment; /* outlives it */
    struct sensitivity_request request;
    struct sensitivity_input *inputs;
    size_t input_count;
    size_t *order; /* inputs by mu*, the largest first */
    struct sensitivity_unvaried *unvaried;
    size_t unvaried_count;
    const char **silenced; /* keys of run effects, set to 0 */
    size_t silenced_count;
    struct sim_morris design;
    double *points;                   /* [point * inputs + input] in [0, 1]; NaN: as it is */
    size_t point_count, design_count; /* the design's come first */
    ptrdiff_t *cells; /* [point]: its cell in `screened`, -1 where the values contradict each other */
    struct experiment *base, *screened; /* the cell as it is; a cell for each point that can be run */
    const char *contradiction;          /* of the first point that cannot; NULL */
    size_t contradictions;
    /* What came of it. */
    const char *metric, *unit;
    double base_value;
    bool base_is_bound;
    double *outputs; /* [point], NaN without a value */
    bool *output_is_bound;
    size_t bound_count, missing_count;
};

/* NULL with problems added: no such key, no range, nothing to vary, a cell that does not exist. */
struct sensitivity *sensitivity_create(const struct experiment *experiment,
                                       const struct sensitivity_request *request, struct problems *problems);
void sensitivity_destroy(struct sensitivity *sensitivity);

/* Runs that are ahead. */
size_t sensitivity_run_count(const struct sensitivity *sensitivity);

/* REFUSED: there is no such metric, or it has no value. */
enum sensitivity_end { SENSITIVITY_DONE, SENSITIVITY_INTERRUPTED, SENSITIVITY_REFUSED, SENSITIVITY_FAILED };

/* Runs all points and ranks the inputs. `run` as for experiment_execute(). But for DONE `message` says why not. */
enum sensitivity_end sensitivity_execute(struct sensitivity *sensitivity, const struct run_options *run,
                                         char *message, size_t message_size);

/* How the metric answers the input, by sigma / mu*: "linear" to 0.1, "monotonic" to 0.5, "almost monotonic" to 1, beyond
 * that "curved or interacting"; "none" without an effect, "" when not known. Limits: Garcia Sanchez, Lacarriere,
 * Musy and Bourges, Energy and Buildings 68 (2014). */
const char *sensitivity_response(const struct sim_effect *effect);

/* "assumed" or "calibrated" */
bool sensitivity_is_assumption(const struct sensitivity_input *input);

/* mu* as a share of the metric's value at the base; NaN where that is 0. */
double sensitivity_share(const struct sensitivity *sensitivity, const struct sensitivity_input *input);

/* A table and sentences for people. False when memory was short. */
bool sensitivity_print(const struct sensitivity *sensitivity, struct writer *writer,
                       const struct text_style *style);

/* JSON: {"experiment", "version", "seed", "cell": {KEY: VALUE}, "metric", "unit", "base", "base_is_bound",
 * "trajectories", "levels", "replications", "confidence", "points": {"all", "contradictory", "without_value",
 * "bounds"}, "inputs": [{"rank", "keys": [...], "parameter", "help", "status", "source", "value", "low", "high",
 * "scale": "log" | "linear", "at_low", "at_high", "mu", "mu_star", "mu_star_ci": [lo, hi], "sigma", "effects",
 * "bound_effects", "share", "response"}], "not_varied": [{"key", "status", "value", "reason"}]}. Keys are only ever
 * added; values are text as an experiment file has them, what does not exist is null.
 *
 * CSV: a row an input, in the order of rank: rank, key (the first), parameter, status, value, low, high, metric,
 * unit, base, at_low, at_high, mu, mu_star, mu_star_low, mu_star_high, sigma, effects, bound_effects, response. */
void sensitivity_print_json(const struct sensitivity *sensitivity, struct writer *writer);
void sensitivity_print_csv(const struct sensitivity *sensitivity, struct writer *writer);

#endif
