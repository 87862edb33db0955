/* M/M/1 from empty, mu = 1: the mean number in the system and the probability of an empty one at given times.
 * Many short lives of independent stations side by side on one calendar make one replication. */
#include "tests/support/replications.h"
#include "vdisim/queue.h"
#include "vdisim/random.h"
#include "vdisim/sim.h"

enum { SIDE_BY_SIDE = 100, MOST_TIMES = 5 };

struct customer {
    struct sim_queue_waiter waiter;
    struct sim_event departure;
    struct station *station;
    struct customer *next_free;
};

struct station {
    struct sim_queue queue;
    struct sim_event arrival;
    struct sim_random *stream;
    struct customer *free;
    double lambda;
};

static void customer_departs(struct sim *sim, struct sim_event *event)
{
    (void)sim;
    struct customer *c = SIM_CONTAINER_OF(event, struct customer, departure);
    sim_queue_release_by(&c->station->queue, &c->waiter);
    c->next_free = c->station->free;
    c->station->free = c;
}

static void customer_is_served(struct sim_queue_waiter *waiter)
{
    struct customer *c = SIM_CONTAINER_OF(waiter, struct customer, waiter);
    sim_schedule_after(c->station->queue.sim, &c->departure,
                       sim_ns_round(1e9 * sim_random_exponential(c->station->stream)));
}

static void schedule_arrival(struct sim *sim, struct station *s)
{
    sim_schedule_after(sim, &s->arrival, sim_ns_round(1e9 / s->lambda * sim_random_exponential(s->stream)));
}

static void customer_arrives(struct sim *sim, struct sim_event *event)
{
    struct station *s = SIM_CONTAINER_OF(event, struct station, arrival);
    struct customer *c = s->free;
    if (c != NULL) {
        s->free = c->next_free;
    } else {
        c = malloc(sizeof *c);
        assert_non_null(c);
        sim_queue_waiter_init(&c->waiter, customer_is_served);
        sim_event_init(&c->departure, customer_departs, 1);
        c->station = s;
    }
    if (sim_queue_request(&s->queue, &c->waiter, 0) == SIM_QUEUE_GRANTED)
        customer_is_served(&c->waiter);
    schedule_arrival(sim, s);
}

static void station_begins(struct sim *sim, struct station *s, struct sim_random *stream, double lambda)
{
    *s = (struct station){.stream = stream, .lambda = lambda};
    sim_queue_init(&s->queue, sim, "station", 1, SIM_QUEUE_FIFO);
    sim_event_init(&s->arrival, customer_arrives, 2);
    schedule_arrival(sim, s);
}

/* Checks the conservation laws of a station that has run empty, and frees its customers. */
static void station_ends(struct station *s)
{
    const struct sim_queue_account a = sim_queue_account(&s->queue);
    assert_int_equal(a.arrivals, a.departures);
    assert_near(a.waiting_area_s, a.wait_sum_s, 1e-9 * a.wait_sum_s);
    sim_queue_check(&s->queue);
    for (struct customer *c = s->free, *next; c != NULL; c = next) {
        next = c->next_free;
        free(c);
    }
}

/* Adds up, at each of the times, the number in the stations and how many are empty. */
static void replicate(uint64_t replication, double lambda, const double *times, int time_count,
                      double *number, double *empty)
{
    struct sim *sim = sim_create();
    struct station *stations = calloc(SIDE_BY_SIDE, sizeof *stations);
    struct sim_random stream;
    sim_random_init(&stream, TEST_SEED, replication, "transient");
    for (int i = 0; i < SIDE_BY_SIDE; i++)
        station_begins(sim, &stations[i], &stream, lambda);
    for (int k = 0; k < time_count; k++) {
        sim_run_until(sim, sim_ns_from_s(times[k]));
        number[k] = empty[k] = 0.0;
        for (int i = 0; i < SIDE_BY_SIDE; i++) {
            const struct sim_queue *queue = &stations[i].queue;
            number[k] += (double)(queue->busy + sim_queue_waiting(queue)) / SIDE_BY_SIDE;
            empty[k] += (double)(queue->busy == 0) / SIDE_BY_SIDE;
        }
    }
    for (int i = 0; i < SIDE_BY_SIDE; i++)
        sim_cancel(sim, &stations[i].arrival);
    assert_int_equal(sim_run_until(sim, SIM_NEVER_NS), SIM_END_EMPTY);
    for (int i = 0; i < SIDE_BY_SIDE; i++)
        station_ends(&stations[i]);
    free(stations);
    sim_destroy(sim);
}

struct row {
    double lambda;
    double lives; /* how many */
    int time_count;
    double times[MOST_TIMES];
    double number[MOST_TIMES];
    double empty[MOST_TIMES];
};

static const struct row rows[] = {
    {.5, 3.8e5, 3, {1, 5, 10}, {.33474467, .75108328, .89594247}, {.72625508, .54916612, .51645203}},
    {.5, 3e5, 1, {50}, {.99924185}, {.50008205}},
    {.8,
     2e5,
     4,
     {1, 5, 10, 25},
     {.55155186, 1.46946083, 2.03028156, 2.84601216},
     {.59739875, .34896794, .28642259, .23512697}},
    {.8, 1.5e5, 1, {100}, {3.79187269}, {.20397644}},
    {1, 1.3e5, 1, {10}, {3.09062084}, {.17728653}},
    {1, 8e4, 1, {100}, {10.79084625}, {.05638366}},
};

static void from_empty(void **state)
{
    (void)state;
    enum { MOST = 5000 };
    static double number[MOST_TIMES][MOST], empty[MOST_TIMES][MOST];
    for (size_t r = 0; r < sizeof rows / sizeof *rows; r++) {
        const struct row *row = &rows[r];
        const size_t count = (size_t)fmax(20.0, row->lives * test_scale() / SIDE_BY_SIDE);
        assert_true(count <= MOST);
        for (size_t i = 0; i < count; i++) {
            double n[MOST_TIMES], e[MOST_TIMES];
            replicate(i, row->lambda, row->times, row->time_count, n, e);
            for (int k = 0; k < row->time_count; k++) {
                number[k][i] = n[k];
                empty[k][i] = e[k];
            }
        }
        for (int k = 0; k < row->time_count; k++) {
            print_message("lambda %g, t %g\n", row->lambda, row->times[k]);
            assert_reference("E[N(t)]", number[k], count, row->number[k], .012);
            assert_reference("P0(t)", empty[k], count, row->empty[k], row->empty[k] > .1 ? .025 : .06);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(from_empty)};
    return RUN_TESTS(tests);
}
