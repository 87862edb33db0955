/* The cheapest share, or shares, on which the logons of an experiment meet their targets.
 *
 * For each tier and number of shares the smallest size is sought that meets all targets. The users are split evenly over
 * the shares, with their hosts; one share is simulated with its part of the users, and its part of the account's limits.
 *
 *   1. One user alone is measured on the tier (demand.h). A target that this user misses already is impossible there.
 *   2. The fluid answer (fluid.h) tells about where the boundary lies; pieces of sizes (sizes.h) that it finds hopeless are
 *      left out, and so are numbers of shares that cannot be smaller in all than what was found.
 *   3. From there single runs without run effect look for the boundary: up or down in growing steps, then by bisection.
 *      All draw the same random numbers, so that they differ by the size alone.
 *   4. What was found is confirmed by mornings of its own (confirm.h). If it is not, larger sizes are scouted for by other
 *      mornings, and the first that is likely to be confirmed is tried, then larger ones. The chance that anything is confirmed
 *      that does not meet the targets is shared out over the sizes tried, to stay below 1 - confidence.
 *   5. A run with 20 % more users, without run effect, says what they would do.
 *
 * Options are ranked by the cost of a month; those without a price by what they are in all, after the others, and so are
 * all where prices are in several currencies. A tier whose store has no price gets the latest list of the catalogue whose
 * name is that of the tier, or that and a date.
 *
 *     struct size_answer *answer = size_find(experiment, &request, message, sizeof message);
 *     ... answer->options[answer->order[0]] ...
 *     size_answer_destroy(answer);
 */
#ifndef VDISIM_SIZE_H
#define VDISIM_SIZE_H

#include "sim/experiment/read/experiment.h"
#include "sim/experiment/size/target.h"

#include <stdatomic.h>
#include <stdint.h>

enum { SIZE_WHY_SIZE = 400, SIZE_SHARES_MOST = 64 };

struct size_request {
    size_t cell;
    const char *store; /* NULL: that of the first workload of logons */
    const struct target *targets;
    size_t target_count;
    const char *const *tiers; /* entries of the catalogue; none: all share tiers for SMB */
    size_t tier_count;
    const char *
        rules; /* a date; NULL: as the file says of the store, the latest for other tiers where that is a name */
    size_t shares_most;
    double data_bytes;         /* that has to fit; NaN: what the profiles of all users hold */
    double confidence;         /* 0.95 */
    size_t replications;       /* at most, to confirm a size */
    size_t jobs;               /* 0: as many as processors */
    const atomic_bool *cancel; /* may be NULL */
};

enum size_fate {
    SIZE_MET,
    SIZE_MISSED,     /* no size that is sold meets the targets */
    SIZE_IMPOSSIBLE, /* a user alone misses them */
    SIZE_NOT_SOLD,   /* at that date, or so large */
};

struct size_option {
    const char *tier;
    enum size_fate fate;
    char why[SIZE_WHY_SIZE]; /* unless met */
    bool
        is_unconfirmed; /* missed because the replications ran out on some size before its bounds were on either side */
    /* Of what was found, or came nearest; bytes 0: nothing was looked at. */
    int64_t bytes; /* of one share */
    size_t shares;
    bool is_estimate; /* by the fluid answer: it was not simulated */
    struct standing standings[TARGETS_MAX];
    double margin; /* of the worst target's bound; negative: missed */
    double cost;   /* a month, of all shares; NaN: the price is not known */
    char currency[8];
    const char *price_list; /* of the catalogue; NULL: the tier has its own, or the file says it */
    char binds[64];         /* the limit that is used most, and how far, by the fluid answer */
    double binds_used;
    double more[TARGETS_MAX]; /* each target's metric with 20 % more users */
    bool more_meets;
    size_t runs; /* simulated, of this tier */
};

struct size_answer {
    const struct experiment *experiment;
    struct target *targets; /* with their units */
    size_t target_count;
    struct size_option *options;
    size_t option_count;
    size_t *order; /* the best first */
    char **names;  /* of the tiers; private */
    double data_bytes, users;
    size_t runs;
    bool currencies_differ; /* then costs did not rank */
};

/* How a search ended without an answer. */
enum size_end { SIZE_DONE, SIZE_REFUSED, SIZE_FAILED, SIZE_INTERRUPTED };

/* NULL unless done, with one line of why. The experiment must outlive the answer. */
struct size_answer *size_find(const struct experiment *experiment, const struct size_request *request,
                              enum size_end *end, char *message, size_t message_size);
void size_answer_destroy(struct size_answer *answer);

/* Whether some option meets the targets. */
bool size_is_met(const struct size_answer *answer);

#endif
