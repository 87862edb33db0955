/* A report: a result folder as one page to hand over.
 *
 * The question, the answer first, predicted beside published, what happened over time, where the time goes, what it costs,
 * the configuration, every assumption with its status and source, and how to run it again. As one HTML file that needs
 * nothing else, or as Markdown for a pull request, without the pictures.
 */
#ifndef VDISIM_REPORT_H
#define VDISIM_REPORT_H

#include "sim/experiment/report/folder_result.h"
#include "sim/experiment/result/writer.h"

/* Pictures of the result, drawn elsewhere. */
struct report_picture {
    const char *name; /* as `vdisim plot` names it: "predicted", "timeline-cell-1" */
    const char *svg;  /* the document */
};

struct report {
    const struct folder_result *kept;
    const char *folder;
    const struct report_picture *pictures;
    size_t picture_count;
    const char *why_no_pictures; /* shown in their place; NULL when there are some */
    const size_t *cells;         /* whose minutes are shown, from 1 */
    size_t cell_count;
};

/* False when memory is short or a file of the folder cannot be read; what fails in writing is the writer's. */
bool report_print_html(const struct report *report, struct writer *writer);
bool report_print_markdown(const struct report *report, struct writer *writer);

#endif
