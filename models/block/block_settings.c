#include "vdisim/block.h"

#include "vdisim/raid.h"
#include "vdisim/request.h"

#include <stdio.h>

#define BLOCK(field)      offsetof(struct block_settings, field)
#define CONTROLLER(field) offsetof(struct block_controller_settings, field)
#define LINK(field)       offsetof(struct block_link_settings, field)

static const struct parameter controller_rows[] = {
    {.name = "overhead",
     .type = PARAMETER_DURATION,
     .offset = CONTROLLER(overhead_ns),
     .maximum = 1e9,
     .help = "Controller's time of a request, one request after the other"},
    {.name = "cache",
     .type = PARAMETER_SIZE,
     .offset = CONTROLLER(cache_bytes),
     .maximum = 1e13,
     .help = "Battery-backed cache of writes and reads; 0 for none"},
    {.name = "cache_time",
     .type = PARAMETER_DURATION,
     .offset = CONTROLLER(cache_time_ns),
     .maximum = 1e9,
     .help = "Time of a request that the cache answers"},
    {.name = "memory",
     .type = PARAMETER_SIZE,
     .offset = CONTROLLER(memory_bytes),
     .maximum = 1e13,
     .may_be_unlimited = true,
     .help = "Memory of the controller, in which the cache is"},
    {.name = "destage_depth",
     .type = PARAMETER_COUNT,
     .offset = CONTROLLER(destage_depth),
     .minimum = 1,
     .maximum = 65536,
     .help = "Rows on their way from the cache to the disks at a time"},
};

static bool controller_check(const void *settings_of, struct parameter_problem *problem)
{
    const struct block_controller_settings *settings = settings_of;
    if (settings->cache_bytes <= settings->memory_bytes)
        return true;
    problem->parameter = "cache";
    snprintf(problem->message, sizeof problem->message,
             "the cache is larger than the controller's memory of %.0f MiB",
             (double)settings->memory_bytes / 1048576.0);
    return false;
}

static const struct parameter_table controller_parameters = {
    .name = "block_controller",
    .help = "The controller of a block store",
    .size = sizeof(struct block_controller_settings),
    PARAMETER_ROWS(controller_rows),
    .check = controller_check,
};

static const struct parameter link_rows[] = {
    {.name = "bandwidth",
     .type = PARAMETER_THROUGHPUT,
     .offset = LINK(bytes_per_s),
     .minimum = 1,
     .maximum = 1e15,
     .may_be_unlimited = true,
     .help = "Of the link between host and volume, each direction"},
    {.name = "round_trip",
     .type = PARAMETER_DURATION,
     .offset = LINK(round_trip_ns),
     .maximum = 60e9,
     .help = "Time for an empty message there and back"},
    {.name = "header",
     .type = PARAMETER_SIZE,
     .offset = LINK(header_bytes),
     .maximum = 65536,
     .help = "Bytes of a request and of an answer on the link beyond the data"},
};

static const struct parameter_table link_parameters = {
    .name = "block_link",
    .help = "The link between host and volume (iSCSI)",
    .size = sizeof(struct block_link_settings),
    PARAMETER_ROWS(link_rows),
};

static const char *const level_choices[] = {"none", "0", "1", "5", "6", "10", NULL};

static const struct parameter block_rows[] = {
    {.name = "raid",
     .type = PARAMETER_CHOICE,
     .offset = BLOCK(level),
     .choices = level_choices,
     .help = "RAID level"},
    {.name = "members", .type = PARAMETER_COUNT, .offset = BLOCK(members), .maximum = 1024, .help = "Disks"},
    {.name = "stripe_unit",
     .type = PARAMETER_SIZE,
     .offset = BLOCK(stripe_unit_bytes),
     .minimum = REQUEST_PAGE_BYTES,
     .maximum = 16777216,
     .help = "What is on one disk before the next one's turn"},
    {.name = "disk",
     .type = PARAMETER_GROUP,
     .offset = BLOCK(disk),
     .group = &disk_parameters,
     .help = "Each of the disks"},
    {.name = "controller",
     .type = PARAMETER_GROUP,
     .offset = BLOCK(controller),
     .group = &controller_parameters,
     .help = "What is in front of them"},
    {.name = "link",
     .type = PARAMETER_GROUP,
     .offset = BLOCK(link),
     .group = &link_parameters,
     .help = "Between host and volume"},
};

int64_t block_volume_bytes(const struct block_settings *settings)
{
    const struct raid raid = {.level = (enum raid_level)settings->level,
                              .members = (uint32_t)settings->members};
    const int64_t units = settings->disk.capacity_bytes / settings->stripe_unit_bytes;
    return units * settings->stripe_unit_bytes * raid_data_units(&raid);
}

static bool block_check(const void *settings_of, struct parameter_problem *problem)
{
    const struct block_settings *settings = settings_of;
    const char *wrong = raid_problem((enum raid_level)settings->level, settings->members);
    problem->parameter = "members";
    if (wrong != NULL) {
        snprintf(problem->message, sizeof problem->message, "%s", wrong);
        return false;
    }
    problem->parameter = "stripe_unit";
    if (settings->stripe_unit_bytes % REQUEST_PAGE_BYTES != 0) {
        snprintf(problem->message, sizeof problem->message, "a stripe unit is a multiple of 4 KiB");
        return false;
    }
    if (settings->stripe_unit_bytes > settings->disk.capacity_bytes) {
        snprintf(problem->message, sizeof problem->message, "a stripe unit is larger than a disk");
        return false;
    }
    problem->parameter = "members";
    if (block_volume_bytes(settings) / REQUEST_PAGE_BYTES >= INT64_C(1) << 32) {
        snprintf(problem->message, sizeof problem->message, "a volume of 16 TiB or more is not modelled");
        return false;
    }
    return true;
}

const struct parameter_table block_parameters = {
    .name = "block",
    .help = "A volume on disks, alone or as RAID, perhaps behind a link",
    .size = sizeof(struct block_settings),
    .section = "tiers",
    .selector = "tier",
    PARAMETER_ROWS(block_rows),
    .check = block_check,
};
