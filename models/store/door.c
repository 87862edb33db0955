#include "vdisim/door.h"

#include <assert.h>
#include <math.h>

void door_init(struct door *door)
{
    *door = (struct door){0};
}

static bool cannot_bind(const struct door *door, const struct sim_bucket *bucket, enum door_measure measure)
{
    for (size_t i = 0; i < door->limit_count; i++) {
        const struct door_limit *earlier = &door->limits[i];
        if (earlier->measure == measure && earlier->bucket->rate_per_s <= bucket->rate_per_s &&
            earlier->bucket->capacity <= bucket->capacity)
            return true;
    }
    return false;
}

void door_add(struct door *door, struct sim_bucket *bucket, enum door_measure measure, enum wait_cause cause,
              enum response_type response, bool shared)
{
    if (isinf(bucket->rate_per_s) || (!shared && cannot_bind(door, bucket, measure)))
        return;
    assert(door->limit_count < DOOR_LIMITS_MAX);
    door->limits[door->limit_count++] = (struct door_limit){bucket, measure, cause, response};
}

/* Burst credits are not earned in a second in which another limit throttled. */
static void door_end_pause(struct door *door, int64_t now_ns);

static void door_pause_accrual(struct door *door, int64_t now_ns)
{
    door_end_pause(door, now_ns);
    sim_bucket_pause(door->credits, now_ns);
    door->accrual_paused_until_ns = now_ns + SIM_NS_PER_S;
}

int64_t door_admit(struct door *door, struct request *request, int64_t now_ns)
{
    const double ingress = (double)request->ingress_bytes, egress = (double)request->egress_bytes;
    const double amounts[DOOR_MEASURES] = {
        [DOOR_REQUESTS] = 1.0,
        [DOOR_METADATA] = operation_is_metadata(request->operation) ? 1.0 : 0.0,
        [DOOR_INGRESS] = ingress,
        [DOOR_EGRESS] = egress,
        [DOOR_BOTH] = ingress + egress,
    };
    int64_t admitted_ns = now_ns;
    const struct door_limit *binding = NULL;
    for (size_t i = 0; i < door->limit_count; i++) {
        const struct door_limit *limit = &door->limits[i];
        if (amounts[limit->measure] <= 0.0)
            continue; /* the debt of others is not its own: reads do not wait for opens */
        const int64_t granted_ns = sim_bucket_take(limit->bucket, now_ns, amounts[limit->measure]);
        if (granted_ns > admitted_ns) {
            admitted_ns = granted_ns;
            binding = limit;
        }
    }
    if (binding != NULL) {
        request->limit = binding->cause;
        request->response = binding->response;
        if (door->credits != NULL && binding->cause != CAUSE_IOPS_LIMIT)
            door_pause_accrual(door, now_ns);
    }
    return admitted_ns;
}

/* The pause ends a second after the last throttling, whether or not anyone asks then. */
static void door_end_pause(struct door *door, int64_t now_ns)
{
    if (door->accrual_paused_until_ns == 0 || now_ns < door->accrual_paused_until_ns)
        return;
    const int64_t end_ns = door->accrual_paused_until_ns;
    sim_bucket_resume(door->credits, end_ns > door->credits->level_ns ? end_ns : door->credits->level_ns);
    door->accrual_paused_until_ns = 0;
}

void door_change_credits(struct door *door, int64_t now_ns, double rate_per_s, double capacity)
{
    const int64_t at_ns = now_ns > door->credits->level_ns ? now_ns : door->credits->level_ns;
    door_end_pause(door, at_ns);
    sim_bucket_set_rate(door->credits, at_ns, rate_per_s);
    sim_bucket_set_capacity(door->credits, at_ns, capacity);
}

double door_credits(struct door *door, int64_t now_ns)
{
    const int64_t at_ns = now_ns > door->credits->level_ns ? now_ns : door->credits->level_ns;
    door_end_pause(door, at_ns);
    return fmax(0.0, sim_bucket_level(door->credits, at_ns));
}

int64_t door_spend_credit(struct door *door, struct request *request, int64_t now_ns)
{
    if (door->credits == NULL)
        return now_ns;
    door_end_pause(door, now_ns);
    const int64_t granted_ns = sim_bucket_take(door->credits, now_ns, 1.0);
    if (granted_ns > now_ns) {
        request->limit = CAUSE_IOPS_LIMIT;
        request->response = RESPONSE_SHARE_IOPS_THROTTLING;
    }
    return granted_ns;
}
