/* Processor sharing on the link: an M/G/1-PS station's mean residence depends on the service law by its mean
 * alone, and is x / (1 - rho) for a customer of size x; and deterministic histories computed by hand. */
#include "tests/support/law.h"
#include "tests/support/replications.h"
#include "vdisim/link.h"
#include "vdisim/sim.h"
#include "vdisim/tally.h"

#define SIZE_CLASSES 3

struct server {
    struct sim_link link;
    struct sim_process source;
    struct sim_random arrivals, sizes;
    const struct law *size;
    struct job *free;
    struct sim_tally residence, by_class[SIZE_CLASSES];
    uint64_t jobs, warm_up;
    double offered;
    double interarrival_sum_s;
};

struct job {
    struct sim_link_flow flow;
    struct server *server;
    struct job *next;
    int64_t arrived_ns;
    bool counted;
};

static void job_is_done(struct sim_link_flow *flow)
{
    struct job *job = SIM_CONTAINER_OF(flow, struct job, flow);
    struct server *server = job->server;
    const double residence_s = sim_s_from_ns(sim_now_ns(server->link.sim) - job->arrived_ns);
    if (job->counted) {
        sim_tally_add(&server->residence, residence_s);
        for (int i = 0; i < SIZE_CLASSES && server->size->kind == LAW_CHOICE; i++)
            if (flow->bytes == server->size->branch[i])
                sim_tally_add(&server->by_class[i], residence_s);
    }
    job->next = server->free;
    server->free = job;
}

static void source_lives(struct sim_process *self)
{
    struct server *server = SIM_CONTAINER_OF(self, struct server, source);
    for (uint64_t i = 0; i < server->warm_up + server->jobs; i++) {
        const double interarrival_s = 1.25 * sim_random_exponential(&server->arrivals);
        server->interarrival_sum_s += interarrival_s;
        sim_hold(self, sim_ns_round(1e9 * interarrival_s));
        struct job *job = server->free;
        if (job != NULL)
            server->free = job->next;
        else
            job = malloc(sizeof *job);
        assert_non_null(job);
        job->server = server;
        job->counted = i >= server->warm_up;
        job->arrived_ns = sim_now_ns(self->sim);
        sim_link_flow_init(&job->flow, job_is_done);
        const double size = law_draw_s(server->size, &server->sizes);
        server->offered += size;
        sim_link_start(&server->link, &job->flow, size);
    }
}

/* The control is the relative mean size less the relative mean interarrival time. */
static void replicate(const struct law *size, double jobs, double *residence, double *control,
                      double (*by_class)[REPLICATIONS])
{
    for (uint64_t i = 0; i < REPLICATIONS; i++) {
        struct sim *sim = sim_create();
        struct server server = {.size = size, .jobs = per_replication(jobs), .warm_up = 1000};
        sim_link_init(&server.link, sim, 1.0);
        sim_random_init(&server.arrivals, TEST_SEED, i, "arrivals");
        sim_random_init(&server.sizes, TEST_SEED, i, "sizes");
        sim_tally_init(&server.residence, false);
        for (int k = 0; k < SIZE_CLASSES; k++)
            sim_tally_init(&server.by_class[k], false);
        sim_process_init(&server.source, "source", source_lives);
        sim_process_start_after(sim, &server.source, 0);
        assert_int_equal(sim_run_until(sim, SIM_NEVER_NS), SIM_END_EMPTY);
        const double all = (double)(server.jobs + server.warm_up);
        residence[i] = server.residence.mean;
        control[i] = server.offered / all - server.interarrival_sum_s / (1.25 * all);
        for (int k = 0; k < SIZE_CLASSES && by_class != NULL; k++)
            by_class[k][i] = server.by_class[k].mean;
        assert_int_equal(server.link.started, server.jobs + server.warm_up);
        assert_int_equal(server.link.finished, server.link.started);
        assert_int_equal(server.residence.count, server.jobs);
        assert_near_relative(sim_link_carried_bytes(&server.link), server.offered, 1e-9);
        sim_link_check(&server.link);
        for (struct job *job = server.free, *next; job != NULL; job = next) {
            next = job->next;
            free(job);
        }
        sim_destroy(sim);
    }
}

static void insensitive_to_the_law(void **state)
{
    (void)state;
    const struct law laws[] = {law_constant(1.0), law_exponential(1.0), law_hyperexponential(1.0, 4.0)};
    const char *names[] = {"M/D/1-PS", "M/M/1-PS", "M/H2/1-PS, cv2 = 4"};
    for (int i = 0; i < 3; i++) {
        double residence[REPLICATIONS], control[REPLICATIONS];
        replicate(&laws[i], i == 0 ? 3e6 : 6e6, residence, control, NULL);
        assert_reference_controlled(names[i], residence, control, REPLICATIONS, 5.0, i == 2 ? .018 : .01);
    }
}

/* Sizes .1, 1 and 5 in shares that make the mean 1. */
static void proportional_to_size(void **state)
{
    (void)state;
    const struct law law = law_choice(.4, .1, .51, 1.0, 5.0);
    double residence[REPLICATIONS], control[REPLICATIONS], by_class[SIZE_CLASSES][REPLICATIONS];
    replicate(&law, 5e6, residence, control, by_class);
    assert_reference_controlled("all", residence, control, REPLICATIONS, 5.0, .015);
    assert_reference_controlled("size .1", by_class[0], control, REPLICATIONS, .5, .015);
    assert_reference_controlled("size 1", by_class[1], control, REPLICATIONS, 5.0, .015);
    assert_reference_controlled("size 5", by_class[2], control, REPLICATIONS, 25.0, .018);
}

struct planned {
    struct sim_link_flow flow;
    struct sim_event start;
    struct sim_link *link;
    double size;
    double done_s;
};

static void planned_done(struct sim_link_flow *flow)
{
    struct planned *p = SIM_CONTAINER_OF(flow, struct planned, flow);
    p->done_s = sim_s_from_ns(sim_now_ns(p->link->sim));
}

static void planned_starts(struct sim *sim, struct sim_event *event)
{
    (void)sim;
    struct planned *p = SIM_CONTAINER_OF(event, struct planned, start);
    sim_link_start(p->link, &p->flow, p->size);
}

static void check_history(double rate, double cap, size_t count, const double *arrival, const double *size,
                          const double *done_s)
{
    struct sim *sim = sim_create();
    struct sim_link link;
    struct planned p[4];
    sim_link_init(&link, sim, rate);
    for (size_t i = 0; i < count; i++) {
        p[i] = (struct planned){.link = &link, .size = size[i]};
        sim_link_flow_init(&p[i].flow, planned_done);
        p[i].flow.cap_bytes_per_s = cap;
        sim_event_init(&p[i].start, planned_starts, 1);
        sim_schedule_at(sim, &p[i].start, sim_ns_from_s(arrival[i]));
    }
    sim_run_until(sim, SIM_NEVER_NS);
    for (size_t i = 0; i < count; i++)
        assert_near_relative(p[i].done_s, done_s[i], 1e-9);
    sim_link_check(&link);
    sim_destroy(sim);
}

static void deterministic(void **state)
{
    (void)state;
    check_history(1.0, INFINITY, 3, (double[]){0, 0, 0}, (double[]){1, 2, 3}, (double[]){3, 5, 6});
    check_history(1.0, INFINITY, 4, (double[]){0, 1, 1.5, 4}, (double[]){3, 1, 2, .5},
                  (double[]){6.25, 3.75, 6.5, 5.5});
}

/* Rate 10, each flow at most 4. */
static void deterministic_with_caps(void **state)
{
    (void)state;
    check_history(10.0, 4.0, 1, (double[]){0}, (double[]){10}, (double[]){2.5});
    check_history(10.0, 4.0, 4, (double[]){0, 1, 2, 3}, (double[]){10, 20, 5, 40},
                  (double[]){2.6, 6.17, 3.42, 13.07});
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(deterministic),
        cmocka_unit_test(deterministic_with_caps),
        cmocka_unit_test(insensitive_to_the_law),
        cmocka_unit_test(proportional_to_size),
    };
    return RUN_TESTS(tests);
}
