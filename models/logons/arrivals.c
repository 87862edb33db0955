#include "vdisim/arrivals.h"

#include "vdisim/time.h"

#include <math.h>
#include <stddef.h>

#define ARRIVALS(field) offsetof(struct arrival_settings, field)

static const char *const patterns[] = {"even", "poisson", "curve", NULL};

static const struct parameter arrival_rows[] = {
    {.name = "window",
     .type = PARAMETER_DURATION,
     .offset = ARRIVALS(window_ns),
     .minimum = 1,
     .maximum = 6.048e14,
     .help = "Time in which all users arrive"},
    {.name = "start",
     .type = PARAMETER_DURATION,
     .offset = ARRIVALS(start_ns),
     .maximum = 6.048e14,
     .help = "When it begins"},
    {.name = "pattern",
     .type = PARAMETER_CHOICE,
     .offset = ARRIVALS(pattern),
     .choices = patterns,
     .help = "How they are spread over it"},
    {.name = "peak",
     .type = PARAMETER_FRACTION,
     .offset = ARRIVALS(peak),
     .maximum = 1,
     .help = "Where in the window the curve is highest"},
};

const struct parameter_table arrival_parameters = {
    .name = "arrivals",
    .help = "When users arrive",
    .size = sizeof(struct arrival_settings),
    PARAMETER_ROWS(arrival_rows),
};

/* Inverse of the triangular distribution on (0, 1) with mode `peak`. */
static double triangle_at(double peak, double u)
{
    return u < peak ? sqrt(u * peak) : 1.0 - sqrt((1.0 - u) * (1.0 - peak));
}

int64_t arrival_time_ns(const struct arrival_settings *settings, int64_t user, int64_t users, double u)
{
    double share = u;
    switch ((enum arrival_pattern)settings->pattern) {
    case ARRIVALS_EVEN:
        share = (double)user / (double)users;
        break;
    case ARRIVALS_POISSON:
        break;
    case ARRIVALS_CURVE:
        share = triangle_at(settings->peak, u);
        break;
    }
    return settings->start_ns + sim_ns_round(share * (double)settings->window_ns);
}
