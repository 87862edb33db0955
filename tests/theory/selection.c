/* Selecting the best of k: the probability of a correct selection is what was asked for, in the configuration that
 * is hardest for the procedure (all others worse by exactly the indifference zone) and on queues; and common
 * random numbers make it cheaper. */
#include "vdisim/selection.h"
#include "tests/support/lindley.h"
#include "tests/support/replications.h"

#include <string.h>

enum { MOST_SYSTEMS = 10, MOST = 4000, FIRST_STAGE = 10 };

#define CONFIDENCE 0.95

struct setting {
    const char *name;
    size_t systems;
    double correlation; /* of the systems' values, by a common part */
    double sd_step;     /* system i has the standard deviation 1 + i sd_step */
    double worse_by;    /* than the best, which is the last */
    size_t look_every;  /* replications; 0 doubles the number from look to look */
    bool smallest_is_best;
};

static const double indifference = 0.5;

struct outcome {
    double correct;      /* share */
    double replications; /* of all systems together, mean */
    double screenings;   /* mean */
};

typedef void make_replication(const void *what, struct sim_random *stream, double *values);

/* One replication of every system. */
static void make_normal(const void *what, struct sim_random *stream, double *values)
{
    const struct setting *s = what;
    const double common = sqrt(s->correlation) * sim_random_normal(stream);
    for (size_t i = 0; i < s->systems; i++) {
        const double own = sqrt(1.0 - s->correlation) * sim_random_normal(stream);
        const double mean = i + 1 == s->systems ? s->worse_by : 0.0;
        const double value = mean + (1.0 + s->sd_step * (double)i) * (common + own);
        values[i] = s->smallest_is_best ? -value : value;
    }
}

static size_t next_look(size_t replications, size_t look_every)
{
    return look_every == 0 ? 2 * replications : replications + look_every;
}

/* All systems are run on, for simplicity; counted are those of the ones alive. */
static struct outcome select_often(const struct setting *s, make_replication *make, const void *what,
                                   double delta, size_t of)
{
    static double values[MOST_SYSTEMS][MOST]; /* of the test, not of the library */
    const double *rows[MOST_SYSTEMS];
    struct outcome outcome = {0};
    for (size_t i = 0; i < MOST_SYSTEMS; i++)
        rows[i] = values[i];
    for (size_t e = 0; e < of; e++) {
        struct sim_random stream;
        sim_random_init(&stream, TEST_SEED, e, s->name);
        struct sim_selection selection;
        assert_true(
            sim_selection_init(&selection, s->systems, FIRST_STAGE, CONFIDENCE, delta, s->smallest_is_best));
        size_t made = 0, at_most = MOST;
        for (size_t look = FIRST_STAGE;; look = next_look(look, s->look_every)) {
            assert_true(look <= MOST);
            outcome.replications += (double)((look - made) * sim_selection_alive_count(&selection));
            for (; made < look; made++) {
                double row[MOST_SYSTEMS];
                make(what, &stream, row);
                for (size_t i = 0; i < s->systems; i++)
                    values[i][made] = row[i];
            }
            outcome.screenings++;
            const bool due = look >= at_most;
            const size_t alive = sim_selection_screen(&selection, rows, look);
            assert_true(selection.at_most <= (at_most < look ? look : at_most));
            at_most = selection.at_most;
            if (alive == 1)
                break;
            assert_false(due);
        }
        outcome.correct += sim_selection_best(&selection) == s->systems - 1;
        assert_true(selection.alive[sim_selection_best(&selection)]);
        sim_selection_release(&selection);
    }
    outcome.correct /= (double)of;
    outcome.replications /= (double)of;
    outcome.screenings /= (double)of;
    print_message("    %-42s %6.2f %% correct, %7.1f replications, %5.1f looks\n", s->name,
                  100.0 * outcome.correct, outcome.replications, outcome.screenings);
    return outcome;
}

static double allowed_below(size_t of)
{
    return test_scale() < 1.0 ? 4.5 * sqrt(0.95 * 0.05 / (double)of) : 0.0;
}

static void slippage(void **state)
{
    (void)state;
    static const struct setting settings[] = {
        {"2 systems", 2, 0.0, 0.0, 0.5, 1, false},
        {"2 systems, common random numbers", 2, 0.5, 0.0, 0.5, 1, false},
        {"5 systems", 5, 0.0, 0.0, 0.5, 1, true},
        {"5 systems, common random numbers", 5, 0.5, 0.0, 0.5, 1, true},
        {"10 systems", 10, 0.0, 0.0, 0.5, 1, false},
        {"10 systems, common random numbers", 10, 0.5, 0.0, 0.5, 1, false},
        {"5 systems of unequal variances", 5, 0.0, 0.2, 0.5, 1, true},
        {"2 systems, a look every 10", 2, 0.0, 0.0, 0.5, 10, false},
        {"2 systems, looks at 10, 20, 40, ...", 2, 0.0, 0.0, 0.5, 0, false},
        {"10 systems, looks at 10, 20, 40, ...", 10, 0.5, 0.0, 0.5, 0, true},
    };
    enum { SETTINGS = sizeof settings / sizeof *settings };
    const size_t of = (size_t)fmax(100.0, 10000.0 * test_scale());
    struct outcome outcomes[SETTINGS];
    for (size_t i = 0; i < SETTINGS; i++) {
        outcomes[i] = select_often(&settings[i], make_normal, &settings[i], indifference, of);
        assert_true(outcomes[i].correct >= CONFIDENCE - allowed_below(of));
    }
    /* Half the variance of differences takes half the replications, but for the first stage. */
    for (size_t i = 0; i < 6; i += 2)
        assert_true(outcomes[i + 1].replications < 0.75 * outcomes[i].replications);
    /* Of two systems the bound is nearly met: the procedure is not merely wasteful. */
    assert_true(outcomes[0].correct < 0.985);
    /* Fewer looks: less work in looking, more replications, no more errors. */
    assert_true(outcomes[7].screenings < 0.5 * outcomes[0].screenings &&
                outcomes[7].replications > outcomes[0].replications);
}

/* Nothing to be right about: it ends all the same, with one; and of two that are the best within the zone either
 * will do, but hardly ever a third that is far off. */
static void within_the_zone(void **state)
{
    (void)state;
    const size_t of = (size_t)fmax(100.0, 2000.0 * test_scale());
    const struct setting equal = {"5 equal systems", 5, 0.0, 0.0, 0.0, 1, false};
    const struct outcome all = select_often(&equal, make_normal, &equal, indifference, of);
    assert_near(all.correct, 0.2, 4.5 * sqrt(0.2 * 0.8 / (double)of));
    const struct setting clear = {"5 systems, best by 3 zones", 5, 0.0, 0.0, 1.5, 1, false};
    const struct outcome easy = select_often(&clear, make_normal, &clear, indifference, of);
    assert_true(easy.correct > 0.99 && easy.replications < 0.6 * all.replications);
}

/* Mean waits of five servers, smallest best, the last best by the gap to the fourth. */
static const double rates[] = {1.0, 1.05, 1.1, 1.15, 1.2};
enum { SERVERS = sizeof rates / sizeof *rates, CUSTOMERS = 500 };
#define ARRIVALS 0.5

static void queues_apart(const void *what, struct sim_random *stream, double *values)
{
    (void)what;
    for (size_t i = 0; i < SERVERS; i++)
        values[i] = lindley_run(ARRIVALS, rates[i], CUSTOMERS, stream);
}

static void queues_in_step(const void *what, struct sim_random *stream, double *values)
{
    (void)what;
    struct lindley queues[SERVERS];
    const double start = sim_random_uniform(stream);
    for (size_t i = 0; i < SERVERS; i++) {
        queues[i] = lindley_steady(ARRIVALS, rates[i], start);
        values[i] = 0.0;
    }
    for (int customer = 0; customer < CUSTOMERS; customer++) {
        const double service = sim_random_exponential(stream), gap = sim_random_exponential(stream);
        for (size_t i = 0; i < SERVERS; i++)
            values[i] += lindley_next(&queues[i], service, gap) / CUSTOMERS;
    }
}

static void queues(void **state)
{
    (void)state;
    const size_t of = (size_t)fmax(100.0, 1000.0 * test_scale());
    const double gap = lindley_mean_wait(ARRIVALS, rates[3]) - lindley_mean_wait(ARRIVALS, rates[4]);
    const struct setting apart = {"5 servers", SERVERS, 0.0, 0.0, 0.0, 5, true};
    const struct setting in_step = {"5 servers, common random numbers", SERVERS, 0.0, 0.0, 0.0, 5, true};
    const struct outcome independent = select_often(&apart, queues_apart, NULL, gap, of);
    const struct outcome common = select_often(&in_step, queues_in_step, NULL, gap, of);
    assert_true(independent.correct >= CONFIDENCE - allowed_below(of));
    assert_true(common.correct >= CONFIDENCE - allowed_below(of));
    assert_true(common.replications < 0.5 * independent.replications);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(slippage),
        cmocka_unit_test(within_the_zone),
        cmocka_unit_test(queues),
    };
    return RUN_TESTS(tests);
}
