/* A file server: a Windows server that shares files from its disks.
 *
 * Each request costs the server `latency`. A READ of data that its RAM cache holds is then answered; any other READ waits
 * for one of `disks`, that serve one request at a time, first come, first served by the next that is free (M/G/c): an
 * exponential time, and the bytes at the disk's rate. A WRITE is answered from RAM and occupies a disk later. Data go into
 * the cache as whole blocks, the least recently used going first; a request whose place is not known (request.h) is read
 * from disk and not kept. Requests and answers pass the server's card, each direction one message after the other.
 *
 *     admitted: through the card; started: a disk (or nothing) was waited for; served: the answer has left the card
 */
#ifndef VDISIM_FILE_SERVER_H
#define VDISIM_FILE_SERVER_H

#include "vdisim/parameter.h"
#include "vdisim/world.h"

struct file_server_settings {
    int64_t size_bytes;
    int64_t memory_bytes, cache_bytes, block_bytes;
    int64_t latency_ns;
    int64_t disks;
    int64_t disk_time_ns; /* mean, exponential */
    double disk_bytes_per_s;
    double nic_bytes_per_s;
};

extern const struct parameter_table file_server_parameters;
extern const struct store_kind file_server_kind;

#endif
