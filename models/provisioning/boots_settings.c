#include "vdisim/boots.h"

#include "models/provisioning/boot_picture.h"
#include "models/provisioning/boot_schedule.h"
#include "vdisim/request.h"

#include <stddef.h>
#include <stdio.h>
#include <string.h>

#define BOOTS(field) offsetof(struct boots_settings, field)
#define VDISK(field) offsetof(struct vdisk_settings, field)
#define PVS(field)   offsetof(struct pvs_settings, field)

static const struct parameter vdisk_rows[] = {
    {.name = "size",
     .type = PARAMETER_SIZE,
     .offset = VDISK(size_bytes),
     .minimum = 65536,
     .maximum = 17592186044416,
     .help = "Size of the vDisk's file"},
    {.name = "boot_read",
     .type = PARAMETER_SIZE,
     .offset = VDISK(boot_read_bytes),
     .minimum = 4096,
     .maximum = 1e12,
     .help = "What one boot reads"},
    {.name = "extent",
     .type = PARAMETER_SIZE,
     .offset = VDISK(extent_bytes),
     .minimum = 4096,
     .maximum = 1e9,
     .help = "Mean length of what lies together and is read one after the other (exponential)"},
    {.name = "read_size",
     .type = PARAMETER_SIZE,
     .offset = VDISK(read_bytes),
     .minimum = 4096,
     .maximum = 1048576,
     .help = "Largest read of a target"},
    {.name = "boot_duration",
     .type = PARAMETER_DURATION,
     .offset = VDISK(boot_duration_ns),
     .maximum = 3.6e12,
     .help = "Time of a boot that waits for nothing"},
    {.name = "reorder",
     .type = PARAMETER_COUNT,
     .offset = VDISK(reorder),
     .minimum = 1,
     .maximum = BOOT_REORDER_MOST,
     .help = "Each read is one of the next so many: 1 is the same order in each boot"},
    {.name = "elsewhere",
     .type = PARAMETER_FRACTION,
     .offset = VDISK(elsewhere),
     .maximum = 1,
     .help = "Share of reads that differ from boot to boot and go anywhere"},
    {.name = "idle_reads",
     .type = PARAMETER_RATE,
     .offset = VDISK(idle_reads_per_s),
     .maximum = 1e5,
     .help = "Reads of a booted target"},
};

static bool vdisk_check(const void *settings_of, struct parameter_problem *problem)
{
    const struct vdisk_settings *settings = settings_of;
    if (settings->boot_read_bytes > settings->size_bytes - 65536) {
        problem->parameter = "boot_read";
        snprintf(problem->message, sizeof problem->message, "a boot reads more than the vDisk has, %.6g GiB",
                 (double)settings->size_bytes / 1073741824.0);
        return false;
    }
    if (settings->read_bytes % REQUEST_PAGE_BYTES == 0)
        return true;
    problem->parameter = "read_size";
    snprintf(problem->message, sizeof problem->message, "a read is a whole number of pages of 4 KiB");
    return false;
}

const struct parameter_table vdisk_parameters = {
    .name = "vdisk",
    .help = "A vDisk and how machines boot from it",
    .size = sizeof(struct vdisk_settings),
    .section = "vdisks",
    .selector = "image",
    PARAMETER_ROWS(vdisk_rows),
    .check = vdisk_check,
};

static const struct parameter pvs_rows[] = {
    {.name = "ports",
     .type = PARAMETER_COUNT,
     .offset = PVS(ports),
     .minimum = 1,
     .maximum = 1000,
     .help = "UDP ports of a server"},
    {.name = "threads",
     .type = PARAMETER_COUNT,
     .offset = PVS(threads),
     .minimum = 1,
     .maximum = 1000,
     .help = "Threads a port, each of which serves one read at a time"},
    {.name = "burst",
     .type = PARAMETER_COUNT,
     .offset = PVS(burst_packets),
     .minimum = 1,
     .maximum = 1024,
     .help = "Most packets that answer one read"},
    {.name = "packet_payload",
     .type = PARAMETER_SIZE,
     .offset = PVS(packet_payload_bytes),
     .minimum = 64,
     .maximum = 65536,
     .help = "Data in a packet"},
    {.name = "packet_header",
     .type = PARAMETER_SIZE,
     .offset = PVS(packet_header_bytes),
     .maximum = 1024,
     .help = "What a packet has beyond"},
    {.name = "round_trip",
     .type = PARAMETER_DURATION,
     .offset = PVS(round_trip_ns),
     .maximum = 60e9,
     .help = "Time for an empty message from a target to a server and back"},
    {.name = "target_nic",
     .type = PARAMETER_THROUGHPUT,
     .offset = PVS(target_bytes_per_s),
     .minimum = 1,
     .maximum = 1e15,
     .may_be_unlimited = true,
     .help = "Network card of a target"},
    {.name = "idle_close",
     .type = PARAMETER_DURATION,
     .offset = PVS(idle_close_ns),
     .minimum = 1e9,
     .maximum = 1e16,
     .may_be_unlimited = true,
     .help =
         "A server closes the vDisk when no target has read for so long; unlimited: when no target is on"},
};

static bool pvs_check(const void *settings_of, struct parameter_problem *problem)
{
    const struct pvs_settings *settings = settings_of;
    if (settings->ports * settings->threads <= 100000)
        return true;
    problem->parameter = "threads";
    snprintf(problem->message, sizeof problem->message,
             "%lld ports of %lld threads are more than 100,000 slots", (long long)settings->ports,
             (long long)settings->threads);
    return false;
}

const struct parameter_table pvs_parameters = {
    .name = "pvs",
    .help = "Provisioning Services: how a server streams",
    .size = sizeof(struct pvs_settings),
    .section = "pvs_versions",
    .selector = "version",
    PARAMETER_ROWS(pvs_rows),
    .check = pvs_check,
};

static const struct parameter boots_rows[] = {
    {.name = "hosts", .type = PARAMETER_HOSTS, .offset = BOOTS(hosts), .help = "The PVS servers"},
    {.name = "other_hosts",
     .type = PARAMETER_HOSTS,
     .offset = BOOTS(other_hosts),
     .optional = true,
     .help = "More PVS servers, of another group of hosts"},
    {.name = "store", .type = PARAMETER_STORE, .offset = BOOTS(store), .help = "Where the vDisk is"},
    {.name = "targets",
     .type = PARAMETER_COUNT,
     .offset = BOOTS(targets),
     .minimum = 1,
     .maximum = 1e6,
     .help = "Machines that boot from the vDisk"},
    {.name = "vdisk",
     .type = PARAMETER_GROUP,
     .offset = BOOTS(vdisk),
     .group = &vdisk_parameters,
     .help = "The vDisk"},
    {.name = "pvs",
     .type = PARAMETER_GROUP,
     .offset = BOOTS(pvs),
     .group = &pvs_parameters,
     .help = "How servers stream"},
    {.name = "schedule",
     .type = PARAMETER_TEXTS,
     .offset = BOOTS(schedule),
     .help = "Which targets boot, reboot and shut down when, a step a line: `3 min boot 4-6 every 10 s`"},
};

static bool boots_check(const void *settings_of, struct parameter_problem *problem)
{
    const struct boots_settings *settings = settings_of;
    const struct pvs_settings *pvs = &settings->pvs;
    if (settings->vdisk.read_bytes > pvs->burst_packets * pvs->packet_payload_bytes) {
        problem->parameter = "vdisk.read_size";
        snprintf(problem->message, sizeof problem->message,
                 "a read does not fit in a burst of %lld packets of %lld bytes",
                 (long long)pvs->burst_packets, (long long)pvs->packet_payload_bytes);
        return false;
    }
    struct boot_schedule schedule;
    switch (boot_schedule_make(&schedule, &settings->schedule, settings->targets, problem)) {
    case BOOT_SCHEDULE_WRONG:
        return false;
    case BOOT_SCHEDULE_OK:
        boot_schedule_release(&schedule);
        return true;
    default:
        return true; /* it will be short when it is run, too */
    }
}

bool boots_fit(const struct scenario *scenario, const void *settings_of, struct parameter_problem *problem)
{
    const struct boots_settings *settings = settings_of;
    if (settings->other_hosts != NULL && strcmp(settings->hosts, settings->other_hosts) == 0) {
        problem->parameter = "other_hosts";
        snprintf(problem->message, sizeof problem->message, "the servers %.60s are named twice",
                 settings->hosts);
        return false;
    }
    const int64_t room_bytes = scenario_room_bytes(scenario, settings->store);
    if (settings->vdisk.size_bytes <= room_bytes)
        return true;
    problem->parameter = "vdisk.size";
    snprintf(problem->message, sizeof problem->message,
             "the vDisk of %.6g GiB is larger than its store %.60s, %.6g GiB",
             (double)settings->vdisk.size_bytes / 1073741824.0, settings->store,
             (double)room_bytes / 1073741824.0);
    return false;
}

const struct parameter_table boots_parameters = {
    .name = "boots",
    .help = "Targets boot from a vDisk that PVS servers stream",
    .size = sizeof(struct boots_settings),
    PARAMETER_ROWS(boots_rows),
    .check = boots_check,
};
