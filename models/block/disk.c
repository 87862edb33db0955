#include "vdisim/disk.h"

#include "models/block/disk_kinds.h"
#include "vdisim/request.h"
#include "vdisim/sim.h"
#include "vdisim/time.h"

#include <stdio.h>
#include <stdlib.h>

#define DISK(field) offsetof(struct disk_settings, field)
#define DISK_RATE(row, field, text)                                                                          \
    {                                                                                                        \
        .name = row, .type = PARAMETER_THROUGHPUT, .offset = DISK(field), .maximum = 1e15,                   \
        .may_be_unlimited = true, .optional = true, .help = text                                             \
    }
#define DISK_TIME(row, field, text)                                                                          \
    {                                                                                                        \
        .name = row, .type = PARAMETER_DURATION, .offset = DISK(field), .maximum = 60e9, .optional = true,   \
        .help = text                                                                                         \
    }

static const char *const medium_choices[] = {"hdd", "flash", NULL};
static const char *const order_choices[] = {"fifo", "elevator", NULL};

static const struct parameter disk_rows[] = {
    {.name = "medium",
     .type = PARAMETER_CHOICE,
     .offset = DISK(medium),
     .choices = medium_choices,
     .help = "Platters and an arm, or flash"},
    {.name = "capacity",
     .type = PARAMETER_SIZE,
     .offset = DISK(capacity_bytes),
     .minimum = 1048576,
     .maximum = 1.7e13,
     .help = "What one disk holds"},
    DISK_TIME("seek_min", seek_min_ns, "Hard disk: seek to the next track"),
    DISK_TIME("seek_mean", seek_mean_ns, "Hard disk: mean seek between independent places"),
    DISK_TIME("rotation", rotation_ns, "Hard disk: time of one turn"),
    DISK_RATE("outer_rate", outer_bytes_per_s, "Hard disk: transfer at the outer edge, where it begins"),
    DISK_RATE("inner_rate", inner_bytes_per_s, "Hard disk: transfer at the inner edge, where it ends"),
    {.name = "queue_depth",
     .type = PARAMETER_COUNT,
     .offset = DISK(queue_depth),
     .minimum = 1,
     .maximum = 65536,
     .help = "Hard disk: operations in the disk's own queue, among which it chooses"},
    {.name = "order",
     .type = PARAMETER_CHOICE,
     .offset = DISK(order),
     .choices = order_choices,
     .help = "Hard disk: which of them is next"},
    {.name = "channels",
     .type = PARAMETER_COUNT,
     .offset = DISK(channels),
     .optional = true,
     .maximum = 4096,
     .help = "Flash: operations served at once"},
    DISK_TIME("read_time", read_time_ns, "Flash: mean time of a read in its channel"),
    DISK_TIME("write_time", write_time_ns, "Flash: mean time of a write in its channel"),
    {.name = "time_spread",
     .type = PARAMETER_FRACTION,
     .offset = DISK(time_spread),
     .maximum = 1,
     .help = "Flash: which part of these times is exponential; it is their coefficient of variation"},
    DISK_RATE("read_rate", read_bytes_per_s, "Flash: what the interface reads"),
    DISK_RATE("write_rate", write_bytes_per_s, "Flash: what the interface writes"),
};

static bool wrong(struct parameter_problem *problem, const char *parameter, const char *message)
{
    problem->parameter = parameter;
    snprintf(problem->message, sizeof problem->message, "%s", message);
    return false;
}

static bool disk_check(const void *settings_of, struct parameter_problem *problem)
{
    const struct disk_settings *settings = settings_of;
    if (settings->medium == DISK_HDD) {
        if (settings->rotation_ns <= 0)
            return wrong(problem, "rotation", "a hard disk turns: the time of one turn is missing");
        if (settings->seek_mean_ns < settings->seek_min_ns)
            return wrong(problem, "seek_mean", "the mean seek is shorter than the shortest");
        if (settings->outer_bytes_per_s <= 0.0 || settings->inner_bytes_per_s <= 0.0)
            return wrong(problem, settings->outer_bytes_per_s <= 0.0 ? "outer_rate" : "inner_rate",
                         "a hard disk that transfers nothing would never answer");
        return true;
    }
    if (settings->channels < 1)
        return wrong(problem, "channels", "flash needs at least one channel");
    if (settings->read_bytes_per_s <= 0.0 || settings->write_bytes_per_s <= 0.0)
        return wrong(problem, settings->read_bytes_per_s <= 0.0 ? "read_rate" : "write_rate",
                     "an interface that moves nothing would never answer");
    return true;
}

const struct parameter_table disk_parameters = {
    .name = "disk",
    .help = "A disk: a hard disk or flash",
    .size = sizeof(struct disk_settings),
    .section = "devices",
    .selector = "device",
    PARAMETER_ROWS(disk_rows),
    .check = disk_check,
};

bool disk_init(struct disk *disk, struct sim *sim, const struct disk_settings *settings, uint64_t seed,
               uint64_t replication, const char *name, uint32_t number)
{
    *disk = (struct disk){.settings = settings, .sim = sim};
    disk->capacity_pages = (double)(settings->capacity_bytes / REQUEST_PAGE_BYTES);
    sim_random_init_named(&disk->service, seed, replication, "%s/disk %u/service", name, number);
    if (settings->medium == DISK_HDD) {
        hdd_init(disk);
        return true;
    }
    return flash_init(disk);
}

void disk_release(struct disk *disk)
{
    free(disk->channel_free_ns);
}

bool disk_submit(struct disk *disk, struct disk_operation *operation)
{
    if (operation->writes) {
        disk->account.writes++;
        disk->account.pages_written += operation->pages;
    } else {
        disk->account.reads++;
        disk->account.pages_read += operation->pages;
    }
    if (disk->settings->medium == DISK_FLASH) {
        flash_serve(disk, operation);
        return true;
    }
    hdd_submit(disk, operation);
    return false;
}

double disk_mean_access_ns(const struct disk_settings *settings, bool writes, int64_t bytes)
{
    return settings->medium == DISK_HDD ? hdd_mean_access_ns(settings, bytes)
                                        : flash_mean_access_ns(settings, writes, bytes);
}
