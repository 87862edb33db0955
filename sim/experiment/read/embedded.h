/* Text files that the program carries inside itself: catalogues, plot scripts, templates.
 *
 * The arrays are generated at build by cmake/embed.cmake; each is closed by an entry whose name is NULL.
 */
#ifndef VDISIM_EXPERIMENT_EMBEDDED_H
#define VDISIM_EXPERIMENT_EMBEDDED_H

#include <stddef.h>

struct embedded_file {
    const char *name; /* without folder, e.g. "defaults.yaml" */
    const char *text; /* NUL-terminated; the NUL is not counted */
    size_t length;
};

extern const struct embedded_file embedded_catalogue[]; /* the files of models/catalogue, ordered by name */

extern const struct embedded_file embedded_report[]; /* the style of a report, plots/report */

#endif
