/* A block store: a volume on disks, alone or as RAID, behind a controller, perhaps behind a link (an iSCSI LUN).
 *
 *     request -> link -> controller -> (cache) -> member disks -> link -> answer
 *
 * Requests say where their data begin (request->page); those that do not know (REQUEST_ANYWHERE) go on behind the
 * last request for the same file, or to a place drawn anew. Reads and writes become operations of the members
 * (raid.h), which queue at the disks (disk.h); load shows as queueing there. Other operations cost the controller's
 * time only.
 *
 * The controller works on one request at a time for `overhead`. With a cache (battery-backed), a write is answered when
 * it is in the cache and goes to the disks later, the oldest row first, together with whatever else of its row has
 * been written by then: rows that have become whole cost no parity reads. When the cache is full, writes wait for room.
 * Reads of what is in the cache are answered from it; what was read stays there as long as writes leave room.
 *
 * Server latency is that of the whole volume as its user sees it, link included: admitted is when the request is through
 * the link, started when its first disk begins.
 */
#ifndef VDISIM_BLOCK_H
#define VDISIM_BLOCK_H

#include "vdisim/disk.h"
#include "vdisim/parameter.h"
#include "vdisim/world.h"

struct block_controller_settings {
    int64_t overhead_ns;   /* of a request, one after the other */
    int64_t cache_bytes;   /* 0: none */
    int64_t cache_time_ns; /* of a request answered from or into the cache */
    int64_t memory_bytes;  /* of the controller; the cache is in it */
    int64_t destage_depth; /* rows on their way to the disks at a time */
};

struct block_link_settings {
    double bytes_per_s; /* each direction; INFINITY: none */
    int64_t round_trip_ns;
    int64_t header_bytes; /* on the link beyond the payload, each direction */
};

struct block_settings {
    int level; /* enum raid_level */
    int64_t members;
    int64_t stripe_unit_bytes;
    struct disk_settings disk; /* each member */
    struct block_controller_settings controller;
    struct block_link_settings link;
};

extern const struct parameter_table block_parameters;
extern const struct store_kind block_kind;

/* The size of the volume; at most 16 TiB. In bytes, a multiple of 4 KiB. */
int64_t block_volume_bytes(const struct block_settings *settings);

/* What its disks can do by plain arithmetic, without queueing and caches (entitlement.h). `settings`: struct block_settings. */
void block_entitlement(const void *settings, struct entitlement *entitlement);

/* The size of a store of this kind in pages; 0 for stores of other kinds. */
uint32_t block_store_pages(const struct store *store);

/* What the disks were asked to do so far, all together, and one of them. */
struct disk_account block_store_account(const struct store *store);
size_t block_store_disk_count(const struct store *store);
struct disk_account block_store_disk_account(const struct store *store, size_t disk);

#endif
