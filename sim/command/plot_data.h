/* The data files that the gnuplot scripts read, and the settings that go with each picture.
 *
 * All text of users reaches gnuplot in tab-separated data or as a single-quoted string with its quotes
 * doubled, in a terminal without enhanced text: nothing in it is ever code.
 */
#ifndef VDISIM_PLOT_DATA_H
#define VDISIM_PLOT_DATA_H

#include "sim/command/plot_result.h"
#include "sim/experiment/result/result_csv.h"
#include "sim/experiment/result/writer.h"

/* One picture: the script that draws it and the settings file that names its data. */
struct picture {
    const char *script; /* "timeline.gp" */
    char name[64];      /* of the picture's files, "timeline-cell-1" */
};

enum { PICTURES_MOST = 64 };

struct pictures {
    struct picture items[PICTURES_MOST];
    size_t count;
};

/* What is drawn of one cell. */
struct plot_choice {
    size_t cell, replication; /* from 1 */
    const char *store;        /* NULL: the one with the most transactions */
};

/* All write into FOLDER/plots, which exists, and add the pictures for which there are data. False with a
 * message. */
bool plot_overview(const struct plot_result *result, struct pictures *pictures, char *message,
                   size_t message_size);
bool plot_run(const struct plot_result *result, const struct plot_choice *choice, struct pictures *pictures,
              char *message, size_t message_size);

/* What the workloads of a cell ask of the stores that they share; no picture where they share none. */
bool plot_workloads(const struct plot_result *result, const struct plot_choice *choice,
                    struct pictures *pictures, char *message, size_t message_size);

bool plot_bars(const struct plot_result *result, struct pictures *pictures, char *message,
               size_t message_size);

/* Shared by them. */

struct plot_logons {
    size_t count, unfinished; /* among them */
};

/* Writes the logons of the run into cell-N-logons.dat, and the starts of those that did not finish into
 * cell-N-unfinished.dat, for loads.gp. */
bool plot_logons(const struct plot_result *result, const struct plot_choice *choice,
                 struct plot_logons *logons, char *message, size_t message_size);

/* Reads a file of the result row by row. */
bool plot_read(const struct plot_result *result, const char *name, result_csv_take *take, void *context,
               char *message, size_t message_size);
bool plot_is_chosen(const struct plot_choice *choice, const struct result_csv_row *row);
/* Minutes since the start, 2021-01-01T09:00:00Z; NaN for what is no such time. */
double plot_minutes(const char *text);
/* Room for one more item; NULL when memory is short. */
void *plot_room(void *items, size_t count, size_t *capacity, size_t size);

struct writer plot_open(const struct plot_result *result, const char *name);
bool plot_close(struct writer *writer, const char *name, char *message, size_t message_size);
/* A text as a field of tab-separated data. */
void write_plot_text(struct writer *writer, const char *text);
/* A number, "NaN" where there is none. */
void write_plot_number(struct writer *writer, double value);
/* `name = 'value'` */
void write_plot_setting(struct writer *writer, const char *name, const char *value);
/* The picture's name, and the same as an SVG title may have it (letters, digits and '_'). */
void write_picture_name(struct writer *writer, const char *name);
void pictures_add(struct pictures *pictures, const char *script, const char *name);

#endif
