/* Opening an experiment with everything in hand: what tests, fuzzing and embedding programs use;
 * experiment_open() is this with the models' vocabulary and the embedded catalogue. */
#ifndef VDISIM_OPENING_H
#define VDISIM_OPENING_H

#include "sim/experiment/read/arena.h"
#include "sim/experiment/read/catalogue.h"
#include "sim/experiment/read/embedded.h"
#include "sim/experiment/read/experiment.h"
#include "sim/experiment/read/node.h"
#include "sim/experiment/read/scenario.h"
#include "sim/experiment/read/sha256.h"
#include "sim/experiment/read/vary.h"
#include "sim/experiment/read/vocabulary.h"

struct opening {
    struct vocabulary vocabulary;
    const struct embedded_file *catalogue; /* the built-in files */
    const char *path;
    const char *text; /* the file's text; NULL: path is read */
    size_t length;
    const struct experiment_options *options; /* NULL: none */
};

/* NULL when `problems` then holds an error. */
struct experiment *experiment_open_with(const struct opening *opening, struct problems *problems);

/* The inside of an experiment, for the files that print and hash it. */
struct experiment_cell {
    struct cell cell;
    const struct node *root;
    const struct resolution *resolution;
};

struct experiment {
    struct arena *arena; /* owns all else */
    struct vocabulary vocabulary;
    struct catalogue *catalogue;
    const char *path, *name, *title, *question, *answer;
    const struct node *root;
    struct vary *vary;
    struct experiment_cell *cells;
    size_t cell_count;
    struct experiment_options options; /* what it was opened with */
    struct precision_target *precision;
    struct assumption *assumptions;
    size_t assumption_count;
    const char **prices; /* stated, each once */
    size_t price_count;
    char hash[SHA256_HEX_SIZE];
};

/* Reads what the run section asks for of all cells together: `precision`. */
void experiment_read_run_rules(struct experiment *experiment, struct problems *problems);

/* Fill `assumptions` and `hash` once the cells are resolved. */
void experiment_collect_assumptions(struct experiment *experiment);
void experiment_compute_hash(struct experiment *experiment);

#endif
