/* An option while it is looked at: one tier, size and number of shares, and runs of it. */
#ifndef VDISIM_OPTION_H
#define VDISIM_OPTION_H

#include "sim/experiment/size/logons_of_store.h"
#include "sim/experiment/size/size.h"
#include "sim/experiment/size/sizes.h"

/* What all runs of one tier have in common. */
struct option_tier {
    const struct size_request *request;
    const struct target *targets;
    const char *name, *rules, *price_list;
    struct logons_of_store logons; /* measured on it */
    struct share_settings settings;
    size_t jobs;
    size_t *runs;
};

struct option {
    int64_t bytes;
    size_t shares;
    double user_scale; /* 1.2: a fifth more */
    bool run_effect;   /* each run draws its own */
};

/* What runs gave: for each target a value a run. */
struct option_values {
    double *of_target[TARGETS_MAX];
    double *effects;
    double *costs; /* of one share; NaN: not known */
    char currency[8];
    size_t count, room;
    double effect_cv;
};

void option_values_release(struct option_values *values);

enum option_end { OPTION_DONE, OPTION_STOPPED, OPTION_FAILED };

/* Runs these replications and adds what they gave. OPTION_FAILED with one line of why. */
enum option_end option_run(const struct option_tier *tier, const struct option *option, const size_t *replications,
                           size_t count, struct option_values *values, char message[SIZE_WHY_SIZE]);

/* The option as an experiment, to be closed; NULL with the message: it is not sold, or cannot be. */
struct experiment *option_open(const struct option_tier *tier, const struct option *option,
                               char message[SIZE_WHY_SIZE]);

/* The values of the targets by the fluid answer, NaN where it has none; `answer` may be NULL. False when memory is short. */
bool option_estimate(const struct option_tier *tier, const struct option *option, double values[TARGETS_MAX],
                     struct fluid_answer *answer);

/* The worst margin of the values, NaN counting as unknown when `skip_unknown`, else as the worst of all. */
double option_margin(const struct option_tier *tier, const double *values, bool skip_unknown);

#endif
