#include "vdisim/random.h"

#include <assert.h>
#include <math.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>

uint64_t sim_splitmix64(uint64_t *state)
{
    *state += UINT64_C(0x9e3779b97f4a7c15);
    uint64_t z = *state;
    z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
    return z ^ z >> 31;
}

static uint64_t mixed(uint64_t word)
{
    return sim_splitmix64(&word);
}

/* Two hashes of the whole key, each of which fills half of the state: 128 bits keep even 10^9 streams apart. */
void sim_random_init(struct sim_random *stream, uint64_t seed, uint64_t replication, const char *name)
{
    assert(stream != NULL && name != NULL);
    uint64_t first = mixed(mixed(seed) + replication);
    uint64_t second = mixed(mixed(~seed) ^ sim_random_rotate_(replication, 32));
    uint64_t length = 0;
    for (const char *c = name; *c != '\0'; c++, length++) {
        const uint64_t byte = (unsigned char)*c;
        first = (first ^ byte) * UINT64_C(0x00000100000001b3);
        second = sim_random_rotate_(second + byte, 29) * UINT64_C(0xd1342543de82ef95);
    }
    first = mixed(first ^ sim_random_rotate_(length, 48));
    second = mixed(second + length);
    stream->state[0] = sim_splitmix64(&first);
    stream->state[1] = sim_splitmix64(&second);
    stream->state[2] = sim_splitmix64(&first);
    stream->state[3] = sim_splitmix64(&second);
    if ((stream->state[0] | stream->state[1] | stream->state[2] | stream->state[3]) == 0)
        stream->state[0] = 1;
    stream->mirror = 0;
    stream->inversion = false;
}

void sim_random_init_named(struct sim_random *stream, uint64_t seed, uint64_t replication, const char *format,
                           ...)
{
    char name[256];
    va_list arguments;
    va_start(arguments, format);
    const int length = vsnprintf(name, sizeof name, format, arguments);
    va_end(arguments);
    assert(length >= 0 && length < (int)sizeof name);
    (void)length;
    sim_random_init(stream, seed, replication, name);
}

void sim_random_set_pairing(struct sim_random *stream, enum sim_random_pairing pairing)
{
    stream->mirror = pairing == SIM_RANDOM_SECOND_OF_PAIR ? UINT64_MAX : 0;
    stream->inversion = pairing != SIM_RANDOM_UNPAIRED;
}

/* The upper half of a 64 x 64 bit product; *low is the lower half. */
static uint64_t multiply(uint64_t a, uint64_t b, uint64_t *low)
{
    __extension__ typedef unsigned __int128 wide;
    const wide product = (wide)a * b;
    *low = (uint64_t)product;
    return (uint64_t)(product >> 64);
}

uint64_t sim_random_below(struct sim_random *stream, uint64_t n)
{
    assert(n > 0);
    uint64_t low;
    uint64_t high = multiply(sim_random_u64(stream), n, &low);
    if (low < n) {
        const uint64_t rejected = (0 - n) % n;
        while (low < rejected)
            high = multiply(sim_random_u64(stream), n, &low);
    }
    return high;
}

/* Where between the bottom and the top of its strip a second uniform puts the point. */
static double height(struct sim_random *stream, const double *density)
{
    return density[0] + sim_random_uniform_of_bits(sim_random_next_(stream)) * (density[1] - density[0]);
}

double sim_random_exponential_rest_(struct sim_random *stream, uint64_t bits)
{
    if (stream->inversion)
        return -log(sim_random_uniform_of_bits(bits ^ stream->mirror));
    double beyond = 0.0;
    for (;; bits = sim_random_next_(stream)) {
        const unsigned layer = bits & (SIM_ZIGGURAT_LAYERS - 1);
        const double x = (double)(int64_t)(bits >> 11) * sim_exponential_layers[layer].width;
        if (bits >> 11 < sim_exponential_layers[layer].accept)
            return beyond + x;
        if (layer == 0)
            beyond += sim_exponential_tail; /* the law beyond the tail is the law again */
        else if (height(stream, &sim_exponential_density[layer]) < exp(-x))
            return beyond + x;
    }
}

/* The normal law beyond the tail r (Marsaglia, 1964). */
static double normal_tail(struct sim_random *stream)
{
    const double r = sim_normal_tail;
    double x, y;
    do {
        x = -log(sim_random_uniform_of_bits(sim_random_next_(stream))) / r;
        y = -log(sim_random_uniform_of_bits(sim_random_next_(stream)));
    } while (2.0 * y <= x * x);
    return r + x;
}

double sim_random_normal_rest_(struct sim_random *stream, uint64_t bits)
{
    for (;; bits = sim_random_next_(stream)) {
        const unsigned layer = bits & (SIM_ZIGGURAT_LAYERS - 1);
        double x = (double)(int64_t)(bits >> 11) * sim_normal_layers[layer].width;
        bool accepted = bits >> 11 < sim_normal_layers[layer].accept;
        if (!accepted && layer == 0) {
            x = normal_tail(stream);
            accepted = true;
        } else if (!accepted) {
            accepted = height(stream, &sim_normal_density[layer]) < exp(-0.5 * x * x);
        }
        if (accepted)
            return ((bits ^ stream->mirror) & SIM_ZIGGURAT_LAYERS) != 0 ? -x : x;
    }
}

struct sim_lognormal sim_lognormal_from_mean_cv(double mean, double cv)
{
    assert(mean > 0.0 && isfinite(mean) && cv >= 0.0 && isfinite(cv));
    const double variance = log1p(cv * cv);
    return (struct sim_lognormal){.mu = log(mean) - 0.5 * variance, .sigma = sqrt(variance)};
}

double sim_random_lognormal(struct sim_random *stream, const struct sim_lognormal *law)
{
    return exp(law->mu + law->sigma * sim_random_normal(stream));
}

static void gsl_set(void *state, unsigned long seed)
{
    sim_random_init(state, seed, 0, "");
}

static unsigned long gsl_get(void *state)
{
    return (unsigned long)(sim_random_u64(state) >> 32);
}

static double gsl_get_double(void *state)
{
    return sim_random_uniform(state);
}

const gsl_rng_type *sim_random_gsl_type(void)
{
    static const gsl_rng_type type = {
        .name = "vdisim-xoshiro256++",
        .max = 0xffffffff,
        .min = 0,
        .size = sizeof(struct sim_random),
        .set = gsl_set,
        .get = gsl_get,
        .get_double = gsl_get_double,
    };
    return &type;
}

gsl_rng sim_random_as_gsl(struct sim_random *stream)
{
    return (gsl_rng){.type = sim_random_gsl_type(), .state = stream};
}
