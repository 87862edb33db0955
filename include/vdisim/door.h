/* The door of a store: the limits that a request must pass before it is served.
 *
 * A limit is a token bucket with a measure (what of a request it counts) and the name under which the service reports
 * that it bound. A request reserves its amount in every limit at its arrival, in order of arrival, and is admitted when
 * the last one grants it; that one is charged with the wait. A throttled request waits and then succeeds.
 *
 * Burst credits (Azure Files): the level of a bucket that fills at the baseline and holds the credits; the limit above it
 * is the burst rate. While any other limit throttles, unused baseline is not credited: accrual is paused until a second
 * has passed without throttling. Source: Microsoft, understanding-billing, 27 Jan 2021 ("Share credits").
 *
 * Left out: the service does not smooth; a client that keeps exceeding a limit can get less than it (a sawtooth).
 */
#ifndef VDISIM_DOOR_H
#define VDISIM_DOOR_H

#include "vdisim/bucket.h"
#include "vdisim/request.h"

#include <stddef.h>

enum door_measure {
    DOOR_REQUESTS, /* 1 a request */
    DOOR_METADATA, /* 1 a metadata request */
    DOOR_INGRESS,  /* bytes to the store */
    DOOR_EGRESS,   /* bytes back */
    DOOR_BOTH,     /* both */
};

struct door_limit {
    struct sim_bucket *bucket; /* not owned: an account's buckets are shared by its stores */
    enum door_measure measure;
    enum wait_cause cause;
    enum response_type response;
};

#define DOOR_LIMITS_MAX 10

struct door {
    struct door_limit limits[DOOR_LIMITS_MAX];
    size_t limit_count;
    struct sim_bucket *credits; /* burst credits, NULL without; also in `limits` */
    int64_t accrual_paused_until_ns;
};

void door_init(struct door *door);

/* Adds a limit; an unlimited bucket (infinite rate) is left out. */
void door_add(struct door *door, struct sim_bucket *bucket, enum door_measure measure, enum wait_cause cause,
              enum response_type response);

/* Reserves for a request at `now_ns` and returns when it is admitted. Sets request->limit and request->response when it
 * has to wait; leaves the response alone otherwise. */
int64_t door_admit(struct door *door, struct request *request, int64_t now_ns);

#endif
