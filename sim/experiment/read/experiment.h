/* An experiment: one file, read, checked and unfolded into cells.
 *
 * experiment_open() reads the YAML file, overlays --set, unfolds `vary` into cells and resolves every cell to a scenario
 * (defaults <- catalogue <- file <- vary <- --set). All complaints of the file are collected before it gives up: when
 * `problems` holds an error the experiment is NULL and nothing was run. An experiment is immutable afterwards and may be
 * read by many threads.
 */
#ifndef VDISIM_EXPERIMENT_H
#define VDISIM_EXPERIMENT_H

#include "sim/experiment/read/problem.h"
#include "sim/experiment/read/text_file.h"
#include "vdisim/world.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

struct experiment;

struct experiment_options {
    const char *const
        *catalogues; /* extra catalogue files, in order; they add to the built-in one or override it */
    size_t catalogue_count;
    const char *const *sets; /* "KEY=VALUE" each, KEY dotted as under `vary` */
    size_t set_count;
    int64_t replications; /* 0: as the file says; else a fixed count, also where it asks for a precision */
    int64_t seed;         /* -1: as the file says */
    /* Texts in place of files, of a run to be repeated; with any of them no file is read. They, and the lists
     * above, must outlive the experiment. */
    const struct text_file *files;
    size_t file_count;
};

/* As many replications as make the interval of a metric this narrow. */
struct precision_target {
    const char *metric;
    double half_width; /* in the metric's unit, or a fraction of the mean */
    bool is_relative;
    double confidence;
    size_t at_least, at_most; /* replications: the first stage; where it ends in any case */
};

/* One varied key of a cell, as the file writes it. */
struct assignment {
    const char *key;   /* dotted path, e.g. stores.profiles.tier */
    const char *label; /* short column heading, the shortest tail of the key that is unique: "tier" */
    const char *value; /* as written: "azure-files/premium", "20000" */
};

/* How a published or demanded value is held against the prediction. */
enum expectation_rule {
    EXPECT_ONE_RUN,   /* published value lies in the 95 % prediction interval of one run */
    EXPECT_TOLERANCE, /* |predicted - published| <= tolerance * published */
    EXPECT_BETWEEN,   /* low <= predicted <= high; published is NaN */
};

struct expectation {
    const char *metric;
    enum expectation_rule rule;
    double published;   /* NaN when the rule is a range without a published value */
    double tolerance;   /* fraction */
    double low, high;   /* -INFINITY / INFINITY where open */
    const char *source; /* may be "" */
    const char *over;   /* of a ratio: the cell that it is taken to, as written, "shown_as: hdd"; else NULL */
    size_t over_cell;   /* the index of that cell */
};

struct cell {
    const struct assignment *assignments;
    size_t assignment_count;
    const struct scenario *scenario;
    const struct expectation *expectations;
    size_t expectation_count;
};

/* A parameter in use whose status is calibrated or assumed, once per (table, name), over all cells. */
struct assumption {
    const char *parameter; /* e.g. share.latency.spike_rate */
    const char *value;     /* as written in the catalogue */
    const char *status;    /* "calibrated" or "assumed" */
    const char *source;
};

struct experiment *experiment_open(const char *path, const struct experiment_options *options,
                                   struct problems *problems);
void experiment_close(struct experiment *experiment);

const char *experiment_name(const struct experiment *experiment);     /* key `experiment`, [a-z0-9-] */
const char *experiment_title(const struct experiment *experiment);    /* key `title`, or the name */
const char *experiment_question(const struct experiment *experiment); /* key `question`, or "" */
const char *experiment_answer(const struct experiment *experiment);   /* key `answer`: one sentence, or "" */
const char *experiment_path(const struct experiment *experiment);

size_t experiment_cell_count(const struct experiment *experiment);
const struct cell *experiment_cell(const struct experiment *experiment, size_t index);
const struct run_settings *experiment_run(const struct experiment *experiment);

/* NULL where a fixed count was asked for. */
const struct precision_target *experiment_precision(const struct experiment *experiment);

/* What it was opened with: to write down how it can be opened again. */
const struct experiment_options *experiment_options(const struct experiment *experiment);
const struct text_file *experiment_files(const struct experiment *experiment, size_t *count);

/* The prices in use, each stated once: "USD, prices of 2024-07, West US". */
const char *const *experiment_prices(const struct experiment *experiment, size_t *count);

const struct assumption *experiment_assumptions(const struct experiment *experiment, size_t *count);

/* Hash of everything that determines a unit's results: the resolved values of all cells, the seed; not how many
 * replications there are to be. 64 hex digits. */
const char *experiment_hash(const struct experiment *experiment);

/* `vdisim check --full`: every value of every cell (a value that all cells share is printed once), with its origin: the
 * file and line, the catalogue entry, or the default, and its source and status. As YAML with comments. */
void experiment_print_full(const struct experiment *experiment, FILE *out);

#endif
