/* Boots: target machines that boot from a vDisk which Provisioning Services (PVS) servers stream to them, and which lies
 * on a store.
 *
 *     target --read--> server: port and thread -> the vDisk's file through the SMB client's cache (smb_file.h)
 *     target <--burst of packets, the server's card-- data
 *
 * The servers are the hosts of one or two groups; a target that boots goes to the server with the fewest targets. A boot
 * is a sequence of reads, all of one picture that the targets share: extents scattered over the vDisk, cut into reads,
 * whose order differs a little from boot to boot, and a few reads anywhere. Between an answer and the next read the
 * target works for a while, so that a boot without any waiting lasts `boot_duration`. A booted target reads now and then.
 *
 * What happens when is a schedule, a list of texts in the order of time:
 *
 *     0 s boot 1-3 every 10 s
 *     3 min 20 s boot 4-6 every 10 s
 *     4 min 40 s reboot 1-3
 *     12 min shut down 1,3
 */
#ifndef VDISIM_BOOTS_H
#define VDISIM_BOOTS_H

#include "vdisim/parameter.h"
#include "vdisim/world.h"

#include <stdint.h>

/* The picture of a boot. */
struct vdisk_settings {
    int64_t size_bytes;
    int64_t boot_read_bytes;  /* different data that one boot reads */
    int64_t extent_bytes;     /* mean length of what lies together, exponential */
    int64_t read_bytes;       /* largest read */
    int64_t boot_duration_ns; /* of a boot that waits for nothing */
    int64_t reorder;          /* a read is one of the next so many */
    double elsewhere;         /* share of reads that go anywhere on the vDisk */
    double idle_reads_per_s;  /* of a booted target */
};

struct pvs_settings {
    int64_t ports, threads; /* threads a port: the product is what a server works on at a time */
    int64_t burst_packets;  /* most that answer one read */
    int64_t packet_payload_bytes, packet_header_bytes;
    int64_t round_trip_ns; /* between targets and servers */
    double target_bytes_per_s;
    int64_t
        idle_close_ns; /* a server on which no target reads for so long closes the vDisk; INT64_MAX: while any is on, never */
};

struct boots_settings {
    const char *hosts, *other_hosts; /* the second may be NULL */
    const char *store;
    int64_t targets;
    struct vdisk_settings vdisk;
    struct pvs_settings pvs;
    struct parameter_texts schedule;
};

extern const struct parameter_table boots_parameters, vdisk_parameters, pvs_parameters;
extern const struct workload_kind boots_kind;

/* The check of the kind: the vDisk fits in its store, no server is named twice. */
bool boots_fit(const struct scenario *scenario, const void *settings, struct parameter_problem *problem);

/* Bytes on the wire of an answer of so many bytes, packet headers included. */
int64_t pvs_wire_bytes(const struct pvs_settings *settings, int64_t bytes);

#endif
