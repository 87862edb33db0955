/* The sizes in which a tier is looked at, and the pieces in which more is better or worse throughout.
 *
 * Sizes go up by 2 %, to whole steps of the tier. A larger share is not better in everything: where the burst limit is
 * the same for all small shares the bucket, burst time x (burst limit - baseline), shrinks as the baseline grows (premium
 * up to 1,333 GiB, later up to 3,333 GiB, and beyond the size at which the burst limit is at its maximum). The row is
 * therefore cut where the bucket turns from growing to shrinking or back. Within a piece all that a share may do moves one
 * way, so that a target is met from some size on, or up to some size, or everywhere, or nowhere: its two ends and a
 * bisection tell.
 */
#ifndef VDISIM_SIZES_H
#define VDISIM_SIZES_H

#include "vdisim/share.h"

#include <stddef.h>
#include <stdint.h>

struct size_piece {
    size_t first, last; /* both belong to it; the next begins with this one's last */
};

struct sizes {
    int64_t *list; /* bytes, rising */
    size_t count;
    struct size_piece *pieces;
    size_t piece_count;
};

/* From the smallest that is sold and holds `least_bytes`; one alone where the limits do not depend on the size; none when
 * none is large enough. False when memory is short. */
bool sizes_make(struct sizes *sizes, const struct share_settings *tier, double least_bytes);
void sizes_release(struct sizes *sizes);

/* The settings with another size. */
struct share_settings sizes_settings(const struct share_settings *tier, int64_t bytes);

#endif
