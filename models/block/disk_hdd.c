/* A hard disk: one arm, one operation at a time, an order among those that wait. */
#include "models/block/disk_kinds.h"
#include "models/block/elevator.h"

#include "vdisim/request.h"
#include "vdisim/sim.h"
#include "vdisim/time.h"

#include <math.h>

/* C. Ruemmler and J. Wilkes, An introduction to disk drive modeling, 1994: short and middle seeks grow with the root of
 * the distance (the arm accelerates half of the way). The straight part of the longest seeks is left out. */
double disk_seek_ns(const struct disk_settings *settings, double distance)
{
    if (distance <= 0.0)
        return 0.0;
    const double min = (double)settings->seek_min_ns;
    return min + 15.0 / 8.0 * ((double)settings->seek_mean_ns - min) * sqrt(distance);
}

/* Of a byte at a place, as a fraction of the capacity. */
static double rate_at(const struct disk_settings *settings, double place)
{
    return settings->outer_bytes_per_s + (settings->inner_bytes_per_s - settings->outer_bytes_per_s) * place;
}

static double transfer_ns(const struct disk *disk, uint32_t page, double pages)
{
    return pages * REQUEST_PAGE_BYTES * 1e9 / rate_at(disk->settings, page / disk->capacity_pages);
}

/* What it takes to get to an operation's first byte. */
static double positioning_ns(struct disk *disk, const struct disk_operation *operation)
{
    const struct disk_settings *settings = disk->settings;
    const double gap = (double)operation->page - (double)disk->next_page;
    if (gap == 0.0)
        return 0.0;
    const double seek = disk_seek_ns(settings, fabs(gap) / disk->capacity_pages);
    if (gap > 0.0) { /* a little ahead: wait for it to come by */
        const double passes = transfer_ns(disk, disk->next_page, gap);
        if (passes <= seek + (double)settings->rotation_ns / 2.0)
            return passes;
    }
    return seek + (double)settings->rotation_ns * sim_random_uniform(&disk->service);
}

/* Takes the next operation out of the line: of those in the disk's own queue the first, or the next one above the arm,
 * else the lowest. Equal places are served as they came. */
static struct disk_operation *take_next(struct disk *disk)
{
    const struct disk_settings *settings = disk->settings;
    const int64_t window = settings->order == DISK_FIFO ? 1 : settings->queue_depth;
    struct elevator elevator = {.from_page = disk->next_page};
    struct disk_operation *before = NULL, *operation = disk->first;
    for (int64_t seen = 0; operation != NULL && seen < window; seen++) {
        elevator_offer(&elevator, operation, before, operation->page);
        before = operation;
        operation = operation->next;
    }
    const struct elevator_stop stop = elevator_next(&elevator);
    struct disk_operation *taken = stop.item, *previous = stop.before;
    if (previous == NULL)
        disk->first = taken->next;
    else
        previous->next = taken->next;
    if (disk->last == taken)
        disk->last = previous;
    return taken;
}

static void start_next(struct disk *disk)
{
    struct disk_operation *operation = take_next(disk);
    operation->started_ns = sim_now_ns(disk->sim);
    const double service =
        positioning_ns(disk, operation) + transfer_ns(disk, operation->page, operation->pages);
    operation->ended_ns = operation->started_ns + sim_ns_round(service);
    disk->account.busy_ns += operation->ended_ns - operation->started_ns;
    disk->next_page = operation->page + operation->pages;
    disk->current = operation;
    sim_schedule_at(disk->sim, &disk->ends, operation->ended_ns);
}

/* Who is told may submit at once; that goes into the line before the next is chosen. */
static void operation_ends(struct sim *sim, struct sim_event *event)
{
    (void)sim;
    struct disk *disk = SIM_CONTAINER_OF(event, struct disk, ends);
    struct disk_operation *ended = disk->current;
    disk->inside--;
    ended->done(ended);
    disk->current = NULL;
    if (disk->first != NULL)
        start_next(disk);
}

void hdd_init(struct disk *disk)
{
    sim_event_init(&disk->ends, operation_ends, SIM_EVENT_LABEL('h', 'd', 'd', 'e'));
}

void hdd_submit(struct disk *disk, struct disk_operation *operation)
{
    operation->next = NULL;
    if (disk->first == NULL)
        disk->first = operation;
    else
        disk->last->next = operation;
    disk->last = operation;
    disk->inside++;
    if (disk->current == NULL)
        start_next(disk);
}

/* E(1 / rate) of a rate that falls in a straight line from a to b is ln(a / b) / (a - b). */
double hdd_mean_access_ns(const struct disk_settings *settings, int64_t bytes)
{
    const double outer = settings->outer_bytes_per_s, inner = settings->inner_bytes_per_s;
    const double ns_per_byte = 1e9 * (outer == inner ? 1.0 / outer : log(outer / inner) / (outer - inner));
    return (double)settings->seek_mean_ns + (double)settings->rotation_ns / 2.0 + (double)bytes * ns_per_byte;
}
