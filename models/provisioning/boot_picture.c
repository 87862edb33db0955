#include "models/provisioning/boot_picture.h"

#include "vdisim/request.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>

static int64_t draw_extent(const struct vdisk_settings *settings, struct sim_random *random,
                           int64_t left_pages)
{
    const double mean_pages = (double)settings->extent_bytes / REQUEST_PAGE_BYTES;
    const double pages = ceil(mean_pages * sim_random_exponential(random));
    return pages < 1.0 ? 1 : pages > (double)left_pages ? left_pages : (int64_t)pages;
}

static bool add_piece(struct boot_picture *picture, size_t *room, struct boot_piece piece)
{
    if (picture->count == *room) {
        const size_t wanted = *room == 0 ? 1024 : 2 * *room;
        struct boot_piece *pieces = realloc(picture->pieces, wanted * sizeof *pieces);
        if (pieces == NULL)
            return false;
        picture->pieces = pieces;
        *room = wanted;
    }
    picture->pieces[picture->count++] = piece;
    return true;
}

static int compare_pages(const void *left, const void *right)
{
    const uint32_t a = *(const uint32_t *)left, b = *(const uint32_t *)right;
    return (a > b) - (a < b);
}

/* Gives extents places that do not overlap: sorted uniform places in what is left when all extents are taken out. */
static bool place_extents(const struct boot_picture *picture, struct boot_piece *extents, size_t count,
                          int64_t extent_pages, struct sim_random *random)
{
    uint32_t *places = malloc((count + 1) * sizeof *places);
    if (places == NULL)
        return false;
    const uint64_t free_pages = picture->vdisk_pages - (uint64_t)extent_pages + 1;
    for (size_t i = 0; i < count; i++)
        places[i] = (uint32_t)sim_random_below(random, free_pages);
    qsort(places, count, sizeof *places, compare_pages);
    uint32_t before = 0;
    for (size_t i = 0; i < count; i++) {
        extents[i].page = places[i] + before;
        before += extents[i].pages;
    }
    free(places);
    for (size_t i = count; i > 1; i--) {
        const size_t other = (size_t)sim_random_below(random, i);
        const struct boot_piece kept = extents[i - 1];
        extents[i - 1] = extents[other];
        extents[other] = kept;
    }
    return true;
}

static bool cut_into_reads(struct boot_picture *picture, const struct boot_picture *extents)
{
    size_t room = 0;
    for (size_t i = 0; i < extents->count; i++)
        for (uint32_t done = 0; done < extents->pieces[i].pages; done += picture->read_pages) {
            const uint32_t left = extents->pieces[i].pages - done;
            const struct boot_piece piece = {extents->pieces[i].page + done,
                                             left < picture->read_pages ? left : picture->read_pages};
            if (!add_piece(picture, &room, piece))
                return false;
        }
    return true;
}

bool boot_picture_init(struct boot_picture *picture, const struct vdisk_settings *settings,
                       struct sim_random *random)
{
    *picture = (struct boot_picture){
        .vdisk_pages = (uint32_t)(settings->size_bytes / REQUEST_PAGE_BYTES),
        .read_pages = (uint32_t)(settings->read_bytes / REQUEST_PAGE_BYTES),
    };
    struct boot_picture extents = {0};
    size_t room = 0;
    const int64_t pages = (settings->boot_read_bytes + REQUEST_PAGE_BYTES - 1) / REQUEST_PAGE_BYTES;
    bool made = true;
    for (int64_t left = pages; made && left > 0;) {
        const int64_t extent = draw_extent(settings, random, left);
        made = add_piece(&extents, &room, (struct boot_piece){0, (uint32_t)extent});
        left -= extent;
    }
    made = made && place_extents(picture, extents.pieces, extents.count, pages, random) &&
           cut_into_reads(picture, &extents);
    free(extents.pieces);
    if (!made)
        boot_picture_release(picture);
    return made;
}

void boot_picture_release(struct boot_picture *picture)
{
    free(picture->pieces);
    picture->pieces = NULL;
}

void boot_course_begin(struct boot_course *course, const struct boot_picture *picture, int64_t reorder)
{
    assert(reorder >= 1 && reorder <= BOOT_REORDER_MOST);
    course->in_window = course->next = 0;
    while (course->in_window < (uint32_t)reorder && course->next < picture->count)
        course->window[course->in_window++] = course->next++;
}

bool boot_course_next(struct boot_course *course, const struct boot_picture *picture,
                      struct sim_random *random, struct boot_piece *piece)
{
    if (course->in_window == 0)
        return false;
    uint32_t *drawn = &course->window[sim_random_below(random, course->in_window)];
    *piece = picture->pieces[*drawn];
    *drawn = course->next < picture->count ? course->next++ : course->window[--course->in_window];
    return true;
}

struct boot_piece boot_piece_anywhere(const struct boot_picture *picture, struct sim_random *random)
{
    const uint32_t pages =
        picture->read_pages < picture->vdisk_pages ? picture->read_pages : picture->vdisk_pages;
    return (struct boot_piece){(uint32_t)sim_random_below(random, picture->vdisk_pages - pages + 1), pages};
}
