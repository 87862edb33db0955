#include "vdisim/lease.h"

#include <assert.h>

enum { READS = 1, HANDLES = 2, WRITES = 4 };

static const struct {
    const char *name;
    unsigned allows;
    bool is_oplock;
} states[LEASE_STATE_COUNT] = {
    [LEASE_NONE] = {"none", 0, false},
    [LEASE_LEVEL_2] = {"level 2", READS, true},
    [LEASE_LEVEL_1] = {"level 1", READS | WRITES, true},
    [LEASE_BATCH] = {"batch", READS | WRITES | HANDLES, true},
    [LEASE_R] = {"R", READS, false},
    [LEASE_RH] = {"RH", READS | HANDLES, false},
    [LEASE_RW] = {"RW", READS | WRITES, false},
    [LEASE_RWH] = {"RWH", READS | WRITES | HANDLES, false},
};

const char *lease_state_name(enum lease_state state)
{
    assert(state < LEASE_STATE_COUNT);
    return states[state].name;
}

const char *lease_event_name(enum lease_event event)
{
    static const char *const names[LEASE_EVENT_COUNT] = {
        "open", "conflicting open", "overwriting open", "open of attributes", "read", "write"};
    assert(event < LEASE_EVENT_COUNT);
    return names[event];
}

bool lease_caches_reads(enum lease_state state)
{
    return (states[state].allows & READS) != 0;
}

bool lease_caches_writes(enum lease_state state)
{
    return (states[state].allows & WRITES) != 0;
}

bool lease_caches_handles(enum lease_state state)
{
    return (states[state].allows & HANDLES) != 0;
}

#define KEPT                                                                                                 \
    {                                                                                                        \
        0, false, false, false                                                                               \
    }
#define TOLD(state)                                                                                          \
    {                                                                                                        \
        LEASE_##state, true, false, false                                                                    \
    } /* nothing to give up first */
#define ANSWERED(state)                                                                                      \
    {                                                                                                        \
        LEASE_##state, true, true, false                                                                     \
    } /* answers, but nobody waits for it */
#define AWAITED(state)                                                                                       \
    {                                                                                                        \
        LEASE_##state, true, true, true                                                                      \
    }

/* A level 1 oplock is checked after share access, a batch oplock before ([MS-FSA] 2.1.5.1.2): an open that fails on
 * share access breaks only the latter, and may succeed once the holder has closed the handle that it kept. */
static const struct lease_break breaks[LEASE_STATE_COUNT][LEASE_EVENT_COUNT] = {
    /*                open, conflicting, overwriting, attributes, read, write */
    [LEASE_NONE] = {KEPT, KEPT, KEPT, KEPT, KEPT, KEPT},
    [LEASE_LEVEL_2] = {KEPT, KEPT, TOLD(NONE), KEPT, KEPT, TOLD(NONE)},
    [LEASE_LEVEL_1] = {AWAITED(LEVEL_2), KEPT, AWAITED(NONE), KEPT, AWAITED(LEVEL_2), AWAITED(NONE)},
    [LEASE_BATCH] = {AWAITED(LEVEL_2), AWAITED(LEVEL_2), AWAITED(NONE), KEPT, AWAITED(LEVEL_2),
                     AWAITED(NONE)},
    [LEASE_R] = {KEPT, KEPT, TOLD(NONE), KEPT, KEPT, TOLD(NONE)},
    [LEASE_RH] = {KEPT, AWAITED(R), ANSWERED(NONE), KEPT, KEPT, ANSWERED(NONE)},
    [LEASE_RW] = {AWAITED(R), AWAITED(R), AWAITED(NONE), KEPT, AWAITED(R), AWAITED(NONE)},
    [LEASE_RWH] = {AWAITED(RH), AWAITED(RW), AWAITED(NONE), KEPT, AWAITED(RH), AWAITED(NONE)},
};

struct lease_break lease_break_by(enum lease_state held, enum lease_event event)
{
    assert(held < LEASE_STATE_COUNT && event < LEASE_EVENT_COUNT);
    struct lease_break result = breaks[held][event];
    if (!result.breaks)
        result.to = held;
    return result;
}

bool lease_states_coexist(enum lease_state one, enum lease_state other)
{
    if (one == LEASE_NONE || other == LEASE_NONE)
        return true;
    if (((states[one].allows | states[other].allows) & WRITES) != 0)
        return false;
    const bool oplock = states[one].is_oplock || states[other].is_oplock;
    return !oplock || ((states[one].allows | states[other].allows) & HANDLES) == 0;
}

/* The state of the same family that allows this; none when there is no such. */
static enum lease_state state_of(bool is_oplock, unsigned allows)
{
    for (int state = LEASE_STATE_COUNT - 1; state > LEASE_NONE; state--)
        if (states[state].is_oplock == is_oplock && states[state].allows == allows)
            return (enum lease_state)state;
    return LEASE_NONE;
}

enum lease_state lease_grant(enum lease_state wanted, const enum lease_state *others, size_t count)
{
    static const unsigned lesser[] = {READS | WRITES | HANDLES, READS | WRITES, READS | HANDLES, READS};
    for (size_t i = 0; i < sizeof lesser / sizeof lesser[0]; i++) {
        if ((lesser[i] & ~states[wanted].allows) != 0 || ((lesser[i] & WRITES) != 0 && count > 0))
            continue;
        const enum lease_state candidate = state_of(states[wanted].is_oplock, lesser[i]);
        bool fits = candidate != LEASE_NONE;
        for (size_t other = 0; fits && other < count; other++)
            fits = lease_states_coexist(candidate, others[other]);
        if (fits)
            return candidate;
    }
    return LEASE_NONE;
}

bool lease_may_acknowledge(enum lease_state to, enum lease_state answer)
{
    return answer == LEASE_NONE || (states[answer].is_oplock == states[to].is_oplock &&
                                    (states[answer].allows & ~states[to].allows) == 0);
}

void lease_file_init(struct lease_file *file,
                     void (*tell)(struct lease_file *, struct lease_holder *, enum lease_state, bool))
{
    *file = (struct lease_file){.tell = tell};
}

static void tell(struct lease_file *file, struct lease_holder *holder, enum lease_state to, bool acknowledged)
{
    file->breaks++;
    file->tell(file, holder, to, acknowledged);
}

/* What breaks at one holder; whether the event has to wait for it. */
static bool break_holder(struct lease_file *file, struct lease_holder *holder, enum lease_event event,
                         int64_t now_ns)
{
    const struct lease_break is = lease_break_by(holder->state, event);
    if (!is.breaks)
        return false;
    if (holder->breaking) {
        /* One break at a time: an event that waits is asked again after the answer; one that does not wait says now that
         * even less is left. */
        if (!is.waits && holder->breaking_to != is.to && lease_may_acknowledge(holder->breaking_to, is.to)) {
            holder->breaking_to = is.to;
            tell(file, holder, is.to, true);
        }
        return is.waits;
    }
    if (is.acknowledged) {
        holder->breaking = true;
        holder->breaking_to = is.to;
        holder->acknowledge_by_ns = now_ns + LEASE_ACKNOWLEDGE_NS;
    } else {
        holder->state = is.to;
    }
    tell(file, holder, is.to, is.acknowledged);
    return is.waits;
}

bool lease_file_event(struct lease_file *file, const struct lease_holder *by, enum lease_event event,
                      int64_t now_ns)
{
    bool waits = false;
    for (struct lease_holder *holder = file->first; holder != NULL; holder = holder->next)
        if (holder != by && break_holder(file, holder, event, now_ns))
            waits = true;
    return !waits;
}

enum lease_state lease_file_open(struct lease_file *file, struct lease_holder *holder,
                                 enum lease_state wanted)
{
    enum lease_state granted = wanted;
    struct lease_holder **link = &file->first;
    for (; *link != NULL; link = &(*link)->next)
        if (*link != holder) {
            granted = lease_grant(granted, &(*link)->state, 1);
        }
    if (!holder->is_open) {
        *link = holder;
        holder->next = NULL;
        holder->is_open = true;
        holder->breaking = false;
        holder->state = granted;
    } else if (!holder->breaking && lease_may_acknowledge(granted, holder->state)) {
        holder->state = granted;
    }
    return holder->state;
}

bool lease_file_acknowledge(struct lease_file *file, struct lease_holder *holder, enum lease_state answer)
{
    (void)file;
    if (!holder->is_open || !holder->breaking || !lease_may_acknowledge(holder->breaking_to, answer))
        return false;
    holder->breaking = false;
    holder->state = answer;
    return true;
}

size_t lease_file_expire(struct lease_file *file, int64_t now_ns)
{
    size_t expired = 0;
    for (struct lease_holder *holder = file->first; holder != NULL; holder = holder->next) {
        if (!holder->breaking || holder->acknowledge_by_ns > now_ns)
            continue;
        holder->breaking = false;
        holder->state = LEASE_NONE;
        expired++;
    }
    file->expired += expired;
    return expired;
}

int64_t lease_file_next_expiry_ns(const struct lease_file *file)
{
    int64_t next_ns = INT64_MAX;
    for (const struct lease_holder *holder = file->first; holder != NULL; holder = holder->next)
        if (holder->breaking && holder->acknowledge_by_ns < next_ns)
            next_ns = holder->acknowledge_by_ns;
    return next_ns;
}

void lease_file_close(struct lease_file *file, struct lease_holder *holder)
{
    for (struct lease_holder **link = &file->first; *link != NULL; link = &(*link)->next) {
        if (*link != holder)
            continue;
        *link = holder->next;
        break;
    }
    holder->is_open = holder->breaking = false;
    holder->state = LEASE_NONE;
    holder->next = NULL;
}
