/* Laws of times for the theory tests: constant, exponential, Erlang, uniform, hyperexponential with balanced
 * means, and a choice of constants. In seconds. */
#ifndef VDISIM_TESTS_LAW_H
#define VDISIM_TESTS_LAW_H

#include "tests/support/check.h"
#include "vdisim/random.h"
#include "vdisim/time.h"

enum law_kind { LAW_CONSTANT, LAW_EXPONENTIAL, LAW_ERLANG, LAW_UNIFORM, LAW_HYPEREXPONENTIAL, LAW_CHOICE };

struct law {
    enum law_kind kind;
    double mean;
    int stages;       /* of the Erlang law */
    double p[3];      /* of the branches */
    double branch[3]; /* their means, or constants */
};

static inline struct law law_constant(double mean)
{
    return (struct law){.kind = LAW_CONSTANT, .mean = mean};
}

static inline struct law law_exponential(double mean)
{
    return (struct law){.kind = LAW_EXPONENTIAL, .mean = mean};
}

static inline struct law law_erlang(double mean, int stages)
{
    return (struct law){.kind = LAW_ERLANG, .mean = mean, .stages = stages};
}

/* Uniform from 0. */
static inline struct law law_uniform(double mean)
{
    return (struct law){.kind = LAW_UNIFORM, .mean = mean};
}

/* Two exponential branches that each carry half of the mean; cv2 is the squared coefficient of variation. */
static inline struct law law_hyperexponential(double mean, double cv2)
{
    const double p = 0.5 * (1.0 + sqrt((cv2 - 1.0) / (cv2 + 1.0)));
    return (struct law){.kind = LAW_HYPEREXPONENTIAL,
                        .mean = mean,
                        .p = {p, 1.0 - p},
                        .branch = {0.5 * mean / p, 0.5 * mean / (1.0 - p)}};
}

static inline struct law law_choice(double p0, double x0, double p1, double x1, double x2)
{
    const double p2 = 1.0 - p0 - p1;
    return (struct law){
        .kind = LAW_CHOICE, .mean = p0 * x0 + p1 * x1 + p2 * x2, .p = {p0, p1, p2}, .branch = {x0, x1, x2}};
}

static inline double law_draw_s(const struct law *law, struct sim_random *stream)
{
    switch (law->kind) {
    case LAW_EXPONENTIAL:
        return law->mean * sim_random_exponential(stream);
    case LAW_UNIFORM:
        return 2.0 * law->mean * sim_random_uniform(stream);
    case LAW_HYPEREXPONENTIAL:
        return law->branch[!sim_random_chance(stream, law->p[0])] * sim_random_exponential(stream);
    case LAW_ERLANG: {
        double sum = 0.0;
        for (int i = 0; i < law->stages; i++)
            sum += sim_random_exponential(stream);
        return law->mean / law->stages * sum;
    }
    case LAW_CHOICE: {
        const double u = sim_random_uniform(stream);
        return law->branch[u < law->p[0] ? 0 : u < law->p[0] + law->p[1] ? 1 : 2];
    }
    default:
        return law->mean;
    }
}

static inline int64_t law_draw_ns(const struct law *law, struct sim_random *stream)
{
    return sim_ns_round(law_draw_s(law, stream) * 1e9);
}

#endif
