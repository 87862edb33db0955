/* Drawing pictures with gnuplot: the scripts and the data side by side in one folder, and one run of gnuplot a picture. */
#ifndef VDISIM_PLOT_DRAW_H
#define VDISIM_PLOT_DRAW_H

#include "sim/command/plot_data.h"

/* Makes the folder result->plots where it is missing and writes the scripts into it. False with a message. */
bool plot_begin(const struct plot_result *result, char *message, size_t message_size);

/* Draws a picture, whose data and settings are there, as NAME.svg or NAME.png: `format` is "svg" or "png". False with a
 * message, also when gnuplot is not installed. */
bool plot_draw(const struct plot_result *result, const struct picture *picture, const char *format,
               char *message, size_t message_size);

#endif
