#include "sim/experiment/size/sizes.h"

#include <math.h>
#include <stdlib.h>

#define GROWTH 1.02
#define TURN   1e-9 /* credits that differ by less are equal */

struct share_settings sizes_settings(const struct share_settings *tier, int64_t bytes)
{
    struct share_settings settings = *tier;
    settings.size_bytes = bytes;
    if (settings.pool_bytes > 0 && settings.pool_bytes < bytes)
        settings.pool_bytes = bytes;
    return settings;
}

static int64_t whole_steps(const struct share_settings *tier, double bytes)
{
    const int64_t step = tier->size_step_bytes > 0 ? tier->size_step_bytes : 1;
    const double at_least = fmax(bytes, (double)tier->size_min_bytes);
    return (int64_t)ceil(at_least / (double)step - 1e-9) * step;
}

static struct share_limits limits_at(const struct share_settings *tier, int64_t bytes)
{
    const struct share_settings settings = sizes_settings(tier, bytes);
    return share_limits(&settings);
}

static bool is_fixed(const struct share_settings *tier, int64_t first, int64_t last)
{
    const struct share_limits a = limits_at(tier, first), b = limits_at(tier, last);
    return a.base_iops == b.base_iops && a.burst_iops == b.burst_iops && a.burst_credits == b.burst_credits &&
           a.ingress_bytes_per_s == b.ingress_bytes_per_s && a.egress_bytes_per_s == b.egress_bytes_per_s;
}

/* Which way the bucket goes from one size to the next: 1, -1, or 0. */
static int turn_of(const struct sizes *sizes, const struct share_settings *tier, size_t from)
{
    const double a = limits_at(tier, sizes->list[from]).burst_credits;
    const double b = limits_at(tier, sizes->list[from + 1]).burst_credits;
    return fabs(b - a) <= TURN * fmax(a, b) ? 0 : b > a ? 1 : -1;
}

static void cut(struct sizes *sizes, const struct share_settings *tier)
{
    int way = 0;
    sizes->pieces[sizes->piece_count++] = (struct size_piece){0, sizes->count - 1};
    for (size_t i = 0; i + 1 < sizes->count; i++) {
        const int turn = turn_of(sizes, tier, i);
        if (turn != 0 && way != 0 && turn != way) {
            sizes->pieces[sizes->piece_count - 1].last = i;
            sizes->pieces[sizes->piece_count++] = (struct size_piece){i, sizes->count - 1};
        }
        way = turn != 0 ? turn : way;
    }
}

bool sizes_make(struct sizes *sizes, const struct share_settings *tier, double least_bytes)
{
    *sizes = (struct sizes){.count = 0};
    const int64_t first = whole_steps(tier, least_bytes), last = tier->size_max_bytes;
    if (first > last)
        return true;
    size_t room = 2;
    for (double bytes = (double)first; bytes < (double)last; bytes *= GROWTH)
        room++;
    sizes->list = calloc(room, sizeof *sizes->list);
    sizes->pieces = calloc(room, sizeof *sizes->pieces);
    if (sizes->list == NULL || sizes->pieces == NULL)
        return false;
    for (int64_t bytes = first; bytes < last && !is_fixed(tier, first, last);) {
        sizes->list[sizes->count++] = bytes;
        bytes = whole_steps(tier, (double)bytes * GROWTH);
    }
    sizes->list[sizes->count] = sizes->count > 0 ? last : first;
    sizes->count++;
    cut(sizes, tier);
    return true;
}

void sizes_release(struct sizes *sizes)
{
    free(sizes->list);
    free(sizes->pieces);
    *sizes = (struct sizes){.count = 0};
}
