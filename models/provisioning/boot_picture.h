/* The picture of a boot: which reads of the vDisk it consists of. All targets of a workload share one. */
#ifndef VDISIM_MODELS_BOOT_PICTURE_H
#define VDISIM_MODELS_BOOT_PICTURE_H

#include "vdisim/boots.h"
#include "vdisim/random.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct boot_piece {
    uint32_t page, pages; /* of 4 KiB, from the beginning of the vDisk */
};

struct boot_picture {
    struct boot_piece *pieces;
    size_t count;
    uint32_t vdisk_pages;
    uint32_t read_pages; /* largest read */
};

/* Extents of exponential length, scattered over the vDisk without overlapping, in random order; each read from its
 * beginning to its end. False when memory is short. */
bool boot_picture_init(struct boot_picture *picture, const struct vdisk_settings *settings,
                       struct sim_random *random);
void boot_picture_release(struct boot_picture *picture);

/* How a boot goes through the picture: a window of the next pieces, of which one is drawn each time. */
#define BOOT_REORDER_MOST 64

struct boot_course {
    uint32_t window[BOOT_REORDER_MOST];
    uint32_t in_window, next;
};

void boot_course_begin(struct boot_course *course, const struct boot_picture *picture, int64_t reorder);

/* False when all have been read. */
bool boot_course_next(struct boot_course *course, const struct boot_picture *picture,
                      struct sim_random *random, struct boot_piece *piece);

/* One of the largest reads anywhere on the vDisk. */
struct boot_piece boot_piece_anywhere(const struct boot_picture *picture, struct sim_random *random);

#endif
