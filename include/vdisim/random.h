/* Named streams of random numbers.
 *
 * Every purpose draws from a stream of its own, whose state is a hash of (seed, replication, name), for
 * example "user 37/arrival". A draw more in one place shifts nothing elsewhere, and the same name draws the
 * same numbers in every cell of an experiment, so that two configurations are compared under common random
 * numbers. A stream is 48 bytes, embedded in the object that draws from it, and owns nothing.
 *
 *     struct sim_random arrivals;
 *     sim_random_init_named(&arrivals, seed, replication, "user %d/arrival", user);
 *     sim_schedule_after(sim, &event, sim_ns_round(mean_ns * sim_random_exponential(&arrivals)));
 *
 * The generator is xoshiro256++ (Blackman and Vigna, 2019), period 2^256 - 1. Uniforms lie in the open
 * interval (0, 1) and are the odd multiples of 2^-53: no draw is infinite, and 1 - u is exact.
 *
 * Antithetic pairs: two replications that use the same streams, one as SIM_RANDOM_FIRST_OF_PAIR and one as
 * SIM_RANDOM_SECOND_OF_PAIR. Where the first draws u, the second draws 1 - u: uniforms and bits are mirrored,
 * integers below n too (but for a rounding of at most 1), normals change their sign, exponentials are drawn
 * by inversion
 * (-log u) in both halves of a pair and by the ziggurat otherwise.
 */
#ifndef VDISIM_RANDOM_H
#define VDISIM_RANDOM_H

#include <gsl/gsl_rng.h>
#include <stdbool.h>
#include <stdint.h>

enum sim_random_pairing {
    SIM_RANDOM_UNPAIRED,
    SIM_RANDOM_FIRST_OF_PAIR,
    SIM_RANDOM_SECOND_OF_PAIR,
};

struct sim_random {
    uint64_t state[4]; /* of xoshiro256++, not all zero */
    uint64_t mirror;   /* all ones in the second half of an antithetic pair, else 0 */
    bool inversion;    /* exponentials by inversion: in both halves of a pair */
};

/* The stream `name` of this seed and replication, unpaired. */
void sim_random_init(struct sim_random *stream, uint64_t seed, uint64_t replication, const char *name);

/* The same with a name put together as by printf; names of more than 255 characters assert. */
void sim_random_init_named(struct sim_random *stream, uint64_t seed, uint64_t replication, const char *format,
                           ...) __attribute__((format(printf, 4, 5)));

/* Makes the stream a half of an antithetic pair, or unpaired; before the first draw. */
void sim_random_set_pairing(struct sim_random *stream, enum sim_random_pairing pairing);

/* splitmix64 (Steele, Lea and Flood, 2014): steps *state and returns the next output. */
uint64_t sim_splitmix64(uint64_t *state);

/* The plug-in for GSL: a 32-bit generator (the upper half of each word) whose uniforms have 53 bits, the same
 * on every processor. gsl_rng_alloc() and gsl_rng_set() work with it; a set seed is hashed as (seed, 0, "").
 */
const gsl_rng_type *sim_random_gsl_type(void);

/* A view of the stream as a gsl_rng: GSL draws from it, and advances it. Nothing to free; valid while *stream
 * is. */
gsl_rng sim_random_as_gsl(struct sim_random *stream);

/* Private: the layers of the two ziggurats, see sim/kernel/random_tables.c. */
#define SIM_ZIGGURAT_LAYERS 256
struct sim_ziggurat_layer {
    uint64_t accept; /* 53-bit fractions below this are accepted at once */
    double width;    /* times 2^-53 */
};
extern const struct sim_ziggurat_layer sim_exponential_layers[SIM_ZIGGURAT_LAYERS];
extern const double sim_exponential_density[SIM_ZIGGURAT_LAYERS + 1];
extern const double sim_exponential_tail;
extern const struct sim_ziggurat_layer sim_normal_layers[SIM_ZIGGURAT_LAYERS];
extern const double sim_normal_density[SIM_ZIGGURAT_LAYERS + 1];
extern const double sim_normal_tail;
double sim_random_exponential_rest_(struct sim_random *stream, uint64_t bits);
double sim_random_normal_rest_(struct sim_random *stream, uint64_t bits);

static inline uint64_t sim_random_rotate_(uint64_t word, int by)
{
    return word << by | word >> (64 - by);
}

/* Private: the next output of xoshiro256++, not mirrored. */
static inline uint64_t sim_random_next_(struct sim_random *stream)
{
    uint64_t *s = stream->state;
    const uint64_t result = sim_random_rotate_(s[0] + s[3], 23) + s[0];
    const uint64_t shifted = s[1] << 17;
    s[2] ^= s[0];
    s[3] ^= s[1];
    s[1] ^= s[2];
    s[0] ^= s[3];
    s[2] ^= shifted;
    s[3] = sim_random_rotate_(s[3], 45);
    return result;
}

/* 64 random bits. */
static inline uint64_t sim_random_u64(struct sim_random *stream)
{
    return sim_random_next_(stream) ^ stream->mirror;
}

/* The uniform that 64 bits stand for: (upper 52 bits + 1/2) / 2^52. */
static inline double sim_random_uniform_of_bits(uint64_t bits)
{
    return ((double)(int64_t)(bits >> 12) + 0.5) * 0x1p-52;
}

/* Uniform on the open interval (0, 1). */
static inline double sim_random_uniform(struct sim_random *stream)
{
    return sim_random_uniform_of_bits(sim_random_u64(stream));
}

/* Uniform on 0 ... n - 1, without bias; n > 0. (Lemire, "Fast random integer generation in an interval",
 * 2019.) */
uint64_t sim_random_below(struct sim_random *stream, uint64_t n);

/* True with probability p; p <= 0 is never, p >= 1 always; one draw in any case. */
static inline bool sim_random_chance(struct sim_random *stream, double p)
{
    return sim_random_uniform(stream) < p;
}

/* Exponential with mean 1, >= 0, exact. */
static inline double sim_random_exponential(struct sim_random *stream)
{
    const uint64_t bits = sim_random_next_(stream);
    const struct sim_ziggurat_layer *layer = &sim_exponential_layers[bits & (SIM_ZIGGURAT_LAYERS - 1)];
    const uint64_t fraction = bits >> 11;
    if (__builtin_expect(fraction < layer->accept && !stream->inversion, 1))
        return (double)(int64_t)fraction * layer->width;
    return sim_random_exponential_rest_(stream, bits);
}

/* Normal with mean 0 and variance 1, exact. */
static inline double sim_random_normal(struct sim_random *stream)
{
    const uint64_t bits = sim_random_next_(stream);
    const struct sim_ziggurat_layer *layer = &sim_normal_layers[bits & (SIM_ZIGGURAT_LAYERS - 1)];
    const uint64_t fraction = bits >> 11;
    if (__builtin_expect(fraction < layer->accept, 1)) {
        const double size = (double)(int64_t)fraction * layer->width;
        return ((bits ^ stream->mirror) & SIM_ZIGGURAT_LAYERS) != 0 ? -size : size;
    }
    return sim_random_normal_rest_(stream, bits);
}

/* A lognormal law: exp(mu + sigma Z). */
struct sim_lognormal {
    double mu;
    double sigma;
};

/* The law with this mean > 0 and coefficient of variation >= 0: sigma^2 = log(1 + cv^2), mu = log mean -
 * sigma^2 / 2. */
struct sim_lognormal sim_lognormal_from_mean_cv(double mean, double cv);

double sim_random_lognormal(struct sim_random *stream, const struct sim_lognormal *law);

#endif
