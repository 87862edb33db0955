/* A level: a value that holds over simulated time (jobs in a queue, servers busy), with its time-weighted
 * mean, and its smallest and largest value since the measurement began.
 */
#ifndef VDISIM_LEVEL_H
#define VDISIM_LEVEL_H

#include <assert.h>
#include <stdint.h>

struct sim_level {
    double value; /* now */
    double min;
    double max;
    double area;        /* private: integral of the value over ns, until changed_ns */
    int64_t changed_ns; /* private */
    int64_t began_ns;   /* when the measurement began */
};

/* A level of this value, measured from now. */
static inline void sim_level_init(struct sim_level *level, int64_t now_ns, double value)
{
    *level = (struct sim_level){
        .value = value, .min = value, .max = value, .changed_ns = now_ns, .began_ns = now_ns};
}

/* The value becomes `value`. */
static inline void sim_level_set(struct sim_level *level, int64_t now_ns, double value)
{
    assert(now_ns >= level->changed_ns);
    level->area += level->value * (double)(now_ns - level->changed_ns);
    level->changed_ns = now_ns;
    level->value = value;
    if (value < level->min)
        level->min = value;
    if (value > level->max)
        level->max = value;
}

static inline void sim_level_add(struct sim_level *level, int64_t now_ns, double change)
{
    sim_level_set(level, now_ns, level->value + change);
}

/* Starts the measurement anew at the present value (end of warm-up). */
static inline void sim_level_restart(struct sim_level *level, int64_t now_ns)
{
    sim_level_init(level, now_ns, level->value);
}

/* The integral of the value over time since the measurement began, in units times nanoseconds. */
static inline double sim_level_area(const struct sim_level *level, int64_t now_ns)
{
    return level->area + level->value * (double)(now_ns - level->changed_ns);
}

/* The time-weighted mean since the measurement began; the present value when no time has passed. */
static inline double sim_level_mean(const struct sim_level *level, int64_t now_ns)
{
    if (now_ns == level->began_ns)
        return level->value;
    return sim_level_area(level, now_ns) / (double)(now_ns - level->began_ns);
}

#endif
