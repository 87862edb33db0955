/* Random streams: the ziggurat tables, the laws drawn, the separation of streams, antithetic pairs, the GSL
 * plug-in. */
#include "tests/support/check.h"
#include "vdisim/random.h"

#include <float.h>
#include <gsl/gsl_cdf.h>
#include <gsl/gsl_randist.h>
#include <stdlib.h>
#include <string.h>

static int compare_doubles(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* sqrt(n) times the Kolmogorov-Smirnov distance of the sample to the law; 1.95 is the 0.1 % point. */
static double distance_to_law(double *sample, size_t n, double (*cdf)(double))
{
    double distance = 0.0;
    qsort(sample, n, sizeof *sample, compare_doubles);
    for (size_t i = 0; i < n; i++) {
        const double p = cdf(sample[i]);
        distance = fmax(distance, fmax(p - (double)i / (double)n, (double)(i + 1) / (double)n - p));
    }
    return distance * sqrt((double)n);
}

static double uniform_cdf(double x)
{
    return x;
}

static double exponential_cdf(double x)
{
    return -expm1(-x);
}

static double normal_cdf(double x)
{
    return gsl_cdf_ugaussian_P(x);
}

static void check_law(double (*draw)(struct sim_random *), double (*cdf)(double),
                      enum sim_random_pairing pairing)
{
    enum { N = 400000 };
    double *sample = malloc(N * sizeof *sample);
    struct sim_random stream;
    sim_random_init(&stream, 11, 0, "law");
    sim_random_set_pairing(&stream, pairing);
    for (size_t i = 0; i < N; i++)
        sample[i] = draw(&stream);
    assert_true(distance_to_law(sample, N, cdf) < 1.95);
    free(sample);
}

static void laws(void **state)
{
    (void)state;
    for (int pairing = SIM_RANDOM_UNPAIRED; pairing <= SIM_RANDOM_SECOND_OF_PAIR; pairing++) {
        check_law(sim_random_uniform, uniform_cdf, (enum sim_random_pairing)pairing);
        check_law(sim_random_exponential, exponential_cdf, (enum sim_random_pairing)pairing);
        check_law(sim_random_normal, normal_cdf, (enum sim_random_pairing)pairing);
    }
}

/* The far tails, which a distance does not see: counts within 4.5 standard deviations of what is expected. */
static void tails(void **state)
{
    (void)state;
    enum { N = 20000000 };
    struct sim_random stream;
    sim_random_init(&stream, 12, 0, "tails");
    double counts[4] = {0};
    const double expected[4] = {N * exp(-8.0), N * exp(-12.0), N * 2 * gsl_cdf_ugaussian_Q(3.7),
                                N * 2 * gsl_cdf_ugaussian_Q(4.5)};
    for (int i = 0; i < N; i++) {
        const double e = sim_random_exponential(&stream);
        const double z = fabs(sim_random_normal(&stream));
        counts[0] += e > 8.0;
        counts[1] += e > 12.0;
        counts[2] += z > 3.7;
        counts[3] += z > 4.5;
    }
    for (int i = 0; i < 4; i++)
        assert_near(counts[i], expected[i], 4.5 * sqrt(expected[i]));
}

/* The conditions stated in random_tables.c: equal areas, a fitting top, acceptance as it follows from the
 * widths. */
static void check_ziggurat(const struct sim_ziggurat_layer *layers, const double *density, double tail,
                           double (*f)(double), double tail_area)
{
    const double area = tail * f(tail) + tail_area;
    double x[SIM_ZIGGURAT_LAYERS + 1];
    for (int i = 0; i < SIM_ZIGGURAT_LAYERS; i++)
        x[i] = layers[i].width * 0x1p53;
    x[SIM_ZIGGURAT_LAYERS] = 0.0;
    assert_near_relative(x[1], tail, 1e-15);
    assert_near_relative(x[0] * f(tail), area, 1e-14);
    for (int i = 0; i < SIM_ZIGGURAT_LAYERS; i++) {
        assert_near_relative(density[i], f(x[i]), 1e-14);
        assert_near_relative((double)layers[i].accept, floor(x[i + 1] / x[i] * 0x1p53), 1e-15);
        assert_true(x[i] > x[i + 1]);
        if (i > 0)
            assert_near_relative(x[i] * (f(x[i + 1]) - f(x[i])), area, 1e-12);
    }
    assert_true(density[SIM_ZIGGURAT_LAYERS] == 1.0);
}

static double exponential_density(double x)
{
    return exp(-x);
}

static double normal_density(double x)
{
    return exp(-0.5 * x * x);
}

static void ziggurats(void **state)
{
    (void)state;
    check_ziggurat(sim_exponential_layers, sim_exponential_density, sim_exponential_tail, exponential_density,
                   exp(-sim_exponential_tail));
    check_ziggurat(sim_normal_layers, sim_normal_density, sim_normal_tail, normal_density,
                   sqrt(2.0 * M_PI) * gsl_cdf_ugaussian_Q(sim_normal_tail));
}

/* No bit pattern gives an infinite, negative or undefined variate, in either half of a pair. */
static void extreme_bits(void **state)
{
    (void)state;
    const uint64_t patterns[] = {0,     1,     0xff, 0x100, UINT64_MAX, UINT64_MAX - 1, UINT64_C(1) << 63,
                                 0x7ff, 0xfff, 0x800};
    for (size_t i = 0; i < sizeof patterns / sizeof *patterns; i++) {
        const double u = sim_random_uniform_of_bits(patterns[i]);
        assert_true(u > 0.0 && u < 1.0);
        assert_true(u + sim_random_uniform_of_bits(~patterns[i]) == 1.0);
        for (int pairing = SIM_RANDOM_UNPAIRED; pairing <= SIM_RANDOM_SECOND_OF_PAIR; pairing++) {
            struct sim_random stream;
            sim_random_init(&stream, 1, 0, "rest");
            sim_random_set_pairing(&stream, (enum sim_random_pairing)pairing);
            const double e = sim_random_exponential_rest_(&stream, patterns[i]);
            assert_true(e >= 0.0 && isfinite(e));
            assert_true(isfinite(sim_random_normal_rest_(&stream, patterns[i])));
        }
    }
}

static void integers_below(void **state)
{
    (void)state;
    enum { N = 7, DRAWS = 700000 };
    struct sim_random stream;
    sim_random_init(&stream, 13, 0, "below");
    double counts[N] = {0}, chi_square = 0.0;
    for (int i = 0; i < DRAWS; i++)
        counts[sim_random_below(&stream, N)]++;
    for (int i = 0; i < N; i++)
        chi_square += (counts[i] - DRAWS / N) * (counts[i] - DRAWS / N) / (DRAWS / N);
    assert_true(gsl_cdf_chisq_Q(chi_square, N - 1) > 0.001);
    const uint64_t large = (UINT64_C(1) << 63) + 1;
    for (int i = 0; i < 1000; i++) {
        assert_int_equal(sim_random_below(&stream, 1), 0);
        assert_true(sim_random_below(&stream, large) < large);
        assert_false(sim_random_chance(&stream, 0.0));
        assert_true(sim_random_chance(&stream, 1.0));
    }
}

static int compare_words(const void *a, const void *b)
{
    const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

/* 64 words each of 4 seeds x 25 replications x 40 names: no word twice, so no two streams share a stretch of
 * trajectory even with an offset (two equal 64-bit words among 256,000 have probability 2e-9). */
static void streams_are_apart(void **state)
{
    (void)state;
    enum { SEEDS = 4, REPLICATIONS = 25, NAMES = 40, WORDS = 64, ALL = SEEDS * REPLICATIONS * NAMES * WORDS };
    uint64_t *words = malloc(ALL * sizeof *words);
    size_t n = 0;
    for (uint64_t seed = 0; seed < SEEDS; seed++)
        for (uint64_t replication = 0; replication < REPLICATIONS; replication++)
            for (int name = 0; name < NAMES; name++) {
                struct sim_random stream;
                sim_random_init_named(&stream, seed, replication, "user %d/%s", name / 2,
                                      name % 2 ? "a" : "b");
                for (int i = 0; i < WORDS; i++)
                    words[n++] = sim_random_u64(&stream);
            }
    qsort(words, n, sizeof *words, compare_words);
    for (size_t i = 1; i < n; i++)
        assert_true(words[i] != words[i - 1]);
    free(words);
}

static void same_key_same_stream(void **state)
{
    (void)state;
    struct sim_random a, b;
    sim_random_init(&a, 5, 7, "user 37/arrival");
    sim_random_init_named(&b, 5, 7, "user %d/%s", 37, "arrival");
    assert_memory_equal(a.state, b.state, sizeof a.state);
    /* The bytes of this stream are part of every stored result: they must not change. */
    assert_true(sim_random_u64(&a) == sim_random_u64(&b));
}

static void antithetic_pairs(void **state)
{
    (void)state;
    struct sim_random first, second;
    sim_random_init(&first, 3, 4, "pair");
    second = first;
    sim_random_set_pairing(&first, SIM_RANDOM_FIRST_OF_PAIR);
    sim_random_set_pairing(&second, SIM_RANDOM_SECOND_OF_PAIR);
    for (int i = 0; i < 100000; i++) {
        assert_true(sim_random_uniform(&first) + sim_random_uniform(&second) == 1.0);
        assert_true(sim_random_normal(&first) == -sim_random_normal(&second));
        const double p = exp(-sim_random_exponential(&first)), q = exp(-sim_random_exponential(&second));
        assert_near(p + q, 1.0, 1e-12);
        const int64_t sum = (int64_t)(sim_random_below(&first, 1000) + sim_random_below(&second, 1000));
        assert_true(sum >= 998 && sum <= 999);
    }
}

static void lognormal_moments(void **state)
{
    (void)state;
    enum { N = 2000000 };
    const struct sim_lognormal law = sim_lognormal_from_mean_cv(4.0, 0.5);
    struct sim_random stream;
    sim_random_init(&stream, 14, 0, "lognormal");
    double sum = 0.0, squares = 0.0;
    for (int i = 0; i < N; i++) {
        const double x = sim_random_lognormal(&stream, &law);
        sum += x;
        squares += x * x;
    }
    const double mean = sum / N;
    assert_near_relative(mean, 4.0, 0.002);
    assert_near_relative(sqrt(squares / N - mean * mean) / mean, 0.5, 0.01);
    const struct sim_lognormal constant = sim_lognormal_from_mean_cv(4.0, 0.0);
    assert_near_relative(sim_random_lognormal(&stream, &constant), 4.0, 1e-15);
}

static void gsl_plug_in(void **state)
{
    (void)state;
    struct sim_random stream, copy;
    sim_random_init(&stream, 15, 0, "gsl");
    copy = stream;
    gsl_rng view = sim_random_as_gsl(&stream);
    assert_true(gsl_rng_uniform(&view) == sim_random_uniform(&copy));
    assert_true(gsl_rng_get(&view) == sim_random_u64(&copy) >> 32);
    assert_memory_equal(stream.state, copy.state, sizeof stream.state);
    double sum = 0.0;
    for (int i = 0; i < 1000000; i++)
        sum += gsl_ran_gamma(&view, 2.5, 2.0);
    assert_near_relative(sum / 1e6, 5.0, 0.003);

    gsl_rng *own = gsl_rng_alloc(sim_random_gsl_type());
    gsl_rng_set(own, 9);
    sim_random_init(&copy, 9, 0, "");
    assert_true(gsl_rng_get(own) == sim_random_u64(&copy) >> 32);
    assert_true(gsl_rng_uniform_int(own, 10) < 10);
    gsl_rng_free(own);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(laws),
        cmocka_unit_test(tails),
        cmocka_unit_test(ziggurats),
        cmocka_unit_test(extreme_bits),
        cmocka_unit_test(integers_below),
        cmocka_unit_test(streams_are_apart),
        cmocka_unit_test(same_key_same_stream),
        cmocka_unit_test(antithetic_pairs),
        cmocka_unit_test(lognormal_moments),
        cmocka_unit_test(gsl_plug_in),
    };
    return RUN_TESTS(tests);
}
