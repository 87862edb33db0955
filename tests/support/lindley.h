/* The waits of an M/M/1 queue by Lindley's recursion, much cheaper than a simulation and with everything about
 * it known: W' = max(0, W + S - A). Started in the steady state, every wait has the steady law: 0 with
 * probability 1 - rho, else exponential of rate mu - lambda; W + S is exponential of that rate too. */
#ifndef VDISIM_TESTS_LINDLEY_H
#define VDISIM_TESTS_LINDLEY_H

#include "vdisim/random.h"

#include <math.h>
#include <stddef.h>

struct lindley {
    double gap_mean;
    double service_mean;
    double wait; /* of the next customer */
};

/* That the next customer waits `wait`. */
static inline struct lindley lindley_from(double arrival_rate, double service_rate, double wait)
{
    return (struct lindley){1.0 / arrival_rate, 1.0 / service_rate, wait};
}

static inline double lindley_mean_wait(double arrival_rate, double service_rate)
{
    return arrival_rate / service_rate / (service_rate - arrival_rate);
}

/* The wait by inversion of one uniform: two queues given the same one start in step. */
static inline struct lindley lindley_steady(double arrival_rate, double service_rate, double uniform)
{
    const double rho = arrival_rate / service_rate;
    const double wait = uniform < rho ? -log(uniform / rho) / (service_rate - arrival_rate) : 0.0;
    return lindley_from(arrival_rate, service_rate, wait);
}

/* The wait of this customer; `service` and `gap` are exponentials of mean 1, scaled here. */
static inline double lindley_next(struct lindley *queue, double service, double gap)
{
    const double wait = queue->wait;
    const double next = wait + service * queue->service_mean - gap * queue->gap_mean;
    queue->wait = next > 0.0 ? next : 0.0;
    return wait;
}

/* The mean wait of `customers` in the steady state. */
static inline double lindley_run(double arrival_rate, double service_rate, size_t customers,
                                 struct sim_random *stream)
{
    struct lindley queue = lindley_steady(arrival_rate, service_rate, sim_random_uniform(stream));
    double sum = 0.0;
    for (size_t i = 0; i < customers; i++) {
        const double service = sim_random_exponential(stream);
        sum += lindley_next(&queue, service, sim_random_exponential(stream));
    }
    return sum / (double)customers;
}

#endif
