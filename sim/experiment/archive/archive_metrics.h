/* The metrics of all units of one archived run, without the logons and minutes: what a comparison reads.
 *
 * One statement over an ordered index; a thousand units take tens of milliseconds.
 */
#ifndef VDISIM_ARCHIVE_METRICS_H
#define VDISIM_ARCHIVE_METRICS_H

#include "sim/experiment/archive/archive.h"

struct archive_metrics {
    struct archive_run_info run;
    size_t cell_count;
    size_t replications;             /* the most that any cell has */
    size_t *assignment_counts;       /* [cell] */
    struct assignment **assignments; /* [cell][assignment] */
    struct metric_name *metrics;     /* in the order reported */
    size_t metric_count;
    /* [cell * replications + replication] */
    bool *done;
    double *run_effects; /* 1 without */
    double *run_effect_cvs;
    uint64_t *fingerprints;
    double
        *values; /* [(cell * replications + replication) * metric_count + metric], NaN where there is none */
};

/* 0: the newest run that is finished, or else the newest. */
enum archive_status archive_metrics_load(struct archive *archive, int64_t run,
                                         struct archive_metrics **metrics, char message[UNIT_MESSAGE_SIZE]);
void archive_metrics_free(struct archive_metrics *metrics);

#endif
