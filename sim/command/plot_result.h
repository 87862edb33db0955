/* A result folder as the pictures need it: its cells with the headline figures, read from manifest.json,
 * cells.csv and expectations.csv.
 */
#ifndef VDISIM_PLOT_RESULT_H
#define VDISIM_PLOT_RESULT_H

#include "sim/experiment/result/label.h"

#include <stdbool.h>
#include <stddef.h>

struct plot_metric {
    size_t cell; /* from 1 */
    char name[LABEL_SIZE], unit[LABEL_SIZE];
    double mean, ci95_low, ci95_high, pi95_low, pi95_high;
};

struct plot_cell {
    char block[LABEL_SIZE];         /* the first varied key's value, "" when only one key varies */
    char label[LABEL_SIZE];         /* the other varied values */
    char title[2 * LABEL_SIZE + 2]; /* all of them as written, for headings: "size 1 TiB" */
    double published;               /* of the headline metric, NaN without */
};

struct plot_result {
    const char *folder;
    char plots[4200]; /* the folder of its pictures: FOLDER/plots, unless set otherwise after loading */
    char title[256];
    char places[LABEL_SIZE]; /* the keys that the cells' labels are values of, but for those that name
                                themselves */
    struct plot_cell *cells; /* [number - 1] */
    size_t cell_count;
    struct plot_metric *metrics;
    size_t metric_count;
    const struct plot_metric
        *headline; /* one row of the metric that answers the question; NULL without metrics */
};

/* False with a message; to be released in both cases. `folder` must outlive the result. */
bool plot_result_load(struct plot_result *result, const char *folder, char *message, size_t message_size);
void plot_result_release(struct plot_result *result);

/* A metric of a cell (from 1), or NULL. `store` may be "": the name alone; else STORE.NAME if there is one. */
const struct plot_metric *plot_result_metric(const struct plot_result *result, size_t cell, const char *store,
                                             const char *name);

#endif
