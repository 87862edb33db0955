/* Mornings: evenly spread, nested, without bias, and how often the bound of their mean is on the wrong side. */
#include "sim/experiment/size/mornings.h"

#include "tests/support/check.h"
#include "vdisim/logons.h"
#include "vdisim/random.h"

#include <math.h>
#include <string.h>

#define CV 0.2

static double effect_of(const struct mornings *mornings, size_t i)
{
    return logons_run_effect_of(CV, mornings->workload, mornings->seed, mornings->replications[i]);
}

static double quantile_of(double effect)
{
    const struct sim_lognormal law = sim_lognormal_from_mean_cv(1.0, CV);
    return 0.5 * erfc(-(log(effect) - law.mu) / law.sigma / sqrt(2.0));
}

/* 8 mornings: one in each fifth but the last, one in each of [0.8, 0.9), [0.9, 0.95), [0.95, 0.975), and beyond. */
static void one_in_each_part(void **state)
{
    (void)state;
    static const double ends[] = {0.2, 0.4, 0.6, 0.8, 0.9, 0.95, 0.975, 1.0};
    struct mornings mornings;
    mornings_init(&mornings, CV, "logons", 1, 100);
    mornings_add(&mornings);
    assert_int_equal(mornings.count, 8);
    for (size_t part = 0; part < 8; part++) {
        size_t inside = 0;
        for (size_t i = 0; i < 8; i++) {
            const double quantile = quantile_of(effect_of(&mornings, i));
            inside += quantile >= (part > 0 ? ends[part - 1] : 0.0) && quantile < ends[part];
            assert_true(mornings.replications[i] >= 100);
        }
        assert_int_equal(inside, 1);
    }
}

static void none_is_lost_when_more_are_added(void **state)
{
    (void)state;
    static const size_t counts[] = {8, 13, 23, 43, 83};
    struct mornings mornings, before;
    mornings_init(&mornings, CV, "logons", 7, 0);
    for (size_t k = 0; k < 5; k++) {
        before = mornings;
        assert_int_equal(mornings_next_count(&mornings), counts[k]);
        mornings_add(&mornings);
        assert_int_equal(mornings.count, counts[k]);
        assert_memory_equal(mornings.replications, before.replications,
                            before.count * sizeof before.replications[0]);
        bool taken[MORNINGS_MOST] = {false};
        for (size_t i = 0; i < mornings.count; i++) {
            assert_true(mornings.parts[i] < mornings.count && !taken[mornings.parts[i]]);
            taken[mornings.parts[i]] = true;
        }
    }
}

/* Without a run effect they are replications as they come, with Student's interval. */
static void without_run_effect(void **state)
{
    (void)state;
    struct mornings mornings;
    double values[8];
    mornings_init(&mornings, 0.0, "logons", 1, 5);
    mornings_add(&mornings);
    for (size_t i = 0; i < 8; i++) {
        assert_int_equal(mornings.replications[i], 5 + i);
        values[i] = (double)i;
    }
    const struct mornings_mean mean = mornings_mean(&mornings, values);
    const struct sim_interval interval = mornings_interval(&mean, 0.05), t = sim_interval_mean(values, 8, 0.9);
    assert_near(interval.low, t.low, 1e-9);
    assert_near(interval.high, t.high, 1e-9);
}

/* What a load may do as the run effect grows, with noise of its own. */
enum load { LINEAR, EDGE, FAR_EDGE, NOISE, LOADS };

static double load_of(enum load load, double effect, struct sim_random *noise)
{
    const double z = sim_random_normal(noise);
    switch (load) {
    case LINEAR:
        return 7.5 * effect + 0.1 * z;
    case EDGE: /* saturated in a third of the mornings */
        return 7.5 * effect + fmax(0.0, effect - 1.1) * (25.0 + 2.0 * z) + 0.4 * z;
    case FAR_EDGE: /* in one of forty, and then badly */
        return 7.5 * effect + fmax(0.0, effect - 1.45) * 150.0 + 0.2 * z;
    default:
        return 7.5 + 1.5 * z;
    }
}

static double true_mean(enum load load)
{
    enum { POINTS = 2000000 };
    const struct sim_lognormal law = sim_lognormal_from_mean_cv(1.0, CV);
    struct sim_random random;
    double sum = 0.0;
    sim_random_init_named(&random, 3, (uint64_t)load, "true mean");
    for (int i = 0; i < POINTS; i++)
        sum += load_of(load, sim_random_lognormal(&random, &law), &random);
    return sum / POINTS;
}

/* The bound is below the true mean in at most 5 % of 2,000 searches: 100 +- 10, so 130 is three standard errors above.
 * Where the effect makes the load the interval is wider than needed, so that hardly any is; noise alone has the 5 %, and no
 * less than 2 %: the test would not see a bound that is far out on the safe side otherwise. The mean itself is without bias:
 * within five of its standard errors. */
static void wrong_in_no_more_than_said(void **state)
{
    (void)state;
    enum { SEARCHES = 2000, ADDITIONS = 3 };
    for (enum load load = LINEAR; load < LOADS; load++) {
        const double truth = true_mean(load);
        size_t wrong[ADDITIONS] = {0};
        double sum = 0.0, squares = 0.0;
        for (uint64_t seed = 0; seed < SEARCHES; seed++) {
            struct mornings mornings;
            double values[MORNINGS_MOST];
            struct mornings_mean mean = {0};
            mornings_init(&mornings, CV, "logons", seed, 0);
            for (size_t look = 0; look < ADDITIONS; look++) {
                const size_t before = mornings.count;
                mornings_add(&mornings);
                for (size_t i = before; i < mornings.count; i++) {
                    struct sim_random noise;
                    sim_random_init_named(&noise, seed, mornings.replications[i], "noise %d", (int)load);
                    values[i] = load_of(load, effect_of(&mornings, i), &noise);
                }
                mean = mornings_mean(&mornings, values);
                wrong[look] += mornings_interval(&mean, 0.05).high < truth;
            }
            sum += mean.mean;
            squares += (mean.mean - truth) * (mean.mean - truth);
        }
        assert_near(sum / SEARCHES, truth, 5.0 * sqrt(squares / SEARCHES / SEARCHES) + 0.01);
        for (size_t look = 0; look < ADDITIONS; look++)
            assert_between((double)wrong[look], load == NOISE ? 40.0 : 0.0, 130.0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_in_each_part),
        cmocka_unit_test(none_is_lost_when_more_are_added),
        cmocka_unit_test(without_run_effect),
        cmocka_unit_test(wrong_in_no_more_than_said),
    };
    return RUN_TESTS(tests);
}
