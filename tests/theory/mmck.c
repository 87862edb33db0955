/* M/M/c/K: c servers and K places in all; who finds them taken is turned away. */
#include "tests/support/station.h"

struct row {
    double lambda;
    size_t servers, places;
    double blocked, number, queue, residence, wait, throughput, utilisation;
};

static const struct row rows[] = {
    {.5, 1, 5, .01587301587, .9047619048, .4126984127, 1.838709677, .8387096774, .4920634921, .4920634921},
    {.9, 1, 10, .05081373133, 3.969440599, 3.115172957, 4.646600672, 3.646600672, .8542676418, .8542676418},
    {1, 1, 4, .2, 2, 1.2, 2.5, 1.5, .8, .8},
    {1.5, 1, 5, .3654135338, 3.577443609, 2.62556391, 3.758293839, 2.758293839, .9518796992, .9518796992},
    {3, 4, 8, .04583848588, 3.500827901, .638343359, 1.223003251, .223003251, 2.862484542, .7156211356},
    {4.5, 5, 20, .01828217591, 8.295822466, 3.878092258, 1.877847237, .8778472371, 4.417730208, .8835460417},
    {8, 4, 16, .5000158553, 15.00046612, 11.00059297, 3.750235453, 2.750235453, 3.999873157, .9999682893},
    {9, 10, 10, .1679632263, 7.488330963, 0, 1, 0, 7.488330963, .7488330963},
};

static void blocking(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const struct row *row = &rows[i];
        print_message("M/M/%zu/%zu, lambda %g\n", row->servers, row->places, row->lambda);
        struct station_run runs[REPLICATIONS];
        const size_t room = row->places - row->servers;
        station_replications((struct station_plan){.interarrival = law_exponential(1.0 / row->lambda),
                                                   .service = law_exponential(1.0),
                                                   .servers = row->servers,
                                                   .room = room == 0 ? STATION_NO_ROOM : room,
                                                   .warm_up = 1000,
                                                   .customers = 1600000},
                             runs);
        assert_station(runs, blocked, row->blocked, row->blocked < .1 ? .07 : .01);
        assert_station(runs, residence, row->residence, .01);
        assert_station(runs, number, row->number, .01);
        assert_station(runs, throughput, row->throughput, .01);
        assert_utilisation(runs, row->utilisation, .01);
        if (room > 0) {
            assert_station(runs, queue_length, row->queue, .015);
            assert_station(runs, wait, row->wait, .015);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(blocking)};
    return RUN_TESTS(tests);
}
