/* Known answers of the generators used: splitmix64 and xoshiro256++ here, mt19937 and minstd of GSL, and ours
 * inside GSL. */
#include "tests/support/check.h"
#include "vdisim/random.h"

#include <gsl/gsl_randist.h>
#include <gsl/gsl_statistics_double.h>

static void splitmix64(void **state)
{
    (void)state;
    const uint64_t of_zero[] = {UINT64_C(0xe220a8397b1dcdaf), UINT64_C(0x6e789e6aa1b965f4),
                                UINT64_C(0x06c45d188009454f), UINT64_C(0xf88bb8a8724c81ec)};
    const uint64_t of_1234567[] = {UINT64_C(6457827717110365317), UINT64_C(3203168211198807973),
                                   UINT64_C(9817491932198370423), UINT64_C(4593380528125082431),
                                   UINT64_C(16408922859458223821)};
    uint64_t zero = 0, seed = 1234567;
    for (int i = 0; i < 4; i++)
        assert_true(sim_splitmix64(&zero) == of_zero[i]);
    for (int i = 0; i < 5; i++)
        assert_true(sim_splitmix64(&seed) == of_1234567[i]);
}

static void xoshiro256plusplus(void **state)
{
    (void)state;
    struct sim_random stream = {.state = {1, 2, 3, 4}};
    const uint64_t words[] = {UINT64_C(41943041), UINT64_C(58720359), UINT64_C(3588806011781223),
                              UINT64_C(3591011842654386), UINT64_C(9228616714210784205)};
    for (int i = 0; i < 5; i++)
        assert_true(sim_random_u64(&stream) == words[i]);
}

static unsigned long after_10000(const gsl_rng_type *type, unsigned long seed)
{
    gsl_rng *rng = gsl_rng_alloc(type);
    assert_non_null(rng);
    gsl_rng_set(rng, seed);
    unsigned long value = 0;
    for (int i = 0; i < 10000; i++)
        value = gsl_rng_get(rng);
    gsl_rng_free(rng);
    return value;
}

static void generators_of_gsl(void **state)
{
    (void)state;
    assert_true(after_10000(gsl_rng_mt19937, 5489) == 4123659995UL);
    assert_true(after_10000(gsl_rng_minstd, 1) == 1043618065UL);
}

/* GSL's laws on our streams: mean and variance of gamma(2.5, 2), Weibull(1, 2), Poisson(7) within 4.5
 * standard errors. */
static void gsl_draws_from_ours(void **state)
{
    (void)state;
    enum { N = 200000 };
    static double x[N];
    struct sim_random stream;
    sim_random_init(&stream, 21, 0, "gsl");
    gsl_rng view = sim_random_as_gsl(&stream);
    const double mean[] = {5.0, sqrt(M_PI) / 2.0, 7.0};
    const double variance[] = {10.0, 1.0 - M_PI / 4.0, 7.0};
    for (int law = 0; law < 3; law++) {
        for (int i = 0; i < N; i++)
            x[i] = law == 0   ? gsl_ran_gamma(&view, 2.5, 2.0)
                   : law == 1 ? gsl_ran_weibull(&view, 1.0, 2.0)
                              : (double)gsl_ran_poisson(&view, 7.0);
        assert_near(gsl_stats_mean(x, 1, N), mean[law], 4.5 * sqrt(variance[law] / N));
        assert_near_relative(gsl_stats_variance(x, 1, N), variance[law], 0.02);
    }
}

/* A stored stream: the hash of (seed, replication, name) and the draws from it, which every published result
 * rests on. */
static void named_stream_is_stable(void **state)
{
    (void)state;
    struct sim_random a, b, c, d;
    sim_random_init(&a, 1, 0, "user 37/arrival");
    sim_random_init(&b, 2, 0, "user 37/arrival");
    sim_random_init(&c, 1, 1, "user 37/arrival");
    sim_random_init(&d, 1, 0, "user 37/arrivaL");
    const uint64_t first = sim_random_u64(&a);
    assert_true(first == UINT64_C(0xf30d589a68665c76));
    assert_true(sim_random_u64(&b) != first && sim_random_u64(&c) != first && sim_random_u64(&d) != first);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(splitmix64),
        cmocka_unit_test(xoshiro256plusplus),
        cmocka_unit_test(generators_of_gsl),
        cmocka_unit_test(gsl_draws_from_ours),
        cmocka_unit_test(named_stream_is_stable),
    };
    return RUN_TESTS(tests);
}
