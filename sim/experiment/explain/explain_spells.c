/* What bound when: the minutes of each store put together into spells, and what becomes of its burst credits. */
#include "sim/experiment/explain/explain_inside.h"

#include "sim/experiment/result/label.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { SPELLS_MOST = 8, PRESENT_MINUTES = 5 };

#define MIB 1048576.0

/* Throttling of fewer requests than this does not make a minute a throttled one. */
#define SHARE_THAT_BINDS 0.01

static uint64_t all_of(const struct minute_record *minute)
{
    uint64_t sum = 0;
    for (size_t type = 0; type < RESPONSE_TYPE_COUNT; type++)
        sum += minute->transactions[type];
    return sum;
}

static bool is_throttled(enum response_type type)
{
    return type != RESPONSE_SUCCESS && type != RESPONSE_CLIENT_ERROR;
}

/* The commonest kind of throttling among counts by type, and all of it. */
static enum response_type commonest(const uint64_t counts[RESPONSE_TYPE_COUNT], uint64_t *throttled)
{
    enum response_type best = RESPONSE_SUCCESS;
    *throttled = 0;
    for (size_t i = 0; i < RESPONSE_TYPE_COUNT; i++) {
        const enum response_type type = (enum response_type)i;
        if (!is_throttled(type))
            continue;
        *throttled += counts[i];
        if (counts[i] > (best == RESPONSE_SUCCESS ? 0 : counts[best]))
            best = type;
    }
    return best;
}

enum response_type explain_binding(const struct explain_run *run, size_t store, double *share)
{
    const struct unit_result *unit = explain_unit(run);
    uint64_t counts[RESPONSE_TYPE_COUNT] = {0}, all = 0, throttled;
    for (size_t minute = 0; minute < unit->minute_counts[store]; minute++)
        for (size_t type = 0; type < RESPONSE_TYPE_COUNT; type++) {
            counts[type] += unit->minutes[store][minute].transactions[type];
            all += unit->minutes[store][minute].transactions[type];
        }
    const enum response_type type = commonest(counts, &throttled);
    *share = all > 0 ? (double)throttled / (double)all : 0;
    return type;
}

ptrdiff_t explain_binding_store(const struct explain_run *run, enum response_type type)
{
    const struct unit_result *unit = explain_unit(run);
    ptrdiff_t best = -1;
    uint64_t most = 0;
    for (size_t store = 0; store < run->result->store_count; store++) {
        uint64_t count = 0;
        for (size_t minute = 0; minute < unit->minute_counts[store]; minute++)
            count += unit->minutes[store][minute].transactions[type];
        if (count > most) {
            most = count;
            best = (ptrdiff_t)store;
        }
    }
    return best;
}

bool explain_entitlement(const struct explain_run *run, size_t store, struct entitlement *entitlement)
{
    const struct scenario *scenario = &run->resolution->scenario;
    *entitlement = (struct entitlement){0};
    for (size_t i = 0; i < scenario->store_count; i++) {
        const struct store_part *part = &scenario->stores[i];
        if (strcmp(part->name, run->result->store_names[store]) != 0 || part->kind->entitle == NULL)
            continue;
        part->kind->entitle(part->settings, entitlement);
        return true;
    }
    return false;
}

static double entitled(const struct entitlement *entitlement, const char *name)
{
    const struct entitlement_row *row = entitlement_row(entitlement, name);
    return row == NULL ? (double)NAN : row->value;
}

const char *explain_limit_words(const struct explain_run *run, size_t store, enum response_type type,
                                bool egress)
{
    struct entitlement entitlement;
    char number[LABEL_SIZE];
    const char *name = run->result->store_names[store];
    if (!explain_entitlement(run, store, &entitlement))
        return "";
    double value = NAN;
    switch (type) {
    case RESPONSE_SHARE_IOPS_THROTTLING:
        value = entitled(&entitlement, "iops.base");
        number_label(number, value, 0);
        if (isnan(value) || isinf(value))
            return "";
        if (entitled(&entitlement, "credits.full") > 0) {
            char burst[LABEL_SIZE];
            number_label(burst, entitled(&entitlement, "iops.burst"), 0);
            return arena_format(run->arena, "%s answers at most %s IOPS, and %s while it has credits", name,
                                number, burst);
        }
        return arena_format(run->arena, "%s answers at most %s IOPS", name, number);
    case RESPONSE_SHARE_EGRESS_THROTTLING:
    case RESPONSE_SHARE_INGRESS_THROTTLING:
        value = entitled(&entitlement, egress ? "egress" : "ingress");
        const bool pooled = isnan(value);
        if (pooled)
            value = entitled(&entitlement, "throughput");
        if (isnan(value) || isinf(value))
            return "";
        number_label(number, value, 0);
        return arena_format(run->arena, "%s %s at most %s MiB/s", name,
                            pooled   ? "moves, both ways together,"
                            : egress ? "sends"
                                     : "takes",
                            number);
    case RESPONSE_METADATA_THROTTLING:
        value = entitled(&entitlement, "iops.metadata");
        number_label(number, value, 0);
        return isnan(value) ? "" : arena_format(run->arena, "%s does at most %s a second", name, number);
    default:
        return "";
    }
}

/* -- spells -- */

static struct explain_spell spell_of(size_t store, size_t minute, const struct minute_record *record)
{
    const double all = (double)all_of(record);
    uint64_t throttled;
    const enum response_type type = commonest(record->transactions, &throttled);
    const double share = all > 0 ? (double)throttled / all : 0;
    return (struct explain_spell){
        .store = store,
        .from_minute = minute,
        .to_minute = minute,
        .bound = share >= SHARE_THAT_BINDS ? type : RESPONSE_SUCCESS,
        .throttled = share,
        .iops = all / 60,
        .egress = (double)record->egress_bytes / MIB / 60,
        .ingress = (double)record->ingress_bytes / MIB / 60,
        .server_ms = all > 0 ? record->server_latency_sum_ms / all : 0,
        .e2e_ms = all > 0 ? record->e2e_latency_sum_ms / all : 0,
        .credits_least = record->burst_credits_min,
    };
}

static double mean_by(double a, double a_weight, double b, double b_weight)
{
    return a_weight + b_weight > 0 ? (a * a_weight + b * b_weight) / (a_weight + b_weight) : 0;
}

/* Puts the later spell into the earlier one; the longer says what bound. */
static void put_together(struct explain_spell *a, const struct explain_spell *b)
{
    const double am = (double)(a->to_minute - a->from_minute + 1),
                 bm = (double)(b->to_minute - b->from_minute + 1);
    const double requests_a = a->iops * am, requests_b = b->iops * bm;
    a->throttled = mean_by(a->throttled, requests_a, b->throttled, requests_b);
    a->server_ms = mean_by(a->server_ms, requests_a, b->server_ms, requests_b);
    a->e2e_ms = mean_by(a->e2e_ms, requests_a, b->e2e_ms, requests_b);
    a->iops = mean_by(a->iops, am, b->iops, bm);
    a->egress = mean_by(a->egress, am, b->egress, bm);
    a->ingress = mean_by(a->ingress, am, b->ingress, bm);
    a->credits_least = fmin(a->credits_least, b->credits_least);
    if (bm > am)
        a->bound = b->bound;
    a->to_minute = b->to_minute;
}

static size_t length_of(const struct explain_spell *spell)
{
    return spell->to_minute - spell->from_minute;
}

/* Joins neighbours of one kind. Returns how many are left. */
static size_t join_equals(struct explain_spell *spells, size_t count)
{
    size_t kept = 0;
    for (size_t i = 0; i < count; i++) {
        if (kept > 0 && spells[kept - 1].bound == spells[i].bound)
            put_together(&spells[kept - 1], &spells[i]);
        else
            spells[kept++] = spells[i];
    }
    return kept;
}

/* Puts the shortest spell together with its shorter neighbour. */
static size_t join_shortest(struct explain_spell *spells, size_t count)
{
    size_t shortest = 0;
    for (size_t i = 1; i < count; i++)
        if (length_of(&spells[i]) < length_of(&spells[shortest]))
            shortest = i;
    size_t first = shortest == 0 ? 0 : shortest - 1;
    if (shortest > 0 && shortest + 1 < count &&
        length_of(&spells[shortest + 1]) < length_of(&spells[shortest - 1]))
        first = shortest;
    put_together(&spells[first], &spells[first + 1]);
    memmove(&spells[first + 1], &spells[first + 2], (count - first - 2) * sizeof *spells);
    return count - 1;
}

void explain_spells_of(const struct explain_run *run, struct explain_cell *cell)
{
    const struct unit_result *unit = explain_unit(run);
    for (size_t store = 0; store < run->result->store_count; store++) {
        const size_t minutes = unit->minute_counts[store];
        struct explain_spell *spells = ARENA_ARRAY(run->arena, struct explain_spell, minutes + 1);
        for (size_t minute = 0; minute < minutes; minute++)
            spells[minute] = spell_of(store, minute, &unit->minutes[store][minute]);
        size_t count = join_equals(spells, minutes);
        while (count > SPELLS_MOST)
            count = join_equals(spells, join_shortest(spells, count));
        for (size_t i = 0; i < count; i++) {
            ARENA_GROW(run->arena, cell->spells, cell->spell_count);
            cell->spells[cell->spell_count++] = spells[i];
        }
    }
}

/* -- credits -- */

/* Requests a second in the last minutes, of those that are all before or all after the credits ran out. */
static double present_iops(const struct minute_record *minutes, size_t count, ptrdiff_t ran_out_minute)
{
    size_t first = count > PRESENT_MINUTES ? count - PRESENT_MINUTES : 0;
    double sum = 0;
    if (ran_out_minute >= 0 && first <= (size_t)ran_out_minute && (size_t)ran_out_minute + 1 < count)
        first = (size_t)ran_out_minute + 1;
    for (size_t i = first; i < count; i++)
        sum += (double)all_of(&minutes[i]);
    return count > first ? sum / 60 / (double)(count - first) : 0;
}

/* When they are gone or back: the level moves in a straight line, at the baseline less what is served (bucket.h). */
static void foresee(struct explain_credits *credits)
{
    const double served = fmin(credits->present_iops, credits->burst_iops);
    const double rise = credits->base_iops - served;
    double missing = credits->full - credits->last;
    if (missing < credits->base_iops) /* a second's worth: what is being spent at the moment */
        missing = 0;
    credits->full_after_idle_s = missing / credits->base_iops;
    credits->full_after_s = missing <= 0 ? 0 : rise > 0 ? missing / rise : INFINITY;
    credits->empty_after_s = rise < 0 ? credits->last / -rise : INFINITY;
}

void explain_credits_of(const struct explain_run *run, struct explain_cell *cell)
{
    const struct unit_result *unit = explain_unit(run);
    for (size_t store = 0; store < run->result->store_count; store++) {
        const struct minute_record *minutes = unit->minutes[store];
        const size_t count = unit->minute_counts[store];
        struct entitlement entitlement;
        if (count == 0 || isnan(minutes[count - 1].burst_credits_min) ||
            !explain_entitlement(run, store, &entitlement) || !(entitled(&entitlement, "credits.full") > 0))
            continue;
        ARENA_GROW(run->arena, cell->credits, cell->credits_count);
        struct explain_credits *credits = &cell->credits[cell->credits_count++];
        *credits = (struct explain_credits){
            .store = store,
            .full = entitled(&entitlement, "credits.full"),
            .base_iops = entitled(&entitlement, "iops.base"),
            .burst_iops = entitled(&entitlement, "iops.burst"),
            .least = INFINITY,
            .last = minutes[count - 1].burst_credits_min,
            .ran_out_minute = -1,
        };
        for (size_t minute = 0; minute < count; minute++) {
            credits->least = fmin(credits->least, minutes[minute].burst_credits_min);
            if (credits->ran_out_minute < 0 && minutes[minute].burst_credits_min < 1)
                credits->ran_out_minute = (ptrdiff_t)minute;
        }
        credits->present_iops = present_iops(minutes, count, credits->ran_out_minute);
        foresee(credits);
    }
}
