/* M/M/c, service mean 1 s: Erlang C = P(wait), Wq, W, Lq, L; the tail of the wait; and Erlang B for loss
 * systems. */
#include "tests/support/station.h"

struct row {
    size_t servers;
    double rho, erlang_c, wait, residence, queue, number;
    double customers, half_width, half_width_of_wait;
};

/* The half-width is demanded of W: 1 %, from rho = .9 on 1.5 %, at .95 2 %. The wait alone varies more, the
 * more so the fewer of many servers' customers wait: then 4 % of the wait are still less than 1 % of W. */
static const struct row rows[] = {
    {2, .5, .3333333333, .3333333333, 1.333333333, .3333333333, 1.333333333, 1.5e6, .01, .02},
    {2, .8, .7111111111, 1.777777778, 2.777777778, 2.844444444, 4.444444444, 6e6, .01, .02},
    {2, .9, .8526315789, 4.263157895, 5.263157895, 7.673684211, 9.473684211, 1.3e7, .015, .02},
    {3, .8, .6471910112, 1.078651685, 2.078651685, 2.588764045, 4.988764045, 5e6, .01, .02},
    {4, .75, .5094339623, .5094339623, 1.509433962, 1.528301887, 4.528301887, 3e6, .01, .025},
    {8, .9, .7015329901, .8769162377, 1.876916238, 6.313796911, 13.51379691, 1e7, .015, .03},
    {10, .8, .4091801508, .2045900754, 1.204590075, 1.636720603, 9.636720603, 3e6, .01, .06},
    {16, .9, .5913433939, .3695896212, 1.369589621, 5.322090545, 19.72209054, 5e6, .015, .05},
    {32, .9, .4581966215, .1431864442, 1.143186444, 4.123769594, 32.92376959, 4e6, .015, .06},
    {64, .95, .5880109319, .1837534162, 1.183753416, 11.17220771, 71.97220771, 4e6, .02, .12},
    {100, .95, .5064568539, .1012913708, 1.101291371, 9.622680224, 104.6226802, 4e6, .02, .12},
};

static void waiting(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const struct row *row = &rows[i];
        print_message("M/M/%zu, rho %g\n", row->servers, row->rho);
        struct station_run runs[REPLICATIONS];
        struct station_plan plan = {.interarrival = law_exponential(1.0 / (row->rho * (double)row->servers)),
                                    .service = law_exponential(1.0),
                                    .servers = row->servers,
                                    .warm_up =
                                        (uint64_t)(20.0 / pow(1.0 - row->rho, 2.0)) + 10 * row->servers,
                                    .customers = (uint64_t)row->customers};
        station_replications(plan, runs);
        assert_station(runs, residence, row->residence, row->half_width);
        assert_station(runs, number, row->number, row->half_width);
        assert_station(runs, waited, row->erlang_c, .02);
        assert_station(runs, wait, row->wait, row->half_width_of_wait);
        assert_station(runs, queue_length, row->queue, 1.1 * row->half_width_of_wait);
        assert_utilisation(runs, row->rho, .005);
    }
}

/* c = 4, rho = .9: P(Wq > t) = C exp(-.4 t), and the means. */
static void tail(void **state)
{
    (void)state;
    struct station_run runs[REPLICATIONS];
    station_replications(
        (struct station_plan){.interarrival = law_exponential(1.0 / 3.6),
                              .service = law_exponential(1.0),
                              .servers = 4,
                              .warm_up = 2000,
                              .customers = 11000000,
                              .wait_over_s = {1.0, 2.0, 5.0, 6.892904798, 10.0, 10.91649958}},
        runs);
    assert_station(runs, residence, 2.969383161, .015);
    assert_station(runs, number, 10.68977938, .015);
    assert_station(runs, waited, .7877532643, .01);
    assert_station(runs, wait, 1.969383161, .025);
    assert_station(runs, queue_length, 7.089779379, .025);
    assert_station(runs, wait_over[0], .5280468044, .02);
    assert_station(runs, wait_over[1], .3539603582, .03);
    assert_station(runs, wait_over[2], .1066108111, .06);
    assert_station(runs, wait_over[3], .05, .1);
    assert_station(runs, wait_over[4], .01442820432, .2);
    assert_station(runs, wait_over[5], .01, .25);
}

/* Erlang B: c servers, no waiting room, a erlang offered. */
static void loss(void **state)
{
    (void)state;
    const struct {
        size_t servers;
        double offered, blocked;
    } cases[] = {{1, 1, .5},           {2, 1, .2},           {5, 5, .28486782},   {10, 5, .01838457},
                 {10, 10, .21458234},  {20, 15, .045593216}, {20, 20, .15889196}, {30, 20, .0084574983},
                 {50, 40, .018690671}, {10, 4.4612, .01},    {20, 12.0306, .01},  {50, 37.9014, .01}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        print_message("M/M/%zu/%zu, %g erlang\n", cases[i].servers, cases[i].servers, cases[i].offered);
        struct station_run runs[REPLICATIONS];
        station_replications((struct station_plan){.interarrival = law_exponential(1.0 / cases[i].offered),
                                                   .service = law_exponential(1.0),
                                                   .servers = cases[i].servers,
                                                   .room = STATION_NO_ROOM,
                                                   .warm_up = 100 + 20 * cases[i].servers,
                                                   .customers = cases[i].blocked < .1 ? 2000000 : 1200000},
                             runs);
        assert_station(runs, blocked, cases[i].blocked, cases[i].blocked < .1 ? .08 : .01);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(waiting),
        cmocka_unit_test(tail),
        cmocka_unit_test(loss),
    };
    return RUN_TESTS(tests);
}
