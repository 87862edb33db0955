#include "vdisim/block.h"
#include "vdisim/entitlement.h"
#include "vdisim/raid.h"

#include <math.h>
#include <stdio.h>

#define MIB        1048576.0
#define PAGE_BYTES 4096.0

/* Seconds that a member is busy with a random page, a queue in front of it: 1 / IOPS. */
struct member_times {
    double read_s, write_s;
};

static struct member_times times_of(const struct disk_settings *disk)
{
    if (disk->medium == DISK_HDD) {
        const double access_s = (double)disk->seek_mean_ns / 1e9 + (double)disk->rotation_ns / 2e9;
        const double rate = (disk->outer_bytes_per_s + disk->inner_bytes_per_s) / 2.0;
        return (struct member_times){access_s + PAGE_BYTES / rate, access_s + PAGE_BYTES / rate};
    }
    const double channels = (double)disk->channels;
    return (struct member_times){
        fmax((double)disk->read_time_ns / 1e9 / channels, PAGE_BYTES / disk->read_bytes_per_s),
        fmax((double)disk->write_time_ns / 1e9 / channels, PAGE_BYTES / disk->write_bytes_per_s)};
}

/* Reads and writes of members that one small write is (raid.h). */
static void small_write(const struct block_settings *settings, double *reads, double *writes)
{
    *reads = 0.0;
    *writes = 1.0;
    switch ((enum raid_level)settings->level) {
    case RAID_NONE:
    case RAID_0:
        break;
    case RAID_1:
        *writes = (double)settings->members;
        break;
    case RAID_10:
        *writes = 2.0;
        break;
    case RAID_5:
        *reads = *writes = 2.0;
        break;
    case RAID_6:
        *reads = *writes = 3.0;
        break;
    }
}

void block_entitlement(const void *settings_of, struct entitlement *entitlement)
{
    const struct block_settings *settings = settings_of;
    const struct member_times times = times_of(&settings->disk);
    const double members = (double)settings->members;
    double reads, writes;
    small_write(settings, &reads, &writes);
    char number[32];
    entitlement_add(entitlement, "size", "volume", "GiB", (double)block_volume_bytes(settings) / 1073741824.0,
                    "of %.0f disks", members);
    entitlement_add(entitlement, "iops.reads", "random reads of 4 KiB", "IOPS", members / times.read_s,
                    "%.0f disks x %s, first come, first served", members,
                    entitlement_number(round(1.0 / times.read_s), number));
    entitlement_add(entitlement, "iops.writes", "random writes of 4 KiB", "IOPS",
                    members / (reads * times.read_s + writes * times.write_s),
                    "each is %.0f reads and %.0f writes of disks; those a cache takes together are fewer",
                    reads, writes);
    if (settings->controller.overhead_ns > 0)
        entitlement_add(entitlement, "iops.controller", "controller", "IOPS",
                        1e9 / (double)settings->controller.overhead_ns, "one request after the other");
    entitlement_add(entitlement, "cache.size", "write cache of the controller", "MiB",
                    (double)settings->controller.cache_bytes / MIB, "%s", "");
    entitlement_add(entitlement, "link", "link, each direction", "MiB/s", settings->link.bytes_per_s / MIB,
                    "%s", "");
}
