/* GI/M/1, rho = .8, mu = 1: an arrival waits with probability sigma, the root of sigma = A*(mu (1 - sigma)),
 * and Wq = sigma / (mu (1 - sigma)). With H2 arrivals the half-width may be 1.6 %. */
#include "tests/support/station.h"

static void arrivals_of_any_law(void **state)
{
    (void)state;
    const struct {
        const char *name;
        struct law interarrival;
        double sigma, wait, customers;
    } rows[] = {
        {"D", law_constant(1.25), .628629796497, 1.69273084, 7e6},
        {"Erlang-4", law_erlang(1.25, 4), .693944721752, 2.26738361, 8e6},
        {"U(0, 2.5)", law_uniform(1.25), .715971855115, 2.520777845, 6.5e6},
        {"H2, cv2 = 4", law_hyperexponential(1.25, 4), .907571662593, 9.819192772, 1.2e7},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        print_message("GI/M/1, %s\n", rows[i].name);
        struct station_run runs[REPLICATIONS];
        station_replications((struct station_plan){.interarrival = rows[i].interarrival,
                                                   .service = law_exponential(1.0),
                                                   .servers = 1,
                                                   .warm_up = 3000,
                                                   .customers = (uint64_t)rows[i].customers},
                             runs);
        assert_station(runs, wait, rows[i].wait, i < 3 ? .01 : .016);
        assert_station(runs, waited, rows[i].sigma, .01);
        assert_utilisation(runs, .8, .005);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(arrivals_of_any_law)};
    return RUN_TESTS(tests);
}
