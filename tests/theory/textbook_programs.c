/* Programs of the simulation textbooks with published outputs, on this kernel with the books' own generator:
 * Law and Kelton's M/M/1 queue, time-shared computer and inventory system; and PHOLD. */
#include "tests/support/replications.h"
#include "vdisim/level.h"
#include "vdisim/process.h"
#include "vdisim/queue.h"
#include "vdisim/random.h"
#include "vdisim/sim.h"
#include "vdisim/tally.h"

#include <gsl/gsl_cdf.h>

#define STREAM_1 1973272912
#define STREAM_2 281629770

/* z <- 630360016 z mod (2^31 - 1), in the book's 24-bit resolution. */
static double lcg_uniform(int64_t *z)
{
    *z = *z * 630360016 % 2147483647;
    return (double)(*z >> 7 | 1) / 16777216.0;
}

static double lcg_exponential(int64_t *z, double mean)
{
    return -mean * log(lcg_uniform(z));
}

static int64_t minutes(double value)
{
    return sim_ns_round(value * 1e9); /* a unit of the book is a second of ours */
}

struct bank {
    struct sim_queue queue;
    struct sim_event arrival;
    struct bank_customer {
        struct sim_queue_waiter waiter;
        struct sim_event departure;
        struct bank *bank;
        int64_t arrived_ns;
    } customers[2000];
    int64_t z;
    int arrived, delayed;
    double delay_sum;
    struct sim_level waiting, busy;
};

static void bank_served(struct sim_queue_waiter *waiter)
{
    struct bank_customer *c = SIM_CONTAINER_OF(waiter, struct bank_customer, waiter);
    struct bank *bank = c->bank;
    struct sim *sim = bank->queue.sim;
    const int64_t now_ns = sim_now_ns(sim);
    bank->delay_sum += sim_s_from_ns(now_ns - c->arrived_ns);
    bank->delayed++;
    sim_schedule_after(sim, &c->departure, minutes(lcg_exponential(&bank->z, .5)));
    if (bank->delayed == 1000)
        sim_stop(sim);
}

static void bank_departs(struct sim *sim, struct sim_event *event)
{
    struct bank_customer *c = SIM_CONTAINER_OF(event, struct bank_customer, departure);
    struct bank *bank = c->bank;
    const int64_t now_ns = sim_now_ns(sim);
    const size_t waiting = sim_queue_waiting(&bank->queue);
    sim_level_set(&bank->waiting, now_ns, waiting > 0 ? (double)(waiting - 1) : 0.0);
    sim_queue_release_by(&bank->queue, &c->waiter);
    sim_level_set(&bank->busy, now_ns, (double)bank->queue.busy);
}

static void bank_arrival(struct sim *sim, struct sim_event *event)
{
    struct bank *bank = SIM_CONTAINER_OF(event, struct bank, arrival);
    const int64_t now_ns = sim_now_ns(sim);
    sim_schedule_after(sim, event, minutes(lcg_exponential(&bank->z, 1.0)));
    struct bank_customer *c = &bank->customers[bank->arrived++];
    c->bank = bank;
    c->arrived_ns = now_ns;
    sim_queue_waiter_init(&c->waiter, bank_served);
    sim_event_init(&c->departure, bank_departs, 1);
    if (sim_queue_request(&bank->queue, &c->waiter, 0) == SIM_QUEUE_GRANTED)
        bank_served(&c->waiter);
    sim_level_set(&bank->waiting, now_ns, (double)sim_queue_waiting(&bank->queue));
    sim_level_set(&bank->busy, now_ns, (double)bank->queue.busy);
}

/* Published .430 .418 .460 1027.915; in double precision .429991 .418313 .460046 1027.915049. */
static void single_server_queue(void **state)
{
    (void)state;
    struct bank *bank = calloc(1, sizeof *bank);
    struct sim *sim = sim_create();
    bank->z = STREAM_1;
    sim_queue_init(&bank->queue, sim, "server", 1, SIM_QUEUE_FIFO);
    sim_level_init(&bank->waiting, 0, 0.0);
    sim_level_init(&bank->busy, 0, 0.0);
    sim_event_init(&bank->arrival, bank_arrival, 2);
    sim_schedule_at(sim, &bank->arrival, minutes(lcg_exponential(&bank->z, 1.0)));
    assert_int_equal(sim_run_until(sim, SIM_NEVER_NS), SIM_END_STOPPED);
    const int64_t end_ns = sim_now_ns(sim);
    assert_near(bank->delay_sum / 1000.0, .429991, 1e-6);
    assert_near(sim_level_mean(&bank->waiting, end_ns), .418313, 1e-6);
    assert_near(sim_level_mean(&bank->busy, end_ns), .460046, 1e-6);
    assert_near(sim_s_from_ns(end_ns), 1027.915049, 1e-6);
    sim_destroy(sim);
    free(bank);
}

struct computer {
    struct sim_queue cpu;
    int64_t *think, *service;
    struct sim_tally response;
    struct sim_level waiting;
};

struct terminal {
    struct sim_process process;
    struct computer *computer;
};

static void count_waiting(struct computer *c)
{
    sim_level_set(&c->waiting, sim_now_ns(c->cpu.sim), (double)sim_queue_waiting(&c->cpu));
}

/* Round robin: quantum .1, swap time .015. */
static void terminal_lives(struct sim_process *self)
{
    struct terminal *t = SIM_CONTAINER_OF(self, struct terminal, process);
    struct computer *c = t->computer;
    int64_t think_ns = minutes(lcg_exponential(c->think, 25.0));
    for (;;) {
        sim_hold(self, think_ns);
        const int64_t sent_ns = sim_now_ns(self->sim);
        double remaining = lcg_exponential(c->service, .8);
        while (remaining > 0.0) {
            const bool waits = c->cpu.busy > 0;
            if (waits) /* counted from here: the seize returns when the wait is over */
                sim_level_add(&c->waiting, sim_now_ns(self->sim), 1.0);
            sim_queue_seize(self, &c->cpu, 0, SIM_NEVER_NS);
            count_waiting(c);
            sim_hold(self, minutes(fmin(remaining, .1) + .015));
            remaining -= .1;
            sim_queue_release(&c->cpu);
        }
        sim_tally_add(&c->response, sim_s_from_ns(sim_now_ns(self->sim) - sent_ns));
        think_ns = minutes(lcg_exponential(c->think, 25.0));
        if (c->response.count == 1000)
            sim_stop(self->sim);
    }
}

/* Published tscomp output: mean response, mean queue length, utilisation; the streams run on from one row to
 * the next. */
static void time_shared_computer(void **state)
{
    (void)state;
    const struct {
        size_t terminals;
        double response, queue, utilisation;
    } rows[] = {{10, 1.324, .156, .358},    {20, 2.182, .941, .658},    {30, 5.497, 4.447, .914},
                {40, 12.699, 12.905, .998}, {50, 24.597, 23.873, .998}, {60, 31.714, 32.958, 1.000},
                {70, 42.315, 42.667, .999}, {80, 47.552, 51.160, 1.000}};
    int64_t think = STREAM_1, service = STREAM_2;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct computer c = {.think = &think, .service = &service};
        struct terminal t[80];
        struct sim *sim = sim_create();
        sim_queue_init(&c.cpu, sim, "cpu", 1, SIM_QUEUE_FIFO);
        sim_tally_init(&c.response, false);
        sim_level_init(&c.waiting, 0, 0.0);
        for (size_t k = 0; k < rows[i].terminals; k++) {
            t[k].computer = &c;
            sim_process_init(&t[k].process, "terminal", terminal_lives);
            sim_process_start_after(sim, &t[k].process, 0);
        }
        assert_int_equal(sim_run_until(sim, SIM_NEVER_NS), SIM_END_STOPPED);
        const struct sim_queue_account account = sim_queue_account(&c.cpu);
        assert_near(c.response.mean, rows[i].response, .00051);
        assert_near(sim_level_mean(&c.waiting, sim_now_ns(sim)), rows[i].queue, .00051);
        assert_near(account.waiting_area_s / account.elapsed_s, rows[i].queue, .00051);
        assert_near(account.busy_area_s / account.elapsed_s, rows[i].utilisation, .00051);
        sim_queue_check(&c.cpu);
        sim_destroy(sim);
    }
}

struct inventory {
    struct sim_event order_arrives, demand, evaluation, end;
    int64_t *z;
    int level, small, big, ordered;
    double order_cost;
    struct sim_level held, short_of;
};

static void count_inventory(struct inventory *v, int64_t now_ns)
{
    sim_level_set(&v->held, now_ns, v->level > 0 ? v->level : 0);
    sim_level_set(&v->short_of, now_ns, v->level < 0 ? -v->level : 0);
}

static void inventory_order_arrives(struct sim *sim, struct sim_event *event)
{
    struct inventory *v = SIM_CONTAINER_OF(event, struct inventory, order_arrives);
    v->level += v->ordered;
    count_inventory(v, sim_now_ns(sim));
}

static void inventory_demand(struct sim *sim, struct sim_event *event)
{
    struct inventory *v = SIM_CONTAINER_OF(event, struct inventory, demand);
    const double at_most[] = {.167, .5, .833, 1.0};
    const double u = lcg_uniform(v->z);
    int size = 0;
    while (u >= at_most[size])
        size++;
    v->level -= size + 1;
    count_inventory(v, sim_now_ns(sim));
    sim_schedule_after(sim, event, minutes(lcg_exponential(v->z, .1)));
}

static void inventory_evaluation(struct sim *sim, struct sim_event *event)
{
    struct inventory *v = SIM_CONTAINER_OF(event, struct inventory, evaluation);
    if (v->level < v->small) {
        v->ordered = v->big - v->level;
        v->order_cost += 32.0 + 3.0 * v->ordered;
        sim_schedule_after(sim, &v->order_arrives, minutes(.5 + lcg_uniform(v->z) * .5));
    }
    sim_schedule_after(sim, event, minutes(1.0));
}

static void inventory_end(struct sim *sim, struct sim_event *event)
{
    (void)event;
    sim_stop(sim);
}

/* Nine (s, S) policies over 120 months: total, order, holding, shortage cost a month; one stream through all. */
static void inventory_system(void **state)
{
    (void)state;
    const struct {
        int small, big;
        double total, order, holding, shortage;
    } rows[] = {{20, 40, 126.61, 99.26, 9.25, 18.10},  {20, 60, 122.74, 90.52, 17.39, 14.83},
                {20, 80, 123.86, 87.36, 26.24, 10.26}, {20, 100, 125.32, 81.37, 36.00, 7.95},
                {40, 60, 126.37, 98.42, 25.99, 1.95},  {40, 80, 125.46, 88.40, 35.92, 1.14},
                {40, 100, 132.34, 84.62, 46.42, 1.30}, {60, 80, 150.02, 105.69, 44.02, .31},
                {60, 100, 143.20, 89.05, 53.91, .24}};
    int64_t z = STREAM_1;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct inventory v = {.z = &z, .level = 60, .small = rows[i].small, .big = rows[i].big};
        struct sim *sim = sim_create();
        sim_level_init(&v.held, 0, 60.0);
        sim_level_init(&v.short_of, 0, 0.0);
        sim_event_init(&v.order_arrives, inventory_order_arrives, 1);
        sim_event_init(&v.demand, inventory_demand, 2);
        sim_event_init(&v.end, inventory_end, 3);
        sim_event_init(&v.evaluation, inventory_evaluation, 4);
        sim_schedule_at(sim, &v.demand, minutes(lcg_exponential(&z, .1)));
        sim_schedule_at(sim, &v.end, minutes(120.0));
        sim_schedule_at(sim, &v.evaluation, 0);
        assert_int_equal(sim_run_until(sim, SIM_NEVER_NS), SIM_END_STOPPED);
        const int64_t end_ns = sim_now_ns(sim);
        const double order = v.order_cost / 120.0, holding = sim_level_mean(&v.held, end_ns);
        const double shortage = 5.0 * sim_level_mean(&v.short_of, end_ns);
        assert_near(order, rows[i].order, .0051);
        assert_near(holding, rows[i].holding, .0051);
        assert_near(shortage, rows[i].shortage, .0051);
        assert_near(order + holding + shortage, rows[i].total, .0051);
        sim_destroy(sim);
    }
}

enum { PROCESSES = 1024, TOKENS = 1024 };

struct phold {
    struct sim_random stream;
    double lookahead, remote;
    uint64_t hops;
    int held[PROCESSES];
    struct token {
        struct sim_event event;
        struct phold *phold;
        int at;
    } tokens[TOKENS];
};

static void token_hops(struct sim *sim, struct sim_event *event)
{
    struct token *token = SIM_CONTAINER_OF(event, struct token, event);
    struct phold *p = token->phold;
    p->hops++;
    p->held[token->at]--;
    if (sim_random_chance(&p->stream, p->remote))
        token->at = (int)sim_random_below(&p->stream, PROCESSES);
    p->held[token->at]++;
    const double wait = p->lookahead < 1.0 ? (1.0 - p->lookahead) * sim_random_exponential(&p->stream) : 0.0;
    sim_schedule_after(sim, event, sim_ns_round(1e9 * (p->lookahead + wait)));
}

/* One token each on 1024 processes, mean hop 1 s, for `seconds`; returns the hops. The population is
 * conserved. */
static double phold_hops(double lookahead, double seconds, uint64_t replication)
{
    struct phold *p = calloc(1, sizeof *p);
    struct sim *sim = sim_create();
    sim_random_init(&p->stream, TEST_SEED, replication, "phold");
    p->lookahead = lookahead;
    p->remote = .25;
    for (int i = 0; i < TOKENS; i++) {
        struct token *token = &p->tokens[i];
        token->phold = p;
        token->at = i;
        p->held[i] = 1;
        sim_event_init(&token->event, token_hops, 1);
        const double wait = lookahead < 1.0 ? (1.0 - lookahead) * sim_random_exponential(&p->stream) : 0.0;
        sim_schedule_at(sim, &token->event, sim_ns_round(1e9 * (lookahead + wait)));
    }
    assert_int_equal(sim_run_until(sim, sim_ns_from_s(seconds)), SIM_END_TIME);
    const struct sim_account account = sim_account(sim);
    int population = 0;
    for (int i = 0; i < PROCESSES; i++) {
        assert_true(p->held[i] >= 0);
        population += p->held[i];
    }
    assert_int_equal(population, TOKENS);
    assert_int_equal(account.pending_events, TOKENS);
    assert_true(account.events == p->hops);
    assert_int_equal(account.now_ns, sim_ns_from_s(seconds));
    const double hops = (double)p->hops;
    sim_destroy(sim);
    free(p);
    return hops;
}

/* A renewal process of hop length lookahead + Exp(1 - lookahead): mean count T + (cv^2 - 1) / 2 a token,
 * variance cv^2 T. */
static void phold(void **state)
{
    (void)state;
    assert_true(phold_hops(1.0, 1000.0, 0) == 1024.0 * 1000.0);
    const double lookaheads[] = {0.0, .1, .5};
    const double seconds = 60.0;
    for (int k = 0; k < 3; k++) {
        double hops[REPLICATIONS];
        const double cv2 = (1.0 - lookaheads[k]) * (1.0 - lookaheads[k]);
        for (uint64_t i = 0; i < REPLICATIONS; i++)
            hops[i] = phold_hops(lookaheads[k], seconds, i);
        assert_reference("hops", hops, REPLICATIONS, TOKENS * (seconds + .5 * (cv2 - 1.0)), .01);
        const struct sim_interval mean = sim_interval_mean(hops, REPLICATIONS, test_confidence());
        double squares = 0.0;
        for (int i = 0; i < REPLICATIONS; i++)
            squares += (hops[i] - mean.estimate) * (hops[i] - mean.estimate);
        const double p = gsl_cdf_chisq_P(squares / (TOKENS * seconds * cv2), REPLICATIONS - 1);
        assert_between(p, .0005, .9995);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(single_server_queue),
        cmocka_unit_test(time_shared_computer),
        cmocka_unit_test(inventory_system),
        cmocka_unit_test(phold),
    };
    return RUN_TESTS(tests);
}
