/* Scheduled changes of a share's size: `10 TiB at 20 min`, since the start of the run.
 *
 * A size may be raised at any time, and lowered only when some time (24 h) has passed since the last raise. What follows from
 * the size changes a few minutes after it was asked for. The list is text in the settings (share.h); share_is_sold() reads it,
 * too, so that settings that were checked can be read without a complaint.
 */
#ifndef VDISIM_SHARE_RESIZE_H
#define VDISIM_SHARE_RESIZE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct parameter_problem;
struct share_settings;

#define SHARE_RESIZES_MAX 64

struct share_resize {
    int64_t at_ns, size_bytes;
};

/* Reads the list into `resizes`, which has room for SHARE_RESIZES_MAX. False: `problem` says what cannot be. */
bool share_resizes_read(const struct share_settings *settings, struct share_resize *resizes, size_t *count,
                        struct parameter_problem *problem);

#endif
