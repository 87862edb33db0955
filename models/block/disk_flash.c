/* Flash: an interface and channels, both reserved at arrival, in order of arrival. As what leaves the interface leaves in
 * that order, too, taking the channel that is free first makes the channels one queue with several servers. */
#include "models/block/disk_kinds.h"

#include "vdisim/request.h"
#include "vdisim/sim.h"
#include "vdisim/time.h"

#include <stdlib.h>

bool flash_init(struct disk *disk)
{
    const struct disk_settings *settings = disk->settings;
    disk->read_ns_per_page = REQUEST_PAGE_BYTES * sim_ns_per_unit(settings->read_bytes_per_s);
    disk->write_ns_per_page = REQUEST_PAGE_BYTES * sim_ns_per_unit(settings->write_bytes_per_s);
    disk->channel_free_ns = calloc((size_t)settings->channels, sizeof *disk->channel_free_ns);
    return disk->channel_free_ns != NULL;
}

/* Replaces the earliest time of the heap. */
static void channel_taken_until(struct disk *disk, int64_t free_ns)
{
    int64_t *heap = disk->channel_free_ns;
    const size_t count = (size_t)disk->settings->channels;
    size_t at = 0;
    for (;;) {
        size_t child = 2 * at + 1;
        if (child >= count)
            break;
        if (child + 1 < count && heap[child + 1] < heap[child])
            child++;
        if (heap[child] >= free_ns)
            break;
        heap[at] = heap[child];
        at = child;
    }
    heap[at] = free_ns;
}

static double service_ns(struct disk *disk, bool writes)
{
    const struct disk_settings *settings = disk->settings;
    const double mean = (double)(writes ? settings->write_time_ns : settings->read_time_ns);
    if (settings->time_spread <= 0.0)
        return mean;
    return mean * (1.0 + settings->time_spread * (sim_random_exponential(&disk->service) - 1.0));
}

void flash_serve(struct disk *disk, struct disk_operation *operation)
{
    const int64_t now_ns = sim_now_ns(disk->sim);
    const double transfer_ns =
        operation->pages * (operation->writes ? disk->write_ns_per_page : disk->read_ns_per_page);
    operation->started_ns = disk->interface_free_ns > now_ns ? disk->interface_free_ns : now_ns;
    const int64_t moved_ns = operation->started_ns + (int64_t)transfer_ns;
    disk->interface_free_ns = moved_ns;
    const int64_t channel_ns = disk->channel_free_ns[0];
    const int64_t begins_ns = channel_ns > moved_ns ? channel_ns : moved_ns;
    const int64_t took_ns = (int64_t)service_ns(disk, operation->writes);
    operation->ended_ns = begins_ns + took_ns;
    channel_taken_until(disk, operation->ended_ns);
    disk->account.busy_ns += took_ns;
}

double flash_mean_access_ns(const struct disk_settings *settings, bool writes, int64_t bytes)
{
    const double rate = writes ? settings->write_bytes_per_s : settings->read_bytes_per_s;
    return (double)bytes * sim_ns_per_unit(rate) +
           (double)(writes ? settings->write_time_ns : settings->read_time_ns);
}
