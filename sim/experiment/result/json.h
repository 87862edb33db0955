/* A result for programs: the JSON document that scripts rely on, and the same figures as CSV in long form.
 *
 * JSON: {"experiment", "version", "seed", "interrupted", "precision": null | {...}, "selection": null | {...}, "cells":
 * [{"cell": {KEY: VALUE}, "replications": N, "plan": {"fate", "replications", "half_width"}, "metrics": {NAME: {"unit",
 * "mean", "ci95": [lo, hi], "pi95": [lo, hi], "median", "median_ci95": [lo, hi]}}, "expect": [{"metric", "published",
 * "predicted", "verdict", "rule", ...}]}], "warnings": [...]}. Keys are only ever added. A value that does not exist is
 * null, values of cells are text, as the experiment file writes them. There is a median from six values on. The
 * half-width of a plan is a fraction of the mean when "precision" is relative.
 *
 * CSV: cell, the varied keys, replications, metric, unit, mean, ci95_low, ci95_high, pi95_low, pi95_high; one
 * row a cell and metric, an empty field for a value that does not exist, RFC 4180 but for line ends, which
 * are plain.
 */
#ifndef VDISIM_JSON_H
#define VDISIM_JSON_H

#include "sim/experiment/result/result.h"
#include "sim/experiment/result/writer.h"

void result_print_json(const struct result *result, struct writer *writer);
void result_print_csv(const struct result *result, struct writer *writer);

/* "one-run", "tolerance", "between" */
const char *expectation_rule_name(enum expectation_rule rule);

#endif
