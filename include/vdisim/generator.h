/* A load generator on a file share, as diskspd is used on compute nodes.
 *
 * Every host of a group is a client: it connects, opens its files, and from then on each of its threads keeps a number of
 * requests outstanding, sending the next when one is answered (a closed load). A thread goes round its host's files. In a
 * file it goes on behind its last request, from a place of its own, or to a random place. Each request is a READ or a
 * WRITE of a whole block; blocks larger than the client's I/O size are sent as several requests, all of which must be
 * answered. With a `rate`, a client's I/Os begin no closer to each other than block / rate. At the end of its duration a host sends no more, and closes its files.
 *
 *     throughput = clients x threads x outstanding x block / latency     while no limit binds (Little)
 *
 * I/Os are counted at the instant at which they are answered, as the store counts requests.
 */
#ifndef VDISIM_GENERATOR_H
#define VDISIM_GENERATOR_H

#include "vdisim/parameter.h"
#include "vdisim/world.h"

struct generator_pattern {
    int64_t block_bytes;
    double read_share, random_share;
};

struct generator_settings {
    const char *hosts, *store;
    struct generator_pattern pattern;
    int64_t threads;           /* of a client */
    int64_t outstanding;       /* of a thread */
    double client_bytes_per_s; /* a client sends no faster; INFINITY: as fast as answers come */
    int64_t files;             /* of a client, its own */
    int64_t file_bytes;
    int64_t start_ns, duration_ns;
};

extern const struct parameter_table generator_parameters;
extern const struct workload_kind generator_kind;

/* Whether the files fit in their store: the check of the kind. */
bool generator_fits(const struct scenario *scenario, const void *settings, struct parameter_problem *problem);

#endif
