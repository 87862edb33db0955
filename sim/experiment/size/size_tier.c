#include "sim/experiment/size/size_tier.h"

#include "sim/experiment/size/confirm.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define HOPELESS -0.5 /* a fluid margin: half as much again as the target */
#define NEAR     -0.3 /* it may be wrong by so much */
#define MORE     1.2

enum { ATTEMPTS_MOST = 8, NOWHERE = -1 };

static const size_t single_run = 0; /* the replication of runs without run effect */

struct search {
    const struct option_tier *tier;
    struct size_option *found;
    size_t shares;
    struct sizes sizes;
    double *margins; /* [size] of a single run; NaN: not looked at */
    enum option_end end;
    char *message;
    size_t attempts; /* sizes that were to be confirmed */
};

static struct option option_at(const struct search *search, size_t index)
{
    return (struct option){.bytes = search->sizes.list[index], .shares = search->shares, .user_scale = 1.0};
}

static double fluid_margin(struct search *search, size_t index)
{
    const struct option option = option_at(search, index);
    double values[TARGETS_MAX];
    if (!option_estimate(search->tier, &option, values, NULL)) {
        search->end = OPTION_FAILED;
        snprintf(search->message, SIZE_WHY_SIZE, "out of memory");
        return -INFINITY;
    }
    return option_margin(search->tier, values, true);
}

/* What came nearest to the targets is kept while nothing meets them. */
static void keep_nearest(struct search *search, size_t index, const double *values, double margin,
                         bool is_estimate)
{
    struct size_option *found = search->found;
    const bool better = found->bytes == 0 || margin > found->margin ||
                        (found->is_estimate && !is_estimate && margin >= found->margin);
    if (found->fate == SIZE_MET || !better)
        return;
    found->bytes = search->sizes.list[index];
    found->shares = search->shares;
    found->margin = margin;
    found->is_estimate = is_estimate;
    for (size_t i = 0; i < search->tier->request->target_count; i++)
        found->standings[i] = (struct standing){values[i], values[i], NAN, false, false};
}

/* By one run without run effect, the same random numbers for all sizes. */
static bool holds(struct search *search, size_t index)
{
    if (search->end != OPTION_DONE)
        return false;
    if (isnan(search->margins[index])) {
        const struct option option = option_at(search, index);
        struct option_values runs = {.count = 0};
        double values[TARGETS_MAX];
        search->end = option_run(search->tier, &option, &single_run, 1, &runs, search->message);
        if (search->end == OPTION_DONE) {
            for (size_t i = 0; i < search->tier->request->target_count; i++)
                values[i] = runs.of_target[i][0];
            search->margins[index] = option_margin(search->tier, values, false);
            keep_nearest(search, index, values, search->margins[index], false);
        }
        option_values_release(&runs);
    }
    return search->margins[index] >= 0.0;
}

/* -- where the boundary may lie -- */

/* The smallest size of a piece that the fluid says meets the targets, by bisection between an end that does not and one
 * that does; its last one when neither does. */
static size_t fluid_guess(struct search *search, const struct size_piece *piece)
{
    size_t low = piece->first, high = piece->last;
    if (fluid_margin(search, low) >= 0.0)
        return low;
    if (fluid_margin(search, high) < 0.0)
        return high;
    while (high - low > 1) {
        const size_t middle = low + (high - low) / 2;
        if (fluid_margin(search, middle) >= 0.0)
            high = middle;
        else
            low = middle;
    }
    return high;
}

static double best_fluid_margin(struct search *search, const struct size_piece *piece)
{
    return fmax(fluid_margin(search, piece->first), fluid_margin(search, piece->last));
}

/* From one that holds down to the smallest that does, no further than `floor`, which does not or is the first. */
static size_t search_down(struct search *search, size_t floor, bool floor_fails, size_t high)
{
    size_t low = floor;
    bool low_fails = floor_fails;
    for (size_t step = 1; high > low && !(low_fails && high - low == 1); step *= 2) {
        const size_t next = high - low > step ? high - step : low;
        if (next == low && low_fails)
            break;
        if (!holds(search, next)) {
            low = next;
            low_fails = true;
            break;
        }
        high = next;
    }
    while (low_fails && high - low > 1) {
        const size_t middle = low + (high - low) / 2;
        if (holds(search, middle))
            high = middle;
        else
            low = middle;
    }
    return high;
}

/* The smallest size of a piece on which a single run meets the targets, or NOWHERE. */
static long find_in_piece(struct search *search, const struct size_piece *piece)
{
    if (piece->first != piece->last && best_fluid_margin(search, piece) < HOPELESS) {
        return NOWHERE;
    }
    if (fluid_margin(search, piece->first) >= NEAR && holds(search, piece->first))
        return (long)piece->first;
    size_t at = fluid_guess(search, piece), failed = piece->first;
    bool first_fails = !isnan(search->margins[piece->first]);
    if (at == piece->first && first_fails)
        at = piece->last > at ? at + 1 : at;
    for (size_t step = 1; search->end == OPTION_DONE && !holds(search, at); step *= 2) {
        failed = at;
        first_fails = true;
        if (at == piece->last)
            return NOWHERE;
        at = piece->last - at > step ? at + step : piece->last;
    }
    return search->end == OPTION_DONE ? (long)search_down(search, failed, first_fails, at) : NOWHERE;
}

/* -- confirming -- */

/* The error that the next size to be confirmed may make: a quarter of all for the first, which a single run has chosen, a
 * half for the second, which was scouted for; an eighth, a sixteenth, ... for what else is tried. */
static double next_error(const struct search *search)
{
    const double all = 1.0 - search->tier->request->confidence;
    return search->attempts == 0 ? all / 4.0 : ldexp(all, -(int)search->attempts - (search->attempts > 1));
}

static bool promises(struct search *search, size_t index)
{
    struct option option = option_at(search, index);
    bool likely = false;
    option.run_effect = true;
    if (search->end == OPTION_DONE)
        search->end = option_promises(search->tier, &option, next_error(search), &likely, search->message);
    return likely && search->end == OPTION_DONE;
}

/* The smallest size above `index`, which was not confirmed, that is likely to be; the last when none is. Near saturation
 * the mean over mornings is far above what single runs, which know no run effect, say. */
static size_t scout(struct search *search, const struct size_piece *piece, size_t index)
{
    size_t low = index, high = index;
    for (size_t step = 1; high < piece->last && search->end == OPTION_DONE; step *= 2) {
        high = piece->last - high > step ? high + step : piece->last;
        if (promises(search, high))
            break;
        low = high;
    }
    while (high - low > 1 && search->end == OPTION_DONE) {
        const size_t middle = low + (high - low) / 2;
        if (promises(search, middle))
            high = middle;
        else
            low = middle;
    }
    return high;
}

static double mean_cost(const struct option_values *values, size_t shares)
{
    double sum = 0.0;
    for (size_t i = 0; i < values->count; i++)
        sum += values->costs[i];
    return sum / (double)values->count * (double)shares;
}

static void take_confirmed(struct search *search, size_t index, const struct confirmation *confirmation)
{
    struct size_option *found = search->found;
    found->fate = SIZE_MET;
    found->bytes = search->sizes.list[index];
    found->shares = search->shares;
    found->is_estimate = false;
    found->cost = mean_cost(&confirmation->values, search->shares);
    memcpy(found->currency, confirmation->values.currency, sizeof found->currency);
    found->margin = INFINITY;
    for (size_t i = 0; i < search->tier->request->target_count; i++) {
        found->standings[i] = confirmation->standings[i];
        found->margin =
            fmin(found->margin, target_margin(&search->tier->targets[i], found->standings[i].bound));
    }
}

/* Whether mornings of their own say that a size meets the targets: kept as the one that was found, then. */
static bool confirm(struct search *search, size_t index)
{
    struct option option = option_at(search, index);
    struct confirmation confirmation;
    option.run_effect = true;
    const double error = next_error(search);
    search->attempts++;
    search->end = option_confirm(search->tier, &option, error, &confirmation, search->message);
    const bool met = search->end == OPTION_DONE && confirmation.met;
    if (met)
        take_confirmed(search, index, &confirmation);
    else if (search->end == OPTION_DONE && !confirmation.missed)
        search->found->is_unconfirmed = true;
    confirmation_release(&confirmation);
    return met;
}

/* The size that a single run says meets the targets; else the one that scouting finds, and from there upwards. */
static bool confirm_from(struct search *search, const struct size_piece *piece, size_t index)
{
    bool scouted = false;
    for (size_t step = 2; search->attempts < ATTEMPTS_MOST && search->end == OPTION_DONE;) {
        if (confirm(search, index))
            return true;
        if (index == piece->last || search->end != OPTION_DONE)
            return false;
        if (scouted) {
            index = piece->last - index > step ? index + step : piece->last;
            step *= 2;
        } else {
            index = scout(search, piece, index);
            scouted = true;
        }
    }
    return false;
}

/* -- a number of shares -- */

static bool open_search(struct search *search, double data_bytes)
{
    if (!sizes_make(&search->sizes, &search->tier->settings, data_bytes / (double)search->shares))
        return false;
    search->margins = calloc(search->sizes.count + 1, sizeof *search->margins);
    for (size_t i = 0; search->margins != NULL && i < search->sizes.count; i++)
        search->margins[i] = NAN;
    return search->margins != NULL;
}

static void close_search(struct search *search)
{
    sizes_release(&search->sizes);
    free(search->margins);
    search->margins = NULL;
}

/* What all the shares are together by the fluid answer, at the least; INFINITY when it is hopeless. */
static double least_total(struct search *search)
{
    for (size_t i = 0; i < search->sizes.piece_count; i++) {
        const struct size_piece *piece = &search->sizes.pieces[i];
        if (best_fluid_margin(search, piece) >= HOPELESS)
            return (double)search->sizes.list[fluid_guess(search, piece)] * (double)search->shares;
    }
    return INFINITY;
}

static void remember_hopeless(struct search *search)
{
    double values[TARGETS_MAX];
    const size_t last = search->sizes.count - 1;
    const struct option option = option_at(search, last);
    if (option_estimate(search->tier, &option, values, NULL))
        keep_nearest(search, last, values, option_margin(search->tier, values, true), true);
}

static void search_sizes(struct search *search)
{
    struct size_option before = *search->found;
    search->found->fate = SIZE_MISSED;
    for (size_t i = 0; i < search->sizes.piece_count && search->end == OPTION_DONE; i++) {
        const struct size_piece *piece = &search->sizes.pieces[i];
        const long index = find_in_piece(search, piece);
        if (index != NOWHERE && confirm_from(search, piece, (size_t)index))
            break;
    }
    const double total = (double)search->found->bytes * (double)search->found->shares;
    if (before.fate == SIZE_MET &&
        (search->found->fate != SIZE_MET || total >= (double)before.bytes * (double)before.shares))
        *search->found = before;
}

/* Fluid totals for each number of shares; false when memory is short. */
static bool estimate_totals(struct search *search, double data_bytes, double *totals)
{
    for (size_t shares = 1; shares <= search->tier->request->shares_most; shares++) {
        search->shares = shares;
        const bool fine = open_search(search, data_bytes);
        if (fine) {
            totals[shares] = search->sizes.count > 0 ? least_total(search) : (double)INFINITY;
            if (isinf(totals[shares]) && search->sizes.count > 0)
                remember_hopeless(search);
        }
        close_search(search);
        if (!fine || search->end != OPTION_DONE)
            return false;
    }
    return true;
}

/* The number of shares that is the smallest in all and smaller than what was found; 0: none. */
static size_t next_shares(const struct search *search, double *totals)
{
    const struct size_option *found = search->found;
    const double best =
        found->fate == SIZE_MET ? (double)found->bytes * (double)found->shares : (double)INFINITY;
    size_t next = 0;
    for (size_t shares = 1; shares <= search->tier->request->shares_most; shares++)
        if (totals[shares] < best && (next == 0 || totals[shares] < totals[next]))
            next = shares;
    return next;
}

/* -- what more is said of it -- */

static void describe(struct search *search)
{
    struct size_option *found = search->found;
    struct option option = {found->bytes, found->shares, 1.0, false};
    struct fluid_answer *answer = calloc(1, sizeof *answer);
    double values[TARGETS_MAX];
    if (answer != NULL && option_estimate(search->tier, &option, values, answer)) {
        const struct fluid_limit *tightest = fluid_tightest(answer);
        snprintf(found->binds, sizeof found->binds, "%s", tightest->name);
        found->binds_used = fluid_utilisation(tightest);
    }
    free(answer);
    if (found->fate != SIZE_MET)
        return;
    struct option_values runs = {.count = 0};
    option.user_scale = MORE;
    search->end = option_run(search->tier, &option, &single_run, 1, &runs, search->message);
    found->more_meets = search->end == OPTION_DONE;
    for (size_t i = 0; search->end == OPTION_DONE && i < search->tier->request->target_count; i++) {
        found->more[i] = runs.of_target[i][0];
        found->more_meets = found->more_meets && target_holds(&search->tier->targets[i], found->more[i]);
    }
    option_values_release(&runs);
}

static void say_why_not(struct search *search, double data_bytes)
{
    struct size_option *found = search->found;
    if (found->fate == SIZE_MET)
        return;
    found->fate = SIZE_MISSED;
    if (found->bytes == 0) {
        found->fate = SIZE_NOT_SOLD;
        snprintf(found->why, sizeof found->why, "%zu of the largest, %.6g GiB each, do not hold %.6g GiB",
                 search->tier->request->shares_most,
                 (double)search->tier->settings.size_max_bytes / 1073741824.0, data_bytes / 1073741824.0);
    }
}

enum option_end size_tier_search(const struct option_tier *tier, double data_bytes, struct size_option *found,
                                 char message[SIZE_WHY_SIZE])
{
    struct search search = {.tier = tier, .found = found, .message = message, .end = OPTION_DONE};
    double *totals = calloc(tier->request->shares_most + 1, sizeof *totals);
    size_t shares;
    found->fate = SIZE_MISSED;
    if (totals == NULL || !estimate_totals(&search, data_bytes, totals)) {
        if (search.end == OPTION_DONE)
            snprintf(message, SIZE_WHY_SIZE, "out of memory");
        free(totals);
        return OPTION_FAILED;
    }
    while (search.end == OPTION_DONE && (shares = next_shares(&search, totals)) > 0) {
        search.shares = shares;
        totals[shares] = INFINITY;
        if (open_search(&search, data_bytes))
            search_sizes(&search);
        else
            search.end = OPTION_FAILED;
        close_search(&search);
    }
    free(totals);
    if (search.end == OPTION_DONE)
        say_why_not(&search, data_bytes);
    if (search.end == OPTION_DONE && found->bytes > 0)
        describe(&search);
    return search.end;
}
