/* Designs: where to look when many inputs are uncertain and each look costs a simulation.
 *
 * All designs live in the unit cube: a row a point, a column an input, values 0 to 1 that the caller maps to the range of each
 * input. They are pure functions of a seed and names, so an input more moves none of the others.
 *
 * Latin hypercube (McKay, Beckman and Conover, Technometrics 21, 1979): the range of each input is cut into as
 * many strata as there are points, and each stratum has exactly one point.
 *
 *     sim_design_latin_hypercube(seed, "stores.profiles.size", points, &matrix[column], inputs);
 *
 * Morris screening (Technometrics 33, 1991): trajectories through a grid of `levels` levels, each step of
 * which moves one input by delta = levels / (2 (levels - 1)); what the output does then, over the step, is an
 * elementary effect of that input.
 *
 *     struct sim_morris design = {.inputs = 8, .trajectories = 20, .levels = 4};
 *     sim_morris_points(&design, seed, points);            sim_morris_point_count() rows of 8
 *     ... outputs[i] = the answer at points[8 i ...] ...
 *     sim_morris_effects(&design, points, outputs, effects);
 *     struct sim_effect first = sim_effect_of(&effects[0], design.trajectories, 0.95);
 */
#ifndef VDISIM_DESIGN_H
#define VDISIM_DESIGN_H

#include "vdisim/interval.h"

#include <stddef.h>
#include <stdint.h>

/* One input of a Latin hypercube of `points` points, 1 to 2^20: column[i * stride] in (0, 1) for point i.
 * Depends on the seed, the name of the input and the number of points only. */
void sim_design_latin_hypercube(uint64_t seed, const char *name, size_t points, double *column,
                                size_t stride);

/* The same by independent uniform draws: point i does not depend on the number of points. */
void sim_design_random(uint64_t seed, const char *name, size_t points, double *column, size_t stride);

struct sim_morris {
    size_t inputs, trajectories; /* both at least 1 */
    size_t levels;               /* of the grid, even, 2 to 1024; 4 is usual */
};

/* trajectories x (inputs + 1). */
size_t sim_morris_point_count(const struct sim_morris *design);

/* levels / (2 (levels - 1)). */
double sim_morris_delta(const struct sim_morris *design);

/* points[(trajectory * (inputs + 1) + step) * inputs + input], in [0, 1]. Within a trajectory each input moves
 * once, by +-delta, in random order, from a random start. A trajectory depends on seed, its number and the
 * number of inputs: more trajectories leave the first ones as they are. */
void sim_morris_points(const struct sim_morris *design, uint64_t seed, double *points);

/* effects[input * trajectories + trajectory] = change of the output / change of the input, per unit of the
 * cube. An output that is not finite spoils the two effects it is part of: they are NaN. */
void sim_morris_effects(const struct sim_morris *design, const double *points, const double *outputs,
                        double *effects);

/* What the elementary effects of one input say, those that are not NaN. */
struct sim_effect {
    size_t count;
    double mu;                    /* their mean; NaN without any */
    double sigma;                 /* their standard deviation: interaction or curvature; NaN below two */
    double mu_star;               /* the mean of their sizes (Campolongo, Cariboni and Saltelli, 2007) */
    double mu_star_error;         /* its standard error: sd of the sizes / sqrt(count); NaN below two */
    struct sim_interval interval; /* of mu_star, with Student's t, cut at 0; infinite below two */
};

struct sim_effect sim_effect_of(const double *effects, size_t count, double confidence);

#endif
