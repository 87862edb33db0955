/* Priority queues M/M/1: non-preemptive (Cobham) and preemptive-resume; and the conservation law of work. */
#include "tests/support/law.h"
#include "tests/support/replications.h"
#include "vdisim/queue.h"
#include "vdisim/sim.h"
#include "vdisim/tally.h"

enum { MOST_CLASSES = 3 };

struct class {
    struct sim_event source;
    struct sim_random arrivals, services;
    struct server *server;
    double rate;
    int64_t priority;
    struct sim_tally wait; /* before the first service */
    struct sim_tally residence;
    double service_sum_s;
};

struct server {
    struct sim_queue queue;
    struct class classes[MOST_CLASSES];
    int class_count;
    bool preemptive;
    uint64_t arrived, customers, warm_up, departed;
    double busy_s, residence_s;
    struct job *free;
};

struct job {
    struct sim_queue_waiter waiter;
    struct sim_event departure;
    struct class *class;
    struct job *next;
    int64_t arrived_ns, service_ns, remaining_ns;
    bool counted, begun;
};

static void job_begins(struct sim_queue_waiter *waiter)
{
    struct job *job = SIM_CONTAINER_OF(waiter, struct job, waiter);
    struct sim *sim = job->class->server->queue.sim;
    if (!job->begun && job->counted)
        sim_tally_add(&job->class->wait, sim_s_from_ns(sim_now_ns(sim) - job->arrived_ns));
    job->begun = true;
    sim_schedule_after(sim, &job->departure, job->remaining_ns);
}

static void job_is_preempted(struct sim_queue_waiter *waiter)
{
    struct job *job = SIM_CONTAINER_OF(waiter, struct job, waiter);
    struct server *server = job->class->server;
    struct sim *sim = server->queue.sim;
    job->remaining_ns = sim_event_time_ns(sim, &job->departure) - sim_now_ns(sim);
    sim_cancel(sim, &job->departure);
    assert_int_equal(sim_queue_request(&server->queue, waiter, job->class->priority), SIM_QUEUE_WAITING);
}

static void job_departs(struct sim *sim, struct sim_event *event)
{
    struct job *job = SIM_CONTAINER_OF(event, struct job, departure);
    struct server *server = job->class->server;
    const double residence_s = sim_s_from_ns(sim_now_ns(sim) - job->arrived_ns);
    if (job->counted) {
        sim_tally_add(&job->class->residence, residence_s);
        job->class->service_sum_s += sim_s_from_ns(job->service_ns);
    }
    server->departed++;
    server->busy_s += sim_s_from_ns(job->service_ns);
    server->residence_s += residence_s;
    sim_queue_release_by(&server->queue, &job->waiter);
    job->next = server->free;
    server->free = job;
}

static void job_arrives(struct sim *sim, struct sim_event *event)
{
    struct class *class = SIM_CONTAINER_OF(event, struct class, source);
    struct server *server = class->server;
    if (server->arrived++ >= server->warm_up + server->customers) {
        server->arrived--;
        return;
    }
    struct job *job = server->free;
    if (job != NULL)
        server->free = job->next;
    else
        job = malloc(sizeof *job);
    assert_non_null(job);
    *job = (struct job){
        .class = class, .arrived_ns = sim_now_ns(sim), .counted = server->arrived > server->warm_up};
    job->service_ns = job->remaining_ns = sim_ns_round(1e9 * sim_random_exponential(&class->services));
    sim_queue_waiter_init(&job->waiter, job_begins);
    if (server->preemptive)
        job->waiter.preempted = job_is_preempted;
    sim_event_init(&job->departure, job_departs, 1);
    if (sim_queue_request(&server->queue, &job->waiter, class->priority) == SIM_QUEUE_GRANTED)
        job_begins(&job->waiter);
    sim_schedule_after(sim, event,
                       sim_ns_round(1e9 / class->rate * sim_random_exponential(&class->arrivals)));
}

static void check_conservation(const struct server *server)
{
    const struct sim_queue_account a = sim_queue_account(&server->queue);
    assert_int_equal(server->departed, server->warm_up + server->customers);
    assert_int_equal(a.departures, server->departed);
    assert_int_equal(a.arrivals, a.departures + a.preempted);
    assert_int_equal(a.busy + a.waiting, 0);
    assert_near(a.waiting_area_s, a.wait_sum_s, 1e-9 * a.wait_sum_s);
    assert_near_relative(a.busy_area_s, server->busy_s, 1e-9);
    assert_near_relative(a.busy_area_s + a.waiting_area_s, server->residence_s, 1e-9);
    assert_true(server->busy_s <= a.elapsed_s);
    sim_queue_check(&server->queue);
}

/* Class i arrives at rates[i]; priorities falling with i when order is 1, rising when -1, equal when 0. */
static void replicate(uint64_t replication, int count, const double *rates, int order, bool preemptive,
                      double customers, double *wait, double *residence)
{
    struct sim *sim = sim_create();
    struct server *server = calloc(1, sizeof *server);
    server->class_count = count;
    server->preemptive = preemptive;
    server->customers = per_replication(customers);
    server->warm_up = 1000;
    sim_queue_init(&server->queue, sim, "server", 1, preemptive ? SIM_QUEUE_PREEMPTIVE : SIM_QUEUE_PRIORITY);
    for (int i = 0; i < count; i++) {
        struct class *class = &server->classes[i];
        class->server = server;
        class->rate = rates[i];
        class->priority = -i * order;
        sim_random_init_named(&class->arrivals, TEST_SEED, replication, "class %d/arrivals", i);
        sim_random_init_named(&class->services, TEST_SEED, replication, "class %d/services", i);
        sim_tally_init(&class->wait, false);
        sim_tally_init(&class->residence, false);
        sim_event_init(&class->source, job_arrives, 2);
        sim_schedule_after(sim, &class->source,
                           sim_ns_round(1e9 / rates[i] * sim_random_exponential(&class->arrivals)));
    }
    assert_int_equal(sim_run_until(sim, SIM_NEVER_NS), SIM_END_EMPTY);
    check_conservation(server);
    for (int i = 0; i < count; i++) {
        wait[i] = server->classes[i].wait.mean;
        residence[i] = server->classes[i].residence.mean;
    }
    for (struct job *job = server->free, *next; job != NULL; job = next) {
        next = job->next;
        free(job);
    }
    free(server);
    sim_destroy(sim);
}

struct results {
    double wait[MOST_CLASSES][REPLICATIONS];
    double residence[MOST_CLASSES][REPLICATIONS];
};

static void replicate_all(int count, const double *rates, int order, bool preemptive, double customers,
                          struct results *r)
{
    for (uint64_t i = 0; i < REPLICATIONS; i++) {
        double wait[MOST_CLASSES], residence[MOST_CLASSES];
        replicate(i, count, rates, order, preemptive, customers, wait, residence);
        for (int k = 0; k < count; k++) {
            r->wait[k][i] = wait[k];
            r->residence[k][i] = residence[k];
        }
    }
}

static const double two[] = {.3, .4}, three[] = {.2, .3, .3};

static void non_preemptive(void **state)
{
    (void)state;
    struct results r;
    replicate_all(2, two, 1, false, 6e6, &r);
    assert_reference("first of two, Wq", r.wait[0], REPLICATIONS, 1.0, .01);
    assert_reference("first of two, T", r.residence[0], REPLICATIONS, 2.0, .01);
    assert_reference("second of two, Wq", r.wait[1], REPLICATIONS, 3.333333333, .0125);
    assert_reference("second of two, T", r.residence[1], REPLICATIONS, 4.333333333, .01);
    replicate_all(3, three, 1, false, 9e6, &r);
    assert_reference("first of three, Wq", r.wait[0], REPLICATIONS, 1.0, .01);
    assert_reference("second of three, Wq", r.wait[1], REPLICATIONS, 2.0, .01);
    assert_reference("third of three, Wq", r.wait[2], REPLICATIONS, 8.0, .018);
}

static void preemptive_resume(void **state)
{
    (void)state;
    struct results r;
    replicate_all(2, two, 1, true, 5e6, &r);
    assert_reference("first of two, T", r.residence[0], REPLICATIONS, 1.428571429, .01);
    assert_reference("second of two, T", r.residence[1], REPLICATIONS, 4.761904762, .011);
    replicate_all(3, three, 1, true, 9e6, &r);
    assert_reference("first of three, T", r.residence[0], REPLICATIONS, 1.25, .01);
    assert_reference("second of three, T", r.residence[1], REPLICATIONS, 2.5, .01);
    assert_reference("third of three, T", r.residence[2], REPLICATIONS, 10.0, .016);
}

/* sum of rho_i Wq_i is the same in every non-preemptive order, .7 * 2.3333: of the three orders the sums
 * themselves, and, as they see the same arrivals, far more closely their differences. */
static void conservation_law(void **state)
{
    (void)state;
    const double law = .7 * .7 / .3;
    double sum[3][REPLICATIONS];
    for (int order = -1; order <= 1; order++) {
        struct results r;
        replicate_all(2, two, order, false, 2e6, &r);
        for (int i = 0; i < REPLICATIONS; i++)
            sum[order + 1][i] = two[0] * r.wait[0][i] + two[1] * r.wait[1][i];
        assert_reference("sum of rho Wq", sum[order + 1], REPLICATIONS, law, .025);
    }
    for (int other = 0; other <= 2; other += 2) {
        const struct sim_interval difference =
            sim_interval_paired_difference(sum[other], sum[1], REPLICATIONS, test_confidence());
        print_message("    difference of two orders           0 in [%g, %g]\n", difference.low,
                      difference.high);
        assert_true(difference.low <= 0.0 && difference.high >= 0.0);
        assert_true(difference.high - difference.low <= .01 * law / sqrt(test_scale()));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(non_preemptive),
        cmocka_unit_test(preemptive_resume),
        cmocka_unit_test(conservation_law),
    };
    return RUN_TESTS(tests);
}
