#include "vdisim/design.h"

#include "vdisim/random.h"
#include "vdisim/tally.h"

#include <assert.h>
#include <math.h>

enum { MOST_POINTS = 1 << 20, MOST_LEVELS = 1024 };

/* A uniform of 32 bits: with a stratum's number before it, it still fits a double exactly. */
static double place_in_stratum(struct sim_random *stream)
{
    return ((double)(sim_random_u64(stream) >> 32) + 0.5) * 0x1p-32;
}

void sim_design_latin_hypercube(uint64_t seed, const char *name, size_t points, double *column, size_t stride)
{
    assert(points >= 1 && points <= MOST_POINTS && stride >= 1);
    struct sim_random order, place;
    sim_random_init_named(&order, seed, 0, "latin hypercube order/%.200s", name);
    sim_random_init_named(&place, seed, 0, "latin hypercube place/%.200s", name);
    for (size_t i = 0; i < points; i++) { /* Fisher and Yates, from the inside out */
        size_t j = sim_random_below(&order, i + 1);
        if (j != i)
            column[i * stride] = column[j * stride];
        column[j * stride] = (double)i;
    }
    for (size_t i = 0; i < points; i++)
        column[i * stride] = (column[i * stride] + place_in_stratum(&place)) / (double)points;
}

void sim_design_random(uint64_t seed, const char *name, size_t points, double *column, size_t stride)
{
    assert(stride >= 1);
    struct sim_random place;
    sim_random_init_named(&place, seed, 0, "random design/%.200s", name);
    for (size_t i = 0; i < points; i++)
        column[i * stride] = sim_random_uniform(&place);
}

static void check_morris(const struct sim_morris *design)
{
    assert(design->inputs >= 1 && design->trajectories >= 1);
    assert(design->levels >= 2 && design->levels <= MOST_LEVELS && design->levels % 2 == 0);
    (void)design;
}

size_t sim_morris_point_count(const struct sim_morris *design)
{
    check_morris(design);
    return design->trajectories * (design->inputs + 1);
}

double sim_morris_delta(const struct sim_morris *design)
{
    check_morris(design);
    return (double)design->levels / (2.0 * (double)(design->levels - 1));
}

/* A start and which way each input will move, so that every level is as likely as any other. */
static void start_trajectory(const struct sim_morris *design, struct sim_random *stream, double *start)
{
    for (size_t i = 0; i < design->inputs; i++)
        start[i] = (double)sim_random_below(stream, design->levels) / (double)(design->levels - 1);
}

/* The other end of the move from this level: half of the levels up, or down from the upper half. */
static double moved(const struct sim_morris *design, double level)
{
    double last = (double)(design->levels - 1), jump = (double)(design->levels / 2);
    double index = nearbyint(level * last);
    return (index < jump ? index + jump : index - jump) / last;
}

void sim_morris_points(const struct sim_morris *design, uint64_t seed, double *points)
{
    check_morris(design);
    const size_t inputs = design->inputs;
    for (size_t t = 0; t < design->trajectories; t++) {
        struct sim_random stream;
        sim_random_init_named(&stream, seed, 0, "morris trajectory %zu of %zu inputs", t, inputs);
        double *trajectory = points + t * (inputs + 1) * inputs, *last = trajectory + inputs * inputs;
        start_trajectory(design, &stream, trajectory);
        /* The last row holds the order of the moves until it is its turn to hold a point. */
        for (size_t i = 0; i < inputs; i++) {
            size_t j = sim_random_below(&stream, i + 1);
            if (j != i)
                last[i] = last[j];
            last[j] = (double)i;
        }
        for (size_t step = 0; step + 1 < inputs; step++) {
            const double *from = trajectory + step * inputs;
            double *to = trajectory + (step + 1) * inputs;
            for (size_t i = 0; i < inputs; i++)
                to[i] = from[i];
            size_t mover = (size_t)last[step];
            to[mover] = moved(design, from[mover]);
        }
        const double *from = last - inputs;
        size_t mover = (size_t)last[inputs - 1];
        for (size_t i = 0; i < inputs; i++)
            last[i] = i == mover ? moved(design, from[i]) : from[i];
    }
}

void sim_morris_effects(const struct sim_morris *design, const double *points, const double *outputs,
                        double *effects)
{
    check_morris(design);
    const size_t inputs = design->inputs;
    for (size_t t = 0; t < design->trajectories; t++) {
        for (size_t step = 0; step < inputs; step++) {
            const size_t row = t * (inputs + 1) + step;
            const double *from = points + row * inputs, *to = from + inputs;
            size_t mover = 0;
            while (mover + 1 < inputs && from[mover] == to[mover])
                mover++;
            assert(from[mover] != to[mover]);
            const double effect = (outputs[row + 1] - outputs[row]) / (to[mover] - from[mover]);
            effects[mover * design->trajectories + t] = isfinite(effect) ? effect : NAN;
        }
    }
}

struct sim_effect sim_effect_of(const double *effects, size_t count, double confidence)
{
    struct sim_tally signed_sizes, sizes;
    sim_tally_init(&signed_sizes, false);
    sim_tally_init(&sizes, false);
    for (size_t i = 0; i < count; i++) {
        if (isnan(effects[i]))
            continue;
        sim_tally_add(&signed_sizes, effects[i]);
        sim_tally_add(&sizes, fabs(effects[i]));
    }
    const size_t used = (size_t)sizes.count;
    const double sd = sim_tally_sd(&sizes);
    struct sim_effect effect = {
        .count = used,
        .mu = used == 0 ? NAN : signed_sizes.mean,
        .sigma = sim_tally_sd(&signed_sizes),
        .mu_star = used == 0 ? NAN : sizes.mean,
        .mu_star_error = sd / sqrt((double)used),
        .interval = sim_interval_mean_of_moments(used == 0 ? NAN : sizes.mean, sd, used, confidence),
    };
    effect.interval.low = fmax(effect.interval.low, 0.0);
    return effect;
}
