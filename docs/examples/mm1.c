/* A queue by processes: customers come at random, wait for the one server, are served and leave. The mean wait is held
 * against its formula, rho / (mu - lambda). */
#include <vdisim/process.h>
#include <vdisim/queue.h>
#include <vdisim/random.h>
#include <vdisim/sim.h>

#include <stdio.h>
#include <stdlib.h>

#define CUSTOMERS 200000
#define SERVICE_S 0.004 /* mean */
#define GAP_S     0.005 /* mean time between two arrivals */

struct shop {
    struct sim_queue server;
    struct sim_random gaps, services;
};

struct customer {
    struct sim_process process;
    struct shop *shop;
};

static void customer_leaves(struct sim_process *process)
{
    free(SIM_CONTAINER_OF(process, struct customer, process));
}

static void customer_lives(struct sim_process *self)
{
    struct shop *shop = SIM_CONTAINER_OF(self, struct customer, process)->shop;
    if (sim_queue_seize(self, &shop->server, 0, SIM_NEVER_NS) == SIM_DONE) {
        sim_hold(self, sim_ns_from_s(SERVICE_S * sim_random_exponential(&shop->services)));
        sim_queue_release(&shop->server);
    }
}

static void door_lives(struct sim_process *self)
{
    struct shop *shop = SIM_CONTAINER_OF(self, struct customer, process)->shop;
    for (int i = 0; i < CUSTOMERS; i++) {
        sim_hold(self, sim_ns_from_s(GAP_S * sim_random_exponential(&shop->gaps)));
        struct customer *customer = calloc(1, sizeof *customer);
        if (customer == NULL) {
            sim_out_of_memory(self->sim);
            return;
        }
        customer->shop = shop;
        sim_process_init(&customer->process, "customer", customer_lives);
        customer->process.on_end = customer_leaves;
        sim_process_start_after(self->sim, &customer->process, 0);
    }
}

int main(void)
{
    struct sim *sim = sim_create();
    if (sim == NULL)
        return 1;
    struct shop shop;
    sim_queue_init(&shop.server, sim, "server", 1, SIM_QUEUE_FIFO);
    sim_random_init_named(&shop.gaps, 1, 0, "gaps");
    sim_random_init_named(&shop.services, 1, 0, "services");

    struct customer door = {.shop = &shop};
    sim_process_init(&door.process, "door", door_lives);
    sim_process_start_after(sim, &door.process, 0);
    const enum sim_end end = sim_run_until(sim, SIM_NEVER_NS);

    const struct sim_queue_account account = sim_queue_account(&shop.server);
    const double rho = SERVICE_S / GAP_S, expected_s = rho / (1 / SERVICE_S - 1 / GAP_S);
    printf("%llu customers, mean wait %.2f ms, by the formula %.2f ms\n",
           (unsigned long long)account.departures, 1e3 * account.wait_sum_s / (double)account.arrivals,
           1e3 * expected_s);
    sim_destroy(sim);
    return end == SIM_END_EMPTY ? 0 : 1;
}
