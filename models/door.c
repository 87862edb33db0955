#include "vdisim/door.h"

#include <assert.h>
#include <math.h>

void door_init(struct door *door)
{
    *door = (struct door){0};
}

void door_add(struct door *door, struct sim_bucket *bucket, enum door_measure measure, enum wait_cause cause,
              enum response_type response)
{
    if (isinf(bucket->rate_per_s))
        return;
    assert(door->limit_count < DOOR_LIMITS_MAX);
    door->limits[door->limit_count++] = (struct door_limit){bucket, measure, cause, response};
}

static double door_amount(enum door_measure measure, const struct request *request)
{
    switch (measure) {
    case DOOR_REQUESTS:
        return 1.0;
    case DOOR_METADATA:
        return operation_is_metadata(request->operation) ? 1.0 : 0.0;
    case DOOR_INGRESS:
        return (double)request->ingress_bytes;
    case DOOR_EGRESS:
        return (double)request->egress_bytes;
    case DOOR_BOTH:
        return (double)(request->ingress_bytes + request->egress_bytes);
    }
    return 0.0;
}

/* Burst credits are not earned in a second in which another limit throttled. */
static void door_pause_accrual(struct door *door, int64_t now_ns)
{
    sim_bucket_pause(door->credits, now_ns);
    door->accrual_paused_until_ns = now_ns + SIM_NS_PER_S;
}

int64_t door_admit(struct door *door, struct request *request, int64_t now_ns)
{
    if (door->accrual_paused_until_ns != 0 && now_ns >= door->accrual_paused_until_ns) {
        sim_bucket_resume(door->credits, now_ns);
        door->accrual_paused_until_ns = 0;
    }
    int64_t admitted_ns = now_ns;
    const struct door_limit *binding = NULL;
    for (size_t i = 0; i < door->limit_count; i++) {
        const struct door_limit *limit = &door->limits[i];
        const double amount = door_amount(limit->measure, request);
        if (amount <= 0.0)
            continue;
        const int64_t granted_ns = sim_bucket_take(limit->bucket, now_ns, amount);
        if (granted_ns > admitted_ns) {
            admitted_ns = granted_ns;
            binding = limit;
        }
    }
    if (binding != NULL) {
        request->limit = binding->cause;
        request->response = binding->response;
        if (door->credits != NULL && binding->bucket != door->credits)
            door_pause_accrual(door, now_ns);
    }
    return admitted_ns;
}
