/* Closed networks of processes: the terminal system M/M/c//N, and product-form networks held against exact
 * mean value analysis. */
#include "tests/support/replications.h"
#include "vdisim/process.h"
#include "vdisim/queue.h"
#include "vdisim/random.h"
#include "vdisim/sim.h"
#include "vdisim/tally.h"

enum { MOST_STATIONS = 3 };

struct network {
    struct sim_queue stations[MOST_STATIONS];
    double demand[MOST_STATIONS];
    int station_count;
    double think;
    struct sim_random stream;
    struct sim_tally response;
    uint64_t cycles;
    double response_sum_s;
};

struct user {
    struct sim_process process;
    struct network *network;
    int64_t sent_ns;
    int at; /* the station it is at, -1: thinks */
};

static int64_t draw_ns(struct network *n, double mean)
{
    return sim_ns_round(1e9 * mean * sim_random_exponential(&n->stream));
}

static void user_lives(struct sim_process *self)
{
    struct user *user = SIM_CONTAINER_OF(self, struct user, process);
    struct network *n = user->network;
    for (;;) {
        user->at = -1;
        if (n->think > 0.0)
            sim_hold(self, draw_ns(n, n->think));
        user->sent_ns = sim_now_ns(self->sim);
        for (user->at = 0; user->at < n->station_count; user->at++) {
            sim_queue_seize(self, &n->stations[user->at], 0, SIM_NEVER_NS);
            sim_hold(self, draw_ns(n, n->demand[user->at]));
            sim_queue_release(&n->stations[user->at]);
        }
        const double response_s = sim_s_from_ns(sim_now_ns(self->sim) - user->sent_ns);
        sim_tally_add(&n->response, response_s);
        n->response_sum_s += response_s;
        n->cycles++;
    }
}

struct measures {
    double throughput[REPLICATIONS], response[REPLICATIONS], queue[MOST_STATIONS][REPLICATIONS];
};

/* Everybody is somewhere, stations and responses account for the same time, nobody waits at a free server. */
static void check_conservation(const struct network *n, const struct user *users, size_t count,
                               int64_t end_ns)
{
    double residence_s = n->response_sum_s, areas_s = 0.0;
    size_t inside = 0, at_stations = 0;
    for (size_t i = 0; i < count; i++)
        if (users[i].at >= 0 && users[i].at < n->station_count) {
            residence_s += sim_s_from_ns(end_ns - users[i].sent_ns);
            inside++;
        }
    for (int k = 0; k < n->station_count; k++) {
        const struct sim_queue_account a = sim_queue_account(&n->stations[k]);
        assert_int_equal(a.arrivals, a.departures + a.waiting + a.busy);
        assert_true(a.waiting == 0 || a.busy == a.capacity);
        assert_true(a.busy_area_s <= (double)a.capacity * a.elapsed_s);
        areas_s += a.busy_area_s + a.waiting_area_s;
        at_stations += a.busy + a.waiting;
    }
    assert_int_equal(inside, at_stations);
    assert_near_relative(areas_s, residence_s, 1e-9);
}

static void replicate(size_t count, double think, size_t servers, int stations, const double *demand,
                      double cycles, struct measures *m)
{
    double total = think;
    for (int k = 0; k < stations; k++)
        total += demand[k];
    for (uint64_t i = 0; i < REPLICATIONS; i++) {
        struct network n = {.station_count = stations, .think = think};
        struct user *users = calloc(count, sizeof *users);
        struct sim *sim = sim_create();
        sim_random_init(&n.stream, TEST_SEED, i, "network");
        sim_tally_init(&n.response, false);
        for (int k = 0; k < stations; k++) {
            n.demand[k] = demand[k];
            sim_queue_init(&n.stations[k], sim, "station", servers, SIM_QUEUE_FIFO);
        }
        for (size_t u = 0; u < count; u++) {
            users[u].network = &n;
            users[u].at = -1;
            sim_process_init(&users[u].process, "user", user_lives);
            sim_process_start_after(sim, &users[u].process, 0);
        }
        const int64_t warm_up_ns = sim_ns_from_s(15.0 * total);
        sim_run_until(sim, warm_up_ns);
        struct sim_queue_account before[MOST_STATIONS];
        for (int k = 0; k < stations; k++)
            before[k] = sim_queue_account(&n.stations[k]);
        const uint64_t cycles_before = n.cycles;
        sim_tally_clear(&n.response);
        const double cycles_wanted = (double)per_replication(cycles);
        int64_t end_ns = warm_up_ns;
        while ((double)n.response.count < cycles_wanted)
            sim_run_until(sim, end_ns += sim_ns_from_s(10.0 * total));
        const double elapsed_s = sim_s_from_ns(end_ns - warm_up_ns);
        m->throughput[i] = (double)(n.cycles - cycles_before) / elapsed_s;
        m->response[i] = n.response.mean;
        for (int k = 0; k < stations; k++) {
            const struct sim_queue_account a = sim_queue_account(&n.stations[k]);
            m->queue[k][i] =
                (a.busy_area_s + a.waiting_area_s - before[k].busy_area_s - before[k].waiting_area_s) /
                elapsed_s;
        }
        check_conservation(&n, users, count, end_ns);
        sim_destroy(sim);
        free(users);
    }
}

static void terminal_system(void **state)
{
    (void)state;
    const struct {
        size_t users;
        double think, service;
        size_t servers;
        double throughput, response, cycles;
    } rows[] = {
        {5, 10, 1, 1, .4360478231, 1.466632178, 4e5},        {10, 10, 1, 1, .7854176569, 2.732079439, 8e5},
        {20, 10, 1, 1, .9981309501, 10.03745099, 8e5},       {50, 10, 1, 1, 1, 40, 5e5},
        {1000, 30, .02, 1, 33.26744663, .0594154745, 1.6e6}, {1000, 30, .04, 1, 25, 10, 7e5},
        {4, 3, 2, 2, .7319148936, 2.465116279, 4e5}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        static struct measures m;
        print_message("N %zu, Z %g, S %g, c %zu\n", rows[i].users, rows[i].think, rows[i].service,
                      rows[i].servers);
        replicate(rows[i].users, rows[i].think, rows[i].servers, 1, &rows[i].service, rows[i].cycles, &m);
        assert_reference("X", m.throughput, REPLICATIONS, rows[i].throughput, .01);
        assert_reference("R", m.response, REPLICATIONS, rows[i].response, rows[i].users < 1000 ? .01 : .02);
    }
}

/* Lazowska et al., Quantitative System Performance, ch. 6; demands .605, 2.1, 1.35, think time 15. */
static void central_server(void **state)
{
    (void)state;
    const double demand[] = {.605, 2.1, 1.35};
    const struct {
        size_t users;
        double throughput, response, queue[3];
    } rows[] = {{1, .05247966413, 4.055, {.031750, .110207, .070848}},
                {2, .1030859375, 4.401288376, {.064347, .240338, .149026}},
                {3, .1515164923, 4.799824782, {.097566, .394657, .235030}},
                {5, .2404655362, 5.793000437, {0}},
                {10, .4002046229, 9.98721761, {0}},
                {20, .474516328, 27.14818083, {0}}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        static struct measures m;
        print_message("central server, N %zu\n", rows[i].users);
        replicate(rows[i].users, 15.0, 1, 3, demand, 4e5, &m);
        assert_reference("X", m.throughput, REPLICATIONS, rows[i].throughput, .01);
        assert_reference("R", m.response, REPLICATIONS, rows[i].response, .011);
        for (int k = 0; k < 3 && rows[i].queue[0] > 0.0; k++)
            assert_reference("Q", m.queue[k], REPLICATIONS, rows[i].queue[k], .015);
    }
}

static void batch_networks(void **state)
{
    (void)state;
    const double demand[] = {.126, .144, .081}, balanced[] = {1, 1, 1};
    const struct {
        size_t users;
        double throughput, response;
    } rows[] = {{2, 4.219409283, .474}, {10, 6.5580696, 1.524838956}, {20, 6.864960682, 2.913345163}};
    static struct measures m;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        print_message("batch, N %zu\n", rows[i].users);
        replicate(rows[i].users, 0.0, 1, 3, demand, 4e5, &m);
        assert_reference("X", m.throughput, REPLICATIONS, rows[i].throughput, .01);
        assert_reference("R", m.response, REPLICATIONS, rows[i].response, .01);
    }
    for (size_t users = 1; users <= 8; users *= 2) {
        print_message("balanced, N %zu\n", users);
        replicate(users, 0.0, 1, 3, balanced, 4e5, &m);
        assert_reference("X", m.throughput, REPLICATIONS, (double)users / (double)(users + 2), .01);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(terminal_system),
        cmocka_unit_test(central_server),
        cmocka_unit_test(batch_networks),
    };
    return RUN_TESTS(tests);
}
