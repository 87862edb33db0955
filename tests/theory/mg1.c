/* M/G/1: mean of the wait by Pollaczek and Khinchine, its variance by Takacs; the law of the wait of M/D/1. */
#include "tests/support/station.h"

struct row {
    const char *name;
    struct law service;
    double wait, variance;
    double customers;
};

/* The variance of the wait converges more slowly than the mean: its half-width may be 5.5 %. For H2, where
 * both do, it may be 1.5 % of the mean and 7 % of the variance. */
static void mean_and_variance(void **state)
{
    (void)state;
    const struct row rows[] = {
        {"D", law_constant(1), 2, 5.333333333, 4.5e6},
        {"Erlang-4", law_erlang(1, 4), 2.5, 8.75, 5.5e6},
        {"U(0,2)", law_uniform(1), 2.666666667, 9.777777778, 4.5e6},
        {"exponential", law_exponential(1), 4, 24, 9e6},
        {"H2, cv2 = 4", law_hyperexponential(1, 4), 10, 180, 1.4e7},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        print_message("M/G/1, %s\n", rows[i].name);
        struct station_run runs[REPLICATIONS];
        station_replications((struct station_plan){.interarrival = law_exponential(1.25),
                                                   .service = rows[i].service,
                                                   .servers = 1,
                                                   .warm_up = 2000,
                                                   .customers = (uint64_t)rows[i].customers},
                             runs);
        assert_station(runs, wait, rows[i].wait, i < 4 ? .011 : .015);
        assert_station(runs, residence, rows[i].wait + 1.0, i < 4 ? .01 : .015);
        assert_station(runs, wait_variance, rows[i].variance, i < 4 ? .055 : .07);
        assert_station(runs, queue_length, .8 * rows[i].wait, i < 4 ? .012 : .016);
    }
}

/* 200 operations a second, 90 % of 1 ms and 10 % of 20 ms. */
static void bimodal(void **state)
{
    (void)state;
    struct station_run runs[REPLICATIONS];
    station_replications((struct station_plan){.interarrival = law_exponential(.005),
                                               .service = law_choice(.9, .001, .1, .020, 0.0),
                                               .servers = 1,
                                               .warm_up = 2000,
                                               .customers = 6000000},
                         runs);
    assert_utilisation(runs, .58, .005);
    assert_station(runs, wait, .009738095238, .01);
    assert_station(runs, residence, .01263809524, .01);
    assert_station(runs, queue_length, 1.947619048, .012);
}

/* P(Wq <= k D), k = 0 ... 5, as the complement, which is rarer for large k. */
static void law_of_the_wait(void **state)
{
    (void)state;
    const struct {
        double rho, at_most[6];
    } cases[] = {{.5, {.5, .82436064, .9469606, .9847487, .99565752, .99876427}},
                 {.8, {.2, .44510819, .63451994, .76209952, .84537511, .89950276}},
                 {.9, {.1, .24596031, .38360047, .49865055, .59245459, .66870915}}};
    for (size_t i = 0; i < 3; i++) {
        print_message("M/D/1, rho %g\n", cases[i].rho);
        struct station_run runs[REPLICATIONS];
        station_replications((struct station_plan){.interarrival = law_exponential(1.0 / cases[i].rho),
                                                   .service = law_constant(1.0),
                                                   .servers = 1,
                                                   .warm_up = 4000,
                                                   .customers = i < 2 ? 3000000 : 5000000,
                                                   .wait_over_s = {0, 1, 2, 3, 4, 5}},
                             runs);
        for (int k = 0; k < 6; k++) {
            const double over = 1.0 - cases[i].at_most[k];
            assert_station(runs, wait_over[k], over, over > .2 ? .025 : over > .01 ? .07 : .2);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(mean_and_variance),
        cmocka_unit_test(bimodal),
        cmocka_unit_test(law_of_the_wait),
    };
    return RUN_TESTS(tests);
}
