/* The door of a store: the limits that a request must pass before it is served.
 *
 * A limit is a token bucket with a measure (what of a request it counts) and the name under which the service
 * reports that it bound. A request reserves its amount in every limit at its arrival, in order of arrival,
 * and is admitted when the last one grants it; that one is charged with the wait. A throttled request waits
 * and then succeeds.
 *
 * Burst credits (Azure Files): the level of a bucket that fills at the baseline and holds the credits. A
 * request spends one when the other limits have let it in, so that credits(t) = clamp(credits + (baseline -
 * served) dt, 0, bucket). While any other limit throttles, unused baseline is not credited: accrual is paused
 * until a second has passed without throttling. Source: Microsoft, understanding-billing, 27 Jan 2021 ("Share
 * credits").
 *
 * Left out: the service does not smooth; a client that keeps exceeding a limit can get less than it (a
 * sawtooth).
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
    DOOR_MEASURES
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
    struct sim_bucket *credits; /* burst credits, NULL without */
    int64_t accrual_paused_until_ns;
};

void door_init(struct door *door);

/* Adds a limit; one that cannot bind is left out: an unlimited bucket (infinite rate), or one that lets
 * through whatever an earlier limit of the same measure does (`shared` false: nobody else draws on it, and
 * neither rate nor capacity is smaller). */
void door_add(struct door *door, struct sim_bucket *bucket, enum door_measure measure, enum wait_cause cause,
              enum response_type response, bool shared);

/* Reserves for a request at `now_ns` and returns when it is admitted, credits apart. Sets request->limit and
 * request->response when it has to wait; leaves the response alone otherwise. */
int64_t door_admit(struct door *door, struct request *request, int64_t now_ns);

/* Spends a burst credit for a request that the limits admit at `now_ns`, and returns when there is one. */
int64_t door_spend_credit(struct door *door, struct request *request, int64_t now_ns);

/* The bucket of credits fills at another rate and holds another number from now on; what is above it is lost. Only with
 * credits. */
void door_change_credits(struct door *door, int64_t now_ns, double rate_per_s, double capacity);

/* The burst credits at `now_ns`, or when the last one was spent if that was later; only with credits. */
double door_credits(struct door *door, int64_t now_ns);

#endif
