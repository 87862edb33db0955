/* M/M/1, service mean 1 s. Values: L = rho / (1 - rho), W = 1 / (mu - lambda), P(W > t) = exp(-(mu - lambda)
 * t); the busy period; two stations in tandem (Burke). */
#include "tests/support/station.h"

struct row {
    double lambda, number, queue, residence, wait, p95, p99, over_5;
    double customers, half_width;
};

static const struct row rows[] = {
    {.5, 1, .5, 2, 1, 5.991464547, 9.210340372, .0820849986, 1.5e6, .01},
    {.75, 3, 2.25, 4, 3, 11.98292909, 18.42068074, .2865047969, 5.5e6, .01},
    {.8, 4, 3.2, 5, 4, 14.97866137, 23.02585093, .3678794412, 7e6, .01},
    {.9, 9, 8.1, 10, 9, 29.95732274, 46.05170186, .6065306597, 3.4e7, .01},
    {.95, 19, 18.05, 20, 19, 59.91464547, 92.10340372, .7788007831, 2.9e7, .02},
};

/* The half-width is demanded of W; the wait alone, and the tails, which are rarer events, need not be as
 * narrow. */
static void stationary(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const struct row *row = &rows[i];
        print_message("M/M/1, lambda %g\n", row->lambda);
        struct station_run runs[REPLICATIONS];
        station_replications((struct station_plan){.interarrival = law_exponential(1.0 / row->lambda),
                                                   .service = law_exponential(1.0),
                                                   .servers = 1,
                                                   .warm_up = (uint64_t)(20.0 / pow(1.0 - row->lambda, 2.0)),
                                                   .customers = (uint64_t)row->customers,
                                                   .residence_over_s = {row->p95, row->p99, 5.0}},
                             runs);
        assert_station(runs, residence, row->residence, row->half_width);
        assert_station(runs, wait, row->wait, 1.5 * row->half_width);
        assert_station(runs, number, row->number, 1.2 * row->half_width);
        assert_station(runs, queue_length, row->queue, 1.5 * row->half_width);
        assert_utilisation(runs, row->lambda, .005);
        assert_station(runs, waited, row->lambda, .005);
        assert_station(runs, residence_over[0], .05, 6.0 * row->half_width);
        assert_station(runs, residence_over[1], .01, 15.0 * row->half_width);
        assert_station(runs, residence_over[2], row->over_5, 2.5 * row->half_width);
    }
}

/* Every customer a process. */
static void customers_as_processes(void **state)
{
    (void)state;
    struct station_run runs[REPLICATIONS];
    station_replications((struct station_plan){.interarrival = law_exponential(2.0),
                                               .service = law_exponential(1.0),
                                               .servers = 1,
                                               .warm_up = 1000,
                                               .customers = 1500000,
                                               .by_process = true},
                         runs);
    assert_station(runs, residence, 2.0, .01);
    assert_station(runs, queue_length, .5, .015);
}

/* The two forms draw the same numbers and must give the same waits to the nanosecond. */
static void both_forms_agree(void **state)
{
    (void)state;
    struct station_plan plan = {.interarrival = law_exponential(1.0 / .9),
                                .service = law_exponential(1.0),
                                .servers = 1,
                                .customers = 20000};
    const struct station_run records = station_replication(&plan, 1);
    plan.by_process = true;
    const struct station_run processes = station_replication(&plan, 1);
    assert_true(records.wait == processes.wait);
    assert_true(records.residence == processes.residence);
    assert_true(records.queue_length == processes.queue_length);
}

struct busy_server {
    struct sim_queue queue;
    struct sim_random stream;
    struct sim_process source;
    struct sim_tally periods;
    int64_t began_ns;
    uint64_t arrivals;
};

struct busy_customer {
    struct sim_queue_waiter waiter;
    struct sim_event event;
    struct busy_server *server;
};

static void busy_served(struct sim *sim, struct sim_event *event)
{
    struct busy_customer *c = SIM_CONTAINER_OF(event, struct busy_customer, event);
    struct busy_server *b = c->server;
    sim_queue_release_by(&b->queue, &c->waiter);
    if (b->queue.busy == 0)
        sim_tally_add(&b->periods, sim_s_from_ns(sim_now_ns(sim) - b->began_ns));
    free(c);
}

static void busy_granted(struct sim_queue_waiter *waiter)
{
    struct busy_customer *c = SIM_CONTAINER_OF(waiter, struct busy_customer, waiter);
    sim_schedule_after(c->server->queue.sim, &c->event,
                       sim_ns_round(1e9 * sim_random_exponential(&c->server->stream)));
}

static void busy_source(struct sim_process *self)
{
    struct busy_server *b = SIM_CONTAINER_OF(self, struct busy_server, source);
    for (uint64_t i = 0; i < b->arrivals; i++) {
        sim_hold(self, sim_ns_round(1.25e9 * sim_random_exponential(&b->stream)));
        struct busy_customer *c = malloc(sizeof *c);
        assert_non_null(c);
        c->server = b;
        sim_queue_waiter_init(&c->waiter, busy_granted);
        sim_event_init(&c->event, busy_served, 1);
        if (b->queue.busy == 0)
            b->began_ns = sim_now_ns(self->sim);
        if (sim_queue_request(&b->queue, &c->waiter, 0) == SIM_QUEUE_GRANTED)
            busy_granted(&c->waiter);
    }
}

/* Mean 1 / (mu - lambda), variance (1 + rho) / (mu^2 (1 - rho)^3). Busy periods are independent, so their
 * mean needs no warm-up; the variance has heavy tails and a wider bound. */
static void busy_period(void **state)
{
    (void)state;
    double mean[REPLICATIONS], variance[REPLICATIONS];
    for (uint64_t i = 0; i < REPLICATIONS; i++) {
        struct busy_server b = {.arrivals = per_replication(1e7)};
        struct sim *sim = sim_create();
        sim_random_init(&b.stream, TEST_SEED, i, "busy");
        sim_queue_init(&b.queue, sim, "server", 1, SIM_QUEUE_FIFO);
        sim_tally_init(&b.periods, false);
        sim_process_init(&b.source, "source", busy_source);
        sim_process_start_after(sim, &b.source, 0);
        assert_int_equal(sim_run_until(sim, SIM_NEVER_NS), SIM_END_EMPTY);
        mean[i] = b.periods.mean;
        variance[i] = sim_tally_variance(&b.periods);
        sim_destroy(sim);
    }
    assert_reference("busy period", mean, REPLICATIONS, 5.0, .01);
    assert_reference("variance of the busy period", variance, REPLICATIONS, 225.0, .06);
}

struct tandem {
    struct sim_queue queue[2];
    struct sim_random stream;
    struct sim_process source;
    struct sim_tally residence;
    uint64_t arrivals;
};

struct tandem_customer {
    struct sim_process process;
    struct tandem *tandem;
    int64_t service_ns[2];
};

static void tandem_customer_lives(struct sim_process *self)
{
    struct tandem_customer *c = SIM_CONTAINER_OF(self, struct tandem_customer, process);
    const int64_t arrived_ns = sim_now_ns(self->sim);
    for (int i = 0; i < 2; i++) {
        sim_queue_seize(self, &c->tandem->queue[i], 0, SIM_NEVER_NS);
        sim_hold(self, c->service_ns[i]);
        sim_queue_release(&c->tandem->queue[i]);
    }
    sim_tally_add(&c->tandem->residence, sim_s_from_ns(sim_now_ns(self->sim) - arrived_ns));
}

static void tandem_customer_ends(struct sim_process *self)
{
    free(SIM_CONTAINER_OF(self, struct tandem_customer, process));
}

static void tandem_source(struct sim_process *self)
{
    struct tandem *t = SIM_CONTAINER_OF(self, struct tandem, source);
    for (uint64_t i = 0; i < t->arrivals; i++) {
        sim_hold(self, sim_ns_round(1e9 / .6 * sim_random_exponential(&t->stream)));
        struct tandem_customer *c = malloc(sizeof *c);
        assert_non_null(c);
        c->tandem = t;
        c->service_ns[0] = sim_ns_round(1e9 * sim_random_exponential(&t->stream));
        c->service_ns[1] = sim_ns_round(1e9 / .8 * sim_random_exponential(&t->stream));
        sim_process_init(&c->process, "customer", tandem_customer_lives);
        c->process.on_end = tandem_customer_ends;
        sim_process_start_after(self->sim, &c->process, 0);
    }
}

/* lambda .6 through mu 1 and .8: 1 / .4 + 1 / .2 = 7.5. */
static void tandem(void **state)
{
    (void)state;
    double residence[REPLICATIONS];
    for (uint64_t i = 0; i < REPLICATIONS; i++) {
        struct tandem t = {.arrivals = per_replication(5e6)};
        struct sim *sim = sim_create();
        sim_random_init(&t.stream, TEST_SEED, i, "tandem");
        sim_queue_init(&t.queue[0], sim, "first", 1, SIM_QUEUE_FIFO);
        sim_queue_init(&t.queue[1], sim, "second", 1, SIM_QUEUE_FIFO);
        sim_tally_init(&t.residence, false);
        sim_process_init(&t.source, "source", tandem_source);
        sim_process_start_after(sim, &t.source, 0);
        assert_int_equal(sim_run_until(sim, SIM_NEVER_NS), SIM_END_EMPTY);
        residence[i] = t.residence.mean;
        assert_int_equal(sim_queue_account(&t.queue[1]).departures, t.arrivals);
        sim_queue_check(&t.queue[0]);
        sim_queue_check(&t.queue[1]);
        sim_destroy(sim);
    }
    assert_reference("tandem residence", residence, REPLICATIONS, 7.5, .01);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(both_forms_agree),
        cmocka_unit_test(stationary),
        cmocka_unit_test(customers_as_processes),
        cmocka_unit_test(busy_period),
        cmocka_unit_test(tandem),
    };
    return RUN_TESTS(tests);
}
