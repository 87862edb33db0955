/* What intervals promise: of 95 % intervals 95 % must contain the truth. 4,000 experiments on an M/M/1 queue in its
 * steady state, where every truth is known in closed form; a share is then known to 0.34 % (one standard error)
 * and must lie in 93.5-96.5 %.
 *
 * Lengths: one replication is the mean wait of 1,000 customers at rho = 0.3, whose skewness is 0.55. Student's t
 * of n values of skewness g covers about 0.25 g^2 / n less than it says (Hall, The Bootstrap and Edgeworth
 * Expansion, 1992): 0.4 % for n = 20, 0.8 % for n = 10. At rho = 0.7 the same would take 8,000 customers.
 *
 * That a sequential rule needs care is shown on the same queue: replicating until the ordinary interval is
 * narrow enough misses the truth far more often than one in twenty. */
#include "tests/support/lindley.h"
#include "tests/support/replications.h"
#include "vdisim/steady.h"
#include "vdisim/two_stage.h"

#include <gsl/gsl_cdf.h>
#include <gsl/gsl_randist.h>

#define ARRIVALS   0.3
#define SLOW       1.0
#define FAST       1.25
#define CONFIDENCE 0.95

enum { CUSTOMERS = 1000, AT_MOST = 2000, PILOT = 10 };

static size_t experiments(void)
{
    return (size_t)fmax(100.0, 4000.0 * test_scale());
}

static int contains(struct sim_interval interval, double truth)
{
    return interval.low <= truth && truth <= interval.high;
}

/* Short runs widen what is allowed by 4.5 standard errors. */
static void check_covered(const char *what, size_t covered, size_t of)
{
    const double share = (double)covered / (double)of;
    const double unsure = test_scale() < 1.0 ? 4.5 * sqrt(0.95 * 0.05 / (double)of) : 0.0;
    print_message("    %-40s %6.2f %% of %zu\n", what, 100.0 * share, of);
    assert_between(share, 0.935 - unsure, 0.965 + unsure);
}

/* The same, where the coverage of the experiment is known exactly: within 4.5 standard errors of it too. */
static void check_covered_exactly(const char *what, size_t covered, size_t of, double exact)
{
    print_message("    %-40s %6.2f %% expected\n", "", 100.0 * exact);
    check_covered(what, covered, of);
    assert_near((double)covered / (double)of, exact, 4.5 * sqrt(exact * (1.0 - exact) / (double)of));
}

/* Replications of the two queues on common customers, made when they are asked for. */
struct replications {
    double slow[AT_MOST], fast[AT_MOST]; /* mean waits */
    double load[AT_MOST];                /* mean of service less gap, the control: mean 1 - 1 / lambda */
    size_t count;
    struct sim_random stream;
};

static const double load_mean = 1.0 / SLOW - 1.0 / ARRIVALS;

static struct replications *replications_start(uint64_t experiment, const char *name)
{
    struct replications *r = malloc(sizeof *r);
    assert_non_null(r);
    r->count = 0;
    sim_random_init(&r->stream, TEST_SEED, experiment, name);
    return r;
}

static void replicate(struct replications *r, size_t count)
{
    assert_true(count <= AT_MOST);
    for (; r->count < count; r->count++) {
        const double start = sim_random_uniform(&r->stream);
        struct lindley slow = lindley_steady(ARRIVALS, SLOW, start);
        struct lindley fast = lindley_steady(ARRIVALS, FAST, start);
        double slow_sum = 0.0, fast_sum = 0.0, load_sum = 0.0;
        for (int i = 0; i < CUSTOMERS; i++) {
            const double service = sim_random_exponential(&r->stream);
            const double gap = sim_random_exponential(&r->stream);
            slow_sum += lindley_next(&slow, service, gap);
            fast_sum += lindley_next(&fast, service, gap);
            load_sum += service * slow.service_mean - gap * slow.gap_mean;
        }
        r->slow[r->count] = slow_sum / CUSTOMERS;
        r->fast[r->count] = fast_sum / CUSTOMERS;
        r->load[r->count] = load_sum / CUSTOMERS;
    }
}

/* Means and differences of a fixed number of replications; the second sample of Welch's difference is one of
 * its own, of another size and variance. */
static void fixed_number(void **state)
{
    (void)state;
    enum { N = 20, OTHERS = 12 };
    const size_t of = experiments();
    const double slow = lindley_mean_wait(ARRIVALS, SLOW), fast = lindley_mean_wait(ARRIVALS, FAST);
    size_t mean = 0, paired = 0, welch = 0, controlled = 0;
    for (size_t e = 0; e < of; e++) {
        struct replications *r = replications_start(e, "fixed number"),
                            *others = replications_start(e, "others");
        replicate(r, N);
        replicate(others, OTHERS);
        mean += (size_t)contains(sim_interval_mean(r->slow, N, CONFIDENCE), slow);
        paired +=
            (size_t)contains(sim_interval_paired_difference(r->slow, r->fast, N, CONFIDENCE), slow - fast);
        welch += (size_t)contains(sim_interval_welch_difference(r->slow, N, others->fast, OTHERS, CONFIDENCE),
                                  slow - fast);
        controlled +=
            (size_t)contains(sim_interval_controlled(r->slow, r->load, N, load_mean, CONFIDENCE).mean, slow);
        free(r);
        free(others);
    }
    check_covered("mean wait, t", mean, of);
    check_covered("difference, paired", paired, of);
    check_covered("difference, Welch", welch, of);
    check_covered("mean wait, controlled by the load", controlled, of);
}

/* Runs to the target; returns the interval and adds the replications taken to *taken. */
static struct sim_interval two_stages(struct replications *r, const double *controls, double half_width,
                                      bool relative, size_t *taken)
{
    size_t count = PILOT, needed = PILOT;
    do {
        count = needed;
        replicate(r, count);
        needed =
            sim_two_stage_count(r->slow, controls, load_mean, count, PILOT, half_width, relative, CONFIDENCE);
    } while (needed > count);
    *taken += count;
    const struct sim_interval interval =
        sim_two_stage_interval(r->slow, controls, load_mean, count, PILOT, CONFIDENCE);
    const double target = relative ? half_width * interval.estimate : half_width;
    assert_true(interval.high - interval.estimate <= target * (1.0 + 1e-9));
    return interval;
}

/* The rule that peeks: the ordinary interval from 5 replications on, until it is narrow enough. */
static struct sim_interval peeking(struct replications *r, double half_width, size_t *taken)
{
    for (size_t count = 5;; count++) {
        replicate(r, count);
        const struct sim_interval interval = sim_interval_mean(r->slow, count, CONFIDENCE);
        if (interval.high - interval.estimate <= half_width) {
            *taken += count;
            return interval;
        }
    }
}

static void to_a_target(void **state)
{
    (void)state;
    const size_t of = experiments();
    const double truth = lindley_mean_wait(ARRIVALS, SLOW), precision = 0.07;
    size_t absolute = 0, relative = 0, controlled = 0, peeked = 0, taken[4] = {0};
    for (size_t e = 0; e < of; e++) {
        struct replications *r = replications_start(e, "to a target");
        absolute += (size_t)contains(two_stages(r, NULL, precision * truth, false, &taken[0]), truth);
        relative += (size_t)contains(two_stages(r, NULL, precision, true, &taken[1]), truth);
        controlled += (size_t)contains(two_stages(r, r->load, precision * truth, false, &taken[2]), truth);
        peeked += (size_t)contains(peeking(r, precision * truth, &taken[3]), truth);
        free(r);
    }
    check_covered("two-stage, absolute", absolute, of);
    check_covered("two-stage, relative", relative, of);
    check_covered("two-stage, controlled", controlled, of);
    const double share = (double)peeked / (double)of;
    print_message("    %-40s %6.2f %%\n", "peeking, which must not be done", 100.0 * share);
    print_message("    replications: absolute %.1f, relative %.1f, controlled %.1f, peeking %.1f\n",
                  (double)taken[0] / (double)of, (double)taken[1] / (double)of, (double)taken[2] / (double)of,
                  (double)taken[3] / (double)of);
    /* Eight standard errors below 95 % at full length; short runs cannot show it. */
    if (test_scale() == 1.0) {
        assert_true(share < 0.93);
        assert_true((double)absolute > (double)peeked + 0.02 * (double)of);
        assert_true((double)relative > (double)peeked + 0.02 * (double)of);
    }
    assert_true(taken[2] < taken[0]);
}

/* Stein's rule is exact for normal values, however small the pilot: within 4.5 standard errors of 95 %. A pilot
 * of 5 and a target that takes 20 to 50 on average; y = 10 + 2 x + e for the controlled mean, with the mean of
 * the control a little off what its sample shows. */
static void two_stages_of_normal_values(void **state)
{
    (void)state;
    enum { MOST = 4000, FIRST = 5 };
    const size_t of = (size_t)(30000 * test_scale());
    double *y = malloc(MOST * sizeof *y), *x = malloc(MOST * sizeof *x);
    const double *const controls[] = {NULL, x};
    const char *const names[] = {"normal, two-stage of pilot 5", "normal, two-stage controlled"};
    for (int kind = 0; kind < 2; kind++) {
        size_t covered = 0;
        for (size_t e = 0; e < of; e++) {
            struct sim_random r;
            sim_random_init(&r, TEST_SEED, e, names[kind]);
            size_t count = 0, needed = FIRST;
            while (needed > count && needed <= MOST) {
                for (; count < needed; count++) {
                    x[count] = sim_random_normal(&r);
                    y[count] = 10.0 + 2.0 * x[count] + sim_random_normal(&r);
                }
                needed = sim_two_stage_count(y, controls[kind], 0.0, count, FIRST, kind == 0 ? 1.0 : 0.6,
                                             false, CONFIDENCE);
            }
            covered += (size_t)contains(
                sim_two_stage_interval(y, controls[kind], 0.0, count, FIRST, CONFIDENCE), 10.0);
        }
        check_covered_exactly(names[kind], covered, of, 0.95);
    }
    free(x);
    free(y);
}

/* The sojourn of one customer a replication, the tenth: exponential of rate mu - lambda. With 100 values the
 * ranks around the median cover by the binomial law 94.3 or 96.5 %, never 95 %: sizes are taken where the ranks
 * happen to cover between 95 and 95.5 %, and the share must be what the binomial law says. */
static void quantiles(void **state)
{
    (void)state;
    const struct {
        const char *name;
        double p;
        size_t count;
    } cases[] = {{"median of sojourn times", 0.5, 51}, {"p90 of sojourn times", 0.9, 141}};
    const size_t of = experiments();
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        const double truth = -log(1.0 - cases[c].p) / (SLOW - ARRIVALS);
        const unsigned count = (unsigned)cases[c].count;
        size_t covered = 0;
        for (size_t e = 0; e < of; e++) {
            double sojourns[400];
            struct sim_random r;
            sim_random_init(&r, TEST_SEED, e, cases[c].name);
            for (size_t i = 0; i < count; i++) {
                struct lindley queue = lindley_steady(ARRIVALS, SLOW, sim_random_uniform(&r));
                for (int customer = 0; customer < 9; customer++) {
                    const double service = sim_random_exponential(&r);
                    lindley_next(&queue, service, sim_random_exponential(&r));
                }
                sojourns[i] = queue.wait + sim_random_exponential(&r) / SLOW;
            }
            covered +=
                (size_t)contains(sim_interval_quantile(sojourns, count, cases[c].p, CONFIDENCE), truth);
        }
        /* P(l <= values below the quantile < u), the ranks found anew. */
        unsigned low = 0, high = count;
        while (gsl_cdf_binomial_P(low, cases[c].p, count) <= 0.025)
            low++;
        while (gsl_cdf_binomial_Q(high - 1, cases[c].p, count) <= 0.025)
            high--;
        const double exact =
            gsl_cdf_binomial_P(high, cases[c].p, count) - gsl_cdf_binomial_P(low - 1, cases[c].p, count);
        assert_between(exact, 0.95, 0.955);
        check_covered_exactly(cases[c].name, covered, of, exact);
    }
}

/* P(no wait) = 1 - rho, from the tenth customer of each replication. What Wilson's interval covers swings about
 * 95 % with size and p, since counts are whole numbers; the share must be what the binomial law says. */
static void proportions(void **state)
{
    (void)state;
    enum { TRIALS = 90 };
    const size_t of = experiments();
    const double p = 1.0 - ARRIVALS / SLOW;
    size_t covered = 0;
    for (size_t e = 0; e < of; e++) {
        struct sim_random r;
        sim_random_init(&r, TEST_SEED, e, "proportion");
        size_t at_once = 0;
        for (size_t i = 0; i < TRIALS; i++) {
            struct lindley queue = lindley_steady(ARRIVALS, SLOW, sim_random_uniform(&r));
            for (int customer = 0; customer < 9; customer++) {
                const double service = sim_random_exponential(&r);
                lindley_next(&queue, service, sim_random_exponential(&r));
            }
            at_once += queue.wait == 0.0;
        }
        covered += (size_t)contains(sim_interval_proportion(at_once, TRIALS, CONFIDENCE), p);
    }
    /* Wilson's interval holds p where the score |x / n - p| / sqrt(p (1 - p) / n) is at most z. */
    double exact = 0.0;
    for (unsigned x = 0; x <= TRIALS; x++)
        if (fabs(x - TRIALS * p) <= gsl_cdf_ugaussian_Qinv(0.025) * sqrt(TRIALS * p * (1.0 - p)))
            exact += gsl_ran_binomial_pdf(x, p, TRIALS);
    check_covered_exactly("proportion of no wait", covered, of, exact);
}

/* Customers that leave an M/M/1 queue in its steady state within a time: Poisson (Burke, Operations Research 4,
 * 1956). With a mean of 200 it is near enough to normal for the prediction interval of one more run, which no
 * averaging helps. */
static unsigned departures(double duration, struct sim_random *r)
{
    unsigned left = 0;
    uint64_t inside = 0;
    while (sim_random_chance(r, ARRIVALS / SLOW))
        inside++;
    for (double now = 0.0;;) {
        const double rate = ARRIVALS + (inside > 0 ? SLOW : 0.0);
        now += sim_random_exponential(r) / rate;
        if (now > duration)
            return left;
        if (sim_random_chance(r, ARRIVALS / rate)) {
            inside++;
        } else {
            inside--;
            left++;
        }
    }
}

static void one_more_run(void **state)
{
    (void)state;
    enum { N = 10 };
    const size_t of = experiments();
    const double mean = 200.0;
    size_t prediction = 0, served = 0;
    for (size_t e = 0; e < of; e++) {
        struct sim_random r;
        sim_random_init(&r, TEST_SEED, e, "one more run");
        double counts[N];
        for (int i = 0; i < N; i++)
            counts[i] = departures(mean / ARRIVALS, &r);
        served += (size_t)contains(sim_interval_mean(counts, N, CONFIDENCE), mean);
        prediction +=
            (size_t)contains(sim_interval_prediction(counts, N, CONFIDENCE), departures(mean / ARRIVALS, &r));
    }
    check_covered("number served, t", served, of);
    check_covered("number served by one more run", prediction, of);
}

/* One long run in 20 batches of 1,000 customers; their neighbours' correlation is below 1 %. */
static void one_long_run(void **state)
{
    (void)state;
    enum { BATCHES = 20, LENGTH = BATCHES * CUSTOMERS };
    const size_t of = experiments();
    double *waits = malloc(LENGTH * sizeof *waits), means[BATCHES];
    size_t covered = 0, too_short = 0, passed = 0;
    for (size_t e = 0; e < of; e++) {
        struct sim_random r;
        sim_random_init(&r, TEST_SEED, e, "one long run");
        struct lindley queue = lindley_steady(ARRIVALS, SLOW, sim_random_uniform(&r));
        for (int i = 0; i < LENGTH; i++) {
            const double service = sim_random_exponential(&r);
            waits[i] = lindley_next(&queue, service, sim_random_exponential(&r));
        }
        const double truth = lindley_mean_wait(ARRIVALS, SLOW);
        covered += (size_t)contains(sim_interval_batch_means(waits, LENGTH, BATCHES, CONFIDENCE), truth);
        too_short += (size_t)contains(sim_interval_batch_means(waits, 300, BATCHES, CONFIDENCE), truth);
        sim_batch_means(waits, LENGTH, BATCHES, means);
        passed += sim_batches_look_independent(means, BATCHES, 0.05);
    }
    check_covered("batch means of one long run", covered, of);
    print_message("    %-40s %6.2f %%\n", "batches of 10 customers, too short",
                  100.0 * (double)too_short / (double)of);
    print_message("    %-40s %6.2f %%\n", "long batches that look independent",
                  100.0 * (double)passed / (double)of);
    assert_true((double)passed > 0.9 * (double)of);
    if (test_scale() == 1.0)
        assert_true((double)too_short < 0.9 * (double)of);
    free(waits);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(fixed_number),
        cmocka_unit_test(to_a_target),
        cmocka_unit_test(two_stages_of_normal_values),
        cmocka_unit_test(quantiles),
        cmocka_unit_test(proportions),
        cmocka_unit_test(one_more_run),
        cmocka_unit_test(one_long_run),
    };
    return RUN_TESTS(tests);
}
