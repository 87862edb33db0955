/* Removing the warm-up by MSER-5: on an M/M/1 queue that starts far from its steady state the bias goes, a step is
 * found where it is, and what never settles is not said to have settled. */
#include "tests/support/lindley.h"
#include "tests/support/replications.h"
#include "vdisim/steady.h"

#define ARRIVALS 0.8
#define SERVICES 1.0

static const double steady_mean = ARRIVALS / SERVICES / (SERVICES - ARRIVALS); /* 4 */

/* The waits of the customers of one run that starts with this much work. */
static void run_waits(double first_wait, size_t customers, struct sim_random *stream, double *waits)
{
    struct lindley queue = lindley_from(ARRIVALS, SERVICES, first_wait);
    for (size_t i = 0; i < customers; i++) {
        const double service = sim_random_exponential(stream);
        waits[i] = lindley_next(&queue, service, sim_random_exponential(stream));
    }
}

static double mean_from(const double *values, size_t first, size_t count)
{
    double sum = 0.0;
    for (size_t i = first; i < count; i++)
        sum += values[i];
    return sum / (double)(count - first);
}

struct bias {
    struct sim_interval with; /* the warm-up */
    struct sim_interval without;
    double left_out; /* mean of observations */
    double found;    /* share of experiments */
};

/* Means over experiments, each of the average of some runs, customer by customer. Those where nothing is found do
 * not count: their runs are called too short, and no mean is given. */
static struct bias measure(const char *name, double first_wait, size_t customers, size_t runs,
                           size_t experiments)
{
    double *with = calloc(experiments, sizeof *with), *without = calloc(experiments, sizeof *without);
    double *average = malloc(customers * sizeof *average), *waits = malloc(customers * sizeof *waits);
    struct bias bias = {.left_out = 0.0};
    size_t settled = 0;
    for (size_t e = 0; e < experiments; e++) {
        struct sim_random stream;
        sim_random_init(&stream, TEST_SEED, e, name);
        for (size_t i = 0; i < customers; i++)
            average[i] = 0.0;
        for (size_t run = 0; run < runs; run++) {
            run_waits(first_wait, customers, &stream, waits);
            for (size_t i = 0; i < customers; i++)
                average[i] += waits[i] / (double)runs;
        }
        bool found;
        const size_t first = sim_mser5(average, customers, &found);
        assert_true(first % SIM_MSER_BATCH == 0 && 2 * first < customers && (found || first == 0));
        if (!found)
            continue;
        with[settled] = mean_from(average, 0, customers);
        without[settled++] = mean_from(average, first, customers);
        bias.left_out += (double)first;
    }
    bias.left_out /= (double)settled;
    bias.found = (double)settled / (double)experiments;
    bias.with = sim_interval_mean(with, settled, test_confidence());
    bias.without = sim_interval_mean(without, settled, test_confidence());
    print_message(
        "    %-34s bias %+.3f +- %.3f, without the warm-up %+.3f +- %.3f; %.0f left out, found %.1f %%\n",
        name, bias.with.estimate - steady_mean, bias.with.high - bias.with.estimate,
        bias.without.estimate - steady_mean, bias.without.high - bias.without.estimate, bias.left_out,
        100.0 * bias.found);
    free(with);
    free(without);
    free(average);
    free(waits);
    return bias;
}

static size_t scaled(double experiments)
{
    return (size_t)fmax(20.0, experiments * test_scale());
}

/* The bias is there, and what is left of it is a small share. */
static void check_removed(struct bias bias, double share)
{
    const double with = bias.with.estimate - steady_mean, without = bias.without.estimate - steady_mean;
    const double unsure = test_scale() < 1.0 ? bias.without.high - bias.without.estimate : 0.0;
    if (test_scale() == 1.0)
        assert_true(bias.with.low > steady_mean || bias.with.high < steady_mean);
    assert_true(fabs(without) < share * fabs(with) + unsure);
}

/* Empty at the start, 200 runs averaged: the warm-up is lost in the noise of fewer. */
static void starts_empty(void **state)
{
    (void)state;
    check_removed(measure("empty, 200 runs averaged", 0.0, 1000, 200, scaled(250)), 0.4);
}

/* With ten times the usual work at the start. One run alone shows it, but the rule then favours what is quiet,
 * and some bias of the other sign comes in; ten runs averaged are nearly free of it. */
static void starts_overloaded(void **state)
{
    (void)state;
    const double first_wait = 10.0 * steady_mean;
    check_removed(measure("overloaded, 1 run", first_wait, 5000, 1, scaled(2000)), 0.5);
    check_removed(measure("overloaded, 10 runs averaged", first_wait, 5000, 10, scaled(400)), 0.15);
}

/* 300 values about 5, then 1,700 about 0, of standard deviation 1: never is a part of the step kept, and nine times
 * in ten not more than 3 batches go with it. Without a step hardly anything is left out. */
static void step(void **state)
{
    (void)state;
    enum { COUNT = 2000, STEP = 300, NEAR = 3 * SIM_MSER_BATCH };
    double values[COUNT];
    size_t near = 0, little = 0;
    const size_t of = scaled(1000);
    for (size_t e = 0; e < of; e++) {
        struct sim_random stream;
        sim_random_init(&stream, TEST_SEED, e, "step");
        bool found;
        for (int i = 0; i < COUNT; i++)
            values[i] = sim_random_normal(&stream) + (i < STEP ? 5.0 : 0.0);
        const size_t first = sim_mser5(values, COUNT, &found);
        if (found)
            assert_true(first >= STEP);
        near += found && first <= STEP + NEAR;
        for (int i = 0; i < STEP; i++)
            values[i] -= 5.0;
        little += sim_mser5(values, COUNT, &found) <= COUNT / 20 && found;
    }
    print_message("    found within 3 batches: %.1f %%; without a step at most 5 %% left out: %.1f %%\n",
                  100.0 * (double)near / (double)of, 100.0 * (double)little / (double)of);
    assert_true((double)near >= 0.85 * (double)of);
    assert_true((double)little >= 0.95 * (double)of);
}

/* A drift that does not end, up or down; a transient that lasts longer than half the run; a run too short. */
static void not_found(void **state)
{
    (void)state;
    enum { COUNT = 1000 };
    double up[COUNT], down[COUNT], late[COUNT];
    struct sim_random stream;
    sim_random_init(&stream, TEST_SEED, 0, "not found");
    for (int i = 0; i < COUNT; i++) {
        const double noise = sim_random_normal(&stream);
        up[i] = 0.02 * i + noise;
        down[i] = -0.02 * i + noise;
        late[i] = (i < 700 ? 8.0 : 0.0) + noise;
    }
    const double *const series[] = {up, down, late};
    for (size_t i = 0; i < sizeof series / sizeof *series; i++) {
        bool found = true;
        assert_int_equal(sim_mser5(series[i], COUNT, &found), 0);
        assert_false(found);
    }
    bool found = true;
    assert_int_equal(sim_mser5(late, SIM_MSER_AT_LEAST - 1, &found), 0);
    assert_false(found);
}

/* The ratio test fails independent values as often as it says, and sees a correlation of 0.5. */
static void ratio_test(void **state)
{
    (void)state;
    enum { COUNT = 30 };
    const size_t of = scaled(20000);
    size_t failed = 0, seen = 0;
    double correlation = 0.0;
    for (size_t e = 0; e < of; e++) {
        double x[COUNT], last = 0.0;
        struct sim_random stream;
        sim_random_init(&stream, TEST_SEED, e, "ratio test");
        for (int i = 0; i < COUNT; i++)
            x[i] = sim_random_normal(&stream);
        failed += !sim_batches_look_independent(x, COUNT, 0.05);
        last = x[0];
        for (int i = 1; i < COUNT; i++)
            last = x[i] = 0.5 * last + sqrt(0.75) * x[i];
        seen += !sim_batches_look_independent(x, COUNT, 0.05);
        correlation += sim_lag1_correlation(x, COUNT) / (double)of;
    }
    print_message("    independent: %.2f %% fail, correlation 0.5: %.1f %% fail, mean estimate %.3f\n",
                  100.0 * (double)failed / (double)of, 100.0 * (double)seen / (double)of, correlation);
    assert_near((double)failed / (double)of, 0.05, 0.004 / sqrt(test_scale()) + 0.003);
    assert_true((double)seen > 0.7 * (double)of);
    /* The estimate is low by about (1 + 4 rho) / n (Kendall, Biometrika 41, 1954). */
    assert_near(correlation, 0.5 - 3.0 / COUNT, 0.02 + 0.01 / sqrt(test_scale()));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(starts_empty), cmocka_unit_test(starts_overloaded), cmocka_unit_test(step),
        cmocka_unit_test(not_found),    cmocka_unit_test(ratio_test),
    };
    return RUN_TESTS(tests);
}
