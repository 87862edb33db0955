/* Session hosts and the network between them and the stores.
 *
 * A group of equal hosts: each has a network card (both directions apart, first come first served), a local
 * disk (throughput shared by whoever copies, processor sharing), and one SMB client for each store. The
 * network adds a round trip and, when its bandwidth is limited, one shared line in each direction.
 */
#ifndef VDISIM_HOST_H
#define VDISIM_HOST_H

#include "vdisim/link.h"
#include "vdisim/parameter.h"
#include "vdisim/process.h"
#include "vdisim/smb.h"

struct world;

struct host_group_settings {
    int64_t count;
    double nic_bytes_per_s;
    double disk_bytes_per_s;
    int64_t disk_latency_ns; /* of one small I/O as a program sees it */
    int64_t memory_bytes;    /* RAM; INT64_MAX: not limited */
    struct smb_settings smb;
};

struct network_settings {
    int64_t round_trip_ns;
    double bytes_per_s; /* shared by all hosts, each direction */
};

/* A line that carries one message after the other; what it carries takes bytes / rate. */
struct wire {
    double ns_per_byte; /* 0: unlimited */
    int64_t free_ns;    /* when it has carried all that was handed to it */
};

void wire_init(struct wire *wire, double bytes_per_s);

/* Hands a message over at ready_ns; returns when its last byte is through. A wire that several senders share must be handed
 * its messages in the order in which they are ready: it is first come, first served, and does not look back. */
int64_t wire_carry(struct wire *wire, int64_t ready_ns, int64_t bytes);

/* Both directions and the propagation between hosts and stores; shared by all hosts of a world. */
struct network {
    int64_t one_way_ns;
    struct wire to_stores, from_stores;
};

void network_init(struct network *network, const struct network_settings *settings);

struct host {
    struct world *world;
    uint32_t number; /* over all groups, from 0 */
    const struct host_group_settings *settings;
    struct wire nic_out, nic_in;
    struct sim_link disk;
    struct smb_client **clients; /* [store], made when first used */
    size_t senders; /* that share nic_out: the clients made, and whatever else sends */
};

struct host_group {
    const char *name;
    const struct host_group_settings *settings;
    struct host *hosts;
    size_t count;
};

bool host_group_init(struct host_group *group, struct world *world, const char *name,
                     const struct host_group_settings *settings, uint32_t first_number);
void host_group_release(struct host_group *group);

/* The host's client for a store; NULL when memory is short. */
struct smb_client *host_client(struct host *host, struct store *store);

#endif
